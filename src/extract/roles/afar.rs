//! Who is called by what does not name him: methods that another module calls through an interface of its own, or by
//! reflection, as services are; functions that other languages call; what is listed among migrations. Where in doubt, somebody
//! calls.

use super::{Node, Role, edges::Edges, nodes, token_text, undeclared::undeclared};
use crate::{
    extract::{
        fold::Unit,
        outline::{Listed, Outline},
    },
    source::{Source, Sources, Words, folder_of},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What may hand a service over to who finds its methods by reflection or in code that is not in the tree, or make functions
/// known to other languages.
static HANDS_OVER: Words<'_> = Words::new(&["Namespace:", ".Register", "//export "]);

/// What is called from afar.
pub(super) struct Afar<'a> {
    /// The functions that other languages call, by their names.
    pub exported: Vec<u32>,
    /// The folders that hand over services.
    folders: HashSet<&'a str>,
    /// The packages of which a service is; where it has a type of one as a part of its own, with that type.
    parts: HashSet<Part>,
    /// The types, each with its folder, that are given back as an interface which is not in the tree.
    given: HashSet<(&'a str, String)>,
    /// For each name whether an interface of the tree lists it.
    signatures: Vec<bool>,
    /// For each name whether it stands in a list of migrations.
    migrations: Vec<bool>,
}

/// A package, and a type of it.
type Part = (String, Option<String>);

impl<'a> Afar<'a> {
    /// What the files tell of it.
    pub fn new(sources: &'a Sources, units: &[Unit], listed: &Listed, names: &HashMap<&'a str, u32>) -> Self {
        let tell = |of_outline: fn(&Outline) -> &[u32], of_unit: fn(&Unit, &str) -> Vec<u32>| {
            let mut marks = vec![false; names.len()];
            let mut mark = |name: &str| {
                if let Some(place) = names.get(name).and_then(|&name| marks.get_mut(name as usize)) {
                    *place = true;
                }
            };
            for unit in units.iter().filter(|unit| !unit.is_test) {
                if let Some(outline) = &unit.outline {
                    for &name in of_outline(outline) {
                        mark(listed.name(name));
                    }
                } else if !unit.sketch.signatures.is_empty() || !unit.sketch.listed.is_empty() {
                    let text = sources.get(unit.source).map_or("", Source::text);
                    for at in of_unit(unit, text) {
                        mark(token_text(unit, text, at));
                    }
                }
            }
            marks
        };
        let signatures = tell(|outline| &outline.signatures, |unit, _| unit.sketch.signatures.clone());
        let migrations =
            tell(|outline| &outline.migrations, |unit, text| nodes::migrations(unit, text).collect());
        let (folders, parts, given) = (HashSet::default(), HashSet::default(), HashSet::default());
        let mut found = Self { exported: Vec::new(), folders, parts, given, signatures, migrations };
        found.hand_over(sources, units, names);
        found
    }

    /// Looks for services that are handed over.
    fn hand_over(&mut self, sources: &'a Sources, units: &[Unit], names: &HashMap<&'a str, u32>) {
        let is_own = |unit: &&Unit| unit.language.receivers && !unit.is_test;
        let own: Vec<(&str, &Source)> = units
            .iter()
            .filter(is_own)
            .filter_map(|unit| Some((folder_of(sources.path(unit.source)), sources.get(unit.source)?)))
            .collect();
        let handing = own.par_iter().filter(|(_, source)| source.has_any(&HANDS_OVER));
        let handed: Vec<(&str, Handed)> =
            handing.map(|(folder, source)| (*folder, source.peek(handed))).collect();
        for (folder, one) in handed {
            self.exported.extend(one.exported.iter().filter_map(|name| names.get(name.as_str())));
            if one.is_service {
                self.folders.insert(folder);
            }
            self.parts.extend(one.packages.into_iter().map(|package| (package, None)));
        }
        let folders = &self.folders;
        let serving = own.par_iter().filter(|(folder, _)| folders.contains(folder));
        let parts: Vec<Part> = serving.flat_map_iter(|(_, source)| source.peek(embedded)).collect();
        self.parts.extend(parts);
        self.given = undeclared(&own);
    }

    /// Marks the methods that somebody may call who is not in the tree: those of services and of what is given back as an interface
    /// from elsewhere, and those that nothing in the tree
    /// calls and several types have, so that somebody asks for them. Where an interface of the tree lists them, these are types
    /// of one package, for what stands in for another elsewhere is made for tests; and none of them reads and writes itself.
    pub fn mark_open(
        &self,
        paths: &dyn Fn(u32) -> &'a str,
        (nodes, holders): (&mut [Node], &[u32]),
        open: &[(u32, &str)],
        edges: &Edges,
    ) {
        let names = edges.roots.len();
        let mut asked = edges.roots.clone();
        for (caller, node) in (0..).zip(nodes.iter()) {
            for &callee in edges.callees.of(caller).iter().filter(|&&callee| callee != node.name) {
                mark(&mut asked, callee);
            }
        }
        let mut first: HashMap<(u32, &str), &str> = HashMap::default();
        let (mut several, mut access) = (vec![false; names], vec![false; names]);
        for &holder in holders {
            if let Some(node) = nodes.get(holder as usize).filter(|node| has(&self.signatures, node.name)) {
                mark(&mut access, node.name);
            }
        }
        for &(node, owner) in open {
            let Some(node) = nodes.get(node as usize) else { continue };
            let folder = if has(&self.signatures, node.name) { folder_of(paths(node.unit)) } else { "" };
            if *first.entry((node.name, folder)).or_insert(owner) != owner {
                mark(&mut several, node.name);
            }
        }
        for &(node, owner) in open {
            let Some(node) = nodes.get_mut(node as usize) else { continue };
            let folder = folder_of(paths(node.unit));
            let is_given = !self.given.is_empty() && self.given.contains(&(folder, owner.to_owned()));
            let is_asked = !has(&asked, node.name) && has(&several, node.name) && !has(&access, node.name);
            node.is_foreign |= is_asked || is_given || self.serves(folder, owner);
        }
    }

    /// Whether a type of a folder is a service.
    fn serves(&self, folder: &str, owner: &str) -> bool {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let has = |owner: Option<&str>| {
            !self.parts.is_empty() && self.parts.contains(&(name.to_owned(), owner.map(str::to_owned)))
        };
        self.folders.contains(folder) || has(None) || has(Some(owner))
    }

    /// Marks what stands in a list of migrations, and has a name of its own in the folder at the top of the tree.
    pub fn mark_listed(&self, paths: &dyn Fn(u32) -> &'a str, nodes: &mut [Node]) {
        let top = |unit: u32| paths(unit).split('/').next().unwrap_or("");
        let mut homes: HashMap<u32, Vec<&str>> = HashMap::default();
        // What stands in for it in tests has its name, too.
        for node in nodes.iter().filter(|node| node.role != Role::Test && has(&self.migrations, node.name)) {
            homes.entry(node.name).or_default().push(top(node.unit));
        }
        // Another program may stand in for it.
        let is_alone = |homes: &Vec<&str>| {
            matches!(homes.as_slice(), [_]) || matches!(homes.as_slice(), [one, other] if one != other)
        };
        for node in nodes.iter_mut().filter(|node| node.role == Role::Production) {
            if homes.get(&node.name).is_some_and(is_alone) {
                (node.role, node.reason) = (Role::Migration, super::IN_A_LIST);
            }
        }
    }
}

fn has(marks: &[bool], name: u32) -> bool {
    marks.get(name as usize) == Some(&true)
}

pub(super) fn mark(marks: &mut [bool], name: u32) {
    if let Some(place) = marks.get_mut(name as usize) {
        *place = true;
    }
}

/// What a file hands over.
#[derive(Default)]
struct Handed {
    is_service: bool,
    /// The packages that its services come from.
    packages: Vec<String>,
    /// The functions that other languages call.
    exported: Vec<String>,
}

fn handed(text: &str) -> Handed {
    let mut found = Handed::default();
    let lists = text.contains(".API{") && text.contains("Namespace:");
    for line in text.lines().map(str::trim_start) {
        if let Some(name) = line.strip_prefix("//export ") {
            found.exported.push(name.trim().to_owned());
        } else if !line.starts_with("//")
            && let Some(value) = service(line, lists)
        {
            found.is_service = true;
            found.packages.extend(qualified(value).map(|(package, _)| package.to_owned()));
        }
    }
    found
}

/// What a line hands over as a service: `Service: NewAPI(db)` in a list of them, `server.RegisterName("marks", api)`,
/// `pb.RegisterMarksServer(server, api)`.
fn service(line: &str, lists: bool) -> Option<&str> {
    if let Some((_, value)) = line.split_once("Service:").filter(|_| lists) {
        return Some(value);
    }
    line.match_indices(".Register").find_map(|(at, _)| {
        let rest = line.get(at + 1..)?;
        let (name, rest) = rest.split_at_checked(rest.find(|one: char| !one.is_alphanumeric())?)?;
        let arguments = rest.strip_prefix('(')?;
        let is_service = match name {
            "Register" => line.get(..at)?.ends_with("rpc"),
            "RegisterName" | "RegisterService" => true,
            _ => name.ends_with("Server"),
        };
        is_service.then_some(arguments)
    })
}

/// The types of other packages that stand alone in a line, as parts of a type.
fn embedded(text: &str) -> Vec<Part> {
    let part = |line: &str| {
        let line = line.trim().trim_start_matches('*');
        let (package, name) = qualified(line).next()?;
        (line.len() == package.len() + 1 + name.len()).then(|| (package.to_owned(), Some(name.to_owned())))
    };
    text.lines().filter_map(part).collect()
}

/// The packages and the open names in a text: `ext.NewAPI`.
fn qualified(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    text.match_indices('.').filter_map(move |(at, _)| {
        let (before, behind) = (text.get(..at)?, text.get(at + 1..)?);
        let package = before.get(before.rfind(|one| !is_part(one)).map_or(0, |at| at + 1)..)?;
        let name = behind.get(..behind.find(|one| !is_part(one)).unwrap_or(behind.len()))?;
        (!package.is_empty() && name.starts_with(char::is_uppercase)).then_some((package, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_told_by_how_they_are_handed_over() {
        assert_eq!(
            service("server.RegisterName(\"a\", store.New(db))", false),
            Some("\"a\", store.New(db))")
        );
        assert_eq!(service("pb.RegisterMarksServer(s, api)", false), Some("s, api)"));
        assert_eq!(service("rpc.Register(new(Arith))", false), Some("new(Arith))"));
        assert_eq!(service("{Namespace: \"a\", Service: NewAPI(db)},", true), Some(" NewAPI(db)},"));
        assert_eq!(service("Service: NewAPI(db),", false), None);
        assert_eq!(service("prometheus.Register(counter)", false), None);
        assert_eq!(service("func (s *S) RegisterName(name string) {", false), None);
    }

    #[test]
    fn parts_stand_alone() {
        let text = "type API struct {\n\t*ext.PublicAPI\n\tdb *store.DB\n\tx.Y\n}";
        let part = |package: &str, name: &str| (package.to_owned(), Some(name.to_owned()));
        assert_eq!(embedded(text), [part("ext", "PublicAPI"), part("x", "Y")]);
    }
}

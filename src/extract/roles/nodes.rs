//! The functions of a tree, by name, with the role that each has by itself.

use super::{BY_NAME, Node, Role, decorated::Decorators, names};
use crate::{
    extract::{
        fold::Unit,
        lexer::{Kind, Token},
        outline::{Listed, OutlinedFunction},
        sketch::{FunctionSketch, NOWHERE},
    },
    source::{Source, Sources, Words},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// All functions of a tree.
pub(super) struct Functions<'a> {
    pub nodes: Vec<Node>,
    /// The first of each unit, and one past the last.
    pub offsets: Vec<usize>,
    /// The numbers of their names.
    pub names: HashMap<&'a str, u32>,
    /// The methods that others than the tree may call, and their types, in order.
    pub open: Vec<(u32, &'a str)>,
}

/// All functions.
pub(super) fn nodes<'a>(sources: &'a Sources, units: &[Unit], listed: &'a Listed) -> Functions<'a> {
    let (declared, decorators) = (declared(sources, units, listed), Decorators::of(sources, units));
    let is_foreign = |name: &str| !name.is_empty() && !OPEN.contains(&name) && !declared.contains(name);
    let per_unit: Vec<Vec<(&str, Option<&str>, Node)>> = (0..units.len() as u32)
        .into_par_iter()
        .zip(units)
        .map(|(unit_index, unit)| {
            let file = sources.path(unit.source).rsplit('/').next().unwrap_or("").to_ascii_lowercase();
            let source = sources.get(unit.source);
            let node = |one: OutlinedFunction, word, implements: &str, owner: Option<&'a str>| {
                let is_test = one.is_test || unit.is_test;
                let (role, reason) = first_role(is_test, word, one.runs_once, (&file, source));
                let (is_registered, is_foreign) = (one.is_registered, is_foreign(implements));
                let node = Node { unit: unit_index, name: NOWHERE, role, is_registered, is_foreign, reason };
                (word, owner, node)
            };
            if let Some(outline) = &unit.outline {
                let functions = outline.functions.iter();
                let named = |one: &OutlinedFunction| {
                    let owner = Some(listed.name(one.owner)).filter(|owner| !owner.is_empty());
                    node(*one, listed.name(one.name), listed.name(one.implements), owner)
                };
                return functions.map(named).collect();
            }
            let text = sources.get(unit.source).map_or("", Source::text);
            let steps = Steps::of(unit, text);
            let functions = unit.sketch.functions.iter().map(|function| {
                let word = token_text(unit, text, function.name);
                let is_registered = is_registered(unit, text, function, &decorators);
                let one =
                    OutlinedFunction::held(function.is_test, is_registered, runs_once(unit, text, function));
                let owner = open_owner(unit, text, function);
                let mut found = node(one, word, token_text(unit, text, function.implements), owner);
                steps.settle(unit, text, function, &mut found.2);
                found
            });
            inherit(unit, functions.collect())
        })
        .collect();
    let mut names: HashMap<&str, u32> = HashMap::default();
    let mut nodes = Vec::with_capacity(per_unit.iter().map(Vec::len).sum());
    let mut open = Vec::new();
    let mut offsets = Vec::with_capacity(units.len() + 1);
    for functions in per_unit {
        offsets.push(nodes.len());
        for (word, owner, mut node) in functions {
            // Nothing asks who calls a test.
            if node.role != Role::Test {
                let fresh = names.len() as u32;
                node.name = *names.entry(word).or_insert(fresh);
                open.extend(owner.map(|owner| (nodes.len() as u32, owner)));
            }
            nodes.push(node);
        }
    }
    offsets.push(nodes.len());
    Functions { nodes, offsets, names, open }
}

/// Gives the functions of Python that a migration is written of, within it, its role: what runs them may find them in ways of its own.
/// In other languages, what a function gives back is often made so.
fn inherit<'n>(
    unit: &Unit,
    mut functions: Vec<(&'n str, Option<&'n str>, Node)>,
) -> Vec<(&'n str, Option<&'n str>, Node)> {
    if !unit.language.indented {
        return functions;
    }
    // They stand in the order of the text, each behind what it stands in.
    let mut end = 0;
    for (sketch, (.., node)) in unit.sketch.functions.iter().zip(&mut functions) {
        if node.role == Role::Migration {
            end = end.max(sketch.end);
        } else if node.role == Role::Production && sketch.end <= end {
            (node.role, node.reason) = (Role::Migration, "it stands in a migration");
        }
    }
    functions
}

/// The types of a file that are steps of a schema, by what they are made of: `class AddLabels(SchemaUpgrade)`.
struct Steps<'a>(HashMap<&'a str, &'a str>);

impl<'a> Steps<'a> {
    fn of(unit: &Unit, text: &'a str) -> Self {
        let functions = &unit.sketch.functions;
        let base = |one: &FunctionSketch| token_text(unit, text, one.implements);
        if !functions.iter().any(|one| super::is_migration(base(one))) {
            return Self(HashMap::default());
        }
        let bases = functions.iter().map(|one| (token_text(unit, text, one.owner), base(one)));
        Self(bases.filter(|(owner, base)| !owner.is_empty() && !base.is_empty()).collect())
    }

    /// Gives what runs one of them the role of a migration.
    fn settle(&self, unit: &Unit, text: &str, function: &FunctionSketch, node: &mut Node) {
        const RUNS: [&str; 6] = ["execute", "run", "up", "apply", "forward", "perform"];
        const DEEPEST: usize = 64;
        let is_run = RUNS.contains(&token_text(unit, text, function.name));
        if self.0.is_empty() || node.role != Role::Production || !is_run {
            return;
        }
        let owner = token_text(unit, text, function.owner);
        let mut bases = std::iter::successors(self.0.get(owner), |base| self.0.get(*base)).take(DEEPEST);
        if bases.any(|base| super::is_migration(base)) {
            (node.role, node.reason) = (Role::Migration, BY_NAME);
        }
    }
}

/// Bases that call no method of what is made of them.
const OPEN: [&str; 8] =
    ["object", "ABC", "Protocol", "Generic", "Enum", "NamedTuple", "TypedDict", "Exception"];

/// The names of all traits and classes that the tree declares.
fn declared<'a>(sources: &'a Sources, units: &[Unit], listed: &'a Listed) -> HashSet<&'a str> {
    let names = |unit: &Unit| -> Vec<&'a str> {
        if let Some(outline) = &unit.outline {
            return outline.types.iter().map(|&name| listed.name(name)).collect();
        }
        if unit.sketch.types.is_empty() {
            return Vec::new();
        }
        let text = sources.get(unit.source).map_or("", Source::text);
        unit.sketch.types.iter().map(|&name| token_text(unit, text, name)).collect()
    };
    units.par_iter().flat_map_iter(names).collect::<Vec<&str>>().into_iter().collect()
}

/// The text of a token.
pub(in crate::extract) fn token_text<'a>(unit: &Unit, text: &'a str, token: u32) -> &'a str {
    let range =
        unit.tokens.get(token as usize).map_or(0..0, |token| token.start as usize..token.end as usize);
    text.get(range).unwrap_or("")
}

fn first_role(
    is_test: bool,
    name: &str,
    runs_once: bool,
    (file, source): (&str, Option<&Source>),
) -> (Role, &'static str) {
    let is_whole = || matches!(file.split('.').next(), Some("migration" | "migrations"));
    if is_test {
        return (Role::Test, "test code");
    }
    match names::role(name) {
        Some(Role::Migration) if builds_interface(name, source) => (Role::Production, ""),
        Some(role) => (role, BY_NAME),
        None if runs_once && is_close(name) => (Role::StartUp, "it runs as something is closed"),
        None if runs_once => (Role::StartUp, "it starts something, once"),
        None if file.contains("migration") && names::leading_number(name).is_some() => {
            (Role::Migration, "it has a number, in a file of migrations")
        }
        None if matches!(name, "run" | "apply" | "up") && is_whole() => {
            (Role::Migration, "it runs a file of migrations")
        }
        None => (Role::Production, ""),
    }
}

/// Whether something that is not seen calls a function: what decorates it, or the language itself, as it does when a value is made:
/// `__init__`.
fn is_registered(unit: &Unit, text: &str, function: &FunctionSketch, decorators: &Decorators<'_>) -> bool {
    let is_special = || {
        let name = token_text(unit, text, function.name);
        name.len() > 4 && name.starts_with("__") && name.ends_with("__")
    };
    (unit.language.indented && is_special())
        || (function.is_registered && !decorators.are_all(unit, text, function))
}

/// Whether a function builds the schema of an interface, which makes no table.
fn builds_interface(name: &str, source: Option<&Source>) -> bool {
    static GRAPHS: Words<'_> = Words::new(&["graphql", "GraphQL", "juniper"]);
    let name = name.to_ascii_lowercase();
    let makes =
        name.ends_with("schema") && ["build", "create", "make"].iter().any(|verb| name.starts_with(verb));
    makes && source.is_some_and(|source| source.has_any(&GRAPHS))
}

/// How many tokens of a function are looked through.
const LONGEST: u32 = 4096;

/// What stands in front of the first parameter that is no receiver.
const OWN: [&str; 4] = ["(", "&", "mut", "self"];

fn is_close(name: &str) -> bool {
    name.eq_ignore_ascii_case("close")
}

/// Whether a function closes something: it is called so, and has no parameter but the value whose method it is. Or it starts
/// something: it is called so, and says that it does so once.
pub(in crate::extract) fn runs_once(unit: &Unit, text: &str, function: &FunctionSketch) -> bool {
    let word = |at: u32| token_text(unit, text, at);
    let name = word(function.name);
    if unit.language.receivers && name.eq_ignore_ascii_case("start") {
        let is_once = |at: u32| word(at).to_ascii_lowercase().ends_with("once");
        return (function.name..function.end.min(function.name + LONGEST))
            .any(|at| word(at) == "Do" && word(at + 1) == "(" && at > 1 && is_once(at - 2));
    }
    if !is_close(name) {
        return false;
    }
    let mut at = function.name + 1;
    while OWN.contains(&word(at)) {
        at += 1;
    }
    word(at) == ")"
}

/// The type that a function is a method of, where its name says that others than its package may call it.
pub(in crate::extract) fn open_owner<'a>(
    unit: &Unit,
    text: &'a str,
    function: &FunctionSketch,
) -> Option<&'a str> {
    let is_open = || token_text(unit, text, function.name).starts_with(|first: char| first.is_uppercase());
    let is_method = unit.language.receivers && function.owner != NOWHERE;
    (is_method && is_open()).then(|| token_text(unit, text, function.owner))
}

/// Whether a function that a list names is not called by a name, or at a route, whenever that is asked for.
fn is_patch(unit: &Unit, text: &str, name: u32, of: u32) -> bool {
    let is_sign = |at: u32, sign: u8| unit.tokens.get(at as usize).is_some_and(|token| token.is(sign));
    let is_key =
        |key: u32| matches!(token_text(unit, text, key), "run" | "apply" | "up" | "func" | "fn" | "patch");
    let is_bare = name < 2 || !is_sign(name - 1, b':') || is_key(name - 2);
    let is_route = |token: &Token| {
        let (from, to) = token.inner();
        let content = text.get(from as usize..to as usize).filter(|_| token.kind == Kind::Text);
        content.is_some_and(|content| content.starts_with('/'))
    };
    is_bare && !unit.tokens.get(of as usize..name as usize).unwrap_or(&[]).iter().any(is_route)
}

/// The tokens of names in lists of migrations, and in those of what is called alike: `patches` with `patchOwners`.
pub(in crate::extract) fn migrations<'u>(unit: &'u Unit, text: &'u str) -> impl Iterator<Item = u32> + 'u {
    let is_one = |&&(name, of): &&(u32, u32)| {
        let list = token_text(unit, text, of);
        super::is_migration(list)
            || (names::are_patches(list, token_text(unit, text, name)) && is_patch(unit, text, name, of))
    };
    unit.sketch.listed.iter().filter(is_one).map(|&(name, _)| name)
}

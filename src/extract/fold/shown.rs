//! Names at the level of another file whose letters do not say that others see them: `shipTable`, `create_ships`. Which file is meant,
//! the imports of this one tell, the package, or the type in front: `Columns.port`. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, Spot,
    members::unquoted,
    modules::{is_module, is_of_folder, last, module},
    names::common_folders,
    values::is_only_hole,
};
use crate::{
    extract::{
        languages::ImportForm,
        lexer::Kind,
        sketch::{Binding, NOWHERE},
        text::Text,
    },
    source::folder_of,
};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::hash::BuildHasher;

/// The most files that have a name at their level, of which one is looked for.
const MOST: usize = 64;

/// How often a name is followed that a file only hands on: `export * from "./ships"`.
const HANDED_ON: u8 = 3;

/// The files of modules by the last words of their paths.
pub(super) type Modules = HashMap<Box<str>, Vec<u32>>;

/// A file that another one imports, hands on or is a part of.
#[derive(Clone, Copy)]
pub(super) struct Link {
    is_import: bool,
    /// The token of the name that stands in front of what is imported, or [`NOWHERE`].
    given: u32,
    unit: u32,
}

/// A binding, and the file that it stands in.
type Bound = (usize, Binding);

impl Folder<'_> {
    /// What such a name stands for.
    pub(super) fn lookup_shown(&self, spot: Spot, name: &str, front: &[&str]) -> Option<(Spot, usize)> {
        let (unit, binding) = self.shown(spot, name, front)?;
        let inner = Spot { depth: spot.depth + 1, pieces: spot.pieces, ..Spot::at(unit, binding.function) };
        Some((inner, binding.value as usize))
    }

    /// The value of such a name in a string, with what stands in front of it: `pageTable`, `names.pageTable`.
    pub(in crate::extract) fn shown_within(&self, spot: Spot, path: &str) -> Option<Vec<Text>> {
        let (front, name) =
            path.trim().rsplit_once('.').map_or((None, path), |(front, name)| (Some(front), name));
        if spot.depth > MAX_DEPTH || front.is_some_and(|front| front.contains('.')) {
            return None;
        }
        let (inner, value) = self.lookup_shown(spot, name.trim_start_matches('$'), front.as_slice())?;
        Some(self.chain(inner, value).0).filter(|values| !values.iter().all(is_only_hole))
    }

    /// The file of what such a name at a token means.
    pub(in crate::extract) fn shown_at(&self, spot: Spot, at: usize) -> Option<usize> {
        let front = self.path_in_front(spot, at)?;
        self.shown(spot, self.word(spot, at), &front).map(|(unit, _)| unit)
    }

    /// The only binding of another file that a name means by what stands in front of it, or by what its file imports.
    fn shown(&self, spot: Spot, name: &str, front: &[&str]) -> Option<Bound> {
        let (places, language) = (self.names.get(name)?, self.language(spot)?);
        let first = front.first().copied().unwrap_or(name);
        if places.len() > MOST || front.len() > 1 || self.has_own(spot, first) {
            return None;
        }
        let bound = |&(unit, index): &(u32, u32)| {
            let unit = unit as usize;
            let one = self.units.get(unit).filter(|one| one.language.name == language.name)?;
            let binding = *one.sketch.bindings.get(index as usize)?;
            let stays = self.stays(Spot::at(unit, NOWHERE), binding.name as usize);
            let is_hidden = unit == spot.unit
                || self.is_private(unit, binding.name as usize)
                || (language.imports == ImportForm::Libraries && name.starts_with('_'));
            (stays && !is_hidden).then_some((unit, binding))
        };
        let all: Vec<Bound> = places.iter().filter_map(bound).collect();
        // A field may stand there without what has it.
        if all.is_empty() || (language.implicit_self && self.declares_one(spot, first)) {
            return None;
        }
        let owner = front.first().filter(|owner| owner.starts_with(|one: char| one.is_ascii_uppercase()));
        if let Some(owner) = owner
            && let Some(found) = self.only(spot, &all, |one| self.is_of_type(one, owner))
        {
            return Some(found);
        }
        let is_free = |one: &Bound| !self.is_within(*one);
        match language.imports {
            ImportForm::Modules | ImportForm::Files => self.bound_in_module(spot, (front, name), &all),
            ImportForm::Libraries => {
                let libraries = self.libraries(spot, front);
                self.only(spot, &all, |one| is_free(one) && libraries.contains(&one.0))
            }
            _ if !front.is_empty() => None,
            ImportForm::Members => {
                let is_seen = |one: &Bound| is_free(one) && self.is_of_package(spot, one.0, name);
                self.only(spot, &all, is_seen)
            }
            ImportForm::Whole => self.only(spot, &all, is_free),
            ImportForm::Packages | ImportForm::Paths | ImportForm::Unread => None,
        }
    }

    /// Whether the function around is handed such a name, or gives it a value.
    pub(super) fn has_own(&self, spot: Spot, name: &str) -> bool {
        let functions = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.functions);
        let own = functions.get(spot.function as usize);
        let range = own.map_or(0..0, |one| one.name as usize..one.end as usize);
        self.taken(spot, name).is_some() || self.is_set(spot, name, range)
    }

    /// Whether a file has a field of that name, or the function around has a variable: `val table`, `String table;`, `table: String`.
    fn declares_one(&self, spot: Spot, name: &str) -> bool {
        const WORDS: [&str; 8] = ["val", "var", "let", "final", "const", "late", "for", "catch"];
        let Some(code) = self.code(spot) else { return false };
        let is_type = |at: usize| {
            code.is(at, b'?')
                || (code.is_word(at) && code.word(at).starts_with(|one: char| one.is_ascii_uppercase()))
        };
        self.places_of(spot, 0..code.length(), name).any(|at| {
            let Some(before) = at.checked_sub(1) else { return false };
            let begins = b"(,{".iter().any(|&sign| code.is(before, sign));
            let ends = b",)];={".iter().any(|&sign| code.is(at + 1, sign));
            let declares = WORDS.contains(&code.word(before))
                || (begins && code.is(at + 1, b':'))
                || (ends && is_type(before));
            declares && self.function_around(spot.unit, at).is_none_or(|(own, _)| own == spot.function)
        })
    }

    /// Whether the declaration of a name says that it stays as it is; in Python, that no function gives it another value.
    fn stays(&self, spot: Spot, name: usize) -> bool {
        /// The most tokens in front of the name.
        const LONGEST: usize = 8;
        let (Some(code), Some(language)) = (self.code(spot), self.language(spot)) else { return false };
        if language.indented {
            let own = self.word(spot, name);
            return !self
                .places_of(spot, 0..code.length(), own)
                .any(|at| at.checked_sub(1).is_some_and(|before| code.word(before) == "global"));
        }
        let mut at = name;
        for _ in 0..LONGEST {
            if code.is_on_new_line(at) || at == 0 {
                return false;
            }
            at -= 1;
            let is_let = || code.word(at) == "let" && language.imports == ImportForm::Whole;
            if is_let() || matches!(code.word(at), "const" | "final" | "val" | "readonly" | "constexpr") {
                return true;
            }
        }
        false
    }

    /// The nearest of these bindings, where no other is as near.
    fn only(&self, spot: Spot, all: &[Bound], is_meant: impl Fn(&Bound) -> bool) -> Option<Bound> {
        let home = self.sources.path(self.source(spot));
        let near = |one: &Bound| common_folders(home, self.path_of_unit(one.0));
        let meant: Vec<&Bound> = all.iter().filter(|one| is_meant(one)).collect();
        let nearest = meant.iter().map(|one| near(one)).max()?;
        let mut meant = meant.into_iter().filter(|one| near(one) == nearest);
        let found = meant.next()?;
        meant.next().is_none().then_some(*found)
    }

    fn path_of_unit(&self, unit: usize) -> &str {
        self.units.get(unit).map_or("", |one| self.sources.path(one.source))
    }

    /// Whether a binding stands in the body of a type of this name, and in no other bracket there but those of an object beside it.
    fn is_of_type(&self, (unit, binding): &Bound, owner: &str) -> bool {
        let spot = Spot::at(*unit, NOWHERE);
        self.is_within((*unit, *binding))
            && self.types_around(spot, binding.name as usize).iter().any(|(own, levels)| {
                let is_companion = || *levels == 1 && self.language(spot).is_some_and(|one| one.typed);
                *own == owner && (*levels == 0 || is_companion())
            })
    }

    /// Whether a binding stands in a type or another bracket.
    fn is_within(&self, (unit, binding): Bound) -> bool {
        let spot = Spot::at(unit, NOWHERE);
        let Some(code) = self.code(spot) else { return true };
        if !code.indented() {
            return code.around(binding.name as usize).next().is_some();
        }
        let start = self.tokens(spot).get(binding.name as usize).map_or(0, |token| token.start as usize);
        let text = self.sources.get(self.source(spot)).map_or("", |source| source.text());
        !text.get(..start).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    /// The binding that an import of a file takes, be it from a module that only hands it on.
    fn bound_in_module(&self, spot: Spot, called: (&[&str], &str), all: &[Bound]) -> Option<Bound> {
        let (front, name) = called;
        let first = front.first().copied().unwrap_or(name);
        let mut found: Option<Bound> = None;
        let mut seen = HashSet::from_iter([spot.unit]);
        let mut read = vec![(spot.unit, first, called, HANDED_ON)];
        while let Some((unit, first, called, hops)) = read.pop() {
            let spot = Spot::at(unit, NOWHERE);
            let Some(imports) = self.imports_of(spot) else { continue };
            let named = [first, "*"].map(|word| imports.get(&FxBuildHasher.hash_one(word)));
            // What hands on says so in JavaScript, and in Python is the file of a package.
            let is_seen = |import: &&(u32, u32)| match self.language(spot).map(|one| one.imports) {
                _ if hops == HANDED_ON => self.word(spot, import.0 as usize) != "export",
                Some(ImportForm::Files) => self.word(spot, import.0 as usize) == "export",
                _ => is_of_folder(self.path_of_unit(spot.unit)),
            };
            for &import in named.into_iter().flatten().flatten().filter(is_seen) {
                for words in self.paths_of(spot, import, called) {
                    let home = self.path_of_unit(spot.unit);
                    let is_in = |unit: usize| is_module(home, self.path_of_unit(unit), &words);
                    if let Some(one) = self.only(spot, all, |one| is_in(one.0) && !self.is_within(*one)) {
                        if found.is_some_and(|other| other.0 != one.0) {
                            return None;
                        }
                        found = Some(one);
                    } else if hops > 0
                        && let Some(unit) = self.unit_of_module(spot, &words)
                        && seen.insert(unit)
                    {
                        read.push((unit, name, (&[], name), hops - 1));
                    }
                }
            }
        }
        found
    }

    /// The files in the language of a spot whose module has this last word.
    fn modules_named(&self, spot: Spot, word: &str) -> impl Iterator<Item = usize> {
        let all = self.modules.get_or_init(|| {
            let mut all = Modules::default();
            for (number, unit) in (0..).zip(self.units) {
                if let Some(word) = module(self.sources.path(unit.source)).last() {
                    all.entry((*word).into()).or_default().push(number);
                }
            }
            all
        });
        let language = self.language(spot).map_or("", |language| language.name);
        let named = all.get(word).map_or(&[][..], Vec::as_slice).iter().map(|&unit| unit as usize);
        named.filter(move |&unit| self.units.get(unit).is_some_and(|one| one.language.name == language))
    }

    /// The only file that is the module of a path.
    fn unit_of_module(&self, spot: Spot, words: &[&str]) -> Option<usize> {
        let home = self.path_of_unit(spot.unit);
        let named = self.modules_named(spot, last(home, words));
        let mut found = named.filter(|&unit| is_module(home, self.path_of_unit(unit), words));
        let one = found.next().filter(|one| *one != spot.unit)?;
        found.next().is_none().then_some(one)
    }

    /// The files that `import "ships.dart"` brings in under what stands in front of a name, with those that belong to them.
    fn libraries(&self, spot: Spot, front: &[&str]) -> HashSet<usize> {
        let mut found = HashSet::default();
        let mut read = vec![(spot.unit, HANDED_ON)];
        while let Some((unit, hops)) = read.pop() {
            let inner = Spot::at(unit, NOWHERE);
            for one in self.links(inner) {
                let given = (one.given != NOWHERE).then(|| self.word(inner, one.given as usize));
                let is_seen = if unit == spot.unit {
                    !one.is_import || given == front.first().copied()
                } else {
                    !one.is_import
                };
                if is_seen && found.insert(one.unit as usize) && hops > 0 {
                    read.push((one.unit as usize, hops - 1));
                }
            }
        }
        found
    }

    /// What a file imports, hands on and is a part of, where that is a file.
    fn links(&self, spot: Spot) -> &[Link] {
        let Some(known) = self.known.unit(spot.unit) else { return &[] };
        known.links.get_or_init(|| {
            let link = |(start, end): (u32, u32)| {
                let mut tokens = start as usize..end as usize;
                let path = tokens.clone().find(|&at| self.kind(spot, at) == Some(Kind::Text))?;
                let unit = self.library(spot.unit, unquoted(self.word(spot, path)))? as u32;
                let given =
                    tokens.find(|&at| self.word(spot, at) == "as").map_or(NOWHERE, |at| at as u32 + 1);
                Some(Link { is_import: self.word(spot, start as usize) == "import", given, unit })
            };
            self.imports(spot).into_iter().filter_map(link).collect()
        })
    }

    /// The file of a path in an import: `../ships.dart` from the folder on, `package:fleet/ships.dart` in a folder of libraries.
    fn library(&self, unit: usize, path: &str) -> Option<usize> {
        let home = self.path_of_unit(unit);
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let find = |is_meant: &dyn Fn(&str) -> bool| {
            let near = |at: &usize| common_folders(home, self.path_of_unit(*at));
            let named = self.modules_named(Spot::at(unit, NOWHERE), stem);
            named.filter(|&at| is_meant(self.path_of_unit(at))).max_by_key(near)
        };
        if let Some((package, rest)) = path.strip_prefix("package:").and_then(|path| path.split_once('/')) {
            let (inner, whole) = (format!("{package}/lib/{rest}"), format!("lib/{rest}"));
            let is_own = |path: &str| path == whole || path.ends_with(&format!("/{inner}"));
            return find(&is_own).or_else(|| find(&|path| path.ends_with(&format!("/{whole}"))));
        }
        let mut words: Vec<&str> = folder_of(home).split('/').filter(|word| !word.is_empty()).collect();
        for word in path.split('/') {
            match word {
                "." => {}
                ".." => drop(words.pop()),
                word => words.push(word),
            }
        }
        let whole = words.join("/");
        find(&|path| path == whole)
    }

    /// Whether a file of Kotlin sees what stands in another: both are in one folder, or it imports that name.
    fn is_of_package(&self, spot: Spot, unit: usize, name: &str) -> bool {
        let (home, other) = (folder_of(self.path_of_unit(spot.unit)), folder_of(self.path_of_unit(unit)));
        let package = other.rsplit('/').next().unwrap_or(other);
        let takes = |&(_, end): &(u32, u32)| {
            let last = end as usize - 1;
            self.word(spot, last) == name || (last > 2 && self.word(spot, last - 2) == package)
        };
        let imports = || self.imports_of(spot);
        let named = |word: &str| imports()?.get(&FxBuildHasher.hash_one(word));
        home == other || [name, "*"].into_iter().filter_map(named).flatten().any(takes)
    }
}

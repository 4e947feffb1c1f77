//! Functions that are called by the path of their module: `crate::names::table(…)`, `super::table(…)`. Which file a module is, its path
//! tells; what a module is called by `use … as` is not known. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot, Unit, names::common_folders};
use crate::extract::{
    lexer::Kind,
    sketch::{FunctionSketch, NOWHERE},
};

/// The longest path that is read, in words.
const LONGEST: usize = 8;

/// The most functions of one name, in modules of one name, of which one is looked for.
const MOST: usize = 256;

impl Folder<'_> {
    /// The only free function of that name in the module which a call names in front of it; of several modules called so, the nearest.
    pub(super) fn of_module(
        &self,
        spot: Spot,
        at: usize,
        name: &str,
    ) -> Option<((usize, u32), &FunctionSketch)> {
        let words = self.modules(spot, at)?;
        // The path of the file is not all of the module there.
        if matches!(words.first(), Some(&("self" | "super"))) && self.is_in_module(spot, at) {
            return None;
        }
        self.in_module(spot, name, &words)
    }

    /// The only free function of that name in the module of this path; of several modules called so, the nearest.
    pub(super) fn in_module(
        &self,
        spot: Spot,
        name: &str,
        words: &[&str],
    ) -> Option<((usize, u32), &FunctionSketch)> {
        let home = self.sources.path(self.source(spot));
        let language = self.language(spot)?.name;
        let all = self.functions_of(&key(last(home, words), name));
        if all.len() > MOST {
            return None;
        }
        let mut found: Vec<(usize, (usize, u32))> = Vec::new();
        for &(unit, index) in all {
            let one = self.units.get(unit as usize)?;
            let function = one.sketch.functions.get(index as usize)?;
            let path = self.sources.path(one.source);
            if one.language.name == language && function.owner == NOWHERE && is_module(home, path, words) {
                found.push((common_folders(home, path), (unit as usize, index)));
            }
        }
        let nearest = found.iter().map(|(near, _)| *near).max()?;
        let mut nearest = found.iter().filter(|(near, _)| *near == nearest);
        let &(_, (unit, index)) = nearest.next()?;
        if nearest.next().is_some() || (unit, index) == (spot.unit, spot.function) {
            return None;
        }
        let function = self.units.get(unit)?.sketch.functions.get(index as usize)?;
        Some(((unit, index), function))
    }

    /// The only method of that name of the type which a call names in front of it: `ParcelOrder.of(…)`.
    pub(super) fn of_type(
        &self,
        spot: Spot,
        at: usize,
        name: &str,
    ) -> Option<((usize, u32), &FunctionSketch)> {
        let sign = at.checked_sub(1)?;
        let is_path = self.is(spot, sign, b':') && self.is(spot, sign.checked_sub(1)?, b':');
        let owner = sign.checked_sub(if is_path { 2 } else { 1 })?;
        let kind = self.word(spot, owner);
        let is_type = kind.starts_with(|one: char| one.is_ascii_uppercase())
            && kind.contains(|one: char| one.is_ascii_lowercase());
        if !is_type || !(is_path || self.is(spot, sign, b'.')) {
            return None;
        }
        let language = self.language(spot)?.name;
        let method = |&(unit, index): &(u32, u32)| {
            let unit = unit as usize;
            let one = self.units.get(unit).filter(|one| one.language.name == language)?;
            let function = one.sketch.functions.get(index as usize)?;
            let is_own = function.owner != NOWHERE
                && self.word(Spot::at(unit, NOWHERE), function.owner as usize) == kind;
            (is_own && (unit, index) != (spot.unit, spot.function)).then_some(((unit, index), function))
        };
        let all = self.functions_of(name);
        if all.len() > MOST {
            return None;
        }
        let mut all = all.iter().filter_map(method);
        let found = all.next()?;
        all.next().is_none().then_some(found)
    }

    /// The key of a function that no type owns, and that stands in the module of its file.
    pub(super) fn path_in_module(
        &self,
        (number, unit): (usize, &Unit),
        function: &FunctionSketch,
        name: &str,
    ) -> Option<String> {
        let is_free = function.owner == NOWHERE
            && !self.is_in_module(Spot::at(number, NOWHERE), function.name as usize);
        is_free.then(|| key(module(self.sources.path(unit.source)).last().unwrap_or(&""), name))
    }

    /// Whether a token stands in a module that is written within its file: `mod reads { … }`.
    pub(super) fn is_in_module(&self, spot: Spot, at: usize) -> bool {
        let is_written = self.language(spot).is_some_and(|language| language.name == "Rust");
        let Some(known) = is_written.then(|| self.known.unit(spot.unit)).flatten() else { return false };
        let modules = known.modules.get_or_init(|| {
            let is_open = |at: &usize| self.is(spot, at + 2, b'{') && self.word(spot, *at) == "mod";
            let starts = (0..self.tokens(spot).len()).filter(is_open);
            starts.map(|at| (at + 2, self.matching(spot, at + 2))).collect()
        });
        modules.iter().any(|&(open, close)| open < at && at < close)
    }

    /// The words in front of a name, if they are modules all and not the type that it belongs to.
    fn modules(&self, spot: Spot, at: usize) -> Option<Vec<&str>> {
        let mut words = Vec::new();
        let mut first = at;
        while first > 2 && self.is(spot, first - 1, b':') && self.is(spot, first - 2, b':') {
            first -= 3;
            let word = self.word(spot, first);
            let is_module = word.starts_with(|one: char| one.is_ascii_lowercase() || one == '_');
            if self.kind(spot, first) != Some(Kind::Word) || !is_module || words.len() == LONGEST {
                return None;
            }
            words.insert(0, word);
        }
        (!words.is_empty()).then_some(words)
    }
}

/// The key of a function in a module with this last word.
fn key(module: &str, name: &str) -> String {
    format!("{module}::{name}")
}

/// The last word of the module that a path names, for code in the file `home`.
pub(super) fn last<'a>(home: &'a str, words: &[&'a str]) -> &'a str {
    let last = match based(&module(home), words) {
        Some((base, [])) => module(home).get(..base).and_then(|base| base.last().copied()),
        _ => words.last().copied(),
    };
    last.unwrap_or("")
}

/// Whether a file is the module of this path, for code in the file `home`.
pub(super) fn is_module(home: &str, file: &str, words: &[&str]) -> bool {
    let (own, other) = (module(home), module(file));
    let Some((base, rest)) = based(&own, words) else { return other.ends_with(words) };
    let inner = own.get(..base).and_then(|base| other.strip_prefix(base));
    inner.is_some_and(|inner| inner == rest)
}

/// How many words of the module around a path goes on from, and with which; `None` where it starts at any module.
fn based<'w, 'a>(own: &[&str], words: &'w [&'a str]) -> Option<(usize, &'w [&'a str])> {
    let outer = words.iter().take_while(|word| **word == "super").count();
    let root = || own.iter().rposition(|word| *word == "src").map_or(0, |at| at + 1);
    match words.split_first()? {
        (&"crate", rest) => Some((root(), rest)),
        (&"self", rest) => Some((own.len(), rest)),
        _ if outer > 0 => Some((own.len().saturating_sub(outer), words.get(outer..)?)),
        _ => None,
    }
}

/// The words of a file's module, from the root of the tree on: in Go its folder is that.
pub(super) fn module(path: &str) -> Vec<&str> {
    let (stem, _) = path.rsplit_once('.').unwrap_or((path, ""));
    let mut words: Vec<&str> = stem.split('/').collect();
    if is_of_folder(path) {
        words.pop();
    }
    words
}

/// Whether the module of a file is its folder, as the language of the file has it.
pub fn is_of_folder(path: &str) -> bool {
    let (stem, ending) = path.rsplit_once('.').unwrap_or((path, ""));
    let name = stem.rsplit('/').next().unwrap_or(stem);
    match ending {
        "go" => true,
        "rs" => matches!(name, "mod" | "lib" | "main"),
        "py" | "pyi" => name == "__init__",
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => name == "index",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_module_is_told_by_its_path() {
        let is =
            |home: &str, file: &str, path: &str| is_module(home, file, &path.split("::").collect::<Vec<_>>());
        for (home, file, path) in [
            ("app/src/fleet/ships.rs", "app/src/names.rs", "crate::names"),
            ("app/src/fleet/ships.rs", "app/src/names/mod.rs", "crate::names"),
            ("app/src/fleet/ships.rs", "app/src/lib.rs", "crate"),
            ("app/src/fleet/ships.rs", "app/src/fleet/mod.rs", "super"),
            ("app/src/fleet/ships.rs", "app/src/fleet.rs", "super"),
            ("app/src/fleet/ships.rs", "app/src/fleet/ports.rs", "super::ports"),
            ("app/src/fleet/ships.rs", "app/src/main.rs", "super::super"),
            ("app/src/fleet.rs", "app/src/fleet/ports.rs", "self::ports"),
            ("app/src/lib.rs", "names/src/sql.rs", "sql"),
            ("app/src/lib.rs", "app/src/index.rs", "crate::index"),
            ("app/main.ts", "app/text/index.ts", "text"),
            ("app/ships.py", "app/main.py", "main"),
        ] {
            assert!(is(home, file, path), "{home} {file} {path}");
        }
        for (home, file, path) in [
            ("app/src/fleet/ships.rs", "other/src/names.rs", "crate::names"),
            ("app/src/fleet/ships.rs", "app/src/fleet/names.rs", "crate::names"),
            ("app/src/fleet/ships.rs", "app/src/ports.rs", "super::ports"),
            ("app/src/fleet/ships.rs", "app/src/fleet/ships.rs", "super"),
            ("app/src/lib.rs", "names/src/sql/ships.rs", "sql"),
            ("app/src/lib.rs", "app/src/index.rs", "crate"),
        ] {
            assert!(!is(home, file, path), "{home} {file} {path}");
        }
    }
}

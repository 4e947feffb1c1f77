//! Functions that a file imports: `from parts.text import where`, `import "ships/text"`, `use crate::text::filter`. Which module a
//! name comes from is read of its import; one that a file gives another name is not known. An `impl` of [`Folder`], apart for its
//! length.

use super::{Folder, Spot, members::unquoted, modules::is_of_folder};
use crate::extract::{code::Code, languages::ImportForm, lexer::Kind, sketch::FunctionSketch};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::hash::BuildHasher;

/// The longest path in front of a name, in words.
const LONGEST: usize = 8;

/// The most tokens of an import.
const LONGEST_IMPORT: usize = 512;

/// Where a function stands, and what the walk saw of it.
type Found<'f> = ((usize, u32), &'f FunctionSketch);

/// Imports, as ranges of tokens, by what a word in them hashes to.
pub(super) type Imports = HashMap<u64, Vec<(u32, u32)>>;

impl Folder<'_> {
    /// The only free function of that name that the file imports, or that stands in a module which it imports and the call names in
    /// front.
    pub(super) fn imported(&self, spot: Spot, at: usize, name: &str) -> Option<Found<'_>> {
        let language = self.language(spot)?;
        let is_alike = |&&(unit, _): &&(u32, u32)| {
            let unit = unit as usize;
            unit != spot.unit && self.units.get(unit).is_some_and(|one| one.language.name == language.name)
        };
        // Of most names there is no other function, and no import is looked at.
        self.functions_of(name).iter().find(is_alike)?;
        let front = self.path_in_front(spot, at)?;
        let first = front.first().copied().unwrap_or(name);
        if language.packages && (front.len() != 1 || self.declares(spot, first, at)) {
            return None;
        }
        if self.has_own(spot, first) {
            return None;
        }
        let imports = self.imports_of(spot)?;
        // What `use text::*` takes is not written there.
        let named = [first, "*"].map(|word| imports.get(&FxBuildHasher.hash_one(word)));
        let paths = named.into_iter().flatten().flatten().filter_map(|&(from, end)| {
            let scope = self.scope_of(spot, from as usize, at)?;
            let paths = self.paths_of(spot, (from, end), (&front, name));
            Some(paths.into_iter().map(move |words| (scope, self.in_module(spot, name, &words))))
        });
        // In Python, an import of what is not in the tree hides one further out as well.
        let found: Vec<_> =
            paths.flatten().filter(|(_, found)| language.indented || found.is_some()).collect();
        let nearest = found.iter().map(|(scope, _)| *scope).max()?;
        let mut found = found.into_iter().filter(|(scope, _)| *scope == nearest).filter_map(|(_, one)| one);
        let one = found.next()?;
        found.all(|other| other.0 == one.0).then_some(one)
    }

    /// Where the function begins that an import stands in, where a token is in it as well: 0 for an import of the file.
    fn scope_of(&self, spot: Spot, import: usize, at: usize) -> Option<usize> {
        let Some((_, function)) = self.function_around(spot.unit, import) else { return Some(0) };
        let (start, end) = (function.name as usize, function.end as usize);
        (start..end).contains(&at).then_some(start)
    }

    /// Whether a call by a name alone is of what the function around was given under that name, and so of no function of the tree.
    pub(super) fn calls_given(&self, spot: Spot, at: usize, name: &str) -> bool {
        let has_one_space = self.language(spot).is_some_and(|one| one.imports != ImportForm::Unread);
        has_one_space
            && self.path_in_front(spot, at).is_some_and(|front| front.is_empty())
            && self.taken(spot, name).is_some()
    }

    /// The words in front of a name, if nothing else is: `text` in `text.filter(…)`.
    pub(super) fn path_in_front(&self, spot: Spot, at: usize) -> Option<Vec<&str>> {
        let mut words = Vec::new();
        let mut first = at;
        while first > 0 && self.is(spot, first - 1, b'.') {
            first = first.checked_sub(2)?;
            if self.kind(spot, first) != Some(Kind::Word) || words.len() == LONGEST {
                return None;
            }
            words.insert(0, self.word(spot, first));
        }
        let is_of_other = first > 0 && b":>".iter().any(|&sign| self.is(spot, first - 1, sign));
        (!is_of_other).then_some(words)
    }

    /// The imports of a file, by the words in them.
    pub(super) fn imports_of(&self, spot: Spot) -> Option<&Imports> {
        Some(self.known.unit(spot.unit)?.imports.get_or_init(|| self.imports_by_word(spot)))
    }

    /// The imports of a file by what each word in them hashes to, and the last of a path in quotes.
    fn imports_by_word(&self, spot: Spot) -> Imports {
        let mut found = Imports::default();
        for (from, end) in self.imports(spot) {
            for at in from as usize..end as usize {
                let path = unquoted(self.word(spot, at));
                let word = path.rsplit('/').next().unwrap_or(path);
                let own: &mut Vec<_> = found.entry(FxBuildHasher.hash_one(word)).or_default();
                if own.last() != Some(&(from, end)) {
                    own.push((from, end));
                }
            }
        }
        found
    }

    /// The imports of a file, as ranges of tokens.
    pub(super) fn imports(&self, spot: Spot) -> Vec<(u32, u32)> {
        let (Some(code), Some(language)) = (self.code(spot), self.language(spot)) else { return Vec::new() };
        let words: &[&str] = match language.imports {
            ImportForm::Modules => &["from", "import"],
            ImportForm::Files => &["import", "export", "const"],
            ImportForm::Packages | ImportForm::Members => &["import"],
            ImportForm::Libraries => &["import", "export", "part"],
            ImportForm::Paths => &["use"],
            ImportForm::Whole | ImportForm::Unread => return Vec::new(),
        };
        let starts = |at: &usize| {
            let before = at.checked_sub(1);
            let ends = |before: usize| code.kind(before) == Some(Kind::Line) || code.is(before, b';');
            let is_first = code.is_on_new_line(*at)
                || before.is_some_and(|before| ends(before) || code.word(before) == "pub");
            is_first && words.contains(&code.word(*at))
        };
        let end = |from: usize| {
            let mut at = from + 1;
            while at < from + LONGEST_IMPORT && at < code.length() {
                let is_next = language.imports == ImportForm::Members && code.is_on_new_line(at);
                if is_next || code.is(at, b';') || code.kind(at) == Some(Kind::Line) {
                    return at;
                }
                // The path of a module is the last of an import that has one in quotes.
                if code.kind(at) == Some(Kind::Text) && language.imports != ImportForm::Libraries {
                    return at + 1;
                }
                let is_list = language.packages && code.is(at, b'(');
                let is_call = code.is(at, b'(') && code.word(at - 1) == "require";
                at = if code.opens(at) && !is_call { code.matching(at) } else { at } + 1;
                if is_list {
                    return at;
                }
            }
            at
        };
        let ranges = (0..code.length()).filter(starts).map(|from| (from, end(from)));
        let imports =
            ranges.filter(|&range| language.imports != ImportForm::Files || is_of_script(code, range));
        imports.map(|(from, end)| (from as u32, end as u32)).collect()
    }

    /// The modules from which an import takes a name, or which it names as the call does, as the words of their paths.
    pub(super) fn paths_of<'f>(
        &'f self,
        spot: Spot,
        (from, end): (u32, u32),
        (front, name): (&[&str], &str),
    ) -> Vec<Vec<&'f str>> {
        let (from, end) = (from as usize, end as usize);
        match self.language(spot).map_or(ImportForm::Unread, |language| language.imports) {
            ImportForm::Modules => self.of_python(spot, (from, end), (front, name)).into_iter().collect(),
            ImportForm::Packages => self.of_go(spot, (from, end), front),
            ImportForm::Files => self.of_script(spot, (from, end), (front, name)).into_iter().collect(),
            ImportForm::Paths if front.is_empty() => self.of_use(spot, (from + 1, end), name),
            _ => Vec::new(),
        }
    }

    /// `from parts.text import where`, `from .text import where`, `from parts import text`, `import parts.text`.
    fn of_python<'f>(
        &'f self,
        spot: Spot,
        (from, end): (usize, usize),
        (front, name): (&[&str], &str),
    ) -> Option<Vec<&'f str>> {
        let names = (from + 1..end).find(|&at| self.word(spot, at) == "import");
        let Some(names) = names else {
            let tokens: Vec<usize> = (from + 1..end).collect();
            let mut modules = tokens.split(|&at| self.is(spot, at, b','));
            return modules.find_map(|one| self.module_named(spot, one, front));
        };
        let first = (from + 1..names).find(|&at| !self.is(spot, at, b'.')).unwrap_or(names);
        let mut path = self.upwards(spot, first - from - 1);
        let written = (first..names).filter(|&at| self.kind(spot, at) == Some(Kind::Word));
        path.extend(written.map(|at| self.word(spot, at)));
        if self.is(spot, names + 1, b'*') {
            return front.is_empty().then_some(path);
        }
        let own = self.named_in((spot, names + 1, end), front, name)?;
        // What an import names in the place of a function is a module.
        if !front.is_empty() {
            path.push(own);
        }
        (front.len() < 2).then_some(path)
    }

    /// The module of `parts.text` or `parts.text as text`, where a call names it so.
    fn module_named<'f>(&'f self, spot: Spot, tokens: &[usize], front: &[&str]) -> Option<Vec<&'f str>> {
        let words = tokens.iter().filter(|&&at| self.kind(spot, at) == Some(Kind::Word));
        let words: Vec<&str> = words.map(|&at| self.word(spot, at)).collect();
        match words.as_slice() {
            [path @ .., "as", given] => (front == [*given]).then(|| path.to_vec()),
            path => (!front.is_empty() && front == path).then(|| path.to_vec()),
        }
    }

    /// The folders of `import "ships/text"`, the longest first.
    fn of_go<'f>(&'f self, spot: Spot, (from, end): (usize, usize), front: &[&str]) -> Vec<Vec<&'f str>> {
        let Some(package) = front.first() else { return Vec::new() };
        let texts = (from..end).filter(|&at| self.kind(spot, at) == Some(Kind::Text));
        let is_named = |at: usize, path: &str| {
            let before = at.checked_sub(1).filter(|&before| before > from);
            let given = before.filter(|&before| self.kind(spot, before) == Some(Kind::Word));
            let given = given.map(|before| self.word(spot, before));
            given.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path)) == *package
        };
        let path = texts.map(|at| (at, unquoted(self.word(spot, at)))).find(|&(at, path)| is_named(at, path));
        let words: Vec<&str> = path.map_or_else(Vec::new, |(_, path)| path.split('/').collect());
        (0..words.len()).filter_map(|at| words.get(at..)).map(<[&str]>::to_vec).collect()
    }

    /// `import { where } from "./text"`, `import * as text from "./text"`.
    fn of_script<'f>(
        &'f self,
        spot: Spot,
        (from, end): (usize, usize),
        (front, name): (&[&str], &str),
    ) -> Option<Vec<&'f str>> {
        let text = end.checked_sub(1).filter(|&at| self.kind(spot, at) == Some(Kind::Text))?;
        let is_all = self.word(spot, from) == "export" && self.is(spot, from + 1, b'*') && from + 3 == text;
        if !(is_all && front.is_empty()) {
            self.named_in((spot, from + 1, text), front, name).filter(|_| front.len() < 2)?;
        }
        let path = unquoted(self.word(spot, text));
        let outer = path.split('/').take_while(|part| matches!(*part, "." | "..")).count();
        // `./text` is beside the file, and so is `../text` beside its folder.
        let up = path.split('/').filter(|part| *part == "..").count();
        let mut words = self.upwards(spot, if outer > 0 { up + 1 } else { 0 });
        let parts = path.split('/').skip(outer).filter(|part| !matches!(*part, "@" | "~" | ""));
        words.extend(parts.map(|part| part.split_once('.').map_or(part, |(stem, _)| stem)));
        Some(words)
    }

    /// The modules from which `use crate::{text::{filter, order}, names::*}` takes a name.
    fn of_use<'f>(&'f self, spot: Spot, (from, end): (usize, usize), name: &str) -> Vec<Vec<&'f str>> {
        let (mut found, mut path, mut outer) = (Vec::new(), Vec::new(), Vec::new());
        for at in from..end {
            let word = self.word(spot, at);
            let is_last = !self.is(spot, at + 1, b':');
            match word {
                "{" => outer.push(path.len()),
                "}" => drop(outer.pop()),
                "," => path.truncate(outer.last().copied().unwrap_or(0)),
                "*" => found.push(path.clone()),
                _ if self.kind(spot, at) != Some(Kind::Word) => {}
                _ if is_last && word == name => found.push(path.clone()),
                _ if !is_last => path.push(word),
                _ => {}
            }
        }
        // The path of the file is not all of the module that is written within it.
        let is_within = self.is_in_module(spot, from);
        found.retain(|path| match path.first() {
            Some(&("self" | "super")) => !is_within,
            first => first.is_some(),
        });
        found
    }

    /// The name that an import takes as it is written there: that of a module where there is a path in front of the call.
    fn named_in(&self, (spot, from, end): (Spot, usize, usize), front: &[&str], name: &str) -> Option<&str> {
        let wanted = front.first().copied().unwrap_or(name);
        let at = self.places_of(spot, from..end, wanted).find(|&at| self.word(spot, at + 1) != "as")?;
        let is_given = at > from && self.word(spot, at - 1) == "as";
        // A function is looked for by its own name.
        if is_given && front.is_empty() {
            return None;
        }
        let own = if is_given { at.checked_sub(2)? } else { at };
        Some(self.word(spot, own))
    }

    /// The words that lead from a file's module so many packages up; the first is the one that the file stands in.
    fn upwards(&self, spot: Spot, packages: usize) -> Vec<&'static str> {
        let is_package = is_of_folder(self.sources.path(self.source(spot)));
        match packages.checked_sub(usize::from(is_package)) {
            Some(0) if is_package => vec!["self"],
            Some(up) => vec!["super"; up],
            None => Vec::new(),
        }
    }
}

/// Whether a range of tokens takes names from a module: `import … from "ships"`, `export … from "ships"`,
/// `const … = require("ships")`.
fn is_of_script(code: Code<'_>, (from, end): (usize, usize)) -> bool {
    let Some(text) = end.checked_sub(1).filter(|&text| code.kind(text) == Some(Kind::Text)) else {
        return false;
    };
    match code.word(from) {
        "import" => true,
        "export" => code.word(text - 1) == "from",
        _ => code.is(text - 1, b'(') && code.word(text - 2) == "require" && code.is(text - 3, b'='),
    }
}

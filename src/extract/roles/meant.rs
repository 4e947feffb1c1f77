//! Which of several functions of one name a function calls, by what stands in front of the name, where a language tells
//! functions from methods by that. Where in doubt, it may call each.

use super::{Graph, token_text};
use crate::{
    extract::{
        fold::Unit,
        sketch::{CallSketch, FunctionSketch, NOWHERE},
    },
    source::{Source, Sources, folder_of},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::OnceCell;

/// A name alone, that the file itself has, or in Go its folder: `purge(db)`.
const OWN: u8 = 1;
/// A name alone that comes from elsewhere, or behind a module: `purge(db)`, `tools::purge(db)`.
const FREE: u8 = 2;
/// A name behind a value or a type: `self.purge()`, `Store::purge()`.
const METHOD: u8 = 4;
/// A name that may be either: `tools.purge()`.
const ANY: u8 = FREE | METHOD;

/// Types of Rust whose names begin as those of modules do.
const PRIMITIVES: [&str; 17] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "bool", "char", "str",
];

/// Where a function can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Behind a value or a type.
    Behind,
    /// By its name alone, in its file or folder, and from elsewhere.
    Alone,
    /// By its name alone, in the function around it.
    Within,
    /// Nothing is known of it.
    Anyhow,
}

/// Who means which functions, of those that share their name with others.
pub(super) struct Meant<'a> {
    /// How a caller names a name, as far as that is known.
    ways: HashMap<(u32, u32), u8>,
    /// Of each function where it is seen, and the folder or the file that it stands in.
    seen: Vec<(Seen, &'a str)>,
    /// The names that methods have.
    methods: HashSet<u32>,
}

impl<'a> Meant<'a> {
    /// What is known of the functions that share names.
    pub fn new(sources: &'a Sources, units: &[Unit], graph: &Graph) -> Self {
        let shared = |name: u32| graph.counts.get(name as usize).is_some_and(|&count| count > 1);
        let per_unit = units.par_iter().enumerate().map(|(at, unit)| {
            let path = sources.path(unit.source);
            let home = if unit.language.packages { folder_of(path) } else { path };
            let (offset, functions) = match graph.offsets.get(at..at + 2) {
                Some(&[start, end]) => (start as u32, end - start),
                _ => (0, 0),
            };
            if unit.is_outlined() || !unit.language.closed {
                return (vec![(Seen::Anyhow, home); functions], Vec::new());
            }
            let file = File::of(unit, sources.get(unit.source).map_or("", Source::text));
            let seen = (0..functions as u32).map(|one| (file.seen(one), home));
            let calls = unit.sketch.calls.iter().zip(graph.called(at));
            let calls = calls.filter(|&(call, &name)| call.function != NOWHERE && shared(name));
            let ways = calls.map(|(call, &name)| ((offset + call.function, name), file.way(call)));
            (seen.collect(), ways.collect::<Vec<_>>())
        });
        let (ways, methods) = (HashMap::default(), HashSet::default());
        let mut found = Self { ways, seen: Vec::with_capacity(graph.nodes.len()), methods };
        for (seen, ways) in per_unit.collect::<Vec<_>>() {
            found.seen.extend(seen);
            for (key, way) in ways {
                *found.ways.entry(key).or_default() |= way;
            }
        }
        let behind = found.seen.iter().zip(&graph.nodes).filter(|((seen, _), _)| *seen == Seen::Behind);
        found.methods = behind.map(|(_, node)| node.name).collect();
        found
    }

    /// Whether a function that names the name of another may mean that one.
    pub fn may_mean(&self, from: u32, name: u32, callee: u32) -> bool {
        let Some(&ways) = self.ways.get(&(from, name)) else { return true };
        // What no method is called is a function of something that holds it.
        if ways & METHOD != 0 && !self.methods.contains(&name) {
            return true;
        }
        let home = self.seen.get(from as usize).map(|(_, home)| *home);
        let Some(&(seen, own)) = self.seen.get(callee as usize) else { return true };
        let is_own = ways & OWN != 0 && home == Some(own);
        match seen {
            Seen::Behind => ways & METHOD != 0,
            Seen::Alone => ways & FREE != 0 || is_own,
            Seen::Within => is_own,
            Seen::Anyhow => true,
        }
    }

    /// Whether one of two functions of one name is a method, and the other none.
    pub fn differ(&self, one: u32, other: u32) -> bool {
        let is_method = |one: u32| match self.seen.get(one as usize)?.0 {
            Seen::Behind => Some(true),
            Seen::Alone | Seen::Within => Some(false),
            Seen::Anyhow => None,
        };
        is_method(one).zip(is_method(other)).is_some_and(|(one, other)| one != other)
    }
}

/// A file whose language tells functions from methods by how they are called.
struct File<'u, 'a> {
    unit: &'u Unit,
    text: &'a str,
    /// For each function the one around it, if any.
    around: Vec<Option<u32>>,
    /// The functions that are called by their names alone.
    alone: HashMap<&'a str, Vec<u32>>,
    /// The words of its imports, where these may name what stands in front of a method.
    imported: OnceCell<HashSet<&'a str>>,
    /// Whether it has modules of its own, or takes all names of another package for its own.
    is_parted: OnceCell<bool>,
}

impl<'u, 'a> File<'u, 'a> {
    fn of(unit: &'u Unit, text: &'a str) -> Self {
        let (around, alone) = (Vec::new(), HashMap::default());
        let (imported, is_parted) = (OnceCell::new(), OnceCell::new());
        let mut file = Self { unit, text, around, alone, imported, is_parted };
        // They stand in the order of the text, each behind what it stands in.
        let mut open: Vec<u32> = Vec::new();
        for (one, function) in (0..).zip(&unit.sketch.functions) {
            let ends = |&outer: &u32| file.function(outer).is_none_or(|outer| outer.end <= function.name);
            while open.pop_if(|outer| ends(outer)).is_some() {}
            file.around.push(open.last().copied());
            open.push(one);
            if !file.is_behind(one) {
                file.alone.entry(token_text(unit, text, function.name)).or_default().push(one);
            }
        }
        file
    }

    fn function(&self, one: u32) -> Option<&'u FunctionSketch> {
        self.unit.sketch.functions.get(one as usize)
    }

    fn around(&self, one: u32) -> Option<u32> {
        self.around.get(one as usize).copied().flatten()
    }

    /// Whether a function is a method. What stands in one, and is none of another type, is none.
    fn is_behind(&self, one: u32) -> bool {
        let owner = |one: u32| self.function(one).map_or(NOWHERE, |function| function.owner);
        owner(one) != NOWHERE && self.around(one).is_none_or(|outer| owner(outer) != owner(one))
    }

    fn seen(&self, one: u32) -> Seen {
        match self.around(one) {
            _ if self.is_behind(one) => Seen::Behind,
            Some(_) => Seen::Within,
            None => Seen::Alone,
        }
    }

    /// How a call names its callee.
    fn way(&self, call: &CallSketch) -> u8 {
        let word = |at: u32| token_text(self.unit, self.text, at);
        let name = word(call.name);
        let before = |back: u32| call.name.checked_sub(back).map_or("", word);
        match before(1) {
            "." if self.unit.language.packages && name.starts_with(char::is_uppercase) => ANY,
            "." if self.imports(self.root(call.name)) => ANY,
            "." => METHOD,
            ":" if before(2) == ":" => match before(3) {
                ">" => METHOD,
                first if first.starts_with(char::is_uppercase) => METHOD,
                // `u32::purge(…)` of a trait.
                first if PRIMITIVES.contains(&first) => ANY,
                _ => FREE,
            },
            // What a folder has, all its files see, and no other does.
            _ if !self.unit.language.packages && !self.sees(name, call.name) => FREE,
            // Which module of several in the file is meant is not asked.
            _ if self.is_parted() => OWN | FREE,
            _ => OWN,
        }
    }

    fn imports(&self, word: &str) -> bool {
        self.unit.language.indented && self.imported.get_or_init(|| imported(self.text)).contains(word)
    }

    fn is_parted(&self) -> bool {
        *self.is_parted.get_or_init(|| is_parted(self.unit, self.text))
    }

    /// Whether the file has a function of a name that is seen at a place.
    fn sees(&self, name: &str, at: u32) -> bool {
        let holds =
            |outer: u32| self.function(outer).is_some_and(|outer| (outer.name..outer.end).contains(&at));
        let mut own = self.alone.get(name).into_iter().flatten();
        own.any(|&one| self.around(one).is_none_or(holds))
    }

    /// The first word of the names that are joined by points in front of a name; none where it is no name.
    fn root(&self, name: u32) -> &'a str {
        let word = |at: u32| token_text(self.unit, self.text, at);
        let is_name = |word: &str| word.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let mut at = name;
        while at > 1 && word(at - 1) == "." {
            at -= 2;
            if !is_name(word(at)) {
                return "";
            }
        }
        word(at)
    }
}

/// Whether a file has modules of its own, `mod tools {`, or takes all names of another package for its own, `import . "tools"`.
fn is_parted(unit: &Unit, text: &str) -> bool {
    if unit.language.packages {
        let head = text.split("\nfunc ").next().unwrap_or(text);
        return head.match_indices(". \"").any(|(at, _)| {
            let before = head.get(..at).unwrap_or("");
            before.ends_with(|sign: char| sign.is_whitespace() || sign == ';' || sign == '(')
        });
    }
    let is_module = |at: u32| token_text(unit, text, at) == "mod" && token_text(unit, text, at + 2) == "{";
    !unit.language.indented && (0..unit.tokens.len() as u32).any(is_module)
}

/// The words of the imports of a file of Python.
fn imported(text: &str) -> HashSet<&str> {
    let mut words = HashSet::default();
    let is_no_part = |sign: char| !(sign.is_alphanumeric() || sign == '_');
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if !(start.starts_with("import ") || start.starts_with("from ") || start.contains(": import ")) {
            continue;
        }
        let mut line = start;
        loop {
            words.extend(line.split(is_no_part).filter(|word| !word.is_empty()));
            let goes_on = line.trim_end().ends_with('\\') || (start.contains('(') && !line.contains(')'));
            let Some(next) = goes_on.then(|| lines.next()).flatten() else { break };
            line = next;
        }
    }
    words
}

//! Decorators of Python that call nothing from afar: those of the standard library that make a method of a function, and those of
//! the tree that put another function around it.

use super::token_text;
use crate::{
    extract::{fold::Unit, sketch::FunctionSketch},
    source::{Source, SourceId, Sources},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

/// Those of the standard library.
const OWN: [&str; 9] = [
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "override",
    "final",
    "cache",
    "lru_cache",
    "contextmanager",
    "asynccontextmanager",
];

/// What takes a function for its name and its comment alone.
const WRAPS: &str = "wraps";

/// The decorators of the tree that call nothing from afar, by their names: the files that have them, and what those are called.
pub(super) struct Decorators<'a>(HashMap<&'a str, Vec<(SourceId, &'a str)>>);

impl<'a> Decorators<'a> {
    /// Those of the tree.
    pub fn of(sources: &'a Sources, units: &[Unit]) -> Self {
        let is_one = |unit: &&Unit| is_python(unit) && unit.outline.is_none();
        let wrapping = units.par_iter().filter(is_one).flat_map_iter(|unit| {
            let text = sources.get(unit.source).map_or("", Source::text);
            let functions = unit.sketch.functions.as_slice();
            // They stand in the order of the text: one that another stands in is followed by it.
            let holds = |pair: &[FunctionSketch]| matches!(pair, [one, next] if next.name < one.end);
            let outer = functions.windows(2).filter(move |pair| holds(pair));
            let outer = outer.filter_map(|pair| Some((pair.first()?, pair.last()?)));
            let outer = outer.filter(move |(one, inner)| wraps(unit, text, one, inner));
            let file = sources.path(unit.source).rsplit('/').next().unwrap_or("");
            let module = file.strip_suffix(".py").unwrap_or(file);
            outer.map(move |(one, _)| (token_text(unit, text, one.name), (unit.source, module)))
        });
        let mut found: HashMap<&str, Vec<(SourceId, &str)>> = HashMap::default();
        for (name, home) in wrapping.collect::<Vec<_>>() {
            found.entry(name).or_default().push(home);
        }
        Self(found)
    }

    /// Whether a decorator is one of these: of the file itself, or of a module that it imports names from.
    fn has(&self, unit: &Unit, text: &str, name: &str) -> bool {
        let is_of = |(home, module): &(SourceId, &str)| {
            let imports = |line: &str| {
                let mut words = line.split_ascii_whitespace();
                words.next() == Some("from")
                    && words.next().and_then(|path| path.rsplit('.').next()) == Some(*module)
            };
            *home == unit.source || text.lines().any(imports)
        };
        OWN.contains(&name) || self.0.get(name).is_some_and(|homes| homes.iter().any(is_of))
    }

    /// Whether nothing else stands in front of a function.
    pub fn are_all(&self, unit: &Unit, text: &str, function: &FunctionSketch) -> bool {
        if !is_python(unit) {
            return false;
        }
        let tokens = Before { unit, text };
        let mut at = tokens.skip(function.name.saturating_sub(1));
        if tokens.word(at) == "async" {
            at = tokens.skip(at);
        }
        // `@property`, and the next one above it.
        let (mut at, mut count) = (tokens.skip(at + 1), 0);
        while tokens.word(at.saturating_sub(1)) == "@" && self.has(unit, text, tokens.word(at)) {
            at = tokens.skip(at - 1);
            count += 1;
        }
        count > 0 && !tokens.ends_decorator(at)
    }
}

/// Whether a file is of Python, where a decorator is a function that is given another.
fn is_python(unit: &Unit) -> bool {
    unit.language.indented && unit.language.closed
}

/// The tokens of a file, read backwards.
struct Before<'u, 't> {
    unit: &'u Unit,
    text: &'t str,
}

impl<'t> Before<'_, 't> {
    fn word(&self, at: u32) -> &'t str {
        token_text(self.unit, self.text, at)
    }

    /// The token in front of another, breaks of lines aside.
    fn skip(&self, at: u32) -> u32 {
        let mut at = at.saturating_sub(1);
        while at > 0 && self.word(at).trim().is_empty() {
            at -= 1;
        }
        at
    }

    /// Whether a decorator ends with a token: `@route("/ships")`, `@app.task`.
    fn ends_decorator(&self, mut at: u32) -> bool {
        const LONGEST: usize = 64;
        if self.word(at) == ")" {
            let mut depth = 0;
            for _ in 0..LONGEST {
                depth += u32::from(self.word(at) == ")");
                depth -= u32::from(self.word(at) == "(" && depth > 0);
                at = at.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
        }
        while at > 1 && self.word(at - 1) == "." {
            at -= 2;
        }
        at > 0 && self.word(at - 1) == "@"
    }
}

/// Whether a function puts one that stands in it in the place of the one that it is given, and keeps neither: it calls what it is given,
/// and asks for its name, and gives the other back.
fn wraps(unit: &Unit, text: &str, function: &FunctionSketch, inner: &FunctionSketch) -> bool {
    let word = |at: u32| token_text(unit, text, at);
    let (given, own) = (word(function.name + 2), word(inner.name));
    // Before the inner one begins, only its name is asked for, and nothing else decorates that.
    let is_called = |at: u32| {
        let is_named = word(at.saturating_sub(1)) == "(" && word(at.saturating_sub(2)) == WRAPS;
        is_named || at > inner.name && at < inner.end && matches!(word(at + 1), "(" | ".")
    };
    let mut marks = (function.name..inner.name).filter(|&at| word(at) == "@");
    let is_wraps = |at: u32| word(at + 1) == WRAPS || word(at + 3) == WRAPS;
    let is_given_back = |at: u32| matches!(word(at.saturating_sub(1)), "def" | "return");
    let uses = |name| (function.name + 3..function.end).filter(move |&at| word(at) == name);
    let is_plain = word(function.name + 1) == "(" && !given.is_empty() && marks.all(is_wraps);
    is_plain && uses(given).all(is_called) && uses(own).all(is_given_back)
}

//! Evaluates expressions of a host language as far as they make text: literals, concatenation, format strings,
//! named values, branches. What it can't evaluate becomes a hole. Knows tokens; knows no SQL.

mod applied;
mod between;
mod branches;
mod builders;
mod choices;
mod conditions;
mod constructed;
mod continued;
mod deeds;
mod discriminants;
mod elements;
mod elsewhere;
pub(super) mod embedded;
mod engines;
mod escapes;
mod expanded;
mod fields;
mod functions;
mod handed;
mod heirs;
mod imported;
mod known;
mod labels;
mod lent;
mod levels;
mod lists;
mod literals;
mod made;
mod mapped;
mod marks;
mod members;
mod modules;
pub(super) mod names;
mod numbers;
mod objects;
mod options;
mod packages;
mod paired;
mod parts;
mod quoting;
mod replaced;
mod scoped;
mod seen;
mod shown;
mod spot;
mod told;
mod tokens;
mod turns;
mod unit;
mod uses;
mod values;
mod wanted;

use super::{
    constants::Marker,
    lexer::{Kind, Table},
    sketch::NOWHERE,
    text::Text,
};
use crate::source::Sources;
pub use choices::is_nothing;
pub use discriminants::{Variant, variants};
pub use known::Known;
pub use modules::is_of_folder;
use parts::Part;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
pub use spot::Spot;
use std::sync::{Arc, Mutex, OnceLock};
pub use unit::Unit;
use values::Joined;
pub use values::{distinct, is_list, is_only_hole, leave_twins_out, partners, product, writes_anywhere};

/// The most variants that one expression is followed into.
pub const MAX_VARIANTS: usize = 16;
/// The most names and branches that are followed in one another.
const MAX_DEPTH: u8 = 13;

/// Evaluates expressions of all files of a tree.
pub struct Folder<'a> {
    /// The texts of the files.
    pub sources: &'a Sources,
    /// The files.
    pub units: &'a [Unit],
    /// The tables of all languages.
    tables: &'a [Table],
    names: HashMap<&'a str, Vec<(u32, u32)>>,
    // Found once somebody asks; the types are those that files are named like.
    functions: OnceLock<HashMap<String, Vec<(u32, u32)>>>,
    calls: OnceLock<elsewhere::Calls>,
    types: OnceLock<HashMap<String, Vec<u32>>>,
    modules: OnceLock<shown::Modules>,
    markers: OnceLock<Vec<Marker>>,
    assigned: OnceLock<packages::Assigned>,
    numbers: OnceLock<numbers::Numbers>,
    fields: OnceLock<HashMap<String, continued::Fields>>,
    embedded: OnceLock<embedded::Embedded>,
    filters: Mutex<wanted::Known>,
    holders: Mutex<HashMap<Box<str>, Arc<scoped::Holders>>>,
    /// The types that others are made of.
    bases: OnceLock<HashSet<String>>,
    classes: OnceLock<heirs::Classes>,
    /// What was read of them.
    known: Known,
}

/// The variants of a value, and the token behind its expression.
pub type Folded = (Vec<Text>, usize);

impl<'a> Folder<'a> {
    /// Takes note of all names at the level of a file. `known` is what another one found out of the same files.
    pub fn new(sources: &'a Sources, units: &'a [Unit], tables: &'a [Table], mut known: Known) -> Self {
        let mut names: HashMap<&str, Vec<(u32, u32)>> = HashMap::default();
        for (unit_index, unit) in units.iter().enumerate() {
            let text = unit.text(sources);
            for (index, binding) in unit.sketch.bindings.iter().enumerate() {
                if binding.function == NOWHERE
                    && let Some(token) = unit.tokens.get(binding.name as usize)
                {
                    let name = text.get(token.start as usize..token.end as usize).unwrap_or("");
                    names.entry(name).or_default().push((unit_index as u32, index as u32));
                }
            }
        }
        known.cover(units.len());
        let (functions, types, markers, assigned, numbers) = Default::default();
        let (fields, embedded, calls, bases, classes, modules) = Default::default();
        Self {
            sources,
            units,
            tables,
            names,
            functions,
            calls,
            types,
            modules,
            markers,
            assigned,
            numbers,
            fields,
            embedded,
            filters: Mutex::default(),
            holders: Mutex::default(),
            bases,
            classes,
            known,
        }
    }

    /// What it found out of the files.
    pub fn into_known(self) -> Known {
        self.known
    }

    /// A value that is not known.
    pub fn hole(&self, spot: Spot, at: usize, name: &str, list: bool) -> Text {
        let offset = self.tokens(spot).get(at).map_or(0, |token| token.start);
        let mut text = Text::default();
        text.push_hole(name, list, self.source(spot), offset);
        text
    }

    /// What a call makes that is not known.
    fn of_call(&self, spot: Spot, at: usize, name: &str, list: bool) -> Vec<Text> {
        vec![self.made_by(spot, name, self.hole(spot, at, name, list))]
    }

    /// A hole that a call fills, noted as such where that may say which rows are meant: not where it only turns a value into text, or
    /// its name speaks of the order or the number of rows.
    pub(in crate::extract) fn made_by(&self, spot: Spot, call: &str, mut hole: Text) -> Text {
        const TEXTS: [&str; 5] = ["str", "strval", "valueOf", "unicode", "to_s"];
        const OTHERS: [&str; 5] = ["order", "sort", "limit", "page", "offset"];
        let path = call.split('(').next().unwrap_or(call);
        let callee = path.rsplit(['.', ':', '>']).next().unwrap_or(path);
        let is_text = TEXTS.contains(&callee)
            || self.language(spot).is_some_and(|language| language.identities.contains(&callee));
        let lower = callee.to_ascii_lowercase();
        if !is_text && !OTHERS.iter().any(|one| lower.contains(one)) {
            hole.mark_made();
        }
        hole
    }

    /// Evaluates the expression that starts at a token, as far as `+` and adjacent literals carry it.
    pub fn chain(&self, spot: Spot, at: usize) -> Folded {
        if let Some(choice) = self.ternary(spot, at) {
            return choice;
        }
        let (value, next) = self.term(spot, at);
        self.chain_behind((spot, at), value, next)
    }

    /// A value whose expression starts at a token, with what stands behind it, from another on.
    fn chain_behind(&self, (spot, at): (Spot, usize), mut value: Vec<Text>, mut next: usize) -> Folded {
        let Some(language) = self.language(spot) else { return (value, next) };
        let first = next;
        let mut joined = Joined::of(self.lone(spot, (at, next)), &value);
        loop {
            if self.is(spot, next, language.joins) && !self.is(spot, next + 1, b'=') {
                let (right, behind) = self.term(spot, next + 1);
                value = joined.product(value, (self.lone(spot, (next + 1, behind)), &right));
                next = behind.max(next + 1);
            } else if self.is(spot, next, b'<') && self.is(spot, next + 1, b'<') && self.is_streamed(spot, at)
            {
                let (right, behind) = self.term(spot, next + 2);
                value = product(value, &right);
                next = behind.max(next + 2);
            } else if language.percent_operator && self.is(spot, next, b'%') {
                (value, next) = self.percent_operator(spot, &value, next);
            } else if language.suffix_if && spot.depth <= MAX_DEPTH && self.word(spot, next) == "if" {
                let Some(choice) = self.chosen_behind(spot, &value, next) else { break };
                (value, next) = choice;
            } else if spot.caller != NOWHERE
                && let Some(other) = self.or_else((spot, at), next)
            {
                (value, next) = other;
            } else {
                break;
            }
        }
        (if next > first { self.without_sums(spot, first, value) } else { value }, next)
    }

    fn term(&self, spot: Spot, at: usize) -> Folded {
        if spot.depth > MAX_DEPTH {
            return self.unknown(spot, at);
        }
        let spot = spot.deeper();
        let (value, next) = match self.kind(spot, at) {
            Some(Kind::Sign) if spot.part != Part::Whole && self.opens(spot, at) => self.part(spot, at),
            Some(Kind::Text) if spot.part != Part::Whole => self.unknown(spot, at),
            Some(Kind::Text) => self.literals(spot, at),
            Some(Kind::Atom) if let Some(value) = self.character(spot, at) => (vec![value], at + 1),
            Some(Kind::Sign) if [b'&', b'*', b'$'].iter().any(|&sign| self.is(spot, at, sign)) => {
                return self.term(spot, at + 1);
            }
            Some(Kind::Sign) if self.is(spot, at, b'(') => {
                let (value, next) = self.chain(spot, at + 1);
                let close = self.matching(spot, at);
                // More than one expression in the parentheses is a tuple, which is no text.
                if next < close { self.unknown(spot, at) } else { (value, close + 1) }
            }
            Some(Kind::Word) if self.has_layout(spot) => self.applied(spot, at),
            Some(Kind::Sign) if self.is(spot, at, b'|') && self.has_layout(spot) => self.guarded(spot, at),
            Some(Kind::Word) => self.word_term(spot, at),
            // `["…", "…"].join(" ")`
            Some(Kind::Sign)
                if self.is(spot, at, b'[') && self.is(spot, self.matching(spot, at) + 1, b'.') =>
            {
                (vec![self.hole(spot, at, "", true)], self.matching(spot, at) + 1)
            }
            _ => self.unknown(spot, at),
        };
        self.postfix(spot, at, value, next)
    }

    fn word_term(&self, spot: Spot, at: usize) -> Folded {
        let word = self.word(spot, at);
        let blocks = self.language(spot).is_some_and(|language| language.block_values);
        let is_value = || self.language(spot).is_some_and(|one| one.equals_bodies && one.parenthesised);
        match word {
            "if" if blocks => return self.if_expression(spot, at),
            "if" if is_value() && self.is(spot, at + 1, b'(') => return self.if_value(spot.deeper(), at),
            "match" if blocks => return self.match_expression(spot, at),
            "new" if self.kind(spot, at + 1) != Some(Kind::Word) => {}
            "await" | "mut" | "not" | "new" => return self.term(spot, at + 1),
            _ => {}
        }
        let name = self.path_end(spot, at);
        let word = self.word(spot, name);
        let Some(language) = self.language(spot) else { return self.unknown(spot, at) };
        if spot.part != Part::Whole {
            return self.part_of_word(spot, at, name);
        }
        let bang = usize::from(self.is(spot, name + 1, b'!'));
        let open = name + 1 + bang;
        if self.makes_builder(spot, word, open) {
            return (vec![Text::default()], open + 2);
        }
        // `std::string{"…"}`
        let is_made = language.streams && self.is(spot, open, b'{') && language.identities.contains(&word);
        if !self.opens(spot, open) || (bang == 0 && !self.is(spot, open, b'(') && !is_made) {
            return self.with_adjacent(spot, name);
        }
        if let Some(format) =
            language.formats.iter().find(|format| format.name == word && format.bang == (bang == 1))
        {
            return self.format_call(spot, open, format.style);
        }
        if bang == 1 && language.quotes_sql.contains(&word) && self.kind(spot, open + 1) != Some(Kind::Text) {
            return self.quoted(spot, open);
        }
        if bang == 1 && language.concatenates.contains(&word) {
            return self.concatenation(spot, open);
        }
        let close = self.matching(spot, open);
        if bang == 0 && language.identities.contains(&word) {
            let value = if close == open + 1 { vec![Text::default()] } else { self.chain(spot, open + 1).0 };
            return (value, close + 1);
        }
        if let Some(texts) = self.of_option(spot, name, &[]) {
            return (texts, close + 1);
        }
        if let Some(joining) = self.joining(spot, word)
            && let receiver = name.checked_sub(1).filter(|&dot| dot > at).map(|dot| (at, dot))
            && let Some(text) = self.joined(spot, joining, (receiver, &[]), open)
        {
            return (text, close + 1);
        }
        let made = self.repeated(spot, word, open).or_else(|| self.replacing_call(spot, word, open));
        if let Some(texts) = made.or_else(|| self.of_engine(spot, open)) {
            return (texts, close + 1);
        }
        let returned = if bang == 0 { self.returned(spot, name) } else { self.expanded(spot, name, open) };
        let is_told = bang == 0 && !is_list(word);
        let called = || if is_told { self.told_first(spot, name, close + 1) } else { word.into() };
        (returned.unwrap_or_else(|| self.of_call(spot, at, &called(), is_list(word))), close + 1)
    }

    fn postfix(&self, spot: Spot, at: usize, mut value: Vec<Text>, mut next: usize) -> Folded {
        let Some(language) = self.language(spot) else { return (value, next) };
        loop {
            // The second sign of an arrow is read as a dot.
            let is_other = self.is(spot, next + 1, b'?') || self.is(spot, next + 1, b':');
            if (self.is(spot, next, b'?') && !is_other) || self.is_arrow(spot, next) {
                next += 1;
            } else if self.is_dot(spot, next) && self.kind(spot, next + 1) == Some(Kind::Word) {
                let method = self.word(spot, next + 1);
                let called = self.is(spot, next + 2, b'(');
                let formats =
                    language.formats.iter().find(|format| !format.bang && format.name == method && called);
                let end = if called { self.matching(spot, next + 2) + 1 } else { next + 2 };
                if called && let Some(texts) = self.of_option(spot, next + 1, &value) {
                    value = texts;
                } else if called && let Some((text, _)) = self.joining_method(spot, at, &value, next) {
                    value = text;
                } else if called && let Some((text, _)) = self.replacing_method(spot, &value, next) {
                    value = text;
                } else if method == "join" {
                    value = vec![self.hole(spot, at, method, true)];
                } else if matches!(method, "trimMargin" | "stripMargin") {
                    value = value.iter().map(Text::without_margin).collect();
                } else if let Some(format) = formats {
                    let (arguments, _) = self.arguments(spot, next + 2);
                    value = self.fill_all(spot, &value, &arguments, format.style);
                } else if !language.identities.contains(&method) && self.kind(spot, at) != Some(Kind::Text) {
                    let returned = called.then(|| self.returned(spot, next + 1)).flatten();
                    let is_told = called && !is_list(method);
                    let name = || if is_told { self.told_first(spot, next + 1, end) } else { method.into() };
                    value = returned.unwrap_or_else(|| self.of_call(spot, at, &name(), is_list(method)));
                }
                next = end;
            } else if self.is(spot, next, b'[') && self.kind(spot, at) == Some(Kind::Word) {
                let end = self.matching(spot, next) + 1;
                // A part of what is put together is that.
                let word = self.word(spot, at);
                let name = if self.is_held(spot, word) { word } else { self.spelled(spot, at, end) };
                let hole = || vec![self.hole(spot, at, name, false)];
                value = self.element(spot, next).unwrap_or_else(hole);
                next = end;
            } else {
                return (value, next);
            }
        }
    }

    /// What can't be evaluated: a hole, and the token behind it.
    fn unknown(&self, spot: Spot, at: usize) -> Folded {
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        let mut name = "";
        let mut next = at;
        while let Some(kind) = self.kind(spot, next) {
            match kind {
                Kind::Sign if self.opens(spot, next) => next = self.matching(spot, next),
                Kind::Sign if self.code(spot).is_some_and(|code| code.closes(next)) => break,
                Kind::Sign if [b'+', b',', b';', joins].iter().any(|&byte| self.is(spot, next, byte)) => {
                    break;
                }
                Kind::Line => break,
                Kind::Sign if self.is_shift(spot, next) => break,
                Kind::Word => name = self.word(spot, next),
                _ => {}
            }
            next += 1;
        }
        (vec![self.hole(spot, at, name, is_list(name))], next)
    }
}

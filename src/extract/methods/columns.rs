//! The columns for which a map or a `ContentValues` has values: those that are written where it is made, and those put into it
//! later. What is not seen whole is said to be open.

use super::{is_name, method};
use crate::extract::{
    fold::{Folder, Spot},
    lexer::Kind,
    sketch::FunctionSketch,
    text::Text,
};

/// How many tokens in front of a call are looked at for where a name got its value.
const FAR: usize = 4_000;

/// How many functions that make values are followed in one another.
const MAX_CALLS: u8 = 3;

/// How many values that are copied into one another are followed.
const MAX_COPIES: u8 = 2;

/// The most uses of a name that are looked at.
const MOST_USES: usize = 64;

/// What makes values of nothing but its arguments.
const MAKERS: [&str; 9] = [
    "ContentValues",
    "contentValuesOf",
    "Map",
    "mapOf",
    "mutableMapOf",
    "hashMapOf",
    "HashMap",
    "LinkedHashMap",
    "from",
];

/// The columns for which there are values.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub names: Vec<String>,
    /// Whether there may be others.
    pub is_open: bool,
}

impl Columns {
    fn add(&mut self, other: Self) {
        for name in other.names {
            self.push(&name);
        }
        self.is_open |= other.is_open;
    }

    fn push(&mut self, name: &str) {
        if !self.names.iter().any(|one| one == name) {
            self.names.push(name.to_owned());
        }
    }
}

/// Reads values in front of a token of a file.
#[derive(Clone, Copy)]
pub(super) struct Values<'f, 'a> {
    folder: &'f Folder<'a>,
    spot: Spot,
    /// The token in front of which they are made.
    before: usize,
    /// How many functions were followed to get here.
    depth: u8,
    /// The use that is read: what is copied there is what stands in front of it.
    reading: usize,
    /// How many copies were followed to get here.
    copies: u8,
}

impl<'f, 'a> Values<'f, 'a> {
    pub fn new(folder: &'f Folder<'a>, spot: Spot, before: usize) -> Self {
        Self { folder, spot, before, depth: 0, reading: before, copies: 0 }
    }

    /// The columns of an argument, as a range of tokens.
    pub fn columns(&self, (start, end): (usize, usize)) -> Columns {
        let mut found = Columns::default();
        if end == start + 1 && self.folder.kind(self.spot, start) == Some(Kind::Word) {
            self.add_named(self.folder.word(self.spot, start), &mut found);
        } else {
            self.add_value((start, end), &mut found);
        }
        found.is_open |= found.names.is_empty();
        found
    }

    /// What a name holds: what it was given last, and what was done to it since.
    fn add_named(&self, name: &str, found: &mut Columns) {
        let uses = self.uses(name);
        let starts =
            |at: &usize| self.value_of(*at).is_some() || self.folder.word(self.spot, at + 2) == "clear";
        let Some(from) = uses.iter().rposition(starts) else {
            found.is_open = true;
            return;
        };
        let uses = uses.get(from..).unwrap_or_default();
        found.is_open |= uses.len() > MOST_USES;
        for &at in uses.iter().take(MOST_USES) {
            Self { reading: at, ..*self }.add_use(at, found);
        }
    }

    /// Adds the columns of values that are copied: those that they have in front of what is read. A name may be made of itself.
    fn add_copy(&self, range: (usize, usize), found: &mut Columns) {
        if self.copies >= MAX_COPIES {
            found.is_open = true;
            return;
        }
        let inner = Self { before: self.reading, copies: self.copies + 1, ..*self };
        found.add(inner.columns(range));
    }

    /// The first token of the value that a name is given: `values = …`, `val values: Type = …`.
    fn value_of(&self, at: usize) -> Option<usize> {
        if self.folder.assigns(self.spot, at + 1) {
            return Some(at + 2);
        }
        let declares = || matches!(self.folder.word(self.spot, at.wrapping_sub(1)), "val" | "var");
        let is_typed = self.folder.is(self.spot, at + 1, b':') && declares();
        let equals = |at: &usize| self.folder.assigns(self.spot, *at);
        (at + 2..at + 14).find(equals).filter(|_| is_typed).map(|equals| equals + 1)
    }

    /// Where a name stands in the function around or, where that gives it no value, in the one around that.
    fn uses(&self, name: &str) -> Vec<usize> {
        let functions = self.folder.units.get(self.spot.unit).map_or(&[][..], |one| &one.sketch.functions);
        let holds =
            |one: &&FunctionSketch| (one.name as usize) < self.before && self.before < one.end as usize;
        let is_aside = |at: usize| {
            let inside = |one: &FunctionSketch| (one.name as usize) < at && at < one.end as usize;
            functions.iter().any(|one| inside(one) && !holds(&one))
        };
        let mut uses = Vec::new();
        for function in functions.iter().filter(holds).rev() {
            let first = (function.name as usize).max(self.before.saturating_sub(FAR));
            let is_it = |&at: &usize| self.folder.word(self.spot, at) == name && !is_aside(at);
            uses = (first..self.before).filter(is_it).collect();
            let is_parameter = |&at: &usize| self.is_parameter(function, at);
            if uses.iter().any(|&at| self.folder.assigns(self.spot, at + 1)) || uses.iter().any(is_parameter)
            {
                break;
            }
        }
        uses
    }

    fn is_parameter(&self, function: &FunctionSketch, at: usize) -> bool {
        let open = function.name as usize + 1;
        self.folder.is(self.spot, open, b'(') && at < self.folder.matching(self.spot, open)
    }

    /// What one use of the name does to its values.
    fn add_use(&self, at: usize, found: &mut Columns) {
        let is = |at: usize, sign: u8| self.folder.is(self.spot, at, sign);
        let behind = |open: usize| self.folder.matching(self.spot, open) + 1;
        if let Some(start) = self.value_of(at) {
            self.add_value((start, self.end_of_value(start)), found);
        } else if is(at + 1, b'.') && is(at + 2, b'.') && is(at + 3, b'[') {
            self.add_column(at + 4, found);
        } else if is(at + 1, b'.') {
            let method = at + 2 + usize::from(is(at + 2, b'.'));
            self.add_call(method, found);
        } else if is(at + 1, b'[') {
            if self.folder.assigns(self.spot, behind(at + 1)) {
                self.add_column(at + 2, found);
            }
        } else if at > 0 && (is(at - 1, b'(') || is(at - 1, b',')) && (is(at + 1, b',') || is(at + 1, b')')) {
            self.add_lent(at, found);
        }
    }

    /// What another function does that is given the values.
    fn add_lent(&self, at: usize, found: &mut Columns) {
        let open = self.folder.code(self.spot).and_then(|code| code.around(at).next());
        let name = open.and_then(|open| open.checked_sub(1));
        let callee = name.map_or("", |name| self.folder.word(self.spot, name));
        let language = self.folder.language(self.spot);
        if callee == "with"
            && let Some(close) = open.map(|open| self.folder.matching(self.spot, open))
            && self.folder.is(self.spot, close + 1, b'{')
        {
            self.add_columns((close + 1, self.folder.matching(self.spot, close + 1) + 1), found);
            return;
        }
        let is_statement = language.is_some_and(|language| method(language, callee).is_some());
        found.is_open |= !is_statement && !matches!(callee, "if" | "while" | "println" | "print");
    }

    /// What a method does that is called of the values.
    fn add_call(&self, at: usize, found: &mut Columns) {
        let open = at + 1;
        let end = self.folder.matching(self.spot, open);
        match self.folder.word(self.spot, at) {
            "put" | "putNull" | "putIfAbsent" | "set" => self.add_column(open + 1, found),
            "putAll" | "addAll" => self.add_copy((open + 1, end), found),
            "remove" => {
                let mut gone = Columns::default();
                self.add_column(open + 1, &mut gone);
                found.names.retain(|name| !gone.names.contains(name));
            }
            _ if self.folder.is(self.spot, open, b'{') => self.add_columns((open, end + 1), found),
            _ => {}
        }
    }

    /// The token behind the value that starts at a token.
    fn end_of_value(&self, start: usize) -> usize {
        let Some(code) = self.folder.code(self.spot) else { return start };
        let ends = |at: usize| {
            let is_next_line = code.by_lines() && at > start && code.is_on_new_line(at);
            code.is(at, b';') || code.closes(at) || (is_next_line && !code.is(at, b'.') && !code.is(at, b'?'))
        };
        let mut at = start;
        while at < self.before && !ends(at) {
            at = code.behind(at);
        }
        at.min(self.before)
    }

    /// The columns of an expression that makes values.
    fn add_value(&self, (mut start, end): (usize, usize), found: &mut Columns) {
        while matches!(self.folder.word(self.spot, start), "new" | "const" | "await") {
            start += 1;
        }
        // `<String, Object?>{…}`, `ContentValues(…)`, `Map<String, Object>.from(…)`
        let open = (start..end).find(|&at| self.folder.opens(self.spot, at)).unwrap_or(end);
        let callee = (start..open).rev().find(|&at| self.folder.kind(self.spot, at) == Some(Kind::Word));
        let is_literal = self.folder.is(self.spot, open, b'{')
            && (open == start || self.folder.is(self.spot, start, b'<'));
        let callee = callee.filter(|_| !is_literal && open < end);
        match callee.map(|at| (at, self.folder.word(self.spot, at))) {
            None => found.is_open |= !is_literal,
            Some((_, word)) if MAKERS.contains(&word) => self.add_copied(open, found),
            // `values { put("name", name) }`
            Some(_) if self.folder.is(self.spot, open, b'{') => {}
            Some((at, _)) => {
                let given = self.given_back(at).unwrap_or(Columns { is_open: true, ..Columns::default() });
                found.add(given);
                let behind = self.folder.matching(self.spot, open) + 1;
                return self.add_columns((behind, end), found);
            }
        }
        self.add_columns((start, end), found);
    }

    /// The values that a maker is given: pairs are read as all others are, and those of a name are copied.
    fn add_copied(&self, open: usize, found: &mut Columns) {
        let (arguments, _) = self.folder.arguments(self.spot, open);
        if let [(start, end)] = arguments.as_slice()
            && end - start == 1
            && self.folder.kind(self.spot, *start) == Some(Kind::Word)
        {
            self.add_copy((*start, *end), found);
        }
    }

    /// The columns of the values that the only function of a name gives back.
    fn given_back(&self, at: usize) -> Option<Columns> {
        if self.depth >= MAX_CALLS {
            return None;
        }
        let (unit, index) = self.folder.only_called(self.spot, at)?;
        let function = *self.folder.units.get(unit)?.sketch.functions.get(index as usize)?;
        let (from, end) = (function.name as usize, function.end as usize);
        let inner = |before: usize| Self {
            spot: Spot::at(unit, index),
            before,
            reading: before,
            depth: self.depth + 1,
            ..*self
        };
        let all = inner(end);
        let mut found = Columns::default();
        let open = (from..from + 2).find(|&at| self.folder.is(all.spot, at, b'('))?;
        let behind = (self.folder.matching(all.spot, open)
            ..end.min(self.folder.matching(all.spot, open) + 12))
            .take_while(|&at| !self.folder.is(all.spot, at, b'{'))
            .find(|&at| self.folder.is(all.spot, at, b'='));
        if let Some(equals) = behind {
            let arrow = usize::from(self.folder.is(all.spot, equals + 1, b'>'));
            let start = equals + 1 + arrow;
            found.add(all.columns((start, all.end_of_value(start))));
        }
        for at in (from..end).filter(|&at| self.folder.word(all.spot, at) == "return") {
            found.add(inner(at).columns((at + 1, all.end_of_value(at + 1))));
        }
        found.is_open |= found.names.is_empty();
        Some(found)
    }

    /// The columns in an expression: of calls of `put` in blocks, and of pairs in brackets. What a value is made of is none.
    fn add_columns(&self, (start, end): (usize, usize), found: &mut Columns) {
        let mut at = start;
        while at < end {
            if self.folder.is(self.spot, at + 1, b'(')
                && !(at > 0 && self.folder.is(self.spot, at - 1, b'.') && at < start + 2)
                && matches!(self.folder.word(self.spot, at), "put" | "putNull" | "putAll" | "addAll")
            {
                self.add_call(at, found);
            }
            if !self.folder.opens(self.spot, at) {
                at += 1;
                continue;
            }
            let has_pairs = self.add_pairs(at, found);
            let is_block = self.folder.is(self.spot, at, b'{') && !has_pairs;
            at = if is_block { at + 1 } else { self.folder.matching(self.spot, at) + 1 };
        }
    }

    /// The columns of the pairs in a bracket, and whether there are any. What is no pair may bring others.
    fn add_pairs(&self, open: usize, found: &mut Columns) -> bool {
        let mut pairs = Vec::new();
        let mut others = false;
        for (start, end) in self.folder.arguments(self.spot, open).0 {
            // `if (depth != null) 'depth': depth`
            let is_choice =
                self.folder.word(self.spot, start) == "if" && self.folder.is(self.spot, start + 1, b'(');
            let start = if is_choice { self.folder.matching(self.spot, start + 1) + 1 } else { start };
            let (_, behind) = self.folder.chain(self.spot, start);
            let is_pair =
                self.folder.is(self.spot, behind, b':') || self.folder.word(self.spot, behind) == "to";
            if behind < end && is_pair { pairs.push(start) } else { others = true }
        }
        for &start in &pairs {
            self.add_column(start, found);
        }
        found.is_open |= others && !pairs.is_empty();
        !pairs.is_empty()
    }

    fn add_column(&self, at: usize, found: &mut Columns) {
        let (texts, _) = self.folder.chain(self.spot, at);
        let before = found.names.len();
        for name in texts.iter().map(Text::as_str).filter(|name| is_name(unquoted(name))) {
            found.push(name);
        }
        let is_known = |text: &Text| found.names.iter().any(|one| one == text.as_str());
        found.is_open |= found.names.len() == before && !texts.iter().any(is_known);
    }
}

/// A name without the quotes around it.
fn unquoted(name: &str) -> &str {
    let quotes = [('"', '"'), ('`', '`'), ('[', ']')];
    let bare = quotes.iter().find_map(|&(open, close)| name.strip_prefix(open)?.strip_suffix(close));
    bare.unwrap_or(name)
}

//! Statements that a method of a library makes of its arguments: `delete("ships", "id = ?", …)`. Knows which argument is which
//! part of the statement, as each language lists it; what an argument says is folded like any text.

mod columns;
mod receivers;

use super::{
    fold::{Folder, MAX_VARIANTS, Spot, distinct, is_nothing, is_only_hole, product},
    languages::{Given, Language, Method, Part, SinkKind},
    lexer::{Kind, Token},
    sketch::{CallSketch, Candidate, Sketch},
    text::Text,
    ways,
};
use crate::source::{Source, Sources};
use columns::{Columns, Values};
use rayon::prelude::*;
use receivers::Place;

/// Whether a file of a tree uses the library whose methods a language knows. One says so, and others are handed its objects.
pub(super) fn are_used(sources: &Sources, language: &Language) -> bool {
    let Some(methods) = language.methods else { return false };
    let shares = |source: &Source| {
        let other = super::languages::of(&source.path).and_then(|other| other.methods);
        other.is_some_and(|other| other.marks == methods.marks)
    };
    let says = |text: &str| is_marked(language, text);
    sources.as_slice().par_iter().any(|source| shares(source) && source.peek(says))
}

/// Whether a file says itself that it uses the library.
pub(super) fn is_marked(language: &Language, text: &str) -> bool {
    language.methods.is_some_and(|methods| methods.marks.iter().any(|mark| text.contains(mark)))
}

/// Adds the calls of such methods to the candidates of a file.
pub(super) fn add(text: &str, language: &Language, tokens: &[Token], sketch: &mut Sketch) {
    let place = Place { text, tokens, sketch: &*sketch };
    let is_method = |call: &CallSketch| {
        let name = call.name as usize;
        let is_listed = tokens.get(name).is_some_and(|token| method(language, token.text(text)).is_some());
        is_listed && place.is_asked_of_database(name, call.function)
    };
    let calls = sketch.calls.iter().filter(|call| call.is_call && is_method(call));
    let candidate = |call: &CallSketch| Candidate {
        start: call.name,
        literal: call.name,
        function: call.function,
        loop_depth: call.loop_depth,
        callee: Some((call.name, SinkKind::RunsOne)),
        is_test: sketch.functions.get(call.function as usize).is_some_and(|function| function.is_test),
        is_likely: true,
        is_named: false,
    };
    let found: Vec<Candidate> = calls.map(candidate).collect();
    if !found.is_empty() {
        sketch.candidates.extend(found);
        sketch.candidates.sort_by_key(|one| one.literal);
    }
}

fn method(language: &Language, name: &str) -> Option<&'static Method> {
    language.methods?.all.iter().find(|method| method.name == name)
}

/// The statements that the call at a token makes, and the token behind it; `None` where its table is not known.
pub(super) fn statements(folder: &Folder<'_>, spot: Spot, name: usize) -> Option<(Vec<Text>, usize)> {
    let call = Call::new(folder, spot, name)?;
    let methods = folder.language(spot)?.methods?;
    let mut own = methods.all.iter().filter(|method| method.name == folder.word(spot, name));
    let method = own.find(|method| method.conflict.is_none_or(|place| call.is_conflict(place)))?;
    let mut texts = vec![Text::default()];
    for part in method.parts {
        texts = product(texts, &call.part(*part)?);
    }
    distinct(&mut texts);
    Some((texts, call.close + 1))
}

/// A call, and its arguments.
struct Call<'f, 'a> {
    folder: &'f Folder<'a>,
    spot: Spot,
    /// The token of its name.
    name: usize,
    /// The arguments that are told by their place, as ranges of tokens.
    placed: Vec<(usize, usize)>,
    /// Those that are told by a name.
    named: Vec<(&'a str, (usize, usize))>,
    /// The token of its last parenthesis.
    close: usize,
}

impl<'f, 'a> Call<'f, 'a> {
    fn new(folder: &'f Folder<'a>, spot: Spot, name: usize) -> Option<Self> {
        if !folder.is(spot, name + 1, b'(') {
            return None;
        }
        let (arguments, close) = folder.arguments(spot, name + 1);
        let arguments = with_types(folder, spot, arguments);
        let is_named = |(start, _): &(usize, usize)| {
            folder.kind(spot, *start) == Some(Kind::Word)
                && (folder.is(spot, start + 1, b':') || folder.assigns(spot, start + 1))
        };
        let (named, mut placed): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_named);
        let named =
            named.into_iter().map(|(start, end)| (folder.word(spot, start), (start + 2, end))).collect();
        // Whether rows that are alike come once may stand in front of all others.
        if placed.first().is_some_and(|&(start, _)| matches!(folder.word(spot, start), "true" | "false")) {
            placed.remove(0);
        }
        Some(Self { folder, spot, name, placed, named, close })
    }

    /// An argument that is there, and not null.
    fn given(&self, which: Given) -> Option<(usize, usize)> {
        let range = match which {
            Given::At(place) => self.placed.get(place).copied(),
            Given::Named(name) => self.named.iter().find(|(own, _)| *own == name).map(|(_, range)| *range),
        };
        range.filter(|&(start, end)| start < end && !is_nothing(self.folder.word(self.spot, start)))
    }

    /// The texts that a part of the statement can be; `None` where it is not known and has to be.
    fn part(&self, part: Part) -> Option<Vec<Text>> {
        let only = |text: &str| Some(vec![self.said(text)]);
        match part {
            Part::Words(words) => only(words),
            Part::Table(which) => {
                let (mut tables, _) = self.texts(self.given(which)?)?;
                tables.retain(|table| is_name(table.as_str()));
                (!tables.is_empty()).then_some(tables)
            }
            Part::Columns(which) => {
                let columns = self.given(which).and_then(|range| self.listed(range));
                columns.map_or_else(|| only("*"), |columns| Some(vec![columns]))
            }
            Part::Clause(words, which) => {
                let Some(range) = self.given(which) else { return only("") };
                self.clause(words, range)
            }
            Part::Conflict(which) => {
                let (start, end) = self.given(which).unwrap_or_default();
                let says = |word: &str, number: &str| {
                    (start..end).any(|at| {
                        let own = self.folder.word(self.spot, at);
                        own.to_ascii_lowercase().contains(word) || own == number
                    })
                };
                // Numbers as Android has them.
                match () {
                    () if says("replace", "5") => only("OR REPLACE "),
                    () if says("ignore", "4") => only("OR IGNORE "),
                    () => only(""),
                }
            }
            Part::Values(which) => {
                let Some(range) = self.given(which) else { return only(" DEFAULT VALUES") };
                let columns = self.columns(range);
                if columns.is_open {
                    return Some(vec![self.unknown(" ", "columns")]);
                }
                let marks = vec!["?"; columns.names.len()].join(", ");
                only(&format!(" ({}) VALUES ({marks})", columns.names.join(", ")))
            }
            Part::Sets(which) => {
                let columns = self.given(which).map(|range| self.columns(range)).unwrap_or_default();
                if columns.names.is_empty() {
                    return Some(vec![self.unknown(" SET ", "values")]);
                }
                let sets: Vec<String> = columns.names.iter().map(|column| format!("{column} = ?")).collect();
                only(&format!(" SET {}", sets.join(", ")))
            }
        }
    }

    /// The texts of a clause, none where it says nothing.
    fn clause(&self, words: &str, (start, end): (usize, usize)) -> Option<Vec<Text>> {
        let takes_value = words.contains("LIMIT") || words.contains("OFFSET");
        if takes_value && end == start + 1 && self.folder.kind(self.spot, start) == Some(Kind::Atom) {
            return Some(vec![self.said(&format!("{words}{}", self.folder.word(self.spot, start)))]);
        }
        let (texts, is_whole) = self.texts((start, end))?;
        // No clause, as the libraries take it.
        let is_none = |text: &Text| {
            let is_null = is_only_hole(text) && text.has_hole("null");
            is_null || (text.as_str().trim().is_empty() && text.holes().is_empty())
        };
        let (none, mut some): (Vec<Text>, Vec<Text>) = texts.into_iter().partition(is_none);
        let may_be_nothing = self.folder.may_be_nothing(self.spot, (start, end));
        if !some.iter().all(is_only_hole) {
            // A caller of another function of the name hands over what is not known.
            some.retain(|text| !is_only_hole(text) || takes_value);
        }
        let mut clauses = Vec::new();
        for mut text in some {
            // A clause of which nothing is known is no value.
            let is_unknown = is_only_hole(&text) && !takes_value;
            if is_unknown && words.contains("WHERE") {
                clauses.push(self.unknown(" ", "selection"));
                continue;
            }
            if !is_whole || is_unknown {
                text.mark_needed();
            }
            clauses.extend(product(vec![self.said(words)], &[text]));
        }
        if may_be_nothing || !none.is_empty() {
            clauses.push(self.said(""));
        }
        Some(clauses)
    }

    /// Words behind which the statement goes on with what is not known.
    fn unknown(&self, words: &str, name: &str) -> Text {
        let mut text = self.said(words);
        let mut hole = self.folder.hole(self.spot, self.name, name, false);
        hole.mark_needed();
        text.append(&hole);
        text
    }

    /// The columns of which an argument has values, as far as they are written.
    fn columns(&self, range: (usize, usize)) -> Columns {
        Values::new(self.folder, self.spot, self.name).columns(range)
    }

    /// Whether an argument says what happens on a conflict: a constant or a number.
    fn is_conflict(&self, place: usize) -> bool {
        self.given(Given::At(place)).is_some_and(|(start, end)| {
            let is_number = end == start + 1 && self.folder.kind(self.spot, start) == Some(Kind::Atom);
            let says = |at: usize| {
                self.folder.kind(self.spot, at) == Some(Kind::Word)
                    && self.folder.word(self.spot, at).to_ascii_lowercase().contains("conflict")
            };
            is_number || (start..end).any(says)
        })
    }

    /// A text that the library says.
    fn said(&self, words: &str) -> Text {
        let mut text = Text::default();
        if let Some(unit) = self.folder.units.get(self.spot.unit)
            && let Some(token) = unit.tokens.get(self.name)
            && !words.is_empty()
        {
            text.push_at(words, unit.source, token.start);
        }
        text
    }

    /// The texts that an argument can be, and whether all of it was read.
    fn texts(&self, (start, end): (usize, usize)) -> Option<(Vec<Text>, bool)> {
        let (mut texts, behind) = ways::all_ways(self.folder, self.spot, start)?;
        texts.truncate(MAX_VARIANTS);
        Some((texts, behind >= end))
    }

    /// The elements of a list that is written out, with commas between them.
    fn listed(&self, (start, end): (usize, usize)) -> Option<Text> {
        // `arrayOf(…)` makes a list of its arguments, and another function what it likes.
        let makes_list = |open: usize| {
            let word = open.checked_sub(1).map_or("", |before| self.folder.word(self.spot, before));
            !self.folder.is(self.spot, open, b'(') || matches!(word, "arrayOf" | "listOf" | "of" | "asList")
        };
        let is_list = |&open: &usize| {
            self.folder.opens(self.spot, open)
                && self.folder.matching(self.spot, open) + 1 == end
                && makes_list(open)
        };
        let open = (start..end).find(is_list)?;
        let (elements, _) = self.folder.arguments(self.spot, open);
        let mut list = Text::default();
        for (at, (start, end)) in elements.into_iter().enumerate() {
            let (texts, behind) = self.folder.chain(self.spot, start);
            let [text] = texts.as_slice() else { return None };
            if behind < end || !text.holes().is_empty() {
                return None;
            }
            if at > 0 {
                list.append(&self.said(", "));
            }
            list.append(text);
        }
        (!list.as_str().is_empty()).then_some(list)
    }
}

/// Arguments, with those in one that a comma between types parts: `<String, Object?>{…}`, `where: <String, Object?>{…}`.
fn with_types(folder: &Folder<'_>, spot: Spot, arguments: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut whole: Vec<(usize, usize)> = Vec::with_capacity(arguments.len());
    for (start, end) in arguments {
        match whole.last_mut().filter(|last| opens_types(folder, spot, **last)) {
            Some(last) => last.1 = end,
            None => whole.push((start, end)),
        }
    }
    whole
}

/// Whether the types that stand in front of a value end behind the last of some tokens.
fn opens_types(folder: &Folder<'_>, spot: Spot, (start, end): (usize, usize)) -> bool {
    let value = if folder.is(spot, start + 1, b':') { start + 2 } else { start };
    let signs = |sign: u8| (value..end).filter(|&at| folder.is(spot, at, sign)).count();
    folder.is(spot, value, b'<') && signs(b'<') > signs(b'>')
}

/// Whether a text is a name that needs no quotes.
fn is_name(text: &str) -> bool {
    text.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

//! Statements that a method of a library makes of its arguments: `delete("ships", "id = ?", …)`. Knows which argument is which
//! part of the statement, as each language lists it; what an argument says is folded like any text.

use super::{
    fold::{Folder, MAX_VARIANTS, Spot, distinct, is_nothing, is_only_hole, product},
    languages::{Given, Language, Method, Part, SinkKind},
    lexer::{Kind, Token},
    sketch::{Brackets, Candidate, NOWHERE, Sketch},
    text::Text,
    ways,
};

/// How many links of a chain are looked at, from the method back.
const LINKS: usize = 5;

/// How many tokens in front of a call are looked at for where a name got its value.
const FAR: usize = 4_000;

/// Adds the calls of such methods to the candidates of a file.
pub(super) fn add(text: &str, language: &Language, tokens: &[Token], sketch: &mut Sketch) {
    let Some(methods) = language.methods else { return };
    let is_method = |name: u32| {
        let name = name as usize;
        let is_listed = tokens.get(name).is_some_and(|token| method(language, token.text(text)).is_some());
        is_listed && is_asked_of_database(text, tokens, &sketch.brackets, name)
    };
    let calls = sketch.calls.iter().filter(|call| call.is_call && is_method(call.name));
    let candidate = |call: &super::sketch::CallSketch| Candidate {
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
    // Few calls are named like that, so that the rest of the text is asked last.
    if found.is_empty() || !methods.marks.iter().any(|mark| text.contains(mark)) {
        return;
    }
    sketch.candidates.extend(found);
    sketch.candidates.sort_by_key(|one| one.literal);
}

fn method(language: &Language, name: &str) -> Option<&'static Method> {
    language.methods?.all.iter().find(|method| method.name == name)
}

/// Whether what the method is asked of speaks of a database: lists and maps have methods of such names, too.
fn is_asked_of_database(text: &str, tokens: &[Token], brackets: &Brackets, name: usize) -> bool {
    let is = |at: usize, sign: u8| tokens.get(at).is_some_and(|one| one.is(sign));
    let mut at = name;
    for _ in 0..LINKS {
        let link = at;
        while at > 0 && [b'.', b'!', b'?'].iter().any(|&sign| is(at - 1, sign)) {
            at -= 1;
        }
        if !(at..link).any(|one| is(one, b'.')) {
            return false;
        }
        let mut group = tokens.get(at..at).unwrap_or_default();
        if at > 0 && is(at - 1, b')') {
            let Some(open) = brackets.opening(at - 1) else { return false };
            group = tokens.get(open + 1..at - 1).unwrap_or_default();
            at = open;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        // `return (await database).insert`: what is called stands close to its parenthesis.
        let is_link = |token: &&Token| {
            token.kind == Kind::Word && tokens.get(at).is_some_and(|next| next.start == token.end)
        };
        let Some(word) = before.filter(is_link) else {
            return group.iter().any(|token| token.kind == Kind::Word && speaks(token.text(text)));
        };
        if speaks(word.text(text)) {
            return true;
        }
        at -= 1;
    }
    false
}

/// Whether a word speaks of a database.
fn speaks(word: &str) -> bool {
    const SPEAKS: [&str; 7] = ["db", "database", "sqlite", "txn", "tx", "transaction", "batch"];
    let lower = word.to_ascii_lowercase();
    SPEAKS.iter().any(|one| lower == *one || (one.len() > 3 && lower.contains(one))) || lower.ends_with("db")
}

/// The statements that the call at a token makes, and the token behind it; `None` where its table is not known.
pub(super) fn statements(folder: &Folder<'_>, spot: Spot, name: usize) -> Option<(Vec<Text>, usize)> {
    let method = method(folder.language(spot)?, folder.word(spot, name))?;
    let call = Call::new(folder, spot, name)?;
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
            Part::Clause(words, which) => self.clause(words, which),
            Part::Insert(which) => {
                let (start, end) = self.given(which).unwrap_or_default();
                let says = |word: &str| {
                    (start..end).any(|at| self.folder.word(self.spot, at).to_ascii_lowercase().contains(word))
                };
                match () {
                    () if says("replace") => only("INSERT OR REPLACE INTO "),
                    () if says("ignore") => only("INSERT OR IGNORE INTO "),
                    () => only("INSERT INTO "),
                }
            }
            Part::Values(which) => {
                let columns = self.given(which).map(|range| self.columns(range)).unwrap_or_default();
                if columns.is_empty() {
                    return only(" DEFAULT VALUES");
                }
                let marks = vec!["?"; columns.len()].join(", ");
                only(&format!(" ({}) VALUES ({marks})", columns.join(", ")))
            }
            Part::Sets(which) => {
                let columns = self.given(which).map(|range| self.columns(range)).unwrap_or_default();
                if columns.is_empty() {
                    let mut hole = self.folder.hole(self.spot, self.name, "values", false);
                    hole.mark_needed();
                    return Some(product(vec![self.said(" SET ")], &[hole]));
                }
                let sets: Vec<String> = columns.iter().map(|column| format!("{column} = ?")).collect();
                only(&format!(" SET {}", sets.join(", ")))
            }
        }
    }

    /// A clause: none where the argument is nothing, or may be.
    fn clause(&self, words: &str, which: Given) -> Option<Vec<Text>> {
        let Some(range) = self.given(which) else { return Some(vec![Text::default()]) };
        let (mut texts, is_whole) = self.texts(range)?;
        // No clause, as the libraries take it.
        texts.retain(|text| !text.as_str().trim().is_empty() || !text.holes().is_empty());
        let may_be_nothing = self.folder.may_be_nothing(self.spot, range);
        if may_be_nothing && !texts.iter().all(is_only_hole) {
            texts.retain(|text| !is_only_hole(text));
        }
        if texts.is_empty() {
            return Some(vec![Text::default()]);
        }
        let takes_value = words.contains("LIMIT") || words.contains("OFFSET");
        for text in &mut texts {
            // A clause of which nothing is known is no value.
            if !is_whole || (is_only_hole(text) && !takes_value) {
                text.mark_needed();
            }
        }
        let mut clauses = product(vec![self.said(words)], &texts);
        if may_be_nothing {
            clauses.push(Text::default());
        }
        Some(clauses)
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

    /// The columns of which an argument has values, as far as they are written in the function.
    fn columns(&self, (start, end): (usize, usize)) -> Vec<String> {
        let mut found = Vec::new();
        self.add_columns((start, end), &mut found);
        let name = self.folder.word(self.spot, start);
        if end == start + 1 && self.folder.kind(self.spot, start) == Some(Kind::Word) {
            let unit = self.folder.units.get(self.spot.unit);
            let function = unit.and_then(|unit| unit.sketch.functions.get(self.spot.function as usize));
            let first =
                function.filter(|_| self.spot.function != NOWHERE).map_or(self.name, |one| one.name as usize);
            let first = first.max(self.name.saturating_sub(FAR));
            let uses: Vec<usize> =
                (first..self.name).filter(|&at| self.folder.word(self.spot, at) == name).collect();
            let is_set = |at: usize| self.folder.assigns(self.spot, at);
            let starts = |at: &usize| is_set(at + 1) || self.folder.word(self.spot, at + 2) == "clear";
            let from = uses.iter().rposition(starts).unwrap_or(0);
            for &at in uses.get(from..).unwrap_or_default() {
                if self.folder.is(self.spot, at + 1, b'.') {
                    self.add_put(at + 2, &mut found);
                } else if is_set(at + 1) {
                    self.add_columns((at + 2, self.end_of_value(at + 2)), &mut found);
                } else if self.folder.is(self.spot, at + 1, b'[')
                    && is_set(self.folder.matching(self.spot, at + 1) + 1)
                {
                    self.add_column(at + 2, &mut found);
                }
            }
        }
        found
    }

    /// The token behind the value that starts at a token.
    fn end_of_value(&self, start: usize) -> usize {
        let Some(code) = self.folder.code(self.spot) else { return start };
        let ends = |at: usize| {
            let is_next_line = code.by_lines() && at > start && code.is_on_new_line(at);
            code.is(at, b';') || code.closes(at) || (is_next_line && !code.is(at, b'.') && !code.is(at, b'?'))
        };
        let mut at = start;
        while at < self.name && !ends(at) {
            at = code.behind(at);
        }
        at.min(self.name)
    }

    /// The columns in an expression: of calls of `put` in blocks, and of pairs in brackets. What a value is made of is none.
    fn add_columns(&self, (start, end): (usize, usize), found: &mut Vec<String>) {
        let mut at = start;
        while at < end {
            self.add_put(at, found);
            if !self.folder.opens(self.spot, at) {
                at += 1;
                continue;
            }
            let mut has_pairs = false;
            for (start, end) in self.folder.arguments(self.spot, at).0 {
                let (_, behind) = self.folder.chain(self.spot, start);
                let is_pair =
                    self.folder.is(self.spot, behind, b':') || self.folder.word(self.spot, behind) == "to";
                if behind < end && is_pair {
                    has_pairs = true;
                    self.add_column(start, found);
                }
            }
            let is_block = self.folder.is(self.spot, at, b'{') && !has_pairs;
            at = if is_block { at + 1 } else { self.folder.matching(self.spot, at) + 1 };
        }
    }

    fn add_put(&self, at: usize, found: &mut Vec<String>) {
        if self.folder.word(self.spot, at) == "put" && self.folder.is(self.spot, at + 1, b'(') {
            self.add_column(at + 2, found);
        }
    }

    fn add_column(&self, at: usize, found: &mut Vec<String>) {
        let (texts, _) = self.folder.chain(self.spot, at);
        let names = texts.iter().map(Text::as_str).filter(|name| is_name(name));
        for name in names {
            if !found.iter().any(|one| one == name) {
                found.push(name.to_owned());
            }
        }
    }
}

/// Whether a text is a name that needs no quotes.
fn is_name(text: &str) -> bool {
    text.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

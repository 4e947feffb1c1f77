//! Lists of texts, and what makes one text of them: `[a, b].join(" AND ")`. While a list is followed it is a text itself,
//! with a mark in front of each element. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_VARIANTS, Spot, deeds::Deed, is_only_hole, marks, partners, product};
use crate::extract::{
    languages::{Joining, Place},
    lexer::Kind,
    text::{MORE, Text},
};
use std::borrow::Borrow;

/// What stands in front of a list and of each of its elements.
pub(super) const LIST: char = '\u{2}';

/// How the list at a token is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opened {
    /// Its elements stand behind this bracket.
    At(usize),
    /// It is made without elements.
    Empty,
}

/// Whether a text is a list.
pub(super) fn is_list_value(text: &Text) -> bool {
    text.as_str().starts_with(LIST)
}

/// Each list with each element behind it, as far as the variants are followed.
fn each_longer(lists: &[Text], elements: &[Text]) -> Vec<Text> {
    let longer = |(list, one): (usize, usize)| Some(add(lists.get(list)?, elements.get(one)?));
    partners(lists.iter(), elements).into_iter().filter_map(longer).collect()
}

/// A list with one more element, or with all of another list.
pub(super) fn add(list: &Text, element: &Text) -> Text {
    let mut all = list.clone();
    append(&mut all, element);
    all
}

/// Puts one more element into a list, or all of another list.
pub(super) fn append(list: &mut Text, element: &Text) {
    let is_empty = |list: &Text| list.as_str().len() == LIST.len_utf8();
    if is_list_value(element) {
        if is_empty(list) {
            let empty = std::mem::replace(list, element.clone());
            list.take_notes(&empty);
            return;
        }
        if is_empty(element) {
            list.take_notes(element);
            return;
        }
    } else if !is_empty(list) {
        list.push_mark(LIST);
    }
    list.append(element);
}

/// A list of some elements.
pub(super) fn listed<T: Borrow<Text>>(elements: impl IntoIterator<Item = T>) -> Text {
    let mut list = Text::default();
    list.push_mark(LIST);
    for one in elements {
        append(&mut list, one.borrow());
    }
    list
}

/// A list with one more element in front, or a text with more text there.
pub(super) fn lead(list: &Text, element: &Text) -> Text {
    let mut first = Text::default();
    if is_list_value(list) && !is_list_value(element) {
        first.push_mark(LIST);
    }
    first.append(element);
    if is_list_value(list) {
        return add(&first, list);
    }
    first.append(list);
    first
}

/// The texts that separators make of the lists among some values.
pub(super) fn joined_by(lists: &[Text], separators: &[Text]) -> Option<Vec<Text>> {
    let lists = lists.iter().filter(|list| is_list_value(list));
    let texts = lists.flat_map(|list| separators.iter().map(|separator| list.split_by(LIST, separator)));
    let all: Vec<Text> = texts.take(MAX_VARIANTS).collect();
    (!all.is_empty()).then_some(all)
}

/// What marks the end of an array of C that is handed on without its length.
const ENDS: [&str; 2] = ["NULL", "nullptr"];

impl Folder<'_> {
    /// The list of a name of which nothing was read: without elements where it is a variable of the function, else with those that others
    /// gave it.
    pub(super) fn begun_list(&self, spot: Spot, name: usize) -> Text {
        let function = self.units.get(spot.unit).and_then(|unit| {
            let function = unit.sketch.functions.get(spot.function as usize)?;
            self.parameter(spot, function, self.word(spot, name))
        });
        let mut list = Text::default();
        list.push_mark(LIST);
        if function.is_some() || name.checked_sub(1).is_some_and(|dot| self.is(spot, dot, b'.')) {
            list.mark_open();
        }
        list
    }

    /// What `concat!(…)` puts together.
    pub(super) fn concatenation(&self, spot: Spot, open: usize) -> Folded {
        let (arguments, close) = self.arguments(spot, open);
        let mut value = vec![Text::default()];
        for (start, _) in arguments {
            value = product(value, &self.chain(spot, start).0);
        }
        (value, close + 1)
    }

    /// The placeholders that a call makes of one: `"IN (" + strings.Repeat("?,", n) + "?)"`. Without what follows, the last comma
    /// is cut off.
    pub(super) fn repeated(&self, spot: Spot, word: &str, open: usize) -> Option<Vec<Text>> {
        let repeats = word.rsplit('_').next().is_some_and(|last| last.eq_ignore_ascii_case("repeat"));
        if !repeats || self.kind(spot, open + 1) != Some(Kind::Text) {
            return None;
        }
        let mut value = self.literal(spot, open + 1);
        let joins = self.language(spot)?.joins;
        let goes_on = self.is(spot, self.matching(spot, open) + 1, joins);
        let is_part = |text: &Text| {
            let text = text.as_str();
            (text.starts_with(',') || goes_on) && marks::is_marks(text)
        };
        value.iter().all(is_part).then(|| {
            for text in &mut value {
                text.push_mark(MORE);
            }
            value
        })
    }

    /// The list that is written at a token.
    pub(super) fn list_at(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        if let Some(list) = self.streamed_list(spot, at) {
            return Some(list);
        }
        let tuple = || self.is_tuple(spot, at).then_some(Opened::At(at));
        let open = self.list_open(spot, at).or_else(tuple)?;
        let mut empty = Text::default();
        empty.push_mark(LIST);
        let mut lists = vec![empty];
        let Opened::At(open) = open else { return Some(lists) };
        let (mut elements, close) = self.arguments(spot, open);
        // `{"hour", "day", NULL}`
        elements.pop_if(|&mut (start, end)| {
            self.is(spot, open, b'{') && end == start + 1 && ENDS.contains(&self.word(spot, start))
        });
        let repeats =
            elements.first().is_some_and(|&(start, end)| (start..end).any(|at| self.is(spot, at, b';')));
        if repeats || self.is(spot, close + 1, b'*') {
            return None;
        }
        for (start, end) in elements {
            let (element, is_optional) = self.list_element(spot, start, end);
            let longer = each_longer(&lists, &element);
            lists = if is_optional {
                longer.into_iter().chain(lists).take(MAX_VARIANTS).collect()
            } else {
                longer
            };
        }
        Some(lists)
    }

    /// The values of an element, and whether it may be left out: `if (newest) "year > ?"`.
    fn list_element(&self, spot: Spot, start: usize, end: usize) -> (Vec<Text>, bool) {
        // `[HOURS] = "hours"`
        let index = if self.is(spot, start, b'[') { self.matching(spot, start) + 1 } else { start };
        let start = if index > start && self.is(spot, index, b'=') { index + 1 } else { start };
        // `[...clauses, "year > ?"]`
        let mark = self.language(spot).map_or("", |language| language.variadic);
        let is_spread = mark == "..." && (start..start + mark.len()).all(|at| self.is(spot, at, b'.'));
        if is_spread && let Some(lists) = self.list_of(spot, start + mark.len(), end) {
            return (lists, false);
        }
        let is_choice = self.word(spot, start) == "if" && self.is(spot, start + 1, b'(');
        if !is_choice || self.language(spot).is_some_and(|language| language.block_values) {
            return (self.chain(spot, start).0, false);
        }
        let (mut values, next) = self.chain(spot, self.matching(spot, start + 1) + 1);
        let has_else = self.word(spot, next) == "else";
        if has_else {
            values.extend(self.chain(spot, next + 1).0);
        }
        (values, !has_else && next >= end)
    }

    /// `QStringList() << "a" << "b"`
    fn streamed_list(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        let is_list = self.language(spot)?.streams && self.word(spot, at).ends_with("List");
        let pointed = |at: usize| self.is(spot, at, b'<') && self.is(spot, at + 1, b'<');
        if !is_list || !self.is(spot, at + 1, b'(') || !self.is(spot, at + 2, b')') || !pointed(at + 3) {
            return None;
        }
        let mut empty = Text::default();
        empty.push_mark(LIST);
        let mut lists = vec![empty];
        let mut next = at + 3;
        while pointed(next) {
            let (element, end) = self.chain(spot, next + 2);
            lists = each_longer(&lists, &element);
            next = end.max(next + 3);
        }
        Some(lists)
    }

    /// Whether something is made of the list that is written at a token.
    pub(super) fn goes_on_behind_list(&self, spot: Spot, at: usize) -> bool {
        let open = self.list_open(spot, at);
        matches!(open, Some(Opened::At(open)) if self.is(spot, self.matching(spot, open) + 1, b'.'))
    }

    /// The bracket that opens the list at a token.
    pub(super) fn list_open(&self, spot: Spot, from: usize) -> Option<Opened> {
        let language = self.language(spot)?;
        let mut at = from;
        while self.is(spot, at, b'&') {
            at += 1;
        }
        // `<String>[…]`
        if self.is(spot, at, b'<') && language.typed {
            let end = (at + 1..at + 8).find(|&end| self.is(spot, end, b'>'))?;
            return self.is(spot, end + 1, b'[').then_some(Opened::At(end + 1));
        }
        if self.is(spot, from, b'{') && language.typed && self.gives_array(spot, from) {
            return Some(Opened::At(from));
        }
        let word = self.word(spot, at);
        if self.is(spot, at, b'[') {
            // `[]string{…}`
            let typed = language.receivers && self.is(spot, at + 1, b']');
            let brace = || (at + 2..at + 6).find(|&next| self.is(spot, next, b'{'));
            return Some(Opened::At(if typed { brace()? } else { at }));
        }
        if word == "vec" && self.is(spot, at + 1, b'!') {
            return Some(Opened::At(at + 2));
        }
        if language.typed && word == "new" {
            let name = self.word(spot, at + 1);
            let end = (at + 1..at + 16).find(|&next| b"({;".iter().any(|&sign| self.is(spot, next, sign)))?;
            let brace = if self.is(spot, end, b'(') { self.matching(spot, end) + 1 } else { end };
            let is_list = name.contains("List") || self.is(spot, at + 1, b'[') || self.is(spot, at + 2, b'[');
            let opened = if self.is(spot, brace, b'{') { Opened::At(brace) } else { Opened::Empty };
            return is_list.then_some(opened);
        }
        let open = (at + 1..at + 8).find(|&next| self.is(spot, next, b'('))?;
        let is_type = |next: usize| {
            self.kind(spot, next) == Some(Kind::Word)
                || b"<>.,?".iter().any(|&sign| self.is(spot, next, sign))
        };
        let named = language.lists.contains(&word) && (at + 1..open).all(is_type);
        named.then_some(Opened::At(open))
    }

    /// The call that joins a list, if the method or function of a name is one.
    pub(super) fn joining(&self, spot: Spot, name: &str) -> Option<Joining> {
        let language = self.language(spot)?;
        language.joinings.iter().find(|joining| joining.name == name).copied()
    }

    /// The text that a call makes of a list; `receiver` is what stands in front of its dot, from its first token to the dot.
    pub(super) fn joined(
        &self,
        spot: Spot,
        joining: Joining,
        (receiver, value): (Option<(usize, usize)>, &[Text]),
        open: usize,
    ) -> Option<Vec<Text>> {
        let (arguments, _) = self.arguments(spot, open);
        let argument = |number: usize| arguments.get(number).copied();
        let (start, end) = match joining.list {
            Place::Receiver => receiver?,
            Place::Argument(number) => argument(number)?,
            Place::Always(_) => return None,
        };
        let separators = match joining.separator {
            Place::Receiver => value.to_vec(),
            Place::Always(text) => vec![self.exactly(text, spot, open)],
            Place::Argument(number) => match argument(number) {
                Some((start, _)) => self.chain(spot, self.behind_label(spot, start)).0,
                None => vec![self.exactly(",", spot, open)],
            },
        };
        if separators.is_empty() || separators.iter().any(is_only_hole) {
            return None;
        }
        let lists = self.made_list(spot, start..end).or_else(|| self.list_of(spot, start, end));
        let lists = lists.or_else(|| self.mapped(spot, (start, end), &separators));
        let Some(lists) = lists.or_else(|| self.keys_list(spot, start..end)) else {
            let name = Some(start).filter(|_| end == start + 1).map_or("", |at| self.word(spot, at));
            return self.open_list(spot, name, start);
        };
        joined_by(&lists, &separators)
    }

    /// The value of an argument, behind its label if it has one.
    pub(super) fn behind_label(&self, spot: Spot, start: usize) -> usize {
        let labelled = self.is(spot, start + 1, b':') || self.is(spot, start + 1, b'=');
        if self.kind(spot, start) == Some(Kind::Word) && labelled { start + 2 } else { start }
    }

    /// The list that some tokens stand for: written there, or a name for one.
    pub(super) fn list_of(&self, spot: Spot, start: usize, end: usize) -> Option<Vec<Text>> {
        if let Some(list) = self.list_at(spot, start) {
            let is_all = match self.list_open(spot, start) {
                Some(Opened::At(open)) => self.matching(spot, open) + 1 >= end,
                Some(Opened::Empty) => true,
                None => self.is_tuple(spot, start) && self.matching(spot, start) + 1 >= end,
            };
            return Some(list).filter(|_| is_all);
        }
        let is_path = |at: usize| {
            self.kind(spot, at) == Some(Kind::Word) || b".$&:*".iter().any(|&sign| self.is(spot, at, sign))
        };
        let name = end.checked_sub(1).filter(|&name| name >= start && (start..end).all(is_path))?;
        let word = self.word(spot, name);
        self.list_named(spot, word, name)
    }

    /// The list that a name stands for: of the function around, of the turn of a loop, of who calls the function, of the file.
    pub(super) fn list_named(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        // A list that is made anew of what a caller hands over is that at first.
        let own = if self.is_held(spot, name) { None } else { self.local(spot, name, at) };
        let own = own.filter(|lists| lists.iter().any(is_list_value));
        let own = own.or_else(|| self.turned_list(spot, name, at)).or_else(|| self.handed_list(spot, name));
        own.or_else(|| self.distant_list(spot, name).filter(|_| !self.is_held(spot, name)))
    }

    /// Whether a declaration joins the list that its name meant before: `let columns = columns.join(", ")`.
    pub(super) fn shadows(&self, spot: Spot, deed: &Deed) -> bool {
        let (name, value) = (deed.name as usize, deed.value as usize);
        deed.declares
            && self.word(spot, value) == self.word(spot, name)
            && self.is(spot, value + 1, b'.')
            && self.joining(spot, self.word(spot, value + 2)).is_some()
            && self.local(spot.whole(), self.word(spot, name), name).is_some()
    }

    /// What is made of a list that callers of the function around hand over, while none of them is looked at.
    pub(super) fn open_list(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        self.taken(spot, name)?;
        Some(vec![self.hole(spot, at, name, true)])
    }

    /// Whether `("a", "b")` stands at a token, where that is a list.
    pub(super) fn is_tuple(&self, spot: Spot, at: usize) -> bool {
        if !self.is(spot, at, b'(') || !self.language(spot).is_some_and(|language| language.indented) {
            return false;
        }
        let (elements, close) = self.arguments(spot, at);
        elements.len() > 1 || (close > at + 1 && self.is(spot, close - 1, b','))
    }

    /// Where the expression starts that joins the list at a token: `" ".join(list)`, `strings.Join(list, " ")`,
    /// `[…].join(" ")`.
    pub(in crate::extract) fn joining_around(&self, spot: Spot, at: usize) -> Option<usize> {
        let dot = self.matching(spot, at) + 1;
        if self.is(spot, at, b'[') && self.is(spot, dot, b'.') {
            return self.joining(spot, self.word(spot, dot + 1)).map(|_| at);
        }
        let open = self.code(spot)?.around(at).next().filter(|&open| self.is(spot, open, b'('))?;
        let mut first = open.checked_sub(1)?;
        self.joining(spot, self.word(spot, first)).filter(|joining| joining.list != Place::Receiver)?;
        while let Some(dot) = first.checked_sub(1).filter(|&dot| self.is(spot, dot, b'.')) {
            first = dot.checked_sub(1)?;
        }
        Some(first)
    }

    /// Of a text in front of a dot: the method that is called on it, where that joins a list.
    pub(super) fn joining_method(&self, spot: Spot, at: usize, value: &[Text], dot: usize) -> Option<Folded> {
        let joining = self.joining(spot, self.word(spot, dot + 1))?;
        let open = dot + 2;
        let text = self.joined(spot, joining, (Some((at, dot)), value), open)?;
        Some((text, self.matching(spot, open) + 1))
    }
}

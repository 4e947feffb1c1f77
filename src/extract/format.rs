//! Format strings: their holes, and what fills them. An `impl` of [`Folder`], apart for its length.

mod percents;

pub use percents::fill_percents;

use super::{
    fold::{Folded, Folder, MAX_VARIANTS, Spot, is_list, partners},
    languages::FormatStyle,
    lexer::Kind,
    text::Text,
};
use percents::{numbered, percents, quoted};

/// As many arguments may stand in front of the text that a call fills, and it.
const MAX_TEMPLATE: usize = 3;

/// A format string of which some holes are filled.
#[derive(Clone, Default)]
pub(super) struct Filled {
    /// What it is so far.
    pub text: Text,
    /// Which of several values each choice took.
    chosen: Vec<usize>,
}

impl Filled {
    /// The value that this choice took before: who names an argument twice gets the same twice.
    pub fn repeat(&mut self, values: &[Text], choice: usize) {
        let at = self.chosen.get(choice).copied().unwrap_or(0);
        if let Some(value) = values.get(at).or(values.first()) {
            self.text.append(value);
        }
    }

    /// Each with each value, as far as the variants are followed.
    pub fn each(all: &[Self], values: &[Text]) -> Vec<Self> {
        let put = |(one, at): (usize, usize)| {
            let mut one = all.get(one)?.clone();
            one.text.append(values.get(at)?);
            one.chosen.push(at);
            Some(one)
        };
        partners(all.iter().map(|one| &one.text), values).into_iter().filter_map(put).collect()
    }
}

/// What a hole of a format string names.
#[derive(PartialEq)]
enum Field<'a> {
    /// The next argument.
    Next,
    /// The argument of this number, from 0.
    Number(usize),
    /// An argument or a variable of this name, or an expression.
    Name(&'a str),
}

/// A piece of a format string.
enum Piece<'a> {
    /// Text between two offsets.
    Text(usize, usize),
    /// A hole at an offset.
    Hole(usize, Field<'a>),
}

impl Folder<'_> {
    /// `format!("… {} …", a)`, `Sprintf("… %s …", a)`: the arguments between brackets.
    pub(super) fn format_call(&self, spot: Spot, open: usize, style: FormatStyle) -> Folded {
        let (arguments, close) = self.arguments(spot, open);
        let first = self.template(spot, &arguments, style);
        let template = arguments.get(first).map_or_else(Vec::new, |&(start, _)| self.chain(spot, start).0);
        let rest = arguments.get(first + 1..).unwrap_or(&[]);
        (self.fill_all(spot, &template, rest, style), close + 1)
    }

    /// Which of the arguments of a format call is the text that it fills: a name in front of the first literal, where it stands
    /// for a text with holes, else that literal.
    fn template(&self, spot: Spot, arguments: &[(usize, usize)], style: FormatStyle) -> usize {
        let is_literal = |&(start, _): &(usize, usize)| self.kind(spot, start) == Some(Kind::Text);
        let literal = arguments.iter().position(is_literal);
        let mark = if style == FormatStyle::Braces { '{' } else { '%' };
        let has_holes = |&(start, _): &(usize, usize)| {
            let is_name = self.kind(spot, start) == Some(Kind::Word);
            is_name && self.chain(spot, start).0.iter().any(|text| text.as_str().contains(mark))
        };
        let before = literal.unwrap_or(arguments.len()).min(MAX_TEMPLATE);
        let named = arguments.iter().take(before).position(has_holes);
        named.or(literal).unwrap_or(0)
    }

    /// The format call which fills the text that the name at a token stands for, or begins with it: `format(name, value)`,
    /// `Sprintf("%s %s", name, value)`.
    pub(super) fn template_around(&self, spot: Spot, at: usize) -> Option<usize> {
        let code = self.code(spot)?;
        let open = code.around(at).next().filter(|&open| code.is(open, b'('))?;
        let name = open.checked_sub(1)?;
        let mut formats = code.language().formats.iter().filter(|format| !format.bang);
        let format = formats.find(|format| format.name == code.word(name))?;
        let (arguments, _) = code.arguments(open);
        let place = self.template(spot, &arguments, format.style);
        let &(start, end) = arguments.get(place)?;
        let is_first =
            || arguments.get(place + 1) == Some(&(at, at + 1)) && self.begins_with_value(spot, start);
        ((start..end).contains(&at) || is_first()).then_some(name)
    }

    /// Whether a literal begins with the first value that is put in, and has more behind it than the closing quote.
    fn begins_with_value(&self, spot: Spot, at: usize) -> bool {
        let text = self
            .code(spot)
            .map_or("", |code| code.word(at))
            .trim_start_matches(['"', '`', '\''])
            .trim_start();
        ["%s", "%v", "{}", "{0}"]
            .iter()
            .any(|verb| text.strip_prefix(verb).is_some_and(|rest| rest.len() > 1))
    }

    /// `"… %s …" % (a, b)`: the operator stands at a token.
    pub(super) fn percent_operator(&self, spot: Spot, value: &[Text], operator: usize) -> Folded {
        if self.is(spot, operator + 1, b'(') {
            let (arguments, close) = self.arguments(spot, operator + 1);
            return (self.fill_all(spot, value, &arguments, FormatStyle::Percent), close + 1);
        }
        let inner = spot.deeper();
        let end = if self.is(spot, operator + 1, b'{') {
            self.matching(spot, operator + 1) + 1
        } else {
            self.chain(inner, operator + 1).1.max(operator + 2)
        };
        (self.fill_all(spot, value, &[(operator + 1, end)], FormatStyle::Percent), end)
    }

    /// Fills the holes of all variants of a format string.
    pub(super) fn fill_all(
        &self,
        spot: Spot,
        value: &[Text],
        arguments: &[(usize, usize)],
        style: FormatStyle,
    ) -> Vec<Text> {
        let mut filled = Vec::new();
        for text in value {
            let (pieces, given) = match style {
                FormatStyle::Braces => (braces(text.as_str()), arguments),
                FormatStyle::Percent => (percents(text.as_str(), false), arguments),
                FormatStyle::Numbered => {
                    // Of several numbers in a row the later ones say how the first is written.
                    let is_width = |&(start, _): &(usize, usize)| self.kind(spot, start) == Some(Kind::Atom);
                    let count = if arguments.iter().skip(1).any(is_width) { 1 } else { arguments.len() };
                    (numbered(text.as_str(), count), arguments.get(..count).unwrap_or(arguments))
                }
            };
            filled.extend(self.put_together(spot, text, &pieces, Some(given)));
        }
        filled.truncate(MAX_VARIANTS);
        filled
    }

    /// Fills the holes of a text that holds expressions in braces.
    pub(super) fn fill_braces(
        &self,
        spot: Spot,
        text: &Text,
        arguments: Option<&[(usize, usize)]>,
    ) -> Vec<Text> {
        self.put_together(spot, text, &braces(text.as_str()), arguments)
    }

    fn put_together(
        &self,
        spot: Spot,
        text: &Text,
        pieces: &[Piece<'_>],
        arguments: Option<&[(usize, usize)]>,
    ) -> Vec<Text> {
        let mut all = vec![Filled::default()];
        // What was chosen of several values, in the order of the choices.
        let mut named: Vec<(&Field<'_>, &str)> = Vec::new();
        let mut next = 0;
        for piece in pieces {
            let (part, field) = match piece {
                Piece::Text(start, end) => (vec![text.part(*start, *end)], (&Field::Next, "")),
                Piece::Hole(at, field) => {
                    // `format("… %s … %s …", table, table)`
                    let given = arguments.and_then(|arguments| arguments.get(next));
                    let word =
                        given.filter(|_| *field == Field::Next).map_or("", |given| self.lone(spot, *given));
                    let values = self.field(spot, text, *at, field, arguments, &mut next);
                    (quoted(text, *at, values), (field, word))
                }
            };
            let is_same =
                |one: &(&Field<'_>, &str)| *one == field && (*one.0 != Field::Next || !one.1.is_empty());
            match (named.iter().position(is_same), part.as_slice()) {
                (Some(choice), _) => all.iter_mut().for_each(|one| one.repeat(&part, choice)),
                (None, [only]) if !only.is_part() => {
                    for one in &mut all {
                        one.text.append(only);
                    }
                }
                (None, _) => {
                    named.push(field);
                    all = Filled::each(&all, &part);
                }
            }
        }
        all.into_iter().map(|one| one.text).collect()
    }

    fn field(
        &self,
        spot: Spot,
        text: &Text,
        at: usize,
        field: &Field<'_>,
        arguments: Option<&[(usize, usize)]>,
        next: &mut usize,
    ) -> Vec<Text> {
        let number = match field {
            Field::Next => {
                *next += 1;
                *next - 1
            }
            Field::Number(number) => *number,
            Field::Name(name) => return self.named_field(spot, text, at, name, arguments),
        };
        match arguments.and_then(|arguments| arguments.get(number)) {
            Some(&(start, _)) => self.chain(spot, self.argument_value(spot, start)).0,
            None => vec![unnamed(text, at, "", false)],
        }
    }

    /// The name that is all of an expression; nothing where it is more.
    pub(super) fn lone(&self, spot: Spot, (start, end): (usize, usize)) -> &str {
        let is_lone = end == start + 1 && self.kind(spot, start) == Some(Kind::Word);
        if is_lone { self.word(spot, start) } else { "" }
    }

    /// The value of an argument, behind its name if it has one.
    fn argument_value(&self, spot: Spot, start: usize) -> usize {
        if self.assigns(spot, start + 1) { start + 2 } else { start }
    }

    fn named_field(
        &self,
        spot: Spot,
        text: &Text,
        at: usize,
        name: &str,
        arguments: Option<&[(usize, usize)]>,
    ) -> Vec<Text> {
        let given = arguments
            .unwrap_or(&[])
            .iter()
            .find(|&&(start, _)| self.word(spot, start) == name && self.is(spot, start + 1, b'='));
        if let Some(&(start, _)) = given {
            return self.chain(spot, start + 2).0;
        }
        if let Some(&[(open, _)]) = arguments.map(|arguments| arguments.get(..1).unwrap_or(&[]))
            && let Some(value) = self.entry(spot, open, name)
        {
            return self.chain(spot, value).0;
        }
        if let Some(member) = self.member_within(spot, name) {
            return member;
        }
        let is_name = |character: char| character.is_alphanumeric() || "_.".contains(character);
        let last = name.rsplit('.').next().unwrap_or(name).trim();
        if name.chars().all(is_name) {
            let end = text.locate(at as u32).map_or(0, |(_, offset)| offset);
            let token = self.tokens(spot).partition_point(|token| token.start <= end);
            let own = || {
                self.of_own(spot, name)
                    .or_else(|| self.of_type_within(spot, name))
                    .or_else(|| self.of_path(spot, name, token))
                    .or_else(|| self.value_of(spot, last, token))
                    .or_else(|| self.shown_within(spot, name))
            };
            if let Some(value) = own() {
                return value;
            }
            return vec![unnamed(text, at, last, is_list(last))];
        }
        // The expression stands behind the brace.
        let place = text.locate(at as u32).map(|(source, brace)| (source, brace + 1));
        if let Some(computed) = place.and_then(|place| self.computed_within(spot, name, place)) {
            return computed;
        }
        let word: String = name.chars().take_while(|&character| is_name(character)).collect();
        // Two elements of one list are not one value.
        let is_element = name.len() <= 40 && name.get(word.len()..).is_some_and(|rest| rest.starts_with('['));
        let hole = unnamed(text, at, if is_element { name } else { &word }, is_list(name));
        let is_call = name.ends_with(')') && name.get(word.len()..).is_some_and(|rest| rest.starts_with('('));
        vec![if is_call && !word.is_empty() { self.made_by(spot, &word, hole) } else { hole }]
    }

    /// The value of an entry of the map that is written at a token: `{"name": value}`.
    fn entry(&self, spot: Spot, open: usize, name: &str) -> Option<usize> {
        if !self.is(spot, open, b'{') {
            return None;
        }
        let (entries, _) = self.arguments(spot, open);
        let is_key = |at: usize| self.kind(spot, at) == Some(Kind::Text) && self.is(spot, at + 1, b':');
        let key = |at: usize| self.word(spot, at).trim_matches(['"', '\'']);
        entries.into_iter().map(|(start, _)| start).find(|&at| is_key(at) && key(at) == name).map(|at| at + 2)
    }
}

/// A hole that stands where the format string has it.
fn unnamed(text: &Text, at: usize, name: &str, list: bool) -> Text {
    let mut hole = Text::default();
    if let Some((source, offset)) = text.locate(at as u32) {
        hole.push_hole(name, list, source, offset);
    }
    hole
}

/// The pieces of `… {} {0} {name:?} {{ … }}`.
fn braces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let doubled = bytes.get(at + 1) == Some(&byte);
        match byte {
            b'{' | b'}' if doubled => {
                pieces.push(Piece::Text(from, at + 1));
                at += 2;
                from = at;
            }
            b'{' => {
                let Some(end) = closing_brace(bytes, at) else { break };
                pieces.push(Piece::Text(from, at));
                let inner = text.get(at + 1..end).unwrap_or("");
                let blank = inner.len() - inner.trim_start().len();
                pieces.push(Piece::Hole(at + blank, brace_field(inner)));
                at = end + 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    pieces.push(Piece::Text(from, text.len()));
    pieces
}

fn closing_brace(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn brace_field(inner: &str) -> Field<'_> {
    // The colon starts the format, unless it stands in brackets of an expression.
    let name = match inner.find(['(', '[', '\'', '"']) {
        Some(_) => inner,
        None => inner.split([':', '!']).next().unwrap_or(""),
    };
    let name = name.trim();
    match name.parse() {
        Ok(number) => Field::Number(number),
        Err(_) if name.is_empty() => Field::Next,
        Err(_) => Field::Name(name),
    }
}

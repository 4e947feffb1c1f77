//! Values of several parts, and the names that take them apart: `let (clause, values) = …`, `const { clause } = …`. An `impl`
//! of [`Folder`], apart for its length.

use super::{
    Folded, Folder, Spot,
    deeds::{Deed, Does, deed, has_bare_values},
};
use crate::extract::{code::Code, lexer::Kind, text::Text};
use std::hash::BuildHasher;

/// Which part of a value is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    Whole,
    /// The one at a place.
    At(u16),
    /// The one of a name, by its hash.
    Of(u64),
}

impl Part {
    fn of(key: &str) -> Self {
        Self::Of(rustc_hash::FxBuildHasher.hash_one(key))
    }
}

/// The most tokens of values that stand side by side.
const LONGEST: usize = 400;

/// The most tokens between the names of a pattern and the sign behind its type.
const LONGEST_TYPE: usize = 40;

/// Functions that make one value of their arguments.
const MAKES: [&str; 3] = ["Pair", "Triple", "array"];

impl Folder<'_> {
    /// The part that is asked for of what a bracket opens.
    pub(super) fn part(&self, spot: Spot, open: usize) -> Folded {
        let (elements, _) = self.arguments(spot, open);
        let next = self.matching(spot, open) + 1;
        // What is spread among them stands for any number of them.
        let is_spread = |&(start, _): &(usize, usize)| is_rest(self.code(spot), start);
        let start = match (spot.part, elements.as_slice()) {
            (Part::At(_), [(start, _)]) if self.is(spot, open, b'(') => {
                return (self.chain(spot, *start).0, next);
            }
            (Part::At(place), all) => {
                let before = all.get(..=usize::from(place)).filter(|before| !before.iter().any(is_spread));
                before.and_then(<[_]>::last).map(|&(start, _)| start)
            }
            (_, all) if all.iter().any(is_spread) => None,
            (part, all) => all.iter().rev().find_map(|&range| self.value_of_key(spot, range, part)),
        };
        // The braces around a name are no branch.
        let is_lone = |start: usize| {
            self.kind(spot, start) == Some(Kind::Word)
                && b",}".iter().any(|&end| self.is(spot, start + 1, end))
        };
        let mut value = start.and_then(|start| match spot.part {
            Part::Of(_) if is_lone(start) => self.value_of(spot.whole(), self.word(spot, start), open),
            _ => Some(self.chain(spot.whole(), start).0),
        });
        value.iter_mut().flatten().for_each(|text| text.mark_part((spot.unit, open as u32)));
        (value.unwrap_or_else(|| vec![self.hole(spot, open, "", false)]), next)
    }

    /// Where the value stands of an element, if that has the name which is asked for: `clause: "…"`, `clause`.
    fn value_of_key(&self, spot: Spot, (start, end): (usize, usize), part: Part) -> Option<usize> {
        let is_named = Part::of(self.word(spot, start)) == part;
        let is_pair = self.is(spot, start + 1, b':');
        (is_named && (is_pair || end == start + 1)).then_some(if is_pair { start + 2 } else { start })
    }

    /// The part that is asked for of what a name stands for, or a call of it gives back.
    pub(super) fn part_of_word(&self, spot: Spot, at: usize, name: usize) -> Folded {
        let word = self.word(spot, name);
        let hole = |name: &str| vec![self.hole(spot, at, name, false)];
        let open = self.call_open(spot, name);
        if self.is(spot, open, b'{') && self.makes_struct(spot, word) {
            return self.part(spot, open);
        }
        if !self.is(spot, open, b'(') {
            let known = self.local(spot, word, name).or_else(|| self.part_of_constant(spot, word));
            return (known.unwrap_or_else(|| hole(word)), name + 1);
        }
        let close = self.matching(spot, open);
        let is_same = self.language(spot).is_some_and(|language| language.identities.contains(&word));
        let value = if MAKES.contains(&word) {
            return self.part(spot, open);
        } else if is_same || matches!(word, "Ok" | "Some") {
            self.chain(spot, open + 1).0
        } else {
            self.returned(spot, name).unwrap_or_else(|| hole(self.spelled(spot, name, close + 1)))
        };
        (value, close + 1)
    }

    /// The part that is asked for of what a constant stands for, which may be in another file.
    fn part_of_constant(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        if name.contains(char::is_lowercase) {
            return None;
        }
        let (inner, value) = self.lookup_tree(spot, name, ("", &[]))?;
        Some(self.chain(Spot { part: spot.part, ..inner }, value).0)
    }

    /// Whether a name in front of a brace is that of a type, so that its fields stand there: `Names { table: "ships" }`.
    fn makes_struct(&self, spot: Spot, name: &str) -> bool {
        let blocks = self.language(spot).is_some_and(|language| language.block_values);
        blocks && name.starts_with(char::is_uppercase)
    }

    /// The name of what a function of Go gives back at this place, which a bare `return` means: `(text string, args []any)`, behind
    /// its parameters.
    pub(super) fn named_result(&self, spot: Spot, close: usize) -> Option<&str> {
        let has_them = self.language(spot)?.receivers && self.is(spot, close + 1, b'(');
        let end = self.matching(spot, close + 1).min(close + LONGEST);
        let place = if let Part::At(place) = spot.part { usize::from(place) } else { 0 };
        let mut names = vec![close + 2];
        let mut at = close + 2;
        while has_them && at < end {
            if self.is(spot, at, b',') {
                names.push(at + 1);
            }
            at = if self.opens(spot, at) { self.matching(spot, at) } else { at } + 1;
        }
        // Types alone have no name in front.
        let is_named = |&at: &usize| {
            self.kind(spot, at) == Some(Kind::Word) && !b".,)".iter().any(|&sign| self.is(spot, at + 1, sign))
        };
        let name = names.get(place).filter(|_| has_them && names.iter().any(is_named))?;
        Some(self.word(spot, *name))
    }

    /// What a function gives back by the expression that starts at a token.
    pub(super) fn given(&self, spot: Spot, at: usize) -> Vec<Text> {
        let code = self.code(spot).filter(|code| has_bare_values(*code));
        let (Part::At(place), Some(code)) = (spot.part, code) else { return self.chain(spot, at).0 };
        let (elements, end) = bare_elements(code, at);
        if elements.len() == 1 {
            return self.chain(spot, at).0;
        }
        let Some(&start) = elements.get(usize::from(place)) else { return Vec::new() };
        let mut texts = self.chain(spot.whole(), start).0;
        // `return "", nil, err` tells of no text.
        let is_error = |last: usize| (last..end).any(|at| code.word(at).to_ascii_lowercase().contains("err"));
        if code.language().receivers && elements.last().is_some_and(|&last| is_error(last)) {
            texts.retain(|text| !text.as_str().is_empty());
        }
        for text in &mut texts {
            text.mark_part((spot.unit, at as u32));
        }
        texts
    }
}

/// Whether what is spread, or what is left, begins at a token: `...rest`, `..`, `*rest`.
fn is_rest(code: Option<Code<'_>>, at: usize) -> bool {
    code.is_some_and(|code| code.is(at, b'*') || (code.is(at, b'.') && code.is(at + 1, b'.')))
}

/// Where the values start that stand side by side from a token on, without brackets around them, and where the last ends.
fn bare_elements(code: Code<'_>, from: usize) -> (Vec<usize>, usize) {
    let mut all = vec![from];
    let mut at = from;
    while let Some(kind) = code.kind(at).filter(|_| at < from + LONGEST) {
        let ends = kind == Kind::Line || code.is(at, b';') || code.closes(at);
        let goes_on = at == from || code.is(at - 1, b',');
        if ends || (!goes_on && code.by_lines() && code.is_on_new_line(at)) {
            break;
        }
        if code.is(at, b',') {
            all.push(at + 1);
        }
        at = code.behind(at);
    }
    (all, at)
}

/// `(a, b) = …`, `[a, b] = …`, `{ a, b: c } = …`: each name with its part. The bracket that closes stands at a token.
pub(super) fn apart(code: Code<'_>, close: usize, all: &mut Vec<Deed>) {
    let Some((open, value)) = code.opening(close).zip(assigned(code, close + 1)) else { return };
    let first = if code.is(open, b'{') { path_in_front(code, open) } else { open };
    let word = first.checked_sub(1).map_or("", |before| code.word(before));
    let declares =
        code.language().declares.contains(&word) || matches!(word, "let" | "var" | "val" | "final");
    let starts = code.starts_statement(open) || word == "list";
    if !(declares || starts) {
        return;
    }
    let is_skipped = |at: &usize| code.is(*at, b'$') || matches!(code.word(*at), "mut" | "ref" | "var");
    for (place, (start, end)) in code.arguments(open).0.into_iter().enumerate() {
        if is_rest(Some(code), start) {
            return;
        }
        let start = (start..end).find(|at| !is_skipped(at)).unwrap_or(end);
        let is_keyed = code.is(open, b'{');
        let name = match end.saturating_sub(start) {
            1 => start,
            3 if is_keyed && code.is(start + 1, b':') => start + 2,
            _ => continue,
        };
        if code.is_word(name) {
            let part = if is_keyed { Part::of(code.word(start)) } else { Part::At(place as u16) };
            all.push(Deed { part, ..deed((name, name), value, Does::Gives, declares) });
        }
    }
}

/// The first token of the type that stands in front of the brace of a pattern, or the brace: `let crate::Names { table } = …`.
fn path_in_front(code: Code<'_>, open: usize) -> usize {
    let is_type = |at: &usize| code.is_word(*at) && code.word(*at).starts_with(char::is_uppercase);
    let Some(mut first) = open.checked_sub(1).filter(is_type) else { return open };
    while first > 2 && code.is(first - 1, b':') && code.is(first - 2, b':') && code.is_word(first - 3) {
        first -= 3;
    }
    first
}

/// Where the value stands that a pattern is given, behind its type.
fn assigned(code: Code<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    if code.is(at, b':') {
        while !code.is(at, b'=') {
            if at > from + LONGEST_TYPE || code.is(at, b';') || code.closes(at) || code.kind(at).is_none() {
                return None;
            }
            at = code.behind(at);
        }
    }
    (code.is(at, b'=') && !code.is(at + 1, b'=') && !code.is(at + 1, b'>')).then_some(at + 1)
}

/// Says of what a pattern takes apart which pattern that is.
pub(super) fn settle_parts(texts: &mut [Text], spot: Spot, deed: &Deed) {
    if deed.part != Part::Whole {
        for text in texts.iter_mut() {
            text.settle_part((spot.unit, deed.value));
        }
    }
}

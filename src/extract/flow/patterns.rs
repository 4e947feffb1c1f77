//! Patterns for a LIKE or a GLOB that code puts together, where it is plain that they begin with a wildcard. Where a branch, or a call that
//! nobody knows, may make something else of one, nothing is said of it. Knows no SQL.

use super::{Flow, runs::Bound};
use crate::extract::{
    languages::{FormatCall, FormatStyle},
    lexer::Kind,
};
use std::ops::Range;

/// Words by which a value is one of several.
const BRANCHES: [&str; 5] = ["if", "else", "unless", "when", "match"];

/// Methods and types that make a text of a text, and the same one.
const KEEPS: [&str; 7] = ["as_str", "to_string", "to_owned", "into", "clone", "as_ref", "toString"];

/// The text that a pattern begins with.
struct Begin {
    text: usize,
    /// How it marks its holes, where a call fills them.
    style: Option<FormatStyle>,
    /// Whether it is all of the pattern.
    is_whole: bool,
}

impl Flow<'_> {
    /// The patterns among what a call is given behind its text that begin with a wildcard.
    pub fn patterns_of(&self, sink: usize, text: usize) -> Vec<(u32, Option<String>, String)> {
        let values = self.values_behind(sink, text);
        let pattern = |(at, (name, range)): (usize, Bound)| Some((at as u32, name, self.pattern(range)?));
        values.into_iter().enumerate().filter_map(pattern).collect()
    }

    /// A pattern that begins with `%`, or with `*`, put together where it is bound or where a name for it gets its value: `"%" + word + "%"`,
    /// `format!("%{word}%")`.
    fn pattern(&self, range: Range<usize>) -> Option<String> {
        let range = self.bare(self.meant(self.bare(range))?);
        let is_branch = |at: usize| self.code.is(at, b'?') || BRANCHES.contains(&self.code.word(at));
        if range.clone().any(is_branch) {
            return None;
        }
        let begin = self.text_first(&range).or_else(|| self.format_first(&range))?;
        let content = self.content(begin.text)?;
        // GLOB has another sign than LIKE.
        let sign = if content.starts_with('*') { "*" } else { "%" };
        let rest = content.strip_prefix(sign)?;
        let starts = |all: &[&str]| rest.starts_with(sign) || all.iter().any(|one| rest.starts_with(one));
        let (is_wildcard, end) = match begin.style {
            None => (rest.is_empty() || starts(&["{", "$", "\\(", "#{"]), sign),
            Some(FormatStyle::Braces) => (rest.is_empty() || starts(&["{"]), sign),
            Some(FormatStyle::Percent) if sign == "*" => (starts(&["%"]), sign),
            // Any other sign behind it makes it a hole.
            Some(FormatStyle::Percent) => (starts(&[]), "%%"),
            Some(FormatStyle::Numbered) => (false, sign),
        };
        let last = if begin.is_whole { begin.text } else { range.end.checked_sub(1)? };
        let is_text = self.code.kind(last) == Some(Kind::Text);
        let ends = is_text && self.content(last).is_some_and(|text| text.ends_with(end));
        is_wildcard.then(|| format!("'{sign}…{}'", if ends { sign } else { "" }))
    }

    /// A text that a value begins with: alone, joined to others, or filled by an operator or a method.
    fn text_first(&self, range: &Range<usize>) -> Option<Begin> {
        let (text, next) = (range.start, range.start + 1);
        if self.code.kind(text) != Some(Kind::Text) {
            return None;
        }
        if next == range.end || self.code.is(next, b'+') {
            return Some(Begin { text, style: None, is_whole: next == range.end });
        }
        if self.code.is(next, b'%') {
            return Some(Begin { text, style: Some(FormatStyle::Percent), is_whole: true });
        }
        let (method, open) = (self.code.word(next + 1), next + 2);
        if !self.code.is(next, b'.') {
            return None;
        }
        // A dot joins texts in some languages, and there variables have a sign.
        if method.starts_with('$') || self.code.is(next + 1, b'$') {
            return Some(Begin { text, style: None, is_whole: false });
        }
        let close = self.code.is(open, b'(').then(|| self.code.matching(open))?;
        if KEEPS.contains(&method) && (close + 1 == range.end || self.code.is(close + 1, b'+')) {
            return Some(Begin { text, style: None, is_whole: close + 1 == range.end });
        }
        let style = self.format_of(method, false)?.style;
        (close + 1 == range.end).then_some(Begin { text, style: Some(style), is_whole: true })
    }

    /// The text that a format call fills, where the value is that call.
    fn format_first(&self, range: &Range<usize>) -> Option<Begin> {
        let is_path = |&at: &usize| self.code.is_word(at) || self.code.is(at, b'.') || self.code.is(at, b':');
        let name = range.clone().take_while(is_path).last()?;
        let bang = self.code.is(name + 1, b'!');
        let open = name + 1 + usize::from(bang);
        let (text, behind) = (open + 1, open + 2);
        let close = self.code.is(open, b'(').then(|| self.code.matching(open))?;
        let is_text =
            self.code.kind(text) == Some(Kind::Text) && (self.code.is(behind, b',') || behind == close);
        let style = self.format_of(self.code.word(name), bang)?.style;
        let keeps = self.code.is(close + 1, b'.')
            && KEEPS.contains(&self.code.word(close + 2))
            && self.code.is(close + 3, b'(')
            && close + 5 == range.end;
        let is_all = close + 1 == range.end || keeps;
        (is_text && is_all).then_some(Begin { text, style: Some(style), is_whole: true })
    }

    /// The call of the language that fills the holes of texts, by its name.
    fn format_of(&self, name: &str, bang: bool) -> Option<&'static FormatCall> {
        self.code.language().formats.iter().find(|one| one.name == name && one.bang == bang)
    }

    /// The value of a name to which the function gives only this one; what is no name is its own.
    fn meant(&self, range: Range<usize>) -> Option<Range<usize>> {
        let at = range.start;
        if at + 1 != range.end || !self.code.is_word(at) {
            return Some(range);
        }
        let name = self.code.word(at);
        let mut given = self.assignments().iter().filter(|one| one.names.contains(&name));
        let one = given.next().filter(|one| one.at < at && one.names.len() == 1)?;
        // The caller gives a parameter its first value.
        let is_parameter = !one.declares && self.parameters().iter().flatten().any(|own| *own == name);
        let adds = |at: usize| {
            let is_sign = self.code.is(at + 1, b'+') || self.code.is(at + 1, b'.');
            is_sign && self.code.is(at + 2, b'=') && self.code.word(at) == name
        };
        let is_only = given.next().is_none() && !is_parameter && !self.body.clone().any(adds);
        is_only.then(|| one.value.clone())
    }

    /// A value without the brackets and the signs of references around it.
    fn bare(&self, mut range: Range<usize>) -> Range<usize> {
        loop {
            let at = range.start;
            if self.code.is(at, b'&') || self.code.is(at, b'*') {
                range.start += 1;
            } else if self.code.is(at, b'(') && self.code.matching(at) + 1 == range.end {
                range = at + 1..range.end - 1;
            } else {
                return range;
            }
        }
    }

    /// What stands between the quotes of a text.
    pub(super) fn content(&self, at: usize) -> Option<&str> {
        let (token, whole) = (self.code.tokens().get(at)?, self.code.word(at));
        whole.get(token.open as usize..whole.len().checked_sub(token.close as usize)?)
    }
}

//! Escapes: what a literal's bytes mean, with the place of each.

use super::{Folder, Spot};
use crate::{
    extract::{
        languages::{Escapes, StringForm},
        lexer::Token,
        text::Text,
    },
    source::SourceId,
};

/// The content of a literal, its escapes resolved.
pub(super) fn decode(all: &str, token: &Token, form: &StringForm, source: SourceId) -> Text {
    let (start, end) = token.inner();
    let content = all.get(start as usize..end as usize).unwrap_or("");
    let mut text = Text::default();
    push(&mut text, content, form, source, start);
    text
}

/// Appends a part of a literal that stands at an offset, its escapes resolved.
pub(super) fn push(text: &mut Text, content: &str, form: &StringForm, source: SourceId, start: u32) {
    let twice = [form.close, form.close].concat();
    let mark = match form.escapes {
        Escapes::None | Escapes::Kept => return text.push(content, source, start),
        Escapes::Doubled => twice.as_str(),
        Escapes::SwallowIndent | Escapes::SwallowBreak | Escapes::Gaps => "\\",
    };
    let mut at = 0;
    while let Some(offset) = content.get(at..).and_then(|rest| rest.find(mark)) {
        let slash = at + offset;
        text.push(content.get(at..slash).unwrap_or(""), source, start + at as u32);
        if form.escapes == Escapes::Doubled {
            text.push(form.close, source, start + slash as u32);
            at = slash + mark.len();
            continue;
        }
        let (value, length) = escape(content.get(slash + 1..).unwrap_or(""), form.escapes);
        if let Some(value) = value {
            text.push_at(value.encode_utf8(&mut [0; 4]), source, start + slash as u32);
        }
        at = slash + 1 + length;
    }
    text.push(content.get(at..).unwrap_or(""), source, start + at as u32);
}

impl Folder<'_> {
    /// The text of a character that stands at a token: `' '`, `'\n'`.
    pub(super) fn character(&self, spot: Spot, at: usize) -> Option<Text> {
        self.code(spot).filter(|code| code.is_character(at))?;
        let inner = self.word(spot, at).strip_prefix('\'')?.strip_suffix('\'')?;
        let one = match inner.strip_prefix('\\') {
            Some(rest) => escape(rest, Escapes::SwallowBreak).0?,
            None => inner.chars().next()?,
        };
        Some(self.exactly(one.encode_utf8(&mut [0; 4]), spot, at))
    }
}

/// The character that an escape means, if any, and the length of the escape behind its backslash.
fn escape(rest: &str, escapes: Escapes) -> (Option<char>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    let number = |digits: &str, length: usize| {
        let value = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        (value.or(Some('\u{fffd}')), length)
    };
    match first {
        '&' if escapes == Escapes::Gaps => (None, 1),
        _ if escapes == Escapes::Gaps && first.is_whitespace() => {
            let gap = rest.trim_start();
            (None, rest.len() - gap.strip_prefix('\\').unwrap_or(gap).len())
        }
        'n' => (Some('\n'), 1),
        't' => (Some('\t'), 1),
        'r' => (Some('\r'), 1),
        '0' => (Some('\0'), 1),
        'x' => number(rest.get(1..3).unwrap_or("x"), 3.min(rest.len())),
        'u' if rest.starts_with("u{") => {
            let close = rest.find('}').unwrap_or(2);
            number(rest.get(2..close).unwrap_or("x"), close + 1)
        }
        'u' => number(rest.get(1..5).unwrap_or("x"), 5.min(rest.len())),
        '\n' | '\r' => {
            let breaks = if rest.starts_with("\r\n") { 2 } else { 1 };
            let behind = rest.get(breaks..).unwrap_or("");
            let indent = behind.len() - behind.trim_start().len();
            (None, if escapes == Escapes::SwallowIndent { breaks + indent } else { breaks })
        }
        other => (Some(other), other.len_utf8()),
    }
}

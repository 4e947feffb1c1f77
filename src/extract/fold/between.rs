//! Texts that a call is handed and puts something behind that can be but one thing: rows behind `VALUES`, or values between
//! two of its arguments, `in_query("… IN (", count, ")")`. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot};
use crate::extract::{lexer::Kind, text::Text};

impl Folder<'_> {
    /// Goes on with the texts of the argument between two tokens, where they end so and the call around it runs none itself.
    pub fn go_on_in_call(&self, spot: Spot, (start, end): (usize, usize), texts: &mut [Text]) {
        if !texts.iter().any(|text| takes_rows(text.as_str()) || takes_values(text.as_str())) {
            return;
        }
        let Some(code) = self.code(spot) else { return };
        let called = code.around(start).next().filter(|&open| code.is(open, b'('));
        let Some((open, name)) = called.and_then(|open| Some((open, open.checked_sub(1)?))) else { return };
        let (arguments, _) = code.arguments(open);
        let place = arguments.iter().position(|&(from, to)| from == start && to >= end);
        let is_sink = |word: &str| code.language().sinks.iter().any(|(sink, _)| *sink == word);
        let is_run = code.kind(name) != Some(Kind::Word) || is_sink(code.word(name));
        let Some(place) = place.filter(|_| !is_run && arguments.len() > 1) else { return };
        let later = arguments.iter().skip(place + 1);
        let mut tails = later.filter(|&&(at, _)| code.kind(at) == Some(Kind::Text));
        let tail = tails.find_map(|&(at, _)| {
            let text = self.chain(spot, at).0.into_iter().next()?;
            text.as_str().trim_start().starts_with(')').then_some(text)
        });
        for text in texts {
            let list = self.hole(spot, start, "", true);
            if takes_rows(text.as_str()) {
                text.append(&list);
            } else if let Some(tail) = tail.as_ref().filter(|_| takes_values(text.as_str())) {
                text.append(&list);
                text.append(tail);
            }
        }
    }
}

/// Whether an INSERT ends in front of its rows.
fn takes_rows(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is = |word: Option<&str>, name: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(name));
    let last = text.trim_end().rsplit(|one: char| !one.is_alphanumeric()).next();
    is(last, "values") && words.any(|word| word.eq_ignore_ascii_case("into"))
}

/// Whether a text ends within the parentheses of an IN.
fn takes_values(text: &str) -> bool {
    let head = text.trim_end().strip_suffix('(').map_or("", str::trim_end);
    head.rsplit(char::is_whitespace).next().is_some_and(|word| word.eq_ignore_ascii_case("in"))
}

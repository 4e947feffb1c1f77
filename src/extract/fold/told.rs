//! What a call that nobody follows is told first: `table_name($this->table)` may be the table of a name that is known. An `impl` of
//! [`Folder`], apart for its length.

use super::{Folder, Spot};
use crate::extract::lexer::Kind;
use std::borrow::Cow;

/// How many names deep a call is asked for what it is told: each name there may stand for another call.
const NEAR: u8 = 4;

/// The longest path that is looked at, in tokens.
const LONGEST: usize = 8;

impl Folder<'_> {
    /// What the source says of the call whose name stands at a token, with the text in the place of a path that comes first in it and
    /// stands for one name.
    pub(super) fn told_first(&self, spot: Spot, name: usize, end: usize) -> Cow<'_, str> {
        let spelled = self.spelled(spot, name, end);
        let (arguments, _) = self.arguments(spot, name + 1);
        let Some(&(start, end)) = arguments.first().filter(|_| spot.depth <= NEAR) else {
            return spelled.into();
        };
        let is_sign = |at: usize| b".$->:".iter().any(|&sign| self.is(spot, at, sign));
        let is_path = end - start <= LONGEST
            && (start..end).all(|at| self.kind(spot, at) == Some(Kind::Word) || is_sign(at))
            && self.kind(spot, end - 1) == Some(Kind::Word);
        let is_text = end == start + 1 && self.kind(spot, start) == Some(Kind::Text);
        if !(is_path || is_text && spelled == self.word(spot, name)) {
            return spelled.into();
        }
        let (texts, next) = self.chain(spot.whole().deeper(), start);
        let is_name = |text: &str| {
            let is_part = |one: char| one.is_alphanumeric() || one == '_';
            text.starts_with(char::is_alphabetic) && text.chars().all(is_part)
        };
        match texts.as_slice() {
            [text] if next == end && is_name(text.as_str()) => {
                format!("{}('{}')", self.word(spot, name), text.as_str()).into()
            }
            _ => spelled.into(),
        }
    }
}

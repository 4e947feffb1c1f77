//! Texts that only say what the one beside them does: `{ ADD_BOOKS, "create table books" }`. An `impl` of [`Folder`], apart for its
//! length.

use super::{Folder, Spot};
use crate::extract::{
    lexer::Kind,
    sql::{Looks, contains_word, looks},
};

impl Folder<'_> {
    /// Whether the text at a token is the second of a pair whose first is SQL, and says in small letters what that does with the
    /// same object.
    pub fn is_label(&self, spot: Spot, at: usize) -> bool {
        let Some(open) = at.checked_sub(3) else { return false };
        let (is_open, is_end) =
            (b"{([".iter().any(|&sign| self.is(spot, open, sign)), self.closes(spot, at + 1));
        if !is_open || !is_end || !self.is(spot, at - 1, b',') || self.kind(spot, at) != Some(Kind::Text) {
            return false;
        }
        let label = self.word(spot, at).trim_matches(['"', '\'', '`']);
        let mut words = label.split_whitespace();
        let (verb, object) = (words.next().unwrap_or(""), words.next_back().unwrap_or(""));
        let is_small =
            !label.is_empty() && !label.contains(|one: char| one.is_uppercase() || one == ';' || one == '(');
        let first = || match self.kind(spot, at - 2) {
            Some(Kind::Text) => self.chain(spot, at - 2).0,
            Some(Kind::Word) => self.value_of(spot, self.word(spot, at - 2), at).unwrap_or_default(),
            _ => Vec::new(),
        };
        let says = |sql: &str| {
            let own = sql.split_whitespace().next().unwrap_or("");
            own.eq_ignore_ascii_case(verb)
                && own != verb
                && contains_word(sql, object)
                && looks(sql) == Looks::Yes
        };
        is_small && first().iter().any(|text| says(text.as_str()))
    }

    fn closes(&self, spot: Spot, at: usize) -> bool {
        self.code(spot).is_some_and(|code| code.closes(at))
    }
}

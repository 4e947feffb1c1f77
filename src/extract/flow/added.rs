//! Code that runs where a column was just added: the body of an `if` that holds where ALTER TABLE went well. SQLite refuses to add a
//! column twice, so that what stands there runs once on each database. Does not follow a text that stands in another place.

use super::arms::added;
use crate::extract::{code::Code, lexer::Kind};

/// The most tokens between an ALTER TABLE and the body.
const FURTHEST: usize = 64;

/// What the names end with that say that a call went well, in lower case.
const DONE: [&str; 5] = ["ok", "okay", "success", "nil", "true"];

impl Code<'_> {
    /// Whether a bracket opens what runs only where a column was just added.
    pub fn follows_added_column(&self, open: usize) -> bool {
        if !self.is(open, b'{') {
            return false;
        }
        let before = (open.saturating_sub(FURTHEST)..open).rev();
        let header = before.take_while(|&at| !self.is(at, b'{') && !self.is(at, b'}'));
        let Some(start) = header.take_while(|&at| self.word(at) != "else").find(|&at| self.word(at) == "if")
        else {
            return false;
        };
        if !self.says_done(start + 1, open) {
            return false;
        }
        if (start..open).any(|at| self.adds_column(at)) {
            return true;
        }
        let name = (start + 1..open).find(|&at| self.is_word(at)).map(|at| self.word(at));
        name.is_some_and(|name| self.comes_of_added_column(start, name))
    }

    /// Whether a condition compares by `==` with what says that a call went well, or is a name alone.
    fn says_done(&self, from: usize, to: usize) -> bool {
        if (from..to).any(|at| b"!<>|&?".iter().any(|&sign| self.is(at, sign))) {
            return false;
        }
        let words = || (from..to).rev().filter(|&at| matches!(self.kind(at), Some(Kind::Word | Kind::Atom)));
        let Some(equal) = (from..to).rev().find(|&at| self.is(at, b'=') && self.is(at + 1, b'=')) else {
            return words().nth(1).is_none();
        };
        let last =
            words().next().filter(|&last| last > equal).map(|last| self.word(last).to_ascii_lowercase());
        last.is_some_and(|last| {
            last == "0" || DONE.iter().any(|done| last == *done || last.ends_with(&format!("_{done}")))
        })
    }

    /// Whether a name was last given what adding a column came to, in the block in which it is asked for.
    fn comes_of_added_column(&self, asked: usize, name: &str) -> bool {
        let (mut at, first) = (asked, asked.saturating_sub(FURTHEST));
        let mut adds = false;
        while let Some(before) = at.checked_sub(1).filter(|&before| before >= first) {
            at = before;
            if self.is(at, b'{') || self.is(at, b'}') {
                return false;
            }
            adds |= self.adds_column(at);
            if self.word(at) == name
                && (self.assigns(at + 1) || self.is(at + 1, b':') && self.assigns(at + 2))
            {
                return adds;
            }
        }
        false
    }

    /// Whether a token is a text that adds a column.
    fn adds_column(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Text) && added(self.word(at)).is_some()
    }
}

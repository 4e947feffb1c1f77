//! Whether a method is asked of a database: lists and maps have methods of such names, too. Knows words of names, and where
//! Kotlin leaves out what stands in front of the dot.

use crate::extract::{
    lexer::{Kind, Token},
    sketch::Sketch,
};

/// How many links of a chain are looked at, from the method back.
const LINKS: usize = 5;

/// The tokens of a file, and what the walk over them found.
pub(super) struct Place<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub sketch: &'a Sketch,
}

impl Place<'_> {
    /// Whether what the method at a token is asked of speaks of a database.
    pub fn is_asked_of_database(&self, name: usize, function: u32) -> bool {
        if name > 0 && self.is_link_sign(name - 1) {
            return self.is_chain_of_database(name);
        }
        // `with(db) { delete("ships", …) }`, `fun SQLiteDatabase.forget() { delete("ships", …) }`
        let own = self.sketch.functions.get(function as usize).map_or(0, |one| one.name as usize);
        let around = self.sketch.brackets.around(name).take_while(|&open| open > own);
        around.into_iter().any(|open| self.is(open, b'{') && self.lends_database(open))
            || (own > 1 && self.is(own - 1, b'.') && self.word_at(own.checked_sub(2)).is_some_and(speaks))
    }

    /// Whether a block is one within which a database is meant without being named.
    fn lends_database(&self, open: usize) -> bool {
        let Some(before) = open.checked_sub(1) else { return false };
        if self.is(before, b')')
            && let Some(start) = self.sketch.brackets.opening(before)
        {
            return self.word_at(start.checked_sub(1)) == Some("with") && self.speaks_in(start + 1, before);
        }
        let lends = matches!(self.word_at(Some(before)), Some("apply" | "run" | "transaction"));
        lends && before > 0 && self.is_link_sign(before - 1) && self.is_chain_of_database(before)
    }

    fn is_chain_of_database(&self, name: usize) -> bool {
        let mut at = name;
        for _ in 0..LINKS {
            let link = at;
            while at > 0 && self.is_link_sign(at - 1) {
                at -= 1;
            }
            if !(at..link).any(|one| self.is(one, b'.')) {
                return false;
            }
            let (dots, mut group) = (at, (at, at));
            if at > 0 && self.is(at - 1, b')') {
                let Some(open) = self.sketch.brackets.opening(at - 1) else { return false };
                group = (open + 1, at - 1);
                at = open;
            }
            // `return (await database).insert`: what is called stands close to its parenthesis; a dot may stand on the next line.
            let is_close =
                |&before: &usize| at == dots || self.tokens.get(before).map(|one| one.end) == self.start(at);
            let word = at.checked_sub(1).filter(is_close).and_then(|before| self.word_at(Some(before)));
            let Some(word) = word else { return self.speaks_in(group.0, group.1) };
            if speaks(word) {
                return true;
            }
            at -= 1;
        }
        false
    }

    fn speaks_in(&self, from: usize, to: usize) -> bool {
        (from..to).any(|at| self.word_at(Some(at)).is_some_and(speaks))
    }

    fn start(&self, at: usize) -> Option<u32> {
        self.tokens.get(at).map(|one| one.start)
    }

    fn is(&self, at: usize, sign: u8) -> bool {
        self.tokens.get(at).is_some_and(|one| one.is(sign))
    }

    fn is_link_sign(&self, at: usize) -> bool {
        [b'.', b'!', b'?'].iter().any(|&sign| self.is(at, sign))
    }

    fn word_at(&self, at: Option<usize>) -> Option<&str> {
        let token = self.tokens.get(at?).filter(|token| token.kind == Kind::Word)?;
        Some(token.text(self.text))
    }
}

/// Whether a word speaks of a database.
fn speaks(word: &str) -> bool {
    const SPEAKS: [&str; 7] = ["db", "database", "sqlite", "txn", "tx", "transaction", "batch"];
    let lower = word.to_ascii_lowercase();
    SPEAKS.iter().any(|one| lower == *one || (one.len() > 3 && lower.contains(one))) || lower.ends_with("db")
}

//! Whether a transaction is open around a call, as names tell. An `impl` of [`Flow`], apart for its length.

use super::{
    Begins, Flow,
    loops::Around,
    spelling::{
        is_connection, is_opening, is_transaction_type, names_transaction, opens_transaction,
        runs_transaction, starts,
    },
};
use crate::extract::lexer::Kind;
use std::ops::Range;

/// The first calls in a function whose names speak of transactions, by their tokens.
#[derive(Default)]
pub(super) struct FirstCalls {
    opens_transaction: Option<usize>,
    is_opening: Option<usize>,
    is_atomic: Option<usize>,
}

impl Flow<'_> {
    /// Whether a transaction is open around a call, by what opens one in front of it, and by the names of what it is
    /// called on, of what it is given, and of what the function was given.
    pub fn in_transaction(&self, call: usize) -> Option<bool> {
        let is_opened = self.first_calls().opens_transaction.is_some_and(|first| first < call);
        if is_opened || self.is_begun(call) || self.runner(call).is_some() {
            return Some(true);
        }
        // `val NAME = Migration(1, 2) { … }` runs as what it is given to says.
        let made = self.body.start + 2;
        let is_made = self.code.is(self.body.start + 1, b'=') && self.code.is_transactional(made);
        if is_made || self.code.is_transactional(self.body.start) || self.is_within_argument(call) {
            return Some(true);
        }
        let start = (call.saturating_sub(12)..call)
            .rev()
            .find(|&at| [b';', b'{', b'}', b'='].iter().any(|&byte| self.code.is(at, byte)))
            .map_or(call.saturating_sub(12), |at| at + 1);
        let end =
            if self.code.is(call + 1, b'(') { (call + 6).min(self.code.matching(call + 1)) } else { call };
        let words =
            || (start..end).filter(|&at| self.code.is_word(at) && at != call).map(|at| self.code.word(at));
        let owner = self.owner;
        if words().any(names_transaction) || names_transaction(owner) && words().any(|word| word == "self") {
            return Some(true);
        }
        if self.is_given_transaction() {
            return Some(true);
        }
        if self.code.indented() && self.is_within_connection(call) {
            return Some(true);
        }
        let is_cursor = |word: &str| self.code.indented() && word == "cursor";
        words().any(|word| is_connection(word) || is_cursor(word)).then_some(false)
    }

    /// Whether the function around a call is an argument by whose name it runs within a transaction:
    /// `onUpgrade: (db, from, to) async { … }`.
    fn is_within_argument(&self, call: usize) -> bool {
        let code = &self.code;
        let is_argument = |open: usize| {
            let end = open.checked_sub(1)?;
            let end = if code.word(end) == "async" { end.checked_sub(1)? } else { end };
            let colon = code.opening(end)?.checked_sub(1)?;
            (code.is(colon, b':') && code.is_transactional(colon.checked_sub(1)?)).then_some(())
        };
        code.around(call).any(|open| code.is(open, b'{') && is_argument(open).is_some())
    }

    /// Where the transaction around a call is opened, by the names of the calls in front of it; nothing where the function
    /// is given one. `turn`: where the innermost loop around it begins.
    pub(super) fn begins_at(&self, call: usize, turn: Option<usize>) -> Option<Begins> {
        if self.is_given_transaction() || names_transaction(self.owner) {
            return None;
        }
        let first = self.first_calls().is_opening.filter(|&first| first < call);
        let first = first.or_else(|| self.runner(call))?;
        let is_in_turn = turn.is_some_and(|turn| turn < first);
        Some(if is_in_turn { Begins::Loop } else { Begins::Function })
    }

    /// Where what a call writes is committed, in a language whose driver opens a transaction by itself: by a call behind it, or at
    /// the end of a block around it, `with db:`.
    pub(super) fn commits_at(&self, call: usize, around: Option<&Around<'_>>) -> Option<Begins> {
        if !self.code.indented() {
            return None;
        }
        // `with wrapper.writer() as db:` may be within another such block.
        let is_bare = |line: &usize| {
            let end = self.code.line_end(*line);
            let name = self.code.word(end.saturating_sub(1)).to_ascii_lowercase();
            let is_lock = ["lock", "mutex", "sem", "guard"].iter().any(|mark| name.contains(mark));
            !is_lock && !(*line..end).any(|at| self.code.word(at) == "as")
        };
        let block = self.block_of_connection(call).filter(is_bare);
        let commits = |from: usize, to: usize| {
            let mut within = self.called_behind(call).take_while(|&at| at < to);
            // `if done: db.commit()` on one line is a branch, too.
            let line = |at: usize| (from..at).rev().find(|&at| self.code.kind(at) == Some(Kind::Line));
            let is_branch = |at: usize| line(at).is_some_and(|line| self.code.word(line + 1) == "if");
            let is_commit =
                |at: usize| self.code.word(at) == "commit" && self.code.is(at + 2, b')') && !is_branch(at);
            block.is_some_and(|line| line > from)
                || within.any(|at| is_commit(at) && self.code.branches(from, at).is_empty())
        };
        if around.is_some_and(|around| commits(around.body, around.range.end)) {
            return Some(Begins::Loop);
        }
        commits(self.body.start, self.body.end).then_some(Begins::Function)
    }

    /// The call, by its name, that runs the function around this one in a transaction: `db.DoTxn(ctx, func() { … })`.
    fn runner(&self, call: usize) -> Option<usize> {
        let within = self.code.around(call).take_while(|&open| open > self.body.start);
        let mut is_in_block = false;
        for open in within {
            let name = open.checked_sub(1)?;
            let is_block = self.code.is(open, b'{');
            if (is_block || is_in_block && self.code.is(open, b'(')) && runs_transaction(self.code.word(name))
            {
                return Some(name);
            }
            is_in_block |= is_block || self.is_short_closure(open, call);
        }
        None
    }

    /// Whether a bracket of arguments holds a closure without braces that goes on to a call: `(|tx| tx.run())`, `(tx => …)`.
    fn is_short_closure(&self, open: usize, call: usize) -> bool {
        let is = |at: usize, byte| self.code.is(at, byte);
        is(open, b'(') && (open + 1..call).any(|at| is(at, b'|') || is(at, b'=') && is(at + 1, b'>'))
    }

    /// The same of a call that runs DDL: texts in front of it may have begun one, too, and the block of a connection begins none
    /// for it, as in Python's own module.
    pub fn in_transaction_for_ddl(&self, call: usize) -> Option<bool> {
        if self.begins_itself(call) {
            return Some(true);
        }
        // That of Python commits first.
        if self.code.word(call) == "executescript" {
            return Some(false);
        }
        if self.is_begun(call) {
            return Some(true);
        }
        let known = self.in_transaction(call);
        known.filter(|_| !(self.code.indented() && self.is_within_connection(call)))
    }

    /// Whether a text that a call is given begins a transaction.
    fn begins_itself(&self, call: usize) -> bool {
        let end = if self.code.is(call + 1, b'(') { self.code.matching(call + 1) } else { call };
        (call..end).any(|at| self.begins(at) == Some(true))
    }

    /// Whether the last text in front of a call that begins or ends a transaction begins one, or peewee, Django or JDBC do.
    fn is_begun(&self, call: usize) -> bool {
        let begun = self.begun.get_or_init(|| {
            let texts = self.body.clone().filter_map(|at| Some((at, self.begins(at)?)));
            texts.collect()
        });
        let before = begun.partition_point(|&(at, _)| at < call);
        before.checked_sub(1).and_then(|last| begun.get(last)).is_some_and(|&(_, begins)| begins)
            || self.first_calls().is_atomic.is_some_and(|first| first < call)
    }

    /// Whether a text, or `connection.autoCommit = false`, begins a transaction, or ends one.
    fn begins(&self, at: usize) -> Option<bool> {
        match self.code.kind(at)? {
            Kind::Text => begins(self.code.word(at)),
            Kind::Word if self.code.word(at) == "autoCommit" && self.code.assigns(at + 1) => {
                Some(self.code.word(at + 2) == "false")
            }
            _ => None,
        }
    }

    /// Whether a block of a connection stands around a call, as in Python: `with db:`.
    fn is_within_connection(&self, call: usize) -> bool {
        self.block_of_connection(call).is_some()
    }

    /// The line where the innermost of these blocks begins.
    fn block_of_connection(&self, call: usize) -> Option<usize> {
        self.code.headers(self.body.start, call).find(|&line| {
            let is_colon = |at: &usize| self.code.is(*at, b':') || self.code.kind(*at) == Some(Kind::Line);
            let end = (line + 2..line + 12).find(is_colon).unwrap_or(line);
            self.code.word(line + 1) == "with" && is_connection(self.code.word(end.saturating_sub(1)))
        })
    }

    /// Whether the function calls what opens a database, by the names.
    pub fn opens_database(&self) -> bool {
        self.called_behind(self.body.start).any(|name| {
            let word = self.code.word(name);
            let is_open = ["open", "connect"].iter().any(|verb| starts(word, verb));
            // Files are opened, too.
            is_open && !opens_transaction(word) && !matches!(self.owner_of(name), "File" | "os" | "")
        })
    }

    /// Whether the function is given a connection, or what runs statements on one, by the names of its parameters. What sqlc
    /// writes runs on either, too.
    pub fn is_given_connection(&self) -> bool {
        let runs = |name: &str| {
            is_connection(name) || matches!(name, "cursor" | "cur" | "session" | "executor" | "q" | "queries")
        };
        self.owner == "Queries" || self.parameters().iter().flatten().any(|name| runs(name))
    }

    /// Whether a word names what the function is a method of, where that stands in front of its name.
    pub fn receives(&self, word: &str) -> bool {
        let close = self.body.start.checked_sub(1).filter(|_| self.code.has_receivers());
        let open = close.and_then(|close| self.code.opening(close));
        open.is_some_and(|open| self.code.word(open + 1) == word)
    }

    /// Whether the function is given a transaction, by a parameter's name, or its type: `db: &Transaction<'_>`.
    fn is_given_transaction(&self) -> bool {
        *self.is_given_transaction.get_or_init(|| {
            let is_type = |range: Range<usize>| {
                let has = |is: fn(&str) -> bool| range.clone().any(|at| is(self.code.word(at)));
                // `Kysely<DB> | Transaction<DB>` may be either.
                let is_open = range.clone().any(|at| self.code.is(at, b'|') || self.code.is(at, b'{'));
                has(is_connection) && has(is_transaction_type) && !is_open
            };
            self.parameters().iter().flatten().any(|name| names_transaction(name))
                || self.parameter_ranges().into_iter().any(is_type)
        })
    }

    fn first_calls(&self) -> &FirstCalls {
        self.first_calls.get_or_init(|| {
            let mut first = FirstCalls::default();
            for name in self.called_behind(self.body.start).filter(|&name| !self.is_iterator(name)) {
                let word = self.code.word(name);
                let is_manual = self.is_manual(name);
                let note = |first: &mut Option<usize>, is: fn(&str) -> bool| {
                    if first.is_none() && (is_manual || is(word)) {
                        *first = Some(name);
                    }
                };
                note(&mut first.opens_transaction, opens_transaction);
                note(&mut first.is_opening, is_opening);
                note(&mut first.is_atomic, |word| word == "atomic");
            }
            first
        })
    }

    /// Whether a call begins a walk over what it is called on: `all.begin()`, with `all.end()` near behind it.
    fn is_iterator(&self, name: usize) -> bool {
        /// As long as the head of a loop, or a call that is given both, in tokens.
        const NEAR: usize = 24;
        let owner = self.owner_of(name);
        let is = |at: usize, back: usize, signs: &[u8]| {
            at.checked_sub(back).is_some_and(|at| signs.iter().any(|&sign| self.code.is(at, sign)))
        };
        // Compared with the end, or handed on with it: what ends a transaction is neither.
        let is_asked = |at: usize| is(at, 3, b",") || (is(at, 3, b"=") && is(at, 4, b"!="));
        let ends = |at: usize| self.code.word(at) == "end" && self.owner_of(at) == owner && is_asked(at);
        self.code.word(name) == "begin" && !owner.is_empty() && (name + 1..name + NEAR).any(ends)
    }

    /// Whether a call lets no statement commit by itself, as `setAutoCommit(false)` of JDBC does.
    fn is_manual(&self, name: usize) -> bool {
        self.code.word(name) == "setAutoCommit" && self.code.word(name + 2) == "false"
    }

    /// The names of the calls in the function behind a token.
    fn called_behind(&self, at: usize) -> impl Iterator<Item = usize> {
        let start = self.calls.partition_point(|call| call.name as usize <= at);
        let calls = self.calls.get(start..).unwrap_or(&[]).iter().filter(|call| call.is_call);
        calls.map(|call| call.name as usize).take_while(|&name| name < self.body.end)
    }

    /// The word in front of the name of a call that a dot or colons join to it; empty where nothing does.
    fn owner_of(&self, name: usize) -> &str {
        let is = |count: usize, byte| name.checked_sub(count).is_some_and(|at| self.code.is(at, byte));
        let before = |count: usize| name.checked_sub(count).map_or("", |at| self.code.word(at));
        if is(1, b'.') {
            before(2)
        } else if is(1, b':') {
            before(3)
        } else {
            ""
        }
    }
}

/// Whether a text of code, with its quotes, begins a transaction, or ends one; `None` for any other text.
fn begins(text: &str) -> Option<bool> {
    let (_, sql) = text.split_once(['"', '\'', '`'])?;
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let sql = sql.trim_start_matches(|one| !is_word(one));
    let mut words = sql.split(|one| !is_word(one)).filter(|word| !word.is_empty());
    let verb = words.next()?.to_ascii_lowercase();
    let next = words.next().map(str::to_ascii_lowercase);
    let is_whole = match next.as_deref() {
        None | Some("transaction" | "deferred" | "immediate" | "exclusive") => true,
        // More statements behind it.
        Some(_) => sql.get(verb.len()..).is_some_and(|behind| behind.trim_start().starts_with(';')),
    };
    match verb.as_str() {
        "begin" if is_whole => Some(true),
        "commit" | "end" | "rollback" if is_whole => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_begin_a_transaction_are_told_from_those_that_speak_of_beginning() {
        for text in
            ["\"BEGIN\"", "'begin immediate;'", "r#\"BEGIN; CREATE TABLE a(b);\"#", "`BEGIN EXCLUSIVE`"]
        {
            assert_eq!(begins(text), Some(true), "{text}");
        }
        assert_eq!(begins("\"COMMIT\""), Some(false));
        assert_eq!(begins("\"begin to migrate\""), None);
        assert_eq!(begins("\"SELECT 1\""), None);
    }
}

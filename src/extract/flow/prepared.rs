//! A statement that is given its text in one place, its values in others, and is run in a third, as drivers have it that bind by
//! calls: `command.Parameters.AddWithValue("@id", id)`, `statement.setString(1, name)`, `sqlite3_bind_int(stmt, 1, id)`. An
//! `impl` of [`Flow`], apart for its length.

use super::{
    Flow,
    keys::{Key, in_order},
    runs::Bound,
    spelling::{is_connection, names_transaction},
};
use crate::extract::lexer::Kind;
use std::ops::Range;

/// What the methods that run a statement begin with.
const RUNS: [&str; 11] =
    ["query", "exec", "insert", "raw", "get", "select", "all", "run", "step", "simplequery", "fetch"];

/// What the names of calls have in them that prepare a text.
pub const PREPARES: [&str; 3] = ["prep", "compile", "command"];

/// How many tokens behind its text the calls on a statement are looked for.
pub(super) const FURTHEST: usize = 4000;

/// What becomes of a statement, from its text on.
pub(super) struct Prepared {
    /// The name of the first call that runs it.
    pub runs: usize,
    /// What it is bound to, where calls of its own bind it.
    pub values: Vec<Bound>,
    /// Whether it runs in a transaction, as what makes it tells.
    pub in_transaction: Option<bool>,
}

/// The calls on one statement, as they are found.
#[derive(Default)]
pub(super) struct Calls {
    pub runs: Option<usize>,
    pub bound: Vec<(Key, Range<usize>)>,
    is_in_transaction: bool,
}

impl<'a> Flow<'a> {
    /// What becomes of the statement that the call at a token prepares; `text` as for [`Flow::run_of`]. Nothing where no name
    /// stands for it.
    pub(super) fn prepared(&self, sink: usize, text: usize) -> Option<Prepared> {
        let word = self.code.word(sink).to_ascii_lowercase();
        if !PREPARES.iter().any(|mark| word.contains(mark)) {
            return None;
        }
        let name = self.statement(sink, text);
        let mut calls = Calls::default();
        let behind = if self.code.is(sink + 1, b'(') { self.code.matching(sink + 1) + 1 } else { sink + 2 };
        self.read_chain(behind, &mut calls, self.body.end);
        if let Some(name) = name.filter(|_| calls.runs.is_none()) {
            let end = self.next_text(name, behind, self.body.end.min(behind + FURTHEST));
            self.read_calls_on(name, self.first_of(name, sink).unwrap_or(behind)..end, &mut calls);
        }
        let runs = calls.runs?;
        let in_transaction = if calls.is_in_transaction { Some(true) } else { self.made_in(name, sink) };
        Some(Prepared { runs, values: in_order(calls.bound), in_transaction })
    }

    /// Whether what takes the text is a command of ADO.NET, or a method of one.
    pub(super) fn is_command(&self, sink: usize) -> bool {
        self.code.word(sink).contains("Command")
    }

    /// The name of the statement that the call at a token gives its text.
    fn statement(&self, sink: usize, text: usize) -> Option<&'a str> {
        let own = || self.code.receiver(sink).map(|at| self.code.word(at));
        let word = self.code.word(sink);
        if word == "CommandText" {
            return own();
        }
        // `sqlite3_prepare_v2(db, sql, -1, &stmt, NULL)`
        let ranges = self.open(sink).map(|open| self.code.arguments(open).0).unwrap_or_default();
        let out = ranges
            .iter()
            .find(|&&(start, end)| start > text && self.code.is(start, b'&') && self.code.is_word(end - 1));
        if let Some(&(_, end)) = out {
            return Some(self.code.word(end - 1));
        }
        // `query.prepare(sql)`, a statement that takes another text.
        let takes_another = || own().filter(|_| word == "prepare" && self.code.language().name == "C++");
        self.holder(sink).or_else(takes_another)
    }

    /// The name that is given the value in which a token stands.
    pub(super) fn holder(&self, at: usize) -> Option<&'a str> {
        let one = self.assignments().iter().rev().find(|one| one.value.contains(&at))?;
        one.names.first().copied()
    }

    /// The method or field that follows a value: `.name`, `->name`, `?.name`, `!.name`.
    fn member(&self, at: usize) -> Option<usize> {
        let at = if self.code.is(at, b'?') || self.code.is(at, b'!') { at + 1 } else { at };
        let name = if self.code.is(at, b'.') {
            at + 1
        } else if self.code.is(at, b'-') && self.code.is(at + 1, b'>') {
            at + 2
        } else {
            return None;
        };
        self.code.is_word(name).then_some(name)
    }

    /// Where the calls on a command begin that may be bound before it gets its first text: where it is made.
    fn first_of(&self, name: &str, sink: usize) -> Option<usize> {
        if self.code.word(sink) != "CommandText" {
            return None;
        }
        let before = self.assignments_in(&(sink.saturating_sub(FURTHEST).max(self.body.start)..sink));
        let made = before.iter().rev().find(|one| one.names.first() == Some(&name))?;
        let has_text = self.next_text(name, made.at + 1, sink) < sink;
        (!has_text).then_some(made.at + 1)
    }

    /// Reads what is called on a statement within some tokens.
    pub(super) fn read_calls_on(&self, name: &str, range: Range<usize>, calls: &mut Calls) {
        let end = range.end;
        for (at, token) in self.code.tokens_in(range) {
            if token.kind != Kind::Word || self.code.spelling(token) != name {
                continue;
            }
            if self.member(at + 1).is_some() {
                self.read_chain(at + 1, calls, end);
                continue;
            }
            let first = std::iter::successors(Some(at), |&at| self.code.receiver(at)).last().unwrap_or(at);
            if first > 1 && self.code.is(first - 1, b'(') {
                self.read_function(first - 2, calls);
            }
        }
    }

    /// Where a name gets another statement, or its statement another text; `end` where neither comes.
    fn next_text(&self, name: &str, from: usize, end: usize) -> usize {
        let assigned = self.assignments_in(&(from..end));
        let other = assigned.iter().find(|one| {
            let is_name = one.names.first().is_some_and(|first| *first == name);
            let gets_text =
                || matches!(one.names.as_slice(), ["CommandText"]) && self.is_field_of(one.at - 1, name);
            is_name || gets_text()
        });
        let end = other.map_or(end, |one| one.at - 1);
        let gives = |at: usize| {
            (self.code.word(at) == "prepare" || self.code.word(at).starts_with("SetCommand"))
                && self.is_field_of(at, name)
        };
        // `sqlite3_prepare_v2(db, other, -1, &stmt, NULL)`
        let takes = |at: usize| self.code.is(at - 1, b'&') && self.code.word(at) == name;
        (from..end).find(|&at| self.code.is_word(at) && (gives(at) || takes(at))).unwrap_or(end)
    }

    fn is_field_of(&self, at: usize, name: &str) -> bool {
        self.code.receiver(at).is_some_and(|owner| self.code.word(owner) == name)
    }

    /// `.setString(1, name).execute()`, from behind the name of the statement on; what it is bound to up to `end`.
    pub(super) fn read_chain(&self, mut at: usize, calls: &mut Calls, end: usize) {
        let mut is_list = false;
        let mut open_key: Option<(Key, usize)> = None;
        while let Some(member) = self.member(at) {
            let (word, next) = (self.code.word(member), member + 1);
            if self.code.is(next, b'(') {
                let (arguments, close) = self.code.arguments(next);
                open_key = self.read_method(member, &arguments, is_list, calls);
                at = close + 1;
            } else {
                if self.code.assigns(next) {
                    match (word, open_key.take()) {
                        ("Value", Some((key, _))) => {
                            let value = next + 1..self.code.value_end(next + 1, false);
                            calls.bound.push((key, value));
                        }
                        ("Transaction", _) => calls.is_in_transaction = true,
                        _ => {}
                    }
                    return;
                }
                is_list = word == "Parameters";
                at = next;
            }
            if is_list && self.code.is(at, b'[') {
                open_key = Some((self.key(at + 1..self.code.matching(at)), member));
                at = self.code.matching(at) + 1;
            }
        }
        if let Some((key, method)) = open_key
            && let Some(name) = self.holder(method)
        {
            self.read_parameter(name, Some(key), end, calls);
        }
    }

    /// A method that is called on a statement, or, `is_list`, on the list of its parameters. The parameter, where it is named
    /// here and gets its value later, and the method.
    fn read_method(
        &self,
        method: usize,
        arguments: &[(usize, usize)],
        is_list: bool,
        calls: &mut Calls,
    ) -> Option<(Key, usize)> {
        let word = self.code.word(method).to_ascii_lowercase();
        let is_typed =
            |&(start, _): &(usize, usize)| matches!(self.code.kind(start), Some(Kind::Text | Kind::Atom));
        let sets = word
            .strip_prefix("set")
            .filter(|_| arguments.len() > 1)
            .is_some_and(|of| is_type(of) || arguments.first().is_some_and(is_typed));
        if word == "settransaction" {
            calls.is_in_transaction = true;
        } else if is_list || sets || word.starts_with("bind") || word == "addbindvalue" {
            return self.read_binding(method, arguments, calls);
        } else if RUNS.iter().any(|start| word.starts_with(start)) || self.steps(&word) {
            calls.runs = calls.runs.or(Some(method));
        } else if word.contains("param") {
            return self.read_binding(method, arguments, calls);
        }
        None
    }

    fn read_binding(
        &self,
        method: usize,
        arguments: &[(usize, usize)],
        calls: &mut Calls,
    ) -> Option<(Key, usize)> {
        match arguments {
            [] => Some((Key::Next, method)),
            &[(start, end)] => {
                // `statement.bind((1, id))`, `statement.bind(&[(1, id), (2, name)][..])`
                let pairs = self.pairs(start..end);
                if !pairs.is_empty() {
                    calls.bound.extend(pairs);
                    return None;
                }
                if self.read_made(start..end, calls) {
                    return None;
                }
                if self.code.kind(start) == Some(Kind::Text)
                    && end == start + 1
                    && self.code.word(method).contains("aram")
                {
                    return Some((self.key(start..end), method));
                }
                let made = (end == start + 1).then(|| self.made(start)).flatten();
                match made {
                    Some(name) => self.read_parameter(name, None, self.body.end, calls),
                    None => calls.bound.push((Key::Next, start..end)),
                }
                None
            }
            &[(start, end), (value, value_end), ..] => {
                let key = self.key(start..end);
                let is_type = (value..value_end).any(|at| self.code.word(at).ends_with("Type"));
                if is_type {
                    return Some((key, method));
                }
                calls.bound.push((key, value..value_end));
                None
            }
        }
    }

    /// `new SqliteParameter("@id", id)`, one or several; false where none is made.
    fn read_made(&self, range: Range<usize>, calls: &mut Calls) -> bool {
        let mut any = false;
        for at in range.clone().filter(|&at| self.code.word(at) == "new") {
            let open = (at + 1..range.end.min(at + 12)).find(|&at| self.code.opens(at));
            let Some(open) = open.filter(|&open| self.code.is(open, b'(')) else { continue };
            if let [(start, end), .., (value, value_end)] = *self.code.arguments(open).0.as_slice() {
                calls.bound.push((self.key(start..end), value..value_end));
                any = true;
            }
        }
        any
    }

    /// A name for a parameter that is made by itself: `p = command.CreateParameter()`, `p = new SqliteParameter(…)`.
    fn made(&self, at: usize) -> Option<&'a str> {
        let name = self.code.word(at);
        let made =
            self.assignments().iter().rev().find(|one| one.at < at && one.names.first() == Some(&name))?;
        made.value.clone().any(|at| self.code.word(at).ends_with("Parameter")).then_some(name)
    }

    /// The values that a parameter with a name of its own gets: `p.Value = id`.
    fn read_parameter(&self, name: &str, key: Option<Key>, end: usize, calls: &mut Calls) {
        let sets = |field: &'static str| {
            let all = self.assignments_in(&(self.body.start..end));
            all.iter()
                .filter(move |one| one.names.as_slice() == [field] && self.is_field_of(one.at - 1, name))
        };
        let named = sets("ParameterName").last().map(|one| self.key(one.value.clone()));
        let key = key.or(named).unwrap_or(Key::Next);
        let value = sets("Value").last().map(|one| one.value.clone());
        if let Some(value) = value {
            calls.bound.push((key, value));
        } else if let Some(one) = self.assignments().iter().find(|one| one.names.first() == Some(&name)) {
            self.read_made(one.value.clone(), calls);
        }
    }

    /// A function that is given a statement first: `sqlite3_bind_int(stmt, 1, id)`, `sqlite3_step(stmt)`.
    pub(super) fn read_function(&self, function: usize, calls: &mut Calls) {
        let word = self.code.word(function).to_ascii_lowercase();
        if word.contains("bind") && !word.contains("parameter") {
            match *self.code.arguments(function + 1).0.as_slice() {
                [_, value] => calls.bound.push((Key::Next, value.0..value.1)),
                [_, key, value, ..] => calls.bound.push((self.key(key.0..key.1), value.0..value.1)),
                _ => {}
            }
        } else if calls.runs.is_none() && (word.contains("step") || word.contains("exec")) {
            calls.runs = Some(function);
        }
    }

    /// The parameter that an expression names.
    pub(super) fn key(&self, range: Range<usize>) -> Key {
        // `sqlite3_bind_parameter_index(stmt, ":id")`
        let named = range.clone().find(|&at| self.code.kind(at) == Some(Kind::Text));
        if let Some(at) = named {
            return self.literal(at..at + 1).map_or(Key::Next, Key::Name);
        }
        if range.len() != 1 {
            return Key::Next;
        }
        match self.code.kind(range.start) {
            Some(Kind::Atom) => self.code.word(range.start).parse().map_or(Key::Next, Key::Number),
            _ => Key::Next,
        }
    }

    /// Whether the statement is made in a transaction, by what makes it: `connection.CreateCommand()`,
    /// `new SqliteCommand(sql, connection, transaction)`.
    fn made_in(&self, name: Option<&str>, sink: usize) -> Option<bool> {
        let made = name.and_then(|name| {
            let mut before =
                self.assignments().iter().rev().filter(|one| one.at < sink || one.value.contains(&sink));
            let made = before.find(|one| one.names.first() == Some(&name))?;
            made.value.clone().any(|at| self.code.is(at, b'(')).then(|| made.value.clone())
        });
        let range = made.unwrap_or_else(|| {
            let close = |at: usize| self.open(at).map_or(at, |open| self.code.matching(open));
            let Some(own) = self.code.receiver(sink) else { return sink..close(sink) };
            // `QSqlQuery query(database);`
            let name = self.code.word(own);
            let is_declared = |&at: &usize| {
                self.code.word(at) == name && self.code.is(at + 1, b'(') && self.code.is_word(at - 1)
            };
            let mut before = self.body.start + 1..own;
            before.rfind(is_declared).map_or(own..close(sink), |at| at..close(at))
        });
        let words =
            || range.clone().filter(|&at| at != sink && self.code.is_word(at)).map(|at| self.code.word(at));
        if words().any(names_transaction) {
            return Some(true);
        }
        // A command is made on a connection, and whatever else it is given may be a transaction.
        let makes = range.clone().find(|&at| self.is_command(at) && self.code.is(at + 1, b'('));
        let Some(makes) = makes else { return words().any(is_connection).then_some(false) };
        let most = if range.contains(&sink) { 2 } else { 0 };
        (self.code.arguments(makes + 1).0.len() <= most).then_some(false)
    }
}

/// Whether a setter of JDBC is one of values, by what stands behind `set`.
fn is_type(word: &str) -> bool {
    matches!(word, "string" | "int" | "long" | "bytes" | "object" | "double" | "float" | "boolean" | "null")
        || matches!(word, "blob" | "date" | "timestamp" | "short" | "bigdecimal")
}

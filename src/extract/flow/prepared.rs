//! A statement that is given its text in one place, its values in others, and is run in a third, as drivers have it that bind by
//! calls: `command.Parameters.AddWithValue("@id", id)`, `statement.setString(1, name)`, `sqlite3_bind_int(stmt, 1, id)`. An
//! `impl` of [`Flow`], apart for its length.

use super::{Flow, runs::Bound, transactions::is_connection, transactions::names_transaction};
use crate::extract::lexer::Kind;
use std::ops::Range;

/// What the methods that run a statement begin with.
const RUNS: [&str; 11] =
    ["query", "exec", "insert", "raw", "get", "select", "all", "run", "step", "simplequery", "fetch"];

/// What becomes of a statement, from its text on.
#[derive(Default)]
pub(super) struct Prepared {
    /// The name of the first call that runs it.
    pub runs: Option<usize>,
    /// What it is bound to, where calls of its own bind it.
    pub values: Vec<Bound>,
    /// Whether it runs in a transaction, as what makes it tells.
    pub in_transaction: Option<bool>,
}

/// To which parameter of the SQL a value is bound.
#[derive(Clone)]
enum Key {
    Name(String),
    Number(usize),
    /// The one behind the last.
    Next,
}

/// The calls on one statement, as they are found.
#[derive(Default)]
struct Calls {
    runs: Option<usize>,
    bound: Vec<(Key, Range<usize>)>,
    is_in_transaction: bool,
}

impl<'a> Flow<'a> {
    /// What becomes of the statement that the call at a token prepares; `text` as for [`Flow::run_of`]. Nothing where no name
    /// stands for it.
    pub(super) fn prepared(&self, sink: usize, text: usize) -> Option<Prepared> {
        let prepares = |mark: &&str| self.code.word(sink).to_ascii_lowercase().contains(*mark);
        if !["prep", "compile", "command"].iter().any(prepares) {
            return None;
        }
        let name = self.statement(sink, text);
        let mut calls = Calls::default();
        let behind = if self.code.is(sink + 1, b'(') { self.code.matching(sink + 1) + 1 } else { sink + 2 };
        self.read_chain(behind, &mut calls, self.body.end);
        if let Some(name) = name.filter(|_| calls.runs.is_none()) {
            self.read_calls_on(name, behind, &mut calls);
        }
        let runs = calls.runs;
        let in_transaction = if calls.is_in_transaction { Some(true) } else { self.made_in(name, sink) };
        (runs.is_some() || !calls.bound.is_empty()).then(|| Prepared {
            runs,
            values: in_order(calls.bound),
            in_transaction,
        })
    }

    /// Whether what takes the text is a command of ADO.NET, or a method of one.
    pub(super) fn is_command(&self, sink: usize) -> bool {
        self.code.word(sink).contains("Command")
    }

    /// The name of the statement that the call at a token gives its text.
    fn statement(&self, sink: usize, text: usize) -> Option<&'a str> {
        let own = || self.receiver(sink).map(|at| self.code.word(at));
        let word = self.code.word(sink);
        if matches!(word, "CommandText" | "SetCommandText" | "SetCommandAndParameters") {
            return own();
        }
        let made = self.assignments().iter().rev().find(|one| one.value.contains(&sink));
        if let Some(name) = made.and_then(|one| one.names.first()) {
            return Some(name);
        }
        // `sqlite3_prepare_v2(db, sql, -1, &stmt, NULL)`
        let (ranges, _) = self.open(sink).map(|open| self.code.arguments(open))?;
        let out = ranges
            .iter()
            .find(|&&(start, end)| start > text && self.code.is(start, b'&') && end == start + 2);
        if let Some(&(start, _)) = out {
            return Some(self.code.word(start + 1));
        }
        // `query.prepare(sql)`, a statement that takes another text.
        own().filter(|_| word == "prepare" && self.code.language().name == "C++")
    }

    /// What the method at a token is called on.
    fn receiver(&self, method: usize) -> Option<usize> {
        let dot = method.checked_sub(1)?;
        let end = if self.code.is(dot, b'.') {
            dot.checked_sub(1)?
        } else if self.code.is(dot, b'>') && self.code.is(dot.checked_sub(1)?, b'-') {
            dot.checked_sub(2)?
        } else {
            return None;
        };
        self.code.is_word(end).then_some(end)
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

    /// Reads what is called on a statement, up to where the name gets another text.
    fn read_calls_on(&self, name: &str, from: usize, calls: &mut Calls) {
        let end = self.next_text(name, from);
        for (at, token) in self.code.tokens_in(from..end) {
            if token.kind != Kind::Word || self.code.spelling(token) != name {
                continue;
            }
            if self.member(at + 1).is_some() {
                self.read_chain(at + 1, calls, end);
            } else if self.code.is(at.saturating_sub(1), b'(') && at > 1 {
                self.read_function(at - 2, calls);
            }
        }
    }

    /// Where a name gets another statement, or its statement another text; the end of the function where neither comes.
    fn next_text(&self, name: &str, from: usize) -> usize {
        let assigned = self.assignments_in(&(from..self.body.end));
        let other = assigned.iter().find(|one| {
            let is_name = one.names.first().is_some_and(|first| *first == name);
            let gets_text =
                || matches!(one.names.as_slice(), ["CommandText"]) && self.is_field_of(one.at - 1, name);
            is_name && !self.code.is(one.at - 1, b'.') || gets_text()
        });
        let end = other.map_or(self.body.end, |one| one.at - 1);
        let gives = |at: usize| {
            matches!(self.code.word(at), "prepare" | "SetCommandAndParameters" | "SetCommandText")
                && self.is_field_of(at, name)
        };
        (from..end).find(|&at| self.code.is_word(at) && gives(at)).unwrap_or(end)
    }

    fn is_field_of(&self, at: usize, name: &str) -> bool {
        self.receiver(at).is_some_and(|owner| self.code.word(owner) == name)
    }

    /// `.setString(1, name).execute()`, from behind the name of the statement on; what it is bound to up to `end`.
    fn read_chain(&self, mut at: usize, calls: &mut Calls, end: usize) {
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
        if let Some((key, method)) = open_key {
            let held = self.assignments().iter().rev().find(|one| one.value.contains(&method));
            if let Some(name) = held.and_then(|one| one.names.first()) {
                self.read_parameter(name, Some(key), end, calls);
            }
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
        let sets = word.starts_with("set") && arguments.len() > 1 && arguments.first().is_some_and(is_typed);
        if word == "settransaction" {
            calls.is_in_transaction = true;
        } else if is_list
            || sets
            || word.starts_with("bind")
            || word.contains("param")
            || word == "addbindvalue"
        {
            return self.read_binding(method, arguments, calls);
        } else if calls.runs.is_none() && RUNS.iter().any(|start| word.starts_with(start)) {
            calls.runs = Some(method);
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
    fn read_function(&self, function: usize, calls: &mut Calls) {
        let word = self.code.word(function).to_ascii_lowercase();
        if word.contains("bind") {
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
    fn key(&self, range: Range<usize>) -> Key {
        if range.len() != 1 {
            return Key::Next;
        }
        match self.code.kind(range.start) {
            Some(Kind::Text) => self.literal(range).map_or(Key::Next, Key::Name),
            Some(Kind::Atom) => self.code.word(range.start).parse().map_or(Key::Next, Key::Number),
            _ => Key::Next,
        }
    }

    /// Whether the statement is made in a transaction, by what makes it: `connection.CreateCommand()`,
    /// `new SqliteCommand(sql, connection, transaction)`.
    fn made_in(&self, name: Option<&str>, sink: usize) -> Option<bool> {
        let made = name.and_then(|name| {
            let before =
                self.assignments().iter().rev().filter(|one| one.at < sink || one.value.contains(&sink));
            before.into_iter().find(|one| one.names.first() == Some(&name)).map(|one| one.value.clone())
        });
        let range =
            made.unwrap_or_else(|| sink..self.open(sink).map_or(sink, |open| self.code.matching(open)));
        let words = || range.clone().filter(|&at| self.code.is_word(at)).map(|at| self.code.word(at));
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

/// The values, each at the place of its parameter. Numbers count from 1, but where a 0 is among them.
fn in_order(bound: Vec<(Key, Range<usize>)>) -> Vec<Bound> {
    const MOST: usize = 1000;
    let first = usize::from(!bound.iter().any(|(key, _)| matches!(key, Key::Number(0))));
    let mut values: Vec<Bound> = Vec::new();
    let mut named = Vec::new();
    for (key, range) in bound {
        let at = match key {
            Key::Name(name) => {
                named.push((Some(name), range));
                continue;
            }
            Key::Number(number) => number.saturating_sub(first).min(MOST),
            Key::Next => values.len().min(MOST),
        };
        // Of those in between nothing is known.
        values.resize_with(values.len().max(at + 1), || (None, 0..0));
        if let Some(value) = values.get_mut(at) {
            *value = (None, range);
        }
    }
    values.extend(named);
    values
}

//! What the INSERTs of a program give columns: where all give one the same literal, each row has it. What triggers, upserts and
//! UPDATEs store is not read: SQLite says which columns they change.

use super::clock;
use super::literals::{Literal, alone};
use super::size::TableSize;
use super::tokens::{Kind, Token, tokens};
use super::uses::{At, Catalog, Use, Uses};
use crate::{
    extract::text::HOLE,
    schema::{Column, Explained, Generated, WriteAction, same},
    workload::Statement,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// What statements store in columns.
#[derive(Debug, Default)]
pub(super) struct Stored {
    columns: BTreeMap<At, Given>,
    /// The tables that get rows of which nothing is known.
    unknown: BTreeSet<usize>,
    /// Those of them that get what another statement reads.
    selected: BTreeSet<usize>,
}

/// What a column gets.
#[derive(Debug, Default)]
struct Given {
    literals: BTreeSet<Literal>,
    /// One of them stands in an INSERT, and is no DEFAULT alone.
    is_written: bool,
    /// An INSERT, or a DEFAULT, gives it what only the running program knows.
    is_handed: bool,
    /// Of what an INSERT, or a DEFAULT, computes for it, it is not known that it is no NULL.
    may_be_null: bool,
    /// An UPDATE changes it.
    is_changed: bool,
    /// One may change it to NULL: not each keeps what is there, as `coalesce(?, a)` does.
    is_emptied: bool,
}

impl Stored {
    /// Adds what a statement stores.
    pub fn add(&mut self, catalog: &Catalog<'_>, statement: &Statement, explained: &Explained) {
        for write in &explained.writes {
            let Some(table) = catalog.table(&write.table) else { continue };
            match &write.action {
                WriteAction::Delete => {}
                WriteAction::Update(column) => {
                    let columns = if has_open_set(&statement.raw) {
                        let count = catalog.objects.tables.get(table).map_or(0, |table| table.columns.len());
                        (0..count).map(|column| (table, column)).collect()
                    } else {
                        Vec::from_iter(catalog.column(table, column))
                    };
                    let is_kept = write.through.is_none()
                        && !has_open_set(&statement.raw)
                        && keeps_what_is_there(&tokens(statement.text.as_str()), column);
                    for at in columns {
                        let given = self.columns.entry(at).or_default();
                        given.is_changed = true;
                        given.is_emptied |= !is_kept;
                    }
                }
                WriteAction::Insert => {
                    let text = Some(statement.text.as_str())
                        .filter(|_| write.through.is_none() && !has_open_list(&statement.raw));
                    let tokens = text.map(tokens).unwrap_or_default();
                    if let Some(own) = lists(catalog, &tokens).filter(|own| own.table == table) {
                        self.insert(catalog, &tokens, &own);
                    } else {
                        self.unknown.insert(table);
                        self.selected.extend(Some(table).filter(|_| !has_open_list(&statement.raw)));
                    }
                }
            }
        }
    }

    fn insert(&mut self, catalog: &Catalog<'_>, tokens: &[Token<'_>], own: &Lists) {
        for (at, range) in &own.values {
            let given = self.columns.entry(*at).or_default();
            given.is_written |= given.take(tokens.get(range.clone()).unwrap_or_default());
        }
        let columns = catalog.objects.tables.get(own.table).map_or(&[][..], |table| &table.columns);
        for (number, column) in columns.iter().enumerate() {
            let at = (own.table, number);
            if !own.columns.contains(&at) {
                let given = self.columns.entry(at).or_default();
                given.take(&self::tokens(column.default.as_deref().unwrap_or("NULL")));
            }
        }
    }

    /// The literals that INSERTs give a column, where each gives it one and all are read.
    pub fn put_in(&self, at: At) -> Option<&BTreeSet<Literal>> {
        let given = self.columns.get(&at).filter(|one| !one.is_handed && !one.literals.is_empty())?;
        (!self.unknown.contains(&at.0)).then_some(&given.literals)
    }

    /// Whether an INSERT puts NULL into a column, or leaves it out, where all are read.
    pub fn puts_null(&self, at: At) -> bool {
        self.put_in(at).is_some_and(|all| all.contains(&Literal::Null))
    }

    /// Whether an UPDATE changes a column, be it in a trigger.
    pub fn is_changed(&self, at: At) -> bool {
        self.columns.get(&at).is_some_and(|one| one.is_changed)
    }

    /// Whether an INSERT gives a column what only the running program knows.
    pub fn is_given(&self, at: At) -> bool {
        self.columns.get(&at).is_some_and(|one| one.is_handed)
    }

    /// Takes the tables for unknown that get rows by texts that are not read.
    pub fn leave_unread(&mut self, catalog: &Catalog<'_>, sizes: &[&TableSize]) {
        let is_read = |name: &str| sizes.iter().any(|size| same(name, &size.table) && !size.has_unread);
        let tables = catalog.objects.tables.iter().enumerate();
        self.unknown.extend(tables.filter(|(_, table)| !is_read(&table.name)).map(|(at, _)| at));
    }

    /// Whether nothing tells that NULL is a state that rows begin with in a column, or leave: no INSERT that is read leaves it
    /// out, or gives it what may be NULL but by its caller, and nothing changes it.
    pub fn is_handed(&self, at: At) -> bool {
        let is_null = |given: &Given| given.may_be_null || given.literals.contains(&Literal::Null);
        // Of a table into which nothing comes nobody knows anything.
        let is_filled = || self.unknown.contains(&at.0);
        let is_kept = |given: &Given| !given.is_emptied && !is_null(given);
        !self.selected.contains(&at.0) && self.columns.get(&at).map_or_else(is_filled, is_kept)
    }

    /// The literal that each row has in a column, as far as statements say.
    pub fn constant(&self, at: At) -> Option<&Literal> {
        let given =
            self.columns.get(&at).filter(|one| one.is_written && !one.is_handed && !one.is_changed)?;
        let only = given.literals.first().filter(|_| given.literals.len() == 1)?;
        (*only != Literal::Null && !self.unknown.contains(&at.0)).then_some(only)
    }
}

/// The columns that have the same literal in each row, where statements look for nothing else. What refers to another table, or
/// is held against it, has what that has.
pub(super) fn constants<'a>(catalog: &Catalog<'_>, uses: &'a Uses) -> Vec<(At, &'a Literal)> {
    let constant = |(&at, asked): (&At, &'a Use)| {
        let constant = uses.stored.constant(at)?;
        let is_same = |one: &Literal| one == constant || *one == Literal::Null;
        let is_compared = asked.sought || !asked.literals.is_empty();
        let is_free = !asked.ranged && !asked.joined && asked.bounds.is_empty() && !catalog.is_child(at);
        let is_alike = asked.literals.iter().all(is_same);
        (is_compared && is_free && is_alike).then_some((at, constant))
    };
    uses.columns.iter().filter_map(constant).collect()
}

impl Given {
    /// Takes one more value; gives whether it is a literal.
    fn take(&mut self, value: &[Token<'_>]) -> bool {
        let mut value = value;
        while let [open, inner @ .., close] = value
            && open.is("(")
            && close.is(")")
        {
            value = inner;
        }
        let Some(literal) = alone(value) else {
            self.is_handed = true;
            self.may_be_null |= !is_there(value);
            return false;
        };
        self.literals.insert(literal);
        true
    }
}

/// Whether a value is a parameter, for which its caller has one, or the time.
fn is_there(value: &[Token<'_>]) -> bool {
    match value {
        [only] => only.kind == Kind::Parameter || clock::WORDS.iter().any(|clock| only.is(clock)),
        [name, open, all @ .., close] => {
            let is_time = clock::TIMES.iter().any(|time| name.is(time)) && open.is("(") && close.is(")");
            is_time && all.iter().all(|one| one.is(",") || one.kind == Kind::String)
        }
        _ => false,
    }
}

/// Whether each SET gives a column something that is no NULL where it has a value, as `code = coalesce(?, code)` does.
fn keeps_what_is_there(tokens: &[Token<'_>], column: &str) -> bool {
    let set = tokens.iter().position(|token| token.is("SET")).map_or(tokens.len(), |at| at + 1);
    let body = tokens.get(set..).unwrap_or_default();
    let is_own = |token: &Token<'_>| same(&token.plain(), column);
    let is_given = |at: usize| {
        let follows = at.checked_sub(1).and_then(|before| body.get(before)).is_none_or(|one| one.is(","));
        follows && body.get(at).is_some_and(is_own) && body.get(at + 1).is_some_and(|sign| sign.is("="))
    };
    let mut given = (0..body.len()).filter(|at| is_given(*at)).peekable();
    given.peek().is_some() && given.all(|at| is_coalesced(body.get(at + 2..).unwrap_or_default(), is_own))
}

/// Whether a value is `coalesce()` or `ifnull()`, and one of what they choose from is a column as it is.
fn is_coalesced(value: &[Token<'_>], is_own: impl Fn(&Token<'_>) -> bool) -> bool {
    let [name, open, rest @ ..] = value else { return false };
    let (mut depth, mut start, mut is_found) = (1, 0, false);
    for (at, token) in rest.iter().enumerate() {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        if depth == 0 || depth == 1 && token.is(",") {
            is_found |= match rest.get(start..at) {
                Some([only]) => is_own(only),
                Some([table, dot, column]) => dot.is(".") && !table.is("excluded") && is_own(column),
                _ => false,
            };
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    let ends = rest
        .get(start)
        .is_none_or(|next| [",", ";", "WHERE", "FROM", "RETURNING"].iter().any(|end| next.is(end)));
    let is_choice = name.is("coalesce") || name.is("ifnull");
    is_choice && open.is("(") && depth == 0 && is_found && ends
}

/// Whether a part of the columns that an INSERT names is known to the running program alone.
fn has_open_list(raw: &str) -> bool {
    let list = raw.split_once('(').filter(|(head, _)| !head.to_ascii_lowercase().contains("values"));
    list.and_then(|(_, behind)| behind.split(')').next()).is_some_and(|list| list.contains(HOLE))
}

/// Whether a part of what an UPDATE sets is known to the running program alone.
fn has_open_set(raw: &str) -> bool {
    let lower = raw.to_ascii_lowercase();
    let mut words = lower.split_whitespace().skip_while(|word| *word != "set");
    words.by_ref().take_while(|word| *word != "where").any(|word| word.starts_with(HOLE))
}

/// The lists of `INSERT INTO t (a, b) VALUES (1, ?)`.
pub(super) struct Lists {
    pub table: usize,
    /// Those that are named; all where none is.
    columns: Vec<At>,
    /// What each column of each row gets, as a range of tokens.
    pub values: Vec<(At, Range<usize>)>,
}

/// The lists in the tokens of an INSERT; `None` where it has none.
pub(super) fn lists(catalog: &Catalog<'_>, tokens: &[Token<'_>]) -> Option<Lists> {
    let position = |word: &str| tokens.iter().position(|token| token.is(word));
    let (into, values) = (position("INTO")?, position("VALUES")?);
    let table = tokens.iter().skip(into + 1).take(3).find_map(|token| catalog.table(&token.plain()))?;
    let head = tokens.iter().take(values).skip(into + 1);
    let listed: Vec<At> = head
        .skip_while(|token| !token.is("("))
        .filter_map(|token| catalog.column(table, &token.plain()))
        .collect();
    let all = catalog.objects.tables.get(table).map_or(&[][..], |table| &table.columns);
    // What is computed gets nothing, and takes no place.
    let takes = |column: &Column| column.generated == Generated::No && !column.hidden;
    let all = all.iter().enumerate().filter(|(_, column)| takes(column)).map(|(number, _)| (table, number));
    let columns = if listed.is_empty() { all.collect() } else { listed };
    let (mut depth, mut place, mut start, mut found) = (0_i32, 0_usize, 0_usize, Vec::new());
    for (index, token) in tokens.iter().enumerate().skip(values + 1) {
        match token.text {
            "(" if depth == 0 => (depth, place, start) = (1, 0, index + 1),
            "(" => depth += 1,
            ")" | "," if depth == 1 => {
                found.extend(columns.get(place).map(|at| (*at, start..index)));
                (place, start) = (place + 1, index + 1);
                depth -= i32::from(token.text == ")");
            }
            ")" => depth -= 1,
            "," => {}
            _ if depth == 0 => break,
            _ => {}
        }
    }
    (!found.is_empty()).then_some(Lists { table, columns, values: found })
}

//! Whether triggers keep a full-text table in step with the table whose words it holds: tried on one row, word by word.

use super::Database;
use crate::schema::{
    Affinity, Column, Generated, Live, Objects, Table, TableKind, Trigger, quoted,
    tokens::{Token, Tokens},
};
use rayon::prelude::*;

/// What becomes of the words of a full-text table when a row changes that has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upkeep {
    /// The database.
    pub database: usize,
    /// The full-text table.
    pub words: String,
    /// The table whose triggers fill it.
    pub table: String,
    /// The table that it has its values from; `None` where it keeps them itself.
    pub content: Option<String>,
    /// The column that had the word; `None` where the row is deleted.
    pub column: Option<String>,
    /// What is done to the row.
    pub change: Change,
    /// A trigger of such a change that writes to the full-text table.
    pub trigger: Option<String>,
    /// Whether the row is not found any more by a word that it had.
    pub keeps: bool,
}

/// What is done to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// An UPDATE of one column.
    Update,
    /// A DELETE.
    Delete,
    /// An INSERT OR REPLACE of a row with its key.
    Replace,
}

impl Change {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Replace => "replace",
        }
    }

    /// The events whose triggers see it. That of the row which REPLACE deletes is one where triggers are recursive.
    const fn event(self) -> &'static str {
        match self {
            Self::Update => "UPDATE",
            Self::Delete | Self::Replace => "DELETE",
        }
    }
}

/// A word that the row is looked for by. Three letters are a token of each tokenizer, and a trigram.
const WORD: &str = "qzx";
/// A word that it has instead.
const OTHER: &str = "vjk";
/// The modules of full-text tables.
const MODULES: [&str; 3] = ["fts3", "fts4", "fts5"];

/// Tries what triggers do for the full-text tables of all databases.
pub fn upkeeps(databases: &mut [Database]) -> Vec<Upkeep> {
    let tried = databases.par_iter_mut().enumerate().map(|(index, database)| {
        let objects = &database.variant.objects;
        let pairs: Vec<(&Table, &Table)> =
            objects.tables.iter().flat_map(|words| kept(objects, words)).collect();
        let live = &mut database.variant.live;
        pairs.into_iter().flat_map(|pair| Trial { database: index, objects, pair }.all(live)).collect()
    });
    tried.collect::<Vec<Vec<_>>>().concat()
}

/// A full-text table with each table that has a trigger which writes to it.
fn kept<'a>(objects: &'a Objects, words: &'a Table) -> Vec<(&'a Table, &'a Table)> {
    let is_module = |module: &str| MODULES.iter().any(|known| module.eq_ignore_ascii_case(known));
    if words.schema != "main" || !matches!(&words.kind, TableKind::Virtual(module) if is_module(module)) {
        return Vec::new();
    }
    let has_trigger = |table: &Table| {
        objects.triggers.iter().any(|one| one.table.eq_ignore_ascii_case(&table.name) && tells(one, words))
    };
    let is_kept =
        |table: &&Table| table.schema == "main" && table.kind == TableKind::Ordinary && has_trigger(table);
    objects.tables.iter().filter(is_kept).map(|table| (words, table)).collect()
}

/// Whether a trigger writes to a full-text table.
fn tells(trigger: &Trigger, words: &Table) -> bool {
    let tokens: Vec<_> = Tokens::from(&trigger.sql, 0).collect();
    let writes = |at: usize| {
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        // `main.words`
        let from = if before(1).is_some_and(|one| one.is_sign('.')) { 3 } else { 1 };
        let is = |back: usize, word: &str| before(back).is_some_and(|one| one.is(word));
        is(from, "INTO")
            || is(from, "UPDATE")
            || (is(from, "FROM") && is(from + 1, "DELETE"))
            // `UPDATE OR IGNORE words`
            || (is(from + 1, "OR") && is(from + 2, "UPDATE"))
    };
    let is_named = |one: &Token<'_>| one.is_name() && one.name().eq_ignore_ascii_case(&words.name);
    tokens.iter().enumerate().any(|(at, one)| is_named(one) && writes(at))
}

/// Whether a trigger fires where this column is changed: all do without `UPDATE OF`.
fn fires_for(trigger: &Trigger, column: &str) -> bool {
    let head = Tokens::from(&trigger.sql, 0).skip_while(|one| !one.is("UPDATE")).skip(1);
    let head: Vec<_> = head.take_while(|one| !one.is("ON")).collect();
    let is_it = |one: &Token<'_>| one.is_name() && one.name().eq_ignore_ascii_case(column);
    head.is_empty() || head.iter().skip(1).any(is_it)
}

/// The table that a full-text table has its values from, as its `content` option says.
fn content(words: &Table) -> Option<String> {
    let tokens: Vec<_> = Tokens::from(&words.sql, 0).collect();
    let option = tokens.windows(3).find_map(|three| match three {
        [option, sign, table] if option.is("content") && sign.is_sign('=') => Some(table.name()),
        _ => None,
    });
    option.filter(|table| !table.is_empty())
}

/// A full-text table, and a table with triggers for it.
struct Trial<'a> {
    database: usize,
    objects: &'a Objects,
    pair: (&'a Table, &'a Table),
}

impl Trial<'_> {
    /// What each change does, for each column whose words are found once a row has them.
    fn all(&self, live: &mut Live) -> Vec<Upkeep> {
        let texts = self.columns().filter(|one| is_text(one)).map(|one| one.name.as_str());
        let mut all = Vec::new();
        for column in texts {
            // A trigger may leave out what is marked, or need all columns.
            let Some(is_full) = [false, true].into_iter().find(|&full| self.is_found(live, column, full))
            else {
                continue;
            };
            let (_, table) = self.pair;
            let update = format!("UPDATE {} SET {} = '{OTHER}'", quoted(&table.name), quoted(column));
            let replace = self.insert("INSERT OR REPLACE", column, OTHER, is_full);
            let delete = format!("DELETE FROM {}", quoted(&table.name));
            let changes = [(Change::Update, update), (Change::Replace, replace), (Change::Delete, delete)];
            for (change, sql) in changes {
                let of = Some(column).filter(|_| change != Change::Delete);
                let is_told = |one: &Upkeep| one.change == change && one.column.as_deref() == of;
                if all.iter().any(is_told) {
                    continue;
                }
                let rows = i64::from(change != Change::Delete);
                let kept = self.after(live, (column, is_full), Some((&sql, rows)));
                all.extend(kept.map(|found| self.upkeep(change, of, found == 0)));
            }
        }
        all
    }

    fn upkeep(&self, change: Change, column: Option<&str>, keeps: bool) -> Upkeep {
        let (words, table) = self.pair;
        let fires = |one: &&Trigger| {
            one.table.eq_ignore_ascii_case(&table.name)
                && one.event.eq_ignore_ascii_case(change.event())
                && column.is_none_or(|column| change != Change::Update || fires_for(one, column))
                && tells(one, words)
        };
        Upkeep {
            database: self.database,
            words: words.name.clone(),
            table: table.name.clone(),
            content: content(words),
            column: column.map(str::to_owned),
            change,
            trigger: self.objects.triggers.iter().find(fires).map(|one| one.name.clone()),
            keeps,
        }
    }

    /// Whether a new row is found by the word of a column.
    fn is_found(&self, live: &mut Live, column: &str, is_full: bool) -> bool {
        self.after(live, (column, is_full), None) == Some(1)
    }

    /// How often the word of a column is found once a row has it and is changed; `None` where SQLite refuses something, or other
    /// rows are left than expected.
    fn after(
        &self,
        live: &mut Live,
        (column, is_full): (&str, bool),
        change: Option<(&str, i64)>,
    ) -> Option<i64> {
        let (words, table) = self.pair;
        let bench = live.bench().ok()?;
        let run = |sql: &str| bench.run(sql).ok();
        bench.unchecked(|| run(&self.insert("INSERT", column, WORD, is_full)))?;
        if let Some((sql, rows)) = change {
            bench.unchecked(|| run(sql))?;
            let left = run(&format!("SELECT count(*) FROM {}", quoted(&table.name)))?;
            if left != rows {
                return None;
            }
        }
        let words = quoted(&words.name);
        run(&format!("SELECT count(*) FROM {words} WHERE {words} MATCH '{WORD}'"))
    }

    /// The statement that puts in a row with a word in one column; where it is full, with something in all.
    fn insert(&self, verb: &str, column: &str, word: &str, is_full: bool) -> String {
        let is_given = |one: &&Column| {
            is_full || one.name == column || one.primary_key > 0 || (one.not_null && one.default.is_none())
        };
        let given: Vec<&Column> = self.columns().filter(is_given).collect();
        let value = |one: &&Column| match one.affinity {
            _ if one.name == column => format!("'{word}'"),
            _ if is_text(one) => format!("'{OTHER}'"),
            Affinity::Blob => "x'01'".to_owned(),
            _ => "1".to_owned(),
        };
        let names: Vec<String> = given.iter().map(|one| quoted(&one.name)).collect();
        let values: Vec<String> = given.iter().map(value).collect();
        let table = quoted(&self.pair.1.name);
        format!("{verb} INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "))
    }

    fn columns(&self) -> impl Iterator<Item = &Column> {
        self.pair.1.columns.iter().filter(|one| one.generated == Generated::No)
    }
}

/// Whether a column is for text.
fn is_text(column: &Column) -> bool {
    column.affinity == Affinity::Text || column.declared_type.is_empty()
}

//! Whether triggers keep a full-text table in step with the table whose words it holds: tried on one row, word by word.

use super::Database;
use crate::schema::{Affinity, Column, Generated, Live, Objects, Table, TableKind, quoted, tokens::Tokens};
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
        pairs.into_iter().flat_map(|pair| Trial { database: index, pair }.all(live)).collect()
    });
    tried.collect::<Vec<Vec<_>>>().concat()
}

/// A full-text table with each table that has triggers.
fn kept<'a>(objects: &'a Objects, words: &'a Table) -> Vec<(&'a Table, &'a Table)> {
    let is_module = |module: &str| MODULES.iter().any(|known| module.eq_ignore_ascii_case(known));
    if words.schema != "main" || !matches!(&words.kind, TableKind::Virtual(module) if is_module(module)) {
        return Vec::new();
    }
    let has_trigger =
        |table: &Table| objects.triggers.iter().any(|one| one.table.eq_ignore_ascii_case(&table.name));
    let is_kept =
        |table: &&Table| table.schema == "main" && table.kind == TableKind::Ordinary && has_trigger(table);
    objects.tables.iter().filter(is_kept).map(|table| (words, table)).collect()
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
    pair: (&'a Table, &'a Table),
}

impl Trial<'_> {
    /// What each change does, for each column whose words are found once a row has them.
    fn all(&self, live: &mut Live) -> Vec<Upkeep> {
        let mut all = Vec::new();
        if self.trigger(live, &self.insert("INSERT", "", OTHER, true)).is_none() {
            return all;
        }
        let texts = self.columns().filter(|one| is_text(one)).map(|one| one.name.as_str());
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
            let changes = [(Change::Update, &update), (Change::Replace, &replace), (Change::Delete, &delete)];
            for (change, sql) in changes {
                let of = Some(column).filter(|_| change != Change::Delete);
                let is_told = |one: &Upkeep| one.change == change && one.column.as_deref() == of;
                if all.iter().any(is_told) {
                    continue;
                }
                let rows = i64::from(change != Change::Delete);
                let kept = self.after(live, (column, is_full), Some((sql, rows)));
                let Some(found) = kept else { continue };
                // What REPLACE deletes is for the triggers of DELETE, where they are recursive.
                let told = if change == Change::Replace { delete.as_str() } else { sql };
                let trigger = self.trigger(live, told);
                all.push(self.upkeep(change, of, trigger, found == 0));
            }
        }
        all
    }

    fn upkeep(&self, change: Change, column: Option<&str>, trigger: Option<String>, keeps: bool) -> Upkeep {
        let (words, table) = self.pair;
        Upkeep {
            database: self.database,
            words: words.name.clone(),
            table: table.name.clone(),
            content: content(words),
            column: column.map(str::to_owned),
            change,
            trigger,
            keeps,
        }
    }

    /// The trigger through which a statement writes to the full-text table, as SQLite compiles it.
    fn trigger(&self, live: &mut Live, sql: &str) -> Option<String> {
        let writes = live.explain(sql).ok()?.writes;
        let is_words = |table: &str| table.eq_ignore_ascii_case(&self.pair.0.name);
        writes.into_iter().filter(|one| is_words(&one.table)).find_map(|one| one.through)
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

//! Functions that make a table anew: another one, the rows of the old in it, and the old name for it. All of their texts are one
//! step, those that move rows among them. Knows words; whether that is a migration is told by when the function runs.

use super::tables::{Deed, deeds};
use crate::extract::{Extraction, Literal, Role, sql::skip_leading};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Such functions, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Rebuilds(HashSet<u32>);

/// What the texts of a function do to tables.
#[derive(Default)]
struct Doings {
    drops: BTreeSet<String>,
    /// Old and new names.
    renames: Vec<(String, String)>,
    /// The tables that rows are put into, and those that they are read from.
    copies: Vec<Vec<String>>,
}

impl Rebuilds {
    pub fn new(extraction: &Extraction) -> Self {
        let mut functions: BTreeMap<u32, Doings> = BTreeMap::new();
        for literal in &extraction.literals {
            if let (Some(function), Some(text)) = (literal.function, literal.variants.first())
                && runs_once(literal)
            {
                functions.entry(function).or_default().add(text.as_str());
            }
        }
        Self(functions.into_iter().filter(|(_, one)| one.rebuilds()).map(|(function, _)| function).collect())
    }

    /// Whether a text is one of such a function.
    pub fn has(&self, literal: &Literal) -> bool {
        runs_once(literal) && literal.function.is_some_and(|function| self.0.contains(&function))
    }

    /// Whether it moves rows for that.
    pub fn fills(&self, literal: &Literal) -> bool {
        let moves = |sql: &str| copied(sql).is_some() && !sql.contains(['?', '@', '$']);
        self.has(literal) && literal.variants.first().is_some_and(|text| moves(text.as_str()))
    }
}

/// Whether a text may be a part of a migration: what a program does while it works is none.
fn runs_once(literal: &Literal) -> bool {
    matches!(literal.role, Role::StartUp | Role::Migration) && !literal.language.is_sql
}

impl Doings {
    fn add(&mut self, sql: &str) {
        self.copies.extend(copied(sql));
        for deed in deeds(sql) {
            match deed {
                Deed::Drops(name) => {
                    self.drops.insert(name);
                }
                Deed::Renames(old, new) => self.renames.push((old, new)),
                Deed::Creates { .. } | Deed::Needs(_) => {}
            }
        }
    }

    fn rebuilds(&self) -> bool {
        self.renames.iter().any(|(other, own)| {
            let copies = |tables: &Vec<String>| tables.contains(other) && tables.contains(own);
            self.drops.contains(own) && self.copies.iter().any(copies)
        })
    }
}

/// Whether a text makes tables anew that are there already, and no other: no new database can begin with it.
pub(super) fn only_rebuilds(sql: &str) -> bool {
    let (mut made, mut dropped, mut aside) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut is_one = false;
    for deed in deeds(sql) {
        match deed {
            Deed::Creates { name, .. } if aside.contains(&name) => is_one = true,
            Deed::Creates { name, is_temporary: false, .. } => made.push(name),
            Deed::Drops(name) => {
                dropped.insert(name);
            }
            Deed::Renames(old, new) if made.contains(&old) && dropped.contains(&new) => {
                made.retain(|one| *one != old);
                is_one = true;
            }
            Deed::Renames(old, _) => {
                aside.insert(old);
            }
            Deed::Creates { .. } | Deed::Needs(_) => {}
        }
    }
    is_one && made.is_empty()
}

/// The tables of an INSERT that reads its rows.
fn copied(sql: &str) -> Option<Vec<String>> {
    let first = skip_leading(sql).split_ascii_whitespace().next()?;
    let is_insert = first.eq_ignore_ascii_case("insert") || first.eq_ignore_ascii_case("replace");
    let needs = |deed: Deed| if let Deed::Needs(name) = deed { Some(name) } else { None };
    let tables: Vec<String> = deeds(sql).into_iter().filter(|_| is_insert).filter_map(needs).collect();
    (tables.len() >= 2).then_some(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_made_anew() {
        let drop_first =
            "CREATE TABLE b (id); INSERT INTO b SELECT id FROM a; DROP TABLE a; ALTER TABLE b RENAME TO a";
        let aside_first = "ALTER TABLE a RENAME TO old; CREATE TABLE a (id); INSERT INTO a SELECT id FROM old; DROP TABLE old";
        assert!(only_rebuilds(drop_first) && only_rebuilds(aside_first));
    }

    #[test]
    fn what_begins_anew_or_adds_a_table_creates() {
        assert!(!only_rebuilds("DROP TABLE IF EXISTS a; CREATE TABLE a (id)"));
        assert!(!only_rebuilds(
            "CREATE TABLE b (id); DROP TABLE a; ALTER TABLE b RENAME TO a; CREATE TABLE c (id)"
        ));
        assert!(!only_rebuilds("CREATE TABLE a (id)"));
    }
}

//! The statistics that a program keeps itself, by ANALYZE or `PRAGMA optimize`: of which tables, in each database. Every other
//! table has none in the field.

use super::{Database, Passed, Why, pragmas::nearness};
use crate::{
    schema::{
        Objects, same,
        tokens::{Token, Tokens},
    },
    source::Sources,
};
use std::collections::BTreeSet;

/// The tables of each database of which the program keeps statistics, in lower case.
pub fn kept_statistics(
    sources: &Sources,
    databases: &[Database],
    passed: &[Passed],
) -> Vec<BTreeSet<String>> {
    let mut kept = vec![BTreeSet::new(); databases.len()];
    for one in passed.iter().filter(|one| !one.is_test && one.why == Why::Connection) {
        let tables: Vec<Vec<String>> =
            databases.iter().map(|database| analyzed(one, &database.variant.objects)).collect();
        let own = || databases.iter().zip(&tables).filter(|(_, tables)| !tables.is_empty());
        let near = |database: &Database| nearness(sources, &database.declaration, one.site);
        // Of several databases, the nearest is the one whose tables these are.
        let Some(nearest) = own().map(|(database, _)| near(database)).max() else { continue };
        for ((database, tables), kept) in databases.iter().zip(tables).zip(&mut kept) {
            if near(database) == nearest {
                kept.extend(tables);
            }
        }
    }
    kept
}

/// The tables of a schema of which a statement gathers statistics.
fn analyzed(one: &Passed, objects: &Objects) -> Vec<String> {
    let mut tokens = Tokens::from(&one.text, 0);
    let first = tokens.next();
    let is = |word: &str| first.as_ref().is_some_and(|first| first.is(word));
    let all = || objects.tables.iter().map(|table| table.name.to_lowercase()).collect();
    if is("PRAGMA") {
        let is_kept = tokens.any(|word| word.is("optimize"));
        return if is_kept { all() } else { Vec::new() };
    }
    let names: Vec<String> = tokens.filter(Token::is_name).map(|token| token.name()).collect();
    let (schema, name) = match names.as_slice() {
        _ if !is("ANALYZE") => return Vec::new(),
        [] => return all(),
        // A name that only the running program knows is that of each table in turn.
        _ if one.is_open => return all(),
        [name] => (None, name),
        [schema, name, ..] => (Some(schema), name),
    };
    let is_schema = |other: &str| schema.is_none_or(|schema| same(schema, other));
    let whole = objects.tables.iter().filter(|table| schema.is_none() && same(&table.schema, name));
    let own = objects.tables.iter().filter(|table| is_schema(&table.schema) && same(&table.name, name));
    let tables = whole.chain(own).map(|table| &table.name);
    let indexes = objects.indexes.iter().filter(|index| is_schema(&index.schema) && same(&index.name, name));
    tables.chain(indexes.map(|index| &index.table)).map(|table| table.to_lowercase()).collect()
}

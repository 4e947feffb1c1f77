//! The statistics that a program keeps itself, by ANALYZE or `PRAGMA optimize`: of which tables, in each database. Every other
//! table has none in the field.

use super::{Database, Passed, Why, pragmas::nearness};
use crate::{
    extract::{Extraction, Literal},
    schema::{
        Objects, same,
        tokens::{Token, Tokens},
    },
    source::{SourceId, Sources},
};
use std::{
    cell::LazyCell,
    collections::{BTreeSet, HashSet},
};

/// The tables of each database of which the program keeps statistics, in lower case.
pub fn kept_statistics(
    (sources, extraction): (&Sources, &Extraction),
    databases: &[Database],
    passed: &[Passed],
) -> Vec<BTreeSet<String>> {
    let mut kept = vec![BTreeSet::new(); databases.len()];
    let steps = LazyCell::new(|| steps(extraction, databases));
    for one in passed.iter().filter(|one| !one.is_test && one.why == Why::Connection) {
        let tables: Vec<Vec<String>> =
            databases.iter().map(|database| analyzed(one, &database.variant.objects)).collect();
        let own = || databases.iter().zip(&tables).filter(|(_, tables)| !tables.is_empty());
        // Of several databases, the one whose statements stand there, or else the nearest, has these tables.
        let near = |database: &Database| {
            let path = sources.path(one.site.source);
            let is_its = database.statements.as_ref().is_some_and(|globs| globs.matches(path));
            if is_its { usize::MAX } else { nearness(sources, &database.declaration, one.site) }
        };
        let Some(nearest) = own().map(|(database, _)| near(database)).max() else { continue };
        // What a step gathers is of the rows that were there then: of none, in a new database.
        if steps.contains(&one.literal) {
            continue;
        }
        for ((database, tables), kept) in databases.iter().zip(tables).zip(&mut kept) {
            if near(database) == nearest {
                kept.extend(tables);
            }
        }
    }
    kept
}

/// The literals that are steps of the databases, or stand in a list with some.
fn steps(extraction: &Extraction, databases: &[Database]) -> HashSet<usize> {
    let mut steps: HashSet<usize> = databases.iter().flat_map(|one| one.declaration.literals()).collect();
    // Those that no function runs stand in lists, and what stands beside them is in the same.
    let is_listed = |one: &&Literal| one.function.is_none() && one.sink.is_none() && !one.language.is_sql;
    let listed = |index: &usize| extraction.literals.get(*index).filter(is_listed).map(|one| one.site.source);
    let files: HashSet<SourceId> = steps.iter().filter_map(listed).collect();
    let literals = extraction.literals.iter().enumerate();
    let beside = literals.filter(|(_, one)| is_listed(one) && files.contains(&one.site.source));
    steps.extend(beside.map(|(index, _)| index));
    steps
}

/// The tables of a schema of which a statement gathers statistics.
fn analyzed(one: &Passed, objects: &Objects) -> Vec<String> {
    let tokens: Vec<Token<'_>> = Tokens::from(&one.text, 0).collect();
    let (schema, name) = match tokens.as_slice() {
        [first, schema, dot, rest @ ..] if first.is("PRAGMA") && dot.is_sign('.') && is_optimize(rest) => {
            (Some(schema.name()), None)
        }
        [first, rest @ ..] if first.is("PRAGMA") && is_optimize(rest) => (None, None),
        [first, ..] if !first.is("ANALYZE") => return Vec::new(),
        // A name that only the running program knows is that of each table in turn.
        [_, name, ..] if name.is_name() && one.names_any => (None, None),
        [_, schema, dot, name, ..] if dot.is_sign('.') => (Some(schema.name()), Some(name.name())),
        [_, name, ..] if name.is_name() => (None, Some(name.name())),
        [_, ..] => (None, None),
        [] => return Vec::new(),
    };
    let is_schema = |own: &str| schema.as_ref().is_none_or(|schema| same(schema, own));
    let is_it = |own: &str| name.as_ref().is_none_or(|name| same(name, own));
    let is_whole = |own: &str| schema.is_none() && is_it(own);
    let tables = objects.tables.iter();
    let tables = tables.filter(|one| is_schema(&one.schema) && (is_it(&one.name) || is_whole(&one.schema)));
    let indexes = objects.indexes.iter().filter(|one| is_schema(&one.schema) && is_it(&one.name));
    let all = tables.map(|one| &one.name).chain(indexes.map(|one| &one.table));
    all.map(|table| table.to_lowercase()).collect()
}

/// Whether tokens are `optimize`, with whatever mask but the one that only tells what it would do.
fn is_optimize(tokens: &[Token<'_>]) -> bool {
    let is_said = tokens.iter().any(|token| token.is_sign('-'));
    tokens.first().is_some_and(|first| first.is("optimize")) && !is_said
}

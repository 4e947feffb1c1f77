//! How many rows tables have, where the configuration says it and no database in the field was looked at. Statements are
//! planned with these numbers only where the program keeps statistics: every other program has none in the field, and SQLite
//! plans there as if it knew no size.
//!
//! Of a table, its rows alone are said. How many of them share a key, nobody knows: SQLite assumes of that what it does
//! without statistics. Knows nothing of `bounded`, which says the most that a table has, and not how many.

use super::Database;
use crate::{
    config::{Config, FileStatistics, TableStatistics},
    schema::SchemaError,
    source::{Site, SourceId, Sources},
};
use std::{collections::BTreeSet, ops::Range};

/// Takes over what the configuration says of each database of which no statistics were given.
pub fn declare(config: &Config, sources: &Sources, databases: &mut [Database]) {
    let source = config.path.as_ref().and_then(|path| sources.find(path)).map(|(id, _)| id);
    for database in databases {
        let settings = database.declaration.config.and_then(|index| config.databases.get(index));
        let rows = settings.map_or(&[] as &[_], |settings| settings.rows.as_slice());
        let Some((.., first)) = rows.first() else { continue };
        if database.statistics.is_some() {
            let sentence = "`rows` is not used: the statistics of a database say how many there are";
            database.declaration.guesses.extend(site(source, first).map(|site| (site, sentence.to_owned())));
            continue;
        }
        let table = |(name, rows, span): &(String, u64, Range<usize>)| TableStatistics {
            name: name.clone(),
            span: span.clone(),
            site: site(source, span),
            rows: *rows,
            ..TableStatistics::default()
        };
        database.statistics = Some(FileStatistics {
            path: config.path.clone().unwrap_or_default(),
            is_declared: true,
            tables: rows.iter().map(table).collect(),
            ..FileStatistics::default()
        });
    }
}

/// Has SQLite go by the rows that are declared, of the tables of which the program keeps statistics. Gives whether statements
/// have to be planned anew.
///
/// # Errors
/// SQLite has no memory left.
pub fn analyze_declared(databases: &mut [Database], kept: &[BTreeSet<String>]) -> Result<bool, SchemaError> {
    let mut is_any = false;
    for (database, kept) in databases.iter_mut().zip(kept).filter(|(_, kept)| !kept.is_empty()) {
        let Some(mut said) = database.statistics.take_if(|said| said.is_declared) else { continue };
        for table in said.tables.iter_mut().filter(|table| kept.contains(&table.name.to_lowercase())) {
            table.stat1 = Some(table.rows.to_string());
        }
        database.take_statistics(said)?;
        is_any = true;
    }
    Ok(is_any)
}

fn site(source: Option<SourceId>, span: &Range<usize>) -> Option<Site> {
    let (start, end) = (u32::try_from(span.start).ok()?, u32::try_from(span.end).ok()?);
    Some(Site { source: source?, start, end })
}

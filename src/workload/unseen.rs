//! What fills the tables of a database by texts that are in no source: query builders, and INSERTs whose table is computed.
//! Which tables these are, nobody knows.

use super::{
    Database, Outcome, Statement,
    builders::{built_inserts, is_read, query_builders},
    homes::Homes,
};
use crate::{
    extract::{Extraction, Role, text::HOLE},
    source::{Site, Sources, folder_of},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the program writes by, and that is not seen.
#[derive(Debug, Default)]
pub struct Unseen {
    /// Each place that names a query builder.
    pub builders: Vec<(&'static str, Site)>,
    /// The tables that these are seen to put rows in, by names in lower case, with the place and the name of the builder.
    pub inserts: BTreeMap<String, (Site, &'static str)>,
    /// For each database, what fills its tables: the first that is near.
    pub writers: Vec<Option<Writer>>,
}

/// What fills tables by texts that are in no source.
#[derive(Debug, Clone)]
pub struct Writer {
    /// Whether it is a query builder, which may do anything.
    pub is_builder: bool,
    /// Whether it is one of which it is seen in which tables it puts rows.
    pub is_read: bool,
    /// The same in words.
    pub words: String,
}

/// What is not seen of the writing of each database. A file writes to the databases that are declared nearest to it.
pub fn unseen(
    sources: &Sources,
    extraction: &Extraction,
    databases: &[Database],
    statements: &[Statement],
) -> Unseen {
    let builders = query_builders(sources);
    let homes: Vec<Homes<'_>> =
        databases.iter().map(|database| Homes::new(sources, extraction, database)).collect();
    let mut writers = vec![None; databases.len()];
    let built = builders
        .iter()
        .filter(|(_, site)| !is_in_migrations(sources.path(site.source)))
        .map(|(name, site)| (*site, Err(*name), format!("{name} builds queries that are not seen")));
    let computed = computed_inserts(extraction, statements).map(|(literal, site)| {
        (site, Ok(literal), "the name of a table is computed where rows are inserted".to_owned())
    });
    // Where other callers name a table, it is of that database.
    let mut named: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (literal, database) in statements.iter().filter_map(|one| Some((one.literal, one.database()?))) {
        named.entry(literal).or_default().insert(database);
    }
    // An INSERT is sure to be one.
    for (site, by, words) in computed.chain(built) {
        let path = sources.path(site.source);
        let (is_builder, is_read) = (by.is_err(), by.is_err_and(is_read));
        let own = by.ok().and_then(|literal| named.get(&literal));
        let nearness = |(index, homes): (usize, &Homes<'_>)| {
            if own.is_some_and(|own| own.contains(&index)) { usize::MAX } else { homes.nearness(path) }
        };
        let near: Vec<usize> = homes.iter().enumerate().map(nearness).collect();
        let nearest = near.iter().max();
        for (writer, _) in writers.iter_mut().zip(&near).filter(|(_, near)| Some(*near) == nearest) {
            writer.get_or_insert_with(|| Writer { is_builder, is_read, words: words.clone() });
        }
    }
    let inserts = built_inserts(sources, &builders);
    Unseen { builders, inserts, writers }
}

/// Tools for migrations import the same libraries.
fn is_in_migrations(path: &str) -> bool {
    let folders = folder_of(path);
    folders
        .split('/')
        .any(|folder| folder.starts_with("migration") || matches!(folder, "migrate" | "alembic"))
}

/// The INSERTs of the program into a table whose name is a hole, and of which SQLite could not tell the table.
fn computed_inserts<'a>(
    extraction: &'a Extraction,
    statements: &'a [Statement],
) -> impl Iterator<Item = (usize, Site)> + 'a {
    let is_settled =
        |one: &&Statement| matches!(one.outcome, Outcome::Planned { .. } | Outcome::Applied { .. });
    let settled = statements.iter().filter(is_settled).map(|one| (one.literal, one.branch));
    let settled: HashSet<(usize, usize)> = settled.collect();
    let is_computed = |text: &str| {
        let mut words = text.split(|one: char| one.is_whitespace() || "\"`'[".contains(one));
        let mut words = words.by_ref().filter(|word| !word.is_empty());
        let verb = words.next().unwrap_or("");
        (verb.eq_ignore_ascii_case("insert") || verb.eq_ignore_ascii_case("replace"))
            && words.by_ref().take(3).any(|word| word.eq_ignore_ascii_case("into"))
            && words.next().is_some_and(|word| word.starts_with(HOLE))
    };
    let literals = extraction.literals.iter().enumerate();
    literals
        .filter(move |(index, literal)| {
            let mut variants = literal.variants.iter().enumerate();
            literal.role == Role::Production
                && variants
                    .any(|(branch, text)| !settled.contains(&(*index, branch)) && is_computed(text.as_str()))
        })
        .map(|(index, literal)| (index, literal.site))
}

//! What is known of all databases before statements are planned: which has which tables, and which of them may have more.

use super::{Database, holes::Names};
use crate::{
    extract::{Extraction, sql::contains_word},
    migration::{computed_folders, makes_replaced_tables, mentions, table_makers},
    schema::{Kind, Refusal, RefusalKind, variant::Outcome},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What the databases offer.
pub struct Known {
    /// The databases that have a table, by its name in lower case.
    pub tables: HashMap<String, Vec<usize>>,
    /// What may stand in the holes of texts of each.
    pub names: Vec<Names>,
    /// Whether all of a database's schema is known.
    complete: Vec<bool>,
    /// Whether a database may have tables that are not known.
    more: Vec<bool>,
    /// The temporary tables of each database that its schema is without.
    hidden: Vec<BTreeSet<String>>,
    /// The folders whose code makes tables with computed names.
    computed: HashSet<String>,
    /// The tables that code makes and takes away again, in an order that is a guess.
    dropped: HashSet<String>,
    /// What became of no step: of each, the tables that it would have made or altered.
    failed: Vec<Failed>,
}

/// A step that SQLite refused.
struct Failed {
    place: String,
    /// The tables that it would have made, in lower case.
    makes: Vec<String>,
    /// The tables that it would have altered, in lower case, and its words.
    alters: Vec<String>,
    words: String,
}

impl Known {
    /// What the databases of a tree offer.
    pub fn new((sources, extraction): (&Sources, &Extraction), databases: &[Database]) -> Self {
        let mut tables: HashMap<String, Vec<usize>> = HashMap::new();
        let mut names = Vec::new();
        let makers = table_makers(extraction);
        for (index, database) in databases.iter().enumerate() {
            let mut own = Names::of(&database.variant.objects, &database.declaration.steps);
            own.makers.clone_from(&makers);
            for table in &own.tables {
                tables.entry(table.clone()).or_default().push(index);
            }
            names.push(own);
        }
        let complete: Vec<bool> = databases.iter().map(|database| database.declaration.is_complete).collect();
        let hidden = databases.iter().map(|database| database.declaration.hidden.clone()).collect();
        let computed: HashSet<String> =
            computed_folders(sources, extraction).into_iter().map(str::to_owned).collect();
        let is_beside = |home: &SourceId| computed.contains(folder_of(sources.path(*home)));
        let has_more = |database: &Database| {
            let one = &database.declaration;
            !one.is_complete && (makes_replaced_tables(one) || one.homes.iter().any(is_beside))
        };
        let more = databases.iter().map(has_more).collect();
        let steps = databases.iter().flat_map(|database| &database.declaration.steps);
        let guessed = steps.filter(|step| !step.is_ordered);
        let made = guessed.flat_map(|step| mentions(step.text.as_str()).created);
        let dropped =
            made.map(|name| name.to_lowercase()).filter(|name| !tables.contains_key(name)).collect();
        let failed = databases.iter().flat_map(|database| failed(sources, database)).collect();
        Self { tables, names, complete, more, hidden, computed, dropped, failed }
    }

    /// Where a step stands that was refused, and would have made what a refused statement misses.
    pub fn failed_step(&self, refusal: &Refusal, used: &[String]) -> Option<&str> {
        let is_used = |table: &String| used.contains(table);
        let (RefusalKind::NoSuchTable(missing) | RefusalKind::NoSuchColumn(missing)) = &refusal.kind else {
            let changes = |one: &&Failed| refusal.is_of_schema() && one.alters.iter().any(is_used);
            return self.failed.iter().find(changes).map(|one| one.place.as_str());
        };
        let missing = missing.to_lowercase();
        let missing = missing.rsplit_once('.').map_or(missing.as_str(), |(_, name)| name);
        let would_make = |one: &&Failed| {
            if matches!(refusal.kind, RefusalKind::NoSuchTable(_)) {
                return one.makes.iter().any(|made| made == missing);
            }
            // What it would have made is another table than the one that is known by this name.
            let alters = one.alters.iter().any(is_used) && contains_word(&one.words, missing);
            alters || one.makes.iter().any(is_used)
        };
        self.failed.iter().find(would_make).map(|one| one.place.as_str())
    }

    /// Whether code makes a table of this name that is not there in the end, as far as the order of the code is known.
    pub fn is_dropped(&self, name: &str) -> bool {
        self.dropped.contains(&name.to_lowercase())
    }

    /// Whether code beside a file makes tables with computed names.
    pub fn is_computed_beside(&self, path: &str) -> bool {
        self.computed.contains(folder_of(path))
    }

    /// Whether some database may have more than is known.
    pub fn is_any_incomplete(&self) -> bool {
        self.complete.contains(&false)
    }

    /// Whether a database may have tables that are not known, and not only columns.
    pub fn has_more_tables(&self, database: usize) -> bool {
        self.more.get(database).copied().unwrap_or(false)
    }

    /// Whether a database may have more than is known.
    pub fn is_incomplete(&self, database: usize) -> bool {
        self.complete.get(database) == Some(&false)
    }

    /// Whether a refusal is for a temporary table that is there for a while, beside a lasting one of its name.
    pub fn is_hidden(&self, database: usize, refusal: &Refusal) -> bool {
        let RefusalKind::NoSuchTable(name) = &refusal.kind else { return false };
        let own = name.to_lowercase();
        let own = own.strip_prefix("temp.");
        own.is_some_and(|own| self.hidden.get(database).is_some_and(|hidden| hidden.contains(own)))
    }
}

/// The steps of a database that were refused, and would have made or altered tables.
fn failed(sources: &Sources, database: &Database) -> Vec<Failed> {
    let of = |outcome: &Outcome| {
        let refusal = outcome.applied.outcome.as_ref().err()?;
        // What is there already was not missed.
        if matches!(refusal.kind, RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_)) {
            return None;
        }
        let (start, end) = (outcome.applied.start, outcome.applied.end);
        let words = outcome.text.as_str().get(start..end)?.to_lowercase();
        let found = mentions(&words);
        let is_alteration = Kind::of(&words) == Kind::AlterTable;
        let alters = if is_alteration { found.used } else { Vec::new() };
        if found.created.is_empty() && alters.is_empty() {
            return None;
        }
        let site = outcome.text.site(start as u32, end as u32)?;
        let source = sources.get(site.source)?;
        let place = format!("{}:{}", source.path, source.position(site.start).line);
        Some(Failed { place, makes: found.created, alters, words })
    };
    database.variant.outcomes.iter().filter_map(of).collect()
}

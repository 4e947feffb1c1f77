//! The databases in the field: those whose schema is not the declared one, and what becomes of the program's statements
//! on them.

use super::{Database, Statement, bind::explain, likeliest, statistics::stats};
use crate::{
    migration::{Declaration, release::Released},
    schema::{
        Explained, Refusal, SchemaError, Settings,
        compare::{Difference, differences},
        file::Statistics,
        upgrade,
        variant::Variant,
    },
};
use rayon::prelude::*;

/// A schema that databases in the field have, and that is not the declared one.
#[derive(Debug)]
pub struct Other {
    /// The database, by its place among all.
    pub database: usize,
    /// The releases that made such databases, by their place among all; none for a new database.
    pub releases: Vec<usize>,
    /// The schema.
    pub variant: Variant,
    /// How it differs: `here` is the declared schema, `there` this one.
    pub differences: Vec<Difference>,
    /// The statements that run otherwise on it, by their place among all.
    pub statements: Vec<(usize, Result<Explained, Refusal>)>,
}

impl Other {
    /// The word for its kind in the facts.
    pub fn kind(&self) -> &'static str {
        if self.releases.is_empty() { "fresh" } else { "upgraded" }
    }
}

/// The schemas in the field that differ from the declared ones, and the statements that run otherwise on them. Releases
/// that lead to equal schemas make one.
///
/// # Errors
/// Where SQLite has no memory left.
pub fn others(
    databases: &[Database],
    statements: &[Statement],
    released: &[Released],
) -> Result<Vec<Other>, SchemaError> {
    // A live database is used by one thread at a time; how it is made is for all to read.
    let known: Vec<(&Declaration, &Settings, bool)> = databases
        .iter()
        .map(|one| (&one.declaration, one.variant.live.settings(), one.is_snapshot))
        .collect();
    let fresh =
        known.par_iter().enumerate().with_max_len(1).map(|(index, &(today, settings, is_snapshot))| {
            let fresh = upgrade::fresh(today, is_snapshot, settings, &likeliest)?;
            Ok(fresh.map(|variant| (index, Vec::new(), variant)))
        });
    // A database in memory lives no longer than the release that made it.
    let lasts = |one: &&Released| databases.get(one.database).is_some_and(|database| !database.in_memory);
    let released: Vec<&Released> = released.iter().filter(lasts).collect();
    let upgraded = released.par_iter().with_max_len(1).map(|one| {
        let Some(&(today, settings, is_snapshot)) = known.get(one.database) else { return Ok(None) };
        let then = &one.declaration;
        if (!is_snapshot && upgrade::is_beginning(today, then)) || upgrade::is_too_old(today, then) {
            return Ok(None);
        }
        let variant = upgrade::upgraded(today, then, is_snapshot, settings, &likeliest)?;
        Ok(variant.map(|variant| (one.database, one.releases.clone(), variant)))
    });
    let made: Vec<Option<(usize, Vec<usize>, Variant)>> =
        fresh.chain(upgraded).collect::<Result<_, SchemaError>>()?;
    let mut others: Vec<Other> = Vec::new();
    for (database, releases, variant) in made.into_iter().flatten() {
        let Some(of) = databases.get(database) else { continue };
        let differences = differences(&of.variant.objects, &variant.objects);
        if differences.is_empty() {
            continue;
        }
        let same = others.iter_mut().find(|one| {
            one.database == database
                && one.releases.is_empty() == releases.is_empty()
                && one.differences == differences
        });
        match same {
            Some(one) => one.releases.extend(releases),
            None => others.push(Other { database, releases, variant, differences, statements: Vec::new() }),
        }
    }
    for other in &mut others {
        // What is planned with statistics as declared is planned with them there.
        let own = databases.get(other.database).and_then(|database| database.statistics.as_ref());
        if let Some(own) = own {
            let rows = Statistics::of(&stats(own, &other.variant.objects));
            other.variant.live.put_statistics(&rows)?;
        }
    }
    others.par_iter_mut().with_max_len(1).for_each(|other| {
        other.releases.sort_unstable();
        other.statements = otherwise(other.database, &mut other.variant, statements);
    });
    others.sort_by(|a, b| (a.database, &a.releases).cmp(&(b.database, &b.releases)));
    Ok(others)
}

/// The statements of a database whose plan is another one on this schema, or that SQLite refuses there.
pub fn otherwise(
    database: usize,
    variant: &mut Variant,
    statements: &[Statement],
) -> Vec<(usize, Result<Explained, Refusal>)> {
    let own = statements.iter().enumerate().filter(|(_, one)| one.database() == Some(database));
    let mut found = Vec::new();
    for (index, statement) in own {
        let Some(explained) = statement.explained().filter(|_| statement.step.is_none()) else { continue };
        let then = explain(&mut variant.live, statement.text.as_str());
        let is_same = then.as_ref().is_ok_and(|then| then.plan.lines() == explained.plan.lines());
        if !is_same {
            found.push((index, then));
        }
    }
    found
}

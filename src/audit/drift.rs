//! How a file differs from the schemas that the program knows, and which of these is the nearest. Knows no statement.

use super::{MissingIndex, Program};
use crate::{
    schema::{
        Live, Objects, SchemaError,
        compare::{Difference, differences},
        same,
        variant::{self, Variant},
    },
    workload,
};

/// Differences, with one for an index that is missing and another one of its name in the place of two.
pub(super) fn joined(found: Vec<Difference>, missing: &[MissingIndex]) -> Vec<Difference> {
    let taken = |one: &Difference| {
        let is_own = |index: &&MissingIndex| one.kind == "index" && same(&index.name, &one.object);
        missing.iter().find(is_own).and_then(|index| index.instead.clone())
    };
    let one_of_two = |one: Difference| match (taken(&one), &one.here) {
        (None, _) => Some(one),
        (there, Some(_)) => Some(Difference { property: "definition", there, ..one }),
        (Some(_), None) => None,
    };
    found.into_iter().filter_map(one_of_two).collect()
}

/// The schema of the program that is the nearest to that of a file. Of two that are as near, it is that which has the file's
/// `user_version`, where the program keeps one; else the declared one, and then the newest.
pub(super) fn nearest(
    program: &Program<'_>,
    database: usize,
    (file, version): (&Objects, i32),
    declared: usize,
) -> Result<(String, usize), SchemaError> {
    let mut best = ("as declared".to_owned(), declared);
    let Some(today) = program.databases.get(database) else { return Ok(best) };
    let has_version = |live: &Live| Ok::<_, SchemaError>(version > 0 && live.user_version()? == version);
    let mut is_sure = has_version(&today.variant.live)?;
    let mut hold = |words: String, variant: &Variant| {
        let number = differences(&variant.objects, file).len();
        let is_own = has_version(&variant.live)?;
        if number < best.1 || number == best.1 && is_own && !is_sure {
            (best, is_sure) = ((words, number), is_own);
        }
        Ok::<_, SchemaError>(())
    };
    let named = |releases: &[usize]| {
        let names = &program.releases.names;
        let name = |at: Option<&usize>| at.and_then(|at| names.get(*at)).cloned().unwrap_or_default();
        let (first, last) = (name(releases.first()), name(releases.last()));
        if first == last { first } else { format!("{first} to {last}") }
    };
    for other in program.others.iter().filter(|other| other.database == database) {
        let words = match other.releases.as_slice() {
            [] => "as a new database is created".to_owned(),
            releases => format!("as created by {} and brought up to date since", named(releases)),
        };
        hold(words, &other.variant)?;
    }
    for one in program.releases.released.iter().rev().filter(|one| one.database == database) {
        let settings = today.variant.live.settings();
        let then = variant::build(&one.declaration, settings, &workload::likeliest)?;
        hold(format!("as {} left it", named(&one.releases)), &then)?;
    }
    Ok(best)
}

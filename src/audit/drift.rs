//! How a file differs from the schemas that the program knows, and which of these is the nearest. Knows no statement.

use super::{MissingIndex, Program};
use crate::{
    schema::{
        Objects, SchemaError,
        compare::{Difference, differences},
        same, variant,
    },
    workload,
};

/// Differences, with one for an index that is missing and another one of its name in the place of two.
pub(super) fn joined(found: Vec<Difference>, missing: &[MissingIndex]) -> Vec<Difference> {
    let is_taken = |one: &Difference| {
        let instead = |index: &MissingIndex| index.instead.is_some() && same(&index.name, &one.object);
        one.kind == "index" && missing.iter().any(instead)
    };
    let (taken, mut rest): (Vec<Difference>, Vec<Difference>) = found.into_iter().partition(is_taken);
    let (here, there): (Vec<Difference>, Vec<Difference>) =
        taken.into_iter().partition(|one| one.there.is_none());
    rest.extend(here.into_iter().map(|one| {
        let other = there.iter().find(|other| same(&other.object, &one.object));
        Difference { property: "definition", there: other.and_then(|other| other.there.clone()), ..one }
    }));
    rest.sort();
    rest
}

/// The schema of the program that is the nearest to that of a file.
pub(super) fn nearest(
    program: &Program<'_>,
    database: usize,
    file: &Objects,
    declared: usize,
) -> Result<(String, usize), SchemaError> {
    let mut best = ("as declared".to_owned(), declared);
    let mut hold = |words: String, objects: &Objects| {
        let number = differences(objects, file).len();
        if number < best.1 {
            best = (words, number);
        }
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
        hold(words, &other.variant.objects);
    }
    let Some(today) = program.databases.get(database) else { return Ok(best) };
    // The newest first: of two that are as near, it is the likelier.
    for one in program.releases.released.iter().rev().filter(|one| one.database == database) {
        let settings = today.variant.live.settings();
        let then = variant::build(&one.declaration, settings, &workload::likeliest)?;
        hold(format!("as {} left it", named(&one.releases)), &then.objects);
    }
    Ok(best)
}

//! Temporary tables that the program makes while it runs: its statements name them as they name any other.

use super::{Declaration, Runs, Step, common_parts, created, mentions};
use crate::{
    extract::{Extraction, Literal, Role, sql::skip_leading},
    source::Sources,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Adds what creates temporary objects to the nearest database.
pub(super) fn add(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    let taken: HashSet<usize> =
        declared.iter().flat_map(|one| one.steps.iter().map(|step| step.literal)).collect();
    let made = |one: &Declaration| created(&one.steps).into_iter().chain(created(&one.create)).collect();
    let lasting: Vec<BTreeSet<String>> = declared.iter().map(made).collect();
    for (index, literal) in extraction.literals.iter().enumerate() {
        if taken.contains(&index) || literal.role == Role::Test || !is_temporary(literal) {
            continue;
        }
        let path = sources.path(literal.site.source);
        let near = |one: &Declaration| {
            let homes = one.homes.iter().map(|&home| sources.path(home));
            homes
                .map(|home| if home == path { usize::MAX } else { common_parts(home, path) })
                .max()
                .unwrap_or(0)
        };
        let nearest = declared.iter_mut().enumerate().rev().max_by_key(|(_, one)| near(one));
        if let (Some((number, nearest)), Some(text)) = (nearest, literal.variants.first()) {
            // One that has the name of another table is there for a while, and that for all other statements.
            let made = mentions(text.as_str()).created;
            if made.iter().any(|name| lasting.get(number).is_some_and(|lasting| lasting.contains(name))) {
                nearest.hidden.extend(made);
                continue;
            }
            let name = literal.constant.clone().unwrap_or_default();
            let text = text.clone();
            let step = Step::new(index, text, &name, None);
            nearest.steps.push(Step { is_ordered: false, runs: Runs::Open, ..step });
        }
    }
}

/// Leaves out what is temporary, where there is a database for it: it makes none.
pub(super) fn leave_out<T>(extraction: &Extraction, has_others: bool, ddl: &mut BTreeMap<usize, T>) {
    let is_own = |index: &usize| !extraction.literals.get(*index).is_some_and(is_temporary);
    if has_others || ddl.keys().any(is_own) {
        ddl.retain(|index, _| is_own(index));
    }
}

/// `CREATE TEMP TABLE`, and the like, where a text begins with it.
fn is_temporary(literal: &Literal) -> bool {
    let text = literal.variants.first().map_or("", |text| text.as_str());
    let mut words = skip_leading(text).split_whitespace().map(str::to_ascii_lowercase);
    words.next().as_deref() == Some("create") && matches!(words.next().as_deref(), Some("temp" | "temporary"))
}

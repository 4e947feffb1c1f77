//! Code that sees to it that some tables of another's database are there, before it works on them: it looks like a database of its own.
//! Knows words, folders and the names of files; the connection on which code runs is not seen.

use super::{
    Declaration, Mentions, Runs, Step,
    copies::tables,
    mentions, runners,
    temporary::{is_temporary, makes_temporary},
    ways::Ways,
};
use crate::{
    extract::{self, Extraction, Literal, Role},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet};

/// Makes one database of such code and the one that makes the same tables and more, to the letter.
pub(super) fn join(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    for index in (0..declared.len()).rev() {
        let found = declared.get(index).filter(|one| is_lenient(sources, one)).and_then(|one| {
            let made = tables(lasting(one));
            let others = declared.iter().enumerate().filter(|(at, _)| *at != index);
            let mut owners = others.filter(|(_, other)| is_more(&made, other));
            let (at, owner) = owners.next().filter(|_| !made.is_empty())?;
            let is_its = owners.next().is_none()
                && (is_beside(sources, extraction, one, owner) || is_asked_with(extraction, one, owner));
            is_its.then_some(at)
        });
        let Some(at) = found else { continue };
        let one = declared.remove(index);
        if let Some(owner) = declared.get_mut(if at > index { at - 1 } else { at }) {
            add(owner, one);
        }
    }
}

/// Whether a declaration is code, all of which may run at each open.
fn is_lenient(sources: &Sources, one: &Declaration) -> bool {
    let is_one = |step: &Step| {
        let found = mentions(step.text.as_str());
        let changes = found.creates_once || found.changes_once || found.drops || found.adds_rows;
        !step.is_upgrade && step.list.is_none() && (is_temporary(step.text.as_str()) || !changes)
    };
    !one.is_files(sources) && one.create.is_empty() && one.steps.iter().all(is_one)
}

/// The steps that make what stays.
fn lasting(one: &Declaration) -> impl Iterator<Item = &Step> {
    one.steps.iter().filter(|step| !is_temporary(step.text.as_str()))
}

/// Whether a declaration makes all of these tables, and others.
fn is_more(made: &BTreeMap<String, String>, other: &Declaration) -> bool {
    let there = tables(other.create.iter().chain(lasting(other)));
    there.len() > made.len() && made.iter().all(|(name, body)| there.get(name) == Some(body))
}

/// Whether code stands beside its owner's or names the owner's file, and opens no database for that.
fn is_beside(sources: &Sources, extraction: &Extraction, one: &Declaration, owner: &Declaration) -> bool {
    let folder = |home: &SourceId| folder_of(sources.path(*home));
    let is_near = |home: &SourceId| {
        owner.homes.iter().any(|other| {
            let path = sources.path(*other);
            let name = path.rsplit('/').next().unwrap_or(path);
            let names = |text: &str| runners::mentions(text, name).any(|at| runners::is_string(text, at));
            if extract::is_sql(path) {
                sources.get(*home).is_some_and(|source| source.peek(names))
            } else {
                folder(other) == folder(home)
            }
        })
    };
    let ways = Ways::new(extraction, &one.steps);
    let opens = |step: &Step| ways.of(step).iter().any(|way| way.0.iter().any(|place| place.opens));
    one.homes.iter().all(is_near) && !one.steps.iter().any(opens)
}

/// Whether a statement of the program needs a temporary table that code makes beside the others, together with what the owner alone
/// makes.
fn is_asked_with(extraction: &Extraction, one: &Declaration, owner: &Declaration) -> bool {
    let (own, there) = (super::created(&one.steps), super::created(&owner.steps));
    let texts = |literal: &Literal| literal.variants.first().map(|text| mentions(text.as_str()));
    let all = || extraction.literals.iter().filter(|literal| literal.role != Role::Test);
    let makes = |literal: &&Literal| one.homes.contains(&literal.site.source) && makes_temporary(literal);
    let temporary: BTreeSet<String> =
        all().filter(makes).filter_map(texts).flat_map(|found| found.created).collect();
    let is_one = |found: Mentions| {
        let has = |names: &BTreeSet<String>| found.used.iter().any(|name| names.contains(name));
        has(&temporary) && found.used.iter().any(|name| there.contains(name) && !own.contains(name))
    };
    !temporary.is_empty() && all().filter_map(texts).any(is_one)
}

/// Adds to the owner what it does not make itself.
fn add(owner: &mut Declaration, one: Declaration) {
    let only_repeats = |step: &Step| {
        let found = mentions(step.text.as_str());
        found.makes_table && found.indexes.is_empty() && !found.has_trigger
    };
    let (repeated, added): (Vec<Step>, Vec<Step>) = one.steps.into_iter().partition(only_repeats);
    owner.aside.extend(repeated.iter().map(|step| step.literal));
    owner.steps.extend(added.into_iter().map(|step| Step { is_ordered: false, runs: Runs::Open, ..step }));
    owner.aside.extend(one.aside);
    owner.homes.extend(one.homes);
    owner.places.extend(one.places);
}

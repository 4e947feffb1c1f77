//! Temporary tables that the program makes while it runs: its statements name them as they name any other.

use super::{
    Declaration, Runs, Step, common_parts, created, files,
    incomplete::is_computed,
    mentions,
    tables::{Deed, deeds},
};
use crate::{
    extract::{
        Extraction, Literal, Role,
        sql::{begins_temporary, contains_word},
        text::Text,
    },
    source::{SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Adds what creates temporary objects to the nearest database.
pub(super) fn add(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    let taken: HashSet<usize> =
        declared.iter().flat_map(|one| one.steps.iter().map(|step| step.literal)).collect();
    let made = |one: &Declaration| created(&one.steps).into_iter().chain(created(&one.create)).collect();
    let lasting: Vec<BTreeSet<String>> = declared.iter().map(made).collect();
    let mut beside: HashMap<SourceId, Vec<usize>> = HashMap::new();
    let mut makers: HashMap<String, usize> = HashMap::new();
    let all = extraction.literals.iter().enumerate();
    let is_foreign = |one: &Literal| files::is_foreign(sources.path(one.site.source));
    let temporary: Vec<(usize, &Literal)> =
        all.filter(|(_, one)| one.role != Role::Test && makes_temporary(one) && !is_foreign(one)).collect();
    for text in temporary.iter().filter_map(|(_, literal)| literal.variants.first()) {
        for name in mentions(text.as_str()).created {
            *makers.entry(name).or_default() += 1;
        }
    }
    for (index, literal) in temporary.into_iter().filter(|(index, _)| !taken.contains(index)) {
        let path = sources.path(literal.site.source);
        let near = |one: &Declaration| {
            let homes = one.homes.iter().map(|&home| sources.path(home));
            homes
                .map(|home| if home == path { usize::MAX } else { common_parts(home, path) })
                .max()
                .unwrap_or(0)
        };
        let beside = beside
            .entry(literal.site.source)
            .or_insert_with(|| fitting(extraction, literal.site.source, &lasting));
        let fits = |number: usize| beside.get(number).copied().unwrap_or(0);
        let all = declared.iter_mut().enumerate().rev();
        let nearest = all.max_by_key(|(number, one)| (near(one), fits(*number)));
        // A name that the text itself puts in stands for the table; a marker does for many.
        let text = literal
            .variants
            .first()
            .filter(|text| !text.holes().is_empty() || !is_computed(extraction, literal, text));
        if let (Some((number, nearest)), Some(text)) = (nearest, text) {
            // One that has the name of another table is there for a while, and that for all other statements.
            let made = mentions(text.as_str()).created;
            if made.iter().any(|name| lasting.get(number).is_some_and(|lasting| lasting.contains(name))) {
                nearest.hidden.extend(made);
                continue;
            }
            let name = literal.constant.clone().unwrap_or_default();
            let step = Step::new(index, making(text), &name, None);
            // What follows is the work for which it is made. It may be for another shape of the table.
            let is_one = |name: &String| makers.get(name) == Some(&1);
            let is_part = literal.role == Role::Production
                && step.text.as_str().len() < text.as_str().len()
                && made.iter().all(is_one);
            nearest.steps.push(Step { is_ordered: false, runs: Runs::Open, is_part, ..step });
        }
    }
}

/// How many texts of a file name a table of each database. Of those that are equally near, the file tells which it speaks to.
fn fitting(extraction: &Extraction, source: SourceId, lasting: &[BTreeSet<String>]) -> Vec<usize> {
    let mut counts = vec![0; lasting.len()];
    let own = extraction.literals.iter().filter(|one| one.site.source == source && one.role != Role::Test);
    for text in own.filter_map(|one| one.variants.first()) {
        let used = mentions(text.as_str()).used;
        for (count, tables) in counts.iter_mut().zip(lasting) {
            *count += usize::from(used.iter().any(|name| tables.contains(name)));
        }
    }
    counts
}

/// Leaves out what is temporary, where there is a database for it: it makes none.
pub(super) fn leave_out<T>(extraction: &Extraction, has_others: bool, ddl: &mut BTreeMap<usize, T>) {
    let is_own = |index: &usize| !extraction.literals.get(*index).is_some_and(makes_temporary);
    if has_others || ddl.keys().any(is_own) {
        ddl.retain(|index, _| is_own(index));
    }
}

/// The part of a text that makes things: what it does with them, and that they are gone behind it, is none of the schema.
fn making(text: &Text) -> Text {
    let lower = text.as_str().to_ascii_lowercase();
    let last = lower.rfind("create").filter(|_| !contains_word(&lower, "trigger"));
    let end = last.and_then(|last| lower.get(last..)?.find(';').map(|end| last + end));
    end.map_or_else(|| text.clone(), |end| text.part(0, end))
}

pub(super) fn makes_temporary(literal: &Literal) -> bool {
    let text = literal.variants.first().map_or("", |text| text.as_str());
    begins_temporary(text) || is_temporary(text)
}

/// Whether all that a text makes is temporary, and it changes nothing else of a schema.
pub(super) fn is_temporary(sql: &str) -> bool {
    let deeds = deeds(sql);
    let mut made: BTreeSet<&str> = BTreeSet::new();
    for deed in &deeds {
        if let Deed::Creates { name, is_temporary: true, .. } = deed {
            made.insert(name);
        }
    }
    let is_own = |deed: &Deed| match deed {
        Deed::Creates { is_temporary, .. } => *is_temporary,
        Deed::Drops(name) => made.contains(name.as_str()),
        Deed::Renames(..) => false,
        Deed::Needs(_) => true,
    };
    let found = mentions(sql);
    let is_else = found.alters || (made.is_empty() && !begins_temporary(sql));
    !is_else && deeds.iter().all(is_own)
}

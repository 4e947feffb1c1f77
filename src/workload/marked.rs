//! Statements that no schema takes since they hold texts which the program replaces before it runs them. What it puts there
//! is put there here as well, or nothing, or a name: SQLite says which of these compiles.

use super::{
    Database,
    bind::{Job, candidates, plan_rounds},
    homes::Homes,
    known::Known,
};
use crate::{
    extract::{Extraction, Marker, Role, text::Text},
    migration::mentions,
    schema::Refusal,
    source::Sources,
};
use std::collections::HashMap;

/// The most texts that are tried in the place of one.
const MAX_TEXTS: usize = 12;

/// A job as it was, and the texts to try.
struct Waiting<'a> {
    job: usize,
    path: &'a str,
    /// How near each database is.
    near: Vec<usize>,
    text: Text,
    used: Vec<String>,
    refusal: Option<(usize, Refusal)>,
    names_table: bool,
    others: std::vec::IntoIter<Text>,
}

/// Plans the jobs again that were not planned and hold a text which the program replaces. `applied` are steps of schemas.
pub(super) fn plan(
    jobs: &mut [Job],
    (sources, extraction): (&Sources, &Extraction),
    databases: &mut [Database],
    known: &Known,
    applied: &HashMap<usize, usize>,
) {
    let homes: Vec<Homes<'_>> =
        databases.iter().map(|database| Homes::new(sources, extraction, database)).collect();
    let mut waiting = Vec::new();
    for (index, job) in jobs.iter().enumerate().filter(|(_, job)| job.done.is_empty() && !job.is_foreign) {
        let literal = extraction.literals.get(job.piece.literal);
        let Some(literal) = literal.filter(|literal| literal.role != Role::Test) else { continue };
        if job.logged.is_some() || applied.contains_key(&job.piece.literal) {
            continue;
        }
        let sql = job.piece.text.as_str();
        let own: Vec<&Marker> =
            extraction.markers.iter().filter(|marker| sql.contains(&marker.text)).collect();
        if !own.is_empty() {
            let (text, used) = (job.piece.text.clone(), job.used.clone());
            let (refusal, names_table) = (job.refusal.clone(), job.names_table);
            let others = texts(&text, &own).into_iter();
            let path = sources.path(literal.site.source);
            let near = homes.iter().map(|homes| homes.nearness(path)).collect();
            waiting.push(Waiting { job: index, path, near, text, used, refusal, names_table, others });
        }
    }
    for _ in 0..MAX_TEXTS {
        let mut goes_on = false;
        for one in &mut waiting {
            let Some(job) = jobs.get_mut(one.job) else { continue };
            let Some(text) = one.others.next().filter(|_| job.done.is_empty()) else { continue };
            goes_on = true;
            job.used = mentions(text.as_str()).used;
            job.piece.text = text;
            job.candidates = candidates(one.path, &one.near, &job.used, databases, known);
        }
        if !goes_on {
            break;
        }
        plan_rounds(jobs, extraction, databases, known);
    }
    for one in waiting {
        if let Some(job) = jobs.get_mut(one.job).filter(|job| job.done.is_empty()) {
            job.piece.text = one.text;
            (job.used, job.refusal, job.names_table) = (one.used, one.refusal, one.names_table);
        }
    }
}

/// The texts that one with markers may become, the likeliest first.
fn texts(text: &Text, markers: &[&Marker]) -> Vec<Text> {
    let mut all = vec![text.clone()];
    for marker in markers {
        let values = values(marker, text);
        let with =
            |one: &Text| values.iter().map(|value| one.replace(&marker.text, value)).collect::<Vec<_>>();
        all = all.iter().flat_map(with).take(MAX_TEXTS).collect();
    }
    all
}

/// What may stand in the place of a marker: what the program puts there, without and with what is not known of that, then
/// nothing, then anything.
fn values(marker: &Marker, text: &Text) -> Vec<Text> {
    let mut all: Vec<Text> = Vec::new();
    for value in marker.values.iter().take(4) {
        all.push(value.fill(&[]));
        all.push(value.clone());
    }
    all.push(Text::default());
    let mut anything = Text::default();
    if let Some((source, offset)) = text.origins().next() {
        anything.push_hole(marker.text.as_str(), false, source, offset);
    }
    all.push(anything);
    let mut distinct: Vec<Text> = Vec::new();
    for one in all {
        if !distinct.iter().any(|other| other.as_str() == one.as_str()) {
            distinct.push(one);
        }
    }
    distinct
}

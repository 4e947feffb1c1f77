//! What series of files begin with: files beside them, or near, that make the tables which the series changes. Knows folders and
//! words; which of them is older is settled by what SQLite says.

use super::{
    Declaration, Runs, Step,
    conventions::ALL,
    created,
    files::{as_snapshot, touched},
    mentions,
};
use crate::{
    extract::{Extraction, languages},
    source::SourceId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Takes down which version code records of what it makes: behind the first text that creates, and in front of the first that changes
/// an older database behind the last.
pub(super) fn record(extraction: &Extraction, steps: &mut [Step]) {
    let place = |step: &Step| {
        let literal = extraction.literals.get(step.literal)?;
        Some((literal.site.source, literal.function?, literal.site.start))
    };
    let mut made: BTreeMap<(SourceId, u32), (usize, u32, u32)> = BTreeMap::new();
    for (index, step) in
        steps.iter().enumerate().filter(|(_, one)| one.is_loose && one.runs != Runs::Migration)
    {
        if let Some((source, function, start)) = place(step) {
            let one = made.entry((source, function)).or_insert((index, start, start));
            *one = (index, one.1, start);
        }
    }
    for ((source, function), (index, first, last)) in made {
        let of = |step: &Step| place(step).filter(|one| (one.0, one.1) == (source, function) && one.2 > last);
        let Some(end) = steps.iter().filter_map(of).map(|(.., start)| start).min() else { continue };
        let between = extraction.literals.iter().filter(|one| {
            one.site.source == source
                && one.function == Some(function)
                && (first..end).contains(&one.site.start)
        });
        let said = between.filter_map(|one| version_put_in(one.variants.first()?.as_str())).max();
        if let Some(step) = steps.get_mut(index) {
            step.records = step.records.or(said);
        }
    }
}

/// The version that a text puts alone into a table of versions, or into the database's own place for it.
fn version_put_in(sql: &str) -> Option<u64> {
    let lower = sql.trim_start().to_ascii_lowercase();
    if lower.starts_with("pragma") {
        let (_, value) = lower.split_once("user_version")?;
        let value = value.trim_matches(|one: char| one.is_whitespace() || "=();".contains(one));
        return value.parse().ok();
    }
    let table = mentions(&lower).used.into_iter().next().filter(|_| lower.starts_with("insert"))?;
    let (_, values) = lower.split_once("values")?;
    let value = values.trim().trim_end_matches(';').trim_end().strip_prefix('(')?.strip_suffix(')')?;
    value.trim().parse().ok().filter(|_| table.contains("version"))
}

/// Makes what stands in the folder above a series, or beside it, and creates the tables that it changes, what creates a new one.
pub(super) fn join_snapshots(found: &mut Vec<(&str, bool, Declaration)>) {
    for index in (0..found.len()).rev() {
        let Some((folder, is_series, snapshot)) = found.get(index) else { continue };
        if is_stepwise(folder)
            || *is_series && !snapshot.steps.iter().all(|step| is_rerun(step.text.as_str()))
        {
            continue;
        }
        let own = created(&snapshot.steps);
        let is_its = |(at, (other, is_series, series)): &(usize, &(&str, bool, Declaration))| {
            let is_other = *at != index && *is_series && series.create.is_empty();
            if !is_other || !is_near(other, folder) {
                return false;
            }
            let touched: BTreeSet<String> = series.steps.iter().flat_map(touched).collect();
            let shared = touched.intersection(&own).count();
            let made = created(&series.steps);
            // What makes all that it changes, and stands in another folder, may be another database of the same tables.
            let lacks = || {
                folder == other
                    || folder.len() < other.len() && other.starts_with(folder)
                    || !touched.is_subset(&made)
            };
            shared > 0 && shared * 2 >= touched.len() && lacks()
        };
        let Some((at, _)) = found.iter().enumerate().find(is_its) else { continue };
        let (.., snapshot) = found.remove(index);
        let at = if at > index { at - 1 } else { at };
        if let Some((.., series)) = found.get_mut(at) {
            let made = snapshot.steps.into_iter().map(recorded).map(unnumbered).map(as_snapshot);
            series.create = made.collect();
            series.homes.extend(snapshot.homes);
            series.places.extend(snapshot.places);
        }
    }
}

/// Whether what stands at a path is declared step by step in code, which all databases go through.
fn is_stepwise(path: &str) -> bool {
    let is_code = languages::of(path).is_some_and(|language| !language.is_sql);
    is_code && !ALL.iter().any(|one| (one.is_in_code)(path))
}

/// Whether a folder is that of what a series in another one may begin with: the one above, one beside it, or one of the same
/// name in a folder beside.
fn is_near(series: &str, folder: &str) -> bool {
    let ((above, last), (other, name)) = (parent(series), parent(folder));
    let is_beside = |one: &str, other: &str| parent(one).0 == parent(other).0 && !one.is_empty();
    let is_namesake = last == name && is_beside(above, other) && !parent(above).0.is_empty();
    above == folder || is_beside(series, folder) || is_namesake
}

/// The folder above, and the last part of a path.
fn parent(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Whether a text of SQL only makes what is not there: who runs it does so whenever a database is opened.
pub(super) fn is_rerun(sql: &str) -> bool {
    let found = mentions(sql);
    !found.creates_once && !found.changes_once && (!found.created.is_empty() || !found.indexes.is_empty())
}

/// A snapshot, with the version that its place tells.
fn recorded(step: Step) -> Step {
    let reached = || ALL.iter().find_map(|one| (one.reached)(&step.name));
    Step { records: step.records.or_else(reached), ..step }
}

/// A step whose number is no version.
pub(super) fn unnumbered(step: Step) -> Step {
    Step { version: None, is_ordered: false, ..step }
}

//! What series of files begin with: files beside them, or near, that make the tables which the series changes. Knows folders and
//! words; which of them is older is settled by what SQLite says.

use super::{
    Declaration, Step,
    conventions::ALL,
    created,
    files::{as_snapshot, touched},
    mentions,
};
use crate::extract::languages;
use std::collections::BTreeSet;

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

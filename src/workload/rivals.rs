//! Statements that compile on several databases, all equally near: what compiles on one of them alone and stands in the same
//! file, or else in the same folder, tells which is meant. Knows no schema; the jobs say what compiled where.

use super::{
    Database,
    bind::{Job, plan_rounds},
    known::Known,
};
use crate::{extract::Extraction, source::Sources, source::folder_of};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Plans the jobs anew on the database that their neighbours speak to. Where they don't compile there, they stay.
pub(super) fn settle_rivals(
    jobs: &mut [Job],
    (sources, extraction): (&Sources, &Extraction),
    databases: &mut [Database],
    known: &Known,
) {
    let path = |job: &Job| {
        let literal = extraction.literals.get(job.piece.literal);
        literal.map_or("", |literal| sources.path(literal.site.source))
    };
    let is_contested = |job: &Job| job.rivals.len() > 1 && !job.done.is_empty() && !job.candidates.is_empty();
    if !jobs.iter().any(is_contested) {
        return;
    }
    let mut alone: HashMap<&str, HashMap<usize, usize>> = HashMap::new();
    for job in jobs.iter().filter(|job| job.candidates.is_empty() && !job.used.is_empty()) {
        let Some((own, ..)) = job.done.first() else { continue };
        for place in [path(job), folder_of(path(job))] {
            *alone.entry(place).or_default().entry(*own).or_default() += 1;
        }
    }
    for job in jobs.iter_mut().filter(|job| is_contested(job)) {
        let Some(&(own, ..)) = job.done.first() else { continue };
        // A file that speaks of none of them says nothing.
        let of = |place: &str| {
            alone.get(place).filter(|beside| job.rivals.iter().any(|rival| beside.contains_key(rival)))
        };
        let Some(beside) = of(path(job)).or_else(|| of(folder_of(path(job)))) else { continue };
        let number = |index: usize| beside.get(&index).copied().unwrap_or(0);
        let untried = job.rivals.iter().copied().filter(|index| job.candidates.contains(index));
        let better = untried.max_by_key(|&index| (number(index), Reverse(index)));
        if let Some(better) = better.filter(|&better| number(better) > number(own)) {
            job.done.clear();
            job.candidates = vec![own, better];
        }
    }
    for job in jobs.iter_mut().filter(|job| !job.done.is_empty()) {
        job.rivals.clear();
    }
    plan_rounds(jobs, extraction, databases, known);
}

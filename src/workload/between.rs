//! Statements of migrations that compile on no schema as it is in the end, for a table that is there between two steps alone
//! or a column that a later step takes away: they are planned at their own step.

use super::{
    Database,
    bind::{Job, explain},
    likeliest,
};
use crate::{
    extract::{Extraction, Role},
    migration::{Declaration, natural},
    schema::{
        Live, Moment, Refusal, RefusalKind, SchemaError, Settings, same, ties::Ties, variant::run_step,
    },
    source::{SourceId, Sources, folder_of},
};
use rayon::prelude::*;
use std::{cmp::Ordering, collections::BTreeMap, iter};

/// Plans what is left of the jobs of migrations, each at the steps of its own file.
pub(super) fn plan(jobs: &mut [Job], sources: &Sources, extraction: &Extraction, databases: &[Database]) {
    let mut waiting: BTreeMap<usize, Waiting<'_>> = BTreeMap::new();
    for job in jobs.iter_mut().filter(|job| job.done.is_empty() && lacks_something(job)) {
        let literal = extraction.literals.get(job.piece.literal).filter(|one| one.role == Role::Migration);
        let Some(source) = literal.map(|literal| literal.site.source) else { continue };
        let own = databases
            .iter()
            .enumerate()
            .find_map(|(index, database)| Some((index, own_steps(database, source, sources, extraction)?)));
        if let Some((database, (first, last))) = own {
            waiting.entry(database).or_default().push((job, first, last));
        }
    }
    let work: Vec<_> = waiting
        .into_iter()
        .filter_map(|(index, jobs)| {
            let Database { declaration, variant, .. } = databases.get(index)?;
            Some((index, declaration, variant.live.settings(), variant.moments.as_slice(), jobs))
        })
        .collect();
    work.into_par_iter().with_max_len(1).for_each(|(index, declaration, settings, moments, mut jobs)| {
        // It was opened before with the same settings.
        let _ = at_moments(index, settings, moments, &mut jobs)
            .and_then(|()| at_steps(index, declaration, settings, moments, jobs));
    });
}

/// Jobs, and the steps between which each may be planned.
type Waiting<'a> = Vec<(&'a mut Job, usize, usize)>;

/// Plans jobs on what was kept of a history, of the tables that they name.
fn at_moments(
    database: usize,
    settings: &Settings,
    moments: &[Moment],
    jobs: &mut Waiting<'_>,
) -> Result<(), SchemaError> {
    if moments.is_empty() {
        return Ok(());
    }
    let mut live = Live::open(settings)?;
    live.use_small_pages()?;
    let empty = live.image()?;
    for (job, first, last) in jobs {
        for (position, moment) in moments.iter().enumerate().take(*last + 1).skip(*first) {
            if job.done.is_empty() && has_table(job, moment) {
                let ties = Ties::new(&moment.entries);
                live.restore(&empty)?;
                live.excerpt(moment, &ties.needs(iter::once(job.piece.text.as_str())))?;
                try_here(job, database, position, &mut live);
            }
        }
    }
    Ok(())
}

/// Whether the table that was missing is there.
fn has_table(job: &Job, moment: &Moment) -> bool {
    let Some((_, Refusal { kind: RefusalKind::NoSuchTable(missing), .. })) = &job.refusal else {
        return true;
    };
    let missing = missing.rsplit('.').next().unwrap_or(missing);
    moment.entries.iter().any(|one| same(&one.name, missing))
}

/// Plans the others while the steps run of which nothing was kept.
fn at_steps(
    database: usize,
    declaration: &Declaration,
    settings: &Settings,
    moments: &[Moment],
    mut jobs: Waiting<'_>,
) -> Result<(), SchemaError> {
    jobs.retain(|(job, _, last)| job.done.is_empty() && *last >= moments.len());
    if jobs.is_empty() {
        return Ok(());
    }
    let mut live = Live::open(settings)?;
    if let Some(moment) = moments.last() {
        live.excerpt(moment, &moment.tables())?;
    }
    for position in moments.len().saturating_sub(1)..=declaration.steps.len() {
        for (job, ..) in jobs
            .iter_mut()
            .filter(|(job, first, last)| job.done.is_empty() && (*first..=*last).contains(&position))
        {
            try_here(job, database, position, &mut live);
        }
        if let Some(step) = declaration.steps.get(position) {
            run_step(&mut live, position, step, &likeliest);
        }
    }
    Ok(())
}

/// Whether a table or a column is missing, and no part of the text.
fn lacks_something(job: &Job) -> bool {
    let refusal = job.refusal.as_ref().map(|(_, refusal)| &refusal.kind);
    let lacks = matches!(refusal, None | Some(RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_)));
    lacks && job.piece.text.holes().is_empty()
}

/// Between which steps of a database those of a file run: from the number of steps before the first to that after the last.
/// Of a file without steps, the place that its name has among the others of its folder.
fn own_steps(
    database: &Database,
    source: SourceId,
    sources: &Sources,
    extraction: &Extraction,
) -> Option<(usize, usize)> {
    let steps = &database.declaration.steps;
    let home = |literal: usize| extraction.literals.get(literal).map(|one| one.site.source);
    let own = || steps.iter().enumerate().filter(|(_, step)| home(step.literal) == Some(source));
    if let (Some((first, _)), Some((last, _))) = (own().next(), own().next_back()) {
        return Some((first, last + 1));
    }
    let folder = |path: &str| folder_of(path).to_owned();
    let path = sources.path(source);
    let paths: Vec<&str> =
        steps.iter().filter_map(|step| home(step.literal)).map(|home| sources.path(home)).collect();
    if !paths.iter().any(|other| folder(other) == folder(path)) {
        return None;
    }
    let before = paths.iter().filter(|other| natural(other, path) == Ordering::Less).count();
    Some((before, before))
}

fn try_here(job: &mut Job, database: usize, position: usize, live: &mut Live) {
    if let Ok(explained) = explain(live, job.piece.text.as_str()) {
        job.done.push((database, job.piece.text.clone(), Box::new(explained)));
        job.step = Some(position);
    }
}

//! `planlint plans`: what is typed, made into what is asked, and what is said of it.

use super::{
    Exit,
    arguments::{DiffFormat, Plans},
    printable::printable,
    request, width,
};
use crate::{
    lock,
    report::{Failure, json, markdown, plans, plans::PlanDiff, progress::Progress},
    run::{self, Against, CheckRequest, RunError},
};
use std::path::{Path, PathBuf};

pub(super) fn plans(asked: &Plans, config: Option<&Path>) -> Result<(String, Exit), Failure> {
    let against = against(&asked.diff)?;
    let progress = Progress::start();
    let say = |phase: &str| progress.phase(phase);
    let request = request(asked.path.as_slice(), config)?;
    let request =
        CheckRequest { progress: Some(&say), growth: !asked.no_growth, by_shell: asked.by_shell, ..request };
    let said = said(asked, &request, against.as_ref());
    drop(progress);
    said.map_err(|error| Failure::from(&error))
}

fn said(
    asked: &Plans,
    request: &CheckRequest<'_>,
    against: Option<&Against>,
) -> Result<(String, Exit), RunError> {
    let counted = |number: usize| match number {
        1 => "1 statement".to_owned(),
        number => format!("{number} statements"),
    };
    if let Some(against) = against {
        return Ok((diff(&run::diff_plans(request, against)?, asked.format), Exit::Clean));
    }
    if asked.write {
        let number = run::write_plans(request)?;
        return Ok((format!("{} written to {}\n", counted(number), lock::FILE_NAME), Exit::Clean));
    }
    if asked.check {
        let found = run::check_plans(request)?;
        if found.is_stale() {
            return Ok((printable(plans::render_stale(&found, width())), Exit::Findings));
        }
        return Ok((format!("{} as {} says\n", counted(found.same), lock::FILE_NAME), Exit::Clean));
    }
    Ok((printable(plans::render_list(&run::plans(request)?, width())), Exit::Clean))
}

fn diff(diff: &PlanDiff, format: DiffFormat) -> String {
    match format {
        DiffFormat::Terminal => printable(plans::render(diff, width())),
        DiffFormat::Markdown => printable(markdown::plans::render(diff)),
        DiffFormat::Json => json::render_plans(diff),
    }
}

/// What is named: a file that is there, or ends as a lock does, is one; anything else a commit.
fn against(named: &[String]) -> Result<Option<Against>, Failure> {
    let lock = |name: &String| {
        let path = PathBuf::from(name);
        let is_lock = path.is_file() || path.extension().is_some_and(|end| end == "lock");
        is_lock.then_some(path)
    };
    Ok(match named {
        [] => None,
        [old] => Some(lock(old).map_or_else(|| Against::Revision(old.clone()), Against::Lock)),
        [old, new, ..] => match (lock(old), lock(new)) {
            (Some(old), Some(new)) => Some(Against::Locks(old, new)),
            (Some(_), None) => return Err(no_lock(new)),
            _ => return Err(no_lock(old)),
        },
    })
}

fn no_lock(name: &str) -> Failure {
    Failure::new(format!("`{name}` is no lock"))
        .with_help("--diff takes a commit, a lock, or two locks; name the tree in front of it")
}

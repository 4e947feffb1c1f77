//! A change alone: what it brings is what the tree has with it and had not before it. Both are judged whole, by the
//! configuration and the rules of today. Knows git's two sides of a change; knows no SQL.

use super::{Analysis, CheckRequest, Outcome, Past, RunError, check_tree, hold_against_baseline, past};
use crate::{
    config::{self, Config, ConfigError},
    extract::{self, comments::MARK},
    migration,
    report::{ChangeSummary, Diagnostic, Failure, Report, State, diagnose},
    rule::Rule,
    source::{Changed, Git, GitError, Sources, Tree, plain::MOST_BYTES},
};
use std::collections::HashMap;

/// What is judged against what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The folder, against where it left the history of this commit.
    Since(String),
    /// The index, against the last commit.
    Staged,
}

impl Change {
    /// What it is judged against, in words.
    fn since(&self) -> &str {
        match self {
            Self::Since(revision) => revision,
            Self::Staged => "the last commit",
        }
    }
}

/// Judges a change.
pub(super) fn check(
    request: &CheckRequest<'_>,
    change: &Change,
    config: &Config,
    rules: &[Rule],
) -> Result<Outcome, RunError> {
    request.say("asking git");
    let git = Git::open(&request.root)?;
    let base = match change {
        Change::Since(revision) => git.fork_point(revision)?,
        Change::Staged => git.head()?,
    };
    let read = |mut changed: Vec<Changed>| {
        changed.retain(|one| is_read(&one.path, config, rules));
        changed
    };
    let changed = read(match change {
        Change::Since(_) => git.changed_since(&base)?,
        Change::Staged => git.staged_since(&base)?,
    });
    let is_staged = matches!(change, Change::Staged);
    let mut summary = ChangeSummary { since: change.since().to_owned(), is_staged, before: None };
    if changed.is_empty() {
        return Ok(untouched(config, summary));
    }
    let touched: Vec<String> = changed.iter().map(|one| one.path.clone()).collect();
    let (before, now) = match change {
        Change::Since(_) => (git.before(changed)?, Tree::folder(&request.root)),
        Change::Staged => {
            let mut older = read(git.unstaged()?);
            let now = git.before(older.clone())?;
            // What is staged is older yet before the commit.
            older.extend(changed);
            (git.before(older)?, Tree::new(now))
        }
    };
    let before = Tree::new(before);
    if touched.iter().all(|path| is_same_code(path, &before, &now)) {
        return Ok(untouched(config, summary));
    }
    let past = past(request);
    let mut outcome = check_tree(request, &now, &past, config, rules)?;
    hold_against_baseline(request, config, &mut outcome.report)?;
    summary.before = Some(0);
    if outcome.report.diagnostics.iter().any(|one| one.state == State::New) {
        request.say("judging what was there before");
        let earlier = check_earlier(request, &before, &past, config, rules)?;
        summary.before = Some(keep_brought(&mut outcome.report, &earlier.report));
    }
    outcome.report.change = Some(summary);
    Ok(outcome)
}

/// Whether a change of this file can change a finding.
fn is_read(path: &str, config: &Config, rules: &[Rule]) -> bool {
    let is_setting = |file: &str| path.rsplit('/').next() == Some(file);
    let is_code = extract::is_wanted(path) && !extract::is_test_code(path);
    (is_code && !config.excludes(path))
        || migration::is_declared(config, path)
        || config.is_log(path)
        || config.is_statistics(path)
        || is_setting(config::FILE_NAME)
        || rules.iter().any(|rule| rule.path == path)
}

/// Whether a file holds the same code on both sides, comments and tests apart.
fn is_same_code(path: &str, before: &Tree, now: &Tree) -> bool {
    let text = |tree: &Tree| tree.read(path, MOST_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match (text(before), text(now)) {
        // A comment that planlint reads is code to it.
        (Some(before), Some(now)) if !before.contains(MARK) && !now.contains(MARK) => {
            extract::is_same_code(path, &before, &now)
        }
        _ => false,
    }
}

/// What is said of a change that touches nothing of interest.
fn untouched(config: &Config, summary: ChangeSummary) -> Outcome {
    let report = Report { change: Some(summary), ..diagnose::empty() };
    let sources = Sources::default();
    Outcome { report, sources, fail_on: config.fail_on, analysis: Analysis::default() }
}

/// Judges the tree before the change, by the databases of its own configuration where it has one. It may lack what is
/// declared today: that was not declared yet.
fn check_earlier(
    request: &CheckRequest<'_>,
    tree: &Tree,
    past: &Past,
    config: &Config,
    rules: &[Rule],
) -> Result<Outcome, RunError> {
    by_earlier(tree, config, |config| check_tree(request, tree, past, config, rules))
}

/// Judges a tree of before by what it says of its databases.
pub(super) fn by_earlier<T>(
    tree: &Tree,
    config: &Config,
    judge: impl Fn(&Config) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let mut config = config.clone();
    if let Some(text) = config.path.as_ref().and_then(|path| tree.read(path, MOST_BYTES).ok())
        && let Some(older) = String::from_utf8(text).ok().and_then(|text| config::parse("", &text).ok())
    {
        config.databases = older.databases;
    }
    loop {
        match judge(&config) {
            Err(RunError::Config(ConfigError::Invalid { span, .. })) if config.forget(&span) => {}
            other => return other,
        }
    }
}

/// The tree where the folder left the history of a commit; `None` where nothing was changed since that is read.
pub(super) fn before(
    request: &CheckRequest<'_>,
    revision: &str,
    config: &Config,
    rules: &[Rule],
) -> Result<Option<Tree>, RunError> {
    request.say("asking git");
    let git = Git::open(&request.root)?;
    let mut changed = git.changed_since(&git.fork_point(revision)?)?;
    changed.retain(|one| is_read(&one.path, config, rules));
    let touched: Vec<String> = changed.iter().map(|one| one.path.clone()).collect();
    let (before, now) = (Tree::new(git.before(changed)?), Tree::folder(&request.root));
    Ok((!touched.iter().all(|path| is_same_code(path, &before, &now))).then_some(before))
}

/// Keeps the findings that the tree had not before, and says how many it had. A finding was there before if one of the
/// same fingerprint was, at least as bad; of several that are equal, those that stand elsewhere now are the new ones. What
/// is accepted today, or in the baseline, was there before, too.
fn keep_brought(now: &mut Report, earlier: &Report) -> u32 {
    let mut before: HashMap<&str, Vec<&Diagnostic>> = HashMap::new();
    for one in &earlier.diagnostics {
        before.entry(one.fingerprint_stem()).or_default().push(one);
    }
    for one in now.diagnostics.iter().filter(|one| one.state != State::New) {
        let is_accepted = one.state == State::Suppressed;
        take(&mut before, one, |rival| (rival.state == State::Suppressed) == is_accepted)
            .or_else(|| take(&mut before, one, |_| is_accepted));
    }
    let home = |one: &Diagnostic| {
        (one.place.as_ref().map(|place| place.path.clone()), one.function.clone(), one.message.clone())
    };
    let mut gone = 0;
    for is_strict in [true, false] {
        now.diagnostics.retain(|one| {
            let was_there = one.state == State::New
                && take(&mut before, one, |rival| {
                    rival.state != State::Suppressed
                        && rival.severity >= one.severity
                        && (!is_strict || home(rival) == home(one))
                })
                .is_some();
            gone += u32::from(was_there);
            !was_there
        });
    }
    gone
}

/// Takes away an earlier finding that a finding may be.
fn take<'a>(
    before: &mut HashMap<&str, Vec<&'a Diagnostic>>,
    one: &Diagnostic,
    is_it: impl Fn(&Diagnostic) -> bool,
) -> Option<&'a Diagnostic> {
    let rivals = before.get_mut(one.fingerprint_stem())?;
    let at = rivals.iter().position(|rival| is_it(rival))?;
    Some(rivals.swap_remove(at))
}

/// What can be done where git can't answer.
pub(super) fn failure(error: &GitError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        GitError::NoCommit(_) | GitError::NoObject(_) | GitError::Shallow(_) => {
            failure.with_help("in CI, fetch the whole history: `fetch-depth: 0` for actions/checkout")
        }
        GitError::NoRepository(_) => {
            failure.with_help("without --since, --staged and --diff no git is needed")
        }
        GitError::NoGit(_) | GitError::Failed { .. } => failure,
    }
}

//! `planlint init`: a configuration of what is found without one. What is written is tried first: with it, a check finds
//! the same as without, or less of it is written.

use super::{CheckRequest, Outcome, RunError, check_tree, configuration, past};
use crate::{
    config::{self, Config, ConfigError},
    migration::Runs,
    report::{
        DatabaseSummary, Diagnostic,
        draft::{Draft, Said},
    },
    source::Tree,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::OpenOptions,
    io::{self, ErrorKind, Write as _},
    ops::Range,
    path::PathBuf,
};

/// Why no configuration was written.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// There is one.
    #[error("there is {} already", .0.display())]
    Exists(PathBuf),
    /// It can't be written.
    #[error("can't write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// How many databases it has.
    pub databases: usize,
    /// Those of them that it only names, since a check would find something else if it said what makes them.
    pub named: Vec<String>,
}

/// Writes a configuration of what a tree holds to its root; over one that is there only with `force`.
///
/// # Errors
/// As of a check; where there is a configuration, and where it can't be written.
pub fn init(request: &CheckRequest<'_>, force: bool) -> Result<Written, RunError> {
    let path = request.root.join(config::FILE_NAME);
    if path.exists() && !force {
        return Err(InitError::Exists(path).into());
    }
    let request = CheckRequest { config: None, ..request.clone() };
    let (text, said) = draft(&request)?;
    let mut options = OpenOptions::new();
    options.write(true);
    // One that came about in the meantime is not overwritten either.
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => InitError::Exists(path.clone()),
        _ => InitError::Write { path: path.clone(), source },
    })?;
    let is_named = |said: &Said| *said != Said::All;
    let databases = said.len();
    let named = said.into_iter().filter(|(_, said)| is_named(said)).map(|(name, _)| name).collect();
    Ok(Written { path, databases, named })
}

/// The text, and how much it says of each database. It is tried by plans alone first, which is faster, and then as a check
/// is run.
fn draft(request: &CheckRequest<'_>) -> Result<(String, BTreeMap<String, Said>), RunError> {
    let (_, said) = tried(&CheckRequest { growth: false, ..request.clone() }, None)?;
    tried(request, Some(said))
}

/// Tries to say this much, or the most that can be said, and less until a check finds the same.
fn tried(
    request: &CheckRequest<'_>,
    said: Option<BTreeMap<String, Said>>,
) -> Result<(String, BTreeMap<String, Said>), RunError> {
    let (none, rules) = configuration(request)?;
    let tree = Tree::folder(&request.root);
    let judged = |config: &Config| check_tree(request, &tree, &past(request), config, &rules);
    let found = judged(&none)?;
    let root = request.root.display().to_string();
    let draft = Draft::of(&found.analysis.program(&root, &none, &found.sources));
    let mut said = said.unwrap_or_else(|| draft.most());
    loop {
        let text = draft.text(&said);
        request.say("trying the configuration");
        let config = config::parse(config::FILE_NAME, &text)?;
        let differing = match judged(&config) {
            Ok(with) => differing(&found, &with),
            Err(RunError::Config(ConfigError::Invalid { span, .. })) => of_span(&config, &span, &said),
            Err(error) => return Err(error),
        };
        if differing.is_empty() || said.values().all(|said| *said == Said::Nothing) {
            return Ok((text, said));
        }
        say_less(&mut said, &differing);
    }
}

/// The database in whose entry these bytes are; all, where it is none that says what makes it.
fn of_span(config: &Config, span: &Range<usize>, said: &BTreeMap<String, Said>) -> BTreeSet<String> {
    let starts = config.databases.iter().take_while(|one| one.span.start <= span.start);
    let own = starts.last().map(|one| one.name.clone());
    let own = own.filter(|name| said.get(name) == Some(&Said::All));
    own.map_or_else(|| said.keys().cloned().collect(), |name| BTreeSet::from([name]))
}

/// Says less of these databases or, where nothing more can be left out of them, of all.
fn say_less(said: &mut BTreeMap<String, Said>, of: &BTreeSet<String>) {
    let has_more = |name: &&String| said.get(*name).is_some_and(|said| *said < Said::Name);
    let less: BTreeSet<String> = of.iter().filter(has_more).cloned().collect();
    for (name, said) in said.iter_mut() {
        if less.is_empty() || less.contains(name) {
            *said = said.less();
        }
    }
    // Beside databases that are described, one that is not named is not looked for.
    if said.values().any(|said| *said == Said::Nothing) {
        for said in said.values_mut() {
            *said = Said::Nothing;
        }
    }
}

/// The databases of which a check finds something else with a configuration: in their steps, their schema, or their findings.
/// All, where it can't be told of which.
fn differing(found: &Outcome, with: &Outcome) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let all = || found.report.databases.iter().map(|one| one.name.clone());
    let (before, after) = (databases(found), databases(with));
    for name in before.keys().chain(after.keys()) {
        if before.get(name) != after.get(name) {
            names.insert((*name).to_owned());
        }
    }
    let (before, after) = (&found.report.diagnostics, &with.report.diagnostics);
    let lacks = |own: &[Diagnostic], one: &Diagnostic| !own.contains(one);
    let changed =
        before.iter().filter(|one| lacks(after, one)).chain(after.iter().filter(|one| lacks(before, one)));
    for one in changed {
        match &one.database {
            Some(name) => names.extend([name.clone()]),
            None => names.extend(all()),
        }
    }
    let is_same = before == after
        && found.report.statements == with.report.statements
        && found.report.coverage == with.report.coverage;
    if names.is_empty() && !is_same {
        names.extend(all());
    }
    names
}

/// The texts of steps, each with whether it runs at every open.
type Steps<'a> = Vec<(&'a str, bool)>;

/// The databases by their names: what makes each and what is in it.
fn databases(outcome: &Outcome) -> BTreeMap<&str, (Steps<'_>, DatabaseSummary)> {
    let declarations = outcome.analysis.databases.iter().map(|one| &one.declaration);
    let summaries = &outcome.report.databases;
    let one = declarations.filter_map(|one| {
        let steps = one.steps.iter().chain(&one.create);
        let steps = steps.map(|step| (step.key.as_str(), step.runs == Runs::Open)).collect();
        let summary = summaries.iter().find(|summary| summary.name == one.name)?.clone();
        Some((
            one.name.as_str(),
            (steps, DatabaseSummary { found: String::new(), from: Vec::new(), ..summary }),
        ))
    });
    one.collect()
}

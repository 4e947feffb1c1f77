//! Plans as an artefact: what a tree's are, written down, held against what was written, and against what they were. A
//! whole check runs only where something became worse, for what cures it.

use super::{
    Analysis, CheckRequest, Outcome, RunError,
    change::{before, by_earlier},
    check_tree, configuration, is_in, read,
};
use crate::{
    config::{Config, Severity},
    lock::{self, Comparison, Entry, Found, Ground},
    report::{
        Place, State, cures, diagnose,
        plans::{Listed, PlanDiff, Planned, Told},
    },
    schema::variant,
    source::{Sources, Tree},
    workload::{self, Outcome as Became},
};
use std::{collections::HashMap, path::PathBuf};

/// What plans are held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// The tree where the folder left the history of this commit.
    Revision(String),
    /// What is written in this lock.
    Lock(PathBuf),
    /// What is written in the first of these; the tree is not looked at.
    Locks(PathBuf, PathBuf),
}

/// The plans of a tree.
struct Plans {
    found: Vec<Found>,
    sources: Sources,
    analysis: Analysis,
}

impl Plans {
    fn of(request: &CheckRequest<'_>, tree: &Tree, config: &Config) -> Result<Self, RunError> {
        let (sources, beside) = read(request, tree, config)?;
        let make =
            |_, declaration: &_, settings: &_| variant::build(declaration, settings, &workload::likeliest);
        // Which releases are known depends on the clone, and what is written must not.
        // What is measured is what the bundled SQLite does.
        let request = &CheckRequest { growth: request.growth && !request.by_shell, ..request.clone() };
        let mut analysis = Analysis::planned(request, config, (&sources, beside), &Ok(None), &make)?;
        if request.by_shell {
            analysis.replan(request, config)?;
        }
        let is_measured = !analysis.measured.is_off;
        let found = lock::gather(&Ground {
            sources: &sources,
            extraction: &analysis.extraction,
            databases: &analysis.databases,
            statements: &analysis.statements,
            growths: is_measured.then_some(&analysis.measured.growths),
            others: (&analysis.others, &analysis.other_growths),
        });
        Ok(Self { found, sources, analysis })
    }

    fn of_folder(request: &CheckRequest<'_>, config: &Config) -> Result<Self, RunError> {
        Self::of(request, &Tree::folder(&request.root), config)
    }

    fn entries(&self) -> Vec<Entry> {
        self.found.iter().map(|one| one.entry.clone()).collect()
    }

    /// Where the statements of an entry stand.
    fn places(&self, found: &Found) -> Vec<Place> {
        let statements = found.statements.iter().filter_map(|index| self.analysis.statements.get(*index));
        let mut places: Vec<Place> =
            statements.filter_map(|one| diagnose::place(&self.sources, one.site)).collect();
        places.sort();
        places.dedup();
        places
    }
}

/// The plans of a tree, those of the files and folders asked for, and how many statements have none.
///
/// # Errors
/// As a check.
pub fn plans(request: &CheckRequest<'_>) -> Result<Listed, RunError> {
    let (config, _) = configuration(request)?;
    let plans = Plans::of_folder(request, &config)?;
    let is_wanted = |place: &Place| request.paths.is_empty() || is_in(&place.path, &request.paths);
    let listed = plans.found.iter().filter_map(|found| {
        let mut places = plans.places(found);
        places.retain(is_wanted);
        (!places.is_empty()).then(|| Planned { entry: found.entry.clone(), places })
    });
    let mut all: Vec<Planned> = listed.collect();
    all.sort_by(|a, b| (&a.places, &a.entry.key).cmp(&(&b.places, &b.entry.key)));
    let count =
        |is: fn(&Became) -> bool| plans.analysis.statements.iter().filter(|one| is(&one.outcome)).count();
    Ok(Listed {
        plans: all,
        dynamic: count(|one| matches!(one, Became::Dynamic { .. })),
        foreign: count(|one| matches!(one, Became::Foreign)),
    })
}

/// Writes the lock of a tree, and gives the number of its entries.
///
/// # Errors
/// As a check, and where it can't be written.
pub fn write_plans(request: &CheckRequest<'_>) -> Result<usize, RunError> {
    let (config, _) = configuration(request)?;
    let entries = Plans::of_folder(request, &config)?.entries();
    lock::save(&request.root, &entries)?;
    Ok(entries.len())
}

/// Holds the plans of a tree against its lock.
///
/// # Errors
/// As a check, and where there is no lock that can be read.
pub fn check_plans(request: &CheckRequest<'_>) -> Result<PlanDiff, RunError> {
    diff_plans(request, &Against::Lock(request.root.join(lock::FILE_NAME)))
}

/// Says what became of plans.
///
/// # Errors
/// As a check; where git does not know the revision, or a lock can't be read.
pub fn diff_plans(request: &CheckRequest<'_>, against: &Against) -> Result<PlanDiff, RunError> {
    let (config, rules) = configuration(request)?;
    let load = |path: &PathBuf| {
        let name = path.strip_prefix(&request.root).unwrap_or(path).display().to_string();
        lock::load(path, &name)
    };
    let (name, comparison, plans) = match against {
        Against::Locks(old, new) => {
            let comparison = lock::compare(load(old)?, load(new)?);
            return Ok(told(old.display().to_string(), comparison, None, None));
        }
        Against::Lock(path) => {
            let name = path.strip_prefix(&request.root).unwrap_or(path).display().to_string();
            let written = load(path)?;
            let now = Plans::of_folder(request, &config)?;
            (name, lock::compare(written, now.entries()), now)
        }
        Against::Revision(revision) => {
            let Some(tree) = before(request, revision, &config, &rules)? else {
                // All is as it was; how many that are is told without measuring them.
                let request = &CheckRequest { growth: false, by_shell: false, ..request.clone() };
                let same = Plans::of_folder(request, &config)?.found.len();
                return Ok(told(revision.clone(), Comparison { same, ..Comparison::default() }, None, None));
            };
            let now = Plans::of_folder(request, &config)?;
            request.say("planning what was there before");
            let then = by_earlier(&tree, &config, |config| Plans::of(request, &tree, config))?;
            (revision.clone(), lock::compare(then.entries(), now.entries()), now)
        }
    };
    let is_ill = comparison.changes.iter().any(|one| one.verdict == lock::Verdict::Worse)
        || comparison.added.iter().any(Entry::is_doubtful);
    let checked = if is_ill {
        let tree = Tree::folder(&request.root);
        Some(check_tree(request, &tree, &Ok(None), &config, &rules)?)
    } else {
        None
    };
    Ok(told(name, comparison, Some(&plans), checked.as_ref()))
}

/// A comparison with places and cures, where they are known.
fn told(
    against: String,
    comparison: Comparison,
    plans: Option<&Plans>,
    checked: Option<&Outcome>,
) -> PlanDiff {
    let known = Known::new(plans, checked);
    let changes = comparison
        .changes
        .into_iter()
        .map(|change| known.told(Some((change.verdict, change.before, change.reasons)), change.after));
    let changes = changes.collect();
    let (added, removed) = (comparison.added.len(), comparison.removed.len());
    let rewritten = comparison.rewritten.len();
    let come = comparison.added.into_iter().map(|entry| known.told(None, entry));
    let (ill, healthy): (Vec<Told>, Vec<Told>) = come.partition(Told::is_ill);
    let other = |(before, after)| known.told(Some((lock::Verdict::Other, before, Vec::new())), after);
    let other = comparison.rewritten.into_iter().map(other);
    let gone = comparison.removed.into_iter().map(|entry| Told::new(None, entry, &[]));
    let as_what = |fate| move |one: Told| Told { fate: Some(fate), ..one };
    let rest = other.map(as_what("rewritten")).chain(healthy.into_iter().map(as_what("added")));
    let rest = rest.chain(gone.map(as_what("removed"))).collect();
    let sqlite = diagnose::empty().sqlite;
    PlanDiff { sqlite, against, changes, ill, rest, added, removed, rewritten, same: comparison.same }
}

/// What is known of the statements of today.
struct Known<'a> {
    plans: Option<&'a Plans>,
    found: HashMap<&'a lock::Key, &'a Found>,
    checked: Option<&'a Outcome>,
}

impl<'a> Known<'a> {
    fn new(plans: Option<&'a Plans>, checked: Option<&'a Outcome>) -> Self {
        let found = plans.iter().flat_map(|plans| &plans.found);
        Self { plans, found: found.map(|one| (&one.entry.key, one)).collect(), checked }
    }

    fn told(&self, change: Option<(lock::Verdict, Entry, Vec<String>)>, entry: Entry) -> Told {
        let own = self.found.get(&entry.key).or_else(|| self.found.get(&entry.key.declared()));
        let Some((plans, found)) = self.plans.zip(own) else { return Told::new(change, entry, &[]) };
        let places = plans.places(found);
        let told = Told::new(change, entry, &places);
        let Some(checked) = self.checked else { return told };
        // The same tree was judged, so that the statements have the same numbers.
        let obstacles = checked.analysis.obstacles.iter();
        let own = obstacles.filter(|one| found.statements.contains(&one.statement));
        let (cures, help) = cures::all(own.flat_map(|one| &one.obstacles));
        let is_warned = checked.report.diagnostics.iter().any(|one| {
            let is_here = |place: &Place| places.iter().any(|own| own.holds(place));
            one.state == State::New
                && one.severity > Severity::Note
                && !one.cures.is_empty()
                && one.place.as_ref().is_some_and(is_here)
        });
        Told { cures, help, is_warned, ..told }
    }
}

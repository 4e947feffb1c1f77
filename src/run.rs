//! The steps of a run, in their order: the only place that knows them all.

mod advising;
mod analysis;
mod auditing;
mod change;
mod cost;
mod editing;
mod error;
mod explanation;
mod init;
mod judgement;
mod listing;
mod migrated;
mod pages;
mod past;
mod place;
mod plans;
mod rules;
mod tools;

pub use advising::{Manner, advise};
pub use auditing::{Look, audit, stats};
pub use change::Change;
pub use editing::{Allowance, Hover, Insert, Made, Retold, Seen, Typed};
pub use error::RunError;
pub use init::{InitError, Written, init};
pub use pages::{PagesError, compare, test_rules};
pub use place::{PlaceError, Spot, Wanted, explain_place};
pub use plans::{Against, check_plans, diff_plans, plans, write_plans};
pub use rules::{explain, list_rules, rules};

use analysis::{Analysis, Beside};
use judgement::Bench;
use past::{Past, past};

use crate::{
    baseline::{self, Baseline},
    config::{self, Config, FileStatistics, Severity},
    extract,
    facts::gather,
    migration,
    report::{
        BaselineSummary, Report, diagnose,
        terminal::{self, TerminalOptions},
    },
    rule::{self, Rule, Stage},
    schema::Objects,
    shell,
    source::{Buffers, Folder, Limits, MOST_HELD, Source, Sources, Tree},
    suppression, workload,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
    slice,
};

/// What to check.
#[derive(Clone)]
pub struct CheckRequest<'a> {
    /// The root of the tree.
    pub root: PathBuf,
    /// The configuration file; `None` where there is none.
    pub config: Option<PathBuf>,
    /// Files and folders to report on, from the root; empty means all.
    pub paths: Vec<String>,
    /// Whether growth is measured, if the configuration does not forbid it.
    pub growth: bool,
    /// Whether comments and the configuration may accept findings.
    pub suppress: bool,
    /// The day by which what is accepted expires, as `YYYY-MM-DD`.
    pub today: String,
    /// Whether the lines of findings that are gone are removed from the baseline.
    pub prune: bool,
    /// The most bytes of texts that are held in memory.
    pub most_held: u64,
    /// The change that alone is reported, judged with the whole tree; `None` reports all.
    pub change: Option<Change>,
    /// A file of one of its databases, by what it is like and its schema: it stands in the place of files of statistics.
    pub audited: Option<&'a (FileStatistics, Objects)>,
    /// Texts in the place of files, by their paths: what an editor has open.
    pub buffers: BTreeMap<String, Option<Vec<u8>>>,
    /// Whether an editor asks. Then what is needed to judge one file again is kept, and no SQLite is started that the
    /// configuration names: a folder is opened sooner than it is trusted.
    pub for_editor: bool,
    /// Whether plans are those of the shell that the configuration names, where plans alone are wanted.
    pub by_shell: bool,
    /// Who is told what the run is at.
    pub progress: Option<&'a (dyn Fn(&str) + Sync)>,
}

impl CheckRequest<'_> {
    /// A request for a whole tree, with the configuration in its root if there is one.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let config = Some(root.join(config::FILE_NAME)).filter(|path| path.is_file());
        Self {
            root,
            config,
            paths: Vec::new(),
            growth: true,
            suppress: true,
            today: suppression::today(),
            prune: false,
            most_held: MOST_HELD,
            change: None,
            audited: None,
            buffers: BTreeMap::new(),
            for_editor: false,
            by_shell: false,
            progress: None,
        }
    }

    /// The tree: its folder, with the texts that stand in the place of files.
    fn tree(&self) -> Tree {
        let beneath = Folder { root: self.root.clone() };
        if self.buffers.is_empty() {
            return Tree::new(beneath);
        }
        let open = self.buffers.clone();
        Tree::new(Buffers { open, unlisted: BTreeSet::new(), beneath: Some(beneath) })
    }

    fn say(&self, phase: &str) {
        if let Some(progress) = self.progress {
            progress(phase);
        }
    }
}

/// What a run gives back.
pub struct Outcome {
    /// What was found.
    pub report: Report,
    /// The sources that its places are in.
    pub sources: Sources,
    /// The severity from which a finding fails the run, as configured.
    pub fail_on: Severity,
    analysis: Analysis,
}

impl Outcome {
    /// Whether nothing new is at or above the severity that fails a run, as configured, and as much is covered as is asked for.
    pub fn passes(&self) -> bool {
        !self.report.fails(self.fail_on) && self.report.lacks_coverage().is_none()
    }
}

/// The report for people, without colour.
impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = TerminalOptions { notes: self.fail_on == Severity::Note, ..TerminalOptions::default() };
        formatter.write_str(&terminal::render(&self.report, &self.sources, &options))
    }
}

/// Judges a tree, or what a change does to it.
///
/// # Errors
/// Where it can't: the configuration, the tree or a rule is at fault.
pub fn check(request: &CheckRequest<'_>) -> Result<Outcome, RunError> {
    let (config, rules) = configuration(request)?;
    let mut outcome = match &request.change {
        None => {
            let mut outcome = check_tree(request, &request.tree(), &past(request), &config, &rules)?;
            hold_against_baseline(request, &config, &mut outcome.report)?;
            outcome
        }
        Some(change) => change::check(request, change, &config, &rules)?,
    };
    narrow(&mut outcome.report, &request.paths);
    if request.change.is_none() {
        outcome.report.unread = unread(&outcome, &config, &request.paths);
    }
    Ok(outcome)
}

/// The files and folders asked for, or else the root, in which no file is one that is read.
fn unread(outcome: &Outcome, config: &Config, paths: &[String]) -> Vec<String> {
    let sources = outcome.sources.iter().map(|(_, source)| source.path.as_str());
    let skipped = outcome.report.skipped.iter().map(|one| one.path.as_str());
    let read: Vec<&str> =
        sources.chain(skipped).filter(|path| Some(*path) != config.path.as_deref()).collect();
    if paths.is_empty() {
        return if read.is_empty() { vec![outcome.report.root.clone()] } else { Vec::new() };
    }
    let has_none = |path: &&String| !read.iter().any(|file| is_in(file, slice::from_ref(*path)));
    paths.iter().filter(has_none).cloned().collect()
}

/// Judges a tree that need not be the folder of the request, with this configuration and these rules.
fn check_tree(
    request: &CheckRequest<'_>,
    tree: &Tree,
    past: &Past,
    config: &Config,
    rules: &[Rule],
) -> Result<Outcome, RunError> {
    let beginning = gather::begin();
    let (sources, beside) = read(request, tree, config)?;
    let analysis = Analysis::new(request, config, (&sources, beside), past)?;
    let root = request.root.display().to_string();
    let report = {
        let program = analysis.program(&root, config, &sources);
        request.say("gathering facts");
        let (mut facts, rows) = gather::gather(&program, beginning)?;
        request.say("judging");
        let bench =
            Bench { rules, config, sources: &sources, rows: &rows, measured: !analysis.measured.is_off };
        let findings = bench.judge(Stage::Facts, &mut facts)?;
        let findings = bench.suppress(request, findings, &analysis, &mut facts)?;
        diagnose::report(&program, &rows, rules, &findings)
    };
    Ok(Outcome { report, sources, fail_on: config.fail_on, analysis })
}

/// The file of the baseline, from the root of the tree, whether there is one or not.
fn baseline_name(config: &Config) -> &str {
    config.baseline.as_deref().unwrap_or(baseline::FILE_NAME)
}

fn hold_against_baseline(
    request: &CheckRequest<'_>,
    config: &Config,
    report: &mut Report,
) -> Result<(), RunError> {
    if !request.suppress {
        return Ok(());
    }
    let name = baseline_name(config);
    let Some(mut baseline) = Baseline::read(&request.root, name)? else { return Ok(()) };
    let gone = baseline.apply(report);
    // Where growth is not measured, what is not found may be there all the same.
    let fixed = if report.by_plan_alone && config.measure_growth { 0 } else { gone };
    // A change alone is no reason to call the rest mended.
    if request.prune && request.change.is_none() && fixed > 0 {
        baseline.prune()?;
    }
    report.baseline = Some(BaselineSummary { path: name.to_owned(), fixed, is_pruned: request.prune });
    Ok(())
}

/// Writes a baseline of all that is found and not accepted, and gives the number of findings in it, that of findings about
/// suppressions, which are not for it, and the file.
///
/// # Errors
/// As [`check`], and where it can't be written.
pub fn write_baseline(request: &CheckRequest<'_>) -> Result<(usize, usize, String), RunError> {
    let (config, rules) = configuration(request)?;
    let tree = Tree::folder(&request.root);
    let mut outcome = check_tree(request, &tree, &past(request), &config, &rules)?;
    // A suppression that says nothing is not to be kept, but mended.
    let second: Vec<&str> =
        rules.iter().filter(|rule| rule.stage == Stage::Findings).map(|rule| rule.name.as_str()).collect();
    let all = outcome.report.diagnostics.len();
    outcome.report.diagnostics.retain(|one| !second.contains(&one.rule.as_str()));
    let left_out = all - outcome.report.diagnostics.len();
    let name = baseline_name(&config);
    Ok((baseline::write_all(&request.root, name, &outcome.report)?, left_out, name.to_owned()))
}

fn read(request: &CheckRequest<'_>, tree: &Tree, config: &Config) -> Result<(Sources, Beside), RunError> {
    request.say("reading");
    let wanted = |path: &str| extract::is_wanted(path) && !config.excludes(path) && !config.is_log(path);
    let limits = Limits { of_file: config.max_file_bytes, held: request.most_held };
    let mut sources = Sources::read(tree, limits, wanted)?;
    sources.leave_out("generated", extract::is_generated);
    migration::extra_files(config, tree, &mut sources);
    // What it says has places, too.
    if let Some(path) = &config.path {
        sources.add(Source::new(path.as_str(), config.text.as_str()));
    }
    let folder = (!request.root.as_os_str().is_empty()).then(|| Tree::folder(&request.root));
    let logs = workload::logs(config, tree, folder.as_ref(), &mut sources)?;
    let statistics = workload::statistics(config, tree, folder.as_ref(), &mut sources)?;
    let shipped = shell::shipped(tree, &sources);
    Ok((sources, Beside { logs, statistics, shipped }))
}

/// Keeps the findings that lie in the files and folders asked for.
fn narrow(report: &mut Report, paths: &[String]) {
    if paths.is_empty() {
        return;
    }
    report.diagnostics.retain(|one| one.place.as_ref().is_some_and(|place| is_in(&place.path, paths)));
}

/// Whether a file is one of these, or lies in a folder of them.
fn is_in(file: &str, paths: &[String]) -> bool {
    let is_below = |path: &String| {
        file.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    paths.iter().any(is_below)
}

/// Whether a file holds a tool and not the program: the configuration says so, or its path.
fn is_offline(path: &str, config: &Config, sources: &Sources) -> bool {
    config.offline.matches(path) || tools::is_tool(path, sources)
}

/// Writes the facts as a database.
///
/// # Errors
/// Where they can't be gathered or written.
pub fn facts(request: &CheckRequest<'_>, output: &Path) -> Result<(), RunError> {
    let (config, _) = configuration(request)?;
    let (sources, beside) = read(request, &Tree::folder(&request.root), &config)?;
    let analysis = Analysis::new(request, &config, (&sources, beside), &past(request))?;
    let root = request.root.display().to_string();
    let (facts, _) = gather::gather(&analysis.program(&root, &config, &sources), gather::begin())?;
    facts.write_to(output)?;
    Ok(())
}

/// The configuration and the rules, those of the user among them.
fn configuration(request: &CheckRequest<'_>) -> Result<(Config, Vec<Rule>), RunError> {
    let config = match &request.config {
        None => Config::default(),
        Some(path) => {
            let display = path.strip_prefix(&request.root).unwrap_or(path).display().to_string();
            match request.buffers.get(&display) {
                Some(Some(text)) => config::parse(&display, &String::from_utf8_lossy(text))?,
                _ => config::load(path, &display)?,
            }
        }
    };
    let mut sets = vec![rule::builtin()?];
    for folder in &config.rule_folders {
        sets.push(rule::load_folder(&request.root.join(folder), folder)?);
    }
    let rules = rule::together(sets)?;
    let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    config.check_rule_names(&names)?;
    Ok((config, rules))
}

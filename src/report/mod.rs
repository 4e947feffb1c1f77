//! What a run found, ready to be shown, in any format. Knows places, texts and numbers; no SQL, no fact, no colour.

pub mod advice;
pub mod audit;
pub mod coverage;
pub mod cures;
pub mod diagnose;
pub mod draft;
pub mod explain;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod lists;
pub mod markdown;
pub mod pages;
pub mod plans;
pub mod progress;
pub mod sarif;
pub mod terminal;

mod evidence;
mod fold;
mod guesses;
mod home;
mod measure;
mod place;
pub mod failure;
#[cfg(test)]
pub(crate) mod sample;
mod statistics;
mod summary;

pub use cures::Cure;
pub use failure::Failure;
pub use place::Place;
pub use statistics::StatisticsSummary;

use crate::{config::Severity, source::Skipped};
use std::cmp::Reverse;

/// Everything that a run has to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The root of the tree, as named in messages.
    pub root: String,
    /// The version of the SQLite that judged.
    pub sqlite: String,
    /// The databases of the program, in the order of their names.
    pub databases: Vec<DatabaseSummary>,
    /// How many statements there are, and what became of them.
    pub statements: Counts,
    /// The same by language and by database, with what is no statement.
    pub coverage: coverage::Coverage,
    /// The least share of the statements that must be planned, in percent; `None` where nobody says.
    pub min_coverage: Option<u32>,
    /// The logs of statements that were read.
    pub logs: Vec<LogSummary>,
    /// The files that were not read.
    pub skipped: Vec<Skipped>,
    /// The files and folders asked for, or the root, in which no file is one that is read.
    pub unread: Vec<String>,
    /// What was assumed where the configuration says nothing.
    pub guesses: Vec<String>,
    /// The other SQLite that planned the statements as well, with its version; `None` where none was asked.
    pub elsewhere: Option<String>,
    /// Growth was not measured, because nobody wanted it.
    pub by_plan_alone: bool,
    /// The change that alone is reported; `None` where all is.
    pub change: Option<ChangeSummary>,
    /// The baseline that findings were held against; `None` where there is none.
    pub baseline: Option<BaselineSummary>,
    /// The rules that ran, in the order of their names.
    pub rules: Vec<RuleSummary>,
    /// The findings, by harm: see [`Report::sort`].
    pub diagnostics: Vec<Diagnostic>,
}

/// A log of statements, and what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogSummary {
    /// The file, from the root of the tree.
    pub path: String,
    /// How many statements were run.
    pub runs: u64,
    /// How many different ones.
    pub different: u64,
    /// How many lines hold none.
    pub others: u64,
    /// How many runs are not looked at: there are too many different ones.
    pub left_out: u64,
}

/// A baseline, and what became of what it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BaselineSummary {
    /// The file, from the root of the tree.
    pub path: String,
    /// How many of its findings are gone.
    pub fixed: u32,
    /// Whether their lines were removed.
    pub is_pruned: bool,
}

/// What is reported where a change alone is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeSummary {
    /// What it is judged against.
    pub since: String,
    /// It is what is staged.
    pub is_staged: bool,
    /// How many findings were there before; `None` where nothing was changed that is read.
    pub before: Option<u32>,
}

/// A database, and how it came to be known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseSummary {
    /// Its name.
    pub name: String,
    /// `configured` or `guessed`.
    pub found: String,
    /// Where its schema is declared: paths, or a path and a name in it.
    pub from: Vec<String>,
    /// How many tables it has, in the schema that all its migrations make.
    pub tables: u32,
    /// How many indexes.
    pub indexes: u32,
    /// How many migrations.
    pub migrations: u32,
    /// What a database in the field was like, where somebody says it.
    pub statistics: Option<StatisticsSummary>,
    /// The schemas that databases in the field can have.
    pub variants: Vec<Variant>,
}

/// A schema that a database in the field can have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variant {
    /// Its name: `declared`, `fresh`, `upgraded from v2.1`.
    pub id: String,
    /// The releases whose databases have it.
    pub releases: Vec<String>,
}

/// A rule that ran, as its file says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSummary {
    /// Its name.
    pub name: String,
    /// What it finds, as a noun phrase.
    pub title: String,
    /// The severity of its findings, where they do not say their own.
    pub severity: Severity,
    /// Why what it finds is bad.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
}

/// What became of the statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// All that were found.
    pub found: u32,
    /// Those that SQLite planned.
    pub planned: u32,
    /// Those whose text is not known before the program runs.
    pub dynamic: u32,
    /// Those that SQLite refused.
    pub refused: u32,
    /// Those that are written for another engine.
    pub foreign: u32,
    /// Those that stand in tests, which are not among all.
    pub test: u32,
}

/// Whether a finding counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It does.
    #[default]
    New,
    /// It was there when the baseline was written.
    Baseline,
    /// The user accepts it.
    Suppressed,
}

impl State {
    /// The word for it, in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Baseline => "baseline",
            Self::Suppressed => "suppressed",
        }
    }
}

/// A finding with everything that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: String,
    /// How bad it is, where it stands.
    pub severity: Severity,
    /// Whether it counts.
    pub state: State,
    /// Why it does not count, where the user accepts it.
    pub suppression: Option<Suppression>,
    /// The database.
    pub database: Option<String>,
    /// Where it is; `None` where it has no place in the tree.
    pub place: Option<Place>,
    /// The part of it that matters most, such as the name of the table that is scanned.
    pub focus: Option<Place>,
    /// What it is about.
    pub object: Option<Object>,
    /// The function of the program around it.
    pub function: Option<String>,
    /// `production`, `test`, `start_up`, `migration`, `offline` or `dead`.
    pub context: String,
    /// The fact, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// How SQLite runs the statement, on each schema variant that was judged.
    pub judged: Vec<Judged>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What makes it go away.
    pub cures: Vec<Cure>,
    /// The same as long as the finding is: see docs/output.md.
    pub fingerprint: String,
    /// With which others it is told where they say the same: those of one function, or like statements of one file. `None`: it
    /// stands alone.
    pub home: Option<String>,
}

/// What the user said for accepting a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// Where the user said it.
    pub kind: SuppressionKind,
    /// The reason, in the user's words.
    pub justification: String,
    /// The place of it, where it is in the tree.
    pub place: Option<Place>,
}

/// Where a suppression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionKind {
    /// In the source, beside what it is about.
    InSource,
    /// Elsewhere, as in the configuration.
    External,
}

/// Something in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// `table`, `index`, `trigger`, `view`, `column`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// How SQLite runs a statement on one schema variant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// The variant.
    pub variant: String,
    /// The plan, a line per step, indented by depth.
    pub plan: Vec<String>,
    /// What was measured.
    pub growth: Option<Growth>,
}

/// How the cost of a statement grows with its tables. Each list holds one number per size measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growth {
    /// `constant`, `linear` or `quadratic`.
    pub class: String,
    /// Whether the rows returned or changed explain it.
    pub explained: bool,
    /// Rows in the tables.
    pub rows: Vec<u64>,
    /// Steps of SQLite's virtual machine.
    pub steps: Vec<u64>,
    /// Pages read.
    pub pages: Vec<u64>,
    /// Rows returned or changed.
    pub returned: Vec<u64>,
}

/// Another place that belongs to a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What is there.
    pub message: String,
}

impl Report {
    /// Orders the findings by harm: by severity, then by how fast the cost grows, then by place.
    pub fn sort(&mut self) {
        self.diagnostics.sort_by_cached_key(|one| {
            let place = one.place.as_ref().map(|place| (place.path.clone(), place.start.offset));
            let about = (one.rule.clone(), one.database.clone(), one.message.clone());
            (Reverse(one.severity), Reverse(one.speed()), place.is_none(), place, about)
        });
    }

    /// Whether a finding that counts is at least this bad.
    pub fn fails(&self, level: Severity) -> bool {
        self.diagnostics.iter().any(|one| one.state == State::New && one.severity >= level)
    }
}

impl Diagnostic {
    /// Whether people are shown it: it counts and, unless they want notes, is more than one.
    pub fn is_shown(&self, notes: bool) -> bool {
        self.state == State::New && (notes || self.severity > Severity::Note)
    }

    /// The fingerprint without the number that tells equal ones apart.
    pub fn fingerprint_stem(&self) -> &str {
        self.fingerprint.split_once('#').map_or(&*self.fingerprint, |(stem, _)| stem)
    }

    /// How fast the cost grows on the worst variant; the rows returned being no excuse where they don't explain it.
    fn speed(&self) -> u32 {
        let classes = self.judged.iter().filter_map(|judged| judged.growth.as_ref());
        let speeds = classes.filter(|growth| !growth.explained).map(|growth| match growth.class.as_str() {
            "constant" => 0,
            "linear" => 1,
            _ => 2,
        });
        speeds.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_ordered_by_harm() {
        let rules: Vec<String> = sample::report().diagnostics.into_iter().map(|one| one.rule).collect();
        assert_eq!(rules, ["failing-migration", "growing-table-scan", "full-read"]);
    }

    #[test]
    fn of_two_warnings_the_one_that_grows_faster_comes_first() {
        let growing = |class: &str, rule: &str| Diagnostic {
            judged: vec![Judged {
                growth: Some(Growth { class: class.to_owned(), ..Growth::default() }),
                ..Judged::default()
            }],
            ..sample::bare(rule, Severity::Warning, "")
        };
        let diagnostics = vec![growing("linear", "a"), growing("quadratic", "b"), growing("linear", "c")];
        let mut report = Report { diagnostics, ..Report::default() };
        report.sort();
        let rules: Vec<&str> = report.diagnostics.iter().map(|one| one.rule.as_str()).collect();
        assert_eq!(rules, ["b", "a", "c"]);
    }

    #[test]
    fn only_what_is_new_and_bad_enough_fails_a_run() {
        let mut report = sample::report();
        assert!(report.fails(Severity::Error));
        report.diagnostics.retain(|one| one.severity < Severity::Error);
        assert!(!report.fails(Severity::Error) && report.fails(Severity::Warning));
        for one in &mut report.diagnostics {
            one.state = State::Suppressed;
        }
        assert!(!report.fails(Severity::Note));
    }
}

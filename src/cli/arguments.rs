//! The arguments as they are typed: what each is called, and what its help says. Knows nothing of what is done with
//! them.

use crate::{config::Severity, report::lists::List, rule};
use clap::{
    Arg, Args, CommandFactory, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser},
};
use clap_complete::Shell;
use std::path::PathBuf;

/// Finds the SQL of a program that embeds SQLite, and says which statement will become slow.
#[derive(Parser)]
#[command(name = "planlint", disable_help_subcommand = true, after_help = AFTER_HELP)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub common: Common,
}

const AFTER_HELP: &str = "\
The tree is the folder of the nearest planlint.toml above PATH, else the git root, else PATH.

Exit codes: 0 nothing at or above fail-on, 1 a finding at or above it or too little coverage, 2 could not judge.";

#[derive(Args)]
pub(super) struct Common {
    /// Read this configuration instead of the nearest planlint.toml
    #[arg(long, value_name = "FILE", global = true, display_order = 100)]
    pub config: Option<PathBuf>,

    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, display_order = 101)]
    pub color: Color,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Judge every statement of a tree, and report what will become slow
    Check(Check),
    /// Print what a rule finds and what to do; or what is known of the statement at a place
    Explain(Explain),
    /// Print the indexes that heal what is costly, each proved on all statements; or write them as a migration
    Advise(Advise),
    /// Look at a database file, live or not, without reading all of it: sizes, costs, what it lacks of what its program
    /// declares
    Audit(Audit),
    /// Write the sizes and statistics of a database file, and no value of its rows, for checks to go by
    Stats(Stats),
    /// List the plans of all statements; write them to planlint.lock, hold them against it, or say what a change does to them
    Plans(Plans),
    /// List the rules, with the user's own; or run the pages that test them
    Rules(Rules),
    /// Write a planlint.toml of what is found: databases, what makes them, tables that grow
    Init(Init),
    /// Write the facts that the rules see, as a database for any SQLite client
    Facts(Facts),
    /// Print what completes the arguments of planlint in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Speak with an editor over standard input and output, by the language server protocol
    Lsp(Lsp),
}

#[derive(Args)]
pub(super) struct Lsp {
    /// Show notes too
    #[arg(long)]
    pub notes: bool,

    /// Judge by plans alone, and run no statement on rows made for it: faster, and less sure
    #[arg(long)]
    pub no_growth: bool,

    /// Speak over standard input and output, as always; some editors ask for it
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Args)]
pub(super) struct Advise {
    /// A file or folder of the tree
    pub path: Option<PathBuf>,

    /// Write them as the next migration of each database that has a folder of numbered files
    #[arg(long)]
    pub write: bool,

    /// Measure what each costs: put rows into tables of the same shape, in memory, and count the pages that they write
    #[arg(long)]
    pub measure: bool,

    /// How to write what is advised
    #[arg(long, default_value = "terminal")]
    pub format: AdviceFormat,

    /// Judge by plans alone, without running statements
    #[arg(long)]
    pub no_growth: bool,
}

#[derive(Args)]
pub(super) struct Audit {
    /// The database; nothing is written to it, nor beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// A file or folder of the source tree of the program that uses it
    #[arg(long, value_name = "PATH")]
    pub source: Option<PathBuf>,

    /// Read at most about so many pages of each table and index
    #[arg(long, value_name = "N", default_value_t = crate::audit::PAGES, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    pub pages: u64,

    /// How to write what is found
    #[arg(long, default_value = "terminal")]
    pub format: AdviceFormat,

    /// Write a page with plots for a browser, too; a file that is there is replaced if it is such a page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Replace whatever file is there
    #[arg(long, requires = "html")]
    pub force: bool,

    /// Judge the statements of the program by plans alone, without running them
    #[arg(long)]
    pub no_growth: bool,
}

#[derive(Args)]
pub(super) struct Stats {
    /// The database; nothing is written to it, nor beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where to write; a file that is there is replaced. Default: standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Read at most about so many pages of each table and index
    #[arg(long, value_name = "N", default_value_t = crate::audit::PAGES, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    pub pages: u64,
}

#[derive(Args)]
pub(super) struct Check {
    /// Report only what lies in these files and folders
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How to write the report
    #[arg(long, default_value = "terminal")]
    pub format: Format,

    /// Print a list instead of the findings
    #[arg(long, value_name = "WHAT", conflicts_with = "format")]
    pub list: Option<List>,

    /// Show notes too
    #[arg(long)]
    pub notes: bool,

    /// Judge by plans alone, and run no statement on rows made for it: faster, and less sure
    #[arg(long)]
    pub no_growth: bool,

    /// Show what is allowed or in the baseline as well: comments, the configuration and the baseline accept nothing
    #[arg(long)]
    pub no_suppress: bool,

    /// Write all that is found to the baseline, so that from then on only what is new is reported
    #[arg(long, conflicts_with_all = ["paths", "no_growth", "no_suppress", "since", "staged", "list", "format", "fail_on", "min_coverage"])]
    pub write_baseline: bool,

    /// Remove from the baseline what was mended
    #[arg(long, conflicts_with_all = ["write_baseline", "no_growth", "no_suppress", "since", "staged"])]
    pub prune: bool,

    /// Report only what was brought since the working tree left the history of this commit
    #[arg(long, value_name = "REV", conflicts_with = "list")]
    pub since: Option<String>,

    /// Report only what the next commit would bring, as it is staged: for a hook
    #[arg(long, conflicts_with_all = ["since", "list"])]
    pub staged: bool,

    /// Exit with 1 from this severity on; default: as configured, else warning
    #[arg(long, value_name = "LEVEL")]
    pub fail_on: Option<Severity>,

    /// Exit with 1 where less than this share of the statements can be judged, in percent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub min_coverage: Option<u32>,
}

#[derive(Args)]
pub(super) struct Explain {
    /// The name of a rule, or a place: PATH, PATH:LINE or PATH:LINE:COLUMN
    #[arg(value_name = "RULE|PLACE")]
    pub subject: String,

    /// A file or folder of the tree, where it is not that of PLACE
    #[arg(value_name = "TREE")]
    pub tree: Option<PathBuf>,

    /// Print only a script for the sqlite3 shell that shows what was measured
    #[arg(long)]
    pub script: bool,

    /// Rows of each growing table in the script; default: those of the largest measurement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50_000))]
    pub rows: Option<u64>,
}

#[derive(Args)]
pub(super) struct Plans {
    /// A file or folder of the tree; the plans of what lies in it are listed. A lock is of the whole tree
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Write planlint.lock in the root of the tree
    #[arg(long)]
    pub write: bool,

    /// Exit with 1 where planlint.lock does not say what is
    #[arg(long, conflicts_with = "write")]
    pub check: bool,

    /// Say what became of plans: since the working tree left the history of a commit, or since a lock was written, or
    /// between two locks
    #[arg(long, value_names = ["REV|LOCK", "LOCK"], num_args = 1..=2, conflicts_with_all = ["write", "check"])]
    pub diff: Vec<String>,

    /// How to write what became of them
    #[arg(long, default_value = "terminal", requires = "diff")]
    pub format: DiffFormat,

    /// Leave out how costs grow, which takes most of the time
    #[arg(long)]
    pub no_growth: bool,

    /// Take the plans of the shell that `sqlite` of the configuration names
    #[arg(long, conflicts_with = "write")]
    pub by_shell: bool,
}

#[derive(Args)]
pub(super) struct Rules {
    /// Run the pages of this folder, small programs that say what is to be found in them; exit with 1 where one
    /// is wrong
    #[arg(long, value_name = "FOLDER")]
    pub test: Option<PathBuf>,

    /// Run the pages of these rules only
    #[arg(value_name = "RULE", requires = "test")]
    pub only: Vec<String>,
}

#[derive(Args)]
pub(super) struct Init {
    /// A file or folder of the tree
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Write it anew where there is one
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
pub(super) struct Facts {
    /// The database to write; a file that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,

    /// A file or folder of the tree
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Terminal,
    Json,
    Sarif,
    Github,
    Gitlab,
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    Terminal,
    Markdown,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AdviceFormat {
    Terminal,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl ValueEnum for List {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

impl ValueEnum for Severity {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

/// What a shell completes the arguments by, and in bash the names of the rules to explain.
pub(super) fn completions(shell: Shell) -> String {
    let mut command = Arguments::command().version(env!("CARGO_PKG_VERSION"));
    // Others have no such values, or complete them alone where a file may be meant as well.
    if shell == Shell::Bash {
        command = command.mut_subcommand("explain", with_rules);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "planlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

fn with_rules(explain: clap::Command) -> clap::Command {
    // clap keeps what it is told for as long as the program runs: they are told once.
    let names = rule::builtin().unwrap_or_default().into_iter().map(|rule| &*rule.name.leak());
    let names: Vec<&'static str> = names.collect();
    let subject = |one: Arg| match one.get_id().as_str() {
        "subject" => one.value_parser(PossibleValuesParser::new(&names)),
        _ => one,
    };
    explain.mut_args(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_know_the_version_and_the_rules() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = completions(shell);
            assert!(script.contains("version"), "{shell}");
            assert_eq!(script.contains("growing-table-scan"), shell == Shell::Bash, "{shell}");
        }
    }
}

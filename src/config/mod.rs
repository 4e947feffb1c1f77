//! The configuration, checked and complete: what the user knows of the program that its text does not say. Knows the
//! keys and their values; knows no schema, no rule by name, and reads no file but `planlint.toml`. `file` is the TOML as
//! written, with the place of each value; `check` makes a [`Config`] of it. What is wrong is a [`ConfigError`] with its place.

mod check;
mod error;
mod file;
mod globs;
mod near;
mod statistics;
#[cfg(test)]
mod tests;

pub use error::ConfigError;
pub use globs::{GlobError, Globs};
pub use near::near;
pub use statistics::{FileStatistics, IndexStatistics, STATISTICS_NAME, TableStatistics, numbers};

use crate::source::{MAX_BYTES, plain};
use std::{
    collections::BTreeMap,
    fmt, fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// The name of the configuration file.
pub const FILE_NAME: &str = "planlint.toml";

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; counted, and shown on request.
    Note,
    /// Slow, or will be.
    Warning,
    /// Fails, loses data, or is slow in the field already.
    Error,
}

impl Severity {
    /// All of them, from the mildest.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// The severity that a word stands for.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == word)
    }

    /// The word for it, in the configuration and in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What becomes of the findings of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They are dropped.
    Off,
    /// They have this severity.
    At(Severity),
}

/// Around what the runner of migrations puts a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transaction {
    /// Around each step.
    Step,
    /// Around all that it runs.
    All,
    /// Around nothing.
    None,
}

/// What `[rules]` says of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSetting {
    /// The level; `None` leaves the rule's own.
    pub level: Option<Level>,
    /// Where this holds; empty means everywhere.
    pub paths: Globs,
}

/// The configuration, with a default for what it does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The file it was read from, as named in messages; `None` where there is none.
    pub path: Option<String>,
    /// The text of that file, for messages that point into it.
    pub text: String,
    /// The severity from which a finding fails the run.
    pub fail_on: Severity,
    /// The least share of the statements that must be planned, in percent; `None`: any.
    pub min_coverage: Option<u32>,
    /// The folders of the user's own rules, from the root of the tree.
    pub rule_folders: Vec<String>,
    /// The file with the findings that were there before, from the root of the tree; `None` for the usual one.
    pub baseline: Option<String>,
    /// A `sqlite3` shell that plans the statements as well, and where it is named, in bytes.
    pub sqlite: Option<(String, Range<usize>)>,
    /// The size in bytes over which a file is not read.
    pub max_file_bytes: u64,
    /// Files of statements logged at run time, of whichever database they are.
    pub workload: Vec<LogFile>,
    /// What is said of each rule, in the order written.
    pub rules: BTreeMap<String, Vec<RuleSetting>>,
    /// Every place where a rule is named, to check once the rules are known.
    pub rule_names: Vec<(String, Range<usize>)>,
    /// The databases, in the order written.
    pub databases: Vec<DatabaseConfig>,
    /// Paths that are not looked at.
    pub exclude: Globs,
    /// Paths whose code is run by hand or rarely, and judged one level quieter.
    pub offline: Globs,
    /// Whether statements are run on rows that are made for them.
    pub measure_growth: bool,
    /// What an audit holds statements against.
    pub audit: AuditConfig,
    /// Findings that the user accepts.
    pub allows: Vec<Allow>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            path: None,
            text: String::new(),
            fail_on: Severity::Warning,
            min_coverage: None,
            rule_folders: Vec::new(),
            baseline: None,
            sqlite: None,
            max_file_bytes: MAX_BYTES,
            workload: Vec::new(),
            rules: BTreeMap::new(),
            rule_names: Vec::new(),
            databases: Vec::new(),
            exclude: Globs::default(),
            offline: Globs::default(),
            measure_growth: true,
            audit: AuditConfig::default(),
            allows: Vec::new(),
        }
    }
}

/// What `[audit]` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditConfig {
    /// Microseconds that a call of a statement may take; `None` where nobody says.
    pub budget_us: Option<u64>,
    /// Microseconds that a page takes.
    pub page_us: u64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self { budget_us: None, page_us: 100 }
    }
}

/// What is said of one database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseConfig {
    /// Its name, unique in the file.
    pub name: String,
    /// The place of the name in the file, in bytes.
    pub span: Range<usize>,
    /// The steps of its history, in order.
    pub migrations: Vec<SchemaSource>,
    /// What a new database runs, where it is not the migrations.
    pub create: Vec<SchemaSource>,
    /// What every open runs.
    pub open: Vec<SchemaSource>,
    /// Around what the runner of its steps puts a transaction; `None`: as its tool or the code does.
    pub transaction: Option<Transaction>,
    /// Where its statements are; `None`: wherever they compile on its schema.
    pub statements: Option<Globs>,
    /// Files of statements logged at run time.
    pub workload: Vec<LogFile>,
    /// The file with the sizes and the statistics of a database in the field.
    pub stats: Option<LogFile>,
    /// Tables that grow without bound.
    pub growing: Globs,
    /// Tables that hold at most so many rows; stronger than `growing`. The names are in lower case.
    pub bounded: BTreeMap<String, u64>,
    /// How many rows tables have in the field, each with its place in the file.
    pub rows: Vec<(String, u64, Range<usize>)>,
    /// The tables that these three name outright: the key, the name, and its place in the file.
    pub named: Vec<(&'static str, String, Range<usize>)>,
    /// The git tags whose databases are in the field; `None`: those that look like versions.
    pub releases: Option<Globs>,
    /// Name of the schema as attached → name of another database of the file.
    pub attached: BTreeMap<String, String>,
    /// Functions that the program registers, with the number of their arguments; -1 for any number.
    pub functions: Vec<(String, i32)>,
    /// Collations that the program registers.
    pub collations: Vec<String>,
    /// Modules of virtual tables that the program registers.
    pub modules: Vec<String>,
    /// Pragmas that the program sets on every connection.
    pub pragmas: BTreeMap<String, String>,
    /// Those that it sets for its migrations, where these are others.
    pub migration_pragmas: BTreeMap<String, String>,
}

impl DatabaseConfig {
    /// Whether nothing says how its schema is made.
    fn is_bare(&self) -> bool {
        self.migrations.is_empty() && self.create.is_empty() && self.open.is_empty()
    }

    /// Whether these bytes of the file are its name, or name a part of its schema.
    fn names(&self, span: &Range<usize>) -> bool {
        let sources = self.migrations.iter().chain(&self.create).chain(&self.open);
        self.span == *span || sources.into_iter().any(|source| source.span == *span)
    }
}

impl Config {
    /// Forgets what stands in these bytes: a log, a part of a schema, or a database of which nothing is left. False where it
    /// is none of them.
    pub fn forget(&mut self, span: &Range<usize>) -> bool {
        let logs = self.databases.iter_mut().map(|database| &mut database.workload);
        for logs in logs.chain([&mut self.workload]) {
            if let Some(at) = logs.iter().position(|log| log.span == *span) {
                logs.remove(at);
                return true;
            }
        }
        let Some(at) = self.databases.iter().position(|database| database.names(span)) else { return false };
        if let Some(database) = self.databases.get_mut(at) {
            for sources in [&mut database.migrations, &mut database.create, &mut database.open] {
                sources.retain(|source| source.span != *span);
            }
            if database.span == *span || database.is_bare() {
                self.databases.remove(at);
            }
        }
        true
    }
}

/// A file that is read beside the sources: statements that were logged at run time, or statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Its path, from the root of the tree.
    pub path: String,
    /// Its place in the configuration file, in bytes.
    pub span: Range<usize>,
}

/// Where part of a schema is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaSource {
    /// As written.
    pub pattern: String,
    /// As understood.
    pub kind: SourceKind,
    /// Its place in the configuration file, in bytes.
    pub span: Range<usize>,
}

/// How a [`SchemaSource`] names what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// Files, each of them SQL from its first byte to its last.
    Files(Globs),
    /// Constants or functions of one source file.
    Name {
        /// The file, from the root of the tree.
        path: String,
        /// The name in it; a `*` in it stands for any characters.
        name: String,
    },
}

/// Findings that the user accepts, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    /// The rule.
    pub rule: String,
    /// Where; `None` means everywhere.
    pub path: Option<Globs>,
    /// On which table; `None` means on any.
    pub table: Option<String>,
    /// In which statement, by a part of its text; `None` means in any.
    pub statement: Option<String>,
    /// Why that is fine.
    pub reason: String,
    /// The last day on which it is, as `YYYY-MM-DD`.
    pub until: Option<String>,
    /// The most rows that the table is said to have.
    pub bounded: Option<u64>,
    /// Its place in the configuration file, in bytes.
    pub span: Range<usize>,
}

impl Config {
    /// Whether a file is no part of the program: the user leaves it out, or it is a rule of the user's own.
    pub fn excludes(&self, path: &str) -> bool {
        let is_rule = |folder: &String| {
            let below = path.strip_prefix(folder.trim_end_matches('/')).and_then(|it| it.strip_prefix('/'));
            below.is_some_and(|name| !name.contains('/'))
                && Path::new(path).extension().is_some_and(|it| it == "sql")
        };
        self.exclude.matches(path) || self.rule_folders.iter().any(is_rule)
    }

    /// Whether a path is that of a log.
    pub fn is_log(&self, path: &str) -> bool {
        self.logs().any(|(_, log)| log.path == path)
    }

    /// Whether a path is that of statistics.
    pub fn is_statistics(&self, path: &str) -> bool {
        let mut named = self.databases.iter().filter_map(|database| database.stats.as_ref()).peekable();
        if named.peek().is_none() { path == STATISTICS_NAME } else { named.any(|file| file.path == path) }
    }

    /// The logs of statements, each with the number of its database; `None` where it may be any.
    pub fn logs(&self) -> impl Iterator<Item = (Option<usize>, &LogFile)> {
        let own = self.databases.iter().enumerate();
        let own = own.flat_map(|(at, one)| one.workload.iter().map(move |log| (Some(at), log)));
        self.workload.iter().map(|log| (None, log)).chain(own)
    }

    /// The level that the file gives to the findings of a rule at a path: of the settings that cover the path, the
    /// last one that has a level. `None` leaves the rule's own.
    pub fn level(&self, rule: &str, path: Option<&str>) -> Option<Level> {
        let covers = |globs: &Globs| globs.is_empty() || path.is_some_and(|path| globs.matches(path));
        let settings = self.rules.get(rule)?.iter().rev();
        settings.filter(|setting| covers(&setting.paths)).find_map(|setting| setting.level)
    }

    /// Checks that every rule which the file names is one of these: the rules built in, and those of
    /// [`Config::rule_folders`].
    ///
    /// # Errors
    /// At the first name that is not.
    pub fn check_rule_names(&self, known: &[&str]) -> Result<(), ConfigError> {
        let Some((name, span)) = self.rule_names.iter().find(|(name, _)| !known.contains(&name.as_str()))
        else {
            return Ok(());
        };
        let help = near(name, known.iter().copied()).map_or_else(
            || "`planlint rules` lists them all".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Err(self.error(span.clone(), format!("there is no rule `{name}`"), Some(help)))
    }

    /// An error at a place of this configuration's file, for what only shows once the tree is read.
    pub fn error(&self, span: Range<usize>, message: String, help: Option<String>) -> ConfigError {
        let path = self.path.clone().unwrap_or_else(|| FILE_NAME.to_owned());
        ConfigError::Invalid { path, text: self.text.clone(), span, message, help }
    }
}

/// Reads and checks a configuration file; `display` is what to call it in messages.
///
/// # Errors
/// Where it can't be read, is no TOML, or says what can't be.
pub fn load(path: &Path, display: &str) -> Result<Config, ConfigError> {
    let text =
        plain::read_text(path).map_err(|source| ConfigError::Read { path: display.to_owned(), source })?;
    parse(display, &text)
}

/// Checks the text of a configuration file; `display` is what to call it in messages.
///
/// # Errors
/// Where it is no TOML, or says what can't be.
pub fn parse(display: &str, text: &str) -> Result<Config, ConfigError> {
    let file = toml::from_str(text).map_err(|error| error::from_toml(display, text, &error))?;
    check::config(display, text, file)
}

/// The root of the tree that a path belongs to, and its configuration: the folder of the nearest `planlint.toml` at or
/// above the path, else the nearest folder with a `.git`, else the path's own folder.
pub fn find(start: &Path) -> (PathBuf, Option<PathBuf>) {
    let start = fs::canonicalize(start).unwrap_or_else(|_| start.to_owned());
    let folder = if start.is_file() { start.parent().unwrap_or(&start) } else { &start };
    if let Some(root) = folder.ancestors().find(|above| above.join(FILE_NAME).is_file()) {
        return (root.to_owned(), Some(root.join(FILE_NAME)));
    }
    let root = folder.ancestors().find(|above| above.join(".git").exists());
    (root.unwrap_or(folder).to_owned(), None)
}

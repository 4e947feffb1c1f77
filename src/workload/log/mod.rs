//! The statements that a program logged when it ran, for those that no source holds: what ORMs and query builders put
//! together. A log is read a line at a time, and equal statements are kept once, so that its length does not matter. Knows
//! how programs log; whether a text is SQL is for SQLite to say.

mod line;
mod normal;
mod values;

use crate::{
    config::{Config, ConfigError, LogFile},
    extract::{Extraction, Literal, languages, text::Text},
    schema::{Explained, Kind, Live},
    source::{Site, Source, SourceId, Sources, Tree},
};
use line::{Format, Line, apart};
use normal::{Given, Normal};
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, BufRead, ErrorKind, Read as _},
    sync::Arc,
};
use values::Value;

/// The longest line, and the longest statement, in bytes.
const LONGEST: usize = 1 << 18;
/// The most different statements of a log.
const MOST: usize = 5000;

/// What was read in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The file, from the root of the tree.
    pub path: String,
    /// How many statements were run.
    pub runs: u64,
    /// How many different ones.
    pub different: u64,
    /// How many lines hold none: they are no SQL, or transactions, schema and settings.
    pub others: u64,
    /// How many statements were run that are not kept, since there were too many different ones, or their text was too long.
    pub left_out: u64,
    database: Option<usize>,
    statements: Vec<(Text, u64, Vec<Option<String>>)>,
}

/// What is known of a statement because it was logged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Logged {
    /// The database of the configuration whose log it is; `None` where it may be any.
    pub database: Option<usize>,
    /// How often it was run.
    pub runs: u64,
    /// The values that it was given in the first run, as literals of SQL, by the number of their parameter.
    pub given: Vec<Option<String>>,
}

impl Logged {
    /// Plans a statement with its values as well, and keeps that plan: a LIKE or a partial index may serve some values
    /// alone, and SQLite looks at them when it runs.
    pub(super) fn plan_with_values(&self, text: &Text, explained: &mut Explained, live: &mut Live) {
        let Some(sql) = normal::with_values(text.as_str(), &self.given) else { return };
        if let Ok(with) = live.explain(&sql).map(|with| (with.plan, with.proven_constant)) {
            (explained.plan, explained.proven_constant) = with;
        }
    }
}

/// What is the same in equal statements.
pub(super) fn key(sql: &str) -> String {
    Normal::of(sql).key
}

/// The literals that come from logs.
pub type Logs = HashMap<usize, Arc<Logged>>;

/// Reads the logs that the configuration names, and puts the lines with their statements among the sources.
///
/// # Errors
/// Where one can't be read or holds no statement.
pub fn logs(
    config: &Config,
    tree: &Tree,
    beside: Option<&Tree>,
    sources: &mut Sources,
) -> Result<Vec<Log>, ConfigError> {
    let mut all: Vec<Log> = Vec::new();
    for (database, file) in config.logs() {
        let wrong = |message: String, help: &str| {
            Err(config.error(file.span.clone(), message, Some(help.to_owned())))
        };
        if all.iter().any(|log| log.path == file.path) {
            let help = "name it once; at the top of the file, if its statements belong to several databases";
            return wrong(format!("`{}` is named twice", file.path), help);
        }
        let mut reader = match open(tree, beside, file) {
            Ok(reader) => reader,
            Err(error) => {
                return wrong(format!("can't read `{}`: {error}", file.path), "name a file of this tree");
            }
        };
        let mut gathered = Gathered::default();
        if let Err(error) = gathered.read(&mut *reader) {
            return wrong(
                format!("can't read `{}`: {error}", file.path),
                "name a log of statements, as text",
            );
        }
        if gathered.groups.is_empty() {
            let help = "planlint reads a statement per line, the sqlite3 shell's `.trace`, the logs of Django, Rails and \
                        SQLAlchemy, and lines of JSON with `sql`";
            return wrong(format!("no statement was found in `{}`", file.path), help);
        }
        all.push(gathered.log(file, database, sources));
    }
    Ok(all)
}

/// A log need not be part of a commit: then it is the one beside it.
fn open(tree: &Tree, beside: Option<&Tree>, file: &LogFile) -> io::Result<Box<dyn BufRead>> {
    match (tree.open(&file.path), beside) {
        (Err(error), Some(beside)) if error.kind() == ErrorKind::NotFound => beside.open(&file.path),
        (opened, _) => opened,
    }
}

/// Adds the statements of logs to those that were found in the sources.
pub fn literals(logs: &[Log], extraction: &mut Extraction) -> Logs {
    let mut added = Logs::new();
    let Some(language) = languages::of("log.sql") else { return added };
    for log in logs {
        for (text, runs, given) in &log.statements {
            let end = text.site(0, text.as_str().len() as u32).map_or(1, |site| site.end);
            let Some((source, start)) = text.locate(0) else { continue };
            let logged = Logged { database: log.database, runs: *runs, given: given.clone() };
            added.insert(extraction.literals.len(), Arc::new(logged));
            let site = Site { source, start, end };
            extraction.literals.push(Literal::bare(site, text.clone(), language));
        }
    }
    added
}

/// Runs of one statement: the first one, and how many there were.
struct Group {
    number: u32,
    /// Whether each line of its text is one of the file.
    is_spread: bool,
    sql: String,
    normal: Normal,
    given: Given,
    runs: u64,
}

/// A statement whose lines are still being read.
struct Open {
    number: u32,
    format: Format,
    sql: String,
    values: Option<Value>,
}

#[derive(Default)]
struct Gathered {
    groups: BTreeMap<String, Group>,
    open: Option<Open>,
    runs: u64,
    others: u64,
    left_out: u64,
}

impl Gathered {
    fn read(&mut self, reader: &mut dyn BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if reader.take(LONGEST as u64).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if number == 1 && bytes.contains(&0) {
                return Err(io::Error::new(ErrorKind::InvalidData, "it is no text"));
            }
            if bytes.len() == LONGEST && !bytes.ends_with(b"\n") {
                self.others += 1;
                skip_line(reader)?;
                continue;
            }
            let line = without_colours(&String::from_utf8_lossy(&bytes));
            self.line(number, line.trim_end_matches(['\r', '\n']));
        }
        self.finish();
        Ok(())
    }

    fn line(&mut self, number: u32, line: &str) {
        let open = self.open.as_ref().map(|open| (open.format, open.sql.as_str()));
        match line::read(line, open) {
            Line::GoesOn => {
                if let Some(open) = self.open.as_mut().filter(|open| open.sql.len() + line.len() < LONGEST) {
                    open.sql.push('\n');
                    open.sql.push_str(line);
                }
            }
            Line::Begins(format, sql, values) => {
                self.finish();
                self.open = Some(Open { number, format, sql, values });
            }
            Line::Values(values) => {
                if let Some(open) = &mut self.open {
                    open.values = Some(values);
                }
                self.finish();
            }
            Line::Other => {
                self.finish();
                self.others += u64::from(!line.trim().is_empty());
            }
        }
    }

    /// Ends the statement that is being read.
    fn finish(&mut self) {
        let Some(Open { number, format, sql, values }) = self.open.take() else { return };
        let (sql, beside) = apart(format, &sql);
        let kinds = [Kind::Select, Kind::Insert, Kind::Replace, Kind::Update, Kind::Delete];
        if !kinds.contains(&Kind::of(sql)) {
            self.others += 1;
            return;
        }
        self.runs += 1;
        let normal = Normal::of(sql);
        if let Some(group) = self.groups.get_mut(&normal.key) {
            group.runs += 1;
            group.normal.compare(&group.sql, sql, &normal);
            return;
        }
        if self.groups.len() >= MOST {
            self.left_out += 1;
            return;
        }
        let given = given(values.or(beside));
        let (sql, is_spread) = (sql.to_owned(), format != Format::Json);
        self.groups.insert(normal.key.clone(), Group { number, is_spread, sql, normal, given, runs: 1 });
    }

    /// What was read, its lines among the sources.
    fn log(self, file: &LogFile, database: Option<usize>, sources: &mut Sources) -> Log {
        let mut groups: Vec<Group> = self.groups.into_values().collect();
        groups.sort_by_key(|group| group.number);
        let mut lines: Vec<(u32, String)> = Vec::new();
        let id = SourceId(sources.as_slice().len() as u32);
        let mut at = 0;
        let mut statements = Vec::new();
        for Group { number, is_spread, sql, normal, given, runs } in groups {
            let (text, given) = normal.text(&sql, (id, at), runs, &given);
            statements.push((text, runs, given));
            at += sql.len() as u32 + 1;
            let own = (number..).zip(sql.split('\n'));
            lines.extend(own.map(|(own, line)| (if is_spread { own } else { number }, line.to_owned())));
        }
        sources.add(Source::excerpt(file.path.as_str(), &lines));
        Log {
            path: file.path.clone(),
            runs: self.runs,
            different: statements.len() as u64,
            others: self.others,
            left_out: self.left_out,
            database,
            statements,
        }
    }
}

/// The values that a statement was given: in order, by name, or as pairs of names and values in order. Of several runs at
/// once, those of the first.
fn given(said: Option<Value>) -> Given {
    let mut given = Given { is_said: said.is_some(), ..Given::default() };
    match said {
        Some(Value::List(values)) => {
            let is_pair = |value: &Value| matches!(value, Value::List(pair) if matches!(pair.as_slice(), [Value::Text(_), _]));
            if !values.is_empty() && values.iter().all(is_pair) {
                given.ordered.extend(values.iter().map(|pair| match pair {
                    Value::List(pair) => pair.get(1).and_then(Value::sql),
                    _ => None,
                }));
            } else if let Some(first @ (Value::List(_) | Value::Pairs(_))) = values.first() {
                return self::given(Some(first.clone()));
            } else {
                given.ordered.extend(values.iter().map(Value::sql));
            }
        }
        Some(Value::Pairs(pairs)) => {
            given.named.extend(pairs.iter().map(|(name, value)| (name.clone(), value.sql())));
            given.ordered.extend(pairs.iter().map(|(_, value)| value.sql()));
        }
        // `args=None`.
        _ => {}
    }
    given
}

fn skip_line(reader: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let held = reader.fill_buf()?;
        let (used, is_end) = match memchr::memchr(b'\n', held) {
            Some(at) => (at + 1, true),
            None => (held.len(), held.is_empty()),
        };
        reader.consume(used);
        if is_end {
            return Ok(());
        }
    }
}

/// A line without what colours it on a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |mut plain, part| {
        plain.push_str(
            part.trim_start_matches(|one: char| one.is_ascii_digit() || one == ';').get(1..).unwrap_or(""),
        );
        plain
    })
}

#[cfg(test)]
mod tests;

//! The next migration of a database, in the manner of the last one: its number, its ending, its marks. Nothing is written over.

use super::patch::{self, Told, lenient};
use crate::{
    extract,
    migration::{self, Runs, Step},
    report::{advice::Index, diagnose},
    run::{Outcome, RunError},
    suppression,
};
use std::{fs, io, path::Path};

/// What makes indexes.
pub(in crate::run) enum Made {
    /// New files, by their paths from the root of the tree, and what is still to be done then.
    Files(Vec<(String, String)>, Option<String>),
    /// Nothing that can be a file of its own.
    Told(Told),
}

/// Writes the indexes as the next file of the database's migrations, and says so in a line; or says where they are to go.
///
/// # Errors
/// The file can't be written.
pub(super) fn migration(
    outcome: &Outcome,
    root: &Path,
    database: usize,
    indexes: &[Index],
) -> Result<Told, RunError> {
    let (files, rest) = match made(outcome, root, database, indexes) {
        Made::Told(told) => return Ok(told),
        Made::Files(files, rest) => (files, rest),
    };
    let mut written: Vec<&str> = Vec::new();
    for (path, content) in &files {
        // One without the other would run, and could not be taken back.
        write(root, path, content)
            .inspect_err(|_| written.iter().for_each(|path| drop(fs::remove_file(root.join(path)))))?;
        written.push(path);
    }
    let line = format!(
        "written: {}{}",
        written.join(", "),
        rest.map_or_else(String::new, |rest| format!("; {rest}"))
    );
    Ok(Told { line, patch: None, insertions: Vec::new() })
}

/// What writing them would make, and what is to be done then, as a line; `None` where that is no file.
pub(super) fn ahead(outcome: &Outcome, root: &Path, database: usize, indexes: &[Index]) -> Option<String> {
    let Made::Files(files, rest) = made(outcome, root, database, indexes) else { return None };
    let names: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let rest = rest.map_or_else(String::new, |rest| format!("; {rest}"));
    Some(format!("--write makes {}{rest}", names.join(", ")))
}

/// The next file of the database's migrations, or where the indexes are to go.
pub(in crate::run) fn made(outcome: &Outcome, root: &Path, database: usize, indexes: &[Index]) -> Made {
    let Some(last) = last(outcome, database) else {
        return Made::Told(patch::patch(outcome, root, database, indexes));
    };
    let Some(next) = next(&last, root) else {
        let line = format!("not written: the name of the file that follows {} can't be told", last.name);
        return Made::Told(Told { line, patch: None, insertions: Vec::new() });
    };
    let made = indexes
        .iter()
        .flat_map(|index| index.replaced.iter().cloned().chain(index.statements().map(str::to_owned)));
    let taken_back = indexes.iter().flat_map(|index| dropped(index).chain(index.restored.iter().cloned()));
    let up = text(made, last.runs_again);
    let down = text(taken_back, last.runs_again);
    let content = match migration::parts(&last.text) {
        Some((forward, back)) => format!("{forward}\n{up}\n{back}\n{down}"),
        None => up,
    };
    let path = |name: &str| {
        if last.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", last.folder) }
    };
    let mut files = vec![(path(&next), content)];
    if let Some(stem) = next.strip_suffix(".up.sql") {
        files.push((path(&format!("{stem}.down.sql")), down));
    }
    Made::Files(files, listed(outcome, database, &last.folder))
}

/// What is still to be done, where code names the files of a folder one by one.
fn listed(outcome: &Outcome, database: usize, folder: &str) -> Option<String> {
    let mut all = outcome.analysis.series.iter();
    let own = all.find(|one| one.database == database && one.folder == folder);
    let place = own.and_then(|one| diagnose::place(&outcome.sources, one.list?))?;
    Some(format!("it does not run until the list at {}:{} has it", place.path, place.start.line))
}

/// The last file of a database's migrations.
struct Last {
    folder: String,
    name: String,
    text: String,
    /// Whether it runs whenever the database is opened.
    runs_again: bool,
}

fn last(outcome: &Outcome, database: usize) -> Option<Last> {
    let declaration = &outcome.analysis.databases.get(database)?.declaration;
    let is_file = |step: &&Step| step.runs == Runs::Open && is_numbered(&step.home);
    let last = declaration.steps.iter().rfind(|step| step.runs == Runs::Migration);
    let step = last.or_else(|| declaration.steps.iter().rfind(is_file))?;
    let literal = outcome.analysis.extraction.literals.get(step.literal)?;
    let source = outcome.sources.get(literal.site.source)?;
    let (folder, name) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    is_numbered(&source.path).then(|| Last {
        folder: folder.to_owned(),
        name: name.to_owned(),
        text: source.text().to_owned(),
        runs_again: step.runs == Runs::Open || migration::run_again(&outcome.sources, declaration),
    })
}

/// Whether a file of SQL has a number.
pub(super) fn is_numbered(path: &str) -> bool {
    extract::is_sql(path) && number(path.rsplit('/').next().unwrap_or(path)).is_some()
}

/// What stands in a name before its number, the digits, and what stands behind them.
fn number(name: &str) -> Option<(&str, &str, &str)> {
    let start = name.find(|one: char| one.is_ascii_digit())?;
    let (head, rest) = name.split_at(start);
    let (digits, rest) = rest.split_at(rest.find(|one: char| !one.is_ascii_digit())?);
    Some((head, digits, rest))
}

/// The name of the file that follows the last.
fn next(last: &Last, root: &Path) -> Option<String> {
    let (head, digits, rest) = number(&last.name)?;
    // What is not read takes its number, too.
    let names = fs::read_dir(root.join(&last.folder)).ok()?;
    let names = names.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let is_time = digits.len() == 14;
    let taken = names.filter_map(|name| {
        let (own, digits, _) = number(&name)?;
        if own != head || (name.contains('.') && !extract::is_sql(&name)) {
            return None;
        }
        if is_time && digits.len() != 14 { None } else { digits.parse::<u64>().ok() }
    });
    let number = if is_time {
        // A clock may be behind the one that named the last.
        let behind = |last: u64| next_second(last).to_string();
        timestamp().max(taken.max().map_or_else(String::new, behind))
    } else {
        format!("{:0width$}", taken.max()?.checked_add(1)?, width = digits.len())
    };
    let separator: String = rest.chars().take_while(|one| !one.is_alphanumeric()).collect();
    // A number of several parts has more than one successor.
    if rest.get(separator.len()..).is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit())) {
        return None;
    }
    let words = if separator.contains(' ') { "add indexes" } else { "add_indexes" };
    let ending = if last.name.ends_with(".up.sql") { ".up.sql" } else { ".sql" };
    Some(format!("{head}{number}{separator}{words}{ending}"))
}

/// This moment as `YYYYMMDDHHMMSS`, in UTC.
fn timestamp() -> String {
    let (day, time) = (suppression::today().replace('-', ""), suppression::now() % 86_400);
    format!("{day}{:02}{:02}{:02}", time / 3_600, time / 60 % 60, time % 60)
}

/// The second that follows one written as `YYYYMMDDHHMMSS`; on the last of a day the next number, which is no time and
/// sorts as one.
fn next_second(last: u64) -> u64 {
    let (seconds, minutes, hours) = (last % 100, last / 100 % 100, last / 10_000 % 100);
    let step = match (seconds, minutes, hours) {
        (59, ..59, _) => 41,
        (59, 59, ..23) => 4_041,
        _ => 1,
    };
    last.saturating_add(step)
}

/// A line for each statement.
fn text(statements: impl Iterator<Item = String>, runs_again: bool) -> String {
    let one = |sql: String| if runs_again { lenient(&sql) } else { sql };
    statements.flat_map(|sql| [one(sql), ";\n".to_owned()]).collect()
}

/// What takes each CREATE INDEX of an index back.
fn dropped(index: &Index) -> impl Iterator<Item = String> {
    let name = |one: &str| one.strip_prefix("CREATE INDEX ")?.split(" ON ").next().map(str::to_owned);
    index.statements().filter_map(move |one| Some(format!("DROP INDEX {}", name(one)?)))
}

fn write(root: &Path, path: &str, text: &str) -> Result<(), RunError> {
    let file = fs::OpenOptions::new().write(true).create_new(true).open(root.join(path));
    file.and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
        .map_err(|source| RunError::Unwritten { path: path.to_owned(), source })
}

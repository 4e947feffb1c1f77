//! The next migration of a database, in the manner of the last one: its number, its ending, its marks. Nothing is written over.

use crate::{
    extract,
    migration::{self, Runs},
    report::advice::Index,
    run::{Outcome, RunError},
    suppression,
};
use std::{fs, io, path::Path};

/// Writes the indexes as the next file of the database's migrations, and says so in a line; or says where they are to go.
///
/// # Errors
/// The file can't be written.
pub(super) fn migration(
    outcome: &Outcome,
    root: &Path,
    database: usize,
    indexes: &[Index],
) -> Result<String, RunError> {
    let Some(last) = last(outcome, database) else {
        let why =
            "the schema is not made by numbered files: the statements above have to go where it is made";
        return Ok(format!("not written: {why}"));
    };
    let Some(next) = next(&last, root) else {
        return Ok(format!("not written: the name of the file that follows {} can't be told", last.name));
    };
    let up = text(indexes.iter().flat_map(|index| index.replaced.iter().chain([&index.sql])));
    let taken_back =
        indexes.iter().flat_map(|index| dropped(&index.sql).into_iter().chain(index.restored.clone()));
    let down = text(taken_back.collect::<Vec<_>>().iter());
    let content = match migration::parts(&last.text) {
        Some((forward, back)) => format!("{forward}\n{up}\n{back}\n{down}"),
        None => up,
    };
    let mut written = vec![write(root, &last.folder, &next, &content)?];
    if let Some(stem) = next.strip_suffix(".up.sql") {
        written.push(write(root, &last.folder, &format!("{stem}.down.sql"), &down)?);
    }
    Ok(format!("written: {}", written.join(", ")))
}

/// The last file of a database's migrations.
struct Last {
    folder: String,
    name: String,
    text: String,
}

fn last(outcome: &Outcome, database: usize) -> Option<Last> {
    let declaration = &outcome.analysis.databases.get(database)?.declaration;
    let step = declaration.steps.iter().rfind(|step| step.runs == Runs::Migration)?;
    let literal = outcome.analysis.extraction.literals.get(step.literal)?;
    let source = outcome.sources.get(literal.site.source)?;
    let (folder, name) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    let is_numbered = extract::is_sql(name) && number(name).is_some();
    is_numbered.then(|| Last { folder: folder.to_owned(), name: name.to_owned(), text: source.text.clone() })
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
    let taken = names.filter_map(|name| number(&name)?.1.parse::<u64>().ok());
    let number = if digits.len() == 14 {
        timestamp()
    } else {
        format!("{:0width$}", taken.max()?.checked_add(1)?, width = digits.len())
    };
    let separator: String = rest.chars().take_while(|one| !one.is_alphanumeric()).collect();
    let words = if separator.contains(' ') { "add indexes" } else { "add_indexes" };
    let ending = if last.name.ends_with(".up.sql") { ".up.sql" } else { ".sql" };
    Some(format!("{head}{number}{separator}{words}{ending}"))
}

/// This moment as `YYYYMMDDHHMMSS`, in UTC.
fn timestamp() -> String {
    let (day, time) = (suppression::today().replace('-', ""), suppression::now() % 86_400);
    format!("{day}{:02}{:02}{:02}", time / 3_600, time / 60 % 60, time % 60)
}

/// A line for each statement.
fn text<'a>(statements: impl Iterator<Item = &'a String>) -> String {
    statements.flat_map(|sql| [sql.as_str(), ";\n"]).collect()
}

/// The DROP INDEX that takes each CREATE INDEX of a text back.
fn dropped(sql: &str) -> Vec<String> {
    let name = |one: &str| one.strip_prefix("CREATE INDEX ")?.split(" ON ").next().map(str::to_owned);
    sql.split("; ").filter_map(name).map(|name| format!("DROP INDEX {name}")).collect()
}

fn write(root: &Path, folder: &str, name: &str, text: &str) -> Result<String, RunError> {
    let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let file = fs::OpenOptions::new().write(true).create_new(true).open(root.join(&path));
    file.and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
        .map_err(|source| RunError::Unwritten { path: path.clone(), source })?;
    Ok(path)
}

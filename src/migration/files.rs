//! Folders of .sql files: which of them are migrations, in which order, and which part of a file leads forward.
//! Knows the habits of migration tools; knows no schema.

use super::{Declaration, Origin, Runs, Step, created, file_number, mentions, natural};
use crate::{
    extract::{Extraction, Literal, Role, sql::skip_leading, text::Text},
    source::Sources,
};
use std::collections::{BTreeMap, BTreeSet};

/// A file of SQL, and its path.
struct File<'a> {
    literal: usize,
    path: &'a str,
    text: &'a Text,
}

/// The databases that folders of .sql files declare.
pub(super) fn declarations(sources: &Sources, extraction: &Extraction) -> Vec<Declaration> {
    let mut folders: BTreeMap<&str, Vec<File<'_>>> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
        let (Some(text), path) = (literal.variants.first(), sources.path(literal.site.source)) else {
            continue;
        };
        if is_schema_file(literal, path) {
            folders.entry(series(path)).or_default().push(File { literal: index, path, text });
        }
    }
    let mut found: Vec<(&str, bool, Declaration)> = Vec::new();
    for (folder, mut files) in folders {
        drop_undoing(&mut files, |file| file.path);
        let is_series = files.iter().filter(|file| number(file.path).is_some()).count() >= 2;
        found.extend(declaration(extraction, folder, files).map(|one| (folder, is_series, one)));
    }
    join_snapshots(&mut found);
    found.into_iter().map(|(.., one)| one).collect()
}

/// Makes what stands in the folder above a series, or beside it, and creates the tables that it changes, what creates a new one.
fn join_snapshots(found: &mut Vec<(&str, bool, Declaration)>) {
    let above = |folder: &str| folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
    for index in (0..found.len()).rev() {
        let Some((folder, false, snapshot)) = found.get(index) else { continue };
        let own = created(&snapshot.steps);
        let is_its = |(other, is_series, series): &(&str, bool, Declaration)| {
            let is_near = above(other) == *folder || (above(other) == above(folder) && !folder.is_empty());
            let touched: BTreeSet<String> = series.steps.iter().flat_map(touched).collect();
            let shared = touched.intersection(&own).count();
            *is_series && is_near && series.create.is_empty() && shared > 0 && shared * 2 >= touched.len()
        };
        let Some(at) = found.iter().position(is_its) else { continue };
        let (.., snapshot) = found.remove(index);
        let at = if at > index { at - 1 } else { at };
        if let Some((.., series)) = found.get_mut(at) {
            series.create = snapshot.steps.into_iter().map(as_snapshot).collect();
            series.homes.extend(snapshot.homes);
            series.places.extend(snapshot.places);
        }
    }
}

/// The tables that a step creates, changes or fills.
fn touched(step: &Step) -> Vec<String> {
    let found = mentions(step.text.as_str());
    found.created.into_iter().chain(found.used).collect()
}

/// What may run again is there to be run again, behind the migrations too.
fn as_snapshot(step: Step) -> Step {
    let runs = if mentions(step.text.as_str()).creates_once { Runs::Create } else { Runs::Open };
    Step { runs, ..step }
}

fn is_schema_file(literal: &Literal, path: &str) -> bool {
    literal.language.is_sql && literal.role != Role::Test && !is_backward(path) && !is_foreign(path)
}

/// The folder of a series of migrations. Tools that give each migration a folder of its own share the one above.
pub(super) fn series(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_version = file_number(file).is_some() && folder_version(folder).is_some();
    if matches!(file, "up.sql" | "migration.sql") || is_version {
        folder.rsplit_once('/').map_or("", |(above, _)| above)
    } else {
        folder
    }
}

/// The version that a folder is named after: `0.17`, with room behind it for the number of a file.
fn folder_version(folder: &str) -> Option<u64> {
    let name = folder.rsplit('/').next().filter(|name| name.contains('.'))?;
    let parts: Option<Vec<u64>> =
        name.trim_start_matches('v').split('.').map(|part| part.parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() <= 3 && parts.iter().all(|part| *part < 1000))?;
    let three = parts.into_iter().chain(std::iter::repeat(0)).take(3);
    Some(three.fold(0, |version, part| version * 1000 + part) * 1000)
}

/// The words by which files and folders are named that lead back to an older version.
pub(super) const BACKWARD: [&str; 5] = ["down", "rollback", "revert", "undo", "downgrade"];

/// Files that lead back to an older version.
pub(super) fn is_backward(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let last = folder.rsplit('/').next().unwrap_or("");
    let stem = file.strip_suffix(".sql").unwrap_or(file);
    let ends = BACKWARD.iter().filter(|end| **end != "downgrade");
    ends.into_iter()
        .any(|end| stem == *end || stem.ends_with(&format!(".{end}")) || stem.ends_with(&format!("_{end}")))
        || BACKWARD.contains(&last)
}

/// Drops the files `U2__x.sql` beside which there is one `V2__y.sql`: they undo it. Alone they are steps like others.
pub(super) fn drop_undoing<T>(files: &mut Vec<T>, path: impl Fn(&T) -> &str) {
    let version = |file: &T| prefixed(path(file), 'V').map(str::to_owned);
    let versions: BTreeSet<String> = files.iter().filter_map(version).collect();
    files.retain(|file| !prefixed(path(file), 'U').is_some_and(|version| versions.contains(version)));
}

/// The version of a file whose name is this letter, a version and two underscores in front of a description.
pub(super) fn prefixed(path: &str, letter: char) -> Option<&str> {
    let file = path.rsplit('/').next()?;
    let version = file.strip_prefix(letter)?.split_once("__")?.0;
    version.starts_with(|first: char| first.is_ascii_digit()).then_some(version)
}

/// Files written for another database.
fn is_foreign(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split(['/', '.', '_', '-']);
    parts.any(|part| {
        matches!(
            part,
            "postgres"
                | "postgresql"
                | "pg"
                | "pgsql"
                | "mysql"
                | "mariadb"
                | "mssql"
                | "oracle"
                | "clickhouse"
        )
    })
}

fn declaration(extraction: &Extraction, folder: &str, mut files: Vec<File<'_>>) -> Option<Declaration> {
    files.sort_by(|a, b| natural(a.path, b.path));
    let has_ddl = |file: &File<'_>| mentions(file.text.as_str()).has_ddl;
    let numbered = files.iter().filter(|file| number(file.path).is_some()).count();
    let is_series = numbered >= 2 && numbered * 2 > files.len();
    let mut snapshots = Vec::new();
    if is_series {
        if !files.iter().any(|file| number(file.path).is_some() && has_ddl(file)) {
            return None;
        }
        let is_snapshot =
            |file: &File<'_>| number(file.path).is_none() && !mentions(file.text.as_str()).created.is_empty();
        (snapshots, files) = files.into_iter().partition(is_snapshot);
        files.retain(|file| number(file.path).is_some());
    } else {
        files.retain(has_ddl);
    }
    let homes = files
        .iter()
        .chain(&snapshots)
        .filter_map(|file| extraction.literals.get(file.literal))
        .map(|literal| literal.site.source);
    let homes: Vec<_> = homes.collect();
    let place =
        if is_series || files.len() > 1 { format!("{folder}/*.sql") } else { files.first()?.path.to_owned() };
    let steps = files.iter().map(|file| step(file.literal, file.path, file.text, is_series)).collect();
    let create =
        snapshots.iter().map(|file| as_snapshot(step(file.literal, file.path, file.text, false))).collect();
    Some(Declaration {
        name: folder_name(folder),
        origin: Origin::Guessed,
        places: vec![place.trim_start_matches('/').to_owned()],
        homes,
        steps,
        create,
        config: None,
        guesses: Vec::new(),
        is_complete: true,
        computed: Vec::new(),
    })
}

/// A step of a file.
pub(super) fn step(literal: usize, path: &str, text: &Text, is_ordered: bool) -> Step {
    let all = text.as_str();
    let (end, behind) = forward_end(all);
    let down = Some(text.part(behind, all.len())).filter(|down| !skip_leading(down.as_str()).is_empty());
    let text = if end < all.len() { text.part(0, end) } else { text.clone() };
    Step { down, is_ordered, ..Step::new(literal, text, path, number(path)) }
}

/// The number of a migration, in front of its file's name or of its folder's.
fn number(path: &str) -> Option<u64> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    if let (Some(version), Some(number)) = (folder_version(folder), file_number(file)) {
        return version.checked_add(number)?.checked_add(1);
    }
    numbered_part(path).and_then(file_number)
}

/// The part of a path in front of which the number of a migration stands.
pub(super) fn numbered_part(path: &str) -> Option<&str> {
    let mut parts = path.rsplit('/');
    let file = parts.next()?;
    if matches!(file, "up.sql" | "migration.sql") { parts.next() } else { Some(file) }
}

/// Where the part of a file that leads forward ends, and where behind the mark that one begins which leads back.
fn forward_end(text: &str) -> (usize, usize) {
    const MARKS: [&str; 4] = ["+goose down", "migrate:down", "+migrate down", "rollback"];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(comment) = line.trim_start().strip_prefix("--") {
            let comment = comment.trim().to_ascii_lowercase();
            let down = MARKS
                .iter()
                .any(|mark| comment == *mark || (*mark != "rollback" && comment.starts_with(mark)));
            if down || line.starts_with("---- create above / drop below") {
                return (at, at + line.len());
            }
        }
        at += line.len();
    }
    (text.len(), text.len())
}

/// What a folder of migrations calls its database: the nearest part of the path that is not just a habit.
fn folder_name(folder: &str) -> String {
    const HABITS: [&str; 16] = [
        "migrations",
        "migration",
        "sql",
        "db",
        "database",
        "schema",
        "schemas",
        "src",
        "sqlite",
        "sqlite3",
        "up",
        "migrate",
        "resources",
        "scripts",
        "internal",
        "lib",
    ];
    let named = folder.rsplit('/').find(|part| !part.is_empty() && !HABITS.contains(part));
    named.unwrap_or("main").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_is_cut_off() {
        let text = "-- +goose Up\nCREATE TABLE a(b);\n-- +goose Down\nDROP TABLE a;\n";
        let (end, behind) = forward_end(text);
        assert_eq!(text.get(..end).unwrap(), "-- +goose Up\nCREATE TABLE a(b);\n");
        assert_eq!(text.get(behind..).unwrap(), "DROP TABLE a;\n");
        assert_eq!(prefixed("db/V1.2__x.sql", 'V'), Some("1.2"));
        assert_eq!(prefixed("db/V_x__y.sql", 'V'), None);
        assert!(
            is_backward("db/2_x.down.sql")
                && is_backward("m/1/down.sql")
                && !is_backward("m/1_slow_down_x.sql")
        );
        assert!(is_foreign("migrations/postgres/1.sql") && !is_foreign("migrations/sqlite/1.sql"));
        assert_eq!(series("m/2024_x/up.sql"), "m");
        assert_eq!(folder_name("crates/wallet/migrations/sqlite"), "wallet");
    }
}

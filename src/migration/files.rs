//! Folders of .sql files: which of them are migrations, in which order, and which part of a file leads forward.
//! Knows the habits of migration tools; knows no schema.

use super::{Declaration, Origin, Step, file_number, mentions, natural};
use crate::{
    extract::{Extraction, Literal, Role, text::Text},
    source::Sources,
};
use std::collections::BTreeMap;

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
    folders
        .into_iter()
        .filter_map(|(folder, files)| declaration(sources, extraction, folder, files))
        .collect()
}

fn is_schema_file(literal: &Literal, path: &str) -> bool {
    literal.language.is_sql && literal.role != Role::Test && !is_backward(path) && !is_foreign(path)
}

/// The folder of a series of migrations. Tools that give each migration a folder of its own share the one above.
fn series(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    if matches!(file, "up.sql" | "migration.sql") {
        folder.rsplit_once('/').map_or("", |(above, _)| above)
    } else {
        folder
    }
}

/// Files that lead back to an older version.
fn is_backward(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let last = folder.rsplit('/').next().unwrap_or("");
    let stem = file.strip_suffix(".sql").unwrap_or(file);
    let ends = ["down", "rollback", "revert", "undo"];
    ends.iter()
        .any(|end| stem == *end || stem.ends_with(&format!(".{end}")) || stem.ends_with(&format!("_{end}")))
        || ends.contains(&last)
        || last == "downgrade"
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

fn declaration(
    sources: &Sources,
    extraction: &Extraction,
    folder: &str,
    mut files: Vec<File<'_>>,
) -> Option<Declaration> {
    files.sort_by(|a, b| natural(a.path, b.path));
    let has_ddl = |file: &File<'_>| mentions(file.text.as_str()).has_ddl;
    let numbered = files.iter().filter(|file| number(file.path).is_some()).count();
    let is_series = numbered >= 2 && numbered * 2 > files.len();
    if is_series {
        files.retain(|file| number(file.path).is_some());
        if !files.iter().any(has_ddl) {
            return None;
        }
    } else {
        files.retain(has_ddl);
    }
    let homes = files
        .iter()
        .filter_map(|file| extraction.literals.get(file.literal))
        .map(|literal| literal.site.source);
    let homes: Vec<_> = homes.collect();
    let place =
        if is_series || files.len() > 1 { format!("{folder}/*.sql") } else { files.first()?.path.to_owned() };
    let steps = files.iter().map(|file| step(file.literal, file.path, file.text, is_series)).collect();
    let _ = sources;
    Some(Declaration {
        name: folder_name(folder),
        origin: Origin::Guessed,
        places: vec![place.trim_start_matches('/').to_owned()],
        homes,
        steps,
        config: None,
        is_complete: true,
    })
}

/// A step of a file.
pub(super) fn step(literal: usize, path: &str, text: &Text, is_ordered: bool) -> Step {
    let end = forward_end(text.as_str());
    let text = if end < text.as_str().len() { text.part(0, end) } else { text.clone() };
    Step { is_ordered, ..Step::new(literal, text, path, number(path)) }
}

/// The number of a migration, in front of its file's name or of its folder's.
fn number(path: &str) -> Option<u64> {
    let mut parts = path.rsplit('/');
    let file = parts.next()?;
    if matches!(file, "up.sql" | "migration.sql") { file_number(parts.next()?) } else { file_number(file) }
}

/// Where the part of a file that leads back begins, by the marks of the usual tools.
fn forward_end(text: &str) -> usize {
    const MARKS: [&str; 4] = ["+goose down", "migrate:down", "+migrate down", "rollback"];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(comment) = line.trim_start().strip_prefix("--") {
            let comment = comment.trim().to_ascii_lowercase();
            let down = MARKS
                .iter()
                .any(|mark| comment == *mark || (*mark != "rollback" && comment.starts_with(mark)));
            if down || line.starts_with("---- create above / drop below") {
                return at;
            }
        }
        at += line.len();
    }
    text.len()
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
        assert_eq!(text.get(..forward_end(text)).unwrap(), "-- +goose Up\nCREATE TABLE a(b);\n");
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

//! What opens the databases of a program, by words of its code, and whether that enforces foreign keys by itself. Knows libraries by
//! name, and nothing of what a program sets.

use crate::{
    extract::{self, sql::contains_word},
    migration::built_in,
    source::{Site, Source, SourceId, Sources, Words},
};
use rayon::prelude::*;

/// A library that opens databases: its name, words of code that uses it, and whether it enforces foreign keys by itself.
struct Library(&'static str, Words<'static>, Enforces);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Enforces {
    Always,
    /// Once its migrations have run.
    Opened,
    /// Where it is built with its own SQLite.
    IfBundled,
    Never,
}

/// The libraries, those first whose words hold those of others. One that is unknown counts as one that does not enforce them.
static LIBRARIES: [Library; 7] = [
    Library("Room", Words::new(&["androidx.room", "android.arch.persistence.room"]), Enforces::Opened),
    Library(
        "sqlx",
        Words::new(&["SqliteConnectOptions", "SqlitePool", "sqlx::sqlite", "sqlx::Sqlite"]),
        Enforces::Always,
    ),
    Library("rusqlite", Words::new(&["rusqlite::", "use rusqlite"]), Enforces::IfBundled),
    Library("diesel", Words::new(&["diesel::"]), Enforces::IfBundled),
    Library("go-sqlite3", Words::new(&["go-sqlite3\""]), Enforces::Never),
    Library("sqlite", Words::new(&["/sqlite\"", "/sqlitex\""]), Enforces::Never),
    Library(
        "sqlite3",
        Words::new(&["import sqlite3", "from sqlite3", "aiosqlite", "import apsw"]),
        Enforces::Never,
    ),
];

/// Calls that open a database, whatever a program sets.
pub(super) static OPENS: Words<'_> = Words::new(&[
    "sql.Open(",
    "sqlx.Open(",
    "sqlx.Connect(",
    "Connection::open",
    "sqlite3.connect(",
    "sqlite3_open",
]);

/// Names of flags that keep foreign keys off, but for their first letter, which may be large or small.
static FLAGS: Words<'_> = Words::new(&[
    "isableForeignKeys",
    "isable_foreign_keys",
    "oForeignKeys",
    "o_foreign_keys",
    "ithoutForeignKeys",
    "ithout_foreign_keys",
    "kipForeignKeys",
    "kip_foreign_keys",
]);

/// Where such a flag is set: `const disableForeignKeys = true`.
pub(super) fn flags(text: &str) -> Vec<usize> {
    let is_flag = |name: &str, at: usize| {
        let first = match name.as_bytes().first() {
            Some(b'i') if name.starts_with("is") => 'd',
            Some(b'o') => 'n',
            Some(b'i') => 'w',
            _ => 's',
        };
        let mut before = text.get(..at).unwrap_or("").chars().rev();
        let is_first = before.next().is_some_and(|one| one.eq_ignore_ascii_case(&first));
        is_first && !before.next().is_some_and(|one| one.is_alphanumeric() || one == '_')
    };
    let is_set = |name: &str, at: usize| {
        let behind = text.get(at + name.len()..).unwrap_or("").trim_start();
        let value = [":=", "=", ":"].iter().find_map(|sign| behind.strip_prefix(sign));
        let word = value.and_then(|value| value.trim_start().get(..4));
        word.is_some_and(|word| word.eq_ignore_ascii_case("true"))
    };
    FLAGS.all(text).filter(|(name, at)| is_flag(name, *at) && is_set(name, *at)).map(|(_, at)| at).collect()
}

/// Whether a file runs where the program is built, which says nothing of how that connects.
pub(super) fn is_of_build(path: &str) -> bool {
    path.rsplit('/').next() == Some("build.rs")
}

/// Whether a text has the name of a file, or of its folder, as what imports it does.
pub(super) fn names_file(text: &str, path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let file = parts.next().and_then(|file| file.split('.').next());
    file.into_iter()
        .chain(parts.next())
        .any(|name| contains_word(text, name) || (name.contains(['-', '.']) && text.contains(name)))
}

/// A file that opens databases, or may: where that is told, by which library, and whether that enforces foreign keys.
pub(super) struct Opener {
    pub source: SourceId,
    pub site: Site,
    pub name: &'static str,
    pub enforces: bool,
    /// Whether migrations run before it does.
    pub migrates_without: bool,
}

/// What opens databases in a tree.
pub(super) fn openers(sources: &Sources) -> Vec<Opener> {
    let bundled = built_in(sources, "Cargo.toml");
    let of = |(id, source): (SourceId, &Source)| {
        let path = source.path.as_str();
        if !extract::is_wanted(path) || extract::is_sql(path) || extract::is_test_code(path) {
            return None;
        }
        let library =
            |text: &str| LIBRARIES.iter().find_map(|library| Some((library, library.1.first(text)?)));
        let (Library(name, _, kind), at) = source.peek(library)?;
        let here = Site::at(id, at);
        let (site, enforces) = match kind {
            Enforces::Always | Enforces::Opened => (here, true),
            Enforces::IfBundled => (bundled.unwrap_or(here), bundled.is_some()),
            Enforces::Never => (here, false),
        };
        let migrates_without = matches!(kind, Enforces::Opened);
        Some(Opener { source: id, site, name, enforces, migrates_without })
    };
    let mut all: Vec<Opener> = sources.par_iter().filter_map(of).collect();
    let node = built_in(sources, "package.json");
    let better = |site: Site| {
        let (name, source) = ("better-sqlite3", site.source);
        Opener { source, site, name, enforces: true, migrates_without: false }
    };
    all.extend(node.map(better));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_keeps_foreign_keys_off_where_it_is_set() {
        assert_eq!(flags("const disableForeignKeys = true").len(), 1);
        assert_eq!(flags("open(Options { without_foreign_keys: true })").len(), 1);
        assert!(flags("if !noForeignKeys {\n  disableForeignKeys = false").is_empty());
        assert!(flags("auto_foreign_keys = true; doForeignKeys = true").is_empty());
    }
}

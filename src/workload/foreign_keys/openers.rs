//! What opens the databases of a program, by words of its code, and whether that enforces foreign keys by itself. Knows libraries by
//! name, and nothing of what a program sets.

use crate::{
    extract,
    migration::built_in,
    source::{Site, Source, SourceId, Sources, Words},
};
use rayon::prelude::*;

/// A library that opens databases: its name, words of code that uses it, and whether it enforces foreign keys by itself.
struct Library(&'static str, Words<'static>, Enforces);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Enforces {
    Always,
    /// Where it is built with its own SQLite.
    IfBundled,
    Never,
}

/// The libraries, those first whose words hold those of others. One that is unknown counts as one that does not enforce them.
static LIBRARIES: [Library; 6] = [
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
static OPENS: Words<'_> = Words::new(&[
    "sql.Open(",
    "sqlx.Open(",
    "sqlx.Connect(",
    "Connection::open",
    "sqlite3.connect(",
    "sqlite3_open",
]);

/// A text that opens databases, and where.
pub(super) struct Opening<'t> {
    text: &'t str,
    places: Vec<std::ops::Range<usize>>,
}

impl<'t> Opening<'t> {
    /// `None` where nothing opens one.
    pub fn of(text: &'t str) -> Option<Self> {
        let places: Vec<_> = OPENS.all(text).map(|(word, at)| at..at + word.len()).collect();
        (!places.is_empty()).then_some(Self { text, places })
    }

    /// Whether it calls a function of this name, and not only what opens a database.
    pub fn calls(&self, name: &str) -> bool {
        let is_call = |at: usize| {
            let (before, behind) = (self.text.get(..at).unwrap_or(""), self.text.get(at + name.len()..));
            let is_whole = !before.ends_with(|one: char| one.is_alphanumeric() || one == '_');
            let opens = self.places.iter().any(|place| place.contains(&at));
            is_whole && !opens && behind.is_some_and(|behind| behind.starts_with('('))
        };
        !name.is_empty() && Words::new(&[name]).all(self.text).any(|(_, at)| is_call(at))
    }
}

/// A file that opens databases, or may: where that is told, by which library, and whether that enforces foreign keys.
pub(super) struct Opener {
    pub source: SourceId,
    pub site: Site,
    pub name: &'static str,
    pub enforces: bool,
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
        let (Library(name, _, enforces), at) = source.peek(library)?;
        let here = Site::at(id, at);
        let (site, enforces) = match enforces {
            Enforces::Always => (here, true),
            Enforces::IfBundled => (bundled.unwrap_or(here), bundled.is_some()),
            Enforces::Never => (here, false),
        };
        Some(Opener { source: id, site, name, enforces })
    };
    let mut all: Vec<Opener> = sources.par_iter().filter_map(of).collect();
    let node = built_in(sources, "package.json");
    all.extend(node.map(|site| Opener { source: site.source, site, name: "better-sqlite3", enforces: true }));
    all
}

//! What of a program speaks to servers and not to SQLite: packages that are built with drivers of servers alone, and files and
//! functions with such connections and no other. Knows names; what SQLite compiles all the same is not asked here.

use super::{engines::of_system, guards::Guards, manifests};
use crate::{
    extract::{Element, Extraction, Function, Literal, comments::is_in_code, is_sql, is_test_code},
    source::{Site, Source, SourceId, Sources, Words, folder_of, folders_above},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What stands somewhere in the code of a package that has a SQLite: of its libraries, or of the platform.
static OF_SQLITE: Words<'_> = Words::new(&[
    "sqlite",
    "SQLite",
    "Sqlite",
    "SQLITE",
    "PRAGMA ",
    "D1Database",
    "libsql",
    "LibSql",
    "sqflite",
    "GRDB",
    "apsw",
    "storage.sql",
]);

/// What connections to servers are called, by libraries that have another name for those to SQLite.
static CONNECTIONS: Words<'_> = Words::new(&[
    "PgPool",
    "PgConnection",
    "PgTransaction",
    "PgExecutor",
    "Pool<Postgres>",
    "MySqlPool",
    "MySqlConnection",
    "pgxpool.Pool",
    "pgx.Conn",
    "pgx.Tx",
    "NpgsqlConnection",
    "new SqlConnection(",
    "asyncpg.",
    "psycopg2.connect",
    "psycopg.connect",
]);

/// What stands in each of these, so that most files are looked through for less.
static HINTS: Words<'_> = Words::new(&["Pg", "pg", "MySql", "Postgres>", "psycopg"]);

/// How much of a function is looked at for what it is handed, in bytes.
const HEAD: usize = 600;

/// What of a program speaks to servers alone.
pub struct Servers<'a> {
    sources: &'a Sources,
    extraction: &'a Extraction,
    /// The folders of packages, and whether each has nothing of SQLite.
    packages: BTreeMap<&'a str, bool>,
    /// The files that name connections to servers, and nothing of SQLite.
    files: BTreeSet<SourceId>,
    guards: Guards<'a>,
    /// The texts of constants that are named for another system: `findUnfinishedMysql`.
    named: BTreeSet<Site>,
}

impl<'a> Servers<'a> {
    /// Looks at the manifests of a tree and, where these name servers alone, at the code beside them.
    pub fn find(sources: &'a Sources, extraction: &'a Extraction) -> Self {
        let paths = sources.others.iter().chain(sources.iter().map(|(_, source)| &source.path));
        let mut packages: BTreeMap<&str, bool> =
            paths.filter(|path| manifests::is_one(path)).map(|path| (folder_of(path), false)).collect();
        let mut all: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
        for (_, source) in sources.iter().filter(|(_, source)| manifests::is_one(&source.path)) {
            all.entry(folder_of(&source.path)).or_default().push(source);
        }
        for (folder, manifests) in &all {
            let is_server = |one: &&Source| {
                let others = folders_above(folder).filter_map(|other| all.get(other)).flatten();
                let others = others.filter(|other| is_alike(other, one));
                manifests::has_servers_alone(&one.path, one.text(), others.map(|other| other.text()))
            };
            if manifests.iter().any(is_server) {
                packages.insert(*folder, true);
            }
        }
        if packages.values().any(|is_server| *is_server) {
            let speaking = |source: &'a Source| {
                let own = package(&packages, &source.path).filter(|(_, is_server)| *is_server)?.0;
                (!is_test_code(&source.path) && says(source, &OF_SQLITE)).then_some(own)
            };
            let speaking: BTreeSet<&str> = sources.as_slice().par_iter().filter_map(speaking).collect();
            for folder in speaking {
                packages.insert(folder, false);
            }
        }
        let holders: BTreeSet<SourceId> = extraction.literals.iter().map(|one| one.site.source).collect();
        let is_server = |id: &SourceId| {
            let source = sources.get(*id).filter(|source| !is_sql(&source.path));
            source.is_some_and(|source| {
                source.has_any(&HINTS) && says(source, &CONNECTIONS) && !says(source, &OF_SQLITE)
            })
        };
        let guards = Guards::new(sources, holders.iter().copied());
        let files = holders.into_par_iter().filter(is_server).collect();
        let named = extraction.constants.iter().filter(|one| of_system(&one.name) == Some(true));
        let texts = named.flat_map(|one| &one.elements).filter_map(|element| match element {
            Element::Literal(index) => extraction.literals.get(*index).map(|literal| literal.site),
            _ => None,
        });
        Self { sources, extraction, packages, files, guards, named: texts.collect() }
    }

    /// The same, but for the packages of these files, of which more is known.
    #[must_use]
    pub fn but_for(mut self, homes: impl Iterator<Item = SourceId>) -> Self {
        for home in homes {
            let own = package(&self.packages, self.sources.path(home)).map(|(folder, _)| folder);
            self.packages.extend(own.map(|folder| (folder, false)));
        }
        self
    }

    /// Whether two files belong to one package, or one of their packages lies in the other.
    pub fn are_near(&self, one: &str, other: &str) -> bool {
        let of = |path| package(&self.packages, path).map_or("", |(folder, _)| folder);
        let (one, other) = (of(one), of(other));
        one == other || is_in(one, other) || is_in(other, one)
    }

    /// Whether a file belongs to a package that speaks to servers alone.
    pub fn has(&self, path: &str) -> bool {
        package(&self.packages, path).is_some_and(|(_, is_server)| is_server)
    }

    /// Whether a text is run by what speaks to a server: its package does; its file, its constant, its function or the type
    /// that this is a method of, by their names; the function, by what it is handed; or the code around asks for which engine it is.
    pub fn run(&self, literal: &Literal) -> bool {
        let all = &self.extraction.functions;
        let own = literal.function.and_then(|one| all.get(one as usize));
        let holds = |one: &&Function| {
            let (place, site) = (literal.site, one.site);
            place.source == site.source && (site.start..site.end).contains(&place.start)
        };
        // What one function prepares for another to run is of the first.
        let maker = || all.iter().filter(holds).max_by_key(|one| one.site.start);
        let function = own.filter(holds).or_else(|| own.and_then(|_| maker()).or(own));
        let is_server = || {
            let Some(function) = function else { return false };
            let code = self.sources.get(function.site.source);
            let end = function.site.end.min(function.site.start + HEAD as u32);
            let receiver = |code: &Source| of_receiver(code.text(), function.site.start) == Some(true);
            of_system(&function.name) == Some(true)
                || code.is_some_and(receiver)
                || code.is_some_and(|code| takes_server(head(code.text(), function.site.start, end)))
        };
        let home = literal.site.source;
        let is_asked = || !literal.language.is_sql && self.guards.are_for_another(home, literal.site.start);
        self.files.contains(&home)
            || self.has(self.sources.path(home))
            || self.named.contains(&literal.site)
            || is_server()
            || is_asked()
    }
}

/// Which system the type is named after that a method of Go is written for: `func (s *postgresStore) Page`.
fn of_receiver(code: &str, name: u32) -> Option<bool> {
    let before = code.get(..name as usize)?;
    let (_, receiver) = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?.rsplit_once("func (")?;
    // `migratorFromMysql` reads of one what it puts into another.
    let name =
        receiver.split_once(')')?.0.split(['*', ' ']).next_back().filter(|name| !name.contains("From"))?;
    of_system(name)
}

/// The package that a path belongs to: the nearest folder above that has a manifest.
fn package<'a>(packages: &BTreeMap<&'a str, bool>, path: &str) -> Option<(&'a str, bool)> {
    let found = folders_above(path).find_map(|folder| packages.get_key_value(folder));
    found.map(|(own, is_server)| (*own, *is_server))
}

/// Whether one of these words stands in the code of a file: a comment speaks of what it likes.
fn says(source: &Source, words: &Words<'_>) -> bool {
    source.peek(|text| is_in_code(&source.path, text, words))
}

fn is_in(folder: &str, other: &str) -> bool {
    other.is_empty() || folder.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether two manifests have the same name.
fn is_alike(one: &Source, other: &Source) -> bool {
    one.path.rsplit('/').next() == other.path.rsplit('/').next()
}

/// What stands in front of the body of a function.
fn head(code: &str, start: u32, end: u32) -> &str {
    let (start, mut end) = (start as usize, end as usize);
    while !code.is_char_boundary(end) && end > start {
        end -= 1;
    }
    let text = code.get(start..end).unwrap_or("");
    let body = ["{", ":\n", "=>"].iter().filter_map(|sign| text.find(sign)).min();
    text.get(..body.unwrap_or(text.len())).unwrap_or(text)
}

/// Whether the head of a function names a type of a server's driver, and none of SQLite's.
fn takes_server(head: &str) -> bool {
    let words = || head.split(|one: char| !one.is_alphanumeric() && one != '_');
    let is_type = |word: &&str| word.starts_with(|first: char| first.is_ascii_uppercase());
    words().filter(is_type).any(|word| of_system(word) == Some(true))
        && !words().any(|word| of_system(word) == Some(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_that_a_function_is_handed_say_whom_it_speaks_to() {
        let server = |code: &str| takes_server(head(code, 0, code.len() as u32));
        assert!(server("init(tx: &mut PgTransaction<'_>) -> Result<()> {"));
        assert!(server("put(pool: &Pool<Postgres>) {") && server("put(c: &mut MySqlConnection) {"));
        assert!(!server("copy(from: &PgPool, to: &SqlitePool) {"));
        assert!(!server("put(db: &Connection) { let pool = PgPool::new(); }"));
        assert!(!server("page(pg: u32, PGP: &Key) {"));
    }

    #[test]
    fn the_nearest_manifest_says_which_package_a_file_is_of() {
        let packages = BTreeMap::from([("", true), ("app", false), ("app/core", true)]);
        let of = |path| package(&packages, path).map(|(folder, _)| folder);
        assert_eq!(of("app/core/src/a.rs"), Some("app/core"));
        assert_eq!((of("app/src/a.rs"), of("src/a.rs")), (Some("app"), Some("")));
        assert_eq!(package(&BTreeMap::new(), "a/b.rs"), None);
    }
}

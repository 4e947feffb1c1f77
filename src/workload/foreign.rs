//! Texts for other database systems, by the words that no SQLite has. What they stand in is not asked here. Knows words
//! alone; what compiles is SQLite's, unless its place says otherwise.

use super::Database;
use crate::{
    extract::Literal,
    migration::{is_of_another, of_system},
    schema::tokens::{Kind, Token, Tokens},
    source::Sources,
};
use std::{cell::OnceCell, collections::BTreeSet};

/// Whether a text is written for another database system, by words of its own.
pub(super) fn is_foreign(sql: &str) -> bool {
    const MARKS: [&str; 17] = [
        "for update",
        "= any(?",
        "= any($",
        "= any(:",
        "<> all(?",
        "<> all($",
        "<> all(:",
        "::text",
        "::int",
        "::bytea",
        "::json",
        "::uuid",
        "on duplicate key",
        "auto_increment",
        "pg_catalog",
        "information_schema",
        "serial primary key",
    ];
    let lower = sql.to_ascii_lowercase();
    // `UPDATE a JOIN b … SET`, as MySQL has it.
    let joins = lower.split_once(" set ").is_some_and(|(head, _)| head.contains(" join "));
    changes_within(sql, &lower)
        || (joins && lower.trim_start().starts_with("update"))
        || MARKS.iter().any(|mark| lower.contains(mark))
        || is_of_another(sql)
}

/// Whether a query within another changes rows, as only other systems have it: `WITH a AS (UPDATE … RETURNING …)`.
fn changes_within(sql: &str, lower: &str) -> bool {
    if !lower.contains("with") || !["update", "insert", "delete"].iter().any(|verb| lower.contains(verb)) {
        return false;
    }
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let is_change = |one: &Token<'_>| ["UPDATE", "INSERT", "DELETE"].iter().any(|verb| one.is(verb));
    let leads = |one: &Token<'_>| one.is("AS") || one.is("MATERIALIZED");
    let is_within = |three: &[Token<'_>]| matches!(three, [before, open, verb] if leads(before) && open.is_sign('(') && is_change(verb));
    tokens.first().is_some_and(|first| first.is("WITH")) && tokens.windows(3).any(is_within)
}

/// Functions of other systems that are no words of SQL, so that a program may have one of its own.
const FUNCTIONS: [&str; 8] = [
    "now",
    "to_char",
    "to_timestamp",
    "setval",
    "currval",
    "nextval",
    "pg_get_serial_sequence",
    "date_trunc",
];

/// The functions of other systems that a program does not register, once a text calls one.
pub(super) struct Functions<'a> {
    sources: &'a Sources,
    /// Those that the configuration names.
    configured: BTreeSet<String>,
    unknown: [OnceCell<bool>; FUNCTIONS.len()],
}

impl<'a> Functions<'a> {
    pub fn new(sources: &'a Sources, databases: &[Database]) -> Self {
        let configured = databases.iter().flat_map(|one| &one.settings.functions);
        let configured = configured.map(|(name, _)| name.to_ascii_lowercase()).collect();
        Self { sources, configured, unknown: Default::default() }
    }

    /// Whether a text calls one of them, which SQLite would be given for a function of the program.
    pub fn are_called(&self, sql: &str) -> bool {
        let lower = sql.to_ascii_lowercase();
        let calls = |name: &str| {
            lower.match_indices(name).any(|(at, _)| {
                let before = lower.get(..at).unwrap_or("");
                let behind = lower.get(at + name.len()..).unwrap_or("");
                !before.ends_with(|one: char| one.is_alphanumeric() || one == '_') && behind.starts_with('(')
            })
        };
        let mut all = FUNCTIONS.iter().zip(&self.unknown);
        all.any(|(name, unknown)| calls(name) && *unknown.get_or_init(|| !self.is_registered(name)))
    }

    fn is_registered(&self, name: &str) -> bool {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        // `datetime('now')` registers nothing: `create_function("now", …)` does.
        let is_word = name == "now";
        let registers = |text: &str, at: usize| {
            let before = text.get(at.saturating_sub(80)..at).unwrap_or_default();
            !is_word || before.contains("unction") || before.contains("Func")
        };
        let has = |text: &str| {
            quoted.iter().any(|one| text.match_indices(one.as_str()).any(|(at, _)| registers(text, at)))
        };
        self.configured.contains(name) || self.sources.iter().any(|(_, source)| source.peek(has))
    }
}

/// Whether a text that SQLite refused has words of another system.
pub(super) fn speaks_foreign(sql: &str) -> bool {
    const MARKS: [&str; 31] = [
        "from table(",
        "sysibm.",
        "qsys2.",
        " rows only",
        "for share",
        "for no key update",
        "skip locked",
        "lock in share mode",
        " ilike ",
        "distinct on (",
        "distinct on(",
        "= any(",
        "= any (",
        "= all(",
        "<> all(",
        "to_tsvector(",
        "unnest(",
        "array[",
        "array_agg(",
        "jsonb_",
        "nextval(",
        "date_trunc(",
        "to_timestamp(",
        "interval '",
        "unix_timestamp(",
        "from_unixtime(",
        "insert ignore ",
        "engine=innodb",
        "getdate()",
        "truncate table",
        "lateral ",
    ];
    let lower = sql.to_ascii_lowercase();
    let casts = || {
        lower.match_indices("::").any(|(at, _)| {
            lower.as_bytes().get(at + 2).is_some_and(u8::is_ascii_lowercase)
                && at
                    .checked_sub(1)
                    .and_then(|at| lower.as_bytes().get(at))
                    .is_some_and(|one| !one.is_ascii_whitespace())
        })
    };
    MARKS.iter().any(|mark| lower.contains(mark)) || casts()
}

/// Whether a text that SQLite refused is for another system by its parameters. Beside drivers of SQLite alone they are a mistake.
pub(super) fn is_marked_for_others(sql: &str, literal: &Literal, sources: &Sources) -> bool {
    let source = sources.get(literal.site.source);
    marks_foreign(sql, literal.language.percent_operator)
        && !source.is_some_and(|source| source.peek(imports_sqlite_alone))
}

/// Whether a file imports a driver of SQLite, and names no other system.
fn imports_sqlite_alone(code: &str) -> bool {
    const IMPORTS: [&str; 5] = ["import ", "from ", "use ", "using ", "require"];
    const DRIVERS: [&str; 9] = [
        "sqlite3",
        "pysqlite3",
        "aiosqlite",
        "apsw",
        "better-sqlite3",
        "sqlite",
        "libsql",
        "rusqlite",
        "sqflite",
    ];
    // What names its system otherwise than that is called.
    const SERVERS: [&str; 4] = ["psycopg", "psycopg2", "asyncpg", "aiopg"];
    let imports = |line: &str| {
        let is_import = IMPORTS.iter().any(|word| line.trim_start().starts_with(word));
        (is_import || line.contains("require(")) && words(line).any(|word| DRIVERS.contains(&word))
    };
    let is_server = |word: &str| of_system(word) == Some(true) || SERVERS.contains(&word);
    code.lines().any(imports) && !words(code).any(is_server)
}

/// The names in code, those of packages with their hyphens.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|one: char| !one.is_alphanumeric() && one != '_' && one != '-')
}

/// Whether a text that SQLite refused marks its parameters as drivers of other systems do alone: all rows of an INSERT by one mark,
/// `VALUES ?`, and, in the languages that have it, a value by `%s`.
fn marks_foreign(sql: &str, has_percents: bool) -> bool {
    let all: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let is_rows = |pair: &[Token<'_>]| {
        let [values, mark] = pair else { return false };
        values.is("VALUES") && mark.kind == Kind::Parameter
    };
    // Behind a value, the sign would be the remainder of it.
    let is_percent = |three: &[Token<'_>]| {
        let [before, sign, letter] = three else { return false };
        let is_mark = sign.is_sign('%') && letter.text == "s" && letter.start == sign.end;
        is_mark && (['=', '<', '>', '(', ','].iter().any(|&one| before.is_sign(one)) || before.is("LIKE"))
    };
    all.windows(2).any(is_rows) || (has_percents && all.windows(3).any(is_percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_may_be_marked_as_no_sqlite_reads_them() {
        assert!(marks_foreign("INSERT INTO t (a, b) VALUES ?", false));
        assert!(marks_foreign("DELETE FROM t WHERE a = %s", true));
        assert!(marks_foreign("INSERT INTO t VALUES (1, %s)", true));
        assert!(!marks_foreign("DELETE FROM t WHERE a = %s", false), "a format string, perhaps");
        assert!(!marks_foreign("SELECT a %s FROM t WHERE b = '%s' AND c = d %s", true));
        assert!(!marks_foreign("INSERT INTO t VALUES (?)", true));
    }

    #[test]
    fn a_file_may_import_a_driver_of_sqlite_alone() {
        assert!(imports_sqlite_alone("import sqlite3\n\ndb = sqlite3.connect('x')"));
        assert!(imports_sqlite_alone("const Database = require('better-sqlite3')"));
        assert!(!imports_sqlite_alone("import sqlite3\nimport psycopg2"));
        assert!(!imports_sqlite_alone("import sqlite3\nif isinstance(engine, PostgresEngine):"));
        assert!(!imports_sqlite_alone("from app.engines import SqliteEngine"));
    }

    #[test]
    fn words_that_sqlite_has_not_are_another_systems() {
        for sql in ["SELECT a::date FROM t", "SELECT * FROM t FOR SHARE", "SELECT DISTINCT ON (a) b FROM t"] {
            assert!(speaks_foreign(sql), "{sql}");
        }
        for sql in ["SELECT '::' FROM t", "SELECT a FROM t WHERE b LIKE ' :: c'", "SELECT for_share FROM t"] {
            assert!(!speaks_foreign(sql), "{sql}");
        }
    }
}

//! Files of SQL for other engines: told by words that SQLite refuses wherever they stand. Knows a few words of theirs; what SQLite
//! takes as well is taken for its own.

use crate::extract::sql::comments;

/// What nobody writes for SQLite, not even by mistake.
const OF_SERVERS: [&str; 36] = [
    "create extension ",
    "create or replace function ",
    "create or replace procedure ",
    "language plpgsql",
    "language 'plpgsql'",
    " row level security",
    "create sequence ",
    "alter sequence ",
    " owner to ",
    " as enum (",
    " as enum(",
    "engine=innodb",
    "create schema ",
    "create type ",
    "create domain ",
    "create materialized view ",
    " always as identity",
    " by default as identity",
    " execute function ",
    " execute procedure ",
    " index concurrently ",
    " validate constraint ",
    " using gin (",
    " using gin(",
    " using gist (",
    " using gist(",
    "alter table if exists ",
    "set xact_abort ",
    "primary key clustered ",
    "primary key nonclustered ",
    "create procedure ",
    "create or alter ",
    "alter procedure ",
    "[dbo].",
    "[sys].",
    "nvarchar(max)",
];

/// What one who knows another engine may try.
const SLIPS: [&str; 4] =
    ["alter column ", "add column if not exists ", "add constraint ", "drop constraint "];

/// The names of other systems.
const SYSTEMS: [&str; 17] = [
    "postgres",
    "postgresql",
    "pg",
    "pgsql",
    "psql",
    "pglite",
    "pgx",
    "mysql",
    "mariadb",
    "mssql",
    "sqlserver",
    "cockroach",
    "cockroachdb",
    "clickhouse",
    "tidb",
    "yugabyte",
    "duckdb",
];

/// Names of systems with capitals within, and as a word.
const CAPITALS: [(&str, &str); 7] = [
    ("SQLite", "Sqlite"),
    ("MySQL", "Mysql"),
    ("MySql", "Mysql"),
    ("PostgreSQL", "Postgres"),
    ("MariaDB", "Mariadb"),
    ("CockroachDB", "Cockroachdb"),
    ("ClickHouse", "Clickhouse"),
];

/// Words in front of the name of a system which it is not about.
const EXCEPT: [&str; 6] = ["no", "non", "not", "without", "except", "other"];

/// Whether a text has what SQLite refuses, and one who knows another engine may try.
pub(super) fn slips(sql: &str) -> bool {
    has(sql, &SLIPS)
}

/// Whether a text is written for another engine.
pub fn is_of_another(sql: &str) -> bool {
    has(sql, &OF_SERVERS) || drops_for_all(sql) || is_of_installers(sql) || has_types_of_servers(sql)
}

/// Whether a text has words that only servers know.
pub(super) fn is_of_servers(sql: &str) -> bool {
    has(sql, &OF_SERVERS)
}

/// Whether a text has types of Postgres that stand together in no schema for several engines.
fn has_types_of_servers(sql: &str) -> bool {
    has(sql, &[" timestamp with time zone", " timestamp without time zone"])
        && has(sql, &[" bytea", " jsonb", " bigserial", " serial "])
}

/// Whether a series of migrations is: one of them is beyond doubt, or what SQLite refuses stands in half of them.
pub(super) fn are_of_another<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    let slips = texts.clone().filter(|text| has(text, &SLIPS)).count();
    (slips >= 2 && slips * 2 >= texts.clone().count())
        || texts.into_iter().any(|text| has(text, &OF_SERVERS) || drops_for_all(text))
}

/// Whether a text drops a table with all that hangs on it: `DROP TABLE a CASCADE`.
fn drops_for_all(sql: &str) -> bool {
    let drops = |statement: &str| {
        let mut words = statement.split_ascii_whitespace();
        let is =
            |word: Option<&str>, wanted: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(wanted));
        is(words.next(), "drop") && is(words.next(), "table") && is(words.next_back(), "cascade")
    };
    // Most texts have none of the words.
    has(sql, &[" cascade"]) && without_comments(sql).split(';').any(drops)
}

/// Whether one of these words stands in a text that does not speak of SQLite, as one for several engines does.
fn has(sql: &str, words: &[&str]) -> bool {
    let is_in = |text: &str| words.iter().any(|word| text.contains(word));
    let spaced = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let lower = sql.to_ascii_lowercase();
    // Most texts have none of the words.
    is_in(&spaced(&lower))
        && !speaks_of_sqlite(&lower)
        && is_in(&spaced(&without_texts(&without_comments(&lower))))
}

/// Whether a word of a text begins with the name of SQLite; what only ends with it is a name of something else.
fn speaks_of_sqlite(lower: &str) -> bool {
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let mut found = lower.match_indices("sqlite");
    found.any(|(at, _)| !lower.get(..at).is_some_and(|before| before.ends_with(is_word)))
}

/// Parts of which each name of a system has one.
const PARTS: [&str; 9] =
    ["pg", "sql", "postgres", "maria", "cockroach", "clickhouse", "tidb", "yugabyte", "duckdb"];

/// Whether a name speaks of another system; nothing where it speaks of none, and no where it speaks of SQLite. What is for all
/// but one, as `loadNoPg` is, speaks of none.
pub fn of_system(name: &str) -> Option<bool> {
    let lower = name.to_ascii_lowercase();
    if lower.contains("sqlite") {
        return Some(false);
    }
    // Most names have nothing of any system.
    if !PARTS.iter().any(|one| lower.contains(one)) {
        return None;
    }
    let words: Vec<String> = words(&plain(name)).map(str::to_ascii_lowercase).collect();
    let is_spared = |at: usize| {
        at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|before| EXCEPT.contains(&before.as_str()))
    };
    let is_system = |(at, word): (usize, &String)| {
        let speaks = ["postgres", "mysql", "pgsql", "cockroach"].iter().any(|system| word.contains(system));
        (speaks || SYSTEMS.contains(&word.as_str())) && !is_spared(at)
    };
    let speaks = words.iter().enumerate().any(is_system);
    speaks.then_some(true)
}

/// The same of a path: what the nearest part of it says that speaks of any system.
pub fn system_of_path(path: &str) -> Option<bool> {
    path.rsplit('/').find_map(of_system)
}

/// Whether a name is that of another system, or of SQLite, and of nothing else: `Postgres`, `sqlite3`, `DIALECT_MYSQL`,
/// `PostgresEngine`.
pub(super) fn names_system(name: &str) -> Option<bool> {
    const KINDS: [&str; 11] =
        ["k", "db", "type", "kind", "dialect", "engine", "driver", "backend", "adapter", "platform", "sql"];
    let system = of_system(name)?;
    let bare =
        |word: &str| word.to_ascii_lowercase().trim_end_matches(|one: char| one.is_ascii_digit()).to_owned();
    let is_kind = |word: &str| KINDS.contains(&bare(word).as_str());
    let is_one = |word: &str| {
        let bare = bare(word);
        bare == "sqlite" || SYSTEMS.contains(&bare.as_str()) || is_kind(word) || bare.is_empty()
    };
    let name = plain(name);
    let all: Vec<&str> = words(&name).collect();
    // `DEPOT_DB_TYPE_MYSQL`: what the program calls itself stands in front of its constants.
    let is_constant = !name.contains(|one: char| one.is_ascii_lowercase());
    let own = usize::from(is_constant && all.get(1).is_some_and(|word| is_kind(word)));
    all.iter().skip(own).all(|word| is_one(word)).then_some(system)
}

/// A name without the capitals within names of systems, which would make words of their own.
fn plain(name: &str) -> String {
    let mut plain = name.to_owned();
    for (own, word) in CAPITALS {
        plain = plain.replace(own, word);
    }
    plain
}

/// The words of a name: `insert_pg`, `PgStore`, `store-pg.rs`, `PG_URL`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(|one: char| !one.is_alphanumeric());
    parts.flat_map(|part| {
        let bytes = part.as_bytes();
        let is = |at: usize, test: fn(&u8) -> bool| bytes.get(at).is_some_and(test);
        let begins = |at: &usize| {
            let at = *at;
            is(at, u8::is_ascii_uppercase)
                && (!is(at - 1, u8::is_ascii_uppercase) || is(at + 1, u8::is_ascii_lowercase))
        };
        let mut ends: Vec<usize> = (1..part.len()).filter(begins).collect();
        ends.push(part.len());
        let mut from = 0;
        ends.into_iter().map(move |end| {
            let word = part.get(from..end).unwrap_or("");
            from = end;
            word
        })
    })
}

/// Whether a text makes tables in the words of an installer alone.
fn is_of_installers(sql: &str) -> bool {
    // Most texts have none of the words.
    if !["LOCALIZABLE", "localizable", "KEY `", "key `", "KEY \"", "key \""]
        .iter()
        .any(|word| sql.contains(word))
    {
        return false;
    }
    let code = without_comments(sql).to_ascii_lowercase();
    let mut tables = code.match_indices("create table ").map(|(at, _)| at).peekable();
    let mut all = tables.peek().is_some();
    while let Some(start) = tables.next() {
        let end = tables.peek().copied().unwrap_or(code.len());
        all &= code.get(start..end).is_some_and(is_of_installer);
    }
    all
}

/// Whether a table is one of a Windows installer: its key is named without brackets, or texts of it may be translated.
fn is_of_installer(table: &str) -> bool {
    const KEY: &str = "primary key ";
    let key = table.match_indices(KEY).any(|(at, _)| {
        table.get(at + KEY.len()..).is_some_and(|rest| rest.trim_start().starts_with(['`', '"']))
    });
    let translated = table.match_indices(" localizable").any(|(at, _)| {
        table.get(..at).is_some_and(|before| before.trim_end().ends_with(')') || before.ends_with(" null"))
    });
    key || translated
}

/// The SQL with the insides of its texts left out; the name of a language may be one.
fn without_texts(sql: &str) -> String {
    let mut code = String::with_capacity(sql.len());
    for (at, part) in sql.split('\'').enumerate() {
        if at > 0 {
            code.push('\'');
        }
        if at % 2 == 0 || part == "plpgsql" {
            code.push_str(part);
        }
    }
    code
}

fn without_comments(sql: &str) -> String {
    let mut code = String::with_capacity(sql.len());
    let mut at = 0;
    for (start, end) in comments(sql) {
        code.push_str(sql.get(at..start).unwrap_or(""));
        at = end;
    }
    code.push_str(sql.get(at..).unwrap_or(""));
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_migration_that_no_sqlite_takes_tells_of_all() {
        let plain = "CREATE TABLE a (b INTEGER)";
        let all = |texts: &[&str]| are_of_another(texts.iter().copied());
        assert!(
            all(&[plain, "CREATE EXTENSION IF NOT EXISTS x"]) && all(&["ALTER TABLE a\n  OWNER TO b", plain])
        );
        assert!(all(&[
            "ALTER TABLE a ALTER COLUMN b SET NOT NULL",
            "alter table a add constraint c unique (b)"
        ]));
        // A slip is a finding.
        assert!(!all(&[plain, plain, "ALTER TABLE a ADD COLUMN IF NOT EXISTS b"]));
        assert!(!all(&[plain, "-- create extension x\nSELECT 1"]));
        assert!(!all(&[plain, "INSERT INTO help VALUES ('Change the owner to yourself')"]));
        assert!(all(&["ALTER TABLE a OWNER  TO b"]) && all(&["$$ ... $$ LANGUAGE 'plpgsql'"]));
    }

    #[test]
    fn a_constant_names_a_system_behind_what_the_program_calls_itself() {
        assert_eq!(names_system("DEPOT_DB_TYPE_MYSQL"), Some(true));
        assert_eq!(names_system("DEPOT_DB_TYPE_SQLITE"), Some(false));
        assert_eq!(names_system("MYSQL_BLOB_TYPE"), None);
        assert_eq!(names_system("depot_mysql"), None);
    }

    #[test]
    fn a_name_speaks_of_a_system_by_one_of_its_words() {
        for name in [
            "loadPg",
            "PgStore",
            "insert_pg",
            "depot.pgx.sql",
            "adapter_tidb_scheme.sql",
            "depot.pgxcockroach.sql",
            "MySQLStore",
            "MySqlPool",
            "postgresql_url",
            "PostgreSQLDb",
            "MYSQL_URL",
        ] {
            assert_eq!(of_system(name), Some(true), "{name}");
        }
        for name in ["loadNoPg", "without_postgres", "page", "pgp", "NonMySQLStore"] {
            assert_eq!(of_system(name), None, "{name}");
        }
        assert_eq!(of_system("SqliteNotPg"), Some(false));
    }

    #[test]
    fn the_nearest_name_says_which_system_is_meant() {
        for path in
            ["db/postgres/a.go", "src/store_pg.rs", "src/PgStore.kt", "a/mysql.sql", "db/pg/queries.sql"]
        {
            assert_eq!(system_of_path(path), Some(true), "{path}");
        }
        for path in [
            "postgres/sqlite/a.go",
            "src/page.rs",
            "src/pgp.rs",
            "src/a.rs",
            "src/sqlite_pg_import.rs",
            "src/store_no_pg.rs",
        ] {
            assert_ne!(system_of_path(path), Some(true), "{path}");
        }
    }

    #[test]
    fn words_of_servers_tell_a_file() {
        for sql in [
            "DROP TABLE IF EXISTS a CASCADE;",
            "CREATE TABLE a (b bytea NOT NULL, c timestamp with time zone)",
            "CREATE SCHEMA a;",
            "CREATE TABLE a (id INTEGER GENERATED ALWAYS AS IDENTITY)",
            "CREATE MATERIALIZED VIEW a AS SELECT 1",
            "CREATE UNIQUE INDEX CONCURRENTLY b\nON a (c)",
            "CREATE INDEX b ON a USING GIN (c)",
            "ALTER TABLE a VALIDATE CONSTRAINT b",
            "ALTER TABLE IF EXISTS moved_from_sqlite ADD a bigint",
        ] {
            assert!(is_of_another(sql), "{sql}");
        }
        for sql in [
            "CREATE TABLE b (a INTEGER REFERENCES a (id) ON DELETE CASCADE); DROP TABLE a;",
            "-- DROP TABLE a CASCADE;\nDROP TABLE a",
            "CREATE TABLE a (id SERIAL PRIMARY KEY, type TEXT)",
            "CREATE VIEW a AS SELECT b AS identity FROM c",
            "SELECT a FROM b JOIN c USING (gin)",
        ] {
            assert!(!is_of_another(sql), "{sql}");
        }
    }

    #[test]
    fn tables_of_an_installer_are_told_from_those_of_sqlite() {
        for sql in [
            "-- permissions\nCREATE TABLE `Locks` (`Id` CHAR(72) NOT NULL, `Part` CHAR(72) PRIMARY KEY `Id`, `Part`)\n",
            "CREATE TABLE `Texts` (`Id` SHORT NOT NULL, `Text` CHAR(255) NOT NULL LOCALIZABLE PRIMARY KEY `Id`)",
        ] {
            assert!(is_of_another(sql), "{sql}");
        }
        for sql in [
            "-- primary key `Id`\nCREATE TABLE `Locks` (`Id` CHAR(72) NOT NULL PRIMARY KEY, `Part` TEXT)",
            "CREATE TABLE a (b, c, PRIMARY KEY (\"b\", \"c\"))",
            "INSERT INTO a SELECT 'PRIMARY KEY `b`'",
            "CREATE TABLE a (localizable TEXT)",
        ] {
            assert!(!is_of_another(sql), "{sql}");
        }
    }
}

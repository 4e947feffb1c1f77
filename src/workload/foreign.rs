//! Texts for other database systems: by the words that no SQLite has, and by the names of what they stand in. Knows words
//! alone; what compiles is SQLite's, unless its place says otherwise.

use crate::migration::{is_of_another, of_system};

/// Whether a text is written for another database system: by words of its own, or by its path.
pub(super) fn is_foreign(sql: &str, path: &str) -> bool {
    const MARKS: [&str; 12] = [
        "for update",
        "::text",
        "::int",
        "::bytea",
        "::json",
        "::uuid",
        "now()",
        "on duplicate key",
        "auto_increment",
        "pg_catalog",
        "information_schema",
        "serial primary key",
    ];
    let lower = sql.to_ascii_lowercase();
    // `UPDATE a JOIN b … SET`, as MySQL has it.
    let joins = lower.split_once(" set ").is_some_and(|(head, _)| head.contains(" join "));
    (joins && lower.trim_start().starts_with("update"))
        || MARKS.iter().any(|mark| lower.contains(mark))
        || is_of_another(sql)
        || path.rsplit('/').find_map(of_system).unwrap_or(false)
}

/// Whether a text that SQLite refused has words of another system.
pub(super) fn speaks_foreign(sql: &str) -> bool {
    const MARKS: [&str; 24] = [
        "for share",
        "for no key update",
        "skip locked",
        "lock in share mode",
        " ilike ",
        "distinct on (",
        "distinct on(",
        "= any(",
        "= any (",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_says_which_system_is_meant() {
        for path in
            ["db/postgres/a.go", "src/store_pg.rs", "src/PgStore.kt", "a/mysql.sql", "db/pg/queries.sql"]
        {
            assert!(is_foreign("SELECT 1", path), "{path}");
        }
        for path in [
            "postgres/sqlite/a.go",
            "src/page.rs",
            "src/pgp.rs",
            "src/a.rs",
            "src/sqlite_pg_import.rs",
            "src/store_no_pg.rs",
        ] {
            assert!(!is_foreign("SELECT 1", path), "{path}");
        }
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

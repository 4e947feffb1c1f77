//! The tools that run migrations: by what each is known, and what it does about transactions on SQLite. Knows words; a
//! version of a tool that does otherwise is not told from the others.

use crate::extract::sql::{contains_word, skip_leading};
use memchr::memmem;

/// Which texts of a file of code that names a tool it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InCode {
    /// None: it runs files of SQL.
    Nothing,
    /// Those that no call of the file is seen to run, but for one of this name, which hands them to the tool.
    Handed(&'static str),
    /// All: the file is a migration, and what it calls is given to it by the tool.
    All,
}

/// A tool that runs migrations.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tool {
    /// What people call it.
    pub name: &'static str,
    /// Whether it puts a transaction around a step, or around all.
    pub wraps: bool,
    /// How the comment begins, in lower case, by which it is told in a file of SQL.
    pub mark: Option<&'static str>,
    /// Words of code that calls it.
    pub words: &'static [&'static str],
    /// What of such code it runs.
    pub in_code: InCode,
    /// Files that stand in the folder of the migrations, or in the one above.
    pub files: &'static [&'static str],
    /// What code says, in two parts with white space in between, that wants no transaction.
    pub without: &'static [(&'static str, &'static str)],
}

/// One of which nothing is known but its name.
const PLAIN: Tool = Tool {
    name: "",
    wraps: true,
    mark: None,
    words: &[],
    in_code: InCode::Nothing,
    files: &[],
    without: &[],
};

/// No tool: the program itself.
pub(super) const CODE: Tool = Tool { name: "the code", ..PLAIN };

/// Flyway; of other tools, refinery alone names its files like that, and does the same.
pub(super) const FLYWAY: Tool = Tool { name: "Flyway", files: &["flyway.conf", "flyway.toml"], ..PLAIN };

/// The tools, those first that are easily told.
pub(super) const TOOLS: [Tool; 16] = [
    Tool {
        name: "goose",
        mark: Some("+goose up"),
        words: &["pressly/goose"],
        in_code: InCode::Handed(""),
        without: &[("MigrationNoTx", "")],
        ..PLAIN
    },
    Tool { name: "dbmate", mark: Some("migrate:up"), words: &["amacneil/dbmate"], ..PLAIN },
    Tool { name: "sql-migrate", mark: Some("+migrate up"), words: &["rubenv/sql-migrate"], ..PLAIN },
    Tool { name: "drizzle", mark: Some("> statement-breakpoint"), files: &["meta/_journal.json"], ..PLAIN },
    Tool { name: "dbutil", words: &["go.mau.fi/util/dbutil", "mautrix/util/dbutil"], ..PLAIN },
    Tool {
        name: "rusqlite_migration",
        words: &["rusqlite_migration"],
        in_code: InCode::Handed("up"),
        ..PLAIN
    },
    Tool { name: "refinery", words: &["refinery::", "refinery_core"], ..PLAIN },
    Tool { name: "diesel", words: &["diesel_migrations"], files: &["diesel.toml"], ..PLAIN },
    Tool { name: "sqlx", words: &["sqlx::migrate", "migrate!(\"", "migrate!()"], ..PLAIN },
    Tool {
        name: "golang-migrate",
        words: &["migrate/v4/database/sqlite", "migrate/database/sqlite"],
        without: &[("NoTxWrap:", "true"), ("x-no-tx-wrap=", "true")],
        ..PLAIN
    },
    Tool {
        name: "yoyo",
        words: &["from yoyo", "import yoyo"],
        in_code: InCode::All,
        files: &["yoyo.ini"],
        without: &[("__transactional__ =", "False")],
        ..PLAIN
    },
    Tool {
        name: "Alembic",
        wraps: false,
        words: &["from alembic", "import alembic"],
        in_code: InCode::All,
        files: &["alembic.ini"],
        ..PLAIN
    },
    Tool {
        name: "Django",
        words: &["from django.db import migrations"],
        in_code: InCode::All,
        without: &[("atomic =", "False")],
        ..PLAIN
    },
    Tool { name: "Prisma", wraps: false, files: &["migration_lock.toml"], ..PLAIN },
    Tool { name: "wrangler", files: &["wrangler.toml", "wrangler.json", "wrangler.jsonc"], ..PLAIN },
    FLYWAY,
];

impl Tool {
    /// Where a text of SQL has the mark of the tool.
    pub fn mark_in(&self, sql: &str) -> Option<usize> {
        let mark = self.mark?;
        comments(sql).find(|(_, comment)| comment.starts_with(mark)).map(|(at, _)| at)
    }

    /// Where code names the tool, lines of comments aside.
    pub fn named_in(&self, code: &str) -> Option<usize> {
        self.words.iter().filter_map(|word| in_code(code, word)).min()
    }

    /// Whether code tells it to do without transactions.
    pub fn is_without(&self, code: &str) -> bool {
        self.without.iter().any(|(head, tail)| {
            code.match_indices(head).any(|(at, _)| {
                code.get(at + head.len()..).is_some_and(|behind| behind.trim_start().starts_with(tail))
            })
        })
    }
}

/// Where a word first stands in code, lines of comments aside.
fn in_code(code: &str, word: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memmem::find(code.as_bytes().get(from..)?, word.as_bytes())?;
        let start = code.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let line = code.get(start..at)?.trim_start();
        if !["//", "# ", "*"].iter().any(|mark| line.starts_with(mark)) {
            return Some(at);
        }
        // The rest of the line is a comment as well.
        from = at + code.get(at..)?.find('\n')?;
    }
}

/// The comments of a text that fill a line, in lower case and without their dashes, and where their lines begin.
fn comments(sql: &str) -> impl Iterator<Item = (usize, String)> {
    let mut at = 0;
    sql.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let comment = line.trim_start().strip_prefix("--")?;
        Some((start, comment.trim().to_ascii_lowercase()))
    })
}

/// Whether a step asks to be run without a transaction, in the way of a tool that heeds it.
pub(super) fn opts_out(sql: &str) -> bool {
    sql.starts_with("-- no-transaction")
        || comments(sql).any(|(_, comment)| {
            comment == "+goose no transaction"
                || comment == "+refinery no transaction"
                || comment == "transaction: off"
                || (comment.starts_with("migrate:up") && comment.contains("transaction:false"))
                || (comment.starts_with("+migrate up") && comment.contains("notransaction"))
                || (comment.starts_with("transactional:") && comment.ends_with("false"))
        })
}

/// Whether a text opens a transaction itself, before it does anything but set pragmas.
pub(super) fn begins(sql: &str) -> bool {
    let mut rest = skip_leading(sql);
    loop {
        let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        if !word.eq_ignore_ascii_case("pragma") {
            return word.eq_ignore_ascii_case("begin");
        }
        rest = rest.split_once(';').map_or("", |(_, behind)| skip_leading(behind));
    }
}

/// Whether Flyway runs a text without a transaction, since it holds a pragma that has no effect in one.
pub(super) fn sets_foreign_keys(sql: &str) -> bool {
    contains_word(sql, "pragma") && contains_word(sql, "foreign_keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_comments_of_their_own_line() {
        let by = |sql: &str| TOOLS.iter().find(|tool| tool.mark_in(sql).is_some()).map(|tool| tool.name);
        assert_eq!(by("\n-- +goose Up\nCREATE TABLE a(b);"), Some("goose"));
        assert_eq!(by("-- migrate:up transaction:false\n"), Some("dbmate"));
        assert_eq!(by("CREATE TABLE a(b);\n--> statement-breakpoint\nCREATE TABLE c(d);"), Some("drizzle"));
        assert_eq!(by("SELECT '-- +goose Up';"), None);
    }

    #[test]
    fn steps_that_opt_out_are_told() {
        for sql in [
            "-- no-transaction\nVACUUM;",
            "-- +goose NO TRANSACTION\n-- +goose Up\nVACUUM;",
            "-- migrate:up transaction:false\nVACUUM;",
            "-- +migrate Up notransaction\nVACUUM;",
            "-- transactional: false\nVACUUM;",
            "-- v1 -> v2: Compact\n-- transaction: off\nVACUUM;",
        ] {
            assert!(opts_out(sql), "{sql}");
        }
        assert!(!opts_out("CREATE TABLE a(b); -- no-transaction") && !opts_out("-- migrate:up\n"));
    }

    #[test]
    fn a_text_that_begins_a_transaction_says_so_first() {
        assert!(begins("-- x\nBEGIN;\n") && begins("PRAGMA foreign_keys = OFF;\nbegin transaction;"));
        assert!(!begins("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;") && !begins("PRAGMA x"));
    }

    #[test]
    fn a_tool_is_named_in_code_and_not_in_a_comment() {
        let goose = TOOLS.iter().find(|tool| tool.name == "goose").unwrap();
        assert_eq!(goose.named_in("// pressly/goose pressly/goose\nimport \"pressly/goose\""), Some(39));
        assert_eq!(goose.named_in("// pressly/goose pressly/goose"), None);
    }

    #[test]
    fn code_tells_a_tool_to_do_without() {
        let goose = TOOLS.iter().find(|tool| tool.name == "goose").unwrap();
        assert!(goose.is_without("goose.AddMigrationNoTxContext(up, down)"));
        let migrate = TOOLS.iter().find(|tool| tool.name == "golang-migrate").unwrap();
        assert!(
            migrate.is_without("sqlite3.Config{NoTxWrap:   true}") && !migrate.is_without("NoTxWrap: false")
        );
    }
}

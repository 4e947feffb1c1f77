//! What a convention is by which programs declare their schemas: by what it is known, how its files are found and ordered, what of
//! them leads back, and what it does about transactions on SQLite. `src/migration/conventions/` has one in each file. Knows
//! words; a version of a tool that does otherwise is not told from the others.

use super::{Declaration, conventions::ALL, engines::is_of_another, levels::Level};
use crate::{
    extract::{Extraction, Literal, is_sql, sql::skip_leading, text::Text},
    source::{Site, Source, SourceId, Sources},
};
use memchr::memmem;
use std::{borrow::Cow, ops::Range};

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

/// Where a file stands among the migrations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The folder of all of them.
    pub folder: &'a str,
    /// The part of the path in front of which the number stands.
    pub part: &'a str,
    /// The number; `None` where it is the one in front of that part.
    pub number: Option<u64>,
}

impl<'a> Place<'a> {
    /// The place of a file of this name in a folder of its own.
    pub fn of_folder(path: &'a str, file: &str) -> Option<Self> {
        let own = path.strip_suffix(file).and_then(|rest| rest.strip_suffix('/'))?;
        let (folder, part) = own.rsplit_once('/').unwrap_or(("", own));
        Some(Self { folder, part, number: None })
    }
}

/// By what a migration is named, and those that run before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Link {
    /// Its own name.
    pub own: String,
    /// The names of those before.
    pub before: Vec<String>,
}

/// A convention by which programs declare their schemas: mostly that of a tool that runs migrations.
pub(super) struct Convention {
    /// What people call it.
    pub name: &'static str,
    /// Whether it puts a transaction around a step, or around all.
    pub wraps: bool,
    /// How the comment begins, in lower case, by which it is told in a file of SQL.
    pub mark: Option<&'static str>,
    /// The lines that begin the two parts of a file of SQL, forward and back, where it has both.
    pub parts: Option<(&'static str, &'static str)>,
    /// Words of code that calls it.
    pub words: &'static [&'static str],
    /// What of such code it runs.
    pub in_code: InCode,
    /// Files that stand in the folder of the migrations, or in the one above.
    pub files: &'static [&'static str],
    /// What code says, in two parts with white space in between, that wants no transaction.
    pub without: &'static [(&'static str, &'static str)],
    /// Whether a comment of a step, in lower case, asks to be run without a transaction.
    pub opts_out: fn(&str) -> bool,
    /// Whether a text is run without a transaction for what it holds.
    pub outside: fn(&str) -> bool,
    /// Whether the name of a file alone says that it is run so.
    pub is_named: fn(&str) -> bool,
    /// The parts of a file that are for SQLite, where a file says for which database each line is.
    pub keeps: fn(&str) -> Option<Vec<Range<usize>>>,
    /// The version at which the text of a file makes a new database at once, in place of the files up to it.
    pub jumps_to: fn(&str) -> Option<u64>,
    /// Whether a line of a file is the mark behind which it leads back.
    pub leads_back: fn(&str) -> bool,
    /// Whether the brackets around a text in code, from the inside out, say that it undoes another.
    pub undoes: fn(&[Level<'_>]) -> bool,
    /// The place of a file, by its path, where it is not in its name alone.
    pub place: fn(&str) -> Option<Place<'_>>,
    /// The last of the numbers that [`Self::place`] gives to what a snapshot has already, by the path of that snapshot.
    pub reached: fn(&str) -> Option<u64>,
    /// The version in the name of a file, part by part, where it has several.
    pub version: fn(&str) -> Option<Vec<u64>>,
    /// Whether a file runs behind all others.
    pub is_last: fn(&str) -> bool,
    /// Whether a file, by its path, is for another database than SQLite.
    pub is_foreign: fn(&str) -> bool,
    /// Of the paths of files that are neither code nor SQL, those that are wanted.
    pub reads: fn(&[String]) -> Vec<&str>,
    /// The paths of the migrations that a file lists, without their endings, in order.
    pub lists: fn(&Source) -> Option<Vec<String>>,
    /// What a migration says of its order, by its path and text.
    pub links: fn(&str, &str) -> Option<Link>,
    /// Whether a file of code is a migration, wherever it stands.
    pub is_migration: fn(&Source) -> bool,
    /// Whether a file, by its path, always holds a whole schema.
    pub is_snapshot: fn(&str) -> bool,
    /// The SQL of a file that is not SQL itself.
    pub texts: fn(SourceId, &Source) -> Option<Texts>,
    /// What code declares in words of its own, over several files.
    pub declares: fn(&Sources) -> Declared,
    /// Whether code, by its path, declares such schemas in words of its own.
    pub is_in_code: fn(&str) -> bool,
    /// Words of which code has one that works on databases of such a snapshot; empty where any may.
    pub users: &'static [&'static str],
    /// What an index needs besides its statement, as a sentence; empty where that is all.
    pub beside_index: &'static str,
    /// Whether an index can have nothing but columns, ordered as these are, and has all rows.
    pub plain_indexes: bool,
    /// What makes the tables in which it keeps count of what it ran, each with its name: it does so before the first step.
    pub own_tables: &'static [(&'static str, &'static str)],
}

/// What code declares that has no SQL for it, each with the place that says so.
#[derive(Debug, Clone, Default)]
pub(super) struct Declared {
    /// What makes the schema of each database, as a new one is created, with its name.
    pub schemas: Vec<(Site, String, Text)>,
    /// Statements of the program.
    pub statements: Vec<(Site, Text)>,
}

/// The SQL of a file that is written in another form.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    /// What makes the schema; empty where nothing does.
    pub schema: Text,
    /// Whether that is a step of the history, and not all of the schema.
    pub is_history: bool,
    /// Statements of the program.
    pub statements: Vec<Text>,
}

/// One of which nothing is known but its name.
pub(super) const PLAIN: Convention = Convention {
    name: "",
    wraps: true,
    mark: None,
    parts: None,
    words: &[],
    in_code: InCode::Nothing,
    files: &[],
    without: &[],
    opts_out: |_| false,
    outside: |_| false,
    is_named: |_| false,
    keeps: |_| None,
    jumps_to: |_| None,
    leads_back: |_| false,
    undoes: |_| false,
    place: |_| None,
    reached: |_| None,
    version: |_| None,
    is_last: |_| false,
    is_foreign: |_| false,
    reads: |_| Vec::new(),
    lists: |_| None,
    links: |_, _| None,
    is_migration: |_| false,
    is_snapshot: |_| false,
    texts: |_, _| None,
    declares: |_| Declared::default(),
    is_in_code: |_| false,
    users: &[],
    beside_index: "",
    plain_indexes: false,
    own_tables: &[],
};

/// No tool: the program itself.
pub(super) static CODE: Convention = Convention { name: "the code", ..PLAIN };

/// The lines that begin the parts of a file that is written as this one is: forward, and back.
pub fn parts(sql: &str) -> Option<(&'static str, &'static str)> {
    ALL.iter().filter_map(|one| one.parts).find(|(forward, _)| sql.contains(forward))
}

/// The parts of a file of SQL that are for SQLite, where it says of its lines for which engine they are.
pub(super) fn kept(text: &str) -> Option<Vec<Range<usize>>> {
    ALL.iter().find_map(|one| (one.keeps)(text))
}

/// A file of SQL without what is for another engine, where it says so of each line.
pub(super) fn own_parts(text: &str) -> Cow<'_, str> {
    kept(text)
        .map_or(Cow::Borrowed(text), |kept| kept.into_iter().filter_map(|range| text.get(range)).collect())
}

/// Whether a file of SQL is written for another engine as a whole.
pub fn is_script_of_another(text: &str) -> bool {
    is_of_another(&own_parts(text))
}

/// What an index of a database needs besides its statement, where that is not all.
pub fn beside_index(
    sources: &Sources,
    extraction: &Extraction,
    declaration: &Declaration,
) -> Option<&'static str> {
    let mut conventions = of_declaration(sources, extraction, declaration);
    conventions.find(|one| !one.beside_index.is_empty()).map(|one| one.beside_index)
}

/// Whether the indexes of a database can have nothing but columns, ordered as these are, and have all rows.
pub fn has_plain_indexes(sources: &Sources, extraction: &Extraction, declaration: &Declaration) -> bool {
    of_declaration(sources, extraction, declaration).any(|one| one.plain_indexes)
}

/// Words of which code has one that works on a database as its convention has it; none where any code may.
pub fn users(
    sources: &Sources,
    extraction: &Extraction,
    declaration: &Declaration,
) -> &'static [&'static str] {
    of_declaration(sources, extraction, declaration).next().map_or(&[], |one| one.users)
}

/// The conventions of the texts of a declaration that make a whole schema.
fn of_declaration<'a>(
    sources: &'a Sources,
    extraction: &'a Extraction,
    declaration: &'a Declaration,
) -> impl Iterator<Item = &'static Convention> + 'a {
    let steps = declaration.steps.iter().chain(&declaration.create);
    let literals = steps.filter_map(|step| extraction.literals.get(step.literal));
    literals.filter_map(|literal| of_snapshot(sources, literal))
}

/// The convention of a text that makes a whole schema.
pub(super) fn of_snapshot(sources: &Sources, literal: &Literal) -> Option<&'static Convention> {
    let path = sources.path(literal.site.source);
    // What code declares in words of its own has the name of its class.
    let declares = literal.language.is_sql && literal.constant.is_some() && !is_sql(path);
    ALL.iter().find(|one| (one.is_snapshot)(path) || (declares && (one.is_in_code)(path)))
}

impl Convention {
    /// Where a text of SQL has the mark of the tool.
    pub fn mark_in(&self, sql: &str) -> Option<usize> {
        let mark = self.mark?;
        comments(sql).find(|(_, comment)| comment.starts_with(mark)).map(|(at, _)| at)
    }

    /// Where code names the tool, lines of comments aside.
    pub fn named_in(&self, code: &str) -> Option<usize> {
        self.words.iter().filter_map(|word| in_code(code, word)).min()
    }

    /// Whether a file of code is a migration.
    pub fn has_step(&self, source: &Source) -> bool {
        (self.is_named)(&source.path)
            || (self.in_code != InCode::Nothing && self.named_in(source.text()).is_some())
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
pub(super) fn comments(sql: &str) -> impl Iterator<Item = (usize, String)> {
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
        || comments(sql).any(|(_, comment)| ALL.iter().any(|one| (one.opts_out)(&comment)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_comments_of_their_own_line() {
        let by = |sql: &str| ALL.iter().find(|tool| tool.mark_in(sql).is_some()).map(|tool| tool.name);
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
        let goose = ALL.iter().find(|tool| tool.name == "goose").unwrap();
        assert_eq!(goose.named_in("// pressly/goose pressly/goose\nimport \"pressly/goose\""), Some(39));
        assert_eq!(goose.named_in("// pressly/goose pressly/goose"), None);
    }

    #[test]
    fn code_tells_a_tool_to_do_without() {
        let goose = ALL.iter().find(|tool| tool.name == "goose").unwrap();
        assert!(goose.is_without("goose.AddMigrationNoTxContext(up, down)"));
        let migrate = ALL.iter().find(|tool| tool.name == "golang-migrate").unwrap();
        assert!(
            migrate.is_without("sqlite3.Config{NoTxWrap:   true}") && !migrate.is_without("NoTxWrap: false")
        );
    }
}

//! What becomes of the forms in which programs write SQL: which texts are planned, which are left to the program, which are
//! another system's, and which are one.

#![cfg(test)]

#[path = "forms/computed.rs"]
mod computed;
#[path = "forms/replaced.rs"]
mod replaced;
#[path = "forms/taken_in.rs"]
mod taken_in;

use planlint::run::{CheckRequest, facts};
use std::fs;

type Files<'a> = &'a [(&'a str, &'a str)];

const SCHEMA: (&str, &str) = (
    "migrations/0001_first.sql",
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author TEXT, year INT);",
);

/// The rows of a query of the facts of a tree, columns between bars.
fn rows(files: Files<'_>, query: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.iter().chain([&SCHEMA]) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let connection = rusqlite::Connection::open(&output).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let columns = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        let cell = |at| row.get::<_, Option<String>>(at).map(Option::unwrap_or_default);
        Ok((0..columns).map(cell).collect::<Result<Vec<_>, _>>()?.join(" | "))
    };
    statement.query_map([], row).unwrap().map(Result::unwrap).collect()
}

/// The texts that are planned, in order.
fn planned(files: Files<'_>) -> Vec<String> {
    rows(
        files,
        "SELECT text FROM statement JOIN site ON site.id = site WHERE kind <> 'ddl' ORDER BY source, start, branch",
    )
}

/// What became of each literal, and why.
fn outcomes(files: Files<'_>) -> Vec<String> {
    rows(
        files,
        "SELECT outcome, reason FROM literal JOIN site ON site.id = literal.site JOIN source ON source.id = source \
         WHERE path NOT LIKE '%first.sql' ORDER BY path, start",
    )
}

#[test]
fn a_first_piece_is_not_judged_where_the_rest_is_unknown() {
    let code =
        "def f(db, book):\n    sql = \"SELECT id FROM book\"\n    sql += book.where()\n    db.execute(sql)\n";
    assert_eq!(outcomes(&[("a.py", code)]), ["dynamic | `where` is computed"]);
}

#[test]
fn a_text_is_planned_with_all_of_its_pieces_and_without_those_that_may_be_left_out() {
    let code = "def f(db, x):\n    sql = \"SELECT id FROM book\"\n    if x:\n        sql += \" WHERE author = ?\"\n    \
                db.execute(sql)\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT id FROM book WHERE author = ?", "SELECT id FROM book"]);
}

#[test]
fn what_is_no_sql_without_its_optional_pieces_is_no_statement() {
    let code = "def f(db, x):\n    sets = []\n    if x:\n        sets.append(\"title = ?\")\n    \
                db.execute(\"UPDATE book SET \" + \", \".join(sets) + \" WHERE id = ?\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["UPDATE book SET title = ? WHERE id = ?"]);
}

#[test]
fn a_query_and_the_code_that_is_generated_from_it_are_one_statement() {
    let query = "-- name: ListBooks :many\nSELECT * FROM book WHERE author = sqlc.arg(author);\n\n\
                 -- name: Unused :many\nSELECT id FROM book;\n";
    let code = "const listBooks = `-- name: ListBooks :many\nSELECT id, title FROM book WHERE author = ?1\n`\n\
                func (q *Queries) ListBooks(author string) {\n\tq.db.Query(listBooks, author)\n}\n";
    let found = rows(
        &[("queries/book.sql", query), ("db/book.sql.go", code)],
        "SELECT path, text, function.name FROM statement JOIN site ON site.id = statement.site \
         JOIN source ON source.id = source LEFT JOIN function ON function.id = function ORDER BY start",
    );
    let expected = [
        "queries/book.sql | SELECT * FROM book WHERE author = :author | ListBooks",
        "queries/book.sql | SELECT id FROM book | ",
    ];
    assert_eq!(found, expected);
}

#[test]
fn twins_for_other_systems_are_counted_and_not_refused() {
    let files = [
        (
            "store/pg/book.go",
            "func f(db DB) {\n\tdb.Query(\"SELECT id FROM book WHERE id = \" + mark(1))\n}\n",
        ),
        ("store/sqlite/book.go", "func f(db DB) {\n\tdb.Query(\"SELECT id FROM book WHERE id = ?\")\n}\n"),
        ("store/both.py", "def insert_pg(db):\n    db.execute(\"SELECT id FROM book\")\n"),
        ("store/cast.py", "def f(db):\n    db.execute(\"SELECT year::date FROM book\")\n"),
    ];
    let expected = ["foreign | ", "foreign | ", "foreign | ", "planned | "];
    assert_eq!(outcomes(&files), expected);
}

#[test]
fn of_two_copies_of_a_query_the_one_that_the_program_runs_counts() {
    let query = "-- name: ListBooks :many\nSELECT * FROM book WHERE author = sqlc.arg(author);\n";
    let copy = "const listBooks = `-- name: ListBooks :many\nSELECT id, title FROM book WHERE author = ?1\n`\n\
                func (q *Queries) ListBooks(author string) {\n\tq.db.Query(listBooks, author)\n}\n";
    let found = rows(
        &[
            ("queries/book.sql", query),
            ("db/book.sql.go", copy),
            ("db/migration1/book.sql.go", &format!("{copy}const made = \"CREATE TABLE old (id INTEGER)\"\n")),
        ],
        "SELECT path, statement.role FROM statement JOIN site ON site.id = statement.site \
         JOIN source ON source.id = source WHERE text LIKE '%author%' ORDER BY path, start",
    );
    assert_eq!(found, ["queries/book.sql | production"]);
}

#[test]
fn what_is_computed_in_a_schema_is_a_number_there() {
    let code = "def f(db):\n    db.execute(f\"CREATE TABLE IF NOT EXISTS shelf (id INTEGER, kind INTEGER CHECK (kind == {int(KIND)}), \
                place INTEGER DEFAULT {PLACE})\")\n    db.execute(\"SELECT id FROM shelf\")\n";
    assert_eq!(outcomes(&[("a.py", code)]), ["schema | it makes schema", "planned | "]);
}

#[test]
fn two_files_are_one_database_where_a_statement_joins_their_tables() {
    let make = |table: &str, other: &str| {
        format!(
            "def f(db):\n    db.execute(\"CREATE TABLE IF NOT EXISTS {table} (id INTEGER)\")\n    db.execute(\"{other}\")\n"
        )
    };
    let (shelf, page) = (
        make("shelf", "SELECT shelf.id FROM shelf JOIN page ON page.id = shelf.id"),
        make("page", "SELECT id FROM page"),
    );
    let tool = "def f(db):\n    db.execute(\"CREATE TABLE shelf (id INTEGER)\")\n    db.execute(\"CREATE TABLE page (id INTEGER)\")\n";
    let files: Files<'_> =
        &[("app/store/shelf.py", &shelf), ("app/store/page.py", &page), ("app/upgrade/convert.py", tool)];
    let found = rows(
        files,
        "SELECT database.name, count(*) || '' FROM statement JOIN database ON database.id = database WHERE kind = 'select' GROUP BY 1",
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn files_beside_are_one_database_where_a_third_joins_their_tables() {
    let make = |table: &str| {
        format!("def make(db):\n    db.execute(\"CREATE TABLE IF NOT EXISTS {table} (id INTEGER)\")\n")
    };
    let join = "def f(db):\n    db.execute(\"SELECT shelf.id FROM shelf JOIN page ON page.id = shelf.id\")\n";
    let (shelf, page) = (make("shelf"), make("page"));
    let names = "SELECT count(*) || '' FROM database";
    let beside: Files<'_> =
        &[("app/shelf.py", &shelf), ("app/page.py", &page), ("app/report.py", join), ("old/page.py", &page)];
    assert_eq!(rows(beside, names), ["3"], "with that of the first migration and that of the other folder");
    // Which of two files beside it makes the table, nobody knows.
    let twice: Files<'_> =
        &[("app/shelf.py", &shelf), ("app/page.py", &page), ("app/sheet.py", &page), ("app/report.py", join)];
    assert_eq!(rows(twice, names), ["4"]);
}

#[test]
fn what_reads_no_table_or_stands_in_a_trigger_is_not_refused() {
    let code = "def f(db, log):\n    log.warn(\"select prepare\")\n    db.execute(\"INSERT INTO book (title) VALUES (NEW.title)\")\n    \
                db.execute(\"SELECT old_title FROM book\")\n    db.execute(\"SELECT lost\")\n";
    let expected = [
        "not_sql | it is no SQL: nothing runs it, or it names no table",
        "dynamic | it stands in a trigger",
        "refused | no such column: old_title",
        "refused | no such column: lost",
    ];
    assert_eq!(outcomes(&[("a.py", code)]), expected);
}

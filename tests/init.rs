//! `planlint init`: a check finds the same with the file that it writes as without, be it in the examples or in programs
//! whose databases no configuration can describe.

#![cfg(test)]

use planlint::{
    config::{self, Config},
    report::json,
    run::{CheckRequest, check, init},
};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

type Files<'a> = &'a [(&'a str, &'a str)];

fn program(files: Files<'_>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A report as JSON, but for what tells a guess from what is configured.
fn found(root: &Path) -> String {
    let outcome = check(&CheckRequest::new(root)).unwrap();
    json::render(&outcome.report).replace("\"found\":\"configured\"", "\"found\":\"guessed\"")
}

/// Writes the file, and gives it, once it is seen that it changes nothing.
#[track_caller]
fn written(root: &Path) -> (Config, String) {
    let before = found(root);
    init(&CheckRequest::new(root), false).unwrap();
    let text = fs::read_to_string(root.join(config::FILE_NAME)).unwrap();
    assert_eq!(found(root), before, "{text}");
    (config::parse(config::FILE_NAME, &text).unwrap(), text)
}

/// A folder and all below it, without configurations.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(name));
        } else if name != config::FILE_NAME {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

#[test]
fn a_check_finds_the_same_in_the_examples() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for example in ["ancestors", "chainstate", "inbox", "own-rule", "ranges", "tested/python", "tested/rust"]
    {
        let folder = tempfile::tempdir().unwrap();
        copy(&examples.join(example), folder.path());
        written(folder.path());
    }
}

const STORE: &str = "import sqlite3

def of(db, author):
    db.execute(\"INSERT INTO notes (author, body) VALUES (?, '')\", (author,))
    return db.execute(\"SELECT id FROM notes WHERE author = ?\", (author,)).fetchall()
";

#[test]
fn migrations_and_growing_tables_are_said_and_the_rest_is_a_comment() {
    let folder = program(&[
        (
            "db/migrations/0001_notes.sql",
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT);\n",
        ),
        ("db/migrations/0002_kinds.sql", "CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);\n"),
        ("store.py", STORE),
    ]);
    let (config, text) = written(folder.path());
    let [database] = config.databases.as_slice() else { panic!("{text}") };
    let sources: Vec<&str> = database.migrations.iter().map(|one| one.pattern.as_str()).collect();
    assert_eq!(sources, ["db/migrations/*.sql"]);
    assert!(database.growing.matches("notes") && !database.growing.matches("kinds"));
    assert!(database.bounded.is_empty());
    for said in [
        "    \"db/migrations/*.sql\",  # 2 files, 0001_notes.sql to 0002_kinds.sql\n",
        "    \"notes\",  # rows are inserted here (store.py:4:16); no statement deletes from it\n",
        "# \"kinds\" = 8     # no statement inserts into it while the program runs\n",
        "# min-coverage = 100 ",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn constants_with_numbers_are_named_by_a_pattern() {
    let code = "use rusqlite::Connection;

const SCHEMA_1: &str = \"CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT)\";
const SCHEMA_2: &str = \"CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER)\";

pub fn open(db: &Connection) -> rusqlite::Result<()> {
    for step in [SCHEMA_1, SCHEMA_2] {
        db.execute(step, [])?;
    }
    db.execute(\"INSERT INTO a (x) VALUES ('')\", [])?;
    Ok(())
}
";
    let folder = program(&[("src/db.rs", code)]);
    let (config, text) = written(folder.path());
    let sources: Vec<&str> = config.databases[0].migrations.iter().map(|one| one.pattern.as_str()).collect();
    assert_eq!(sources, ["src/db.rs::SCHEMA_*"], "{text}");
}

#[test]
fn the_command_says_what_it_did_and_refuses_to_do_it_twice() {
    let folder = program(&[("schema.sql", "CREATE TABLE a (id INTEGER PRIMARY KEY);\n")]);
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_planlint"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code(), text)
    };
    let first = run(&["init"]);
    let said = "planlint.toml written, with 1 database; a check finds the same with it\n";
    assert_eq!(first, (Some(0), said.to_owned()));
    let second = run(&["init"]);
    assert!(second.0 == Some(2) && second.1.contains("--force writes it anew"), "{second:?}");
    assert_eq!(run(&["init", "--force"]).0, Some(0));
    assert_eq!(run(&["check", "--min-coverage", "1"]).0, Some(1));
}

#[test]
fn several_databases_are_all_written() {
    let folder = program(&[
        ("chain/schema.sql", "CREATE TABLE blocks (id INTEGER PRIMARY KEY, hash TEXT);\n"),
        ("ledger/schema.sql", "CREATE TABLE entries (id INTEGER PRIMARY KEY, tx TEXT);\n"),
        (
            "chain/store.py",
            "def f(db):\n    db.execute(\"ATTACH ? AS l\", (p,))\n    db.execute(\"INSERT INTO l.entries (tx) VALUES (?)\", (1,))\n    \
             db.execute(\"PRAGMA foreign_keys = ON\")\n    db.execute(\"SELECT id FROM blocks WHERE hash = ?\", (1,))\n",
        ),
    ]);
    let (config, text) = written(folder.path());
    let names: Vec<&str> = config.databases.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["chain", "ledger"], "{text}");
    assert!(text.contains("# guessed: chain/store.py:2:16 schema `l`, attached here"), "{text}");
}

#[test]
fn what_no_configuration_can_say_stays_a_comment() {
    // The steps run at versions that the code compares, and at each open.
    let code = "use rusqlite::Connection;

const FIRST: &str = \"CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT)\";
const SECOND: &str = \"ALTER TABLE a ADD COLUMN y TEXT\";
const INDEX: &str = \"CREATE INDEX IF NOT EXISTS a_x ON a (x)\";

pub fn open(db: &Connection, version: i64) -> rusqlite::Result<()> {
    if version < 1 {
        db.execute(FIRST, [])?;
        db.execute(INDEX, [])?;
    } else if version < 2 {
        db.execute(SECOND, [])?;
    }
    Ok(())
}

pub fn find(db: &Connection, x: &str) -> rusqlite::Result<i64> {
    db.execute(\"INSERT INTO a (x) VALUES (?1)\", [x])?;
    db.query_row(\"SELECT id FROM a WHERE y = ?1\", [x], |row| row.get(0))
}
";
    let folder = program(&[("src/db.rs", code)]);
    let (config, text) = written(folder.path());
    assert_eq!(config.databases.len(), 1, "{text}");
    assert!(text.contains("\"src/db.rs::FIRST\","), "{text}");
}

#[test]
fn a_program_without_sql_has_a_file_of_comments() {
    let folder = program(&[("main.py", "print(1)\n")]);
    let (config, _) = written(folder.path());
    assert!(config.databases.is_empty());
}

#[test]
fn what_is_there_is_only_overwritten_by_force() {
    let folder = program(&[("planlint.toml", "fail-on = \"note\"\n"), ("store.py", STORE)]);
    let request = CheckRequest::new(folder.path());
    let error = init(&request, false).unwrap_err().to_string();
    assert!(error.contains("planlint.toml already"), "{error}");
    let path = folder.path().join(config::FILE_NAME);
    assert_eq!(fs::read_to_string(&path).unwrap(), "fail-on = \"note\"\n");
    init(&request, true).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("# What planlint found"));
}

//! What the program's connections are like, told from its own statements: which databases it attaches, and the pragmas that
//! it sets. Seen by the plans of statements and by what the report calls guessed.

#![cfg(test)]

use planlint::{
    report::lists::{self, List},
    run::{CheckRequest, check, facts},
};
use std::fs;

const LEDGER: &str = "CREATE TABLE entries (id INTEGER PRIMARY KEY, tx TEXT NOT NULL);
CREATE INDEX entries_tx ON entries (tx);
";
const CHAIN: &str = "CREATE TABLE blocks (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, note TEXT);
CREATE INDEX blocks_hash ON blocks (hash);
";

/// The program's statements with their plans, a line each, and what was guessed.
fn found(files: &[(&str, &str)]) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let schemas = [("chain/schema.sql", CHAIN), ("ledger/schema.sql", LEDGER)];
    for (path, text) in schemas.iter().chain(files) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    let guesses =
        outcome.report.guesses.iter().filter(|one| one.contains("this sets") || one.contains("attached"));
    (lists::render(&outcome.listings(List::Statements)), guesses.cloned().collect())
}

const ATTACHING: &str = "import sqlite3

def open(path, ledger):
    db = sqlite3.connect(path)
    db.execute(\"ATTACH ? AS ledger_db\", (ledger,))
    return db

def spent(db, hash):
    sql = \"SELECT b.id FROM blocks AS b JOIN ledger_db.entries AS e ON e.tx = b.hash WHERE b.hash = ?\"
    return db.execute(sql, (hash,)).fetchall()
";

#[test]
fn an_attached_database_is_the_one_with_its_tables() {
    let (statements, guesses) = found(&[("chain/store.py", ATTACHING)]);
    assert!(statements.contains("SEARCH e USING COVERING INDEX entries_tx (tx=?)"), "{statements}");
    assert_eq!(
        guesses,
        [
            "schema `ledger_db`, attached here, is taken for database `ledger`, which has its tables (chain/store.py:5:16)"
        ]
    );
}

#[test]
fn the_configuration_says_what_is_attached() {
    let config = "[[database]]\nname = \"chain\"\nmigrations = [\"chain/schema.sql\"]\nattached = { ledger_db = \"other\" }\n\
                  [[database]]\nname = \"other\"\nmigrations = [\"other.sql\"]\n\
                  [[database]]\nname = \"ledger\"\nmigrations = [\"ledger/schema.sql\"]\n";
    let other = "CREATE TABLE entries (id INTEGER PRIMARY KEY, tx TEXT NOT NULL);\n";
    let (statements, guesses) =
        found(&[("chain/store.py", ATTACHING), ("planlint.toml", config), ("other.sql", other)]);
    assert!(!statements.contains("entries_tx") && statements.contains("planned"), "{statements}");
    assert!(guesses.is_empty(), "{guesses:?}");
}

#[test]
fn what_is_attached_is_a_fact() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("store.py"), ATTACHING.replace("import", "import os\nimport")).unwrap();
    fs::create_dir(folder.path().join("ledger")).unwrap();
    fs::write(folder.path().join("ledger/schema.sql"), LEDGER).unwrap();
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let facts = rusqlite::Connection::open(&output).unwrap();
    let sql =
        "SELECT attached.schema, database.name FROM attached JOIN database ON database.id = attached.target";
    let found = facts.query_row(sql, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    assert_eq!(found, Ok(("ledger_db".to_owned(), "ledger".to_owned())));
}

const MAKING: &str = "import sqlite3

def open(path, other):
    db = sqlite3.connect(path)
    db.execute(\"CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)\")
    db.execute(\"ATTACH ? AS other\", (other,))
    db.execute(\"CREATE TABLE other.notes (id INTEGER PRIMARY KEY, book INTEGER)\")
    return db

def put(db, book):
    db.execute(\"INSERT INTO other.notes (book) VALUES (?)\", (book,))

def notes(db, book):
    return db.execute(\"SELECT id FROM other.notes WHERE book = ?\", (book,)).fetchall()

def unnamed(db, book):
    return db.execute(\"SELECT id FROM notes WHERE book = ?\", (book,)).fetchall()
";

#[test]
fn a_schema_that_a_program_makes_where_it_attaches_is_its_own() {
    let (statements, guesses) = found(&[("library/store.py", MAKING)]);
    assert!(statements.contains("SCAN other.notes") && statements.contains("SCAN notes"), "{statements}");
    assert!(guesses.is_empty(), "{guesses:?}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("store.py"), MAKING).unwrap();
    let outcome = check(&CheckRequest::new(folder.path())).unwrap().to_string();
    assert_eq!(outcome.matches("warning: growing-table-scan").count(), 2, "{outcome}");
    assert!(outcome.contains("cure: CREATE INDEX other.notes_book ON notes (book)"), "{outcome}");
    // One that another database makes is not taken for this.
    let text = MAKING
        .replace("    db.execute(\"CREATE TABLE other.notes (id INTEGER PRIMARY KEY, book INTEGER)\")\n", "");
    let (statements, _) = found(&[("library/store.py", &text)]);
    assert!(!statements.contains("SCAN"), "{statements}");
}

/// A program that sets this pragma, and looks up notes by how they begin, or joins by what has no index.
fn with(pragma: &str) -> String {
    format!(
        "import sqlite3\n\ndef open(path):\n    db = sqlite3.connect(path)\n    {pragma}\n    return db\n\n\
         def like(db):\n    return db.execute(\"SELECT id FROM blocks WHERE hash LIKE 'ab%'\").fetchall()\n\n\
         def joined(db):\n    sql = \"SELECT a.id FROM blocks AS a JOIN blocks AS b ON a.note = b.note\"\n    \
         return db.execute(sql).fetchall()\n"
    )
}

#[test]
fn pragmas_that_change_plans_are_set_as_the_program_sets_them() {
    let plain = found(&[("chain/store.py", &with("pass"))]);
    assert!(plain.0.contains("SCAN blocks") && plain.0.contains("AUTOMATIC"), "{}", plain.0);
    assert!(plain.1.is_empty());
    let like = found(&[("chain/store.py", &with("db.execute('PRAGMA case_sensitive_like = ON')"))]);
    assert!(like.0.contains("blocks_hash (hash>? AND hash<?)"), "{}", like.0);
    let said = "what connects to `chain` tells capitals apart in LIKE, as this sets it (chain/store.py:5:16)";
    assert_eq!(like.1, [said]);
    let index = found(&[("chain/store.py", &with("db.execute('PRAGMA automatic_index(0)')"))]);
    assert!(!index.0.contains("AUTOMATIC"), "{}", index.0);
}

#[test]
fn pragmas_that_are_set_both_ways_or_in_tests_are_left_alone() {
    let both = "db.execute('PRAGMA automatic_index = off'); db.execute('PRAGMA automatic_index = on')";
    for (path, pragma) in
        [("chain/store.py", both), ("tests/test_store.py", "db.execute('PRAGMA automatic_index=0')")]
    {
        let (_, guesses) = found(&[(path, &with(pragma))]);
        assert!(guesses.is_empty(), "{guesses:?}");
    }
}

#[test]
fn the_configuration_has_the_last_word_on_pragmas() {
    let config = "[[database]]\nname = \"chain\"\npragmas = { automatic_index = \"on\" }\n";
    let program = with("db.execute('PRAGMA automatic_index = off')");
    let (statements, guesses) = found(&[("chain/store.py", &program), ("planlint.toml", config)]);
    assert!(statements.contains("AUTOMATIC"), "{statements}");
    assert!(!guesses.iter().any(|one| one.contains("`chain`")), "{guesses:?}");
}

//! Whether a program enforces foreign keys, told by what it connects with, and whether its migrations run without: seen by
//! whether a parent that is made anew takes its children along.

#![cfg(test)]

use planlint::run::{CheckRequest, check, facts};

type Files<'a> = &'a [(&'a str, &'a str)];

const TABLES: &str = "CREATE TABLE offices (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE parcels (id INTEGER PRIMARY KEY, office INTEGER REFERENCES offices (id) ON DELETE CASCADE);
CREATE INDEX parcels_by_office ON parcels (office);
";
const ANEW: &str = "CREATE TABLE offices_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '');
INSERT INTO offices_new SELECT id, coalesce(name, '') FROM offices;
DROP TABLE offices;
ALTER TABLE offices_new RENAME TO offices;
";

/// Whether rows are lost in this program with its two migrations, and what is guessed of its foreign keys.
fn found(files: Files<'_>) -> (bool, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let migrations = [("migrations/0001_init.sql", TABLES), ("migrations/0002_names.sql", ANEW)];
    for (path, text) in migrations.iter().chain(files) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let outcome = check(&CheckRequest::new(folder.path())).unwrap().to_string();
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let facts = rusqlite::Connection::open(&output).unwrap();
    let mut statement =
        facts.prepare("SELECT text FROM guess WHERE text LIKE '%foreign keys%' ORDER BY text").unwrap();
    let guesses = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    (outcome.contains("lost-rows"), guesses)
}

fn loses(files: Files<'_>) -> bool {
    found(files).0
}

const SQLX: &str = "pub async fn open() {
    let options = SqliteConnectOptions::new().filename(\"post.db\");
    sqlx::migrate!().run(&SqlitePool::connect_with(options).await).await
}
";
const RUSQLITE: &str = "use rusqlite::Connection;

const STEPS: [&str; 2] =
    [include_str!(\"../migrations/0001_init.sql\"), include_str!(\"../migrations/0002_names.sql\")];

pub fn open(path: &str) -> rusqlite::Result<Connection> {
    let mut db = Connection::open(path)?;
    for step in STEPS {
        let tx = db.transaction()?;
        tx.execute_batch(step)?;
        tx.commit()?;
    }
    Ok(db)
}
";
const BUNDLED: &str = "[dependencies]\nrusqlite = { version = \"0.37\", features = [\"bundled\"] }\n";
const GO: &str = "package post

import \"github.com/pressly/goose/v3\"

func Open() {
	db, _ := sql.Open(\"sqlite3\", \"post.db?_foreign_keys=1\")
	goose.Up(db, \"migrations\")
}
";

#[test]
fn a_library_that_enforces_them_by_itself_is_known_and_named() {
    let (loses_rows, guesses) = found(&[("src/db.rs", SQLX)]);
    assert!(loses_rows);
    assert_eq!(guesses, ["foreign keys of `main` are enforced, as sqlx does it"]);
    assert!(loses(&[("src/db.rs", RUSQLITE), ("Cargo.toml", BUNDLED)]));
    let node = "{\"dependencies\": {\"better-sqlite3\": \"11\"}}";
    assert!(loses(&[("package.json", node)]));
}

#[test]
fn a_library_that_does_not_is_left_alone() {
    assert!(!loses(&[("src/db.rs", RUSQLITE)]));
    assert!(!loses(&[("src/db.rs", RUSQLITE), ("Cargo.toml", "[dependencies]\nrusqlite = \"0.37\"\n")]));
    let python = "import sqlite3\n\ndef run(db):\n    for path in sorted(glob(\"migrations/*.sql\")):\n        db.executescript(read(path))\n";
    assert!(!loses(&[("post/db.py", python)]));
}

#[test]
fn who_turns_them_off_is_stronger_than_the_library() {
    let off = SQLX.replace("(\"post.db\")", "(\"post.db\").foreign_keys(false)");
    assert!(!loses(&[("src/db.rs", &off)]));
    for call in [
        "db.pragma_update(None, \"foreign_keys\", false)?;",
        "db.execute_batch(\"PRAGMA foreign_keys = OFF\")?;",
    ] {
        let off = RUSQLITE.replace("(path)?;\n", &format!("(path)?;\n    {call}\n"));
        assert!(!loses(&[("src/db.rs", &off), ("Cargo.toml", BUNDLED)]), "{call}");
    }
}

#[test]
fn what_a_build_script_connects_with_says_nothing_of_the_program() {
    let script = "fn main() { SqliteConnectOptions::new().foreign_keys(false) }\n";
    assert!(loses(&[("src/db.rs", SQLX), ("build.rs", script)]));
    assert!(!loses(&[("src/db.rs", RUSQLITE), ("build.rs", &script.replace("false", "true"))]));
}

#[test]
fn the_setting_is_seen_beside_letters_of_more_than_a_byte() {
    for room in ["", " ", "  "] {
        let go = GO.replace("=1\")", &format!("=1\") //{room}\u{43a}\u{43b}\u{44e}\u{447}\u{438}"));
        assert!(loses(&[("db.go", &go)]), "{room:?}");
    }
    assert!(!loses(&[("db.go", &GO.replace("_foreign_keys=1", "user_fk=1"))]));
}

#[test]
fn who_runs_no_migrations_turns_nothing_off_for_them() {
    let importer = "package post

func bulk(db *sql.DB) {
	db.Exec(\"PRAGMA foreign_keys = OFF\")
	db.Exec(\"DELETE FROM parcels\")
}
";
    assert!(loses(&[("db.go", GO), ("importer.go", importer)]));
    let before = GO.replace("\tgoose", "\tdb.Exec(\"PRAGMA foreign_keys = OFF\")\n\tgoose");
    let (loses_rows, guesses) = found(&[("db.go", &before)]);
    assert!(!loses_rows);
    assert_eq!(
        guesses,
        [
            "foreign keys of `main` are enforced, as this sets them",
            "migrations of `main` run with foreign keys off, as this sets them"
        ]
    );
    // One function further up.
    let migrates = GO.replace("func Open() {", "func Migrate() {");
    let main = "package post

func main() {
	db.Exec(\"PRAGMA foreign_keys = OFF\")
	Migrate()
}
";
    assert!(!loses(&[("db.go", &migrates), ("main.go", main)]));
    let behind = main.replace("\tMigrate()\n", "").replace("{\n", "{\n\tMigrate()\n");
    assert!(loses(&[("db.go", &migrates), ("main.go", &behind)]));
}

#[test]
fn what_one_package_sets_holds_for_no_database_of_another() {
    let setting = "pub fn open(db: &Connection) { db.execute_batch(\"PRAGMA foreign_keys = ON\"); }\n";
    let opened = "db.execute_batch(\"CREATE TABLE cups (id INTEGER PRIMARY KEY)\")";
    let own = setting.replace("db.execute", &format!("{opened}; db.execute"));
    let parts = |of_migrations: &'static str| {
        [("Cargo.toml", "[workspace]\n"), ("cups/Cargo.toml", "[package]\n"), (of_migrations, "[package]\n")]
    };
    let with = |files: &[(&str, &str)]| loses(files);
    // Beside a database of its own, what it sets is for that.
    let [top, cups, own_package] = parts("migrations/Cargo.toml");
    assert!(!with(&[cups, own_package, ("cups/src/lib.rs", &own)]));
    assert!(with(&[cups, own_package, ("cups/src/lib.rs", setting)]));
    // Nor does it say anything of what a library does for another package.
    let library = ("migrations/src/db.rs", SQLX);
    assert!(with(&[cups, own_package, library, ("cups/src/lib.rs", &own)]));
    let off = "pub fn open() { SqliteConnectOptions::new().foreign_keys(false) }\n";
    assert!(!with(&[cups, own_package, library, ("cups/src/lib.rs", off)]));
    let own_off = off.replace("{ Sqlite", &format!("{{ {opened}; Sqlite"));
    assert!(with(&[cups, own_package, library, ("cups/src/lib.rs", &own_off)]));
    let plain = ("migrations/src/db.rs", RUSQLITE);
    assert!(!with(&[cups, own_package, plain, ("cups/src/lib.rs", &own)]));
    // One package lies within the other.
    assert!(with(&[top, cups, ("cups/src/lib.rs", &own)]));
}

#[test]
fn what_one_package_sets_holds_for_no_database_whose_own_file_opens_it_by_another_way() {
    let helper = "package sqlite\n\nvar pragmas = []string{\"PRAGMA foreign_keys = ON\"}\n\n\
                  func Open(path string) (*sql.DB, error) {\n\tdb, err := sql.Open(\"sqlite3\", path)\n\tfor _, one := range pragmas {\n\
                  \t\tif _, err := db.Exec(one); err != nil {\n\t\t\treturn nil, err\n\t\t}\n\t}\n\treturn db, err\n}\n";
    let store = |opening: &str| {
        format!(
            "package post\n\nconst schema = `CREATE TABLE offices (id INTEGER PRIMARY KEY);\n\
             CREATE TABLE parcels (id INTEGER PRIMARY KEY, office INTEGER REFERENCES offices (id))`\n\n\
             func connect(path string) (*sql.DB, error) {{\n\tdb, err := {opening}\n\tif err != nil {{\n\t\treturn nil, err\n\t}}\n\
             \t_, err = db.Exec(schema)\n\treturn db, err\n}}\n"
        )
    };
    let guesses = |opening: &str| {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("lib/sqlite/pool.go", helper), ("post/store.go", store(opening).as_str())] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        check(&CheckRequest::new(folder.path())).unwrap().to_string().contains("foreign keys of")
    };
    assert!(guesses("sqlite.Open(path)"));
    assert!(!guesses("sql.Open(\"sqlite3\", path)"));
}

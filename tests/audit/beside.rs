//! A file beside the program that uses it: what it lacks, and what that costs.

use crate::folder::{Folder, audit, make};
use crate::repository::Repository;
use std::fs;
use tempfile::TempDir;

const SCHEMA: &str = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, weight INTEGER, note TEXT);\n\
    CREATE INDEX parcels_depot ON parcels (depot);\n";

const PROGRAM: &str = "\
def take(db, depot, weight):
    db.execute('INSERT INTO parcels (depot, weight) VALUES (?, ?)', (depot, weight))


def at(db, depot):
    return db.execute('SELECT weight FROM parcels WHERE depot = ?', (depot,)).fetchall()


def heavy(db, weight):
    return db.execute('SELECT id FROM parcels WHERE weight = ?', (weight,)).fetchall()


def noted(db, id):
    return db.execute('SELECT note FROM parcels WHERE id = ?', (id,)).fetchall()
";

fn program() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("migrations")).unwrap();
    fs::write(tree.path().join("migrations/0001_init.sql"), SCHEMA).unwrap();
    fs::write(tree.path().join("migrations/0002_version.sql"), "PRAGMA user_version = 2;\n").unwrap();
    fs::write(tree.path().join("parcels.py"), PROGRAM).unwrap();
    tree
}

const OLDER: &str = "
    PRAGMA user_version = 1;
    CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, weight INTEGER);
    CREATE INDEX mine ON parcels (weight, depot);
    CREATE TABLE other (a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
    INSERT INTO parcels SELECT i, i % 1000, i FROM n;";

#[test]
fn a_missing_index_is_named_with_its_statements_and_what_they_read() {
    let (tree, folder) = (program(), Folder::with(OLDER));
    let before = folder.listing();
    let (exit, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
    assert_eq!(exit, 0, "{text}");
    assert!(before == folder.listing());
    for said in [
        "missing: index parcels_depot on parcels",
        "CREATE INDEX parcels_depot ON parcels (depot);",
        "parcels.py:6 reads at each call",
        "to create it reads",
        "missing: column note of parcels",
        "not declared: table other",
        "not declared: index mine of parcels",
        "parcels.py:14 fails on this file: no such column: note",
        "its user_version is 1, and 2 when all migrations have run",
        "1 of its 1 tables",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(text.matches("parcels.py:6 reads at each call").count(), 1, "{text}");
    // The index that the program does not declare serves here.
    assert!(!text.contains("parcels.py:10"), "{text}");
}

#[test]
fn what_is_said_is_in_the_json() {
    let (tree, folder) = (program(), Folder::with(OLDER));
    let source = tree.path().to_str().unwrap();
    let (_, text) = audit(&folder.file(), &["--source", source, "--format", "json"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(said["version"], 1);
    let missing = &said["program"][0]["missing_indexes"][0];
    assert_eq!(missing["name"], "parcels_depot");
    let statement = &missing["statements"][0];
    assert_eq!(statement["place"]["line"], 6);
    let rows = statement["reads"][0]["rows"].as_f64().unwrap();
    assert!((rows / 50_000.0 - 1.0).abs() < 0.05, "{statement}");
    assert!(statement["bytes"].as_u64() > Some(400_000), "{statement}");
    let created = missing["creation"]["index_bytes"].as_f64().unwrap();
    make(&folder.file(), "CREATE INDEX parcels_depot ON parcels (depot)");
    let (_, text) = audit(&folder.file(), &["--source", source, "--format", "json", "--pages", "100000"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(said["program"][0]["missing_indexes"].as_array().unwrap().len(), 0);
    let indexes =
        said["tables"].as_array().unwrap().iter().flat_map(|table| table["indexes"].as_array().unwrap());
    let index = indexes.into_iter().find(|index| index["name"] == "parcels_depot").unwrap();
    let bytes = index["size"]["bytes"].as_f64().unwrap();
    assert!((created / bytes - 1.0).abs() < 0.15, "{created} for {bytes}");
}

#[test]
fn an_index_whose_name_is_taken_by_another_is_one_entry_and_its_sql_runs() {
    let tree = program();
    let more = "CREATE TABLE stops (id INTEGER PRIMARY KEY, parcel INTEGER);\nCREATE INDEX stops_id ON stops (id, parcel);\n\
        CREATE INDEX stops_spare ON stops (id, parcel, id);\nCREATE TABLE doubles (word TEXT PRIMARY KEY, word2 TEXT UNIQUE);\n\
        CREATE UNIQUE INDEX doubles_word2 ON doubles (word2);\n";
    fs::write(tree.path().join("migrations/0003_more.sql"), more).unwrap();
    let folder = Folder::with(&format!("{SCHEMA}{more}"));
    make(
        &folder.file(),
        "DROP INDEX parcels_depot; CREATE INDEX parcels_depot ON parcels (weight);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
         INSERT INTO parcels SELECT i, i % 1000, i, NULL FROM n;",
    );
    let source = tree.path().to_str().unwrap();
    let (exit, text) = audit(&folder.file(), &["--source", source]);
    assert_eq!(exit, 0, "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "missing: index parcels_depot on parcels; the file has another index of this name",
        "there: CREATE INDEX parcels_depot ON parcels (weight)",
        "DROP INDEX parcels_depot; CREATE INDEX parcels_depot ON parcels (depot);",
        "to create it reads",
        "found in the schema of the program:",
        "(redundant-index)",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("not declared"), "{text}");
    let (_, text) = audit(&folder.file(), &["--source", source, "--format", "json"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let program = &said["program"][0];
    assert_eq!(program["differences"].as_array().unwrap().len(), 1, "{program}");
    assert_eq!(program["differences"][0]["property"], "definition");
    make(&folder.file(), program["missing_indexes"][0]["sql"].as_str().unwrap());
    let (_, text) = audit(&folder.file(), &["--source", source]);
    assert!(text.contains("as declared: no difference"), "{text}");
}

#[test]
fn plans_are_those_of_the_statistics_of_the_file() {
    let folder = Folder::with(OLDER);
    // What ANALYZE saw has SQLite walk the table, though there is an index.
    make(
        &folder.file(),
        "CREATE INDEX parcels_depot ON parcels (depot); UPDATE parcels SET depot = 1; ANALYZE;",
    );
    let sql = "SELECT weight FROM parcels WHERE depot = ?";
    let audited = planlint::audit::audit(&folder.file(), 300).unwrap();
    let mut copy = audited.in_memory(&planlint::schema::Settings::default()).unwrap();
    let plan = copy.live.explain(sql).unwrap().plan.lines().join("; ");
    let connection = rusqlite::Connection::open(folder.file()).unwrap();
    let explain = format!("EXPLAIN QUERY PLAN {sql}");
    let there: String = connection.query_row(&explain, [1], |row| row.get(3)).unwrap();
    assert_eq!(plan, there);
    assert!(plan.starts_with("SCAN"), "{plan}");
}

#[test]
fn temporary_tables_are_the_programs_and_not_missed_in_the_file() {
    let tree = program();
    let more = "\n\ndef picked(db):\n    db.execute('CREATE TEMP TABLE picked (depot INTEGER)')\n    db.execute('INSERT INTO picked SELECT depot FROM parcels WHERE id = 1')\n    return db.execute('SELECT id FROM parcels WHERE depot IN (SELECT depot FROM picked)').fetchall()\n";
    fs::write(tree.path().join("parcels.py"), format!("{PROGRAM}{more}")).unwrap();
    let folder = Folder::with(SCHEMA);
    let (exit, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
    assert!(exit == 0 && !text.contains("fails on this file"), "{text}");
}

#[test]
fn a_file_of_another_program_is_said_to_be_one() {
    let (tree, folder) = (program(), Folder::with("CREATE TABLE elsewhere (a);"));
    let (exit, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
    assert!(exit == 0 && text.contains("has a table of this file"), "{text}");
}

#[test]
fn a_file_that_holds_two_databases_of_the_program_is_held_against_both() {
    let tree = program();
    fs::create_dir_all(tree.path().join("stock/migrations")).unwrap();
    let stock = "CREATE TABLE goods (name TEXT, count INTEGER);\nCREATE INDEX goods_name ON goods (name);\n";
    fs::write(tree.path().join("stock/migrations/0001_init.sql"), stock).unwrap();
    let folder = Folder::with(&format!("{SCHEMA} {stock} DROP INDEX goods_name;"));
    let (exit, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
    assert_eq!(exit, 0, "{text}");
    assert_eq!(text.matches("beside the program: database").count(), 2, "{text}");
    assert!(text.contains("missing: index goods_name on goods") && !text.contains("not declared"), "{text}");
}

#[test]
fn rows_of_one_key_are_counted_by_the_statistics() {
    let tree = program();
    let unique = "CREATE UNIQUE INDEX parcels_weight ON parcels (weight);";
    fs::write(tree.path().join("migrations/0003_weight.sql"), unique).unwrap();
    let more = "\n\ndef both(db, depot, weight):\n    return db.execute('SELECT id FROM parcels WHERE depot = ? AND weight = ?', (depot, weight)).fetchall()\n";
    fs::write(tree.path().join("parcels.py"), format!("{PROGRAM}{more}")).unwrap();
    // Without the index that the program relies on, SQLite goes by another, where many rows have one key.
    let folder = Folder::with(&OLDER.replace("CREATE INDEX mine ON parcels (weight, depot);", ""));
    make(
        &folder.file(),
        "CREATE INDEX parcels_depot ON parcels (depot); UPDATE parcels SET depot = id % 20; ANALYZE;",
    );
    let (_, text) = audit(&folder.file(), &["--source", tree.path().to_str().unwrap(), "--format", "json"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let statements = said["program"][0]["missing_indexes"][0]["statements"].as_array().unwrap();
    let statement = statements.iter().find(|one| one["place"]["line"] == 18).unwrap();
    assert_eq!(statement["reads"][0]["average"], true, "{statement}");
    let rows = statement["reads"][0]["rows"].as_f64().unwrap();
    assert!((rows / 2500.0 - 1.0).abs() < 0.05, "{statement}");
}

#[test]
fn the_release_that_left_such_a_schema_is_named() {
    let repository = Repository::empty();
    repository.write("migrations/0001_init.sql", SCHEMA);
    repository.write("parcels.py", PROGRAM);
    repository.commit();
    repository.git(&["tag", "v1.0"]);
    repository.write("migrations/0002_kind.sql", "ALTER TABLE parcels ADD COLUMN kind TEXT;");
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.write("migrations/0003_more.sql", "CREATE TABLE more (a);");
    repository.commit();
    for (sql, said) in [
        (SCHEMA.to_owned(), "as v1.0 left it: no difference"),
        (format!("{SCHEMA} ALTER TABLE parcels ADD COLUMN kind TEXT;"), "as v1.1 left it: no difference"),
        (
            format!("{SCHEMA} ALTER TABLE parcels ADD COLUMN kind TEXT; CREATE TABLE more (a);"),
            "as declared: no difference",
        ),
    ] {
        let folder = Folder::with(&sql);
        let (exit, text) = audit(&folder.file(), &["--source", repository.path().to_str().unwrap()]);
        assert!(exit == 0 && text.contains(said), "{said}: {text}");
    }
}

#[test]
fn of_releases_that_left_the_same_schema_the_user_version_tells() {
    let repository = Repository::empty();
    repository.write("parcels.py", PROGRAM);
    repository.write("migrations/0001_init.sql", SCHEMA);
    for version in 1..4 {
        repository.write(
            &format!("migrations/000{}_step.sql", version + 1),
            &format!("PRAGMA user_version = {version};"),
        );
        repository.commit();
        repository.git(&["tag", &format!("v1.{version}")]);
    }
    for (version, said) in [
        (1, "as v1.1 left it: no difference"),
        (2, "as v1.2 left it: no difference"),
        (3, "as declared: no difference"),
        (9, "as declared: no difference"),
    ] {
        let folder = Folder::with(&format!("{SCHEMA} PRAGMA user_version = {version};"));
        let (exit, text) = audit(&folder.file(), &["--source", repository.path().to_str().unwrap()]);
        assert!(exit == 0 && text.contains(said), "{said}: {text}");
    }
}

#[test]
fn an_audit_exits_with_0_where_the_file_was_read_and_with_2_where_it_was_not() {
    let (tree, folder) = (program(), Folder::with(OLDER));
    let source = tree.path().to_str().unwrap();
    let (exit, text) = audit(&folder.file(), &["--source", source]);
    assert!(exit == 0 && text.contains("missing: index"), "{text}");
    // The same program fails a check: what that finds is no fault of the audit's.
    fs::write(tree.path().join("planlint.toml"), "fail-on = \"note\"\n").unwrap();
    assert_eq!(audit(&folder.file(), &["--source", source]).0, 0);
    fs::write(tree.path().join("planlint.toml"), "fail-no = 1\n").unwrap();
    assert_eq!(audit(&folder.file(), &["--source", source]).0, 2);
    assert_eq!(audit(&folder.file(), &[]).0, 0);
    assert_eq!(audit(&folder.path().join("none.db"), &[]).0, 2);
    assert_eq!(audit(&folder.file(), &["--pages", "none"]).0, 2);
}

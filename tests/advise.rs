//! What is advised heals: it is written as the next migration, and then there is nothing left to advise.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use planlint::{
    CheckRequest, report,
    run::{Manner, advise},
};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const PROGRAM: &str = "\
def take(db, depot, shelf, weight):
    db.execute('INSERT INTO parcels (depot, shelf, weight) VALUES (?, ?, ?)', (depot, shelf, weight))


def at(db, depot):
    return db.execute('SELECT weight FROM parcels WHERE depot = ?', (depot,)).fetchall()


def on(db, depot, shelf):
    return db.execute('SELECT weight FROM parcels WHERE depot = ? AND shelf = ?', (depot, shelf)).fetchall()


def heavy(db):
    return db.execute(\"SELECT id FROM parcels WHERE weight LIKE '%9'\").fetchall()
";

fn tree(migration: (&str, &str)) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    let (path, head) = migration;
    let path = tree.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);\n\
                CREATE INDEX parcels_depot ON parcels (depot);\n";
    fs::write(path, format!("{head}{made}")).unwrap();
    let more = PROGRAM.replace("def at(", "def newest(db, depot):\n    return db.execute('SELECT id FROM parcels WHERE shelf = ? ORDER BY weight LIMIT 3', (depot,)).fetchall()\n\n\ndef at(");
    fs::write(tree.path().join("parcels.py"), more).unwrap();
    tree
}

fn told(tree: &Path, writes: bool) -> String {
    let manner = Manner { writes, ..Manner::default() };
    let advice = advise(&CheckRequest::new(tree), manner).unwrap();
    report::advice::render(&advice)
}

#[test]
fn what_is_advised_and_written_heals() {
    for (file, head, next) in [
        ("db/migrations/0001_init.sql", "", "db/migrations/0002_add_indexes.sql"),
        ("db/migrations/1.init.sql", "", "db/migrations/2.add_indexes.sql"),
        ("db/migrations/000007_init.up.sql", "", "db/migrations/000008_add_indexes.up.sql"),
        ("db/migrations/00001_init.sql", "-- +goose Up\n", "db/migrations/00002_add_indexes.sql"),
    ] {
        let tree = tree((file, head));
        let before = told(tree.path(), true);
        assert!(before.contains("CREATE INDEX parcels_shelf_weight ON parcels (shelf, weight);"), "{before}");
        assert!(before.contains(&format!("written: {next}")), "{before}");
        let written = fs::read_to_string(tree.path().join(next)).unwrap();
        assert!(written.contains("CREATE INDEX parcels_shelf_weight"), "{written}");
        assert_eq!(written.starts_with("-- +goose Up"), !head.is_empty(), "{written}");
        if next.ends_with(".up.sql") {
            let down = fs::read_to_string(tree.path().join(next.replace(".up.", ".down."))).unwrap();
            assert_eq!(down, "DROP INDEX parcels_shelf_weight;\n");
        }
        let after = told(tree.path(), true);
        assert!(!after.contains("CREATE INDEX"), "{after}");
    }
}

#[test]
fn nothing_is_written_over() {
    let tree = tree(("migrations/0001_init.sql", ""));
    // A number that is taken by what is no SQL is not taken again.
    fs::write(tree.path().join("migrations/0002_add_indexes.sql"), "-- to be done\n").unwrap();
    let text = told(tree.path(), true);
    assert!(text.contains("written: migrations/0003_add_indexes.sql"), "{text}");
    let kept = fs::read_to_string(tree.path().join("migrations/0002_add_indexes.sql")).unwrap();
    assert_eq!(kept, "-- to be done\n");
}

/// What is told of a file of code with what runs on its table, and the file after its patch; `None` where there is none.
fn patched(name: &str, made: &str) -> (String, Option<String>) {
    let uses = match name.rsplit_once('.').unwrap().1 {
        "py" => {
            "\ndef put(db, owner):\n    db.execute('INSERT INTO jobs (owner) VALUES (?)', (owner,))\n\n\
             def of(db, owner):\n    return db.execute('SELECT id FROM jobs WHERE owner = ?', (owner,)).fetchall()\n"
        }
        "go" => {
            "\nfunc Put(db *sql.DB, owner int) {\n\tdb.Exec(\"INSERT INTO jobs (owner) VALUES (?)\", owner)\n}\n\n\
             func Of(db *sql.DB, owner int) (*sql.Rows, error) {\n\
             \treturn db.Query(\"SELECT id FROM jobs WHERE owner = ?\", owner)\n}\n"
        }
        "rs" => {
            "\npub fn put(db: &Connection, owner: i64) {\n    \
                 db.execute(\"INSERT INTO jobs (owner) VALUES (?1)\", [owner]).unwrap();\n}\n\n\
             pub fn of(db: &Connection, owner: i64) -> i64 {\n    \
                 db.query_row(\"SELECT id FROM jobs WHERE owner = ?1\", [owner], |row| row.get(0)).unwrap()\n}\n"
        }
        _ => "",
    };
    let tree = tempfile::tempdir().unwrap();
    let path = tree.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("{made}{uses}")).unwrap();
    let text = told(tree.path(), true);
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{made}{uses}"), "a patch is not applied");
    assert!(!told(tree.path(), false).contains("+++"), "{text}");
    if !text.contains("+++ ") {
        return (text, None);
    }
    // The whole report: who applies it passes over what is no diff.
    fs::write(tree.path().join("report"), &text).unwrap();
    let git = Command::new("git").args(["apply", "report"]).current_dir(tree.path()).output().unwrap();
    assert!(git.status.success(), "{git:?}\n{text}");
    let after = told(tree.path(), true);
    assert!(!after.contains("CREATE INDEX"), "{text}\n{after}");
    (text, Some(fs::read_to_string(path).unwrap()))
}

const JOBS: &str = "(id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, done INTEGER)";

#[test]
fn a_list_of_migrations_in_code_gets_one_more_element() {
    let index = "CREATE INDEX jobs_owner ON jobs (owner)";
    for (name, head, foot, last, next) in [
        (
            "jobs.py",
            "MIGRATIONS = [\n",
            "]\n",
            "    'ALTER TABLE jobs ADD COLUMN kind'",
            format!("    '{index}'"),
        ),
        (
            "jobs.go",
            "package jobs\n\nvar migrations = []string{\n",
            "}\n",
            "\t`ALTER TABLE jobs ADD COLUMN kind;`",
            format!("\t`{index};`"),
        ),
        (
            "src/jobs.rs",
            "fn migrations() -> Migrations<'static> {\n    Migrations::new(vec![\n",
            "    ])\n}\n",
            "        M::up(r#\"ALTER TABLE jobs ADD COLUMN kind;\"#)",
            format!("        M::up(r#\"{index};\"#)"),
        ),
    ] {
        let indent: String = last.chars().take_while(|one| one.is_whitespace()).collect();
        let first =
            last.trim().replace("ALTER TABLE jobs ADD COLUMN kind", &format!("CREATE TABLE jobs {JOBS}"));
        // With a comma behind the last, or a comment; Go knows no list over lines without it.
        for (comma, note) in [(",", ""), (",", " // as asked"), ("", "")] {
            if name.ends_with("go") && comma.is_empty() {
                continue;
            }
            let note = if name.ends_with("py") { note.replace("//", "#") } else { note.to_owned() };
            let made = format!("{head}{indent}{first},\n{last}{comma}{note}\n{foot}");
            let (text, after) = patched(name, &made);
            let after = after.expect(&text);
            assert!(after.contains(&format!("{last},{note}\n{next}{comma}\n{foot}")), "{after}");
            assert!(text.contains("not written: a patch to read, not applied: behind "), "{text}");
        }
    }
}

#[test]
fn what_runs_at_every_open_gets_an_index_that_may_be_there() {
    let index = "CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner)";
    let (one, other) =
        (format!("CREATE TABLE IF NOT EXISTS jobs {JOBS}"), "CREATE TABLE IF NOT EXISTS owners (id INTEGER)");
    for (name, made, expected) in [
        (
            "jobs.py",
            format!(
                "def open_jobs(db):\n    db.executescript(\"\"\"\n        {one};\n        {other}\n    \"\"\")\n"
            ),
            format!("        {other};\n        {index};\n    \"\"\")\n"),
        ),
        (
            "jobs.py",
            format!(
                "def open_jobs(db):\n    for sql in ('{one}',\n                '{other}'):\n        db.execute(sql)\n"
            ),
            format!("'{other}',\n                '{index}'):\n"),
        ),
        (
            "jobs.go",
            format!(
                "package jobs\n\nfunc Open(db *sql.DB) {{\n\tfor _, text := range []string{{\n\t\t\"{one}\",\n\t\t\"{other}\",\n\t}} {{\n\t\tdb.Exec(text)\n\t}}\n}}\n"
            ),
            format!("\t\t\"{index}\",\n\t}} {{\n"),
        ),
        (
            "jobs.go",
            format!(
                "package jobs\n\nconst schema = `\n{one};\n{other};\n`\n\nfunc Open(db *sql.DB) {{\n\tdb.Exec(schema)\n}}\n"
            ),
            format!("{other};\n{index};\n`\n"),
        ),
        (
            "src/jobs.rs",
            format!(
                "const SCHEMA: &str = \"{one}; {other};\";\n\npub fn open(db: &Connection) {{\n    db.execute_batch(SCHEMA).unwrap();\n}}\n"
            ),
            format!("{other}; {index};\";\n"),
        ),
        (
            "src/jobs.rs",
            format!(
                "const SCHEMA: &[&str] = &[\"{one}\", \"{other}\"];\n\npub fn open(db: &Connection) {{\n    for sql in SCHEMA {{\n        db.execute(sql, []).unwrap();\n    }}\n}}\n"
            ),
            format!("\"{other}\", \"{index}\"];\n"),
        ),
    ] {
        let (text, after) = patched(name, &made);
        let after = after.expect(&text);
        assert!(after.contains(&expected), "{after}");
    }
}

#[test]
fn where_it_is_not_sure_the_place_is_said_and_no_patch() {
    let table = format!("CREATE TABLE jobs {JOBS}");
    let open = format!("CREATE TABLE IF NOT EXISTS jobs {JOBS}");
    for (name, made, expected) in [
        // One version each, under a number.
        (
            "src/jobs.rs",
            format!(
                "const SCHEMA_1: &[&str] = &[\"{table}\"];\nconst SCHEMA_2: &[&str] = &[\n    \"ALTER TABLE jobs ADD COLUMN kind\",\n    \"CREATE TABLE owners (id INTEGER)\",\n];\n"
            ),
            "by hand, as a new version behind src/jobs.rs:4: CREATE INDEX jobs_owner ON jobs (owner)",
        ),
        (
            "jobs.py",
            format!(
                "def migrate_1(db):\n    db.execute('{table}')\n\n\ndef migrate_2(db):\n    db.execute('ALTER TABLE jobs ADD COLUMN kind')\n"
            ),
            "by hand, as a new version behind jobs.py:6: CREATE INDEX jobs_owner ON jobs (owner)",
        ),
        // So many elements, and no more.
        (
            "src/jobs.rs",
            format!(
                "const MIGRATIONS: [&str; 2] = [\n    \"{table}\",\n    \"ALTER TABLE jobs ADD COLUMN kind\",\n];\n"
            ),
            "by hand, as a new version behind src/jobs.rs:3: ",
        ),
        (
            "jobs.go",
            format!(
                "package jobs\n\nconst version = 2\n\nvar migrations = []string{{\n\t`{table}`,\n\t`ALTER TABLE jobs ADD COLUMN kind`,\n}}\n"
            ),
            "by hand, as a new version behind jobs.go:7: ",
        ),
        // Only one statement is run.
        (
            "jobs.py",
            format!("def open_jobs(db):\n    db.execute('{open}')\n"),
            "by hand, behind jobs.py:2: CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner)",
        ),
        // The text is put together.
        (
            "jobs.go",
            format!(
                "package jobs\n\nfunc Open(db *sql.DB) {{\n\tdb.Exec(`{open};` +\n\t\t`CREATE TABLE IF NOT EXISTS owners (id INTEGER);`)\n}}\n"
            ),
            "by hand, behind jobs.go:4: CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner)",
        ),
    ] {
        let (text, after) = patched(name, &made);
        assert_eq!(after, None, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_file_that_runs_at_every_open_is_added_to() {
    let tree = tree(("schema.sql", ""));
    let lenient = "CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);";
    fs::write(tree.path().join("schema.sql"), lenient).unwrap();
    let text = told(tree.path(), true);
    assert!(text.contains("+++ b/schema.sql\n@@ -1,1 +1,"), "{text}");
    assert!(text.contains("\n\\ No newline at end of file\n+CREATE TABLE IF NOT EXISTS parcels"), "{text}");
    assert!(
        text.contains("+CREATE INDEX IF NOT EXISTS parcels_shelf_weight ON parcels (shelf, weight);\n"),
        "{text}"
    );
    fs::write(tree.path().join("report"), &text).unwrap();
    let git = Command::new("git").args(["apply", "report"]).current_dir(tree.path()).output().unwrap();
    assert!(git.status.success(), "{git:?}\n{text}");
    assert!(!told(tree.path(), true).contains("CREATE INDEX"));
}

#[test]
fn numbered_files_that_all_run_at_every_open_are_followed_by_one_that_may_run_again() {
    let told_with = |runner: &str| {
        let tree = tree(("migrations/0001_init.sql", ""));
        let made = "CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, depot INTEGER NOT NULL, shelf INTEGER NOT NULL, weight INTEGER);\n";
        fs::write(tree.path().join("migrations/0001_init.sql"), made).unwrap();
        fs::write(tree.path().join("opening.py"), runner).unwrap();
        let text = told(tree.path(), true);
        assert!(text.contains("written: migrations/0002_add_indexes.sql"), "{text}");
        fs::read_to_string(tree.path().join("migrations/0002_add_indexes.sql")).unwrap()
    };
    let every = "def open_store(db):\n    for path in sorted(Path('migrations').glob('*.sql')):\n        db.executescript(path.read_text())\n";
    let counted = "def open_store(db):\n    version = db.execute('PRAGMA user_version').fetchone()[0]\n    for path in sorted(Path('migrations').glob('*.sql'))[version:]:\n        db.executescript(path.read_text())\n";
    assert!(told_with(every).starts_with("CREATE INDEX IF NOT EXISTS "), "{}", told_with(every));
    assert!(told_with(counted).starts_with("CREATE INDEX parcels"), "{}", told_with(counted));
}

#[test]
fn no_file_is_of_a_time_before_the_last() {
    let tree = tree(("migrations/29991231120059_init.sql", ""));
    let text = told(tree.path(), true);
    assert!(text.contains("written: migrations/29991231120100_add_indexes.sql"), "{text}");
}

#[test]
fn what_is_not_proved_is_not_advised() {
    let told_of = |column: &str| {
        let tree = tempfile::tempdir().unwrap();
        let text = format!(
            "def open_jobs(db):\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, {column} NOT NULL, done INTEGER)')\n\n\
             def put(db, owner):\n    \
                 db.execute('INSERT INTO jobs (owner) VALUES (?)', (owner,))\n\n\
             def of(db):\n    \
                 return db.execute(\"SELECT id FROM jobs WHERE owner LIKE 'ab%'\").fetchall()\n"
        );
        fs::write(tree.path().join("jobs.py"), text).unwrap();
        told(tree.path(), false)
    };
    let proved = told_of("owner TEXT COLLATE NOCASE");
    assert!(proved.contains("CREATE INDEX jobs_owner ON jobs (owner);"), "{proved}");
    // The order of the table is another than that of LIKE: the index has its own.
    let other = told_of("owner TEXT");
    assert!(other.contains("CREATE INDEX jobs_owner_nocase ON jobs (owner COLLATE NOCASE);"), "{other}");
    // No index is narrowed by LIKE where numbers may stand.
    let unproved = told_of("owner INTEGER");
    assert!(!unproved.contains("CREATE INDEX"), "{unproved}");
    assert!(unproved.contains("no index heals any of 1 statement"), "{unproved}");
    assert!(
        unproved.contains("no index heals, see `planlint explain` of the place:\n    jobs.py:8\n"),
        "{unproved}"
    );
}

#[test]
fn the_price_of_an_index_is_that_of_its_keys() {
    let told = |column: &str, given: &str| {
        let tree = tempfile::tempdir().unwrap();
        let text = format!(
            "def open_depot(db):\n    \
                 db.execute('CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY, {column} NOT NULL, weight INTEGER)')\n\n\
             def put(db, one, weight):\n    \
                 db.execute('INSERT INTO parcels ({given}weight) VALUES (?, ?)', (one, weight))\n\n\
             def move(db, one, id):\n    \
                 db.execute('UPDATE parcels SET {name} = ? WHERE id = ?', (one, id))\n\n\
             def find(db, one):\n    \
                 return db.execute('SELECT weight FROM parcels WHERE {name} = ?', (one,)).fetchall()\n",
            name = column.split(' ').next().unwrap(),
        );
        fs::write(tree.path().join("parcels.py"), text).unwrap();
        let manner = Manner { measures: true, ..Manner::default() };
        advise(&CheckRequest::new(tree.path()), manner).unwrap()
    };
    for (column, order, pages) in [
        ("label_hash BLOB", "random", 1.0..1.4),
        ("sent_at INTEGER", "ordered", 0.0..0.02),
        ("depot INTEGER", "unknown", 0.0..0.02),
    ] {
        let given = format!("{}, ", column.split(' ').next().unwrap());
        let advised = told(column, &given);
        let price = advised.databases.iter().flat_map(|one| &one.indexes).find_map(|one| one.price.as_ref());
        let price = price.unwrap();
        assert_eq!(price.order, order, "{column}");
        assert!(pages.contains(&(price.after.0 - price.before.0)), "{column}: {price:?}");
        assert_eq!(price.updates.len(), 1, "{column}: {price:?}");
        let measured = price.measured.as_ref().unwrap();
        let off = (measured.pages.1 - measured.pages.0) / (measured.predicted.1 - measured.predicted.0);
        assert!((0.8..1.25).contains(&off) || measured.pages.1 < 0.1, "{column}: {measured:?}");
        let text = report::advice::render(&advised);
        assert!(text.contains("    a row writes ") && text.contains("    measured: "), "{text}");
        let json = report::json::render_advice(&advised);
        assert!(json.starts_with("{\"version\":1,"), "{json}");
        assert!(json.contains("\"price\":{\"rows\":1000000,\"per_transaction\":1000,"), "{json}");
    }
}

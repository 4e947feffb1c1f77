//! Where code makes the schema, what is advised is a patch: git takes it, and then there is nothing left to advise.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use planlint::{
    CheckRequest, report,
    run::{Manner, advise},
};
use std::fs;
use std::path::Path;
use std::process::Command;

fn told(tree: &Path, writes: bool) -> String {
    let manner = Manner { writes, ..Manner::default() };
    let advice = advise(&CheckRequest::new(tree), manner).unwrap();
    report::advice::render(&advice, 1_000)
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
            assert!(text.contains("not written: a patch to read, not applied: after "), "{text}");
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
            "by hand, as a new version after src/jobs.rs:4: CREATE INDEX jobs_owner ON jobs (owner)",
        ),
        (
            "jobs.py",
            format!(
                "def migrate_1(db):\n    db.execute('{table}')\n\n\ndef migrate_2(db):\n    db.execute('ALTER TABLE jobs ADD COLUMN kind')\n"
            ),
            "by hand, as a new version after jobs.py:6: CREATE INDEX jobs_owner ON jobs (owner)",
        ),
        // So many elements, and no more.
        (
            "src/jobs.rs",
            format!(
                "const MIGRATIONS: [&str; 2] = [\n    \"{table}\",\n    \"ALTER TABLE jobs ADD COLUMN kind\",\n];\n"
            ),
            "by hand, as a new version after src/jobs.rs:3: ",
        ),
        (
            "jobs.go",
            format!(
                "package jobs\n\nconst version = 2\n\nvar migrations = []string{{\n\t`{table}`,\n\t`ALTER TABLE jobs ADD COLUMN kind`,\n}}\n"
            ),
            "by hand, as a new version after jobs.go:7: ",
        ),
        (
            "jobs.py",
            format!(
                "MIGRATIONS = [\n    '{table}',\n    'ALTER TABLE jobs ADD COLUMN kind',\n]\n\n\ndef done(db):\n    db.execute('PRAGMA user_version = 2')\n"
            ),
            "by hand, as a new version after jobs.py:3: ",
        ),
        // Only one statement is run.
        (
            "jobs.py",
            format!("def open_jobs(db):\n    db.execute('{open}')\n"),
            "by hand, after jobs.py:2: CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner)",
        ),
        // The text is put together.
        (
            "jobs.go",
            format!(
                "package jobs\n\nfunc Open(db *sql.DB) {{\n\tdb.Exec(`{open};` +\n\t\t`CREATE TABLE IF NOT EXISTS owners (id INTEGER);`)\n}}\n"
            ),
            "by hand, after jobs.go:4: CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner)",
        ),
    ] {
        let (text, after) = patched(name, &made);
        assert_eq!(after, None, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn indexes_of_several_tables_go_into_one_list_together() {
    let made = format!(
        "SCHEMA = [\n    \"CREATE TABLE IF NOT EXISTS jobs {JOBS}\",\n    \"CREATE TABLE IF NOT EXISTS visits {JOBS}\"\n]\n\n\n\
         def open_jobs(db):\n    for sql in SCHEMA:\n        db.execute(sql)\n\n\n\
         def visit(db, owner):\n    db.execute('INSERT INTO visits (owner) VALUES (?)', (owner,))\n\n\n\
         def visits(db, owner):\n    return db.execute('SELECT id FROM visits WHERE owner = ?', (owner,)).fetchall()\n\n"
    );
    let (text, after) = patched("jobs.py", &made);
    let after = after.expect(&text);
    for index in ["jobs_owner ON jobs", "visits_owner ON visits"] {
        assert!(after.contains(&format!("    \"CREATE INDEX IF NOT EXISTS {index} (owner)\"")), "{after}");
    }
    let json = {
        let tree = tempfile::tempdir().unwrap();
        fs::write(tree.path().join("jobs.py"), made).unwrap();
        let manner = Manner { writes: true, ..Manner::default() };
        report::json::render_advice(&advise(&CheckRequest::new(tree.path()), manner).unwrap())
    };
    assert!(json.contains("\"patch\":\"--- a/jobs.py\\n+++ b/jobs.py\\n@@ -1,"), "{json}");
}

#[test]
fn an_index_that_is_made_at_every_open_is_not_dropped_at_every_open() {
    let made = format!(
        "const SCHEMA: &str = \"\n    CREATE TABLE IF NOT EXISTS jobs {JOBS};\n    \
             CREATE INDEX IF NOT EXISTS jobs_by_owner ON jobs (owner);\n\";\n\n\
         pub fn open(db: &Connection) {{\n    db.execute_batch(SCHEMA).unwrap();\n}}\n\n\
         pub fn last(db: &Connection, owner: i64) -> i64 {{\n    \
             db.query_row(\"SELECT id FROM jobs WHERE owner = ?1 ORDER BY done DESC LIMIT 1\", [owner], |row| row.get(0)).unwrap()\n}}\n"
    );
    let (text, after) = patched("src/jobs.rs", &made);
    let after = after.expect(&text);
    assert!(
        after.contains("CREATE INDEX IF NOT EXISTS jobs_owner_done") && !after.contains("DROP"),
        "{after}"
    );
    let by_hand = "by hand, instead of its CREATE INDEX at src/jobs.rs:1: DROP INDEX IF EXISTS jobs_by_owner";
    assert!(text.contains(by_hand), "{text}");
}

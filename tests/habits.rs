//! Whether the steps of a database run in a transaction, as the tools that run them do it, and the texts that undo them.

#![cfg(test)]

use planlint::{
    config::{self, Config},
    extract,
    migration::{self, Declaration},
    run::{CheckRequest, facts},
    source::{Source, Sources},
};

type Files<'a> = &'a [(&'a str, &'a str)];

const TABLE: &str = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, weight INTEGER NOT NULL);\n";
const COLUMN: &str = "ALTER TABLE parcels ADD COLUMN barcode TEXT;\n";

/// The database of a program, with its sources.
fn declared(files: Files<'_>, config: &Config) -> (Sources, Declaration) {
    let sources = Sources::of(files.iter().map(|(path, text)| Source::new(*path, *text)).collect());
    let extraction = extract::extract(&sources, &|_| false);
    let mut declared = migration::declarations(config, &sources, &extraction).unwrap();
    assert_eq!(declared.len(), 1, "{declared:#?}");
    (sources, declared.remove(0))
}

/// Whether each step is run in a transaction.
fn wrapped(files: Files<'_>) -> Vec<Option<bool>> {
    let (_, one) = declared(files, &Config::default());
    one.steps.iter().map(|step| step.wrapped).collect()
}

/// What is said of how the steps are run, with its place.
fn said(files: Files<'_>) -> Vec<String> {
    let (sources, one) = declared(files, &Config::default());
    let place = |site: planlint::source::Site| {
        let line = sources.get(site.source).map_or(0, |source| source.position(site.start).line);
        format!("{}:{line}", sources.path(site.source))
    };
    one.guesses.iter().map(|(site, text)| format!("{} {text}", place(*site))).collect()
}

/// The text that undoes each step, trimmed, and the file and the byte at which it stands.
fn downs(files: Files<'_>) -> Vec<Option<(String, String, u32)>> {
    let (sources, one) = declared(files, &Config::default());
    let down = |step: &migration::Step| {
        let text = step.down.as_ref()?;
        let (source, at) = text.locate(0)?;
        Some((text.as_str().trim().to_owned(), sources.path(source).to_owned(), at))
    };
    one.steps.iter().map(down).collect()
}

#[test]
fn tools_are_told_by_their_marks_and_heed_those_who_opt_out() {
    let second = format!("-- +goose NO TRANSACTION\n-- +goose Up\n{COLUMN}");
    let first = format!("-- +goose Up\n{TABLE}-- +goose Down\nDROP TABLE parcels;\n");
    let goose = [("db/m/1_init.sql", first.as_str()), ("db/m/2_more.sql", second.as_str())];
    assert_eq!(wrapped(&goose), [Some(true), Some(false)]);
    assert_eq!(
        said(&goose),
        ["db/m/1_init.sql:1 goose runs the steps of m in a transaction, but for 1 of them"]
    );
    let (first, second) =
        (format!("-- migrate:up\n{TABLE}"), format!("-- migrate:up transaction:false\n{COLUMN}"));
    assert_eq!(
        wrapped(&[("db/m/1_init.sql", &first), ("db/m/2_more.sql", &second)]),
        [Some(true), Some(false)]
    );
}

#[test]
fn tools_are_told_by_the_code_that_calls_them() {
    let second = format!("-- no-transaction\n{COLUMN}");
    let rust = ("src/db.rs", "pub async fn open(pool: &Pool) {\n    sqlx::migrate!().run(pool).await\n}\n");
    let sqlx = [("migrations/1_init.sql", TABLE), ("migrations/2_more.sql", &second), rust];
    assert_eq!(wrapped(&sqlx), [Some(true), Some(false)]);
    assert_eq!(said(&sqlx), ["src/db.rs:2 sqlx runs the steps of main in a transaction, but for 1 of them"]);
    let import = "package db\n\nimport (\n\t\"github.com/golang-migrate/migrate/v4/database/sqlite3\"\n)\n";
    let with = |more: &str| {
        let go = format!("{import}\nvar config = sqlite3.Config{{{more}}}\n");
        wrapped(&[("db/m/1_init.up.sql", TABLE), ("db/m/2_more.up.sql", COLUMN), ("db/db.go", &go)])
    };
    assert_eq!(with(""), [Some(true), Some(true)]);
    assert_eq!(with("NoTxWrap: true"), [Some(false), Some(false)]);
    let remark = ("src/db.rs", "// once was sqlx::migrate!()\npub fn open() {}\n");
    let other = [("migrations/1_init.sql", TABLE), ("migrations/2_more.sql", COLUMN), remark];
    assert_eq!(wrapped(&other), [None, None]);
    assert!(said(&other).is_empty());
}

#[test]
fn texts_in_code_that_are_handed_to_a_tool_are_its_steps() {
    let rust = format!(
        "use rusqlite_migration::{{M, Migrations}};\n\nconst INIT_SQL: &str = \"{}\";\n\npub fn open(db: &mut Connection) {{\n    \
         Migrations::new(vec![M::up(INIT_SQL), M::up(\"{}\")]).to_latest(db)\n}}\n",
        TABLE.trim(),
        COLUMN.trim()
    );
    assert_eq!(wrapped(&[("src/db.rs", &rust)]), [Some(true), Some(true)]);
    let python =
        |head: &str| format!("from yoyo import step\n{head}\nsteps = [step(\"{}\")]\n", COLUMN.trim());
    let first = python("").replace(COLUMN.trim(), TABLE.trim());
    let second = python("__transactional__ = False");
    assert_eq!(
        wrapped(&[("migrations/0001_init.py", &first), ("migrations/0002_more.py", &second)]),
        [Some(true), Some(false)]
    );
}

#[test]
fn who_begins_a_transaction_is_not_in_another() {
    let rust = ("src/db.rs", "pub async fn open(pool: &Pool) {\n    sqlx::migrate!().run(pool).await\n}\n");
    let second = format!("PRAGMA foreign_keys = OFF;\nBEGIN;\n{COLUMN}COMMIT;\n");
    let files = [("migrations/1_init.sql", TABLE), ("migrations/2_more.sql", &second), rust];
    assert_eq!(wrapped(&files), [Some(true), Some(false)]);
    let wrapped = |text: &str| {
        let database = "[[database]]\nname = \"parcels\"\nmigrations = [\"migrations/*.sql\"]\n";
        let config = config::parse("planlint.toml", &format!("{database}{text}")).unwrap();
        let (_, one) = declared(&files, &config);
        assert_eq!(one.guesses.is_empty(), !text.is_empty(), "what is configured is no guess");
        one.steps.iter().map(|step| step.wrapped).collect::<Vec<_>>()
    };
    assert_eq!(wrapped(""), [Some(true), Some(false)]);
    assert_eq!(wrapped("transaction = \"step\"\n"), [Some(true), Some(true)]);
    assert_eq!(wrapped("transaction = \"all\"\n"), [Some(true), Some(true)]);
    assert_eq!(wrapped("transaction = \"none\"\n"), [Some(false), Some(false)]);
}

/// A program that runs a list of texts, with these lines in front of the loop, within it, and the call.
fn lists(before: &str, within: &str, call: &str) -> Vec<Option<bool>> {
    let rust = format!(
        "const STEPS: &[&str] = &[\"{}\", \"{}\"];\n\npub fn open(db: &mut Connection) -> Result<()> {{\n    {before}\n    \
         for sql in STEPS {{\n        {within}\n        {call}(sql)?;\n    }}\n    Ok(())\n}}\n",
        TABLE.trim(),
        COLUMN.trim()
    );
    wrapped(&[("src/db.rs", &rust)])
}

#[test]
fn code_that_runs_texts_is_asked_for_its_transactions() {
    let yes = [Some(true), Some(true)];
    let no = [Some(false), Some(false)];
    assert_eq!(lists("let tx = db.transaction()?;", "", "tx.execute_batch"), yes);
    assert_eq!(lists("", "let tx = db.transaction()?;", "tx.execute_batch"), yes);
    assert_eq!(lists("db.execute_batch(\"BEGIN IMMEDIATE\")?;", "", "db.execute_batch"), yes);
    let ended = "db.execute_batch(\"BEGIN\")?;\n    count(db)?;\n    db.execute_batch(\"COMMIT\")?;";
    assert_eq!(lists(ended, "", "db.execute_batch"), no);
    assert_eq!(lists("", "", "db.execute_batch"), no);
    let python =
        format!("SCHEMA = \"{}\"\n\ndef open(path):\n    db = sqlite3.connect(path)\n", TABLE.trim());
    let with = |lines: &str| wrapped(&[("db.py", &format!("{python}{lines}"))]);
    // One of these is the text that is put together, which needs no runner for that.
    assert_eq!(with("    db.executescript(\"BEGIN;\" + SCHEMA + \"COMMIT;\")\n"), [Some(true), Some(false)]);
    assert_eq!(with("    with db.atomic():\n        db.execute(SCHEMA)\n"), [Some(true)]);
    // The script commits first, and the block of a connection begins no transaction for DDL.
    assert_eq!(with("    db.execute(\"BEGIN\")\n    db.executescript(SCHEMA)\n"), [Some(false)]);
    assert_eq!(with("    with db:\n        db.execute(SCHEMA)\n"), [None]);
    assert_eq!(with("    db.execute(\"BEGIN\")\n    db.execute(SCHEMA)\n"), [Some(true)]);
}

#[test]
fn a_transaction_on_another_connection_is_not_around_the_steps() {
    let rust = |open: &str| {
        format!(
            "pub fn run(tx: &Transaction) -> Result<()> {{\n    create(tx)\n}}\n\nfn create(db: &Connection) -> Result<()> {{\n    \
             {open}db.execute_batch(\"{}\")\n}}\n",
            TABLE.trim()
        )
    };
    assert_eq!(wrapped(&[("src/db.rs", &rust(""))]), [Some(true)]);
    assert_eq!(wrapped(&[("src/db.rs", &rust("let db = Connection::open(PATH)?;\n    "))]), [Some(false)]);
}

#[test]
fn what_leads_back_is_kept_with_its_place() {
    let first = format!("-- +goose Up\n{TABLE}-- +goose Down\nDROP TABLE parcels;\n");
    let second = format!("-- +goose Up\n{COLUMN}-- +goose Down\n-- nothing to do\n");
    let found = downs(&[("db/m/1_init.sql", &first), ("db/m/2_more.sql", &second)]);
    let at = first.find("DROP").unwrap() as u32;
    assert_eq!(found, [Some(("DROP TABLE parcels;".to_owned(), "db/m/1_init.sql".to_owned(), at)), None]);
}

#[test]
fn what_leads_back_may_be_a_file_of_its_own() {
    let undo = "DROP TABLE parcels;\n";
    for (up, down, second) in [
        ("m/1_init.up.sql", "m/1_init.down.sql", "m/2_more.up.sql"),
        ("m/1_init/up.sql", "m/1_init/down.sql", "m/2_more/up.sql"),
        ("m/1_init.sql", "m/1_init_down.sql", "m/2_more.sql"),
        ("m/1_init.sql", "m/1_init.undo.sql", "m/2_more.sql"),
        ("m/V1__init.sql", "m/U1__drop.sql", "m/V2__more.sql"),
    ] {
        let found = downs(&[(up, TABLE), (second, COLUMN), (down, undo)]);
        assert_eq!(found, [Some((undo.trim().to_owned(), down.to_owned(), 0)), None], "{up}");
        let configured = "[[database]]\nname = \"m\"\nmigrations = [\"m/**/*.sql\"]\n";
        let config = config::parse("planlint.toml", configured).unwrap();
        let (_, one) = declared(&[(up, TABLE), (second, COLUMN), (down, undo)], &config);
        assert_eq!(one.steps.len(), 2, "{up}");
    }
}

#[test]
fn what_stands_beside_the_files_tells_the_tool_and_is_in_the_facts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("diesel/diesel.toml", "");
    write("diesel/migrations/1_init/up.sql", TABLE);
    write("diesel/migrations/2_more/up.sql", COLUMN);
    write("diesel/migrations/2_more/metadata.toml", "run_in_transaction = false\n");
    write("web/prisma/migrations/migration_lock.toml", "provider = \"sqlite\"\n");
    write("web/prisma/migrations/1_init/migration.sql", &TABLE.replace("parcels", "letters"));
    write("web/prisma/migrations/2_more/migration.sql", &COLUMN.replace("parcels", "letters"));
    write("cards/1_init.sql", &TABLE.replace("parcels", "cards"));
    write("cards/2_more.sql", &COLUMN.replace("parcels", "cards"));
    let output = folder.path().join("facts.db");
    facts(&CheckRequest::new(folder.path()), &output).unwrap();
    let facts = rusqlite::Connection::open(&output).unwrap();
    let lines = |sql: &str| {
        let mut statement = facts.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(|row| row.unwrap()).collect::<Vec<_>>()
    };
    let steps = "SELECT name || ' ' || coalesce(wrapped, 'NULL') FROM migration ORDER BY name";
    assert_eq!(
        lines(steps),
        [
            "cards/1_init.sql NULL",
            "cards/2_more.sql NULL",
            "diesel/migrations/1_init/up.sql 1",
            "diesel/migrations/2_more/up.sql 0",
            "web/prisma/migrations/1_init/migration.sql 0",
            "web/prisma/migrations/2_more/migration.sql 0",
        ]
    );
    let said = "SELECT text FROM guess WHERE text LIKE '%transaction%' ORDER BY text";
    assert_eq!(
        lines(said),
        [
            "Prisma, by web/prisma/migrations/migration_lock.toml, runs the steps of prisma without a transaction",
            "diesel, by diesel/diesel.toml, runs the steps of diesel in a transaction, but for 1 of them",
        ]
    );
}

#[test]
fn a_transaction_around_each_step_is_not_around_what_opens_a_database() {
    let files = [("m/1_init.sql", TABLE), ("open.sql", "PRAGMA journal_mode = WAL;\n")];
    let around = |word: &str| {
        let text = format!(
            "[[database]]\nname = \"m\"\nmigrations = [\"m/*.sql\"]\nopen = [\"open.sql\"]\ntransaction = \"{word}\"\n"
        );
        let (_, one) = declared(&files, &config::parse("planlint.toml", &text).unwrap());
        one.steps.iter().map(|step| step.wrapped).collect::<Vec<_>>()
    };
    assert_eq!(around("step"), [Some(true), None]);
    assert_eq!(around("all"), [Some(true), Some(true)]);
    assert_eq!(around("none"), [Some(false), Some(false)]);
}

//! What `planlint explain PATH:LINE` prints can be run: the script gives the plan that the check saw, and its steps grow
//! as the check says. It goes through the sqlite3 shell where one is installed, and always through the SQLite that judges.

#![cfg(test)]

use planlint::run::{CheckRequest, Spot, Wanted, explain_place};
use rusqlite::{Connection, StatementStatus, types::Value};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chainstate")
}

/// The line of a file of the example that holds a text.
fn line(path: &str, text: &str) -> u32 {
    let source = fs::read_to_string(example().join(path)).unwrap();
    source.lines().position(|line| line.contains(text)).unwrap() as u32 + 1
}

fn explain(path: &str, line: u32, wanted: Wanted) -> String {
    let spot = Spot { path: path.to_owned(), line: Some(line), column: None };
    explain_place(&CheckRequest::new(example()), &spot, wanted).unwrap()
}

fn script(path: &str, line: u32, rows: u64) -> String {
    explain(path, line, Wanted { script: true, rows: Some(rows) })
}

/// The plan in the remarks, without the lines of the tree.
fn remarked(script: &str) -> Vec<String> {
    let remarks = script.lines().take_while(|line| line.starts_with("-- "));
    let steps = remarks.skip_while(|line| !line.ends_with("may have another:")).skip(1);
    steps.map(|line| bare(line.trim_start_matches("-- "))).collect()
}

fn bare(line: &str) -> String {
    line.trim_start_matches(['|', '-', '`', ' ']).trim_end().to_owned()
}

/// What a script does: the plan, and the steps.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    plan: Vec<String>,
    steps: i64,
}

/// Runs a script without the shell: its commands are read here.
fn by_hand(script: &str) -> Done {
    let is_command = |line: &&str| line.starts_with('.');
    let (before, after) = script.split_once(".stats vmstep\n").unwrap();
    let sql: Vec<&str> = before.lines().filter(|line| !is_command(line)).collect();
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&sql.join("\n")).unwrap();
    let statement = after.split(".eqp off").next().unwrap();
    let parameters: Vec<(String, Value)> = before
        .lines()
        .filter_map(|line| line.strip_prefix(".parameter set "))
        .map(|line| {
            let (name, value) = line.split_once(' ').unwrap();
            let value = value.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
            (name.to_owned(), connection.query_row(&format!("SELECT {value}"), [], |row| row.get(0)).unwrap())
        })
        .collect();
    let bound = |sql: &str| {
        let mut prepared = connection.prepare(sql).unwrap();
        for (index, (_, value)) in parameters.iter().enumerate() {
            prepared.raw_bind_parameter(index + 1, value).unwrap();
        }
        prepared
    };
    let mut plan = Vec::new();
    let mut explained = bound(&format!("EXPLAIN QUERY PLAN {statement}"));
    let mut rows = explained.raw_query();
    while let Some(row) = rows.next().unwrap() {
        plan.push(row.get::<_, String>(3).unwrap());
    }
    let mut prepared = bound(statement);
    let mut rows = prepared.raw_query();
    while rows.next().unwrap().is_some() {}
    drop(rows);
    Done { plan, steps: i64::from(prepared.get_status(StatementStatus::VmStep)) }
}

/// Runs a script in the shell; `None` where there is none.
fn by_shell(script: &str) -> Option<Done> {
    let mut child = Command::new("sqlite3")
        .args(["-batch", ":memory:"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stderr));
    let plan = text.lines().skip_while(|line| *line != "QUERY PLAN").skip(1);
    let plan = plan.take_while(|line| line.starts_with(['|', '`', ' '])).map(bare).collect();
    let steps = text.lines().find_map(|line| line.strip_prefix("VM-steps: ")).unwrap();
    Some(Done { plan, steps: steps.trim().parse().unwrap() })
}

#[track_caller]
fn reproduces(path: &str, text: &str, grows: bool) {
    let line = line(path, text);
    let scripts = [200, 800].map(|rows| script(path, line, rows));
    let seen = remarked(&scripts[0]);
    assert!(!seen.is_empty(), "{}", scripts[0]);
    let [small, large] = scripts.each_ref().map(|script| by_hand(script));
    assert_eq!((&small.plan, &large.plan), (&seen, &seen));
    let is_more =
        |small: i64, large: i64| if grows { large > 2 * small } else { large < small + small / 2 + 50 };
    assert!(is_more(small.steps, large.steps), "{} and {} steps", small.steps, large.steps);
    if let [Some(small), Some(large)] = scripts.each_ref().map(|script| by_shell(script)) {
        assert_eq!(large.plan, seen);
        assert!(is_more(small.steps, large.steps), "{} and {} steps in the shell", small.steps, large.steps);
    }
}

#[test]
fn a_script_for_a_scan_grows() {
    reproduces("src/sync.rs", "finds: growing-table-scan", true);
}

#[test]
fn a_script_with_parameters_grows() {
    reproduces("src/rpc.rs", "WHERE address = ?1 ORDER BY height DESC", true);
}

#[test]
fn a_script_for_a_search_does_not_grow() {
    reproduces("src/sync.rs", "UPDATE staging_blocks SET processed = 1", false);
}

/// Formulas and scattered values are not the very rows; on the average they cost the same.
#[test]
fn a_script_costs_what_was_counted() {
    let line = line("src/sync.rs", "finds: growing-table-scan");
    let script = explain("src/sync.rs", line, Wanted { script: true, rows: None });
    let counted = script.lines().find_map(|line| line.strip_prefix("-- planlint counted ")).unwrap();
    let counted: i64 = counted.split(' ').next().unwrap().parse().unwrap();
    let steps = by_hand(&script).steps;
    assert!((counted - steps).abs() * 20 < counted, "counted {counted}, run {steps}");
}

#[test]
fn all_is_said_in_order() {
    let text = explain("src/sync.rs", line("src/sync.rs", "finds: growing-table-scan"), Wanted::default());
    let parts = [
        "next_ready",
        "\nSQL",
        "\nPlan",
        "\nTables",
        "\nGrowth",
        "Steps against rows",
        "\nFindings",
        "\nScript",
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    let (before, _) = text.split_once("\nScript").unwrap();
    assert!(before.lines().all(|line| line.chars().count() <= 100), "{before}");
}

/// What `explain --script` prints for the first line of the second of these migrations.
fn of_migration(first: &str, second: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let config = "[[database]]\nname = \"post\"\nmigrations = [\"m/*.sql\"]\ntransaction = \"step\"\n\
                  pragmas = { foreign_keys = \"on\" }\n";
    fs::create_dir(folder.path().join("m")).unwrap();
    for (path, text) in [("planlint.toml", config), ("m/1.sql", first), ("m/2.sql", second)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let spot = Spot { path: "m/2.sql".to_owned(), line: Some(1), column: None };
    explain_place(&CheckRequest::new(folder.path()), &spot, Wanted { script: true, rows: None }).unwrap()
}

/// What the shell prints, and what it complains of; `None` where there is none.
fn printed(script: &str) -> Option<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("sqlite3")
        .args(["-batch", "-safe", ":memory:"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // It ends at the first failure, and reads no further.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((text(output.stdout), text(output.stderr)))
}

/// The commands of the shell in a script, without what they are given.
fn commands(script: &str) -> Vec<&str> {
    let all = script.lines().filter(|line| line.starts_with('.'));
    all.map(|line| line.split(' ').next().unwrap_or(line)).collect()
}

#[test]
fn no_name_and_no_text_of_a_tree_is_a_command_of_the_shell() {
    let table = "CREATE TABLE \"t\n.shell touch x\n\" (id INTEGER PRIMARY KEY, a TEXT);";
    let ours = [".print", ".mode", ".bail", ".eqp", ".stats", ".parameter"];
    for (first, second) in [
        (table, "ALTER TABLE \"t\n.shell touch x\n\" ADD b TEXT;"),
        (table, "UPDATE \"t\n.shell touch x\n\" SET a = a || 1;"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY);", "ALTER TABLE t ADD b TEXT;\n.shell touch x\n;"),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY);",
            "ALTER TABLE t ADD b TEXT DEFAULT '\n.shell touch x\n';",
        ),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY);",
            "ALTER TABLE t ADD b TEXT; SELEKT (\n.shell touch x\n);",
        ),
    ] {
        let script = of_migration(first, second);
        assert!(commands(&script).iter().all(|one| ours.contains(one)), "{script}");
    }
}

#[test]
fn what_fails_on_the_rows_comes_last() {
    let first = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);";
    let script = of_migration(
        first,
        "CREATE TABLE u (b);\nALTER TABLE t ADD COLUMN c INTEGER NOT NULL;\nDROP TABLE u;",
    );
    assert!(script.ends_with("\nALTER TABLE t ADD COLUMN c INTEGER NOT NULL;\n"), "{script}");
    assert!(script.contains("\n.bail on\n") && script.contains("\n-- This fails: "), "{script}");
    if let Some((_, complaint)) = printed(&script) {
        assert!(complaint.contains("NOT NULL"), "{complaint}");
    }
}

#[test]
fn a_script_makes_virtual_tables_and_leaves_out_what_these_make() {
    let first = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
        CREATE VIRTUAL TABLE found USING fts5(a, content = 't', content_rowid = 'id');
        CREATE TRIGGER of_t AFTER DELETE ON t BEGIN DELETE FROM found WHERE rowid = old.id; END;";
    let second = "CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b TEXT);
        INSERT INTO u (id, a) SELECT id, a FROM t;
        DROP TABLE t;
        ALTER TABLE u RENAME TO t;
        INSERT INTO found (found) VALUES ('rebuild');";
    let script = of_migration(first, second);
    assert!(script.contains("CREATE VIRTUAL TABLE found") && !script.contains("found_data"), "{script}");
    if let Some((text, complaint)) = printed(&script) {
        assert_eq!(complaint, "", "{script}");
        assert!(text.ends_with("'ok'\n"), "{text}");
    }
}

#[test]
fn a_script_leaves_the_tables_of_sqlite_to_it() {
    let first = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);";
    let script = of_migration(first, "DELETE FROM sqlite_sequence WHERE name = 't';");
    assert!(!script.contains("CREATE TABLE sqlite_sequence"), "{script}");
    if let Some((_, complaint)) = printed(&script) {
        assert_eq!(complaint, "", "{script}");
    }
}

#[test]
fn a_place_that_a_finding_shows_is_one_to_ask_about() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("migrations")).unwrap();
    let schema = "CREATE TABLE parcel (id INTEGER PRIMARY KEY, sent INTEGER NOT NULL);\n\
                  CREATE TABLE label (parcel INTEGER NOT NULL, town TEXT NOT NULL);\n";
    fs::write(folder.path().join("migrations/0001_parcel.sql"), schema).unwrap();
    let code = "package depot\n\nfunc Store(town string) {\n\tdb.Exec(\"INSERT INTO label (parcel, town) VALUES (1, ?)\", town)\n}\n\n\
        func Find(town string) {\n\twhere := []string{\"1 = 1\"}\n\tif town != \"\" {\n\
        \t\twhere = append(where, \"id IN (SELECT parcel FROM label WHERE town = ?)\")\n\t}\n\
        \tdb.Query(\"SELECT id FROM parcel WHERE \" + strings.Join(where, \" AND \"), town)\n}\n";
    fs::write(folder.path().join("depot.go"), code).unwrap();
    let place = |text: &str| code.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let explain = |line| {
        let spot = Spot { path: "depot.go".to_owned(), line: Some(line), column: None };
        explain_place(&CheckRequest::new(folder.path()), &spot, Wanted::default())
    };
    let report = planlint::run::check(&CheckRequest::new(folder.path())).unwrap().report;
    let focus = report.diagnostics.iter().filter_map(|one| one.focus.as_ref());
    let shown: Vec<u32> = focus.map(|place| place.start.line).collect();
    assert!(shown.contains(&place("append(")), "{shown:?}");
    assert!(explain(place("append(")).unwrap().contains("SELECT id FROM parcel WHERE"));
    assert!(explain(place("package")).is_err());
}

#[test]
fn indexes_are_made_in_the_order_of_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[[database]]\nname = \"main\"\nmigrations = [\"m.sql\"]\nstatements = [\"q.sql\"]\ngrowing = [\"*\"]\n";
    // Both serve alike, and SQLite takes the one that was made last.
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, done INTEGER, gone INTEGER, at INTEGER);\n\
                  CREATE INDEX z_first ON t (done, at);\nCREATE INDEX a_last ON t (gone, at);\n";
    let query = "SELECT id FROM t WHERE done = 0 AND gone = 0 AND at > ?;\n";
    for (path, text) in [("planlint.toml", config), ("m.sql", schema), ("q.sql", query)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let spot = Spot { path: "q.sql".to_owned(), line: Some(1), column: None };
    let wanted = Wanted { script: true, rows: Some(100) };
    let script = explain_place(&CheckRequest::new(folder.path()), &spot, wanted).unwrap();
    let place = |name: &str| script.find(&format!("CREATE INDEX {name}")).unwrap();
    assert!(place("z_first") < place("a_last"), "{script}");
    assert_eq!(by_hand(&script).plan, remarked(&script));
}

#[test]
fn a_parameter_stands_in_the_place_of_the_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("schema.sql"),
        "CREATE TABLE beats (id INTEGER PRIMARY KEY, at DATETIME);\n",
    )
    .unwrap();
    let code = "def add(db):\n    db.execute(\"INSERT INTO beats (at) VALUES (datetime('now'))\")\n\
                def purge(db):\n    db.execute(\"DELETE FROM beats WHERE at < datetime('now', '-30 days')\")\n";
    fs::write(folder.path().join("beats.py"), code).unwrap();
    let explained = |line: u32| {
        let spot = Spot { path: "beats.py".to_owned(), line: Some(line), column: None };
        let wanted = Wanted { script: false, rows: None };
        explain_place(&CheckRequest::new(folder.path().to_owned()), &spot, wanted).unwrap()
    };
    let purge = explained(4);
    assert!(purge.contains("in the place of the time") && purge.contains("Linear"), "{purge}");
    assert!(!explained(2).contains("in the place of the time"));
}

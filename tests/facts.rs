//! The facts as a database: filled, frozen, written out.

#![cfg(test)]

use planlint::facts::{Facts, FactsError};

fn one_source(facts: &Facts) -> Result<i64, FactsError> {
    facts.insert("source", [("path", &"src/db.rs"), ("language", &"rust"), ("role", &"production")])
}

#[test]
fn a_row_gets_an_id_and_can_be_read_back() {
    let facts = Facts::new().unwrap();
    let id = one_source(&facts).unwrap();
    facts.freeze().unwrap();
    let path: String = facts
        .connection()
        .query_row("SELECT path FROM source WHERE id = ?1", [id], |row| row.get(0))
        .unwrap();
    assert_eq!(path, "src/db.rs");
}

#[test]
fn a_word_outside_its_vocabulary_is_refused() {
    let facts = Facts::new().unwrap();
    let row: [(&str, &dyn rusqlite::ToSql); 2] = [("path", &"a.py"), ("role", &"prodution")];
    let refused = facts.insert("source", row).unwrap_err();
    assert!(refused.to_string().contains("CHECK constraint failed"), "{refused}");
}

#[test]
fn frozen_facts_take_no_more_rows_but_for_findings() {
    let facts = Facts::new().unwrap();
    facts.freeze().unwrap();
    assert!(one_source(&facts).is_err());
    facts
        .add(|facts| {
            let row: [(&str, &dyn rusqlite::ToSql); 3] =
                [("rule", &"a-rule"), ("severity", &"note"), ("message", &"m")];
            facts.insert("finding", row).map(|_| ())
        })
        .unwrap();
    assert!(one_source(&facts).is_err());
}

#[test]
fn facts_written_to_a_file_replace_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.db");
    std::fs::write(&path, "not a database").unwrap();
    let facts = Facts::new().unwrap();
    one_source(&facts).unwrap();
    facts.freeze().unwrap();
    facts.write_to(&path).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    let count: i64 = file.query_row("SELECT count(*) FROM source", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The facts of a program with these statements, of tables `q` and `r` and a view `v`.
fn gathered(statements: &[&str]) -> rusqlite::Connection {
    let schema = "CREATE TABLE q (id INTEGER PRIMARY KEY, k TEXT UNIQUE, a, b);\nCREATE INDEX q_a ON q (a);\n\
                  CREATE TABLE r (id INTEGER PRIMARY KEY, q INTEGER, c, d);\n\
                  CREATE VIEW v AS SELECT id, a + 1 AS e FROM q;\n";
    let line = |sql: &&str| format!("    db.execute(\"{sql}\")\n");
    let program: String =
        std::iter::once("def f(db):\n".to_owned()).chain(statements.iter().map(line)).collect();
    of_program(&[("migrations/0001_init.sql", schema), ("f.py", &program)])
}

/// The facts of a program of these files.
fn of_program(files: &[(&str, &str)]) -> rusqlite::Connection {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let output = folder.path().join("facts.db");
    planlint::run::facts(&planlint::run::CheckRequest::new(folder.path()), &output).unwrap();
    let facts = rusqlite::Connection::open_in_memory().unwrap();
    facts.execute("ATTACH ?1 AS file", [output.to_str().unwrap()]).unwrap();
    let tables = [
        "statement",
        "migration",
        "table_reference",
        "predicate",
        "plan",
        "step",
        "step_query",
        "query_within",
        "refusal",
        "growth",
        "measure",
    ];
    for table in tables {
        facts.execute_batch(&format!("CREATE TABLE {table} AS SELECT * FROM file.{table}")).unwrap();
    }
    facts.execute("DETACH file", []).unwrap();
    facts
}

/// The first column of a query, line by line.
fn lines(facts: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = facts.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|row| row.unwrap()).collect()
}

/// The columns that a statement compares, with their tables as far as they are known.
fn comparisons(sql: &str) -> Vec<String> {
    let facts = gathered(&[sql]);
    lines(
        &facts,
        "SELECT query || ' ' || coalesce(\"table\", '?') || '.' || column
             || iif(value = 'column', ' ' || coalesce(value_table, '?') || '.' || value_column, '')
         FROM predicate JOIN statement ON statement.id = predicate.statement
         WHERE statement.kind <> 'ddl' ORDER BY statement, predicate.ordinal",
    )
}

#[test]
fn a_column_belongs_to_the_query_it_stands_in_and_then_to_those_around() {
    assert_eq!(comparisons("SELECT 1 FROM q WHERE a = 1 AND b = c"), ["0 q.a", "0 q.b ?.c", "0 ?.c q.b"]);
    assert_eq!(comparisons("SELECT 1 FROM q, r WHERE d = b"), ["0 r.d q.b", "0 q.b r.d"]);
    assert_eq!(
        comparisons("SELECT 1 FROM q WHERE EXISTS (SELECT 1 FROM r WHERE r.q = q.id AND id = a)"),
        ["1 r.q q.id", "1 q.id r.q", "1 r.id q.a", "1 q.a r.id"]
    );
    assert_eq!(
        comparisons("SELECT 1 FROM q AS x JOIN r USING (id) WHERE q.a = rowid"),
        ["0 ?.id ?.id", "0 ?.a ?.rowid", "0 ?.rowid ?.a"]
    );
    assert_eq!(comparisons("SELECT 1 FROM v WHERE e > 1 ORDER BY v.id"), ["0 v.e", "0 v.id"]);
    assert_eq!(comparisons("DELETE FROM q WHERE rowid = 1"), ["0 q.rowid"]);
}

#[test]
fn derived_tables_and_common_table_expressions_are_no_tables() {
    assert_eq!(
        comparisons("SELECT 1 FROM (SELECT d FROM r WHERE c = 1) AS q WHERE q.d = 1"),
        ["1 r.c", "0 ?.d"]
    );
    assert_eq!(
        comparisons(
            "WITH c AS (SELECT a AS f FROM q WHERE a = 1) SELECT 1 FROM c, r WHERE f = c.f AND d = 1"
        ),
        ["1 q.a", "0 ?.f ?.f", "0 ?.f ?.f", "0 r.d"]
    );
}

#[test]
fn an_assignment_is_to_the_table_that_is_changed() {
    assert_eq!(
        comparisons("UPDATE q SET id = r.id, a = c FROM r WHERE b = d"),
        ["0 q.id r.id", "0 q.a r.c", "0 q.b r.d", "0 r.d q.b"]
    );
    assert_eq!(
        comparisons(
            "INSERT INTO q (id, a) SELECT id, c FROM r WHERE id > 1 ON CONFLICT (id) DO UPDATE SET a = b WHERE id < 9"
        ),
        ["0 r.id", "1 q.a q.b", "1 q.id"]
    );
}

/// The queries of the steps that read a table, in the order of the plan.
fn places(sql: &str) -> Vec<String> {
    lines(
        &gathered(&[sql]),
        "SELECT step.detail || ': ' || coalesce((SELECT group_concat(query) FROM step_query WHERE step = step.id), 'none')
         FROM step JOIN plan ON plan.id = step.plan JOIN statement ON statement.id = plan.statement
         WHERE statement.kind <> 'ddl' AND step.\"table\" IS NOT NULL ORDER BY statement.id, step.ordinal",
    )
}

#[test]
fn a_step_belongs_to_a_query_by_the_structure_of_the_plan() {
    let last = |sql: &str| -> Vec<String> {
        places(sql).iter().map(|line| line.rsplit_once(": ").unwrap().1.to_owned()).collect()
    };
    assert_eq!(last("DELETE FROM q WHERE k = (SELECT k FROM q ORDER BY a LIMIT 1)"), ["0", "1"]);
    assert_eq!(
        last("DELETE FROM q WHERE id IN (SELECT q FROM r WHERE d IN (SELECT d FROM r))"),
        ["0", "1", "2"]
    );
    assert_eq!(last("SELECT a FROM q UNION ALL SELECT b FROM q UNION ALL SELECT k FROM q"), ["0", "1", "2"]);
    assert_eq!(
        last("SELECT a FROM q UNION SELECT b FROM q EXCEPT SELECT k FROM q ORDER BY 1"),
        ["0", "1", "2"]
    );
    assert_eq!(
        last("SELECT m.n FROM q JOIN (SELECT a, count(*) AS n FROM q GROUP BY a) AS m ON m.a = q.b"),
        ["1", "0"]
    );
    assert_eq!(
        last("SELECT a, row_number() OVER (ORDER BY b) FROM q WHERE b > (SELECT max(b) FROM q)"),
        ["0", "1"]
    );
    assert_eq!(
        last(
            "WITH RECURSIVE c AS (SELECT id FROM r WHERE d = 1 UNION SELECT r.id FROM c JOIN r ON r.q = c.id) SELECT * FROM c"
        ),
        ["1", "2"]
    );
    // SQLite takes the other table first, and the derived one as part of the query around it.
    assert_eq!(last("SELECT * FROM (SELECT a FROM q WHERE b = 1) JOIN r"), ["0", "1"]);
    assert_eq!(last("INSERT INTO q (a) SELECT max(a) FROM q AS x"), ["0"]);
    assert_eq!(last("SELECT e FROM v"), ["none"]);
}

#[test]
fn what_a_migration_asks_between_two_steps_is_planned_there() {
    let facts = of_program(&[
        (
            "db/migrations/20240102030405_split.go",
            "package migrations\n\nfunc Up(tx *sql.Tx) error {\n\
         \ttx.Exec(`CREATE TABLE pages (id INTEGER PRIMARY KEY, body TEXT)`)\n\
         \ttx.Exec(`CREATE TABLE pages_old (id INTEGER PRIMARY KEY, text TEXT)`)\n\
         \ttx.Query(`SELECT id, text FROM pages_old WHERE id > 7`)\n\
         \ttx.Exec(`DROP TABLE pages_old`)\n\treturn nil\n}\n",
        ),
        (
            "db/migrations/20240203040506_more.go",
            "package migrations\n\nfunc UpMore(tx *sql.Tx) error {\n\t_, err := tx.Exec(`ALTER TABLE pages ADD COLUMN size INTEGER`)\n\treturn err\n}\n",
        ),
    ]);
    let planned = "SELECT migration.text_key || ': ' || step.detail FROM statement
        JOIN migration ON migration.id = statement.planned_after
        JOIN plan ON plan.statement = statement.id JOIN step ON step.plan = plan.id";
    let said = lines(&facts, planned);
    assert_eq!(
        said,
        [
            "create table pages_old(id integer primary key,text text): SEARCH pages_old USING INTEGER PRIMARY KEY (rowid>?)"
        ]
    );
}

#[test]
fn what_sqlite_keeps_of_a_table_has_no_made_rows() {
    let steps = |more: &str| {
        let program = format!(
            "def prepare(db):\n    db.execute(\"CREATE TABLE IF NOT EXISTS parcels (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE)\")\n\
             def put(db, code):\n    db.execute(\"INSERT INTO parcels (code) VALUES (?)\", (code,))\n\
             def copy(db):\n    db.execute(\"INSERT OR IGNORE INTO parcels (code) SELECT code FROM parcels WHERE id > 7\")\n{more}"
        );
        let facts = of_program(&[("parcels.py", &program)]);
        lines(
            &facts,
            "SELECT rows || ': ' || steps FROM measure JOIN growth ON growth.id = measure.growth
             JOIN statement ON statement.id = growth.statement WHERE text LIKE 'INSERT OR IGNORE%' ORDER BY 1",
        )
    };
    let alone = steps("");
    let beside = "def last(db):\n    return db.execute(\"SELECT seq FROM sqlite_sequence WHERE name = ?\", (\"parcels\",))\n";
    assert_eq!(alone.len(), 2);
    assert_eq!(steps(beside), alone);
}

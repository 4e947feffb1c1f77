//! A database copied, or put into an attached schema of another.

use super::{made_by, made_with, outcome};
use planlint::schema::{Limits, Live, RefusalKind, Settings};

const SCHEMA: &str = "CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t(b); CREATE VIEW v AS SELECT b FROM t;
    CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES('one');
    INSERT INTO t VALUES(1, 'one'), (2, 'two'); CREATE TEMP TABLE tt(c); CREATE UNIQUE INDEX ti ON tt(c);
    CREATE TEMP VIEW tv AS SELECT c FROM tt; CREATE TEMP TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO tt VALUES(new.a); END;";

#[test]
fn a_copy_has_the_same_objects_and_rows() {
    let mut live = made_by(SCHEMA);
    let mut copy = live.copy().unwrap();
    assert_eq!(copy.objects().unwrap(), live.objects().unwrap());
    assert_eq!(outcome(&mut copy, "UPDATE t SET b = b").unwrap().rows, 2);
    outcome(&mut copy, "DROP TABLE t").unwrap();
    assert!(live.explain("SELECT * FROM v").is_ok());
    assert!(copy.explain("SELECT * FROM v").is_err());
    assert_eq!(live.explain("SELECT * FROM f WHERE f MATCH 'one'").unwrap().plan.steps.len(), 1);
}

#[test]
fn a_copy_of_an_empty_database_is_empty() {
    let mut copy = made_by("").copy().unwrap();
    assert_eq!(copy.objects().unwrap().tables.len(), 0);
    assert!(outcome(&mut copy, "CREATE TABLE t(a)").is_ok());
}

#[test]
fn a_copy_keeps_stubs_settings_and_the_guard() {
    let limits = Limits { pages: 500, milliseconds: 120_000, ..Limits::default() };
    let settings =
        Settings { foreign_keys: true, attached: vec!["x".to_owned()], limits, ..Settings::default() };
    let mut live = made_with(&settings, "CREATE TABLE p(a PRIMARY KEY); CREATE TABLE x.y(a);");
    live.add_function("hash").unwrap();
    outcome(&mut live, "CREATE TABLE c(a REFERENCES p)").unwrap();
    outcome(&mut live, "CREATE INDEX i ON c(hash(a))").unwrap();
    let mut copy = live.copy().unwrap();
    assert_eq!(copy.objects().unwrap(), live.objects().unwrap());
    let refused = |copy: &mut Live, sql: &str| outcome(copy, sql).unwrap_err().kind;
    assert_eq!(refused(&mut copy, "INSERT INTO c VALUES(1)"), RefusalKind::Constraint);
    assert!(matches!(refused(&mut copy, "ATTACH 'x.db' AS z"), RefusalKind::Forbidden(_)));
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n)";
    let limit = refused(&mut copy, &format!("{rows} INSERT INTO x.y SELECT randomblob(900000) FROM n"));
    assert_eq!(limit, RefusalKind::Limit("pages".to_owned()));
}

#[test]
fn an_attached_schema_can_be_a_copy_of_another_database() {
    let settings = Settings { attached: vec!["ledger".to_owned()], ..Settings::default() };
    let mut live = made_with(&settings, "CREATE TABLE u(a)");
    live.apply_schema("ledger", (&mut made_by(SCHEMA), "main")).unwrap();
    let plan = live.explain("SELECT * FROM u JOIN ledger.t ON t.b = u.a").unwrap().plan;
    assert_eq!(plan.steps[1].detail, "SEARCH ledger.t USING COVERING INDEX i (b=?)");
    assert_eq!(
        (plan.steps[1].schema.as_deref(), plan.steps[1].table.as_deref()),
        (Some("ledger"), Some("t"))
    );
    assert!(live.apply_schema("nowhere", (&mut made_by(SCHEMA), "main")).is_err());
}

#[test]
fn a_database_can_go_to_another_thread() {
    let mut live = made_by(SCHEMA);
    let plan = std::thread::spawn(move || live.explain("SELECT * FROM t").unwrap().plan).join().unwrap();
    assert_eq!(plan.steps[0].table.as_deref(), Some("t"));
}

#[test]
fn what_runs_on_the_connection_has_a_budget() {
    let mut live = made_by(SCHEMA);
    let budget = live.budget();
    let connection = live.connection().unwrap();
    let count = |last: u32| {
        let sql = format!(
            "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT count(*) FROM n"
        );
        connection.query_row(&sql, [], |row| row.get::<_, u32>(0))
    };
    budget.renew_for(10_000);
    assert!(count(100).is_ok() && budget.exceeded().is_none());
    assert!(count(100_000).is_err());
    assert_eq!(budget.exceeded(), Some("steps"));
    budget.renew();
    assert_eq!(count(100_000).unwrap(), 100_000);
    assert!(connection.execute_batch("ATTACH 'x.db' AS x").is_err());
}

#[test]
fn a_change_on_the_connection_is_seen_by_the_next_plan() {
    let mut live = made_by("CREATE TABLE t(a, b)");
    let by_b = "SELECT * FROM t WHERE b = ?";
    assert_eq!(live.explain(by_b).unwrap().plan.lines(), ["SCAN t"]);
    live.connection().unwrap().execute_batch("SAVEPOINT s; CREATE INDEX i ON t(b)").unwrap();
    let plan = live.explain(by_b).unwrap().plan;
    assert_eq!(
        (plan.lines()[0].as_str(), plan.steps[0].table.as_deref()),
        ("SEARCH t USING INDEX i (b=?)", Some("t"))
    );
    live.connection().unwrap().execute_batch("ROLLBACK TO s; RELEASE s").unwrap();
    assert_eq!(live.explain(by_b).unwrap().plan.lines(), ["SCAN t"]);
}

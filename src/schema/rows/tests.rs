//! What is put in and read back, and a database that becomes what it was.

use super::*;
use crate::schema::{Limits, RefusalKind, Settings};

const TIED: &str =
    "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p)";

fn live(schema: &str) -> Live {
    let mut live = Live::open(&Settings { foreign_keys: true, ..Settings::default() }).unwrap();
    for applied in live.apply(schema) {
        assert!(applied.outcome.is_ok(), "{applied:?}");
    }
    live
}

fn count(live: &mut Live, table: &str) -> Value {
    live.ask(&format!("SELECT count(*) FROM {table}"), 1).unwrap().remove(0).remove(0)
}

#[test]
fn a_database_becomes_what_it_was() {
    let mut one = live("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    let image = one.image().unwrap();
    one.apply("INSERT INTO t VALUES (2); CREATE TABLE u (b); PRAGMA foreign_keys = OFF");
    one.restore(&image).unwrap();
    assert_eq!(count(&mut one, "t"), Value::Integer(1));
    assert!(one.objects().unwrap().table("main", "u").is_none());
    let mut other = live("CREATE TABLE x (y)");
    other.restore(&image).unwrap();
    assert_eq!(count(&mut other, "t"), Value::Integer(1));
    // What comes after is as ever.
    assert!(
        other.apply("CREATE TABLE u (b); INSERT INTO u VALUES (1)").iter().all(|one| one.outcome.is_ok())
    );
}

#[test]
fn an_open_transaction_is_in_nobodys_way() {
    let mut one = live("CREATE TABLE t (a)");
    let image = one.image().unwrap();
    one.begin_rows(false).unwrap();
    one.put("INSERT INTO t VALUES (?)", &[Value::Integer(1)]).unwrap();
    one.restore(&image).unwrap();
    assert_eq!(count(&mut one, "t"), Value::Integer(0));
}

#[test]
fn no_foreign_key_looks_at_rows_that_are_put_in_and_then_it_does() {
    let mut one = live(TIED);
    one.begin_rows(false).unwrap();
    assert_eq!(one.put("INSERT INTO c VALUES (?, ?)", &[Value::Integer(1), Value::Integer(7)]), Ok(1));
    one.end_rows().unwrap();
    assert_eq!(one.orphans("c"), Some(vec!["p".to_owned()]));
    assert!(one.apply("INSERT INTO c VALUES (2, 8)")[0].outcome.is_err());
}

#[test]
fn triggers_look_at_them_where_that_is_wanted() {
    let schema = "CREATE TABLE t (a); CREATE TABLE log (a); CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END";
    for (triggers, logged) in [(false, 0), (true, 1)] {
        let mut one = live(schema);
        one.begin_rows(triggers).unwrap();
        one.put("INSERT INTO t VALUES (1)", &[]).unwrap();
        one.end_rows().unwrap();
        assert_eq!(count(&mut one, "log"), Value::Integer(logged));
        one.apply("INSERT INTO t VALUES (2)");
        assert_eq!(count(&mut one, "log"), Value::Integer(logged + 1));
    }
}

#[test]
fn what_a_constraint_forbids_is_said_in_the_words_of_sqlite() {
    let mut one = live("CREATE TABLE t (a INTEGER NOT NULL CHECK (a > 0))");
    one.begin_rows(false).unwrap();
    let refusal = |one: &mut Live, value: Value| one.put("INSERT INTO t VALUES (?)", &[value]).unwrap_err();
    assert_eq!(refusal(&mut one, Value::Null), "NOT NULL constraint failed: t.a");
    assert_eq!(refusal(&mut one, Value::Integer(0)), "CHECK constraint failed: a > 0");
    one.end_rows().unwrap();
    assert_eq!(count(&mut one, "t"), Value::Integer(0));
}

#[test]
fn a_query_gives_no_more_rows_than_are_wanted() {
    let mut one = live("CREATE TABLE t (a); INSERT INTO t VALUES (1), ('x'), (NULL)");
    let all = [[Value::Integer(1)], [Value::Text("x".to_owned())], [Value::Null]];
    assert_eq!(one.ask("SELECT a FROM t", 9).unwrap(), all);
    assert_eq!(one.ask("SELECT a FROM t", 2).unwrap(), all[..2]);
    assert!(one.ask("SELECT b FROM t", 1).unwrap_err().contains("no such column"));
    assert!(one.ask("ATTACH 'x.db' AS x", 1).is_err());
}

#[test]
fn a_view_that_does_not_compile_says_why() {
    let mut one = live("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t");
    assert_eq!(one.breaks("main", "v").as_deref(), Some("no such table: main.t"));
    let mut whole =
        live("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT a FROM v");
    assert_eq!(whole.breaks("main", "w"), None);
    whole.apply("DROP TABLE t");
    assert_eq!(whole.breaks("main", "w").as_deref(), Some("no such table: main.t"));
}

#[test]
fn a_foreign_key_that_fits_no_key_tells_nothing() {
    let mut one = live("CREATE TABLE p (a); CREATE TABLE c (p REFERENCES p (a))");
    assert_eq!(one.orphans("c"), None);
    assert_eq!(live(TIED).orphans("c"), Some(Vec::new()));
}

#[test]
fn steps_grow_with_the_rows_and_have_an_end() {
    let limits = Limits { steps: 20_000, ..Limits::default() };
    let mut one = Live::open(&Settings { limits, ..Settings::default() }).unwrap();
    one.apply("CREATE TABLE t (a)");
    let mut steps = || {
        one.put("INSERT INTO t VALUES (1), (2), (3)", &[]).unwrap();
        one.steps_of("UPDATE t SET a = a + 1").unwrap()
    };
    let few = steps();
    assert!(steps() > few);
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
    assert!(matches!(one.steps_of(endless).unwrap_err().kind, RefusalKind::Limit(_)));
}

#[test]
fn small_pages_make_a_small_image() {
    let tables: Vec<String> = (0..20).map(|number| format!("CREATE TABLE t{number} (a)")).collect();
    let size = |small: bool| {
        let mut one = Live::open(&Settings::default()).unwrap();
        if small {
            one.use_small_pages().unwrap();
        }
        one.apply(&tables.join(";"));
        one.image().unwrap().schemas.iter().map(|(_, data)| data.len()).sum::<usize>()
    };
    assert!(size(true) * 2 < size(false));
}

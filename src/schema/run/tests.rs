//! What a run counts, and that it leaves nothing behind.

use super::*;
use crate::schema::Settings;

fn live(sql: &str) -> Live {
    let mut live = Live::open(&Settings { foreign_keys: true, ..Settings::default() }).unwrap();
    for applied in live.apply(sql) {
        applied.outcome.unwrap();
    }
    live
}

fn fill(bench: &Bench<'_>, rows: i64) {
    let mut insert = bench.prepare_own("INSERT INTO t VALUES (?, ?)").unwrap();
    for row in 0..rows {
        bench.execute(&mut insert, &[Value::Integer(row), Value::Integer(row / 4)]).unwrap();
    }
}

#[test]
fn what_a_run_changes_is_counted_and_taken_back() {
    let mut live = live("CREATE TABLE t(a INTEGER PRIMARY KEY, b);");
    let bench = live.bench().unwrap();
    fill(&bench, 100);
    let mut delete = bench.prepare("DELETE FROM t WHERE b = ?").unwrap();
    let first = bench.measure(&mut delete, &[Value::Integer(3)]).unwrap();
    assert_eq!((first.changed, first.returned, first.stopped), (4, 0, false));
    assert!(first.steps > 200);
    assert_eq!(bench.measure(&mut delete, &[Value::Integer(3)]).unwrap(), first);
    let mut count = bench.prepare("SELECT a FROM t").unwrap();
    assert_eq!(bench.measure(&mut count, &[]).unwrap().returned, 100);
    bench.clear().unwrap();
    assert_eq!(bench.measure(&mut count, &[]).unwrap().returned, 0);
}

#[test]
fn pages_that_a_statement_writes_are_counted() {
    let mut live = live("CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE INDEX t_b ON t(b);");
    let bench = live.bench().unwrap();
    fill(&bench, 1000);
    let mut one = bench.prepare("UPDATE t SET b = -1 WHERE a = ?").unwrap();
    let run = bench.measure_pages(&mut one, &[Value::Integer(500)]).unwrap();
    // A page of the table, and two of the index: the old place and the new one.
    assert_eq!((run.changed, run.dirtied), (1, Some(3)));
    let mut all = bench.prepare("UPDATE t SET b = b + 1").unwrap();
    assert!(bench.measure_pages(&mut all, &[]).unwrap().dirtied > Some(5));
    let mut none = bench.prepare("SELECT a FROM t").unwrap();
    assert_eq!(bench.measure_pages(&mut none, &[]).unwrap().dirtied, None);
    assert_eq!(bench.measure(&mut one, &[Value::Integer(500)]).unwrap().dirtied, None);
}

#[test]
fn what_is_random_is_the_same_in_every_run() {
    let mut live = live("CREATE TABLE t(a INTEGER PRIMARY KEY, b);");
    let bench = live.bench().unwrap();
    fill(&bench, 300);
    let mut some = bench.prepare("SELECT a FROM t ORDER BY random() LIMIT 10").unwrap();
    let runs = [(); 3].map(|()| bench.measure(&mut some, &[]).unwrap());
    assert!(runs.iter().all(|run| run == &runs[0]));
}

#[test]
fn triggers_rest_while_rows_are_filled_in() {
    let mut live = live(
        "CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE TABLE log(a);
         CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;",
    );
    let bench = live.bench().unwrap();
    fill(&bench, 10);
    let mut insert = bench.prepare("INSERT INTO t VALUES (?, 1)").unwrap();
    assert_eq!(bench.measure(&mut insert, &[Value::Integer(50)]).unwrap().changed, 2);
    let mut count = bench.prepare("SELECT a FROM log").unwrap();
    assert_eq!(bench.measure(&mut count, &[]).unwrap().returned, 0);
}

#[test]
fn a_statement_that_rolls_back_loses_the_rows_and_says_so() {
    let mut live = live("CREATE TABLE t(a INTEGER PRIMARY KEY, b);");
    let bench = live.bench().unwrap();
    fill(&bench, 10);
    let mut insert = bench.prepare("INSERT OR ROLLBACK INTO t VALUES (1, 1)").unwrap();
    assert!(bench.measure(&mut insert, &[]).unwrap().stopped);
    assert!(bench.is_lost());
    bench.clear().unwrap();
    assert!(!bench.is_lost());
}

#[test]
fn constraints_refuse_rows_and_foreign_keys_do_not() {
    let mut live = live(
        "CREATE TABLE t(a INTEGER PRIMARY KEY, b CHECK (b < 1000)); CREATE UNIQUE INDEX t_b ON t(a, b);
         CREATE TABLE child(of REFERENCES t ON DELETE RESTRICT); CREATE UNIQUE INDEX child_of ON child(of);
         CREATE TRIGGER kept BEFORE DELETE ON child BEGIN SELECT RAISE(ABORT, 'kept'); END;",
    );
    let bench = live.bench().unwrap();
    fill(&bench, 10);
    let mut insert = bench.prepare_own("INSERT INTO child VALUES (3)").unwrap();
    bench.execute(&mut insert, &[]).unwrap();
    let refused = |sql: &str| {
        let run = bench.measure(&mut bench.prepare(sql).unwrap(), &[]).unwrap();
        (run.stopped, run.refused)
    };
    assert_eq!(refused("UPDATE t SET b = 1000 WHERE a = 4"), (true, true));
    assert_eq!(refused("UPDATE t SET a = 7 WHERE a = 8"), (true, true));
    assert_eq!(refused("DELETE FROM child"), (true, true));
    assert_eq!(refused("DELETE FROM t"), (false, false));
    assert_eq!(refused("INSERT INTO child VALUES (300)"), (false, false));
}

//! What is made of a moment is what the steps had made by then.

use super::*;
use crate::extract::text::Text;
use crate::schema::{Objects, Settings};

/// Runs steps, and writes down what is there before each and behind the last; `None` where that can't be done.
fn recorded(steps: &[&str]) -> (Live, Option<Vec<Moment>>) {
    let mut live = Live::open(&Settings::default()).unwrap();
    let mut record = Record::default();
    assert!(record.note(&mut live, &[]).unwrap());
    for (step, sql) in steps.iter().enumerate() {
        let applied = live.apply(sql).into_iter();
        let outcome = |applied| Outcome { step, applied, text: Text::default(), was_early: false };
        if !record.note(&mut live, &applied.map(outcome).collect::<Vec<_>>()).unwrap() {
            return (live, None);
        }
    }
    (live, Some(record.moments))
}

/// Objects, the rows of each table, and settings.
type State = (Objects, Vec<(String, Vec<Vec<Value>>)>, Carried, bool);

fn state(live: &mut Live) -> State {
    let objects = live.objects().unwrap();
    let of =
        |table: &str, live: &mut Live| live.ask(&format!("SELECT * FROM {}", quoted(table)), 99).unwrap();
    let names = objects.tables.iter().map(|table| table.name.clone());
    let mut rows: Vec<_> = names.map(|name| (name.clone(), of(&name, live))).collect();
    if objects.tables.iter().any(|table| table.autoincrement) {
        rows.push(("sqlite_sequence".to_owned(), of("sqlite_sequence", live)));
    }
    (objects, rows, live.carried().unwrap(), live.migrating_keys)
}

const HISTORIES: [&[&str]; 6] = [
    &[
        "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE); INSERT INTO a (b) VALUES (1), (2)",
        "DELETE FROM a WHERE b = 2; CREATE INDEX a_b ON a (b) WHERE b > 0",
        "ALTER TABLE a RENAME TO c; CREATE TABLE a (id INTEGER)",
        "INSERT INTO a SELECT b FROM c; DROP TABLE c",
    ],
    &[
        "CREATE TABLE a (b); CREATE TABLE log (b); \
         CREATE TRIGGER noted AFTER INSERT ON a BEGIN INSERT INTO log VALUES (new.b); END",
        "INSERT INTO a VALUES ('x')",
        "UPDATE a SET b = 'y'; CREATE VIEW v AS SELECT a.b FROM a JOIN log USING (b)",
        "DROP TRIGGER noted; DROP TABLE log",
    ],
    &[
        "CREATE TABLE a AS SELECT 1 AS b UNION ALL SELECT 2",
        "CREATE TABLE new (b); INSERT INTO new SELECT b FROM a; DROP TABLE a; ALTER TABLE new RENAME TO a",
        "ALTER TABLE a ADD COLUMN c DEFAULT 7; DELETE FROM a",
    ],
    &[
        "PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = ON",
        "CREATE TABLE child (p REFERENCES parent); CREATE TABLE parent (id INTEGER PRIMARY KEY)",
        "INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1)",
        "PRAGMA foreign_keys = OFF",
    ],
    &[
        "CREATE TABLE a (b, c); CREATE VIEW v AS SELECT b, c FROM a; CREATE VIEW w AS SELECT c FROM v",
        "DROP VIEW v; CREATE VIEW v AS SELECT c, b FROM a",
        "DROP VIEW v; CREATE VIEW v AS SELECT b, c FROM a",
    ],
    &[
        "CREATE TABLE a (b CHECK (b > 0))",
        "PRAGMA ignore_check_constraints = 1; INSERT INTO a VALUES (0)",
        "PRAGMA ignore_check_constraints = 0",
    ],
];

#[test]
fn what_is_made_of_a_moment_is_what_was_there() {
    for history in HISTORIES {
        let moments = recorded(history).1.unwrap();
        assert_eq!(moments.len(), history.len() + 1, "{history:?}");
        for (steps, moment) in moments.iter().enumerate() {
            let mut then = Live::open(&Settings::default()).unwrap();
            for sql in history.iter().take(steps) {
                then.apply(sql);
            }
            then.drop_temporary().unwrap();
            let mut made = Live::open(&Settings::default()).unwrap();
            made.excerpt(moment, &moment.tables()).unwrap();
            assert_eq!(state(&mut made), state(&mut then), "{history:?}, after {steps}");
        }
    }
}

#[test]
fn what_no_step_changed_is_kept_once() {
    let moments =
        recorded(&["CREATE TABLE a (b); INSERT INTO a VALUES (1)", "CREATE TABLE c (d)"]).1.unwrap();
    let [_, first, last] = moments.as_slice() else { panic!("{moments:?}") };
    assert!(Arc::ptr_eq(&first.entries[0], &last.entries[0]));
    assert!(Arc::ptr_eq(&first.rows["a"], &last.rows["a"]));
}

#[test]
fn what_a_moment_does_not_hold_is_not_kept() {
    let many = "CREATE TABLE n (i); INSERT INTO n WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1001) \
                SELECT i FROM n";
    let statistics = "CREATE TABLE t (a); ANALYZE; INSERT INTO sqlite_stat1 VALUES ('t', NULL, '5')";
    let analyzed = "CREATE TABLE t (a); CREATE INDEX t_a ON t (a); INSERT INTO t VALUES (1); ANALYZE";
    let temporary = "CREATE TABLE t (a); CREATE TEMP TABLE kept AS SELECT a FROM t";
    for step in ["CREATE VIRTUAL TABLE words USING fts5 (a)", statistics, analyzed, temporary, many] {
        assert!(recorded(&[step]).1.is_none(), "{step}");
    }
}

#[test]
fn a_part_has_its_tables_alone() {
    let steps = "CREATE TABLE a (b); CREATE TABLE c (d); INSERT INTO c VALUES (1); \
                 CREATE VIEW one AS SELECT b FROM a; CREATE VIEW both AS SELECT b FROM a JOIN c";
    let moments = recorded(&[steps]).1.unwrap();
    let mut made = Live::open(&Settings::default()).unwrap();
    made.excerpt(&moments[1], &BTreeSet::from(["a".to_owned()])).unwrap();
    let objects = made.objects().unwrap();
    assert_eq!(objects.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(objects.views.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["one"]);
}

#[test]
fn a_text_needs_what_it_names_and_what_that_leads_to() {
    let steps = "CREATE TABLE a (b); CREATE INDEX a_b ON a (b); CREATE TABLE parent (id INTEGER PRIMARY KEY); \
                 CREATE TABLE child (p REFERENCES parent); CREATE TABLE \"of signs!\" (c); CREATE TABLE log (d); \
                 CREATE TRIGGER noted AFTER INSERT ON log BEGIN DELETE FROM a; END; CREATE TABLE e (f); \
                 CREATE VIEW both AS SELECT * FROM e JOIN a";
    let moments = recorded(&[steps]).1.unwrap();
    let ties = crate::schema::ties::Ties::new(&moments[1].entries);
    let needs = |sql: &str| ties.needs([sql].into_iter()).into_iter().collect::<Vec<_>>().join(", ");
    assert_eq!(needs("DELETE FROM parent"), "child, parent");
    assert_eq!(needs("INSERT INTO child VALUES (1)"), "child, parent");
    assert_eq!(needs("ALTER TABLE [of signs!] RENAME TO g"), "of signs!");
    assert_eq!(needs("DROP INDEX a_b"), "a, e");
    assert_eq!(needs("DROP TRIGGER noted"), "a, e, log");
    assert_eq!(needs("SELECT 1 FROM both"), "a, e");
    assert_eq!(ties.reach(["UPDATE a SET b = 1"].into_iter()), BTreeSet::from(["a".to_owned()]));
}

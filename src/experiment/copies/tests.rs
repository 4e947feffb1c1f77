//! What becomes of a table, as the statements of a unit say it.

use super::*;
use crate::schema::{Live, Settings, rehearsal::Manner};

const TABLE: &str =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO t VALUES (1, 'x', 'y')";

/// Runs a text on a table `t` with a row, and asks.
fn after<T>(text: &str, ask: impl FnOnce(&Deeds<'_>, &Objects) -> T) -> T {
    let mut live = Live::open(&Settings::default()).unwrap();
    live.apply(TABLE);
    let before = live.objects().unwrap();
    let rehearsal = live.rehearse(&[text], &Manner::default());
    assert!(rehearsal.is_complete(), "{text}: {rehearsal:?}");
    let objects = live.objects().unwrap();
    ask(&Deeds::new(&[text], &rehearsal, &before), &objects)
}

/// The successor of `t`, the numbers of the statements that dropped it and that filled its successor, and where it is aside.
fn fate(text: &str) -> (Option<String>, Option<usize>, Option<usize>, Option<String>) {
    let fate = after(text, |deeds, objects| deeds.fate("t", objects));
    (fate.successor, fate.dropped, fate.copy, fate.aside)
}

#[test]
fn a_table_that_is_made_anew_has_a_successor_of_its_name() {
    let last = "CREATE TABLE n (id INTEGER PRIMARY KEY, a, b); INSERT INTO n SELECT * FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t";
    assert_eq!(fate(last), (Some("t".to_owned()), Some(2), Some(1), None));
    let first = "ALTER TABLE t RENAME TO o; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t SELECT * FROM o; DROP TABLE o";
    assert_eq!(fate(first), (Some("t".to_owned()), Some(3), Some(2), None));
}

#[test]
fn a_table_that_only_gets_another_name_succeeds_itself() {
    assert_eq!(fate("ALTER TABLE t RENAME TO u"), (Some("u".to_owned()), None, None, None));
    assert_eq!(
        fate("ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME TO t"),
        (Some("t".to_owned()), None, None, None)
    );
}

#[test]
fn a_table_that_is_put_aside_is_still_there() {
    let text = "ALTER TABLE t RENAME TO o; CREATE TABLE t (id INTEGER PRIMARY KEY)";
    assert_eq!(fate(text), (Some("t".to_owned()), None, None, Some("o".to_owned())));
}

#[test]
fn a_table_that_is_dropped_for_good_has_no_successor() {
    assert_eq!(fate("DROP TABLE t"), (None, Some(0), None, None));
    assert_eq!(fate("DROP TABLE IF EXISTS u"), (Some("t".to_owned()), None, None, None));
}

#[test]
fn what_is_written_under_a_name_for_a_while_is_written() {
    let writes = |text: &str| {
        let fate = after(text, |deeds, objects| deeds.fate("t", objects));
        (fate.deletes, fate.replaces, fate.updates)
    };
    let text = "ALTER TABLE t RENAME TO o; ALTER TABLE o RENAME TO p; DELETE FROM p WHERE id = 1; ALTER TABLE p RENAME TO t";
    assert_eq!(writes(text), (true, false, false));
    assert_eq!(writes("UPDATE t SET a = 1"), (false, false, true));
    assert_eq!(writes("REPLACE INTO t VALUES (1, 'a', 'b')"), (false, true, false));
    let upsert = "INSERT INTO t VALUES (1, 'a', 'b') ON CONFLICT (id) DO UPDATE SET a = 'c'";
    assert_eq!(writes(upsert), (false, false, true));
    assert_eq!(writes("INSERT INTO t VALUES (2, 'a', 'b')"), (false, false, false));
    let copy = "CREATE TABLE n (id, a, b); INSERT INTO n SELECT * FROM t; DELETE FROM n WHERE id = 1";
    assert_eq!(writes(copy), (true, false, false));
    let temporary = "CREATE TEMP TABLE t (id); DELETE FROM temp.t";
    assert_eq!(writes(temporary), (false, false, false));
}

#[test]
fn rows_are_followed_through_other_tables_and_views() {
    let way = |text: &str| {
        let fate = after(text, |deeds, objects| deeds.fate("t", objects));
        (fate.copy, fate.leaves_out)
    };
    let temporary = "CREATE TEMP TABLE k AS SELECT * FROM t WHERE a > 1; DROP TABLE t; CREATE TABLE t (id, a, b); INSERT INTO t SELECT * FROM k";
    assert_eq!(way(temporary), (Some(3), true));
    let view = "CREATE VIEW w AS SELECT id, a FROM t; CREATE TABLE n (id, a); INSERT INTO n SELECT * FROM w; DROP VIEW w; DROP TABLE t; ALTER TABLE n RENAME TO t";
    assert_eq!(way(view), (Some(2), false));
    let other = "CREATE TABLE log (id); INSERT INTO log SELECT id FROM t; CREATE TABLE n (id, a); INSERT INTO n SELECT id, a FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t";
    assert_eq!(way(other), (Some(3), false));
}

#[test]
fn a_copy_says_which_columns_it_fills() {
    let cases = [
        ("INSERT INTO n SELECT * FROM t", None),
        ("INSERT INTO n (a, \"values\", [selected]) SELECT a, b, id FROM t", Some("a values selected")),
        ("INSERT INTO n (selected, a) SELECT b, (SELECT 1) FROM t", Some("selected a")),
        ("WITH c AS (SELECT a FROM t) INSERT INTO n (a) SELECT a FROM c", Some("a")),
        ("INSERT INTO n (a) WITH c (x) AS (SELECT a FROM t) SELECT x FROM c", Some("a")),
    ];
    for (copy, columns) in cases {
        let text = format!("CREATE TABLE n (a, \"values\", selected); {copy}");
        let found = after(&text, |deeds, _| deeds.columns(1).map(|names| names.join(" ")));
        assert_eq!(found.as_deref(), columns, "{copy}");
    }
}

#[test]
fn a_copy_that_leaves_rows_out_says_so() {
    let selects = |copy: &str| {
        let text = format!("CREATE TABLE n (id INTEGER PRIMARY KEY, a, b); {copy}");
        after(&text, |deeds, _| deeds.copied(1).unwrap().leaves_out)
    };
    assert!(selects("INSERT INTO n SELECT * FROM t WHERE a > 1"));
    assert!(selects("INSERT OR IGNORE INTO n SELECT * FROM t"));
    assert!(!selects("INSERT INTO n SELECT * FROM t ORDER BY a"));
}

#[test]
fn the_last_change_of_a_table_is_to_blame() {
    let text = "ALTER TABLE t ADD COLUMN c; CREATE VIEW v AS SELECT a FROM t; DROP VIEW v; DROP TABLE t; CREATE TABLE t (a)";
    assert_eq!(after(text, |deeds, _| deeds.last_on(&["T"])), Some(3));
    assert_eq!(after(text, |deeds, _| deeds.last_on(&["v"])), Some(2));
    assert_eq!(after(text, |deeds, _| deeds.last_on(&["u"])), None);
}

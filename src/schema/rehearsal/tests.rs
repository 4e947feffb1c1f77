//! What a unit leaves, how it ends, and what it did without saying so.

use super::*;
use crate::schema::{Limits, RefusalKind, Settings};

fn live(schema: &str) -> Live {
    let mut live = Live::open(&Settings::default()).unwrap();
    for applied in live.apply(schema) {
        assert!(applied.outcome.is_ok(), "{applied:?}");
    }
    live
}

fn wrapped() -> Manner {
    Manner { wrapped: true, ..Manner::default() }
}

/// The statements that ran, by the first words of their text.
fn heads(rehearsal: &Rehearsal, parts: &[&str]) -> Vec<String> {
    let text = |ran: &Ran| parts[ran.part].get(ran.applied.start..ran.applied.end).unwrap();
    let head = |ran: &Ran| text(ran).split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    rehearsal.ran.iter().map(head).collect()
}

fn names(live: &mut Live) -> Vec<String> {
    let objects = live.objects().unwrap();
    objects.tables.iter().filter(|table| table.schema == "main").map(|table| table.name.clone()).collect()
}

#[test]
fn a_unit_ends_at_the_first_statement_that_fails() {
    let parts = ["CREATE TABLE b (x); CREATE TABLE a (x)", "CREATE TABLE c (x)"];
    let mut one = live("CREATE TABLE a (x)");
    let rehearsal = one.rehearse(&parts, &Manner::default());
    assert_eq!(heads(&rehearsal, &parts), ["CREATE TABLE b", "CREATE TABLE a"]);
    let (ran, refusal) = rehearsal.failure().unwrap();
    assert_eq!((ran.at(), &refusal.kind), ((0, 20), &RefusalKind::AlreadyExists("a".to_owned())));
    assert_eq!(names(&mut one), ["a", "b"]);
}

#[test]
fn a_transaction_around_it_takes_all_back() {
    let mut one = live("CREATE TABLE a (x)");
    assert!(!one.rehearse(&["CREATE TABLE b (x); CREATE TABLE a (x)"], &wrapped()).is_complete());
    assert_eq!(names(&mut one), ["a"]);
    assert!(one.rehearse(&["CREATE TABLE b (x); CREATE TABLE c (x)"], &wrapped()).is_complete());
    assert_eq!(names(&mut one), ["a", "b", "c"]);
}

#[test]
fn what_is_forgiven_is_passed_over() {
    let parts = ["CREATE TABLE a (x); CREATE TABLE b (x)"];
    let manner = Manner { forgiven: BTreeSet::from([(0, 0)]), ..Manner::default() };
    let rehearsal = live("CREATE TABLE a (x)").rehearse(&parts, &manner);
    assert!(rehearsal.is_complete());
    assert_eq!(heads(&rehearsal, &parts), ["CREATE TABLE b"]);
}

#[test]
fn an_end_before_a_statement_keeps_what_no_transaction_holds() {
    let stopped = |text: &str, wrapped: bool, keeps: bool| {
        let mut one = live("");
        let at = text.find("CREATE TABLE z").unwrap();
        one.rehearse(&[text], &Manner { wrapped, until: Some((0, at)), keeps, ..Manner::default() });
        names(&mut one)
    };
    let bare = "CREATE TABLE a (x); CREATE TABLE z (x)";
    assert_eq!(stopped(bare, false, false), ["a"]);
    assert_eq!(stopped(bare, true, false), [""; 0]);
    assert_eq!(stopped(bare, true, true), ["a"]);
    let own = "CREATE TABLE a (x); BEGIN; CREATE TABLE b (x); CREATE TABLE z (x); COMMIT";
    assert_eq!(stopped(own, false, false), ["a"]);
}

#[test]
fn who_ends_the_transaction_of_the_runner_escapes() {
    let escapes = |text: &str, manner: &Manner| {
        let rehearsal = live("CREATE TABLE a (x)").rehearse(&[text], manner);
        rehearsal.ran.iter().filter(|ran| ran.escapes).count()
    };
    let text = "DELETE FROM a; COMMIT; BEGIN; DELETE FROM a; COMMIT";
    assert_eq!((escapes(text, &wrapped()), escapes(text, &Manner::default())), (1, 0));
    assert_eq!(escapes("DELETE FROM a; ROLLBACK", &wrapped()), 1);
    assert_eq!(escapes("SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; RELEASE s", &wrapped()), 0);
}

#[test]
fn a_commit_that_a_deferred_key_forbids_is_the_failure_of_the_last() {
    let settings = Settings { foreign_keys: true, ..Settings::default() };
    let mut one = Live::open(&settings).unwrap();
    one.apply("CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)");
    let parts = ["INSERT INTO c VALUES (1); CREATE TABLE d (x)"];
    let rehearsal = one.rehearse(&parts, &wrapped());
    let (ran, refusal) = rehearsal.failure().unwrap();
    assert_eq!((ran.part, &refusal.kind), (0, &RefusalKind::Constraint));
    assert!(ran.effect().is_some() && rehearsal.commit.is_some());
    assert_eq!(names(&mut one), ["c", "p"]);
}

#[test]
fn settings_that_stay_as_they_are_are_told() {
    let silent = |text: &str, manner: &Manner| {
        let settings = Settings { foreign_keys: true, ..Settings::default() };
        let mut one = Live::open(&settings).unwrap();
        one.apply("CREATE TABLE a (x)");
        let rehearsal = one.rehearse(&[text], manner);
        assert!(rehearsal.is_complete(), "{text}");
        let found = rehearsal.ran.into_iter().filter_map(|ran| ran.silent);
        found.map(|one| format!("{} {}", one.pragma, one.wanted)).collect::<Vec<_>>().join(", ")
    };
    let bare = Manner::default();
    for (text, within, without) in [
        ("PRAGMA foreign_keys = OFF", "foreign_keys off", ""),
        ("PRAGMA main.foreign_keys(0)", "foreign_keys 0", ""),
        ("PRAGMA foreign_keys = ON; PRAGMA foreign_keys", "", ""),
        ("PRAGMA journal_mode = WAL", "journal_mode wal", ""),
        ("PRAGMA page_size = 8192", "page_size 8192", "page_size 8192"),
        ("PRAGMA auto_vacuum = FULL", "auto_vacuum full", "auto_vacuum full"),
        ("PRAGMA auto_vacuum = 0; PRAGMA page_size", "", ""),
        ("PRAGMA user_version = 3", "", ""),
    ] {
        assert_eq!(
            (silent(text, &wrapped()).as_str(), silent(text, &bare).as_str()),
            (within, without),
            "{text}"
        );
    }
    assert_eq!(silent("BEGIN; PRAGMA foreign_keys = OFF; COMMIT", &bare), "foreign_keys off");
    assert_eq!(silent("PRAGMA foreign_keys = OFF; BEGIN; DELETE FROM a; COMMIT", &bare), "");
}

#[test]
fn foreign_keys_stay_as_a_unit_leaves_them() {
    let mut one = live("CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)");
    let wrong = ["INSERT INTO c VALUES (1)"];
    assert!(one.rehearse(&wrong, &Manner::default()).is_complete());
    one.rehearse(&["PRAGMA foreign_keys = ON"], &Manner::default());
    assert!(!one.rehearse(&wrong, &Manner::default()).is_complete());
}

#[test]
fn what_a_failed_unit_leaves_open_is_ended() {
    let mut one = live("CREATE TABLE a (x)");
    assert!(
        !one.rehearse(&["BEGIN; CREATE TABLE b (x); CREATE TABLE a (x)"], &Manner::default()).is_complete()
    );
    assert_eq!(names(&mut one), ["a"]);
    assert!(one.rehearse(&["BEGIN; CREATE TABLE b (x)"], &Manner::default()).is_complete());
    assert_eq!(names(&mut one), ["a", "b"]);
}

#[test]
fn writes_that_read_say_how() {
    let text = "UPDATE a SET x = (SELECT max(y) FROM b WHERE b.x = a.x); UPDATE a SET x = 1; SELECT 1";
    let manner = Manner { plans: true, ..Manner::default() };
    let rehearsal = live("CREATE TABLE a (x); CREATE TABLE b (x, y)").rehearse(&[text], &manner);
    let plans: Vec<usize> = rehearsal.ran.iter().map(|ran| ran.plan.len()).collect();
    assert!(plans[0] > 1, "{plans:?}");
    assert_eq!(plans[1..], [0, 0]);
}

#[test]
fn what_has_no_end_is_stopped() {
    let limits = Limits { steps: 10_000, ..Limits::default() };
    let mut one = Live::open(&Settings { limits, ..Settings::default() }).unwrap();
    let endless = "CREATE TABLE a (x); INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let rehearsal = one.rehearse(&[endless], &Manner::default());
    let (ran, refusal) = rehearsal.failure().unwrap();
    assert!(ran.at() == (0, 20) && matches!(refusal.kind, RefusalKind::Limit(_)), "{refusal:?}");
    assert!(one.rehearse(&["INSERT INTO a VALUES (1)"], &Manner::default()).is_complete());
}

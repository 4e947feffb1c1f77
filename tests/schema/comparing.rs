//! Two schemas compared: what makes a difference, and what makes none.

use super::made_by;
use planlint::schema::compare::differences;

/// The differences between two schemas, as `kind table.object property: here -> there`.
fn told(here: &str, there: &str) -> Vec<String> {
    let (here, there) = (made_by(here).objects().unwrap(), made_by(there).objects().unwrap());
    let all = differences(&here, &there).into_iter();
    let side = |side: Option<String>| side.unwrap_or_else(|| "nothing".to_owned());
    all.map(|one| {
        let (here, there) = (side(one.here), side(one.there));
        format!("{} {}.{} {}: {here} -> {there}", one.kind, one.table, one.object, one.property)
    })
    .collect()
}

#[test]
fn names_spelling_and_the_way_to_say_it_make_no_difference() {
    for (here, there) in [
        ("CREATE TABLE t(a TEXT UNIQUE)", "CREATE TABLE T(A text); CREATE UNIQUE INDEX by_a ON t(a)"),
        (
            "CREATE TABLE t(a); CREATE INDEX i ON t(a, lower(a))",
            "CREATE TABLE t(a); CREATE INDEX j ON t(A,lower( a ))",
        ),
        ("CREATE TABLE t(a INT)", "CREATE TABLE t(a BIGINT)"),
        ("CREATE TABLE t(a DEFAULT 0)", "CREATE TABLE t(a DEFAULT (0))"),
        (
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p)",
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES P(id))",
        ),
        (
            "CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t -- all",
            "CREATE TABLE t(a); CREATE VIEW IF NOT EXISTS \"v\" AS select a  from t",
        ),
        ("CREATE TABLE t(a, b)", "CREATE TABLE t(a); ALTER TABLE t ADD COLUMN b"),
        ("CREATE TABLE t(a)", "CREATE TABLE o(a); ALTER TABLE o RENAME TO t"),
        ("CREATE TABLE t(id INTEGER PRIMARY KEY)", "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT)"),
    ] {
        assert_eq!(told(here, there), Vec::<String>::new(), "{here} | {there}");
    }
}

#[test]
fn what_one_has_and_the_other_has_not_is_told_once() {
    let here = "CREATE TABLE t(a, b NOT NULL); CREATE INDEX i ON t(a); CREATE TABLE gone(x UNIQUE)";
    let there = "CREATE TABLE t(a)";
    assert_eq!(
        told(here, there),
        [
            "column t.b exists: NOT NULL -> nothing",
            "index t.i exists: CREATE INDEX i ON t(a) -> nothing",
            "table gone.gone exists:  -> nothing",
        ]
    );
}

#[test]
fn properties_differ_one_by_one() {
    let here =
        "CREATE TABLE t(a TEXT COLLATE NOCASE, b INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (a, b)) STRICT";
    let there = "CREATE TABLE t(b REAL, a TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID";
    assert_eq!(
        told(here, there),
        [
            "column t.a collation: NOCASE -> BINARY",
            "column t.b affinity: INTEGER -> REAL",
            "column t.b default: 1 -> nothing",
            "table t.t column_order: a, b -> b, a",
            "table t.t primary_key: a, b -> b, a",
            "table t.t strict: true -> false",
            "table t.t without_rowid: false -> true",
        ]
    );
}

#[test]
fn an_index_differs_by_all_that_is_of_use_in_it() {
    let table = "CREATE TABLE t(a, b);";
    for (here, there) in [
        ("(a)", "(b)"),
        ("(a, b)", "(b, a)"),
        ("(a)", "(a DESC)"),
        ("(a)", "(a COLLATE NOCASE)"),
        ("(a)", "(a) WHERE b > 0"),
    ] {
        let of = |terms: &str| format!("{table} CREATE INDEX i ON t {terms}");
        assert_eq!(told(&of(here), &of(there)).len(), 2, "{here} | {there}");
    }
    let of = |kind: &str| format!("{table} CREATE {kind} i ON t (a)");
    assert_eq!(told(&of("INDEX"), &of("UNIQUE INDEX")).len(), 2);
}

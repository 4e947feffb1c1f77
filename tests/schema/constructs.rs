//! Everything that SQLite's grammar has, on a small schema: it is cut, planned and run without loss.

use super::made_with;
use planlint::schema::{
    Live, RefusalKind, Settings,
    sqlite::{Batch, Connection, fallible_iterator::FallibleIterator},
};

/// Lines of `name|statement`.
const CONSTRUCTS: &str = include_str!("../constructs.txt");

const SCHEMA: &str = "CREATE TABLE t(a UNIQUE, b UNIQUE, c); CREATE INDEX ta ON t(a);
    CREATE UNIQUE INDEX t_lower ON t(lower(a)) WHERE b > 0; CREATE UNIQUE INDEX t_nocase ON t(a COLLATE NOCASE);
    CREATE TABLE u(a, b); CREATE VIEW v AS SELECT a, b FROM t; CREATE VIRTUAL TABLE f USING fts5(x, y);
    CREATE TRIGGER tr AFTER INSERT ON u BEGIN SELECT 1; END;
    CREATE TABLE kw(key, value, index_, \"order\", timestamp, date, hash, data, type, name, action, row, current,
      filter, match);";

/// What SQLite refuses, and in which words: the last two are for other builds of it
/// (`SQLITE_ENABLE_UPDATE_DELETE_LIMIT`, `SQLITE_ENABLE_ORDERED_SET_AGGREGATES`); the first is good SQL, but
/// `json_each` has more columns than one.
const REFUSED: &[(&str, &str)] = &[
    ("IN table function", "sub-select returns 8 columns - expected 1"),
    ("DELETE LIMIT", "near \"ORDER\": syntax error"),
    ("within group", "near \"(\": syntax error"),
];

fn constructs() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONSTRUCTS.lines().map(|line| line.split_once('|').unwrap())
}

fn live() -> Live {
    made_with(&Settings::default(), SCHEMA)
}

/// A schema on which the statement means something: `f` is not there yet, `u` has one column, or `t` one more.
fn fresh_for(sql: &str) -> Live {
    let mut live = live();
    if sql.starts_with("CREATE VIRTUAL TABLE f") {
        live.apply("DROP TABLE f");
    } else if sql.ends_with("IN u") {
        live.apply("DROP TABLE u; CREATE TABLE u(a)");
    } else if sql.contains("[a b]") {
        live.apply("ALTER TABLE t ADD \"a b\"");
    }
    live
}

#[test]
fn there_are_so_many() {
    assert_eq!(constructs().count(), 199);
}

#[test]
fn each_is_one_statement() {
    for (name, sql) in constructs() {
        let pieces = Live::split(sql);
        assert_eq!(pieces.len(), 1, "{name}");
        let (start, end) = pieces[0];
        let around = format!("{}{}", &sql[..start], &sql[end..]);
        let comment = around.trim_start_matches([';', ' ']);
        assert!(
            comment.is_empty() || comment.starts_with("--") || comment.starts_with("/*"),
            "{name}: {around}"
        );
    }
}

#[test]
fn all_together_are_as_many_statements() {
    let lines: Vec<&str> = constructs().map(|(_, sql)| sql).filter(|sql| !sql.contains("/*")).collect();
    assert_eq!(Live::split(&lines.join("\n;\n")).len(), lines.len());
}

#[test]
fn each_is_planned_but_for_those_that_sqlite_refuses() {
    let mut refused = Vec::new();
    for (name, sql) in constructs() {
        match fresh_for(sql).explain(sql) {
            Ok(explained) => assert_eq!(explained.tail, sql.len(), "{name}"),
            Err(refusal) => refused.push((name, refusal.message)),
        }
    }
    let refused: Vec<(&str, &str)> =
        refused.iter().map(|(name, message)| (*name, message.as_str())).collect();
    assert_eq!(refused, REFUSED);
}

#[test]
fn each_is_run_or_refused_for_a_reason() {
    for (name, sql) in constructs() {
        let mut live = fresh_for(sql);
        let mut applied = live.apply(sql);
        assert_eq!(applied.len(), 1, "{name}");
        let Err(refusal) = applied.remove(0).outcome else { continue };
        let reason = match refusal.kind {
            _ if REFUSED.contains(&(name, refusal.message.as_str())) => true,
            RefusalKind::Forbidden(_) => {
                ["ATTACH", "DETACH", "VACUUM INTO"].iter().any(|word| name.contains(word))
            }
            // A COMMIT, ROLLBACK or RELEASE without its BEGIN; a LIMIT that is a parameter without a value.
            RefusalKind::Other => ["cannot ", "no such savepoint", "datatype mismatch"]
                .iter()
                .any(|words| refusal.message.starts_with(words)),
            _ => false,
        };
        assert!(reason, "{name}: {refusal:?}");
    }
}

/// SQLite tells where the first statement of a text ends; what follows it is the next.
#[test]
fn statements_begin_where_those_before_them_end_for_sqlite() {
    let mut live = live();
    let lines: Vec<&str> = constructs().map(|(_, sql)| sql).collect();
    let mut seen = 0;
    for pair in lines.windows(2) {
        let text = format!("{};\n {}", pair[0], pair[1]);
        let Some(ends) = end_of_first(live.connection().unwrap(), &text) else { continue };
        let pieces = Live::split(&text);
        let (first, next) = (pieces[0], pieces.get(1).copied());
        assert!(
            first.1 <= ends && next.is_none_or(|(start, _)| ends <= start),
            "{text:?}: {ends}, {pieces:?}"
        );
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

/// The byte behind the first statement, by what SQLite keeps as its text; `None` where it refuses the statement, or writes
/// values in the place of parameters.
fn end_of_first(connection: &Connection, text: &str) -> Option<usize> {
    let first = Batch::new(connection, text).next().ok().flatten()?;
    (first.parameter_count() == 0).then(|| first.expanded_sql().map(|sql| sql.len()))?
}

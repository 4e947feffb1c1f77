//! Expressions are run, and give the values that they were found for.

use super::*;
use crate::growth::values::{Kind, mix};
use crate::schema::{open_in_memory, sqlite::OpenFlags};

const ROWS: u64 = 100;

fn expression(of: impl Fn(u64) -> Value) -> Option<(String, Vec<Value>)> {
    let values: Vec<Value> = (0..ROWS).map(of).collect();
    let codes = Codes::new(ROWS);
    let formulas = Formulas::new(&codes, &[ROWS, 8]);
    let sql = formulas.of(&values, 1)?;
    Some((sql, values))
}

fn run(sql: &str) -> Vec<Value> {
    let connection = open_in_memory(OpenFlags::default()).unwrap();
    let all = format!(
        "WITH RECURSIVE made(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM made WHERE n < {}) SELECT {sql} FROM made",
        ROWS - 1
    );
    let mut statement = connection.prepare(&all).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[track_caller]
fn same(of: impl Fn(u64) -> Value) -> String {
    let (sql, values) = expression(of).unwrap();
    assert_eq!(run(&sql), values, "{sql}");
    sql
}

#[test]
fn each_way_to_make_rows_is_found() {
    let text = |thing| Kind::Text.value(thing);
    assert_eq!(same(|row| Kind::Integer.value(row)), "n + 1");
    assert_eq!(same(text), "printf('v%09d', n)");
    assert_eq!(same(|row| text(row / 4)), "printf('v%09d', n / 4)");
    assert_eq!(same(|row| text(row % 2)), "printf('v%09d', n % 2)");
    assert_eq!(same(|row| text(row + 50)), "printf('v%09d', n + 50)");
    assert_eq!(same(|row| Kind::Real.value((50 + row) % 100)), "(n + 50) % 100 + 0.5");
    same(|row| text((50 + row / 4) % 100 / 4));
    same(|row| text(row % 8 / 4));
    same(|row| text((4 + row % 2) % 8 + 50));
    same(|_| Value::Null);
}

#[test]
fn rows_apart_are_named() {
    let flag = |row: u64| Value::Integer(i64::from((51..55).contains(&row)));
    assert_eq!(same(flag), "CASE WHEN n BETWEEN 51 AND 54 THEN 1 ELSE 0 END");
    let parent = |row: u64| match row.checked_sub(1) {
        Some(before) => {
            before.checked_sub((before + 4 - 2) % 4).map_or(Value::Null, |row| Kind::Text.value(row))
        }
        None => Value::Null,
    };
    same(parent);
    let sentinel = |row: u64| match row {
        51..55 => Value::Null,
        row => Kind::Text.value(row),
    };
    same(sentinel);
}

#[test]
fn what_is_random_stays_as_frequent() {
    let (sql, _) = expression(|row| Value::Integer((mix(row) % 2) as i64)).unwrap();
    let ones = run(&sql).iter().filter(|value| **value == Value::Integer(1)).count();
    assert!((35..=65).contains(&ones), "{sql}: {ones}");
    let words = ["a", "b", "c"].map(|word| Value::Text(word.to_owned()));
    let (sql, _) = expression(|row| words[(mix(row) % 3) as usize].clone()).unwrap();
    let found = run(&sql);
    assert!(words.iter().all(|word| found.iter().filter(|one| *one == word).count() > 20), "{sql}");
    let half = |row: u64| {
        if mix(row).is_multiple_of(2) { Value::Null } else { Kind::Text.value(row) }
    };
    let (sql, _) = expression(half).unwrap();
    let nulls = run(&sql).iter().filter(|value| **value == Value::Null).count();
    assert!((35..=65).contains(&nulls), "{sql}: {nulls}");
}

#[test]
fn what_follows_no_way_is_not_said() {
    assert!(expression(|row| Value::Integer((mix(row) % 1000) as i64)).is_none());
}

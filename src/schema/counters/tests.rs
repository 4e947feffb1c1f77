//! What the doors to SQLite do: counters, listings, and the count of memory.

use super::*;

fn filled() -> sqlite::Connection {
    let connection = open_in_memory(OpenFlags::default()).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t(a, b);
             WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
             INSERT INTO t SELECT i, hex(i) FROM n;",
        )
        .unwrap();
    connection
}

#[test]
fn counting_all_rows_reads_pages_that_steps_do_not_show() {
    let connection = filled();
    let before = pages_read(&connection).unwrap();
    let rows: i64 = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 5000);
    assert!(pages_read(&connection).unwrap() > before + 10);
}

#[test]
fn a_statement_lists_its_program_and_then_its_rows_again() {
    let connection = filled();
    let text = "EXPLAIN QUERY PLAN SELECT a, b FROM t";
    let mut statement = connection.prepare(text).unwrap();
    list(&connection, text, Listing::Program).unwrap();
    let mut names: Vec<String> = Vec::new();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().unwrap() {
        names.push(row.get(1).unwrap());
    }
    drop(rows);
    assert!(names.iter().any(|name| name == "Explain") && names.iter().any(|name| name == "Rewind"));
    list(&connection, text, Listing::Rows).unwrap();
    assert_eq!(statement.column_count(), 2);
}

#[test]
fn a_text_that_is_no_live_statement_is_an_error() {
    let connection = filled();
    assert!(list(&connection, "SELECT 1", Listing::Program).is_err());
}

#[test]
fn memory_is_counted_by_thread() {
    assert!(counts_itself());
    let before = memory_taken();
    let connection = filled();
    assert!(memory_taken() > before + 100_000);
    let elsewhere = std::thread::spawn(memory_taken).join().unwrap();
    assert_eq!(elsewhere, 0);
    let given_back = std::thread::spawn(move || {
        drop(connection);
        memory_taken()
    });
    assert!(given_back.join().unwrap() < -100_000);
}

#[test]
fn settings_that_come_too_late_are_refused_and_not_taken() {
    let _connection = filled();
    assert_eq!(count_memory(), None);
}

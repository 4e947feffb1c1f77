//! Estimates, held against what is counted.

use crate::folder::{Folder, audit, make};
use planlint::audit::{Pages, TreeSize, estimate};
use rusqlite::Connection;
use std::fs;

/// The pages of a file that nobody writes.
struct Bytes(Vec<u8>);

impl Pages for Bytes {
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        let at = (number as usize).checked_sub(1)? * 4096;
        self.0.get(at..at + 4096).map(<[u8]>::to_vec)
    }

    fn usable(&self) -> u32 {
        4096
    }
}

/// Rows of uneven sizes, of which some ranges are gone: scrambled, and the same in each run.
const UNEVEN: &str = "
    CREATE TABLE blocks (id INTEGER PRIMARY KEY, hash BLOB, height INTEGER, body TEXT);
    CREATE INDEX by_hash ON blocks (hash);
    CREATE INDEX by_height ON blocks (height);
    CREATE TABLE pairs (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID;
    BEGIN;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
    INSERT INTO blocks SELECT i,
        unhex(printf('%08x%056x', (i * 2654435761 + i * i * 40503) % 4294967296, i)), i / 7,
        substr(hex(zeroblob(100)), 1, i * i * 7919 % 41 + i / 1500) FROM n;
    INSERT INTO pairs SELECT substr(hash, 1, 12), body FROM blocks WHERE id % 2;
    DELETE FROM blocks WHERE id BETWEEN 20000 AND 70000 AND id % 10 < 8;
    DELETE FROM blocks WHERE id BETWEEN 150000 AND 165000;
    DELETE FROM pairs WHERE hex(key) < '4' AND length(value) % 3;
    COMMIT;";

#[test]
fn rows_are_estimated_within_three_percent_from_three_hundred_pages() {
    let folder = Folder::with(UNEVEN);
    let mut bytes = Bytes(fs::read(folder.file()).unwrap());
    let connection = Connection::open(folder.file()).unwrap();
    let mut trees = connection.prepare("SELECT name, tbl_name, rootpage FROM sqlite_schema").unwrap();
    let trees: Vec<(String, String, u32)> = trees
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(trees.len(), 4);
    for (name, table, root) in trees {
        let count = format!("SELECT count(*) FROM {table}");
        let rows: f64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
        let sizes: Vec<TreeSize> =
            (0..40).map(|seed| estimate(&mut bytes, root, 300, seed).unwrap()).collect();
        let mut errors: Vec<f64> = sizes.iter().map(|size| (size.rows.value / rows - 1.0).abs()).collect();
        errors.sort_by(f64::total_cmp);
        assert!(errors[37] <= 0.03, "{name}: {errors:?}");
        let inside = |size: &&TreeSize| (size.rows.value - rows).abs() <= size.rows.error;
        assert!(sizes.iter().filter(inside).count() >= 33, "{name}: {rows} in {sizes:?}");
        assert!(sizes.iter().all(|size| size.reads <= 300), "{name}: {sizes:?}");
        let pages = format!("SELECT count(*) FROM dbstat WHERE name = '{name}'");
        let pages: f64 = connection.query_row(&pages, [], |row| row.get(0)).unwrap();
        let wrong = sizes.iter().map(|size| (size.pages.value / pages - 1.0).abs()).fold(0.0, f64::max);
        assert!(wrong <= 0.03, "{name}: {pages} in {sizes:?}");
    }
}

#[test]
fn what_fits_in_the_budget_is_counted() {
    let folder = Folder::with(UNEVEN);
    let (exit, text) = audit(&folder.file(), &["--pages", "100000"]);
    let connection = Connection::open(folder.file()).unwrap();
    for table in ["blocks", "pairs"] {
        let count = format!("SELECT count(*) FROM {table}");
        let rows: u64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
        let rows = format!("{table}: {},{:03} rows", rows / 1000, rows % 1000);
        assert!(exit == 0 && text.contains(&rows), "{rows}: {text}");
    }
}

#[test]
fn long_rows_have_pages_of_their_own() {
    let folder = Folder::with(
        "CREATE TABLE t (a BLOB);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
         INSERT INTO t SELECT zeroblob(20000) FROM n;",
    );
    let (_, text) = folder.audit(&["--format", "json"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let connection = Connection::open(folder.file()).unwrap();
    let pages: u64 =
        connection.query_row("SELECT count(*) FROM dbstat WHERE name = 't'", [], |row| row.get(0)).unwrap();
    let size = &said["tables"][0]["size"];
    assert_eq!(size["pages"]["estimate"].as_u64(), Some(pages));
    assert_eq!((size["rows"]["estimate"].as_u64(), size["counted"].as_bool()), (Some(200), Some(true)));
}

#[test]
fn statistics_of_another_time_are_told() {
    let folder = Folder::with(&format!("{} ANALYZE;", crate::folder::rows(500)));
    let (_, text) = folder.audit(&[]);
    assert!(!text.contains("statistics"), "{text}");
    make(
        &folder.file(),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
         INSERT INTO t (b) SELECT i FROM n;",
    );
    let (_, text) = folder.audit(&[]);
    assert!(text.contains("its statistics are old: 500 rows when it was analyzed"), "{text}");
}

#[test]
fn free_pages_are_what_vacuum_gives_back() {
    let folder = Folder::with(UNEVEN);
    make(&folder.file(), "DELETE FROM blocks WHERE id < 100000");
    let (_, text) = folder.audit(&["--format", "json"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let before = fs::metadata(folder.file()).unwrap().len() as f64;
    make(&folder.file(), "VACUUM");
    let gone = before - fs::metadata(folder.file()).unwrap().len() as f64;
    let told = said["costs"]["vacuum_bytes"].as_f64().unwrap();
    assert!((told / gone - 1.0).abs() < 0.1, "{told} of {gone}");
}

#[test]
fn a_table_and_the_indexes_that_have_all_its_rows_have_as_many() {
    let folder =
        Folder::with(&format!("{UNEVEN} CREATE INDEX some ON blocks (height) WHERE height > 20000;"));
    let (_, text) = folder.audit(&["--format", "json", "--pages", "60"]);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let table = &said["tables"][0];
    let rows = &table["size"]["rows"];
    let connection = Connection::open(folder.file()).unwrap();
    let count: f64 = connection.query_row("SELECT count(*) FROM blocks", [], |row| row.get(0)).unwrap();
    assert!(
        rows["least"].as_f64().unwrap() < count && count < rows["most"].as_f64().unwrap(),
        "{rows} {count}"
    );
    for index in table["indexes"].as_array().unwrap() {
        assert_eq!(index["size"]["rows"] == *rows, index["name"] != "some", "{index}");
    }
}

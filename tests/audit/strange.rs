//! Files that are broken, foreign or odd: each gets a clear message or a right answer, and none is changed.

use crate::folder::{Folder, audit, make, rows};
use std::fs;

/// Makes a database of a text, and gives its bytes.
fn bytes(sql: &str) -> Vec<u8> {
    let folder = Folder::with(sql);
    fs::read(folder.file()).unwrap()
}

/// Noise, the same each time.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn what_is_no_database_is_refused_in_words() {
    let good = bytes(&rows(2000));
    let with = |at: usize, byte: u8| {
        let mut changed = good.clone();
        changed[at] = byte;
        changed
    };
    let pages = good.len() / 4096;
    let cut = |length: usize| {
        let said = format!(
            "it is cut off: its header says {pages} pages of 4096 bytes, and with {length} bytes it has {}",
            length / 4096
        );
        (good[..length].to_vec(), said)
    };
    let lengths = [100, 101, 511, 512, 4095, 4096, 5000, good.len() / 2, good.len() - 4096, good.len() - 1];
    for (bytes, message) in lengths.map(cut) {
        is_refused(&bytes, &message);
    }
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "it is empty, of zero bytes"),
        (b"S".to_vec(), "cut off within its header"),
        (good[..15].to_vec(), "cut off within its header"),
        (good[..16].to_vec(), "cut off within its header"),
        (good[..50].to_vec(), "cut off within its header"),
        (good[..99].to_vec(), "cut off within its header"),
        (b"hello, this is a letter and no database at all".to_vec(), "it is no SQLite database"),
        (b"SQLite format 4\0 and so on".repeat(9), "it is no SQLite database"),
        (noise(8192), "it is encrypted, or no database"),
        (with(19, 3), "it needs a newer SQLite than this one: version 3"),
        (with(47, 5), "it needs a newer SQLite than this one: schema format 5"),
        (with(16, 3), "its header is none that SQLite writes"),
        (with(21, 63), "its header is none that SQLite writes"),
        (with(100, 99), "it is malformed"),
    ];
    for (bytes, message) in cases {
        is_refused(&bytes, message);
    }
}

fn is_refused(bytes: &[u8], message: &str) {
    let folder = Folder::new();
    folder.write(bytes);
    let (exit, text) = folder.audit(&[]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(exit == 2 && text.contains(message), "{} bytes: {message}: {text}", bytes.len());
    assert!(text.contains(" help: "), "{message}: {text}");
}

#[test]
fn what_is_no_file_is_refused_and_not_waited_for() {
    let folder = Folder::new();
    let (exit, text) = audit(folder.path(), &[]);
    assert!(exit == 2 && text.contains("it is a folder, not a file") && text.contains("help:"), "{text}");
    let (exit, text) = audit(&folder.file(), &[]);
    assert!(exit == 2 && text.contains("a.db") && text.contains("help:"), "{text}");
    #[cfg(unix)]
    {
        assert!(std::process::Command::new("mkfifo").arg(folder.file()).status().unwrap().success());
        let (exit, text) = audit(&folder.file(), &[]);
        assert!(exit == 2 && text.contains("it is a pipe"), "{text}");
    }
}

#[test]
fn whatever_sqlite_makes_is_read() {
    let cases: &[(&str, &str, &str)] = &[
        ("PRAGMA page_size = 512;", "", "t: 2,000 rows"),
        ("PRAGMA page_size = 65536;", "", "t: 2,000 rows"),
        ("PRAGMA encoding = 'UTF-16le';", "", "UTF-16le"),
        ("PRAGMA encoding = 'UTF-16be';", "", "t: 2,000 rows"),
        ("PRAGMA auto_vacuum = FULL;", "", "auto_vacuum full"),
        ("PRAGMA auto_vacuum = INCREMENTAL;", "DELETE FROM t WHERE a > 500;", "t: 500 rows"),
        ("PRAGMA application_id = 77; PRAGMA user_version = -3;", "", "user_version -3, application_id 77"),
        ("", "CREATE TABLE s (a INT, b ANY) STRICT; INSERT INTO s VALUES (1, 2);", "s: 1 row "),
        (
            "",
            "CREATE TABLE w (a TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO w SELECT b FROM t;",
            "w: 2,000 rows",
        ),
        ("", "CREATE VIRTUAL TABLE f USING fts5(b); INSERT INTO f SELECT b FROM t;", "f_content: 2,000 rows"),
        (
            "",
            "CREATE VIRTUAL TABLE r USING rtree(id, x, y); INSERT INTO r SELECT a, a, a FROM t;",
            "r_rowid: 2,000 rows",
        ),
        (
            "",
            "CREATE TABLE g (a, b AS (a + 1) STORED, c AS (a + 2)); INSERT INTO g (a) VALUES (1), (2);",
            "g: 2 rows",
        ),
        ("", "CREATE INDEX e ON t (lower(b)) WHERE a > 100;", "e: 1,900 rows"),
        (
            "",
            "CREATE TABLE \"a \"\"b\"\" ?\" (x); INSERT INTO \"a \"\"b\"\" ?\" VALUES (1);",
            "a \"b\" ?: 1 row ",
        ),
        (
            "",
            "CREATE VIEW v AS SELECT * FROM t; CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM t; END;",
            "t: 2,000 rows",
        ),
        ("", "DROP TABLE t;", "VACUUM would give back"),
        ("", "CREATE TABLE q (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO q VALUES (5);", "q: 1 row "),
    ];
    for (before, after, said) in cases {
        let (exit, text) = Folder::with(&format!("{before} {} {after}", rows(2000))).audit(&[]);
        assert!(exit == 0 && text.contains(said), "{before}{after}: {said}: {text}");
        assert!(!text.contains("damaged") && !text.contains("can't be"), "{before}{after}: {text}");
    }
}

#[test]
fn a_path_with_signs_of_a_uri_is_a_path() {
    for name in ["a b.db", "a?mode=rwc.db", "a#b.db", "a%20b.db", "ä.db", "a&b;'.db"] {
        let folder = Folder::new();
        let path = folder.path().join(name);
        make(&path, "");
        fs::write(&path, bytes(&rows(7))).unwrap();
        let before = folder.listing();
        let (exit, text) = audit(&path, &[]);
        assert!(exit == 0 && text.contains("t: 7 rows"), "{name}: {text}");
        assert!(before == folder.listing(), "{name}");
    }
}

#[test]
fn a_schema_of_functions_that_are_not_here_is_read() {
    let folder = Folder::new();
    let connection = rusqlite::Connection::open(folder.file()).unwrap();
    let flags = rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC
        | rusqlite::functions::FunctionFlags::SQLITE_UTF8
        | rusqlite::functions::FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("folded", 1, flags, |call| call.get::<String>(0)).unwrap();
    connection.execute_batch(&format!("{} CREATE INDEX f ON t (folded(b));", rows(50))).unwrap();
    drop(connection);
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 0 && text.contains("f: 50 rows") && !text.contains("can't be made"), "{text}");
}

#[test]
fn damaged_pages_are_told_and_nothing_panics() {
    let good = bytes(&format!("{} CREATE INDEX i ON t (b);", rows(4000)));
    let mut zeroed = good.clone();
    zeroed[8 * 4096..12 * 4096].fill(0);
    let folder = Folder::new();
    folder.write(&zeroed);
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 0 && text.contains("of the pages that were read are none of their B-tree"), "{text}");
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..300 {
        let mut broken = good.clone();
        for _ in 0..=random(20) {
            let page = random(good.len() / 4096);
            // The heads of pages are where it matters most.
            let at = page * 4096 + if round % 3 == 0 { random(4096) } else { random(120) };
            broken[at] = random(256) as u8;
        }
        folder.write(&broken);
        match planlint::audit::audit(&folder.file(), 50) {
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        assert!(fs::read(folder.file()).unwrap() == broken, "round {round}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "round {round}");
    }
}

#[test]
fn a_file_without_a_count_of_its_pages_may_end_at_any_page() {
    // An SQLite before 3.7.0 wrote none.
    let mut old = bytes(&format!(
        "CREATE TABLE l (a BLOB); INSERT INTO l VALUES (zeroblob(30000)); {} CREATE INDEX i ON t (b); DELETE FROM t WHERE a % 9 < 4;",
        rows(3000)
    ));
    old[95] ^= 1;
    let folder = Folder::new();
    let mut told = 0;
    for pages in 1..old.len() / 4096 {
        folder.write(&old[..pages * 4096]);
        let (exit, text) = folder.audit(&[]);
        assert!(exit == 0 || (exit == 2 && text.contains("malformed")), "{pages}: {text}");
        told += u32::from(
            text.contains("of the pages that were read are none") || text.contains("can't be read"),
        );
    }
    assert!(told > 10, "{told}");
    folder.write(&old);
    assert_eq!(folder.audit(&[]).0, 0);
}

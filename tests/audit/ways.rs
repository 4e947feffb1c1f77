//! Each way into a database leaves no trace, and none disturbs who writes.

use crate::folder::{Folder, audit, rows};
use crate::writer::Writer;
use rusqlite::Connection;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn wal(number: u32) -> String {
    format!("PRAGMA journal_mode = WAL; {}", rows(number))
}

/// A statement that a writer runs as its task: its words are joined by `_`.
fn task(sql: &str) -> String {
    sql.replace('_', "~").replace(' ', "_")
}

#[test]
fn a_database_that_nobody_has_open_is_read() {
    for (sql, way) in [
        (rows(3000), "with short locks"),
        (wal(3000), "without locks"),
        (format!("PRAGMA journal_mode = PERSIST; {}", rows(3000)), "with short locks"),
        (format!("PRAGMA journal_mode = TRUNCATE; {}", rows(3000)), "with short locks"),
    ] {
        let (exit, text) = Folder::with(&sql).audit(&[]);
        assert_eq!(exit, 0, "{text}");
        assert!(text.contains("t: 3,000 rows") && text.contains(way), "{text}");
    }
}

#[test]
fn rows_that_are_in_the_wal_alone_are_counted() {
    let folder = Folder::with(&wal(3000));
    let sql = "INSERT INTO t (b) SELECT 'more' FROM t LIMIT 500";
    let writer = Writer::start(&task(sql), &folder.file());
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 0 && text.contains("t: 3,500 rows") && text.contains("a reader of its WAL"), "{text}");
    writer.finish();
}

#[test]
fn a_wal_that_a_crash_left_is_read() {
    let folder = Folder::with(&wal(3000));
    let sql = "INSERT INTO t (b) SELECT 'more' FROM t LIMIT 500";
    Writer::start(&task(sql), &folder.file()).kill();
    assert!(folder.path().join("a.db-wal").exists());
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 0 && text.contains("t: 3,500 rows"), "{text}");
    std::fs::remove_file(folder.path().join("a.db-shm")).unwrap();
    let (exit, text) = folder.audit(&[]);
    if cfg!(unix) {
        assert!(
            exit == 0 && text.contains("t: 3,500 rows") && text.contains("the WAL that was left"),
            "{text}"
        );
    } else {
        assert!(exit == 2 && text.contains("a -wal with changes and no -shm that can be used"), "{text}");
    }
    // Frames behind the last commit, and torn ones, count for nothing.
    let wal = folder.path().join("a.db-wal");
    let bytes = std::fs::read(&wal).unwrap();
    for length in [0, 1, 31, 32, 40, 60, 4000, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&wal, &bytes[..length]).unwrap();
        let (exit, text) = folder.audit(&[]);
        assert!(exit == 0 && text.contains("t: 3,000 rows"), "{length}: {text}");
    }
}

#[test]
fn a_schema_that_is_in_the_wal_alone_is_read() {
    let folder = Folder::with(&wal(100));
    let sql = "CREATE TABLE late (x); INSERT INTO late SELECT a FROM t; CREATE INDEX later ON late (x)";
    Writer::start(&task(sql), &folder.file()).kill();
    for _ in 0..2 {
        let (exit, text) = folder.audit(&[]);
        assert!(exit == 0 && text.contains("late: 100 rows") && text.contains("later: 100 rows"), "{text}");
        let _ = std::fs::remove_file(folder.path().join("a.db-shm"));
    }
}

#[test]
fn a_transaction_that_was_cut_off_is_refused() {
    let folder = Folder::with(&rows(30_000));
    let spill = "PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE t SET b = b || 'z'";
    let writer = Writer::start(&task(spill), &folder.file());
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 2 && text.contains("another program holds it locked"), "{text}");
    // It waits for seconds, and says so first.
    assert_eq!(
        text.matches("waiting for another program, which holds the file locked\n").count(),
        1,
        "{text}"
    );
    writer.kill();
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 2 && text.contains("hot journal"), "{text}");
}

#[test]
fn a_lock_that_is_let_go_of_in_time_is_waited_for() {
    let folder = Folder::with(&rows(3000));
    let writer = Writer::start(&task("BEGIN EXCLUSIVE; DELETE FROM t WHERE a > 2000"), &folder.file());
    let ended = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(2500));
        writer.finish();
    });
    let (exit, text) = audit(&folder.file(), &[]);
    ended.join().unwrap();
    assert!(exit == 0 && text.contains("t: 3,000 rows"), "{text}");
    assert!(text.contains("waiting for another program"), "{text}");
}

#[test]
fn a_transaction_that_has_written_nothing_yet_is_no_obstacle() {
    let folder = Folder::with(&rows(3000));
    let writer = Writer::start(&task("BEGIN IMMEDIATE; DELETE FROM t"), &folder.file());
    let (exit, text) = folder.audit(&[]);
    assert!(exit == 0 && text.contains("t: 3,000 rows"), "{text}");
    writer.finish();
}

#[test]
fn a_writer_that_commits_all_the_time_is_never_refused_and_loses_nothing() {
    for sql in [rows(20_000), wal(20_000)] {
        let folder = Folder::with(&format!("{sql} CREATE INDEX i ON t (b);"));
        let writer = Writer::start("commit", &folder.file());
        for _ in 0..10 {
            let (exit, text) = audit(&folder.file(), &["--format", "json", "--pages", "20000"]);
            assert_eq!(exit, 0, "{text}");
            // What it waits for stands behind.
            let said: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            let (file, table) = (&said["file"], &said["tables"][0]);
            let (size, index) = (&table["size"], &table["indexes"][0]["size"]);
            // An index has an entry for each row at any moment.
            let agree = size["counted"] == true && index["counted"] == true && size["rows"] == index["rows"];
            assert!(agree || file["written_meanwhile"] == true, "{text}");
            assert!(file["written_meanwhile"] == false || file["journal"] == "rollback", "{text}");
        }
        let (commits, refused) = writer.finish();
        assert!(commits > 0 && refused == 0, "{commits} {refused}");
        let connection = Connection::open(folder.file()).unwrap();
        let count: u32 = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        let whole: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!((count, whole.as_str()), (20_000 + commits, "ok"));
    }
}

/// Starts an audit, and kills it after a share of the time that one takes.
fn kill_after(path: &Path, time: Duration) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .arg("audit")
        .arg(path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_audit_that_is_killed_at_any_point_leaves_nothing_behind_and_no_lock() {
    for sql in [rows(50_000), wal(50_000)] {
        let folder = Folder::with(&sql);
        let since = Instant::now();
        audit(&folder.file(), &[]);
        let whole = since.elapsed();
        // Points that are no multiples of each other.
        let points: Vec<Duration> =
            (0..25).map(|at| whole.mul_f64(f64::from(at) * 0.618_034 % 1.0)).collect();
        let before = folder.listing();
        for point in &points {
            kill_after(&folder.file(), *point);
            assert!(before == folder.listing(), "{point:?} of {whole:?}");
        }
        let writer = Writer::start("commit", &folder.file());
        for point in &points {
            kill_after(&folder.file(), *point);
        }
        let (commits, refused) = writer.finish();
        assert!(commits > 0 && refused == 0, "{commits} {refused}");
        let connection = Connection::open(folder.file()).unwrap();
        let count: u32 = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        let whole: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!((count, whole.as_str()), (50_000 + commits, "ok"));
    }
}

#[test]
#[cfg(unix)]
fn a_link_leads_to_the_files_beside_its_target() {
    let folder = Folder::with(&wal(100));
    let sql = "INSERT INTO t (b) SELECT 'more' FROM t LIMIT 50";
    let writer = Writer::start(&task(sql), &folder.file());
    let other = tempfile::tempdir().unwrap();
    let link = other.path().join("link.db");
    std::os::unix::fs::symlink(folder.file(), &link).unwrap();
    let (exit, text) = audit(&link, &[]);
    assert!(exit == 0 && text.contains("t: 150 rows"), "{text}");
    writer.finish();
}

//! What the creation of a missing index is said to take, held against its creation. Where temporary files are seen: on Linux.

use crate::folder::{Folder, audit, make};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Columns whose types say nothing of how long they are.
const TABLE: &str =
    "CREATE TABLE words (id INTEGER PRIMARY KEY, note TEXT, word TEXT, number, far INTEGER);\n";
const INDEX: &str = "CREATE INDEX words_word ON words (word, number, id)";

const PROGRAM: &str = "def put(db, w):\n    db.execute('INSERT INTO words (word, number) VALUES (?, ?)', w)\n\n\n\
    def of(db, w):\n    return db.execute('SELECT note FROM words WHERE word = ? AND number = ?', w).fetchall()\n";

/// Bytes of SQLite's temporary files that this process has open. They have no name any more.
fn temporary() -> u64 {
    let files = fs::read_dir("/proc/self/fd").unwrap().flatten().map(|entry| entry.path());
    let own =
        files.filter(|path| fs::read_link(path).is_ok_and(|to| to.to_string_lossy().ends_with("(deleted)")));
    own.filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
}

/// Creates the index, and gives the bytes that the file grew by, and the most that temporary files had.
fn created(file: &Path) -> (f64, f64) {
    let before = fs::metadata(file).unwrap().len();
    let connection = Connection::open(file).unwrap();
    connection.execute_batch("PRAGMA temp_store = FILE").unwrap();
    let is_done = AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = 0;
            while !is_done.load(Ordering::Relaxed) {
                most = temporary().max(most);
                std::thread::sleep(Duration::from_micros(300));
            }
            most
        });
        connection.execute_batch(INDEX).unwrap();
        is_done.store(true, Ordering::Relaxed);
        watching.join().unwrap()
    });
    drop(connection);
    ((fs::metadata(file).unwrap().len() - before) as f64, most as f64)
}

#[test]
fn the_bytes_of_an_index_and_of_its_sorting_are_those_that_it_takes() {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("migrations")).unwrap();
    fs::write(tree.path().join("migrations/0001_init.sql"), format!("{TABLE}{INDEX};\n")).unwrap();
    fs::write(tree.path().join("words.py"), PROGRAM).unwrap();
    let folder = Folder::with(TABLE);
    make(
        &folder.file(),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
         INSERT INTO words SELECT i, NULL, hex(randomblob(30 + abs(random()) % 20)), i % 3, 1 << 40 FROM n;",
    );
    let (exit, text) =
        audit(&folder.file(), &["--source", tree.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(exit, 0, "{text}");
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    let creation = &said["program"][0]["missing_indexes"][0]["creation"];
    let told = |key: &str| creation[key].as_f64().unwrap();
    let (bytes, most) = created(&folder.file());
    assert!((told("index_bytes") / bytes - 1.0).abs() < 0.1, "{creation}: {bytes}");
    assert!((told("temporary_bytes") / most - 1.0).abs() < 0.15, "{creation}: {most}");
    let seconds = &creation["seconds"];
    assert!(0.0 < seconds["least"].as_f64().unwrap() && seconds["least"].as_f64() < seconds["most"].as_f64());
}

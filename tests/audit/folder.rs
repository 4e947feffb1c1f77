//! A folder with a database in it, what lies there, and what the program says of it.

use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder for one database.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a database that a text makes.
    pub fn with(sql: &str) -> Self {
        let folder = Self::new();
        make(&folder.file(), sql);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self) -> PathBuf {
        self.0.path().join("a.db")
    }

    pub fn write(&self, bytes: &[u8]) {
        fs::write(self.file(), bytes).unwrap();
    }

    /// Names, lengths, contents and times of all that lies there. Nobody in this process may have the database open: to
    /// read a file here would drop his locks.
    pub fn listing(&self) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
        let entries = fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| {
            let metadata = fs::metadata(&path).unwrap();
            let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            (path.file_name().unwrap().to_str().unwrap().to_owned(), (bytes, metadata.modified().unwrap()))
        };
        entries.map(read).collect()
    }

    /// What the program says of the file, which must lie there afterwards as before.
    pub fn audit(&self, arguments: &[&str]) -> (i32, String) {
        let before = self.listing();
        let output = audit(&self.file(), arguments);
        let after = self.listing();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        assert!(before == after, "something was changed");
        output
    }
}

/// Makes a database.
pub fn make(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Runs the program in a process of its own, as who opens a file where somebody has it open must.
pub fn audit(path: &Path, arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .arg("audit")
        .arg(path)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    // Messages are broken into lines.
    let text = text.replace("\n  \u{2502} ", " ").replace("\n  | ", " ");
    assert!(!text.contains("panicked"), "{text}");
    (status.code().unwrap_or(-1), text)
}

/// A table of so many rows.
pub fn rows(number: u32) -> String {
    format!(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number})
         INSERT INTO t SELECT i, 'some words ' || i FROM n;"
    )
}

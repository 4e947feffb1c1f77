//! Trees that nobody would make by mistake, and some that people do: what can't be read is counted with its reason, what
//! can be is judged, and nothing waits or fails for it. And what a run says does not depend on how it came about.

#![cfg(all(test, unix))]
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

#[path = "hostile/files.rs"]
mod files;
#[path = "hostile/same.rs"]
mod same;
#[path = "hostile/table.rs"]
mod table;

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Whatever takes longer does not end.
const PATIENCE: Duration = Duration::from_mins(2);

/// A program with one fault, which every check of it must find.
const PROGRAM: &str = "SCHEMA = \"CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT)\"

def create(db):
    db.execute(SCHEMA)

def add(db, author, body):
    db.execute(\"INSERT INTO notes (author, body) VALUES (?, ?)\", (author, body))

def of(db, author):
    return db.execute(\"SELECT body FROM notes WHERE author = ?\", (author,)).fetchall()
";

/// The program in a folder of its own.
fn program() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "store.py", PROGRAM.as_bytes());
    folder
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// What a run ends with: exit code, standard output, standard error.
type Ended = (i32, String, String);

/// Runs planlint in a folder, with these variables, and fails where it does not end.
fn planlint(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planlint"));
    command.args(arguments).current_dir(folder).envs(variables.iter().copied()).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let read = |mut from: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap()
        })
    };
    let out = read(Box::new(child.stdout.take().unwrap()));
    let err = read(Box::new(child.stderr.take().unwrap()));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(begun.elapsed() < PATIENCE, "{arguments:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    };
    (status.code().unwrap_or(-1), out.join().unwrap(), err.join().unwrap())
}

/// Checks a folder that holds the program, which is judged whatever lies beside it.
fn judged(folder: &Path) -> String {
    let (exit, out, err) = planlint(folder, &["check", "."], &[]);
    assert!(exit == 1 && out.contains("all rows of `notes` are read"), "{exit}\n{out}\n{err}");
    out
}

/// The files that a check of the folder does not read, with the reason of each.
fn skipped(folder: &Path) -> Vec<String> {
    judged(folder);
    let (exit, out, err) = planlint(folder, &["check", "--list", "skipped", "."], &[]);
    assert_eq!(exit, 0, "{err}");
    out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

//! Where the time of a check goes, step by step, beside what others need for the same files: a search for five words, reading
//! them, and the shell of SQLite that plans the same statements.

use super::{SEED, made};
use made::{SMALL, Size};
use planlint::audit::{self, PAGES};
use planlint::run::{self, CheckRequest};
use planlint::schema::sqlite::Connection;
use planlint::{
    extract,
    source::{Limits, Sources, Tree},
};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, TempDir};

const RUNS: usize = 9;
const WORDS: &str = "select|insert|update|delete|create";
/// What is made where no tree is given.
const MADE: Size = Size { files: 3000, bytes: 4000, statements: 2000, tables: 60, migrations: 40, ..SMALL };

/// Prints the table of a tree, or of one that is made.
pub fn print(given: Option<&Path>) {
    let made = given.is_none().then(|| tempfile::tempdir().unwrap());
    if let Some(made) = &made {
        made::tree(made.path(), &MADE, SEED).unwrap();
    }
    let folder = given.or(made.as_ref().map(TempDir::path)).unwrap();
    // What a database of another tree is made of is for planlint to find out.
    let script = made.as_ref().map(|made| script(made.path()));
    let file = database();
    let (mut searches, mut reads, mut shells, mut audits, mut checks) = Default::default();
    let mut phases = Vec::new();
    // In turn, so that whatever else the machine does is in all of them.
    for _ in 0..RUNS {
        timed(&mut searches, || quiet(Command::new("rg").args(["-c", "-i", "-j2", WORDS]).arg(folder)));
        timed(&mut reads, || drop(black_box(read(folder))));
        if let Some(script) = &script {
            timed(&mut shells, || {
                quiet(Command::new("sqlite3").arg(":memory:").stdin(File::open(script.path()).unwrap()));
            });
        }
        timed(&mut audits, || drop(black_box(audit::audit(file.path(), PAGES).unwrap())));
        timed(&mut checks, || check(folder, &mut phases));
    }
    let r = least(&searches);
    println!("{:34} {:>12} {:>10}", format!("least of {RUNS}"), "ms", "R");
    let say = |name: &str, times: &[Duration]| {
        let seconds = least(times).as_secs_f64();
        println!("{name:34} {:12.1} {:10.2}", seconds * 1e3, seconds / r.as_secs_f64());
    };
    say("rg (R)", &searches);
    say("walk and read", &reads);
    if script.is_some() {
        say("sqlite3 plans all statements", &shells);
    }
    say("check", &checks);
    for (name, times) in &phases {
        say(&format!("  {name}"), times);
    }
    say("audit of a file of 100 MB", &audits);
}

fn least(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

fn timed(times: &mut Vec<Duration>, one: impl FnOnce()) {
    let start = Instant::now();
    one();
    times.push(start.elapsed());
}

fn quiet(command: &mut Command) {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
}

fn read(folder: &Path) -> Sources {
    Sources::read(&Tree::folder(folder), Limits::default(), extract::is_wanted).unwrap()
}

/// A check, and what each of its phases takes.
fn check(folder: &Path, phases: &mut Vec<(String, Vec<Duration>)>) {
    let begun = Mutex::new(Vec::new());
    let note = |phase: &str| begun.lock().unwrap().push((phase.to_owned(), Instant::now()));
    let outcome = run::check(&CheckRequest { progress: Some(&note), ..CheckRequest::new(folder) }).unwrap();
    note("");
    black_box(outcome.report.diagnostics.len());
    let begun = begun.into_inner().unwrap();
    for ((phase, start), (_, end)) in begun.iter().zip(begun.iter().skip(1)) {
        let at = phases.iter().position(|(name, _)| name == phase).unwrap_or_else(|| {
            phases.push((phase.clone(), Vec::new()));
            phases.len() - 1
        });
        phases[at].1.push(*end - *start);
    }
}

/// The migrations of a made tree, and all its statements to be explained.
fn script(folder: &Path) -> NamedTempFile {
    let sources = read(folder);
    let found = extract::extract(&sources, &|_| false);
    let (mut schema, mut statements) = (String::new(), String::new());
    for literal in &found.literals {
        for text in &literal.variants {
            if extract::is_sql(sources.path(literal.site.source)) {
                schema.push_str(text.as_str());
            } else {
                let _ = writeln!(statements, "EXPLAIN QUERY PLAN {};", text.as_str());
            }
        }
    }
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), schema + &statements).unwrap();
    file
}

/// A file of some 100 MB.
fn database() -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    let connection = Connection::open(file.path()).unwrap();
    let rows = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE TABLE txs (id INTEGER PRIMARY KEY, txid BLOB NOT NULL, block INTEGER NOT NULL, body BLOB NOT NULL);
        CREATE INDEX txs_txid ON txs (txid);
        WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 400000)
        INSERT INTO txs SELECT id, randomblob(32), id / 100, zeroblob(120) FROM n;";
    connection.execute_batch(rows).unwrap();
    file
}

//! A repository of a program with four databases and 300 releases: at each, the files that declare the databases change, and a
//! hundred others lie beside them.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const TAGS: usize = 300;
const OTHERS: usize = 100;

/// How many releases a database stays as it is.
const STEADY: usize = 12;

/// Makes it.
pub fn repository() -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    git(folder.path(), &["init", "--quiet", "."], "")?;
    git(folder.path(), &["fast-import", "--quiet"], &history())?;
    git(folder.path(), &["reset", "--quiet", "--hard", "main"], "")?;
    git(folder.path(), &["gc", "--quiet"], "")?;
    Ok(folder)
}

fn git(folder: &Path, arguments: &[&str], text: &str) -> io::Result<()> {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "init.defaultBranch=main"]).args(arguments).stdin(Stdio::piped());
    let mut git = git.spawn()?;
    git.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()))?;
    if git.wait()?.success() { Ok(()) } else { Err(io::Error::other(format!("git {arguments:?} failed"))) }
}

/// What `git fast-import` makes the repository of.
fn history() -> String {
    let mut stream = String::new();
    for tag in 0..=TAGS {
        let _ = writeln!(
            stream,
            "commit refs/heads/main\ncommitter bench <bench> {} +0000\ndata 0",
            1_600_000_000 + tag * 86_400
        );
        for database in 0..3 {
            file(&mut stream, &format!("src/db_{database}.rs"), &program(database, tag));
        }
        file(&mut stream, "src/archive.rs", &format!("// Of release {tag}.\n{}", functions("files", 60)));
        if tag % STEADY == 0 {
            let sql = if tag == 0 {
                TABLES.to_owned()
            } else {
                format!("ALTER TABLE files ADD COLUMN c{tag} TEXT;\n")
            };
            file(&mut stream, &format!("migrations/{tag:04}_files.sql"), &sql);
        }
        for other in (0..OTHERS).filter(|other| tag == 0 || (other + tag) % 10 == 0) {
            let text =
                format!("//! Of release {tag}.\n\npub fn other_{other}() -> usize {{\n    {tag}\n}}\n");
            file(
                &mut stream,
                &format!("src/other/part_{other}.rs"),
                &text.repeat(if tag == 0 { 1 } else { 20 }),
            );
        }
        if tag < TAGS {
            let _ = writeln!(stream, "\nreset refs/tags/v1.{tag}\nfrom refs/heads/main\n");
        }
    }
    stream
}

const TABLES: &str = "CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL);\n\
                      CREATE INDEX files_by_name ON files (name);\n";

fn file(stream: &mut String, path: &str, text: &str) {
    let _ = writeln!(stream, "M 100644 inline {path}\ndata {}\n{text}", text.len());
}

/// The code of a database at a release: a list of migrations that grows now and then, and functions, some of which change.
fn program(database: usize, tag: usize) -> String {
    let mut text = format!("//! Of release {tag}.\n\nconst MIGRATIONS_{database}: &[&str] = &[\n");
    for table in 0..10 {
        let _ = writeln!(
            text,
            "    \"CREATE TABLE t{database}_{table} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL)\",\n    \
             \"CREATE INDEX t{database}_{table}_by_name ON t{database}_{table} (name)\","
        );
    }
    for step in 0..tag / STEADY {
        let _ = writeln!(text, "    \"ALTER TABLE t{database}_{} ADD COLUMN c{step} TEXT\",", step % 10);
    }
    text.push_str(
        "];\n\npub fn open(path: &str) -> Result<Connection> {\n    let db = Connection::open(path)?;\n",
    );
    let _ = writeln!(
        text,
        "    for sql in &MIGRATIONS_{database}[version(&db)?..] {{\n        db.execute_batch(sql)?;\n    }}\n    Ok(db)\n}}"
    );
    for table in 0..10 {
        text.push_str(&functions(&format!("t{database}_{table}"), 15));
    }
    text
}

/// Functions that ask a table, and some that do not.
fn functions(table: &str, count: usize) -> String {
    let mut text = String::new();
    for function in 0..count {
        let _ = write!(
            text,
            "\n/// One of many.\npub fn {table}_{function}(db: &Connection, name: &str, size: i64) -> Result<i64> {{\n    \
             let mut statement = db.prepare(\"SELECT id + {function} FROM {table} WHERE name = ?1\")?;\n    \
             let id = statement.query_row(params![name], |row| row.get(0))?;\n    \
             db.execute(\"INSERT INTO {table} (name, size) VALUES (?1, ?2)\", params![name, size + {function}])?;\n    \
             Ok(id)\n}}\n\nfn checked_{table}_{function}(size: i64) -> i64 {{\n    \
             let limit = 1000 * {function};\n    if size > limit {{ limit }} else {{ size.max(0) }}\n}}\n"
        );
    }
    text
}

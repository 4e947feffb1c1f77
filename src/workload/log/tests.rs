//! What is read in logs of several kinds.

use super::*;
use std::{cell::Cell, rc::Rc};

/// What was read in a log, and the sources with its lines.
fn read(text: &str) -> (Log, Sources) {
    let mut gathered = Gathered::default();
    gathered.read(&mut text.as_bytes()).unwrap();
    let mut sources = Sources::default();
    let file = LogFile { path: "db.log".to_owned(), span: 0..0 };
    let log = gathered.log(&file, None, &mut sources);
    (log, sources)
}

/// Each statement: its line, its text, how often it was run, and its values.
fn statements(text: &str) -> Vec<(u32, String, u64, Vec<String>)> {
    let (log, sources) = read(text);
    let line = |text: &Text| {
        let (source, at) = text.locate(0).unwrap();
        sources.get(source).unwrap().position(at).line
    };
    let values = |given: &[Option<String>]| {
        given.iter().map(|one| one.clone().unwrap_or_else(|| "-".to_owned())).collect()
    };
    let all = log.statements.iter();
    all.map(|(text, runs, given)| (line(text), text.as_str().to_owned(), *runs, values(given))).collect()
}

#[track_caller]
fn one(text: &str, line: u32, sql: &str, runs: u64, values: &[&str]) {
    let found = statements(text);
    let values = values.iter().map(|&value| value.to_owned()).collect();
    assert_eq!(found, [(line, sql.to_owned(), runs, values)]);
}

#[test]
fn the_shell_traces_statements_over_several_lines() {
    let text = "BEGIN;\nSELECT a\nFROM t\nWHERE id = 5;\n-- done\nSELECT a\nFROM t\nWHERE id = 6;\nCOMMIT;\n";
    one(text, 2, "SELECT a\nFROM t\nWHERE id = ?", 2, &["5"]);
    assert_eq!(read(text).0.others, 3);
}

#[test]
fn django_says_which_literals_were_values() {
    let text = "[02/Jan/2024] DEBUG (0.001) SELECT \"t\".\"a\" FROM \"t\" WHERE (\"t\".\"id\" = 5 AND NOT \"t\".\"gone\") LIMIT 21; \
                args=(5,); alias=default\n(0.000) BEGIN; args=None; alias=default\n";
    let sql = "SELECT \"t\".\"a\" FROM \"t\" WHERE (\"t\".\"id\" = ? AND NOT \"t\".\"gone\") LIMIT 21";
    one(text, 1, sql, 1, &["5"]);
}

#[test]
fn rails_colours_its_lines_and_names_its_values() {
    let text = "Started GET \"/\"\n  \u{1b}[1m\u{1b}[36mUser Load (0.2ms)\u{1b}[0m  \u{1b}[1m\u{1b}[34mSELECT \"users\".* FROM \
                \"users\" WHERE \"users\".\"id\" = ? LIMIT ?\u{1b}[0m  [[\"id\", 7], [\"LIMIT\", 1]]\n  \u{21b3} app/x.rb:5\n  \
                CACHE User Load (0.0ms)  SELECT \"users\".* FROM \"users\"\n";
    one(text, 2, "SELECT \"users\".* FROM \"users\" WHERE \"users\".\"id\" = ? LIMIT ?", 1, &["7", "1"]);
}

#[test]
fn sqlalchemy_gives_the_values_on_a_line_of_their_own() {
    let head = "2024-01-01 10:00:00,123 INFO sqlalchemy.engine.Engine ";
    let text = format!(
        "{head}BEGIN (implicit)\n{head}SELECT t.a \nFROM t \nWHERE t.id = ?\n{head}[generated in 0.1s] ('x',)\n\
         {head}INSERT INTO t (a) VALUES (?)\n{head}[cached since 1s ago] [('p',), ('q',)]\n{head}COMMIT\n"
    );
    let found = statements(&text);
    assert_eq!(found[0], (2, "SELECT t.a \nFROM t \nWHERE t.id = ?".to_owned(), 1, vec!["'x'".to_owned()]));
    assert_eq!(found[1], (6, "INSERT INTO t (a) VALUES (?)".to_owned(), 1, vec!["'p'".to_owned()]));
}

#[test]
fn json_lines_hold_statements_and_values_by_order_or_by_name() {
    let text = "{\"sql\": \"SELECT a FROM t WHERE b = ?\", \"parameters\": [\"it's\"]}\n\
                {\"sql\": \"SELECT a\\nFROM t WHERE c = :c\", \"parameters\": {\"c\": null}}\n{\"level\": \"info\"}\n";
    let found = statements(text);
    assert_eq!(found[0], (1, "SELECT a FROM t WHERE b = ?".to_owned(), 1, vec!["'it''s'".to_owned()]));
    assert_eq!(found[1], (2, "SELECT a\nFROM t WHERE c = :c".to_owned(), 1, vec!["NULL".to_owned()]));
    assert_eq!(read(text).0.others, 1);
}

/// A log that is made while it is read.
struct Endless {
    lines: u32,
    line: Vec<u8>,
    made: Rc<Cell<u32>>,
}

impl io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = io::Read::read(&mut self.fill_buf()?, buffer)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.is_empty() && self.made.get() < self.lines {
            let number = self.made.get();
            self.made.set(number + 1);
            self.line = format!("SELECT a FROM t{} WHERE id = {number};\n", number % 6000).into_bytes();
        }
        Ok(&self.line)
    }

    fn consume(&mut self, bytes: usize) {
        self.line.drain(..bytes);
    }
}

#[test]
fn a_long_log_is_held_only_as_far_as_its_statements_differ() {
    let made = Rc::new(Cell::new(0));
    let mut gathered = Gathered::default();
    gathered.read(&mut Endless { lines: 30_000, line: Vec::new(), made: Rc::clone(&made) }).unwrap();
    assert_eq!((made.get(), gathered.runs, gathered.groups.len()), (30_000, 30_000, MOST));
    assert_eq!(gathered.left_out, 5000);
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let text = format!("SELECT '{}';\nSELECT a FROM t;\n", "x".repeat(3 * LONGEST));
    let (log, _) = read(&text);
    assert_eq!((log.runs, log.others), (1, 1));
}

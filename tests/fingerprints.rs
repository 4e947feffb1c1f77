//! A fingerprint stays when a statement is moved, formatted anew or renamed around, and changes when it means something
//! else: tried on many programs that are made here from a seed.

#![cfg(test)]

use planlint::run::{CheckRequest, check};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

const SCHEMA: &str = "CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, actor INTEGER NOT NULL, at INTEGER NOT NULL, note TEXT);\n\
    CREATE TABLE actors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since INTEGER NOT NULL);\n\
    CREATE INDEX events_by_actor ON events (actor);\n";

const FILL: &str = r#"
pub fn record(db: &Connection, event: &Event) -> Result<usize> {
    db.execute("INSERT INTO events (kind, actor, at, note) VALUES (?1, ?2, ?3, ?4)", event.row())?;
    db.execute("INSERT INTO actors (name, since) VALUES (?1, ?2)", event.actor())
}
"#;

/// Statements that are slow, as words between which any space may stand. `?` is a parameter.
const SLOW: [&[&str]; 6] = [
    &["SELECT", "id", "FROM", "events", "WHERE", "note", "=", "?", "LIMIT", "1"],
    &["SELECT", "name", "FROM", "actors", "WHERE", "since", "=", "?"],
    &[
        "SELECT", "id", ",", "at", "FROM", "events", "WHERE", "at", ">", "?", "AND", "note", "IS", "NULL",
        "ORDER", "BY", "at", "LIMIT", "5",
    ],
    &["DELETE", "FROM", "events", "WHERE", "at", "=", "?"],
    &["SELECT", "max", "(", "at", ")", "FROM", "events"],
    &["UPDATE", "actors", "SET", "since", "=", "?", "WHERE", "name", "=", "'it  is  X'"],
];

/// What changes the meaning of a statement: a word for another.
const OTHER: [(usize, &str, &str); 8] = [
    (0, "note", "kind"),
    (0, "=", "<"),
    (0, "id", "actor"),
    (1, "since", "name"),
    (2, ">", "<"),
    (3, "=", ">="),
    (4, "max", "min"),
    (5, "'it  is  X'", "'it is X'"),
];

/// Numbers that look random and are the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }

    /// A statement with other spaces, comments, cases and names of parameters.
    fn format(&mut self, words: &[&str]) -> String {
        let (parameter, is_lower) = (self.of(&["?", "?1", ":value", "@value", "$value"]), self.roll(2) == 0);
        let mut sql = self.of(&["", "\n    ", "-- what is it\n", "/* first */ "]).to_owned();
        for word in words {
            let shown = if *word == "?" { parameter } else { word };
            let is_plain = !word.starts_with('\'');
            sql.push_str(&if is_lower && is_plain { shown.to_lowercase() } else { shown.to_owned() });
            sql.push_str(self.of(&[" ", "  ", "\n        ", "\t", " /* so */ ", " -- so\n"]));
        }
        sql + self.of(&["", ";", " ;", "-- the end"])
    }

    /// A program with one function for each statement, in files and functions with any names.
    fn program(&mut self, statements: &[&[&str]]) -> Vec<(String, String)> {
        let files = ["src/a.rs", "src/events/store.rs", "src/z/deep/down.rs"];
        let mut program: Vec<(String, String)> =
            files.iter().map(|path| ((*path).to_owned(), "use rusqlite::Connection;\n".to_owned())).collect();
        program[self.roll(3)].1.push_str(FILL);
        let first = self.roll(100);
        for (index, words) in statements.iter().enumerate() {
            let sql = self.format(words);
            let name = format!("{}_{}", self.of(&["find", "look_up", "x"]), first + index);
            let literal = if self.roll(2) == 0 { format!("r#\"{sql}\"#") } else { format!("{sql:?}") };
            let text = &mut program[self.roll(3)].1;
            text.push_str(&"\n".repeat(self.roll(4)));
            let _ = write!(
                text,
                "\npub fn {name}(db: &Connection, value: i64) -> Result<i64> {{\n    db.query_row({literal}, [value], |row| row.get(0))\n}}\n"
            );
        }
        program
    }
}

fn fingerprints(program: &[(String, String)]) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("src/events")).unwrap();
    fs::create_dir_all(folder.path().join("src/z/deep")).unwrap();
    fs::create_dir_all(folder.path().join("migrations")).unwrap();
    fs::write(folder.path().join("migrations/1_first.sql"), SCHEMA).unwrap();
    for (path, text) in program {
        fs::write(folder.path().join(path), text).unwrap();
    }
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    outcome.report.diagnostics.into_iter().map(|one| format!("{} {}", one.rule, one.fingerprint)).collect()
}

#[test]
fn moving_formatting_and_renaming_keep_a_fingerprint() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let first = fingerprints(&dice.program(&SLOW));
    assert!(first.len() >= SLOW.len(), "too little is found to try anything: {first:?}");
    for _ in 0..24 {
        let program = dice.program(&SLOW);
        assert_eq!(fingerprints(&program), first, "{program:#?}");
    }
}

#[test]
fn another_meaning_is_another_fingerprint() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let first = fingerprints(&dice.program(&SLOW));
    for (index, from, to) in OTHER {
        let mut statements = SLOW.map(<[&str]>::to_vec);
        for word in statements[index].iter_mut().filter(|word| **word == from) {
            *word = to;
        }
        let statements: Vec<&[&str]> = statements.iter().map(Vec::as_slice).collect();
        let changed = fingerprints(&dice.program(&statements));
        assert!(first.difference(&changed).next().is_some(), "{from} → {to} in {index} is not noticed");
    }
}

#[test]
fn equal_findings_are_counted() {
    let mut dice = Dice(7);
    let twice = fingerprints(&dice.program(&[SLOW[0], SLOW[0], SLOW[0]]));
    let numbered = |suffix: &str| twice.iter().filter(|one| one.ends_with(suffix)).count();
    assert_eq!((numbered("#2"), numbered("#3"), numbered("#4")), (1, 1, 0), "{twice:?}");
}

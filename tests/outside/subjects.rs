//! What is written: reports on the examples, on a tree whose names are odd, and on findings that have everything that a
//! finding can have.

use crate::root;
use planlint::report::{BaselineSummary, Diagnostic, Report, State, Suppression, SuppressionKind};
use planlint::run::{CheckRequest, check};
use planlint::source::Sources;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A report, and where its tree stands.
pub struct Subject {
    pub name: String,
    pub report: Report,
    pub sources: Sources,
    /// The folder that paths start from.
    pub repository: PathBuf,
    /// Where the tree lies in it.
    pub below: String,
}

impl Subject {
    fn new(name: &str, repository: &Path, below: &str) -> Self {
        let outcome = check(&CheckRequest::new(repository.join(below))).unwrap();
        Self {
            name: name.to_owned(),
            report: outcome.report,
            sources: outcome.sources,
            repository: repository.to_owned(),
            below: below.to_owned(),
        }
    }
}

const MIGRATION: &str =
    "CREATE TABLE \"per{0}cent%,:\" (id INTEGER PRIMARY KEY, größe TEXT NOT NULL,\r\n  note TEXT);\r\n";

/// What stands before a statement is wider in bytes than in UTF-16 units, and wider in these than in characters.
const PROGRAM: &str = r##"use rusqlite::{Connection, Result, params};

pub fn place(db: &Connection, size: &str) -> Result<usize> {
    /* 😀ü */ db.execute("INSERT INTO \"per{0}cent%,:\" (größe) VALUES (?1)", params![size])
}

pub fn sized(db: &Connection, size: &str) -> Result<i64> {
    let _ = "😀ü"; db.query_row("SELECT id FROM \"per{0}cent%,:\" WHERE größe = ?1", params![size], |row| row.get(0))
}

pub fn noted(db: &Connection, note: &str) -> Result<i64> {
    db.query_row(r#"SELECT id
        FROM "per{0}cent%,:" AS "ü"
        WHERE note = ?1"#, params![note], |row| row.get(0))
}

pub fn beside(db: &Connection, note: &str) -> Result<i64> {
    // planlint: allow(growing-table-scan) only {0} times: "ü", 5 %
    db.query_row(r#"SELECT id FROM "per{0}cent%,:" AS beside WHERE note = ?1"#, params![note], |row| row.get(0))
}

pub fn elsewhere(db: &Connection, note: &str) -> Result<i64> {
    db.query_row(r#"SELECT id FROM "per{0}cent%,:" AS elsewhere WHERE note = ?1"#, params![note], |row| row.get(0))
}
"##;

/// The last of these is accepted here.
const CONFIGURATION: &str = r#"
[[allow]]
rule = "growing-table-scan"
statement = "AS elsewhere"
reason = """few rows,
so {far}"""
"#;

/// The subjects, made once.
pub fn all() -> &'static [Subject] {
    static ALL: OnceLock<Vec<Subject>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = examples();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd");
        let below = "a b, 100%/";
        plant(&folder, below);
        all.push(Subject::new("odd", &folder, below));
        let mut full = Subject::new("full", &folder, below);
        full.report.diagnostics = everything(&full.report.diagnostics);
        full.report.baseline = Some(BaselineSummary::default());
        all.push(full);
        all
    })
}

fn examples() -> Vec<Subject> {
    let folders = fs::read_dir(root().join("examples")).unwrap();
    let mut names: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.iter().map(|name| Subject::new(name, root(), &format!("examples/{name}/"))).collect()
}

/// Writes the odd tree.
fn plant(folder: &Path, below: &str) {
    if folder.exists() {
        fs::remove_dir_all(folder).unwrap();
    }
    let odd = folder.join(below).join("src/ü#1");
    fs::create_dir_all(&odd).unwrap();
    fs::write(odd.join("1_größe.sql"), MIGRATION).unwrap();
    fs::write(odd.join("lager, 5%; x.rs"), PROGRAM.replace("SELECT id\n", "SELECT id\r\n")).unwrap();
    fs::write(odd.join("not read.sql"), b"\0").unwrap();
    fs::write(folder.join(below).join("planlint.toml"), CONFIGURATION).unwrap();
}

/// The same finding in each state, and without a place.
fn everything(found: &[Diagnostic]) -> Vec<Diagnostic> {
    let [one, other, ..] = found else { panic!("{found:?}") };
    let suppressed = |kind, place| Diagnostic {
        state: State::Suppressed,
        suppression: Some(Suppression { kind, justification: "few rows,\nso {far}".to_owned(), place }),
        ..one.clone()
    };
    let nowhere = Diagnostic {
        place: None,
        focus: None,
        function: None,
        message: "100 % of\r\n::add-mask::x {0} {".to_owned(),
        help: None,
        ..one.clone()
    };
    vec![
        one.clone(),
        Diagnostic { state: State::Baseline, ..other.clone() },
        suppressed(SuppressionKind::InSource, one.place.clone()),
        suppressed(SuppressionKind::External, None),
        Diagnostic { state: State::Suppressed, ..other.clone() },
        nowhere,
    ]
}

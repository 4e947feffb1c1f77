//! A small report of each kind of thing, for the tests of the formats.

use super::{
    Counts, Cure, DatabaseSummary, Diagnostic, Growth, Judged, Object, Place, Related, Report, RuleSummary,
    State, Variant, coverage::Coverage,
};
use crate::{
    config::Severity,
    source::{Skipped, Source, Sources},
};

const QUEUE: &str = r#"//! The queue.

fn next_ready(db: &Db) -> Option<Block> {
    db.query_row(
        "SELECT child.id FROM queue AS child
         WHERE child.state = 'ready' LIMIT 1",
        [],
    )
}

fn push(db: &Db, block: &Block) {
    db.execute("INSERT INTO queue (id, state) VALUES (?1, 'new')", [block.id]);
}
"#;

/// The sources that the places of [`report`] are in.
pub(super) fn sources() -> Sources {
    let migration = "ALTER TABLE peers ADD COLUMN seen INTEGER NOT NULL;\n";
    Sources::of(vec![Source::new("src/queue.rs", QUEUE), Source::new("db/2_seen.sql", migration)])
}

fn place(path: &str, text: &str) -> Place {
    let sources = sources();
    let source = sources.find(path).unwrap().1;
    let start = source.text().find(text).unwrap() as u32;
    Place {
        path: path.to_owned(),
        start: source.position(start),
        end: source.position(start + text.len() as u32),
    }
}

/// A finding of which only the first words are known.
pub(crate) fn bare(rule: &str, severity: Severity, message: &str) -> Diagnostic {
    Diagnostic {
        rule: rule.to_owned(),
        severity,
        state: State::New,
        suppression: None,
        database: None,
        place: None,
        focus: None,
        object: None,
        function: None,
        context: "production".to_owned(),
        message: message.to_owned(),
        help: None,
        judged: Vec::new(),
        related: Vec::new(),
        cures: Vec::new(),
        fingerprint: format!("1:{rule}"),
        home: None,
    }
}

fn scan() -> Diagnostic {
    let sql = "SELECT child.id FROM queue AS child\n         WHERE child.state = 'ready' LIMIT 1";
    let growth = Growth {
        class: "linear".to_owned(),
        explained: false,
        rows: vec![400, 1600],
        steps: vec![2811, 11211],
        pages: vec![20, 77],
        returned: vec![0, 0],
    };
    let grows = Related {
        place: place("src/queue.rs", "INSERT INTO queue (id, state) VALUES (?1, 'new')"),
        message: "grows: inserted here, deleted nowhere".to_owned(),
    };
    let far =
        Related { place: place("db/2_seen.sql", "peers"), message: "the schema is changed here".to_owned() };
    Diagnostic {
        database: Some("blocks".to_owned()),
        place: Some(place("src/queue.rs", sql)),
        object: Some(Object { kind: "table".to_owned(), name: "queue".to_owned() }),
        function: Some("next_ready".to_owned()),
        help: Some("Add an index on the columns that the statement compares with a value.".to_owned()),
        judged: vec![Judged {
            variant: "declared".to_owned(),
            plan: vec!["SCAN child".to_owned()],
            growth: Some(growth),
        }],
        related: vec![grows, far],
        cures: vec![Cure {
            kind: "index".to_owned(),
            sql: "CREATE INDEX queue_state ON queue(state);".to_owned(),
            proved: true,
            plan: vec!["SEARCH child USING INDEX queue_state (state=?)".to_owned()],
            class: Some("constant".to_owned()),
            ..Cure::default()
        }],
        ..bare(
            "growing-table-scan",
            Severity::Warning,
            "`queue` is read in full to find one row, and it gains a row with every block that arrives",
        )
    }
}

fn lost() -> Diagnostic {
    let judged = |variant: &str, step: &str| Judged {
        variant: variant.to_owned(),
        plan: vec![step.to_owned(), "  SEARCH peers".to_owned()],
        growth: None,
    };
    Diagnostic {
        database: Some("peers".to_owned()),
        place: Some(place("db/2_seen.sql", "ALTER TABLE peers ADD COLUMN seen INTEGER NOT NULL")),
        context: "migration".to_owned(),
        judged: vec![
            judged("declared", "SCAN a"),
            judged("fresh", "SCAN b"),
            judged("upgraded from v1", "SCAN a"),
        ],
        ..bare("failing-migration", Severity::Error, "this step fails where `peers` has rows")
    }
}

fn rule(name: &str) -> RuleSummary {
    RuleSummary {
        name: name.to_owned(),
        title: format!("What {name} finds"),
        severity: Severity::Warning,
        why: "It is slow.\n\nAnd it grows.".to_owned(),
        remedy: "Make it fast.".to_owned(),
    }
}

/// A report with a finding of each severity.
pub(super) fn report() -> Report {
    let database = |name: &str, found: &str, from: &[&str], variants: &[(&str, &[&str])]| DatabaseSummary {
        name: name.to_owned(),
        found: found.to_owned(),
        from: from.iter().map(|&from| from.to_owned()).collect(),
        tables: 12,
        indexes: 20,
        migrations: 1,
        statistics: None,
        variants: variants
            .iter()
            .map(|(id, releases)| Variant {
                id: (*id).to_owned(),
                releases: releases.iter().map(|&release| release.to_owned()).collect(),
            })
            .collect(),
    };
    let mut report = Report {
        change: None,
        elsewhere: None,
        root: ".".to_owned(),
        sqlite: "3.54.1".to_owned(),
        databases: vec![
            database("blocks", "configured", &["db/*.sql"], &[("declared", &[])]),
            database(
                "peers",
                "guessed",
                &["src/db.rs::SCHEMA"],
                &[("declared", &[]), ("upgraded from v1", &["v1", "v1.1"])],
            ),
        ],
        statements: Counts { found: 1560, planned: 1555, dynamic: 3, refused: 2, foreign: 0, test: 74 },
        coverage: Coverage::default(),
        min_coverage: None,
        logs: Vec::new(),
        skipped: vec![Skipped { path: "a.bin".to_owned(), reason: "binary".to_owned() }],
        by_plan_alone: false,
        baseline: None,
        rules: ["failing-migration", "full-read", "growing-table-scan"].map(rule).to_vec(),
        unread: Vec::new(),
        guesses: vec!["src/db.rs::SCHEMA runs on every open".to_owned()],
        diagnostics: vec![bare("full-read", Severity::Note, "`tx` is read in full"), scan(), lost()],
    };
    report.sort();
    report
}

//! The page `plans.md`: what SQLite prints about a plan, and what is understood of it.

use planlint::plan::{Index, Op, Plan, Program, Purpose, Row, Step, Term, TermKind, steps};
use rusqlite::{Connection, config::DbConfig};

const PAGE: &str = include_str!("plans.md");

/// Statements with their plans in the words of an older SQLite, and in normal ones.
const NORMAL: &str = include_str!("normal.md");

/// A fenced block of the page, and the heading it stands under.
struct Block {
    heading: &'static str,
    kind: &'static str,
    text: String,
}

#[test]
fn every_text_of_the_page_is_understood_as_written_there() {
    let blocks = blocks(PAGE);
    let mut checked = 0;
    for pair in blocks.windows(2).filter(|pair| pair[0].kind == "rows") {
        let [given, expected] = pair else { continue };
        assert_eq!(expected.kind, "steps", "{}: rows without steps", given.heading);
        assert_eq!(shown(&Plan::parse(&rows(&given.text))), expected.text, "{}", given.heading);
        checked += 1;
    }
    assert!(checked > 20, "only {checked} cases were found");
}

#[test]
fn sqlite_plans_the_statements_of_the_page_as_written_there() {
    let connection = database().unwrap();
    let blocks = blocks(PAGE);
    let mut checked = 0;
    for (at, given) in blocks.iter().enumerate().filter(|(_, block)| block.kind == "sql") {
        let Some(expected) = blocks.get(at + 1).filter(|next| next.kind == "steps") else { continue };
        let plan = explain(&connection, &given.text).unwrap();
        assert_eq!(shown(&plan), expected.text, "{}", given.heading);
        checked += 1;
    }
    assert!(checked > 10, "only {checked} cases were found");
}

#[test]
fn no_word_that_this_sqlite_prints_is_unknown() {
    let connection = database().unwrap();
    let mut steps = 0;
    for block in blocks(PAGE).iter().filter(|block| block.kind == "sql") {
        for sql in block.text.split_inclusive(";\n") {
            let plan = explain(&connection, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            for step in &plan.steps {
                assert_ne!(step.op, Op::Other, "{sql}: {}", step.detail);
            }
            steps += plan.steps.len();
        }
    }
    assert!(steps > 150, "only {steps} steps were seen");
}

#[test]
fn a_plan_in_the_words_of_any_version_is_one_in_normal_words() {
    let connection = database().unwrap();
    let is_plain = |index: &str| index != "author_town";
    let blocks = blocks(NORMAL);
    let mut faults = String::new();
    for three in blocks.chunks(3) {
        let [sql, older, normal] = three else { panic!("a case has three blocks") };
        assert_eq!((sql.kind, older.kind, normal.kind), ("sql", "3.40", "normal"), "{}", sql.text);
        let plans = [explain(&connection, &sql.text).unwrap(), Plan::parse(&rows(&older.text))];
        for (plan, version) in plans.iter().zip(["the built in", "3.40"]) {
            let lines: String =
                plan.normal(&is_plain).iter().map(|line| line.trim_end().to_owned() + "\n").collect();
            if lines != normal.text {
                let said = plan.lines().join("\n");
                faults.extend(["\n@@ ", &sql.text, &lines, "-- of ", version, ":\n", &said, "\n"]);
            }
        }
    }
    assert!(blocks.len() > 75 && faults.is_empty(), "{} blocks{faults}", blocks.len());
}

#[test]
fn words_of_older_and_newer_versions_are_left_out() {
    let text = "SCAN TABLE book AS b (~3 rows)\nBLOOM FILTER ON log (what=?)\nSEARCH log EXISTS USING INDEX i (a=?)\n\
        SCAN SUBQUERY 3\nREUSE LIST SUBQUERY 2\nCREATE BLOOM FILTER\n\
        SEARCH t USING AUTOMATIC PARTIAL COVERING INDEX (b=? AND (c,d)>(?,?))\nSCAN (join-2) LEFT-JOIN\n\
        USE TEMP B-TREE FOR LAST TERM OF ORDER BY\n";
    let expected = [
        "SCAN b",
        "SCAN (subquery)",
        "SEARCH t USING AUTOMATIC INDEX (b=? AND (c,d)>(?,?))",
        "SCAN (join)",
        "CORRELATED SCALAR SUBQUERY",
        "  SEARCH log USING INDEX i (a=?)",
        "USE TEMP B-TREE FOR LAST TERMS OF ORDER BY",
    ];
    assert_eq!(Plan::parse(&rows(text)).normal(&|_| true), expected);
}

#[test]
fn normal_words_are_read_as_they_were_written() {
    let mut read = 0;
    for block in blocks(NORMAL).iter().filter(|block| block.kind == "normal") {
        let lines: Vec<String> = block.text.lines().map(str::to_owned).collect();
        for (step, line) in steps(&lines).into_iter().zip(&lines) {
            if matches!(step.op, Op::Scan | Op::Search | Op::TempBTree(_)) {
                assert_eq!(Plan { steps: vec![step] }.normal(&|_| true), [line.trim_start()]);
                read += 1;
            }
        }
    }
    assert!(read > 40, "{read}");
}

#[test]
fn a_delete_has_one_loop_and_foreign_key_lookups_within_it() {
    let rows = rows("SEARCH parent USING INTEGER PRIMARY KEY (rowid=?)\nSCAN child\nSCAN other\n");
    let inside = |plan: &Plan| plan.steps.iter().map(|step| step.inside_loop).collect::<Vec<_>>();
    assert_eq!(inside(&Plan::parse(&rows)), [false, false, true]);
    assert_eq!(inside(&Plan::parse_without_join(&rows)), [false, false, false]);
}

#[test]
fn lines_are_indented_as_deep_as_their_steps() {
    let text = "SCAN a\nCORRELATED SCALAR SUBQUERY 1\n  SCAN b\nNULL\n  SCAN c\n";
    let lines = Plan::parse(&rows(text)).lines();
    let expected =
        ["SCAN a", "CORRELATED SCALAR SUBQUERY 1", "  SCAN b", "-- FOREIGN KEY ACTION", "  SCAN c"];
    assert_eq!(lines, expected);
}

#[test]
fn terms_are_counted_by_what_they_ask() {
    let text = "SEARCH t USING INDEX i (ANY(a) AND b=? AND (c,d)>(?,?) AND c<?)\n";
    let plan = Plan::parse(&rows(text));
    assert_eq!((plan.steps[0].equalities(), plan.steps[0].ranges()), (1, 2));
}

/// The fenced blocks of a page, in order.
fn blocks(page: &'static str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut heading, mut is_open) = ("", false);
    for line in page.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                blocks.push(Block { heading, kind, text: String::new() });
            }
        } else if !is_open {
            heading = line.strip_prefix("## ").unwrap_or(heading);
        } else if let Some(block) = blocks.last_mut() {
            block.text.extend([line, "\n"]);
        }
    }
    blocks
}

/// The rows of a tree written with two spaces a level. Ids are given as SQLite does: anew in each program.
fn rows(text: &str) -> Vec<Row> {
    let (mut rows, mut above, mut next) = (Vec::new(), Vec::new(), 1);
    for line in text.lines() {
        let detail = line.trim_start();
        let in_program = rows.iter().any(|row: &Row| row.id == 0);
        let depth = (line.len() - detail.len()) / 2;
        if detail == "NULL" || detail.starts_with("-- TRIGGER ") {
            let detail = Some(detail.to_owned()).filter(|detail| detail != "NULL");
            rows.push(Row { id: 0, parent: 40, cost: 0, detail, once: false, ..Row::default() });
            next = 1;
            continue;
        }
        above.truncate(depth - usize::from(in_program));
        let parent = above.last().copied().unwrap_or(0);
        rows.push(Row { id: next, parent, cost: 0, detail: Some(detail.to_owned()), ..Row::default() });
        above.push(next);
        next += 1;
    }
    rows
}

/// A database with the schema of the page, which shows the plans of triggers too.
fn database() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRIGGER_EQP, true)?;
    for block in blocks(PAGE).iter().filter(|block| block.kind == "schema") {
        connection.execute_batch(&block.text)?;
    }
    Ok(connection)
}

fn explain(connection: &Connection, sql: &str) -> rusqlite::Result<Plan> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let mut found = statement.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(Row {
            id: row.get(0)?,
            parent: row.get(1)?,
            cost: row.get(2)?,
            detail: row.get(3)?,
            ..Row::default()
        });
    }
    Ok(Plan::parse(&rows))
}

fn shown(plan: &Plan) -> String {
    plan.steps.iter().fold(String::new(), |text, step| text + &shown_step(step) + "\n")
}

/// One step on one line: operation, name, index, terms, and what else is known of it.
fn shown_step(step: &Step) -> String {
    let indent = "  ".repeat(step.depth as usize);
    let name = step.name.as_ref().map_or_else(String::new, |name| format!(" {name:?}"));
    let terms: String = step.terms.iter().map(shown_term).collect();
    indent + &shown_op(&step.op) + &name + &shown_index(step.index.as_ref()) + &terms + &marks(step)
}

fn shown_op(op: &Op) -> String {
    let word = op.as_str();
    match op {
        Op::VirtualScan { number, text } => format!("{word} {number} {text:?}"),
        Op::Values(rows) => format!("{word} {rows}"),
        Op::TempBTree(purpose) => format!("{word} {}", shown_purpose(purpose)),
        Op::Merge(operator) => format!("{word} {}", operator.as_str()),
        _ => word.to_owned(),
    }
}

fn shown_index(index: Option<&Index>) -> String {
    match index {
        Some(Index::Named { name, .. }) => format!(" by {name:?}"),
        Some(Index::PrimaryKey) => " by primary key".to_owned(),
        Some(Index::Rowid) => " by rowid".to_owned(),
        Some(Index::Automatic { partial: false, .. }) => " by automatic index".to_owned(),
        Some(Index::Automatic { partial: true, .. }) => " by automatic partial index".to_owned(),
        None => String::new(),
    }
}

fn shown_term(term: &Term) -> String {
    let sign = match term.kind {
        TermKind::Equal => "=",
        TermKind::Lower => ">",
        TermKind::Upper => "<",
        TermKind::Any => " any",
    };
    let before = if term.continues { "+" } else { " " };
    [before, &term.column, sign].concat()
}

fn marks(step: &Step) -> String {
    let program = match &step.program {
        Some(Program::Trigger(name)) => format!("trigger {name}"),
        Some(Program::ForeignKeyAction) => "foreign key action".to_owned(),
        None => String::new(),
    };
    let marks = [
        (step.is_covering(), "covering"),
        (step.left_join, "left join"),
        (step.exists, "exists"),
        (step.inside_loop, "in loop"),
        (step.correlated, "correlated"),
        (step.program.is_some(), program.as_str()),
    ];
    marks.iter().filter(|(holds, _)| *holds).fold(String::new(), |text, (_, mark)| text + " [" + mark + "]")
}

fn shown_purpose(purpose: &Purpose) -> String {
    match purpose {
        Purpose::OrderBy => "order by".to_owned(),
        Purpose::LastTermsOfOrderBy(number) => format!("last {number} of order by"),
        Purpose::Distinct => "distinct".to_owned(),
        Purpose::GroupBy => "group by".to_owned(),
        Purpose::Aggregate(text) => text.clone(),
        Purpose::Other => "something else".to_owned(),
    }
}

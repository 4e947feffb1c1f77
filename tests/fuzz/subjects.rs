//! All that reads what a stranger wrote, each as a function of bytes that must return: `tests/never_panics.rs` calls them
//! with texts made from a seed, and the targets beside this file with those that a fuzzer makes. What holds of any
//! input is asserted here.

use planlint::audit::{Page, varint};
use planlint::config::{self, Config, FileStatistics};
use planlint::extract::{self, Extraction, names, sql};
use planlint::plan::{Plan, Row};
use planlint::schema::{self, Limits, Live, Settings, copied, tokens};
use planlint::source::{Buffers, Folder, Source, Sources, Tree};
use planlint::{migration, rule, suppression, workload};
use std::collections::{BTreeMap, BTreeSet};

/// A subject: its name and what it does.
pub type Subject = (&'static str, fn(&[u8]));

/// All of them.
pub const ALL: [Subject; 9] = [
    ("sources", sources),
    ("statements", statements),
    ("plans", plans),
    ("configuration", configuration),
    ("sizes", sizes),
    ("rules", rules),
    ("pages", pages),
    ("comments", comments),
    ("logs", logs),
];

/// The endings of the files that are read as code or SQL. The first byte of an input of [`sources`] chooses one.
pub const ENDINGS: [&str; 15] =
    ["rs", "py", "go", "js", "java", "kt", "cs", "cpp", "swift", "dart", "php", "rb", "sql", "scala", "hs"];

/// The path and the text of an input whose first byte chooses the language: `a` the first, and so on.
fn file(bytes: &[u8]) -> (String, String) {
    let (first, rest) = bytes.split_first().unwrap_or((&b'a', &[]));
    let ending = ENDINGS[usize::from(first.wrapping_sub(b'a')) % ENDINGS.len()];
    (format!("src/main.{ending}"), String::from_utf8_lossy(rest).into_owned())
}

/// What is found in one file. Every literal lies in the file, and every byte of its texts has a place there.
pub fn sources(bytes: &[u8]) {
    let (path, text) = file(bytes);
    let is_ruby = path.rsplit('.').next() == Some("rb");
    let mut last = 0;
    for (start, end) in extract::literals(&path, &text) {
        assert!(text.get(start as usize..end as usize).is_some(), "{path}: {start}..{end} splits a letter");
        // A heredoc of Ruby reaches over what stands behind its head.
        assert!((last <= start || is_ruby) && start < end, "{path}: {start}..{end} after {last}");
        last = end;
    }
    let _ = (extract::is_generated(&path, &text), extract::code_number(&path, &text));
    let sources = Sources::of(vec![Source::new(path, text)]);
    let mut extraction = extract::extract(&sources, &|_| false);
    migration::read(&sources, &mut extraction);
    located(&sources, &extraction);
}

fn located(sources: &Sources, extraction: &Extraction) {
    for literal in &extraction.literals {
        let whole = sources.get(literal.site.source).unwrap();
        assert!(
            whole.text().get(literal.site.start as usize..literal.site.end as usize).is_some(),
            "{literal:?}"
        );
        for text in &literal.variants {
            for at in 0..text.as_str().len() as u32 {
                let (source, offset) = text.locate(at).unwrap();
                let length = sources.get(source).unwrap().text().len();
                assert!((offset as usize) < length, "byte {at} of {text:?} stands at {offset} of {length}");
            }
            let site = text.site(0, text.as_str().len() as u32);
            assert!(text.as_str().is_empty() || site.is_some(), "{text:?}");
            let _ = workload::likeliest(text);
        }
    }
}

const SCHEMA: &str = "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c); CREATE INDEX t_b ON t(b);
    CREATE TABLE u(a REFERENCES t(a) ON DELETE CASCADE, d); CREATE VIEW v AS SELECT a, count(*) AS n FROM u GROUP BY a;";

/// A text of statements: where they begin and end, what is read in each, and what SQLite makes of them.
pub fn statements(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut last = 0;
    let found: Vec<(usize, usize)> = schema::statements(&text).collect();
    for &(start, end) in &found {
        assert!(last <= start && start < end, "{start}..{end} after {last}");
        let one = text.get(start..end).expect("a statement begins and ends between letters");
        last = end;
        let _ = (names::names(one), names::expressions::conditions(one), names::maxima(one));
        let _ = (names::is_filtered(one), copied::copied(one), tokens::Tokens::from(one, 0).count());
        let _ = (sql::key(one), sql::looks(one), sql::comments(one), sql::makes_schema(one));
    }
    let _ = migration::is_of_another(&text);
    // Short, since a fuzzer that waits for SQLite finds nothing.
    let limits = Limits {
        steps: 20_000,
        milliseconds: 2_000,
        value_bytes: 100_000,
        memory_bytes: 50_000_000,
        pages: 500,
        ..Limits::default()
    };
    let mut live = Live::open(&Settings { limits, ..Settings::default() }).unwrap();
    live.apply(SCHEMA);
    for &(start, end) in found.iter().take(20) {
        let _ = live.explain(text.get(start..end).unwrap_or(""));
    }
    for applied in live.apply(&text) {
        assert!(text.get(applied.start..applied.end).is_some(), "{applied:?}");
    }
    let _ = live.objects();
}

/// Lines as rows of EXPLAIN QUERY PLAN, each below the one that its first byte chooses.
pub fn plans(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let rows: Vec<Row> = text
        .lines()
        .zip(1..)
        .map(|(line, id)| Row {
            id,
            parent: i64::from(line.bytes().next().unwrap_or(0)) % (id + 1),
            cost: id.wrapping_mul(7_919) % 300 - 10,
            detail: (line != "NULL").then(|| line.trim_start().to_owned()),
            once: line.len() % 2 == 0,
            single: line.len() % 3 == 0,
            one_row: line.len() % 5 == 0,
        })
        .collect();
    for plan in [Plan::parse(&rows), Plan::parse_without_join(&rows)] {
        assert_eq!(plan.steps.len(), rows.len());
        assert_eq!(plan.lines().len(), rows.len());
    }
}

/// A planlint.toml.
pub fn configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match config::parse("planlint.toml", &text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(config) => {
            let _ =
                (config.excludes("src/a.rs"), config.is_log("a.log"), config.level("full-read", Some("a")));
            let _ = config.check_rule_names(&["full-read", "wide-search"]);
        }
    }
}

/// A planlint.stats.toml. What is read and written again says the same.
pub fn sizes(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match FileStatistics::parse("planlint.stats.toml", &text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(read) => {
            let written = read.render();
            let again = FileStatistics::parse("planlint.stats.toml", &written);
            assert_eq!(again.map(|again| again.render()).ok().as_deref(), Some(&*written));
        }
    }
}

/// A rule of a user, and a page that tests one.
pub fn rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = rule::read_rule("lint/own-rule.sql".to_owned(), text.to_string()) {
        assert!(!error.to_string().is_empty());
    }
    let _ = rule::read_page("lint/own-rule.md", text.to_string());
    let _ = rule::marks("a.rs", &text);
}

/// A page of a database file.
pub fn pages(bytes: &[u8]) {
    for (number, usable) in [(1, 512), (2, 512), (2, 480), (2, 4096), (2, 65_536), (2, bytes.len() as u32)] {
        let Some(page) = Page::read(bytes, number, usable) else { continue };
        let _ = (page.kind(), page.children(), page.content());
        for cell in 0..=page.cells() {
            let _ = page.record(cell);
        }
    }
    let _ = varint(bytes);
}

/// Comments that accept findings.
pub fn comments(bytes: &[u8]) {
    let (path, text) = file(bytes);
    let length = text.len();
    let sources = Sources::of(vec![Source::new(path, text)]);
    let extraction = extract::extract(&sources, &|_| false);
    let ground = suppression::Ground {
        config: &Config::default(),
        sources: &sources,
        extraction: &extraction,
        rules: &["full-read", "wide-search"],
        today: "2026-01-31",
    };
    for said in suppression::gather(&ground) {
        assert!(said.site.start <= said.site.end && said.site.end as usize <= length, "{said:?}");
        assert!(said.is_good() || said.fault.is_some() || said.reason.is_none() || said.is_expired);
    }
}

/// A log of statements.
pub fn logs(bytes: &[u8]) {
    let config = config::parse("planlint.toml", "workload = [\"a.log\"]\n").unwrap();
    let open = BTreeMap::from([("a.log".to_owned(), Some(bytes.to_vec()))]);
    let tree = Tree::new(Buffers::<Folder> { open, unlisted: BTreeSet::new(), beneath: None });
    let mut sources = Sources::default();
    let Ok(logs) = workload::logs(&config, &tree, None, &mut sources) else { return };
    let mut extraction = extract::extract(&sources, &|_| false);
    workload::logged_literals(&logs, &mut extraction);
    located(&sources, &extraction);
}

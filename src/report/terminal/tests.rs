//! What people see, to the letter.

use super::*;
use crate::report::State;
use crate::{
    config,
    report::sample::{self, bare},
};

fn shown(options: TerminalOptions) -> String {
    render(&sample::report(), &sample::sources(), &options)
}

fn without_colour(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').unwrap().1)
}

const WHOLE: &str = "\
error: failing-migration in database peers (migration code)

  × this step fails where `peers` has rows
   ╭─[db/2_seen.sql:1:1]
 1 │ ALTER TABLE peers ADD COLUMN seen INTEGER NOT NULL;
   · ──────────────────────────────────────────────────
   ╰────
    plan: on declared, upgraded from v1
            SCAN a
              SEARCH peers
    plan: on fresh
            SCAN b
              SEARCH peers
    help: `planlint explain failing-migration` says what to do

warning: growing-table-scan in database blocks

  ⚠ `queue` is read in full to find one row, and it gains a row with every block
  │ that arrives
   ╭─[src/queue.rs:5:10]
 4 │         db.query_row(
 5 │ ╭─▶         \"SELECT child.id FROM queue AS child
 6 │ ├─▶          WHERE child.state = 'ready' LIMIT 1\",
   · ╰──── in `next_ready`
 7 │             [],
   ╰────
    ╭─[src/queue.rs:12:17]
 11 │ fn push(db: &Db, block: &Block) {
 12 │     db.execute(\"INSERT INTO queue (id, state) VALUES (?1, 'new')\", [block.id]);
    ·                 ────────────────────────┬───────────────────────
    ·                                         ╰── grows: inserted here, deleted nowhere
 13 │ }
    ╰────
    plan: SCAN child
  growth: linear: 400 to 1,600 rows in the table take 2,811 to 11,211 steps and
            20 to 77 pages, for 0 rows wanted
    also: db/2_seen.sql:1:13 the schema is changed here
    cure: CREATE INDEX queue_state ON queue(state);
          proved, constant: SEARCH child USING INDEX queue_state (state=?)
    help: Add an index on the columns that the statement compares with a value.

1 error, 1 warning; 1 note hidden (--notes shows it)
statements: 1,560 found, 1,555 planned, 3 dynamic, 2 refused, 0 for another
  engine, 74 in tests
database blocks (configured): 12 tables, 20 indexes, 1 migration
database peers (guessed from src/db.rs::SCHEMA): 12 tables, 20 indexes, 1
  migration; judged as declared, upgraded from v1
guessed: src/db.rs::SCHEMA runs on every open
1 file not read (--list skipped)
";

#[test]
fn a_report_is_80_columns_wide_and_says_everything_without_colour() {
    let text = shown(TerminalOptions::default());
    assert_eq!(text, WHOLE, "\n{text}");
}

#[test]
fn colour_adds_no_words() {
    let coloured = shown(TerminalOptions { color: true, ..TerminalOptions::default() });
    assert_ne!(coloured, WHOLE);
    assert_eq!(without_colour(&coloured), WHOLE);
}

#[test]
fn ascii_is_enough() {
    let text = shown(TerminalOptions { unicode: false, notes: true, ..TerminalOptions::default() });
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("note: full-read\n") && text.contains("1 error, 1 warning, 1 note\n"), "{text}");
}

#[test]
fn every_finding_has_one_line_of_help() {
    let text = shown(TerminalOptions { notes: true, ..TerminalOptions::default() });
    assert_eq!(text.matches("    help: ").count(), 3);
}

#[test]
fn nothing_found_is_one_line() {
    let report = Report { root: "empty".to_owned(), ..Report::default() };
    assert_eq!(render(&report, &Sources::default(), &TerminalOptions::default()), "no SQL found in empty\n");
    let report = Report { diagnostics: Vec::new(), ..sample::report() };
    let text = render(&report, &Sources::default(), &TerminalOptions::default());
    assert!(text.starts_with("no findings\nstatements: 1,560 found"), "{text}");
}

#[test]
fn what_does_not_count_is_counted_but_not_shown() {
    let mut report = sample::report();
    for (one, state) in report.diagnostics.iter_mut().zip([State::Suppressed, State::Baseline]) {
        one.state = state;
    }
    let text = render(&report, &sample::sources(), &TerminalOptions::default());
    assert!(text.starts_with("no errors or warnings; 1 in the baseline; 1 allowed; 1 note hidden"), "{text}");
}

#[test]
fn a_place_that_cannot_be_drawn_is_named() {
    let position = crate::source::Position { line: 3, column: 7, offset: 40 };
    let place = Place { path: "gone.rs".to_owned(), start: position, end: position };
    let one = Diagnostic { place: Some(place), ..bare("a-rule", Severity::Error, "it is so") };
    let report = Report { diagnostics: vec![one], ..Report::default() };
    let text = render(&report, &Sources::default(), &TerminalOptions::default());
    assert!(text.starts_with("error: a-rule\n\n  × gone.rs:3:7: it is so\n"), "{text}");
}

#[test]
fn a_focus_in_another_file_is_not_drawn_in_this_one() {
    let sources = Sources::of(vec![
        Source::new("a.rs", "use db;\nrun(\"SELECT 1\");\n"),
        Source::new("b.rs", "const NAME: &str = \"t\";\n"),
    ]);
    let at = |path: &str, start, end| {
        let source = sources.find(path).unwrap().1;
        Place { path: path.to_owned(), start: source.position(start), end: source.position(end) }
    };
    let (place, focus) = (Some(at("a.rs", 12, 22)), Some(at("b.rs", 0, 5)));
    let one = Diagnostic { place, focus, ..bare("a-rule", Severity::Error, "it is so") };
    let report = Report { diagnostics: vec![one], ..Report::default() };
    let text = render(&report, &sources, &TerminalOptions::default());
    assert!(text.contains("[a.rs:2:5]"), "{text}");
}

#[test]
fn a_line_of_a_megabyte_is_not_drawn() {
    let text = "x".repeat(1_000_000) + "SELECT 1";
    let source = Source::new("min.js", text);
    assert_eq!(label(&source, 1_000_000, 1_000_008, None), None);
}

#[test]
fn a_terminal_obeys_nothing_that_a_source_says() {
    let source = Source::new("a.sql", "SELECT '\u{1b}[2J'\n");
    assert_eq!(label(&source, 0, 6, None), None);
    let one = Diagnostic { help: Some("\u{1b}[2J".to_owned()), ..bare("a-rule", Severity::Error, "a\u{7}b") };
    let report = Report { diagnostics: vec![one], ..Report::default() };
    let text = render(&report, &Sources::default(), &TerminalOptions::default());
    assert!(
        text.contains("a\u{fffd}b") && text.contains("\u{fffd}[2J") && !text.contains('\u{1b}'),
        "{text}"
    );
}

#[test]
fn a_path_is_never_broken_and_a_line_keeps_its_indentation() {
    let path = "a/very/long/path/of-a-file/that-has-no-room.sql";
    assert_eq!(filled(&format!("in {path} it fails"), 20), format!("in\n{path}\nit fails"));
    assert_eq!(wrapped("  a b c d e f\n", 9), "  a b c d\n    e f\n");
    assert_eq!(prose("a b c d\n\ne", 3), "a b\nc d\n\ne\n");
}

#[test]
fn a_literal_is_never_broken() {
    let sql = "CREATE INDEX a ON b (c) WHERE d <> 'New York' AND \"my e\" = 'it''s on'";
    let said = wrapped(sql, 4);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    assert_eq!(lines.get(7..), Some(&["d", "<>", "'New York'", "AND", "\"my e\"", "=", "'it''s on'"][..]));
    assert_eq!(wrapped("a table's rows' size", 9), "a table's\n  rows'\n  size\n");
}

#[test]
fn a_long_statement_is_labelled_by_its_first_line() {
    let source = Source::new("a.sql", "SELECT\n".repeat(200));
    let label = label(&source, 0, 1400, None).unwrap();
    assert_eq!((label.offset(), label.len()), (0, 6));
}

#[test]
fn every_span_of_a_text_can_be_read() {
    for text in ["", "a", "a\n", "a\r\nb\r\n\r\nc", "é\n\u{1F600}x"] {
        let source = Source::new("a", text);
        for start in 0..=text.len() {
            for end in start..=text.len() {
                if let Some(label) = label(&source, start as u32, end as u32, Some("here")) {
                    let labels = vec![label];
                    let severity = Severity::Note;
                    let drawn = Drawn { header: None, message: "m", severity, source: Some(&source), labels };
                    let drawing = draw(&drawn, theme(&TerminalOptions::default()), 80);
                    assert!(drawing.contains("[a:"), "{drawing}");
                    assert!(drawing.ends_with("╰────\n"), "{text:?} {start} {end} {drawing}");
                }
            }
        }
    }
}

#[test]
fn a_failure_shows_its_place_and_what_to_do() {
    let text = "fail-on = \"error\"\n\n[[database]]\nname = \"a\"\nmigratons = []\n";
    let error = config::parse("planlint.toml", text).unwrap_err();
    let shown = failure(&Failure::from(&error), &TerminalOptions::default());
    let expected = "  \
  error: unknown key `migratons`
   ╭─[planlint.toml:5:1]
 4 │ name = \"a\"
 5 │ migratons = []
   · ─────────
   ╰────
    help: did you mean `migrations`?
";
    assert_eq!(shown, expected, "\n{shown}");
    assert_eq!(failure(&Failure::new("no"), &TerminalOptions::default()), "  error: no\n");
}

//! The findings as workflow commands, which GitHub shows beside the lines of a pull request. Written as GitHub's own
//! toolkit writes them, key for key. Knows that syntax; docs/output.md says what GitHub makes of it.

use super::{Diagnostic, Place, Report, summary, terminal::harmless};
use crate::config::Severity;
use std::fmt::Write as _;

/// A command for each finding that counts, worst first, since GitHub shows only some of each kind; then a line of plain
/// text. `below` is where the tree lies in its repository, as `services/node/`: paths start at the root of that.
pub fn render(report: &Report, below: &str, notes: bool) -> String {
    let shown = report.diagnostics.iter().filter(|one| one.is_shown(notes));
    let mut out: String = shown.map(|one| command(one, below)).collect();
    // What is not a command must not look like one.
    let last = summary::lines(report, notes).into_iter().next().unwrap_or_default();
    out.push_str(&harmless(last.trim_start_matches(':')));
    out.push('\n');
    out
}

fn command(one: &Diagnostic, below: &str) -> String {
    let name = match one.severity {
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let place = one.place.as_ref().map_or_else(String::new, |place| range(place, below));
    let help = one.what_to_do();
    let message = data(format!("{}\n{help}", one.message).trim_end());
    format!("::{name} title={}{place}::{message}\n", property(&one.rule))
}

/// The place, as further keys. GitHub takes columns only within one line.
fn range(place: &Place, below: &str) -> String {
    let (start, end) = (place.start, place.end);
    let file = property(&format!("{below}{}", place.path));
    let mut keys = format!(",file={file},line={},endLine={}", start.line, end.line);
    if start.line == end.line {
        // Writing to a string never fails.
        let _ = write!(keys, ",col={},endColumn={}", start.column, end.column);
    }
    keys
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{State, sample};

    #[test]
    fn the_worst_comes_first_and_the_last_line_counts() {
        let text = render(&sample::report(), "", false);
        let starts: Vec<&str> = text.lines().map(|line| line.split(',').next().unwrap_or("")).collect();
        let last = "1 error, 1 warning; 1 note hidden (--notes shows it)";
        let expected = ["::error title=failing-migration", "::warning title=growing-table-scan", "1 error"];
        assert_eq!(starts, expected);
        assert!(text.ends_with(&format!("\n{last}\n")), "{text}");
    }

    #[test]
    fn columns_are_given_within_a_line_alone() {
        let text = render(&sample::report(), "my, node/", true);
        let place = ",file=my%2C node/db/2_seen.sql,line=1,endLine=1,col=1,endColumn=51::";
        assert!(text.contains(place), "{text}");
        assert!(text.contains(",file=my%2C node/src/queue.rs,line=5,endLine=6::"), "{text}");
    }

    #[test]
    fn what_has_no_place_names_no_file() {
        let text = render(&sample::report(), "", true);
        assert!(text.contains("\n::notice title=full-read::`tx` is read in full\n"), "{text}");
    }

    #[test]
    fn a_message_ends_where_its_command_does() {
        let mut report = sample::report();
        report.diagnostics.truncate(1);
        report.diagnostics[0].message = "100 %\r\n::add-mask::x".to_owned();
        report.diagnostics[0].help = None;
        let text = render(&report, "", false);
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("::100 %25%0D%0A::add-mask::x\n"), "{text}");
    }

    #[test]
    fn what_does_not_count_is_not_shown() {
        let mut report = sample::report();
        report.diagnostics[0].state = State::Baseline;
        report.diagnostics[1].state = State::Suppressed;
        let text = render(&report, "", false);
        assert_eq!(
            text,
            "no errors or warnings; 1 in the baseline; 1 allowed; 1 note hidden (--notes shows it)\n"
        );
    }
}

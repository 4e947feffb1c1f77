//! Plain lists, a line each, for people and for `cut` and `grep` alike.

use super::terminal::harmless;
use std::fmt::Write as _;

/// What can be listed instead of the findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Every statement, with what became of it.
    Statements,
    /// The statements whose text is not known before the program runs.
    Dynamic,
    /// The statements that SQLite refused, with its reason.
    Refused,
    /// The statements of steps whose order is a guess that did not run there, with SQLite's reason.
    Unapplied,
    /// The statements that are written for another engine.
    Foreign,
    /// The texts that looked like SQL and are no statements to judge, with the reason.
    Others,
    /// How many statements there are of each language and each database, and what became of them.
    Coverage,
    /// The tables of each database, with how they grow.
    Tables,
    /// The releases of each database, with what becomes of theirs.
    Releases,
    /// The findings that the user accepts, each with the reason.
    Allowed,
    /// The files that were not read.
    Skipped,
}

impl List {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::Statements,
        Self::Dynamic,
        Self::Refused,
        Self::Unapplied,
        Self::Foreign,
        Self::Others,
        Self::Coverage,
        Self::Tables,
        Self::Releases,
        Self::Allowed,
        Self::Skipped,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Statements => "statements",
            Self::Dynamic => "dynamic",
            Self::Refused => "refused",
            Self::Unapplied => "unapplied",
            Self::Foreign => "foreign",
            Self::Others => "others",
            Self::Coverage => "coverage",
            Self::Tables => "tables",
            Self::Releases => "releases",
            Self::Allowed => "allowed",
            Self::Skipped => "skipped",
        }
    }
}

/// One line of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// `path:line:column`, or a name.
    pub place: String,
    /// What is said of it.
    pub columns: Vec<String>,
}

/// The widest a column is padded to: one long entry must not push all others off the screen.
const WIDEST: usize = 48;

/// The lines, columns aligned and two spaces apart. Line breaks and tabs within an entry become spaces.
pub fn render(listings: &[Listing]) -> String {
    let rows: Vec<Vec<String>> = listings.iter().map(cells).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(WIDEST));
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            // Writing to a string never fails.
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn cells(listing: &Listing) -> Vec<String> {
    let all = std::iter::once(&listing.place).chain(&listing.columns);
    let words = all.map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "));
    // What is left of control characters could only be meant for the terminal.
    words.map(|cell| harmless(&cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(place: &str, columns: &[&str]) -> Listing {
        Listing {
            place: place.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
        }
    }

    #[test]
    fn columns_are_aligned_and_lines_have_no_tail() {
        let listings =
            [listing("a.rs:1:1", &["planned", "SELECT\n\t1"]), listing("src/b.rs:12:5", &["dynamic", ""])];
        assert_eq!(render(&listings), "a.rs:1:1       planned  SELECT 1\nsrc/b.rs:12:5  dynamic\n");
    }

    #[test]
    fn a_long_entry_does_not_widen_its_column_for_all() {
        let listings = [listing(&"x".repeat(60), &["a"]), listing("y", &["b"])];
        let text = render(&listings);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].len(), 63);
        assert_eq!(lines[1].len(), 51);
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_as_one_sign() {
        assert_eq!(render(&[listing("a", &["\u{1b}[31mred"])]), "a  \u{fffd}[31mred\n");
    }

    #[test]
    fn an_empty_list_is_empty() {
        assert_eq!(render(&[]), "");
    }
}

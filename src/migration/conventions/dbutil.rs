//! dbutil of mautrix: files of SQL that begin with the versions between which they lead.

use crate::migration::convention::{Convention, PLAIN};
use std::ops::Range;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "dbutil",
    words: &["go.mau.fi/util/dbutil", "mautrix/util/dbutil"],
    opts_out: |comment| comment == "transaction: off",
    keeps,
    jumps_to: |text| {
        let rest = text.strip_prefix("-- v0 -> v")?;
        let end = rest.find(|one: char| !one.is_ascii_digit())?;
        rest.get(..end)?.parse().ok().filter(|version| *version > 1)
    },
    ..PLAIN
};

/// The lines for SQLite. A mark says for which database the next lines are, how many, and whether they stand in comments.
fn keeps(text: &str) -> Option<Vec<Range<usize>>> {
    text.strip_prefix("-- v").filter(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))?;
    text.contains("-- only: ").then_some(())?;
    let mut kept = Vec::new();
    let mut mark: Option<Mark> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let (start, end) = (at, at + line.len());
        at = end;
        if let Some(own) = Mark::read(line).filter(|_| mark.is_none()) {
            // In front of all others, it is about the whole file.
            if number == 1 && own.lines == Some(1) && !own.is_ours {
                return Some(kept);
            }
            mark = Some(own);
            continue;
        }
        let Some(own) = mark.as_mut() else {
            kept.push(start..end);
            continue;
        };
        let is_end = own.lines.is_none() && line.trim_start().starts_with("-- end only");
        if own.is_ours && !is_end {
            let skipped = if own.is_commented && line.starts_with("--") { 2 } else { 0 };
            kept.push(start + skipped..end);
        }
        own.lines = own.lines.map(|lines| lines - 1);
        if is_end || own.lines == Some(0) {
            mark = None;
        }
    }
    Some(kept)
}

/// `-- only: sqlite for next 3 lines (lines commented)`.
struct Mark {
    is_ours: bool,
    /// How many lines it is about; `None` where it is about all up to an end.
    lines: Option<usize>,
    is_commented: bool,
}

impl Mark {
    fn read(line: &str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("-- only: ")?;
        let is_ours = rest.starts_with("sqlite");
        let tail = rest.strip_prefix("sqlite").or_else(|| rest.strip_prefix("postgres"))?;
        let lines = match tail.trim_start().strip_prefix("for next ") {
            Some(count) => Some(count.split(' ').next()?.parse().ok().filter(|count| *count > 0)?),
            None if tail.trim_start().starts_with("until ") => None,
            None => Some(1),
        };
        Some(Self { is_ours, lines, is_commented: tail.contains("commented)") })
    }
}

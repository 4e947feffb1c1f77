//! Texts put into a file, as a unified diff. Knows lines; knows nothing of what they say.

use std::{collections::BTreeMap, fmt::Write as _};

/// How many lines are shown around a change.
const CONTEXT: usize = 3;

/// A text that is put into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::run) struct Insertion {
    /// In front of this byte.
    pub at: usize,
    /// What is put there.
    pub text: String,
}

/// Whether a path can stand in a diff as it is.
pub(super) fn takes(path: &str) -> bool {
    !path.contains(|one: char| one == '"' || one == '\\' || one.is_control())
}

/// The diff that makes insertions; `None` where none is made.
pub(super) fn unified(path: &str, old: &str, insertions: &[Insertion]) -> Option<String> {
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let changed = changed(&lines, insertions);
    let tab = if path.contains(' ') { "\t" } else { "" };
    let mut text = format!("--- a/{path}{tab}\n+++ b/{path}{tab}\n");
    let mut added = 0;
    let mut rest: &[usize] = &changed.keys().copied().collect::<Vec<_>>();
    if rest.is_empty() {
        return None;
    }
    while let Some(&first) = rest.first() {
        let near = |pair: &[usize]| matches!(pair, [one, next] if next - one <= 2 * CONTEXT);
        let length = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (own, behind) = rest.split_at(length);
        let last = own.last().copied().unwrap_or(first);
        let (start, end) = (first.saturating_sub(CONTEXT), (last + CONTEXT + 1).min(lines.len()));
        let more: usize = own.iter().filter_map(|line| Some(changed.get(line)?.matches('\n').count())).sum();
        // Each changed line was one.
        let whole = |line: &&usize| changed.get(*line).is_some_and(|text| text.ends_with('\n'));
        let more = more - own.iter().filter(whole).count();
        let (old, new) = (end - start, end - start + more);
        let _ = writeln!(text, "@@ -{},{old} +{},{new} @@", start + 1, start + 1 + added);
        for (at, line) in lines.iter().enumerate().take(end).skip(start) {
            hunk_line(&mut text, line, changed.get(&at));
        }
        added += more;
        rest = behind;
    }
    Some(text)
}

/// The lines that change, each with the text in its place.
fn changed(lines: &[&str], insertions: &[Insertion]) -> BTreeMap<usize, String> {
    let mut sorted: Vec<&Insertion> = insertions.iter().collect();
    sorted.sort_by_key(|one| one.at);
    let mut changed = BTreeMap::new();
    let mut start = 0;
    for (number, line) in lines.iter().enumerate() {
        let end = start + line.len();
        let is_last = number + 1 == lines.len();
        let here = |one: &&&Insertion| (start..end).contains(&one.at) || is_last && one.at == end;
        let mut text = String::new();
        let mut from = 0;
        for one in sorted.iter().filter(here) {
            text.push_str(line.get(from..one.at - start).unwrap_or(""));
            text.push_str(&one.text);
            from = one.at - start;
        }
        if !text.is_empty() {
            text.push_str(line.get(from..).unwrap_or(""));
            changed.insert(number, text);
        }
        start = end;
    }
    changed
}

fn hunk_line(text: &mut String, line: &str, changed: Option<&String>) {
    let Some(changed) = changed else { return one_line(text, ' ', line) };
    let mut new: Vec<&str> = changed.split_inclusive('\n').collect();
    let is_kept = new.first() == Some(&line);
    if is_kept {
        new.remove(0);
    }
    one_line(text, if is_kept { ' ' } else { '-' }, line);
    for line in new {
        one_line(text, '+', line);
    }
}

fn one_line(text: &mut String, mark: char, line: &str) {
    text.push(mark);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

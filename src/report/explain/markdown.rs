//! The same for an editor, in Markdown, and shorter: it is read beside the code.

use super::{Explanation, Point, dedented, tree};
use crate::{growth::size::counted::grouped, report::terminal::harmless};
use std::fmt::Write as _;

/// The text for all of them, in order.
pub fn render(all: &[Explanation]) -> String {
    let texts: Vec<String> = all.iter().map(one).collect();
    texts.join("\n---\n\n")
}

fn one(of: &Explanation) -> String {
    let mut out = String::new();
    if !of.sql.is_empty() {
        block(&mut out, "sql", &dedented(&of.sql));
    }
    if of.plan.is_empty() {
        lines(&mut out, None, &of.growth.words);
    } else {
        block(&mut out, "text", &tree(&of.plan));
        lines(&mut out, Some("Growth"), &of.growth.words);
    }
    table(&mut out, &of.growth.points);
    let tables: Vec<String> = of.tables.iter().map(|(name, said)| format!("{name}: {said}")).collect();
    lines(&mut out, Some("Tables"), &tables);
    lines(&mut out, Some("Obstacles"), &of.obstacles);
    lines(&mut out, Some("Texts that it can take"), &of.variants);
    // What was found is shown beside the code already.
    let findings: Vec<String> =
        of.findings.iter().map(|one| format!("{}: {}", one.head, one.message)).collect();
    lines(&mut out, Some("Findings"), &[findings, of.quiet.clone(), of.named.clone()].concat());
    let about: Vec<String> = of.about.iter().map(|(word, said)| format!("{word}: {said}")).collect();
    lines(&mut out, Some("Where it stands"), &about);
    out
}

fn block(out: &mut String, language: &str, lines: &[String]) {
    let longest = lines.iter().map(|line| ticks(line)).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let _ = write!(out, "{fence}{language}\n{}\n{fence}\n\n", lines.join("\n"));
}

/// The most backticks in a row.
fn ticks(line: &str) -> usize {
    line.split(|one| one != '`').map(str::len).max().unwrap_or(0)
}

fn lines(out: &mut String, head: Option<&str>, all: &[String]) {
    if all.is_empty() {
        return;
    }
    if let Some(head) = head {
        let _ = write!(out, "**{head}**\n\n");
    }
    for line in all {
        let _ = writeln!(out, "- {}", escaped(line));
    }
    out.push('\n');
}

fn table(out: &mut String, points: &[Point]) {
    if points.is_empty() {
        return;
    }
    out.push_str("| rows | steps | pages | returned | changed |\n|--:|--:|--:|--:|--:|\n");
    for one in points {
        let numbers = [one.rows, one.steps, one.pages, one.returned, one.changed].map(grouped);
        let _ = writeln!(out, "| {} |", numbers.join(" | "));
    }
    out.push('\n');
}

/// A line in which no name and no word of SQL is taken for Markdown. What stands between backticks is code already.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    let is_even = text.matches('`').count().is_multiple_of(2);
    for one in harmless(text.split_whitespace().collect::<Vec<_>>().join(" ").as_str()).chars() {
        is_code ^= one == '`' && is_even;
        let is_sign = "\\*_[]<>#|~".contains(one) || (one == '`' && !is_even);
        if is_sign && !is_code {
            out.push('\\');
        }
        out.push(one);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        assert_eq!(escaped("max_of<a>: `b_c*` [1]"), "max\\_of\\<a\\>: `b_c*` \\[1\\]");
        assert_eq!(escaped("a ` b_c"), "a \\` b\\_c");
        let mut out = String::new();
        block(&mut out, "sql", &["a ``` b".to_owned()]);
        assert_eq!(out, "````sql\na ``` b\n````\n\n");
    }
}

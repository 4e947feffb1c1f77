//! The report as Markdown, for the summary of a job or a comment on a pull request: the numbers, a table of what counts,
//! and the rest of each finding folded. What users' SQL brings along stays text. Knows GitHub's Markdown, and no SQL.

pub mod plans;

use super::{Diagnostic, Report, summary, terminal::harmless};
use std::fmt::Write as _;

/// The most findings that are shown: GitHub takes a megabyte for a summary, and 65,536 characters for a comment.
const MOST: usize = 50;

/// The summary.
pub fn render(report: &Report, notes: bool) -> String {
    let lines = summary::lines(report, notes);
    let mut lines = lines.iter().map(|line| text(line));
    let mut out = format!("### planlint: {}\n", lines.next().unwrap_or_default());
    let shown: Vec<&Diagnostic> = report.diagnostics.iter().filter(|one| one.is_shown(notes)).collect();
    if !shown.is_empty() {
        out.push_str("\n| | rule | where | what |\n|---|---|---|---|\n");
    }
    for one in shown.iter().take(MOST) {
        // Writing to a string never fails.
        let _ = row(&mut out, one);
    }
    for one in shown.iter().take(MOST) {
        let _ = details(&mut out, one);
    }
    if shown.len() > MOST {
        let _ = writeln!(out, "\n{} more are not shown; the log has them.", shown.len() - MOST);
    }
    let rest: Vec<String> = lines.map(|line| format!("- {line}\n")).collect();
    if !rest.is_empty() {
        let _ = write!(
            out,
            "\n<details>\n<summary>What was looked at</summary>\n\n{}\n</details>\n",
            rest.concat()
        );
    }
    out
}

fn place(one: &Diagnostic) -> String {
    one.place.as_ref().map_or_else(|| "-".to_owned(), |place| format!("{}:{}", place.path, place.start.line))
}

fn row(out: &mut String, one: &Diagnostic) -> std::fmt::Result {
    let cells = [one.severity.as_str().to_owned(), code(&one.rule), code(&place(one)), prose(&one.message)];
    writeln!(out, "| {} |", cells.join(" | "))
}

fn details(out: &mut String, one: &Diagnostic) -> std::fmt::Result {
    let (rule, place) = (text(&one.rule), text(&place(one)));
    writeln!(out, "\n<details>\n<summary>{place}: {rule}</summary>\n\n{}", prose(&one.message))?;
    for judged in one.judged.iter().filter(|judged| !judged.plan.is_empty()) {
        let growth = judged.growth.as_ref().map_or_else(String::new, |growth| format!(", {}", growth.class));
        write!(out, "\nPlan, {}{growth}:\n\n{}", text(&judged.variant), block("", &judged.plan.join("\n")))?;
    }
    for cure in &one.cures {
        let condition = cure.condition.as_ref();
        let condition = condition.map_or_else(String::new, |condition| format!(", if {condition}"));
        write!(out, "\nCure{}:\n\n{}", text(&condition), block("sql", cure.text()))?;
    }
    if let Some(help) = &one.help {
        writeln!(out, "\n{}", prose(help))?;
    }
    writeln!(out, "\n</details>")
}

/// A text that is shown as it is, on one line, in a paragraph, a cell of a table or between tags. GitHub makes links and
/// mentions of what is left when all is rendered: a comment in them keeps it from that.
fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let line = raw
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("www.", "www\0.")
        .replace("://", ":\0//");
    for one in line.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '#' => {
                out.push(one);
                out.push_str(BREAK);
            }
            '\0' => out.push_str(BREAK),
            // In a tag no backslash helps.
            '|' | '\\' | '[' | ']' | '*' | '_' | '~' | '`' | '!' => {
                let _ = write!(out, "&#{};", u32::from(one));
            }
            _ if one.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(one),
        }
    }
    out
}

/// The same, with what stands between backticks as code.
fn prose(raw: &str) -> String {
    let parts: Vec<&str> = raw.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text(raw);
    }
    let part = |(number, part): (usize, &&str)| if number % 2 == 1 { code(part) } else { spaced(part) };
    parts.iter().enumerate().map(part).collect()
}

/// A part of a line, whose spaces at both ends count.
fn spaced(part: &str) -> String {
    let edge = |is: bool| if is { " " } else { "" };
    let (front, end) =
        (part.starts_with(char::is_whitespace), part.trim_start().ends_with(char::is_whitespace));
    format!("{}{}{}", edge(front), text(part), edge(end))
}

/// Stands in what must not be a link.
const BREAK: &str = "<!-- -->";

/// A text as code within a line. In a cell of a table GitHub looks for the bars first.
fn code(raw: &str) -> String {
    format!("<code>{}</code>", text(raw))
}

/// A text as a block of its own, fenced so that nothing in it ends it.
fn block(language: &str, raw: &str) -> String {
    let longest = raw.split(|one| one != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: Vec<String> = raw.lines().map(harmless).collect();
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

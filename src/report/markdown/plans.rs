//! What became of plans, as Markdown for a comment on a pull request. Knows what Markdown makes of a text; knows no SQL.

use super::{block, code, text};
use crate::report::plans::{PlanDiff, Told, about};
use std::fmt::Write as _;

/// The most statements that are shown: GitHub takes 65,536 characters.
const MOST: usize = 25;

/// The comment; nothing where no plan changed and no bad statement came, so that nobody is told nothing.
pub fn render(diff: &PlanDiff) -> String {
    if diff.is_quiet() {
        return String::new();
    }
    let mut out =
        format!("### Query plans\n\nHeld against {}: {}.\n", code(&diff.against), text(&diff.headline()));
    let all: Vec<&Told> = diff.told().collect();
    for one in all.iter().take(MOST) {
        // Writing to a string never fails.
        let _ = told(&mut out, one);
    }
    if all.len() > MOST {
        let _ = writeln!(out, "\n{} more are not shown.", all.len() - MOST);
    }
    out
}

fn told(out: &mut String, one: &Told) -> std::fmt::Result {
    // Only what is bad stands open.
    let open = if one.is_worse() { " open" } else { "" };
    let reasons = one.change.as_ref().map_or(&[] as &[_], |(_, _, reasons)| reasons.as_slice());
    let why = match (one.growth(), reasons) {
        (Some(growth), _) if growth.contains(", then ") => format!(": {growth}"),
        (_, [first, ..]) => format!(": {first}"),
        (growth, _) => growth.map_or_else(String::new, |growth| format!(": {growth}")),
    };
    let places = one.places.iter().map(|place| text(&place.replace('`', ""))).collect::<Vec<_>>().join(", ");
    writeln!(out, "\n<details{open}>\n<summary><b>{}</b> {places}{}</summary>\n", one.word(), text(&why))?;
    writeln!(out, "In the database {}:", code(&about(&one.entry)))?;
    let sql = |statement: &str| block("sql", statement);
    if let Some(old) = one.old_text() {
        write!(out, "\n{}\nIt was:\n\n{}", sql(&one.entry.key.statement), sql(old))?;
    } else {
        write!(out, "\n{}", sql(&one.entry.key.statement))?;
    }
    let steps: Vec<String> = one.steps().iter().map(|(sign, line)| format!("{sign} {line}")).collect();
    if !steps.is_empty() {
        write!(out, "\n{}", block("diff", &steps.join("\n")))?;
    }
    if !reasons.is_empty() {
        writeln!(out, "\n{}.", text(&reasons.join("; ")))?;
    }
    if let Some(growth) = one.growth() {
        writeln!(out, "\nGrowth: {}.", text(&growth))?;
    }
    if one.is_worse() {
        for (label, advice) in one.advice() {
            match label {
                "cure" => write!(out, "\nCure:\n\n{}", block("sql", &advice))?,
                _ => writeln!(out, "\n{}", text(&advice))?,
            }
        }
    }
    writeln!(out, "\n</details>")
}

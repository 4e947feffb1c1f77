//! All that is known of one statement, written for people: where it stands, what SQLite does for it, how that grows, and
//! a script that shows the same. Plain text, the same with colour and without. Knows values; finds nothing out.

pub mod markdown;
mod plot;
pub mod rows;
pub mod script;

use super::terminal::push_wrapped;
use std::fmt::Write as _;

/// Columns of the text.
const WIDTH: usize = 80;

/// What is known of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// `path:line:column`.
    pub place: String,
    /// Where it stands and what runs it: a word, and what is said of it.
    pub about: Vec<(&'static str, String)>,
    /// Its text, as planned.
    pub sql: String,
    /// The texts that it can take, a line each; empty where it has one.
    pub variants: Vec<String>,
    /// The steps of the plan, and how deep they are.
    pub plan: Vec<(usize, String)>,
    /// Its tables: the name, and what is known of its rows.
    pub tables: Vec<(String, String)>,
    /// What keeps its steps from being narrow searches, and what would help: sentences.
    pub obstacles: Vec<String>,
    /// How its cost grows, or why that is not known.
    pub growth: Growth,
    /// What the migration that it belongs to does to rows.
    pub rows: Vec<String>,
    /// What was found of it.
    pub findings: Vec<Found>,
    /// Why nothing was found, if that is so.
    pub quiet: Vec<String>,
    /// What findings elsewhere say of it.
    pub named: Vec<String>,
    /// The script for the shell.
    pub script: Option<String>,
}

/// How the cost of a statement grows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growth {
    /// The verdict, and what it rests on: sentences.
    pub words: Vec<String>,
    /// What was measured.
    pub points: Vec<Point>,
}

/// One measurement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// Rows in each growing table.
    pub rows: u64,
    /// Steps of SQLite's virtual machine.
    pub steps: u64,
    /// Pages asked of the cache.
    pub pages: u64,
    /// Sorts.
    pub sorts: u64,
    /// Rows returned.
    pub returned: u64,
    /// Rows changed.
    pub changed: u64,
}

/// A finding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Severity and rule.
    pub head: String,
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The text for all of them, in order.
pub fn render(all: &[Explanation]) -> String {
    let texts: Vec<String> = all.iter().map(one).collect();
    texts.join("\n")
}

fn one(of: &Explanation) -> String {
    let mut out = format!("{}\n", of.place);
    for (word, said) in &of.about {
        push_wrapped(&mut out, &format!("  {word:9} "), said, 12, WIDTH);
    }
    head(&mut out, "SQL");
    for line in dedented(&of.sql) {
        push_wrapped(&mut out, "  ", &line, 2, WIDTH);
    }
    if !of.variants.is_empty() {
        head(&mut out, "Texts that it can take");
        lines(&mut out, &of.variants);
    }
    if !of.plan.is_empty() {
        head(&mut out, "Plan");
        for line in tree(&of.plan) {
            push_wrapped(&mut out, "  ", &line, 2, WIDTH);
        }
    }
    if !of.tables.is_empty() {
        head(&mut out, "Tables");
        for (name, said) in &of.tables {
            push_wrapped(&mut out, "  ", &format!("{name}: {said}"), 2, WIDTH);
        }
    }
    if !of.obstacles.is_empty() {
        head(&mut out, "Obstacles");
        lines(&mut out, &of.obstacles);
    }
    if !of.growth.words.is_empty() {
        head(&mut out, "Growth");
        lines(&mut out, &of.growth.words);
    }
    if !of.growth.points.is_empty() {
        out.push('\n');
        out.push_str(&plot::table(&of.growth.points));
        out.push_str("\n  Steps against rows:\n");
        out.push_str(&plot::bars(&of.growth.points));
    }
    if !of.rows.is_empty() {
        head(&mut out, "Rows, made up for this: each value tells its column and its row");
        lines(&mut out, &of.rows);
    }
    head(&mut out, "Findings");
    lines(&mut out, &of.quiet);
    for found in &of.findings {
        push_wrapped(&mut out, "  ", &found.head, 2, WIDTH);
        push_wrapped(&mut out, "    ", &found.message, 4, WIDTH);
        push_wrapped(&mut out, "    ", &format!("help: {}", found.help), 4, WIDTH);
    }
    lines(&mut out, &of.named);
    if let Some(script) = &of.script {
        head(&mut out, "Script for the sqlite3 shell (--script prints it alone)");
        for line in script.lines() {
            // As it is: a line that is broken would be another script.
            let _ = writeln!(out, "{}", format!("  {line}").trim_end());
        }
    }
    out
}

fn head(out: &mut String, text: &str) {
    out.push('\n');
    out.push_str(text);
    out.push('\n');
}

fn lines(out: &mut String, all: &[String]) {
    for line in all {
        push_wrapped(out, "  ", line, 2, WIDTH);
    }
}

/// The lines of a text without what they are all indented by.
fn dedented(text: &str) -> Vec<String> {
    let text = text.trim_end();
    let rest = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let spaces = |line: &str| line.len() - line.trim_start().len();
    let common = rest().map(spaces).min().unwrap_or(0);
    let first = text.lines().take(1).map(|line| line.trim_start().to_owned());
    let others = text.lines().skip(1).map(|line| line.get(common..).unwrap_or("").trim_end().to_owned());
    first.chain(others).filter(|line| !line.is_empty()).collect()
}

/// A plan as SQLite's shell draws it.
pub fn tree(plan: &[(usize, String)]) -> Vec<String> {
    let mut drawn = vec!["QUERY PLAN".to_owned()];
    // Whether the step above at each depth has a sibling still to come.
    let mut open: Vec<bool> = Vec::new();
    for (index, (depth, text)) in plan.iter().enumerate() {
        let rest = plan.iter().skip(index + 1).take_while(|(other, _)| other >= depth);
        let has_sibling = rest.into_iter().any(|(other, _)| other == depth);
        open.truncate(*depth);
        let before: String = open.iter().map(|open| if *open { "|  " } else { "   " }).collect();
        drawn.push(format!("{before}{}{text}", if has_sibling { "|--" } else { "`--" }));
        open.push(has_sibling);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(all: &[(usize, &str)]) -> Vec<(usize, String)> {
        all.iter().map(|(depth, text)| (*depth, (*text).to_owned())).collect()
    }

    #[test]
    fn a_plan_is_drawn_as_the_shell_does() {
        let plan = steps(&[(0, "A"), (1, "B"), (2, "C"), (1, "D"), (0, "E"), (1, "F")]);
        let drawn = ["QUERY PLAN", "|--A", "|  |--B", "|  |  `--C", "|  `--D", "`--E", "   `--F"];
        assert_eq!(tree(&plan), drawn);
    }

    #[test]
    fn sql_loses_the_indentation_of_its_source() {
        let sql = "SELECT a\n        FROM t\n          WHERE b = 1\n\n        ";
        assert_eq!(dedented(sql), ["SELECT a", "FROM t", "  WHERE b = 1"]);
    }

    #[test]
    fn no_line_but_those_of_the_script_is_wide() {
        let long = "word ".repeat(60);
        let all = Explanation {
            place: "a.rs:1:1".to_owned(),
            about: vec![("function", long.clone())],
            sql: long.clone(),
            plan: vec![(0, "SCAN t".to_owned())],
            tables: vec![("t".to_owned(), long.clone())],
            growth: Growth {
                words: vec![long.clone()],
                points: vec![Point { rows: 100, ..Point::default() }],
            },
            findings: vec![Found { head: "warning: x".to_owned(), message: long.clone(), help: long }],
            ..Explanation::default()
        };
        let text = render(&[all]);
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
        assert!(wide.is_empty(), "{wide:?}");
    }
}

//! What became of the pages of rules, as a test runner says it: a line for each case, and for each fault its place.
//! Knows what is written where; knows neither a page nor a rule.

use super::terminal::harmless;
use std::fmt::Write as _;

/// What became of the cases of all pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tested {
    /// The cases, in the order of the pages.
    pub cases: Vec<Tried>,
    /// What is amiss and fails nothing, such as a rule without a page.
    pub notes: Vec<String>,
}

/// A case that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The page it stands on.
    pub page: String,
    /// The line of its heading, from 1.
    pub line: u32,
    /// The heading.
    pub title: String,
    /// What is wrong; empty where it passes.
    pub faults: Vec<Fault>,
}

/// A difference between what a case announces and what is found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line of the page, from 1.
    pub line: u32,
    /// What is wrong there.
    pub text: String,
}

impl Tested {
    /// Whether every case finds what it announces, and nothing else.
    pub fn passes(&self) -> bool {
        self.cases.iter().all(|case| case.faults.is_empty())
    }
}

/// The lines: cases, then notes, then a sum.
pub fn render(tested: &Tested) -> String {
    let mut text = String::new();
    for Tried { page, line, title, faults } in &tested.cases {
        let word = if faults.is_empty() { "ok  " } else { "FAIL" };
        say(&mut text, &format!("{word}  {page}:{line}: {title}"));
        for fault in faults {
            say(&mut text, &format!("      {page}:{}: {}", fault.line, fault.text));
        }
    }
    for note in &tested.notes {
        say(&mut text, &format!("note  {note}"));
    }
    let failed = tested.cases.iter().filter(|case| !case.faults.is_empty()).count();
    let all = tested.cases.len();
    let noun = if all == 1 { "case" } else { "cases" };
    say(&mut text, &format!("{all} {noun}: {} passed, {failed} failed", all - failed));
    text
}

/// Adds a line. What is a control character in it could only be meant for the terminal.
fn say(text: &mut String, line: &str) {
    // Writing to a string never fails.
    let _ = writeln!(text, "{}", harmless(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_for_each_case_and_each_fault() {
        let case = |line, title: &str, faults| Tried {
            page: "lint/a.md".to_owned(),
            line,
            title: title.to_owned(),
            faults,
        };
        let fault = Fault { line: 9, text: "not found: a\u{1b}".to_owned() };
        let tested = Tested {
            cases: vec![case(3, "It fires", vec![fault]), case(12, "It is silent", Vec::new())],
            notes: vec!["lint/b.sql: it has no page".to_owned()],
        };
        assert!(!tested.passes());
        assert_eq!(
            render(&tested),
            "FAIL  lint/a.md:3: It fires\n      lint/a.md:9: not found: a\u{fffd}\nok    lint/a.md:12: It is silent\n\
             note  lint/b.sql: it has no page\n2 cases: 1 passed, 1 failed\n"
        );
    }
}

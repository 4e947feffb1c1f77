//! Markdown, as GitHub's own renderer reads it: what users' SQL brings along is text, a table has a row for each finding, and
//! what is opened is closed.

use crate::{printed, subjects, tool};
use planlint::lock::{Became, Entry, Growth, Home, Key, Verdict};
use planlint::report::plans::{PlanDiff, Told};
use planlint::report::{State, markdown};
use std::io::Write;
use std::process::{Command, Stdio};

/// Renders as GitHub does, before it takes out what is not allowed.
const RENDERER: &str = "
import cmarkgfm, sys
from cmarkgfm.cmark import Options
print(cmarkgfm.github_flavored_markdown_to_html(sys.stdin.read(), Options.CMARK_OPT_UNSAFE))
";

fn html(markdown: &str) -> String {
    let mut command = Command::new(tool("venv/bin/python"));
    let child = command.args(["-c", RENDERER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("python: {error}"));
    child.stdin.take().unwrap().write_all(markdown.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The names of the tags of a page, `/` in front of those that close.
fn tags(html: &str) -> Vec<&str> {
    let all = html.split('<').skip(1).filter_map(|rest| rest.split(['>', ' ', '\n']).next());
    all.filter(|tag| *tag != "!--").collect()
}

const KNOWN: [&str; 16] = [
    "h3", "table", "thead", "tbody", "tr", "th", "td", "code", "details", "summary", "p", "pre", "ul", "li",
    "b", "br",
];

fn is_sound(name: &str, markdown: &str) -> String {
    let html = html(markdown);
    let tags = tags(&html);
    for tag in &tags {
        assert!(KNOWN.contains(&tag.trim_start_matches('/')), "{name}: <{tag}> in {html}");
    }
    for tag in KNOWN {
        let (open, close) = (tags.iter().filter(|own| **own == tag), format!("/{tag}"));
        assert_eq!(
            open.count(),
            tags.iter().filter(|own| **own == close).count(),
            "{name}: <{tag}> in {html}"
        );
    }
    html
}

#[test]
fn a_summary_has_a_row_for_each_finding_and_nothing_else_of_what_is_in_it() {
    for subject in subjects::all() {
        let html = is_sound(&subject.name, &markdown::render(&subject.report, true));
        let new = subject.report.diagnostics.iter().filter(|one| one.state == State::New).count();
        let rows = html.matches("<tr>").count();
        assert_eq!(rows, if new == 0 { 0 } else { new + 1 }, "{}", subject.name);
        assert_eq!(html.matches("<td>").count(), new * 4, "{}", subject.name);
        assert!(!html.contains("<a "), "{}", subject.name);
    }
}

#[test]
fn what_sql_brings_along_is_text_in_a_comment_on_plans() {
    let odd = "select '```\n</details><script>x</script>@all #1 | a\\|b' from \"a`b\" [x](http://y) www.y.z y@y.yy *z* _w_";
    let entry = |step: &str| Entry {
        key: Key { database: odd.to_owned(), statement: odd.replace('\n', " "), schema: None },
        homes: vec![Home { path: odd.replace('\n', " "), function: Some("</summary>".to_owned()) }],
        tables: Vec::new(),
        became: Became::Planned { growth: Some(Growth::Unknown), plan: vec![format!("{step} {odd}")] },
    };
    let change = Some((Verdict::Worse, entry("SEARCH"), vec![odd.to_owned()]));
    let told = Told { help: Some(odd.to_owned()), ..Told::new(change, entry("SCAN"), &[]) };
    let diff = PlanDiff { against: odd.to_owned(), changes: vec![told], ..PlanDiff::default() };
    let html = is_sound("plans", &markdown::plans::render(&diff));
    assert_eq!(html.matches("&lt;script&gt;x&lt;/script&gt;").count(), 9, "{html}");
    // Who is mentioned outside of code is told of it.
    let outside: String = html.replace("</code>", "<code>").split("<code>").step_by(2).collect();
    assert!(outside.contains("@<!-- -->all") && !outside.contains("@all"), "{html}");
}

#[test]
fn the_renderer_sees_what_is_broken() {
    assert!(html("<script>x</script>").contains("<script>") || html("<i>x</i>").contains("<i>"));
    assert!(html("a | b\n--- | ---\nc | d").contains("<td>"));
}

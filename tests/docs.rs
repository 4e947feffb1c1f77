//! The documents that are written from the sources: docs/rules.md from the heads of the rules and from their pages,
//! docs/facts.md from the comments of the schema of the facts and of its views. They are held in step;
//! `PLANLINT_BLESS=1` writes them anew.

#![cfg(test)]

#[path = "docs/chapters.rs"]
mod chapters;
#[path = "docs/tables.rs"]
mod tables;

use chapters::{CHAPTERS, Chapter, OPENING, READING};
use planlint::extract::languages;
use planlint::facts::{Facts, SCHEMA, VOCABULARY};
use planlint::report::terminal::{self, TerminalOptions};
use planlint::rule::{self, Case, Page, Rule};
use planlint::run::{CheckRequest, check, explain};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use tables::{Column, Table, View};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a document with what it should be, or writes it.
fn hold(path: &str, wanted: &str) {
    let file = root().join(path);
    if std::env::var_os("PLANLINT_BLESS").is_some() {
        fs::write(&file, wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let same = found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted).count();
    assert!(
        found == wanted,
        "{path} is out of step from line {} on; PLANLINT_BLESS=1 cargo test --test docs writes it",
        same + 1
    );
}

/// Text as Markdown shows it: what is no code has nothing that Markdown would take for its own.
fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| {
        if number % 2 == 1 { format!("`{part}`") } else { part.replace('*', "\\*").replace('<', "&lt;") }
    });
    parts.collect()
}

/// The same within a table.
fn cell(text: &str) -> String {
    prose(text).replace('|', "\\|")
}

fn page_of(rule: &Rule) -> Page {
    let file = format!("{}.md", rule.name);
    let folders = ["tests/rules", "tests/outside/rules"].into_iter();
    let path =
        folders.map(|folder| format!("{folder}/{file}")).find(|path| root().join(path).exists()).unwrap();
    rule::read_page(&path, fs::read_to_string(root().join(&path)).unwrap()).unwrap()
}

/// The files of a case, as blocks.
fn example(case: &Case) -> String {
    let mut text = String::new();
    for file in &case.files {
        let language = match file.path.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "rs" => "rust",
            "py" => "python",
            ending => ending,
        };
        write!(text, "```{language} {}\n{}```\n\n", file.path, file.text).unwrap();
    }
    text
}

fn rule_section(rule: &Rule) -> String {
    let Rule { name, severity, title, why, remedy, ignore, yields_to, .. } = rule;
    let page = page_of(rule);
    let fires = page.cases.iter().find(|case| page.fires(case)).unwrap();
    let silent = page.cases.iter().find(|case| !page.fires(case)).unwrap();
    let mut text = format!(
        "### {name}\n\n**{}.** Severity: {severity}.\n\n{}\n\n**What to do:** {}\n\n",
        prose(title),
        prose(why),
        prose(remedy)
    );
    if let Some(ignore) = ignore {
        writeln!(text, "**When to ignore it:** {}\n", prose(ignore)).unwrap();
    }
    if !yields_to.is_empty() {
        let links: Vec<String> = yields_to.iter().map(|name| format!("[{name}](#{name})")).collect();
        writeln!(text, "**Silent where a stronger rule finds the same:** {}.\n", links.join(", ")).unwrap();
    }
    write!(text, "**Found:** {}\n\n{}", prose(&fires.title), example(fires)).unwrap();
    write!(text, "**Not found:** {}\n\n{}", prose(&silent.title), example(silent)).unwrap();
    text
}

/// What is printed of the first case of a rule.
fn finding(rule: &Rule) -> String {
    let page = page_of(rule);
    let case = page.cases.iter().find(|case| page.fires(case)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in &case.files {
        let path = folder.path().join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
    let outcome = check(&CheckRequest::new(folder.path())).unwrap();
    let printed = terminal::render(&outcome.report, &outcome.sources, &TerminalOptions::default());
    let whole = printed.split(&format!("{}: ", rule.severity)).nth(1).unwrap();
    let whole = whole.split("\n\n").take(2).collect::<Vec<_>>().join("\n\n");
    format!("```text\n{}: {whole}\n```\n", rule.severity)
}

fn chapter(chapter: &Chapter, rules: &[Rule]) -> String {
    let own = || rules.iter().filter(|rule| rule.subject.as_deref() == Some(chapter.subject));
    let mut text =
        format!("## {}\n\n{}\n\n| rule | severity | finds |\n|---|---|---|\n", chapter.title, chapter.says);
    for Rule { name, severity, title, .. } in own() {
        writeln!(text, "| [{name}](#{name}) | {severity} | {} |", cell(title)).unwrap();
    }
    text.push('\n');
    text.extend(own().map(rule_section));
    text
}

/// docs/rules.md, whole.
fn rules_page() -> String {
    let rules = rule::builtin().unwrap();
    let shown = rules.iter().find(|rule| rule.name == "growing-table-scan").unwrap();
    let mut text = format!("{OPENING}\n{}\n{READING}\n", finding(shown));
    text.extend(CHAPTERS.iter().map(|one| chapter(one, &rules)));
    format!("{}\n", text.trim_end())
}

#[test]
fn each_rule_stands_in_a_chapter() {
    let is_known = |subject: &str| CHAPTERS.iter().any(|chapter| chapter.subject == subject);
    for rule in rule::builtin().unwrap() {
        let subject = rule.subject.unwrap_or_else(|| panic!("{}: its head has no `subject:`", rule.path));
        assert!(is_known(&subject), "{}: no chapter of docs/rules.md is of `{subject}`", rule.path);
    }
}

#[test]
fn the_page_of_rules_says_what_the_rules_say() {
    hold("docs/rules.md", &rules_page());
}

#[test]
fn explain_says_the_same_of_a_rule_as_the_page() {
    let page = rules_page();
    let request = CheckRequest { config: None, ..CheckRequest::new(root()) };
    for rule in rule::builtin().unwrap() {
        let section =
            page.split("\n### ").find(|section| section.lines().next() == Some(&rule.name)).unwrap();
        let said = explain(&request, &rule.name).unwrap();
        let ignore = rule.ignore.clone().unwrap_or_default();
        for part in [&rule.title, &rule.why, &rule.remedy, &ignore, &rule.severity.to_string()] {
            assert!(said.contains(part.as_str()), "explain {}: {part}", rule.name);
            assert!(section.contains(&prose(part)), "docs/rules.md, {}: {part}", rule.name);
        }
    }
}

fn kind(column: &Column) -> String {
    let null = if column.nullable { ", or NULL" } else { "" };
    match &column.references {
        Some(table) => format!("id of [{table}](#{table}){null}"),
        None if column.flag => format!("0 or 1{null}"),
        None => format!("{}{null}", column.kind),
    }
}

fn meaning(column: &Column) -> String {
    let word = |(word, says): &(String, String)| {
        if says.is_empty() { format!("`{word}`") } else { format!("`{word}` ({})", cell(says)) }
    };
    let words: Vec<String> = column.words.iter().map(word).collect();
    let between = if column.says.is_empty() || words.is_empty() { "" } else { ": " };
    format!("{}{between}{}", cell(&column.says), words.join(", "))
}

fn table_section(table: &Table) -> String {
    let mut text = format!(
        "#### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
        table.name,
        prose(&table.says)
    );
    for column in &table.columns {
        writeln!(text, "| `{}` | {} | {} |", column.name, kind(column), meaning(column)).unwrap();
    }
    text.push('\n');
    text
}

/// What a view returns, in words: where its first columns are all those of a table or view that it selects from, that
/// says it.
fn columns(view: &View, all: &[(String, Vec<String>)]) -> String {
    let own =
        all.iter().find(|(name, _)| *name == view.name).map_or(&[][..], |(_, columns)| columns.as_slice());
    let is_from = |name: &str| {
        let mut words = view.select.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        while let Some(word) = words.next() {
            if matches!(word, "FROM" | "JOIN") && words.next() == Some(name) {
                return true;
            }
        }
        false
    };
    let whole = all.iter().filter(|(name, columns)| {
        *name != view.name && columns.len() > 4 && own.starts_with(columns) && is_from(name)
    });
    let whole = whole.max_by_key(|(_, columns)| columns.len());
    let rest = own.get(whole.map_or(0, |(_, columns)| columns.len())..).unwrap_or_default();
    let names = rest.iter().map(|name| format!("`{name}`"));
    let whole = whole.map(|(name, _)| format!("all of [{name}](#{name})"));
    whole.into_iter().chain(names).collect::<Vec<_>>().join(", ")
}

/// The columns of every table and view, by its name.
fn relations() -> Vec<(String, Vec<String>)> {
    let facts = Facts::new().unwrap();
    facts.freeze().unwrap();
    let tables = tables::tables(SCHEMA).0.into_iter().flat_map(|group| group.members).map(|table| table.name);
    let views = tables::views(VOCABULARY).into_iter().flat_map(|group| group.members).map(|view| view.name);
    let read = |name: String| {
        let statement = facts.connection().prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns = statement.column_names().map(str::to_owned).collect();
        (name, columns)
    };
    tables.chain(views).map(read).collect()
}

fn view_section(view: &View, all: &[(String, Vec<String>)]) -> String {
    format!("#### {}\n\n{}\n\nColumns: {}.\n\n", view.name, prose(&view.says), columns(view, all))
}

/// docs/facts.md, whole.
fn facts_page() -> String {
    let mut text = "# Facts\n\nWhat a rule can ask: the tables that `planlint facts` writes and every rule selects from, and the views \
        that give\nrules their words. This page is written from the comments of src/facts/schema.sql and \
        src/facts/vocabulary.sql. How to\nmake a rule of them: [writing-rules.md](writing-rules.md).\n\n"
        .to_owned();
    writeln!(text, "## Tables\n\n{}\n", tables::opening(SCHEMA)).unwrap();
    for group in tables::tables(SCHEMA).0 {
        writeln!(text, "### Tables: {}\n", group.title).unwrap();
        text.extend(group.members.iter().map(table_section));
    }
    writeln!(text, "## Views\n\n{}\n", tables::opening(VOCABULARY)).unwrap();
    let all = relations();
    for group in tables::views(VOCABULARY) {
        writeln!(text, "### Views: {}\n", group.title).unwrap();
        text.extend(group.members.iter().map(|view| view_section(view, &all)));
    }
    format!("{}\n", text.trim_end())
}

#[test]
fn the_page_of_facts_says_what_the_schema_says() {
    hold("docs/facts.md", &facts_page());
}

/// Whether a name says all: an id, what is named after the table that it refers to, and what the conventions at the top
/// of the schema explain.
fn is_self_evident(column: &Column) -> bool {
    column.references.as_ref() == Some(&column.name)
        || ["id", "name", "schema", "table", "column"].contains(&column.name.as_str())
}

#[test]
fn every_table_column_and_view_says_what_it_is() {
    let (groups, mut faults) = tables::tables(SCHEMA);
    for table in groups.iter().flat_map(|group| &group.members) {
        if table.says.is_empty() {
            faults.push(format!("no comment in front of the table {}", table.name));
        }
        for column in &table.columns {
            if column.says.is_empty() && !is_self_evident(column) {
                faults.push(format!("no comment beside {}.{}", table.name, column.name));
            }
        }
    }
    let views = tables::views(VOCABULARY);
    let silent = views.iter().flat_map(|group| &group.members).filter(|view| view.says.is_empty());
    faults.extend(silent.map(|view| format!("no comment in front of the view {}", view.name)));
    let long = SCHEMA.lines().filter(|line| line.chars().count() > 120);
    faults.extend(long.map(|line| format!("too long for a reference: {line}")));
    assert!(faults.is_empty(), "\n    {}", faults.join("\n    "));
}

#[test]
fn no_table_column_or_view_is_missed() {
    let all = relations();
    let tables = tables::tables(SCHEMA).0.into_iter().flat_map(|group| group.members);
    for table in tables {
        let read: Vec<&String> = table.columns.iter().map(|column| &column.name).collect();
        let (_, found) = all.iter().find(|(name, _)| *name == table.name).unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), read, "{}", table.name);
    }
    let count = |text: &str, begin| text.matches(begin).count();
    assert_eq!(all.len(), count(SCHEMA, "\nCREATE TABLE ") + count(VOCABULARY, "\nCREATE VIEW "));
}

#[test]
fn the_hooks_run_for_every_language() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let files: Vec<&str> = hooks.lines().filter(|line| line.trim_start().starts_with("files:")).collect();
    assert_eq!(files.len(), 2);
    for extension in languages::ALL.iter().flat_map(|language| language.extensions) {
        assert!(
            files.iter().all(|line| line.split(['(', '|', ')']).any(|one| one == *extension)),
            "{extension}"
        );
    }
}

//! The page of a rule, `<rule>.md`: small programs that say themselves what is to be found in them. Knows the form of a
//! page; runs nothing, and knows no rule.
//!
//! A case is a heading of the second level and the blocks under it, each a file with its language and its path from the
//! root of the program. A comment `finds: <rule>` stands on a line that the finding covers; `finds: <rule> (note)`
//! where the severity is not the rule's own. A path behind a tag, `v1.0:src/db.rs`, is that of a file as a release had it; the
//! releases come in their order. What else stands on a page is for its reader.

use crate::{config::Severity, source::plain};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// What introduces an announcement, in the languages that are read.
const MARKS: [&str; 3] = ["-- finds: ", "// finds: ", "# finds: "];

/// A page, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The rule that it is about: the stem of its file.
    pub rule: String,
    /// Its file, as named in messages.
    pub path: String,
    /// Its text, for messages that point into it.
    pub text: String,
    /// Its cases, at least one, in their order.
    pub cases: Vec<Case>,
}

/// A small program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The heading.
    pub title: String,
    /// The line of the heading, from 1.
    pub line: u32,
    /// The files, at least one, in their order; no path is there twice.
    pub files: Vec<File>,
    /// What the files announce, in their order.
    pub announced: Vec<Announced>,
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// From the root of the program, with `/` between the parts.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The line of the page in front of its first, from 1.
    pub line: u32,
}

/// A rule, and a line of a file where it must find something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// The file.
    pub path: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The rule.
    pub rule: String,
    /// How bad the finding is; `None`: as the rule says.
    pub severity: Option<Severity>,
}

/// A page that can't be read, at a place.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{path}:{line}: {message}")]
pub struct PageError {
    /// The page, or a folder that can't be read.
    pub path: String,
    /// Its text; empty where it can't be read.
    pub text: String,
    /// The line in it, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Page {
    /// An error at a line of this page.
    pub fn error(&self, line: u32, message: impl Into<String>) -> PageError {
        error(&self.path, &self.text, (line, message.into()))
    }

    /// Whether a case announces the page's own rule.
    pub fn fires(&self, case: &Case) -> bool {
        case.announced.iter().any(|mark| mark.rule == self.rule)
    }
}

impl File {
    /// The release that had the file, and its path; `None` where it is one of today.
    pub fn release(&self) -> Option<(&str, &str)> {
        self.path.split_once(':')
    }
}

impl Case {
    /// The line of the page at which a line of one of its files stands; that of the heading for any other file.
    pub fn page_line(&self, path: &str, line: u32) -> u32 {
        self.files.iter().find(|file| file.path == path).map_or(self.line, |file| file.line + line)
    }
}

/// The pages of a folder, by name: each `.md` file in it but README.md. `display` is the folder as named in messages.
///
/// # Errors
/// Where the folder or a page can't be read, or a page is malformed.
pub fn load_pages(folder: &Path, display: &str) -> Result<Vec<Page>, PageError> {
    let failed = |path: &str, error: &io::Error| PageError {
        path: path.to_owned(),
        text: String::new(),
        line: 1,
        message: format!("it can't be read: {error}"),
    };
    let entries = fs::read_dir(folder).map_err(|error| failed(display, &error))?;
    let paths: Result<Vec<PathBuf>, io::Error> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|error| failed(display, &error))?;
    paths.retain(|path| path.extension().is_some_and(|it| it == "md") && !path.ends_with("README.md"));
    paths.sort();
    let read_one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let display = format!("{}/{name}", display.trim_end_matches('/'));
        let text = plain::read_text(path).map_err(|error| failed(&display, &error))?;
        read(&display, text)
    };
    paths.iter().map(read_one).collect()
}

/// Reads the text of a page.
///
/// # Errors
/// At the first line that is malformed.
pub fn read(path: &str, text: String) -> Result<Page, PageError> {
    let mut cases = Vec::new();
    let whole = read_cases(&text, &mut cases).and_then(|()| match cases.last() {
        None => Err((1, "there is no case: a heading `## …` begins one".to_owned())),
        Some(case) => not_empty(case),
    });
    whole.map_err(|fault| error(path, &text, fault))?;
    for case in &mut cases {
        case.announced = announced(case).map_err(|fault| error(path, &text, fault))?;
    }
    let rule = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Page { rule, path: path.to_owned(), text, cases })
}

/// What a file announces: line, rule and severity, as in [`Announced`].
///
/// # Errors
/// With the line of the first announcement that can't be understood.
pub fn marks(path: &str, text: &str) -> Result<Vec<Announced>, (u32, String)> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let names = MARKS.iter().find_map(|mark| line.split_once(mark)).map_or("", |(_, names)| names);
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let (rule, severity) = match name.split_once(" (") {
                None => (name, None),
                Some((rule, word)) => (rule, Some(severity(word).map_err(|message| (number, message))?)),
            };
            found.push(Announced { path: path.to_owned(), line: number, rule: rule.to_owned(), severity });
        }
    }
    Ok(found)
}

/// A line, from 1, and what is wrong there.
type Fault = (u32, String);

fn error(path: &str, text: &str, (line, message): Fault) -> PageError {
    PageError { path: path.to_owned(), text: text.to_owned(), line, message }
}

fn read_cases(text: &str, cases: &mut Vec<Case>) -> Result<(), Fault> {
    let mut open: Option<(&str, File)> = None;
    for (line, number) in text.lines().zip(1..) {
        if let Some((fence, mut file)) = open.take() {
            if line.trim_end() == fence {
                // A block opens only below a case.
                cases.last_mut().into_iter().for_each(|case| case.files.push(file.clone()));
            } else {
                file.text.push_str(line);
                file.text.push('\n');
                open = Some((fence, file));
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.last().map_or(Ok(()), not_empty)?;
            let title = title.trim().to_owned();
            cases.push(Case { title, line: number, files: Vec::new(), announced: Vec::new() });
        } else if line.starts_with("```") {
            open = Some(opening(line, number, cases.last()).map_err(|message| (number, message))?);
        }
    }
    match open {
        Some((fence, file)) => Err((file.line, format!("the block is not closed by a line of {fence}"))),
        None => Ok(()),
    }
}

/// The fence of a block, and its file without a text.
fn opening<'a>(line: &'a str, number: u32, case: Option<&Case>) -> Result<(&'a str, File), String> {
    let words = line.trim_start_matches('`');
    let fence = line.strip_suffix(words).unwrap_or(line);
    let case = case.ok_or("a block stands before the first case: a heading `## …` begins one")?;
    let name = words.split_once(' ').map_or("", |(_, name)| name.trim());
    if name.is_empty() {
        return Err(format!(
            "the block is no file: write its language and its path, as {fence}rust src/db.rs"
        ));
    }
    if name.split('/').any(|part| matches!(part, "" | "." | "..")) || name.contains('\\') {
        return Err(format!("`{name}` is no path from the root of a program, such as src/db.rs"));
    }
    if case.files.iter().any(|file| file.path == name) {
        return Err(format!("`{name}` is there twice in this case"));
    }
    Ok((fence, File { path: name.to_owned(), text: String::new(), line: number }))
}

fn not_empty(case: &Case) -> Result<(), Fault> {
    if case.files.is_empty() {
        return Err((
            case.line,
            "the case has no file: a block with a language and a path is one".to_owned(),
        ));
    }
    Ok(())
}

fn announced(case: &Case) -> Result<Vec<Announced>, Fault> {
    let mut all = Vec::new();
    for file in &case.files {
        let found = marks(&file.path, &file.text);
        all.extend(found.map_err(|(line, message)| (file.line + line, message))?);
    }
    Ok(all)
}

/// The severity in `note)`, where what comes before it is cut off.
fn severity(word: &str) -> Result<Severity, String> {
    let word = word.strip_suffix(')').unwrap_or(word);
    super::head::severity(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# a-rule\n\nProse.\n\n## It fires\n\n```sql m/1.sql\nCREATE TABLE t (a);\n```\n\n\
        Why.\n\n```rust src/a.rs\nlet a = 1;\nlet b = \"…\"; // finds: a-rule, b-rule (note)\n```\n\n\
        ## It is silent\n\n````md notes.md\n```\n````\n";

    fn fault(text: &str) -> String {
        read("lint/a-rule.md", text.to_owned()).unwrap_err().to_string()
    }

    #[test]
    fn a_page_is_cases_of_files_that_announce() {
        let page = read("lint/a-rule.md", PAGE.to_owned()).unwrap();
        assert_eq!(page.rule, "a-rule");
        let [fires, silent] = page.cases.as_slice() else { panic!("{page:?}") };
        assert_eq!((fires.title.as_str(), fires.line, fires.files.len()), ("It fires", 5, 2));
        assert_eq!(fires.files[0].text, "CREATE TABLE t (a);\n");
        let marks: Vec<_> =
            fires.announced.iter().map(|mark| (mark.line, mark.rule.as_str(), mark.severity)).collect();
        assert_eq!(marks, [(2, "a-rule", None), (2, "b-rule", Some(Severity::Note))]);
        assert_eq!(fires.page_line("src/a.rs", 2), 15);
        assert_eq!(silent.files[0].text, "```\n");
        assert!(page.fires(fires) && !page.fires(silent));
    }

    #[test]
    fn what_is_malformed_has_its_line() {
        for (from, to, said) in [
            ("Prose.", "```sql a.sql", "lint/a-rule.md:3: a block stands before the first case"),
            ("```sql m/1.sql", "```sql", "lint/a-rule.md:7: the block is no file"),
            ("```sql m/1.sql", "```sql ../1.sql", "lint/a-rule.md:7: `../1.sql` is no path from the root"),
            ("```sql m/1.sql", "```sql /1.sql", "lint/a-rule.md:7: `/1.sql` is no path from the root"),
            ("```rust src/a.rs", "```sql m/1.sql", "lint/a-rule.md:13: `m/1.sql` is there twice"),
            ("(note)", "(grave)", "lint/a-rule.md:15: `grave` is no severity"),
            ("## It is", "## None\n\n## It is", "lint/a-rule.md:18: the case has no file"),
            ("\n````\n", "\n", "lint/a-rule.md:20: the block is not closed by a line of ````"),
        ] {
            let found = fault(&PAGE.replacen(from, to, 1));
            assert!(found.starts_with(said), "{from} → {to}\n    {found}");
        }
        assert!(fault("# a-rule\n").starts_with("lint/a-rule.md:1: there is no case"));
        assert!(fault("## A\n").starts_with("lint/a-rule.md:1: the case has no file"));
    }
}

//! Reads the comments of `src/facts/schema.sql` and `src/facts/vocabulary.sql`: what each table, column, word and view
//! says. Knows how the two files are written; knows no Markdown.
//!
//! A comment in front of a table or view is its own. One on the first line of a column is the column's; one beside a
//! word on a line below is the word's. A line that is all comment continues the one above it.

/// A stretch of a file, under a line of dashes with a title.
#[derive(Debug, Default)]
pub struct Group<T> {
    pub title: String,
    pub members: Vec<T>,
}

#[derive(Debug, Default)]
pub struct Table {
    pub name: String,
    pub says: String,
    pub columns: Vec<Column>,
}

#[derive(Debug, Default)]
pub struct Column {
    pub name: String,
    pub kind: String,
    pub nullable: bool,
    pub flag: bool,
    pub says: String,
    pub references: Option<String>,
    /// The words that it may hold, with what is said of each.
    pub words: Vec<(String, String)>,
}

#[derive(Debug, Default)]
pub struct View {
    pub name: String,
    pub says: String,
    pub select: String,
}

/// Comments that belong nowhere, by line.
pub type Faults = Vec<String>;

/// The comment that a file opens with, as Markdown, its first line aside.
pub fn opening(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("--"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n")
}

/// The title in a line of dashes.
fn title(line: &str) -> Option<&str> {
    let title = line.strip_prefix("-- ----")?.trim_start_matches('-').trim();
    (!title.is_empty()).then_some(title)
}

pub fn views(text: &str) -> Vec<Group<View>> {
    let mut groups: Vec<Group<View>> = Vec::new();
    let mut says = String::new();
    let mut open: Option<View> = None;
    for line in text.lines() {
        if let Some(mut view) = open.take() {
            join(&mut view.select, line);
            if line.ends_with(';') {
                groups.last_mut().expect("a view stands in a group").members.push(view);
            } else {
                open = Some(view);
            }
        } else if let Some(title) = title(line) {
            groups.push(Group { title: title.to_owned(), members: Vec::new() });
            says.clear();
        } else if let Some(comment) = line.strip_prefix("--") {
            join(&mut says, comment);
        } else if let Some(name) = line.strip_prefix("CREATE VIEW ").and_then(|it| it.strip_suffix(" AS")) {
            open =
                Some(View { name: name.to_owned(), says: std::mem::take(&mut says), select: String::new() });
        } else {
            says.clear();
        }
    }
    groups
}

pub fn tables(text: &str) -> (Vec<Group<Table>>, Faults) {
    let mut groups: Vec<Group<Table>> = Vec::new();
    let mut faults = Vec::new();
    let mut says = String::new();
    let mut body: Option<Body> = None;
    for (line, number) in text.lines().zip(1..) {
        if let Some(open) = &mut body {
            if line.starts_with(')') {
                let members = &mut groups.last_mut().expect("a table stands in a group").members;
                members.extend(body.take().map(|body| body.table));
            } else if let Err(fault) = open.line(line) {
                faults.push(format!("src/facts/schema.sql:{number}: {fault}"));
            }
        } else if let Some(title) = title(line) {
            groups.push(Group { title: title.to_owned(), members: Vec::new() });
            says.clear();
        } else if let Some(comment) = line.strip_prefix("--") {
            join(&mut says, comment);
        } else if let Some(name) = line.strip_prefix("CREATE TABLE ").and_then(|it| it.strip_suffix(" (")) {
            let table = Table { name: unquoted(name), says: std::mem::take(&mut says), columns: Vec::new() };
            body = Some(Body { table, ..Body::default() });
        } else {
            says.clear();
        }
    }
    (groups, faults)
}

/// The columns of a table, while they are read.
#[derive(Default)]
struct Body {
    table: Table,
    /// Whether a definition goes on.
    inside: bool,
    /// Whether that is a constraint of the table, and no column.
    constraint: bool,
    depth: usize,
    checks: bool,
    /// Whether the last comment was that of the last word.
    of_word: bool,
}

impl Body {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (code, comment) = line.split_once("--").map_or((line, None), |(code, text)| (code, Some(text)));
        let code = code.trim();
        let begins = !code.is_empty() && !self.inside;
        if begins {
            self.begin(code);
        }
        let words = self.words(code);
        if !code.is_empty() {
            self.of_word = false;
        }
        let ends = code.ends_with(',') && self.depth == 0;
        self.inside = !(ends || code.is_empty() && !self.inside);
        let (Some(comment), Some(column)) = (comment, self.table.columns.last_mut()) else { return Ok(()) };
        if code.is_empty() || begins {
            let last = column.words.last_mut().filter(|_| self.of_word);
            join(last.map_or(&mut column.says, |(_, says)| says), comment);
        } else if words == 1 {
            let (_, says) = column.words.last_mut().expect("it was just read");
            join(says, comment);
            self.of_word = true;
        } else {
            return Err(format!("a comment stands beside {words} words, where it belongs to one"));
        }
        Ok(())
    }

    fn begin(&mut self, code: &str) {
        self.checks = false;
        self.constraint = code.starts_with("CHECK");
        if self.constraint {
            return;
        }
        let mut parts = code.split_whitespace();
        let name = unquoted(parts.next().unwrap_or_default());
        let kind = parts.next().unwrap_or_default().trim_end_matches(',').to_owned();
        let references = code
            .split_once("REFERENCES ")
            .map(|(_, rest)| unquoted(rest.split([' ', ',']).next().unwrap_or_default()));
        let nullable = !code.contains("NOT NULL") && !code.contains("PRIMARY KEY");
        let flag = code.contains("IN (0, 1)") || code.contains("= 0 OR ");
        self.table.columns.push(Column { name, kind, nullable, flag, references, ..Column::default() });
    }

    /// Reads the words that a line allows, and gives their number.
    fn words(&mut self, code: &str) -> usize {
        self.depth += code.matches('(').count();
        self.depth -= code.matches(')').count();
        let checked =
            if self.checks { code } else { code.split_once("CHECK (").map_or("", |(_, rest)| rest) };
        self.checks |= code.contains("CHECK (");
        if self.constraint {
            return 0;
        }
        let words: Vec<String> = checked.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
        let count = words.len();
        if let Some(column) = self.table.columns.last_mut() {
            column.words.extend(words.into_iter().map(|word| (word, String::new())));
        }
        count
    }
}

fn unquoted(name: &str) -> String {
    name.trim_matches('"').to_owned()
}

/// Adds a line of a comment to those before it.
fn join(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line.trim());
}

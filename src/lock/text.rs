//! The file: a header, and a block for each statement, with an empty line between them. Each line of a block says what it
//! is, so that a difference can be read without the lines around it.

use super::{Became, Entry, Growth, Home, Key, LockError};
use std::{collections::BTreeSet, fmt::Write as _};

/// The version of the format.
const VERSION: &str = "1";

const HEAD: &str = "\
# How SQLite runs each statement of this program, and how the cost grows with the tables.
# `planlint plans --write` writes it; after a conflict, write it anew.
version: ";

/// What stands in the place of a name where there is none.
const NONE: &str = "-";

/// The text of a lock. The order of the entries is that of their keys.
pub fn write(entries: &[Entry]) -> String {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key));
    let mut out = format!("{HEAD}{VERSION}\n");
    for entry in sorted {
        // Writing to a string never fails.
        let _ = block(&mut out, entry);
    }
    out
}

fn block(out: &mut String, entry: &Entry) -> std::fmt::Result {
    let Key { database, statement, schema } = &entry.key;
    writeln!(out, "\nstatement: {statement}\ndatabase: {database}")?;
    if let Some(schema) = schema {
        writeln!(out, "schema: {schema}")?;
    }
    for Home { path, function } in &entry.homes {
        let function = function.as_ref().map_or_else(String::new, |function| format!("::{function}"));
        writeln!(out, "in: {path}{function}")?;
    }
    if !entry.tables.is_empty() {
        writeln!(out, "tables: {}", entry.tables.join(", "))?;
    }
    match &entry.became {
        Became::Refused(words) => writeln!(out, "refused: {words}"),
        Became::Planned { growth, plan } => {
            if let Some(growth) = growth {
                writeln!(out, "growth: {}", growth.words())?;
            }
            writeln!(out, "plan:{}", if plan.is_empty() { " -" } else { "" })?;
            plan.iter().try_for_each(|step| writeln!(out, "  {step}"))
        }
    }
}

/// Reads the text of a lock; `path` is what messages call it.
///
/// # Errors
/// Where a line is none of a lock.
pub fn read(path: &str, text: &str) -> Result<Vec<Entry>, LockError> {
    let mut reader = Reader::default();
    let mut last = 1;
    for (line, written) in (1..).zip(text.lines()) {
        last = line;
        reader.line(written).map_err(|message| at(path, text, line, message))?;
    }
    reader.end().map_err(|message| at(path, text, last, message))?;
    if !reader.has_version {
        return Err(at(path, text, 1, "this is no lock of planlint: it has no version".to_owned()));
    }
    Ok(reader.entries)
}

fn at(path: &str, text: &str, line: u32, message: String) -> LockError {
    LockError::Line { path: path.to_owned(), text: text.to_owned(), line, message }
}

#[derive(Default)]
struct Reader {
    has_version: bool,
    entries: Vec<Entry>,
    known: BTreeSet<Key>,
    open: Option<Block>,
}

/// A block that is being read.
#[derive(Default)]
struct Block {
    statement: String,
    database: Option<String>,
    schema: Option<String>,
    homes: Vec<Home>,
    tables: Vec<String>,
    growth: Option<Growth>,
    plan: Option<Vec<String>>,
    refused: Option<String>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
            return Err("a conflict that was not resolved: write the lock anew".to_owned());
        }
        if line.trim().is_empty() {
            return self.end();
        }
        if let Some(step) = line.strip_prefix("  ") {
            let plan = self.open.as_mut().and_then(|block| block.plan.as_mut());
            plan.ok_or("a step without a `plan:` above it")?.push(step.to_owned());
            return Ok(());
        }
        if line.starts_with('#') {
            return Ok(());
        }
        let (key, value) = line.split_once(':').ok_or_else(|| format!("`{line}` is no line of a lock"))?;
        self.value(key, value.trim())
    }

    fn value(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "version" if value == VERSION => {
                self.has_version = true;
                return Ok(());
            }
            "version" => return Err(format!("this planlint reads version {VERSION}, and not {value}")),
            "statement" => {
                self.end()?;
                self.open = Some(Block { statement: value.to_owned(), ..Block::default() });
                return Ok(());
            }
            _ => {}
        }
        let block = self.open.as_mut().ok_or_else(|| format!("`{key}` without a `statement` above it"))?;
        block.value(key, value)
    }

    /// Ends the block that is open.
    fn end(&mut self) -> Result<(), String> {
        let Some(block) = self.open.take() else { return Ok(()) };
        let entry = block.entry()?;
        if !self.known.insert(entry.key.clone()) {
            return Err("this statement stands twice: write the lock anew".to_owned());
        }
        self.entries.push(entry);
        Ok(())
    }
}

impl Block {
    fn value(&mut self, key: &str, value: &str) -> Result<(), String> {
        let text = || Some(value.to_owned());
        match key {
            "database" => self.database = text(),
            "schema" => self.schema = text(),
            "in" => self.homes.push(match value.split_once("::") {
                Some((path, function)) => Home { path: path.to_owned(), function: Some(function.to_owned()) },
                None => Home { path: value.to_owned(), function: None },
            }),
            "tables" => self.tables = value.split(", ").map(str::to_owned).collect(),
            "growth" => {
                let growth = Growth::of(value);
                self.growth = Some(growth.ok_or_else(|| format!("`{value}` is no growth"))?);
            }
            "refused" => self.refused = text(),
            "plan" if value.is_empty() || value == NONE => self.plan = Some(Vec::new()),
            _ => return Err(format!("`{key}` is no word of a lock")),
        }
        Ok(())
    }

    fn entry(self) -> Result<Entry, String> {
        let database = self.database.ok_or("this statement has no `database`")?;
        let became = match (self.refused, self.plan) {
            (Some(words), None) => Became::Refused(words),
            (None, Some(plan)) => Became::Planned { growth: self.growth, plan },
            _ => return Err("this statement has neither one `plan` nor one `refused`".to_owned()),
        };
        let key = Key { database, statement: self.statement, schema: self.schema };
        Ok(Entry { key, homes: self.homes, tables: self.tables, became })
    }
}

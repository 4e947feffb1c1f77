//! `planlint.stats.toml`: how large the tables of a database are, and what ANALYZE says of its indexes, without a value of
//! any row. Reads its text and writes it; knows no schema and no database. docs/stats.md describes it.

use super::{ConfigError, error};
use crate::source::{Site, SourceId};
use serde::Deserialize;
use std::{collections::BTreeSet, fmt::Write as _, ops::Range};
use toml::Spanned;

/// The name of the file beside the configuration that is read without being named.
pub const STATISTICS_NAME: &str = "planlint.stats.toml";

/// What a database was found to be like, on a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileStatistics {
    /// The file it was read from, from the root of the tree; empty where it was read from a database.
    pub path: String,
    /// The text of that file.
    pub text: String,
    /// The day on which the database was looked at, as `YYYY-MM-DD`.
    pub date: String,
    /// The SQLite that wrote the database last; empty where it did not say.
    pub sqlite: String,
    /// Bytes of a page.
    pub page_size: u64,
    /// Pages of the database.
    pub pages: u64,
    /// The configuration says it, and nobody has looked at a database.
    pub is_declared: bool,
    /// The tables, in the order written.
    pub tables: Vec<TableStatistics>,
}

/// A table of that database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableStatistics {
    /// Its name.
    pub name: String,
    /// Where the file has it.
    pub span: Range<usize>,
    /// The same as a place of the tree; `None` where the file is no source of it.
    pub site: Option<Site>,
    /// Its rows.
    pub rows: u64,
    /// Half of the width of the bounds in which that lies; 0 where the rows were counted.
    pub error: u64,
    /// Bytes of its pages.
    pub bytes: u64,
    /// Bytes of an average row.
    pub row_bytes: u64,
    /// Its own numbers of `sqlite_stat1`, where it has a row there without an index.
    pub stat1: Option<String>,
    /// Its indexes.
    pub indexes: Vec<IndexStatistics>,
}

/// An index of that database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexStatistics {
    /// Its name.
    pub name: String,
    /// Its entries.
    pub entries: u64,
    /// Bytes of its pages.
    pub bytes: u64,
    /// Its numbers of `sqlite_stat1`.
    pub stat1: Option<String>,
    /// About how many different values its first column has, its first two, and so on, as `stat1` says.
    pub distinct: Vec<u64>,
    /// How many samples `sqlite_stat4` has of it.
    pub samples: u64,
    /// The most entries that share the first column of one of them, the first two, and so on.
    pub most: Vec<u64>,
}

impl TableStatistics {
    /// Its rows when it was analyzed: that of a partial index counts less.
    pub fn analyzed(&self) -> Option<u64> {
        let own = self.stat1.iter().chain(self.indexes.iter().filter_map(|index| index.stat1.as_ref()));
        own.filter_map(|numbers| numbers.split(' ').next()?.parse().ok()).max()
    }

    /// Whether its statistics say another number of rows than it has, by more than twice; `None` where it has none. Of few
    /// rows, a plan is as good as another.
    pub fn is_stale(&self) -> Option<bool> {
        let analyzed = self.analyzed()?;
        let (least, most) = (self.rows.saturating_sub(self.error), self.rows.saturating_add(self.error));
        Some(least > analyzed.max(100).saturating_mul(2) || most.max(100).saturating_mul(2) < analyzed)
    }
}

impl FileStatistics {
    /// Whether ANALYZE was run on that database.
    pub fn is_analyzed(&self) -> bool {
        self.tables.iter().any(|table| table.analyzed().is_some())
    }

    /// Gives each table its place in a source of the tree, which is the file itself.
    pub fn place(&mut self, source: SourceId) {
        for table in &mut self.tables {
            let (start, end) = (u32::try_from(table.span.start), u32::try_from(table.span.end));
            table.site = start.ok().zip(end.ok()).map(|(start, end)| Site { source, start, end });
        }
    }

    /// Reads the text of such a file; `path` is what to call it in messages.
    ///
    /// # Errors
    /// Where it is no TOML, or says what can't be.
    pub fn parse(path: &str, text: &str) -> Result<Self, ConfigError> {
        let file: File = toml::from_str(text).map_err(|error| error::from_toml(path, text, &error))?;
        let refuse = |span: Range<usize>, message: String, help: &str| {
            let (path, text, help) = (path.to_owned(), text.to_owned(), Some(help.to_owned()));
            Err(ConfigError::Invalid { path, text, span, message, help })
        };
        if *file.version.get_ref() != 1 {
            let message = format!("version {} of this file is not known", file.version.get_ref());
            return refuse(file.version.span(), message, "`planlint stats` writes version 1");
        }
        let mut names = BTreeSet::new();
        let mut tables = Vec::new();
        for table in file.table {
            let span = table.name.span();
            if !names.insert(table.name.get_ref().to_lowercase()) {
                let message = format!("a second table `{}`", table.name.get_ref());
                return refuse(span, message, "leave one of them");
            }
            let stats = table.stat1.iter().chain(table.index.iter().filter_map(|index| index.stat1.as_ref()));
            if let Some(wrong) =
                stats.into_iter().find(|one| numbers(one.get_ref()).as_ref() != Some(one.get_ref()))
            {
                let message = format!("`{}` is no row of sqlite_stat1", wrong.get_ref());
                return refuse(wrong.span(), message, "write it as ANALYZE does: `4000 10 1`");
            }
            tables.push(table.checked());
        }
        Ok(Self {
            path: path.to_owned(),
            text: text.to_owned(),
            date: file.date,
            sqlite: file.sqlite,
            page_size: file.page_size,
            pages: file.pages,
            is_declared: false,
            tables,
        })
    }

    /// The text of such a file.
    pub fn render(&self) -> String {
        let mut out = String::from(
            "# Sizes of a database and the numbers that ANALYZE left in it; no value of any row.\n\
             # Written by `planlint stats`; docs/stats.md says what each key means.\n",
        );
        // Writing to a string never fails.
        let _ = write!(out, "version = 1\ndate = {}\n", quoted(&self.date));
        if !self.sqlite.is_empty() {
            let _ = writeln!(out, "sqlite = {}", quoted(&self.sqlite));
        }
        let _ = write!(out, "page-size = {}\npages = {}\n", self.page_size, self.pages);
        for table in &self.tables {
            let _ = write!(out, "\n[[table]]\nname = {}\nrows = {}\n", quoted(&table.name), table.rows);
            if table.error > 0 {
                let _ = writeln!(out, "error = {}", table.error);
            }
            let _ = write!(out, "bytes = {}\nrow-bytes = {}\n", table.bytes, table.row_bytes);
            stat1(&mut out, table.stat1.as_ref());
            for index in &table.indexes {
                index.render(&mut out);
            }
        }
        out
    }
}

impl IndexStatistics {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "\n[[table.index]]\nname = {}\n", quoted(&self.name));
        let _ = write!(out, "entries = {}\nbytes = {}\n", self.entries, self.bytes);
        stat1(out, self.stat1.as_ref());
        if !self.distinct.is_empty() {
            let _ = writeln!(out, "distinct = {:?}", self.distinct);
        }
        if self.samples > 0 {
            let _ = write!(out, "samples = {}\nmost = {:?}\n", self.samples, self.most);
        }
    }
}

fn stat1(out: &mut String, stat1: Option<&String>) {
    if let Some(stat1) = stat1 {
        let _ = writeln!(out, "stat1 = {}", quoted(stat1));
    }
}

/// The numbers of a row of `sqlite_stat1`, and the words behind them that SQLite knows; `None` where it has no number. What
/// else stands there, somebody wrote, and nobody reads.
pub fn numbers(stat: &str) -> Option<String> {
    let is_number =
        |word: &str| !word.is_empty() && word.len() < 20 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = |word: &str| {
        matches!(word, "unordered" | "noskipscan") || word.strip_prefix("sz=").is_some_and(is_number)
    };
    let mut words: Vec<&str> = stat.split(' ').take_while(|word| is_number(word)).collect();
    if words.is_empty() {
        return None;
    }
    let numbers = words.len();
    words.extend(stat.split(' ').skip(numbers).filter(|word| is_known(word)));
    Some(words.join(" "))
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    version: Spanned<u64>,
    #[serde(default)]
    date: String,
    #[serde(default)]
    sqlite: String,
    #[serde(default)]
    page_size: u64,
    #[serde(default)]
    pages: u64,
    #[serde(default)]
    table: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    name: Spanned<String>,
    rows: u64,
    #[serde(default)]
    error: u64,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    row_bytes: u64,
    stat1: Option<Spanned<String>>,
    #[serde(default)]
    index: Vec<Index>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    name: String,
    #[serde(default)]
    entries: u64,
    #[serde(default)]
    bytes: u64,
    stat1: Option<Spanned<String>>,
    #[serde(default)]
    distinct: Vec<u64>,
    #[serde(default)]
    samples: u64,
    #[serde(default)]
    most: Vec<u64>,
}

impl Table {
    fn checked(self) -> TableStatistics {
        let index = |index: Index| IndexStatistics {
            name: index.name,
            entries: index.entries,
            bytes: index.bytes,
            stat1: index.stat1.map(Spanned::into_inner),
            distinct: index.distinct,
            samples: index.samples,
            most: index.most,
        };
        TableStatistics {
            span: self.name.span(),
            name: self.name.into_inner(),
            site: None,
            rows: self.rows,
            error: self.error,
            bytes: self.bytes,
            row_bytes: self.row_bytes,
            stat1: self.stat1.map(Spanned::into_inner),
            indexes: self.index.into_iter().map(index).collect(),
        }
    }
}

#[cfg(test)]
mod tests;

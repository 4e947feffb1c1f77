//! Statistics of a database in the field, given to the database of the program that it is: from then on its statements
//! are planned with them. Knows how the file is found; what is in it, `config` knows.

use super::Database;
use crate::{
    config::{Config, ConfigError, FileStatistics, LogFile, STATISTICS_NAME},
    schema::{
        Objects, SchemaError,
        file::{Stat, Statistics},
        same,
    },
    source::{Site, Source, SourceId, Sources, Tree, plain::MOST_BYTES},
};
use std::io::{self, ErrorKind};

/// Statistics that were read, and whose they are.
#[derive(Debug)]
pub struct Given {
    /// The database of the configuration that names the file; `None` where it lies beside the configuration, and may be
    /// of any.
    pub config: Option<usize>,
    /// What it says.
    pub statistics: FileStatistics,
    source: Option<SourceId>,
}

/// Reads the files of statistics: those that are named, else that of the usual name. They need not be part of a commit.
///
/// # Errors
/// One can't be read, or is wrong.
pub fn statistics(
    config: &Config,
    tree: &Tree,
    beside: Option<&Tree>,
    sources: &mut Sources,
) -> Result<Vec<Given>, ConfigError> {
    let read = |path: &str| {
        let bytes = match (tree.read(path, MOST_BYTES), beside) {
            (Err(error), Some(beside)) if error.kind() == ErrorKind::NotFound => {
                beside.read(path, MOST_BYTES)
            }
            (read, _) => read,
        }?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    };
    let named = config.databases.iter().enumerate();
    let named: Vec<(usize, &LogFile)> =
        named.filter_map(|(index, one)| Some((index, one.stats.as_ref()?))).collect();
    let mut given = Vec::new();
    for (index, file) in &named {
        let text = read(&file.path).map_err(|error| {
            let help = "name a file of this tree, which `planlint stats` has written";
            let message = format!("can't read `{}`: {error}", file.path);
            config.error(file.span.clone(), message, Some(help.to_owned()))
        })?;
        given.push(one(Some(*index), &file.path, text, sources)?);
    }
    if named.is_empty() {
        let text = match read(STATISTICS_NAME) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(ConfigError::Read { path: STATISTICS_NAME.to_owned(), source }),
        };
        if let Some(text) = text {
            given.push(one(None, STATISTICS_NAME, text, sources)?);
        }
    }
    Ok(given)
}

fn one(config: Option<usize>, path: &str, text: String, sources: &mut Sources) -> Result<Given, ConfigError> {
    let mut statistics = FileStatistics::parse(path, &text)?;
    let source = sources.find(path).map(|(id, _)| id);
    let source = source.unwrap_or_else(|| sources.add(Source::new(path, text)));
    statistics.place(source);
    Ok(Given { config, statistics, source: Some(source) })
}

/// Gives each database what is said of it, and has SQLite go by it. What may be of several is given to none, and that is
/// said.
///
/// # Errors
/// SQLite has no memory left.
pub fn settle(databases: &mut [Database], given: Vec<Given>) -> Result<(), SchemaError> {
    let number = databases.len();
    for one in given {
        let is_its = |database: &Database| match one.config {
            Some(_) => database.declaration.config == one.config,
            None => number == 1,
        };
        if let Some(database) = databases.iter_mut().find(|database| is_its(database)) {
            database.take_statistics(one.statistics)?;
            continue;
        }
        let site = one.source.map(|source| Site { source, start: 0, end: 0 });
        let sentence = format!(
            "this file of statistics is not used: there are {number} databases, and nothing says of which it is; name it under `stats`"
        );
        if let (Some(first), Some(site)) = (databases.first_mut(), site) {
            first.declaration.guesses.push((site, sentence));
        }
    }
    Ok(())
}

impl Database {
    /// Takes the statistics of a database in the field.
    ///
    /// # Errors
    /// SQLite has no memory left.
    pub fn take_statistics(&mut self, statistics: FileStatistics) -> Result<(), SchemaError> {
        self.variant.live.put_statistics(&Statistics::of(&stats(&statistics, &self.variant.objects)))?;
        self.statistics = Some(statistics);
        Ok(())
    }

    /// The rows of `sqlite_stat1` that its statements are planned with.
    pub fn stats(&self) -> Vec<Stat> {
        let of = |statistics| stats(statistics, &self.variant.objects);
        self.statistics.as_ref().map(of).unwrap_or_default()
    }

    /// Whether those that it has come from ANALYZE.
    pub fn is_analyzed(&self) -> bool {
        self.statistics.as_ref().is_some_and(FileStatistics::is_analyzed)
    }
}

/// The rows of `sqlite_stat1` on a schema. What is not there has none.
pub fn stats(statistics: &FileStatistics, objects: &Objects) -> Vec<Stat> {
    let mut all = Vec::new();
    for own in &statistics.tables {
        let Some(table) = objects.table("main", &own.name) else { continue };
        let mut push = |index: Option<&str>, text: Option<&String>| {
            let stat = |text: &String| Stat {
                table: table.name.clone(),
                index: index.map(str::to_owned),
                text: text.clone(),
            };
            all.extend(text.map(stat));
        };
        // That of a primary key without rowids has the name of its table, and says more than the rows.
        let is_key = |stat: &String| table.without_rowid && stat.contains(' ');
        let key = own.stat1.as_ref().filter(|stat| is_key(stat)).map(|_| table.name.as_str());
        push(key, own.stat1.as_ref());
        for index in objects.indexes_of("main", &table.name) {
            let named = own.indexes.iter().find(|one| same(&one.name, &index.name));
            push(Some(&index.name), named.and_then(|one| one.stat1.as_ref()));
        }
    }
    all
}

//! A `planlint.toml` of what a run found, for `planlint init`: databases with what makes them, tables that grow, and the
//! rest as comments. How much of a database is said outright is decided elsewhere; what is only assumed is a comment.

use super::diagnose::place;
use crate::{
    facts::gather::Program,
    growth::size::{Class, TableSize},
    migration::{Runs, Step},
    shell::on_one_line,
    source::Site,
    workload::Database,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How much of a database is said outright; the rest of it stands in comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// What makes its schema, and which tables grow.
    All,
    /// Its name, and which tables grow.
    Sizes,
    /// Its name.
    Name,
    /// Nothing.
    Nothing,
}

impl Said {
    /// What is said where this is too much.
    #[must_use]
    pub fn less(self) -> Self {
        match self {
            Self::All => Self::Sizes,
            Self::Sizes => Self::Name,
            Self::Name | Self::Nothing => Self::Nothing,
        }
    }

    fn has_sizes(self) -> bool {
        matches!(self, Self::All | Self::Sizes)
    }
}

/// What was found, ready to be written.
#[derive(Debug, Default)]
pub struct Draft {
    databases: Vec<Entry>,
    percent: Option<u32>,
}

/// A database.
#[derive(Debug, Default)]
struct Entry {
    name: String,
    counts: String,
    /// What makes its schema: the key, and the sources with what is said of each.
    sources: Vec<(&'static str, Vec<(String, String)>)>,
    /// Whether the sources can be said so that they mean the same.
    is_plain: bool,
    growing: Vec<(String, String)>,
    small: Vec<(String, u64, String)>,
    guesses: Vec<String>,
}

impl Draft {
    /// What is known of a program.
    pub fn of(program: &Program<'_>) -> Self {
        let entry = |(index, database)| entry(program, index, database);
        // In the order in which they were found: it decides between several that a statement may belong to.
        let databases = program.databases.iter().enumerate().map(entry).collect();
        Self { databases, percent: super::coverage::coverage(program).whole().percent() }
    }

    /// The most that can be said of each database, by its name.
    pub fn most(&self) -> BTreeMap<String, Said> {
        let said = |one: &Entry| if one.is_plain { Said::All } else { Said::Sizes };
        self.databases.iter().map(|one| (one.name.clone(), said(one))).collect()
    }

    /// The file.
    pub fn text(&self, said: &BTreeMap<String, Said>) -> String {
        let mut out = String::from(
            "# What planlint found in this tree: written by `planlint init`, to be read and changed. It finds the same without\n\
             # this file; what it only assumes, and what is the default, stands in comments. docs/config.md has every key.\n\n\
             # fail-on = \"warning\"                   # note, warning or error: from here on a finding fails the run\n",
        );
        if let Some(percent) = self.percent {
            let key = format!("# min-coverage = {percent}");
            let _ = writeln!(out, "{key:40}# percent of the statements that can be judged, as it is today");
        }
        out.push_str("# workload = [\"log/development.log\"]     # statements logged at run time, of ORMs and query builders\n");
        for one in &self.databases {
            let level = said.get(&one.name).copied().unwrap_or(Said::Nothing);
            out.push('\n');
            one.write(&mut out, level);
        }
        out
    }
}

impl Entry {
    fn write(&self, out: &mut String, said: Said) {
        // Writing to a string never fails.
        let mark = if said == Said::Nothing { "# " } else { "" };
        let _ = writeln!(out, "{mark}[[database]]\n{mark}name = {}", quoted(&self.name));
        let _ = writeln!(out, "# {}", self.counts);
        let mark = if said == Said::All { "" } else { "# " };
        if said != Said::All {
            let _ = writeln!(
                out,
                "# Made as follows, in this order; said by keys, it would not mean quite the same:"
            );
        }
        for (key, sources) in self.sources.iter().filter(|(_, sources)| !sources.is_empty()) {
            list(out, mark, key, sources.iter().map(|(source, of)| (source.as_str(), of.as_str())));
        }
        for guess in &self.guesses {
            let _ = writeln!(out, "# guessed: {}", on_one_line(guess));
        }
        if !self.growing.is_empty() {
            let mark = if said.has_sizes() { "" } else { "# " };
            list(
                out,
                mark,
                "growing",
                self.growing.iter().map(|(table, why)| (table.as_str(), why.as_str())),
            );
        }
        if !self.small.is_empty() {
            let _ = writeln!(
                out,
                "# These seem to stay small. Named here they count as small whatever the program does:"
            );
            let _ = writeln!(out, "# [database.bounded]");
            for (table, rows, why) in &self.small {
                let _ = writeln!(out, "# {} = {rows:<4}  # {}", quoted(table), on_one_line(why));
            }
        }
    }
}

/// A key with a list, an element a line, each with a comment.
fn list<'a>(out: &mut String, mark: &str, key: &str, elements: impl Iterator<Item = (&'a str, &'a str)>) {
    let _ = writeln!(out, "{mark}{key} = [");
    for (element, comment) in elements {
        let element = format!("{},", quoted(element));
        let comment =
            if comment.is_empty() { String::new() } else { format!("  # {}", on_one_line(comment)) };
        let _ = writeln!(out, "{mark}    {element}{comment}");
    }
    let _ = writeln!(out, "{mark}]");
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            _ if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

fn entry(program: &Program<'_>, index: usize, database: &Database) -> Entry {
    let declaration = &database.declaration;
    let objects = &database.variant.objects;
    let (sources, is_plain) = sources(program, database);
    let mut entry = Entry {
        name: declaration.name.clone(),
        counts: format!(
            "tables: {}, indexes: {}, steps: {}",
            objects.tables.len(),
            objects.indexes.len(),
            declaration.steps.len()
        ),
        sources,
        is_plain,
        ..Entry::default()
    };
    let guess = |site, text: &str| match place(program.sources, site) {
        Some(place) => format!("{} {text}", place.short()),
        None => text.to_owned(),
    };
    entry.guesses = declaration.guesses.iter().map(|(site, text)| guess(*site, text)).collect();
    let mut seen = BTreeSet::new();
    for size in program.sizes.iter().filter(|size| size.database == index) {
        if !seen.insert(size.table.to_lowercase()) {
            continue;
        }
        let why = evidence(program, size);
        match (size.class, size.bound) {
            (Class::Growing | Class::Churning, _) => entry.growing.push((size.table.clone(), why)),
            (Class::Single | Class::Bounded, Some(bound)) => {
                entry.small.push((size.table.clone(), bound, why));
            }
            _ => {}
        }
    }
    entry
}

fn evidence(program: &Program<'_>, size: &TableSize) -> String {
    /// More would tell nothing new.
    const MOST: usize = 2;
    let all =
        size.evidence.iter().map(|(site, text)| match site.and_then(|site| place(program.sources, site)) {
            Some(place) => format!("{text} ({})", place.short()),
            None => text.clone(),
        });
    all.take(MOST).collect::<Vec<_>>().join("; ")
}

/// A key of the configuration, and sources with what is said of each.
type Key = (&'static str, Vec<(String, String)>);

/// What makes a database, by the key that says it, and whether these keys can say it: each source has one, and none runs at
/// two times.
fn sources(program: &Program<'_>, database: &Database) -> (Vec<Key>, bool) {
    let declaration = &database.declaration;
    let places: Vec<&str> = declaration.places.iter().map(|place| whole_file(place)).collect();
    let (known, unknown): (Vec<&str>, Vec<&str>) =
        places.iter().partition(|place| is_declared(program, place));
    // A list holds constants of other files, which are steps under its name.
    let is_listed =
        |place: &&str| known.iter().any(|other| name_of(other).is_some() && name_of(other) == name_of(place));
    let places: Vec<&str> =
        places.into_iter().filter(|place| !unknown.contains(place) || !is_listed(place)).collect();
    let home = |step: &Step| {
        let literal = program.extraction.literals.get(step.literal);
        let own = literal.map_or("", |literal| program.sources.path(literal.site.source));
        let of_list = || places.iter().find(|place| name_of(place) == Some(step.name.as_str()));
        let is_own = places.iter().any(|source| is_of(source, own, &step.name));
        let list = if is_own { None } else { of_list() };
        list.and_then(|place| Some(place.split_once("::")?.0)).unwrap_or(own).to_owned()
    };
    let mut is_plain = true;
    let mut keys: [Key; 3] = [("migrations", Vec::new()), ("create", Vec::new()), ("open", Vec::new())];
    // What a new database starts from is the first of its migrations, where nothing stands in their place.
    let has_migrations =
        declaration.create.is_empty() && declaration.steps.iter().any(|step| step.runs == Runs::Migration);
    for source in &places {
        let own = |step: &&Step| is_of(source, &home(step), &step.name);
        let steps: Vec<&Step> = declaration.steps.iter().filter(own).collect();
        let creates: Vec<&Step> = declaration.create.iter().filter(own).collect();
        let mut runs: Vec<Runs> = steps.iter().map(|step| step.runs).collect();
        runs.dedup();
        is_plain &= runs.len() == 1 || (runs.is_empty() && !creates.is_empty());
        let key = match runs.first() {
            Some(Runs::Create) if has_migrations => 0,
            Some(Runs::Migration) => 0,
            Some(Runs::Open) => 2,
            Some(Runs::Create) | None => 1,
        };
        let all: Vec<&str> = steps.iter().chain(&creates).map(|step| last_part(&step.name)).collect();
        let of = match all.as_slice() {
            [first, .., last] if source.contains('*') => format!("{} files, {first} to {last}", all.len()),
            _ => String::new(),
        };
        if let Some((_, sources)) = keys.get_mut(key) {
            sources.push(((*source).to_owned(), of));
        }
    }
    let covered = |step: &Step| places.iter().any(|source| is_of(source, &home(step), &step.name));
    is_plain &= declaration.steps.iter().chain(&declaration.create).all(covered);
    for (_, sources) in &mut keys {
        *sources = folded(program, sources);
    }
    (keys.into_iter().collect(), is_plain)
}

/// `a.rs::SCHEMA_1` and `a.rs::SCHEMA_2` as `a.rs::SCHEMA_*`, which has the next one too, where these are all of that name.
fn folded(program: &Program<'_>, sources: &[(String, String)]) -> Vec<(String, String)> {
    let stem = |source: &str| {
        let stem = source.trim_end_matches(|one: char| one.is_ascii_digit());
        (stem.len() < source.len() && stem.contains("::")).then(|| stem.to_owned())
    };
    let extraction = program.extraction;
    let names = |stem: &str| {
        let (path, start) = stem.split_once("::").unwrap_or(("", ""));
        let all = extraction.constants.iter();
        all.filter(|one| one.name.starts_with(start) && program.sources.path(one.site.source) == path).count()
    };
    let mut all: Vec<(String, String)> = Vec::new();
    let mut rest = sources;
    while let Some((source, of)) = rest.first() {
        let own = stem(source);
        let length = rest.iter().take_while(|(other, _)| own.is_some() && stem(other) == own).count();
        let pattern = own.filter(|stem| length > 1 && names(stem) == length);
        let taken = if pattern.is_some() { length } else { 1 };
        let single = || (source.clone(), of.clone());
        all.push(pattern.map_or_else(single, |stem| (format!("{stem}*"), format!("{length} of them"))));
        rest = rest.get(taken..).unwrap_or(&[]);
    }
    all
}

/// Whether a place names a constant or a function of its file; true of files.
fn is_declared(program: &Program<'_>, place: &str) -> bool {
    let Some((path, name)) = place.split_once("::") else { return true };
    let extraction = program.extraction;
    let is_there = |own: &str, site: Site| own == name && program.sources.path(site.source) == path;
    extraction.constants.iter().any(|one| is_there(&one.name, one.site))
        || extraction.functions.iter().any(|one| is_there(&one.name, one.site))
}

fn name_of(place: &str) -> Option<&str> {
    place.split_once("::").map(|(_, name)| name)
}

/// A place without the name of its step, where that is the file itself.
fn whole_file(place: &str) -> &str {
    place.split_once("::").filter(|(path, name)| path == name).map_or(place, |(path, _)| path)
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a step of this file and name is one that a source names.
fn is_of(source: &str, home: &str, name: &str) -> bool {
    match source.split_once("::") {
        Some((path, constant)) => path == home && constant == name,
        None => match source.strip_suffix("/*.sql") {
            Some(folder) => home.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
            None => source == home || (source == "*.sql" && !home.contains('/')),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_toml_whatever_names_are_in_it() {
        let entry = Entry {
            name: "a \"b\"\n\\c".to_owned(),
            counts: "tables: 1".to_owned(),
            sources: vec![("migrations", vec![("db/*.sql".to_owned(), "2 files".to_owned())])],
            is_plain: true,
            growing: vec![("t\u{7}".to_owned(), "inserted\nhere".to_owned())],
            small: vec![("odd \"one\"".to_owned(), 8, "why".to_owned())],
            guesses: vec!["x\ny".to_owned()],
        };
        let draft = Draft { databases: vec![entry], percent: Some(97) };
        let mut said = draft.most();
        loop {
            let text = draft.text(&said);
            let config = crate::config::parse("planlint.toml", &text).unwrap();
            let level = *said.values().next().unwrap();
            assert_eq!(config.databases.len(), usize::from(level != Said::Nothing), "{text}");
            if level == Said::All {
                assert_eq!(config.databases[0].name, "a \"b\"\n\\c");
                assert!(config.databases[0].growing.matches("t\u{7}"));
            }
            if level == Said::Nothing {
                break;
            }
            for level in said.values_mut() {
                *level = level.less();
            }
        }
        let all = draft.text(&said);
        let commented = all.lines().skip_while(|line| *line != "# [[database]]");
        let uncommented: String =
            commented.map(|line| line.trim_start_matches("# ").to_owned() + "\n").collect();
        let without = |line: &&str| {
            !line.starts_with("guessed:")
                && !line.starts_with("Made as")
                && !line.starts_with("tables:")
                && !line.starts_with("These")
        };
        let text: String = uncommented.lines().filter(without).map(|line| line.to_owned() + "\n").collect();
        assert!(crate::config::parse("planlint.toml", &text).is_ok(), "{text}");
    }

    #[test]
    fn a_step_belongs_to_the_source_that_names_it() {
        assert!(is_of("db/*.sql", "db/1.sql", "db/1.sql") && !is_of("db/*.sql", "dbs/1.sql", "dbs/1.sql"));
        assert!(is_of("a.rs::SCHEMA", "a.rs", "SCHEMA") && !is_of("a.rs::SCHEMA", "a.rs", "OTHER"));
        assert!(is_of("x.sql", "x.sql", "x.sql"));
    }
}

//! What earlier releases declared of today's databases: the files that declare them today, as they were at each tag.
//! Files that have moved are found by their names, declarations that have moved by theirs. Knows no schema.

mod moved;
mod named;
mod read;
mod traced;

use super::{Declaration, Step, configured, created, documents, guess, runs};
use crate::{
    config::{Config, Globs, SourceKind},
    extract::{self, Extraction},
    source::{
        GitError, Source, Sources,
        history::{Content, History, Tag},
    },
};
use read::Files;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, hash_map::Entry},
    panic,
    sync::{Arc, mpsc},
    thread,
};
use traced::Declaring;

/// What releases declared of one database, equal declarations once.
#[derive(Debug, Clone)]
pub struct Released {
    /// The database, by its place among today's declarations.
    pub database: usize,
    /// The releases, by their place among all; at least one.
    pub releases: Vec<usize>,
    /// What they declared.
    pub declaration: Declaration,
}

/// The releases of a program, and what they declared.
#[derive(Debug, Clone, Default)]
pub struct Releases {
    /// The tags, from the oldest.
    pub names: Vec<String>,
    /// Whether the clone lacks a part of its history, and so perhaps tags.
    pub is_shallow: bool,
    /// Why nothing is known of them.
    pub unknown: Option<String>,
    /// What they declared.
    pub released: Vec<Released>,
    /// For each database that has releases, those in which nothing declares it.
    pub without: Vec<(usize, Vec<usize>)>,
    /// The releases, by database, some file of which is not in this clone.
    pub unread: Vec<(usize, Vec<usize>)>,
}

/// Reads what the releases of a program declared of its databases.
///
/// # Errors
/// Where git fails.
pub fn releases(
    config: &Config,
    history: &dyn History,
    sources: &Sources,
    extraction: &Extraction,
    declarations: &[Declaration],
) -> Result<Releases, GitError> {
    let tags = history.tags()?;
    let wanted: Vec<Vec<usize>> = declarations.iter().map(|one| wanted(config, one, &tags)).collect();
    let named: BTreeSet<usize> = wanted.iter().flatten().copied().collect();
    // Numbers of releases count those alone that somebody asks for.
    let number: HashMap<usize, usize> = named.iter().enumerate().map(|(to, &from)| (from, to)).collect();
    let tags: Vec<&Tag> = named.iter().filter_map(|&tag| tags.get(tag)).collect();
    let mut found = Releases {
        names: tags.iter().map(|tag| tag.name.clone()).collect(),
        is_shallow: history.is_shallow()?,
        ..Releases::default()
    };
    let own: Vec<Vec<usize>> = wanted
        .iter()
        .map(|wanted| wanted.iter().filter_map(|tag| number.get(tag)).copied().collect())
        .collect();
    let declaring = &Declaring { sources, extraction, declarations };
    let files = declaring.files(history, &tags)?;
    let now = Now::new(sources, extraction, &files);
    let tables: Vec<BTreeSet<String>> = declarations.iter().map(tables).collect();
    let then = Then { config, declarations, tables: &tables };
    let (sender, receiver) = mpsc::channel();
    let (tags, own, files) = (&tags, &own, &files);
    // While the files of one database are looked for, those of others are read.
    let (read, unread) = thread::scope(|scope| {
        let traced = scope.spawn(move || declaring.trace(history, (tags, own), files, &sender));
        let read = read::each(history, receiver, extract::code_number, |database, files| {
            let unchanged = declarations.get(database).and_then(|today| now.unchanged(today, files));
            unchanged.unwrap_or_else(|| then.declared(database, files))
        });
        (read, traced.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    });
    found.unread = unread?;
    let mut known = Known::new();
    for (database, own, read) in read? {
        found.add((database, &own), read, &mut known);
    }
    found.sort();
    Ok(found)
}

/// The files of a database at a tag that are there, by the path that they have today.
type State = Vec<(String, Content)>;

/// The declaring files as they are today.
struct Now<'a> {
    extraction: &'a Extraction,
    sources: &'a Sources,
    texts: HashMap<&'a str, &'a str>,
}

impl<'a> Now<'a> {
    fn new(sources: &'a Sources, extraction: &'a Extraction, files: &[Vec<String>]) -> Self {
        let wanted: HashSet<&str> = files.iter().flatten().map(String::as_str).collect();
        let own = sources.as_slice().iter().filter(|source| wanted.contains(source.path.as_str()));
        let texts = own.map(|source| (source.path.as_str(), source.text())).collect();
        Self { extraction, sources, texts }
    }

    /// What a release declared whose files are those of today, as far as they were written: today's steps in them.
    fn unchanged(&self, today: &Declaration, files: &Files) -> Option<Read> {
        let is_same = |(path, text): &(String, Option<Arc<String>>)| {
            text.as_ref().is_some_and(|text| self.texts.get(path.as_str()) == Some(&text.as_str()))
        };
        if files.is_empty() || !files.iter().all(is_same) {
            return None;
        }
        let there: HashSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let mut then = today.clone();
        let was_there = |step: &Step| {
            let literal = self.extraction.literals.get(step.literal);
            literal.is_some_and(|literal| there.contains(self.sources.path(literal.site.source)))
        };
        then.steps.retain(was_there);
        then.create.retain(was_there);
        (!then.steps.is_empty()).then(|| Read::Declared(Box::new(then)))
    }
}

/// Where equal declarations are in a list.
type Known = HashMap<(usize, Vec<(String, String)>), usize>;

/// What a state of the files declares.
enum Read {
    Declared(Box<Declaration>),
    Nothing,
    /// Some content is not in this clone.
    Missing,
}

impl Releases {
    /// Adds what some releases declared. `known`: by the names and texts of the steps, where it is in the list.
    fn add(&mut self, (database, own): (usize, &[usize]), read: Read, known: &mut Known) {
        let declaration = match read {
            Read::Declared(declaration) => declaration,
            Read::Nothing => return self.without.push((database, own.to_vec())),
            Read::Missing => return self.unread.push((database, own.to_vec())),
        };
        let steps = declaration.steps.iter().chain(&declaration.create);
        let texts: Vec<(String, String)> = steps.map(|step| (step.name.clone(), step.key.clone())).collect();
        match known.entry((database, texts)) {
            Entry::Occupied(entry) => {
                if let Some(one) = self.released.get_mut(*entry.get()) {
                    one.releases.extend(own);
                }
            }
            Entry::Vacant(entry) => {
                entry.insert(self.released.len());
                let releases = own.to_vec();
                self.released.push(Released { database, releases, declaration: *declaration });
            }
        }
    }

    fn sort(&mut self) {
        for one in &mut self.released {
            one.releases.sort_unstable();
        }
        self.released.sort_by(|a, b| (a.database, &a.releases).cmp(&(b.database, &b.releases)));
        for list in [&mut self.without, &mut self.unread] {
            let mut merged: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (database, own) in list.drain(..) {
                merged.entry(database).or_default().extend(own);
            }
            list.extend(merged);
            for (_, own) in list.iter_mut() {
                own.sort_unstable();
            }
        }
    }
}

/// The tags that are releases of a database.
fn wanted(config: &Config, declaration: &Declaration, tags: &[Tag]) -> Vec<usize> {
    let globs: Option<&Globs> = declaration
        .config
        .and_then(|index| config.databases.get(index))
        .and_then(|one| one.releases.as_ref());
    let is_wanted = |tag: &Tag| globs.map_or_else(|| is_version(&tag.name), |globs| globs.matches(&tag.name));
    tags.iter().enumerate().filter(|(_, tag)| is_wanted(tag)).map(|(index, _)| index).collect()
}

/// Whether a tag looks like a version: two numbers with a dot between.
fn is_version(tag: &str) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = tag.as_bytes();
    bytes.iter().enumerate().any(|(at, &byte)| {
        byte == b'.'
            && digit(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && digit(bytes.get(at + 1))
    })
}

/// What earlier releases are held against.
struct Then<'a> {
    config: &'a Config,
    /// The databases of today.
    declarations: &'a [Declaration],
    /// The tables of each.
    tables: &'a [BTreeSet<String>],
}

impl Then<'_> {
    /// What a state of the files declares of a database of today.
    fn declared(&self, database: usize, files: &Files) -> Read {
        let Some(today) = self.declarations.get(database) else { return Read::Nothing };
        if files.is_empty() {
            return Read::Nothing;
        }
        let texts =
            files.iter().map(|(path, text)| Some(Source::new(path.as_str(), text.as_ref()?.as_str())));
        let Some(texts) = texts.collect() else { return Read::Missing };
        let sources = Sources::of(texts);
        let mut extraction = extract::declaring(&sources);
        documents::read(&sources, &mut extraction);
        let found = match today.config.and_then(|index| Some((index, self.config.databases.get(index)?))) {
            Some((index, database)) if configured::is_described(database) => {
                let is_there = |source: &&crate::config::SchemaSource| match &source.kind {
                    SourceKind::Name { path, .. } => sources.find(path).is_some(),
                    SourceKind::Files(_) => true,
                };
                let some = configured::all_sources(database).any(|source| is_there(&source));
                some.then(|| configured::declaration(index, database, &sources, &extraction, true).ok())
                    .flatten()
            }
            _ => self.nearest(guess::guess(&sources, &extraction, &HashSet::new()), database),
        };
        match found {
            Some(mut declaration) if !declaration.steps.is_empty() => {
                runs::settle(&sources, &extraction, &mut declaration);
                Read::Declared(Box::new(declaration))
            }
            _ => Read::Nothing,
        }
    }

    /// The one of these databases that has most of the tables of one of today, if no other of today has more of its.
    fn nearest(&self, found: Vec<Declaration>, database: usize) -> Option<Declaration> {
        let own = self.tables.get(database)?;
        let found: Vec<(BTreeSet<String>, Declaration)> =
            found.into_iter().map(|one| (tables(&one), one)).collect();
        let shared = |tables: &BTreeSet<String>| tables.intersection(own).count();
        let most = found.iter().map(|(tables, _)| shared(tables)).max().filter(|most| *most > 0)?;
        let (then, nearest) = found.into_iter().find(|(tables, _)| shared(tables) == most)?;
        let is_another = self.tables.iter().any(|other| other.intersection(&then).count() > most);
        // Databases of one name and few equal tables, such as one for versions, are two.
        (!is_another && most * 2 >= then.len().min(own.len())).then_some(nearest)
    }
}

/// The tables that a database has.
fn tables(one: &Declaration) -> BTreeSet<String> {
    let mut tables = created(&one.steps);
    tables.extend(created(&one.create));
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_look_like_versions_are_releases() {
        for tag in ["v1.0", "2.05.0.1.0", "release-3.1-rc1", "tool/v0.4.2"] {
            assert!(is_version(tag), "{tag}");
        }
        for tag in ["nightly", "weekly-2024", "v2", "before.rename"] {
            assert!(!is_version(tag), "{tag}");
        }
    }
}

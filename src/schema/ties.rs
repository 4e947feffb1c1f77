//! What leads from one table of a catalogue to others: foreign keys, triggers and views. Knows names, and no migration.

use super::Entry;
use super::tokens::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::Arc;

/// The most tables that a text is followed to.
const MOST: usize = 100;

/// What leads from one table to others, by names in lower case.
#[derive(Debug, Default)]
pub struct Ties<'a> {
    /// The tables, virtual ones aside.
    tables: BTreeSet<&'a str>,
    /// The tables and views.
    names: BTreeSet<&'a str>,
    children: BTreeMap<&'a str, Vec<&'a str>>,
    parents: BTreeMap<&'a str, &'a [String]>,
    /// The names in the triggers on a table or view, and in the text of a view.
    texts: BTreeMap<&'a str, Vec<&'a [String]>>,
    views: Vec<&'a str>,
    /// The table or view of each index and trigger.
    owners: BTreeMap<&'a str, &'a str>,
}

impl<'a> Ties<'a> {
    /// Those of a catalogue.
    pub fn new(entries: &'a [Arc<Entry>]) -> Self {
        let mut ties = Self::default();
        for entry in entries {
            let name = entry.name.as_str();
            match entry.kind.as_str() {
                "table" => {
                    for parent in &entry.names {
                        ties.children.entry(parent).or_default().push(name);
                    }
                    ties.parents.insert(name, &entry.names);
                    ties.names.insert(name);
                    if !entry.is_virtual {
                        ties.tables.insert(name);
                    }
                }
                "view" => {
                    ties.texts.entry(name).or_default().push(&entry.names);
                    ties.names.insert(name);
                    ties.views.push(name);
                }
                kind => {
                    ties.owners.insert(name, &entry.table);
                    if kind == "trigger" {
                        ties.texts.entry(&entry.table).or_default().push(&entry.names);
                    }
                }
            }
        }
        ties
    }

    /// The tables that texts can reach: those that they name, themselves or by a view, those that refer to them, and those
    /// that their triggers name.
    pub fn reach<'t>(&self, texts: impl Iterator<Item = &'t str>) -> BTreeSet<String> {
        self.follow(texts.flat_map(names))
    }

    /// The tables without which texts would not do what they do: those that they can reach, those whose indexes and triggers
    /// they name, and all that views read beside one of them. A view is there whole, or not at all.
    pub fn needs<'t>(&self, texts: impl Iterator<Item = &'t str>) -> BTreeSet<String> {
        let named = texts.flat_map(names).flat_map(|name| {
            let owner = self.owners.get(name.as_str()).map(|table| (*table).to_owned());
            iter::once(name).chain(owner)
        });
        self.with_views(self.follow(named))
    }

    /// The tables that these names lead to.
    fn follow(&self, names: impl Iterator<Item = String>) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<String> = names.filter(|name| self.names.contains(name.as_str())).collect();
        while let Some(name) = waiting.pop() {
            if reached.len() < MOST && reached.insert(name.clone()) {
                let children = self.children.get(name.as_str()).into_iter().flatten();
                waiting.extend(children.map(|child| (*child).to_owned()));
                waiting.extend(self.named_by(&name).map(str::to_owned));
            }
        }
        // Parents are there to be found.
        let parents = |name: &String| self.parents.get(name.as_str()).into_iter().copied().flatten().cloned();
        let parents: Vec<String> = reached.iter().flat_map(parents).collect();
        reached.extend(parents);
        reached.retain(|name| self.tables.contains(name.as_str()));
        reached
    }

    fn with_views(&self, mut tables: BTreeSet<String>) -> BTreeSet<String> {
        let read = |view: &&str| {
            let named = |name: &str| self.named_by(name).map(str::to_owned).collect();
            let mut read = all_from([(*view).to_owned()], named);
            read.retain(|name| self.tables.contains(name.as_str()));
            read
        };
        let mut read: Vec<BTreeSet<String>> = self.views.iter().map(read).collect();
        loop {
            let (along, apart): (Vec<_>, Vec<_>) =
                read.into_iter().partition(|one| !one.is_disjoint(&tables));
            if along.is_empty() {
                return tables;
            }
            tables.extend(along.into_iter().flatten());
            read = apart;
        }
    }

    /// The tables and views that the triggers on a table or view name, and the text of a view.
    fn named_by(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let texts = self.texts.get(name).into_iter().flatten().copied().flatten();
        texts.map(String::as_str).filter(|name| self.names.contains(name))
    }
}

/// These names, and all that `next` leads to from any of them.
pub fn all_from(
    names: impl IntoIterator<Item = String>,
    next: impl Fn(&str) -> Vec<String>,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut waiting: Vec<String> = names.into_iter().collect();
    while let Some(name) = waiting.pop() {
        if !all.contains(&name) {
            waiting.extend(next(&name));
            all.insert(name);
        }
    }
    all
}

/// The names in a text, in lower case, quoted or not; keywords are among them, and the words of strings.
fn names(sql: &str) -> BTreeSet<String> {
    let is_end = |one: char| !one.is_alphanumeric() && one != '_' && one != '$';
    let words = sql.split(is_end).filter(|word| !word.is_empty()).map(str::to_lowercase);
    // Names with signs in them stand in quotes.
    let quoted = Tokens::from(sql, 0).filter(|token| token.kind == Kind::Quoted || token.kind == Kind::Text);
    words.chain(quoted.map(|token| token.name().to_lowercase())).collect()
}

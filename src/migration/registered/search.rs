//! Where code hands in what has the texts of a schema: looks for the names of constants and functions, and for texts that stand in such
//! a place themselves. Knows words and brackets; which of it is a history is for who asks.

use super::entries::{Entry, decorated, entry, leads_back};
use crate::{
    extract::{Extraction, Role, What, is_test_code, languages, words::Words},
    migration::levels::{Walk, blanked},
    source::{Site, Source, SourceId, Sources, folder_of},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How far the callers of what has a text are followed.
const APART: usize = 4;

/// The most files with something of one name that are told apart.
const MOST: usize = 64;

/// What is handed in: a text, as an index of the literals, or a function, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Thing {
    Text(usize),
    Function(u32),
}

/// Where a thing is handed in, and how.
pub(super) struct Handed {
    /// What.
    pub thing: Thing,
    /// In which file.
    pub file: SourceId,
    /// How.
    pub entry: Entry,
}

/// What may be handed in, and where that is looked for.
pub(super) struct Search<'a> {
    sources: &'a Sources,
    /// What was found in the sources.
    pub extraction: &'a Extraction,
    /// By name, each with its file.
    names: HashMap<&'a str, BTreeMap<SourceId, Vec<Thing>>>,
    /// Those that call a function, each with the place.
    callers: HashMap<u32, Vec<(u32, u32)>>,
    /// The functions that have texts, and those that call them.
    functions: BTreeSet<u32>,
    /// The texts in each file.
    sites: BTreeMap<SourceId, Vec<usize>>,
    /// The folders in which the steps stand, and those around them.
    folders: HashSet<&'a str>,
}

impl<'a> Search<'a> {
    pub fn new(sources: &'a Sources, extraction: &'a Extraction, texts: &[usize]) -> Self {
        let mut callers: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        let mut opening: HashSet<u32> = HashSet::new();
        for setup in &extraction.setups {
            // What opens a database of its own is no step of one.
            opening.extend(Some(setup.function).filter(|_| setup.opens));
            if let What::Call(callee) = setup.what {
                callers.entry(callee).or_default().push((setup.function, setup.site.start));
            }
        }
        let mut search = Self {
            sources,
            extraction,
            callers,
            names: HashMap::new(),
            functions: BTreeSet::new(),
            sites: BTreeMap::new(),
            folders: HashSet::new(),
        };
        for &text in texts {
            let Some(literal) = extraction.literals.get(text) else { continue };
            search.sites.entry(literal.site.source).or_default().push(text);
            if let Some(name) = &literal.constant {
                let own = search.names.entry(name).or_default().entry(literal.site.source).or_default();
                own.push(Thing::Text(text));
            }
            search.functions.extend(literal.function);
        }
        search.add_callers(&opening);
        let named = search.names.values().flat_map(BTreeMap::keys);
        let homes: BTreeSet<SourceId> = named.chain(search.sites.keys()).copied().collect();
        for home in homes {
            let folder = folder_of(sources.path(home));
            search.folders.extend([folder, folder_of(folder)]);
        }
        search
    }

    /// Adds the functions that call those which have texts.
    fn add_callers(&mut self, opening: &HashSet<u32>) {
        let mut wave: Vec<u32> = self.functions.iter().copied().collect();
        for _ in 0..APART {
            let callers =
                wave.iter().filter_map(|one| self.callers.get(one)).flatten().map(|(caller, _)| *caller);
            let callers: BTreeSet<u32> = callers.collect();
            wave = callers.into_iter().filter(|caller| self.functions.insert(*caller)).collect();
        }
        let functions = &self.extraction.functions;
        let is_step = |number: &u32| {
            let role = functions.get(*number as usize).map(|one| one.role);
            role.is_some_and(|role| role != Role::Test) && !opening.contains(number)
        };
        self.functions.retain(is_step);
        for &number in &self.functions {
            let Some(function) = functions.get(number as usize) else { continue };
            let own = self.names.entry(&function.name).or_default().entry(function.site.source).or_default();
            own.push(Thing::Function(number));
        }
    }

    /// All that is handed in.
    pub fn all(&self) -> Vec<Handed> {
        let is_near =
            |source: &Source| self.folders.contains(folder_of(&source.path)) && !is_test_code(&source.path);
        let is_code = |source: &Source| languages::of(&source.path).is_some_and(|language| !language.is_sql);
        let files: Vec<(SourceId, &Source)> =
            self.sources.iter().filter(|(_, source)| is_code(source) && is_near(source)).collect();
        let sieve: Words = self.names.keys().copied().collect();
        let mut all: Vec<Handed> =
            files.into_par_iter().flat_map_iter(|(id, source)| self.in_file(id, source, &sieve)).collect();
        for &number in &self.functions {
            let Some(function) = self.extraction.functions.get(number as usize) else { continue };
            let source = self.sources.get(function.site.source).filter(|source| is_code(source));
            let entry = source.and_then(|source| decorated(source.text(), function.site.start as usize));
            all.extend(entry.map(|entry| Handed {
                thing: Thing::Function(number),
                file: function.site.source,
                entry,
            }));
        }
        all
    }

    /// What a file hands in.
    fn in_file(&self, id: SourceId, source: &Source, sieve: &Words) -> Vec<Handed> {
        let mut places: Vec<(usize, Thing, bool)> =
            source.peek(|text| self.named(id, &source.path, text, sieve));
        let own = self.sites.get(&id).into_iter().flatten();
        let own = own.filter_map(|&text| {
            Some((self.extraction.literals.get(text)?.site.start as usize, Thing::Text(text), false))
        });
        places.extend(own);
        if places.is_empty() {
            return Vec::new();
        }
        places.sort_unstable();
        let mut walk = Walk::through(blanked(self.sources, self.extraction, id));
        let handed = |(at, thing, is_name): (usize, Thing, bool)| {
            let name = source.text().get(at..).filter(|_| is_name).unwrap_or("");
            let mut entry = entry(&walk.levels(at), source.text().split_at_checked(at)?, is_name)?;
            entry.leads_back |= leads_back(name);
            Some(Handed { thing, file: id, entry })
        };
        places.into_iter().filter_map(handed).collect()
    }

    /// Where a file names what may be handed in, other than to call it or to give it a value.
    fn named(&self, id: SourceId, path: &str, text: &str, sieve: &Words) -> Vec<(usize, Thing, bool)> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let (bytes, mut at) = (text.as_bytes(), 0);
        let mut places = Vec::new();
        while let Some(start) =
            bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| is_name(byte))).map(|by| at + by)
        {
            let length = bytes.get(start..).and_then(|rest| rest.iter().position(|&byte| !is_name(byte)));
            at = length.map_or(bytes.len(), |length| start + length);
            let word = text.get(start..at).filter(|word| sieve.may_hold_word(word));
            let Some(known) = word.and_then(|word| self.names.get(word)) else { continue };
            let behind = text.get(at..).unwrap_or("").trim_start().chars().next();
            if behind.is_none_or(|behind| !"(=:".contains(behind)) {
                places.extend(self.meant(id, path, known).map(|thing| (start, thing, true)));
            }
        }
        places
    }

    /// What a name means in a file: what stands in it, or the only one of the folder and those in it.
    fn meant(&self, id: SourceId, path: &str, known: &BTreeMap<SourceId, Vec<Thing>>) -> Option<Thing> {
        let is_near = |home: &SourceId| {
            let own = folder_of(self.sources.path(*home));
            own == folder_of(path) || folder_of(own) == folder_of(path)
        };
        let all = match known.get(&id) {
            Some(here) => here.clone(),
            None if known.len() > MOST => return None,
            None => {
                known.iter().filter(|(home, _)| is_near(home)).flat_map(|(_, own)| own).copied().collect()
            }
        };
        if let [thing] = all.as_slice() { Some(*thing) } else { None }
    }

    /// By what a text is handed in, and the place at which its function is called where that is another one's.
    pub fn handed(&self, text: usize, is_known: &dyn Fn(Thing) -> bool) -> Option<(Thing, Option<u32>)> {
        if is_known(Thing::Text(text)) {
            return Some((Thing::Text(text), None));
        }
        let mut function = self.extraction.literals.get(text)?.function?;
        let mut at = None;
        for _ in 0..=APART {
            if is_known(Thing::Function(function)) {
                return Some((Thing::Function(function), at));
            }
            // What several call belongs to none of them.
            let [(caller, place)] = self.callers.get(&function)?.as_slice() else { return None };
            (function, at) = (*caller, Some(*place));
        }
        None
    }

    /// Whether a function has texts of steps, or calls one that has.
    pub fn has_steps(&self, function: u32) -> bool {
        self.functions.contains(&function)
    }

    /// Whether a function calls one that has texts of steps.
    pub fn calls_steps(&self, function: u32) -> bool {
        let is_by = |by: &[(u32, u32)]| by.iter().any(|(caller, _)| *caller == function);
        self.functions.iter().filter_map(|callee| self.callers.get(callee)).any(|by| is_by(by))
    }

    /// The function around a place.
    pub fn around(&self, file: SourceId, at: usize) -> Option<u32> {
        let functions = (0..).zip(&self.extraction.functions);
        let is_around =
            |site: &Site| site.source == file && (site.start as usize..site.end as usize).contains(&at);
        let around = functions.filter(|(_, one)| is_around(&one.site));
        around.min_by_key(|(_, one)| one.site.end - one.site.start).map(|(number, _)| number)
    }

    /// As what a text may be handed in.
    pub fn things_of(&self, text: usize) -> impl Iterator<Item = Thing> {
        let function = self.extraction.literals.get(text).and_then(|literal| literal.function);
        [Thing::Text(text)].into_iter().chain(function.map(Thing::Function))
    }
}

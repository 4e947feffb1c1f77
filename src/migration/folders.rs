//! Folders of numbered files that are the steps of one database: one of them changes tables that another one makes, with a number
//! in front. Knows names of tables, and numbers; whether a step works is for SQLite to say.

use super::{
    Declaration,
    groups::common_parts,
    tables::{Deed, deeds},
};
use crate::source::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// The most folders that are held against one another.
const MOST: usize = 48;

/// A folder's steps.
struct Ladder {
    /// The declaration.
    at: usize,
    /// What each step does, by its number.
    deeds: BTreeMap<u64, Vec<Deed>>,
    /// What it does by itself.
    alone: Walk,
}

/// What steps do, one after the other.
#[derive(Default)]
struct Walk {
    /// The tables that they make.
    made: BTreeSet<String>,
    /// The tables that they need before anything makes them.
    missing: BTreeSet<String>,
    /// How many tables they make that are there.
    clashes: usize,
}

impl Walk {
    fn of<'a>(all: impl Iterator<Item = &'a Deed>) -> Self {
        let mut walk = Self::default();
        let mut there: BTreeSet<&str> = BTreeSet::new();
        for deed in all {
            match deed {
                Deed::Creates { name, is_temporary, .. } => {
                    let is_new = there.insert(name);
                    walk.clashes += usize::from(!is_new && !is_temporary);
                    walk.made.insert(name.clone());
                }
                Deed::Drops(name) => {
                    there.remove(name.as_str());
                }
                Deed::Renames(old, new) => {
                    there.remove(old.as_str());
                    there.insert(new);
                    walk.made.insert(new.clone());
                }
                Deed::Needs(name) if !there.contains(name.as_str()) => {
                    walk.missing.insert(name.clone());
                }
                Deed::Needs(_) => {}
            }
        }
        walk
    }
}

/// Makes one database of folders of which one needs what the other makes.
pub(super) fn join(sources: &Sources, declared: &mut Vec<Declaration>) {
    while let Some((asking, maker)) = pair(sources, declared) {
        if asking == maker || maker >= declared.len() || asking >= declared.len() {
            return;
        }
        let more = declared.remove(asking);
        let Some(whole) = declared.get_mut(maker - usize::from(asking < maker)) else { return };
        if more.steps.len() > whole.steps.len() {
            whole.name = more.name;
        }
        whole.homes.extend(more.homes);
        whole.places.extend(more.places);
        whole.aside.extend(more.aside);
        // Of equal numbers that of who makes the tables comes first.
        whole.steps.extend(more.steps);
        whole.steps.sort_by_key(|step| step.version);
    }
}

/// Two folders that are one database: that which needs most of another one's tables, and that other one.
fn pair(sources: &Sources, declared: &[Declaration]) -> Option<(usize, usize)> {
    let ladders: Vec<Ladder> =
        declared.iter().enumerate().filter_map(|(at, one)| Ladder::new(sources, at, one)).collect();
    if ladders.len() > MOST {
        return None;
    }
    let mut makers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, ladder) in ladders.iter().enumerate() {
        for name in &ladder.alone.made {
            makers.entry(name).or_default().push(index);
        }
    }
    let mut best: Option<((usize, usize), usize, usize)> = None;
    for asking in ladders.iter().filter(|ladder| !ladder.alone.missing.is_empty()) {
        let mut serves: BTreeMap<usize, usize> = BTreeMap::new();
        for maker in asking.alone.missing.iter().filter_map(|name| makers.get(name.as_str())).flatten() {
            *serves.entry(*maker).or_default() += 1;
        }
        let mut own = Vec::new();
        for (maker, served) in serves {
            let Some(maker) = ladders.get(maker).filter(|maker| maker.at != asking.at) else { continue };
            if asking.is_helped_by(maker) {
                own.push(((served, near(sources, declared, asking.at, maker.at)), maker.at));
            }
        }
        own.sort_unstable();
        let Some((rank, maker)) = own.last().copied() else { continue };
        // Of several that fit equally, none is known to be it.
        let is_alone = own.iter().filter(|(other, _)| *other == rank).count() == 1;
        if is_alone && best.is_none_or(|(most, ..)| rank > most) {
            best = Some((rank, asking.at, maker));
        }
    }
    best.map(|(_, asking, maker)| (asking, maker))
}

/// How many folders two declarations share.
fn near(sources: &Sources, declared: &[Declaration], one: usize, other: usize) -> usize {
    let path =
        |at: usize| declared.get(at).and_then(|one| one.homes.first()).map_or("", |&home| sources.path(home));
    common_parts(path(one), path(other))
}

impl Ladder {
    /// That of a folder of numbered files.
    fn new(sources: &Sources, at: usize, one: &Declaration) -> Option<Self> {
        if one.steps.len() < 2 || !one.create.is_empty() || !one.is_files(sources) {
            return None;
        }
        let mut all: BTreeMap<u64, Vec<Deed>> = BTreeMap::new();
        for step in &one.steps {
            let version = step.version.filter(|_| step.is_ordered)?;
            all.entry(version).or_default().extend(deeds(step.text.as_str()));
        }
        let alone = Walk::of(all.values().flatten());
        Some(Self { at, deeds: all, alone })
    }

    /// Whether its steps find more of what they need among those of another folder, by their numbers, and none makes what the
    /// other has made.
    fn is_helped_by(&self, other: &Self) -> bool {
        let mut both: BTreeMap<u64, Vec<&Deed>> = BTreeMap::new();
        for (number, deeds) in other.deeds.iter().chain(&self.deeds) {
            both.entry(*number).or_default().extend(deeds);
        }
        let both = Walk::of(both.into_values().flatten());
        let served = self.alone.missing.intersection(&other.alone.made);
        both.clashes == self.alone.clashes + other.alone.clashes
            && served.into_iter().any(|name| !both.missing.contains(name))
    }
}

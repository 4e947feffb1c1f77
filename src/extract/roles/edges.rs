//! Who names whom: by the calls of each file or, of one that was outlined, by what was kept of them.

use super::{Groups, Node, sieve::Sieve};
use crate::{
    extract::{
        fold::Unit,
        near::{Named, nearest},
        outline::{self, Listed},
        roles::token_text,
        sketch::NOWHERE,
        units,
    },
    source::{Source, Sources},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

/// What is read of files that were outlined: the names, and by file whom its functions name.
pub(in crate::extract) struct Outlines<'a> {
    pub(super) names: &'a Listed,
    calls: Vec<Vec<(u32, u32)>>,
}

impl<'a> Outlines<'a> {
    /// Takes the calls away from the outlines: nobody else asks for them, and they are many.
    pub fn take(units: &mut [Unit], names: &'a Listed) -> Self {
        let calls = |unit: &mut Unit| unit.outline.as_mut().map(|one| std::mem::take(&mut one.calls));
        Self { names, calls: units.iter_mut().map(|unit| calls(unit).unwrap_or_default()).collect() }
    }
}

/// Who names whom.
pub(super) struct Edges {
    /// For each function the names that it calls or mentions.
    pub callees: Groups,
    /// For each name whether production code at the level of a file mentions it.
    pub roots: Vec<bool>,
    /// For each name whether code hands it on to be called later, or has it run beside.
    pub launched: Vec<bool>,
}

impl Edges {
    /// Has the code at the level of a file mention these names.
    pub fn name(&mut self, names: &[u32]) {
        for &name in names {
            if let Some(root) = self.roots.get_mut(name as usize) {
                *root = true;
            }
        }
    }
}

/// The names at the level of files that stand for what may be SQL, by their numbers, and the files.
pub(super) fn names_of_sql<'a>(
    sources: &'a Sources,
    units: &[Unit],
    names: &mut HashMap<&'a str, u32>,
) -> Vec<Named<u32>> {
    let mut numbers = Vec::new();
    for (at, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.sketch.candidates.is_empty()) {
        let text = sources.get(unit.source).map_or("", Source::text);
        for name in units::names_of_sql(unit, text) {
            let fresh = names.len() as u32;
            numbers.push((*names.entry(name).or_insert(fresh), at));
        }
    }
    numbers
}

/// The most functions of a name that a file is read again for: whom a call of `new` means is seldom known, and all have one.
const MOST_ALIKE: u32 = 16;

/// Who names whom, whom the calls of each unit name, the names that stand for SQL, and how many functions have each name.
type Known<'k> = (&'k Edges, &'k [Vec<u32>], &'k [Named<u32>], &'k [u32]);

/// For each unit whether a function of it names one that holds SQL, or a name that stands for it; of those that were outlined, the
/// ones that may mean it.
pub(super) fn callers(
    sources: &Sources,
    units: &[Unit],
    (nodes, offsets): (&[Node], &[usize]),
    (edges, called, of_sql, counts): Known<'_>,
) -> Vec<bool> {
    let holding = units.iter().zip(offsets).enumerate().flat_map(|(at, (unit, offset))| {
        let of_unit = unit.sketch.holders();
        of_unit.map(move |(function, is_likely)| (at, offset + function as usize, is_likely))
    });
    let holding = holding
        .map(|(at, node, is_likely)| ((nodes.get(node).map_or(NOWHERE, |node| node.name), at), is_likely));
    let holding = of_sql.iter().map(|&one| (one, true)).chain(holding);
    // By name, whether that is likely; `None` for what holds nothing.
    let mut holders: Vec<Option<bool>> = vec![None; nodes.len() + of_sql.len() + 1];
    let mut likely: Vec<Named<u32>> = Vec::new();
    for ((name, at), is_likely) in holding {
        if let Some(holder) = holders.get_mut(name as usize) {
            *holder = Some(is_likely || *holder == Some(true));
            likely.extend(is_likely.then_some((name, at)));
        }
    }
    let is_told = |name: u32| counts.get(name as usize).is_none_or(|&count| count <= MOST_ALIKE);
    let names_holder = |node: usize| {
        let mut callees = edges.callees.of(node as u32).iter();
        callees.any(|&name| holders.get(name as usize).is_some_and(Option::is_some))
    };
    let calls_likely = |name: &u32| holders.get(*name as usize) == Some(&Some(true)) && is_told(*name);
    let outlined = units.iter().zip(called).enumerate().filter(|(_, (unit, _))| unit.is_outlined());
    let uses = outlined.flat_map(|(at, (_, called))| {
        called.iter().copied().filter(calls_likely).map(move |name| (name, at))
    });
    let near = nearest(sources, units, uses.collect(), likely);
    let ranges = offsets.iter().zip(offsets.iter().skip(1));
    let is_caller = |(at, (unit, (&start, &end))): (usize, (&Unit, (&usize, &usize)))| {
        let is_read = unit.outline.is_none();
        if is_read { (start..end).any(names_holder) } else { near.binary_search(&at).is_ok() }
    };
    units.iter().zip(ranges).enumerate().map(is_caller).collect()
}

/// What is read of a unit: the callers and whom they name, whom its calls name, and what it launches.
type Read = (Vec<(u32, u32)>, Vec<u32>, Vec<u32>);

/// Who names whom, and for each unit the names that its calls name; of one that was outlined those that it calls, once.
pub(super) fn edges(
    sources: &Sources,
    units: &[Unit],
    outlines: Outlines<'_>,
    names: &HashMap<&str, u32>,
    offsets: &[usize],
) -> (Edges, Vec<Vec<u32>>) {
    let sieve: Sieve = names.keys().copied().collect();
    let number =
        |word| if sieve.may_hold(word) { names.get(word).copied().unwrap_or(NOWHERE) } else { NOWHERE };
    let read = |((unit, &offset), mut outlined): ((&Unit, &usize), Vec<(u32, u32)>)| -> Read {
        let counts = |function| !(function == NOWHERE && unit.is_test);
        let place = |function| if function == NOWHERE { NOWHERE } else { offset as u32 + function };
        if unit.is_outlined() {
            let (mut called, mut launched) = (Vec::new(), Vec::new());
            outlined.retain_mut(|(function, name)| {
                let (listed, is_call, is_launched) = outline::unnamed(*name);
                let word = outlines.names.name(listed);
                *name = number(word);
                let is_one = *name != NOWHERE && counts(*function);
                launched.extend((is_one && (is_launched || !is_call)).then_some(*name));
                if is_one && (is_call || unit.language.shows(word)) {
                    called.push(*name);
                }
                *function = place(*function);
                is_one
            });
            outlined.shrink_to_fit();
            called.sort_unstable();
            called.dedup();
            return (outlined, called, launched);
        }
        let text = sources.get(unit.source).map_or("", Source::text);
        let calls = &unit.sketch.calls;
        let callees: Vec<u32> = calls.iter().map(|call| number(token_text(unit, text, call.name))).collect();
        let pairs =
            calls.iter().zip(&callees).filter(|&(call, &callee)| callee != NOWHERE && counts(call.function));
        let mut pairs: Vec<(u32, u32)> =
            pairs.map(|(call, &callee)| (place(call.function), callee)).collect();
        // What is named again and again is mostly named in one place.
        pairs.dedup();
        let later = calls.iter().zip(&callees).filter(|(call, _)| call.is_launched || !call.is_call);
        let launched = later.map(|(_, &callee)| callee).filter(|&callee| callee != NOWHERE).collect();
        (pairs, callees, launched)
    };
    let read: Vec<Read> = units.par_iter().zip(offsets).zip(outlines.calls).map(read).collect();
    let mut launched = vec![false; names.len()];
    for &name in read.iter().flat_map(|(_, _, names)| names) {
        if let Some(launched) = launched.get_mut(name as usize) {
            *launched = true;
        }
    }
    let (per_unit, called): (Vec<_>, Vec<_>) =
        read.into_iter().map(|(pairs, called, _)| (pairs, called)).unzip();
    let pairs = per_unit.iter().flatten().copied();
    let mut roots = vec![false; names.len()];
    for (_, name) in pairs.clone().filter(|&(caller, _)| caller == NOWHERE) {
        if let Some(root) = roots.get_mut(name as usize) {
            *root = true;
        }
    }
    let count = offsets.last().copied().unwrap_or(0);
    (Edges { callees: Groups::new(count, pairs), roots, launched }, called)
}

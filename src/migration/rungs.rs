//! The files of one ladder: a function that asks for the version of a database, and what it calls to bring it to the next, wherever
//! that stands. Knows calls and the tables that files make; knows no schema.

use super::{groups::Member, ways};
use crate::{
    extract::{Extraction, What},
    source::SourceId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The files of code that a database is upgraded with, and those whose functions call it and create the tables: in pairs, by
/// their numbers among the members.
pub(super) fn links(
    extraction: &Extraction,
    number: &HashMap<SourceId, usize>,
    members: &[Member],
) -> Vec<(usize, usize)> {
    let home = |function: u32| {
        let site = extraction.functions.get(function as usize)?.site;
        number.get(&site.source).copied()
    };
    let setups = || extraction.setups.iter();
    let ladders: HashSet<u32> =
        setups().filter(|one| one.is_below || one.version.is_some()).map(|one| one.function).collect();
    let tall = ways::ladders(extraction);
    let mut rungs: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for one in setups().filter(|one| one.version.is_some() && tall.contains(&one.function)) {
        if let What::Call(function) = one.what {
            rungs.entry(one.function).or_default().extend(home(function));
        }
    }
    let shares = |from: usize, to: usize| {
        let (Some(one), Some(other)) = (members.get(from), members.get(to)) else { return false };
        !one.created.is_disjoint(&other.used) || !one.created.is_disjoint(&other.created)
    };
    let mut links = Vec::new();
    for one in setups() {
        let What::Call(ladder) = one.what else { continue };
        let Some(from) = home(one.function).filter(|_| ladders.contains(&ladder)) else { continue };
        // Where the ladder has no text of its own, it stands for what it calls.
        let its = home(ladder).into_iter().chain(rungs.get(&ladder).into_iter().flatten().copied());
        links.extend(its.filter(|&to| shares(from, to)).map(|to| (from, to)));
    }
    // `onCreate` beside a ladder may leave the tables to others: `Berths.create(db)`.
    let beside: HashSet<usize> = ladders.iter().filter_map(|&ladder| home(ladder)).collect();
    let calls =
        || setups().filter_map(|one| if let What::Call(made) = one.what { Some((one, made)) } else { None });
    // Who makes tables for its own file as well has a database of its own.
    let own = calls().filter(|(one, made)| home(one.function) == home(*made)).map(|(_, made)| made);
    let own: HashSet<u32> = own.collect();
    let plain = calls().filter(|(one, made)| one.version.is_none() && !one.is_below && !own.contains(made));
    for (one, maker) in plain {
        let Some(from) = home(one.function).filter(|from| beside.contains(from)) else { continue };
        links.extend(home(maker).filter(|to| !beside.contains(to) && shares(*to, from)).map(|to| (from, to)));
    }
    for files in rungs.values() {
        links.extend(files.iter().zip(files.iter().skip(1)).map(|(&one, &other)| (one, other)));
    }
    links
}

//! Texts that run in one straight line of a function, one after the other: one time at which they run. Knows words; what stands around
//! the calls of the function is for who knows the ways.

use super::{
    Runs, Step,
    runs::is_numbered,
    tables::{Mentions, mentions},
    ways::{Line, Ways},
};
use crate::{extract::Setup, source::Site};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a text stands on a line of code, or is what a constant holds that is used there.
fn is_in_line(step: &Step) -> bool {
    !step.replaces && (step.is_loose || step.list.is_none())
}

/// Whether a text leaves all tables as they are, and makes none.
fn puts_on(found: &Mentions) -> bool {
    !found.alters && !found.drops && found.created.is_empty()
}

/// Gives texts that run in one straight line one time at which they run: what stands on a table that is made there is made with
/// it, and what is dropped there makes room for what follows.
pub(super) fn together(ways: &Ways<'_>, steps: &mut [Step]) {
    let mut lines: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| is_in_line(step)) {
        if let Some(line) = ways.line(step) {
            lines.entry(line).or_default().push(index);
        }
    }
    for line in lines.values().filter(|line| line.len() > 1) {
        let of = |step: &Step| (step.runs, is_numbered(step), mentions(step.text.as_str()));
        let all: Vec<(Runs, bool, Mentions)> =
            line.iter().filter_map(|&index| steps.get(index)).map(of).collect();
        let is_forgiven: Vec<bool> =
            line.iter().map(|&index| steps.get(index).is_some_and(|step| ways.is_forgiven(step))).collect();
        let mut makes = false;
        let mut made: BTreeSet<&str> = BTreeSet::new();
        let mut next: Vec<Runs> = Vec::new();
        for (at, ((runs, is_numbered, found), is_forgiven)) in all.iter().zip(is_forgiven).enumerate() {
            let creates = *runs == Runs::Create && found.creates_once;
            makes |= creates;
            made.extend(found.created.iter().map(String::as_str).filter(|_| creates && !is_forgiven));
            let is_on_made =
                !found.indexes.is_empty() && found.used.iter().all(|table| made.contains(table.as_str()));
            let puts_on = (*runs == Runs::Migration || *runs == Runs::Open && is_on_made) && puts_on(found);
            let only_drops = *runs == Runs::Open && found.drops && !found.makes();
            let follows = all.get(at + 1..).into_iter().flatten().find(|(.., found)| found.makes());
            // What is dropped where it is there, and made again, may as well be a part of each open.
            next.push(match follows {
                _ if puts_on && makes => Runs::Create,
                Some((Runs::Create, ..)) if only_drops => Runs::Create,
                Some((Runs::Migration, ..)) if only_drops && *is_numbered => Runs::Migration,
                _ => *runs,
            });
        }
        for (index, runs) in line.iter().zip(next) {
            // A constant says by itself when it runs, where other code uses it.
            if let Some(step) = steps.get_mut(*index).filter(|step| step.is_loose) {
                step.runs = runs;
            }
        }
    }
}

/// How many places of a way are looked at for a question about a version, from the text on: its own and the call of its function.
const NEAR: usize = 2;

/// Marks what is put on tables where the same line has made some before, and no version is asked for on a way to it: it runs on new
/// databases as well, and fails where it was run.
pub(super) fn put_on_new(ways: &Ways<'_>, steps: &mut [Step]) {
    // What stands further off asks for other things as well: `if argc < 2`.
    let is_free = |step: &Step| {
        let asks = |place: &Setup| place.is_below || place.version.is_some_and(|version| version > 0);
        ways.of(step).iter().any(|way| !way.0.iter().take(NEAR).any(|place| asks(place)))
    };
    let mut making: BTreeSet<Line> = BTreeSet::new();
    for step in steps.iter_mut().filter(|step| is_in_line(step) && !is_numbered(step)) {
        let Some(line) = ways.line(step).filter(|(_, arms)| arms.is_empty()) else { continue };
        let found = mentions(step.text.as_str());
        if step.runs != Runs::Migration {
            if found.makes_table {
                making.insert(line);
            }
            continue;
        }
        let sql = step.text.as_str();
        let is_put = (puts_on(&found) || adds_column(sql) || makes_view(sql)) && making.contains(&line);
        step.is_in_creation = step.is_loose && is_put && is_free(step);
    }
}

/// Numbers the lines that can run only once, and tells their texts which is theirs. What goes through a list by one call, and what may
/// fail unnoticed, has none.
pub(super) fn number(ways: &Ways<'_>, steps: &mut [Step]) {
    let mut calls: BTreeMap<Site, BTreeSet<usize>> = BTreeMap::new();
    for step in steps.iter() {
        for place in ways.places.get(&step.literal).into_iter().flatten() {
            calls.entry(place.site).or_default().insert(step.literal);
        }
    }
    let line = |step: &Step| {
        let [place] = ways.places.get(&step.literal)?.as_slice() else { return None };
        let is_own = calls.get(&place.site).is_some_and(|literals| literals.len() == 1);
        ways.line(step).filter(|_| is_own && is_in_line(step) && !ways.is_forgiven(step))
    };
    let lines: Vec<Option<Line>> = steps.iter().map(line).collect();
    let once = steps.iter().zip(&lines).filter(|(step, _)| step.runs != Runs::Open);
    let once: BTreeSet<&Line> = once.filter_map(|(_, line)| line.as_ref()).collect();
    let numbers: BTreeMap<&Line, usize> = once.into_iter().zip(0..).collect();
    for (step, line) in steps.iter_mut().zip(&lines) {
        step.line = line.as_ref().and_then(|line| numbers.get(line).copied());
    }
}

/// Whether a text makes a view.
fn makes_view(sql: &str) -> bool {
    let mut words = sql.split_ascii_whitespace();
    let mut is_next = |wanted: &str| words.next().is_some_and(|word| word.eq_ignore_ascii_case(wanted));
    is_next("CREATE") && is_next("VIEW")
}

/// Whether a text does nothing but add a column to a table.
fn adds_column(sql: &str) -> bool {
    let words: Vec<&str> = sql.split_ascii_whitespace().take(4).collect();
    let [alter, table, _, add] = words.as_slice() else { return false };
    let is = |word: &str, wanted: &str| word.eq_ignore_ascii_case(wanted);
    is(alter, "ALTER") && is(table, "TABLE") && is(add, "ADD") && !sql.contains(';')
}

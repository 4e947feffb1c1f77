//! Texts that run in one straight line of a function, one after the other: one time at which they run. Knows words; what stands around
//! the calls of the function is for who knows the ways.

use super::{
    Runs, Step,
    runs::is_numbered,
    tables::{Mentions, mentions},
    ways::{Line, Ways},
};
use crate::extract::sql::contains_word;
use std::collections::{BTreeMap, BTreeSet};

/// Gives texts that run in one straight line one time at which they run: what stands on a table that is made there is made with
/// it, and what is dropped there makes room for what follows.
pub(super) fn together(ways: &Ways<'_>, steps: &mut [Step]) {
    let mut lines: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| step.is_loose && !step.replaces) {
        if let Some(line) = ways.line(step) {
            lines.entry(line).or_default().push(index);
        }
    }
    for line in lines.values().filter(|line| line.len() > 1) {
        let of = |step: &Step| (step.runs, is_numbered(step), mentions(step.text.as_str()));
        let all: Vec<(Runs, bool, Mentions)> =
            line.iter().filter_map(|&index| steps.get(index)).map(of).collect();
        let mut makes = false;
        let mut next: Vec<Runs> = Vec::new();
        for (at, (runs, is_numbered, found)) in all.iter().enumerate() {
            makes |= *runs == Runs::Create && found.creates_once;
            let puts_on =
                *runs == Runs::Migration && !found.alters && !found.drops && found.created.is_empty();
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
            if let Some(step) = steps.get_mut(*index) {
                step.runs = runs;
            }
        }
    }
}

/// Marks what is put on tables that the same line has made before, where no version is asked for on a way to it: it runs on new
/// databases as well, and fails where it was run.
pub(super) fn put_on_new(ways: &Ways<'_>, steps: &mut [Step]) {
    // What a constant holds runs where that is used.
    let is_in_line = |step: &Step| !step.replaces && (step.is_loose || step.list.is_none());
    let mut made: BTreeMap<Line, BTreeSet<String>> = BTreeMap::new();
    for step in steps.iter_mut().filter(|step| is_in_line(step) && !is_numbered(step)) {
        let Some(line) = ways.line(step).filter(|(_, arms)| arms.is_empty()) else { continue };
        let found = mentions(step.text.as_str());
        if step.runs != Runs::Migration {
            made.entry(line).or_default().extend(found.created);
            continue;
        }
        let puts_on = !found.alters && !found.drops && found.created.is_empty();
        let is_named = |table: &String| contains_word(step.text.as_str(), table);
        let is_put = (puts_on || adds_column(step.text.as_str()))
            && made.get(&line).is_some_and(|tables| tables.iter().any(is_named));
        step.is_in_creation = step.is_loose && is_put && ways.is_beside_ladder(step);
    }
}

/// Whether a text does nothing but add a column to a table.
fn adds_column(sql: &str) -> bool {
    let words: Vec<&str> = sql.split_ascii_whitespace().take(4).collect();
    let [alter, table, _, add] = words.as_slice() else { return false };
    let is = |word: &str, wanted: &str| word.eq_ignore_ascii_case(wanted);
    is(alter, "ALTER") && is(table, "TABLE") && is(add, "ADD") && !sql.contains(';')
}

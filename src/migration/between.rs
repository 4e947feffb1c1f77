//! What code does between two files of a series: functions that a list names with a number. Knows names, and the numbers that
//! stand beside them.

use super::{Declaration, Step, mentions, runners};
use crate::{
    extract::{Extraction, Literal, Role},
    source::Sources,
};
use std::collections::{BTreeMap, HashSet};

/// Numbers from here on are times: nothing else that stands beside a name is as large.
const TIMES: u64 = 1_000_000_000;

/// How far in front of a name its number stands, in bytes.
const FAR: usize = 200;
/// How many mentions of a function are looked at.
const MENTIONS: usize = 16;

/// Puts the texts of such functions between the steps of the series by whose numbers they run, and whose tables they change.
pub(super) fn add(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    if !declared.iter().any(|one| runs_through(one, None)) {
        return;
    }
    let steps = declared.iter().flat_map(|one| one.steps.iter().chain(&one.create));
    let taken: HashSet<usize> = steps.map(|step| step.literal).collect();
    let mut numbers: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
        let (Some(function), Some(text)) = (literal.function, literal.variants.first()) else { continue };
        let found = mentions(text.as_str());
        if !may_be_one(literal) || !found.has_ddl || !text.holes().is_empty() {
            continue;
        }
        let number = *numbers.entry(function).or_insert_with(|| number(sources, extraction, function));
        let (Some(number), Some(function)) = (number, extraction.functions.get(function as usize)) else {
            continue;
        };
        let fits = |one: &&mut Declaration| {
            runs_through(one, Some(number)) && {
                let made = super::created(&one.steps);
                found.used.iter().all(|table| made.contains(table))
            }
        };
        let mut fitting: Vec<&mut Declaration> = declared.iter_mut().filter(fits).collect();
        // Of several that fit, none is known to be it.
        let [one] = fitting.as_mut_slice() else { continue };
        let step = Step::new(index, text.clone(), &function.name, Some(number));
        one.steps.push(Step { is_ordered: false, is_upgrade: true, ..step });
        one.steps.sort_by_key(|step| step.version);
        let home = literal.site.source;
        if !one.homes.contains(&home) {
            one.homes.push(home);
        }
        one.places.push(format!("{}::{}", sources.path(home), function.name));
    }
}

/// Whether a text may be one that a migration runs.
fn may_be_one(literal: &Literal) -> bool {
    literal.role != Role::Test && !literal.language.is_sql && literal.constant.is_none()
}

/// Whether a database goes from time to time by the numbers of its steps, past this one.
fn runs_through(one: &Declaration, number: Option<u64>) -> bool {
    let times = || one.steps.iter().filter_map(|step| step.version);
    let is_series = one.steps.len() >= 2 && one.steps.iter().all(|step| step.version.is_some());
    is_series
        && times().max() >= Some(TIMES)
        && number.is_none_or(|number| times().min() < Some(number) && times().max() > Some(number))
}

/// The number with which a function is named in its file.
fn number(sources: &Sources, extraction: &Extraction, function: u32) -> Option<u64> {
    let function = extraction.functions.get(function as usize)?;
    let text = sources.get(function.site.source)?.text();
    runners::mentions(text, &function.name).take(MENTIONS).find_map(|at| beside(text, at))
}

/// The time that stands in front of a name within the same brackets: `{Version: 1700000000, Run: name}`.
fn beside(text: &str, at: usize) -> Option<u64> {
    let before = text.get(text.floor_char_boundary(at.saturating_sub(FAR))..at)?;
    let open = before.rfind(['{', '(', '['])?;
    let within = before.get(open + 1..)?;
    if within.contains(['}', ')', ']', ';']) {
        return None;
    }
    let mut numbers = within.split(|one: char| !one.is_ascii_alphanumeric());
    numbers.find_map(|digits| digits.parse().ok().filter(|number| *number >= TIMES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_beside_a_name_is_its_number() {
        let at = |text: &str| beside(text, text.find("fill").unwrap());
        assert_eq!(at("{{Version: 1700000000, Run: fill}}"), Some(1_700_000_000));
        assert_eq!(at("step(1700000000, fill)"), Some(1_700_000_000));
        for text in ["{Version: 7, Run: fill}", "func fill(tx *sql.Tx)", "{1700000000}; run(fill)"] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}

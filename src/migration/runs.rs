//! When each step of a database runs: once, on new databases, at every open; and behind which looks into the catalogue.
//! Told by the configuration, else by what would fail if it ran twice, and by the ways that lead to it in the code.

use super::{
    Declaration, Origin, Runs, Step, mentions, version,
    ways::{Question, Way, Ways},
};
use crate::{
    extract::{self, Extraction},
    source::Sources,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Settles when the steps of a database run.
pub(super) fn settle(sources: &Sources, extraction: &Extraction, declaration: &mut Declaration) {
    let lists: HashSet<&str> =
        extraction.constants.iter().filter(|one| one.is_list).map(|one| one.name.as_str()).collect();
    number_units(&lists, &mut declaration.steps);
    number_units(&lists, &mut declaration.create);
    for step in declaration.steps.iter_mut().chain(&mut declaration.create) {
        let Some(literal) = extraction.literals.get(step.literal) else { continue };
        sources.path(literal.site.source).clone_into(&mut step.home);
        step.is_loose = literal.constant.is_none() && !literal.language.is_sql;
    }
    // What stands beside a series of files creates what they start from.
    let is_guess = declaration.origin == Origin::Guessed;
    if is_guess {
        by_text(&mut declaration.steps);
    }
    let ways = Ways::new(extraction, &declaration.steps).with_creators(sources, extraction);
    if is_guess {
        by_ladder(&ways, &mut declaration.steps);
        by_ways(&ways, &mut declaration.steps);
    }
    set_guards(&ways, &mut declaration.steps);
    for step in declaration.steps.iter_mut().chain(&mut declaration.create) {
        step.sink = ways.sink(step);
        let home = extraction.literals.get(step.literal).map(|literal| literal.site.source);
        (step.wrapped, step.wrapped_by) = ways.wrapped(step, home).unzip();
    }
    let site = |literal: usize| extraction.literals.get(literal).map(|literal| literal.site);
    let said = guesses(&ways, &declaration.steps, is_guess).into_iter();
        step.is_on_old = ways.is_on_old(step);
    declaration.guesses.extend(said.filter_map(|(literal, text)| Some((site(literal)?, text))));
}

/// The functions on the ways that lead to the steps of a database.
pub(super) fn functions(extraction: &Extraction, declaration: &Declaration) -> BTreeSet<u32> {
    let steps = || declaration.steps.iter().chain(&declaration.create);
    let ways = Ways::new(extraction, steps());
    steps().flat_map(|step| ways.of(step)).flat_map(|way| way.0).map(|place| place.function).collect()
}

/// What was told by the ways through the code, and not by a text itself, once for each unit.
fn guesses(ways: &Ways<'_>, steps: &[Step], is_guess: bool) -> Vec<(usize, String)> {
    let mut said: Vec<(usize, String)> = Vec::new();
    let mut seen = HashSet::new();
    for step in steps.iter().filter(|step| ways.places.contains_key(&step.literal)) {
        let is_lenient =
            || !steps.iter().any(|one| one.unit == step.unit && mentions(one.text.as_str()).creates_once);
        let sentence = if let Some(names) = step.unless_words() {
            format!("`{}` runs only where {names} is missing", step.name)
        } else if !is_guess {
            continue;
        } else if !step.is_on_new {
            format!("`{}` does not run on a new database", step.name)
        } else if step.runs == Runs::Create && !step.is_on_old && is_lenient() {
            format!("`{}` runs on a new database alone", step.name)
        } else {
            continue;
        };
        if seen.insert(sentence.clone()) {
            said.push((step.literal, sentence));
        }
    }
    said
}

/// Numbers what runs together: the texts of a list, unless the list is a history of changes.
fn number_units(lists: &HashSet<&str>, steps: &mut [Step]) {
    let mut histories: HashMap<String, bool> = HashMap::new();
    for step in steps.iter().filter(|step| lists.contains(step.name.as_str())) {
        let changes = mentions(step.text.as_str());
        let is_numbered = step.version.is_some_and(|version| version > 0);
        let is_history = !is_numbered && (is_history(&step.name) || changes.alters);
        *histories.entry(step.name.clone()).or_default() |= is_history;
    }
    let mut unit = 0;
    let mut last: Option<String> = None;
    for step in steps {
        let name = Some(step.name.clone()).filter(|name| histories.get(name) == Some(&false));
        if name.is_none() || name != last {
            unit += 1;
        }
        step.unit = unit;
        last = name;
    }
}

/// Whether a list calls itself a history, each element of which is a step of its own.
pub fn is_history(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["migration", "upgrade", "patch", "delta", "evolution", "changes"].iter().any(|word| lower.contains(word))
}

/// Tells by the text of each unit whether it can run more than once.
fn by_text(steps: &mut [Step]) {
    let mut once: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
    for step in steps.iter() {
        let found = mentions(step.text.as_str());
        let own = once.entry(step.unit).or_default();
        own.0 |= found.creates_once;
        own.1 |= found.changes_once;
    }
    // What takes the place of a table is a part of the history, whatever it creates.
    for step in steps.iter_mut().filter(|step| !step.replaces) {
        let (creates, changes) = once.get(&step.unit).copied().unwrap_or_default();
        let is_numbered = step.is_upgrade || step.version.is_some_and(|version| version > 0);
        // What runs the files of a series keeps count of them.
        let is_in_series = extract::is_sql(&step.name)
            || step.version.filter(|version| *version > 0)
                != version(&step.name).filter(|version| *version > 0);
        step.runs = match (is_numbered || is_history(&step.name), creates, changes) {
            (true, false, false) if is_in_series => Runs::Migration,
            (_, false, false) => Runs::Open,
            // A file without a number that creates tables is no step from one version to the next.
            (false, false, true)
                if extract::is_sql(&step.name) && !mentions(step.text.as_str()).created.is_empty() =>
            {
                Runs::Create
            }
            (true, ..) | (false, false, true) => Runs::Migration,
            (false, true, _) => Runs::Create,
        };
    }
}

/// Gives what runs only below a version, or at one, the number of that version: it is a migration, whatever it creates.
/// What runs at none creates a database.
fn by_ladder(ways: &Ways<'_>, steps: &mut [Step]) {
    for step in steps.iter_mut().filter(|step| !step.replaces) {
        let places = ways.places.get(&step.literal).map_or(&[] as &[_], Vec::as_slice);
        // Who passes over that it is there already runs it again and again.
        if !places.is_empty() && places.iter().all(|place| place.is_forgiven) {
            step.runs = Runs::Open;
        }
        let number = places.iter().filter_map(|place| place.version).max();
        if step.runs == Runs::Migration {
            let own = step.version.filter(|own| *own > 0);
            step.version = own.or_else(|| number.filter(|number| *number > 0)).or(step.version);
            continue;
        }
        if let Some(number) = number.filter(|number| *number > 0) {
            (step.runs, step.version) = (Runs::Migration, Some(number));
        } else if number.is_none() && places.iter().any(|place| place.is_below) {
            step.runs = Runs::Migration;
        }
    }
}

/// Tells by the ways that lead to each unit whether new databases alone run it, or all but these.
fn by_ways(ways: &Ways<'_>, steps: &mut [Step]) {
    let creating = ways.creating(steps);
    if creating.is_empty() {
        return;
    }
    for step in steps.iter_mut().filter(|step| !step.replaces) {
        let own = ways.of(step);
        if own.is_empty() {
            continue;
        }
        let is_creating = |way: &Way<'_>| way.frames().any(|frame| creating.contains(&frame));
        let is_apart = |way: &Way<'_>| {
            !is_creating(way)
                && way.arms().any(|(function, (fork, arm))| {
                    creating.iter().any(|(other, own)| {
                        *other == function && own.is_some_and(|(with, than)| with == fork && than != arm)
                    })
                })
        };
        if own.iter().all(is_creating) {
            step.runs = Runs::Create;
        } else if step.runs != Runs::Create {
            step.is_on_new = !own.iter().all(is_apart);
        }
    }
}

/// Notes the looks into the catalogue that keep a step from running: those for what it makes itself, with the steps
/// behind the same look.
fn set_guards(ways: &Ways<'_>, steps: &mut [Step]) {
    let mut made: BTreeMap<Question<'_>, BTreeSet<String>> = BTreeMap::new();
    let guards: Vec<Option<Question<'_>>> = steps.iter().map(|step| ways.guard(step)).collect();
    for (step, question) in steps.iter().zip(&guards) {
        if let Some(question) = question {
            let found = mentions(step.text.as_str());
            made.entry(*question).or_default().extend(found.created.into_iter().chain(found.indexes));
        }
    }
    for (step, guard) in steps.iter_mut().zip(guards) {
        let Some(question) = guard else { continue };
        let names: Vec<String> = question.2.iter().map(|name| name.to_lowercase()).collect();
        if made.get(&question).is_some_and(|made| names.iter().all(|name| made.contains(name))) {
            step.unless = names;
        }
    }
}

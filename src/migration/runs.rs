//! When each step of a database runs: once, on new databases, at every open; and behind which looks into the catalogue.
//! Told by the configuration, else by what would fail if it ran twice, and by the ways that lead to it in the code.

use super::{
    Declaration, Mentions, Origin, Runs, Step, mentions, outdated, rebuilds, remade, starts, straight,
    unchecked, unnamed, version,
    ways::{Frame, Question, Way, Ways},
};
use crate::{
    extract::{self, Extraction},
    source::{Site, Sources},
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
        outdated::leave_out(extraction, &ways, declaration);
        straight::together(&ways, &mut declaration.steps);
        straight::put_on_new(&ways, &mut declaration.steps);
        by_ladder(&ways, &mut declaration.steps);
        by_ways(&ways, &mut declaration.steps, declaration.create.is_empty());
        if climb(&ways, &mut declaration.steps) {
            number_units(&lists, &mut declaration.steps);
        }
        remade::follow(&ways, &mut declaration.steps);
    }
    set_guards(&ways, &mut declaration.steps);
    for step in declaration.steps.iter_mut().chain(&mut declaration.create) {
        step.sink = ways.sink(step);
        let home = extraction.literals.get(step.literal).map(|literal| literal.site.source);
        step.is_on_old = ways.is_on_old(step);
        step.choice = ways.choice(step);
        (step.wrapped, step.wrapped_by) = ways.wrapped(step, home).unzip();
    }
    if is_guess {
        fill(&mut declaration.steps);
        starts::record(extraction, &mut declaration.steps);
    }
    straight::number(&ways, &mut declaration.steps);
    unchecked::mark(extraction, &ways, &mut declaration.steps);
    let site = |literal: usize| extraction.literals.get(literal).map(|literal| literal.site);
    let said = guesses(&ways, &declaration.steps, is_guess).into_iter();
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
            || !steps.iter().any(|one| one.unit == step.unit && runs_once(&mentions(one.text.as_str())));
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

/// Whether a text says itself that it runs once.
const fn runs_once(found: &Mentions) -> bool {
    found.creates_once || found.changes_once
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

/// What the texts of one unit do.
#[derive(Clone, Copy, Default)]
struct Deeds {
    /// They make a table that must not be there.
    creates_once: bool,
    /// They would fail a second time for another reason.
    changes_once: bool,
    /// They put rows in, each time anew.
    adds_rows: bool,
    /// They make tables, and neither alter nor drop any.
    only_makes: bool,
    /// They make tables anew that are there already, and no other.
    only_rebuilds: bool,
}

impl Deeds {
    fn of(text: &str) -> Self {
        let found = mentions(text);
        Self {
            creates_once: found.creates_once,
            changes_once: found.changes_once,
            adds_rows: found.adds_rows,
            only_makes: found.makes_table && !found.alters && !found.drops_table,
            only_rebuilds: rebuilds::only_rebuilds(text),
        }
    }
}

/// Tells by the text of each unit whether it can run more than once.
fn by_text(steps: &mut [Step]) {
    let mut units: BTreeMap<usize, Vec<&Step>> = BTreeMap::new();
    for step in steps.iter() {
        units.entry(step.unit).or_default().push(step);
    }
    let deeds = |steps: &Vec<&Step>| {
        let whole: String = steps.iter().flat_map(|step| [step.text.as_str(), ";\n"]).collect();
        Deeds::of(&whole)
    };
    let units: BTreeMap<usize, Deeds> = units.iter().map(|(unit, steps)| (*unit, deeds(steps))).collect();
    let of = |step: &Step| units.get(&step.unit).copied().unwrap_or_default();
    let numbered = || steps.iter().filter(|step| is_numbered(step));
    let ladders: BTreeSet<(String, String)> =
        numbered().filter_map(|step| changing(step, of(step))).collect();
    // Where others go from one version to the next, a text is run once that says which it makes, or puts rows in.
    let has_ladder = numbered().any(|step| changing(step, of(step)).is_some());
    let is_rung = |step: &Step| kind(step).is_some_and(|kind| ladders.contains(&kind));
    // A list that alters tables is a history, whatever it is called.
    let altering = steps.iter().filter(|step| step.list.is_some() && mentions(step.text.as_str()).alters);
    let histories: HashSet<Site> = altering.filter_map(|step| step.list).collect();
    // What takes the place of a table is a part of the history, whatever it creates.
    for step in steps.iter_mut().filter(|step| !step.replaces) {
        let Deeds { creates_once, changes_once, adds_rows, only_makes, only_rebuilds } = of(step);
        let is_first = has_ladder && (adds_rows || (only_makes && sets_version(step.text.as_str())));
        // What runs the files of a series keeps count of them.
        let is_counted = || {
            extract::is_sql(&step.name)
                || step.version.filter(|version| *version > 0)
                    != version(&step.name).filter(|version| *version > 0)
                || is_rung(step)
        };
        let is_in_history = step.list.is_some_and(|list| histories.contains(&list));
        step.runs = match (
            is_numbered(step) || is_history(&step.name) || is_in_history,
            creates_once,
            changes_once || is_first,
        ) {
            (true, false, false) if is_counted() => Runs::Migration,
            (_, false, false) => Runs::Open,
            (false, true, _) if only_rebuilds => Runs::Migration,
            // What has no number and makes tables is no step from one version to the next, whatever else it puts on them.
            (false, false, true)
                if only_makes
                    || extract::is_sql(&step.name) && !mentions(step.text.as_str()).created.is_empty() =>
            {
                Runs::Create
            }
            (true, ..) | (false, false, true) => Runs::Migration,
            // Of steps that are named alike, the one of number 0 is the first.
            (false, true, _) if version(&step.name) == Some(0) && is_rung(step) => Runs::Migration,
            (false, true, _) => Runs::Create,
        };
    }
}

pub(super) fn is_numbered(step: &Step) -> bool {
    step.is_upgrade || step.version.is_some_and(|version| version > 0)
}

/// What the names of the steps of one ladder have in common: all but their numbers.
fn kind(step: &Step) -> Option<(String, String)> {
    let kind = unnamed::kind(&step.name).filter(|_| !extract::is_sql(&step.name))?;
    Some((step.home.clone(), kind))
}

/// The ladder of a step that can run but once.
fn changing(step: &Step, deeds: Deeds) -> Option<(String, String)> {
    kind(step).filter(|_| deeds.creates_once || deeds.changes_once)
}

/// Whether a text sets the version of the database that it makes.
fn sets_version(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let behind = lower.split("user_version").skip(1);
    behind.map(str::trim_start).any(|behind| behind.starts_with(['=', '(']))
}

/// Gives what runs only below a version, or at one, the number of that version: it is a migration, whatever it creates.
/// What runs at none creates a database.
fn by_ladder(ways: &Ways<'_>, steps: &mut [Step]) {
    for step in steps.iter_mut().filter(|step| !step.replaces) {
        let places = ways.places.get(&step.literal).map_or(&[] as &[_], Vec::as_slice);
        // Who passes over that it is there already runs it again and again.
        if ways.is_forgiven(step) {
            step.runs = Runs::Open;
        }
        let number = places.iter().filter_map(|place| place.version).max().or_else(|| ways.rung(step));
        if step.runs == Runs::Migration {
            step.is_in_creation |= !places.is_empty() && places.iter().all(|place| place.answers_query);
            let own = step.version.filter(|own| *own > 0);
            step.version = own.or_else(|| number.filter(|number| *number > 0)).or(step.version);
            continue;
        }
        if let Some(number) = number.filter(|number| *number > 0) {
            (step.runs, step.version) = (Runs::Migration, Some(number));
            step.is_in_creation =
                !mentions(step.text.as_str()).created.is_empty() && ways.is_beside_ladder(step);
        } else if number.is_none() && places.iter().any(|place| place.is_below) {
            step.runs = Runs::Migration;
        }
    }
    fill(steps);
}

/// Puts steps of functions that one ladder calls in the order of its numbers, whatever file each stands in; whether that is
/// another one.
fn climb(ways: &Ways<'_>, steps: &mut [Step]) -> bool {
    let place = |step: &Step| (step.home.clone(), step.name.clone());
    let called = steps.iter().filter(|step| step.is_loose && ways.rung(step).is_some());
    let functions: BTreeSet<(String, String)> = called.map(place).collect();
    let is_rung =
        |step: &Step| step.is_loose && step.runs == Runs::Migration && functions.contains(&place(step));
    let places: Vec<usize> = (0..).zip(&*steps).filter(|(_, step)| is_rung(step)).map(|(at, _)| at).collect();
    let rungs: Vec<Step> = places.iter().filter_map(|&at| steps.get(at)).cloned().collect();
    // A rung whose number is not read stands behind the one that the text has in front of it.
    let mut reached: BTreeMap<(String, String), Option<u64>> = BTreeMap::new();
    let mut ranks: Vec<Option<u64>> = Vec::new();
    for step in &rungs {
        let rank = reached.entry(place(step)).or_default();
        *rank = step.rank().or(*rank);
        ranks.push(*rank);
    }
    if ranks.is_sorted() {
        return false;
    }
    let mut ranked: Vec<(Option<u64>, Step)> = ranks.into_iter().zip(rungs).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let rungs = ranked.into_iter().map(|(_, step)| step);
    for (at, rung) in places.into_iter().zip(rungs) {
        if let Some(step) = steps.get_mut(at) {
            *step = rung;
        }
    }
    true
}

/// Gives what moves rows within a function that makes a table anew the time, the number and the transaction of what stands in
/// front of it.
fn fill(steps: &mut [Step]) {
    let mut last: Option<Step> = None;
    for step in steps.iter_mut().filter(|step| step.is_loose && !step.replaces) {
        let is_its = |one: &&Step| one.home == step.home && one.name == step.name;
        let before = last.as_ref().filter(is_its).filter(|_| !mentions(step.text.as_str()).has_ddl);
        if let Some(before) = before {
            (step.runs, step.version) = (before.runs, before.version);
            (step.wrapped, step.wrapped_by) = (before.wrapped, before.wrapped_by);
        }
        last = Some(step.clone());
    }
}

/// Tells by the ways that lead to each unit whether new databases alone run it, or all but these; `are_all`: nothing else
/// makes a database.
fn by_ways(ways: &Ways<'_>, steps: &mut [Step], are_all: bool) {
    let creating = ways.creating(steps, are_all);
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
                && way.arms().any(|(function, (fork, arm), is_numbered)| {
                    let is_alone = !is_numbered || ways.parts_in_two(function, fork);
                    let is_other = |frame: &Frame| {
                        frame.0 == function && frame.1.is_some_and(|(with, than)| with == fork && than != arm)
                    };
                    is_alone && creating.iter().any(is_other)
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

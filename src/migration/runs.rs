//! When each step of a database runs: once, on new databases, at every open; and behind which looks into the catalogue.
//! Told by the configuration, else by what would fail if it ran twice, and by the ways that lead to it in the code.

use super::{Declaration, Origin, Runs, Step, mentions, version};
use crate::{
    extract::{self, Element, Extraction, Setup, What, languages::SinkKind},
    source::{Site, SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The most ways that are followed to one step, and the most functions on one.
const WAYS: usize = 64;
const APART: usize = 5;

/// A part of a function: one arm of it, or all.
type Frame = (u32, Option<(usize, usize)>);

/// An arm of a function that is chosen by a look into the catalogue, and the names that are looked for.
type Question<'a> = (u32, (usize, usize), &'a [String]);

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
    declaration.guesses = said.filter_map(|(literal, text)| Some((site(literal)?, text))).collect();
}

/// The functions on the ways that lead to the steps of a database.
pub(super) fn functions(extraction: &Extraction, declaration: &Declaration) -> BTreeSet<u32> {
    let steps: Vec<Step> = declaration.steps.iter().chain(&declaration.create).cloned().collect();
    let ways = Ways::new(extraction, &steps);
    steps.iter().flat_map(|step| ways.of(step)).flat_map(|way| way.0).map(|place| place.function).collect()
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
        } else if step.runs == Runs::Create && is_lenient() {
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
fn is_history(name: &str) -> bool {
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

/// The ways that lead to the steps of a schema.
struct Ways<'a> {
    /// The places at which a literal is run.
    places: HashMap<usize, Vec<&'a Setup>>,
    /// The calls of a function.
    callers: HashMap<u32, Vec<&'a Setup>>,
    /// The functions that a framework calls on a new database alone.
    creators: HashSet<u32>,
}

/// One way: the places on it, the last first.
struct Way<'a>(Vec<&'a Setup>);

impl<'a> Way<'a> {
    /// The parts of functions that the way leads through.
    fn frames(&self) -> impl Iterator<Item = Frame> {
        self.0.iter().flat_map(|place| {
            let arms = place.arms.iter().map(|way| (place.function, Some(way.arm)));
            arms.chain([(place.function, None)])
        })
    }

    /// The arms beside which others are not taken in the same call.
    fn arms(&self) -> impl Iterator<Item = (u32, (usize, usize))> {
        let apart = |place: &&'a Setup| {
            let place = *place;
            place.arms.iter().filter(|way| way.is_apart).map(|way| (place.function, way.arm))
        };
        self.0.iter().flat_map(move |place| apart(place))
    }

    /// Whether a transaction is open at its end, and where that is told: who opens one may stand anywhere on the way.
    fn wrapped(&self) -> Option<(bool, Site)> {
        let last = self.0.first()?;
        let sink = last.sink.as_ref().map(|(name, _)| name.as_str());
        // A transaction of who calls what opens the database is one of another connection, and a script of Python ends it.
        let is_last = |place: &&Setup| place.opens || sink == Some("executescript");
        let end = self.0.iter().position(is_last).map_or(self.0.len(), |at| at + 1);
        let open = self.0.iter().take(end).find(|place| place.in_transaction == Some(true));
        let is_bare = sink.is_some() && last.in_transaction == Some(false);
        open.map(|place| (true, place.site)).or_else(|| is_bare.then_some((false, last.site)))
    }

    fn is_in_memory(&self) -> bool {
        self.0.iter().any(|place| place.in_memory)
    }

    fn asked(&self) -> impl Iterator<Item = Question<'a>> {
        let of = |place: &'a Setup| {
            let asks = place.arms.iter().filter(|way| !way.asked.is_empty());
            asks.map(|way| (place.function, way.arm, way.asked.as_slice()))
        };
        self.0.iter().flat_map(move |place| of(place))
    }
}

impl<'a> Ways<'a> {
    fn new(extraction: &'a Extraction, steps: &[Step]) -> Self {
        let names = names_of(extraction, steps);
        let mut places: HashMap<usize, Vec<&Setup>> = HashMap::new();
        let mut callers: HashMap<u32, Vec<&Setup>> = HashMap::new();
        for setup in &extraction.setups {
            match &setup.what {
                What::Literal(literal) => places.entry(*literal).or_default().push(setup),
                What::Call(function) => callers.entry(*function).or_default().push(setup),
                What::Constant(name) => {
                    for literal in names.get(name.as_str()).into_iter().flatten() {
                        places.entry(*literal).or_default().push(setup);
                    }
                }
            }
        }
        Self { places, callers, creators: HashSet::new() }
    }

    /// The same, with the functions by whose names a framework creates databases.
    fn with_creators(self, sources: &Sources, extraction: &Extraction) -> Self {
        let is_creator = |one: &extract::Function| {
            let language = extract::languages::of(sources.path(one.site.source));
            language.is_some_and(|language| language.creates.contains(&one.name.as_str()))
        };
        let numbers = (0..).zip(&extraction.functions).filter(|(_, one)| is_creator(one));
        Self { creators: numbers.map(|(number, _)| number).collect(), ..self }
    }

    /// The ways to a step; none where the code shows none.
    fn of(&self, step: &Step) -> Vec<Way<'a>> {
        let mut done = Vec::new();
        let mut open: Vec<Vec<&Setup>> =
            self.places.get(&step.literal).into_iter().flatten().map(|place| vec![*place]).collect();
        while let Some(way) = open.pop() {
            let top = way.last().map_or(0, |place| place.function);
            let is_known = |setup: &&&Setup| way.iter().any(|place| place.function == setup.function);
            let above: Vec<&Setup> =
                self.callers.get(&top).into_iter().flatten().filter(|one| !is_known(one)).copied().collect();
            if above.is_empty() || way.len() >= APART || done.len() + open.len() >= WAYS {
                done.push(Way(way));
                continue;
            }
            for caller in above {
                open.push(way.iter().copied().chain([caller]).collect());
            }
        }
        // What opens a database in memory says nothing of those on disk.
        if done.iter().any(|way| !way.is_in_memory()) {
            done.retain(|way| !way.is_in_memory());
        }
        done
    }

    /// The parts of functions that run on new databases alone: what stands around the steps that can run only once.
    fn creating(&self, steps: &[Step]) -> HashSet<Frame> {
        let first = steps.iter().find(|step| mentions(step.text.as_str()).creates_once);
        let is_first =
            |step: &&Step| step.runs == Runs::Create || first.is_some_and(|first| first.unit == step.unit);
        let mut frames = HashSet::new();
        let named = steps.iter().filter(|step| mentions(step.text.as_str()).creates_once);
        for place in named.flat_map(|step| self.of(step)).flat_map(|way| way.0) {
            if self.creators.contains(&place.function) {
                frames.insert((place.function, None));
            }
        }
        for step in steps.iter().filter(is_first).filter(|step| mentions(step.text.as_str()).creates_once) {
            for way in self.of(step) {
                // Up to the arm that is taken for new databases; without one, nothing shows when it runs.
                // What comes behind an early return may have any reason.
                let arm = |place: &Setup| place.arms.iter().find(|way| !way.is_behind).map(|way| way.arm);
                let end = way.0.iter().position(|place| arm(place).is_some());
                let Some(end) = end else { continue };
                for place in way.0.iter().take(end + 1) {
                    frames.insert((place.function, arm(place)));
                }
            }
        }
        frames
    }

    /// What runs a step, if all that run it are of one kind.
    fn sink(&self, step: &Step) -> Option<(String, SinkKind)> {
        let mut sinks = self.places.get(&step.literal)?.iter().map(|place| place.sink.as_ref());
        let first = sinks.next()??;
        sinks.all(|other| other.is_some_and(|(_, kind)| *kind == first.1)).then(|| first.clone())
    }

    /// Whether a transaction is open where a step is run, if all ways to it agree. Where its own file runs it, others that do
    /// may mean another text of that name.
    fn wrapped(&self, step: &Step, home: Option<SourceId>) -> Option<(bool, Site)> {
        let mut ways = self.of(step);
        let is_home = |way: &Way<'_>| way.0.first().map(|place| place.site.source) == home;
        if ways.iter().any(is_home) {
            ways.retain(is_home);
        }
        let mut each = ways.iter().map(Way::wrapped);
        let first = each.next()??;
        each.all(|other| other.is_some_and(|other| other.0 == first.0)).then_some(first)
    }

    /// The names by which it is decided whether a step runs, on every way that leads to it.
    fn guard(&self, step: &Step) -> Option<Question<'a>> {
        let ways = self.of(step);
        let mut shared: Option<Vec<Question<'_>>> = None;
        for way in &ways {
            let own: Vec<Question<'_>> = way.asked().collect();
            shared = Some(match shared {
                None => own,
                Some(before) => before.into_iter().filter(|question| own.contains(question)).collect(),
            });
        }
        shared?.first().copied()
    }
}

/// The literals of these steps, by the constants that stand for them, directly or through other names.
fn names_of<'a>(extraction: &'a Extraction, steps: &[Step]) -> HashMap<&'a str, BTreeSet<usize>> {
    let wanted: HashSet<usize> = steps.iter().map(|step| step.literal).collect();
    let mut names: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for _ in 0..4 {
        for constant in &extraction.constants {
            let mut own: BTreeSet<usize> = BTreeSet::new();
            for element in &constant.elements {
                match element {
                    Element::Literal(literal) => {
                        own.extend(Some(*literal).filter(|one| wanted.contains(one)));
                    }
                    Element::Name(name) => own.extend(names.get(name.as_str()).into_iter().flatten()),
                }
            }
            names.entry(constant.name.as_str()).or_default().extend(own);
        }
    }
    names
}

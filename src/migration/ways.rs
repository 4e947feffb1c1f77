//! The ways through the code that lead to the steps of a database: which functions, and which arms of them. Knows what the
//! extraction saw of calls; what a way means is for who asks.

use super::{Runs, Step, mentions};
use crate::{
    extract::{self, Element, Extraction, Role, Setup, What, languages::SinkKind},
    source::{Site, SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The most ways that are followed to one step, and the most functions on one.
const WAYS: usize = 64;
const APART: usize = 5;

/// A part of a function: one arm of it, or all.
pub(super) type Frame = (u32, Option<(usize, usize)>);

/// A straight line through a function: the function, and the arms that lead there.
pub(super) type Line = (u32, Vec<(usize, usize)>);

/// An arm of a function that is chosen by a look into the catalogue, and the names that are looked for.
pub(super) type Question<'a> = (u32, (usize, usize), &'a [String]);

/// The ways that lead to the steps of a schema.
pub(super) struct Ways<'a> {
    /// The places at which a literal is run.
    pub places: HashMap<usize, Vec<&'a Setup>>,
    /// The calls of a function.
    callers: HashMap<u32, Vec<&'a Setup>>,
    /// The functions that a framework calls on a new database alone.
    creators: HashSet<u32>,
    /// The functions that choose what to run by several numbers.
    ladders: HashSet<u32>,
    /// The literals that upgrades run once more, which new databases are made with.
    again: HashSet<usize>,
    /// The functions that are called from a list, by whom is not known.
    listed: HashSet<u32>,
    /// The arms of each fork of a function that lead to steps, and whether a number must be less than another for each.
    forks: HashMap<(u32, usize), BTreeMap<usize, bool>>,
    /// The functions that are called again and again, by a loop or by themselves.
    repeated: HashSet<u32>,
}

/// One way: the places on it, the last first.
pub(super) struct Way<'a>(pub Vec<&'a Setup>);

impl<'a> Way<'a> {
    /// The parts of functions that the way leads through.
    pub fn frames(&self) -> impl Iterator<Item = Frame> {
        self.0.iter().flat_map(|place| {
            let arms = place.arms.iter().map(|way| (place.function, Some(way.arm)));
            arms.chain([(place.function, None)])
        })
    }

    /// The arms beside which others are not taken in the same call, and whether a number chooses.
    pub fn arms(&self) -> impl Iterator<Item = (u32, (usize, usize), bool)> {
        let apart = |place: &&'a Setup| {
            let place = *place;
            let arms = place.arms.iter().filter(|way| way.is_apart);
            arms.map(|way| (place.function, way.arm, way.is_numbered))
        };
        self.0.iter().flat_map(move |place| apart(place))
    }

    /// Whether a transaction is open at its end, and where that is told: who opens one may stand anywhere on the way.
    pub fn wrapped(&self) -> Option<(bool, Site)> {
        let last = self.0.first()?;
        let sink = last.sink.as_ref().map(|(name, _)| name.as_str());
        // A transaction of who calls what opens the database is one of another connection, and a script of Python ends it.
        let is_last = |place: &&Setup| place.opens || sink == Some("executescript");
        let end = self.0.iter().position(is_last).map_or(self.0.len(), |at| at + 1);
        let open = self.0.iter().take(end).find(|place| place.in_transaction == Some(true));
        let is_bare = sink.is_some() && last.in_transaction == Some(false);
        open.map(|place| (true, place.site)).or_else(|| is_bare.then_some((false, last.site)))
    }

    pub fn is_in_memory(&self) -> bool {
        self.0.iter().any(|place| place.in_memory)
    }

    pub fn asked(&self) -> impl Iterator<Item = Question<'a>> {
        let of = |place: &'a Setup| {
            let asks = place.arms.iter().filter(|way| !way.asked.is_empty());
            asks.map(|way| (place.function, way.arm, way.asked.as_slice()))
        };
        self.0.iter().flat_map(move |place| of(place))
    }
}

impl<'a> Ways<'a> {
    pub fn new<'s>(extraction: &'a Extraction, steps: impl IntoIterator<Item = &'s Step>) -> Self {
        let names = names_of(extraction, steps);
        let mut places: HashMap<usize, Vec<&Setup>> = HashMap::new();
        let mut callers: HashMap<u32, Vec<&Setup>> = HashMap::new();
        let (again, setups): (Vec<&Setup>, Vec<&Setup>) =
            extraction.setups.iter().partition(|one| one.is_again);
        let mut forks: HashMap<(u32, usize), BTreeMap<usize, bool>> = HashMap::new();
        let mut repeated: HashSet<u32> = HashSet::new();
        for setup in setups {
            for way in &setup.arms {
                forks.entry((setup.function, way.arm.0)).or_default().insert(way.arm.1, way.is_below);
            }
            match &setup.what {
                What::Literal(literal) => places.entry(*literal).or_default().push(setup),
                What::Call(function) => {
                    repeated.extend(Some(*function).filter(|_| setup.is_repeated));
                    callers.entry(*function).or_default().push(setup);
                }
                What::Constant(name) => {
                    for literal in names.get(name.as_str()).into_iter().flatten() {
                        places.entry(*literal).or_default().push(setup);
                    }
                }
            }
        }
        let of_constant = |setup: &&Setup| {
            let What::Constant(name) = &setup.what else { return None };
            names.get(name.as_str())
        };
        let again = again.iter().filter_map(of_constant).flatten().copied().collect();
        let numbered = (0..).zip(&extraction.functions);
        let listed = numbered.filter(|(_, one)| one.is_listed()).map(|(number, _)| number).collect();
        Self {
            places,
            callers,
            creators: HashSet::new(),
            ladders: ladders(extraction),
            again,
            listed,
            forks,
            repeated,
        }
    }

    /// The same, with the functions by whose names a framework creates databases.
    pub fn with_creators(self, sources: &Sources, extraction: &Extraction) -> Self {
        let is_creator = |one: &extract::Function| {
            let language = extract::languages::of(sources.path(one.site.source));
            language.is_some_and(|language| language.creates.contains(&one.name.as_str()))
        };
        let numbers = (0..).zip(&extraction.functions).filter(|(_, one)| is_creator(one));
        Self { creators: numbers.map(|(number, _)| number).collect(), ..self }
    }

    /// Whether a fork of a function leads to steps by two arms alone, one for whatever is below a version, and is come to once in
    /// an opening: `if version == 0 { … } else if version < 3 { … }`. Of more, each may be the next for a caller that comes back.
    pub fn parts_in_two(&self, function: u32, fork: usize) -> bool {
        let arms = self.forks.get(&(function, fork));
        let is_pair =
            arms.is_some_and(|arms| arms.len() == 2 && arms.values().filter(|below| **below).count() < 2);
        is_pair && !self.repeated.contains(&function)
    }

    /// Whether an upgrade runs a step, too, that new databases are made with.
    pub fn is_on_old(&self, step: &Step) -> bool {
        self.again.contains(&step.literal)
    }

    /// Whether all that runs a step passes over its failure.
    pub fn is_forgiven(&self, step: &Step) -> bool {
        let places = self.places.get(&step.literal).map_or(&[] as &[_], Vec::as_slice);
        !places.is_empty() && places.iter().all(|place| place.is_forgiven)
    }

    /// The ways to a step; none where the code shows none.
    pub fn of(&self, step: &Step) -> Vec<Way<'a>> {
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

    /// The line on which a text runs, where that is at one place.
    pub fn line(&self, step: &Step) -> Option<Line> {
        let [place] = self.places.get(&step.literal)?.as_slice() else { return None };
        Some((place.function, place.arms.iter().map(|way| way.arm).collect()))
    }

    /// The innermost fork of the function that runs a step, where that is at one place, and the arm of it: neither a version nor a look
    /// into the catalogue chooses.
    pub fn choice(&self, step: &Step) -> Option<(u32, usize, usize)> {
        let [place] = self.places.get(&step.literal)?.as_slice() else { return None };
        let way = place.arms.first()?;
        let is_free = !way.is_numbered && !way.is_below && way.asked.is_empty() && way.held.is_empty();
        (is_free && place.version.is_none()).then_some((place.function, way.arm.0, way.arm.1))
    }

    /// Whether a way leads to a step on which no version is asked for, or that of a database that is not made yet.
    pub fn is_beside_ladder(&self, step: &Step) -> bool {
        let is_free = |place: &&Setup| !place.is_below && place.version.is_none_or(|version| version == 0);
        self.of(step).iter().any(|way| way.0.iter().all(is_free))
    }

    /// The number by which the functions are called that lead to a step, where each way to it has one.
    pub fn rung(&self, step: &Step) -> Option<u64> {
        let number = |way: &Way<'_>| {
            let mut calls = way.0.iter().filter(|place| self.ladders.contains(&place.function));
            calls.find_map(|place| place.version)
        };
        let numbers: Option<Vec<u64>> = self.of(step).iter().map(number).collect();
        numbers?.into_iter().max()
    }

    /// The parts of functions that run on new databases alone: what stands around the steps that can run only once. Where
    /// these are not all that makes a database, the first of them need not be.
    pub fn creating(&self, steps: &[Step], are_all: bool) -> HashSet<Frame> {
        let is_once = |step: &&Step| {
            let found = mentions(step.text.as_str());
            found.creates_once || (step.runs == Runs::Create && found.makes_table)
        };
        let named: Vec<&Step> = steps.iter().filter(is_once).collect();
        let is_behind = |step: &Step| {
            let before = steps.iter().take_while(|one| one.unit != step.unit);
            step.runs == Runs::Migration
                && before.into_iter().any(|one| one.runs == Runs::Migration && one.rank() < step.rank())
        };
        // What versions come before does not make a new database.
        let first = named.first().filter(|step| are_all && !is_behind(step)).map(|step| step.unit);
        let mut frames = HashSet::new();
        for step in named {
            let is_first = step.runs == Runs::Create || first == Some(step.unit);
            for way in self.of(step) {
                let made = way.0.iter().filter(|place| self.creators.contains(&place.function));
                frames.extend(made.map(|place| (place.function, None)));
                // Up to the arm that is taken for new databases; without one, nothing shows when it runs.
                // What comes behind an early return may have any reason.
                let arm = |place: &Setup| place.arms.iter().find(|way| !way.is_behind).map(|way| way.arm);
                let end = way.0.iter().position(|place| arm(place).is_some()).filter(|_| is_first);
                let Some(end) = end else { continue };
                for place in way.0.iter().take(end + 1) {
                    frames.insert((place.function, arm(place)));
                }
            }
        }
        frames
    }

    /// What runs a step, if all that run it are of one kind.
    pub fn sink(&self, step: &Step) -> Option<(String, SinkKind)> {
        let mut sinks = self.places.get(&step.literal)?.iter().map(|place| place.sink.as_ref());
        let first = sinks.next()??;
        sinks.all(|other| other.is_some_and(|(_, kind)| *kind == first.1)).then(|| first.clone())
    }

    /// Whether a transaction is open where a step is run, if all ways to it agree. Where its own file runs it, others that do
    /// may mean another text of that name.
    pub fn wrapped(&self, step: &Step, home: Option<SourceId>) -> Option<(bool, Site)> {
        let mut ways = self.of(step);
        let is_home = |way: &Way<'_>| way.0.first().map(|place| place.site.source) == home;
        if ways.iter().any(is_home) {
            ways.retain(is_home);
        }
        // Who goes through a list may have opened one.
        let is_listed =
            |way: &Way<'_>| way.0.last().is_some_and(|place| self.listed.contains(&place.function));
        let mut each =
            ways.iter().map(|way| way.wrapped().filter(|(is_open, _)| *is_open || !is_listed(way)));
        let first = each.next()??;
        each.all(|other| other.is_some_and(|other| other.0 == first.0)).then_some(first)
    }

    /// The names by which it is decided whether a step runs, on every way that leads to it.
    pub fn guard(&self, step: &Step) -> Option<Question<'a>> {
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

/// The functions that call others, or run texts, by more than one number, as the versions of a database.
pub(super) fn ladders(extraction: &Extraction) -> HashSet<u32> {
    let mut numbers: HashMap<u32, BTreeSet<u64>> = HashMap::new();
    let migrates = |function: u32| {
        extraction.functions.get(function as usize).is_some_and(|one| one.role == Role::Migration)
    };
    for setup in extraction.setups.iter().filter(|one| one.is_below || migrates(one.function)) {
        numbers.entry(setup.function).or_default().extend(setup.version);
    }
    numbers.into_iter().filter(|(_, numbers)| numbers.len() > 1).map(|(function, _)| function).collect()
}

/// The literals of these steps, by the constants that stand for them, directly or through other names.
fn names_of<'a, 's>(
    extraction: &'a Extraction,
    steps: impl IntoIterator<Item = &'s Step>,
) -> HashMap<&'a str, BTreeSet<usize>> {
    let wanted: HashSet<usize> = steps.into_iter().map(|step| step.literal).collect();
    let mut names: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    let mut places: HashMap<Site, BTreeSet<usize>> = HashMap::new();
    for _ in 0..4 {
        for constant in &extraction.constants {
            let mut own: BTreeSet<usize> = BTreeSet::new();
            for element in &constant.elements {
                match element {
                    Element::Literal(literal) => {
                        own.extend(Some(*literal).filter(|one| wanted.contains(one)));
                    }
                    Element::Name(name) => own.extend(names.get(name.as_str()).into_iter().flatten()),
                    Element::Constant(place) => own.extend(places.get(place).into_iter().flatten()),
                    Element::Function(_) => {}
                }
            }
            places.entry(constant.site).or_default().extend(&own);
            names.entry(constant.name.as_str()).or_default().extend(own);
        }
    }
    names
}

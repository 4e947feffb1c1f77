//! Where the steps of a schema are run: by which functions, on which ways through them, and behind which looks into
//! the catalogue. Whether that means a new database or each open is for who knows the steps.

use super::{Collector, asking::Asking, is_test};
use crate::{
    extract::{
        Constant, Element, Found,
        code::Code,
        flow::{Arm, Flow},
        fold::{Spot, Unit},
        languages::SinkKind,
        lexer::{Kind, Token},
        roles::Groups,
        sketch::{CallSketch, NOWHERE},
        sql::makes_schema,
        words::Words,
    },
    source::Site,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// How far callers of what runs a step are followed.
const APART: usize = 4;

/// What is run at a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A text, as an index of the literals.
    Literal(usize),
    /// The texts that a constant stands for, by its name.
    Constant(String),
    /// A function that runs some, by its number.
    Call(u32),
}

/// A place at which steps of a schema are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The function that it stands in, by its number.
    pub function: u32,
    /// What is run.
    pub what: What,
    /// Where.
    pub site: Site,
    /// The arms that lead there, from the inside out.
    pub arms: Vec<Way>,
    /// Whether an error there is passed over.
    pub is_forgiven: bool,
    /// Whether it alters a table where a query of one failed, of whatever age the database is.
    pub answers_query: bool,
    /// The call that runs the texts, and how it treats one of several statements; `None` where it was not found.
    pub sink: Option<(String, SinkKind)>,
    /// Whether a transaction is open there, as names and texts tell; `None` where nothing does.
    pub in_transaction: Option<bool>,
    /// Whether the function opens a database, as names of calls tell.
    pub opens: bool,
    /// Whether something must be less than something else for its innermost arm, as the version of a database than that of a
    /// step.
    pub is_below: bool,
    /// Whether a loop of the function is around it, or what it calls is the function itself: it comes again in one opening.
    pub is_repeated: bool,
    /// The number that decides for that arm: of a comparison, or of an arm of a `match`.
    pub version: Option<u64>,
    /// Whether the function opens a database in memory, which is always a new one.
    pub in_memory: bool,
    /// Whether it runs a constant once more that what makes a new database runs, for databases that were made before it.
    pub is_again: bool,
}

/// An arm that leads to a place. Numbers mean something within one function alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The fork, and the arm of it.
    pub arm: (usize, usize),
    /// Whether the other arms of the fork are not taken in the same call: no loop comes back to it, and no number chooses, but for
    /// one that something must be less than.
    pub is_apart: bool,
    /// Whether a number chooses.
    pub is_numbered: bool,
    /// Whether it must be less than another.
    pub is_below: bool,
    /// Whether the arm is what comes behind one that leaves the function.
    pub is_behind: bool,
    /// The names in the catalogue by which it is chosen; empty where it has another reason.
    pub asked: Vec<String>,
    /// The pieces of declarations by which it is chosen, that the catalogue must hold.
    pub held: Vec<String>,
}

/// A step of a schema, or a call of what runs some, in the function of a number.
struct Step {
    function: u32,
    spot: Spot,
    at: usize,
    what: What,
    is_again: bool,
}

/// A function, a token of it, and what is run there.
type Place = (Spot, usize, What);

/// Adds the lists that name one of these constants, where they are called as only constants are: others may have the name of
/// what a function is given.
fn add_lists<'a>(known: &'a [Constant], constants: &mut HashSet<&'a str>) {
    let sites: HashSet<Site> =
        known.iter().filter(|one| constants.contains(one.name.as_str())).map(|one| one.site).collect();
    let names = |element: &Element| match element {
        Element::Name(name) => constants.contains(name.as_str()),
        Element::Constant(site) => sites.contains(site),
        Element::Literal(_) | Element::Function(_) => false,
    };
    let is_constant = |one: &&Constant| one.name.contains(|part: char| part == '_' || part.is_uppercase());
    let lists = known.iter().filter(|one| one.is_list && one.elements.iter().any(names)).filter(is_constant);
    let lists: Vec<&str> = lists.map(|one| one.name.as_str()).collect();
    constants.extend(lists);
}

impl<'a> Collector<'a> {
    /// The places at which DDL is run, and those at which functions are called that run it.
    pub(super) fn setups(&mut self, found: &[Found], known: &[Constant]) -> Vec<Setup> {
        let mut places: Vec<Place> = Vec::new();
        let mut constants: HashSet<&str> = HashSet::default();
        for (index, one) in found.iter().enumerate().filter(|(_, one)| is_ddl(one)) {
            let spot = Spot::at(one.unit as usize, one.candidate.function);
            match &one.literal.constant {
                None if spot.function == NOWHERE => {}
                Some(name) if spot.function == NOWHERE => {
                    constants.insert(name.as_str());
                }
                _ => places.push((spot, one.candidate.start as usize, What::Literal(index))),
            }
        }
        add_lists(known, &mut constants);
        let (once, again) = self.created_once(self.uses_of(&constants));
        places.extend(self.listed(&constants, &once));
        places.extend(once);
        if places.is_empty() {
            return Vec::new();
        }
        places.extend(self.callers_of(&places));
        let asking = self.asking(found);
        let numbered = |((spot, at, what), is_again): (Place, bool)| {
            let function = self.function(spot.unit as u32, spot.function)?;
            Some(Step { function, spot, at, what, is_again })
        };
        let places = places.into_iter().map(|place| (place, false));
        let again = again.into_iter().map(|place| (place, true));
        let steps: Vec<Step> = places.chain(again).filter_map(numbered).collect();
        let mut setups: Vec<Setup> = steps
            .par_chunk_by(|a, b| a.function == b.function)
            .flat_map_iter(|steps| self.setups_of(steps, &asking))
            .collect();
        setups.sort_by(|a, b| (a.site, &a.what).cmp(&(b.site, &b.what)));
        setups
    }

    /// The places of one function.
    fn setups_of(&self, steps: &[Step], asking: &Asking<'a>) -> Vec<Setup> {
        let flow = steps.first().and_then(|step| self.flows.of(step.spot));
        let Some(flow) = flow else { return Vec::new() };
        let (opens, in_memory) = (flow.opens_database(), flow.gives(":memory:"));
        // What follows an arm that leaves has its way in common.
        let mut ways: HashMap<(usize, usize), Way> = HashMap::default();
        let mut setups = Vec::new();
        for Step { function, spot, at, what, is_again } in steps {
            let (spot, at) = (*spot, *at);
            let arms = flow.arms(at);
            let mut way = |arm: &Arm| {
                ways.entry((arm.fork, arm.start)).or_insert_with(|| self.way(flow, spot, asking, arm)).clone()
            };
            let Some(site) = flow.site(at) else { continue };
            let sink = if matches!(what, What::Call(_)) { None } else { self.sink_at(spot, at) };
            let code = self.folder.code(spot);
            let call = sink.as_ref().map_or(at, |(.., at)| *at);
            setups.push(Setup {
                function: *function,
                what: what.clone(),
                site,
                arms: arms.iter().map(&mut way).collect(),
                is_forgiven: flow.is_forgiven(call),
                answers_query: flow.answers_query(call),
                in_transaction: flow.in_transaction_for_ddl(call),
                opens,
                sink: sink.map(|(name, kind, _)| (name, kind)),
                is_below: arms.first().is_some_and(|arm| code.is_some_and(|code| code.is_below(arm))),
                version: arms.first().and_then(|arm| code?.version(arm)),
                is_repeated: flow.is_looped(at) || *what == What::Call(*function),
                in_memory,
                is_again: *is_again,
            });
        }
        setups
    }

    /// The places in functions that name one of these constants, tests aside.
    fn uses_of(&self, constants: &HashSet<&str>) -> Vec<Place> {
        if constants.is_empty() {
            return Vec::new();
        }
        let sieve: Words = constants.iter().copied().collect();
        let of_unit = |(index, unit): (usize, &Unit)| {
            let spot = Spot::at(index, NOWHERE);
            let Some(code) = self.folder.code(spot) else { return Vec::new() };
            let may_be = |token: &Token| {
                let length = (token.end - token.start) as usize;
                token.kind == Kind::Word && sieve.may_hold(code.first_byte(token), length)
            };
            let mut places = Vec::new();
            for (function, sketch) in
                (0_u32..).zip(&unit.sketch.functions).filter(|(_, sketch)| !sketch.is_test)
            {
                let body = sketch.name as usize..sketch.end as usize;
                for (at, token) in code.tokens_in(body).filter(|(_, token)| may_be(token)) {
                    let word = code.spelling(token);
                    if constants.contains(word) && !code.is_counted(at) {
                        places.push((Spot { function, ..spot }, at, What::Constant(word.to_owned())));
                    }
                }
            }
            places
        };
        self.folder.units.par_iter().enumerate().flat_map_iter(of_unit).collect()
    }

    /// These places without those that run a constant once more, for databases that were made before it, and these: what makes
    /// a new one, by the name that a framework calls, runs it, too, so that all have it.
    fn created_once(&self, places: Vec<Place>) -> (Vec<Place>, Vec<Place>) {
        let creates = |spot: &Spot| {
            let unit = self.folder.units.get(spot.unit)?;
            let name = unit.sketch.functions.get(spot.function as usize)?.name;
            Some(unit.language.creates.contains(&self.folder.word(*spot, name as usize)))
        };
        let is_creation = |spot: &Spot| creates(spot) == Some(true);
        let made: Vec<What> =
            places.iter().filter(|(spot, ..)| is_creation(spot)).map(|(.., what)| what.clone()).collect();
        places.into_iter().partition(|(spot, _, what)| is_creation(spot) || !made.contains(what))
    }

    /// The calls of the functions that these constants list beside texts: each is made where a function of the file goes
    /// through the list.
    fn listed(&mut self, constants: &HashSet<&str>, uses: &[Place]) -> Vec<Place> {
        let mut first: HashMap<(usize, &str), (Spot, usize)> = HashMap::default();
        for place in uses {
            if let (spot, at, What::Constant(name)) = place {
                first.entry((spot.unit, name.as_str())).or_insert((*spot, *at));
            }
        }
        let folder = self.folder;
        let mut calls = Vec::new();
        for (index, unit) in folder.units.iter().enumerate().filter(|(_, unit)| !unit.is_test) {
            let word = |at: u32| folder.word(Spot::at(index, NOWHERE), at as usize);
            let mut named =
                unit.sketch.listed.iter().filter(|(_, of)| constants.contains(word(*of))).peekable();
            if named.peek().is_none() {
                continue;
            }
            let functions = (0_u32..).zip(&unit.sketch.functions);
            let functions: HashMap<&str, u32> = functions.map(|(at, one)| (word(one.name), at)).collect();
            for &(name, of) in named {
                let through = first.get(&(index, word(of)));
                let (Some(&(spot, at)), Some(&function)) = (through, functions.get(word(name))) else {
                    continue;
                };
                let number = self.function(index as u32, function);
                calls.extend(number.map(|number| (spot, at, What::Call(number))));
            }
        }
        calls
    }

    fn way(&self, flow: &Flow<'a>, spot: Spot, asking: &Asking<'a>, arm: &Arm) -> Way {
        let code = self.folder.code(spot);
        let is_numbered = code.is_some_and(|code| code.version(arm).is_some());
        let is_below = code.is_some_and(|code| code.is_below(arm));
        let asked = self.asked(flow, spot, asking, arm).unwrap_or_default();
        Way {
            arm: (arm.fork, arm.start),
            is_apart: (!is_numbered || is_below) && !flow.is_looped(arm.fork),
            is_numbered,
            is_below,
            is_behind: arm.is_behind(),
            held: if asked.is_empty() { Vec::new() } else { self.held(spot, asking, arm) },
            asked,
        }
    }

    /// What runs the text at a token: the call around it or, where a loop walks over a list of texts, that around the element.
    /// Its name, its kind and its token.
    fn sink_at(&self, spot: Spot, at: usize) -> Option<(String, SinkKind, usize)> {
        let named = |at: usize| {
            let (name, kind) = self.sink_of_name(spot, at)?;
            let kind = self.many.kind(spot.unit, kind);
            Some((self.folder.word(spot, name as usize).to_owned(), kind, name as usize))
        };
        if let Some(sink) = named(at) {
            return Some(sink);
        }
        let unit = self.folder.units.get(spot.unit)?;
        let around =
            unit.sketch.loops.iter().find(|one| one.start as usize <= at && at < one.body as usize)?;
        let header = around.start as usize + 1..at;
        let ends =
            header.clone().find(|&one| matches!(self.folder.word(spot, one), "in" | "range")).unwrap_or(at);
        let is_name = |one: &usize| self.folder.kind(spot, *one) == Some(Kind::Word);
        let element = (header.start..ends).rev().find(is_name).map(|one| self.folder.word(spot, one))?;
        let body = around.body as usize..around.end as usize;
        body.into_iter().filter(|&one| self.folder.word(spot, one) == element).find_map(named)
    }

    /// The calls, through some others, of the functions of these places.
    fn callers_of(&mut self, places: &[Place]) -> Vec<Place> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        let spots: Vec<Spot> = places.iter().map(|(spot, ..)| *spot).collect();
        let mut wave = spots;
        for _ in 0..APART {
            let mut fresh: Vec<u32> = Vec::new();
            for spot in wave.drain(..) {
                fresh.extend(
                    self.function(spot.unit as u32, spot.function).filter(|number| seen.insert(*number)),
                );
            }
            if fresh.is_empty() {
                break;
            }
            let located = |number: &u32| {
                let &(unit, index) = self.places.get(*number as usize)?;
                Some((unit, index, *number))
            };
            let holders: Vec<(u32, u32, u32)> = fresh.iter().filter_map(located).collect();
            let holders = self.graph.by_name(holders.iter().copied());
            let units = self.folder.units.par_iter().enumerate();
            let calls: Vec<Place> =
                units.flat_map_iter(|(index, unit)| self.calls_in(index, unit, &holders)).collect();
            wave.extend(calls.iter().map(|(spot, ..)| *spot));
            found.extend(calls);
        }
        found
    }

    /// The calls of some functions in a file.
    fn calls_in(&self, index: usize, unit: &Unit, holders: &Groups) -> Vec<Place> {
        let calls = unit.sketch.calls.iter().zip(self.graph.called(index));
        // Where a name means one function, what is handed over by it runs like what is called.
        let runs = |call: &CallSketch| (call.is_call || unit.language.packages) && call.function != NOWHERE;
        let of_holders =
            calls.filter(|(call, name)| !holders.of(**name).is_empty() && runs(call) && !is_test(unit, call));
        let place = |(call, name): (&CallSketch, &u32)| {
            let (spot, callees) = (Spot::at(index, call.function), holders.of(*name));
            let at = call.name as usize;
            let callee = self.callee(self.flows.of(spot)?, spot, at, callees);
            let callee = if call.is_call {
                callee.or_else(|| self.neighbour(spot, callees))
            } else {
                callee.filter(|_| !self.folder.declares(spot, self.folder.word(spot, at), at))
            };
            Some((spot, at, What::Call(callee?)))
        };
        of_holders.filter_map(place).collect()
    }

    /// The only one of these functions that stands in the same file: that a method of unknown type is another one's is
    /// less likely there than that it sets up what the file declares.
    pub(super) fn neighbour(&self, spot: Spot, callees: &[u32]) -> Option<u32> {
        let is_here = |number: &&u32| {
            let place = self.places.get(**number as usize);
            place.is_some_and(|(unit, index)| *unit as usize == spot.unit && *index != spot.function)
        };
        let mut here = callees.iter().filter(is_here);
        let first = here.next()?;
        here.next().is_none().then_some(*first)
    }
}

impl Code<'_> {
    /// Whether nothing but the length of what a name stands for is asked.
    fn is_counted(&self, name: usize) -> bool {
        const COUNTS: [&str; 6] = ["len", "length", "Length", "size", "count", "Count"];
        let is_method = self.is(name + 1, b'.') && COUNTS.contains(&self.word(name + 2));
        let open = name.checked_sub(1).filter(|&open| self.is(open, b'(') && self.is(name + 1, b')'));
        let function = open.and_then(|open| open.checked_sub(1)).map(|function| self.word(function));
        is_method || function.is_some_and(|function| COUNTS.contains(&function) || function == "sizeof")
    }
}

/// Whether a text makes or changes objects of a schema.
pub(in crate::extract) fn is_ddl(one: &Found) -> bool {
    one.literal.variants.iter().any(|text| makes_schema(text.as_str()))
}

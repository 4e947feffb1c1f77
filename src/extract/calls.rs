//! The calls that matter: what a text is handed to, and who calls the functions that hold SQL, in which loops
//! and with what.

mod asking;
mod callees;
mod done;
mod drivers;
mod few;
mod included;
mod kept;
mod looped;
mod overruled;
mod parted;
mod parts;
mod setup;
mod sinks;
mod uncalled;
mod users;

pub(super) use setup::is_ddl;
pub use setup::{Setup, What};

use super::{
    Constant, Found, Function, Literal,
    code::Code,
    flow::{Flow, Flows, Run},
    fold::{Folder, Spot, Unit},
    languages::SinkKind,
    names::find_word,
    roles::{Graph, Groups, Role},
    sketch::{CallSketch, NOWHERE},
    sql::{self, is_by_lines, skip_leading},
};
use crate::source::Site;
use drivers::Many;
use included::{Included, included};
use kept::Fields;
use parted::Parting;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};
use users::Users;

/// The call that a text is handed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sink {
    /// The last word of its name.
    pub name: String,
    /// How it treats the text.
    pub kind: SinkKind,
    /// Where the name stands.
    pub site: Site,
}

/// A call of a function that holds SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name of the callee, where it is called.
    pub site: Site,
    /// The caller, as an index of the functions.
    pub caller: Option<u32>,
    /// The last word of the callee's name.
    pub callee_name: String,
    /// The callee, as an index of the functions, where the name means only one.
    pub callee: Option<u32>,
    /// The loops around it, and what it is given.
    pub run: Run,
}

/// Gives every literal its function and its sink, and collects the functions and calls around them; `is_brief`: neither sinks
/// nor calls.
pub(super) fn relevant(
    (folder, graph): (&Folder<'_>, &Graph),
    found: &mut [Found],
    constants: &[Constant],
    is_brief: bool,
) -> (Vec<Function>, Vec<Call>, Vec<Setup>) {
    let (functions, numbers, places) = (Vec::new(), BTreeMap::new(), Vec::new());
    let flows = Flows::new(folder);
    let leads = HashMap::default();
    let many = if is_brief { Many::default() } else { Many::find(folder) };
    let commits_by_hand = !is_brief && drivers::commits_by_hand(folder);
    let mut collector = Collector {
        folder,
        graph,
        flows,
        fields: Fields::new(folder.units.len()),
        functions,
        numbers,
        places,
        leads,
        many,
        commits_by_hand,
        is_brief,
        parting: HashMap::default(),
    };
    let users = (collector.users_of_constants(found), included(folder));
    let places: Vec<Place> = found.par_iter().map(|one| collector.place(one, &users)).collect();
    for (one, place) in found.iter_mut().zip(places) {
        collector.place_literal(one, place);
    }
    collector.mark_done(found);
    collector.mark_uncalled(found);
    let calls = if is_brief { Vec::new() } else { collector.calls(found) };
    let setups = collector.setups(found, constants);
    (collector.functions, calls, setups)
}

/// Where a text is handed to a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handed {
    spot: Spot,
    /// The token of the call's name.
    sink: u32,
    /// The token of the text, or of the name that stands for it; before the call where it is a field that keeps the statement.
    text: usize,
}

/// A call, and where its name stands.
type Located = (Call, Spot, u32);

/// What surrounds a literal.
#[derive(Default)]
struct Place {
    unit: u32,
    function: u32,
    sink: Option<Sink>,
    run: Run,
    /// The names of the sink and of the text that it is given.
    runs: Option<(u32, usize)>,
    /// Where the name stands under which others go on with the text.
    goes_on: Option<usize>,
    /// The texts that may take it in, where nothing else can.
    takers: Vec<(u32, u32)>,
    /// Whether it is an argument by itself, of a call of which nothing is known.
    is_argument: bool,
}

struct Collector<'a> {
    folder: &'a Folder<'a>,
    graph: &'a Graph,
    flows: Flows<'a>,
    fields: Fields<'a>,
    functions: Vec<Function>,
    numbers: BTreeMap<(u32, u32), u32>,
    /// The file and the place there of each function.
    places: Vec<(u32, u32)>,
    /// The functions with SQL that each function calls.
    leads: HashMap<u32, BTreeSet<u32>>,
    many: Many,
    /// Whether what speaks JDBC has a transaction open always.
    commits_by_hand: bool,
    /// Whether nobody asks for sinks and calls.
    is_brief: bool,
    /// Where files part texts by lines, once it is asked for.
    parting: HashMap<u32, Parting<'a>>,
}

impl Collector<'_> {
    /// The calls around the literals.
    fn calls(&mut self, found: &mut [Found]) -> Vec<Call> {
        let held = self.functions.len() as u32;
        let holders = self.graph.by_name(self.numbered(0));
        let mut calls = self.calls_of(&holders, false);
        self.leads = callees::leads(&calls);
        // A loop may also call what only calls a function that holds SQL.
        let between = self.graph.by_name(self.numbered(held));
        calls.extend(self.calls_of(&between, true));
        calls.extend(self.transactions_around(&calls, held));
        self.overrule_names(found, &calls);
        self.read_below_loops(found, &mut calls);
        self.read_transactions_around_loops(found, &mut calls);
        self.mark_few(found, &mut calls);
        let mut calls: Vec<Call> = calls.into_iter().map(|(call, ..)| call).collect();
        calls.sort_by_cached_key(|call| call.site);
        calls
    }

    /// The functions from a number on: their files, their places there, their numbers.
    fn numbered(&self, first: u32) -> impl Iterator<Item = (u32, u32, u32)> + Clone {
        let places = self.places.iter().zip(0_u32..).skip(first as usize);
        places.map(|(&(unit, index), number)| (unit, index, number))
    }

    fn function(&mut self, unit: u32, index: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&(unit, index)) {
            return Some(number);
        }
        let file = self.folder.units.get(unit as usize)?;
        let sketch = file.sketch.functions.get(index as usize)?;
        let start = file.tokens.get(sketch.name as usize)?.start;
        let last = file.tokens.get(sketch.end as usize).or_else(|| file.tokens.last())?;
        let name = self.folder.word(Spot::at(unit as usize, NOWHERE), sketch.name as usize);
        let node = self.graph.node(unit, index)?;
        let site = Site { source: file.source, start, end: last.end };
        let number = self.functions.len() as u32;
        self.functions.push(Function {
            site,
            // Of a function without a name the parenthesis of its parameters is known.
            name: if name.starts_with(char::is_alphanumeric) || name.starts_with('_') {
                name
            } else {
                "anonymous"
            }
            .to_owned(),
            role: node.role,
            reason: node.reason.to_owned(),
            // Only loops ask for it, and calls.
            is_given_connection: !self.is_brief
                && self.flows.of(Spot::at(unit as usize, index)).is_some_and(Flow::is_given_connection),
        });
        self.numbers.insert((unit, index), number);
        self.places.push((unit, index));
        Some(number)
    }

    fn place(&self, one: &Found, users: &(Users, Included)) -> Place {
        let mut unit = one.unit;
        let mut function = one.candidate.function;
        let mut at = one.candidate.start as usize;
        let mut run = one.literal.run.clone();
        let mut goes_on = None;
        if function == NOWHERE
            && let Some((user, call)) = self.user(one, users)
        {
            (unit, function, at) = (*user, call.function, call.name as usize);
            run.loop_depth = call.loop_depth;
            goes_on = Some(at).filter(|&at| self.folder.is_continued(Spot::at(unit as usize, function), at));
        }
        if self.is_brief {
            return Place { unit, function, run, goes_on, ..Place::default() };
        }
        let mut spot = Spot::at(unit as usize, function);
        let kept = if one.literal.role == Role::Test { None } else { self.kept(spot, at) };
        if let Some(kept) = kept {
            (spot, at) = (kept.spot, kept.field);
            (unit, function) = (spot.unit as u32, spot.function);
        }
        let same = unit == one.unit && at == one.candidate.start as usize;
        let callee = one.candidate.callee.filter(|_| same).map(|(name, kind)| (name, kind, at));
        let by_name = || self.sink_of_name(spot, at).map(|(name, kind)| (name, kind, at));
        let taker = || self.folder.taker(spot, at).map(|(name, kind)| (name, kind, at));
        let kept = kept.map(|kept| (kept.runs, kept.kind, at));
        let callee =
            kept.or(callee).or_else(taker).or_else(by_name).or_else(|| self.sink_through_variable(spot, at));
        let sink = callee.and_then(|(name, kind, _)| self.sink(spot, name, kind));
        if let Some((name, _, text)) = callee
            && one.literal.role != Role::Test
            && let Some(flow) = self.flows.of(spot)
        {
            // Behind a method that makes the SQL itself no values stand in its order.
            let text = if text == name as usize { usize::MAX } else { text };
            run = self.run_of(flow, (spot, name as usize), text, self.reads(spot));
            let has =
                |word: &str| one.literal.variants.iter().any(|text| find_word(text.as_str(), word).is_some());
            if begins_with(&one.literal, &["insert", "replace"]) || has("in") {
                run.literals = flow.literals_of(name as usize, text);
            }
            if has("like") {
                run.patterns = flow.patterns_of(name as usize, text);
            }
        }
        let is_argument = callee.is_none() && !same && self.is_argument(spot, at);
        let takers = if same { self.takers(spot, at, callee.is_some()) } else { Vec::new() };
        let runs = callee.map(|(name, _, text)| (name, text));
        Place { unit, function, sink, run, runs, goes_on, takers, is_argument }
    }

    /// Gives a literal its place.
    fn place_literal(&mut self, one: &mut Found, place: Place) {
        let spot = Spot::at(place.unit as usize, place.function);
        one.literal.sink = place.sink;
        one.literal.run = place.run;
        one.literal.takers = place.takers;
        one.literal.is_argument = place.is_argument;
        if one.literal.variants.iter().any(|text| is_by_lines(text.as_str())) && self.is_split(one) {
            one.literal.variants.iter_mut().for_each(|text| *text = text.parting_lines(';'));
        }
        if let Some(at) = place.goes_on {
            self.folder.leave_open(spot, at, &mut one.literal.variants);
        }
        if place.function == NOWHERE {
            return;
        }
        one.handed = place.runs.map(|(sink, text)| Handed { spot, sink, text });
        one.literal.function = self.function(place.unit, place.function);
        let role =
            one.literal.function.and_then(|number| self.functions.get(number as usize)).map(|one| one.role);
        if let Some(role) = role.filter(|_| one.literal.role != Role::Test) {
            // What start-up keeps in a field runs when the field is asked for.
            let prepares = |sink: &Sink| sink.name.to_ascii_lowercase().contains("prepare");
            let is_kept = || one.literal.sink.as_ref().is_none_or(prepares) && self.is_kept(one);
            let start = one.candidate.start as usize;
            let code = || self.folder.code(spot);
            let is_routed = || code().is_some_and(|code| code.around(start).any(|open| code.is_routed(open)));
            let is_step = || {
                let is_of =
                    |code: Code<'_>, open| code.is_of_migration(open) || code.follows_added_column(open);
                code().is_some_and(|code| code.around(start).any(|open| is_of(code, open)))
            };
            let is_later = role == Role::StartUp && (is_kept() || is_routed());
            let is_open = matches!(role, Role::Production | Role::StartUp);
            one.literal.role = match role {
                _ if is_open && is_step() => Role::Migration,
                _ if is_later => Role::Production,
                role => role,
            };
        }
    }

    fn sink(&self, spot: Spot, name: u32, kind: SinkKind) -> Option<Sink> {
        let unit = self.folder.units.get(spot.unit)?;
        let token = unit.tokens.get(name as usize)?;
        let site = Site { source: unit.source, start: token.start, end: token.end };
        let kind = self.many.kind(spot.unit, kind);
        Some(Sink { name: self.folder.word(spot, name as usize).to_owned(), kind, site })
    }

    /// The calls of some functions; those in loops alone where `looped`.
    fn calls_of(&mut self, holders: &Groups, looped: bool) -> Vec<Located> {
        let found = |unit: usize| -> Vec<Located> {
            let Some(file) = self.folder.units.get(unit) else { return Vec::new() };
            let calls = file.sketch.calls.iter().zip(self.graph.called(unit));
            let calls = calls.filter(|(call, name)| {
                let wanted = call.is_call && call.function != NOWHERE && (!looped || call.loop_depth > 0);
                wanted && !holders.of(**name).is_empty()
            });
            let read = |(call, name): (&CallSketch, &u32)| {
                let spot = Spot::at(unit, call.function);
                let flow = self.flows.of(spot)?;
                Some((self.call(flow, spot, call, holders.of(*name))?, spot, call.name))
            };
            calls.filter(|(call, _)| !is_test(file, call)).filter_map(read).collect()
        };
        let found: Vec<Vec<Located>> =
            (0..self.folder.units.len()).into_par_iter().with_max_len(4).map(found).collect();
        let mut calls = Vec::with_capacity(found.iter().map(Vec::len).sum());
        for (unit, found) in (0_u32..).zip(found) {
            for (mut call, spot, name) in found {
                call.caller = self.function(unit, spot.function);
                calls.push((call, spot, name));
            }
        }
        calls
    }

    /// A call of one of these functions, but for its caller.
    fn call(&self, flow: &Flow<'_>, spot: Spot, call: &CallSketch, callees: &[u32]) -> Option<Call> {
        let file = self.folder.units.get(spot.unit)?;
        let name = call.name as usize;
        let token = file.tokens.get(name)?;
        let callee = self.callee(flow, spot, name, callees);
        // Of a call that may mean several functions nothing is asked but, of some, whether a transaction is open.
        let run = match callee {
            Some(_) => flow.call(name, self.reads(spot)),
            None => Run { loop_depth: call.loop_depth, ..Run::default() },
        };
        Some(Call {
            site: Site { source: file.source, start: token.start, end: token.end },
            caller: None,
            callee_name: self.folder.word(spot, name).to_owned(),
            callee,
            run,
        })
    }
}

/// Whether a call stands in test code.
fn is_test(unit: &Unit, call: &CallSketch) -> bool {
    unit.sketch.functions.get(call.function as usize).is_some_and(|function| function.is_test)
}

/// Whether a text begins with one of these verbs.
fn begins_with(literal: &Literal, verbs: &[&str]) -> bool {
    let text = literal.variants.first().map_or("", |text| skip_leading(text.as_str()));
    verbs.iter().any(|verb| sql::begins_with(text, verb))
}

//! Where the steps of a schema are run: by which functions, on which ways through them, and behind which looks into
//! the catalogue. Whether that means a new database or each open is for who knows the steps.

use super::{Collector, is_test};
use crate::{
    extract::{
        Found,
        flow::{Arm, Flow},
        fold::{Folder, Spot, Unit},
        languages::SinkKind,
        lexer::Kind,
        sketch::NOWHERE,
        sql::skip_leading,
        text::Text,
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
    /// The call that runs the texts, and how it treats one of several statements; `None` where it was not found.
    pub sink: Option<(String, SinkKind)>,
    /// Whether something must be less than something else for its innermost arm, as the version of a database than that of a
    /// step.
    pub is_below: bool,
    /// The number that decides for that arm: of a comparison, or of an arm of a `match`.
    pub version: Option<u64>,
    /// Whether the function opens a database in memory, which is always a new one.
    pub in_memory: bool,
}

/// An arm that leads to a place. Numbers mean something within one function alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The fork, and the arm of it.
    pub arm: (usize, usize),
    /// Whether the other arms of the fork are not taken in the same call: no loop comes back to it, and no number chooses.
    pub is_apart: bool,
    /// Whether the arm is what comes behind one that leaves the function.
    pub is_behind: bool,
    /// The names in the catalogue by which it is chosen; empty where it has another reason.
    pub asked: Vec<String>,
}

impl<'a> Collector<'a> {
    /// The places at which DDL is run, and those at which functions are called that run it.
    pub(super) fn setups(&mut self, found: &[Found]) -> Vec<Setup> {
        let mut places: Vec<(Spot, usize, What)> = Vec::new();
        let mut constants: HashSet<&str> = HashSet::default();
        for (index, one) in found.iter().enumerate().filter(|(_, one)| is_ddl(one)) {
            let spot = Spot { unit: one.unit as usize, function: one.candidate.function, depth: 0 };
            match &one.literal.constant {
                None if spot.function == NOWHERE => {}
                Some(name) if spot.function == NOWHERE => {
                    constants.insert(name.as_str());
                }
                _ => places.push((spot, one.candidate.start as usize, What::Literal(index))),
            }
        }
        places.extend(self.uses_of(&constants));
        if places.is_empty() {
            return Vec::new();
        }
        places.extend(self.callers_of(&places));
        let asking = self.asking(found);
        let mut known = None;
        let mut setups: Vec<Setup> = Vec::new();
        for (spot, at, what) in places {
            let Some(function) = self.function(spot.unit as u32, spot.function) else { continue };
            let Some(flow) = self.flow(&mut known, spot) else { continue };
            let arms = flow.arms(at);
            let ways = arms.iter().map(|arm| self.way(flow, spot, &asking, arm)).collect();
            let Some(site) = flow.site(at) else { continue };
            let sink = if matches!(what, What::Call(_)) { None } else { self.sink_at(spot, at) };
            let code = self.folder.code(spot);
            let version = arms.first().and_then(|arm| code?.version(arm));
            let is_below = arms.first().is_some_and(|arm| code.is_some_and(|code| code.is_below(arm)));
            let is_forgiven = flow.is_forgiven(sink.as_ref().map_or(at, |(.., at)| *at));
            let sink = sink.map(|(name, kind, _)| (name, kind));
            let in_memory = flow.gives(":memory:");
            let arms = ways;
            setups.push(Setup {
                function,
                what,
                site,
                arms,
                is_forgiven,
                sink,
                is_below,
                version,
                in_memory,
            });
        }
        setups.sort_by(|a, b| (a.site, &a.what).cmp(&(b.site, &b.what)));
        setups
    }

    /// The places in functions that name one of these constants, tests aside.
    fn uses_of(&self, constants: &HashSet<&str>) -> Vec<(Spot, usize, What)> {
        if constants.is_empty() {
            return Vec::new();
        }
        let sieve: Words = constants.iter().copied().collect();
        let of_unit = |(index, unit): (usize, &Unit)| {
            let spot = Spot { unit: index, function: NOWHERE, depth: 0 };
            let Some(code) = self.folder.code(spot) else { return Vec::new() };
            let mut places = Vec::new();
            for (function, sketch) in
                (0_u32..).zip(&unit.sketch.functions).filter(|(_, sketch)| !sketch.is_test)
            {
                for at in sketch.name as usize..sketch.end as usize {
                    let word = if code.is_word(at) { code.word(at) } else { "" };
                    if sieve.may_hold_word(word) && constants.contains(word) {
                        places.push((Spot { function, ..spot }, at, What::Constant(word.to_owned())));
                    }
                }
            }
            places
        };
        self.folder.units.par_iter().enumerate().flat_map_iter(of_unit).collect()
    }

    fn way(&self, flow: &Flow<'a>, spot: Spot, asking: &Asking<'a>, arm: &Arm) -> Way {
        let version = self.folder.code(spot).and_then(|code| code.version(arm));
        Way {
            arm: (arm.fork, arm.start),
            is_apart: version.is_none() && !flow.is_looped(arm.fork),
            is_behind: arm.is_behind(),
            asked: self.asked(flow, spot, asking, arm).unwrap_or_default(),
        }
    }

    /// What runs the text at a token: the call around it or, where a loop walks over a list of texts, that around the element.
    /// Its name, its kind and its token.
    fn sink_at(&self, spot: Spot, at: usize) -> Option<(String, SinkKind, usize)> {
        let named = |at: usize| {
            let (name, kind) = self.sink_of_name(spot, at)?;
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
    fn callers_of(&mut self, places: &[(Spot, usize, What)]) -> Vec<(Spot, usize, What)> {
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
            let mut known = None;
            for (index, unit) in self.folder.units.iter().enumerate() {
                for (call, name) in unit.sketch.calls.iter().zip(self.graph.called(index)) {
                    let callees = holders.of(*name);
                    if callees.is_empty() || !call.is_call || call.function == NOWHERE || is_test(unit, call)
                    {
                        continue;
                    }
                    let spot = Spot { unit: index, function: call.function, depth: 0 };
                    let Some(flow) = self.flow(&mut known, spot) else { continue };
                    let callee = self.callee(flow, spot, call.name as usize, callees);
                    if let Some(callee) = callee.or_else(|| self.neighbour(spot, callees)) {
                        found.push((spot, call.name as usize, What::Call(callee)));
                        wave.push(spot);
                    }
                }
            }
        }
        found
    }

    /// The only one of these functions that stands in the same file: that a method of unknown type is another one's is
    /// less likely there than that it sets up what the file declares.
    fn neighbour(&self, spot: Spot, callees: &[u32]) -> Option<u32> {
        let is_here = |number: &&u32| {
            let place = self.places.get(**number as usize);
            place.is_some_and(|(unit, index)| *unit as usize == spot.unit && *index != spot.function)
        };
        let mut here = callees.iter().filter(is_here);
        let first = here.next()?;
        here.next().is_none().then_some(*first)
    }

    /// The functions that look into the catalogue, and the places where that is done.
    fn asking(&self, found: &[Found]) -> Asking<'a> {
        let mut asking = Asking::default();
        for one in found.iter().filter(|one| asks_catalogue(one)) {
            let spot = Spot { unit: one.unit as usize, function: one.candidate.function, depth: 0 };
            if spot.function == NOWHERE {
                continue;
            }
            let names = asked_names(self.folder, spot, one);
            let literal = one.candidate.literal as usize;
            asking.texts.insert((one.unit, literal), names.clone());
            let numbers = self.numbers.get(&(one.unit, spot.function)).copied();
            let function = self.folder.units.get(spot.unit).and_then(|unit| {
                let sketch = unit.sketch.functions.get(spot.function as usize)?;
                Some(self.folder.word(Spot { function: NOWHERE, ..spot }, sketch.name as usize))
            });
            if let (Some(function), Some(number)) = (function, numbers) {
                asking.functions.entry(function).or_default().insert(number);
                asking.names.entry(number).or_default().extend(names);
            }
        }
        asking
    }
}

/// Whether a text makes or changes objects of a schema.
fn is_ddl(one: &Found) -> bool {
    let verb = |sql: &str| {
        let word: String = skip_leading(sql).chars().take_while(char::is_ascii_alphabetic).collect();
        ["create", "alter", "drop"].iter().any(|verb| word.eq_ignore_ascii_case(verb))
    };
    one.literal.variants.iter().any(|text| verb(text.as_str()))
}

fn asks_catalogue(one: &Found) -> bool {
    let asks = |sql: &str| sql.contains("sqlite_master") || sql.contains("sqlite_schema");
    one.literal.variants.iter().any(|text| asks(text.as_str()))
}

/// The names that a look into the catalogue is for: those in its text, and those that it is given.
fn asked_names(folder: &Folder<'_>, spot: Spot, one: &Found) -> Vec<String> {
    let mut names = BTreeSet::new();
    for text in &one.literal.variants {
        let quoted = text.as_str().split('\'').skip(1).step_by(2);
        names.extend(quoted.filter(|name| is_name(name) && !is_kind(name)).map(str::to_owned));
    }
    let unit = folder.units.get(spot.unit);
    let end = unit
        .and_then(|unit| unit.sketch.functions.get(spot.function as usize))
        .map_or(0, |one| one.end as usize);
    let start = one.candidate.start as usize;
    let binding = unit.and_then(|unit| {
        let found = unit.sketch.bindings.iter().rev().find(|binding| binding.value as usize <= start)?;
        (found.function == spot.function && start - (found.value as usize) < 20)
            .then_some(found.name as usize)
    });
    let word = binding.map(|name| folder.word(spot, name));
    for at in start..end.min(start + 2000) {
        if at == start || word.is_some_and(|word| folder.word(spot, at) == word) {
            names.extend(given(folder, spot, at));
        }
    }
    names.into_iter().collect()
}

/// The names that stand beside a token in the brackets of its call.
fn given(folder: &Folder<'_>, spot: Spot, at: usize) -> Vec<String> {
    let Some(code) = folder.code(spot) else { return Vec::new() };
    let Some(open) = code.around(at).find(|&open| code.is(open, b'(')) else { return Vec::new() };
    let close = code.matching(open);
    let mut names = Vec::new();
    for one in (open + 1..close.min(open + 120)).filter(|one| *one != at) {
        let is_constant = || {
            let word = code.word(one);
            word.len() > 2
                && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let texts = match code.kind(one) {
            Some(Kind::Text) => folder.chain(spot, one).0,
            Some(Kind::Word) if is_constant() => {
                folder.value_of(spot, code.word(one), one).unwrap_or_default()
            }
            _ => continue,
        };
        names.extend(texts.iter().map(Text::as_str).filter(|name| is_name(name)).map(str::to_owned));
    }
    names
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|one| one.is_alphanumeric() || one == '_')
        && !text.starts_with(|one: char| one.is_ascii_digit())
}

/// What the catalogue calls the kinds of its objects.
fn is_kind(text: &str) -> bool {
    matches!(text, "table" | "index" | "view" | "trigger")
}

/// Who looks into the catalogue, and for which names.
#[derive(Default)]
struct Asking<'a> {
    functions: HashMap<&'a str, BTreeSet<u32>>,
    names: HashMap<u32, BTreeSet<String>>,
    /// By file and token.
    texts: HashMap<(u32, usize), Vec<String>>,
}

impl<'a> Collector<'a> {
    /// The names by which an arm is chosen; `None` where it has another reason.
    fn asked(&self, flow: &Flow<'a>, spot: Spot, asking: &Asking<'a>, arm: &Arm) -> Option<Vec<String>> {
        let condition = arm.condition.clone()?;
        if asking.texts.is_empty() {
            return None;
        }
        let within = |range| self.asked_within(flow, spot, asking, range);
        if let Some(names) = within(condition.clone()) {
            return Some(names);
        }
        let code = self.folder.code(spot)?;
        // A name that was given what such a look found.
        condition.clone().filter(|&at| code.is_word(at)).find_map(|at| {
            let word = code.word(at);
            let is_given = |one: usize| {
                let sign = code.is(one + 1, b'=') && !code.is(one + 2, b'=');
                code.word(one) == word && (sign || code.is(one + 1, b':') || code.is(one + 1, b','))
            };
            let floor = condition.start.saturating_sub(400);
            let given = (floor..condition.start).rev().find(|&one| is_given(one))?;
            let ends = |one: &usize| {
                code.is(*one, b';')
                    || (code.kind(*one) == Some(Kind::Line))
                    || (code.by_lines() && code.is_on_new_line(*one))
            };
            let mut end = given + 1;
            while end < condition.start && !ends(&end) {
                end = code.behind(end);
            }
            within(given..end)
        })
    }

    /// The names that are looked for within some tokens.
    fn asked_within(
        &self,
        flow: &Flow<'a>,
        spot: Spot,
        asking: &Asking<'a>,
        range: std::ops::Range<usize>,
    ) -> Option<Vec<String>> {
        let code = self.folder.code(spot)?;
        range.into_iter().find_map(|at| {
            if let Some(names) = asking.texts.get(&(spot.unit as u32, at)) {
                return Some(names.clone());
            }
            let candidates = asking.functions.get(code.word(at)).filter(|_| code.is(at + 1, b'('))?;
            let candidates: Vec<u32> = candidates.iter().copied().collect();
            let callee =
                self.callee(flow, spot, at, &candidates).or_else(|| self.neighbour(spot, &candidates));
            let names = asking.names.get(&callee?)?;
            let names: Vec<String> = if names.is_empty() {
                given(self.folder, spot, at + 2)
            } else {
                names.iter().cloned().collect()
            };
            (!names.is_empty()).then_some(names)
        })
    }
}

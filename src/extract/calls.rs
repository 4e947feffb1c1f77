//! The calls that matter: what a text is handed to, and who calls the functions that hold SQL, in which loops
//! and with what. An argument is told apart by where its value comes from.

use super::{
    Found, Function,
    fold::{Folder, Spot},
    languages::SinkKind,
    lexer::Kind,
    roles::{Graph, Role},
    sketch::{CallSketch, LoopSketch, NOWHERE},
};
use crate::source::Site;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

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

/// Where the value of an argument comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It is written there.
    Literal,
    /// The element of the loop around.
    LoopItem,
    /// What the loop's last turn computed.
    LastResult,
    /// A parameter of the function around.
    Parameter,
    /// Anything else.
    Unknown,
}

impl Origin {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::LoopItem => "loop_item",
            Self::LastResult => "last_result",
            Self::Parameter => "parameter",
            Self::Unknown => "unknown",
        }
    }
}

/// An argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// From 0.
    pub ordinal: u32,
    /// Where its value comes from.
    pub origin: Origin,
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
    /// The loops around it within the caller.
    pub loop_depth: u8,
    /// Whether a transaction is opened in the caller in front of it.
    pub in_transaction: bool,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// Gives every literal its function and its sink, and collects the functions and calls around them.
pub(super) fn relevant(
    folder: &Folder<'_>,
    graph: &Graph,
    found: &mut [Found],
) -> (Vec<Function>, Vec<Call>) {
    let mut collector = Collector { folder, graph, functions: Vec::new(), numbers: BTreeMap::new() };
    let users = collector.users_of_constants(found);
    for one in found.iter_mut() {
        collector.place_literal(one, &users);
    }
    let mut holders: HashMap<String, Vec<u32>> = HashMap::default();
    for (number, function) in collector.functions.iter().enumerate() {
        if function.role != Role::Test {
            holders.entry(function.name.clone()).or_default().push(number as u32);
        }
    }
    let calls = collector.calls_of(&holders);
    (collector.functions, calls)
}

struct Collector<'a> {
    folder: &'a Folder<'a>,
    graph: &'a Graph,
    functions: Vec<Function>,
    numbers: BTreeMap<(u32, u32), u32>,
}

impl Collector<'_> {
    fn function(&mut self, unit: u32, index: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&(unit, index)) {
            return Some(number);
        }
        let file = self.folder.units.get(unit as usize)?;
        let sketch = file.sketch.functions.get(index as usize)?;
        let start = file.tokens.get(sketch.name as usize)?.start;
        let last = file.tokens.get(sketch.end as usize).or_else(|| file.tokens.last())?;
        let name =
            self.folder.word(Spot { unit: unit as usize, function: NOWHERE, depth: 0 }, sketch.name as usize);
        let node = self.graph.node(unit, index)?;
        let site = Site { source: file.source, start, end: last.end };
        let number = self.functions.len() as u32;
        self.functions.push(Function {
            site,
            name: name.to_owned(),
            role: node.role,
            reason: node.reason.to_owned(),
        });
        self.numbers.insert((unit, index), number);
        Some(number)
    }

    /// Where the names of constants are used first, in code that is no test if there is any.
    fn users_of_constants(&self, found: &[Found]) -> HashMap<String, (u32, CallSketch)> {
        let names: HashMap<&str, u32> =
            found.iter().filter_map(|one| Some((one.literal.constant.as_deref()?, one.unit))).collect();
        let mut users: HashMap<String, (u32, CallSketch)> = HashMap::default();
        if names.is_empty() {
            return users;
        }
        for (index, unit) in self.folder.units.iter().enumerate() {
            let spot = Spot { unit: index, function: NOWHERE, depth: 0 };
            for call in unit.sketch.calls.iter().filter(|call| !call.is_call && call.function != NOWHERE) {
                let word = self.folder.word(spot, call.name as usize);
                let is_test = unit
                    .sketch
                    .functions
                    .get(call.function as usize)
                    .is_some_and(|function| function.is_test);
                if !is_test && names.contains_key(word) && !users.contains_key(word) {
                    users.insert(word.to_owned(), (index as u32, *call));
                }
            }
        }
        users
    }

    fn place_literal(&mut self, one: &mut Found, users: &HashMap<String, (u32, CallSketch)>) {
        let mut unit = one.unit;
        let mut function = one.candidate.function;
        let mut at = one.candidate.start as usize;
        if function == NOWHERE
            && let Some((user, call)) = one.literal.constant.as_ref().and_then(|name| users.get(name))
        {
            (unit, function, at) = (*user, call.function, call.name as usize);
            one.literal.loop_depth = call.loop_depth;
        }
        let spot = Spot { unit: unit as usize, function, depth: 0 };
        let same = unit == one.unit && at == one.candidate.start as usize;
        let callee = one.candidate.callee.filter(|_| same);
        let callee =
            callee.or_else(|| self.sink_of_name(spot, at)).or_else(|| self.sink_through_variable(spot, at));
        one.literal.sink = callee.and_then(|(name, kind)| self.sink(spot, name, kind));
        one.literal.in_transaction = self.in_transaction(spot, at);
        if function == NOWHERE {
            return;
        }
        one.literal.function = self.function(unit, function);
        let role =
            one.literal.function.and_then(|number| self.functions.get(number as usize)).map(|one| one.role);
        if let Some(role) = role.filter(|_| one.literal.role != Role::Test) {
            one.literal.role = role;
        }
    }

    fn sink(&self, spot: Spot, name: u32, kind: SinkKind) -> Option<Sink> {
        let unit = self.folder.units.get(spot.unit)?;
        let token = unit.tokens.get(name as usize)?;
        let site = Site { source: unit.source, start: token.start, end: token.end };
        Some(Sink { name: self.folder.word(spot, name as usize).to_owned(), kind, site })
    }

    /// The call around a token, if it runs SQL.
    fn sink_of_name(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind)> {
        let language = self.folder.language(spot)?;
        let mut depth = 0_u32;
        let floor = at.saturating_sub(40);
        let mut before = at;
        while before > floor {
            before -= 1;
            if self.folder.is(spot, before, b')') || self.folder.is(spot, before, b'}') {
                depth += 1;
            } else if self.folder.is(spot, before, b'{') {
                depth = depth.checked_sub(1)?;
            } else if self.folder.is(spot, before, b'(') {
                if depth == 0 {
                    let name = before.checked_sub(1)?;
                    let name = if self.folder.is(spot, name, b'!') { name.checked_sub(1)? } else { name };
                    if let Some(kind) = language.sink(self.folder.word(spot, name)) {
                        return Some((name as u32, kind));
                    }
                } else {
                    depth -= 1;
                }
            } else if self.folder.is(spot, before, b';') && depth == 0 {
                return None;
            }
        }
        None
    }

    /// `let sql = "…"; connection.prepare(sql)`: the first use of the variable that the text is bound to.
    fn sink_through_variable(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind)> {
        let unit = self.folder.units.get(spot.unit)?;
        let binding = unit.sketch.bindings.iter().rev().find(|binding| binding.value as usize <= at)?;
        if binding.function != spot.function || at - binding.value as usize > 60 {
            return None;
        }
        let name = self.folder.word(spot, binding.name as usize);
        let end = unit
            .sketch
            .functions
            .get(spot.function as usize)
            .map_or(at + 400, |function| function.end as usize);
        (at + 1..end.min(at + 1200))
            .filter(|&use_at| {
                self.folder.word(spot, use_at) == name && self.folder.kind(spot, use_at) == Some(Kind::Word)
            })
            .find_map(|use_at| self.sink_of_name(spot, use_at))
    }

    /// Whether the function opened a transaction in front of a token.
    fn in_transaction(&self, spot: Spot, at: usize) -> bool {
        let Some(unit) = self.folder.units.get(spot.unit) else { return false };
        let calls = unit
            .sketch
            .calls
            .iter()
            .filter(|call| call.function == spot.function && (call.name as usize) < at);
        calls.into_iter().any(|call| {
            let word = self.folder.word(spot, call.name as usize).to_ascii_lowercase();
            ["transaction", "begin", "savepoint", "tx"].iter().any(|mark| word.contains(mark))
        })
    }

    fn calls_of(&mut self, holders: &HashMap<String, Vec<u32>>) -> Vec<Call> {
        let mut calls = Vec::new();
        for unit_index in 0..self.folder.units.len() {
            let Some(unit) = self.folder.units.get(unit_index) else { continue };
            for call in unit.sketch.calls.iter().filter(|call| call.is_call && call.function != NOWHERE) {
                let spot = Spot { unit: unit_index, function: call.function, depth: 0 };
                let name = self.folder.word(spot, call.name as usize);
                let is_test = unit
                    .sketch
                    .functions
                    .get(call.function as usize)
                    .is_some_and(|function| function.is_test);
                let Some(callees) = holders.get(name).filter(|_| !is_test) else { continue };
                let Some(token) = unit.tokens.get(call.name as usize) else { continue };
                let site = Site { source: unit.source, start: token.start, end: token.end };
                calls.push(Call {
                    site,
                    caller: self.function(unit_index as u32, call.function),
                    callee_name: name.to_owned(),
                    callee: callees.first().copied().filter(|_| callees.len() == 1),
                    loop_depth: call.loop_depth,
                    in_transaction: self.in_transaction(spot, call.name as usize),
                    arguments: self.arguments(spot, call),
                });
            }
        }
        calls.sort_by_key(|call| call.site);
        calls
    }

    fn arguments(&self, spot: Spot, call: &CallSketch) -> Vec<Argument> {
        let open = call.name as usize + 1;
        if !self.folder.is(spot, open, b'(') {
            return Vec::new();
        }
        let (ranges, _) = self.folder.arguments(spot, open);
        let looping = self.loop_around(spot, call.name as usize);
        let origins = ranges.iter().map(|&(start, end)| self.origin(spot, start, end, looping));
        origins.enumerate().map(|(ordinal, origin)| Argument { ordinal: ordinal as u32, origin }).collect()
    }

    /// The innermost loop around a token.
    fn loop_around(&self, spot: Spot, at: usize) -> Option<LoopSketch> {
        let loops = &self.folder.units.get(spot.unit)?.sketch.loops;
        loops
            .iter()
            .filter(|one| (one.start as usize) < at && at < one.end as usize)
            .max_by_key(|one| one.start)
            .copied()
    }

    fn origin(&self, spot: Spot, start: usize, end: usize, looping: Option<LoopSketch>) -> Origin {
        let mut at = start;
        while self.folder.is(spot, at, b'&')
            || self.folder.is(spot, at, b'*')
            || self.folder.word(spot, at) == "mut"
        {
            at += 1;
        }
        match self.folder.kind(spot, at) {
            Some(Kind::Text | Kind::Atom) => return Origin::Literal,
            Some(Kind::Word) => {}
            _ => return Origin::Unknown,
        }
        let name = self.folder.word(spot, at);
        let named =
            |range: std::ops::Range<usize>| range.clone().any(|token| self.folder.word(spot, token) == name);
        if let Some(one) = looping {
            let pattern_end = (one.start as usize..end)
                .find(|&token| matches!(self.folder.word(spot, token), "in" | "range"));
            if pattern_end.is_some_and(|pattern_end| named(one.start as usize..pattern_end)) {
                return Origin::LoopItem;
            }
            if self.is_assigned(spot, name, one) {
                return Origin::LastResult;
            }
        }
        let Some(function) = self
            .folder
            .units
            .get(spot.unit)
            .and_then(|unit| unit.sketch.functions.get(spot.function as usize))
        else {
            return Origin::Unknown;
        };
        let open = (function.name as usize..function.name as usize + 40)
            .find(|&token| self.folder.is(spot, token, b'('));
        let parameters = open.map_or(0..0, |open| open..self.folder.matching(spot, open));
        if named(parameters) { Origin::Parameter } else { Origin::Unknown }
    }

    /// Whether the loop gives a variable from outside a new value: `name = …`.
    fn is_assigned(&self, spot: Spot, name: &str, one: LoopSketch) -> bool {
        (one.body as usize..one.end as usize).any(|at| {
            let assigned = self.folder.is(spot, at + 1, b'=') && !self.folder.is(spot, at + 2, b'=');
            let declared = at
                .checked_sub(1)
                .is_some_and(|before| matches!(self.folder.word(spot, before), "let" | "mut" | "." | "var"));
            assigned && !declared && self.folder.word(spot, at) == name
        })
    }
}

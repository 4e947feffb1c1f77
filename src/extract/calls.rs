//! The calls that matter: what a text is handed to, and who calls the functions that hold SQL, in which loops
//! and with what.

use super::{
    Found, Function,
    fold::{Folder, Spot},
    flow::{Flow, Run},
    languages::SinkKind,
    lexer::Kind,
    roles::{Graph, Role},
    sketch::{CallSketch, NOWHERE},
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
    let mut holders: HashMap<String, Vec<Holder>> = HashMap::default();
    for (&(unit, index), &number) in &collector.numbers {
        let Some(function) = collector.functions.get(number as usize) else { continue };
        if function.role != Role::Test {
            let owner = folder.owner(Spot { unit: unit as usize, function: index, depth: 0 }).to_owned();
            holders.entry(function.name.clone()).or_default().push(Holder { number, unit, index, owner });
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
            one.literal.run.loop_depth = call.loop_depth;
        }
        let spot = Spot { unit: unit as usize, function, depth: 0 };
        let same = unit == one.unit && at == one.candidate.start as usize;
        let callee = one.candidate.callee.filter(|_| same).map(|(name, kind)| (name, kind, at));
        let by_name = || self.sink_of_name(spot, at).map(|(name, kind)| (name, kind, at));
        let callee = callee.or_else(by_name).or_else(|| self.sink_through_variable(spot, at));
        one.literal.sink = callee.and_then(|(name, kind, _)| self.sink(spot, name, kind));
        if function == NOWHERE {
            return;
        }
        if let Some(((name, _, text), flow)) = callee.zip(Flow::new(self.folder, spot)) {
            one.literal.run = flow.run_of(name as usize, text);
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
    fn sink_through_variable(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind, usize)> {
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
            .find_map(|use_at| self.sink_of_name(spot, use_at).map(|(name, kind)| (name, kind, use_at)))
    }

    fn calls_of(&mut self, holders: &HashMap<String, Vec<Holder>>) -> Vec<Call> {
        let mut calls = Vec::new();
        for unit_index in 0..self.folder.units.len() {
            let Some(unit) = self.folder.units.get(unit_index) else { continue };
            let mut flow: Option<(u32, Flow<'_, '_>)> = None;
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
                if flow.as_ref().is_none_or(|(function, _)| *function != call.function) {
                    flow = Flow::new(self.folder, spot).map(|flow| (call.function, flow));
                }
                let site = Site { source: unit.source, start: token.start, end: token.end };
                calls.push(Call {
                    site,
                    caller: self.function(unit_index as u32, call.function),
                    callee_name: name.to_owned(),
                    callee: self.callee(spot, call.name as usize, callees),
                    run: flow.as_ref().map(|(_, flow)| flow.call(call.name as usize)).unwrap_or_default(),
                });
            }
        }
        calls.sort_by_key(|call| call.site);
        calls
    }

    /// Which of the functions of a name a call means, by the type in front of it; `None` where that is not certain.
    fn callee(&self, spot: Spot, name: usize, holders: &[Holder]) -> Option<u32> {
        let before = name.checked_sub(2).map_or("", |before| self.folder.word(spot, before));
        let dotted = name.checked_sub(1).is_some_and(|before| self.folder.is(spot, before, b'.'));
        let path = name.checked_sub(1).is_some_and(|before| self.folder.is(spot, before, b':'));
        let typed = name.checked_sub(3).map_or("", |before| self.folder.word(spot, before));
        let owner = match (dotted, path) {
            (true, _) if matches!(before, "self" | "cls" | "this") => self.folder.owner(spot),
            (_, true) if typed == "Self" => self.folder.owner(spot),
            (_, true) if typed.starts_with(|first: char| first.is_ascii_uppercase()) => typed,
            (true, _) => return self.method(spot, name, holders),
            _ => "",
        };
        let of_owner = holders.iter().filter(|holder| holder.owner == owner);
        let here = of_owner.clone().filter(|holder| holder.unit == spot.unit as u32);
        only(here).or_else(|| only(of_owner))
    }

    /// The method that a value of unknown type has, which its name alone tells: the only function of that name in the
    /// tree, of as many parameters, and none that collections have too.
    fn method(&self, spot: Spot, name: usize, holders: &[Holder]) -> Option<u32> {
        let word = self.folder.word(spot, name);
        let number = only(holders.iter()).filter(|_| !is_common(word) && self.graph.is_only(self.folder, word))?;
        let holder = holders.first()?;
        let callee = Flow::new(self.folder, Spot { unit: holder.unit as usize, function: holder.index, depth: 0 })?;
        let caller = Flow::new(self.folder, spot)?;
        (caller.argument_count(name) == Some(callee.arity())).then_some(number)
    }
}

/// A function that holds SQL, as calls name it.
struct Holder {
    number: u32,
    unit: u32,
    index: u32,
    owner: String,
}

fn only<'a>(mut holders: impl Iterator<Item = &'a Holder>) -> Option<u32> {
    let first = holders.next()?.number;
    holders.next().is_none().then_some(first)
}

/// Whether collections, files and channels have methods of this name.
fn is_common(name: &str) -> bool {
    const NAMES: [&str; 36] = [
        "get", "set", "insert", "remove", "push", "pop", "contains", "next", "len", "load", "find", "update", "execute",
        "query", "open", "close", "read", "write", "send", "iter", "clear", "append", "add", "commit", "delete", "save",
        "put", "take", "last", "first", "count", "flush", "run", "new", "exists", "list",
    ];
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}

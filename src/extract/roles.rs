//! What part of the program's life a function belongs to, judged by who calls it. Functions of one name are one
//! here, which errs towards calling code alive.

mod groups;
mod names;
mod sieve;

pub(super) use groups::Groups;

use super::{
    fold::Unit,
    sketch::{FunctionSketch, NOWHERE},
};
use crate::source::{Site, Sources};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;
use sieve::Sieve;

/// A part of the program's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Runs while the program does its work.
    Production,
    /// Tests.
    Test,
    /// Runs when the program starts, or as it ends, and not again.
    StartUp,
    /// Brings a database to the newest version.
    Migration,
    /// A tool beside the program, run by hand.
    Offline,
    /// Nothing but tests reaches it.
    Dead,
}

impl Role {
    /// The word for it in facts and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Test => "test",
            Self::StartUp => "start_up",
            Self::Migration => "migration",
            Self::Offline => "offline",
            Self::Dead => "dead",
        }
    }
}

/// A function that holds SQL, or calls one that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// From its name to the end of its body.
    pub site: Site,
    /// As written.
    pub name: String,
    /// What part of the program's life it belongs to.
    pub role: Role,
    /// Why it is thought to.
    pub reason: String,
}

/// A function of the graph.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub unit: u32,
    pub index: u32,
    name: u32,
    pub role: Role,
    pub reason: &'static str,
}

/// All functions of a tree, and who names whom.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// The first node of each unit, and one past the last.
    offsets: Vec<usize>,
    /// The units that name a function which holds SQL.
    callers: Vec<bool>,
    /// For each unit the names that its calls name, in their order; [`NOWHERE`] where no function has it.
    called: Vec<Vec<u32>>,
    /// How many names there are.
    names: usize,
    /// How many functions have each name.
    counts: Vec<u32>,
}

impl Graph {
    /// The node of a function of a unit.
    pub fn node(&self, unit: u32, function: u32) -> Option<&Node> {
        let start = *self.offsets.get(unit as usize)?;
        self.nodes.get(start + function as usize).filter(|node| node.unit == unit)
    }

    /// The number of a function's name; [`NOWHERE`] for tests.
    pub fn name(&self, unit: u32, function: u32) -> u32 {
        self.node(unit, function).map_or(NOWHERE, |node| node.name)
    }

    /// Whether no other function of the tree, tests aside, has the name of this one.
    pub fn is_only(&self, unit: u32, function: u32) -> bool {
        self.node(unit, function).is_some_and(|node| self.counts.get(node.name as usize) == Some(&1))
    }

    /// Whether a unit names a function that holds SQL.
    pub fn calls_sql(&self, unit: usize) -> bool {
        self.callers.get(unit).copied().unwrap_or(false)
    }

    /// The names of the functions that the calls of a unit may mean, in the order of the calls.
    pub fn called(&self, unit: usize) -> &[u32] {
        self.called.get(unit).map_or(&[], Vec::as_slice)
    }

    /// Numbers by the name of a function of the tree.
    pub fn by_name(&self, functions: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Groups {
        let numbers = functions.map(|(unit, function, number)| (self.name(unit, function), number));
        Groups::new(self.names, numbers)
    }

    pub fn new(sources: &Sources, units: &[Unit], is_offline: &(dyn Fn(&str) -> bool + Sync)) -> Self {
        let (nodes, offsets, names) = nodes(sources, units);
        let (edges, called) = edges(sources, units, &names, &offsets);
        let callers = callers(units, &nodes, &offsets, &edges);
        let mut counts = vec![0; names.len()];
        for node in &nodes {
            if let Some(count) = counts.get_mut(node.name as usize) {
                *count += 1;
            }
        }
        let mut graph = Self { nodes, offsets, callers, called, names: names.len(), counts };
        let main = names
            .get("main")
            .copied()
            .filter(|&main| graph.nodes.iter().any(|node| node.name == main && node.role != Role::Test));
        if let Some(main) = main {
            graph.mark_dead(units, &edges, main);
        }
        graph.mark_offline(sources, units, is_offline);
        graph.mark_start_up(&edges);
        graph
    }

    /// What nothing reaches from the program's entry points, or from code at the level of a file, is dead.
    fn mark_dead(&mut self, units: &[Unit], edges: &Edges, main: u32) {
        let mut live = vec![false; self.nodes.len()];
        let numbered = || (0_u32..).zip(&self.nodes);
        let by_name = Groups::new(self.names, numbered().map(|(index, node)| (node.name, index)));
        let is_root = |node: &Node| {
            let sketch =
                units.get(node.unit as usize).and_then(|unit| unit.sketch.functions.get(node.index as usize));
            node.name == main || sketch.is_some_and(|function| function.is_registered)
        };
        let mut work: Vec<u32> =
            numbered().filter(|(_, node)| is_root(node)).map(|(index, _)| index).collect();
        for (name, _) in edges.roots.iter().enumerate().filter(|(_, is_root)| **is_root) {
            work.extend(by_name.of(name as u32));
        }
        // Hundreds of functions are called `new`, by thousands: each name is followed once.
        let mut followed = edges.roots.clone();
        while let Some(index) = work.pop() {
            let Some(seen) = live.get_mut(index as usize) else { continue };
            let is_test = self.nodes.get(index as usize).is_some_and(|node| node.role == Role::Test);
            if std::mem::replace(seen, true) || is_test {
                continue;
            }
            for &callee in edges.callees.of(index) {
                if let Some(seen) = followed.get_mut(callee as usize)
                    && !std::mem::replace(seen, true)
                {
                    work.extend(by_name.of(callee));
                }
            }
        }
        for (node, live) in self.nodes.iter_mut().zip(live) {
            let closed = units.get(node.unit as usize).is_some_and(|unit| unit.language.closed);
            if !live && closed && node.role == Role::Production {
                (node.role, node.reason) = (Role::Dead, "nothing but tests reaches it");
            }
        }
    }

    fn mark_offline(
        &mut self,
        sources: &Sources,
        units: &[Unit],
        is_offline: &(dyn Fn(&str) -> bool + Sync),
    ) {
        let offline: Vec<bool> = units.par_iter().map(|unit| is_offline(sources.path(unit.source))).collect();
        for node in &mut self.nodes {
            if node.role == Role::Production && offline.get(node.unit as usize) == Some(&true) {
                (node.role, node.reason) = (Role::Offline, "it belongs to a tool");
            }
        }
    }

    /// A function that only start-up code calls is start-up code; likewise for migrations and tools.
    fn mark_start_up(&mut self, edges: &Edges) {
        let calls = (0..self.nodes.len() as u32)
            .flat_map(|caller| edges.callees.of(caller).iter().map(move |&callee| (callee, caller)));
        let callers = Groups::new(self.names, calls);
        loop {
            let mut changes = Vec::new();
            for (index, node) in self.nodes.iter().enumerate() {
                if node.role == Role::Production
                    && edges.roots.get(node.name as usize) == Some(&false)
                    && let Some(role) = self.only_quiet(node, callers.of(node.name))
                {
                    changes.push((index, role));
                }
            }
            if changes.is_empty() {
                return;
            }
            for (index, role) in changes {
                if let Some(node) = self.nodes.get_mut(index) {
                    (node.role, node.reason) = (role, "only such code calls it");
                }
            }
        }
    }

    /// The role that the callers of a function hand on, if all of them have a quiet one.
    fn only_quiet(&self, node: &Node, callers: &[u32]) -> Option<Role> {
        let mut quietest: Option<Role> = None;
        let callers = callers.iter().filter_map(|&caller| self.nodes.get(caller as usize));
        for caller in callers.filter(|caller| caller.name != node.name) {
            match caller.role {
                Role::Test | Role::Dead => {}
                Role::Production => return None,
                role => quietest = Some(quietest.map_or(role, |quietest| quietest.min(role))),
            }
        }
        quietest
    }
}

/// All functions, the first of each unit, and the numbers of their names.
fn nodes<'a>(sources: &'a Sources, units: &[Unit]) -> (Vec<Node>, Vec<usize>, HashMap<&'a str, u32>) {
    let per_unit: Vec<Vec<(&str, Node)>> = (0..units.len() as u32)
        .into_par_iter()
        .zip(units)
        .map(|(unit_index, unit)| {
            let text = sources.get(unit.source).map_or("", |source| source.text());
            let functions = (0_u32..).zip(&unit.sketch.functions).map(|(index, function)| {
                let word = token_text(unit, text, function.name);
                let (role, reason) = first_role(unit, text, function, word);
                (word, Node { unit: unit_index, index, name: NOWHERE, role, reason })
            });
            functions.collect()
        })
        .collect();
    let mut names: HashMap<&str, u32> = HashMap::default();
    let mut nodes = Vec::with_capacity(per_unit.iter().map(Vec::len).sum());
    let mut offsets = Vec::with_capacity(units.len() + 1);
    for functions in per_unit {
        offsets.push(nodes.len());
        for (word, mut node) in functions {
            // Nothing asks who calls a test.
            if node.role != Role::Test {
                let fresh = names.len() as u32;
                node.name = *names.entry(word).or_insert(fresh);
            }
            nodes.push(node);
        }
    }
    offsets.push(nodes.len());
    (nodes, offsets, names)
}

fn token_text<'a>(unit: &Unit, text: &'a str, token: u32) -> &'a str {
    let range =
        unit.tokens.get(token as usize).map_or(0..0, |token| token.start as usize..token.end as usize);
    text.get(range).unwrap_or("")
}

fn first_role(unit: &Unit, text: &str, function: &FunctionSketch, name: &str) -> (Role, &'static str) {
    if function.is_test || unit.is_test {
        return (Role::Test, "test code");
    }
    match names::role(name) {
        Some(role) => (role, "its name says so"),
        None if name.eq_ignore_ascii_case("close") && takes_nothing(unit, text, function.name) => {
            (Role::StartUp, "it runs as something is closed")
        }
        None => (Role::Production, ""),
    }
}

/// Whether a function has no parameter but the value whose method it is.
fn takes_nothing(unit: &Unit, text: &str, name: u32) -> bool {
    const OWN: [&str; 4] = ["(", "&", "mut", "self"];
    let mut at = name + 1;
    while OWN.contains(&token_text(unit, text, at)) {
        at += 1;
    }
    token_text(unit, text, at) == ")"
}

/// Who names whom.
struct Edges {
    /// For each function the names that it calls or mentions.
    callees: Groups,
    /// For each name whether production code at the level of a file mentions it.
    roots: Vec<bool>,
}

/// For each unit whether a function of it names one that holds SQL.
fn callers(units: &[Unit], nodes: &[Node], offsets: &[usize], edges: &Edges) -> Vec<bool> {
    let mut holders = vec![false; nodes.len() + 1];
    for (unit, offset) in units.iter().zip(offsets) {
        for function in unit.sketch.holders() {
            let name = nodes.get(offset + function as usize).map_or(NOWHERE, |node| node.name);
            if let Some(holder) = holders.get_mut(name as usize) {
                *holder = true;
            }
        }
    }
    let names_holder = |node: usize| {
        edges.callees.of(node as u32).iter().any(|&name| holders.get(name as usize) == Some(&true))
    };
    let ranges = offsets.iter().zip(offsets.iter().skip(1));
    ranges.map(|(&start, &end)| (start..end).any(names_holder)).collect()
}

/// Who names whom, and for each unit the names that its calls name.
fn edges(
    sources: &Sources,
    units: &[Unit],
    names: &HashMap<&str, u32>,
    offsets: &[usize],
) -> (Edges, Vec<Vec<u32>>) {
    let sieve: Sieve = names.keys().copied().collect();
    let read = |(unit, &offset): (&Unit, &usize)| -> (Vec<(u32, u32)>, Vec<u32>) {
        let text = sources.get(unit.source).map_or("", |source| source.text());
        let number = |token| {
            let word = token_text(unit, text, token);
            if sieve.may_hold(word) { names.get(word).copied().unwrap_or(NOWHERE) } else { NOWHERE }
        };
        let calls = &unit.sketch.calls;
        let callees: Vec<u32> = calls.iter().map(|call| number(call.name)).collect();
        let counts = |function| !(function == NOWHERE && unit.is_test);
        let place = |function| if function == NOWHERE { NOWHERE } else { offset as u32 + function };
        let pairs =
            calls.iter().zip(&callees).filter(|&(call, &callee)| callee != NOWHERE && counts(call.function));
        let mut pairs: Vec<(u32, u32)> =
            pairs.map(|(call, &callee)| (place(call.function), callee)).collect();
        // What is named again and again is mostly named in one place.
        pairs.dedup();
        (pairs, callees)
    };
    let (per_unit, called): (Vec<_>, Vec<_>) = units.par_iter().zip(offsets).map(read).unzip();
    let pairs = per_unit.iter().flatten().copied();
    let mut roots = vec![false; names.len()];
    for (_, name) in pairs.clone().filter(|&(caller, _)| caller == NOWHERE) {
        if let Some(root) = roots.get_mut(name as usize) {
            *root = true;
        }
    }
    let count = offsets.last().copied().unwrap_or(0);
    (Edges { callees: Groups::new(count, pairs), roots }, called)
}

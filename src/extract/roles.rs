//! What part of the program's life a function belongs to, judged by who calls it. Functions of one name are one
//! here, which errs towards calling code alive.

use super::{fold::Unit, sketch::NOWHERE};
use crate::source::{Site, Sources};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

/// A part of the program's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Runs while the program does its work.
    Production,
    /// Tests.
    Test,
    /// Runs when the program starts, and not again.
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
}

impl Graph {
    /// The node of a function of a unit.
    pub fn node(&self, unit: u32, function: u32) -> Option<&Node> {
        let start = *self.offsets.get(unit as usize)?;
        self.nodes.get(start + function as usize).filter(|node| node.unit == unit)
    }

    /// Whether a unit names a function that holds SQL.
    pub fn calls_sql(&self, unit: usize) -> bool {
        self.callers.get(unit).copied().unwrap_or(false)
    }

    pub fn new(sources: &Sources, units: &[Unit], is_offline: &(dyn Fn(&str) -> bool + Sync)) -> Self {
        let mut names: HashMap<&str, u32> = HashMap::default();
        let mut nodes = Vec::new();
        let mut offsets = Vec::new();
        for (unit_index, unit) in units.iter().enumerate() {
            offsets.push(nodes.len());
            let text = sources.get(unit.source).map_or("", |source| source.text.as_str());
            for (index, function) in unit.sketch.functions.iter().enumerate() {
                let word = token_text(unit, text, function.name);
                let (role, reason) = first_role(unit, function.is_test, word);
                // Nothing asks who calls a test.
                let fresh = names.len() as u32;
                let name = if role == Role::Test { NOWHERE } else { *names.entry(word).or_insert(fresh) };
                nodes.push(Node { unit: unit_index as u32, index: index as u32, name, role, reason });
            }
        }
        offsets.push(nodes.len());
        let edges = edges(sources, units, &names, &offsets);
        let callers = callers(units, &nodes, &offsets, &edges);
        let mut graph = Self { nodes, offsets, callers };
        let has_main = names
            .get("main")
            .is_some_and(|&main| graph.nodes.iter().any(|node| node.name == main && node.role != Role::Test));
        if has_main {
            graph.mark_dead(units, &edges, names.get("main").copied());
        }
        graph.mark_offline(sources, units, is_offline);
        graph.mark_start_up(&edges);
        graph
    }

    /// What nothing reaches from the program's entry points, or from code at the level of a file, is dead.
    fn mark_dead(&mut self, units: &[Unit], edges: &Edges, main: Option<u32>) {
        let mut live = vec![false; self.nodes.len()];
        let mut by_name: HashMap<u32, Vec<usize>> = HashMap::default();
        for (index, node) in self.nodes.iter().enumerate() {
            by_name.entry(node.name).or_default().push(index);
        }
        let is_root = |node: &Node| {
            let sketch =
                units.get(node.unit as usize).and_then(|unit| unit.sketch.functions.get(node.index as usize));
            Some(node.name) == main || sketch.is_some_and(|function| function.is_registered)
        };
        let mut work: Vec<usize> =
            (0..self.nodes.len()).filter(|&index| self.nodes.get(index).is_some_and(is_root)).collect();
        work.extend(edges.roots.iter().filter_map(|name| by_name.get(name)).flatten());
        while let Some(index) = work.pop() {
            let Some(seen) = live.get_mut(index) else { continue };
            let is_test = self.nodes.get(index).is_some_and(|node| node.role == Role::Test);
            if std::mem::replace(seen, true) || is_test {
                continue;
            }
            for callee in edges.callees(index) {
                work.extend(by_name.get(callee).into_iter().flatten().copied());
            }
        }
        for (node, live) in self.nodes.iter_mut().zip(live) {
            if !live && node.role == Role::Production {
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
        let offline: Vec<bool> = units.iter().map(|unit| is_offline(sources.path(unit.source))).collect();
        for node in &mut self.nodes {
            if node.role == Role::Production && offline.get(node.unit as usize) == Some(&true) {
                (node.role, node.reason) = (Role::Offline, "it belongs to a tool");
            }
        }
    }

    /// A function that only start-up code calls is start-up code; likewise for migrations and tools.
    fn mark_start_up(&mut self, edges: &Edges) {
        let mut callers: HashMap<u32, Vec<usize>> = HashMap::default();
        for index in 0..self.nodes.len() {
            for &callee in edges.callees(index) {
                callers.entry(callee).or_default().push(index);
            }
        }
        loop {
            let mut changes = Vec::new();
            for (index, node) in self.nodes.iter().enumerate() {
                if node.role != Role::Production || edges.roots.contains(&node.name) {
                    continue;
                }
                let roles = callers.get(&node.name).into_iter().flatten().filter(|&&caller| caller != index);
                let roles = roles
                    .filter_map(|&caller| self.nodes.get(caller))
                    .filter(|caller| caller.name != node.name);
                let mut roles: Vec<Role> = roles.map(|caller| caller.role).collect();
                roles.retain(|role| !matches!(role, Role::Test | Role::Dead));
                if let Some(role) = only_quiet(&roles) {
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
}

/// The role that callers hand on, if all of them have a quiet one.
fn only_quiet(roles: &[Role]) -> Option<Role> {
    let quiet = |role: &Role| matches!(role, Role::StartUp | Role::Migration | Role::Offline);
    if roles.is_empty() || !roles.iter().all(quiet) {
        return None;
    }
    roles.iter().min().copied()
}

fn token_text<'a>(unit: &Unit, text: &'a str, token: u32) -> &'a str {
    let range =
        unit.tokens.get(token as usize).map_or(0..0, |token| token.start as usize..token.end as usize);
    text.get(range).unwrap_or("")
}

fn first_role(unit: &Unit, is_test: bool, name: &str) -> (Role, &'static str) {
    if is_test || unit.is_test {
        return (Role::Test, "test code");
    }
    match by_name(name) {
        Some(role) => (role, "its name says so"),
        None => (Role::Production, ""),
    }
}

/// The role that a function's name tells, if any: `open_database`, `CreateTables`, `migrate_v3`.
fn by_name(name: &str) -> Option<Role> {
    let words = words(name);
    let has = |one: &str| words.iter().any(|word| word == one);
    let starts = |one: &str| words.first().is_some_and(|word| word == one);
    let schema =
        has("schema") || has("tables") || has("table") || has("index") || has("indexes") || has("indices");
    let database = has("db")
        || has("database")
        || has("store")
        || has("storage")
        || has("conn")
        || has("connection")
        || has("pool");
    let migrates = words.iter().any(|word| word.starts_with("migrat") || word.starts_with("upgrad"));
    let makes =
        ["apply", "create", "add", "ensure", "install", "update", "build"].iter().any(|verb| starts(verb));
    let versioned = schema && has("version");
    if migrates || (makes && schema && !versioned) || starts("mig") {
        return Some(Role::Migration);
    }
    let opens = ["open", "connect", "init", "initialize", "setup", "instantiate", "bootstrap", "reopen"];
    let opens = opens.iter().any(|verb| starts(verb));
    (opens && (words.len() == 1 || database || schema)).then_some(Role::StartUp)
}

/// The words of a name in snake case or camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    for part in name.split('_').filter(|part| !part.is_empty()) {
        words.push(String::new());
        for character in part.chars() {
            if character.is_uppercase() && lower_before {
                words.push(String::new());
            }
            lower_before = character.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        lower_before = false;
    }
    words
}

/// Who names whom: for each function the names that it calls or mentions.
struct Edges {
    starts: Vec<u32>,
    callees: Vec<u32>,
    /// The names that production code at the level of a file mentions.
    roots: Vec<u32>,
}

impl Edges {
    fn callees(&self, node: usize) -> &[u32] {
        let start = self.starts.get(node).copied().unwrap_or(0) as usize;
        let end = self.starts.get(node + 1).copied().unwrap_or(0) as usize;
        self.callees.get(start..end).unwrap_or(&[])
    }
}

/// For each unit whether a function of it names one that holds SQL.
fn callers(units: &[Unit], nodes: &[Node], offsets: &[usize], edges: &Edges) -> Vec<bool> {
    let mut holders = vec![false; nodes.len() + 1];
    for (unit, offset) in units.iter().zip(offsets) {
        for candidate in unit.sketch.candidates.iter().filter(|candidate| candidate.function != NOWHERE) {
            let name = nodes.get(offset + candidate.function as usize).map_or(NOWHERE, |node| node.name);
            if let Some(holder) = holders.get_mut(name as usize) {
                *holder = true;
            }
        }
    }
    let names_holder =
        |node: usize| edges.callees(node).iter().any(|&name| holders.get(name as usize) == Some(&true));
    let ranges = offsets.iter().zip(offsets.iter().skip(1));
    ranges.map(|(&start, &end)| (start..end).any(names_holder)).collect()
}

fn edges(sources: &Sources, units: &[Unit], names: &HashMap<&str, u32>, offsets: &[usize]) -> Edges {
    let per_unit: Vec<Vec<(usize, u32)>> = units
        .par_iter()
        .zip(offsets)
        .map(|(unit, &offset)| {
            let text = sources.get(unit.source).map_or("", |source| source.text.as_str());
            let pairs = unit.sketch.calls.iter().filter_map(|call| {
                let name = *names.get(token_text(unit, text, call.name))?;
                let caller =
                    if call.function == NOWHERE { usize::MAX } else { offset + call.function as usize };
                (!(call.function == NOWHERE && unit.is_test)).then_some((caller, name))
            });
            let mut pairs: Vec<(usize, u32)> = pairs.collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        })
        .collect();
    let mut roots: Vec<u32> = Vec::new();
    let mut all: Vec<(usize, u32)> = Vec::new();
    for (caller, name) in per_unit.into_iter().flatten() {
        if caller == usize::MAX { roots.push(name) } else { all.push((caller, name)) }
    }
    roots.sort_unstable();
    roots.dedup();
    let count = offsets.last().copied().unwrap_or(0);
    let mut starts = vec![0_u32; count + 1];
    for (caller, _) in &all {
        if let Some(next) = starts.get_mut(caller + 1) {
            *next += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    Edges { starts, callees: all.into_iter().map(|(_, name)| name).collect(), roots }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_roles() {
        assert_eq!(by_name("open"), Some(Role::StartUp));
        assert_eq!(by_name("openDatabase"), Some(Role::StartUp));
        assert_eq!(by_name("open_channel"), None);
        assert_eq!(by_name("create_schema"), Some(Role::Migration));
        assert_eq!(by_name("migrate_2_to_3"), Some(Role::Migration));
        assert_eq!(by_name("get_schema_version"), None);
        assert_eq!(by_name("create_account"), None);
    }
}

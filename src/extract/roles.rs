//! What part of the program's life a function belongs to, judged by who calls it. Functions of one name are one
//! here, which errs towards calling code alive.

mod afar;
mod constructors;
mod decorated;
mod edges;
mod entries;
mod groups;
mod meant;
mod names;
mod nodes;
mod quiet;
mod sieve;
mod spoken;
mod undeclared;

pub(super) use edges::Outlines;
pub(super) use groups::Groups;
pub use names::{has_words, leading_number};
pub(super) use nodes::{migrations, open_owner, runs_once, token_text};

use super::{Sink, fold::Unit, sketch::NOWHERE};
use crate::source::{Site, Sources, folder_of};
use afar::Afar;
use constructors::Constructors;
use edges::Edges;
use entries::Programs;
use meant::Meant;
use nodes::Functions;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

/// Why a function has its role: what it is called, and who calls it.
pub(super) const BY_NAME: &str = "its name says so";
pub(super) const ONLY_SUCH: &str = "only such code calls it";
/// Why an example is no production code; what it shows is.
const EXAMPLE: &str = "it belongs to an example";
pub(super) const IN_A_LIST: &str = "it stands in a list of migrations";

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

    /// What code is that quiet code of two roles calls. Only what nothing but migrations call is one.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Migration, Self::Offline) | (Self::Offline, Self::Migration) => Self::Offline,
            _ => self.min(other),
        }
    }
}

/// Whether the name of a call tells that it migrates a database.
pub(super) fn migrates(sink: Option<&Sink>) -> bool {
    sink.is_some_and(|sink| is_migration(&sink.name))
}

/// Whether a name speaks of migrations.
pub(super) fn is_migration(name: &str) -> bool {
    names::role(name) == Some(Role::Migration)
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
    /// Whether it is given a connection, or what runs statements on one, by the names of its parameters.
    pub is_given_connection: bool,
}

impl Function {
    /// Whether a list of migrations names it, so that what goes through the list calls it, under another name.
    pub fn is_listed(&self) -> bool {
        self.reason == IN_A_LIST
    }
}

/// A function of the graph.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub unit: u32,
    name: u32,
    pub role: Role,
    /// Whether something in front of it may call it from afar.
    is_registered: bool,
    /// Whether it is written for a trait or a class of somebody else, who calls it.
    is_foreign: bool,
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

/// The methods of each type that others than the tree may call, as indexes of the nodes: a type belongs to its folder.
fn methods<'a>(open: &[(u32, &'a str)], nodes: &[Node], paths: &dyn Fn(u32) -> &'a str) -> Vec<Vec<u32>> {
    let mut types: HashMap<(&str, &str), Vec<u32>> = HashMap::default();
    for &(index, owner) in open {
        let Some(node) = nodes.get(index as usize).filter(|node| node.role != Role::Test) else { continue };
        let folder = folder_of(paths(node.unit));
        // What is kept for the tree may be handed to others all the same, but seldom is.
        if !folder.split('/').any(|part| part == "internal") {
            types.entry((folder, owner)).or_default().push(index);
        }
    }
    let mut methods: Vec<Vec<u32>> = types.into_values().collect();
    methods.sort_unstable();
    methods
}

/// What is reached from entry points.
struct Live {
    /// For each function whether it is.
    is: Vec<bool>,
    /// Hundreds of functions are called `new`, by thousands: each name is followed once.
    followed: Vec<bool>,
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

    /// How many functions of the tree, tests aside, have the name of this one.
    pub fn count(&self, unit: u32, function: u32) -> u32 {
        let count = self.node(unit, function).and_then(|node| self.counts.get(node.name as usize));
        count.copied().unwrap_or(0)
    }

    /// Whether no other function of the tree, tests aside, has the name of this one.
    pub fn is_only(&self, unit: u32, function: u32) -> bool {
        self.count(unit, function) == 1
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

    /// The graph, and the numbers of its names.
    pub fn new<'a>(
        sources: &'a Sources,
        units: &[Unit],
        outlines: Outlines<'a>,
        is_offline: &(dyn Fn(&str) -> bool + Sync),
    ) -> (Self, HashMap<&'a str, u32>) {
        let Functions { mut nodes, offsets, mut names, open } = nodes::nodes(sources, units, outlines.names);
        let functions = names.len();
        let afar = Afar::new(sources, units, outlines.names, &names);
        let of_sql = edges::names_of_sql(sources, units, &mut names);
        let (mut edges, called) = edges::edges(sources, units, outlines, &names, &offsets);
        edges.name(&spoken::spoken(sources, units, &names));
        edges.name(&afar.exported);
        let paths = |unit: u32| units.get(unit as usize).map_or("", |unit| sources.path(unit.source));
        let holders = entries::holders(units, &offsets);
        let constructors = Constructors::of(sources, units, &mut nodes, &offsets);
        afar.mark_open(&paths, (&mut nodes, &holders), &open, &edges);
        let mut counts = vec![0; functions];
        for node in &nodes {
            if let Some(count) = counts.get_mut(node.name as usize) {
                *count += 1;
            }
        }
        afar.mark_listed(&paths, &mut nodes);
        let known = (&edges, called.as_slice(), of_sql.as_slice(), counts.as_slice());
        let callers = edges::callers(sources, units, (&nodes, &offsets), known);
        let mut graph = Self { nodes, offsets, callers, called, names: names.len(), counts };
        if let Some(&main) = names.get("main") {
            let programs = Programs::new(sources, units, &graph.nodes, &names, main);
            graph.mark_dead(units, (&edges, main), &programs, &methods(&open, &graph.nodes, &paths));
        }
        graph.mark_offline(sources, units, is_offline);
        graph.mark_start_up(&edges, &Meant::new(sources, units, &graph), &constructors);
        (graph, names)
    }

    /// Tells whom the calls of a unit may mean that was read again.
    pub fn set_called(&mut self, unit: usize, called: Vec<u32>) {
        if let Some(place) = self.called.get_mut(unit) {
            *place = called;
        }
    }

    /// What nothing reaches from the program's entry points, or from code at the level of a file, is dead.
    /// `methods`: those of each type that others than the tree may call.
    fn mark_dead(
        &mut self,
        units: &[Unit],
        (edges, main): (&Edges, u32),
        programs: &Programs,
        methods: &[Vec<u32>],
    ) {
        let numbered = || (0_u32..).zip(&self.nodes);
        let by_name = Groups::new(self.names, numbered().map(|(index, node)| (node.name, index)));
        let is_package = |unit: u32| units.get(unit as usize).is_some_and(|unit| unit.language.packages);
        let is_init = |node: &Node| Some(node.name) == programs.init && is_package(node.unit);
        let is_root =
            |node: &Node| node.name == main || node.is_registered || node.is_foreign || is_init(node);
        let mut live = Live { is: vec![false; self.nodes.len()], followed: vec![false; self.names] };
        self.follow(edges, &by_name, programs.mains.clone(), &mut live);
        if !entries::reach_sql(units, &self.offsets, &live.is) {
            return;
        }
        let mut work: Vec<u32> =
            numbered().filter(|(_, node)| is_root(node)).map(|(index, _)| index).collect();
        for (name, _) in edges.roots.iter().enumerate().filter(|(_, is_root)| **is_root) {
            work.extend(by_name.of(name as u32));
        }
        self.follow(edges, &by_name, work, &mut live);
        let is_closed = |unit: &Unit| programs.languages.contains(&unit.language.name);
        // Of a library, the programs beside it reach a small part; of what is kept for them alone, nearly all.
        let mut exported = entries::holders(units, &self.offsets);
        exported.retain(|one| programs.importable.contains(one));
        let reached = exported.iter().filter(|&&one| live.is.get(one as usize) == Some(&true)).count();
        if reached * 2 < exported.len() {
            self.follow(edges, &by_name, programs.importable.iter().copied().collect(), &mut live);
        }
        let unasked = self.unasked(edges, &live.is, methods);
        self.follow(edges, &by_name, unasked, &mut live);
        for (node, live) in self.nodes.iter_mut().zip(live.is) {
            let closed = units.get(node.unit as usize).is_some_and(is_closed);
            if !live && closed && node.role == Role::Production {
                (node.role, node.reason) = (Role::Dead, "nothing but tests reaches it");
            }
        }
    }

    /// The methods of a type for many of which nothing in the tree asks: a library does to which that is handed, or code that a
    /// program writes.
    fn unasked(&self, edges: &Edges, live: &[bool], methods: &[Vec<u32>]) -> Vec<u32> {
        /// The methods of the smallest type of which that can be said.
        const FEW: usize = 8;
        let mut asked = vec![false; self.names];
        for (caller, node) in (0_u32..).zip(&self.nodes) {
            let callees = if node.role == Role::Test { &[] } else { edges.callees.of(caller) };
            // What only hands on has the name of what it hands on to.
            for &callee in callees.iter().filter(|&&callee| callee != node.name) {
                afar::mark(&mut asked, callee);
            }
        }
        let is_unasked = |one: &&u32| {
            let name = self.nodes.get(**one as usize).and_then(|node| asked.get(node.name as usize));
            live.get(**one as usize) == Some(&false) && name == Some(&false)
        };
        let mut found = Vec::new();
        for all in methods.iter().filter(|all| all.len() >= FEW) {
            let unasked: Vec<u32> = all.iter().filter(is_unasked).copied().collect();
            if unasked.len() * 4 > all.len() {
                found.extend(unasked);
            }
        }
        found
    }

    /// What functions reach, through the names that they mention.
    fn follow(&self, edges: &Edges, by_name: &Groups, mut work: Vec<u32>, live: &mut Live) {
        while let Some(index) = work.pop() {
            let Some(seen) = live.is.get_mut(index as usize) else { continue };
            let is_test = self.nodes.get(index as usize).is_some_and(|node| node.role == Role::Test);
            if std::mem::replace(seen, true) || is_test {
                continue;
            }
            for &callee in edges.callees.of(index) {
                if let Some(seen) = live.followed.get_mut(callee as usize)
                    && !std::mem::replace(seen, true)
                {
                    work.extend(by_name.of(callee));
                }
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
        let shows = |unit: &Unit| entries::shows(sources.path(unit.source));
        for node in &mut self.nodes {
            if node.role == Role::Production && offline.get(node.unit as usize) == Some(&true) {
                let is_example = units.get(node.unit as usize).is_some_and(shows);
                (node.role, node.reason) =
                    (Role::Offline, if is_example { EXAMPLE } else { "it belongs to a tool" });
            }
        }
    }
}

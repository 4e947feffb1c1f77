//! Constructors of Python, and who makes values of their classes: an `__init__` runs whenever that does. One that opens something
//! belongs to the start, wherever it stands. Knows words; classes of one name are one here.

use super::{Node, Role, names, token_text};
use crate::{
    extract::{fold::Unit, sketch::NOWHERE},
    source::{Source, Sources},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

/// How far classes are followed to their bases.
const DEEPEST: usize = 64;

/// For each constructor, as an index of the nodes, the functions that make values of its class, `main` aside.
pub(super) struct Constructors(HashMap<u32, Vec<u32>>);

/// What a file says of classes.
#[derive(Default)]
struct Read<'a> {
    /// The constructors that open nothing, and their classes.
    constructors: Vec<(u32, &'a str)>,
    /// The classes, and the first base of each.
    bases: Vec<(&'a str, &'a str)>,
    /// What is called, and by which function.
    calls: Vec<(&'a str, u32)>,
}

impl Constructors {
    /// Takes the role away that the name of a constructor tells: who makes its values is asked for it.
    pub fn of<'a>(sources: &'a Sources, units: &[Unit], nodes: &mut [Node], offsets: &[usize]) -> Self {
        let is_one = |(unit, _): &(&Unit, &usize)| unit.language.indented && unit.outline.is_none();
        let read = |(unit, &offset): (&'_ Unit, &usize)| {
            let text = sources.get(unit.source).map_or("", Source::text);
            read(unit, text, offset as u32)
        };
        let read: Vec<Read<'a>> = units.par_iter().zip(offsets).filter(is_one).map(read).collect();
        let bases: HashMap<&str, &str> = read.iter().flat_map(|one| one.bases.iter().copied()).collect();
        let mut makers: HashMap<&str, Vec<u32>> = HashMap::default();
        for (_, class) in read.iter().flat_map(|one| &one.constructors) {
            makers.entry(class).or_default();
        }
        for &(callee, caller) in read.iter().flat_map(|one| &one.calls) {
            let with_bases = std::iter::successors(Some(&callee), |class| bases.get(*class));
            for class in with_bases.take(DEEPEST) {
                if let Some(makers) = makers.get_mut(class) {
                    makers.push(caller);
                }
            }
        }
        let mut found = HashMap::default();
        for &(constructor, class) in read.iter().flat_map(|one| &one.constructors) {
            let node = nodes.get_mut(constructor as usize).filter(|node| node.role == Role::StartUp);
            if let (Some(node), Some(makers)) = (node, makers.get(class)) {
                (node.role, node.reason) = (Role::Production, "");
                found.insert(constructor, makers.clone());
            }
        }
        Self(found)
    }

    /// The functions that make values of the class of a constructor; `None` of all other functions.
    pub fn makers(&self, node: u32) -> Option<&[u32]> {
        self.0.get(&node).map(Vec::as_slice)
    }
}

fn read<'a>(unit: &Unit, text: &'a str, offset: u32) -> Read<'a> {
    let word = |at: u32| token_text(unit, text, at);
    let function = |number: u32| unit.sketch.functions.get(number as usize);
    let is_constructor = |number: u32| function(number).is_some_and(|one| word(one.name) == "__init__");
    let mut found = Read::default();
    let mut opening = Vec::new();
    for call in unit.sketch.calls.iter().filter(|call| call.is_call && call.function != NOWHERE) {
        let name = word(call.name);
        if is_constructor(call.function) && name != "__init__" && names::role(name).is_some() {
            opening.push(call.function);
        }
        // What `main` makes, it makes at the start.
        if function(call.function).is_some_and(|one| word(one.name) == "main") {
            continue;
        }
        let own = function(call.function).filter(|_| name == "cls").map(|one| word(one.owner));
        found.calls.push((own.unwrap_or(name), offset + call.function));
    }
    for (number, one) in (0..).zip(&unit.sketch.functions).filter(|(_, one)| one.owner != NOWHERE) {
        let class = word(one.owner);
        if one.implements != NOWHERE {
            found.bases.push((class, word(one.implements)));
        }
        // What a metaclass makes, it may make but once: `class Cache(metaclass=Singleton):`
        let mut head = (one.owner + 1..one.end).map(word).take_while(|word| *word != ":");
        let is_plain = !head.any(|word| word == "metaclass");
        if is_constructor(number) && is_plain && !opening.contains(&number) {
            found.constructors.push((offset + number, class));
        }
    }
    found
}

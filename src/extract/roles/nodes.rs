//! The functions of a tree, by name, with the role that each has by itself.

use super::{BY_NAME, Node, Role, names};
use crate::{
    extract::{
        fold::Unit,
        outline::{Listed, OutlinedFunction},
        sketch::NOWHERE,
    },
    source::{Source, Sources},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// All functions, the first of each unit, and the numbers of their names.
pub(super) fn nodes<'a>(
    sources: &'a Sources,
    units: &[Unit],
    listed: &'a Listed,
) -> (Vec<Node>, Vec<usize>, HashMap<&'a str, u32>) {
    let declared = declared(sources, units, listed);
    let is_foreign = |name: &str| !name.is_empty() && !OPEN.contains(&name) && !declared.contains(name);
    let per_unit: Vec<Vec<(&str, Node)>> = (0..units.len() as u32)
        .into_par_iter()
        .zip(units)
        .map(|(unit_index, unit)| {
            let node = |one: OutlinedFunction, word, implements: &str| {
                let (role, reason) = first_role(one.is_test || unit.is_test, word, one.closes);
                let (is_registered, is_foreign) = (one.is_registered, is_foreign(implements));
                (word, Node { unit: unit_index, name: NOWHERE, role, is_registered, is_foreign, reason })
            };
            if let Some(outline) = &unit.outline {
                let functions = outline.functions.iter();
                let named =
                    |one: &OutlinedFunction| node(*one, listed.name(one.name), listed.name(one.implements));
                return functions.map(named).collect();
            }
            let text = sources.get(unit.source).map_or("", Source::text);
            let functions = unit.sketch.functions.iter().map(|function| {
                let word = token_text(unit, text, function.name);
                let one = OutlinedFunction {
                    name: NOWHERE,
                    is_test: function.is_test,
                    is_registered: function.is_registered,
                    implements: NOWHERE,
                    closes: closes(unit, text, function.name),
                };
                node(one, word, token_text(unit, text, function.implements))
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

/// Bases that call no method of what is made of them.
const OPEN: [&str; 8] =
    ["object", "ABC", "Protocol", "Generic", "Enum", "NamedTuple", "TypedDict", "Exception"];

/// The names of all traits and classes that the tree declares.
fn declared<'a>(sources: &'a Sources, units: &[Unit], listed: &'a Listed) -> HashSet<&'a str> {
    let names = |unit: &Unit| -> Vec<&'a str> {
        if let Some(outline) = &unit.outline {
            return outline.types.iter().map(|&name| listed.name(name)).collect();
        }
        if unit.sketch.types.is_empty() {
            return Vec::new();
        }
        let text = sources.get(unit.source).map_or("", Source::text);
        unit.sketch.types.iter().map(|&name| token_text(unit, text, name)).collect()
    };
    units.par_iter().flat_map_iter(names).collect::<Vec<&str>>().into_iter().collect()
}

/// The text of a token.
pub(in crate::extract) fn token_text<'a>(unit: &Unit, text: &'a str, token: u32) -> &'a str {
    let range =
        unit.tokens.get(token as usize).map_or(0..0, |token| token.start as usize..token.end as usize);
    text.get(range).unwrap_or("")
}

fn first_role(is_test: bool, name: &str, closes: bool) -> (Role, &'static str) {
    if is_test {
        return (Role::Test, "test code");
    }
    match names::role(name) {
        Some(role) => (role, BY_NAME),
        None if closes => (Role::StartUp, "it runs as something is closed"),
        None => (Role::Production, ""),
    }
}

/// What stands in front of the first parameter that is no receiver.
const OWN: [&str; 4] = ["(", "&", "mut", "self"];

/// Whether a function closes something: it is called so, and has no parameter but the value whose method it is.
pub(in crate::extract) fn closes(unit: &Unit, text: &str, name: u32) -> bool {
    if !token_text(unit, text, name).eq_ignore_ascii_case("close") {
        return false;
    }
    let mut at = name + 1;
    while OWN.contains(&token_text(unit, text, at)) {
        at += 1;
    }
    token_text(unit, text, at) == ")"
}

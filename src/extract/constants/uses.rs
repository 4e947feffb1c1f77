//! Which constants and functions the code of a program names, its tests and comments aside. Knows names alone: a word of a string
//! counts, for a template may hold the name.

use crate::extract::{
    languages::{self, Language},
    lexer::{Kind, Table},
    sketch::{self, NOWHERE, Sketch},
};
use crate::source::{Source, SourceId, Sources, Words};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Those of these names, each declared in a file, that code has which is no test, other than where they are declared.
pub fn named_in_code<'n>(sources: &Sources, names: &BTreeMap<&'n str, SourceId>) -> BTreeSet<&'n str> {
    let mut own: BTreeMap<SourceId, Vec<&'n str>> = BTreeMap::new();
    for (&name, &file) in names {
        own.entry(file).or_default().push(name);
    }
    let at_home = own.into_par_iter().filter_map(|(file, names)| Some(named_in(sources.get(file)?, &names)));
    let mut found: BTreeSet<&'n str> = at_home.flatten_iter().collect();
    // Most names are used where they are declared, so that few are looked for everywhere.
    let rest: Vec<&'n str> = names.keys().filter(|name| !found.contains(*name)).copied().collect();
    let words = Words::new(&rest);
    let holders = sources.par_iter().filter(|(_, source)| !rest.is_empty() && source.has_any(&words));
    let afar = holders.flat_map_iter(|(_, source)| named_in(source, &rest)).collect::<Vec<_>>();
    found.extend(afar);
    found
}

fn named_in<'n>(source: &Source, names: &[&'n str]) -> BTreeSet<&'n str> {
    let language = languages::of(&source.path);
    let is_code = |one: &&Language| !one.is_sql && !one.is_test_path(&source.path);
    let Some(language) = language.filter(is_code) else { return BTreeSet::new() };
    let set: HashSet<&'n str> = names.iter().copied().collect();
    source.peek(|text| {
        let (tokens, sketch) = sketch::sketch(text, language, &Table::new(language), false);
        let passed = Passed::new(&sketch);
        let mut found = BTreeSet::new();
        for (_, token) in (0_u32..).zip(&tokens).filter(|&(at, _)| !passed.has(at)) {
            let spelling = token.text(text);
            match token.kind {
                Kind::Word => found.extend(set.get(spelling)),
                Kind::Text => found.extend(names.iter().filter(|name| spelling.contains(**name))),
                _ => {}
            }
        }
        found
    })
}

/// The tokens that stand in a test, or are names where they are declared.
struct Passed {
    declared: HashSet<u32>,
    /// The tests, in order and apart.
    tests: Vec<(u32, u32)>,
}

impl Passed {
    fn new(sketch: &Sketch) -> Self {
        let bound = sketch.bindings.iter().filter(|one| one.function == NOWHERE).map(|one| one.name);
        let declared = sketch.functions.iter().map(|one| one.name).chain(bound).collect();
        let tests = sketch.functions.iter().filter(|one| one.is_test).map(|one| (one.name, one.end));
        let mut all: Vec<(u32, u32)> = tests.collect();
        all.sort_unstable();
        let mut tests: Vec<(u32, u32)> = Vec::new();
        for (start, end) in all {
            match tests.last_mut() {
                Some((_, last)) if start <= *last => *last = end.max(*last),
                _ => tests.push((start, end)),
            }
        }
        Self { declared, tests }
    }

    fn has(&self, at: u32) -> bool {
        let next = self.tests.partition_point(|&(start, _)| start <= at);
        let test = next.checked_sub(1).and_then(|before| self.tests.get(before));
        test.is_some_and(|&(_, end)| at < end) || self.declared.contains(&at)
    }
}

//! Which constants and functions the code of a program names, its tests and comments aside. Knows names alone: a word of a string
//! counts, for a template may hold the name.

use crate::extract::{
    languages::{self, Language},
    lexer::{Kind, Table, Token},
    sketch::{self, Binding, FunctionSketch, NOWHERE, Sketch},
};
use crate::source::{Source, Sources, Words};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Those of these names that code has which is no test, other than where they are declared.
pub fn named_in_code<'n>(sources: &Sources, names: &[&'n str]) -> BTreeSet<&'n str> {
    let words = Words::new(names);
    let holders = sources.par_iter().filter(|(_, source)| source.has_any(&words));
    let found = holders.flat_map_iter(|(_, source)| named_in(source, names));
    found.collect::<Vec<_>>().into_iter().collect()
}

fn named_in<'n>(source: &Source, names: &[&'n str]) -> BTreeSet<&'n str> {
    let language = languages::of(&source.path);
    let is_code = |one: &&Language| !one.is_sql && !one.is_test_path(&source.path);
    let Some(language) = language.filter(is_code) else { return BTreeSet::new() };
    source.peek(|text| {
        let (tokens, sketch) = sketch::sketch(text, language, &Table::new(language), false);
        let words = (0_u32..).zip(&tokens).filter(|&(at, _)| !is_passed(&sketch, at));
        let has = |token: &Token, name: &str| match token.kind {
            Kind::Word => token.text(text) == name,
            Kind::Text => token.text(text).contains(name),
            _ => false,
        };
        words.flat_map(|(_, token)| names.iter().filter(move |name| has(token, name))).copied().collect()
    })
}

/// Whether a token stands in a test, or is a name where it is declared.
fn is_passed(sketch: &Sketch, at: u32) -> bool {
    let is_in = |one: &FunctionSketch| one.name == at || (one.is_test && one.name <= at && at < one.end);
    let is_bound = |one: &Binding| one.function == NOWHERE && one.name == at;
    sketch.functions.iter().any(is_in) || sketch.bindings.iter().any(is_bound)
}

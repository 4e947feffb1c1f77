//! With how many arguments functions are called, where a language has neither optional ones nor overloads: that tells functions of one
//! name apart. Where in doubt, a call means each.

use super::{Edges, Graph};
use crate::{
    extract::{
        code::Code,
        fold::Unit,
        sketch::{CallSketch, FunctionSketch, NOWHERE},
    },
    source::Sources,
};
use rayon::prelude::*;

/// Any number of arguments.
const ANY: u32 = u32::MAX;

/// The most arguments that are counted.
const MOST: usize = 30;

/// How many tokens stand between the name of a function and its parameters, the generic ones among them.
const LONGEST_HEAD: usize = 80;

/// Numbers of arguments, each as a bit.
pub(super) struct Counts {
    /// For each name those that it is called with.
    called: Vec<u32>,
    /// For each function those that it may be called with.
    taken: Vec<u32>,
}

impl Counts {
    /// Counts the arguments of all calls but those of tests.
    pub fn new(sources: &Sources, units: &[Unit], graph: &Graph, edges: &Edges) -> Self {
        let per_unit = units.par_iter().enumerate().map(|(at, unit)| {
            let names = graph.called(at);
            let functions = match graph.offsets.get(at..at + 2) {
                Some(&[start, end]) => end - start,
                _ => 0,
            };
            if unit.outline.is_some() || !unit.language.counted {
                return (names.iter().map(|&name| (name, ANY)).collect(), vec![ANY; functions]);
            }
            let code = Code::new(sources, unit);
            let is_test = |call: &CallSketch| {
                let function = unit.sketch.functions.get(call.function as usize);
                unit.is_test || function.is_some_and(|function| function.is_test)
            };
            let calls = unit.sketch.calls.iter().zip(names);
            let calls = calls.filter(|(call, name)| **name != NOWHERE && !is_test(call));
            let called = calls.map(|(call, &name)| (name, given(code, call.name as usize)));
            let taken = unit.sketch.functions.iter().map(|function| taken(code, function));
            (called.collect::<Vec<_>>(), taken.collect())
        });
        let named = edges.launched.iter().map(|&is_named| if is_named { ANY } else { 0 });
        let mut found = Self { called: named.collect(), taken: Vec::with_capacity(graph.nodes.len()) };
        for (called, taken) in per_unit.collect::<Vec<_>>() {
            for (name, counts) in called {
                if let Some(all) = found.called.get_mut(name as usize) {
                    *all |= counts;
                }
            }
            found.taken.extend(taken);
        }
        found
    }

    /// Whether a call of a name may mean this function.
    pub fn fit(&self, name: u32, function: u32) -> bool {
        let called = self.called.get(name as usize).copied().unwrap_or(ANY);
        called & self.taken.get(function as usize).copied().unwrap_or(ANY) != 0
    }
}

/// How many arguments the call at a token gives.
fn given(code: Code<'_>, name: usize) -> u32 {
    if !code.is(name + 1, b'(') {
        return ANY;
    }
    let (arguments, close) = code.arguments(name + 1);
    // What a macro puts in, the parameters of a closure, types; a list that is spread, or all that another function gives.
    let is_open = |at: usize| b"$|<#".iter().any(|&sign| code.is(at, sign));
    let is_spread = |at: usize| {
        let gives_more = arguments.len() == 1 && code.is(at, b'(');
        code.language().receivers && (gives_more || (code.is(at, b'.') && code.is(at + 1, b'.')))
    };
    let mut at = name + 2;
    while at < close {
        if is_open(at) || is_spread(at) {
            return ANY;
        }
        at = code.behind(at);
    }
    bit(arguments.len())
}

/// How many arguments a function may be given: the value that it is a method of may be the first.
fn taken(code: Code<'_>, function: &FunctionSketch) -> u32 {
    let Some(open) = parameters_open(code, function.name as usize) else { return ANY };
    let (parameters, _) = code.arguments(open);
    let is_receiver =
        |&(start, end): &(usize, usize)| (start..end.min(start + 6)).any(|at| code.word(at) == "self");
    let has_receiver = parameters.first().is_some_and(is_receiver);
    let (mut count, mut angles) = (0_usize, 0_i32);
    for &(start, end) in &parameters {
        count += usize::from(angles == 0);
        for at in start..end {
            let is_variadic = code.is(at, b'.') && code.is(at + 1, b'.');
            if is_variadic || code.is(at, b'#') || code.is(at, b'$') {
                return ANY;
            }
            angles += i32::from(code.is(at, b'<'));
            angles -= i32::from(code.is(at, b'>') && !code.is(at - 1, b'-'));
        }
    }
    if angles != 0 {
        return ANY;
    }
    let own = count - usize::from(has_receiver);
    let is_method = has_receiver || function.owner != NOWHERE;
    bit(own) | if is_method { bit(own + 1) } else { 0 }
}

/// The parenthesis of the parameters behind the name of a function.
fn parameters_open(code: Code<'_>, name: usize) -> Option<usize> {
    let mut angles = 0_i32;
    // `func each[F func(int) int](…)`
    let start = if code.is(name + 1, b'[') { code.matching(name + 1) + 1 } else { name + 1 };
    for at in start..name + LONGEST_HEAD {
        if code.is(at, b'(') && angles == 0 {
            return Some(at);
        }
        if code.is(at, b'{') || code.is(at, b';') {
            return None;
        }
        angles += i32::from(code.is(at, b'<'));
        angles -= i32::from(code.is(at, b'>') && !code.is(at - 1, b'-'));
    }
    None
}

/// The bit of a number.
fn bit(count: usize) -> u32 {
    if count > MOST { ANY } else { 1 << count }
}

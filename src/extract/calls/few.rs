//! Loops over a few elements, as constants tell that stand elsewhere: a count that is one, a list that a helper fills up to
//! one, a field of a message of which its decoder reads no more. An `impl` of [`Collector`], apart for its length.

use super::{Collector, Located};
use crate::extract::{
    Found,
    flow::{Flow, LoopSource, Origin, Run, Walked},
    fold::Spot,
    lexer::Kind,
    sketch::NOWHERE,
};
use crate::source::Site;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;
use std::{ops::Range, sync::OnceLock};

/// As many elements are few.
const FEW: u64 = 64;
/// The most names that are followed in one another.
const DEEPEST: u8 = 4;

/// What is known of the whole tree by name.
struct Known<'a> {
    /// Constants that are numbers, the largest of each name.
    numbers: HashMap<&'a str, u64>,
    /// The functions of each name, tests aside: their files, and their places there.
    functions: HashMap<&'a str, Vec<(u32, u32)>>,
    /// Those functions by the types that they are methods of, once that is asked.
    methods: OnceLock<HashMap<&'a str, Vec<(u32, u32)>>>,
}

impl<'a> Collector<'a> {
    /// Marks the loops that walk over a few elements.
    pub(super) fn mark_few(&self, found: &mut [Found], calls: &mut [Located]) {
        let (numbers, functions) = rayon::join(|| self.numbers(), || self.functions_by_name());
        let known = Known { numbers, functions, methods: OnceLock::new() };
        let handed = found.iter().filter_map(|one| Some((&one.literal.run, one.handed?)));
        let running = handed.map(|(run, handed)| (run, handed.spot, handed.sink));
        let calling = calls.iter().map(|(call, spot, name)| (&call.run, *spot, *name));
        let mut loops: HashMap<Site, (Spot, u32)> = HashMap::default();
        for (run, spot, name) in calling.chain(running).filter(|(run, ..)| may_be_few(run)) {
            if let Some(site) = run.loop_site {
                loops.entry(site).or_insert((spot, name));
            }
        }
        let few: HashMap<Site, bool> = loops
            .into_par_iter()
            .map(|(site, (spot, name))| (site, known.is_few(self, spot, name as usize)))
            .collect();
        let runs = found.iter_mut().map(|one| &mut one.literal.run);
        for run in calls.iter_mut().map(|(call, ..)| &mut call.run).chain(runs) {
            if run.loop_site.and_then(|site| few.get(&site)) == Some(&true) {
                run.loop_source = Some(LoopSource::Fixed);
            }
        }
    }

    fn numbers(&self) -> HashMap<&'a str, u64> {
        let mut numbers: HashMap<&str, u64> = HashMap::default();
        for unit in self.folder.units {
            let Some(source) = self.folder.sources.get(unit.source).filter(|_| !unit.is_test) else {
                continue;
            };
            for one in unit.sketch.numbers.iter().filter(|one| one.is_const) {
                let name = source.text().get(one.name.0 as usize..one.name.1 as usize).unwrap_or("");
                let value = numbers.entry(name).or_default();
                *value = one.value.max(*value);
            }
            for (name, number) in unit.outline.iter().flat_map(|outline| &outline.numbers) {
                let value = numbers.entry(name).or_default();
                *value = (*number).max(*value);
            }
        }
        numbers
    }

    fn functions_by_name(&self) -> HashMap<&'a str, Vec<(u32, u32)>> {
        let mut functions: HashMap<&str, Vec<(u32, u32)>> = HashMap::default();
        for (unit, file) in (0_u32..).zip(self.folder.units) {
            let spot = Spot::at(unit as usize, NOWHERE);
            for (index, function) in (0_u32..).zip(&file.sketch.functions).filter(|(_, one)| !one.is_test) {
                let name = self.folder.word(spot, function.name as usize);
                functions.entry(name).or_default().push((unit, index));
            }
        }
        functions
    }

    fn flow_of(&self, (unit, function): (u32, u32)) -> Option<(Spot, &Flow<'a>)> {
        let spot = Spot::at(unit as usize, function);
        Some((spot, self.flows.of(spot)?))
    }
}

fn may_be_few(run: &Run) -> bool {
    matches!(run.loop_source, Some(LoopSource::Collection | LoopSource::Range))
        && run.arguments.iter().any(|one| one.origin == Origin::LoopItem)
}

impl<'a> Known<'a> {
    /// Whether the innermost loop around a token has few turns.
    fn is_few(&self, collector: &Collector<'a>, spot: Spot, at: usize) -> bool {
        let Some(flow) = collector.flows.of(spot) else { return false };
        match flow.walked(at) {
            Some(Walked::Count(count)) => self.is_small(collector, (spot, flow), count, 0),
            Some(Walked::Field(owner, field)) => self.is_read_at_most(collector, owner, field),
            Some(Walked::Returned(call)) => self.is_filled_to_few(collector, (spot, flow), call),
            None => false,
        }
    }

    /// Whether a number is small: of constants, of functions that give one, of parameters that are always given one.
    fn is_small(
        &self,
        collector: &Collector<'a>,
        (spot, flow): (Spot, &Flow<'a>),
        range: Range<usize>,
        depth: u8,
    ) -> bool {
        let folder = collector.folder;
        let is = |at: usize, byte: u8| folder.is(spot, at, byte);
        if depth > DEEPEST || range.clone().any(|at| is(at, b'*') || is(at, b'{') || is(at, b'[')) {
            return false;
        }
        let mut small = false;
        for at in range.clone() {
            let word = folder.word(spot, at);
            match folder.kind(spot, at) {
                Some(Kind::Atom) if word.parse::<u64>().is_ok_and(|value| value <= FEW) => small = true,
                Some(Kind::Word) if is_silent(word) => {}
                // What a method is called on, or the path of a name, unless only its type is changed.
                Some(Kind::Word) if is(at + 1, b':') => {}
                Some(Kind::Word) if is(at + 1, b'.') && !is_silent(folder.word(spot, at + 2)) => {}
                Some(Kind::Word) => {
                    if !self.names_few(collector, (spot, flow), at, depth) {
                        return false;
                    }
                    small = true;
                }
                Some(Kind::Sign) => {}
                _ => return false,
            }
        }
        small
    }

    /// Whether a name stands for a small number.
    fn names_few(
        &self,
        collector: &Collector<'a>,
        (spot, flow): (Spot, &Flow<'a>),
        at: usize,
        depth: u8,
    ) -> bool {
        let word = collector.folder.word(spot, at);
        if let Some(&value) = self.numbers.get(word) {
            return value <= FEW;
        }
        if collector.folder.is(spot, at + 1, b'(') {
            let Some((inner, callee)) = self.only(collector, word) else { return false };
            let value = callee.lone_value();
            return value.is_some_and(|value| self.is_small(collector, (inner, callee), value, depth + 1));
        }
        if at.checked_sub(1).is_some_and(|before| collector.folder.is(spot, before, b'.')) {
            return false;
        }
        if let Some((value, is_byte)) = flow.given_value(word, at) {
            let constants =
                || value.clone().filter_map(|at| self.numbers.get(collector.folder.word(spot, at)));
            return (is_byte && constants().any(|&value| value <= FEW))
                || self.is_small(collector, (spot, flow), value.clone(), depth + 1);
        }
        flow.lone_parameter(&(at..at + 1))
            .is_some_and(|index| self.is_given_few(collector, spot, index, depth))
    }

    /// The function of a name that no other one of the tree has, be its file held or not.
    fn only<'c>(&self, collector: &'c Collector<'a>, name: &str) -> Option<(Spot, &'c Flow<'a>)> {
        let &[(unit, function)] = self.functions.get(name)?.as_slice() else { return None };
        collector.graph.is_only(unit, function).then(|| collector.flow_of((unit, function)))?
    }

    /// Whether all that call a function give it a small number.
    fn is_given_few(&self, collector: &Collector<'a>, spot: Spot, parameter: usize, depth: u8) -> bool {
        let folder = collector.folder;
        let own = collector.graph.name(spot.unit as u32, spot.function);
        if own == NOWHERE {
            return false;
        }
        let mut any = false;
        for (unit, file) in folder.units.iter().enumerate() {
            for (call, name) in file.sketch.calls.iter().zip(collector.graph.called(unit)) {
                if *name != own || !call.is_call || super::is_test(file, call) {
                    continue;
                }
                any = true;
                let caller = Spot::at(unit, call.function);
                let few = collector.flows.of(caller).is_some_and(|flow| {
                    let given = flow.arguments_of(call.name as usize).into_iter().nth(parameter);
                    given.is_some_and(|given| self.is_small(collector, (caller, flow), given, depth + 1))
                });
                if !few {
                    return false;
                }
            }
        }
        any
    }

    /// Whether what decodes a message reads few elements of a field.
    fn is_read_at_most(&self, collector: &Collector<'a>, owner: &str, field: &str) -> bool {
        let methods = self.methods.get_or_init(|| {
            let mut methods: HashMap<&str, Vec<(u32, u32)>> = HashMap::default();
            for &(unit, function) in self.functions.values().flatten() {
                let owner = collector.folder.owner(Spot::at(unit as usize, function));
                methods.entry(owner).or_default().push((unit, function));
            }
            methods
        });
        let mut decoders = methods.get(owner).into_iter().flatten().filter_map(|&one| collector.flow_of(one));
        decoders.any(|(spot, flow)| {
            let bounds = flow.read_at_most(field);
            bounds.into_iter().any(|bound| self.is_small(collector, (spot, flow), bound, 0))
        })
    }

    /// Whether the call at a token gives a list that the callee fills up to a small number which it is given.
    fn is_filled_to_few(
        &self,
        collector: &Collector<'a>,
        (spot, flow): (Spot, &Flow<'a>),
        call: usize,
    ) -> bool {
        let name = collector.folder.word(spot, call);
        let Some((_, callee)) = self.only(collector, name) else { return false };
        let mut given = flow.arguments_of(call).into_iter().enumerate();
        given.any(|(parameter, range)| {
            callee.fills_up_to(parameter) && self.is_small(collector, (spot, flow), range, 0)
        })
    }
}

/// Words of an expression that change no number, or only its type.
fn is_silent(word: &str) -> bool {
    matches!(
        word,
        "as" | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "usize"
            | "i64"
            | "i32"
            | "from"
            | "into"
            | "try_from"
            | "self"
            | "crate"
            | "super"
    )
}

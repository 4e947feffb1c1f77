//! Texts that pass between the functions of one file: what a function gives back, and what its callers hand to it. An
//! `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, Spot, distinct, is_only_hole, lists::is_list_value};
use crate::extract::{
    sketch::{CallSketch, FunctionSketch, NOWHERE},
    text::Text,
};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::{hash::BuildHasher, sync::PoisonError};

/// The most calls of a function that are looked at.
const MAX_CALLS: usize = 16;

impl Folder<'_> {
    /// The texts that the only function of a name in the file gives back.
    pub(super) fn returned(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let unit = self.units.get(spot.unit)?;
        if spot.depth > MAX_DEPTH || name.len() < 2 {
            return None;
        }
        let mut of_name = (0_u32..)
            .zip(&unit.sketch.functions)
            .filter(|(_, one)| self.word(spot, one.name as usize) == name);
        let (index, function) = of_name.next()?;
        if of_name.next().is_some() || index == spot.function {
            return None;
        }
        let inner = Spot { is_bare: spot.is_bare, depth: spot.depth + 1, ..Spot::at(spot.unit, index) };
        let mut texts = self.given_back(inner, function);
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        distinct(&mut texts);
        (!texts.is_empty()).then_some(texts)
    }

    fn given_back(&self, spot: Spot, function: &FunctionSketch) -> Vec<Text> {
        let (from, end) = (function.name as usize, function.end as usize);
        let returns = (from..end).filter(|&at| self.word(spot, at) == "return");
        let mut texts: Vec<Text> = returns.flat_map(|at| self.chain(spot, at + 1).0).collect();
        let Some(language) = self.language(spot) else { return texts };
        let Some(open) = self.parameters_at(spot, function) else { return texts };
        let close = self.matching(spot, open);
        if language.block_values {
            let body = (close..end).find(|&at| self.is(spot, at, b'{'));
            texts.extend(body.into_iter().flat_map(|body| self.block(spot, body)));
        } else if language.equals_bodies {
            let equals = (close..end.min(close + 8)).find(|&at| self.is(spot, at, b'='));
            texts.extend(equals.into_iter().flat_map(|at| self.chain(spot, at + 1).0));
        }
        texts
    }

    /// The parenthesis of a function's parameters.
    fn parameters_at(&self, spot: Spot, function: &FunctionSketch) -> Option<usize> {
        let name = function.name as usize;
        let parenthesis = |at: &usize| self.is(spot, *at, b'(');
        let is_body = |at: &usize| self.is(spot, *at, b'{') || self.is(spot, *at, b';');
        (name..name + 24).take_while(|at| !is_body(at)).find(parenthesis)
    }

    /// The calls in the file of the function around, where they hand over what texts leave open.
    pub fn callers(&self, spot: Spot, texts: &[Text]) -> Vec<u32> {
        let nothing = Vec::new;
        let Some(unit) = self.units.get(spot.unit) else { return nothing() };
        let Some(function) = unit.sketch.functions.get(spot.function as usize) else { return nothing() };
        let is_open = |name: &str| !name.is_empty() && self.parameter(spot, function, name).is_some();
        if !texts.iter().flat_map(Text::holes).any(|hole| is_open(&hole.name)) {
            return nothing();
        }
        let called = self.word(spot, function.name as usize);
        let calls = self.calls_named(spot, called);
        let calls = calls.filter(|call| call.is_call && call.function != spot.function);
        calls.map(|call| call.name).take(MAX_CALLS).collect()
    }

    /// The calls in the file that have a name, in order.
    fn calls_named<'s>(&'s self, spot: Spot, name: &'s str) -> impl Iterator<Item = &'s CallSketch> {
        let calls = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.calls);
        let hash = |word: &str| FxBuildHasher.hash_one(word);
        let by_name = self.known.unit(spot.unit).map(|known| {
            known.calls.get_or_init(|| {
                let mut by_name: HashMap<u64, Vec<u32>> = HashMap::default();
                for (index, call) in (0_u32..).zip(calls) {
                    by_name.entry(hash(self.word(spot, call.name as usize))).or_default().push(index);
                }
                by_name
            })
        });
        let own = by_name.and_then(|by_name| by_name.get(&hash(name))).map_or(&[][..], Vec::as_slice);
        let own = own.iter().filter_map(|&index| calls.get(index as usize));
        own.filter(move |call| self.word(spot, call.name as usize) == name)
    }

    /// The place of a parameter among those of a function, the receiver aside.
    fn parameter(&self, spot: Spot, function: &FunctionSketch, name: &str) -> Option<usize> {
        let open = self.parameters_at(spot, function)?;
        let (parameters, _) = self.arguments(spot, open);
        let is_receiver = |&(start, end): &(usize, usize)| {
            (start..end.min(start + 4)).any(|at| matches!(self.word(spot, at), "self" | "cls"))
        };
        let receivers = usize::from(parameters.first().is_some_and(is_receiver));
        let place =
            parameters.iter().position(|&(start, end)| self.names_parameter(spot, (start, end), name))?;
        place.checked_sub(receivers)
    }

    /// The texts that the call which a spot is seen from hands to a parameter of the function around.
    pub(super) fn handed(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        if spot.caller == NOWHERE {
            return None;
        }
        let unit = self.units.get(spot.unit)?;
        let function = unit.sketch.functions.get(spot.function as usize)?;
        let place = self.parameter(spot, function, name)?;
        let call = unit.sketch.calls.iter().find(|call| call.name == spot.caller)?;
        let (arguments, _) = self.arguments(spot, call.name as usize + 1);
        let named = |&(start, _): &(usize, usize)| {
            self.word(spot, start) == name
                && (self.is(spot, start + 1, b'=') || self.is(spot, start + 1, b':'))
        };
        let by_name = arguments.iter().find(|one| named(one)).map(|&(start, _)| start + 2);
        let start = by_name.or_else(|| arguments.get(place).map(|&(start, _)| start))?;
        let depth = spot.depth + 2;
        let caller = Spot { is_bare: spot.is_bare, depth, ..Spot::at(spot.unit, call.function) };
        if depth > MAX_DEPTH {
            return None;
        }
        let mut texts = self.chain(caller, start).0;
        if texts.iter().all(is_only_hole) {
            texts = self.handed_on(caller, start);
        }
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        texts.iter_mut().for_each(Text::mark_handed);
        (!texts.is_empty()).then_some(texts)
    }

    /// What the callers of a function hand to the parameter that it hands on.
    fn handed_on(&self, spot: Spot, at: usize) -> Vec<Text> {
        let name = self.word(spot, at);
        let key = (Spot { caller: NOWHERE, ..spot }, name.to_owned());
        let known = self.known.unit(spot.unit).map(|unit| &unit.handed);
        let read = known.map(|known| known.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(texts) = read.and_then(|read| read.get(&key).cloned()) {
            return texts;
        }
        let mut texts = Vec::new();
        for caller in self.callers(spot, &[self.hole(spot, at, name, false)]) {
            texts.extend(self.handed(Spot { caller, ..spot }, name).unwrap_or_default());
        }
        distinct(&mut texts);
        if let Some(known) = known {
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, texts.clone());
        }
        texts
    }

    /// Whether a parameter has a name: first as in Go and in front of a colon, else last.
    fn names_parameter(&self, spot: Spot, (start, end): (usize, usize), name: &str) -> bool {
        let ends = (start..end).find(|&at| self.is(spot, at, b':') || self.is(spot, at, b'=')).unwrap_or(end);
        let typed = self.language(spot).is_some_and(|language| language.typed);
        let first = if typed { ends.saturating_sub(1) } else { start };
        (first..ends).any(|at| self.word(spot, at) == name)
    }
}

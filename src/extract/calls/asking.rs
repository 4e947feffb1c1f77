//! Looks into the catalogue by which a program decides whether a step of its schema runs: where they are made, and for which
//! names.

use super::Collector;
use crate::extract::{
    Found,
    flow::{Arm, Flow},
    fold::{Folder, Spot},
    lexer::Kind,
    sketch::NOWHERE,
    text::Text,
};
use rustc_hash::FxHashMap as HashMap;
use std::{collections::BTreeSet, ops::Range};

impl<'a> Collector<'a> {
    /// The functions that look into the catalogue, and the places where that is done.
    pub(super) fn asking(&self, found: &[Found]) -> Asking<'a> {
        let mut asking = Asking::default();
        for one in found.iter().filter(|one| asks_catalogue(one)) {
            let spot = Spot::at(one.unit as usize, one.candidate.function);
            if spot.function == NOWHERE {
                continue;
            }
            let names = asked_names(self.folder, spot, one);
            let literal = one.candidate.literal as usize;
            asking.texts.insert((one.unit, literal), names.clone());
            let numbers = self.numbers.get(&(one.unit, spot.function)).copied();
            let function = self.folder.units.get(spot.unit).and_then(|unit| {
                let sketch = unit.sketch.functions.get(spot.function as usize)?;
                Some(self.folder.word(Spot { function: NOWHERE, ..spot }, sketch.name as usize))
            });
            if let (Some(function), Some(number)) = (function, numbers) {
                asking.functions.entry(function).or_default().insert(number);
                asking.names.entry(number).or_default().extend(names);
            }
        }
        asking
    }
}

fn asks_catalogue(one: &Found) -> bool {
    let asks = |sql: &str| sql.contains("sqlite_master") || sql.contains("sqlite_schema");
    one.literal.variants.iter().any(|text| asks(text.as_str()))
}

/// The names that a look into the catalogue is for: those in its text, and those that it is given.
fn asked_names(folder: &Folder<'_>, spot: Spot, one: &Found) -> Vec<String> {
    let mut names = BTreeSet::new();
    for text in &one.literal.variants {
        let quoted = text.as_str().split('\'').skip(1).step_by(2);
        names.extend(quoted.filter(|name| is_name(name) && !is_kind(name)).map(str::to_owned));
    }
    let unit = folder.units.get(spot.unit);
    let end = unit
        .and_then(|unit| unit.sketch.functions.get(spot.function as usize))
        .map_or(0, |one| one.end as usize);
    let start = one.candidate.start as usize;
    let binding = unit.and_then(|unit| {
        let found = unit.sketch.bound_up_to(start)?;
        (found.function == spot.function && start - (found.value as usize) < 20)
            .then_some(found.name as usize)
    });
    let word = binding.map(|name| folder.word(spot, name));
    for at in start..end.min(start + 2000) {
        if at == start || word.is_some_and(|word| folder.word(spot, at) == word) {
            names.extend(given(folder, spot, at));
        }
    }
    names.into_iter().collect()
}

/// The names that stand beside a token in the brackets of its call.
fn given(folder: &Folder<'_>, spot: Spot, at: usize) -> Vec<String> {
    let Some(code) = folder.code(spot) else { return Vec::new() };
    let Some(open) = code.around(at).find(|&open| code.is(open, b'(')) else { return Vec::new() };
    let close = code.matching(open);
    let mut names = Vec::new();
    for one in (open + 1..close.min(open + 120)).filter(|one| *one != at) {
        let is_constant = || {
            let word = code.word(one);
            word.len() > 2
                && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let texts = match code.kind(one) {
            Some(Kind::Text) => folder.chain(spot, one).0,
            Some(Kind::Word) if is_constant() => {
                folder.value_of(spot, code.word(one), one).unwrap_or_default()
            }
            _ => continue,
        };
        names.extend(texts.iter().map(Text::as_str).filter(|name| is_name(name)).map(str::to_owned));
    }
    names
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|one| one.is_alphanumeric() || one == '_')
        && !text.starts_with(|one: char| one.is_ascii_digit())
}

/// What the catalogue calls the kinds of its objects.
fn is_kind(text: &str) -> bool {
    matches!(text, "table" | "index" | "view" | "trigger")
}

/// Who looks into the catalogue, and for which names.
#[derive(Default)]
pub(super) struct Asking<'a> {
    functions: HashMap<&'a str, BTreeSet<u32>>,
    names: HashMap<u32, BTreeSet<String>>,
    /// By file and token.
    texts: HashMap<(u32, usize), Vec<String>>,
}

impl<'a> Collector<'a> {
    /// The names by which an arm is chosen; `None` where it has another reason.
    pub(super) fn asked(
        &self,
        flow: &Flow<'a>,
        spot: Spot,
        asking: &Asking<'a>,
        arm: &Arm,
    ) -> Option<Vec<String>> {
        let condition = arm.condition.clone()?;
        if asking.texts.is_empty() {
            return None;
        }
        let within = |range| self.asked_within(flow, spot, asking, range);
        if let Some(names) = within(condition.clone()) {
            return Some(names);
        }
        let code = self.folder.code(spot)?;
        // A name that was given what such a look found.
        condition.clone().filter(|&at| code.is_word(at)).find_map(|at| {
            let word = code.word(at);
            let is_given = |one: usize| {
                (code.assigns(one + 1) || code.is(one + 1, b':') || code.is(one + 1, b','))
                    && code.word(one) == word
            };
            let floor = condition.start.saturating_sub(400);
            let given = (floor..condition.start).rev().find(|&one| is_given(one))?;
            let ends = |one: &usize| {
                code.is(*one, b';')
                    || (code.kind(*one) == Some(Kind::Line))
                    || (code.by_lines() && code.is_on_new_line(*one))
            };
            let mut end = given + 1;
            while end < condition.start && !ends(&end) {
                end = code.behind(end);
            }
            within(given..end)
        })
    }

    /// The pieces of a declaration that what the catalogue gives must hold for an arm: `"name TEXT UNIQUE" in row[0]`.
    pub(super) fn held(&self, spot: Spot, asking: &Asking<'a>, arm: &Arm) -> Vec<String> {
        let (Some(code), Some(condition)) = (self.folder.code(spot), arm.condition.clone()) else {
            return Vec::new();
        };
        // `"…" in sql`, `sql.includes("…")`; `sql.find("…") == -1` asks for the contrary.
        let asks = |at: usize| {
            ["in", "includes", "include", "contains", "Contains", "containsString"].contains(&code.word(at))
        };
        let is_denied = |at: usize| {
            b"!=<>-".iter().any(|&sign| code.is(at, sign))
                || matches!(code.word(at), "not" | "None" | "false" | "False")
        };
        if arm.is_behind() || !condition.clone().any(asks) || condition.clone().any(is_denied) {
            return Vec::new();
        }
        let is_text = |at: &usize| {
            code.kind(*at) == Some(Kind::Text) && !asking.texts.contains_key(&(spot.unit as u32, *at))
        };
        let texts = condition.filter(is_text).flat_map(|at| self.folder.chain(spot, at).0);
        // A word alone may be a name, or the kind of an object.
        texts.map(|text| text.as_str().to_owned()).filter(|text| text.trim().contains(' ')).collect()
    }

    /// The names that are looked for within some tokens.
    fn asked_within(
        &self,
        flow: &Flow<'a>,
        spot: Spot,
        asking: &Asking<'a>,
        range: Range<usize>,
    ) -> Option<Vec<String>> {
        let code = self.folder.code(spot)?;
        range.into_iter().find_map(|at| {
            if let Some(names) = asking.texts.get(&(spot.unit as u32, at)) {
                return Some(names.clone());
            }
            let candidates = asking.functions.get(code.word(at)).filter(|_| code.is(at + 1, b'('))?;
            let candidates: Vec<u32> = candidates.iter().copied().collect();
            let callee =
                self.callee(flow, spot, at, &candidates).or_else(|| self.neighbour(spot, &candidates));
            let names = asking.names.get(&callee?)?;
            let names: Vec<String> = if names.is_empty() {
                given(self.folder, spot, at + 2)
            } else {
                names.iter().cloned().collect()
            };
            (!names.is_empty()).then_some(names)
        })
    }
}

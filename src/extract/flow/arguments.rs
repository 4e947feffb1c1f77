//! Where the values of arguments come from: names are followed through the assignments of the function. An `impl` of
//! [`Flow`], apart for its length.

use super::{
    Argument, Flow, Origin,
    assignments::{Assignment, assignments},
    loops::Around,
    names::Names,
    runs::Bound,
    spelling::is_connection,
};
use crate::extract::lexer::Kind;
use std::{
    ops::Range,
    sync::{Arc, PoisonError},
};

/// A loop of more tokens is not followed from turn to turn.
const LONG_LOOP: usize = 1500;

impl<'a> Flow<'a> {
    pub(super) fn arguments(
        &self,
        call: usize,
        around: Option<&Around<'a>>,
        ranges: &[Bound],
    ) -> Vec<Argument> {
        if ranges.is_empty() {
            return Vec::new();
        }
        let items = around.map(|one| self.items(one)).unwrap_or_default();
        let carried = around.map(|one| self.carried(call, one)).unwrap_or_default();
        let arguments = ranges.iter().enumerate().map(|(ordinal, (name, range))| {
            let (origin, parameter) = if range.is_empty() {
                (Origin::Unknown, None)
            } else if !range.clone().any(|at| self.code.is_word(at)) {
                (Origin::Literal, None)
            } else if self.mentions(range, &carried) {
                (Origin::LastResult, None)
            } else if self.mentions(range, &items) {
                (Origin::LoopItem, None)
            } else {
                let parameter = self.parameter_in(range);
                (if parameter.is_some() { Origin::Parameter } else { Origin::Unknown }, parameter)
            };
            Argument { ordinal: ordinal as u32, name: name.clone(), origin, parameter }
        });
        arguments.collect()
    }

    pub(super) fn assignments(&self) -> &[Assignment<'a>] {
        self.assignments.get_or_init(|| assignments(self.code, self.body.clone()))
    }

    /// Those of a range, in order.
    pub(super) fn assignments_in(&self, range: &Range<usize>) -> &[Assignment<'a>] {
        let all = self.assignments();
        let start = all.partition_point(|one| one.at < range.start);
        let end = all.partition_point(|one| one.at < range.end);
        all.get(start..end).unwrap_or(&[])
    }

    pub(super) fn mentions(&self, range: &Range<usize>, names: &Names<'_>) -> bool {
        self.values_in(range, names) != 0
    }

    /// The values that an expression depends on, as the names in it tell.
    fn values_in(&self, range: &Range<usize>, names: &Names<'_>) -> u64 {
        let all = names.all();
        let mut found = 0;
        if all == 0 {
            return found;
        }
        let tokens = self.code.tokens().get(range.clone()).unwrap_or(&[]);
        for (at, token) in range.clone().zip(tokens) {
            let length = (token.end - token.start) as usize;
            if token.kind != Kind::Word || !names.may_hold(self.code.first_byte(token), length) {
                continue;
            }
            let values = names.of(self.code.spelling(token));
            if values & !found != 0 && self.is_value(at) {
                found |= values;
                if found == all {
                    break;
                }
            }
        }
        found
    }

    /// Whether a word names a value: not a field of another, and not what is called.
    fn is_value(&self, at: usize) -> bool {
        let field = at.checked_sub(1).is_some_and(|before| self.code.is(before, b'.'));
        let own = at.checked_sub(2).is_some_and(|before| matches!(self.code.word(before), "self" | "."));
        (!field || own) && !self.is_callee(at)
    }

    fn is_callee(&self, at: usize) -> bool {
        self.code.is(at + 1, b'(') || (self.code.assigns(at + 1) && self.code.indented())
    }

    /// These names, and those whose value depends on them through the assignments of a range.
    pub(super) fn derived(&self, from: Names<'a>, within: &Range<usize>) -> Names<'a> {
        let mut known = from;
        if known.all() == 0 {
            return known;
        }
        for _ in 0..3 {
            let mut learnt = false;
            for one in self.assignments_in(within) {
                let values = self.values_in(&one.value, &known);
                if values != 0 {
                    for name in &one.names {
                        learnt |= known.add(name, values);
                    }
                }
            }
            if !learnt {
                break;
            }
        }
        known
    }

    /// The names of a loop's element, and those that depend on it.
    fn items(&self, around: &Around<'a>) -> Arc<Names<'a>> {
        // The body, and not the start: closures of one chain start together.
        let start = around.body;
        // A map that is half filled holds only what is right.
        let mut known = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let names = || Names::of_one(around.items.iter().copied());
        Arc::clone(known.entry(start).or_insert_with(|| Arc::new(self.derived(names(), &around.range))))
    }

    /// The names that a turn of the loop gives to the next, with what the call found: assigned in the loop from its
    /// result, and declared outside.
    pub(super) fn carried(&self, call: usize, around: &Around<'a>) -> Names<'a> {
        // In the long loop of a server everything depends on everything.
        if around.range.len() > LONG_LOOP {
            return Names::default();
        }
        let all = self.assignments_in(&around.range);
        let results = all.iter().filter(|one| one.value.contains(&call));
        let seeds = Names::of_one(results.flat_map(|one| one.names.iter().copied()));
        if seeds.all() == 0 || all.iter().all(|one| one.declares) {
            return Names::default();
        }
        let found = self.derived(seeds, &around.range);
        let depends = |one: &Assignment<'a>| one.value.contains(&call) || self.mentions(&one.value, &found);
        let outside = all.iter().filter(|one| !one.declares && depends(one));
        let mut carried: Vec<&str> = outside.flat_map(|one| one.names.iter().copied()).collect();
        // A name that is declared, or given something else, in front of the call starts each turn anew.
        carried.retain(|name| {
            let before = all.iter().take_while(|one| one.at < call);
            !before.filter(|one| one.names.contains(name)).any(|one| one.declares || !depends(one))
                && !around.items.contains(name)
        });
        // What is taken from them in front of the call: `let parent = header.parent;`, `while let Some(one) = node`.
        self.derived(Names::of_one(carried), &(around.range.start..call))
    }

    /// The parameter that an expression depends on, from 0: the first that it names, else the first that it depends
    /// on through other names.
    fn parameter_in(&self, range: &Range<usize>) -> Option<u32> {
        let first = |names: &Names<'_>| {
            let values = self.values_in(range, names);
            (values != 0).then(|| values.trailing_zeros())
        };
        first(self.given.get_or_init(|| self.parameter_names(|_| true))).or_else(|| {
            first(self.dependent.get_or_init(|| {
                // On a connection everything depends.
                let plain = self.parameter_names(|names| names.iter().all(|name| !is_connection(name)));
                self.derived(plain, &self.body)
            }))
        })
    }

    /// The names of those parameters that are `wanted`, a bit for each parameter; those behind the 64th have none.
    fn parameter_names(&self, wanted: impl Fn(&[&str]) -> bool) -> Names<'a> {
        let mut found = Names::default();
        for (names, index) in self.parameters().iter().zip(0..64_u32) {
            for name in names.iter().filter(|_| wanted(names)) {
                found.add(name, 1 << index);
            }
        }
        found
    }
}

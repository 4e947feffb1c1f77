//! What is read of calls for the sake of the loops around them, here or in a caller. An `impl` of [`Collector`], apart
//! for its length.

use super::{Collector, Located, drivers};
use crate::extract::{
    Found,
    flow::{Flow, LoopSource, Reads, Run},
    fold::Spot,
    roles::Role,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet as HashSet;

impl Collector<'_> {
    /// Of which calls in a function the arguments are read at first.
    pub(super) fn reads(&self, spot: Spot) -> Reads {
        let node = self.graph.node(spot.unit as u32, spot.function);
        if node.is_some_and(|node| node.role == Role::Production) { Reads::Looped } else { Reads::Nothing }
    }

    /// The call that runs a text; see [`Flow::run_of`].
    pub(super) fn run_of(
        &self,
        flow: &Flow<'_>,
        (spot, sink): (Spot, usize),
        text: usize,
        reads: Reads,
    ) -> Run {
        let mut run = flow.run_of(sink, text, reads);
        let is_by_hand =
            || self.commits_by_hand && self.folder.language(spot).is_some_and(drivers::is_of_jdbc);
        if run.in_transaction == Some(false) && is_by_hand() {
            run.in_transaction = None;
        }
        run
    }

    /// Reads the arguments of what stands in a function that a loop calls, directly or through another one: there, the
    /// element of the loop goes on as a parameter. What a loop within hands on is that loop's own.
    pub(super) fn read_below_loops(&self, found: &mut [Found], calls: &mut [Located]) {
        let below = self.below_loops(calls);
        let is_below = |function: Option<u32>| function.is_some_and(|function| below.contains(&function));
        calls.par_iter_mut().for_each(|(call, spot, name)| {
            if call.run.loop_site.is_none()
                && call.callee.is_some()
                && is_below(call.caller)
                && let Some(flow) = self.flows.of(*spot)
            {
                call.run = flow.call(*name as usize, Reads::All);
            }
        });
        found.par_iter_mut().for_each(|one| {
            if one.literal.run.loop_site.is_none()
                && is_below(one.literal.function)
                && let Some(handed) = one.handed
                && let Some(flow) = self.flows.of(handed.spot)
            {
                let sink = (handed.spot, handed.sink as usize);
                one.literal.run = self.run_of(flow, sink, handed.text, Reads::All);
            }
        });
    }

    /// The functions that a loop of the program calls, directly or through one or two others.
    fn below_loops(&self, calls: &[Located]) -> HashSet<u32> {
        let looped = calls.iter().filter(|(call, spot, _)| {
            let source = call.run.loop_source;
            source.is_some_and(|source| source != LoopSource::Fixed) && self.reads(*spot) == Reads::Looped
        });
        let mut below: HashSet<u32> = looped.filter_map(|(call, ..)| call.callee).collect();
        for _ in 0..2 {
            let inner = calls.iter().filter(|(call, ..)| {
                call.run.loop_site.is_none() && call.caller.is_some_and(|caller| below.contains(&caller))
            });
            let inner: Vec<u32> = inner.filter_map(|(call, ..)| call.callee).collect();
            below.extend(inner);
        }
        below
    }

    /// The calls, within a transaction, of those functions that have a loop, and no SQL of their own.
    pub(super) fn transactions_around(&mut self, calls: &[Located], held: u32) -> Vec<Located> {
        let looped = calls.iter().filter(|(call, ..)| call.run.loop_site.is_some());
        let numbers: HashSet<u32> =
            looped.filter_map(|(call, ..)| call.caller).filter(|caller| *caller >= held).collect();
        let looping = self.graph.by_name(self.numbered(held).filter(|(.., number)| numbers.contains(number)));
        let mut found = self.calls_of(&looping, false);
        found.retain(|(call, ..)| call.run.in_transaction == Some(true) && call.run.loop_site.is_none());
        found
    }

    /// Reads whether a transaction is open around those calls that may mean a function with a loop: each turn of it
    /// belongs to that transaction.
    pub(super) fn read_transactions_around_loops(&self, found: &[Found], calls: &mut [Located]) {
        let calling = calls.iter().filter(|(call, ..)| call.run.loop_site.is_some());
        let running = found.iter().filter(|one| one.literal.run.loop_site.is_some());
        let functions = calling
            .filter_map(|(call, ..)| call.caller)
            .chain(running.filter_map(|one| one.literal.function))
            .filter_map(|number| self.functions.get(number as usize));
        let names: HashSet<&str> =
            functions.filter(|one| one.role == Role::Production).map(|one| one.name.as_str()).collect();
        calls.par_iter_mut().for_each(|(call, spot, name)| {
            if call.callee.is_none()
                && names.contains(call.callee_name.as_str())
                && let Some(flow) = self.flows.of(*spot)
            {
                call.run.in_transaction = flow.in_transaction(*name as usize);
            }
        });
    }
}

//! What becomes of a statement that a field keeps, where a function takes it up: `s.get.Query(id)`, `TxStmt(txn, s.get).Query(id)`,
//! `sqlite3_step(m_get)`. An `impl` of [`Flow`], apart for its length.

use super::{
    Flow,
    keys::in_order,
    loops,
    prepared::{Calls, FURTHEST},
    runs::Bound,
};
use crate::extract::lexer::Kind;

impl Flow<'_> {
    /// The call that runs the statement which the field at a token keeps: on the field itself, on what another call makes of it, or
    /// on a name for it.
    pub fn runs_kept(&self, field: usize) -> Option<usize> {
        self.calls_on_kept(field).runs
    }

    /// How many loops of the function stand around a token.
    pub fn loops_around(&self, at: usize) -> u8 {
        loops::around(self.code, self.loops, at, self.body.start).map_or(0, |one| one.depth)
    }

    /// The values that the call at a token runs the statement with that a field keeps.
    pub(super) fn values_kept(&self, runs: usize, field: usize) -> Vec<Bound> {
        let calls = self.calls_on_kept(field);
        if !calls.bound.is_empty() {
            return in_order(calls.bound);
        }
        let mut given = self.given(runs);
        if self.code.word(runs).ends_with("Context") && !given.is_empty() {
            given.remove(0);
        }
        self.values(given)
    }

    fn calls_on_kept(&self, field: usize) -> Calls {
        let mut calls = Calls::default();
        let end = self.body.end.min(field + FURTHEST);
        self.read_chain(field + 1, &mut calls, end);
        // `TxStmt(txn, s.stmt).Query(id)`; beside another text the field is a value.
        let call = self.code.around(field).next().filter(|&open| self.code.is(open, b'('));
        let is_value = |open: usize| (open..field).any(|at| self.code.kind(at) == Some(Kind::Text));
        if let Some(open) = call.filter(|&open| open > self.body.start && !is_value(open))
            && calls.runs.is_none()
        {
            self.read_function(open.saturating_sub(1), &mut calls);
            self.read_chain(self.code.matching(open) + 1, &mut calls, end);
        }
        if calls.runs.is_none() {
            let name = self.holder(field).unwrap_or_else(|| self.code.word(field));
            self.read_calls_on(name, field + 1..end, &mut calls);
        }
        calls
    }
}

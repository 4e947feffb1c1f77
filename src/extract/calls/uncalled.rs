//! Statements that a library runs for whoever calls the method behind them, where nobody does: `@Query("…") fun all(): List<Row>`.
//! An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{Found, code::Code, fold::Spot, roles::Role, sketch::NOWHERE};
use rustc_hash::FxHashSet as HashSet;

/// How many tokens the head of a method has at the most, its annotations with it.
const LONGEST_HEAD: usize = 80;

/// The words in front of a call; any other is the type of what a method gives, or says that one is declared.
const BEFORE_CALLS: [&str; 9] = ["return", "else", "in", "throw", "await", "yield", "case", "when", "by"];

impl Collector<'_> {
    /// Calls dead what stands in front of methods whose names nothing calls, tests aside. See
    /// <https://developer.android.com/training/data-storage/room/accessing-data#query>.
    pub(super) fn mark_uncalled(&self, found: &mut [Found]) {
        let asked: Vec<(usize, &str)> = found
            .iter()
            .enumerate()
            .filter(|(_, one)| one.literal.role == Role::Production)
            .filter_map(|(index, one)| Some((index, self.method_behind(one)?)))
            .collect();
        // Of a file that was outlined nobody knows the calls here.
        if asked.is_empty() || self.folder.units.iter().any(|unit| unit.outline.is_some()) {
            return;
        }
        let called = self.called_names();
        for (index, _) in asked.into_iter().filter(|(_, name)| !called.contains(name)) {
            if let Some(one) = found.get_mut(index) {
                one.literal.role = Role::Dead;
            }
        }
    }

    /// The name of the method that the text of an annotation is for.
    fn method_behind(&self, one: &Found) -> Option<&str> {
        let code = self.folder.code(Spot::at(one.unit as usize, NOWHERE))?;
        let open = code.around(one.candidate.start as usize).next()?;
        let is_query = open > 1 && code.word(open - 1) == "Query" && code.is(open - 2, b'@');
        let mut at = code.matching(open) + 1;
        let end = at + LONGEST_HEAD;
        while is_query && at < end {
            if code.is_word(at) && code.is(at + 1, b'(') {
                if !at.checked_sub(1).is_some_and(|before| code.is(before, b'@')) {
                    return Some(code.word(at));
                }
                at = code.matching(at + 1);
            }
            at += 1;
        }
        None
    }

    /// The names that code calls or hands on, where it declares no method by them.
    fn called_names(&self) -> HashSet<&str> {
        let units = self.folder.units.iter().enumerate().filter(|(_, unit)| !unit.is_test);
        let of_unit = units.flat_map(|(index, unit)| {
            let code = self.folder.code(Spot::at(index, NOWHERE));
            let calls = unit.sketch.calls.iter().map(|call| call.name as usize);
            calls.filter_map(move |at| code.filter(|code| !declares(code, at)).map(|code| code.word(at)))
        });
        of_unit.collect()
    }
}

/// Whether a name and its parentheses declare a method: a type stands in front of it, or a word that says so.
fn declares(code: &Code<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let is_word = code.is_word(before) && !BEFORE_CALLS.contains(&code.word(before));
    // `->` and `=>` end like a type with parameters.
    let is_arrow = || before > 0 && (code.is(before - 1, b'-') || code.is(before - 1, b'='));
    is_word || code.is(before, b']') || (code.is(before, b'>') && !is_arrow())
}

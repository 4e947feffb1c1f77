//! In which turns of a loop a call runs, and what ends the loop. An `impl` of [`Flow`], apart for its length.

use super::{Flow, When, branches::Branch, loops::Around, names::Names};
use crate::extract::lexer::{Kind, Token};
use std::ops::Range;

impl<'a> Flow<'a> {
    /// When the call at a token runs.
    pub(super) fn when(&self, around: Option<&Around<'a>>, call: usize) -> When {
        let code = self.code;
        let floor = around.map_or(self.body.start, |around| around.body);
        let branches = code.branches(floor, call);
        let conditional = branches.iter().any(|branch| !self.is_bound_of_walk(around, call, branch));
        let is_seldom =
            |branch: &Branch| branch.as_ref().is_some_and(|one| code.is_seldom(one.clone(), self.body.start));
        let outside = || if around.is_some() { code.branches(self.body.start, call) } else { Vec::new() };
        let seldom = branches.iter().any(is_seldom)
            || outside().iter().any(is_seldom)
            || code.leaves_mostly(between(self.remainders(), self.body.start, call), call);
        When { conditional: conditional || code.asks_map(between(self.forks(), floor, call), call), seldom }
    }

    /// The `if`s and `match`es of the function.
    pub(super) fn forks(&self) -> &[usize] {
        let is_fork = |token: &Token| {
            token.kind == Kind::Word
                && token.end - token.start <= 5
                && matches!(self.code.spelling(token), "if" | "match")
        };
        self.forks.get_or_init(|| self.tokens_that(is_fork))
    }

    /// The `%`s of the function.
    fn remainders(&self) -> &[usize] {
        self.remainders.get_or_init(|| self.tokens_that(|token| token.is(b'%')))
    }

    /// The tokens of the function that are such.
    fn tokens_that(&self, are: impl Fn(&Token) -> bool) -> Vec<usize> {
        let tokens = self.code.tokens_in(self.body.clone());
        tokens.filter(|(_, token)| are(token)).map(|(at, _)| at).collect()
    }

    /// Whether a branch only says how far a walk goes: it compares what the last turn found, and asks nothing.
    fn is_bound_of_walk(&self, around: Option<&Around<'a>>, call: usize, branch: &Branch) -> bool {
        let (Some(around), Some(condition)) = (around, branch) else { return false };
        let compares =
            || condition.clone().any(|at| [b'<', b'>', b'='].iter().any(|&byte| self.code.is(at, byte)));
        let calls = || condition.clone().any(|at| self.code.is(at, b'(') || self.code.word(at) == "let");
        compares() && !calls() && self.mentions(condition, &self.carried(call, around))
    }

    /// Whether a loop that walks from what its last turn found ends by what another call says of the place: a query of
    /// another table, a callback, a look into a map.
    pub(super) fn asks(&self, around: &Around<'a>, call: usize) -> bool {
        let code = self.code;
        let carried = self.carried(call, around);
        let all = self.assignments_in(&around.range);
        let results = all.iter().filter(|one| one.value.contains(&call));
        let found = Names::of_one(results.flat_map(|one| one.names.iter().copied()));
        let found = self.derived(found, &around.range);
        let answers = all.iter().filter(|one| {
            !one.value.contains(&call) && one.at < call && self.asks_of(&one.value, &[&carried], call)
        });
        let answers = Names::of_one(answers.flat_map(|one| one.names.iter().copied()));
        (around.body..around.range.end).filter(|&at| matches!(code.word(at), "if" | "match" | "switch")).any(
            |at| {
                let head = code.head_end(at);
                let header = at + 1..head;
                let end = code.body_end(at, head);
                let asks =
                    self.asks_of(&header, &[&carried, &found], call) || self.mentions(&header, &answers);
                !header.contains(&call) && asks && self.succeeds(head..end)
            },
        )
    }

    /// Whether an expression calls something with one of these names among what it is given.
    fn asks_of(&self, range: &Range<usize>, names: &[&Names<'a>], call: usize) -> bool {
        range.clone().filter(|&at| at != call && self.code.kind(at) == Some(Kind::Word)).any(|at| {
            let Some(open) = self.open(at).filter(|&open| open < range.end && self.is_called(at, open))
            else {
                return false;
            };
            // A cache of its answers shortens a walk where the same was asked before, and no other.
            if self
                .code
                .word(at)
                .split('_')
                .any(|word| matches!(word, "cache" | "cached" | "memo" | "memoized"))
            {
                return false;
            }
            let given = open + 1..self.code.matching(open);
            names.iter().any(|names| self.mentions(&given, names))
        })
    }

    /// Whether a word is called, and makes no value of its own: `Some(…)`.
    fn is_called(&self, at: usize, open: usize) -> bool {
        let first_lower =
            self.code.word(at).starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
        let adjoins = open == at + 1 || self.code.is(at + 1, b':');
        let compares = matches!(
            self.code.word(at),
            "if" | "let" | "match" | "eq" | "ne" | "cmp" | "in" | "and" | "or" | "not"
        );
        first_lower && adjoins && !compares
    }

    /// Whether a range leaves the loop with something that was found.
    fn succeeds(&self, range: Range<usize>) -> bool {
        range.into_iter().any(|at| match self.code.word(at) {
            "break" => true,
            "return" => !super::besides::fails(self.code, at),
            _ => false,
        })
    }
}

/// Those of some tokens, in order, that stand between two.
fn between(all: &[usize], from: usize, to: usize) -> &[usize] {
    let start = all.partition_point(|&at| at < from);
    let end = all.partition_point(|&at| at < to);
    all.get(start..end).unwrap_or(&[])
}

//! The call that runs a text, and the values that it binds to the parameters of the SQL.

use super::{Flow, Reads, Run, prepared::Prepared};
use crate::extract::lexer::Kind;
use std::ops::Range;

/// A value that is bound, and the name that it is bound to.
pub(super) type Bound = (Option<String>, Range<usize>);

impl Flow<'_> {
    /// The call at a token, as a call of a function of this program.
    pub fn call(&self, name: usize, reads: Reads) -> Run {
        self.run(name, true, reads, || self.given(name).into_iter().map(|range| self.named(range)).collect())
    }

    /// The arguments of the call at a token.
    pub(super) fn given(&self, name: usize) -> Vec<Range<usize>> {
        let ranges = self.open(name).map(|open| self.code.arguments(open).0).unwrap_or_default();
        ranges.into_iter().map(|(start, end)| start..end).collect()
    }

    /// The call that runs the text which is handed to the call at a token: that call or, where it only prepares the
    /// text, the first one on what was prepared. `text` is the token of the text, or of the name that stands for it.
    pub fn run_of(&self, sink: usize, text: usize, reads: Reads) -> Run {
        let prepared = self.prepared(sink, text);
        let Some(Prepared { runs: call, values, in_transaction }) = prepared else {
            return self.run(sink, false, reads, || self.values_behind(sink, text));
        };
        let mut run = self.run(call, false, reads, || self.values_of((sink, text), call, values));
        // In Rust, what a statement is prepared on may be a transaction, by its type.
        if self.code.language().name != "Rust" {
            run.in_transaction = run.in_transaction.or(in_transaction);
        }
        run
    }

    /// The values of a statement: those that calls of its own bind, or what the call is given that runs it.
    fn values_of(&self, (sink, text): (usize, usize), run: usize, bound: Vec<Bound>) -> Vec<Bound> {
        if !bound.is_empty() {
            bound
        } else if self.is_command(sink) {
            self.values_behind(sink, text)
        } else {
            self.values(self.given(run))
        }
    }

    /// What a call is given behind its text, and what is bound behind the call. A text before the call is a field that keeps
    /// the statement.
    pub(super) fn values_behind(&self, sink: usize, text: usize) -> Vec<Bound> {
        if text < sink {
            return self.values_kept(sink, text);
        }
        let Some(open) = self.open(sink) else { return Vec::new() };
        let (ranges, close) = self.code.arguments(open);
        let behind = ranges.into_iter().skip_while(|&(_, end)| end <= text).skip(1);
        let mut values = self.values(behind.map(|(start, end)| start..end).collect());
        values.extend(self.binds(close + 1));
        values
    }

    /// The literals among what a call is given behind its text.
    pub fn literals_of(&self, sink: usize, text: usize) -> Vec<(u32, Option<String>, String)> {
        let values = self.values_behind(sink, text);
        let literal = |(at, (name, range)): (usize, Bound)| Some((at as u32, name, self.literal(range)?));
        values.into_iter().enumerate().filter_map(literal).collect()
    }

    /// The literal that an expression is, whatever type it is made.
    pub(super) fn literal(&self, range: Range<usize>) -> Option<String> {
        const MAKES: [&str; 7] = ["to_string", "to_owned", "into", "String", "from", "str", "string"];
        let is_value = |at: &usize| matches!(self.code.kind(*at), Some(Kind::Text | Kind::Atom));
        let mut values = range.clone().filter(is_value);
        let (only, other) = (values.next()?, values.next());
        let is_alone =
            range.into_iter().all(|at| !self.code.is_word(at) || MAKES.contains(&self.code.word(at)));
        let token = self.code.tokens().get(only)?;
        let whole = self.code.word(only);
        let (open, close) = (token.open as usize, whole.len().checked_sub(token.close as usize)?);
        let is_text = token.kind == Kind::Text;
        let content = if is_text { whole.get(open..close)? } else { whole };
        (is_alone && other.is_none()).then(|| content.to_owned())
    }

    /// The parenthesis of a call, past `::<T>` and `!`.
    pub(super) fn open(&self, name: usize) -> Option<usize> {
        (name + 1..name + 30)
            .take_while(|&at| !self.code.is(at, b';') && !self.code.is(at, b'{'))
            .find(|&at| self.code.is(at, b'(') || (self.code.is(name + 1, b'!') && self.code.is(at, b'[')))
    }

    /// The values among the arguments behind the text: all of them where the language hands them over one by one, else
    /// the elements of the first.
    pub(super) fn values(&self, behind: Vec<Range<usize>>) -> Vec<Bound> {
        if self.code.has_receivers() || (self.code.one_by_one() && behind.len() > 1) {
            return behind.into_iter().map(|range| (None, range)).collect();
        }
        let Some(first) = behind.into_iter().next() else { return Vec::new() };
        if self.code.is(first.start, b'|') || self.code.word(first.start) == "move" {
            return Vec::new();
        }
        self.elements(first, 0)
    }

    /// The elements of a list of values: `[a, b]`, `params![a, b]`, `(a, b)`, `{"a": a}`, or a name for such a list.
    fn elements(&self, range: Range<usize>, depth: u8) -> Vec<Bound> {
        let mut at = range.start;
        while at < range.end
            && (self.code.is(at, b'&') || self.code.is(at, b'*') || self.code.word(at) == "mut")
        {
            at += 1;
        }
        let makes = (at..range.end.min(at + 8))
            .find(|&at| self.code.is(at, b'!') || self.code.word(at) == "params_from_iter");
        let open = makes.map_or(at, |makes| makes + 1);
        if self.code.opens(open) && self.code.matching(open) + 1 >= range.end {
            let (elements, _) = self.code.arguments(open);
            return elements.into_iter().map(|(start, end)| self.named(start..end)).collect();
        }
        let lone = at + 1 == range.end && self.code.is_word(at);
        let list = self
            .assignments()
            .iter()
            .rev()
            .find(|one| lone && one.at < at && one.names.contains(&self.code.word(at)));
        match list {
            Some(one) if depth == 0 => self.elements(one.value.clone(), 1),
            _ => vec![(None, range)],
        }
    }

    /// `":name": value`, `"name" => value`, `name=value`, or a value without a name.
    fn named(&self, range: Range<usize>) -> Bound {
        let text = self.code.kind(range.start) == Some(Kind::Text);
        let colon = text && (self.code.is(range.start + 1, b':') || self.code.is(range.start + 1, b'='));
        if colon {
            let name = self.code.word(range.start).trim_matches(['"', '\'']).to_owned();
            return (Some(name), range.start + 2..range.end);
        }
        (None, range)
    }

    /// The values of `.bind(a).bind(b)` behind a call.
    fn binds(&self, from: usize) -> Vec<Bound> {
        let mut values = Vec::new();
        let mut at = from;
        while self.code.is(at, b'.') && self.code.is(at + 2, b'(') && at < self.body.end {
            let close = self.code.matching(at + 2);
            let word = self.code.word(at + 1);
            let runs = self.code.one_by_one() && matches!(word, "run" | "get" | "all" | "iterate" | "each");
            if word.starts_with("bind") && !self.code.one_by_one() {
                values.push((None, at + 3..close));
            } else if runs || word.starts_with("bind") {
                let ranges = self.code.arguments(at + 2).0;
                values.extend(self.values(ranges.into_iter().map(|(start, end)| start..end).collect()));
            }
            at = close + 1;
        }
        values
    }
}

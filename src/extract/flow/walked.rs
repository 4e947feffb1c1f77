//! What a loop walks over, as an expression: so far as it tells how many elements there are. An `impl` of [`Flow`], apart
//! for its length.

use super::{Flow, loops};
use std::ops::Range;

/// What a loop walks over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Walked<'a> {
    /// As many numbers as an expression says.
    Count(Range<usize>),
    /// A field of a value of a type.
    Field(&'a str, &'a str),
    /// What the call at a token returns.
    Returned(usize),
}

/// Methods that leave the number of elements as it is.
const SAME: [&str; 11] = [
    "iter",
    "into_iter",
    "iter_mut",
    "rev",
    "enumerate",
    "cloned",
    "copied",
    "clone",
    "peekable",
    "as_slice",
    "to_vec",
];

impl<'a> Flow<'a> {
    /// What the innermost loop around a token walks over.
    pub fn walked(&self, at: usize) -> Option<Walked<'a>> {
        let code = self.code;
        let around = loops::around(code, self.loops, at, self.body.start)?;
        if code.word(around.range.start) != "for" {
            return None;
        }
        let start = (around.range.start..around.body).find(|&at| code.word(at) == "in")? + 1;
        if let Some(dots) = (start..around.body).find(|&at| code.is(at, b'.') && code.is(at + 1, b'.')) {
            let from_zero = dots == start + 1 && matches!(code.word(start), "0" | "1");
            let end = dots + 2 + usize::from(code.is(dots + 2, b'='));
            return from_zero.then_some(Walked::Count(end..around.body));
        }
        let (start, end) = self.without_iterators(start, around.body);
        if end == start + 1 {
            return self.returned(start, around.range.start);
        }
        let is_field = end == start + 3 && code.is(start + 1, b'.') && code.is_word(start + 2);
        is_field.then(|| Some(Walked::Field(self.type_of(code.word(start))?, code.word(start + 2))))?
    }

    /// An expression without `&` and what iterates.
    fn without_iterators(&self, mut start: usize, mut end: usize) -> (usize, usize) {
        let code = self.code;
        while code.is(start, b'&') || code.is(start, b'*') || code.word(start) == "mut" {
            start += 1;
        }
        while end >= start + 5
            && code.is(end - 1, b')')
            && code.is(end - 2, b'(')
            && SAME.contains(&code.word(end - 3))
            && code.is(end - 4, b'.')
        {
            end -= 4;
        }
        (start, end)
    }

    /// The call that a name got its value from, in front of a token.
    fn returned(&self, name: usize, before: usize) -> Option<Walked<'a>> {
        let name = self.code.word(name);
        let one = self.assignments().iter().rev().find(|one| one.at < before && one.names.contains(&name))?;
        let open = one.value.clone().find(|&at| self.code.is(at, b'('))?;
        let close = self.code.matching(open);
        let rest = one.value.end.saturating_sub(close + 1);
        (rest <= 1).then_some(Walked::Returned(open.checked_sub(1)?))
    }

    /// The type of a parameter.
    fn type_of(&self, name: &str) -> Option<&'a str> {
        let end = self.body.end.min(self.body.start + 200);
        let at = (self.body.start..end).find(|&at| {
            self.code.word(at) == name && self.code.is(at + 1, b':') && !self.code.is(at + 2, b':')
        })?;
        (at + 2..at + 10)
            .take_while(|&at| !self.code.is(at, b','))
            .map(|at| self.code.word(at))
            .find(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
    }

    /// The parameter that an expression is, and nothing more, from 0.
    pub fn lone_parameter(&self, range: &Range<usize>) -> Option<usize> {
        let mut words = range.clone().filter(|&at| self.code.is_word(at)).map(|at| self.code.word(at));
        let name = words.next()?;
        let plain = words.all(|word| matches!(word, "as" | "into" | "usize" | "u64" | "u32" | "from"));
        plain.then(|| self.parameters().iter().position(|names| names.contains(&name)))?
    }

    /// The arguments of the call at a token, in order.
    pub fn arguments_of(&self, name: usize) -> Vec<Range<usize>> {
        let ranges = self.parameters_open(name).map(|open| self.code.arguments(open).0).unwrap_or_default();
        ranges.into_iter().map(|(start, end)| start..end).collect()
    }

    /// Whether all that a function adds to a list, it adds in a loop that counts up to one of its parameters.
    pub fn fills_up_to(&self, parameter: usize) -> bool {
        let pushes = (self.body.start..self.body.end).filter(|&at| {
            matches!(self.code.word(at), "push" | "push_back" | "insert" | "extend" | "append")
                && self.code.is(at + 1, b'(')
        });
        let mut pushes = pushes.peekable();
        pushes.peek().is_some()
            && pushes.all(|at| match self.walked(at) {
                Some(Walked::Count(count)) => self.lone_parameter(&count) == Some(parameter),
                _ => false,
            })
    }

    /// The value that the function gives, where it is nothing but one expression.
    pub fn lone_value(&self) -> Option<Range<usize>> {
        let open =
            (self.body.start..self.body.end.min(self.body.start + 80)).find(|&at| self.code.is(at, b'{'))?;
        let value = open + 1..self.code.matching(open);
        let simple =
            value.len() <= 12 && !value.clone().any(|at| self.code.is(at, b';') || self.code.is(at, b'{'));
        simple.then_some(value)
    }

    /// The value that a name gets in front of a token, and whether it is declared as a number of one byte.
    pub fn given_value(&self, name: &str, before: usize) -> Option<(Range<usize>, bool)> {
        let one = self.assignments().iter().rev().find(|one| one.at < before && one.names.contains(&name))?;
        let is_byte = one.declares && self.code.word(one.at - 1) == "u8" && self.code.is(one.at - 2, b':');
        Some((one.value.clone(), is_byte))
    }

    /// The argument that bounds what is read into a name of this function: `read_next_at_most(from, MOST)`.
    pub fn read_at_most(&self, name: &str) -> Vec<Range<usize>> {
        let reads = self.assignments().iter().filter(|one| one.declares && one.names.contains(&name));
        let bounds = reads.flat_map(|one| one.value.clone()).filter(|&at| {
            self.code.word(at).ends_with("at_most")
                || (self.code.word(at) == "take" && self.code.is(at + 1, b'('))
        });
        bounds.filter_map(|at| self.arguments_of(at).pop()).collect()
    }
}

//! Which deeds of a name still count at a token: those that a declaration hides are gone, and so is an empty declaration where something
//! that is not read may have filled it. Impls of [`Folder`] and [`Code`], apart for their length.

use super::{
    Folder, Spot,
    deeds::{Deed, Does},
};
use crate::extract::{code::Code, lexer::Kind, sketch::NOWHERE};
use std::ops::Range;

/// The most deeds of one name that are followed.
const MOST_DEEDS: usize = 256;

impl Folder<'_> {
    /// What is done to a name between two tokens that still counts at the second.
    pub(super) fn deeds_of(&self, spot: Spot, name: &str, floor: usize, at: usize) -> Vec<Deed> {
        let tokens = self.tokens(spot);
        let is_as_long = |deed: &Deed| {
            let token = tokens.get(deed.name as usize);
            token.is_some_and(|token| (token.end - token.start) as usize == name.len())
        };
        let is_own = |deed: &&Deed| {
            is_as_long(deed)
                && self.word(spot, deed.name as usize) == name
                && deed.function.is_none_or(|function| function == spot.function)
                && !self.gives(spot, deed.value as usize, at)
        };
        // What a parameter is without is for a caller to say.
        let from = if spot.caller == NOWHERE { floor } else { self.body_of(spot).unwrap_or(floor) };
        // What stands in no order may be said below.
        let until = self.unordered_end(spot).unwrap_or(at);
        let mut own: Vec<Deed> = self.deeds(spot.unit, from..until).iter().filter(is_own).copied().collect();
        // What was declared empty is no longer that where something else may have filled it.
        if let Some(first) = own.first()
            && let Some(code) = self.code(spot)
            && code.declares_empty(first)
            && !(code.is_seen(name, first.at as usize + 1..at, &own)
                && own.iter().skip(1).all(|deed| !self.is_bare(spot, deed)))
        {
            own.remove(0);
        }
        // Of very many the last count.
        own.drain(..own.len().saturating_sub(MOST_DEEDS));
        let Some(code) = self.code(spot).filter(|_| own.len() > 1) else { return own };
        // What a block declares is gone behind it.
        let ends: Vec<(u32, usize)> = own
            .iter()
            .filter(|deed| deed.declares && !code.indented())
            .filter_map(|deed| {
                let block = code.around(deed.name as usize).find(|&open| code.is(open, b'{'))?;
                Some((deed.at, code.matching(block))).filter(|&(_, end)| end < at && block > floor)
            })
            .collect();
        own.retain(|deed| !ends.iter().any(|&(from, to)| deed.at >= from && (deed.at as usize) < to));
        // A declaration hides what came before it.
        if let Some(last) = own.iter().rposition(|deed| deed.declares) {
            own.drain(..last);
        }
        own
    }
}

impl Folder<'_> {
    /// Whether a name is given another one, of which nothing may be known: `table = name`.
    fn is_bare(&self, spot: Spot, deed: &Deed) -> bool {
        let value = deed.value as usize;
        let ends = self.is(spot, value + 1, b';')
            || self.code(spot).is_some_and(|code| code.is_on_new_line(value + 1));
        deed.does == Does::Gives && self.kind(spot, value) == Some(Kind::Word) && ends
    }
}

impl Code<'_> {
    /// Whether a deed only declares a name as an empty text.
    pub(super) fn declares_empty(&self, deed: &Deed) -> bool {
        let value = deed.value as usize;
        deed.declares && !self.declared_empty(value).is_empty()
    }

    /// Whether all that is done to a name in a range of tokens is seen: it is given a value that is read, joined, or read itself, and not
    /// handed where it may be filled.
    pub(super) fn is_seen(&self, name: &str, range: Range<usize>, deeds: &[Deed]) -> bool {
        const READS: [&str; 8] = ["empty", "size", "length", "c_str", "str", "data", "isEmpty", "clear"];
        let language = self.language();
        let is_deed = |at: usize| deeds.iter().any(|one| one.name as usize == at);
        let is_own = |at: &usize| {
            let token = self.tokens().get(*at);
            token.is_some_and(|token| (token.end - token.start) as usize == name.len())
                && self.word(*at) == name
        };
        range.filter(is_own).all(|at| {
            if is_deed(at) || self.is(at - 1, b'.') {
                return true;
            }
            let is_put = self.is(at - 1, b'&') && !self.is(at - 2, b'&');
            let is_read_into = self.is(at - 1, b'>') && self.is(at - 2, b'>');
            let method = self.word(at + 2);
            let is_changed = self.is(at + 1, b'.')
                && !(READS.contains(&method)
                    || language.appends.contains(&method)
                    || language.pushes.contains(&method)
                    || language.identities.contains(&method));
            let is_argument = || {
                let is_alone = (self.is(at - 1, b'(') || self.is(at - 1, b','))
                    && (self.is(at + 1, b',') || self.is(at + 1, b')'));
                let callee = self.around(at).next().and_then(|open| open.checked_sub(1));
                is_alone
                    && callee.is_some_and(|callee| {
                        self.is_word(callee) && language.sink(self.word(callee)).is_none()
                    })
            };
            let is_given = self.assigns(at + 1) || (self.is(at + 1, b':') && self.is(at + 2, b'='));
            let is_listed = language.receivers && self.is(at + 1, b',') && self.starts_statement(at);
            !(is_put || is_read_into || is_changed || is_given || is_listed)
                && !(language.streams && is_argument())
        })
    }

    /// The names that the type at a token declares as empty texts: `var set, sep string`, `std::string set, sep;`.
    pub(super) fn declared_empty(&self, at: usize) -> Vec<usize> {
        let language = self.language();
        let mut names = Vec::new();
        let is_stream = || language.streams && self.word(at).ends_with("stringstream");
        if !self.word(at).ends_with("tring") && !is_stream() {
            return names;
        }
        if language.receivers {
            let mut name = at;
            while name > 1 && self.is_word(name - 1) {
                names.push(name - 1);
                if self.word(name - 2) == "var" {
                    let has_value = self.is(at + 1, b'=');
                    return if has_value { Vec::new() } else { names };
                }
                if !self.is(name - 2, b',') {
                    break;
                }
                name -= 2;
            }
            return Vec::new();
        }
        let mut name = at + 1;
        while language.streams && language.typed && self.is_word(name) {
            names.push(name);
            if self.is(name + 1, b';') {
                return names;
            }
            if !self.is(name + 1, b',') {
                break;
            }
            name += 2;
        }
        Vec::new()
    }

    /// Whether a statement at a token leaves the function. What only may run stands behind a condition.
    pub(super) fn is_exit(&self, at: usize) -> bool {
        matches!(self.word(at), "return" | "throw" | "panic" | "raise")
            && !self.is(at - 1, b')')
            && self.word(at - 1) != "else"
    }

    /// Whether the arm that starts at a token of a block leaves the function, whatever it is asked.
    pub(super) fn leaves_function(&self, arm: usize, close: usize) -> bool {
        let mut at = arm + 1;
        while at < close && !matches!(self.word(at), "case" | "default") {
            if self.is_exit(at) {
                return true;
            }
            // The body of a choice stands in its brackets.
            at = self.behind(at);
        }
        false
    }
}

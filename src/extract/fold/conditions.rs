//! What a condition around says of a name: where it is asked whether there is one, it is not empty; where it is held against a
//! list of texts, it is one of them. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, Spot,
    choices::{LONGEST, is_nothing},
    distinct, is_only_hole,
    known::Asked,
    levels::Level,
    lists::is_list_value,
};
use crate::extract::{
    lexer::Kind,
    text::{Pieces, Text},
};
use std::{ops::Range, sync::PoisonError};

/// What a flag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    Nothing,
    No,
    Yes,
}

impl Folder<'_> {
    /// The values of a name that the conditions around a token leave it.
    pub(super) fn narrowed(&self, spot: Spot, name: &str, at: usize, values: Vec<Text>) -> Vec<Text> {
        // Nothing else is asked so often, and most values are not empty.
        if !values.iter().any(|text| text.as_str().is_empty()) {
            return values;
        }
        self.left_by_conditions(spot, name, at, &values).unwrap_or(values)
    }

    /// Whether a condition holds: for the call that a spot is seen from, or as one choice alone leaves it, where an `if` of the
    /// function asks the same.
    pub(super) fn chosen(&self, spot: Spot, condition: Range<usize>) -> Option<bool> {
        let Pieces::Of((file, choice)) = spot.pieces else { return self.holds(spot, condition) };
        let asked = || Some(file == spot.unit && choice == self.first_asking(spot, &condition)?);
        self.holds(spot, condition.clone()).or_else(asked)
    }

    /// What stands for a choice: the first of its function whose condition is the same.
    pub(super) fn same_choice(&self, spot: Spot, level: Level) -> u32 {
        let condition = self.code(spot).filter(|_| level.arms == 1).and_then(|code| code.condition(level));
        condition.and_then(|condition| self.first_asking(spot, &condition)).unwrap_or(level.choice)
    }

    /// Whether the list that a condition asks for has elements, as one choice alone leaves it: `if conditions:`.
    pub(super) fn asks_for_list(&self, spot: Spot, level: Level) -> bool {
        let is_asked = matches!(spot.pieces, Pieces::Of(_)) && level.arms == 1 && spot.depth < MAX_DEPTH;
        let condition = self.code(spot).filter(|_| is_asked).and_then(|code| code.condition(level));
        condition.and_then(|condition| self.has_elements(spot, condition)) == Some(true)
    }

    /// Whether the list that a condition asks for has elements; `None` where it asks for none.
    pub(super) fn has_elements(&self, spot: Spot, condition: Range<usize>) -> Option<bool> {
        let mut words = condition.filter(|&at| self.kind(spot, at) == Some(Kind::Word));
        words.find_map(|at| {
            let value = self.local(spot, self.word(spot, at), at)?;
            let is_filled = |one: &Text| one.as_str().chars().nth(1).is_some();
            (!value.is_empty() && value.iter().all(is_list_value)).then(|| value.iter().any(is_filled))
        })
    }

    /// The first `if` of the function that asks a condition.
    fn first_asking(&self, spot: Spot, condition: &Range<usize>) -> Option<u32> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let (floor, end) = (function.name as usize, function.end as usize);
        // A map that is half filled holds only what is right.
        let mut known = self.known.unit(spot.unit)?.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = known.entry(floor).or_insert_with(|| self.asked_in(spot, floor..end));
        asked.get(self.condition_words(spot, condition)?.as_str()).copied()
    }

    fn asked_in(&self, spot: Spot, function: Range<usize>) -> Asked {
        let mut asked = Asked::default();
        for at in function.clone().filter(|&at| self.word(spot, at) == "if") {
            let is_end = |end: &usize| b"{:;".iter().any(|&sign| self.is(spot, *end, sign));
            let open = Some(at + 1).filter(|&open| self.is(spot, open, b'('));
            let end = open.map_or_else(
                || (at + 1..function.end.min(at + LONGEST)).find(is_end),
                |open| Some(self.matching(spot, open) + 1),
            );
            if let Some(words) = end.and_then(|end| self.condition_words(spot, &(at + 1..end))) {
                asked.entry(words).or_insert(at as u32);
            }
        }
        asked
    }

    /// A condition, without the parentheses and the sign around it; `None` where it is too long.
    fn condition_words(&self, spot: Spot, condition: &Range<usize>) -> Option<String> {
        let mut range = condition.clone();
        if range.len() > LONGEST {
            return None;
        }
        if range.end > range.start && self.is(spot, range.end - 1, b':') {
            range.end -= 1;
        }
        while self.is(spot, range.start, b'(') && self.matching(spot, range.start) + 1 == range.end {
            range = range.start + 1..range.end - 1;
        }
        Some(range.map(|at| self.word(spot, at)).collect::<Vec<_>>().join(" "))
            .filter(|words| !words.is_empty())
    }

    pub(super) fn words_hold(&self, spot: Spot, mut words: &[&str], at: usize) -> Option<bool> {
        if words.len() > LONGEST {
            return None;
        }
        while let ["(", inner @ .., ")"] | [inner @ .., ":"] | ["$", inner @ ..] = words {
            words = inner;
        }
        let (name, is_wanted): (_, fn(Flag) -> bool) = match words {
            [name] => (name, |flag| flag == Flag::Yes),
            ["not" | "!", name] | ["!", "$", name] => (name, |flag| flag != Flag::Yes),
            [name, "is", "None"] => (name, |flag| flag == Flag::Nothing),
            [name, "is", "not", "None"] => (name, |flag| flag != Flag::Nothing),
            [name, "=", "=", nothing] | [name, "=", "=", "=", nothing] if is_nothing(nothing) => {
                (name, |flag| flag == Flag::Nothing)
            }
            [name, "!", "=", nothing] | [name, "!", "=", "=", nothing] if is_nothing(nothing) => {
                (name, |flag| flag != Flag::Nothing)
            }
            [name, "=", "=", empty] if is_empty_text(empty) => (name, |flag| flag == Flag::No),
            [name, "!", "=", empty] if is_empty_text(empty) => (name, |flag| flag == Flag::Yes),
            ["len", "(", name, ")", ">", "0"] => (name, |flag| flag == Flag::Yes),
            _ => return None,
        };
        // What is nothing is no empty text everywhere.
        let is_held = words.last().is_some_and(|last| is_empty_text(last));
        let flag = self.flag(spot, name, at)?;
        (!is_held || flag != Flag::Nothing).then(|| is_wanted(flag))
    }

    /// What the call which a spot is seen from says of a parameter that has the value still that it was given.
    pub(super) fn flag(&self, spot: Spot, name: &str, at: usize) -> Option<Flag> {
        let function = self.taken(spot, name)?.function;
        if !self.deeds_of(spot, name, function.name as usize, at).is_empty() {
            return None;
        }
        let (caller, range) = self.argument_of(spot, name)?;
        let word = self.word(caller, range.start);
        match self.kind(caller, range.start)? {
            _ if range.len() > 1 => {
                let (values, end) = self.chain(caller, range.start);
                let is_text = |text: &Text| !text.as_str().is_empty() && !is_only_hole(text);
                (end == range.end && !values.is_empty() && values.iter().all(is_text)).then_some(Flag::Yes)
            }
            Kind::Word if is_nothing(word) => Some(Flag::Nothing),
            Kind::Word if word.eq_ignore_ascii_case("false") => Some(Flag::No),
            Kind::Word if word.eq_ignore_ascii_case("true") => Some(Flag::Yes),
            Kind::Text => {
                let is_empty = self.chain(caller, range.start).0.iter().all(|text| text.as_str().is_empty());
                Some(if is_empty { Flag::No } else { Flag::Yes })
            }
            _ => None,
        }
    }

    fn left_by_conditions(&self, spot: Spot, name: &str, at: usize, values: &[Text]) -> Option<Vec<Text>> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let code = self.code(spot)?;
        for level in self.levels(spot, function.name as usize, at)? {
            let Some(condition) = code.condition(level) else { continue };
            let either = |at: usize| code.word(at) == "or" || code.is(at, b'|');
            let asked =
                || condition.clone().find(|&at| code.word(at) == name && self.is_asked(spot, at, &condition));
            if condition.clone().any(either) {
                continue;
            }
            let Some(asked) = asked() else { continue };
            if code.word(asked + 1) == "in" {
                return self.listed(spot, asked + 2);
            }
            let kept = values.iter().filter(|text| !text.as_str().is_empty());
            return Some(kept.cloned().collect());
        }
        None
    }

    /// The number that a name has, for a branch around asks for it: `if (enabled == 1) { sql += "enabled = " + enabled }`.
    pub(super) fn asked_number(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let unit = self.units.get(spot.unit)?;
        let function = unit.sketch.functions.get(spot.function as usize)?;
        // A field is held by another object, for all that is known.
        if at.checked_sub(1).is_some_and(|before| self.is(spot, before, b'.')) || self.is_computed(spot, at) {
            return None;
        }
        let code = self.code(spot)?;
        let levels = self.levels(spot, function.name as usize, at)?;
        let (number, asked) = levels.into_iter().rev().find_map(|level| {
            let condition = code.condition(level)?;
            Some((self.number_asked(spot, name, condition.clone())?, condition.end))
        })?;
        let behind = asked..function.end as usize;
        if !self.deeds_of(spot, name, asked, behind.end).is_empty() || self.is_changed(spot, name, behind) {
            return None;
        }
        let mut text = Text::default();
        text.push_at(self.word(spot, number), unit.source, code.tokens().get(number)?.start);
        Some(vec![text])
    }

    /// Whether a name has another value behind some tokens, be it by what counts it or by what is handed its address.
    fn is_changed(&self, spot: Spot, name: &str, range: Range<usize>) -> bool {
        let is_doubled = |first: usize| {
            b"+-".iter().any(|&sign| self.is(spot, first, sign) && self.is(spot, first + 1, sign))
        };
        let is_lent =
            |at: usize| self.is(spot, at.wrapping_sub(1), b'&') && !self.is(spot, at.wrapping_sub(2), b'&');
        let mut places = self.places_of(spot, range.clone(), name);
        self.is_set(spot, name, range)
            || places.any(|at| is_lent(at) || is_doubled(at + 1) || is_doubled(at.wrapping_sub(2)))
    }

    /// Whether a name is given a value among some tokens, be it by a loop.
    pub(super) fn is_set(&self, spot: Spot, name: &str, range: Range<usize>) -> bool {
        const MOST_SIGNS: usize = 3;
        let Some(code) = self.code(spot) else { return false };
        // The name of an argument is none of the function: `.format(state=state)`.
        let is_argument =
            |at: usize| code.indented() && code.around(at).next().is_some_and(|open| code.is(open, b'('));
        self.places_of(spot, range, name).any(|at| {
            let is_sign = |&sign: &usize| b"+-*/%&|^:?".iter().any(|&one| code.is(sign, one));
            // `+=`, `:=`, but no comparison.
            let signs = (at + 1..).take(MOST_SIGNS).take_while(is_sign).count();
            let is_given = code.assigns(at + 1 + signs) && !code.is(at + 2, b'>');
            let is_turned =
                code.word(at.wrapping_sub(1)) == "for" || matches!(code.word(at + 1), "in" | "of");
            (is_given && (signs > 0 || !is_argument(at))) || is_turned
        })
    }

    /// The token of the number that a name equals where a condition holds, which is no more than terms that all hold.
    fn number_asked(&self, spot: Spot, name: &str, mut condition: Range<usize>) -> Option<usize> {
        let code = self.code(spot)?;
        while code.is(condition.start, b'(') && code.matching(condition.start) + 1 >= condition.end {
            condition = condition.start + 1..code.matching(condition.start);
        }
        let is_and = |at: usize| code.is(at, b'&') || code.word(at) == "and";
        let closes = |at: usize| at >= condition.end || is_and(at) || code.is(at, b':');
        if condition.clone().any(|at| code.is(at, b'|') || code.is(at, b'?') || code.word(at) == "or") {
            return None;
        }
        condition.clone().find_map(|at| {
            let begins = at == condition.start || is_and(at - 1);
            let signs = (at + 1..condition.end).take_while(|&sign| code.is(sign, b'=')).count();
            let number = at + 1 + signs;
            let is_whole = code.word(number).bytes().all(|byte| byte.is_ascii_digit());
            let is_one = begins && code.word(at) == name && matches!(signs, 2 | 3) && closes(number + 1);
            (is_one && is_whole && code.kind(number) == Some(Kind::Atom)).then_some(number)
        })
    }

    /// Whether the name at a token is a condition by itself, or held against a list.
    fn is_asked(&self, spot: Spot, at: usize, condition: &Range<usize>) -> bool {
        let begins = at == condition.start
            || at.checked_sub(1).is_some_and(|before| {
                self.is(spot, before, b'(')
                    || self.is(spot, before, b'&')
                    || self.word(spot, before) == "and"
                    || (self.is(spot, before, b'$') && !self.is(spot, before.saturating_sub(1), b'!'))
            });
        let behind = at + 1;
        let ends = behind >= condition.end
            || self.is(spot, behind, b')')
            || self.is(spot, behind, b'&')
            || self.is(spot, behind, b':')
            || matches!(self.word(spot, behind), "and" | "in");
        begins && ends
    }

    /// The texts of a list that is written out.
    fn listed(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        if !self.opens(spot, open) {
            return None;
        }
        let (elements, _) = self.code(spot)?.arguments(open);
        let is_text =
            |&(start, end): &(usize, usize)| self.kind(spot, start) == Some(Kind::Text) && end == start + 1;
        if elements.is_empty() || !elements.iter().all(is_text) {
            return None;
        }
        let mut texts = elements.iter().flat_map(|&(start, _)| self.chain(spot, start).0).collect();
        distinct(&mut texts);
        Some(texts)
    }
}

/// Whether a word is a text with nothing in it.
fn is_empty_text(word: &str) -> bool {
    matches!(word, "\"\"" | "''" | "``")
}

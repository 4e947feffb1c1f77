//! Texts that are kept in a variable for other texts to take in, and are run nowhere by themselves.

use super::Collector;
use crate::extract::{fold::Spot, lexer::Kind};

/// The most tokens behind a text that are looked at for its name.
const REACH: usize = 4000;

impl Collector<'_> {
    /// Whether a text is the value of a local variable that code never names again, so that only holes in other texts can.
    pub(super) fn is_part(&self, spot: Spot, at: usize) -> bool {
        let Some(unit) = self.folder.units.get(spot.unit) else { return false };
        let Some(end) = unit.sketch.functions.get(spot.function as usize).map(|one| one.end as usize) else {
            return false;
        };
        let bound = unit.sketch.bindings.partition_point(|one| one.value as usize <= at);
        let bound = bound.checked_sub(1).and_then(|last| unit.sketch.bindings.get(last));
        let Some(bound) = bound.filter(|one| one.value as usize == at && one.function == spot.function)
        else {
            return false;
        };
        let name = self.folder.word(spot, bound.name as usize);
        let is_named = |other: usize| {
            self.folder.kind(spot, other) == Some(Kind::Word) && self.folder.word(spot, other) == name
        };
        self.is_declared(spot, bound.name as usize)
            && end - at <= REACH
            && !(at + 1..end).any(|other| is_named(other) && !self.is_overwritten(spot, other))
    }

    /// Whether a name is that of a local variable where it is given a value, and not of a field, or of a variable outside.
    fn is_declared(&self, spot: Spot, name: usize) -> bool {
        let (Some(language), Some(before)) = (self.folder.language(spot), name.checked_sub(1)) else {
            return false;
        };
        let word = self.folder.word(spot, before);
        let is_word = self.folder.kind(spot, before) == Some(Kind::Word);
        let by_type =
            language.typed && (is_word || b">]?*&".iter().any(|&sign| self.folder.is(spot, before, sign)));
        let by_sign = self.folder.is(spot, name + 1, b':') && self.folder.is(spot, name + 2, b'=');
        let of_another = b".>@:$".iter().any(|&sign| self.folder.is(spot, before, sign));
        by_type
            || by_sign
            || (is_word && (word == "mut" || language.declares.contains(&word)))
            || (language.declares.is_empty() && !language.typed && !of_another)
    }

    /// Whether a variable is given another value, which says nothing of the one that it had.
    fn is_overwritten(&self, spot: Spot, name: usize) -> bool {
        self.folder.is(spot, name + 1, b'=') && !self.folder.is(spot, name + 2, b'=')
    }
}

//! Names that all files of a folder see, as in Go: which files those are, and what a variable is given that is declared without
//! a value. An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole};
use crate::extract::{
    lexer::Kind,
    sketch::{Binding, FunctionSketch, NOWHERE},
    text::Text,
};
use crate::source::folder_of;
use rustc_hash::FxHashMap as HashMap;

/// What functions give to names that they do not declare, by folder and name: the file, and the binding there.
pub(super) type Assigned = HashMap<String, HashMap<String, Vec<(u32, u32)>>>;

/// How much deeper a value lies that functions give: each name may be given many, so that few are followed in one another.
const DEEPER: u8 = 4;

impl Folder<'_> {
    /// Whether a file sees what has a name in another of its folder: tests see all, and nobody sees theirs.
    pub fn is_beside(&self, unit: usize, other: usize) -> bool {
        let place = |unit: usize| {
            let unit = self.units.get(unit)?;
            Some((unit.is_test, folder_of(self.sources.path(unit.source))))
        };
        let (Some((is_test, own)), Some((other_is_test, other))) = (place(unit), place(other)) else {
            return false;
        };
        own == other && (is_test || !other_is_test)
    }

    /// The one text that functions of the folder give to a variable that is declared without a value.
    pub(super) fn assigned_beside(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let is_member = at.checked_sub(1).is_some_and(|before| self.is(spot, before, b'.'));
        if !self.language(spot)?.packages || is_member || self.declares(spot, name, at) {
            return None;
        }
        let folder = folder_of(self.sources.path(self.units.get(spot.unit)?.source));
        let all = self.assigned.get_or_init(|| self.assigned_anywhere()).get(folder)?.get(name)?;
        if all.len() > MAX_VARIANTS || spot.depth > MAX_DEPTH {
            return None;
        }
        let mut texts = Vec::new();
        for &(unit, index) in all.iter().filter(|(unit, _)| self.is_beside(spot.unit, *unit as usize)) {
            let binding = self.units.get(unit as usize)?.sketch.bindings.get(index as usize)?;
            let inner = Spot { depth: spot.depth + DEEPER, ..Spot::at(unit as usize, binding.function) };
            if !self.declares(inner, name, binding.name as usize) {
                texts.extend(self.chain(inner, binding.value as usize).0);
            }
        }
        texts.retain(|text| !is_only_hole(text));
        distinct(&mut texts);
        (texts.len() == 1).then_some(texts)
    }

    fn assigned_anywhere(&self) -> Assigned {
        let mut found = Assigned::default();
        for (number, unit) in (0_u32..).zip(self.units).filter(|(_, unit)| unit.language.packages) {
            let spot = Spot::at(number as usize, NOWHERE);
            let is_assigned = |one: &Binding| {
                let (name, value) = (one.name as usize, one.value as usize);
                let is_part = name
                    .checked_sub(1)
                    .is_some_and(|before| b".,".iter().any(|&sign| self.is(spot, before, sign)));
                one.function != NOWHERE
                    && self.assigns(spot, name + 1)
                    && self.kind(spot, value) == Some(Kind::Text)
                    && !is_part
            };
            for (index, one) in (0_u32..).zip(&unit.sketch.bindings).filter(|(_, one)| is_assigned(one)) {
                let name = self.word(spot, one.name as usize).to_owned();
                let folder = folder_of(self.sources.path(unit.source));
                let of_folder = found.entry(folder.to_owned()).or_default();
                of_folder.entry(name).or_default().push((number, index));
            }
        }
        found
    }

    /// Whether the function around declares a name in front of a token, so that it is not that of the folder.
    pub fn declares(&self, spot: Spot, name: &str, at: usize) -> bool {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let Some(function) = function else { return false };
        let begins = |place: usize| {
            let mut behind = place + 1;
            while self.is(spot, behind, b',') && self.kind(spot, behind + 1) == Some(Kind::Word) {
                behind += 2;
            }
            self.is(spot, behind, b':') && self.is(spot, behind + 1, b'=')
        };
        let is_declared = |place: usize| {
            let before = place.checked_sub(1).map_or("", |before| self.word(spot, before));
            before == "var" || begins(place)
        };
        self.parameter(spot, function, name).is_some()
            || self.is_result(spot, function, name)
            || self.places_of(spot, function.name as usize..at, name).any(is_declared)
    }

    /// Whether a function names one of its results so: `func f() (query string, err error)`.
    fn is_result(&self, spot: Spot, function: &FunctionSketch, name: &str) -> bool {
        let open = function.name as usize + 1;
        let results = self.matching(spot, open) + 1;
        self.is(spot, open, b'(')
            && self.is(spot, results, b'(')
            && (results..self.matching(spot, results)).any(|at| self.word(spot, at) == name)
    }
}

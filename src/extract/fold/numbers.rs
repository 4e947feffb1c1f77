//! Constants that are numbers, where they stand in a text: `"state = " + OPEN`, and variants that are cast to them. One that is part
//! of arithmetic stays open. An `impl` of [`Folder`], apart for its length.

use super::{
    Folded, Folder, Spot,
    discriminants::{Variant, variants},
};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::{NOWHERE, Number},
    text::{HOLE, Text},
};
use rustc_hash::FxHashMap as HashMap;

/// What stands for numbers.
#[derive(Default)]
pub(super) struct Numbers {
    /// The constants by name: the file, and the place there.
    constants: HashMap<String, Vec<(u32, u32)>>,
    /// The variants by the names of their types and their own, and their files.
    variants: HashMap<Box<str>, Vec<(u32, Variant)>>,
}

/// The types of Rust that a variant is cast to.
const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

impl Folder<'_> {
    /// The text of the number that a name at the level of a file stands for, as seen from a token.
    pub(super) fn number_of(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let all = self.numbers.get_or_init(|| self.numbers_by_name()).constants.get(name)?;
        let is_token = self.word(spot, at) == name;
        if self.hides(spot, name, at) || (is_token && self.is_computed(spot, at)) {
            return None;
        }
        let files = if is_token { self.files_of_type(spot, at) } else { &[] };
        let language = self.language(spot)?;
        let is_own = |unit: u32| unit as usize == spot.unit;
        let is_of_type = |unit: u32| files.is_empty() || is_own(unit) || files.contains(&unit);
        let is_seen = |unit: u32| {
            let is_alike =
                self.units.get(unit as usize).is_some_and(|one| one.language.name == language.name);
            let is_beside = language.packages && self.is_beside(spot.unit, unit as usize);
            is_alike && is_of_type(unit) && (is_own(unit) || language.shows(name) || is_beside)
        };
        let has_own = files.is_empty() && all.iter().any(|&(unit, _)| is_own(unit));
        let seen = all.iter().filter(|&&(unit, _)| is_seen(unit) && (!has_own || is_own(unit)));
        let mut values = seen.filter_map(|&(unit, index)| Some((unit, self.number(unit, index)?)));
        let (unit, (value, offset)) = values.next()?;
        if values.any(|(_, (other, _))| other != value) {
            return None;
        }
        let mut text = Text::default();
        text.push_at(&value.to_string(), self.units.get(unit as usize)?.source, offset);
        Some(vec![text])
    }

    fn numbers_by_name(&self) -> Numbers {
        let mut found = Numbers::default();
        for (number, unit) in (0_u32..).zip(self.units).filter(|(_, unit)| !unit.is_test) {
            let all = (0_u32..).zip(&unit.sketch.numbers).filter(|(_, one)| one.is_fixed);
            for (index, one) in all {
                let text = self.sources.get(unit.source).map_or("", |source| source.text());
                let name = text.get(one.name.0 as usize..one.name.1 as usize).unwrap_or("");
                found.constants.entry(name.to_owned()).or_default().push((number, index));
            }
            let outlined = unit.outline.iter().flat_map(|outline| outline.variants.clone());
            let code = Code::new(self.sources, unit);
            for one in variants(code, unit.text(self.sources)).into_iter().chain(outlined) {
                found.variants.entry(one.name.clone()).or_default().push((number, one));
            }
        }
        found
    }

    /// The number of the variant at the end of a path, where it is cast to one, and the token behind that: `State::Sent as u8`.
    pub(super) fn discriminant(&self, spot: Spot, name: usize) -> Option<Folded> {
        let end = name + 3;
        let is_path = name > 2 && self.is(spot, name - 1, b':') && self.is(spot, name - 2, b':');
        let is_cast = self.word(spot, name + 1) == "as" && INTEGERS.contains(&self.word(spot, name + 2));
        let is_computed = || b"+*/-%<>&|^=".iter().any(|&sign| self.is(spot, end, sign));
        let goes_on = self.word(spot, end) == "as";
        if !is_path || !is_cast || goes_on || is_computed() || !self.language(spot)?.block_values {
            return None;
        }
        let owner = match self.word(spot, name - 3) {
            "Self" => self.owner(spot),
            owner => owner,
        };
        let numbers = self.numbers.get_or_init(|| self.numbers_by_name());
        let all = numbers.variants.get(format!("{owner}::{}", self.word(spot, name)).as_str())?;
        let is_own = |(unit, _): &(u32, Variant)| *unit as usize == spot.unit;
        let has_own = all.iter().any(is_own);
        let mut seen = all.iter().filter(|one| !has_own || is_own(one));
        let (unit, first) = seen.next()?;
        if seen.any(|(_, other)| other.value != first.value) {
            return None;
        }
        let mut text = Text::default();
        text.push_at(&first.value.to_string(), self.units.get(*unit as usize)?.source, first.offset);
        Some((vec![text], end))
    }

    /// A constant's number, and where it stands.
    fn number(&self, unit: u32, index: u32) -> Option<(i64, u32)> {
        let unit = self.units.get(unit as usize)?;
        let Number { literal: (start, end), .. } = unit.sketch.numbers.get(index as usize)?;
        let text = self.sources.get(unit.source)?.text().get(*start as usize..*end as usize)?;
        let digits: String = text.chars().filter(|one| !one.is_whitespace() && *one != '_').collect();
        let digits = digits.trim_end_matches(['l', 'L', 'u', 'U']);
        Some((digits.parse().ok()?, *start))
    }

    /// Whether the function around has a value of its own for a name, or what stands in front of it has.
    fn hides(&self, spot: Spot, name: &str, at: usize) -> bool {
        let is_token = self.word(spot, at) == name;
        if is_token && at > 1 && self.is(spot, at - 1, b'.') {
            const OWN: [&str; 6] = ["this", "self", "Self", "cls", "static", "Companion"];
            let owner = self.word(spot, at - 2);
            return !(OWN.contains(&owner) || owner.starts_with(char::is_uppercase));
        }
        let Some(function) =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize))
        else {
            return false;
        };
        let is_given = |one: usize| {
            self.assigns(spot, one + 1) || (self.is(spot, one + 1, b':') && self.is(spot, one + 2, b'='))
        };
        self.declares(spot, name, at) || self.places_of(spot, function.name as usize..at, name).any(is_given)
    }

    /// Whether a name is part of arithmetic.
    pub(super) fn is_computed(&self, spot: Spot, at: usize) -> bool {
        let computes = |at: usize| b"*/-%<&|^".iter().any(|&sign| self.is(spot, at, sign));
        let is_atom = |at: usize| self.kind(spot, at) == Some(Kind::Atom);
        // `"state = %d" % OPEN`
        let fills = at > 1 && self.is(spot, at - 1, b'%') && self.kind(spot, at - 2) == Some(Kind::Text);
        let before = at.checked_sub(1).is_some_and(|before| {
            (computes(before) && !fills) || (self.is(spot, before, b'+') && before > 0 && is_atom(before - 1))
        });
        before || computes(at + 1) || (self.is(spot, at + 1, b'+') && is_atom(at + 2))
    }

    /// What was put together, a sum of numbers left open.
    pub(super) fn without_sums(&self, spot: Spot, at: usize, value: Vec<Text>) -> Vec<Text> {
        let is_number = |one: char| one.is_ascii_digit() || one == '-' || one == HOLE;
        let is_sum = |text: &Text| {
            let text = text.as_str();
            text.contains(|one: char| one.is_ascii_digit()) && text.chars().all(is_number)
        };
        if spot.function == NOWHERE || !value.iter().any(is_sum) {
            return value;
        }
        vec![self.hole(spot, at, "", false)]
    }
}

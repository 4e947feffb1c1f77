//! Constants that a type declares, seen with the name of the type in front, or from its own methods without. An `impl` of [`Folder`],
//! apart for its length.

use super::{Folder, Spot};
use crate::extract::{lexer::Kind, sketch::NOWHERE};
use rustc_hash::FxHashMap as HashMap;
use std::sync::{Arc, PoisonError};

/// The types that hold bindings of one name, by their own: the file and the binding, in the order of these, and how many brackets stand
/// between.
pub(super) type Holders = HashMap<Box<str>, Vec<(u32, u32, usize)>>;

impl Folder<'_> {
    /// The binding of a type that a name at a token means, where others have one of that name as well: `Plate.TABLE`, `Plate::TABLE`,
    /// `columns::OWNER` in a method of what holds that type, `TABLE` in a method of the type.
    pub(super) fn scoped(&self, spot: Spot, name: &str, at: usize) -> Option<(Spot, usize)> {
        if self.word(spot, at) != name {
            return None;
        }
        let own = self.type_of_method(spot);
        let owner = self.type_in_front(spot, at);
        if !owner.is_empty() {
            let qualifier = self.qualifier(spot, at);
            let outer = if qualifier.is_empty() { "" } else { self.qualifier(spot, at - 3) };
            let is_type = !qualifier.is_empty() || owner.starts_with(|one: char| one.is_ascii_uppercase());
            let outer = if outer.is_empty() { own } else { outer };
            return is_type.then(|| self.lookup_type(spot, (outer, owner), name)).flatten();
        }
        let is_seen = !own.is_empty() && self.language(spot)?.implicit_self;
        let found = is_seen.then(|| self.lookup_type(spot, ("", own), name)).flatten()?;
        // What may change is not told by how it begins.
        self.is_constant(found.0, found.1).then_some(found)
    }

    /// The binding at the level of a type of this name, where others have one as well. Of several types called so that is meant which
    /// stands in another, or else in the file itself.
    pub(super) fn lookup_type(
        &self,
        spot: Spot,
        (outer, owner): (&str, &str),
        name: &str,
    ) -> Option<(Spot, usize)> {
        let holders = self.holders(name)?;
        let held = |owner: &str| holders.get(owner).map_or(&[][..], Vec::as_slice);
        let language = self.language(spot)?.name;
        let found = held(owner).iter().filter_map(|&(unit, index, levels)| {
            let one = self.units.get(unit as usize).filter(|unit| unit.language.name == language)?;
            let binding = one.sketch.bindings.get(index as usize)?;
            let place = (unit, index);
            let is_outer =
                held(outer).binary_search_by_key(&place, |&(unit, index, _)| (unit, index)).is_ok();
            Some(((!is_outer, unit as usize != spot.unit, levels), unit as usize, *binding))
        });
        // A file's own type hides those of others.
        let (_, unit, binding) = found.min_by_key(|(rank, ..)| *rank)?;
        let inner = Spot { depth: spot.depth + 1, pieces: spot.pieces, ..Spot::at(unit, binding.function) };
        Some((inner, binding.value as usize))
    }

    /// The types that hold bindings of a name; none where there is only one of that. Each use of the name asks for one of them.
    fn holders(&self, name: &str) -> Option<Arc<Holders>> {
        let places = self.names.get(name).filter(|places| places.len() > 1)?;
        let known = || self.holders.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(name).cloned();
        if found.is_some() {
            return found;
        }
        let mut holders = Holders::default();
        for &place in places {
            let (unit, index) = place;
            let spot = Spot::at(unit as usize, NOWHERE);
            let bindings = self.units.get(spot.unit).map(|unit| &unit.sketch.bindings);
            let Some(binding) = bindings.and_then(|all| all.get(index as usize)) else { continue };
            for (owner, levels) in self.types_around(spot, binding.name as usize) {
                let held = holders.entry(owner.into()).or_default();
                // The innermost type of a name is meant.
                if held.last().is_none_or(|&(unit, last, _)| (unit, last) != place) {
                    held.push((unit, index, levels));
                }
            }
        }
        Some(Arc::clone(known().entry(name.into()).or_insert_with(|| Arc::new(holders))))
    }

    /// The types that a token is in the body of, from within, and how many brackets stand between.
    pub(super) fn types_around(&self, spot: Spot, at: usize) -> Vec<(&str, usize)> {
        let Some(code) = self.code(spot) else { return Vec::new() };
        let types = self.declared_types(spot);
        let last_before = |at: usize| {
            let before = types.partition_point(|&name| (name as usize) < at);
            before.checked_sub(1).and_then(|last| types.get(last)).map(|&name| name as usize)
        };
        if code.indented() {
            return last_before(at).map(|name| (self.word(spot, name), 0)).into_iter().collect();
        }
        let is_head =
            |name: usize, open: usize| !(name..open).any(|at| b"{};".iter().any(|&sign| code.is(at, sign)));
        let begun = |(levels, open): (usize, usize)| {
            let name = last_before(open).filter(|&name| code.is(open, b'{') && is_head(name, open))?;
            Some((self.word(spot, name), levels))
        };
        code.around(at).enumerate().filter_map(begun).collect()
    }

    /// Whether what a value is given to is said to stay as it is.
    fn is_constant(&self, spot: Spot, value: usize) -> bool {
        /// The most tokens in front of the value.
        const LONGEST: usize = 10;
        let is_in = |&at: &usize| !b";{}".iter().any(|&sign| self.is(spot, at, sign));
        let mut before = (value.saturating_sub(LONGEST)..value).rev().take_while(is_in);
        before.any(|at| {
            self.kind(spot, at) == Some(Kind::Word)
                && matches!(self.word(spot, at), "const" | "constexpr" | "final" | "readonly" | "val" | "let")
        })
    }
}

//! Constants that a type declares, seen with the name of the type in front, or from its own methods without. An `impl` of [`Folder`],
//! apart for its length.

use super::{Folder, Spot};
use crate::extract::{lexer::Kind, sketch::NOWHERE};

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
        let places = self.names.get(name).filter(|places| places.len() > 1)?;
        let language = self.language(spot)?.name;
        let found = places.iter().filter_map(|&(unit, index)| {
            let home = Spot::at(unit as usize, NOWHERE);
            let one = self.units.get(home.unit).filter(|unit| unit.language.name == language)?;
            let binding = one.sketch.bindings.get(index as usize)?;
            let at = binding.name as usize;
            let levels = self.declares_type(home, owner).then(|| self.levels_to_type(home, at, owner))??;
            let is_outer = !outer.is_empty() && self.levels_to_type(home, at, outer).is_some();
            Some(((!is_outer, home.unit != spot.unit, levels), home.unit, *binding))
        });
        // A file's own type hides those of others.
        let (_, unit, binding) = found.min_by_key(|(rank, ..)| *rank)?;
        let inner = Spot { depth: spot.depth + 1, pieces: spot.pieces, ..Spot::at(unit, binding.function) };
        Some((inner, binding.value as usize))
    }

    /// How many brackets stand between a token and the type of this name that it is in the body of.
    fn levels_to_type(&self, spot: Spot, at: usize, owner: &str) -> Option<usize> {
        let (code, known) = (self.code(spot)?, self.known.unit(spot.unit)?);
        let types = known.types.get().map_or(&[][..], Vec::as_slice);
        let before = types.partition_point(|&name| (name as usize) < at);
        if code.indented() {
            let last = before.checked_sub(1).and_then(|last| types.get(last));
            return last.is_some_and(|&name| self.word(spot, name as usize) == owner).then_some(0);
        }
        let begins = |open: usize| {
            let inside = types.iter().rev().skip(types.len() - before).map(|&name| name as usize);
            let name = inside.into_iter().find(|&name| name < open);
            let is_head = |name: usize| !(name..open).any(|at| b"{};".iter().any(|&sign| code.is(at, sign)));
            name.is_some_and(|name| is_head(name) && self.word(spot, name) == owner)
        };
        code.around(at).position(|open| code.is(open, b'{') && begins(open))
    }

    /// Whether what a value is given to is said to stay as it is.
    fn is_constant(&self, spot: Spot, value: usize) -> bool {
        /// The most tokens in front of the value.
        const LONGEST: usize = 10;
        let is_in = |&at: &usize| !b";{}".iter().any(|&sign| self.is(spot, at, sign));
        let mut before = (value.saturating_sub(LONGEST)..value).rev().take_while(is_in);
        before.any(|at| {
            self.kind(spot, at) == Some(Kind::Word)
                && matches!(
                    self.word(spot, at),
                    "const" | "constexpr" | "static" | "final" | "readonly" | "val" | "let"
                )
        })
    }
}

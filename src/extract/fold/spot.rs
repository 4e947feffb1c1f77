//! Places at which expressions are evaluated.

use super::parts::Part;
use crate::extract::{sketch::NOWHERE, text::Pieces};

/// Where an expression is evaluated: a file, a function of it, and how deep names were followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The file, as an index of the units.
    pub unit: usize,
    /// The function, or [`NOWHERE`].
    pub function: u32,
    /// How many names were followed to get here.
    pub depth: u8,
    /// Which of the pieces that are put on only sometimes are there.
    pub pieces: Pieces,
    /// The token of a name that stays open, for it is being put together, or [`NOWHERE`].
    pub held: u32,
    /// The call of the function that it is seen from, by its name's token, or [`NOWHERE`].
    pub caller: u32,
    /// The file of that call, where it is another one, or [`NOWHERE`].
    pub from: u32,
    /// The turn of a loop that it is seen in, by the first token of the row that is walked over, or [`NOWHERE`].
    pub turn: u32,
    /// Which part of the value is asked for.
    pub part: Part,
}

impl Spot {
    /// A place from which no name was followed yet.
    pub fn at(unit: usize, function: u32) -> Self {
        let (held, caller, from, turn) = (NOWHERE, NOWHERE, NOWHERE, NOWHERE);
        Self { unit, function, depth: 0, pieces: Pieces::All, held, caller, from, turn, part: Part::Whole }
    }

    /// Whether it is seen from another file.
    pub const fn is_from_elsewhere(self) -> bool {
        self.from != NOWHERE
    }

    /// The same, where all of the value is asked for.
    pub fn whole(self) -> Self {
        Self { part: Part::Whole, ..self }
    }

    /// The same with one more name followed.
    pub fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

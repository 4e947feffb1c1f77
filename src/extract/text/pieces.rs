//! Which of the pieces of a text are there that are put on only sometimes.

/// A choice between branches: its file, as an index of the units, and its first token.
pub type Choice = (usize, u32);

/// Which of the pieces of a text that are put on only sometimes are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pieces {
    /// All of them.
    All,
    /// None.
    No,
    /// Those that one choice puts on.
    Of(Choice),
    /// Those of the fields that a filter is given.
    Wanted(Wanted),
}

/// A set of fields that the tree gives the filter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The file of the function, as an index of the units.
    pub unit: u32,
    /// The function.
    pub function: u32,
    /// The set, as an index of those that the filter is given.
    pub set: u16,
}

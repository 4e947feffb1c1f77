//! Methods of libraries that make statements of their arguments, as the languages list them: which argument is which part.

/// An argument of a call, by its place or its name.
#[derive(Debug, Clone, Copy)]
pub enum Given {
    /// From 0, those with names aside.
    At(usize),
    /// `name: value`, `name = value`.
    Named(&'static str),
}

/// A part of the statement that a method makes.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// Its own words.
    Words(&'static str),
    /// `OR REPLACE`, `OR IGNORE`: what the argument says of conflicts.
    Conflict(Given),
    /// The table.
    Table(Given),
    /// A list of columns, all where there is none.
    Columns(Given),
    /// Names with values to insert.
    Values(Given),
    /// The same, to update.
    Sets(Given),
    /// These words, and what the argument says; nothing where it says nothing.
    Clause(&'static str, Given),
}

/// A method of a library that makes a statement of its arguments.
#[derive(Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The argument that says what happens on a conflict, where another method of the name has none there.
    pub conflict: Option<usize>,
    /// The statement.
    pub parts: &'static [Part],
}

/// The methods of a library.
#[derive(Debug)]
pub struct Methods {
    /// Words of which one stands in some file of each program that uses it.
    pub marks: &'static [&'static str],
    /// All of them.
    pub all: &'static [Method],
}

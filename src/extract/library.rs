//! What calls make of their arguments, as the languages list them: statements, by methods of libraries, and texts, of a format string
//! or of a list.

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

/// How a format string marks its holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatStyle {
    /// `{}`, `{0}`, `{name}`, `{name:?}`; `{{` is a brace.
    Braces,
    /// `%s`, `%d`, `%(name)s`, `%[1]s`; `%%` is a per cent sign.
    Percent,
    /// `%1`, `%L2`: the lowest numbers are given the arguments, and the others are left.
    Numbered,
}

/// A function or macro that makes text of a format string and arguments.
#[derive(Debug)]
pub struct FormatCall {
    /// The last word of its name.
    pub name: &'static str,
    /// How the format string marks its holes.
    pub style: FormatStyle,
    /// Whether it is called with `!`.
    pub bang: bool,
}

/// Where a call finds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In front of the dot.
    Receiver,
    /// Among its arguments, from 0.
    Argument(usize),
    /// Nowhere: it is always this.
    Always(&'static str),
}

/// A function that makes one text of a list.
#[derive(Debug, Clone, Copy)]
pub struct Joining {
    /// The last word of its name.
    pub name: &'static str,
    /// Where the list stands.
    pub list: Place,
    /// Where the text stands that is put between its elements.
    pub separator: Place,
}

impl Joining {
    /// `list.join(separator)`
    pub const fn of_list(name: &'static str) -> Self {
        Self { name, list: Place::Receiver, separator: Place::Argument(0) }
    }

    /// `join(separator, list)`
    pub const fn function(name: &'static str) -> Self {
        Self { name, list: Place::Argument(1), separator: Place::Argument(0) }
    }
}

/// How a file imports functions and other names of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportForm {
    /// Not so that it is followed.
    Unread,
    /// `from parts.text import where`.
    Modules,
    /// `import "ships/text"`.
    Packages,
    /// `import { where } from "./text"`.
    Files,
    /// `use crate::text::where`.
    Paths,
    /// `import "text.dart"`, which takes all of it.
    Libraries,
    /// `import text.where`, and all of the package.
    Members,
    /// What a file declares, the whole program sees.
    Whole,
}

impl ImportForm {
    /// Whether a text may hand on what it imports: of a language that has words for it, by these.
    pub fn hands_on(self, text: &str) -> bool {
        match self {
            Self::Modules => text.contains("import"),
            Self::Files | Self::Libraries => text.contains("export ") || text.contains("part "),
            _ => false,
        }
    }

    /// Whether a name at the level of a file is seen where it is imported, whatever its letters.
    pub const fn takes_names(self) -> bool {
        matches!(self, Self::Modules | Self::Files | Self::Libraries | Self::Members | Self::Whole)
    }
}

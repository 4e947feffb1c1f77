//! A part of a source, as people and tools name it. Knows no source.

use crate::source::Position;

/// A range of a file of the tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// From the root of the tree.
    pub path: String,
    /// The first byte.
    pub start: Position,
    /// The byte after the last.
    pub end: Position,
}

impl Place {
    /// `path:line:column`, as editors and terminals follow it.
    pub fn short(&self) -> String {
        format!("{}:{}:{}", self.path, self.start.line, self.start.column)
    }

    /// Whether another one lies within it.
    pub fn holds(&self, other: &Self) -> bool {
        self.path == other.path
            && self.start.offset <= other.start.offset
            && other.end.offset <= self.end.offset
    }
}

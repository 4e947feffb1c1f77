//! The tokens of the file that a function stands in, as all of the flow reads them.

use crate::extract::{
    fold::{Folder, Spot},
    languages::Language,
    lexer::Kind,
};

/// The tokens of one file.
#[derive(Clone, Copy)]
pub(super) struct Code<'f, 'a> {
    pub folder: &'f Folder<'a>,
    pub spot: Spot,
}

impl<'a> Code<'_, 'a> {
    pub fn is(&self, at: usize, byte: u8) -> bool {
        self.folder.is(self.spot, at, byte)
    }

    pub fn word(&self, at: usize) -> &'a str {
        self.folder.word(self.spot, at)
    }

    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.folder.kind(self.spot, at)
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    pub fn opens(&self, at: usize) -> bool {
        self.folder.opens(self.spot, at)
    }

    pub fn closes(&self, at: usize) -> bool {
        self.folder.closes(self.spot, at)
    }

    /// The token behind a token or, where that opens a bracket, behind the bracket.
    pub fn behind(&self, at: usize) -> usize {
        if self.opens(at) { self.matching(at) + 1 } else { at + 1 }
    }

    pub fn matching(&self, open: usize) -> usize {
        self.folder.matching(self.spot, open)
    }

    pub fn arguments(&self, open: usize) -> (Vec<(usize, usize)>, usize) {
        self.folder.arguments(self.spot, open)
    }

    /// How many tokens there are.
    pub fn length(&self) -> usize {
        self.folder.tokens(self.spot).len()
    }

    fn language(&self) -> Option<&'static Language> {
        self.folder.language(self.spot)
    }

    pub fn indented(&self) -> bool {
        self.language().is_some_and(|language| language.indented)
    }

    /// Whether a line ends a statement without indentation, as in Go.
    pub fn by_lines(&self) -> bool {
        self.language().is_some_and(|language| language.function == "func")
    }
}

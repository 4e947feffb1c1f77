//! A file, taken apart.

use crate::{
    extract::{languages::Language, lexer::Token, outline::Outline, sketch::Sketch},
    source::{Source, SourceId, Sources},
};

/// A file, taken apart.
pub struct Unit {
    /// The file.
    pub source: SourceId,
    /// Its language.
    pub language: &'static Language,
    /// Its tokens; dropped where nothing in the file can make text.
    pub tokens: Vec<Token>,
    /// What the walk over them found.
    pub sketch: Sketch,
    /// What is kept in their place in a tree that is too large.
    pub outline: Option<Box<Outline>>,
    /// Whether the whole file is test code.
    pub is_test: bool,
}

impl Unit {
    /// The text that its tokens are of; nothing where it has none, for who asks may be the first to.
    pub fn text<'a>(&self, sources: &'a Sources) -> &'a str {
        let source = sources.get(self.source).filter(|_| !self.tokens.is_empty());
        source.map_or("", Source::text)
    }

    /// Whether only an outline of it is kept.
    pub fn is_outlined(&self) -> bool {
        self.outline.is_some()
    }
}

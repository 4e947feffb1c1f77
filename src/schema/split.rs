//! Where the statements of a text begin and end. Knows strings, comments and the bodies of triggers; compiles nothing.

use super::tokens::{Token, Tokens};

/// One statement of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its first token.
    pub start: usize,
    /// The end of its last token; the `;` is not one.
    pub end: usize,
    /// Where the next one is looked for: after the `;`.
    pub next: usize,
}

/// The ranges of the statements of a text, in bytes.
pub fn statements(text: &str) -> impl Iterator<Item = (usize, usize)> {
    Pieces::from(text, 0).map(|piece| (piece.start, piece.end))
}

/// The statements of a text. A line that begins with a dot is a command of the sqlite3 shell, and is no statement.
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Pieces<'a> {
    /// The statements of a text, from a byte on.
    pub fn from(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// The first token of a statement from here on, past empty statements and the shell's commands.
    fn first(&self, mut at: usize) -> Option<Token<'a>> {
        loop {
            let token = Tokens::from(self.text, at).next()?;
            if token.is_sign(';') {
                at = token.end;
            } else if token.is_sign('.') && self.begins_line(token.start) {
                let rest = self.text.get(token.start..)?;
                at = token.start + rest.find('\n')?;
            } else {
                return Some(token);
            }
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        self.text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with(['\n', '\u{feff}']))
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let first = self.first(self.at)?;
        let mut state = State::Start;
        let mut piece = Piece { start: first.start, end: first.end, next: self.text.len() };
        // As if the last semicolon were the end.
        let mut ended = piece;
        for token in Tokens::from(self.text, first.start) {
            if state == State::AfterSemicolon && FOREIGN_TO_TRIGGERS.iter().any(|word| token.is(word)) {
                piece = ended;
                break;
            }
            let semicolon = token.is_sign(';');
            if semicolon {
                ended = Piece { next: token.end, ..piece };
            }
            if semicolon && state.ends_at_semicolon() {
                piece = ended;
                break;
            }
            piece.end = token.end;
            state = if semicolon { State::AfterSemicolon } else { state.after(&token) };
        }
        self.at = piece.next;
        Some(piece)
    }
}

/// No statement in the body of a trigger begins with one of these, so a body in which one does was never closed. SQLite
/// refuses it, and the statements after it are still found.
const FOREIGN_TO_TRIGGERS: &[&str] = &[
    "alter", "analyze", "attach", "begin", "commit", "create", "drop", "pragma", "reindex", "rollback",
    "vacuum",
];

/// How much of a `CREATE TRIGGER` has been read, since only its body holds semicolons: the states of
/// `sqlite3_complete()`, and one more, since a semicolon before BEGIN does end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Explain,
    Create,
    Trigger,
    Body,
    AfterSemicolon,
    AfterEnd,
    Other,
}

impl State {
    fn ends_at_semicolon(self) -> bool {
        !matches!(self, Self::Body | Self::AfterSemicolon)
    }

    fn after(self, token: &Token<'_>) -> Self {
        match self {
            Self::Start if token.is("explain") => Self::Explain,
            Self::Explain if token.is("query") || token.is("plan") => Self::Explain,
            Self::Start | Self::Explain if token.is("create") => Self::Create,
            Self::Create if token.is("temp") || token.is("temporary") => Self::Create,
            Self::Create if token.is("trigger") => Self::Trigger,
            Self::Trigger if token.is("begin") => Self::Body,
            Self::Trigger => Self::Trigger,
            Self::AfterSemicolon if token.is("end") => Self::AfterEnd,
            Self::Body | Self::AfterSemicolon | Self::AfterEnd => Self::Body,
            _ => Self::Other,
        }
    }
}

/// Where the text after a statement begins: past semicolons, white space and comments.
pub(super) fn tail(text: &str, after: usize) -> usize {
    Tokens::from(text, after).find(|token| !token.is_sign(';')).map_or(text.len(), |token| token.start)
}

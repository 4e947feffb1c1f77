//! Blocks that are made by layout, as in Haskell: which line starts a statement, and which goes on with one; and the directives of
//! a preprocessor between them. An `impl` of [`Lexer`], apart for its length.

use super::{Kind, Lexer, Token};
use crate::extract::languages::StringForm;
use memchr::memchr;

/// A block: where its lines start, and how many brackets are open around it.
#[derive(Clone, Copy, Default)]
struct Block {
    column: u32,
    depth: u32,
}

/// The blocks around, and what the last word says of the next.
#[derive(Default)]
pub(super) struct Layout {
    blocks: Vec<Block>,
    /// Whether the next token starts a block.
    pub opens: bool,
    /// Where the line around starts.
    line: u32,
    /// Of each `#if` around: whether what stands behind its `#else` is for another database.
    directives: Vec<bool>,
}

impl Lexer<'_> {
    /// Takes note of a line that starts at a byte and whose first token starts at another. It is a token where it starts a
    /// statement.
    pub(super) fn start_line(&mut self, line: usize, first: u32) {
        self.layout.line = line as u32;
        let starts = if !self.language.has_layout() {
            self.depth == 0
        } else if self.layout.opens {
            return self.open_block(first);
        } else {
            self.starts_statement(first)
        };
        if starts {
            self.push_line(first);
        }
    }

    fn push_line(&mut self, first: u32) {
        let start = self.layout.line;
        self.tokens.push(Token { start, end: first, kind: Kind::Line, form: 0, open: 0, close: 0 });
    }

    /// Begins a block with the token that starts at a byte.
    pub(super) fn open_block(&mut self, first: u32) {
        let column = first.saturating_sub(self.layout.line);
        self.leave_blocks(column);
        self.layout.opens = false;
        self.layout.blocks.push(Block { column, depth: self.depth });
        self.push_line(first);
    }

    /// Leaves the blocks whose lines start behind a column, and those whose brackets are closed.
    fn leave_blocks(&mut self, column: u32) {
        let (blocks, depth) = (&mut self.layout.blocks, self.depth);
        while blocks.pop_if(|block| block.column > column || block.depth > depth).is_some() {}
    }

    /// Whether a line whose first token starts at a byte starts a statement of the block around. What is put in front of the arms of
    /// a choice, or of what follows a block, starts none.
    fn starts_statement(&mut self, first: u32) -> bool {
        let column = first - self.layout.line;
        self.leave_blocks(column);
        let block = self.layout.blocks.last().copied().unwrap_or_default();
        let rest = self.bytes.get(first as usize..).unwrap_or(&[]);
        let goes_on = |word: &str| {
            rest.strip_prefix(word.as_bytes())
                .is_some_and(|behind| behind.first().is_none_or(u8::is_ascii_whitespace))
        };
        column == block.column
            && self.depth == block.depth
            && !["then", "else", "of", "in"].into_iter().any(goes_on)
    }

    /// Whether a block begins behind a word.
    pub(super) fn opens_block(&self, start: usize, end: usize) -> bool {
        let word = self.text.get(start..end).unwrap_or("");
        // `\\case`
        self.language.layout.contains(&word)
            || (word == "case" && self.bytes.get(..start).is_some_and(|before| before.ends_with(b"\\")))
    }

    /// The length of the sign of more bytes than one that puts texts together, if it stands at a byte, and not as a part of another.
    pub(super) fn joining_sign(&self, at: usize) -> Option<usize> {
        const SIGNS: &[u8] = b"!#$%&*+./<=>?@\\^|-~:";
        let is_sign =
            |at: Option<usize>| at.and_then(|at| self.bytes.get(at)).is_some_and(|byte| SIGNS.contains(byte));
        let rest = self.bytes.get(at..)?;
        let sign = self.language.joins_as.iter().find(|sign| rest.starts_with(sign.as_bytes()))?;
        let is_alone = !is_sign(at.checked_sub(1)) && !is_sign(Some(at + sign.len()));
        is_alone.then_some(sign.len())
    }

    /// Whether a list over the elements of others starts here, and no quasi-quote: `[i|i<-ships]`.
    pub(super) fn is_comprehension(&self, form: &StringForm) -> bool {
        const LONGEST: usize = 60;
        if !self.language.has_layout() || form.close != "|]" {
            return false;
        }
        let behind = self.bytes.get(self.at + form.open.len()..).unwrap_or(&[]);
        let (_, line) = first_line(behind.get(..LONGEST.min(behind.len())).unwrap_or(&[]));
        let name =
            line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_' (,)".contains(byte)).count();
        line.get(name..).is_some_and(|rest| rest.starts_with(b"<-"))
    }

    /// The length of the directive of a preprocessor that stands here, with what it leaves out for another database.
    pub(super) fn directive(&mut self) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?;
        let starts_line = self.at.checked_sub(1).is_none_or(|before| self.bytes.get(before) == Some(&b'\n'));
        if !self.language.has_layout() || !starts_line || rest.first() != Some(&b'#') {
            return None;
        }
        let (length, line) = first_line(rest);
        if directs(line, "if") {
            let others = names_other_database(line);
            let is_negated = line.contains(&b'!') || directs(line, "ifndef");
            self.layout.directives.push(others && is_negated);
            let is_left_out = others && !is_negated;
            return Some(if is_left_out { length + left_out(rest.get(length..)?) } else { length });
        }
        if directs(line, "else") && self.layout.directives.last() == Some(&true) {
            return Some(length + left_out(rest.get(length..)?));
        }
        if directs(line, "endif") {
            self.layout.directives.pop();
        }
        Some(length)
    }
}

/// The first line of a text, and its length without the break.
fn first_line(text: &[u8]) -> (usize, &[u8]) {
    let length = memchr(b'\n', text).unwrap_or(text.len());
    (length, text.get(..length).unwrap_or(&[]))
}

/// Whether a line is a directive that starts with a word: `#if`, `# else`.
fn directs(line: &[u8], word: &str) -> bool {
    line.strip_prefix(b"#").is_some_and(|rest| rest.trim_ascii_start().starts_with(word.as_bytes()))
}

/// Whether a condition asks for another database.
fn names_other_database(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    ["postgres", "mysql", "mariadb"].iter().any(|name| line.contains(name))
}

/// How long what a condition leaves out is, up to the line that ends it.
fn left_out(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_u32);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, line) = first_line(rest);
        let ends = ["else", "elif", "endif"].iter().any(|word| directs(line, word));
        if ends && depth == 0 {
            return at;
        }
        depth += u32::from(directs(line, "if"));
        depth = depth.saturating_sub(u32::from(directs(line, "endif")));
        at += length + 1;
    }
    text.len()
}

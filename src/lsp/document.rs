//! The texts that an editor has open, and how they were changed since the last run. Knows positions as the editor counts
//! them; knows no SQL.

use crate::{
    run::Retold,
    source::{Source, difference},
};
use gen_lsp_types::{Position, Range, Uri};
use memchr::memchr2_iter;
use std::path::PathBuf;

/// How an editor counts within a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// In bytes.
    Utf8,
    /// In units of UTF-16.
    #[default]
    Utf16,
}

impl Encoding {
    /// The byte at a position; the end of its line where that is shorter, and of the text where that is.
    pub fn offset(self, source: &Source, at: Position) -> u32 {
        let text = source.text();
        let (start, end) = line(text, at.line);
        let mut count = 0;
        for (index, one) in text.get(start..end).unwrap_or("").char_indices() {
            if count >= at.character {
                return (start + index) as u32;
            }
            count += self.units(one);
        }
        end as u32
    }

    /// The position of a byte.
    pub fn position(self, source: &Source, offset: u32) -> Position {
        let numbered = source.is_excerpt().then(|| source.position(offset).line - 1);
        let head = source.text().as_bytes().get(..offset as usize).unwrap_or(source.text().as_bytes());
        let (mut number, mut start) = (0, 0);
        for (_, behind) in breaks(source.text().as_bytes()).take_while(|(_, behind)| *behind <= head.len()) {
            number += 1;
            start = behind;
        }
        let before = source.slice(start as u32, head.len() as u32);
        Position {
            line: numbered.unwrap_or(number),
            character: before.chars().map(|one| self.units(one)).sum(),
        }
    }

    fn units(self, one: char) -> u32 {
        match self {
            Self::Utf8 => one.len_utf8() as u32,
            Self::Utf16 => one.len_utf16() as u32,
        }
    }

    /// The range of two bytes.
    pub fn range(self, source: &Source, (start, end): (u32, u32)) -> Range {
        Range { start: self.position(source, start), end: self.position(source, end) }
    }
}

/// The ends of lines as the protocol has them, with what follows: a lone `\r` is one, which it is for nobody else here.
fn breaks(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let is = |at: usize, what: u8| text.get(at) == Some(&what);
    memchr2_iter(b'\r', b'\n', text)
        .filter(move |at| !(is(*at, b'\n') && at.checked_sub(1).is_some_and(|before| is(before, b'\r'))))
        .map(move |at| (at, if is(at, b'\r') && is(at + 1, b'\n') { at + 2 } else { at + 1 }))
}

/// The bytes of a line, counted from 0, without its end; the end of the text where it has fewer.
fn line(text: &str, number: u32) -> (usize, usize) {
    let mut ends = breaks(text.as_bytes());
    let start = match number.checked_sub(1) {
        None => Some(0),
        Some(earlier) => ends.nth(earlier as usize).map(|(_, behind)| behind),
    };
    let Some(start) = start else { return (text.len(), text.len()) };
    (start, ends.next().map_or(text.len(), |(end, _)| end))
}

/// A change of a text: these bytes became so many others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edit {
    start: u32,
    end: u32,
    length: u32,
}

/// Of how many changes each is known: every place is moved by each of them.
const MOST_EDITS: usize = 1_000;

/// A text that is open.
pub(super) struct Document {
    /// As the editor names it.
    pub uri: Uri,
    pub version: i32,
    /// The root of its program.
    pub program: Option<PathBuf>,
    /// As it is now; its path is from the root of its program.
    pub source: Source,
    /// Whether .gitignore hides its file, so that no run sees it.
    pub is_hidden: bool,
    /// What was said of it at once, since the last run.
    pub retold: Retold,
    /// What was changed since the text that the last run read.
    edits: Vec<Edit>,
    /// How many of them the run that is under way has read; `None` where it does not read this text, but the file.
    read: Option<usize>,
}

impl Document {
    pub fn new(uri: Uri, version: i32, text: String) -> Self {
        Self {
            uri,
            version,
            program: None,
            source: Source::new("", text),
            is_hidden: false,
            retold: Retold::default(),
            edits: Vec::new(),
            read: None,
        }
    }

    /// Puts a text in the place of a range, or of all.
    pub fn change(&mut self, range: Option<Range>, text: &str, encoding: Encoding) {
        let (start, end) = match range {
            Some(range) => {
                let (start, end) =
                    (encoding.offset(&self.source, range.start), encoding.offset(&self.source, range.end));
                (start.min(end), end.max(start))
            }
            None => (0, self.source.text().len() as u32),
        };
        let bytes = start as usize..end as usize;
        // Positions lie between letters.
        let Some(old) = self.source.text().get(bytes.clone()) else { return };
        // Editors replace more than they change.
        self.edits.push(narrow(start, old, text));
        let mut source = std::mem::replace(&mut self.source, Source::new("", ""));
        let path = std::mem::take(&mut source.path);
        let mut new = source.into_text();
        new.replace_range(bytes, text);
        self.source = Source::new(path, new);
        if self.edits.len() > MOST_EDITS {
            self.join();
        }
    }

    /// Takes what was changed for one change: what lies between is found again by the next run.
    fn join(&mut self) {
        let (read, since) = self.edits.split_at_checked(self.read.unwrap_or(0)).unwrap_or_default();
        let (read, since) = (joined(read), joined(since));
        self.read = self.read.map(|_| read.iter().count());
        self.edits = read.into_iter().chain(since).collect();
    }

    /// Takes another path from the root of its program.
    pub fn rename(&mut self, path: &str) {
        self.source = Source::new(path, std::mem::replace(&mut self.source, Source::new("", "")).into_text());
    }

    /// Whether it was changed since the text that the last run read.
    pub fn is_changed(&self) -> bool {
        !self.edits.is_empty()
    }

    /// A run begins that reads it as it is now.
    pub fn begin(&mut self) {
        self.read = Some(self.edits.len());
    }

    /// The run has ended; where it did not read this text, what it read in its place.
    pub fn adopt(&mut self, read: Option<&str>) {
        match self.read.take() {
            Some(read) => drop(self.edits.drain(..read.min(self.edits.len()))),
            None => self.follow(read),
        }
        self.retold = Retold::default();
    }

    /// The last run has read another text than this one, or none: what differs was changed since.
    pub fn follow(&mut self, read: Option<&str>) {
        let read = read.filter(|read| *read != self.source.text());
        self.edits = read.map(|read| narrow(0, read, self.source.text())).into_iter().collect();
        self.read = None;
    }

    /// Where bytes that the last run read stand now; `None` where they were changed.
    pub fn now(&self, bytes: (u32, u32)) -> Option<(u32, u32)> {
        moved(&self.edits, bytes)
    }

    /// Where bytes of another text stand in this one, if what both begin and end with holds them.
    pub fn now_of(&self, other: &str, bytes: (u32, u32)) -> Option<(u32, u32)> {
        moved(&[narrow(0, other, self.source.text())], bytes)
    }

    /// Where a byte stood in the text that the last run read; `None` where it is new.
    pub fn then(&self, mut at: u32) -> Option<u32> {
        for edit in self.edits.iter().rev() {
            if at >= edit.start + edit.length {
                at = at - edit.start - edit.length + edit.end;
            } else if at > edit.start {
                return None;
            }
        }
        Some(at)
    }
}

/// Where bytes stand after some edits; `None` where one of these changed them.
fn moved(edits: &[Edit], (mut start, mut end): (u32, u32)) -> Option<(u32, u32)> {
    for edit in edits {
        if start >= edit.end {
            let shift = |at: u32| at - edit.end + edit.start + edit.length;
            (start, end) = (shift(start), shift(end));
        } else if end > edit.start {
            return None;
        }
    }
    Some((start, end))
}

/// Some edits, one after the other, as one.
fn joined(edits: &[Edit]) -> Option<Edit> {
    edits.iter().copied().reduce(|one, next| {
        let start = one.start.min(next.start);
        // In the text between the two.
        let end = next.end.max(one.start + one.length);
        let length = end - start - (next.end - next.start) + next.length;
        Edit { start, end: end - (one.start + one.length) + one.end, length }
    })
}

/// What a text changes that takes the place of another one: all but what both begin and end with.
fn narrow(at: u32, old: &str, new: &str) -> Edit {
    let (front, old, new) = difference(old, new);
    Edit { start: at + front as u32, end: at + old as u32, length: (new - front) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    fn document(text: &str) -> Document {
        Document::new(Uri("file:///a".into()), 1, text.to_owned())
    }

    #[test]
    fn positions_are_counted_as_agreed() {
        let source = Source::new("a", "é\u{1F600}x\r\nsecond");
        for (encoding, column) in [(Encoding::Utf16, 3), (Encoding::Utf8, 6)] {
            assert_eq!(encoding.offset(&source, at(0, column)), 6);
            assert_eq!(encoding.position(&source, 6), at(0, column));
            assert_eq!(encoding.offset(&source, at(0, 99)), 7);
            assert_eq!(encoding.offset(&source, at(9, 9)), 15);
            assert_eq!(encoding.offset(&source, at(u32::MAX, u32::MAX)), 15);
            assert_eq!(encoding.offset(&source, at(1, 2)), 11);
        }
    }

    #[test]
    fn lines_end_as_the_protocol_has_it() {
        let text = "# one\r# two\r\n\r\n\n# five\r";
        let source = Source::new("a", text);
        let starts = [0, 6, 13, 15, 16, 23];
        for (number, start) in starts.into_iter().enumerate() {
            let first = at(number as u32, 0);
            assert_eq!(Encoding::Utf16.position(&source, start), first);
            assert_eq!(Encoding::Utf8.offset(&source, first), start);
        }
        assert_eq!(Encoding::Utf16.offset(&source, at(0, 99)), 5);
        assert_eq!(Encoding::Utf16.offset(&source, at(9, 0)), 23);
        let mut one = document(text);
        one.change(Some(Range { start: at(1, 2), end: at(1, 5) }), "2", Encoding::Utf16);
        assert_eq!(one.source.text(), "# one\r# 2\r\n\r\n\n# five\r");
    }

    #[test]
    fn places_move_with_the_text_and_end_where_it_changes() {
        let mut one = document("aaa\nbbb\nccc\n");
        one.change(Some(Range { start: at(0, 0), end: at(0, 1) }), "xyz", Encoding::Utf16);
        assert_eq!(one.source.text(), "xyzaa\nbbb\nccc\n");
        assert_eq!((one.now((4, 7)), one.now((0, 3))), (Some((6, 9)), None));
        assert_eq!((one.then(6), one.then(1)), (Some(4), None));
        one.change(Some(Range { start: at(1, 1), end: at(1, 2) }), "", Encoding::Utf16);
        assert_eq!((one.now((4, 7)), one.now((8, 11))), (None, Some((9, 12))));
        one.begin();
        one.change(None, "xyzaa\nbb\n!\nccc\n", Encoding::Utf16);
        one.adopt(None);
        assert_eq!((one.now((9, 12)), one.now((6, 8))), (Some((11, 14)), Some((6, 8))));
        assert!(one.is_changed());
    }

    #[test]
    fn places_of_a_run_that_read_the_file_are_found_in_the_text() {
        let mut one = document("new\naaa\nbbb\n");
        one.follow(Some("aaa\nbbb\n"));
        assert_eq!((one.now((0, 3)), one.then(9)), (Some((4, 7)), Some(5)));
        one.change(Some(Range { start: at(2, 0), end: at(2, 0) }), "!", Encoding::Utf16);
        one.adopt(Some("aaa\nbbb\n"));
        assert_eq!((one.now((0, 3)), one.now((4, 7))), (None, Some((9, 12))));
        one.adopt(Some("new\naaa\n!bbb\n"));
        assert!(!one.is_changed());
    }

    #[test]
    fn what_is_replaced_by_itself_stays() {
        let mut one = document("aaa\nbbb\n");
        one.change(Some(Range { start: at(0, 0), end: at(1, 3) }), "aaa\nnew\nbbb", Encoding::Utf16);
        assert_eq!(one.now((4, 7)), Some((8, 11)));
    }

    #[test]
    fn a_range_that_is_none_changes_what_it_can() {
        let mut one = document("ab\u{1F600}c");
        one.change(Some(Range { start: at(5, 0), end: at(0, 1) }), "!", Encoding::Utf16);
        assert_eq!(one.source.text(), "a!");
        one.change(Some(Range { start: at(0, 3), end: at(0, 3) }), "?", Encoding::Utf8);
        assert_eq!(one.source.text(), "a!?");
    }

    #[test]
    fn of_many_changes_what_lies_around_them_is_known() {
        let mut one = document("aaa\nbbb\nccc\n");
        let put = |one: &mut Document, line, count| {
            let here = at(line, 1);
            (0..count).for_each(|_| one.change(Some(Range { start: here, end: here }), "x", Encoding::Utf16));
        };
        put(&mut one, 1, 600);
        one.begin();
        put(&mut one, 0, 401);
        assert!(one.edits.len() <= 2);
        assert_eq!(
            (one.now((8, 11)), one.now((4, 7)), one.now((0, 1))),
            (Some((1009, 1012)), None, Some((0, 1)))
        );
        one.adopt(None);
        assert_eq!((one.now((4, 7)), one.then(1009)), (Some((405, 408)), Some(608)));
        let edits = [Edit { start: 4, end: 6, length: 1 }, Edit { start: 2, end: 8, length: 3 }];
        assert_eq!(joined(&edits), Some(Edit { start: 2, end: 9, length: 3 }));
        assert_eq!(joined(&[edits[1], edits[0]]), Some(Edit { start: 2, end: 9, length: 3 }));
    }
}

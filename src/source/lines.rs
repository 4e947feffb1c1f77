//! Offsets to lines and columns, by a table built once per file.

use memchr::{memchr_iter, memrchr};
use std::{iter, sync::OnceLock};

/// A place in a text as people and editors count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units, as editors count.
    pub column: u32,
    /// From 0, in bytes.
    pub offset: u32,
}

/// The bytes between two counts of lines.
const BLOCK: usize = 4096;

/// How many lines end in front of each block of a text: to count them is cheaper than to note down where each starts.
#[derive(Debug)]
pub struct LineTable {
    before: Vec<u32>,
    /// How many UTF-16 units stand in front of each block: a line may be as long as its file, and hold thousands of places.
    units: OnceLock<Vec<u32>>,
}

impl LineTable {
    /// Reads the text once.
    pub fn new(text: &str) -> Self {
        let mut count = 0;
        let blocks = text.as_bytes().chunks(BLOCK);
        let counts = blocks.map(|block| {
            count += breaks(block);
            count
        });
        Self { before: iter::once(0).chain(counts).collect(), units: OnceLock::new() }
    }

    /// The position of a byte offset of the text from which the table was built.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = offset.min(text.len() as u32);
        let head = text.as_bytes().get(..offset as usize).unwrap_or(&[]);
        let block = head.len() / BLOCK;
        let before = self.before.get(block).copied().unwrap_or(0);
        let line = 1 + before + breaks(head.get(block * BLOCK..).unwrap_or(&[]));
        let near = block.saturating_sub(1) * BLOCK;
        let column = if let Some(end) = memrchr(b'\n', head.get(near..).unwrap_or(&[])) {
            units(head.get(near + end + 1..).unwrap_or(&[]))
        } else {
            let start = self.start(text, line).unwrap_or(0);
            self.units(text, head.len()).saturating_sub(self.units(text, start))
        };
        Position { line, column: column + 1, offset }
    }

    /// The byte range of a line, counted from 1, without its line break.
    pub fn line(&self, text: &str, line: u32) -> (u32, u32) {
        let Some(start) = self.start(text, line) else { return (text.len() as u32, text.len() as u32) };
        let rest = text.get(start..).unwrap_or("");
        let body = rest.split_once('\n').map_or(rest, |(body, _)| body);
        (start as u32, (start + body.trim_end_matches('\r').len()) as u32)
    }

    /// The UTF-16 units in front of a byte.
    fn units(&self, text: &str, at: usize) -> u32 {
        let blocks = self.units.get_or_init(|| {
            let mut count = 0;
            let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
                count += units(block);
                count
            });
            iter::once(0).chain(blocks).collect()
        });
        let block = at / BLOCK;
        let rest = text.as_bytes().get(block * BLOCK..at).unwrap_or(&[]);
        blocks.get(block).copied().unwrap_or(0) + units(rest)
    }

    /// Where a line starts.
    fn start(&self, text: &str, line: u32) -> Option<usize> {
        let earlier = line.checked_sub(2);
        let Some(earlier) = earlier else { return (line == 1).then_some(0) };
        let block = self.before.partition_point(|&before| before <= earlier).checked_sub(1)?;
        let skipped = earlier - self.before.get(block)?;
        let from = block * BLOCK;
        let end = memchr_iter(b'\n', text.as_bytes().get(from..)?).nth(skipped as usize)?;
        Some(from + end + 1)
    }
}

/// What differs of two texts: the bytes in front that both have, and where in each the end begins that both have.
pub fn difference(old: &str, new: &str) -> (usize, usize, usize) {
    let same = |(a, b): &(u8, u8)| a == b;
    let front = old.bytes().zip(new.bytes()).take_while(same).count();
    let most = old.len().min(new.len()) - front;
    let back = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
    (front, old.len() - back, new.len() - back)
}

/// UTF-16 units that begin among these bytes: letters of four bytes are two.
fn units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(byte & 0xc0 != 0x80) + u32::from(*byte >= 0xf0)).sum()
}

fn breaks(bytes: &[u8]) -> u32 {
    memchr_iter(b'\n', bytes).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_lies_between_what_does_not() {
        assert_eq!(difference("one two three", "one twenty three"), (6, 7, 10));
        assert_eq!(difference("aa", "aaa"), (2, 2, 3));
        assert_eq!(difference("same", "same"), (4, 4, 4));
    }

    #[test]
    fn columns_count_utf16_units() {
        let text = "a\n\u{1F600}é x\r\nend";
        let table = LineTable::new(text);
        let x = text.find('x').unwrap() as u32;
        assert_eq!(table.position(text, x), Position { line: 2, column: 5, offset: x });
        assert_eq!(table.line(text, 2), (2, 10));
        assert_eq!(table.position(text, 999).line, 3);
        assert_eq!(table.line(text, 9), (text.len() as u32, text.len() as u32));
    }

    #[test]
    fn lines_are_found_across_blocks() {
        let numbers: Vec<String> = (0..3000).map(|number| number.to_string()).collect();
        let text = numbers.join("\n") + "\n";
        let table = LineTable::new(&text);
        let mut start = 0;
        for (number, line) in (0_u32..).zip(text.split('\n')) {
            let place = Position { line: number + 1, column: 1, offset: start };
            assert_eq!(table.position(&text, start), place);
            assert_eq!(table.line(&text, number + 1), (start, start + line.len() as u32));
            start += line.len() as u32 + 1;
        }
        assert_eq!(table.line(&text, 3002), (text.len() as u32, text.len() as u32));
        assert_eq!(table.line(&text, 0), (text.len() as u32, text.len() as u32));
        let full = "\n".repeat(BLOCK);
        let table = LineTable::new(&full);
        assert_eq!(table.position(&full, BLOCK as u32).line, BLOCK as u32 + 1);
        assert_eq!(table.line(&full, BLOCK as u32 + 1), (BLOCK as u32, BLOCK as u32));
        assert_eq!(LineTable::new("").position("", 0), Position { line: 1, column: 1, offset: 0 });
        assert_eq!(LineTable::new("").line("", 1), (0, 0));
    }

    #[test]
    fn an_offset_is_the_line_and_column_that_counting_gives() {
        let letters = ["a", "ä", "\u{20ac}", "\u{1F600}"];
        for length in [3, 700, 5_000, 30_000] {
            let mut text = String::new();
            let mut state = 7_u32;
            while text.len() < 90_000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 16) as usize;
                text += if at.is_multiple_of(length) { "\n" } else { letters.get(at % 4).unwrap() };
            }
            let table = LineTable::new(&text);
            for (at, _) in text.char_indices().step_by(61) {
                let (line, before) = text.get(..at).unwrap().split('\n').enumerate().last().unwrap();
                let place = Position {
                    line: line as u32 + 1,
                    column: before.encode_utf16().count() as u32 + 1,
                    offset: at as u32,
                };
                assert_eq!(table.position(&text, at as u32), place);
                let (start, end) = table.line(&text, place.line);
                assert!((start as usize..=end as usize + 1).contains(&at), "{at} in {start}..{end}");
            }
        }
    }
}

//! Offsets to lines and columns, by a table built once per file.

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

/// The offsets at which the lines of a text start.
#[derive(Debug)]
pub struct LineTable {
    starts: Vec<u32>,
}

impl LineTable {
    /// Reads the text once.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|offset| offset as u32 + 1));
        Self { starts }
    }

    /// The position of a byte offset of the text from which the table was built.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = offset.min(text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = text.get(start as usize..offset as usize).unwrap_or("");
        let column = before.chars().map(|character| character.len_utf16() as u32).sum::<u32>() + 1;
        Position { line: line as u32, column, offset }
    }

    /// The byte range of a line, counted from 1, without its line break.
    pub fn line(&self, text: &str, line: u32) -> (u32, u32) {
        let end = text.len() as u32;
        let Some(&start) = line.checked_sub(1).and_then(|index| self.starts.get(index as usize)) else {
            return (end, end);
        };
        let next = self.starts.get(line as usize).map_or(end, |&next| next - 1);
        let body = text.get(start as usize..next as usize).unwrap_or("");
        (start, start + body.trim_end_matches('\r').len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

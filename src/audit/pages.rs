//! What stands in one page of a B-tree: its cells, its children, what of it is used. Pure: takes any bytes, and gives
//! `None` where they are no such page. Knows no value of a row.

use crate::schema::file::word;

/// A page of a B-tree.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    bytes: &'a [u8],
    /// Where its header begins: 100 on the first page of a file.
    start: usize,
    usable: usize,
    kind: Kind,
    cells: usize,
}

/// What a page of a B-tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys and children, of a table.
    TableInterior,
    /// Rows.
    TableLeaf,
    /// Entries and children, of an index.
    IndexInterior,
    /// Entries.
    IndexLeaf,
}

impl Kind {
    /// Whether it has no children.
    pub const fn is_leaf(self) -> bool {
        matches!(self, Self::TableLeaf | Self::IndexLeaf)
    }

    /// Whether it is of a table with rowids.
    pub const fn is_table(self) -> bool {
        matches!(self, Self::TableInterior | Self::TableLeaf)
    }
}

/// What the cells of a page hold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Content {
    /// Rows or entries.
    pub rows: u64,
    /// Their bytes, also those on pages of their own.
    pub payload: u64,
    /// The pages of what does not fit.
    pub overflow: u64,
    /// Bytes of the page that are used.
    pub used: u64,
}

impl<'a> Page<'a> {
    /// Reads the header of a page.
    pub fn read(bytes: &'a [u8], number: u32, usable: u32) -> Option<Self> {
        let start = if number == 1 { 100 } else { 0 };
        let usable = usable as usize;
        let kind = match bytes.get(start)? {
            2 => Kind::IndexInterior,
            5 => Kind::TableInterior,
            10 => Kind::IndexLeaf,
            13 => Kind::TableLeaf,
            _ => return None,
        };
        let page = Self { bytes, start, usable, kind, cells: half(bytes, start + 3)? };
        let is_whole = usable >= 480 && usable <= bytes.len() && page.pointers() + 2 * page.cells <= usable;
        is_whole.then_some(page)
    }

    /// What kind of page it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Where the pointers to its cells begin.
    const fn pointers(&self) -> usize {
        self.start + if self.kind.is_leaf() { 8 } else { 12 }
    }

    fn cell(&self, number: usize) -> Option<usize> {
        let at = half(self.bytes, self.pointers() + 2 * number)?;
        (at >= self.pointers() + 2 * self.cells && at < self.usable).then_some(at)
    }

    /// The pages below, in order; `None` where one can't be told.
    pub fn children(&self) -> Option<Vec<u32>> {
        if self.kind.is_leaf() {
            return Some(Vec::new());
        }
        let mut children = (0..self.cells)
            .map(|number| word(self.bytes, self.cell(number)?))
            .collect::<Option<Vec<u32>>>()?;
        children.push(word(self.bytes, self.start + 8)?);
        Some(children)
    }

    /// What its cells hold; `None` where that makes no sense.
    pub fn content(&self) -> Option<Content> {
        let mut content = Content { used: (self.usable - self.free()?) as u64, ..Content::default() };
        if self.kind == Kind::TableInterior {
            return Some(content);
        }
        for number in 0..self.cells {
            let at = self.cell(number)? + if self.kind.is_leaf() { 0 } else { 4 };
            let (payload, _) = varint(self.bytes.get(at..self.usable)?)?;
            // No row is longer, as SQLite is built everywhere.
            let payload = usize::try_from(payload).ok().filter(|bytes| *bytes <= 0x7fff_ffff)?;
            let outside = payload - self.local(payload);
            content.rows += 1;
            content.payload += payload as u64;
            content.overflow += outside.div_ceil(self.usable - 4) as u64;
        }
        Some(content)
    }

    /// How many cells it has.
    pub const fn cells(&self) -> usize {
        self.cells
    }

    /// The rowid of a cell, in a table that has them, and what of its record stands on the page.
    pub fn record(&self, number: usize) -> Option<(Option<i64>, &'a [u8])> {
        let mut at = self.cell(number)? + if self.kind.is_leaf() { 0 } else { 4 };
        let (payload, length) = varint(self.bytes.get(at..self.usable)?)?;
        at += length;
        let rowid = if self.kind == Kind::TableLeaf {
            let (rowid, length) = varint(self.bytes.get(at..self.usable)?)?;
            at += length;
            Some(rowid as i64)
        } else {
            None
        };
        let local = self.local(usize::try_from(payload).ok().filter(|bytes| *bytes <= 0x7fff_ffff)?);
        Some((rowid, self.bytes.get(at..(at + local).min(self.usable))?))
    }

    /// The bytes of a payload that stand on the page itself.
    fn local(&self, payload: usize) -> usize {
        let most = if self.kind.is_table() { self.usable - 35 } else { (self.usable - 12) * 64 / 255 - 23 };
        if payload <= most {
            return payload;
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let rest = least + (payload - least) % (self.usable - 4);
        if rest <= most { rest } else { least }
    }

    /// Its free bytes: between pointers and cells, in free blocks, and fragments too small for one.
    fn free(&self) -> Option<usize> {
        let content = match half(self.bytes, self.start + 5)? {
            0 => 65_536,
            at => at,
        };
        let mut free = content.checked_sub(self.pointers() + 2 * self.cells)?;
        free += usize::from(*self.bytes.get(self.start + 7)?);
        let mut block = half(self.bytes, self.start + 1)?;
        while block > 0 {
            let (next, size) = (half(self.bytes, block)?, half(self.bytes, block + 2)?);
            free += size;
            // They stand in order, so that this ends.
            if next > 0 && next <= block {
                return None;
            }
            block = next;
        }
        (free <= self.usable).then_some(free)
    }
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

/// A number of SQLite's, and how many bytes it takes.
pub fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().take(9).enumerate() {
        if at == 8 {
            return Some((value << 8 | u64::from(*byte), 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests;

//! Which pages of a database have a newer content in its WAL: the frames up to the last commit, told by their checksums as
//! SQLite tells them. Knows no transaction: who reads holds one, so that the WAL keeps what it has.

use super::header::word;
use std::collections::HashMap;

/// Bytes of the header of a WAL, and of a frame.
const HEAD: usize = 32;
/// Bytes of the header of a frame.
pub(super) const FRAME: usize = 24;
/// A WAL of more bytes is not read: what is said is then of the file beside it.
pub(super) const MOST: u64 = 1 << 30;

/// The frames of a WAL that are committed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Frames {
    /// Where the newest content of a page stands.
    places: HashMap<u32, u64>,
    /// The first eight bytes of the salts that all its frames have.
    salts: [u8; 8],
    /// The pages of the database, by the last commit; `None` where nothing is committed in it.
    pub pages: Option<u32>,
}

/// Reads a WAL piece by piece.
pub(super) struct Reader {
    frames: Frames,
    pending: Vec<(u32, u64)>,
    sum: (u32, u32),
    is_big: bool,
    page_size: usize,
    at: u64,
}

impl Reader {
    /// Begins with the header; `None` where it is none of a WAL for such pages.
    pub fn begin(head: &[u8], page_size: u32) -> Option<Self> {
        let magic = word(head, 0)?;
        let is_big = match magic {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return None,
        };
        let sum = checksum((0, 0), head.get(..24)?, is_big);
        let is_own = word(head, 8)? == page_size && (word(head, 24)?, word(head, 28)?) == sum;
        let salts = head.get(16..24)?.try_into().ok()?;
        is_own.then(|| Self {
            frames: Frames { salts, ..Frames::default() },
            pending: Vec::new(),
            sum,
            is_big,
            page_size: page_size as usize,
            at: HEAD as u64,
        })
    }

    /// Bytes of a frame with its page.
    pub const fn frame_bytes(&self) -> usize {
        FRAME + self.page_size
    }

    /// Where the next frame begins.
    pub const fn next(&self) -> u64 {
        self.at
    }

    /// Takes the next frame; false where it is none, and all behind it is old.
    pub fn take(&mut self, frame: &[u8]) -> bool {
        self.try_take(frame).is_some()
    }

    fn try_take(&mut self, frame: &[u8]) -> Option<()> {
        let page = word(frame, 0).filter(|page| *page > 0)?;
        let committed = word(frame, 4)?;
        (frame.get(8..16)? == self.frames.salts.as_slice()).then_some(())?;
        let sum = checksum(self.sum, frame.get(..8)?, self.is_big);
        let sum = checksum(sum, frame.get(FRAME..self.frame_bytes())?, self.is_big);
        ((word(frame, 16)?, word(frame, 20)?) == sum).then_some(())?;
        self.sum = sum;
        self.pending.push((page, self.at));
        self.at += self.frame_bytes() as u64;
        if committed > 0 {
            self.frames.places.extend(self.pending.drain(..));
            self.frames.pages = Some(committed);
        }
        Some(())
    }

    /// What is committed.
    pub fn finish(self) -> Frames {
        self.frames
    }
}

impl Frames {
    /// How many pages have one.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Where the frame of a page begins, if it has one.
    pub fn place(&self, page: u32) -> Option<u64> {
        self.places.get(&page).copied()
    }

    /// Whether a frame is still the one that was there: once all is in the database, a WAL begins anew.
    pub fn is_own(&self, page: u32, frame: &[u8]) -> bool {
        word(frame, 0) == Some(page) && frame.get(8..16) == Some(self.salts.as_slice())
    }
}

/// SQLite's checksum of a WAL, on from what came before.
fn checksum((mut one, mut two): (u32, u32), bytes: &[u8], is_big: bool) -> (u32, u32) {
    let mut words = bytes.chunks_exact(4).map(|four| {
        let four = four.try_into().unwrap_or([0; 4]);
        if is_big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
    });
    while let (Some(first), Some(second)) = (words.next(), words.next()) {
        one = one.wrapping_add(first).wrapping_add(two);
        two = two.wrapping_add(second).wrapping_add(one);
    }
    (one, two)
}

//! Text put together from pieces of source files, with an exact map back to where each byte stands.
//! Knows nothing of how it was put together, and nothing of SQL.

mod lists;
mod picks;
mod pieces;

use crate::source::{Site, SourceId};
pub use lists::{MORE, opening};
use picks::Pick;
pub use pieces::{Choice, Pieces, Wanted};

/// The byte that stands in a text where a value is not known.
pub const HOLE: char = '\u{1}';

/// From `at` on, the text comes from `offset` of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    at: u32,
    source: SourceId,
    offset: u32,
    /// Whether the bytes of text and source agree one by one; else all of the segment stands at `offset`.
    exact: bool,
}

/// A place in a text where a value is not known before the program runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// The offset of its [`HOLE`] in the text.
    pub at: u32,
    /// What the source calls the value; empty where it has no name.
    pub name: String,
    /// Whether it is a list put together with a separator, such as `",".join(…)`.
    pub list: bool,
    /// Whether the text goes on there with what is not known, so that without it it is not whole.
    pub needed: bool,
    /// Whether a call makes it, or a caller elsewhere hands it over, so that it is seldom nothing.
    pub is_made: bool,
    /// Whether one value stands there, and nothing else, for the source puts it between quotes.
    pub is_value: bool,
}

/// A text with its map and its holes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    content: String,
    segments: Vec<Segment>,
    holes: Vec<Hole>,
    /// The choices by which pieces of it are put on only sometimes.
    choices: Vec<Choice>,
    /// Whether of such pieces it has those of one choice alone, which the conditions of the code may never leave.
    alone: bool,
    /// Whether a caller of the function around hands over a piece of it.
    handed: bool,
    /// Whether more may stand among its pieces than is known.
    open: bool,
    /// What it has of values of several parts.
    picks: Vec<Pick>,
}

impl Text {
    /// A text that stands in a source as it is.
    pub fn exact(text: &str, source: SourceId, offset: u32) -> Self {
        let mut one = Self::default();
        one.push(text, source, offset);
        one
    }

    /// The text; a [`HOLE`] where a value is not known.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// The holes, in order.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// Appends text whose bytes stand one by one in a source.
    pub fn push(&mut self, text: &str, source: SourceId, offset: u32) {
        self.segment(source, offset, true);
        self.content.push_str(text);
    }

    /// Appends text that stands for something else at that offset, such as an escape.
    pub fn push_at(&mut self, text: &str, source: SourceId, offset: u32) {
        self.segment(source, offset, false);
        self.content.push_str(text);
    }

    /// Appends a hole.
    pub fn push_hole(&mut self, name: impl Into<String>, list: bool, source: SourceId, offset: u32) {
        self.segment(source, offset, false);
        let at = self.content.len() as u32;
        self.holes.push(Hole { at, name: name.into(), list, needed: false, is_made: false, is_value: false });
        self.content.push(HOLE);
    }

    /// Appends another text.
    pub fn append(&mut self, other: &Self) {
        let shift = self.content.len() as u32;
        self.segments
            .extend(other.segments.iter().map(|segment| Segment { at: segment.at + shift, ..*segment }));
        self.holes.extend(other.holes.iter().map(|hole| Hole { at: hole.at + shift, ..hole.clone() }));
        self.content.push_str(&other.content);
        self.take_notes(other);
    }

    /// Takes what is noted of another text for this one, too.
    pub fn take_notes(&mut self, other: &Self) {
        for &choice in &other.choices {
            self.mark_optional(choice);
        }
        self.alone |= other.alone;
        self.handed |= other.handed;
        self.open |= other.open;
        self.take_picks(other);
    }

    /// Appends a sign that stands in no source.
    pub fn push_mark(&mut self, mark: char) {
        self.content.push(mark);
    }

    /// Takes note that pieces of it are put on only sometimes, by this choice.
    pub fn mark_optional(&mut self, choice: Choice) {
        if !self.choices.contains(&choice) {
            self.choices.push(choice);
        }
    }

    /// Takes note that it has the pieces of one such choice alone.
    pub fn mark_alone(&mut self) {
        self.alone = true;
    }

    /// Whether it has the pieces of one choice alone.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Takes note that a caller hands over a piece of it.
    pub fn mark_handed(&mut self) {
        self.handed = true;
    }

    /// Whether a caller hands over a piece of it.
    pub fn is_handed(&self) -> bool {
        self.handed
    }

    /// Takes note that more may stand among its pieces than is known: what a loop puts there, or what was there before.
    pub fn mark_open(&mut self) {
        self.open = true;
    }

    /// Whether more may stand in a range of it than is known.
    pub fn is_open(&self, start: usize, end: usize) -> bool {
        let Some(length) = end.checked_sub(start).filter(|&length| self.open && length > 0) else {
            return false;
        };
        let is_one_piece = match (self.locate(start as u32), self.locate(end as u32 - 1)) {
            (Some((one, from)), Some((other, to))) => one == other && from + length as u32 - 1 == to,
            _ => false,
        };
        !is_one_piece
    }

    /// Whether pieces of it are put on only sometimes.
    pub fn is_optional(&self) -> bool {
        !self.choices.is_empty()
    }

    /// The choices by which that is so.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Takes note that it is not whole without what stands in its holes.
    pub fn mark_needed(&mut self) {
        self.holes.iter_mut().for_each(|hole| hole.needed = true);
    }

    /// Takes note that a call makes what stands in its holes, or a caller elsewhere hands it over.
    pub fn mark_made(&mut self) {
        self.holes.iter_mut().for_each(|hole| hole.is_made = true);
    }

    /// Whether a hole has this name.
    pub fn has_hole(&self, name: &str) -> bool {
        self.holes.iter().any(|hole| hole.name == name)
    }

    /// The text with another in the place of each hole of a name.
    #[must_use]
    pub fn put_in(&self, name: &str, value: &Self) -> Self {
        let mut all = Self::default();
        let mut from = 0;
        for hole in self.holes.iter().filter(|hole| hole.name == name) {
            all.append(&self.part(from, hole.at as usize));
            all.append(value);
            from = hole.at as usize + HOLE.len_utf8();
        }
        all.append(&self.part(from, self.content.len()));
        all
    }

    /// The text with another in the place of each part that reads so.
    #[must_use]
    pub fn replace(&self, part: &str, value: &Self) -> Self {
        let mut all = Self::default();
        let mut from = 0;
        for (at, _) in self.content.match_indices(part) {
            all.append(&self.part(from, at));
            all.append(value);
            from = at + part.len();
        }
        all.append(&self.part(from, self.content.len()));
        all
    }

    /// The text with another in the place of each mark, the first mark left out.
    #[must_use]
    pub fn split_by(&self, mark: char, separator: &Self) -> Self {
        let mut all = Self::default();
        let mut from = 0;
        for (at, _) in self.content.match_indices(mark) {
            all.append(&self.part(from, at));
            if from > 0 {
                all.append(separator);
            }
            from = at + mark.len_utf8();
        }
        all.append(&self.part(from, self.content.len()));
        all
    }

    /// The text without what stands in front of a `|` in each line, where that is white space, and without the `|`.
    #[must_use]
    pub fn without_margin(&self) -> Self {
        let mut all = Self::default();
        let mut at = 0;
        for line in self.content.split_inclusive('\n') {
            let bare = line.trim_start().strip_prefix('|').unwrap_or(line);
            all.append(&self.part(at + line.len() - bare.len(), at + line.len()));
            at += line.len();
        }
        all
    }

    /// The text with a sign between lines that are not empty: in front of the later one, as the earlier may end in a comment.
    #[must_use]
    pub fn parting_lines(&self, sign: char) -> Self {
        let mut all = Self::default();
        let mut at = 0;
        for line in self.content.split_inclusive('\n') {
            if !line.trim().is_empty() && !all.content.trim().is_empty() {
                all.push_mark(sign);
            }
            all.append(&self.part(at, at + line.len()));
            at += line.len();
        }
        all
    }

    /// The part between two offsets of the text.
    #[must_use]
    pub fn part(&self, start: usize, end: usize) -> Self {
        let mut part = Self::default();
        let first = self.segments.partition_point(|segment| segment.at as usize <= start).saturating_sub(1);
        let own = self.segments.iter().enumerate().skip(first);
        for (index, segment) in own.take_while(|(_, segment)| (segment.at as usize) < end) {
            let until = self.segments.get(index + 1).map_or(self.content.len(), |next| next.at as usize);
            let (from, to) = (start.max(segment.at as usize), end.min(until));
            if from >= to {
                continue;
            }
            let shift = if segment.exact { from as u32 - segment.at } else { 0 };
            part.segments.push(Segment {
                at: (from - start) as u32,
                offset: segment.offset + shift,
                ..*segment
            });
        }
        part.content.push_str(self.content.get(start..end).unwrap_or(""));
        part.take_notes(self);
        let first = self.holes.partition_point(|hole| (hole.at as usize) < start);
        let inside = self.holes.iter().skip(first).take_while(|hole| (hole.at as usize) < end);
        part.holes.extend(inside.map(|hole| Hole { at: hole.at - start as u32, ..hole.clone() }));
        part
    }

    /// Says that one value stands in the last hole, unless it is a list.
    pub fn mark_value(&mut self) {
        if let Some(hole) = self.holes.last_mut() {
            hole.is_value = !hole.list;
        }
    }

    /// The text with its holes filled, one value for each; a hole without a value becomes empty.
    #[must_use]
    pub fn fill(&self, values: &[&str]) -> Self {
        let mut filled = Self::default();
        let mut from = 0;
        for (hole, value) in self.holes.iter().zip(values.iter().copied().chain(std::iter::repeat(""))) {
            filled.append(&self.part(from, hole.at as usize));
            if let Some((source, offset)) = self.locate(hole.at) {
                filled.push_at(value, source, offset);
            }
            from = hole.at as usize + 1;
        }
        filled.append(&self.part(from, self.content.len()));
        filled
    }

    /// Where a byte of the text stands.
    pub fn locate(&self, at: u32) -> Option<(SourceId, u32)> {
        let after = self.segments.partition_point(|segment| segment.at <= at);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        let shift = if segment.exact { at - segment.at } else { 0 };
        Some((segment.source, segment.offset + shift))
    }

    /// Where its pieces stand.
    pub fn origins(&self) -> impl Iterator<Item = (SourceId, u32)> {
        self.segments.iter().map(|segment| (segment.source, segment.offset))
    }

    /// The site of a range of the text: where its first byte stands, and as far as it stays in that source.
    pub fn site(&self, start: u32, end: u32) -> Option<Site> {
        let (source, from) = self.locate(start)?;
        let mut site = Site { source, start: from, end: from + 1 };
        let last = end.max(start + 1) - 1;
        // The last byte that stands in the same source, behind the first.
        let all = self.segments.iter().take_while(|segment| segment.at <= last);
        for segment in all.filter(|segment| segment.source == source) {
            // An empty one may stand at the same place.
            let next = self.segments.partition_point(|other| other.at <= segment.at);
            let until = self.segments.get(next).map_or(last, |next| (next.at - 1).min(last));
            if until < start {
                continue;
            }
            let shift = if segment.exact { until - segment.at } else { 0 };
            site.end = site.end.max(segment.offset + shift + 1);
        }
        Some(site)
    }

    fn segment(&mut self, source: SourceId, offset: u32, exact: bool) {
        let at = self.content.len() as u32;
        // An empty segment says nothing.
        if self.segments.last().is_some_and(|last| last.at == at) {
            self.segments.pop();
        }
        let follows = self.segments.last().is_some_and(|last| {
            last.exact && exact && last.source == source && last.offset + (at - last.at) == offset
        });
        if !follows {
            self.segments.push(Segment { at, source, offset, exact });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_knows_where_it_stands() {
        let (a, b) = (SourceId(0), SourceId(1));
        let mut text = Text::exact("SELECT ", a, 10);
        text.push_at("\n", a, 17);
        text.push("x FROM ", a, 19);
        text.push_hole("table", false, a, 26);
        text.append(&Text::exact(" LIMIT 1", b, 5));
        assert_eq!(text.as_str(), "SELECT \nx FROM \u{1} LIMIT 1");
        assert_eq!(text.locate(0), Some((a, 10)));
        assert_eq!(text.locate(7), Some((a, 17)));
        assert_eq!(text.locate(8), Some((a, 19)));
        assert_eq!(text.locate(16), Some((b, 5)));
        let filled = text.fill(&["blocks"]);
        assert_eq!(filled.as_str(), "SELECT \nx FROM blocks LIMIT 1");
        assert_eq!(filled.locate(17), Some((a, 26)));
        assert_eq!(filled.locate(22), Some((b, 6)));
        assert_eq!(filled.site(0, 10), Some(Site { source: a, start: 10, end: 21 }));
        assert_eq!(filled.part(8, 12).as_str(), "x FR");
        assert_eq!(filled.part(8, 12).locate(2), Some((a, 21)));
    }
}

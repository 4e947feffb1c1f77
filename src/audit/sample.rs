//! A few rows of a B-tree at even distances, the first and the last among them, for what grows with the rows. Of each, only
//! numbers and times are kept, and they never leave the program. Knows no column.

use super::{
    estimate::Pages,
    pages::{Page, varint},
};
use std::collections::HashMap;
use std::ops::Range;

/// So many rows are looked at.
pub const PLACES: usize = 9;
/// As many nodes of one level tell well enough which share of the rows stands before a place.
const NODES: usize = 16;
/// So many rows beside each say how long fields are.
const BESIDE: usize = 16;
/// No B-tree of SQLite is deeper.
const DEEPEST: u32 = 20;
/// A text is no longer that is a time.
const LONGEST: usize = 40;

/// What may tell how far a row is from another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A time in a text, in seconds since 1970.
    Time(f64),
}

/// A row at a place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// The share of the rows that stand before it, from 0 to 1.
    pub at: f64,
    /// Its rowid.
    pub rowid: Option<i64>,
    /// Its fields, in the order in which they are stored; `None` where it is neither a number nor a time.
    pub fields: Vec<Option<Value>>,
    /// Bytes of each field, on average of some rows beside it.
    pub widths: Vec<f64>,
}

/// The rows at even distances; none where a page can't be read.
pub fn rows(pages: &mut dyn Pages, root: u32) -> Vec<Row> {
    rows_of(&mut Once { pages, seen: HashMap::new() }, root).unwrap_or_default()
}

/// Each page once: ways down share the upper ones.
struct Once<'a> {
    pages: &'a mut dyn Pages,
    seen: HashMap<u32, Option<Vec<u8>>>,
}

impl Pages for Once<'_> {
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        self.seen.entry(number).or_insert_with(|| self.pages.page(number)).clone()
    }

    fn usable(&self) -> u32 {
        self.pages.usable()
    }

    fn pause(&mut self) {
        self.pages.pause();
    }
}

fn rows_of(pages: &mut dyn Pages, root: u32) -> Option<Vec<Row>> {
    let mut nodes = vec![root];
    for _ in 0..DEEPEST {
        if nodes.len() >= NODES {
            break;
        }
        let mut below = Vec::new();
        for node in &nodes {
            below.extend(children(pages, *node)?);
        }
        if below.is_empty() {
            break;
        }
        nodes = below;
    }
    let steps = PLACES - 1;
    let mut ways = Vec::new();
    for step in 0..=steps {
        ways.push(descend(pages, &nodes, step as f64 / steps as f64)?);
        pages.pause();
    }
    // Where keys come in order pages are evenly full, and differ as the sizes of rows do. Elsewhere that is chance.
    let is_ordered = ways.iter().all(|way| way.row.rowid.is_some());
    let shares = shares(&ways.iter().map(|way| way.below).collect::<Vec<_>>(), nodes.len(), is_ordered);
    Some(ways.into_iter().zip(shares).map(|(way, at)| Row { at, ..way.row }).collect())
}

/// The share of the rows that stand before each of some places at even distances, by what stands below the nodes there.
fn shares(below: &[f64], nodes: usize, is_ordered: bool) -> Vec<f64> {
    let steps = below.len().saturating_sub(1).max(1) as f64;
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    for pair in below.windows(2) {
        let [one, next] = pair else { continue };
        let is_last = sums.len() == below.len() - 1;
        sum += match (is_ordered, is_last) {
            (false, _) => 1.0,
            (true, false) => f64::midpoint(*one, *next),
            // The last node alone is not full yet.
            (true, true) => (one - (one - next).max(0.0) * steps / nodes.max(1) as f64).max(0.0),
        };
        sums.push(sum);
    }
    sums.iter().map(|one| one / sum.max(f64::MIN_POSITIVE)).collect()
}

/// A way down to a row.
struct Way {
    row: Row,
    /// About so many rows stand below the node where it began.
    below: f64,
}

fn children(pages: &mut dyn Pages, number: u32) -> Option<Vec<u32>> {
    let usable = pages.usable();
    let bytes = pages.page(number)?;
    Page::read(&bytes, number, usable)?.children()
}

/// The row at a share of what stands below some nodes.
fn descend(pages: &mut dyn Pages, nodes: &[u32], at: f64) -> Option<Way> {
    let (mut nodes, mut at, mut below) = (nodes.to_vec(), at, 1.0);
    let usable = pages.usable();
    for _ in 0..DEEPEST {
        let place = at * nodes.len() as f64;
        let chosen = (place as usize).min(nodes.len().checked_sub(1)?);
        at = (place - chosen as f64).clamp(0.0, 1.0);
        let number = *nodes.get(chosen)?;
        let bytes = pages.page(number)?;
        let page = Page::read(&bytes, number, usable)?;
        nodes = page.children()?;
        if nodes.is_empty() {
            let last = page.cells().checked_sub(1)?;
            let (rowid, record) = page.record((at * last as f64).round() as usize)?;
            let row =
                Row { at: 0.0, rowid, fields: fields(record).unwrap_or_default(), widths: widths(&page) };
            return Some(Way { row, below: below * page.cells() as f64 });
        }
        below *= nodes.len() as f64;
    }
    None
}

/// Bytes of the fields of some rows of a page, on average. A field that is not stored takes none.
fn widths(page: &Page<'_>) -> Vec<f64> {
    let (mut sums, mut rows): (Vec<f64>, f64) = (Vec::new(), 0.0);
    for cell in (0..page.cells()).step_by((page.cells() / BESIDE).max(1)) {
        let Some(own) = page.record(cell).and_then(|(_, record)| sizes(record)) else { continue };
        sums.resize(sums.len().max(own.len()), 0.0);
        sums.iter_mut().zip(own).for_each(|(sum, size)| *sum += size as f64);
        rows += 1.0;
    }
    sums.iter().map(|sum| sum / rows).collect()
}

/// Bytes of the fields of a record, which need not stand on its page.
fn sizes(record: &[u8]) -> Option<Vec<usize>> {
    let (end, mut at) = varint(record)?;
    let end = usize::try_from(end).ok().filter(|end| *end <= record.len())?;
    let mut sizes = Vec::new();
    while at < end {
        let (kind, length) = varint(record.get(at..end)?)?;
        at += length;
        sizes.push(size(kind)?);
    }
    Some(sizes)
}

/// The numbers and times of a record, as far as it stands on its page.
fn fields(record: &[u8]) -> Option<Vec<Option<Value>>> {
    let (end, mut at) = varint(record)?;
    let end = usize::try_from(end).ok().filter(|end| *end <= record.len())?;
    let mut body = end;
    let mut fields = Vec::new();
    while at < end {
        let (kind, length) = varint(record.get(at..end)?)?;
        at += length;
        let size = size(kind)?;
        fields.push(value(record, kind, body..body.checked_add(size)?));
        body += size;
    }
    Some(fields)
}

/// The bytes of a field, by its serial type.
fn size(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 8 | 9 => 0,
        1..=4 => kind as usize,
        5 => 6,
        6 | 7 => 8,
        10 | 11 => return None,
        _ => usize::try_from((kind - 12) / 2).ok()?,
    })
}

fn value(record: &[u8], kind: u64, place: Range<usize>) -> Option<Value> {
    let bytes = record.get(place)?;
    match kind {
        1..=6 => {
            let start = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
            let number = bytes.iter().fold(start, |number: i64, byte| number << 8 | i64::from(*byte));
            Some(Value::Number(number as f64))
        }
        7 => Some(f64::from_be_bytes(bytes.try_into().ok()?)).filter(|it| it.is_finite()).map(Value::Number),
        8 => Some(Value::Number(0.0)),
        9 => Some(Value::Number(1.0)),
        13.. if kind % 2 == 1 && bytes.len() <= LONGEST => time(bytes).map(Value::Time),
        _ => None,
    }
}

/// A text that is a day or a time as ISO 8601 writes them, in seconds since 1970.
fn time(text: &[u8]) -> Option<f64> {
    let number = |range: Range<usize>| {
        let digits = text.get(range)?;
        let is_number = digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| digits.iter().fold(0_i64, |sum, digit| sum * 10 + i64::from(digit - b'0')))
    };
    let is = |at: usize, signs: &[u8]| text.get(at).is_some_and(|sign| signs.contains(sign));
    if !(is(4, b"-") && is(7, b"-")) {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = if text.len() == 10 {
        0
    } else {
        let is_time = is(10, b" T") && is(13, b":");
        let seconds = if is(16, b":") { number(17..19)? } else { 0 };
        is_time.then_some(number(11..13)? * 3600 + number(14..16)? * 60 + seconds)?
    };
    Some((days(year, month, day) * 86_400 + seconds) as f64)
}

/// Days from 1970-01-01 to a day of the calendar.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March, so that the day that some years have more is the last of it.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_other_texts_are_not() {
        for (text, seconds) in [
            ("1970-01-01", Some(0.0)),
            ("1970-01-02 00:00", Some(86_400.0)),
            ("2026-11-22T20:15:10Z", Some(1_795_378_510.0)),
            ("2024-02-29 23:59:59.123", Some(1_709_251_199.0)),
            ("2024-13-01", None),
            ("2024-1-01", None),
            ("1234567890", None),
            ("", None),
        ] {
            assert_eq!(time(text.as_bytes()), seconds, "{text}");
        }
    }

    #[test]
    fn numbers_of_a_record_are_read_and_its_texts_are_not() {
        // -2, 1, a text, a real, and a number that is cut off.
        let record = [6, 1, 9, 15, 7, 4, 254, b'x', 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 1];
        let read = fields(&record).unwrap();
        let number = |value| Some(Value::Number(value));
        assert_eq!(read, [number(-2.0), number(1.0), None, number(1.5), None]);
        for length in 0..record.len() {
            let _ = fields(&record[..length]);
        }
    }
}

//! What statements cost when the tables have grown: the pages that a call asks for now, at two and four times the size and in
//! a year, and when that passes a budget. Pages are those that SQLite asks its cache for, found there or not.
//!
//! A B-tree that is read whole grows with its rows; what is looked up costs the levels of its tree. A LIMIT, and a condition
//! on an outer loop, are not counted: it is what a call asks for at most.

use super::{Audited, Reading, TreeSize};

/// The sizes that are told, as many times that of today.
pub const SIZES: [f64; 3] = [1.0, 2.0, 4.0];
/// A year, in days.
const YEAR: f64 = 365.0;
/// Beyond so many days, or times the size, nobody plans.
const FAR: f64 = 20.0 * YEAR;
const LARGEST: f64 = 1000.0;
/// Bytes of an entry of an index that is not there yet.
const ENTRY: f64 = 40.0;
/// Bytes that a child takes on an inner page, beside its key.
const CHILD: f64 = 6.0;

/// How long a call may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Milliseconds of a call; `None` where nobody says.
    pub ms: Option<f64>,
    /// Milliseconds that a page takes.
    pub page_ms: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { ms: None, page_ms: 0.1 }
    }
}

/// What a statement asks for at one call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forecast {
    /// Pages at each of [`SIZES`].
    pub pages: [f64; 3],
    /// Pages in a year; `None` where a table has no trend.
    pub year: Option<f64>,
    /// When that passes the budget.
    pub passes: Passes,
    /// An outer loop is counted as if it found all its rows, and rows that are looked up as if they lay anywhere.
    pub is_most: bool,
}

/// When a statement passes its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Passes {
    /// There is none.
    #[default]
    Unasked,
    /// It has.
    Already,
    /// In so many days.
    Days(f64),
    /// At so many times the size of today: how fast that comes is not known.
    Size(f64),
    /// Not within twenty years, nor at a thousand times the size.
    Far,
}

/// What makes a statement cheaper.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cured {
    /// `declared`, an index that the program declares; or, as of a cure, `index`, `rewrite`, `analyze`, `indexed_by`, `drop_index`.
    pub kind: String,
    /// CREATE INDEX, or the statement in other words.
    pub sql: String,
    /// The plan with it.
    pub plan: Vec<String>,
    /// Whether the cost no longer grows with the table.
    pub is_constant: bool,
    /// Pages at each of [`SIZES`], for as many rows as one page has; `None` where that can't be told.
    pub pages: Option<[f64; 3]>,
}

/// What the readings of a statement cost; `None` where there are none, or one is repeated nobody knows how often.
pub(super) fn forecast(audited: &Audited, reads: &[Reading], budget: Budget) -> Option<Forecast> {
    let of = Of { audited, reads };
    let is_known = |(at, one): (usize, &Reading)| of.times(at, one, &|_| Some(1.0)).is_some();
    (!reads.is_empty() && reads.iter().enumerate().all(is_known)).then_some(())?;
    let at_size = |size: f64| of.pages(&|_| Some(size));
    let mut pages = [0.0; 3];
    for (one, size) in pages.iter_mut().zip(SIZES) {
        *one = at_size(size)?;
    }
    let in_days = |days: f64| of.pages(&|table| grown(audited, table, days));
    // Rows that are looked up one behind the other cost less.
    let is_most = reads.iter().any(|one| one.in_loop && !one.builds || one.looked_up > 0.0);
    Some(Forecast { pages, year: in_days(YEAR), passes: passes(budget, &at_size, &in_days), is_most })
}

/// As many times the rows of today a table has after some days.
fn grown(audited: &Audited, table: &str, days: f64) -> Option<f64> {
    let table = audited.table(table)?;
    Some(1.0 + table.trend.as_ref()?.per_day()? * days / table.rows()?.max(1.0))
}

fn passes(
    budget: Budget,
    at_size: &dyn Fn(f64) -> Option<f64>,
    in_days: &dyn Fn(f64) -> Option<f64>,
) -> Passes {
    let Some(ms) = budget.ms else { return Passes::Unasked };
    let is_over = |pages: Option<f64>| pages.is_some_and(|pages| pages * budget.page_ms > ms);
    if is_over(at_size(1.0)) {
        return Passes::Already;
    }
    if in_days(1.0).is_some() {
        return first(0.0, FAR, &|days| is_over(in_days(days))).map_or(Passes::Far, Passes::Days);
    }
    first(1.0, LARGEST, &|size| is_over(at_size(size))).map_or(Passes::Far, Passes::Size)
}

/// About the least number for which something holds that goes on to hold.
fn first(least: f64, most: f64, holds: &dyn Fn(f64) -> bool) -> Option<f64> {
    holds(most).then_some(())?;
    let (mut least, mut most) = (least, most);
    for _ in 0..40 {
        let middle = f64::midpoint(least, most);
        if holds(middle) { most = middle } else { least = middle }
    }
    Some(most)
}

struct Of<'a> {
    audited: &'a Audited,
    reads: &'a [Reading],
}

impl Of<'_> {
    /// The pages of a call, where each table has so many times its rows.
    fn pages(&self, size: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let mut all = 0.0;
        for (at, one) in self.reads.iter().enumerate() {
            all += self.once(one, size(&one.table)?) * self.times(at, one, size)?;
        }
        Some(all)
    }

    fn once(&self, one: &Reading, size: f64) -> f64 {
        let table = self.audited.table(&one.table).and_then(|table| table.size);
        let below = table.map_or(1.0, |table| levels(self.audited, &table, size) - 1.0).max(1.0);
        (one.walked + one.looked_up * below) * size
    }

    /// How often a step is run: once, or for each row of the one that is read around it.
    fn times(&self, at: usize, one: &Reading, size: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        if !one.in_loop || one.builds {
            return Some(1.0);
        }
        let outer = self.reads.iter().take(at).find(|outer| !outer.in_loop)?;
        Some(outer.rows * size(&outer.table)?)
    }
}

/// The levels of a B-tree of a table that has so many times its rows.
fn levels(audited: &Audited, size: &TreeSize, times: f64) -> f64 {
    let usable = f64::from(audited.header.usable());
    let level = |children: f64, times: f64| 1.0 + (size.pages.value * times).max(1.0).log(children).ceil();
    // A rowid takes seven bits in each byte.
    let rowid = ((size.rows.value * times).max(2.0).log2() / 7.0).ceil();
    let children = usable / (CHILD + rowid);
    let depth = f64::from(size.depth);
    // Where it is deeper than rowids make it, whole keys stand on its inner pages.
    let children =
        if level(children, 1.0) < depth { usable / (size.row_bytes + CHILD).max(CHILD) } else { children };
    level(children.max(2.0), times).max(depth)
}

impl Cured {
    /// Says what it costs, of a statement that reads this now.
    pub(super) fn priced(mut self, audited: &Audited, reads: &[Reading]) -> Self {
        let largest = reads.iter().max_by(|one, other| one.rows.total_cmp(&other.rows));
        let table = largest.and_then(|one| audited.table(&one.table)).and_then(|table| table.size);
        self.pages = table.filter(|_| self.is_constant).map(|table| {
            let entries = f64::from(audited.header.usable()) / ENTRY;
            SIZES.map(|size| {
                let index = 1.0 + (table.rows.value * size / entries).max(1.0).log(entries).ceil();
                index + levels(audited, &table, size)
            })
        });
        self
    }
}

//! How fast tables grow: by a column of times, or of heights, whose values rise with the rows. Names are hints; what the values
//! of a few rows say decides. Where they say nothing, nothing is said.

use super::{
    Audited, FileTable,
    sample::{PLACES, Row, Value},
};
use crate::schema::{Generated, Objects, Table, same};

/// How fast a table grows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trend {
    /// The column that tells.
    pub column: String,
    /// What it counts.
    pub unit: Unit,
    /// Rows that come in a day, or with each number of the column, as the newest quarter of them did.
    pub rate: f64,
    /// The same, as all of them did.
    pub over_all: f64,
    /// So many days, or numbers, that quarter took.
    pub span: f64,
    /// How fast the numbers of the column come; `None` of a column of times, and where no table tells.
    pub clock: Option<Clock>,
}

/// What a column counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit {
    /// Time.
    #[default]
    Days,
    /// What its name says.
    Numbers,
}

/// A table with a column of times beside such numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clock {
    /// The table.
    pub table: String,
    /// Its column of times.
    pub column: String,
    /// Numbers that come in a day.
    pub rate: f64,
}

impl Trend {
    /// Rows that come in a day; `None` where no time is known.
    pub fn per_day(&self) -> Option<f64> {
        match self.unit {
            Unit::Days => Some(self.rate),
            Unit::Numbers => self.clock.as_ref().map(|clock| clock.rate * self.rate),
        }
    }
}

const DAY: f64 = 86_400.0;
/// In fewer days, rows that were put in at once look like growth.
const DAYS: f64 = 3.0;
/// Of fewer rows nothing is told.
pub const FEW: f64 = 100.0;
/// Times go back by this share of all, since clocks differ.
const JITTER: f64 = 0.01;
/// Where one quarter of the rows came so many times faster than another, nothing tells how it goes on.
const UNSTEADY: f64 = 10.0;
/// Where so many of the rows in front are gone, rows are also deleted.
const GONE: f64 = 0.1;
/// As many places are a quarter of all.
const QUARTER: usize = (PLACES - 1) / 4;
/// The years 2000 to 2100, in seconds.
const YEARS: (f64, f64) = (946_684_800.0, 4_102_444_800.0);

/// Parts of names of columns that hold the time when a row came.
const TIMES: [&str; 7] = ["time", "date", "created", "inserted", "added", "stamp", "_at"];
/// And of those that change, or lie ahead: an index by them is not in the order in which rows came.
const LATER: [&str; 9] = ["update", "modif", "access", "seen", "expir", "due", "last", "until", "next"];
/// And of those that count.
const COUNTS: [&str; 9] = ["height", "block", "slot", "round", "epoch", "ledger", "seq", "number", "version"];

fn is_any(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    words.iter().any(|word| name.contains(word))
}

/// A column by the rows of a B-tree that was looked into.
struct Series {
    column: String,
    /// Days or numbers, at the places of the rows; `None` where an older row has no such column.
    values: Vec<Option<f64>>,
    /// The shares of the rows before these places.
    shares: Vec<f64>,
    unit: Unit,
    /// In the order of rowids, and not of its own values, which say nothing by being in order.
    is_free: bool,
}

/// Finds the trend of each table.
pub fn trends(audited: &Audited, objects: &Objects) -> Vec<Option<Trend>> {
    let all: Vec<Vec<Series>> = audited.tables.iter().map(|table| series(audited, table, objects)).collect();
    let clocks: Vec<(&FileTable, &Vec<Series>)> = audited.tables.iter().zip(&all).collect();
    let trend = |(table, series): &(&FileTable, &Vec<Series>)| {
        let rows = table.rows().filter(|rows| *rows >= FEW)?;
        // A time says more than a number, a name that fits more than another, and the order of rows more than an index.
        let mut found: Vec<Trend> = series.iter().filter_map(|one| one.trend(rows)).collect();
        for one in &mut found {
            one.clock = (one.unit == Unit::Numbers).then(|| clock(&one.column, series, &clocks)).flatten();
        }
        found.into_iter().min_by_key(|one| {
            let is_hinted = is_any(&one.column, &TIMES) && !is_any(&one.column, &LATER);
            (one.per_day().is_none(), one.unit == Unit::Numbers, !is_hinted)
        })
    };
    clocks.iter().map(trend).collect()
}

/// All columns of a table that may tell.
fn series(audited: &Audited, table: &FileTable, objects: &Objects) -> Vec<Series> {
    let Some(declared) = objects.table("main", &table.name) else { return Vec::new() };
    let mut found = Vec::new();
    let rows = audited.sample(&table.name);
    let shares: Vec<f64> = rows.iter().map(|row| row.at).collect();
    if !declared.without_rowid && !has_lost_its_first(rows) {
        for (at, name) in stored(declared) {
            let raw = rows.iter().map(|row| of(row, at));
            found.extend(Series::new(name, (raw.collect(), shares.clone()), true));
        }
    }
    for index in objects.indexes_of("main", &table.name).filter(|index| index.filter.is_none()) {
        let Some(first) = index.columns.first() else { continue };
        let Some(name) = &first.name else { continue };
        let made = table.indexes.iter().find(|one| same(&one.name, &index.name));
        let rows = audited.sample(made.map_or(table.name.as_str(), |one| one.name.as_str()));
        let is_own = made.is_some() || declared.without_rowid;
        let mut raw: Vec<Option<Value>> = rows.iter().map(|row| of(row, Some(0))).collect();
        let mut shares: Vec<f64> = rows.iter().map(|row| row.at).collect();
        if first.descending {
            raw.reverse();
            shares = shares.iter().rev().map(|share| 1.0 - share).collect();
        }
        found.extend(is_own.then(|| Series::new(name, (raw, shares), false)).flatten());
    }
    found
}

/// The stored columns of a table with rowids, each with its place in a record; `None` is the rowid.
pub(super) fn stored(table: &Table) -> impl Iterator<Item = (Option<usize>, &String)> {
    let alias = table.rowid_alias().map(|column| column.name.clone());
    let columns =
        table.columns.iter().filter(|column| !column.hidden && column.generated != Generated::Virtual);
    columns.enumerate().map(move |(at, column)| {
        let is_rowid = alias.as_ref().is_some_and(|alias| *alias == column.name);
        ((!is_rowid).then_some(at), &column.name)
    })
}

fn of(row: &Row, at: Option<usize>) -> Option<Value> {
    match at {
        Some(at) => row.fields.get(at).copied().flatten(),
        None => row.rowid.map(|rowid| Value::Number(rowid as f64)),
    }
}

/// Whether rows in front are gone: what comes need not be what is more then.
fn has_lost_its_first(rows: &[Row]) -> bool {
    let rowid = |row: Option<&Row>| row.and_then(|row| row.rowid).map_or(0.0, |rowid| rowid as f64);
    let (first, last) = (rowid(rows.first()), rowid(rows.last()));
    // Where rowids are times, they begin far from 1.
    first - 1.0 > GONE * (last - first + 1.0) && scale(&[first, last]).is_none()
}

/// By what numbers are divided to be seconds since 1970; `None` where they are none.
fn scale(values: &[f64]) -> Option<f64> {
    [1.0, 1e3, 1e6, 1e9]
        .into_iter()
        .find(|scale| values.iter().all(|value| (YEARS.0..YEARS.1).contains(&(value / scale))))
}

impl Series {
    /// `None` where the values say nothing.
    fn new(column: &str, (raw, shares): (Vec<Option<Value>>, Vec<f64>), is_free: bool) -> Option<Self> {
        if raw.len() != PLACES || raw.iter().skip(PLACES / 2).any(Option::is_none) {
            return None;
        }
        let is_text = raw.iter().flatten().all(|value| matches!(value, Value::Time(_)));
        let numbers: Vec<f64> =
            raw.iter().flatten().map(|(Value::Number(value) | Value::Time(value))| *value).collect();
        let is_alike = is_text || raw.iter().flatten().all(|value| matches!(value, Value::Number(_)));
        let scale = if is_text { Some(1.0) } else { scale(&numbers) };
        let is_hinted = is_any(column, &TIMES);
        let unit = match scale {
            Some(_) if is_free || (is_text || is_hinted) && !is_any(column, &LATER) => Unit::Days,
            None if is_any(column, &COUNTS) => Unit::Numbers,
            _ => return None,
        };
        let by = scale.map_or(1.0, |scale| scale * DAY);
        let values: Vec<Option<f64>> = raw
            .into_iter()
            .map(|value| value.map(|(Value::Number(value) | Value::Time(value))| value / by))
            .collect();
        let one = Self { column: column.to_owned(), values, shares, unit, is_free };
        (is_alike && one.rises()).then_some(one)
    }

    fn value(&self, at: usize) -> Option<f64> {
        self.values.get(at).copied().flatten()
    }

    fn ends(&self) -> Option<(usize, f64, f64)> {
        let start = self.values.iter().position(Option::is_some)?;
        Some((start, self.value(start)?, self.value(PLACES - 1)?))
    }

    /// Whether the values rise with the rows, and none of them at one stroke.
    fn rises(&self) -> bool {
        let Some((start, first, last)) = self.ends() else { return false };
        let all = last - first;
        let known: Vec<f64> = self.values.iter().skip(start).flatten().copied().collect();
        let rises = known.windows(2).all(|pair| match pair {
            [one, next] => next - one >= -JITTER * all,
            _ => true,
        });
        let enough = if self.unit == Unit::Days { DAYS } else { 2.0 };
        all >= enough && known.len() == PLACES - start && rises
    }

    fn trend(&self, rows: f64) -> Option<Trend> {
        let (start, first, last) = self.ends()?;
        let share = |at: usize| self.shares.get(at).copied();
        let mut rates = Vec::new();
        let mut newest = 0.0;
        for from in (0..PLACES - 1).step_by(QUARTER).filter(|from| *from >= start) {
            newest = self.value(from + QUARTER)? - self.value(from)?;
            (newest > 0.0).then_some(())?;
            rates.push(rows * (share(from + QUARTER)? - share(from)?) / newest);
        }
        let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let fastest = rates.iter().copied().fold(0.0, f64::max);
        let rate = rates.last().copied().filter(|_| slowest > 0.0 && fastest / slowest <= UNSTEADY)?;
        Some(Trend {
            column: self.column.clone(),
            unit: self.unit,
            rate,
            over_all: rows * (1.0 - share(start)?) / (last - first),
            span: newest,
            clock: None,
        })
    }
}

/// How fast the numbers of a column come, by a table that has them beside times.
fn clock(column: &str, own: &[Series], tables: &[(&FileTable, &Vec<Series>)]) -> Option<Clock> {
    let last = own.iter().find(|one| one.column == column)?.value(PLACES - 1)?;
    tables.iter().find_map(|(table, series)| {
        // Values of two columns belong together in the order of one tree alone.
        let free = || series.iter().filter(|one| one.is_free);
        let times = free().find(|one| one.unit == Unit::Days)?;
        let counts = free().filter(|one| one.unit == Unit::Numbers).find(|one| {
            let there = one.value(PLACES - 1).unwrap_or(f64::NAN);
            (there - last).abs() <= last.abs() * JITTER
        })?;
        let from = PLACES - 1 - QUARTER;
        let grown = |one: &Series| Some(one.value(PLACES - 1)? - one.value(from)?);
        let (numbers, days) = (grown(counts)?, grown(times)?);
        (numbers > 0.0 && days > 0.0).then(|| Clock {
            table: table.name.clone(),
            column: times.column.clone(),
            rate: numbers / days,
        })
    })
}

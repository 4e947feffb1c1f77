//! The values of a column as an expression of SQL, of the number of the row. It is sought among the few that rows are
//! made by, and compared with the very values: what it says is true, whatever made them. What is random becomes an
//! expression that scatters as well.

use super::codes::{Codes, Template};
use crate::schema::sqlite::types::Value;
use std::collections::BTreeMap;

/// The most runs of rows that an expression names one by one.
const MOST_RUNS: usize = 16;
/// And so many rows for each of them, at least: else it would name them all.
const ROWS_PER_RUN: usize = 16;
/// The most values that stand for themselves.
const MOST_VALUES: usize = 16;

/// A step on the way from the number of a row to that of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Add(i64),
    Divide(i64),
    Modulo(i64),
    /// To the last row of the four before: `row - 1 - (row + 3 - by) % 4`.
    Back(i64),
}

impl Step {
    fn apply(self, number: i64) -> i64 {
        match self {
            Self::Add(by) => number + by,
            Self::Divide(by) => number / by.max(1),
            Self::Modulo(by) => number % by.max(1),
            Self::Back(by) => number - 1 - (number + 3 - by) % 4,
        }
    }

    fn sql(self, inner: &str) -> String {
        let tight = if inner.contains(' ') { format!("({inner})") } else { inner.to_owned() };
        match self {
            Self::Add(0) => inner.to_owned(),
            Self::Add(by) if by < 0 => format!("{inner} - {}", -by),
            Self::Add(by) => format!("{inner} + {by}"),
            Self::Divide(by) => format!("{tight} / {by}"),
            Self::Modulo(by) => format!("{tight} % {by}"),
            Self::Back(by) => format!("{tight} - 1 - ({inner} + {}) % 4", 3 - by),
        }
    }
}

/// How the thing of a row follows from its number: a few ways, one after the other.
type Way = Vec<Step>;

/// Finds expressions for columns.
pub(super) struct Formulas<'a> {
    codes: &'a Codes,
    ways: Vec<Way>,
}

impl<'a> Formulas<'a> {
    /// `counts` are the rows that tables have.
    pub fn new(codes: &'a Codes, counts: &[u64]) -> Self {
        let mut ways = vec![vec![], vec![Step::Divide(4)], vec![Step::Modulo(2)]];
        for &count in counts {
            let (count, half) = (count.max(1) as i64, count as i64 / 2);
            ways.push(vec![Step::Modulo(count)]);
            ways.push(vec![Step::Add(half)]);
            ways.push(vec![Step::Back(half % 4)]);
            for first in [vec![], vec![Step::Divide(4)], vec![Step::Modulo(2)]] {
                ways.push([first, vec![Step::Add(half), Step::Modulo(count)]].concat());
            }
        }
        Self { codes, ways }
    }

    /// The expression for a column with these values, of the number `n` of the row from 0. `salt` tells columns apart.
    pub fn of(&self, values: &[Value], salt: u64) -> Option<String> {
        let frequent = most_frequent(values.iter().map(|value| self.codes.literal(value)))?;
        if let Some(runs) = self.runs(values, |_, value| self.codes.literal(value) == frequent) {
            return Some(with_runs(&runs, &frequent));
        }
        let decoded: Vec<Option<(Template, i64)>> =
            values.iter().map(|value| self.codes.decode(value)).collect();
        if let Some(template) = most_frequent(decoded.iter().flatten().map(|(template, _)| *template)) {
            let things: Vec<Option<i64>> =
                decoded.iter().map(|one| one.filter(|one| one.0 == template).map(|one| one.1)).collect();
            if let Some(way) = self.way(&things, most_runs(values.len()))
                && let Some(runs) = self.runs(values, |row, _| is_right(&way, &things, row))
            {
                return Some(with_runs(&runs, &template.sql(&written(&way))));
            }
        }
        self.scattered(values, salt).or_else(|| self.half_scattered(values, &decoded, salt))
    }

    /// The way on which all things lie but for so many runs of rows. A thing that is not there never lies on it.
    fn way(&self, things: &[Option<i64>], most: usize) -> Option<Way> {
        for depth in 1..=3 {
            let mut chosen = vec![0_usize; depth];
            loop {
                let way: Way =
                    chosen.iter().filter_map(|index| self.ways.get(*index)).flatten().copied().collect();
                for probe in [things.len() / 3, things.len().saturating_sub(1)] {
                    let Some(Some(thing)) = things.get(probe) else { continue };
                    let mut way = way.clone();
                    way.push(Step::Add(thing - apply(&way, probe)));
                    if gaps(&way, things, most).is_some() {
                        return Some(way);
                    }
                }
                if !next(&mut chosen, self.ways.len()) {
                    break;
                }
            }
        }
        None
    }

    /// The runs of rows with the same value that are not right; `None` where they are too many.
    fn runs(&self, values: &[Value], is_right: impl Fn(usize, &Value) -> bool) -> Option<Vec<Run>> {
        let mut runs: Vec<Run> = Vec::new();
        for (row, value) in values.iter().enumerate() {
            if is_right(row, value) {
                continue;
            }
            let literal = self.codes.literal(value);
            match runs.last_mut().filter(|run| run.last + 1 == row && run.literal == literal) {
                Some(run) => run.last = row,
                None => runs.push(Run { first: row, last: row, literal }),
            }
            if runs.len() > most_runs(values.len()) {
                return None;
            }
        }
        Some(runs)
    }

    /// A few values, each about as frequent as the others.
    fn scattered(&self, values: &[Value], salt: u64) -> Option<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for value in values {
            *counts.entry(self.codes.literal(value)).or_default() += 1;
            if counts.len() > MOST_VALUES {
                return None;
            }
        }
        let share = values.len() / counts.len().max(1);
        let is_even = counts.values().all(|count| *count * 2 >= share && *count <= share * 2);
        is_even.then(|| one_of(&counts.into_keys().collect::<Vec<_>>(), &random(salt)))
    }

    /// Half of the rows, at random, have one of a few values, and the others lie on a way.
    fn half_scattered(
        &self,
        values: &[Value],
        decoded: &[Option<(Template, i64)>],
        salt: u64,
    ) -> Option<String> {
        let mut apart: BTreeMap<String, usize> = BTreeMap::new();
        for value in values {
            *apart.entry(self.codes.literal(value)).or_default() += 1;
        }
        apart.retain(|_, count| *count * 20 > values.len());
        let literals: Vec<String> = apart.into_keys().collect();
        let is_apart =
            |row: usize| values.get(row).is_some_and(|value| literals.contains(&self.codes.literal(value)));
        let rest: Vec<usize> = (0..values.len()).filter(|row| !is_apart(*row)).collect();
        let template = decoded.get(*rest.first()?).copied().flatten()?.0;
        let things: Vec<Option<i64>> = decoded.iter().map(|one| one.map(|one| one.1)).collect();
        let fits = |way: &Way| {
            let is_same =
                |row: &usize| decoded.get(*row).copied().flatten().is_some_and(|one| one.0 == template);
            rest.iter().all(|row| is_same(row) && is_right(way, &things, *row))
        };
        let (first, is_half) =
            (*rest.first()?, rest.len() * 3 > values.len() && rest.len() * 3 < values.len() * 2);
        let way = self.ways.iter().map(|way| {
            let offset = things.get(first).copied().flatten().unwrap_or(0) - apply(way, first);
            [way.clone(), vec![Step::Add(offset)]].concat()
        });
        let way = way.filter(|_| is_half && !literals.is_empty()).find(fits)?;
        let random = random(salt);
        let apart = one_of(&literals, &format!("({random} / 2)"));
        Some(format!("CASE WHEN {random} % 2 THEN {apart} ELSE {} END", template.sql(&written(&way))))
    }
}

/// Rows one after the other that have the same value.
struct Run {
    first: usize,
    last: usize,
    literal: String,
}

fn most_runs(rows: usize) -> usize {
    (rows / ROWS_PER_RUN + 1).min(MOST_RUNS)
}

fn apply(way: &[Step], row: usize) -> i64 {
    way.iter().fold(row as i64, |number, step| step.apply(number))
}

fn written(way: &[Step]) -> String {
    way.iter().fold("n".to_owned(), |inner, step| step.sql(&inner))
}

fn is_right(way: &[Step], things: &[Option<i64>], row: usize) -> bool {
    things.get(row).copied().flatten() == Some(apply(way, row))
}

/// How many rows do not lie on a way; `None` where they are more than so many runs could hold.
fn gaps(way: &[Step], things: &[Option<i64>], most: usize) -> Option<usize> {
    let (mut runs, mut was_right) = (0, true);
    for row in 0..things.len() {
        let right = is_right(way, things, row);
        runs += usize::from(was_right && !right);
        if runs > most {
            return None;
        }
        was_right = right;
    }
    let right = (0..things.len()).filter(|row| is_right(way, things, *row)).count();
    (right * 2 > things.len()).then_some(things.len() - right)
}

/// Counts up, digit by digit; false past the last.
fn next(digits: &mut [usize], base: usize) -> bool {
    for digit in digits {
        *digit += 1;
        if *digit < base {
            return true;
        }
        *digit = 0;
    }
    false
}

fn most_frequent<T: Ord>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(one, _)| one)
}

fn with_runs(runs: &[Run], usual: &str) -> String {
    if runs.is_empty() {
        return usual.to_owned();
    }
    let when = |run: &Run| match run.last - run.first {
        0 => format!("WHEN n = {} THEN {}", run.first, run.literal),
        _ => format!("WHEN n BETWEEN {} AND {} THEN {}", run.first, run.last, run.literal),
    };
    let all: Vec<String> = runs.iter().map(when).collect();
    format!("CASE {} ELSE {usual} END", all.join(" "))
}

/// A number that looks random, of the number of the row.
fn random(salt: u64) -> String {
    // Odd, so that the low bits go on changing; different for each column, so that columns do not go together.
    let factor = (2_654_435_761_u64.wrapping_mul(2 * salt + 1) % 4_294_967_296) | 1;
    format!("(n * {factor} % 4294967296 / 65536)")
}

fn one_of(literals: &[String], random: &str) -> String {
    let count = literals.len();
    let is_number = literals.iter().enumerate().all(|(index, one)| *one == index.to_string());
    match literals {
        [one] => one.clone(),
        _ if is_number => format!("{random} % {count}"),
        _ => {
            let when = |(index, one): (usize, &String)| format!("WHEN {index} THEN {one}");
            let all: Vec<String> = literals.iter().enumerate().map(when).collect();
            format!("CASE {random} % {count} {} END", all.join(" "))
        }
    }
}

#[cfg(test)]
mod tests;

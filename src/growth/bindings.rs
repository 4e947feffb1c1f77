//! The values that parameters are given: those of a row that is there, of none, a rare one, or as wide a range as can be.

use super::data::{DataSet, plain};
use super::literals::Literal;
use super::model::Rows;
use super::parameters::Target;
use super::tokens::{Kind, Token, tokens};
use super::uses::{At, Op, Reading};
use crate::schema::sqlite::types::Value;

/// How parameters are bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binding {
    /// There are none.
    None,
    /// All values of a table come from one row.
    Present,
    /// No row has them.
    Absent,
    /// From one row, but flags have the value that few rows have.
    Rare,
    /// As in a log of statements that were run.
    Given,
    /// From one row, but a range that is open at one end holds few rows: told of cures alone.
    Near,
    /// From one row, but what a statement chooses by is NULL.
    Null,
    /// From one row, but what a statement chooses by is what it is compared with, or empty.
    Chosen,
    /// No row has the keys, ranges hold all rows, lists are long and pages far.
    Wide,
}

impl Binding {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Present => "present",
            Self::Absent => "absent",
            Self::Rare => "rare",
            Self::Given => "given",
            Self::Near => "near",
            Self::Null => "null",
            Self::Chosen => "chosen",
            Self::Wide => "wide",
        }
    }
}

/// Rows that a LIMIT asks for.
const LIMIT: i64 = 10;
/// Rows between the two bounds of a range.
const RANGE: u64 = 10;
/// A key that no row has yet.
const FRESH: u64 = 5_000_000;

/// The most rows that a number asks for, or passes over, where it is measured.
const FEW: i64 = 25;

/// The text with few rows asked for: where LIMIT is a thousand, all that it is measured on pass. What stands behind a number stays
/// where it is.
pub(super) fn with_few_rows(text: &str) -> String {
    let tokens = tokens(text);
    let mut few = text.to_owned();
    for (index, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("LIMIT")) {
        let mut at = index + 1;
        // Two values at most, each one token, alone or in brackets.
        for _ in 0..2 {
            let is_bracket = tokens.get(at).is_some_and(|one| one.is("("));
            let Some(value) = tokens.get(at + usize::from(is_bracket)) else { break };
            let behind = at + 1 + 2 * usize::from(is_bracket);
            let next = tokens.get(behind);
            let goes_on = next.is_some_and(|one| one.is(",") || one.is("OFFSET"));
            if !goes_on && next.is_some_and(|one| !(one.is(")") || one.is(";") || one.is("UNION"))) {
                break;
            }
            cut(&mut few, value);
            if !goes_on {
                break;
            }
            at = behind + 1;
        }
    }
    few
}

/// Has a number ask for few rows, where it asks for more.
fn cut(text: &mut String, value: &Token<'_>) {
    if value.kind == Kind::Number && value.text.parse().is_ok_and(|count: i64| count > FEW) {
        let width = value.text.len();
        text.replace_range(value.start..value.start + width, &format!("{FEW:<width$}"));
    }
}

/// The ways to bind a statement's parameters that tell something.
pub(super) fn bindings(reading: &Reading, has_list: bool, is_flag: impl Fn(At) -> bool) -> Vec<Binding> {
    let targets = &reading.targets;
    if targets.is_empty() {
        return vec![Binding::None];
    }
    let mut found = vec![Binding::Present];
    if targets.iter().any(|target| matches!(target, Target::Compared(..))) {
        found.push(Binding::Absent);
    }
    if targets.iter().any(|target| matches!(target, Target::Compared(at, ..) if is_flag(*at))) {
        found.push(Binding::Rare);
    }
    if reading.given.iter().any(Option::is_some) {
        found.push(Binding::Given);
    }
    if !reading.choices.is_empty() {
        found.extend([Binding::Null, Binding::Chosen]);
    }
    if has_list || targets.contains(&Target::Offset) {
        found.push(Binding::Wide);
    }
    found
}

/// The values of all parameters.
pub(super) fn values(reading: &Reading, binding: Binding, set: &DataSet<'_>) -> Vec<Value> {
    let given = reading.given.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let of = |(place, (target, given)): (usize, (&Target, Option<&Literal>))| {
        match (binding, reading.choices.get(&place)) {
            (Binding::Null, Some(_)) if given.is_none() => return Value::Null,
            (Binding::Chosen, Some(literal)) => {
                return literal.as_ref().map_or_else(|| Value::Text(String::new()), Literal::value);
            }
            _ => {}
        }
        // What stands for no column has no better value than the one that it was given.
        let is_free = matches!(target, Target::Limit | Target::Unknown)
            || (*target == Target::Offset && binding != Binding::Wide);
        let said = given.filter(|_| is_free || binding == Binding::Given).map(Literal::value);
        said.unwrap_or_else(|| value(*target, &reading.targets, binding, set))
    };
    reading.targets.iter().zip(given).enumerate().map(of).collect()
}

fn value(target: Target, all: &[Target], binding: Binding, set: &DataSet<'_>) -> Value {
    match target {
        Target::Limit => Value::Integer(LIMIT),
        Target::Offset if binding == Binding::Wide => Value::Integer(set.size as i64 / 2),
        Target::Offset => Value::Integer(0),
        Target::Unknown => Value::Integer(1),
        Target::Inserted(at) => stored(at, set, 0),
        Target::Set(at) => stored(at, set, 8),
        Target::Compared(at, op, place) => compared(at, op, place, all, binding, set),
    }
}

/// A value for a new row, or for one that changes: its keys are new, the rest is as in other rows.
fn stored(at: At, set: &DataSet<'_>, past: u64) -> Value {
    let Some(column) = set.model.column(at) else { return Value::Null };
    let row = set.rows(at.0) / 2 + past;
    let is_own = matches!(column.rows, Rows::Own | Rows::Shifted);
    if is_own && column.flags.is_empty() { plain(column, FRESH) } else { set.value(at, row) }
}

fn compared(at: At, op: Op, place: usize, all: &[Target], binding: Binding, set: &DataSet<'_>) -> Value {
    let Some(column) = set.model.column(at) else { return Value::Integer(1) };
    let rows = set.rows(at.0);
    let middle = rows / 2;
    if !column.flags.is_empty() {
        return match (binding, set.data) {
            (Binding::Rare, _) => {
                let rare = usize::from(column.common_flag(set.data) == Some(0));
                column.flags.get(rare).map_or(Value::Null, Literal::value)
            }
            _ => set.value(at, middle + place as u64),
        };
    }
    let op = match (op, place) {
        (Op::Between, 0) => Op::Lower,
        (Op::Between, _) => Op::Upper,
        _ => op,
    };
    let is_pair = bounded(at, Op::Lower, all) && bounded(at, Op::Upper, all);
    let row = match op {
        Op::Upper if is_pair => (middle + RANGE).min(rows),
        Op::In => (middle + place as u64 * 4) % rows.max(1),
        _ => middle,
    };
    // The pages of what is found by a key are those of one that is there.
    let is_paged = op == Op::Equal && binding == Binding::Wide && all.contains(&Target::Offset);
    match (op, binding) {
        (Op::Lower, Binding::Near) if !is_pair => set.ordinary(at, rows.saturating_sub(RANGE)),
        (Op::Upper, Binding::Near) if !is_pair => set.ordinary(at, RANGE),
        (Op::Lower, Binding::Absent) | (Op::Upper, Binding::Wide) => column.kind.highest(),
        (Op::Upper, Binding::Absent) if is_pair => column.kind.highest(),
        (Op::Upper, Binding::Absent) | (Op::Lower, Binding::Wide) => column.kind.lowest(),
        (_, Binding::Absent | Binding::Wide) if !is_paged => column.kind.absent(place as u64),
        _ => match set.value(at, row) {
            Value::Null => plain(column, row),
            value => value,
        },
    }
}

/// Whether a parameter bounds a column on one side, and none does on the other.
pub(super) fn has_open_range(all: &[Target]) -> bool {
    all.iter().any(|target| match target {
        Target::Compared(at, Op::Lower, _) => !bounded(*at, Op::Upper, all),
        Target::Compared(at, Op::Upper, _) => !bounded(*at, Op::Lower, all),
        _ => false,
    })
}

/// Whether some parameter bounds a column on this side.
fn bounded(at: At, side: Op, all: &[Target]) -> bool {
    all.iter().any(|target| match target {
        Target::Compared(other, op, place) if *other == at => {
            *op == side || (*op == Op::Between && (*place == 0) == (side == Op::Lower))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_asks_for_few_rows() {
        for (text, few) in [
            ("SELECT a FROM t LIMIT 1000", "SELECT a FROM t LIMIT 25  "),
            ("SELECT a FROM t LIMIT 1 OFFSET 500;", "SELECT a FROM t LIMIT 1 OFFSET 25 ;"),
            (
                "SELECT a FROM (SELECT 99 LIMIT 20, 300) LIMIT ?",
                "SELECT a FROM (SELECT 99 LIMIT 20, 25 ) LIMIT ?",
            ),
        ] {
            assert_eq!(with_few_rows(text), few);
        }
        for text in [
            "SELECT 50 FROM t LIMIT 20",
            "SELECT a FROM t LIMIT 100 - ?",
            "SELECT a, 100, \"limit\" FROM t",
            "SELECT coalesce(offset, 4096) FROM t",
        ] {
            assert_eq!(with_few_rows(text), text);
        }
    }
}

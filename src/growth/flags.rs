//! Which columns have few values, and which: told from their types, their names, and what statements compare them with; and what
//! most rows have of them.

use super::Through;
use super::data::Data;
use super::literals::{Literal, literals};
use super::model::{ColumnModel, Model, Rows};
use super::stored::Stored;
use super::tokens::{self, tokens};
use super::uses::{At, Op, Reading, Use, operator};
use super::values::Kind;
use crate::{
    extract::names::{Names, Predicate, Value},
    schema::Column,
    workload::name_words,
};
use std::{collections::BTreeSet, ops::RangeInclusive};

/// The numbers that a kind or a state may be.
const SMALL: RangeInclusive<i64> = -1..=16;

/// The kind of values that a column takes, and between which numbers.
type Takes<'a> = (Kind, &'a RangeInclusive<i64>);

/// The values of a column that has few; `is_begun_empty`: INSERTs leave it out, and it has no DEFAULT.
pub(super) fn flags(
    declared: &Column,
    asked: &Use,
    (kind, bounds): Takes<'_>,
    (is_free, is_begun_empty): (bool, bool),
) -> Vec<Literal> {
    let compared: BTreeSet<Literal> =
        asked.literals.iter().chain(&asked.set).filter(|one| **one != Literal::Null).cloned().collect();
    let words = declared.declared_type.to_ascii_uppercase();
    let is_small = |one: &Literal| match one {
        Literal::Integer(number) => SMALL.contains(number),
        Literal::Text(_) => true,
        _ => false,
    };
    let is_few = compared.len() <= 8 && compared.iter().all(is_small);
    let is_declared = (words.contains("BOOL") || words.contains("TINYINT")) && !asked.joined;
    let by_use = is_free && is_few && !compared.is_empty() && asked.literals.iter().any(is_small);
    let by_name = is_free && is_few && is_flag_name(&declared.name);
    if !(is_declared && is_few || by_use || by_name) {
        return Vec::new();
    }
    let mut values = compared;
    // Rows begin without a value, and get the only one that statements name.
    if is_begun_empty && values.len() == 1 && asked.literals.contains(&Literal::Null) {
        values.insert(Literal::Null);
        return values.into_iter().collect();
    }
    if values.is_empty() && !is_declared && kind == Kind::Text {
        values.extend(["a", "b", "c", "d"].map(|text| Literal::Text(text.to_owned())));
    } else if values.is_empty() && !is_declared {
        values.extend((0..4).map(Literal::Integer));
    } else if values.iter().any(|one| matches!(one, Literal::Integer(_))) || is_declared {
        values.extend([0, 1].map(Literal::Integer));
    } else if values.len() == 1 {
        values.insert(Literal::Text("other".to_owned()));
    }
    let is_allowed = |one: &Literal| !matches!(one, Literal::Integer(number) if !bounds.contains(number));
    values.into_iter().filter(is_allowed).collect()
}

/// How many rows have a value that stands apart in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// Nearly all, or few.
    Often,
    /// Not nearly all: INSERTs give what only their callers know, NULL perhaps, and it stays so.
    Handed,
    /// Few.
    Rarely,
}

impl Apart {
    /// Of the values that stand apart in a column.
    pub fn of(
        sentinels: &[Literal],
        (declared, asked, kind): (&Column, &Use, Kind),
        (stored, at): (&Stored, At),
    ) -> Self {
        if is_one_of_many(declared, asked, kind, (stored, at)) {
            return Self::Rarely;
        }
        let is_handed = sentinels == [Literal::Null] && stored.is_handed(at);
        if is_handed { Self::Handed } else { Self::Often }
    }
}

/// Whether the only literal that a column is compared with is one of many texts: rows come with what their callers say, by which callers
/// look for them, and no UPDATE gives any that text. So is each of several where patterns are looked for, too: no state has parts.
pub(super) fn is_one_of_many(
    declared: &Column,
    asked: &Use,
    kind: Kind,
    (stored, at): (&Stored, At),
) -> bool {
    let is_text = |one: &Literal| matches!(one, Literal::Text(text) if !text.is_empty());
    let is_few = asked.literals.len() == 1 || asked.patterned && !asked.literals.is_empty();
    let is_only = is_few && asked.literals.iter().all(is_text);
    let is_named = is_flag_name(&declared.name) || usual(&declared.name).is_some();
    let is_free = asked.set.is_empty() && asked.bounds.is_empty() && declared.default.is_none();
    is_only && kind == Kind::Text && asked.sought && is_free && !is_named && stored.is_given(at)
}

/// Whether a column is named as a flag is, and some of its values stand in statements.
pub(super) fn is_named_value(name: &str, asked: &Use) -> bool {
    (is_flag_name(name) || usual(name).is_some()) && asked.literals.iter().any(|one| *one != Literal::Null)
}

fn is_flag_name(name: &str) -> bool {
    const LAST: [&str; 24] = [
        "status",
        "state",
        "kind",
        "type",
        "flag",
        "flags",
        "valid",
        "processed",
        "orphaned",
        "canonical",
        "active",
        "deleted",
        "enabled",
        "disabled",
        "done",
        "read",
        "seen",
        "archived",
        "pending",
        "confirmed",
        "spent",
        "used",
        "visible",
        "hidden",
    ];
    const FIRST: [&str; 3] = ["is", "has", "was"];
    let words = name_words(name);
    let is = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    (words.len() > 1 && is(words.first(), &FIRST)) || is(words.last(), &LAST)
}

impl ColumnModel {
    /// Whether it has one of few values, and not always the same.
    pub fn varies(&self) -> bool {
        self.flags.len() > 1
    }

    /// The value of a flag that most rows have in a data set, by its place among all.
    pub fn common_flag(&self, data: Data) -> Option<usize> {
        let last = self.flags.len().checked_sub(1)?;
        let known = self.common.as_ref().and_then(|common| self.flags.iter().position(|one| one == common));
        match data {
            Data::FirstCommon => Some(known.unwrap_or(0)),
            Data::LastCommon => Some(known.unwrap_or(last)),
            _ => None,
        }
    }
}

/// Whether a column is named as one that holds JSON is.
pub(super) fn is_json_name(name: &str) -> bool {
    let name = name.to_lowercase();
    ["json", "doc", "data", "body", "payload", "meta", "attr", "props", "content"]
        .iter()
        .any(|word| name.contains(word))
}

/// What most rows have of a flag, where that is known: the DEFAULT, where nothing changes it, or what its name says, where
/// nothing says otherwise. And what a row keeps once it has it: the only value that statements set.
pub(super) fn common_and_latch(
    declared: &Column,
    asked: &Use,
    flags: &[Literal],
    (stored, at): (&Stored, At),
) -> (Option<Literal>, Option<Literal>) {
    let is_set = asked.changes || !asked.set.is_empty();
    // A trigger may change it, too.
    let is_changed = is_set || stored.is_changed(at);
    // An empty text stands for what is not known yet.
    let is_number = |one: &&Literal| matches!(one, Literal::Integer(_));
    let default = declared.default.as_deref().map(literals).unwrap_or_default().into_iter().next();
    let is_only = asked.set.len() == 1 && !asked.changes;
    let latch = asked.set.first().filter(|one| is_only && flags.contains(one)).cloned();
    let usual = usual(&declared.name).filter(|(usual, is_mark)| {
        let begins = stored.put_in(at).map_or_else(|| default.iter().collect(), Vec::from_iter);
        let is_known = !begins.is_empty() || declared.default.is_none();
        let mut begins = begins.into_iter().filter(|one| **one != Literal::Null).peekable();
        let is_begun = is_known && (begins.peek().is_none() || begins.any(|one| is_number_of(one, usual)));
        // A row that is marked was not before; one that is not active any more may be any, and one of all may be.
        let is_kept = || asked.set.iter().all(|one| one == usual) && (is_set || !is_changed);
        is_begun && (*is_mark || is_kept())
    });
    let unchanged = default.as_ref().filter(is_number).filter(|_| !is_changed).cloned();
    let common = unchanged.or(usual.map(|(usual, _)| usual)).filter(|one| flags.contains(one));
    (common, latch)
}

/// Whether a literal is a number, or a text that a column of numbers stores as one.
fn is_number_of(one: &Literal, number: &Literal) -> bool {
    match (one, number) {
        (Literal::Text(text), Literal::Integer(number)) => text.parse() == Ok(*number),
        _ => one == number,
    }
}

/// What most rows have of a flag whose name says that it marks the few, such as the deleted, or all but a few; and whether
/// it marks them. What waits to be processed may be few or many.
fn usual(name: &str) -> Option<(Literal, bool)> {
    const FEW: [&str; 20] = [
        "deleted",
        "removed",
        "blocked",
        "banned",
        "disabled",
        "hidden",
        "reverted",
        "unavailable",
        "missing",
        "lost",
        "gone",
        "ignored",
        "ignore",
        "muted",
        "pinned",
        "starred",
        "favorite",
        "favourite",
        "flagged",
        "spam",
    ];
    const MOST: [&str; 3] = ["active", "enabled", "visible"];
    const NOT: [&str; 8] = ["not", "no", "non", "un", "never", "can", "may", "allow"];
    let words = name_words(name);
    let own: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "is").collect();
    let (first, last) = (own.first()?, own.last()?);
    if own.iter().any(|word| NOT.contains(word)) {
        return None;
    }
    // The state of what is blocked is another thing.
    if FEW.contains(last) || (FEW.contains(first) && !is_flag_name(name)) {
        return Some((Literal::Integer(0), true));
    }
    // What part of it is switched on, such as `push_enabled`, says less.
    (own.len() == 1 && MOST.contains(last)).then_some((Literal::Integer(1), false))
}

/// The largest whole number that a bound parts from what is above it: keys are above what says that there is none.
pub(super) fn apart(operator: &str, op: Op, bound: &Literal) -> Option<Literal> {
    let Literal::Integer(bound) = bound else { return None };
    // `> 0` and `<= 0` part 0 from 1, `>= 0` and `< 0` part -1 from 0.
    let has_bound = operator.ends_with('=') == (op == Op::Upper);
    let below = if has_bound { Some(*bound) } else { bound.checked_sub(1) };
    below.filter(|_| op != Op::Between).map(Literal::Integer)
}

/// Whether rows are sought of which a column is not what others of the same row make of it, such as `slug <> lower(slug)`: that is no
/// value which most of them have.
pub(super) fn is_of_row(names: Option<&Names>, one: &Predicate, text: &str) -> bool {
    let is_made =
        |other: &Predicate| (other.start, other.end) == (one.start, one.end) && other.wrapper.is_some();
    let is_given = |text: &str| tokens(text).iter().any(|token| token.kind == tokens::Kind::Parameter);
    one.value == Value::Expression
        && operator(&one.operator) == Some(Op::Unequal)
        && names.is_some_and(|names| names.predicates.iter().any(is_made))
        && !text.get(one.start..one.end).is_some_and(is_given)
}

/// Whether a bound may stand for what has no value: the numbers in the midst of others are places among them, such as a block from which
/// a rule holds.
fn is_outside(bound: &Literal) -> bool {
    let Literal::Integer(number) = bound else { return true };
    SMALL.contains(number) || i32::try_from(*number).map_or(true, |number| number == i32::MAX)
}

/// The values of a column that stand apart from the many that it has.
pub(super) fn sentinels(column: &ColumnModel, asked: &Use, is_unique: bool) -> Vec<Literal> {
    // A bound is a value like others; of a column that refers to a key, it parts those from what is none.
    let bounds = if !matches!(column.rows, Rows::Child { .. }) {
        &asked.bounds
    } else if asked.literals.is_empty() {
        &asked.apart
    } else {
        &BTreeSet::new()
    };
    let bound = bounds.iter().find(|one| is_outside(one));
    let literals = asked.literals.iter().chain(bound);
    let possible = literals.filter(|one| !is_unique || **one == Literal::Null);
    possible.filter(|one| column.can_be_null || **one != Literal::Null).cloned().collect()
}

/// The flags and sentinels that a statement tests, with the value that most rows had.
pub(super) fn through(model: &Model, reading: &Reading, data: Data) -> Vec<Through> {
    let tell = |at: &At| {
        let (table, column) = (model.tables.get(at.0)?, model.column(*at)?);
        let common =
            column.common_flag(data).filter(|_| column.varies()).and_then(|common| column.flags.get(common));
        let is_apart = data == Data::FirstCommon && column.apart != Apart::Rarely;
        let literal = common.or_else(|| column.sentinels.first().filter(|_| is_apart));
        let is_told = literal.is_some() || column.is_excluded || !column.sentinels.is_empty();
        is_told.then(|| Through {
            table: table.name.clone(),
            column: column.name.clone(),
            literal: literal.map(Literal::sql),
        })
    };
    reading.tested.iter().filter_map(tell).collect()
}

/// The columns of which few rows of a data set have a value that stands apart from many others, and that a statement seeks: rows begin
/// with it, and an UPDATE gives them another. Of a flag nobody knows that.
pub(super) fn rare(model: &Model, reading: &Reading, data: Data) -> Vec<String> {
    let left = |at: &At| {
        let one = model.column(*at).filter(|one| one.is_changed && one.flags.is_empty())?;
        let is_sought = reading.literals_of(*at).iter().any(|literal| one.sentinels.contains(literal));
        is_sought.then(|| one.name.clone())
    };
    let tested = reading.tested.iter().filter(|_| data == Data::LastCommon);
    tested.filter_map(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Affinity, Generated};

    fn values(name: &str, declared: &str, literals: &[i64]) -> Vec<Literal> {
        let column = Column {
            name: name.to_owned(),
            declared_type: declared.to_owned(),
            affinity: Affinity::of(declared),
            not_null: true,
            default: None,
            primary_key: 0,
            generated: Generated::No,
            hidden: false,
            collation: "BINARY".to_owned(),
        };
        let literals = literals.iter().copied().map(Literal::Integer).collect();
        flags(
            &column,
            &Use { literals, ..Use::default() },
            (Kind::Integer, &(i64::MIN..=i64::MAX)),
            (true, false),
        )
    }

    #[test]
    fn a_flag_is_known_by_its_type_its_name_or_what_it_is_compared_with() {
        let few = [0, 1].map(Literal::Integer);
        assert_eq!(values("x", "BOOLEAN", &[]), few);
        assert_eq!(values("x", "INTEGER", &[1]), few);
        assert_eq!(values("block_status", "INTEGER", &[]).len(), 4);
    }

    #[test]
    fn an_amount_is_no_flag() {
        assert!(values("amount", "INTEGER", &[]).is_empty());
        assert!(values("amount", "INTEGER", &[5000]).is_empty());
    }

    #[test]
    fn the_name_of_a_mark_says_what_most_rows_have() {
        let of = |name| usual(name).map(|(one, _)| one.sql());
        assert_eq!(of("isDeleted").as_deref(), Some("0"));
        assert_eq!(of("deleted_section").as_deref(), Some("0"));
        assert_eq!(of("is_active").as_deref(), Some("1"));
        let others =
            ["push_enabled", "processed", "spent", "state", "is_not_deleted", "blocked_state", "revoked"];
        assert!(others.into_iter().all(|name| of(name).is_none()));
    }

    #[test]
    fn a_bound_in_the_midst_of_others_stands_for_no_missing_value() {
        let outside = |number| is_outside(&Literal::Integer(number));
        assert!([0, -1, 16, i64::MAX, i64::from(i32::MAX)].into_iter().all(outside));
        assert!(![17, 20_000, -500].into_iter().any(outside));
        assert!(is_outside(&Literal::Text(String::new())));
    }
}

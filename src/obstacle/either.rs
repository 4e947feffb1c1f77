//! Why an OR is not searched: one arm of it is about no column, or has no index; and the row value that some of them are.

use super::{
    Kind,
    indexes::Key,
    rewrite::Rewrite,
    subject::{Named, Subject, begins_with, same},
    terms::{Comparison, Term},
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    schema::IndexColumn,
};

impl Subject<'_> {
    /// An OR.
    pub fn any_of(&self, query: u32, whole: &Expression) -> Option<Term> {
        let mut arms = Vec::new();
        flatten(whole, "OR", &mut arms);
        let columns = self.columns(query, whole);
        let named = columns.first()?;
        let is_other = |arm: &&&Expression| {
            self.columns(query, arm).is_empty()
                && arm.all().iter().any(|part| self.owner(query, part).is_some())
        };
        if arms.iter().any(|arm| is_other(&arm)) {
            return Some(self.of_several_tables(whole, named, &arms));
        }
        let is_free = |arm: &&&Expression| self.columns(query, arm).is_empty() && self.is_fixed(query, arm);
        if let Some(free) = arms.iter().find(is_free) {
            return Some(self.optional(whole, named, free));
        }
        let compared: Vec<Vec<Comparison<'_>>> = arms
            .iter()
            .map(|arm| {
                let mut parts = Vec::new();
                flatten(arm, "AND", &mut parts);
                parts.into_iter().flat_map(|part| self.compared(query, part)).collect()
            })
            .collect();
        let is_listed = compared
            .iter()
            .all(|arm| matches!(arm.as_slice(), [one] if one.operator == "=" && self.is_column(one, named) && !is_collated(one)));
        if is_listed {
            // SQLite makes an IN of it.
            let column = words::code(named.name());
            let (is_sought, is_beside) = (self.seeks(named, false), self.begins(named));
            let (kind, words) = if is_beside && !self.step.terms.is_empty() {
                let words = format!("{} finds the rows, and {column} is tested on each of them", self.way());
                (Kind::OtherIndex, words)
            } else {
                (Kind::NoIndex, format!("no index of `{}` begins with {column}", self.table.name))
            };
            let mut term = Term::new(kind, whole, Some(named), words);
            term.is_used = is_sought || kind == Kind::NoIndex && is_beside;
            term.keys = Key::column(named, named.collation(), false).into_iter().collect();
            return Some(term);
        }
        let said = words::code(whole.text(self.sql));
        let mut term = Term::new(Kind::Or, whole, Some(named), format!("{said} is tested on each row"));
        term.rewrites = self.row_value(whole, &arms, &compared).into_iter().collect();
        if !term.rewrites.is_empty() {
            return Some(term);
        }
        if let Some(keys) = self.with_patterns(query, &arms, &compared) {
            return Some(self.unserved_arms(whole, term, &arms, keys));
        }
        if compared.iter().any(Vec::is_empty) {
            term.words = format!("no index serves {said}");
            term.rewrites = self.arm_by_arm(whole, &arms).into_iter().collect();
            return Some(term);
        }
        if compared.iter().flatten().any(is_collated) {
            return Some(self.collated(whole, term, &arms));
        }
        Some(self.open_arms((query, whole), term, &arms, &compared))
    }

    /// The arms of an OR that no index begins for, each with the columns of one for it, where some are patterns and each other is a
    /// comparison; `None` where no index serves one of them.
    fn with_patterns<'e>(
        &self,
        query: u32,
        arms: &[&'e Expression],
        compared: &[Vec<Comparison<'_>>],
    ) -> Option<Vec<(&'e Expression, Vec<Key>)>> {
        let mut open = Vec::new();
        let mut has_pattern = false;
        for (arm, parts) in arms.iter().zip(compared) {
            let keys = match &arm.form {
                Form::Binary(operator, left, right) if matches!(operator.as_str(), "LIKE" | "GLOB") => {
                    has_pattern = true;
                    self.pattern(query, arm, operator, left, right)?.keys
                }
                _ if parts.is_empty() || parts.iter().any(is_collated) => return None,
                _ => self.arm_keys(query, parts),
            };
            let first = keys.first()?;
            let is_served = parts.iter().any(|one| self.may_seek(one) == Some(true));
            if !is_served && !self.begins_with_key(first) {
                open.push((*arm, keys));
            }
        }
        (has_pattern && !open.is_empty()).then_some(open)
    }

    /// An OR of which an arm is a pattern, and what indexes these arms ask for.
    fn unserved_arms(
        &self,
        whole: &Expression,
        mut term: Term,
        arms: &[&Expression],
        open: Vec<(&Expression, Vec<Key>)>,
    ) -> Term {
        let shown: Vec<&str> = open.iter().map(|(arm, _)| arm.text(self.sql)).collect();
        let has = if shown.len() == 1 { "has" } else { "have" };
        term.words =
            format!("an OR is searched only if each arm is, and {} {has} no index", words::list(&shown));
        term.keys = open.into_iter().flat_map(|(_, keys)| keys).collect();
        term.rewrites = self.arm_by_arm(whole, arms).into_iter().collect();
        term
    }

    /// An OR of which an arm says COLLATE: with indexes in that order, too, the plan is a scan.
    fn collated(&self, whole: &Expression, mut term: Term, arms: &[&Expression]) -> Term {
        let said = words::code(whole.text(self.sql));
        term.words = format!("no index serves {said}: an OR of which an arm says COLLATE is not searched");
        let advice =
            "Declare the columns with that collation; or ask for each arm by itself, and join them by UNION";
        term.advice = Some(advice.to_owned());
        term.rewrites = self.arm_by_arm(whole, arms).into_iter().collect();
        term
    }

    /// An OR of which an arm is about another table alone.
    fn of_several_tables(&self, whole: &Expression, named: &Named<'_>, arms: &[&Expression]) -> Term {
        let said = words::code(whole.text(self.sql));
        let words = format!("no index serves {said}, whose arms are about several tables");
        let mut term = Term::new(Kind::Or, whole, Some(named), words);
        term.rewrites = self.arm_by_arm(whole, arms).into_iter().collect();
        term
    }

    /// An OR of which an arm is about no column: a filter that is there or not.
    fn optional(&self, whole: &Expression, named: &Named<'_>, free: &Expression) -> Term {
        let words = format!(
            "no index serves {}, in which {} is about no column; a statement for each of the two cases can be searched",
            words::code(whole.text(self.sql)),
            words::code(free.text(self.sql))
        );
        let mut term = Term::new(Kind::Or, whole, Some(named), words);
        term.is_used = !free.all().iter().any(|part| part.form == Form::Parameter);
        term
    }

    /// The arms that no index begins for.
    fn open_arms(
        &self,
        (query, whole): (u32, &Expression),
        mut term: Term,
        arms: &[&Expression],
        compared: &[Vec<Comparison<'_>>],
    ) -> Term {
        let is_open = |parts: &[Comparison<'_>]| {
            let known: Vec<bool> = parts.iter().filter_map(|one| self.may_seek(one)).collect();
            !known.is_empty() && !known.contains(&true)
        };
        let open: Vec<(&Expression, &[Comparison<'_>])> = arms
            .iter()
            .zip(compared)
            .filter(|(_, parts)| is_open(parts))
            .map(|(arm, parts)| (*arm, parts.as_slice()))
            .collect();
        let shown: Vec<&str> = open.iter().map(|(arm, _)| arm.text(self.sql)).collect();
        let has = if shown.len() == 1 { "has" } else { "have" };
        term.words =
            format!("an OR is searched only if each arm is, and {} {has} no index", words::list(&shown));
        term.keys = open.iter().flat_map(|(_, parts)| self.arm_keys(query, parts)).collect();
        term.rewrites = self.arm_by_arm(whole, arms).into_iter().collect();
        if open.is_empty() {
            let said = words::code(whole.text(self.sql));
            term.words = format!("{said} is tested on each row, though each arm has an index");
            term.needs_fix = true;
        }
        term
    }

    /// Whether an index begins with what a comparison compares; of an expression, whether there is an index on one. `None`
    /// where there could be none.
    fn may_seek(&self, one: &Comparison<'_>) -> Option<bool> {
        if let Some(named) = self.column(one.query, one.side) {
            return Some(named.is_rowid || self.begins(&named));
        }
        let is_of_one = |index: &crate::schema::IndexObject| {
            index.columns.first().is_some_and(|first| first.expression.is_some())
        };
        self.expression_key(one).map(|_| self.indexes().any(is_of_one))
    }

    /// The columns of one index for an arm: those compared by `=`, and one range behind them.
    fn arm_keys(&self, query: u32, parts: &[Comparison<'_>]) -> Vec<Key> {
        let key = |one: &Comparison<'_>| {
            let Some(named) = self.column(query, one.side) else { return self.expression_key(one) };
            Some(Key::column(&named, named.collation(), one.is_range())?.marked(one))
        };
        let all: Vec<Key> = parts.iter().filter_map(key).collect();
        let (ranges, equal): (Vec<Key>, Vec<Key>) = all.into_iter().partition(Key::orders);
        let keys = equal.into_iter().chain(ranges.into_iter().take(1)).enumerate();
        keys.map(|(at, key)| key.behind(at > 0)).collect()
    }

    fn expression_key(&self, one: &Comparison<'_>) -> Option<Key> {
        // A row value is none.
        let is_call = matches!(one.side.form, Form::Call(..));
        let key = Key::expression(self, one.query, one.side, one.is_range()).filter(|_| is_call)?;
        Some(key.marked(one))
    }

    fn is_column(&self, one: &Comparison<'_>, named: &Named<'_>) -> bool {
        self.column(one.query, one.side).is_some_and(|other| same(other.name(), named.name()))
    }

    /// Whether an index begins with a column.
    fn begins(&self, named: &Named<'_>) -> bool {
        let mut whole = self.indexes().filter(|index| index.filter.is_none());
        whole.any(|index| begins_with(index, named.name()))
    }

    /// Whether an index of all rows begins with a key, in its order.
    fn begins_with_key(&self, key: &Key) -> bool {
        let text = |own: &IndexColumn| {
            let name = own.name.as_deref()?;
            let column = self.table.columns.iter().find(|column| same(&column.name, name))?;
            let is_plain = same(&column.collation, &own.collation);
            let collate = if is_plain { String::new() } else { format!(" COLLATE {}", own.collation) };
            Some(format!("{}{collate}", words::name(name)))
        };
        let mut whole = self.indexes().filter(|index| index.filter.is_none());
        whole.any(|index| index.columns.first().and_then(text).is_some_and(|own| same(&own, &key.text)))
    }

    /// `a > x OR (a = x AND b > y)` is `(a, b) > (x, y)`.
    fn row_value(
        &self,
        whole: &Expression,
        texts: &[&Expression],
        arms: &[Vec<Comparison<'_>>],
    ) -> Option<Rewrite> {
        let last = arms.last()?;
        let is_plain = |one: &Comparison<'_>| {
            let is_column = |part: &&Expression| matches!(part.form, Form::Column { .. } | Form::Collate(..));
            let is_value = |other: &&Expression| !other.all().iter().any(is_column);
            let calls = |part: &&Expression| matches!(part.form, Form::Call(..) | Form::Other(_));
            let each = |other: &&Expression| !other.all().iter().any(calls);
            // The left side's collation wins, and a function may return something else each time.
            one.others.iter().all(each) && (!one.is_right || one.others.iter().all(is_value))
        };
        let is_whole = |(arm, parts): (&&Expression, &Vec<Comparison<'_>>)| {
            let mut all = Vec::new();
            flatten(arm, "AND", &mut all);
            all.len() == parts.len()
        };
        if !texts.iter().zip(arms).all(is_whole) || !arms.iter().flatten().all(is_plain) {
            return None;
        }
        let value = |one: &Comparison<'_>| one.others.first().map(|other| other.text(self.sql));
        let side = |one: &Comparison<'_>| one.side.text(self.sql);
        let (final_one, strict) = (last.last()?, last.last()?.operator.trim_end_matches('='));
        if !matches!(strict, "<" | ">") || arms.len() < 2 {
            return None;
        }
        for (number, arm) in arms.iter().enumerate() {
            let (ends, before) = arm.split_last()?;
            let wanted = if number + 1 == arms.len() { final_one.operator } else { strict };
            let is_same = |(one, other): (&Comparison<'_>, &Comparison<'_>)| {
                one.operator == "=" && side(one) == side(other) && value(one) == value(other)
            };
            let follows = before.len() == number && before.iter().zip(last).all(is_same);
            let ends_there = last
                .get(number)
                .is_some_and(|other| side(ends) == side(other) && value(ends) == value(other));
            if !follows || !ends_there || ends.operator != wanted {
                return None;
            }
        }
        let values: Vec<&str> = last.iter().filter_map(value).collect();
        // A parameter without a name or number is bound anew wherever it stands.
        if values.contains(&"?")
            || last.iter().any(|one| one.others.len() != 1 || self.column(one.query, one.side).is_none())
        {
            return None;
        }
        let sides: Vec<&str> = last.iter().map(side).collect();
        let text = format!("({}) {} ({})", sides.join(", "), final_one.operator, values.join(", "));
        Some(Rewrite::new(whole, text, Vec::new()))
    }
}

/// Whether a COLLATE is written in a comparison.
fn is_collated(one: &Comparison<'_>) -> bool {
    let sides = std::iter::once(one.side).chain(one.others.iter().copied());
    sides.into_iter().any(|side| matches!(side.form, Form::Collate(..)))
}

/// The parts that an operator joins.
pub(super) fn flatten<'e>(of: &'e Expression, operator: &str, found: &mut Vec<&'e Expression>) {
    match &of.form {
        Form::Binary(own, left, right) if own == operator => {
            flatten(left, operator, found);
            flatten(right, operator, found);
        }
        _ => found.push(of),
    }
}

//! Why no index yields the rows of a step in the order that is asked for, or the least or greatest of them.

use super::{
    Fix, Kind,
    indexes::Key,
    subject::{Named, Subject, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::{
        Clause,
        expressions::{Condition, Expression, Form, conditions},
        find_word,
    },
    plan::{Index, Op},
    schema::{IndexObject, replan::Workshop},
};

impl Subject<'_> {
    /// The ORDER BY of the step's query, as one term; none where it is not that of the step alone.
    pub fn order(&self) -> Vec<Term> {
        let is_order = |one: &&Condition| one.clause == Clause::OrderBy && self.is_own(one.query);
        let order: Vec<&Condition> = self.conditions.iter().filter(is_order).collect();
        let (Some(first), Some(last)) = (order.first(), order.last()) else { return Vec::new() };
        if let Some(shuffled) = self.shuffled(&order) {
            return vec![shuffled];
        }
        let keys: Option<Vec<Key>> = order.iter().map(|one| self.order_key(one)).collect();
        let named: Vec<&str> = order.iter().map(|one| one.expression.text(self.sql)).collect();
        let whole = Expression { start: first.expression.start, end: last.expression.end, form: Form::Null };
        let column = self.column(first.query, &first.expression);
        let (kind, index, words) = if order.iter().any(|one| one.places_nulls) {
            (
                Kind::Order,
                None,
                "an index has NULL before all values, and NULLS asks for another place".to_owned(),
            )
        } else if let Some(index) = self.other_direction(&order) {
            let words = format!(
                "the index `{}` has {}, and not in the directions of ORDER BY",
                index.name,
                words::list(&named)
            );
            (Kind::Direction, Some(index.name.clone()), words)
        } else {
            let order = words::list(&named);
            let words = match self.step.op {
                Op::Search => format!("{} finds the rows, but not in the order of {order}", self.way()),
                _ => format!("no index yields the order of {order}"),
            };
            (Kind::Order, None, words)
        };
        let mut term = Term::new(kind, &whole, column.as_ref(), words);
        term.index = index;
        let has_order = !order.iter().any(|one| one.places_nulls);
        term.keys = keys.filter(|_| has_order).unwrap_or_default();
        vec![term]
    }

    fn order_key(&self, one: &Condition) -> Option<Key> {
        let (of, collation) = match &one.expression.form {
            Form::Collate(of, name) => (&**of, Some(name.as_str())),
            _ => (&one.expression, None),
        };
        let key = match self.column(one.query, of) {
            Some(named) => Key::column(&named, collation.unwrap_or(named.collation()), true)
                .or_else(|| named.column.map(|column| Key::rowid(&column.name))),
            None if self.columns(one.query, of).is_empty() => None,
            None => Key::expression(self, one.query, of, true),
        };
        key.map(|key| key.descending(one.descending))
    }

    /// An index that serves terms; where the rows come as ORDER BY asks already, one with which they still do.
    pub fn serving(
        &self,
        keys: &[Key],
        ends: &[Key],
        in_order: bool,
        workshop: &mut Workshop<'_>,
    ) -> Option<Fix> {
        const SORTS: &str = "USE TEMP B-TREE FOR ORDER BY";
        let sorts = |fix: &Fix| fix.plan.iter().any(|line| line.trim_start() == SORTS);
        let fix = self.first_tried(keys, ends, false, workshop);
        if !in_order || fix.as_ref().is_some_and(|fix| !sorts(fix)) || keys.iter().any(Key::orders) {
            return fix;
        }
        let order: Vec<Key> = self.order().into_iter().flat_map(|term| term.keys).collect();
        let better = (!order.is_empty()).then(|| self.first_tried(keys, &order, true, workshop)).flatten();
        better.filter(|better| !sorts(better) && !better.step.starts_with("SCAN")).or(fix)
    }

    /// An index that has the columns of the order one after the other, and not in its directions.
    fn other_direction(&self, order: &[&Condition]) -> Option<&IndexObject> {
        let columns: Option<Vec<(&str, bool)>> = order
            .iter()
            .map(|one| Some((self.column(one.query, &one.expression)?.name(), one.descending)))
            .collect();
        let columns = columns.filter(|columns| columns.len() > 1)?;
        self.indexes().filter(|index| index.filter.is_none()).find(|index| {
            index.columns.windows(columns.len()).any(|own| {
                let pairs = || own.iter().zip(&columns);
                let has =
                    pairs().all(|(own, (name, _))| own.name.as_deref().is_some_and(|own| same(own, name)));
                let turned = pairs().filter(|(own, (_, descending))| own.descending != *descending).count();
                has && turned > 0 && turned < columns.len()
            })
        })
    }

    /// The `min()` or `max()` for which the step reads everything, or all that it finds.
    pub fn extreme(&self) -> Vec<Term> {
        let finds = !self.step.terms.is_empty() && self.step.op == Op::Search && !self.step.is_automatic();
        let reads_all = self.step.terms.is_empty() && matches!(self.step.op, Op::Search | Op::Scan);
        let Some(&query) = self.queries().first().filter(|_| finds || reads_all) else { return Vec::new() };
        let lower = self.sql.to_ascii_lowercase();
        let found: Vec<(usize, usize)> = ["min(", "max("]
            .iter()
            .flat_map(|name| lower.match_indices(name))
            .map(|(at, name)| (at, name.len()))
            .collect();
        let [(at, length), ..] = found.as_slice() else { return Vec::new() };
        let Some(argument) = self.sql.get(at + length..).and_then(|rest| rest.split(')').next()) else {
            return Vec::new();
        };
        let read = conditions(&format!("SELECT 1 WHERE {argument}"));
        let [one] = read.as_slice() else { return Vec::new() };
        let Some(named) = self.column(query, &one.expression) else { return Vec::new() };
        let end = at + length + argument.len() + 1;
        let whole = Expression { start: *at, end, form: Form::Null };
        let column = words::code(named.name());
        if finds {
            let is_alone = found.len() == 1;
            return self.extreme_of_found(&whole, &named, is_alone).into_iter().collect();
        }
        if self.step.op == Op::Scan {
            if found.len() != 2 {
                return Vec::new();
            }
            let words =
                "a SELECT of min() and max() reads all rows; one of each alone reads one end of an index"
                    .to_owned();
            return vec![Term::new(Kind::Extreme, &whole, Some(&named), words)];
        }
        let has_way = named.is_rowid || self.is_led_by(&named);
        let words = format!("no index of `{}` begins with {column}", self.table.name);
        let words = if has_way { String::new() } else { words };
        let mut term = Term::new(Kind::NoIndex, &whole, Some(&named), words);
        term.keys = extreme_key(&named).into_iter().collect();
        vec![term]
    }

    /// Whether the index that the step goes by begins with a column. One that does not is read for being smaller.
    fn is_led_by(&self, named: &Named<'_>) -> bool {
        let Some(Index::Named { name, .. }) = &self.step.index else { return self.step.index.is_some() };
        let first = self.indexes().find(|index| same(&index.name, name)).and_then(|one| one.columns.first());
        first.and_then(|one| one.name.as_deref()).is_none_or(|first| same(first, named.name()))
    }

    /// The same where a search finds rows, all of which are read for it: the plan says nothing of that.
    fn extreme_of_found(&self, whole: &Expression, named: &Named<'_>, is_alone: bool) -> Option<Term> {
        let is_sought = self.seeks(named, false);
        let said = words::code(self.sql.get(whole.start..whole.end)?);
        let is_tested = said.to_ascii_lowercase().contains("max(") && has_rows(self.sql);
        let why = if !is_alone {
            "a SELECT of min() and max() reads all of them; one of each alone reads one end".to_owned()
        } else if is_tested {
            // Without rows there is no first one either, and nothing is less than no value.
            let first = words::code(&format!("ORDER BY {} DESC LIMIT 1", named.name()));
            format!(
                "{said} beside a HAVING reads all of them; {first} asks for the same, and an index that ends with it has it first"
            )
        } else {
            format!("{said} reads all of them")
        };
        let mut term =
            Term::new(Kind::Extreme, whole, Some(named), format!("{} finds the rows, and {why}", self.way()));
        if is_alone && !is_tested {
            term.keys = extreme_key(named).into_iter().collect();
        }
        term.needs_fix = !(is_alone && is_tested);
        (!is_sought).then_some(term)
    }
}

/// Whether all that a statement asks of its one group is that there are rows.
fn has_rows(sql: &str) -> bool {
    let rest = find_word(sql, "having").filter(|_| find_word(sql, "group").is_none());
    let rest = rest.and_then(|(_, end)| sql.get(end..)).unwrap_or("");
    let joined: String = rest.split_whitespace().collect::<String>().to_ascii_lowercase();
    joined.trim_end_matches(';') == "count(*)>0"
}

/// What an index has last, so that the least or greatest value is at an end of what is found.
fn extreme_key(named: &Named<'_>) -> Option<Key> {
    Key::column(named, named.collation(), true)
        .or_else(|| named.column.map(|column| Key::rowid(&column.name)))
}

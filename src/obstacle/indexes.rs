//! The index with which a step would be searched, or its rows come in order: made of what the terms ask, and tried.

use super::{
    Fix, FixKind, Kind,
    subject::{Named, Subject, same},
    terms::{Comparison, Term},
    weigh, words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    plan::{Op, Plan, Step},
    schema::replan::Workshop,
};
use std::collections::HashSet;

/// A term of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Key {
    /// As it stands in CREATE INDEX.
    pub text: String,
    /// The WHERE of the index, where it is partial for the sake of this.
    pub filter: Option<String>,
    is_range: bool,
    /// What it is compared with comes from another table.
    is_join: bool,
    /// It is compared with several values.
    is_list: bool,
    /// It is compared with what the caller gives.
    is_given: bool,
    /// It stands in one index with the one before it.
    is_next: bool,
    /// It is no column, or a column in another order.
    is_other: bool,
}

impl Key {
    /// A column, ordered by this collation.
    pub fn column(named: &Named<'_>, collation: &str, is_range: bool) -> Option<Self> {
        let column = named.column.filter(|_| !named.is_rowid)?;
        let collate =
            if same(&column.collation, collation) { String::new() } else { format!(" COLLATE {collation}") };
        let text = format!("{}{collate}", words::name(&column.name));
        Some(Self { text, is_range, is_other: !collate.is_empty(), ..Self::default() })
    }

    /// The rowid, by the column that stands for it, in an order.
    pub fn rowid(name: &str) -> Self {
        Self { text: words::name(name), is_range: true, ..Self::default() }
    }

    /// An expression of columns of the table alone.
    pub fn expression(subject: &Subject<'_>, query: u32, of: &Expression, is_range: bool) -> Option<Self> {
        // A sign is there so that no index is used.
        let text = subject.unqualified(query, of).filter(|_| !matches!(of.form, Form::Unary("+", _)))?;
        Some(Self { text, is_range, is_other: true, ..Self::default() })
    }

    /// The same, marked by what it is compared with.
    pub fn marked(self, one: &Comparison<'_>) -> Self {
        let is_other = |part: &&Expression| matches!(part.form, Form::Column { .. });
        let is_join = one.others.iter().any(|other| other.all().iter().any(is_other));
        let is_given = !one.others.is_empty() && one.others.iter().all(|other| other.form == Form::Parameter);
        Self { is_join, is_list: one.operator == "IN", is_given, ..self }
    }

    /// Whether rows are found by it as they are without another table: by one value, and not by a list or a range.
    pub fn is_equal(&self) -> bool {
        !self.is_range && !self.is_join && !self.is_list
    }

    /// Whether it is compared with several values.
    pub fn is_list(&self) -> bool {
        self.is_list && !self.is_range && !self.is_join
    }

    /// Whether it is compared as a range, or ordered by.
    pub fn orders(&self) -> bool {
        self.is_range
    }

    /// Whether it is compared as a range, with what does not come from another table.
    pub fn is_range(&self) -> bool {
        self.is_range && !self.is_join
    }

    /// Whether it is compared with what the caller gives.
    pub fn is_given(&self) -> bool {
        self.is_given
    }

    /// Whether what it is compared with comes from another table.
    pub fn joins(&self) -> bool {
        self.is_join
    }

    /// The same from the greatest down.
    pub fn descending(self, descending: bool) -> Self {
        Self { text: format!("{}{}", self.text, if descending { words::DESCENDING } else { "" }), ..self }
    }

    /// The same in one index with the one before it.
    pub fn behind(self, is_next: bool) -> Self {
        Self { is_next, ..self }
    }

    /// Only for the rows that a condition wants.
    pub fn only(self, filter: String) -> Self {
        Self { filter: Some(filter), ..self }
    }
}

impl Subject<'_> {
    /// Tries the indexes that the terms, or the order, ask for, and gives the first that helps to what it helps.
    pub fn try_index(
        &self,
        terms: &mut [Term],
        order: &mut [Term],
        extreme: &mut [Term],
        workshop: &mut Workshop<'_>,
    ) {
        for term in terms.iter_mut().filter(|term| term.kind == Kind::Or && term.fix.is_none()) {
            let each = term.keys.chunk_by(|_, next| next.is_next);
            let each: Vec<Vec<&Key>> = each.map(|keys| keys.iter().collect()).collect();
            term.fix = self.tried(&each, workshop);
        }
        let is_plain =
            |term: &&Term| term.kind != Kind::Or && term.keys.iter().all(|key| key.filter.is_none());
        if self.try_null_index(terms, order, extreme, workshop) {
            return;
        }
        let keys: Vec<Key> = terms.iter().filter(is_plain).flat_map(|term| term.keys.clone()).collect();
        let said = |term: &&Term| !term.words.is_empty();
        let ends = order.iter().chain(extreme.iter()).filter(said);
        let ends: Vec<Key> = ends.flat_map(|term| term.keys.clone()).collect();
        if !ends.is_empty()
            && let Some(fix) = self.first_tried(&keys, &ends, true, workshop)
            // What is read in order and tested row by row is still read.
            && (terms.is_empty() || !fix.step.starts_with("SCAN"))
        {
            if let Some(term) = order.first_mut().or(extreme.first_mut()) {
                term.fix = Some(fix);
            }
            return;
        }
        if let Some(term) = extreme.first_mut().filter(|term| term.needs_fix && term.fix.is_none()) {
            term.fix = self.tried_end(&keys, &term.keys.clone(), workshop);
            if term.fix.is_some() {
                return;
            }
        }
        let is_open = |term: &Term| {
            !term.is_used && term.fix.is_none() && term.kind != Kind::Or && !term.words.is_empty()
        };
        let ranges: Vec<Key> = keys.iter().filter(|key| key.is_range).take(1).cloned().collect();
        let open = |term: &Term| is_open(term) && is_plain(&term) && !term.keys.is_empty();
        if let Some(first) = terms.iter().position(open)
            && let Some(fix) = self.serving(&keys, &ranges, order.is_empty(), workshop)
        {
            let is_in = |term: &Term| term.keys.iter().any(|key| fix.part.contains(&key.text));
            let at = terms.iter().position(|term| open(term) && is_in(term));
            if let Some(term) = terms.get_mut(at.unwrap_or(first)) {
                term.fix = Some(fix);
            }
            return;
        }
        if terms.iter().any(|term| term.fix.is_some()) {
            return;
        }
        for term in terms.iter_mut().filter(|term| is_open(term)) {
            let key = term.keys.first().filter(|key| key.filter.is_some()).cloned();
            term.fix = key.and_then(|key| self.tried(&[vec![&key]], workshop));
        }
        if terms.iter().all(|term| term.fix.is_none()) {
            self.try_other_order(terms, workshop);
        }
    }

    /// With an index on the column that joins it, the table may be searched within the loop of the other.
    fn try_other_order(&self, terms: &mut [Term], workshop: &mut Workshop<'_>) {
        for term in terms.iter_mut().filter(|term| !term.is_used && !term.unsaid.is_empty()) {
            let fix = term.keys.first().and_then(|key| self.tried(&[vec![key]], workshop));
            // Whether that is less depends on how many rows the other table has for it.
            term.fix = fix.map(|fix| Fix { needs_measure: true, ..fix });
            if term.fix.is_some() {
                term.words = std::mem::take(&mut term.unsaid);
                return;
            }
        }
    }

    /// An index of the rows in which a column is NULL need not have that: it has what is ordered, or the least of.
    fn try_null_index(
        &self,
        terms: &mut [Term],
        order: &[Term],
        extreme: &[Term],
        workshop: &mut Workshop<'_>,
    ) -> bool {
        let filter = |term: &Term| {
            let filter = term.keys.first()?.filter.clone()?;
            let is_open = !term.is_used && term.fix.is_none() && !term.words.is_empty();
            (is_open && filter.ends_with(" IS NULL")).then_some(filter)
        };
        let Some((term, filter)) = terms.iter_mut().find_map(|term| filter(term).map(|found| (term, found)))
        else {
            return false;
        };
        let ends = order.iter().chain(extreme).flat_map(|term| &term.keys);
        let ends: Vec<Key> = ends.map(|key| key.clone().only(filter.clone())).collect();
        term.fix = self.tried(&[ends.iter().collect()], workshop);
        term.fix.is_some()
    }

    /// Tries the columns that are compared by `=`, and behind them these: first those that do not depend on another
    /// table, unless the step is within the loop of one. An order that a list of values would break is tried without it.
    pub fn first_tried(
        &self,
        keys: &[Key],
        ends: &[Key],
        orders: bool,
        workshop: &mut Workshop<'_>,
    ) -> Option<Fix> {
        let equal = |joins: bool, lists: bool| -> Vec<&Key> {
            let wanted = |key: &&Key| !key.is_range && (joins || !key.is_join) && (lists || !key.is_list);
            keys.iter().filter(wanted).collect()
        };
        let is_within = !self.is_outer();
        let mut tried: Vec<Vec<&Key>> = Vec::new();
        for joins in [is_within, !is_within] {
            for lists in [true, false] {
                let list: Vec<&Key> = equal(joins, lists).into_iter().chain(ends).collect();
                let is_new = !list.is_empty() && !tried.contains(&list) && (lists || orders);
                if !is_new {
                    continue;
                }
                if let Some(fix) = self.tried(std::slice::from_ref(&list), workshop) {
                    return Some(fix);
                }
                tried.push(list);
            }
        }
        // A table that is read later joins by a column that nothing is known of yet.
        let joins: Vec<&Key> = keys.iter().filter(|key| !key.is_range && key.is_join).collect();
        joins.iter().filter(|_| joins.len() > 1).find_map(|join| {
            let list: Vec<&Key> = std::iter::once(*join).chain(equal(false, true)).chain(ends).collect();
            self.tried(std::slice::from_ref(&list), workshop)
        })
    }

    /// Plans the statement with these indexes; `None` where that is no better.
    fn tried(&self, indexes: &[Vec<&Key>], workshop: &mut Workshop<'_>) -> Option<Fix> {
        let (fix, is_better) = self.planned(indexes, workshop)?;
        is_better.then_some(fix)
    }

    /// Plans the statement with an index that has the columns it is searched by, and behind them that of `min()` or
    /// `max()`: SQLite prints the same for all that is found and for one end of it, so that what is measured has to tell.
    fn tried_end(&self, keys: &[Key], ends: &[Key], workshop: &mut Workshop<'_>) -> Option<Fix> {
        // In a subquery for each row around it, what comes from there is one value.
        let is_within = |key: &Key| !self.is_outer() && key.joins() && !key.orders();
        let equal = keys.iter().filter(|key| key.is_equal() || is_within(key));
        let list: Vec<&Key> = equal.chain(ends).collect();
        let (fix, _) = self.planned(&[list], workshop)?;
        Some(Fix { needs_measure: true, ..fix })
    }

    /// The plan of the statement with these indexes, where it goes by one of them, and whether it is better.
    fn planned(&self, indexes: &[Vec<&Key>], workshop: &mut Workshop<'_>) -> Option<(Fix, bool)> {
        let mut lists = Vec::new();
        let can_filter = !workshop.plain_indexes;
        if !can_filter && indexes.iter().flatten().any(|key| key.is_other) {
            return None;
        }
        for keys in indexes {
            // An index is walked from either end: where all are asked for from the greatest down, it need not say so.
            let is_turned = keys.iter().all(|key| !key.is_range || key.text.ends_with(words::DESCENDING));
            let text = |key: &&Key| match key.text.strip_suffix(words::DESCENDING) {
                Some(text) if is_turned => text.to_owned(),
                _ => key.text.clone(),
            };
            let mut texts: Vec<String> = keys.iter().map(text).collect();
            let mut seen = HashSet::new();
            texts.retain(|text| seen.insert(text.clone()));
            let filter = keys.iter().find_map(|key| key.filter.as_ref()).filter(|_| can_filter);
            let filter = filter.map_or_else(String::new, |filter| format!(" WHERE {filter}"));
            let list = (!texts.is_empty()).then(|| format!("({}){filter}", texts.join(", ")))?;
            if !lists.contains(&list) {
                lists.push(list);
            }
        }
        if lists.is_empty() || indexes.iter().any(|keys| self.begins_unique(keys)) {
            return None;
        }
        let (schema, table) = (&self.table.schema, &self.table.name);
        let plan = workshop.plan_with(schema, table, &lists, self.sql)?;
        let step =
            weigh::trial_step(&plan).filter(|step| step.name == self.step.name || step.op == Op::InIndex)?;
        let is_partial = can_filter && indexes.iter().flatten().any(|key| key.filter.is_some());
        // The least or greatest value is at an end of the index, which no term says.
        let is_end = step.op == Op::Search && step.terms.is_empty();
        let is_better = is_partial || is_end || self.improves(&plan);
        Some((self.fix(&lists, &plan, step), is_better))
    }

    fn fix(&self, lists: &[String], plan: &Plan, step: &Step) -> Fix {
        let step = weigh::trial_words(step);
        let table = &self.table.name;
        let mut names: Vec<String> = Vec::new();
        for list in lists {
            names.push(words::index_name(self.objects, table, list, &names));
        }
        // An index is made in the schema of its table, which has to be said of one that is attached.
        let schema = Some(&self.table.schema).filter(|schema| !same(schema, "main") && !same(schema, "temp"));
        let home = schema.map_or_else(String::new, |schema| format!("{}.", words::name(schema)));
        let create = |(name, list)| format!("CREATE INDEX {home}{name} ON {} {list}", words::name(table));
        let texts: Vec<String> = names.iter().zip(lists).map(create).collect();
        let plan = words::renamed(plan, &names);
        let (text, part) = (texts.join("; "), lists.join(" and "));
        let (kind, needs_measure) = (FixKind::Index, false);
        Fix { kind, text, part, condition: None, step, plan, after: None, needs_measure }
    }
}

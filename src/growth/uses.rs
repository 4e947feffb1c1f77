//! What the statements of a database ask of its columns: by which they compare, join and sort, and what stands for
//! each parameter. Knows words and names; knows no values.

use super::flags::{apart, is_of_row};
use super::literals::{Literal, listed, literals};
use super::parameters::{Choices, Target, targets};
use super::stored::Stored;
use crate::{
    extract::{
        names::{self, Clause, Names, Predicate, Value},
        text::HOLE,
    },
    schema::{Explained, Objects, TableKind},
    workload::Statement,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A column: the number of its table among the objects, and its own number there.
pub(super) type At = (usize, usize);

/// The tables and columns of a database, by name.
pub(super) struct Catalog<'a> {
    pub objects: &'a Objects,
    tables: HashMap<String, usize>,
    columns: HashMap<(usize, String), usize>,
}

impl<'a> Catalog<'a> {
    pub fn new(objects: &'a Objects) -> Self {
        let mut tables = HashMap::new();
        let mut columns = HashMap::new();
        for (index, table) in objects.tables.iter().enumerate() {
            if table.kind == TableKind::Shadow {
                continue;
            }
            tables.entry(table.name.to_lowercase()).or_insert(index);
            for (number, column) in table.columns.iter().enumerate() {
                columns.entry((index, column.name.to_lowercase())).or_insert(number);
            }
        }
        Self { objects, tables, columns }
    }

    pub fn table(&self, name: &str) -> Option<usize> {
        self.tables.get(&name.to_lowercase()).copied()
    }

    fn is_always(&self, at: At, operator: &str) -> bool {
        let column = self.objects.tables.get(at.0).and_then(|table| table.columns.get(at.1));
        operator == "IS NOT NULL" && column.is_some_and(|one| one.not_null)
    }

    /// A column of a table; the rowid is the column that is another name for it.
    pub fn column(&self, table: usize, name: &str) -> Option<At> {
        let lower = name.to_lowercase();
        if let Some(&column) = self.columns.get(&(table, lower.clone())) {
            return Some((table, column));
        }
        let columns = &self.objects.tables.get(table)?.columns;
        let is_rowid = matches!(lower.as_str(), "rowid" | "oid" | "_rowid_");
        let mut keys = columns.iter().enumerate().filter(|(_, column)| column.primary_key > 0);
        let (number, key) = keys.next().filter(|_| is_rowid)?;
        (key.declared_type.eq_ignore_ascii_case("INTEGER") && keys.next().is_none())
            .then_some((table, number))
    }

    /// Whether a foreign key has a column.
    pub fn is_child(&self, (table, column): At) -> bool {
        let Some(table) = self.objects.tables.get(table) else { return false };
        let Some(column) = table.columns.get(column) else { return false };
        let mut own =
            self.objects.foreign_keys.iter().filter(|key| key.table.eq_ignore_ascii_case(&table.name));
        own.any(|key| key.columns.iter().any(|(name, _)| name.eq_ignore_ascii_case(&column.name)))
    }

    /// The column that a name means in a statement.
    pub fn resolve(
        &self,
        names: Option<&Names>,
        explained: Option<&Explained>,
        qualifier: Option<&str>,
        column: &str,
    ) -> Option<At> {
        let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let within = names.into_iter().flat_map(|names| &names.tables).filter(|table| {
            qualifier.is_none_or(|name| same(table.alias.as_deref().unwrap_or(&table.name), name))
        });
        let mut tables = within.filter_map(|table| self.table(&table.name));
        tables.find_map(|table| self.column(table, column)).or_else(|| {
            let mut reads = explained?.reads.iter().filter(|read| same(&read.column, column));
            reads.find_map(|read| self.column(self.table(&read.table)?, column))
        })
    }
}

/// What is asked of a column, by all statements together.
#[derive(Debug, Default)]
pub(super) struct Use {
    /// The literals that it is compared with, or tested against, by `=`, `<>`, IN and their like.
    pub literals: BTreeSet<Literal>,
    /// The literals that bound it.
    pub bounds: BTreeSet<Literal>,
    /// The largest whole number on the far side of each bound, which stands apart from the keys that a column refers to.
    pub apart: BTreeSet<Literal>,
    /// The literals that an UPDATE sets it to.
    pub set: BTreeSet<Literal>,
    /// An UPDATE sets it to what is no literal.
    pub changes: bool,
    /// It is compared by `=` with a parameter.
    pub sought: bool,
    /// It is compared by `<>` or NOT IN with a parameter.
    pub excluded: bool,
    /// It is compared as a range with a parameter.
    pub ranged: bool,
    /// It is compared with a pattern, or a part of it is.
    pub patterned: bool,
    /// It is compared with a column.
    pub joined: bool,
    /// It is the first term of an ORDER BY.
    pub sorted: bool,
    /// It holds JSON.
    pub json: bool,
}

/// Columns of one table that are compared with columns of another: tables, then pairs of columns.
pub(super) type Joins = BTreeMap<(usize, usize), BTreeSet<(usize, usize)>>;

/// What all statements ask.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub columns: BTreeMap<At, Use>,
    pub joins: Joins,
    pub stored: Stored,
}

/// What one statement asks.
#[derive(Debug)]
pub(super) struct Reading {
    /// What each parameter stands for.
    pub targets: Vec<Target>,
    /// The parameters by which it chooses what it runs.
    pub choices: Choices,
    /// What each was given in a log, as far as that is known.
    pub given: Vec<Option<Literal>>,
    /// The columns that it tests, and does not only join by.
    pub tested: BTreeSet<At>,
    /// Its outermost SELECT has a WHERE.
    pub is_filtered: bool,
    /// It has a LIMIT, at any depth.
    pub is_limited: bool,
    /// The LIMIT is its own, and not one of a subquery.
    pub is_cut: bool,
    /// Where a list of parameters stands that may have any length.
    pub list: Option<(usize, usize)>,
    before_list: usize,
    /// It looks in a table for the range that a value of another lies in: nothing is known of such ranges.
    pub joins_ranges: bool,
    predicates: Vec<(At, Predicate, Option<At>)>,
}

impl Reading {
    /// How many parameters stand in front of the list.
    pub fn list_place(&self) -> usize {
        self.before_list
    }

    /// Reads a statement; `None` where nothing was planned.
    pub fn new(catalog: &Catalog<'_>, statement: &Statement) -> Option<Self> {
        let explained = statement.explained()?;
        let names = statement.names.as_deref();
        let text = statement.text.as_str();
        let fillings = fillings(&statement.raw, text);
        // What stands for an unknown part of a literal is no parameter, and the literal none that the program has.
        let is_filling = |one: &Predicate| {
            let is_unknown = |from: usize, to: usize| {
                matches!(one.value, Value::Literal(_))
                    || !text.get(from..to).is_some_and(|one| one.contains('?'))
            };
            fillings.iter().any(|&(from, to)| from < one.end && one.start < to && is_unknown(from, to))
        };
        let mut predicates = Vec::new();
        for predicate in names.iter().flat_map(|names| &names.predicates) {
            let resolve =
                |of: Option<&str>, column: &str| catalog.resolve(names, Some(explained), of, column);
            let Some(at) = resolve(predicate.qualifier.as_deref(), &predicate.column) else { continue };
            let other = match &predicate.value {
                Value::Column { qualifier, name } => resolve(qualifier.as_deref(), name),
                _ => None,
            };
            let is_asked = !is_filling(predicate) && !is_of_row(names, predicate, text);
            if is_asked && !catalog.is_always(at, &predicate.operator) {
                predicates.push((at, predicate.clone(), other));
            }
        }
        let list = fillings.iter().copied().find(|(from, to)| is_list(text, *from, *to));
        let (targets, choices) = targets(catalog, statement, explained, names, &predicates);
        let is_tested = |clause| matches!(clause, Clause::Where | Clause::Join | Clause::Having);
        // What is compared with a column of another table joins the two, whatever most rows have there.
        let joins = |at: &At, other: &Option<At>| other.is_some_and(|other| other.0 != at.0);
        let tested = predicates.iter().filter(|(at, one, other)| is_tested(one.clause) && !joins(at, other));
        let value = |said: &Option<String>| literals(said.as_deref()?).pop();
        Some(Self {
            tested: tested.map(|(at, ..)| *at).collect(),
            targets,
            choices,
            given: statement.logged.iter().flat_map(|logged| &logged.given).map(value).collect(),
            is_filtered: names.map_or_else(|| names::is_filtered(text), |names| names.filtered),
            joins_ranges: predicates.iter().any(|(at, one, other)| {
                let is_other = other.is_none_or(|other| other.0 != at.0);
                matches!(one.value, Value::Column { .. })
                    && is_other
                    && operator(&one.operator) == Some(Op::Between)
            }),
            is_limited: names::find_word(text, "limit").is_some(),
            is_cut: names.map_or_else(|| names::find_word(text, "limit").is_some(), |names| names.limit),
            before_list: list.map_or(0, |(from, _)| text.get(..from).unwrap_or("").matches('?').count()),
            list,
            predicates,
        })
    }

    /// The columns that are compared by `=` with a value that is given when it runs.
    pub fn compared(&self) -> impl Iterator<Item = At> {
        let is_compared = |one: &&(At, Predicate, Option<At>)| {
            let (_, predicate, _) = one;
            predicate.clause == Clause::Where
                && operator(&predicate.operator) == Some(Op::Equal)
                && matches!(predicate.value, Value::Parameter)
        };
        self.predicates.iter().filter(is_compared).map(|(at, ..)| *at)
    }

    /// The columns that are compared as ranges with a value that is given when it runs.
    pub fn bounded(&self) -> impl Iterator<Item = At> {
        let is_bounded = |one: &&(At, Predicate, Option<At>)| {
            let is_range = matches!(operator(&one.1.operator), Some(Op::Lower | Op::Upper | Op::Between));
            one.1.clause == Clause::Where && is_range && matches!(one.1.value, Value::Parameter)
        };
        self.predicates.iter().filter(is_bounded).map(|(at, ..)| *at)
    }

    /// The literals that a column is compared with by `=`.
    pub fn literals_of(&self, at: At) -> Vec<Literal> {
        let own = self.predicates.iter().filter(|(other, one, _)| {
            *other == at && one.clause == Clause::Where && operator(&one.operator) == Some(Op::Equal)
        });
        own.flat_map(
            |(_, one, _)| if let Value::Literal(text) = &one.value { literals(text) } else { Vec::new() },
        )
        .collect()
    }

    /// Whether no table has two columns that are bounded: of these, no index narrows both.
    pub fn bounds_one_each(&self) -> bool {
        let mut bounded: BTreeSet<At> = BTreeSet::new();
        for (at, predicate, _) in self.predicates.iter().filter(|(_, one, _)| one.clause != Clause::OrderBy) {
            if matches!(operator(&predicate.operator), Some(Op::Lower | Op::Upper | Op::Between)) {
                bounded.insert(*at);
            }
        }
        let tables: BTreeSet<usize> = bounded.iter().map(|at| at.0).collect();
        tables.len() == bounded.len()
    }

    /// Whether it asks for an order.
    pub fn orders(&self) -> bool {
        self.predicates.iter().any(|(_, predicate, _)| predicate.clause == Clause::OrderBy)
    }

    /// Adds what the statement asks to what others do.
    pub fn add_to(&self, uses: &mut Uses) {
        let mut sorts = true;
        for (at, predicate, other) in &self.predicates {
            let column = uses.columns.entry(*at).or_default();
            note(column, predicate);
            if predicate.clause == Clause::OrderBy {
                column.sorted |= sorts;
                sorts = false;
            }
            if let Some(other) = other.filter(|other| other != at) {
                column.joined = true;
                if operator(&predicate.operator) == Some(Op::Equal) {
                    join(&mut uses.joins, *at, other);
                }
            }
        }
    }
}

fn join(joins: &mut Joins, one: At, other: At) {
    let ((a, x), (b, y)) = if one <= other { (one, other) } else { (other, one) };
    if a != b {
        joins.entry((a, b)).or_default().insert((x, y));
    }
}

pub(super) fn note(column: &mut Use, predicate: &Predicate) {
    let wrapper = predicate.wrapper.as_deref().unwrap_or("");
    if wrapper.contains("json") || wrapper.contains("->") {
        column.json = true;
        return;
    }
    column.patterned |= operator(&predicate.operator) == Some(Op::Like);
    let compared = matches!(predicate.clause, Clause::Where | Clause::Join | Clause::Having);
    match &predicate.value {
        Value::Literal(text) if predicate.clause == Clause::Set => column.set.extend(literals(text)),
        _ if predicate.clause == Clause::Set => column.changes = true,
        _ if !compared || !wrapper.is_empty() => {}
        Value::Literal(text) => match operator(&predicate.operator) {
            Some(Op::Equal | Op::Unequal) => column.literals.extend(literals(text)),
            Some(Op::In) => column.literals.extend(listed(text)),
            Some(op @ (Op::Lower | Op::Upper | Op::Between)) => {
                let bounds = literals(text);
                column.apart.extend(bounds.iter().filter_map(|one| apart(&predicate.operator, op, one)));
                column.bounds.extend(bounds);
            }
            _ => {}
        },
        Value::Parameter | Value::Joined(_) | Value::Expression => match operator(&predicate.operator) {
            Some(Op::Equal | Op::In) => column.sought = true,
            Some(Op::Unequal) => column.excluded = true,
            Some(Op::Lower | Op::Upper | Op::Between) => column.ranged = true,
            _ => {}
        },
        Value::Nothing if predicate.operator.ends_with("NULL") => {
            column.literals.insert(Literal::Null);
        }
        Value::Nothing if predicate.operator.is_empty() || predicate.operator == "NOT" => {
            column.literals.extend([Literal::Integer(0), Literal::Integer(1)]);
        }
        Value::Subquery if operator(&predicate.operator) == Some(Op::In) => column.sought = true,
        _ => {}
    }
}

/// What an operator does to the column on its left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Equal,
    Unequal,
    /// The value is a lower bound.
    Lower,
    Upper,
    Between,
    In,
    Like,
}

/// The operator that a word stands for.
pub(super) fn operator(text: &str) -> Option<Op> {
    Some(match text.to_ascii_uppercase().as_str() {
        "=" | "==" | "IS" | "IS NOT DISTINCT FROM" | "NOT <>" | "NOT !=" => Op::Equal,
        "<>" | "!=" | "IS NOT" | "IS DISTINCT FROM" | "NOT =" | "NOT IN" => Op::Unequal,
        ">" | ">=" | "NOT <" | "NOT <=" => Op::Lower,
        "<" | "<=" | "NOT >" | "NOT >=" => Op::Upper,
        "BETWEEN" => Op::Between,
        "IN" => Op::In,
        "LIKE" | "GLOB" | "MATCH" | "REGEXP" => Op::Like,
        _ => return None,
    })
}

/// Where the holes of a text were filled.
fn fillings(raw: &str, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut parts = raw.split(HOLE).peekable();
    while let Some(part) = parts.next() {
        if !text.get(at..).is_some_and(|rest| rest.starts_with(part)) {
            return Vec::new();
        }
        at += part.len();
        let Some(next) = parts.peek() else { break };
        let rest = text.get(at..).unwrap_or("");
        let length = if next.is_empty() { rest.len() } else { rest.find(next).unwrap_or(rest.len()) };
        found.push((at, at + length));
        at += length;
    }
    found
}

/// Whether a filling is a list behind IN, which may have any length.
fn is_list(text: &str, from: usize, to: usize) -> bool {
    let before = text.get(..from).unwrap_or("").trim_end_matches(['(', ' ', '\n', '\t']);
    let word = before.get(before.len().saturating_sub(2)..).unwrap_or("");
    text.get(from..to).is_some_and(|filling| filling.contains("?, ?")) && word.eq_ignore_ascii_case("in")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillings_are_found_where_the_holes_were() {
        let text = "SELECT a FROM t WHERE b IN (?, ?) AND c = ?";
        let found = fillings("SELECT a FROM t WHERE b IN (\u{1}) AND c = \u{1}", text);
        assert_eq!(found, [(28, 32), (42, 43)]);
        assert!(is_list(text, 28, 32) && !is_list(text, 42, 43) && fillings("other \u{1}", text).is_empty());
    }
}

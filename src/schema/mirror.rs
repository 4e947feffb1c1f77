//! What SQLite's planner asks of the tables of a statement: which column, compared how, by which collation, with which
//! literal, and which order. It is asked itself, on a mirror of the schema: every table is there once more as a virtual
//! one, which the planner has to tell what it could make use of. So names, views, aliases and equalities that follow
//! from others are resolved by SQLite and by nobody else.
//!
//! What stands behind a function, or in a term that no index can serve, is not asked for: that it is missing here is the
//! first thing to know about it. Knows no index, and no place in a text.

use super::counters::{self, Watch};
use super::guard::Mode;
use super::objects::{Column, Objects, Table, TableKind};
use super::tokens::{Token, Tokens};
use super::{Live, SchemaError, Settings, quoted, quoted_text, sqlite};
use sqlite::types::ValueRef;
use sqlite::vtab::{IndexConstraintOp, IndexInfo};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The tables of a schema as virtual ones, which write down what they are asked.
pub struct Mirror {
    live: Live,
    seen: Seen,
}

type Seen = Arc<Mutex<Vec<Asked>>>;

/// What the planner asked of one table at once: of the terms of a WHERE, or of one arm of an OR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The table, as an index of [`Objects::tables`].
    pub table: usize,
    /// The terms that could narrow it.
    pub terms: Vec<AskedTerm>,
    /// The columns by which its rows should be ordered, and whether from the greatest down.
    pub order: Vec<(Option<usize>, bool)>,
}

/// A term that could narrow a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedTerm {
    /// The column, as an index of [`Table::columns`]; `None` for the rowid.
    pub column: Option<usize>,
    /// As SQL spells it, with the column on its left; IN is `=`.
    pub operator: &'static str,
    /// By which values are compared.
    pub collation: String,
    /// The value, as SQL, where it is known when the statement is planned.
    pub literal: Option<String>,
}

impl Mirror {
    /// A mirror of these objects. Tables of one name in several schemas can't be told apart, and are left out.
    ///
    /// # Errors
    ///
    /// SQLite has no memory left.
    pub fn new(settings: &Settings, objects: &Objects) -> Result<Self, SchemaError> {
        let plain = Settings { pragmas: BTreeMap::new(), ..settings.clone() };
        let live = Live::open(&plain)?;
        let seen = Seen::default();
        let mut names: HashMap<String, u32> = HashMap::new();
        for table in &objects.tables {
            *names.entry(table.name.to_ascii_lowercase()).or_default() += 1;
        }
        let is_only = |table: &Table| names.get(&table.name.to_ascii_lowercase()) == Some(&1);
        for (number, table) in objects.tables.iter().enumerate().filter(|(_, table)| is_only(table)) {
            let columns: Vec<String> = table.columns.iter().map(|column| declared(table, column)).collect();
            // What can't be declared is not in the mirror: a statement on it is not asked about.
            let watch = watch(number, &seen);
            let _ = counters::watched_table(&live.connection, &table.name, &columns.join(", "), watch);
        }
        let mut mirror = Self { live, seen };
        for view in &objects.views {
            mirror.live.apply(&view.sql);
        }
        Ok(mirror)
    }

    /// What the planner asks for the sake of a statement, each thing once; `None` where it can't be planned on virtual
    /// tables.
    pub fn ask(&mut self, sql: &str) -> Option<Vec<Asked>> {
        self.take();
        self.live.guard.begin(Mode::Explain);
        let is_prepared = self.live.connection.prepare(&inner(sql)).is_ok();
        let seen = self.take();
        is_prepared.then_some(seen)
    }

    fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A column as it is declared, as far as that changes how it is compared.
fn declared(table: &Table, column: &Column) -> String {
    let mut text = quoted(&column.name);
    let kind: String = column.declared_type.chars().filter(|next| !"(),".contains(*next)).collect();
    if matches!(table.kind, TableKind::Ordinary) {
        for part in [" ", &kind, " COLLATE ", &quoted(&column.collation)] {
            text.push_str(part);
        }
        text.push_str(if column.not_null { " NOT NULL" } else { "" });
    }
    text.push_str(if column.hidden { " HIDDEN" } else { "" });
    text
}

fn watch(table: usize, seen: &Seen) -> Watch {
    let seen = Arc::clone(seen);
    Arc::new(move |plan: &mut IndexInfo| {
        let asked = Asked { table, terms: terms(plan), order: order(plan) };
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.contains(&asked) {
            seen.push(asked);
        }
        drop(seen);
        answer(plan);
    })
}

fn terms(plan: &IndexInfo) -> Vec<AskedTerm> {
    let read = |(at, constraint): (usize, sqlite::vtab::IndexConstraint<'_>)| {
        Some(AskedTerm {
            column: usize::try_from(constraint.column()).ok(),
            operator: spelt(&constraint.operator())?,
            collation: plan.collation(at).unwrap_or("BINARY").to_owned(),
            literal: plan.rhs_value(at).ok().flatten().map(literal),
        })
    };
    let mut terms: Vec<AskedTerm> = Vec::new();
    for term in plan.constraints().enumerate().filter_map(read) {
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    terms
}

fn order(plan: &IndexInfo) -> Vec<(Option<usize>, bool)> {
    plan.order_bys().map(|term| (usize::try_from(term.column()).ok(), term.is_order_by_desc())).collect()
}

/// Takes every equality that it is offered, so that the planner goes on to the next table as it would with an index.
fn answer(plan: &mut IndexInfo) {
    let is_sought = |constraint: &sqlite::vtab::IndexConstraint<'_>| {
        constraint.is_usable() && constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ
    };
    let sought: Vec<usize> =
        plan.constraints().enumerate().filter(|(_, one)| is_sought(one)).map(|(at, _)| at).collect();
    for (place, at) in sought.iter().enumerate() {
        plan.constraint_usage(*at).set_argv_index(i32::try_from(place + 1).unwrap_or(i32::MAX));
    }
    plan.set_estimated_cost(if sought.is_empty() { 1_000_000.0 } else { 10.0 });
    plan.set_estimated_rows(if sought.is_empty() { 1_000_000 } else { 10 });
}

fn spelt(operator: &IndexConstraintOp) -> Option<&'static str> {
    use IndexConstraintOp as Op;
    Some(match operator {
        Op::SQLITE_INDEX_CONSTRAINT_EQ => "=",
        Op::SQLITE_INDEX_CONSTRAINT_GT => ">",
        Op::SQLITE_INDEX_CONSTRAINT_LE => "<=",
        Op::SQLITE_INDEX_CONSTRAINT_LT => "<",
        Op::SQLITE_INDEX_CONSTRAINT_GE => ">=",
        Op::SQLITE_INDEX_CONSTRAINT_MATCH => "MATCH",
        Op::SQLITE_INDEX_CONSTRAINT_LIKE => "LIKE",
        Op::SQLITE_INDEX_CONSTRAINT_GLOB => "GLOB",
        Op::SQLITE_INDEX_CONSTRAINT_REGEXP => "REGEXP",
        Op::SQLITE_INDEX_CONSTRAINT_NE => "<>",
        Op::SQLITE_INDEX_CONSTRAINT_ISNOT => "IS NOT",
        Op::SQLITE_INDEX_CONSTRAINT_ISNOTNULL => "IS NOT NULL",
        Op::SQLITE_INDEX_CONSTRAINT_ISNULL => "IS NULL",
        Op::SQLITE_INDEX_CONSTRAINT_IS => "IS",
        Op::SQLITE_INDEX_CONSTRAINT_LIMIT
        | Op::SQLITE_INDEX_CONSTRAINT_OFFSET
        | Op::SQLITE_INDEX_CONSTRAINT_FUNCTION(_) => return None,
    })
}

fn literal(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(text) => quoted_text(&String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("x'{}'", digits.concat())
        }
    }
}

/// A statement without what a virtual table can't do: `INDEXED BY`, and at the end an upsert or a RETURNING, whose
/// subqueries are not asked about.
fn inner(sql: &str) -> String {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let mut text = String::with_capacity(sql.len());
    let (mut from, mut depth, mut at) = (0, 0_usize, 0);
    while let Some(token) = tokens.get(at) {
        let is = |ahead: usize, word: &str| tokens.get(at + ahead).is_some_and(|token| token.is(word));
        depth += usize::from(token.is_sign('('));
        depth = depth.saturating_sub(usize::from(token.is_sign(')')));
        let is_end = is(0, "RETURNING")
            || (is(0, "ON")
                && is(1, "CONFLICT")
                && tokens.get(at + 2).is_some_and(|next| next.is("DO") || next.is_sign('(')));
        if depth == 0 && is_end {
            text.push_str(sql.get(from..token.start).unwrap_or(""));
            return text;
        }
        let hint = if is(0, "INDEXED") && is(1, "BY") {
            3
        } else if is(0, "NOT") && is(1, "INDEXED") {
            2
        } else {
            0
        };
        if hint > 0 {
            text.push_str(sql.get(from..token.start).unwrap_or(""));
            from = tokens.get(at + hint - 1).map_or(sql.len(), |last| last.end);
        }
        at += hint.max(1);
    }
    text.push_str(sql.get(from..).unwrap_or(""));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(schema: &str, sql: &str) -> Option<Vec<String>> {
        let mut live = Live::open(&Settings::default()).unwrap();
        for applied in live.apply(schema) {
            applied.outcome.unwrap();
        }
        let objects = live.objects().unwrap();
        let mut mirror = Mirror::new(live.settings(), &objects).unwrap();
        let shown = |asked: Asked| {
            let table = &objects.tables[asked.table];
            let name = |column: Option<usize>| column.map_or("rowid", |at| table.columns[at].name.as_str());
            let terms = asked.terms.iter().map(|term| {
                let literal = term.literal.as_deref().unwrap_or("?");
                format!("{} {} {literal} {}", name(term.column), term.operator, term.collation)
            });
            let order = asked.order.iter().map(|(column, down)| format!("{} {down}", name(*column)));
            let terms = terms.collect::<Vec<_>>().join(", ");
            format!("{}: {terms}; {}", table.name, order.collect::<Vec<_>>().join(", "))
        };
        Some(mirror.ask(sql)?.into_iter().map(shown).collect())
    }

    const SCHEMA: &str =
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT COLLATE NOCASE, c NOT NULL);
        CREATE TABLE u(t INTEGER, n);
        CREATE VIEW v AS SELECT a AS x, b AS y FROM t;";

    #[test]
    fn the_planner_says_column_operator_value_and_collation() {
        let sql = "SELECT * FROM v WHERE x = 5 AND y > ? ORDER BY x, y DESC";
        assert_eq!(asked(SCHEMA, sql).unwrap(), ["t: a = 5 BINARY, b > ? NOCASE; a false, b true"]);
        let sql = "SELECT 1 FROM t WHERE b = ? COLLATE BINARY";
        assert_eq!(asked(SCHEMA, sql).unwrap(), ["t: b = ? BINARY; "]);
    }

    #[test]
    fn what_is_wrapped_is_not_asked_for() {
        assert_eq!(asked(SCHEMA, "SELECT 1 FROM t WHERE lower(b) = 'x' AND +a = 1").unwrap(), ["t: ; "]);
    }

    #[test]
    fn statements_that_no_virtual_table_takes_are_asked_without_that() {
        let upsert = "INSERT INTO u SELECT id, a FROM t WHERE a = 1 ON CONFLICT DO NOTHING";
        assert_eq!(asked(SCHEMA, upsert).unwrap(), ["t: a = 1 BINARY; "]);
        let returning = "DELETE FROM t WHERE a = 1 RETURNING id";
        assert_eq!(asked(SCHEMA, returning).unwrap(), ["t: a = 1 BINARY; "]);
        let hinted = "UPDATE t INDEXED BY t_a SET c = 1 WHERE a = 1";
        assert_eq!(asked(SCHEMA, hinted).unwrap(), ["t: a = 1 BINARY; "]);
    }

    #[test]
    fn what_reaches_a_file_is_not_asked_about() {
        assert_eq!(asked(SCHEMA, "SELECT load_extension('x') FROM t"), None);
        assert_eq!(asked(SCHEMA, "SELECT nothing FROM t"), None);
    }
}

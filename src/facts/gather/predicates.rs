//! The queries of statements, the tables they name and what they ask of columns, as facts.

use super::Gatherer;
use crate::{
    extract::{
        names::{Clause, Names, Predicate, QueryKind, Value},
        text::Text,
    },
    workload::{Scopes, Statement},
};

impl Gatherer<'_> {
    /// The queries, tables and predicates of a statement.
    pub(super) fn gather_names(&mut self, row: i64, statement: &Statement, names: &Names) {
        let place = |start: usize, end: usize| statement.text.site(start as u32, end as u32);
        for query in 0..names.queries.len() as u32 {
            let mut subqueries = 0;
            for outer in names.outwards(query) {
                self.facts.insert(
                    "query_within",
                    [
                        ("statement", &row),
                        ("query", &query),
                        ("within", &outer),
                        ("subqueries", &subqueries),
                        ("limited", &names.queries.get(outer as usize).is_some_and(|one| one.limited)),
                        ("windowed", &names.queries.get(outer as usize).is_some_and(|one| one.windowed)),
                        ("negated", &names.queries.get(outer as usize).is_some_and(|one| one.negated)),
                    ],
                );
                subqueries += i64::from(names.kind(outer) == Some(QueryKind::Subquery));
            }
        }
        for table in &names.tables {
            let site = self.optional_site(place(table.start, table.end));
            let schema = (!table.is_common).then_some(table.schema.as_deref().unwrap_or("main"));
            self.facts.insert(
                "table_reference",
                [
                    ("statement", &row),
                    ("query", &table.query),
                    ("schema", &schema),
                    ("table", &table.name),
                    ("alias", &table.alias),
                    ("natural", &table.join.as_deref().is_some_and(|join| join.contains("NATURAL"))),
                    ("site", &site),
                ],
            );
        }
        self.gather_predicates(row, statement, names);
    }

    fn gather_predicates(&mut self, statement_row: i64, statement: &Statement, names: &Names) {
        let database = statement.database().and_then(|index| self.program.databases.get(index));
        let scopes = Scopes { names, objects: database.map(|database| &database.variant.objects) };
        for one in scopes.captured(statement.text.as_str()) {
            let site = self.optional_site(statement.text.site(one.start as u32, one.end as u32));
            self.facts.insert(
                "captured_column",
                [
                    ("statement", &statement_row),
                    ("column", &one.column),
                    ("table", &one.table),
                    ("within", &one.within),
                    ("listed", &one.is_listed),
                    ("site", &site),
                ],
            );
        }
        for (ordinal, predicate) in names.predicates.iter().enumerate() {
            let site = self.optional_site(statement.text.site(predicate.start as u32, predicate.end as u32));
            let (value, literal) = value(&predicate.value);
            let literal = literal.or(predicate.pattern.as_deref());
            let is_put = value == Some("literal") && is_put_in(&statement.text, predicate);
            let (table, other) = (scopes.column(predicate), scopes.value(predicate));
            let row = self.facts.insert(
                "predicate",
                [
                    ("statement", &statement_row),
                    ("query", &predicate.query),
                    ("clause", &clause(predicate.clause)),
                    ("ordinal", &(ordinal as i64)),
                    ("table", &table),
                    ("column", &predicate.column),
                    ("operator", &predicate.operator),
                    ("wrapper", &predicate.wrapper),
                    ("value", &value),
                    ("literal", &literal),
                    ("put_in", &is_put),
                    ("value_table", &other.and_then(|(table, _)| table)),
                    ("value_column", &other.map(|(_, column)| column)),
                    ("site", &site),
                ],
            );
            if let Some(site) = site {
                self.known.predicates.entry((statement_row, site)).or_insert(row);
            }
        }
    }
}

/// Whether the end of a condition, which is what its column is compared with, stands apart from its beginning in the sources.
fn is_put_in(text: &Text, predicate: &Predicate) -> bool {
    /// The most bytes between them where one is written behind the other, quotes and signs of the language among them.
    const BETWEEN: u32 = 80;
    let last = predicate.end.saturating_sub(1) as u32;
    let (first, end) = (text.locate(predicate.start as u32), text.locate(last));
    let most = last.saturating_sub(predicate.start as u32) + BETWEEN;
    first.zip(end).is_some_and(|((source, from), (other, to))| source != other || from.abs_diff(to) > most)
}

/// What a column is compared with, and the literal that it is, or what of it is literal.
fn value(value: &Value) -> (Option<&'static str>, Option<&str>) {
    match value {
        Value::Literal(text) => (Some("literal"), Some(text.as_str())),
        Value::Parameter => (Some("parameter"), None),
        Value::Column { .. } => (Some("column"), None),
        Value::Subquery => (Some("subquery"), None),
        Value::Joined(text) => (Some("expression"), Some(text.as_str())),
        Value::Expression => (Some("expression"), None),
        Value::Nothing => (None, None),
    }
}

fn clause(clause: Clause) -> &'static str {
    match clause {
        Clause::Where => "where",
        Clause::Join => "join",
        Clause::Having => "having",
        Clause::OrderBy => "order_by",
        Clause::GroupBy => "group_by",
        Clause::Set => "set",
    }
}

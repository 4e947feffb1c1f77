//! Which columns of tables the columns of views are. SQLite is asked for the rows of a view in which a column has a value that
//! nothing else has, and the planner says which columns it would find by that. What it computes, groups or limits first, it
//! does not look for there.

use super::{Read, is_own_read, subject::same};
use crate::{
    extract::names::expressions::{Expression, Form},
    plan::{Plan, Step},
    schema::{Objects, mirror::Mirror, quoted, quoted_text},
    workload::Scopes,
};

/// A value that no view compares with.
const VALUE: &str = "planlint asks";

/// The most columns of views that are asked about for a statement.
const MOST: usize = 16;

/// The columns of views that a statement has in its conditions, and the columns that they are.
#[derive(Default)]
pub(super) struct Through {
    reached: Vec<Reached>,
}

/// A column of a view, and one of a table.
pub(super) struct Reached {
    query: u32,
    view: String,
    column: String,
    /// The table, as an index of [`Objects::tables`].
    table: usize,
    /// The column, as an index of its columns; `None` for the rowid.
    pub own: Option<usize>,
}

impl Through {
    pub fn new(read: &Read, objects: &Objects, mirror: Option<&mut Mirror>) -> Self {
        let Some(mirror) = mirror.filter(|_| !objects.views.is_empty()) else { return Self::default() };
        let scopes = Scopes { names: &read.names, objects: Some(objects) };
        let view = |query: u32, part: &Expression| {
            let Form::Column { qualifier, name, .. } = &part.form else { return None };
            let owner = scopes.table(query, qualifier.as_deref(), name)?;
            let view = objects.views.iter().find(|view| same(&view.name, owner))?;
            Some((query, view.name.clone(), name.clone()))
        };
        let mut wanted: Vec<(u32, String, String)> = Vec::new();
        for one in &read.conditions {
            let parts = one.expression.all();
            let found: Vec<_> = parts.into_iter().filter_map(|part| view(one.query, part)).collect();
            wanted.extend(found.into_iter().filter(|found| !wanted.contains(found)).collect::<Vec<_>>());
        }
        let mut reached = Vec::new();
        for (query, view, column) in wanted.into_iter().take(MOST) {
            for (table, own) in leads_to(mirror, &view, &column) {
                reached.push(Reached { query, view: view.clone(), column: column.clone(), table, own });
            }
        }
        Self { reached }
    }

    /// The queries in which a step that reads a table for a view is asked of; none where the table is read several times, for
    /// it is not known for which of them then.
    pub fn queries(&self, table: usize, plan: &Plan, step: &Step) -> Vec<u32> {
        let is_same =
            |other: &&Step| is_own_read(other) && other.schema == step.schema && other.table == step.table;
        if plan.steps.iter().filter(is_same).count() != 1 {
            return Vec::new();
        }
        let own = self.reached.iter().filter(|one| one.table == table);
        let mut queries: Vec<u32> = own.map(|one| one.query).collect();
        queries.sort_unstable();
        queries.dedup();
        queries
    }

    /// The column of a table that one of a view is, where it is always the same.
    pub fn column(&self, view: &str, column: &str, table: usize) -> Option<&Reached> {
        let is = |one: &&Reached| one.table == table && same(&one.view, view) && same(&one.column, column);
        let mut all = self.reached.iter().filter(is);
        let first = all.next()?;
        all.all(|other| other.own == first.own).then_some(first)
    }
}

/// The tables and columns that the planner would find by a column of a view, each once.
fn leads_to(mirror: &mut Mirror, view: &str, column: &str) -> Vec<(usize, Option<usize>)> {
    let value = quoted_text(VALUE);
    let sql = format!("SELECT 1 FROM {} WHERE {} = {value}", quoted(view), quoted(column));
    let mut found = Vec::new();
    for asked in mirror.ask(&sql).into_iter().flatten() {
        let is = |term: &crate::schema::mirror::AskedTerm| {
            term.operator == "=" && term.literal.as_deref() == Some(value.as_str())
        };
        for term in asked.terms.iter().filter(|term| is(term)) {
            let one = (asked.table, term.column);
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

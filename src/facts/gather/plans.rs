//! What SQLite says of statements, and their plans, as facts.

use super::Gatherer;
use crate::{
    extract::names::Names,
    plan::{Index, Op, Plan, Program, Purpose, Step, TermKind},
    schema::{Explained, WriteAction},
    workload::queries_of,
};

impl Gatherer<'_> {
    /// What SQLite says of a statement.
    pub(super) fn gather_explained(
        &mut self,
        row: i64,
        database: usize,
        explained: &Explained,
        names: Option<&Names>,
    ) {
        self.gather_accesses(row, database, explained);
        let Some(&variant) = self.variants.get(database) else { return };
        let plan =
            self.facts.insert("plan", [("statement", &row), ("variant", &variant), ("engine", &self.engine)]);
        let steps = self.gather_steps(plan, &explained.plan, names);
        self.known.steps.extend((0..).zip(steps).map(|(ordinal, step)| ((row, ordinal), step)));
    }

    /// What a statement reads and writes.
    fn gather_accesses(&mut self, row: i64, database: usize, explained: &Explained) {
        for read in &explained.reads {
            let through = read.through.as_ref().map(|name| self.through(database, name));
            self.facts.insert(
                "read",
                [
                    ("statement", &row),
                    ("schema", &read.schema),
                    ("table", &read.table),
                    ("column", &read.column),
                    ("through", &through),
                    ("through_name", &read.through),
                ],
            );
        }
        for function in &explained.functions {
            self.facts.insert("called_function", [("statement", &row), ("name", function)]);
        }
        for write in &explained.writes {
            let (action, column) = match &write.action {
                WriteAction::Insert => ("insert", None),
                WriteAction::Update(column) => ("update", Some(column.as_str())),
                WriteAction::Delete => ("delete", None),
            };
            let through = write.through.as_ref().map(|_| "trigger");
            self.facts.insert(
                "write",
                [
                    ("statement", &row),
                    ("schema", &write.schema),
                    ("table", &write.table),
                    ("action", &action),
                    ("column", &column),
                    ("through", &through),
                    ("through_name", &write.through),
                ],
            );
        }
    }

    /// What kind of thing a statement reads through: its views are known, the rest are triggers.
    fn through(&self, database: usize, name: &str) -> &'static str {
        let views = self.program.databases.get(database).map(|database| &database.variant.objects.views);
        let is_view =
            views.is_some_and(|views| views.iter().any(|view| view.name.eq_ignore_ascii_case(name)));
        if is_view { "view" } else { "trigger" }
    }

    /// The steps of a plan, and their rows; with the names of its statement, to which of its queries each belongs.
    pub(super) fn gather_steps(&mut self, plan: i64, steps: &Plan, names: Option<&Names>) -> Vec<i64> {
        let mut rows: Vec<i64> = Vec::new();
        for (ordinal, step) in steps.steps.iter().enumerate() {
            let parent = step.parent.and_then(|parent| rows.get(parent)).copied();
            let (operation, purpose) = (step.op.as_str(), purpose(&step.op));
            let (key, index) = key(step);
            let (program, program_name) = program(step);
            let row = self.facts.insert(
                "step",
                [
                    ("plan", &plan),
                    ("parent", &parent),
                    ("ordinal", &(ordinal as i64)),
                    ("operation", &operation),
                    ("purpose", &purpose),
                    ("name", &step.name),
                    ("schema", &step.schema),
                    ("table", &step.table),
                    ("index", &index),
                    ("key", &key),
                    ("equalities", &step.equalities()),
                    ("ranges", &step.ranges()),
                    ("covering", &step.is_covering()),
                    ("automatic", &step.is_automatic()),
                    ("left_join", &step.left_join),
                    ("first_row", &step.exists),
                    ("one_row", &step.one_row),
                    ("inside_loop", &step.inside_loop),
                    ("correlated", &step.correlated),
                    ("program", &program),
                    ("program_name", &program_name),
                    ("cost", &step.cost),
                    ("detail", &step.detail),
                ],
            );
            rows.push(row);
            for query in names.map_or_else(Vec::new, |names| queries_of(names, steps, ordinal)) {
                self.facts.insert("step_query", [("step", &row), ("query", &query)]);
            }
            for (ordinal, term) in step.terms.iter().enumerate() {
                self.facts.insert(
                    "step_term",
                    [
                        ("step", &row),
                        ("ordinal", &(ordinal as i64)),
                        ("column", &term.column),
                        ("kind", &term_kind(term.kind)),
                    ],
                );
            }
        }
        rows
    }
}

fn term_kind(kind: TermKind) -> &'static str {
    match kind {
        TermKind::Equal => "equal",
        TermKind::Lower => "lower",
        TermKind::Upper => "upper",
        TermKind::Any => "any",
    }
}

/// The program that a step is part of, and its trigger.
fn program(step: &Step) -> (Option<&'static str>, Option<&str>) {
    match &step.program {
        Some(Program::Trigger(name)) => (Some("trigger"), Some(name.as_str())),
        Some(Program::ForeignKeyAction) => (Some("foreign_key"), None),
        None => (None, None),
    }
}

fn key(step: &Step) -> (Option<&'static str>, Option<&str>) {
    match &step.index {
        Some(Index::Named { name, .. }) => (Some("index"), Some(name.as_str())),
        Some(Index::PrimaryKey) => (Some("primary_key"), None),
        Some(Index::Rowid) => (Some("rowid"), None),
        Some(Index::Automatic { .. }) => (Some("automatic"), None),
        None => (None, None),
    }
}

/// The purpose of a temporary B-tree.
fn purpose(op: &Op) -> Option<&'static str> {
    match op {
        Op::TempBTree(purpose) => Some(purpose_word(purpose)),
        _ => None,
    }
}

fn purpose_word(purpose: &Purpose) -> &'static str {
    match purpose {
        Purpose::OrderBy => "ORDER BY",
        Purpose::LastTermsOfOrderBy(_) => "LAST TERMS OF ORDER BY",
        Purpose::Distinct => "DISTINCT",
        Purpose::GroupBy => "GROUP BY",
        Purpose::Aggregate(_) => "AGGREGATE",
        Purpose::Other => "OTHER",
    }
}

//! EXPLAIN QUERY PLAN as a tree of steps: what is read, by which index, how often, and what is sorted.
//!
//! This module is the only one that knows the words SQLite prints. It knows no schema and runs nothing: a
//! step carries the name that was printed, which may be an alias, and who has the schema fills in the table.
//! The words of SQLite 3.54.1 are understood, and those of older versions back to 3.24; a text that is none
//! of them is [`Op::Other`], never an error.

mod loops;
mod normal;
mod step;
mod words;

pub use normal::steps;
pub use step::{Index, Op, Program, Purpose, SetOperator, Step, Term, TermKind};

use std::collections::HashMap;

/// A row of EXPLAIN QUERY PLAN, as SQLite returns it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The first column: unique within a program, from 1.
    pub id: i64,
    /// The second column: the `id` of the row above in the tree, or 0.
    pub parent: i64,
    /// The third column, see [`Step::cost`].
    pub cost: i64,
    /// The fourth column; NULL where the program of a foreign key action begins.
    pub detail: Option<String>,
    /// What stands below it is done once, whatever stands around it: only the program tells, and no column.
    pub once: bool,
    /// What stands below it gives one row; told by the program as well.
    pub single: bool,
    /// See [`Step::one_row`]; told by the program as well.
    pub one_row: bool,
}

/// How SQLite will run a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// In the order printed: a step stands after the step above it, and after the loops around it.
    pub steps: Vec<Step>,
}

impl Plan {
    /// Understands the rows of one EXPLAIN QUERY PLAN.
    ///
    /// Whether a step runs inside a loop is told from the tree: from loops printed before it below the same
    /// step, and from correlated subqueries above it. SQLite prints the lookups of foreign keys like the
    /// loops of a join, so the second one counts as within the first; see [`Plan::parse_without_join`]. It
    /// prints all statements of a trigger as one list, so a step of a trigger counts as in a loop only where
    /// the first loop of the statement itself yields many rows.
    pub fn parse(rows: &[Row]) -> Self {
        Self::nested(rows, loops::Nesting::Join)
    }

    /// As [`Plan::parse`], of a statement that joins nothing: a DELETE, or an UPDATE without FROM. There the
    /// first loop finds the rows to change, and the others are foreign key lookups for each of them.
    pub fn parse_without_join(rows: &[Row]) -> Self {
        Self::nested(rows, loops::Nesting::First)
    }

    fn nested(rows: &[Row], nesting: loops::Nesting) -> Self {
        let mut steps: Vec<Step> = Vec::with_capacity(rows.len());
        let mut numbered: HashMap<i64, usize> = HashMap::new();
        let mut program: Option<(usize, Program)> = None;
        for row in rows {
            let index = steps.len();
            let mut step = Step::read(row);
            if let Some(starts) = step.program.clone() {
                numbered.clear();
                program = Some((index, starts));
            } else {
                let above = numbered.get(&row.parent).copied();
                step.parent = above.or(program.as_ref().map(|(start, _)| *start));
                step.program = program.as_ref().map(|(_, program)| program.clone());
                numbered.insert(row.id, index);
            }
            step.depth = step.parent.and_then(|above| steps.get(above)).map_or(0, |above| above.depth + 1);
            steps.push(step);
        }
        loops::mark(&mut steps, rows, nesting);
        Self { steps }
    }

    /// The plan for people: a line a step, two spaces a level.
    pub fn lines(&self) -> Vec<String> {
        let line = |step: &Step| {
            let text = if step.detail.is_empty() { "-- FOREIGN KEY ACTION" } else { &step.detail };
            format!("{:indent$}{text}", "", indent = step.depth as usize * 2)
        };
        self.steps.iter().map(line).collect()
    }
}

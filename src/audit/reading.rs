//! What a plan reads whole in a file: the rows and bytes of the B-trees that its steps walk from end to end.
//!
//! A LIMIT, or a loop around a step, is not counted: it is what one walk reads at most.

use super::{Audited, TreeSize};
use crate::{
    plan::{Index, Op, Plan, Step},
    schema::same,
};

/// A B-tree that is read whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The table.
    pub table: String,
    /// The index that is read in its place, or beside it.
    pub index: Option<String>,
    /// Its rows.
    pub rows: f64,
    /// Their bytes.
    pub bytes: f64,
    /// It is read again for each row of another.
    pub in_loop: bool,
    /// An index is built of it for this one run.
    pub builds: bool,
}

/// What a plan reads whole.
pub fn of_plan(audited: &Audited, plan: &Plan) -> Vec<Reading> {
    plan.steps
        .iter()
        .filter(|step| step.program.is_none())
        .filter_map(|step| of_step(audited, step))
        .collect()
}

fn of_step(audited: &Audited, step: &Step) -> Option<Reading> {
    let builds = step.is_automatic();
    let is_whole = step.op == Op::Scan || step.op == Op::Search && builds;
    let table = audited.table(step.table.as_deref().filter(|_| is_whole)?)?;
    let own = |name: &str| table.indexes.iter().find(|index| same(&index.name, name));
    let of = |size: &TreeSize| (size.rows.value, audited.bytes_of(size));
    let (index, (rows, bytes)) = match &step.index {
        Some(Index::Named { name, covering }) => {
            let index = own(name).and_then(|index| index.size.as_ref()).map(of)?;
            let whole = if *covering { 0.0 } else { table.size.as_ref().map_or(0.0, |size| of(size).1) };
            (Some(name.clone()), (index.0, index.1 + whole))
        }
        _ => (None, table.size.as_ref().map(of)?),
    };
    Some(Reading { table: table.name.clone(), index, rows, bytes, in_loop: step.inside_loop, builds })
}

//! What a plan reads in a file: the rows and bytes of the B-trees that its steps walk from end to end, and of those of which
//! its statistics say how many rows share a key.
//!
//! A LIMIT, or a loop around a step, is not counted: it is what one run of a step reads at most, or on average.

use super::{Audited, FileIndex, FileTable, TreeSize};
use crate::{
    plan::{Index, Op, Plan, Program, Step, TermKind},
    schema::same,
};

/// Fewer rows of one key are what a search is for.
const MANY: f64 = 1000.0;

/// What a step reads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The table.
    pub table: String,
    /// The index that is read in its place, or beside it.
    pub index: Option<String>,
    /// The rows.
    pub rows: f64,
    /// Their bytes.
    pub bytes: f64,
    /// The pages that are walked through.
    pub walked: f64,
    /// The rows that are looked up in the table, one by one.
    pub looked_up: f64,
    /// It is read again for each row of another.
    pub in_loop: bool,
    /// An index is built of it for this one run.
    pub builds: bool,
    /// It is not read whole: so many rows have one key on average, by the statistics.
    pub is_average: bool,
}

/// What a plan reads: B-trees that are read whole, and many rows of one key. What foreign keys add is read for each row that
/// changes.
pub fn of_plan(audited: &Audited, plan: &Plan) -> Vec<Reading> {
    let is_told = |step: &&Step| matches!(step.program, None | Some(Program::ForeignKeyAction));
    let mut reads: Vec<Reading> =
        plan.steps.iter().filter(is_told).filter_map(|step| of_step(audited, step)).collect();
    // Two ways down to one table are told once.
    reads.dedup();
    reads
}

fn of_step(audited: &Audited, step: &Step) -> Option<Reading> {
    let table = audited.table(step.table.as_deref()?)?;
    let of = |size: &TreeSize| (size.rows.value, audited.bytes_of(size));
    let named = |name: &str| table.indexes.iter().find(|index| same(&index.name, name));
    let reading = Reading {
        table: table.name.clone(),
        in_loop: step.inside_loop || step.program.is_some(),
        builds: step.is_automatic(),
        ..Reading::default()
    };
    match (&step.op, &step.index) {
        (Op::Scan, Some(Index::Named { name, covering })) => {
            let size = named(name)?.size?;
            let (rows, bytes) = of(&size);
            let whole = if *covering { 0.0 } else { table.size.as_ref().map_or(0.0, |size| of(size).1) };
            let looked_up = if *covering { 0.0 } else { rows };
            let walked = size.pages.value;
            Some(Reading {
                index: Some(name.clone()),
                rows,
                bytes: bytes + whole,
                walked,
                looked_up,
                ..reading
            })
        }
        (Op::Search, Some(Index::Named { name, covering })) => {
            let index = named(name)?;
            let rows = rows_of_key(table, index, step).filter(|rows| *rows >= MANY)?;
            let size = index.size?;
            let beside = if *covering { 0.0 } else { table.size?.row_bytes };
            let bytes = rows * (size.row_bytes + beside);
            let (looked_up, share) = (if *covering { 0.0 } else { rows }, rows / size.rows.value.max(1.0));
            let walked = size.pages.value * share;
            let index = Some(name.clone());
            Some(Reading { index, rows, bytes, walked, looked_up, is_average: true, ..reading })
        }
        (Op::Scan, _) | (Op::Search, Some(Index::Automatic { .. })) => {
            let size = table.size?;
            let (rows, bytes) = of(&size);
            Some(Reading { rows, bytes, walked: size.pages.value, ..reading })
        }
        _ => None,
    }
}

/// How many rows have one key of an index on average, as the statistics say, with as many rows as there are today.
fn rows_of_key(table: &FileTable, index: &FileIndex, step: &Step) -> Option<f64> {
    let equal = step.terms.iter().take_while(|term| term.kind == TermKind::Equal).count();
    // What bounds it behind them leaves an unknown share.
    (equal > 0 && equal == step.terms.len()).then_some(())?;
    let mut numbers = index
        .stat
        .as_deref()?
        .split(' ')
        .map_while(|number| number.parse::<u64>().ok().map(|number| number as f64));
    let then = numbers.next().filter(|rows| *rows > 0.0)?;
    let each = numbers.nth(equal - 1)?;
    Some(each * (table.rows()? / then).max(1.0))
}

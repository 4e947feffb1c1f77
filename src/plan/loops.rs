//! How often a step runs, told from its place in the tree. Knows no words and no schema.

use super::{Op, Program, Row, Step};
use std::collections::HashSet;

/// Which of the loops printed below one step contain those printed after them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Nesting {
    /// Each: they are one join.
    #[default]
    Join,
    /// The first only: the others are lookups for each row that it changes.
    First,
    /// None: they belong to several statements.
    Apart,
}

/// What is known of the steps below one step, or of those below none.
#[derive(Debug, Clone, Copy, Default)]
struct Below {
    /// They run many times, wherever they stand.
    many: bool,
    /// They are in a subquery that runs again for each row around it.
    correlated: bool,
    /// They run many times even where the result of a subquery is kept: their whole program does.
    program: bool,
    /// Some of them are loops.
    loops: bool,
    /// A loop has been passed that contains what is printed after it.
    passed: bool,
    nesting: Nesting,
}

/// Sets `inside_loop` and `correlated` of the steps that were read from rows. A step stands after the one above it.
pub(super) fn mark(steps: &mut [Step], rows: &[Row], nesting: Nesting) {
    let mut top = Below { nesting, ..Below::default() };
    let mut below = vec![Below::default(); steps.len()];
    let few = few(steps, rows);
    let many = |step: &Step| step.is_loop() && !step.name.as_ref().is_some_and(|name| few.contains(name));
    let indexed = indexed(steps);
    for step in steps.iter().filter(|step| many(step)) {
        if let Some(around) = step.parent.map_or(Some(&mut top), |above| below.get_mut(above)) {
            around.loops = true;
        }
    }
    let changes_many =
        steps.iter().find(|step| step.parent.is_none() && yields(step)).is_some_and(Step::is_loop);
    for (index, step) in steps.iter_mut().enumerate() {
        let around = step.parent.and_then(|above| below.get(above)).copied().unwrap_or(top);
        // What an automatic index is built of is read once, however often that is searched.
        let is_source =
            || step.name.as_ref().is_some_and(|name| indexed.contains(&(step.parent, name.clone())));
        let is_once = match step.op {
            Op::CoRoutine => is_source(),
            Op::Materialize => rows.get(index).is_some_and(|row| row.once),
            _ => false,
        };
        let around =
            if is_once { Below { many: around.program, correlated: false, ..around } } else { around };
        step.inside_loop = if step.op == Op::TriggerProgram { changes_many } else { runs_many(step, around) };
        step.correlated = match step.op {
            Op::Scalar { correlated } | Op::List { correlated } => correlated,
            _ => around.correlated,
        };
        if let Some(own) = below.get_mut(index) {
            open(step, around, own);
        }
        if let Some(around) = step.parent.map_or(Some(&mut top), |above| below.get_mut(above)) {
            pass(step, around, many(step));
        }
    }
}

/// The subqueries of which all rows stand in the statement, or that give one: who walks them walks a few.
fn few(steps: &[Step], rows: &[Row]) -> HashSet<String> {
    let mut reads = vec![false; steps.len()];
    for (index, step) in steps.iter().enumerate().rev() {
        let is_constant = matches!(step.op, Op::ConstantRow | Op::Values(_));
        let is_single = rows.get(index).is_some_and(|row| row.single);
        let own = !is_single
            && (reads.get(index) == Some(&true)
                || step.op == Op::RecursiveStep
                || yields(step) && !is_constant);
        if let Some(reads) = reads.get_mut(index).filter(|_| is_single) {
            *reads = false;
        }
        if let Some(above) = step.parent.filter(|_| own).and_then(|above| reads.get_mut(above)) {
            *above = true;
        }
    }
    let made =
        || steps.iter().zip(&reads).filter(|(step, _)| matches!(step.op, Op::CoRoutine | Op::Materialize));
    let named = |wanted: bool| {
        made().filter(move |(_, reads)| **reads == wanted).filter_map(|(step, _)| step.name.clone())
    };
    // Two of one name may be two.
    let others: HashSet<String> = named(true).collect();
    named(false).filter(|name| !others.contains(name)).collect()
}

/// The names of what an automatic index is searched for, each with what stands above it.
fn indexed(steps: &[Step]) -> HashSet<(Option<usize>, String)> {
    let automatic = steps.iter().filter(|step| step.is_automatic());
    automatic.filter_map(|step| Some((step.parent, step.name.clone()?))).collect()
}

/// What holds below a step from its first one on.
fn open(step: &Step, around: Below, own: &mut Below) {
    own.many = step.inside_loop;
    own.correlated = step.correlated;
    own.program = around.program;
    if step.op == Op::TriggerProgram {
        own.program = step.inside_loop;
        own.nesting = match step.program {
            Some(Program::ForeignKeyAction) => Nesting::First,
            _ => Nesting::Apart,
        };
    }
}

/// What a step means for those printed after it below the same step.
fn pass(step: &Step, around: &mut Below, is_many: bool) {
    if matches!(step.op, Op::CoRoutine | Op::Materialize) && around.nesting == Nesting::Join {
        // The subqueries of a FROM come before its first loop, so the loops passed are another statement's.
        around.passed = false;
    } else if yields(step) && around.nesting != Nesting::Apart {
        around.passed |= is_many;
        if around.nesting == Nesting::First {
            around.nesting = Nesting::Apart;
        }
    }
}

fn runs_many(step: &Step, around: Below) -> bool {
    match step.op {
        // Their result is kept, however deep in loops they stand.
        Op::Scalar { correlated: false } | Op::List { correlated: false } => around.program,
        // They may be printed before the loops whose rows they are given.
        Op::Scalar { correlated: true } | Op::List { correlated: true } => around.many || around.loops,
        Op::RecursiveStep => true,
        Op::InIndex | Op::Reuse => around.many || around.passed,
        _ if yields(step) => around.many || around.passed,
        // The others stand beside the loops of their query: before, after, or around them.
        _ => around.many,
    }
}

/// Whether rows come out of the step for what is printed after it.
fn yields(step: &Step) -> bool {
    step.is_loop() || matches!(step.op, Op::Search | Op::ConstantRow | Op::Values(_))
}

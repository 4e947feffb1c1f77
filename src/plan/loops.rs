//! How often a step runs, told from its place in the tree. Knows no words and no schema.

use super::{Op, Step};

/// What is known of the steps below one step, or of those below none.
#[derive(Clone, Copy, Default)]
struct Below {
    /// They run many times, wherever they stand.
    many: bool,
    /// They are in a subquery that runs again for each row around it.
    correlated: bool,
    /// How often they run even if their results are kept: once per run of their program.
    program: bool,
    /// One of them is a loop.
    loops: bool,
    /// A loop among them has been passed.
    passed: bool,
    /// Loops do not nest in those printed before: they belong to several statements.
    apart: bool,
}

/// Sets `inside_loop` and `correlated`. A step stands after the one above it.
pub(super) fn mark(steps: &mut [Step]) {
    let mut top = Below::default();
    let mut below = vec![Below::default(); steps.len()];
    for step in steps.iter().filter(|step| step.is_loop()) {
        if let Some(around) = step.parent.map_or(Some(&mut top), |above| below.get_mut(above)) {
            around.loops = true;
        }
    }
    for (index, step) in steps.iter_mut().enumerate() {
        let around = step.parent.and_then(|above| below.get(above)).copied().unwrap_or(top);
        step.inside_loop = runs_many(step, around);
        step.correlated = match step.op {
            Op::Scalar { correlated } | Op::List { correlated } => correlated,
            _ => around.correlated,
        };
        if let Some(own) = below.get_mut(index) {
            own.many = step.inside_loop;
            own.correlated = step.correlated;
            own.program = around.program;
            if step.op == Op::TriggerProgram {
                *own = Below { many: top.loops, program: top.loops, apart: step.name.is_some(), ..*own };
                step.inside_loop = top.loops;
            }
        }
        if let Some(around) = step.parent.map_or(Some(&mut top), |above| below.get_mut(above)) {
            pass(step, around);
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
        Op::Scan
        | Op::Search
        | Op::VirtualScan { .. }
        | Op::MultiIndexOr
        | Op::ConstantRow
        | Op::Values(_)
        | Op::InIndex
        | Op::Reuse => around.many || around.passed,
        // The others stand beside the loops of their query: before, after, or around them.
        _ => around.many,
    }
}

/// What a step means for those printed after it below the same step.
fn pass(step: &Step, around: &mut Below) {
    if around.apart {
        return;
    }
    if step.is_loop() {
        around.passed = true;
    } else if matches!(step.op, Op::CoRoutine | Op::Materialize) {
        // The subqueries of a FROM come before its first loop, so the loops passed are another statement's.
        around.passed = false;
    }
}

//! The statements of some literals alone, planned on databases that stand already: what can be said at once of a file that
//! is being edited.

use super::{
    Database, Logs, Statement, bind,
    known::Known,
    marked,
    outcome::{is_schema, settle},
    rivals::settle_rivals,
    spared,
};
use crate::{extract::Extraction, source::Sources};
use std::collections::HashMap;

/// Plans the statements of the literals from a number on. What makes a schema is none of them.
pub fn bind_again(
    sources: &Sources,
    extraction: &Extraction,
    databases: &mut [Database],
    from: usize,
) -> Vec<Statement> {
    let known = Known::new((sources, extraction), databases);
    let is_wanted = |index: usize| index >= from;
    let mut jobs = bind::jobs((sources, extraction), databases, &known, &Logs::default(), &is_wanted);
    bind::plan_rounds(&mut jobs, extraction, databases, &known);
    settle_rivals(&mut jobs, (sources, extraction), databases, &known);
    let applied = HashMap::new();
    marked::plan(&mut jobs, (sources, extraction), databases, &known, &applied);
    let mut statements: Vec<Statement> =
        jobs.into_iter().flat_map(|job| settle(job, sources, extraction, &known, &applied)).collect();
    statements.retain(|one| !is_schema(one));
    spared::forgive(&mut statements);
    statements
}

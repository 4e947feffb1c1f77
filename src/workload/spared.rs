//! Statements of which nothing is said that SQLite says of them as they stand: parts of others, what goes together in another way, and
//! what works on the database of somebody else.

use super::{
    Database, Outcome, Passed, Statement, Why,
    fragments::taken_in,
    outcome::{APART, CONTINUED, OTHERS},
};
use crate::{
    extract::{
        Extraction,
        sql::{contains_word, shape},
    },
    schema::RefusalKind,
    source::SourceId,
};
use std::collections::{HashMap, HashSet};

/// A text with several variants that compiles in one of them was put together by conditions that go together: what is
/// no SQL in another one never comes about, nor what names other columns for another caller. The same goes for one with pieces
/// that are put on only sometimes; of what one condition alone puts on nothing is said that SQLite refuses.
pub(super) fn forgive(statements: &mut Vec<Statement>) {
    let mut planned: HashMap<usize, HashSet<usize>> = HashMap::new();
    for one in statements.iter().filter(|one| one.explained().is_some()) {
        planned.entry(one.literal).or_default().insert(one.branch);
    }
    let lacking: HashSet<usize> =
        statements.iter().filter(|one| lacks_column(one).is_some()).map(|one| one.literal).collect();
    // Of those that lack a column: the texts that were planned, and all.
    let (mut texts, mut all): (HashMap<usize, String>, HashMap<usize, Vec<String>>) = Default::default();
    for one in statements.iter().filter(|one| lacking.contains(&one.literal)) {
        all.entry(one.literal).or_default().push(one.text.as_str().to_owned());
        if one.explained().is_some() && one.text.is_optional() {
            texts.entry(one.literal).or_default().extend([one.text.as_str(), "\n"]);
        }
    }
    statements.retain_mut(|one| {
        let branches = planned.get(&one.literal);
        let is_other = branches.is_some_and(|branches| branches.iter().any(|&branch| branch != one.branch));
        if one.text.is_alone() && is_other && one.explained().is_none() {
            return false;
        }
        let is_optional = one.text.is_optional();
        if matches!(&one.outcome, Outcome::Dynamic { reason } if reason == CONTINUED || reason == APART)
            && is_other
            && is_optional
        {
            return false;
        }
        // A condition on a column of one table, beside the name of another.
        if let Some(name) = lacks_column(one)
            && is_other
            && texts.get(&one.literal).is_some_and(|texts| contains_word(texts, name))
            && all.get(&one.literal).into_iter().flatten().any(|text| !contains_word(text, name))
        {
            return false;
        }
        if let Outcome::Refused { refusal, .. } = &one.outcome
            && (matches!(refusal.kind, RefusalKind::Syntax | RefusalKind::Incomplete)
                || (one.text.is_handed() && is_other))
        {
            if is_other && is_optional {
                return false;
            }
            if is_other || is_optional {
                one.outcome = Outcome::Dynamic { reason: APART.to_owned() };
            }
        }
        true
    });
}

/// The column that a statement lacks which is put together by conditions.
fn lacks_column(one: &Statement) -> Option<&str> {
    match &one.outcome {
        Outcome::Refused { refusal, .. } if one.text.is_optional() => match &refusal.kind {
            RefusalKind::NoSuchColumn(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// What a file has: the texts that lack columns, these, the texts whose tables no database has, and the texts that were planned.
#[derive(Default)]
struct Counts {
    refused: HashSet<usize>,
    columns: HashSet<String>,
    homeless: HashSet<usize>,
    planned: HashSet<usize>,
}

/// Refuses nothing of a file of which most statements name columns that no step of the schema ever had, or tables that no database
/// has: what has tables of the same names is the database of another program.
pub(super) fn spare_others(statements: &mut [Statement], databases: &[Database]) {
    const FEWEST: usize = 3;
    const FEWEST_COLUMNS: usize = 2;
    // What the steps of each database say, without comments and values.
    let mut said: HashMap<usize, String> = HashMap::new();
    let mut had = |at: usize, column: &str| {
        let said = said.entry(at).or_insert_with(|| {
            let declaration = databases.get(at).map(|one| &one.declaration);
            let steps = declaration.into_iter().flat_map(|one| one.steps.iter().chain(&one.create));
            steps.flat_map(|step| [shape(step.text.as_str()), "\n".to_owned()]).collect()
        });
        contains_word(said, column)
    };
    // The column that a statement lacks, without what it is qualified by.
    let mut lacks = |one: &Statement| -> Option<String> {
        let Outcome::Refused { database, refusal } = &one.outcome else { return None };
        let RefusalKind::NoSuchColumn(name) = &refusal.kind else { return None };
        let column = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
        (!database.is_some_and(|at| had(at, &column))).then_some(column)
    };
    let lacked: Vec<Option<String>> = statements.iter().map(&mut lacks).collect();
    let mut counts: HashMap<SourceId, Counts> = HashMap::new();
    for (one, lacked) in statements.iter().zip(&lacked).filter(|(one, _)| one.logged.is_none()) {
        let Counts { refused, columns, homeless, planned } = counts.entry(one.site.source).or_default();
        if one.explained().is_some() {
            planned.insert(one.literal);
        } else if let Some(column) = lacked {
            refused.insert(one.literal);
            columns.insert(column.clone());
        } else if is_homeless(one) {
            homeless.insert(one.literal);
        }
    }
    counts.retain(|_, Counts { refused, columns, homeless, planned }| {
        let lacks_columns =
            refused.len() >= FEWEST && columns.len() >= FEWEST_COLUMNS && refused.len() > planned.len();
        lacks_columns || homeless.len() >= FEWEST && homeless.len() > planned.len() + refused.len()
    });
    for (one, _) in statements.iter_mut().zip(lacked).filter(|(_, lacked)| lacked.is_some()) {
        let counts = counts.get(&one.site.source);
        if counts.is_some_and(|counts| counts.refused.contains(&one.literal)) {
            one.outcome = Outcome::Dynamic { reason: OTHERS.to_owned() };
        }
    }
}

/// Whether no database has the tables of a statement.
fn is_homeless(one: &Statement) -> bool {
    matches!(&one.outcome, Outcome::Refused { refusal, .. } if matches!(refusal.kind, RefusalKind::NoSuchTable(_)))
}

/// Takes out what only other texts can have in them, and a statement has: there it is judged as it runs.
pub(super) fn drop_parts(statements: &mut Vec<Statement>, extraction: &Extraction) -> Vec<Passed> {
    let planned: HashSet<usize> =
        statements.iter().filter(|one| one.explained().is_some()).map(|one| one.literal).collect();
    let is_planned = |index: usize| planned.contains(&index);
    let mut parts = taken_in(extraction, &is_planned);
    // What nothing runs, SQLite refuses or finds no end of, and a planned text has in it, is said of that.
    let is_refused = |one: &&Statement| match &one.outcome {
        Outcome::Dynamic { reason } => reason == CONTINUED,
        outcome => matches!(outcome, Outcome::Refused { .. }),
    };
    let refused = statements.iter().filter(is_refused);
    let refused: HashSet<usize> = refused.map(|one| one.literal).collect();
    if !refused.is_empty() {
        let pieces = extraction.pieces(&|one| one.sink.is_none(), &is_planned);
        parts.extend(pieces.into_iter().map(|(piece, _)| piece).filter(|piece| refused.contains(piece)));
    }
    let parts = statements.extract_if(.., |one| parts.contains(&one.literal));
    parts.map(|one| Passed { why: Why::Part, ..Passed::of(&one) }).collect()
}

//! One index in the place of two: where the columns of one are among those of the other, an index that begins with them serves
//! the statements of both. It is made alone on a copy, and all of them are measured with it; where one of them takes more than
//! with its own, each keeps its own.

use super::{
    compare,
    cured::{self, Help, Measured},
};
use crate::{
    growth::Again,
    obstacle::{After, Fix, FixKind, index_name},
    schema::{Explained, Live, Objects, same},
    workload::Statement,
};

/// The most indexes that are tried in the place of two, for one database.
const MOST: usize = 24;

/// What takes the place of the index of a statement: the place of its obstacles, that of the one among them, and the index.
pub(super) type Shared = (usize, usize, Fix);

/// An index that was proved, and the statements that it was proved for, as places among the cures.
struct Proved {
    text: String,
    table: String,
    columns: Vec<String>,
    statements: Vec<usize>,
}

/// Finds indexes that serve what was proved to be served by several.
pub(super) fn find(
    again: &Again<'_>,
    live: &mut Live,
    objects: &Objects,
    cures: &[Help<'_>],
    measured: &[Measured],
) -> Vec<Shared> {
    let after = |cure: &Help<'_>| {
        let own = measured.iter().find(|one| (one.0, one.1) == cure.at)?;
        Some(own.2).filter(|after| !after.is_wasteful && !after.is_joint)
    };
    let afters: Vec<Option<After>> = cures.iter().map(after).collect();
    let mut proved = proved(cures, &afters);
    let mut found: Vec<Shared> = Vec::new();
    let mut tried: Vec<String> = Vec::new();
    while let Some((first, second, one)) = next(&proved, objects, &mut tried) {
        if tried.len() > MOST {
            break;
        }
        let Some(fixes) = healed(again, live, &one, cures, &afters) else { continue };
        found.retain(|known| !fixes.iter().any(|fix| (fix.0, fix.1) == (known.0, known.1)));
        found.extend(fixes);
        // The later one first, so that the other keeps its place.
        proved.swap_remove(first.max(second));
        proved.swap_remove(first.min(second));
        proved.push(one);
    }
    found
}

/// The indexes on columns of one table that were proved, each once.
fn proved(cures: &[Help<'_>], afters: &[Option<After>]) -> Vec<Proved> {
    let mut proved: Vec<Proved> = Vec::new();
    for (at, (cure, after)) in cures.iter().zip(afters).enumerate() {
        let list = cure.fix.part.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
        let list = list.filter(|list| after.is_some() && !list.contains(['(', ')']));
        let tables = cure.fix.tables();
        let (Some(list), [table], FixKind::Index) = (list, tables.as_slice(), cure.fix.kind) else {
            continue;
        };
        if let Some(known) = proved.iter_mut().find(|one| one.text == cure.fix.text) {
            known.statements.push(at);
            continue;
        }
        proved.push(Proved {
            text: cure.fix.text.clone(),
            table: (*table).to_owned(),
            columns: list.split(", ").map(str::to_owned).collect(),
            statements: vec![at],
        });
    }
    proved
}

/// Two indexes and the one that may take their place: the first that was not tried yet.
fn next(proved: &[Proved], objects: &Objects, tried: &mut Vec<String>) -> Option<(usize, usize, Proved)> {
    for (first, few) in proved.iter().enumerate() {
        for (second, many) in proved.iter().enumerate().filter(|(second, _)| *second != first) {
            let is_less = (few.columns.len(), first) < (many.columns.len(), second);
            let is_among = few.columns.iter().all(|column| many.columns.contains(column));
            if !same(&few.table, &many.table) || !is_less || !is_among {
                continue;
            }
            let one = both(few, many, objects);
            let trial = format!("{}; {}; {}", few.text, many.text, one.text);
            if !tried.contains(&trial) {
                tried.push(trial);
                return Some((first, second, one));
            }
        }
    }
    None
}

/// The index that begins with the columns of one, and has the others behind them.
fn both(few: &Proved, many: &Proved, objects: &Objects) -> Proved {
    let more = many.columns.iter().filter(|column| !few.columns.contains(column));
    let columns: Vec<String> = few.columns.iter().chain(more).cloned().collect();
    let list = format!("({})", columns.join(", "));
    let text = [few, many].into_iter().find(|one| one.columns == columns).map(|one| one.text.clone());
    let text = text.unwrap_or_else(|| {
        let name = index_name(objects, &few.table, &list, &[]);
        format!("CREATE INDEX {name} ON {} {list}", few.table)
    });
    let statements = few.statements.iter().chain(&many.statements).copied().collect();
    Proved { text, table: few.table.clone(), columns, statements }
}

/// The index as the cure of each statement that had another; `None` where one of them takes more than with its own.
fn healed(
    again: &Again<'_>,
    live: &mut Live,
    one: &Proved,
    cures: &[Help<'_>],
    afters: &[Option<After>],
) -> Option<Vec<Shared>> {
    let mut copy = live.copy().ok()?;
    copy.apply(&one.text).iter().all(|applied| applied.outcome.is_ok()).then_some(())?;
    let others: Vec<&Help<'_>> = one.statements.iter().filter_map(|at| cures.get(*at)).collect();
    let mut planned: Vec<(usize, &Statement, Explained)> = Vec::new();
    let mut fixes: Vec<Fix> = Vec::new();
    for cure in &others {
        let explained = copy.explain(cure.statement.text.as_str()).ok()?;
        let name = created(&one.text)?;
        let step = explained.plan.steps.iter().find(|step| compare::goes_by(step, name))?.detail.trim();
        // What its own index finds by more columns, this one would test on rows of which nobody knows how many there are.
        (compared(step) >= compared(&cure.fix.step)).then_some(())?;
        fixes.push(Fix {
            text: one.text.clone(),
            part: format!("({})", one.columns.join(", ")),
            step: step.to_owned(),
            plan: explained.plan.lines(),
            after: None,
            ..cure.fix.clone()
        });
        planned.push((cure.place, cure.statement, explained));
    }
    let growths = again.measure(&mut copy, &planned);
    let mut found = Vec::new();
    for (((cure, fix), growth), at) in others.iter().zip(fixes).zip(&growths).zip(&one.statements) {
        let before = afters.get(*at).copied().flatten()?;
        let is_proven = planned.iter().any(|(place, _, one)| *place == cure.place && one.proven_constant);
        let after = cured::outcome(growth, cure.before, cure.fix.kind, is_proven)
            .filter(|after| is_no_worse(after, &before))?;
        found.push((cure.at.0, cure.at.1, Fix { after: Some(after), ..fix }));
    }
    (found.len() == others.len()).then_some(found)
}

/// The name of the index that a CREATE INDEX makes.
pub(super) fn created(text: &str) -> Option<&str> {
    let name = text.strip_prefix("CREATE INDEX ")?.split(" ON ").next()?;
    Some(name.trim_matches('"'))
}

/// By how many values a step, as SQLite prints it, finds its rows.
fn compared(step: &str) -> usize {
    step.matches('?').count()
}

/// Whether a statement is as well off with another index: an index on more columns has longer rows, and no more of them.
fn is_no_worse(after: &After, before: &After) -> bool {
    let last = |after: &After| after.steps.and_then(|[_, (_, steps)]| Some(steps).filter(|_| after.is_alike));
    let is_as_fast = match (last(after), last(before)) {
        (Some(now), Some(was)) => now <= was + was / 8,
        _ => true,
    };
    !after.is_wasteful && after.class <= before.class && after.rises == before.rises && is_as_fast
}

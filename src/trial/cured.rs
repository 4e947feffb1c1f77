//! How the cost of a costly statement grows once it is cured: with the index that would help, or in the other words.
//! What was planned is measured here, on the same rows as before. The indexes of a database are made together on one
//! copy; where a statement is planned otherwise there than with its own alone, it is measured on a copy of its own.

use super::{Own, beside};
use crate::{
    extract::text::Text,
    growth::{Again, Growth, Measured, size::TableSize},
    obstacle::{After, Fix, FixKind, Obstructed},
    schema::{Live, variant::Variant},
    workload::{Database, Statement},
};

/// The most copies that are made for statements which are planned otherwise with all indexes.
const MOST_ALONE: usize = 8;

/// Measures what would help, of the costly statements that count, and writes it to the obstacles.
pub fn measure_cures(
    databases: &mut [Database],
    statements: &[Statement],
    sizes: &[TableSize],
    measured: &Measured,
    obstacles: &mut [Obstructed],
    is_judged: &(dyn Fn(&Statement) -> bool + Sync),
) {
    if measured.is_off {
        return;
    }
    let found = &*obstacles;
    let all = beside(databases, statements, sizes, measured, is_judged, &|variant, own| {
        of_database(variant, own, statements, found)
    });
    for (at, number, after) in all.into_iter().flatten() {
        let obstacle = obstacles.get_mut(at).and_then(|one| one.obstacles.get_mut(number));
        if let Some(fix) = obstacle.and_then(|one| one.fix.as_mut()) {
            fix.after = Some(after);
        }
    }
}

/// Something that helps a statement.
struct Cure<'a> {
    /// The place of the obstacles of the statement, and of the one among them.
    at: (usize, usize),
    /// The statement, by its place among all.
    place: usize,
    statement: &'a Statement,
    fix: &'a Fix,
}

fn of_database(
    variant: &mut Variant,
    own: &Own<'_>,
    statements: &[Statement],
    obstacles: &[Obstructed],
) -> Vec<(usize, usize, After)> {
    let mut cures: Vec<Cure<'_>> = Vec::new();
    for (at, one) in obstacles.iter().enumerate() {
        let is_own = |place: &usize| {
            own.subjects.iter().any(|subject| subject.is_costly && subject.places.contains(place))
        };
        let place = Some(one.statement).filter(is_own);
        let Some((place, statement)) = place.and_then(|place| Some((place, statements.get(place)?))) else {
            continue;
        };
        let fixes = one.obstacles.iter().enumerate();
        cures.extend(fixes.filter_map(|(number, obstacle)| {
            Some(Cure { at: (at, number), place, statement, fix: obstacle.fix.as_ref()? })
        }));
    }
    if cures.is_empty() {
        return Vec::new();
    }
    let Variant { live, objects, .. } = variant;
    let again = Again::new(objects, &own.statements, &own.sizes);
    let mut found = Vec::new();
    let (texts, indexes): (Vec<Cure<'_>>, Vec<Cure<'_>>) =
        cures.into_iter().partition(|cure| cure.fix.kind == FixKind::Rewrite);
    let others = with_indexes(&again, live, indexes, &mut found);
    let mut alone: Vec<Vec<Cure<'_>>> = Vec::new();
    for cure in others {
        match alone.iter_mut().find(|own| own.first().is_some_and(|one| one.fix.text == cure.fix.text)) {
            Some(own) => own.push(cure),
            None => alone.push(vec![cure]),
        }
    }
    for own in alone.into_iter().take(MOST_ALONE) {
        with_indexes(&again, live, own, &mut found);
    }
    if let Ok(mut copy) = live.copy() {
        measure(&again, &mut copy, texts, &mut found);
    }
    found
}

/// Measures statements on a copy that has all their indexes. Gives back those that are planned otherwise there.
fn with_indexes<'a>(
    again: &Again<'_>,
    live: &mut Live,
    cures: Vec<Cure<'a>>,
    found: &mut Vec<(usize, usize, After)>,
) -> Vec<Cure<'a>> {
    let Ok(mut copy) = live.copy() else { return Vec::new() };
    let mut made: Vec<&str> = Vec::new();
    for cure in &cures {
        if !made.contains(&cure.fix.text.as_str()) {
            made.push(&cure.fix.text);
            copy.apply(&cure.fix.text);
        }
    }
    measure(again, &mut copy, cures, found)
}

/// Measures statements as they are planned on a database. Gives back those that are planned otherwise than they should.
fn measure<'a>(
    again: &Again<'_>,
    live: &mut Live,
    cures: Vec<Cure<'a>>,
    found: &mut Vec<(usize, usize, After)>,
) -> Vec<Cure<'a>> {
    let (mut planned, mut tried, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let written: Vec<Option<Statement>> = cures.iter().map(written).collect();
    for (cure, written) in cures.into_iter().zip(&written) {
        let text = written.as_ref().map_or("", |one| one.text.as_str());
        match (written, live.explain(text)) {
            (Some(one), Ok(explained)) if explained.plan.lines() == cure.fix.plan => {
                planned.push((cure.place, one, explained));
                tried.push(cure);
            }
            _ => others.push(cure),
        }
    }
    let growths = again.measure(live, &planned);
    for (cure, growth) in tried.iter().zip(&growths) {
        let after = after(growth, planned.iter().any(|(place, _, one)| *place == cure.place && one.proven_constant));
        found.extend(after.map(|after| (cure.at.0, cure.at.1, after)));
    }
    others
}

/// The statement that is measured; `None` where its parameters would not stand for what they did.
fn written(cure: &Cure<'_>) -> Option<Statement> {
    if cure.fix.kind == FixKind::Index {
        return Some(cure.statement.clone());
    }
    let (source, offset) = cure.statement.text.origins().next()?;
    let text = Text::exact(&cure.fix.text, source, offset);
    let written = Statement { text, raw: cure.fix.text.clone(), ..cure.statement.clone() };
    (cure.statement.holes == 0).then_some(written)
}

/// What was measured where it was worst.
fn after(growth: &Growth, is_proven: bool) -> Option<After> {
    if is_proven {
        return Some(After { class: growth.class(), is_wasteful: false, steps: None });
    }
    let steps = growth.trials.first()?.measures.map(|measure| (measure.rows, measure.run.steps));
    Some(After { class: growth.class(), is_wasteful: growth.is_wasteful(), steps: Some(steps) })
}

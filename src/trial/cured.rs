//! How the cost of a costly statement grows once it is cured: with the index that would help, or in the other words.
//! What was planned is measured here, on the same rows as before. The indexes of a database are made together on one
//! copy; where a statement is planned otherwise there than with its own alone, or has several, it is measured on others, which
//! have one for each table and each statement. Where none of several is enough, they are measured together.

use super::{
    Subject, compare,
    joint::{self, Joint},
    shared::Shared,
};
use crate::{
    extract::text::Text,
    growth::{Again, Growth, Trial},
    obstacle::{After, Fix, FixKind, Obstacle, Obstructed, Rise, is_full},
    plan::{Plan, Step},
    schema::{Live, same},
    workload::Statement,
};
use std::{cmp::Reverse, collections::BTreeMap};

/// The most copies that are made for statements which are planned otherwise with all indexes.
const MOST_COPIES: usize = 24;

/// What was measured: the place of the obstacles of the statement, that of the one among them, and the cost.
pub(super) type Measured = (usize, usize, After);

/// What was measured, and the places of what was tried and is not known.
type Found<'a> = (&'a mut Vec<Measured>, &'a mut Vec<(usize, usize)>);

/// Something that helps a statement.
#[derive(Clone, Copy)]
pub(super) struct Help<'a> {
    /// The place of the obstacles of the statement, and of the one among them.
    pub at: (usize, usize),
    /// The statement, by its place among all.
    pub place: usize,
    pub statement: &'a Statement,
    pub fix: &'a Fix,
    /// How its cost grows as it is.
    pub before: &'a Growth,
}

/// What was found of cures.
#[derive(Default)]
pub(super) struct Cured {
    /// What was measured of them.
    pub measured: Vec<Measured>,
    /// The places of those that could not be.
    pub open: Vec<(usize, usize)>,
    /// Those that serve several statements in the place of their own, and those that serve one together.
    pub shared: Vec<Shared>,
}

impl Cured {
    /// Writes it to the obstacles.
    pub fn note(self, obstacles: &mut [Obstructed]) {
        let mut each = |at: usize, number: usize, change: &dyn Fn(&mut Obstacle)| {
            obstacles.get_mut(at).and_then(|one| one.obstacles.get_mut(number)).into_iter().for_each(change);
        };
        for (at, number, after) in self.measured {
            each(at, number, &|one| one.fix.iter_mut().for_each(|fix| fix.after = Some(after)));
        }
        // What could be planned as it should be with other indexes alone is not offered.
        for (at, number) in self.open {
            each(at, number, &|one| one.fix = None);
        }
        for (at, number, fix) in self.shared {
            each(at, number, &|one| one.fix = Some(fix.clone()));
        }
    }
}

/// What would help the costly statements of a database that are told of aloud.
pub(super) fn cures<'a>(
    subjects: &[Subject<'a>],
    statements: &'a [Statement],
    obstacles: &'a [Obstructed],
    is_told: &(dyn Fn(&Statement) -> bool + Sync),
) -> Vec<Help<'a>> {
    let is_costly = |one: &Subject<'_>| one.is_costly || one.growth.grows_with_keys();
    let costly = |place: usize| subjects.iter().find(|one| is_costly(one) && one.places.contains(&place));
    let own = obstacles.iter().enumerate();
    let own = own.filter_map(|(at, one)| Some((at, one, costly(one.statement)?.growth)));
    let cures = own.flat_map(|(at, one, before)| {
        let statement = statements.get(one.statement).filter(|one| is_told(one));
        one.obstacles.iter().enumerate().filter_map(move |(number, obstacle)| {
            Some(Help {
                at: (at, number),
                place: one.statement,
                statement: statement?,
                fix: obstacle.fix.as_ref()?,
                before,
            })
        })
    });
    cures.collect()
}

/// Measures the statements, each with what would help it. Gives the places of what was measured with nothing but others, too.
pub(super) fn measured(again: &Again<'_>, live: &mut Live, cures: Vec<Help<'_>>) -> Cured {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let (texts, indexes): (Vec<Help<'_>>, Vec<Help<'_>>) =
        cures.into_iter().partition(|cure| cure.fix.kind == FixKind::Rewrite);
    let joint = Joint::of(&indexes);
    let (single, mut others): (Vec<Help<'_>>, Vec<Help<'_>>) =
        indexes.into_iter().partition(|cure| !joint.iter().any(|one| one.has_beside(cure)));
    others.extend(with_indexes(again, live, single, (&mut found, &mut open)));
    // What proves itself by its plan comes first, and what many ask for.
    let count = |cure: &Help<'_>| others.iter().filter(|one| one.fix.text == cure.fix.text).count();
    let ranks: BTreeMap<(usize, usize), _> =
        others.iter().map(|cure| (cure.at, (cure.fix.needs_measure, Reverse(count(cure))))).collect();
    others.sort_by_key(|cure| ranks.get(&cure.at).copied());
    let mut alone: Vec<Help<'_>> = Vec::new();
    for _ in 0..MOST_COPIES {
        // Those of one table are rivals, and so are those of one statement.
        let mut made: Vec<&Help<'_>> = Vec::new();
        let can_join: Vec<bool> = others.iter().map(|cure| joins(&mut made, cure)).collect();
        let mut can_join = can_join.into_iter();
        let (now, later): (Vec<_>, Vec<_>) = others.into_iter().partition(|_| can_join.next() == Some(true));
        // What is planned otherwise for an index of another statement is tried without that.
        alone.extend(with_indexes(again, live, now, (&mut found, &mut open)));
        others = later;
    }
    for _ in 0..MOST_COPIES {
        let Some(text) = alone.first().map(|cure| cure.fix.text.clone()) else { break };
        let (now, later): (Vec<_>, Vec<_>) = alone.into_iter().partition(|cure| cure.fix.text == text);
        others.extend(with_indexes(again, live, now, (&mut found, &mut open)));
        alone = later;
    }
    open.extend(others.iter().chain(&alone).map(|cure| cure.at));
    if let (false, Ok(mut copy)) = (texts.is_empty(), live.copy()) {
        measure(again, &mut copy, texts, (&mut found, &mut open));
    }
    let shared = joint::measure(again, live, &joint, &mut found);
    let is_open = |at: &(usize, usize)| !found.iter().any(|one| (one.0, one.1) == *at);
    let open = open.into_iter().filter(is_open).collect();
    Cured { measured: found, open, shared }
}

/// Whether an index can be made beside others, and if so does.
fn joins<'a, 'b>(made: &mut Vec<&'b Help<'a>>, cure: &'b Help<'a>) -> bool {
    let tables = cure.fix.tables();
    let is_rival = |one: &&Help<'_>| {
        one.fix.text != cure.fix.text
            && (one.place == cure.place
                || one.fix.tables().iter().any(|table| tables.iter().any(|own| same(own, table))))
    };
    let can_join = !tables.is_empty() && !made.iter().any(is_rival);
    if can_join {
        made.push(cure);
    }
    can_join
}

/// Measures statements on a copy that has all their indexes. Gives back those that are planned otherwise there.
fn with_indexes<'a>(
    again: &Again<'_>,
    live: &mut Live,
    cures: Vec<Help<'a>>,
    found: Found<'_>,
) -> Vec<Help<'a>> {
    let Some(mut copy) = (!cures.is_empty()).then(|| live.copy().ok()).flatten() else { return Vec::new() };
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
fn measure<'a>(again: &Again<'_>, live: &mut Live, cures: Vec<Help<'a>>, found: Found<'_>) -> Vec<Help<'a>> {
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
    let (found, open) = found;
    for ((cure, growth), (.., explained)) in tried.iter().zip(&growths).zip(&planned) {
        let after = outcome(growth, cure.before, cure.fix.tried(), explained.proven_constant);
        let left = || left(growth, cure, &explained.plan);
        let after = after.map(|after| After { left: after.is_wasteful.then(left).flatten(), ..after });
        found.extend(after.map(|after| (cure.at.0, cure.at.1, after)));
        // Where the plan alone judges, it proves a cure, too, if it says all.
        let by_plan = cure.before.unmeasured.is_some() && compare::seeks_equal(&explained.plan);
        let is_open = after.is_none() && growth.leaves_open(cure.before) && !by_plan;
        open.extend(is_open.then_some(cure.at));
    }
    others
}

/// What was measured of a statement with what helps it.
pub(super) fn outcome(
    growth: &Growth,
    before: &Growth,
    (kind, text): (FixKind, &str),
    is_proven: bool,
) -> Option<After> {
    let after = after(growth, before, is_proven);
    let is_vain = kind == FixKind::Index && after.is_some_and(|after| after.is_wasteful);
    is_vain.then(|| relief(growth, before, text)).flatten().or(after)
}

/// The statement that is measured; `None` where its parameters would not stand for what they did.
fn written(cure: &Help<'_>) -> Option<Statement> {
    if cure.fix.kind == FixKind::Index {
        return Some(cure.statement.clone());
    }
    in_other_words(cure.statement, &cure.fix.text)
}

/// A statement in other words; `None` where its parameters would not stand for what they did.
pub(super) fn in_other_words(statement: &Statement, text: &str) -> Option<Statement> {
    let (source, offset) = statement.text.origins().next()?;
    let written =
        Statement { text: Text::exact(text, source, offset), raw: text.to_owned(), ..statement.clone() };
    (statement.holes == 0).then_some(written)
}

/// The step that reads another table whole, where a statement costs less than before and that is what is left.
fn left(growth: &Growth, cure: &Help<'_>, plan: &Plan) -> Option<usize> {
    let last = |one: &Growth| one.trials.first()?.measures.last().map(|measure| measure.run.steps);
    (last(growth)? < last(cure.before)?).then_some(())?;
    let is_other = |step: &Step| step.detail.trim() != cure.fix.step && is_full(step);
    plan.steps.iter().position(is_other)
}

/// What an index does where none makes the statement cheap with all values.
fn relief(growth: &Growth, before: &Growth, index: &str) -> Option<After> {
    let (shown, limit) = growth.relief(before, index)?;
    let worst = before.trials.first();
    Some(After {
        class: shown.class,
        is_wasteful: false,
        is_alike: worst.is_some_and(|worst| worst.data == shown.data && worst.binding == shown.binding),
        rises: Some(Rise::Limited(limit)),
        steps: Some(shown.measures.map(|measure| (measure.rows, measure.run.steps))),
        lessened: None,
        is_joint: false,
        left: None,
    })
}

/// What was measured: where the statement costs most as it is, if that was among what is worst now, else where it is worst.
/// `None` where it may still cost too much.
pub(super) fn after(growth: &Growth, before: &Growth, is_proven: bool) -> Option<After> {
    if is_proven {
        return Some(After {
            class: growth.class(),
            is_wasteful: false,
            is_alike: true,
            rises: None,
            steps: None,
            lessened: None,
            is_joint: false,
            left: None,
        });
    }
    (!growth.leaves_open(before)).then_some(())?;
    let alike = before.trials.first().and_then(|before| {
        let same = |one: &&Trial| one.data == before.data && one.binding == before.binding;
        growth.trials.iter().find(same).map(|one| (one, before))
    });
    let last = |one: &Trial| one.measures.last().map_or(0, |measure| measure.run.steps);
    let is_no_better = alike.is_some_and(|(one, before)| last(one) >= last(before));
    let worst = growth.trials.first()?;
    // What is not enough is told where it shows.
    let is_wasteful = growth.is_wasteful() || growth.grows_with_keys();
    let alike = alike.filter(|_| !is_wasteful);
    let shown = alike.map_or(worst, |(one, _)| one);
    let lessened =
        growth.is_lessened(before).then(|| before.on(shown.data, shown.binding).map(last)).flatten();
    Some(After {
        class: shown.class,
        is_wasteful: is_wasteful || is_no_better,
        is_alike: alike.is_some(),
        rises: (worst.class > shown.class).then_some(Rise::Wanted),
        steps: Some(shown.measures.map(|measure| (measure.rows, measure.run.steps))),
        lessened: lessened.filter(|_| is_wasteful && !is_no_better),
        is_joint: false,
        left: None,
    })
}

//! How the cost of a costly statement grows once it is cured: with the index that would help, or in the other words.
//! What was planned is measured here, on the same rows as before. The indexes of a database are made together on one
//! copy; where a statement is planned otherwise there than with its own alone, it is measured on another, which has one
//! for each table.

use super::Subject;
use crate::{
    extract::text::Text,
    growth::{Again, Growth, Trial},
    obstacle::{After, Fix, FixKind, Obstructed, Rise},
    schema::{Live, same, tokens::Tokens},
    workload::Statement,
};

/// The most copies that are made for statements which are planned otherwise with all indexes.
const MOST_COPIES: usize = 2;

/// What was measured: the place of the obstacles of the statement, that of the one among them, and the cost.
pub(super) type Measured = (usize, usize, After);

/// Something that helps a statement.
pub(super) struct Help<'a> {
    /// The place of the obstacles of the statement, and of the one among them.
    at: (usize, usize),
    /// The statement, by its place among all.
    place: usize,
    statement: &'a Statement,
    fix: &'a Fix,
    /// How its cost grows as it is.
    before: &'a Growth,
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

/// Measures the statements, each with what would help it.
pub(super) fn measured(again: &Again<'_>, live: &mut Live, cures: Vec<Help<'_>>) -> Vec<Measured> {
    let mut found = Vec::new();
    let (texts, indexes): (Vec<Help<'_>>, Vec<Help<'_>>) =
        cures.into_iter().partition(|cure| cure.fix.kind == FixKind::Rewrite);
    let mut others = with_indexes(again, live, indexes, &mut found);
    for _ in 0..MOST_COPIES {
        // Those of one table are rivals, and those of several seldom.
        let mut made: Vec<(&str, &str)> = Vec::new();
        let (now, later): (Vec<Help<'_>>, Vec<Help<'_>>) = others.into_iter().partition(|cure| {
            let Some(table) = table(cure.fix) else { return false };
            if let Some((_, text)) = made.iter().find(|(other, _)| same(other, table)) {
                return *text == cure.fix.text;
            }
            made.push((table, &cure.fix.text));
            true
        });
        if now.is_empty() {
            break;
        }
        with_indexes(again, live, now, &mut found);
        others = later;
    }
    if let (false, Ok(mut copy)) = (texts.is_empty(), live.copy()) {
        measure(again, &mut copy, texts, &mut found);
    }
    found
}

/// The table of a CREATE INDEX, as it stands there.
fn table(fix: &Fix) -> Option<&str> {
    let mut tokens = Tokens::from(&fix.text, 0).skip_while(|token| !token.is("ON"));
    tokens.nth(1).map(|token| token.text)
}

/// Measures statements on a copy that has all their indexes. Gives back those that are planned otherwise there.
fn with_indexes<'a>(
    again: &Again<'_>,
    live: &mut Live,
    cures: Vec<Help<'a>>,
    found: &mut Vec<Measured>,
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
fn measure<'a>(
    again: &Again<'_>,
    live: &mut Live,
    cures: Vec<Help<'a>>,
    found: &mut Vec<Measured>,
) -> Vec<Help<'a>> {
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
    for ((cure, growth), (.., explained)) in tried.iter().zip(&growths).zip(&planned) {
        let after = after(growth, cure.before.trials.first(), explained.proven_constant);
        let relief = relief(growth, cure).filter(|_| after.is_some_and(|after| after.is_wasteful));
        let after = relief.or(after);
        found.extend(after.map(|after| (cure.at.0, cure.at.1, after)));
    }
    others
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

/// What an index does where none makes the statement cheap with all values.
fn relief(growth: &Growth, cure: &Help<'_>) -> Option<After> {
    let (shown, limit) = growth.relief(cure.before).filter(|_| cure.fix.kind == FixKind::Index)?;
    Some(After {
        class: shown.class,
        is_wasteful: false,
        is_alike: false,
        rises: Some(Rise::Limited(limit)),
        steps: Some(shown.measures.map(|measure| (measure.rows, measure.run.steps))),
    })
}

/// What was measured: where the statement costs most as it is, if that was among what is worst now, else where it is worst.
pub(super) fn after(growth: &Growth, before: Option<&Trial>, is_proven: bool) -> Option<After> {
    if is_proven {
        return Some(After {
            class: growth.class(),
            is_wasteful: false,
            is_alike: true,
            rises: None,
            steps: None,
        });
    }
    let alike = before.and_then(|before| {
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
    Some(After {
        class: shown.class,
        is_wasteful: is_wasteful || is_no_better,
        is_alike: alike.is_some(),
        rises: (worst.class > shown.class).then_some(Rise::Wanted),
        steps: Some(shown.measures.map(|measure| (measure.rows, measure.run.steps))),
    })
}

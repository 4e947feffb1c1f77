//! One index in the place of two: where the columns of one are among those of the other, an index that begins with them serves
//! the statements of both. It is made alone on a copy, and all of them are measured with it; where one of them takes more than
//! with its own, each keeps its own.

use super::{
    change, compare,
    cured::{self, Help, Measured},
};
use crate::{
    growth::{Again, Class},
    obstacle::{After, Fix, FixKind, index_name},
    schema::{Explained, Live, Objects},
    workload::Statement,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most indexes that are tried in the place of two, for one database, and of one table that are looked at.
const MOST: usize = 24;

/// So many columns may be added to an index for the sake of others: the more it has, the more is written.
const MORE: usize = 3;

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
    let of = |cure: &Help<'_>| Some(measured.iter().find(|one| (one.0, one.1) == cure.at)?.2);
    let afters: Vec<Option<After>> = cures.iter().map(of).collect();
    let texts = cures.iter().flat_map(|cure| cure.fix.text.split("; "));
    let mut names: Vec<String> = texts.map(|text| change::name_in(text).to_owned()).collect();
    let mut found: Vec<Shared> = Vec::new();
    let mut tried = 0;
    for mut group in proved(cures, &afters).into_values() {
        // The shorter one first: its columns may be among those of the others.
        group.sort_by_key(|one| one.columns.len());
        group.truncate(MOST);
        let mut first = 0;
        let mut from = 1;
        while first < group.len() {
            let Some((second, one)) = next(&group, (first, from), objects, &names) else {
                first += 1;
                from = first + 1;
                continue;
            };
            tried += 1;
            if tried > MOST {
                return found;
            }
            from = second + 1;
            if let Some(fixes) = healed(again, live, &one, cures, &afters) {
                found.retain(|known| !fixes.iter().any(|fix| (fix.0, fix.1) == (known.0, known.1)));
                found.extend(fixes);
                names.push(change::name_in(&one.text).to_owned());
                if let Some(place) = group.get_mut(second) {
                    *place = one;
                }
                group.remove(first);
                from = first + 1;
            }
        }
    }
    found
}

/// The indexes on columns of each table that were proved, each once; without those that some statement needs as they are.
fn proved(cures: &[Help<'_>], afters: &[Option<After>]) -> BTreeMap<String, Vec<Proved>> {
    let is_apart = |(cure, after): (&Help<'_>, &Option<After>)| {
        let is_offered = after.map_or(!cure.fix.needs_measure, |after| !after.is_wasteful);
        is_offered && after.is_none_or(|after| after.is_joint || cure.fix.tables().len() != 1)
    };
    let apart =
        cures.iter().zip(afters).filter(|one| is_apart(*one)).flat_map(|(cure, _)| cure.fix.text.split("; "));
    let apart: BTreeSet<&str> = apart.collect();
    let mut proved: BTreeMap<String, Vec<Proved>> = BTreeMap::new();
    for (at, (cure, after)) in cures.iter().zip(afters).enumerate() {
        let is_plain = cure.fix.kind == FixKind::Index && !apart.contains(cure.fix.text.as_str());
        let list = cure.fix.part.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
        // Of a name that has a comma, and of an expression, nothing is known here.
        let is_whole = |column: &str| column.matches('"').count() != 1;
        let list =
            list.filter(|list| is_plain && !list.contains(['(', ')']) && list.split(", ").all(is_whole));
        let tables = cure.fix.tables();
        let (Some(list), [table], Some(false)) =
            (list, tables.as_slice(), after.map(|after| after.is_wasteful))
        else {
            continue;
        };
        let group = proved.entry(table.to_lowercase()).or_default();
        if let Some(known) = group.iter_mut().find(|one| one.text == cure.fix.text) {
            known.statements.push(at);
            continue;
        }
        group.push(Proved {
            text: cure.fix.text.clone(),
            table: (*table).to_owned(),
            columns: list.split(", ").map(str::to_owned).collect(),
            statements: vec![at],
        });
    }
    proved
}

/// The next index with whose columns those of the first can begin, from the first on, and the one that may take the place of both.
fn next(
    group: &[Proved],
    (first, from): (usize, usize),
    objects: &Objects,
    names: &[String],
) -> Option<(usize, Proved)> {
    let few = group.get(first)?;
    let among = |many: &Proved| few.columns.iter().all(|column| many.columns.contains(column));
    let is_near = |many: &Proved| many.columns.len() <= few.columns.len() + MORE;
    let second =
        (from..group.len()).find(|at| group.get(*at).is_some_and(|one| among(one) && is_near(one)))?;
    Some((second, both(few, group.get(second)?, objects, names)))
}

/// The index that begins with the columns of one, and has the others behind them.
fn both(few: &Proved, many: &Proved, objects: &Objects, names: &[String]) -> Proved {
    let more = many.columns.iter().filter(|column| !few.columns.contains(column));
    let columns: Vec<String> = few.columns.iter().chain(more).cloned().collect();
    let list = format!("({})", columns.join(", "));
    let text = [few, many].into_iter().find(|one| one.columns == columns).map(|one| one.text.clone());
    let text = text.unwrap_or_else(|| {
        let name = index_name(objects, &few.table, &list, names);
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
    let mut copy = change::done(live, &one.text)?;
    let others: Vec<&Help<'_>> = one.statements.iter().filter_map(|at| cures.get(*at)).collect();
    let mut planned: Vec<(usize, &Statement, Explained)> = Vec::new();
    let mut fixes: Vec<Fix> = Vec::new();
    for cure in &others {
        let explained = copy.explain(cure.statement.text.as_str()).ok()?;
        let name = created(&one.text);
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
        let after = cured::outcome(growth, cure.before, cure.fix.tried(), is_proven)
            .filter(|after| is_no_worse(after, &before))?;
        found.push((cure.at.0, cure.at.1, Fix { after: Some(after), ..fix }));
    }
    (found.len() == others.len()).then_some(found)
}

/// The name of the index that a CREATE INDEX makes.
pub(super) fn created(text: &str) -> &str {
    change::name_in(text).trim_matches('"')
}

/// By how many values a step, as SQLite prints it, finds its rows.
fn compared(step: &str) -> usize {
    step.matches('?').count()
}

/// Whether a statement is as well off with another index, measured in the same way: one on more columns has longer rows, and no more of
/// them.
fn is_no_worse(after: &After, before: &After) -> bool {
    let is_as_fast = match (after.steps, before.steps) {
        (None, _) => true,
        (Some(_), None) => after.class == Class::Constant,
        (Some([_, (_, now)]), Some([_, (_, was)])) => {
            after.is_alike == before.is_alike && now <= was + was / 8
        }
    };
    !after.is_wasteful && after.class <= before.class && after.rises == before.rises && is_as_fast
}

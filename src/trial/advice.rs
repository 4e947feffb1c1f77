//! The indexes that heal what is costly: as few as will do, each made on a copy and all that reads its table planned and, where
//! its plan changed, measured again. What is not proved is not offered, nor is what makes a statement slower.

use super::{
    Effect, Subject, Verdict, beside,
    change::{self, Change},
    compare,
    judge::Judge,
    spare,
};
use crate::{
    growth::{Again, Measured, size::TableSize},
    obstacle::{FixKind, Obstructed},
    plan::{Op, Plan},
    schema::{ForeignKey, Objects, Origin, same, variant::Variant},
    workload::{Database, Statement},
};
use std::collections::BTreeSet;

/// The most indexes that are tried for one database.
const MOST: usize = 60;

/// An index that is worth it, as far as that is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The table.
    pub table: String,
    /// CREATE INDEX.
    pub sql: String,
    /// Those that are not needed beside it: the DROP INDEX, and what makes them again.
    pub replaced: Vec<(String, String)>,
    /// What it does to statements that cost more than their rows explain, and do no more.
    pub heals: Vec<Effect>,
    /// What it does to others that go by it then.
    pub serves: Vec<Effect>,
}

/// What was found out for a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advised {
    /// The indexes, those first that heal most.
    pub indexes: Vec<Advice>,
    /// The costly statements that none heals.
    pub left: Vec<usize>,
    /// Indexes that would heal some, and make others slower: the SQL, and what it does.
    pub harmful: Vec<(String, Vec<Effect>)>,
}

/// Finds the indexes for all databases, side by side. `is_judged`: whether a statement counts, so that it may not become
/// slower; `is_wanted`: whether one is to be healed, by its place among all.
pub fn advise(
    databases: &mut [Database],
    statements: &[Statement],
    sizes: &[TableSize],
    measured: &Measured,
    obstacles: &[Obstructed],
    is_judged: &(dyn Fn(&Statement) -> bool + Sync),
    is_wanted: &(dyn Fn(usize) -> bool + Sync),
) -> Vec<Advised> {
    beside(databases, statements, sizes, measured, is_judged, &|variant, own| {
        let is_wanted = |one: &Subject<'_>| one.is_costly && one.places.iter().any(|at| is_wanted(*at));
        let Variant { live, objects, .. } = variant;
        let wanted = wanted(&own.subjects, objects, obstacles, &is_wanted);
        let is_measured = !measured.is_off && !wanted.is_empty();
        let again = is_measured.then(|| Again::new(objects, &own.statements, &own.sizes));
        let mut judge =
            Judge { live, objects, subjects: &own.subjects, again: again.as_ref(), sizes: &own.sizes };
        choose(&mut judge, wanted, &is_wanted)
    })
}

/// The indexes that the obstacles of costly texts ask for, and the foreign keys that look for children, each to be tried
/// with all texts that touch its table.
fn wanted(
    subjects: &[Subject<'_>],
    objects: &Objects,
    obstacles: &[Obstructed],
    is_wanted: &dyn Fn(&Subject<'_>) -> bool,
) -> Vec<Change> {
    let mut wanted: Vec<Change> = Vec::new();
    for subject in subjects.iter().filter(|one| is_wanted(one)) {
        let own = obstacles.iter().filter(|one| subject.places.contains(&one.statement));
        let asked = own.flat_map(|one| &one.obstacles).filter_map(|obstacle| {
            let fix = obstacle.fix.as_ref().filter(|fix| fix.kind == FixKind::Index)?;
            let step = subject.explained.plan.steps.get(obstacle.step)?;
            Some(change::written(step.table.as_deref()?, &fix.text))
        });
        for change in asked.chain(for_children(subject, objects)) {
            let is_like = |one: &Change| {
                same(&one.table, &change.table) && change::terms(&one.sql) == change::terms(&change.sql)
            };
            if !wanted.iter().any(is_like) {
                wanted.push(Change { tried: touching(subjects, &change.table), ..change });
            }
        }
    }
    wanted.truncate(MOST);
    wanted
}

/// The indexes on foreign keys whose children a statement looks for in all of a table, since it changes their parents.
fn for_children(subject: &Subject<'_>, objects: &Objects) -> Vec<Change> {
    let explained = subject.explained;
    let writes = |table: &str| explained.writes.iter().any(|write| same(&write.table, table));
    let scanned = |key: &&ForeignKey| {
        let mut scans = explained.plan.steps.iter().filter(|step| step.op == Op::Scan);
        scans.any(|step| step.table.as_deref().is_some_and(|table| same(table, &key.table)))
    };
    let keys = objects.foreign_keys.iter().filter(|key| key.schema == "main" && writes(&key.parent));
    let change = |key: &ForeignKey| {
        let columns: Vec<&str> = key.columns.iter().map(|(column, _)| column.as_str()).collect();
        change::another(objects, &key.schema, &key.table, &columns)
    };
    keys.filter(scanned).map(change).collect()
}

/// The texts that read or write a table, as indexes of the subjects.
fn touching(subjects: &[Subject<'_>], table: &str) -> Vec<usize> {
    let touches = |one: &Subject<'_>| {
        let mut steps = one.explained.plan.steps.iter();
        steps.any(|step| step.table.as_deref().is_some_and(|name| same(name, table)))
            || one.explained.writes.iter().any(|write| same(&write.table, table))
    };
    (0..).zip(subjects).filter(|(_, one)| touches(one)).map(|(at, _)| at).collect()
}

/// An index that was tried alone.
struct Proved {
    change: Change,
    effects: Vec<Effect>,
    heals: BTreeSet<usize>,
}

/// Of the indexes that heal something and harm nothing, as few as heal all that can be healed.
fn choose(judge: &mut Judge<'_>, wanted: Vec<Change>, is_wanted: &dyn Fn(&Subject<'_>) -> bool) -> Advised {
    let mut advised = Advised::default();
    let mut proved: Vec<Proved> = Vec::new();
    for change in wanted {
        let Some(effects) = judge.effects(&change, &change.tried) else { continue };
        let effects = effects.all;
        let of = |verdict| move |one: &&Effect| one.verdict == verdict;
        let heals: BTreeSet<usize> =
            effects.iter().filter(of(Verdict::Better)).map(|one| one.statement).collect();
        if heals.is_empty() {
            continue;
        }
        if effects.iter().any(|one| one.verdict == Verdict::Worse) {
            advised.harmful.push((change.sql, effects));
        } else {
            proved.push(Proved { change, effects, heals });
        }
    }
    let mut healed: BTreeSet<usize> = BTreeSet::new();
    let mut chosen: Vec<Proved> = Vec::new();
    loop {
        // The one that heals most of what is left; of two, that on fewer columns.
        let gain = |one: &Proved| one.heals.difference(&healed).count();
        let best = proved.iter().enumerate().max_by_key(|(at, one)| {
            let columns = change::terms(&one.change.sql).split(',').count();
            (gain(one), std::cmp::Reverse((columns, *at)))
        });
        let Some(at) = best.filter(|(_, one)| gain(one) > 0).map(|(at, _)| at) else { break };
        let one = proved.swap_remove(at);
        healed.extend(&one.heals);
        chosen.push(one);
    }
    // What each does alone, they have to do together.
    while chosen.len() > 1 && !holds(judge, &chosen, &healed) {
        chosen.pop();
        healed = chosen.iter().flat_map(|one| &one.heals).copied().collect();
    }
    let mut dropped: BTreeSet<String> = BTreeSet::new();
    for one in chosen {
        let mut replaced = replaced(judge, &one.change);
        // What two of them can do without is dropped once.
        replaced.retain(|(sql, _)| dropped.insert(sql.clone()));
        let (heals, others): (Vec<Effect>, Vec<Effect>) =
            one.effects.into_iter().partition(|effect| effect.verdict == Verdict::Better);
        let goes_by = |effect: &Effect| effect.come.iter().any(|row| row.contains(&one.change.index));
        advised.indexes.push(Advice {
            table: one.change.table.clone(),
            sql: one.change.sql.clone(),
            replaced,
            heals,
            serves: others.into_iter().filter(goes_by).collect(),
        });
    }
    let costly = judge.subjects.iter().filter(|one| is_wanted(one));
    advised.left = costly.flat_map(|one| &one.places).copied().filter(|at| !healed.contains(at)).collect();
    advised
}

/// Whether indexes that are there together heal what they heal alone, and make nothing slower.
fn holds(judge: &mut Judge<'_>, chosen: &[Proved], healed: &BTreeSet<usize>) -> bool {
    let Some(first) = chosen.first() else { return true };
    let runs: Vec<&str> = chosen.iter().map(|one| one.change.run.as_str()).collect();
    let tried: BTreeSet<usize> = chosen.iter().flat_map(|one| &one.change.tried).copied().collect();
    let all = Change { run: runs.join("; "), ..first.change.clone() };
    let Some(effects) = judge.verdicts(&all, &tried.into_iter().collect::<Vec<_>>()) else { return false };
    let better: BTreeSet<usize> =
        effects.all.iter().filter(|one| one.verdict == Verdict::Better).map(|one| one.statement).collect();
    healed.is_subset(&better) && effects.all.iter().all(|one| one.verdict != Verdict::Worse)
}

/// The indexes whose columns the new one begins with, and that no text is worse off without once it is there.
fn replaced(judge: &mut Judge<'_>, made: &Change) -> Vec<(String, String)> {
    let terms = change::terms(&made.sql).strip_suffix(')').unwrap_or("").split(", ");
    let new: Vec<String> = terms.map(|term| term.trim_matches('"').to_lowercase()).collect();
    let mut replaced = Vec::new();
    for index in judge.objects.indexes_of(&made.schema, &made.table) {
        let keys = index.columns.iter().filter(|column| column.key);
        let own: Option<Vec<String>> = keys.map(|key| Some(key.name.as_ref()?.to_lowercase())).collect();
        let is_plain = index.origin == Origin::Create && !index.unique && index.filter.is_none();
        let is_first = own.is_some_and(|own| own.len() < new.len() && new.starts_with(&own));
        if !is_plain || !is_first {
            continue;
        }
        let users = judge.subjects.iter().filter(|one| compare::uses(&one.explained.plan, index));
        let users: Vec<(&str, &Plan)> =
            users.map(|one| (one.statement.text.as_str(), &one.explained.plan)).collect();
        let (sql, run) = change::drop_index(index);
        if spare::as_well(judge.live, &format!("{}; {run}", made.run), &users).is_some() {
            replaced.push((sql, index.sql.clone().unwrap_or_default()));
        }
    }
    replaced
}

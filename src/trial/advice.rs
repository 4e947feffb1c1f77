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
            let table = fix.tables().first().map(|name| unquoted(name))?;
            Some(change::written(&table, &fix.text))
        });
        for change in asked.chain(for_children(subject, objects)) {
            let is_like = |one: &Change| {
                same(&one.table, &change.table) && change::terms(&one.sql) == change::terms(&change.sql)
            };
            if !wanted.iter().any(is_like) {
                let tables: Vec<String> = parts(&change.sql).iter().map(|one| one.table.clone()).collect();
                let tables = if tables.is_empty() { vec![change.table.clone()] } else { tables };
                wanted.push(Change { tried: touching(subjects, &tables), ..change });
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

/// The texts that read or write one of these tables, as indexes of the subjects.
fn touching(subjects: &[Subject<'_>], tables: &[String]) -> Vec<usize> {
    let is_one = |name: &str| tables.iter().any(|table| same(name, table));
    let touches = |one: &Subject<'_>| {
        let mut steps = one.explained.plan.steps.iter();
        steps.any(|step| step.table.as_deref().is_some_and(is_one))
            || one.explained.writes.iter().any(|write| is_one(&write.table))
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
    let mut chosen = fewest(&mut proved);
    // What each does alone, they have to do together. Where they do not, those stay that do, one after the other.
    if chosen.len() > 1 && !holds(judge, &chosen) {
        let mut kept: Vec<Proved> = Vec::new();
        for one in chosen {
            kept.push(one);
            if kept.len() > 1 && !holds(judge, &kept) {
                proved.extend(kept.pop());
            }
        }
        chosen = kept;
        // Of what another one was chosen for at first, that may be healed by one that was not.
        for one in fewest_beside(&chosen, &mut proved) {
            chosen.push(one);
            if !holds(judge, &chosen) {
                chosen.pop();
            }
        }
    }
    let healed: BTreeSet<usize> = chosen.iter().flat_map(|one| &one.heals).copied().collect();
    let mut dropped: BTreeSet<String> = BTreeSet::new();
    let mut made: BTreeSet<String> = BTreeSet::new();
    for one in chosen {
        let (heals, others): (Vec<Effect>, Vec<Effect>) =
            one.effects.into_iter().partition(|effect| effect.verdict == Verdict::Better);
        let mut alone = parts(&one.change.sql);
        if alone.len() < 2 || alone.iter().all(|part| same(&part.table, &one.change.table)) {
            alone = vec![one.change];
        }
        // An index on another table may be part of what heals several.
        for change in alone.into_iter().filter(|change| made.insert(change.sql.clone())) {
            let mut replaced = replaced(judge, &change);
            // What two of them can do without is dropped once.
            replaced.retain(|(sql, _)| dropped.insert(sql.clone()));
            let goes_by = |effect: &&Effect| effect.come.iter().any(|row| row.contains(&change.index));
            advised.indexes.push(Advice {
                table: change.table.clone(),
                sql: change.sql.clone(),
                replaced,
                heals: heals.clone(),
                serves: others.iter().filter(goes_by).cloned().collect(),
            });
        }
    }
    let costly = judge.subjects.iter().filter(|one| is_wanted(one));
    advised.left = costly.flat_map(|one| &one.places).copied().filter(|at| !healed.contains(at)).collect();
    advised
}

/// As few as heal all that can be healed, taken out of those that do.
fn fewest(proved: &mut Vec<Proved>) -> Vec<Proved> {
    fewest_beside(&[], proved)
}

/// The same of what others that are chosen do not heal.
fn fewest_beside(chosen: &[Proved], proved: &mut Vec<Proved>) -> Vec<Proved> {
    let mut healed: BTreeSet<usize> = chosen.iter().flat_map(|one| &one.heals).copied().collect();
    let mut found = Vec::new();
    loop {
        // The one that heals most of what is left; of two, that on fewer columns.
        let gain = |one: &Proved| one.heals.difference(&healed).count();
        let best = proved.iter().enumerate().max_by_key(|(at, one)| {
            let columns = one.change.sql.split(',').count() + parts(&one.change.sql).len();
            (gain(one), std::cmp::Reverse((columns, *at)))
        });
        let Some(at) = best.filter(|(_, one)| gain(one) > 0).map(|(at, _)| at) else { return found };
        let one = proved.swap_remove(at);
        healed.extend(&one.heals);
        found.push(one);
    }
}

/// The indexes of a change, each as one of its own.
fn parts(sql: &str) -> Vec<Change> {
    let create = |sql: &str| {
        let table = sql.split(" ON ").nth(1)?.split(" (").next()?;
        Some(change::written(&unquoted(table), sql))
    };
    sql.split("; ").filter_map(create).collect()
}

/// A name without its quotes.
fn unquoted(name: &str) -> String {
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    inner.map_or_else(|| name.to_owned(), |inner| inner.replace("\"\"", "\""))
}

/// Whether indexes that are there together heal what they heal alone, and make nothing slower.
fn holds(judge: &mut Judge<'_>, chosen: &[Proved]) -> bool {
    let Some(first) = chosen.first() else { return true };
    let mut runs: Vec<&str> = Vec::new();
    for run in chosen.iter().flat_map(|one| one.change.run.split("; ")) {
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let healed: BTreeSet<usize> = chosen.iter().flat_map(|one| &one.heals).copied().collect();
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

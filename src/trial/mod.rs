//! What an index does to statements, found out by trying. One that is there is left out, to see whether a costly statement
//! is better off with another; one that a step of the schema dropped is put back, to see whether it is missed.
//!
//! Only statements that cost more than their rows explain are tried, and only with the indexes that they go by or could
//! go by. Most are planned again and no more; where the plan changes in the right way, the statement is measured on the
//! other schema, on the same rows. Knows no rule, and no place in a source.
//!
//! So are indexes that can be left out for all statements alike, of which nothing is measured.

mod advice;
mod change;
mod compare;
mod cured;
mod hints;
mod joint;
mod judge;
mod shared;
mod slower;
mod spare;
mod unanalyzed;

pub use advice::{Advice, Advised, advise};

use crate::{
    growth::{Again, Class, Growth, Measured, Trial as Measurement, size::TableSize},
    obstacle::{After, Fix, FixKind, Kind, Obstacle, Obstructed},
    price::Priced,
    schema::{Explained, Live, variant::Variant},
    workload::{Database, KeyPlan, Statement},
};
use change::Change;
use cured::{Cured, Help};
use judge::Judge;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What is done to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// An index that was dropped is put back.
    AddIndex,
    /// An index that is there is left out.
    DropIndex,
    /// An index that is there has its columns in another order.
    ReplaceIndex,
    /// The statistics are taken away that a database in the field has.
    NoStatistics,
}

impl Action {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddIndex => "add_index",
            Self::DropIndex => "drop_index",
            Self::ReplaceIndex => "replace_index",
            Self::NoStatistics => "no_statistics",
        }
    }
}

/// An index that was tried, and without or with which some statement is better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The database.
    pub database: usize,
    /// What was done.
    pub action: Action,
    /// The table of the index; empty where no index is changed.
    pub table: String,
    /// The index.
    pub index: String,
    /// The indexes that were left out with it, for each took its place.
    pub also: Vec<String>,
    /// The same as SQL.
    pub sql: String,
    /// The DROP INDEX that is taken back, by its place among what became of the schema's statements.
    pub step: Option<usize>,
    /// What begins with the columns of an index that no statement is worse off without.
    pub holder: Option<String>,
    /// What it does to statements whose plan it changes, in their order.
    pub effects: Vec<Effect>,
}

/// What a change of the schema does to a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The statement, by its place among all.
    pub statement: usize,
    /// Whether it is for the better.
    pub verdict: Verdict,
    /// How its cost grew.
    pub before: Class,
    /// How it grows then.
    pub after: Class,
    /// The same with its numbers, where it is better and that was measured.
    pub measured: Option<After>,
    /// Its plan then, a line for each row.
    pub plan: Vec<String>,
    /// The rows of its plan that are there no more.
    pub gone: Vec<String>,
    /// The rows that took their place.
    pub come: Vec<String>,
    /// Another index, with which it is as well off on the schema as it is.
    pub cure: Option<Cure>,
}

/// Whether a statement is better off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It cost more than its rows explain, and does no more.
    Better,
    /// Neither, as far as can be told.
    Same,
    /// It costs more than its rows explain, which it did not, or reads, sorts or tests more.
    Worse,
}

impl Verdict {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::Worse => "worse",
        }
    }
}

/// An index that helps a statement, and was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cure {
    /// CREATE INDEX.
    pub sql: String,
    /// The row of the plan that goes by it.
    pub step: String,
}

/// A text, and all statements that say it.
struct Subject<'a> {
    /// Their places among all statements.
    places: Vec<usize>,
    statement: &'a Statement,
    explained: &'a Explained,
    growth: &'a Growth,
    /// Its cost grows, and the rows do not explain that, or it is not known.
    is_costly: bool,
}

/// What is known before anything is tried.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All statements.
    pub statements: &'a [Statement],
    /// The sizes of tables.
    pub sizes: &'a [TableSize],
    /// How costs grow.
    pub measured: &'a Measured,
    /// How foreign keys are looked after.
    pub keys: &'a [KeyPlan],
    /// What rows write.
    pub prices: &'a [Priced],
    /// The tables of each database of which the program keeps statistics itself, in lower case.
    pub kept: &'a [BTreeSet<String>],
}

/// Tells something of a statement.
type Tells<'a> = &'a (dyn Fn(&Statement) -> bool + Sync);

/// Tries the indexes that matter to costly statements, databases side by side, and measures what would help against
/// obstacles, to which it is written. `is_judged`: whether a statement counts; `is_told`: whether its cure is measured.
pub fn find(
    databases: &mut [Database],
    known: &Known<'_>,
    (obstacles, is_told): (&mut Vec<Obstructed>, Tells<'_>),
    is_judged: &(dyn Fn(&Statement) -> bool + Sync),
) -> Vec<Trial> {
    let before = obstacles.as_slice();
    let Known { statements, sizes, measured, keys, prices, .. } = known;
    let all = beside(databases, statements, sizes, measured, is_judged, &|variant, own| {
        let helps = cured::cures(&own.subjects, statements, before, is_told);
        let asked = (known, before, is_told);
        let (mut trials, cured, hints) = of_database(variant, own, &helps, asked);
        let keys: Vec<&KeyPlan> = keys.iter().filter(|key| key.database == own.database).collect();
        let spare = spare::find(variant, &own.statements, &keys, own.database, prices);
        // What makes a statement better is more than spare.
        let is_new = |one: &Trial| {
            trials.iter().all(|other: &Trial| other.index != one.index || !other.also.is_empty())
        };
        let spare: Vec<Trial> = spare.into_iter().filter(is_new).collect();
        trials.extend(spare);
        if own.is_analyzed && known.kept.get(own.database).is_none_or(BTreeSet::is_empty) {
            trials.extend(unanalyzed::find(variant, own, !measured.is_off));
        }
        for trial in &mut trials {
            trial.database = own.database;
        }
        (trials, cured, hints)
    });
    let mut trials = Vec::new();
    let mut hinted = Vec::new();
    for (own, cured, hints) in all {
        trials.extend(own);
        hinted.extend(hints);
        cured.note(obstacles);
    }
    add(obstacles, hinted);
    trials
}

/// Adds what was found of the planner to the obstacles, and takes away what its plan does not prove and no measurement.
fn add(obstacles: &mut Vec<Obstructed>, hinted: Vec<hints::Hint>) {
    for (statement, obstacle) in hinted {
        match obstacles.binary_search_by_key(&statement, |one| one.statement) {
            Ok(at) => obstacles.get_mut(at).into_iter().for_each(|one| one.obstacles.push(obstacle.clone())),
            Err(at) => {
                let obstacles_of = vec![obstacle];
                obstacles.insert(at, Obstructed { statement, asked: None, obstacles: obstacles_of });
            }
        }
    }
    for one in obstacles.iter_mut() {
        keep_fewest(&mut one.obstacles);
        one.obstacles.retain(|one| one.fix.as_ref().is_none_or(|fix| !fix.needs_measure || fix.is_proved()));
    }
}

/// Of an index for a step that was proved and what was tried beside it keeps the one; several that were proved, alone.
fn keep_fewest(obstacles: &mut Vec<Obstacle>) {
    let proved = |one: &Obstacle| one.fix.clone().filter(|fix| fix.kind == FixKind::Index && fix.is_proved());
    let is_beside = |one: &Obstacle| {
        one.kind == Kind::NoIndex
            && one
                .fix
                .as_ref()
                .is_some_and(|fix| fix.needs_measure && fix.after.is_some_and(|after| !after.is_joint))
    };
    if obstacles.iter().any(|one| !is_beside(one) && proved(one).is_some_and(|fix| fix.after.is_some())) {
        obstacles.retain(|one| !is_beside(one));
        return;
    }
    let several = obstacles.iter().filter_map(proved).filter(Fix::is_of_several);
    let Some(fewest) = several.min_by_key(|fix| fix.tables().len()) else { return };
    let is_it = |one: &Obstacle| one.fix.as_ref().is_some_and(|fix| fix.text == fewest.text);
    obstacles.iter_mut().filter(|one| !is_it(one)).for_each(|one| one.fix = None);
}

/// What is tried of one database.
struct Own<'a> {
    /// The database.
    database: usize,
    /// Its statements that are planned, with their places among all.
    statements: Vec<(usize, &'a Statement)>,
    sizes: Vec<&'a TableSize>,
    subjects: Vec<Subject<'a>>,
    /// Its statements are planned with the statistics of a database in the field.
    is_analyzed: bool,
}

/// Tries something of every database, side by side.
fn beside<T: Send>(
    databases: &mut [Database],
    statements: &[Statement],
    sizes: &[TableSize],
    measured: &Measured,
    is_judged: &(dyn Fn(&Statement) -> bool + Sync),
    tried: &(dyn Fn(&mut Variant, &Own<'_>) -> T + Sync),
) -> Vec<T> {
    let of = |(index, database): (usize, &mut Database)| {
        let is_own = |one: &Statement| one.database() == Some(index) && one.explained().is_some();
        let statements: Vec<(usize, &Statement)> =
            statements.iter().enumerate().filter(|(_, one)| is_own(one)).collect();
        let sizes = sizes.iter().filter(|size| size.database == index).collect();
        let subjects = subjects(&statements, measured, is_judged);
        let is_analyzed = database.is_analyzed();
        tried(&mut database.variant, &Own { database: index, statements, sizes, subjects, is_analyzed })
    };
    databases.par_iter_mut().enumerate().with_max_len(1).map(of).collect()
}

/// The texts of statements that count.
fn subjects<'a>(
    own: &[(usize, &'a Statement)],
    measured: &'a Measured,
    is_judged: &(dyn Fn(&Statement) -> bool + Sync),
) -> Vec<Subject<'a>> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut subjects: Vec<Subject<'a>> = Vec::new();
    for (place, statement) in own.iter().filter(|(_, one)| is_judged(one)) {
        if let Some(subject) = known.get(statement.text.as_str()).and_then(|&at| subjects.get_mut(at)) {
            subject.places.push(*place);
            continue;
        }
        let growth = measured.growths.binary_search_by_key(place, |growth| growth.statement);
        let growth = growth.ok().and_then(|at| measured.growths.get(at));
        let (Some(growth), Some(explained)) = (growth, statement.explained()) else { continue };
        known.insert(statement.text.as_str(), subjects.len());
        let is_costly = is_costly(growth);
        subjects.push(Subject { places: vec![*place], statement, explained, growth, is_costly });
    }
    subjects
}

/// Whether a cost grows where it is worst, and rows do not explain it, or is not known.
fn is_costly(growth: &Growth) -> bool {
    let worst = growth.trials.first();
    growth.unmeasured.is_some() || worst.is_some_and(Measurement::is_wasteful)
}

/// What was found of a database: indexes, what was measured of cures, and what the planner is to be told.
type Found = (Vec<Trial>, Cured, Vec<hints::Hint>);

fn of_database(
    variant: &mut Variant,
    own: &Own<'_>,
    helps: &[Help<'_>],
    (known, obstacles, is_told): (&Known<'_>, &[Obstructed], Tells<'_>),
) -> Found {
    let Variant { live, objects, outcomes, .. } = variant;
    let Own { statements, sizes, subjects, is_analyzed, .. } = own;
    let is_analyzed = *is_analyzed;
    let none = BTreeSet::new();
    let kept = known.kept.get(own.database).unwrap_or(&none);
    let asked = hints::Asked { objects, subjects, known, kept, obstacles, is_told, is_analyzed };
    let is_measured = !known.measured.is_off;
    let mut changes = change::left_out(objects, subjects);
    changes.extend(change::put_back(objects, outcomes, subjects));
    if !changes.is_empty() {
        let Ok(mut workshop) = live.workshop() else { return Found::default() };
        changes = change::promising(changes, objects, &mut workshop, subjects);
    }
    let has_hints = is_measured && asked.has_any();
    if changes.is_empty() && helps.is_empty() && !has_hints {
        return Found::default();
    }
    let again = is_measured.then(|| Again::new(objects, statements, sizes));
    let again = again.as_ref();
    let has_cures = !helps.is_empty() || has_hints;
    let cure = |live: &mut Live| -> (Cured, Vec<hints::Hint>) {
        let Some(again) = again.filter(|_| has_cures) else { return Default::default() };
        let mut cured = cured::measured(again, live, helps.to_vec());
        cured.shared.extend(shared::find(again, live, objects, helps, &cured.measured));
        let hints = if has_hints { asked.hints(again, live, &cured.measured) } else { Vec::new() };
        (cured, hints)
    };
    // Trials and cures go side by side, where there are both.
    let mut other = if changes.is_empty() || !has_cures { None } else { live.copy().ok() };
    let try_all = |live| trials(&mut Judge { live, objects, subjects, again, sizes }, changes);
    let (trials, (cured, hints)) = if let Some(other) = &mut other {
        rayon::join(|| try_all(live), || cure(other))
    } else {
        let cured = cure(live);
        (try_all(live), cured)
    };
    (trials, cured, hints)
}

/// The changes with which a statement is better off, and those that followed from others.
fn trials(judge: &mut Judge<'_>, changes: Vec<Change>) -> Vec<Trial> {
    let mut waiting = VecDeque::from(changes);
    let mut trials = Vec::new();
    while let Some(change) = waiting.pop_front() {
        let Some(effects) = judge.verdicts(&change, &change.tried) else { continue };
        if effects.all.iter().any(|effect| effect.verdict == Verdict::Better) {
            trials.extend(trial(judge, change));
        } else {
            waiting.extend(change.followed(judge.objects, judge.subjects, effects.taken_over));
        }
    }
    trials
}

/// A change with all that it does.
fn trial(judge: &mut Judge<'_>, change: Change) -> Option<Trial> {
    let mut effects = judge.effects(&change, &change.tried)?.all;
    // Those that an index serves count, too, before anyone is told to drop it.
    effects.extend(judge.effects(&change, &change.served)?.all);
    effects.sort_by_key(|effect| effect.statement);
    let Change { action, table, index, also, sql, step, .. } = change;
    Some(Trial { database: 0, action, table, index, also, sql, step, holder: None, effects })
}

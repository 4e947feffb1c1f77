//! Why an index is not used: for each step that reads or sorts too much, the terms that do not narrow it, the reason, and
//! where there is one the other text or the index with which they would, proved by planning the statement again.
//!
//! Only doubtful statements are looked at. What is not understood gives no obstacle: silence is better than advice that
//! is wrong. A rewrite returns the same rows, or its condition says when it does. Knows no rule, and no place in a
//! source.

mod absent;
mod ahead;
mod compare;
mod either;
mod exists;
mod expression;
mod first;
mod fix;
mod indexes;
mod instead;
mod keys;
mod kind;
mod like;
mod lost;
mod member;
mod near;
mod order;
mod partial;
mod rewrite;
mod shuffled;
mod subject;
mod terms;
mod through;
mod together;
mod types;
mod weigh;
mod whole;
mod words;

pub use fix::{After, Fix, FixKind, Rise};
pub use instead::{Instead, instead};
pub use keys::serve_keys;
pub use kind::Kind;
pub use lost::{Missed, missed};

use crate::{
    extract::names::{self, Names, expressions::Condition},
    growth::Measured,
    plan::{Op, Plan, Step},
    schema::{
        Explained, Objects, StatementKind,
        mirror::{Asked, Mirror},
        replan::Workshop,
    },
    workload::{Database, Statement},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use subject::Subject;
use through::Through;
use together::together;

pub use weigh::{is_full, weight};
pub(crate) use words::index_name;
pub use words::name as spelled;

/// Something that keeps a step from being narrowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// The step, as an index of the plan's.
    pub step: usize,
    /// Why.
    pub kind: Kind,
    /// The first byte of the term in the statement.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// The column that it is about.
    pub column: Option<String>,
    /// The index that would have served.
    pub index: Option<String>,
    /// The reason, in words that begin a sentence.
    pub words: String,
    /// What to do where nothing was proved to help, in words that are a sentence.
    pub advice: Option<String>,
    /// What would help, and does.
    pub fix: Option<Fix>,
}

impl Obstacle {
    /// What keeps the step from being narrowed, as a sentence without its full stop.
    fn reason(&self) -> String {
        let mut first = self.words.chars();
        first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect()
    }

    /// What cures it, and what is to be said beside that. What was measured not to be enough is no cure,
    /// nor is what the program does already.
    pub fn cure(&self) -> Option<(&Fix, String)> {
        let fix = self.fix.as_ref().filter(|fix| fix.is_proved() && fix.kind != FixKind::Kept)?;
        Some((fix, format!("{}.", self.reason())))
    }

    /// What keeps the step from being narrowed, and what would help, as sentences.
    pub fn help(&self) -> String {
        let words = self.reason();
        let Some(fix) = &self.fix else {
            let advice = self.advice.as_ref().map_or_else(String::new, |advice| format!(" {advice}."));
            return format!("{words}.{advice}");
        };
        let (step, after) = (&fix.step, fix.after.map_or_else(String::new, |after| after.words(&fix.plan)));
        if fix.after.is_some_and(|after| after.is_wasteful) {
            return format!(
                "{words}. `{}`{after}",
                if fix.kind == FixKind::Rewrite { &fix.part } else { &fix.text }
            );
        }
        let cure = match (fix.kind, &fix.condition) {
            (FixKind::Index, _) if fix.needs_measure && self.kind == Kind::Extreme => {
                format!("{words}. With `{}` it stands at one end of them.", fix.text)
            }
            (FixKind::Kept, _) => format!("{words}. With them SQLite's plan becomes `{step}`."),
            (FixKind::Analyze, _) => format!("{words}. After `{}` SQLite's plan becomes `{step}`.", fix.text),
            (FixKind::Index, _) if matches!(self.kind, Kind::Order | Kind::Direction) => {
                format!("{words}. With `{}` the rows come in that order: `{step}`.", fix.text)
            }
            (FixKind::Index, _) if fix.part.contains(") WHERE ") => {
                format!("{words}. With `{}` only the rows that are wanted are read.", fix.text)
            }
            (FixKind::Index, _) => format!("{words}. With `{}` SQLite's plan becomes `{step}`.", fix.text),
            (FixKind::Rewrite, None) => {
                format!(
                    "{words}. Write `{}`, which means the same: SQLite's plan becomes `{step}`.",
                    fix.part
                )
            }
            (FixKind::Rewrite, Some(condition)) => {
                let part = &fix.part;
                format!(
                    "{words}. Write `{part}`: SQLite's plan becomes `{step}`. It means the same if {condition}."
                )
            }
        };
        format!("{cure}{after}")
    }
}

/// What was found out about one statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Obstructed {
    /// The statement, by its place among all.
    pub statement: usize,
    /// What the planner asks of the tables; `None` where it could not be asked.
    pub asked: Option<Vec<Asked>>,
    /// What keeps its steps from being narrowed, in the order of the steps.
    pub obstacles: Vec<Obstacle>,
}

/// What stands in the way of the doubtful statements, databases side by side, in the order of the statements. No index is
/// worth it for one that runs once, nor one that changes which row comes first of which the program takes that alone.
pub fn find(
    databases: &mut [Database],
    statements: &[Statement],
    measured: &Measured,
    (runs_once, takes_first): (&Asks<'_>, &Asks<'_>),
) -> Vec<Obstructed> {
    let costly: Vec<usize> =
        measured.growths.iter().filter(|one| is_costly(one)).map(|one| one.statement).collect();
    let mut all: Vec<Obstructed> = databases
        .par_iter_mut()
        .enumerate()
        .with_max_len(1)
        .flat_map_iter(|(index, database)| {
            let own = statements.iter().enumerate().filter(|(_, one)| one.database() == Some(index));
            let doubtful: Vec<Doubtful<'_>> = own
                .filter_map(|(at, one)| {
                    let is_costly = costly.binary_search(&at).is_ok();
                    let explained = one.explained().filter(|explained| is_doubtful(explained, is_costly))?;
                    Some(Doubtful {
                        statement: at,
                        text: one.text.as_str(),
                        names: &one.names,
                        explained,
                        is_costly,
                        runs_once: runs_once(one),
                        takes_first: takes_first(one),
                    })
                })
                .collect();
            of_database(database, &doubtful)
        })
        .collect();
    all.sort_by_key(|one| one.statement);
    all
}

/// A question about a statement.
type Asks<'a> = dyn Fn(&Statement) -> bool + Sync + 'a;

/// A statement to be looked at.
struct Doubtful<'a> {
    statement: usize,
    text: &'a str,
    names: &'a Option<Arc<Names>>,
    explained: &'a Explained,
    /// Its cost grows, and the rows do not explain that: an index is worth being tried.
    is_costly: bool,
    /// It is a step of a migration.
    runs_once: bool,
    /// The program takes the first of its rows alone.
    takes_first: bool,
}

/// Whether a cost grows, and rows do not explain it, or is not known.
fn is_costly(growth: &crate::growth::Growth) -> bool {
    growth.trials.first().is_some_and(|trial| !trial.explained) || growth.unmeasured.is_some()
}

fn is_doubtful(explained: &Explained, is_costly: bool) -> bool {
    use StatementKind::{Delete, Insert, Replace, Select, Update};
    let reads = matches!(explained.kind, Select | Insert | Replace | Update | Delete);
    reads
        && !explained.proven_constant
        && explained.plan.steps.iter().any(|step| is_target(step, is_costly) || is_sort(step))
}

/// Whether a step reads more than a search does: all of a table, or an index that is built for it.
fn is_target(step: &Step, is_costly: bool) -> bool {
    is_own_read(step) && (step.op == Op::Scan || step.is_automatic() || step.terms.is_empty() || is_costly)
}

fn is_sort(step: &Step) -> bool {
    use crate::plan::Purpose::{LastTermsOfOrderBy, OrderBy};
    step.program.is_none() && matches!(step.op, Op::TempBTree(OrderBy | LastTermsOfOrderBy(_)))
}

/// The most steps of a statement that are looked at.
const MOST_STEPS: usize = 6;

/// The most plans and indexes that are tried for a statement.
const MOST_TRIALS: usize = 64;

fn of_database(database: &mut Database, doubtful: &[Doubtful<'_>]) -> Vec<Obstructed> {
    let objects = &database.variant.objects;
    if doubtful.is_empty() {
        return Vec::new();
    }
    let asks = doubtful.iter().any(|one| one.is_costly);
    let mut mirror = if asks { Mirror::new(&database.settings, objects).ok() } else { None };
    let Ok(mut workshop) = database.variant.live.workshop() else { return Vec::new() };
    workshop.plain_indexes = database.plain_indexes;
    // Reading the texts takes as long as asking SQLite, and each is read by itself.
    let texts: Vec<Option<Read>> = doubtful.par_iter().map(Read::new).collect();
    let mut known: FxHashMap<(&str, Vec<&str>, bool, bool, bool), Obstructed> = FxHashMap::default();
    let mut all = Vec::new();
    for (one, read) in doubtful.iter().zip(&texts) {
        let Some(read) = read else { continue };
        let found = known
            .entry((one.text, like::patterns(&read.names), one.is_costly, one.runs_once, one.takes_first))
            .or_insert_with(|| of_statement(one, read, objects, mirror.as_mut(), &mut workshop));
        all.push(Obstructed { statement: one.statement, ..found.clone() });
    }
    all
}

/// A text, read.
struct Read {
    conditions: Vec<Condition>,
    names: Arc<Names>,
}

impl Read {
    /// `None` where there is nothing to say: it has no condition, no order and no least or greatest value.
    fn new(one: &Doubtful<'_>) -> Option<Self> {
        let conditions = names::expressions::conditions(one.text);
        let calls =
            |name: &str| one.explained.functions.iter().any(|called| called.eq_ignore_ascii_case(name));
        if conditions.is_empty() && !calls("min") && !calls("max") {
            return None;
        }
        Some(Self { conditions, names: one.names.clone()? })
    }
}

/// What stands in the way of one statement.
fn of_statement(
    one: &Doubtful<'_>,
    read: &Read,
    objects: &Objects,
    mirror: Option<&mut Mirror>,
    workshop: &mut Workshop<'_>,
) -> Obstructed {
    let (sql, plan) = (one.text, &one.explained.plan);
    let mut mirror = mirror.filter(|_| one.is_costly);
    let asked = mirror.as_deref_mut().and_then(|mirror| mirror.ask(sql));
    let through = Through::new(read, objects, mirror);
    let mut found = Obstructed { asked, ..Obstructed::default() };
    workshop.allow(MOST_TRIALS);
    let steps = plan.steps.iter().enumerate();
    let targets = steps.filter(|(at, step)| {
        (is_target(step, one.is_costly) && !is_unique(step) || sorts(plan, *at)) && !is_arm(plan, step)
    });
    for (at, _) in targets.take(MOST_STEPS) {
        let asked = found.asked.as_deref();
        if let Some(subject) = Subject::new((sql, plan, at), objects, read, asked, &through) {
            found.obstacles.extend(subject.obstacles(workshop, one.is_costly, !one.runs_once));
        }
    }
    if one.is_costly && !one.runs_once {
        let own = plan.steps.iter().enumerate().filter(|(_, step)| is_own_read(step)).map(|(at, _)| at);
        let asked = found.asked.as_deref();
        let subject = |at| Subject::new((sql, plan, at), objects, read, asked, &through);
        let subjects: Vec<Subject<'_>> = own.take(MOST_STEPS).filter_map(subject).collect();
        let helped = together(&subjects, &found.obstacles, workshop);
        found.obstacles.extend(helped);
    }
    first::keep_first(one, read, &mut found.obstacles);
    found
}

/// Whether a step reads a table for the statement itself.
fn is_own_read(step: &Step) -> bool {
    step.program.is_none() && step.table.is_some() && matches!(step.op, Op::Scan | Op::Search)
}

/// Whether a step is an arm of an OR, each of which has its index.
fn is_arm(plan: &Plan, step: &Step) -> bool {
    step.parent.and_then(|parent| plan.steps.get(parent)).is_some_and(|parent| parent.op == Op::OrIndex)
}

/// Whether a step finds one row by its rowid.
fn is_unique(step: &Step) -> bool {
    step.index == Some(crate::plan::Index::Rowid) && step.equalities() > 0
}

/// Whether the rows of a step are sorted: it is the first loop of its SELECT, beside a sort.
fn sorts(plan: &Plan, at: usize) -> bool {
    let Some(step) = plan.steps.get(at) else { return false };
    let is_loop = |other: &&Step| other.parent == step.parent && matches!(other.op, Op::Scan | Op::Search);
    let is_first = plan.steps.iter().take(at).filter(is_loop).count() == 0;
    let reads = step.table.is_some() && matches!(step.op, Op::Scan | Op::Search);
    is_first && reads && plan.steps.iter().any(|other| other.parent == step.parent && is_sort(other))
}

//! Finds the database of each statement and plans it there.

use super::{
    Database, Logged, Logs, Outcome, Passed, Statement, Why, between, copies,
    foreign::{Functions, is_foreign},
    fragments::fragments,
    heirs::Heirs,
    holes::{Fillings, Names, fillings, with_values},
    homes::Homes,
    known::Known,
    marked,
    outcome::{filled, is_schema, settle},
    patterns,
    rivals::settle_rivals,
    spared::{drop_parts, forgive, spare_others},
};
use crate::{
    extract::{
        self, Extraction, Literal, Role, names,
        text::{HOLE, Text},
    },
    migration::{Servers, Step, is_script_of_another, leads_back, mentions, system_of_path},
    schema::{Explained, Kind, Live, Refusal, RefusalKind, variant::add_missing},
    source::Sources,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Plans the statements of all literals, each on the database it belongs to.
pub fn bind(
    sources: &Sources,
    extraction: &Extraction,
    databases: &mut [Database],
    logs: &Logs,
) -> (Vec<Statement>, Vec<Passed>) {
    let known = Known::new((sources, extraction), databases);
    let applied = applied(databases);
    let fragments = fragments(extraction);
    let backward = backward(sources, extraction);
    let is_whole = |index: usize| !fragments.contains(&index) && !backward.contains(&index);
    let mut jobs = jobs((sources, extraction), databases, &known, logs, &is_whole);
    plan_rounds(&mut jobs, extraction, databases, &known);
    settle_rivals(&mut jobs, (sources, extraction), databases, &known);
    marked::plan(&mut jobs, (sources, extraction), databases, &known, &applied);
    between::plan(&mut jobs, sources, extraction, databases);
    let mut statements: Vec<Statement> = Vec::new();
    for job in jobs {
        statements.extend(settle(job, sources, extraction, &known, &applied));
    }
    let mut passed: Vec<Passed> =
        statements.extract_if(.., |one| is_schema(one)).map(|one| Passed::of(&one)).collect();
    let whole = |index, why| Passed::whole(index, why, extraction);
    passed.extend(fragments.into_iter().filter_map(|index| whole(index, Why::Part)));
    passed.extend(backward.into_iter().filter_map(|index| whole(index, Why::Backward)));
    passed.extend(drop_parts(&mut statements, extraction));
    forgive(&mut statements);
    spare_others(&mut statements, databases);
    passed.extend(drop_known(&mut statements));
    passed.sort_by_key(|one| (one.site, one.literal));
    copies::merge(&mut statements, sources, extraction);
    read_names(&mut statements, extraction);
    (statements, passed)
}

/// Whether a file of SQL holds queries that code asks for by their names.
fn has_named_queries(text: &Text) -> bool {
    text.as_str().contains("-- name")
}

/// The files of migrations that lead back to an older version, which run on schemas of their own, if ever.
fn backward(sources: &Sources, extraction: &Extraction) -> BTreeSet<usize> {
    let leads_back = |literal: &Literal| {
        literal.language.is_sql
            && !literal.variants.iter().any(has_named_queries)
            && literal.role == Role::Migration
            && leads_back(sources.path(literal.site.source))
    };
    let all = extraction.literals.iter().enumerate();
    all.filter(|(_, literal)| leads_back(literal)).map(|(index, _)| index).collect()
}

/// What is to be planned of those literals that are wanted.
pub(super) fn jobs(
    (sources, extraction): (&Sources, &Extraction),
    databases: &[Database],
    known: &Known,
    logs: &Logs,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    let homes: Vec<Homes<'_>> =
        databases.iter().map(|database| Homes::new(sources, extraction, database)).collect();
    let declared = databases.iter().flat_map(|database| &database.declaration.homes);
    let servers = Servers::find(sources, extraction).but_for(declared.copied());
    let functions = Functions::new(sources, databases);
    let heirs = Heirs::find(sources, extraction);
    let mut near = HashMap::new();
    for (index, literal) in extraction.literals.iter().enumerate().filter(|(index, _)| is_wanted(*index)) {
        let path = sources.path(literal.site.source);
        let near = near
            .entry(literal.site.source)
            .or_insert_with(|| homes.iter().map(|homes| homes.nearness(path)).collect::<Vec<usize>>());
        let is_others = servers.run(literal);
        for (branch, text) in literal.variants.iter().enumerate() {
            // A file of a server's procedures is one as a whole.
            let is_script = literal.language.is_sql && !has_named_queries(text);
            let is_others = is_others || (is_script && is_script_of_another(text.as_str()));
            jobs.extend(split(index, branch, literal, text).into_iter().map(|piece| {
                let mut used = mentions(piece.text.as_str()).used;
                let own = names::common_tables(piece.text.as_str());
                used.retain(|name| !own.contains(name));
                let text = piece.text.as_str();
                let foreign = is_others || is_foreign(text) || functions.are_called(text);
                // What SQLite does not take of a class that is on both sides is for the other one.
                let is_beside = system_of_path(path) == Some(true);
                let logged = logs.get(&index);
                let candidates = match logged {
                    _ if foreign || (is_beside && !heirs.have(literal)) => Vec::new(),
                    Some(logged) => logged_candidates(logged, &used, databases, known),
                    None => candidates(path, near, &used, databases, known),
                };
                let rivals = if logged.is_some() { Vec::new() } else { rivals(&candidates, near) };
                Job {
                    piece,
                    used,
                    is_foreign: foreign || is_beside,
                    candidates,
                    rivals,
                    logged: logged.cloned(),
                    refusal: None,
                    done: Vec::new(),
                    passed: Vec::new(),
                    names_table: false,
                    is_filled: false,
                    step: None,
                }
            }));
        }
    }
    jobs
}

/// Reads what stands in each statement that is judged, on all cores, and equal texts once.
fn read_names(statements: &mut [Statement], extraction: &Extraction) {
    let judged = |one: &Statement| !matches!(one.outcome, Outcome::Test);
    let texts: HashSet<&str> =
        statements.iter().filter(|one| judged(one)).map(|one| one.text.as_str()).collect();
    let read: HashMap<&str, Option<Arc<names::Names>>> =
        texts.into_par_iter().map(|text| (text, names::names(text).map(Arc::new))).collect();
    let of = |one: &Statement| read.get(one.text.as_str()).filter(|_| judged(one)).cloned().flatten();
    let found: Vec<Option<Arc<names::Names>>> = statements.iter().map(of).collect();
    for (one, names) in statements.iter_mut().zip(found) {
        let run = extraction.literals.get(one.literal).map(|literal| &literal.run);
        one.names = match (names, run) {
            (Some(names), Some(run)) => Some(patterns::noted(names, one, &run.patterns, &run.literals)),
            (names, _) => names,
        };
    }
}

/// The literals that are steps of a schema, and the database that they make. Of one that stops in the middle, in code, the rest
/// was not read.
fn applied(databases: &[Database]) -> HashMap<usize, usize> {
    let mut applied = HashMap::new();
    for (index, database) in databases.iter().enumerate() {
        let outcomes = database.variant.outcomes.iter();
        let is_cut =
            |refusal: Option<&Refusal>| refusal.is_some_and(|one| one.kind == RefusalKind::Incomplete);
        let cut: HashSet<usize> = outcomes
            .filter(|outcome| is_cut(outcome.applied.outcome.as_ref().err()))
            .map(|outcome| outcome.step)
            .collect();
        let is_read = |at: usize, step: &Step| !cut.contains(&at) || extract::is_sql(&step.name);
        for (at, step) in database.declaration.steps.iter().enumerate() {
            if is_read(at, step) {
                applied.entry(step.literal).or_insert(index);
            }
        }
    }
    applied
}

/// One statement of a literal's text, before anything is known of it.
pub(super) struct Piece {
    pub literal: usize,
    pub branch: usize,
    pub ordinal: usize,
    pub text: Text,
    /// The text behind the first of several statements.
    pub tail: Option<Text>,
    /// Whether the text holds no other.
    pub is_only: bool,
}

/// A piece on its way through the databases.
pub(super) struct Job {
    pub piece: Piece,
    pub used: Vec<String>,
    /// Whether it is written for another database system, by where it stands.
    pub is_foreign: bool,
    /// The databases still to try, the likeliest last.
    pub candidates: Vec<usize>,
    /// Of them, those that are as near as the likeliest, where these are several.
    pub rivals: Vec<usize>,
    pub logged: Option<Arc<Logged>>,
    pub refusal: Option<(usize, Refusal)>,
    pub done: Vec<(usize, Text, Box<Explained>)>,
    /// The tables that it may fill, were its table not told by a name.
    pub passed: Vec<String>,
    /// Whether a hole stands for the name of a table.
    pub names_table: bool,
    /// Whether something was tried for each of its holes.
    pub is_filled: bool,
    /// After how many steps of its database it was planned; `None`: after all.
    pub step: Option<usize>,
}

fn split(literal: usize, branch: usize, of: &Literal, text: &Text) -> Vec<Piece> {
    if of.role == Role::Test && !of.language.is_sql {
        return vec![Piece { literal, branch, ordinal: 0, text: text.clone(), tail: None, is_only: true }];
    }
    let sql = text.as_str();
    let ranges = if sql.contains(';') { Live::split(sql) } else { vec![(0, sql.len())] };
    let several = ranges.len() > 1;
    let piece = |start: usize, end: usize| with_values(&text.part(start, end));
    let pieces = ranges.iter().enumerate().map(|(ordinal, &(start, end))| {
        let tail = ranges
            .get(1)
            .filter(|_| several && ordinal == 0 && !text.is_handed())
            .map(|&(next, _)| text.part(next, sql.trim_end().len()));
        Piece { literal, branch, ordinal, text: piece(start, end), tail, is_only: !several }
    });
    pieces.collect()
}

/// The databases on which a logged statement may compile: the one whose log it is, else each that has its tables, else
/// any, which then says whether it is SQL at all.
fn logged_candidates(logged: &Logged, used: &[String], databases: &[Database], known: &Known) -> Vec<usize> {
    let is_own = |index: &usize| {
        let config = databases.get(*index).and_then(|database| database.declaration.config);
        logged.database.is_none() || logged.database == config
    };
    let count = |index: &usize| {
        used.iter().filter(|name| known.tables.get(*name).is_some_and(|all| all.contains(index))).count()
    };
    let mut found: Vec<usize> = (0..databases.len()).filter(is_own).collect();
    found.sort_by_key(|index| (count(index), std::cmp::Reverse(*index)));
    let most = found.last().map_or(0, count);
    found.retain(|index| count(index) == most);
    if most == 0 { found.pop().into_iter().collect() } else { found }
}

/// Takes out what was logged and stands in a source as well, where more is known of it.
fn drop_known(statements: &mut Vec<Statement>) -> Vec<Passed> {
    if statements.iter().all(|one| one.logged.is_none()) {
        return Vec::new();
    }
    let key = |one: &Statement| (one.database(), super::log::key(one.text.as_str()));
    let planned = statements.iter().filter(|one| one.logged.is_none() && one.explained().is_some());
    let known: HashSet<(Option<usize>, String)> = planned.map(key).collect();
    let twice = statements.extract_if(.., |one| one.logged.is_some() && known.contains(&key(one)));
    twice.map(|one| Passed { why: Why::Known, ..Passed::of(&one) }).collect()
}

/// The databases on which a statement may compile, the nearest last.
pub(super) fn candidates(
    path: &str,
    near: &[usize],
    used: &[String],
    databases: &[Database],
    known: &Known,
) -> Vec<usize> {
    let allowed = |index: &usize| {
        let globs = databases.get(*index).and_then(|database| database.statements.as_ref());
        globs.is_none_or(|globs| globs.matches(path))
    };
    let named: Vec<&Vec<usize>> = used.iter().filter_map(|name| known.tables.get(name)).collect();
    let mut found: Vec<usize> = (0..databases.len())
        .filter(|index| named.iter().all(|with| with.contains(index)))
        .filter(allowed)
        .collect();
    if found.is_empty() {
        // No database has all of its tables: where most of them are, SQLite says what is wrong.
        found = (0..databases.len())
            .filter(|index| named.iter().any(|with| with.contains(index)))
            .filter(allowed)
            .collect();
    }
    found.sort_by_key(|&index| (near.get(index).copied(), std::cmp::Reverse(index)));
    found
}

/// Of databases, the nearest last, those that are as near as the last.
fn rivals(candidates: &[usize], near: &[usize]) -> Vec<usize> {
    let nearest = candidates.last().and_then(|&last| near.get(last));
    let is_rival = |index: &usize| near.get(*index) == nearest;
    let found: Vec<usize> = candidates.iter().copied().filter(is_rival).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// Plans each job on its likeliest database, all databases side by side, until nothing is left to try.
pub(super) fn plan_rounds(
    jobs: &mut [Job],
    extraction: &Extraction,
    databases: &mut [Database],
    known: &Known,
) {
    loop {
        let mut per_database: BTreeMap<usize, Vec<&mut Job>> = BTreeMap::new();
        for job in jobs.iter_mut().filter(|job| job.done.is_empty()) {
            let is_test =
                extraction.literals.get(job.piece.literal).is_none_or(|literal| literal.role == Role::Test);
            if let Some(database) = job.candidates.pop().filter(|_| !is_test) {
                per_database.entry(database).or_default().push(job);
            }
        }
        if per_database.is_empty() {
            return;
        }
        let mut work: Vec<(usize, &mut Database, Vec<&mut Job>)> = Vec::new();
        for (index, database) in databases.iter_mut().enumerate() {
            if let Some(jobs) = per_database.remove(&index) {
                work.push((index, database, jobs));
            }
        }
        work.sort_by_key(|(_, _, jobs)| std::cmp::Reverse(jobs.len()));
        work.into_par_iter().with_max_len(1).for_each(|(index, database, jobs)| {
            let live = &mut database.variant.live;
            for job in jobs {
                plan(job, index, live, known.names.get(index));
            }
        });
    }
}

fn plan(job: &mut Job, index: usize, live: &mut Live, names: Option<&Names>) {
    let nothing = Names::default();
    let Fillings { groups, others, names_table } = if job.piece.text.holes().is_empty() {
        Fillings::whole(&job.piece.text)
    } else {
        fillings(&job.piece.text, names.unwrap_or(&nothing))
    };
    job.names_table = names_table;
    job.is_filled |= groups.iter().flatten().any(|text| !text.as_str().contains(HOLE));
    for group in groups {
        plan_first(job, index, live, group);
    }
    if !job.done.is_empty() && matches!(Kind::of(job.piece.text.as_str()), Kind::Insert | Kind::Replace) {
        for group in others {
            let first = group.iter().find_map(|text| explain(live, text.as_str()).ok());
            job.passed.extend(first.iter().flat_map(filled));
        }
    }
}

/// Plans the first of some texts that compiles.
fn plan_first(job: &mut Job, index: usize, live: &mut Live, texts: Vec<Text>) {
    for text in texts {
        match explain(live, text.as_str()) {
            Ok(mut explained) => {
                if let Some(logged) = &job.logged {
                    logged.plan_with_values(&text, &mut explained, live);
                }
                job.done.push((index, text, Box::new(explained)));
                return;
            }
            Err(refusal) => {
                let better = job.refusal.as_ref().is_none_or(|(_, before)| weight(&refusal) > weight(before));
                if better {
                    job.refusal = Some((index, refusal));
                }
            }
        }
    }
}

/// What a refusal tells: an unknown column more than an unknown table, that more than broken words.
pub(super) fn weight(refusal: &Refusal) -> u8 {
    match refusal.kind {
        RefusalKind::Syntax | RefusalKind::Incomplete => 0,
        RefusalKind::NoSuchTable(_) => 1,
        _ => 2,
    }
}

pub(super) fn explain(live: &mut Live, sql: &str) -> Result<Explained, Refusal> {
    for _ in 0..8 {
        match live.explain(sql) {
            Err(refusal) if add_missing(live, &refusal) => {}
            other => return other,
        }
    }
    live.explain(sql)
}

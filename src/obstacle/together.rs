//! Indexes that help a join together, where none does alone: one finds the rows of a table by what the caller gives, and
//! others the rows of the tables that are joined with those. Tried by their plans; whether they help, what is measured has to tell.

use super::{Fix, FixKind, Kind, Obstacle, indexes::Key, subject::Subject, terms::Term, weigh, words};
use crate::{
    plan::{Index, Op, Plan, Program, Step},
    schema::{
        ForeignKey, IndexColumn, Objects, Table,
        replan::{TRIAL, Workshop},
        same,
    },
};

/// The most indexes that are made together.
const MOST: usize = 4;
/// The most plans and indexes that are tried.
const MOST_TRIALS: usize = 64;

/// An index to be made: its table, and its keys as they stand in CREATE INDEX.
#[derive(Clone, PartialEq)]
struct Made<'a> {
    table: &'a Table,
    keys: Vec<String>,
}

impl<'a> Made<'a> {
    /// `None` without keys.
    fn new(table: &'a Table, keys: &[Key]) -> Option<Self> {
        let mut texts: Vec<String> = Vec::new();
        for key in keys {
            if !texts.contains(&key.text) {
                texts.push(key.text.clone());
            }
        }
        (!texts.is_empty()).then_some(Self { table, keys: texts })
    }

    /// What stands in CREATE INDEX behind the table.
    fn list(&self) -> String {
        format!("({})", self.keys.join(", "))
    }
}

/// A table of the join, and what is asked of it.
struct Member<'s, 'a> {
    subject: &'s Subject<'a>,
    terms: Vec<Term>,
}

impl<'a> Member<'_, 'a> {
    fn keys(&self) -> impl Iterator<Item = &Key> {
        let plain = |term: &&Term| term.kind != Kind::Or && term.keys.iter().all(|key| key.filter.is_none());
        self.terms.iter().filter(plain).flat_map(|term| &term.keys)
    }

    /// What its rows are found by where no other table is read before: columns that are compared by `=`, and a range behind.
    fn sought(&self) -> Option<Made<'a>> {
        let equal = self.keys().filter(|key| key.is_equal());
        let equal = equal.chain(self.keys().filter(|key| key.is_list()).take(1));
        let sought: Vec<Key> = equal.chain(self.keys().find(|key| key.is_range())).cloned().collect();
        let finds_one = self.subject.begins_unique(&sought.iter().collect::<Vec<_>>());
        Made::new(self.subject.table, &sought)
            .filter(|made| !finds_one && !self.subject.has_index(&made.keys))
    }

    /// Whether it is read by the same SELECT.
    fn is_beside(&self, other: &Subject<'_>) -> bool {
        self.subject.step.parent == other.step.parent
    }

    fn is_given(&self) -> bool {
        self.keys().any(|key| key.is_equal() && key.is_given())
    }
}

/// The most ways that are tried by a measurement.
const MOST_WAYS: usize = 3;

/// What would help a join that reads a table whole, beside what is found of its steps alone: one for each table that it could
/// begin with.
pub(super) fn together(
    subjects: &[Subject<'_>],
    found: &[Obstacle],
    workshop: &mut Workshop<'_>,
) -> Vec<Obstacle> {
    let Some(read) = subjects.iter().find(|one| weigh::is_full(one.step)) else { return Vec::new() };
    let terms = |one: &Subject<'_>| one.filters().flat_map(|filter| one.terms(filter)).collect();
    let members: Vec<Member<'_, '_>> =
        subjects.iter().map(|subject| Member { subject, terms: terms(subject) }).collect();
    let mut firsts: Vec<usize> = Vec::new();
    for (at, one) in members.iter().enumerate().filter(|(_, one)| one.is_beside(read)) {
        let place =
            if one.is_given() { firsts.partition_point(|at| is_given(&members, *at)) } else { firsts.len() };
        firsts.insert(place, at);
    }
    let whole = read.plan.steps.iter().filter(|step| is_read_whole(step)).count();
    if firsts.len() < 2 && whole < 2 {
        return Vec::new();
    }
    workshop.allow(MOST_TRIALS);
    let mut ways: Vec<Obstacle> = Vec::new();
    for (first, start) in starts(&members, &firsts, read) {
        let Some((made, plan)) = grown(&members, start, read.sql, workshop) else { continue };
        let fix = fix(read, &made, &plan);
        // What has more columns is found of the step itself.
        let begin = fix.part.trim_end_matches(')');
        let is_wider = |other: &Fix| other.tables() == fix.tables() && other.part.starts_with(begin);
        let is_known = |one: &Obstacle| one.fix.as_ref().is_some_and(is_wider);
        if !found.iter().chain(&ways).any(is_known) {
            ways.extend(obstacle(&members, first, &made, read, fix));
        }
    }
    ways.truncate(MOST_WAYS);
    ways
}

/// The indexes to begin with, each with its table: on what the rows of a table are found by; and, where the caller gives what
/// another is found by, on a column that joins.
fn starts<'a>(members: &[Member<'_, 'a>], firsts: &[usize], read: &Subject<'_>) -> Vec<(usize, Made<'a>)> {
    let sought = firsts.iter().filter_map(|&first| Some((first, members.get(first)?.sought()?)));
    // Where an index is wanted for that, too, the others follow it.
    let leads = |one: &Member<'_, '_>| one.is_given() && one.sought().is_none();
    let is_led = |at: usize| members.iter().enumerate().any(|(other, one)| other != at && leads(one));
    let joined = members.iter().enumerate().filter(|(at, one)| one.is_beside(read) && is_led(*at));
    let joined = joined.flat_map(|(at, one)| {
        let keys = one.keys().filter(|key| key.joins() && !key.orders());
        let keys = keys.filter(|key| !one.subject.begins_unique(&[*key]));
        keys.filter_map(move |key| Some((at, Made::new(one.subject.table, std::slice::from_ref(key))?)))
    });
    sought.chain(joined).collect()
}

fn is_given(members: &[Member<'_, '_>], at: usize) -> bool {
    members.get(at).is_some_and(Member::is_given)
}

/// The indexes with which no table is read whole, beginning with this one.
fn grown<'a>(
    members: &[Member<'_, 'a>],
    start: Made<'a>,
    sql: &str,
    workshop: &mut Workshop<'_>,
) -> Option<(Vec<Made<'a>>, Plan)> {
    let planned = |made: &[Made<'a>], workshop: &mut Workshop<'_>| {
        let lists: Vec<String> = made.iter().map(Made::list).collect();
        let all = made.iter().zip(&lists);
        let indexes: Vec<_> = all
            .map(|(one, list)| (one.table.schema.as_str(), one.table.name.as_str(), list.as_str()))
            .collect();
        workshop.plan_with_all(&indexes, sql)
    };
    let mut made = vec![start];
    let mut plan = planned(&made, workshop)?;
    while let Some(step) = plan.steps.iter().find(|step| is_read_whole(step)).cloned() {
        let next = wanted(members, &step).into_iter().filter(|one| !made.contains(one)).find_map(|one| {
            let more: Vec<Made<'a>> = made.iter().cloned().chain([one]).collect();
            let plan = planned(&more, workshop)?;
            goes_by(&plan, more.len() - 1).then_some((more, plan))
        });
        (made, plan) = next.filter(|(made, _)| made.len() <= MOST)?;
    }
    let is_used = |(number, one): (usize, Made<'a>)| goes_by(&plan, number).then_some(one);
    let used: Vec<Made<'a>> = made.iter().cloned().enumerate().filter_map(is_used).collect();
    if used.len() == made.len() {
        return Some((made, plan));
    }
    let plan = planned(&used, workshop)?;
    let is_left = used.is_empty() || plan.steps.iter().any(is_read_whole);
    (!is_left).then_some((used, plan))
}

/// What may keep a table from being read whole: an index on a column that joins it, on what it is asked for itself, on what
/// another table beside it is; or on the key by which it refers to others.
fn wanted<'a>(members: &[Member<'_, 'a>], step: &Step) -> Vec<Made<'a>> {
    let Some((at, own)) = members.iter().enumerate().find(|(_, one)| one.subject.step.name == step.name)
    else {
        return members.first().map_or_else(Vec::new, |one| referring(one.subject.objects, step));
    };
    let joins = own.keys().filter(|key| key.joins());
    let joins = joins.filter_map(|key| Made::new(own.subject.table, std::slice::from_ref(key)));
    let beside = members.iter().enumerate().filter(|(other, one)| *other != at && one.is_beside(own.subject));
    let first = std::iter::once(own).chain(beside.map(|(_, one)| one)).filter(|one| one.is_given());
    joins.chain(first.filter_map(Member::sought)).collect()
}

/// Indexes on the foreign keys of a table that a statement does not name.
fn referring<'a>(objects: &'a Objects, step: &Step) -> Vec<Made<'a>> {
    let (Some(schema), Some(name)) = (step.schema.as_deref(), step.table.as_deref()) else {
        return Vec::new();
    };
    let Some(table) = objects.table(schema, name) else { return Vec::new() };
    let own = objects.foreign_keys.iter().filter(|key| same(&key.schema, schema) && same(&key.table, name));
    let keys = |key: &ForeignKey| key.columns.iter().map(|(column, _)| words::name(column)).collect();
    own.map(|key| Made { table, keys: keys(key) }).collect()
}

fn is_read_whole(step: &Step) -> bool {
    let is_own = step.program.as_ref().is_none_or(|program| *program == Program::ForeignKeyAction);
    is_own && matches!(step.op, Op::Scan | Op::Search) && weigh::is_full(step)
}

/// Whether a plan goes by the index on trial of this number.
fn goes_by(plan: &Plan, number: usize) -> bool {
    let trial = format!("{TRIAL} {number}");
    plan.steps.iter().any(|step| matches!(&step.index, Some(Index::Named { name, .. }) if *name == trial))
}

fn fix(read: &Subject<'_>, made: &[Made<'_>], plan: &Plan) -> Fix {
    let (mut names, mut texts, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for one in made {
        let (table, list) = (&one.table.name, one.list());
        let name = words::index_name(read.objects, table, &list, &names);
        texts.push(format!("CREATE INDEX {name} ON {} {list}", words::name(table)));
        names.push(name);
        lists.push(list);
    }
    let on_trial =
        |step: &&Step| matches!(&step.index, Some(Index::Named { name, .. }) if name.starts_with(TRIAL));
    let steps: Vec<String> = plan.steps.iter().filter(on_trial).map(weigh::trial_words).collect();
    Fix {
        kind: FixKind::Index,
        text: texts.join("; "),
        part: lists.join(" and "),
        condition: None,
        step: steps.join(" and "),
        plan: words::renamed(plan, &names),
        after: None,
        needs_measure: true,
    }
}

/// The obstacle of the step that reads a table whole, at the first term that would find rows.
fn obstacle(
    members: &[Member<'_, '_>],
    first: usize,
    made: &[Made<'_>],
    read: &Subject<'_>,
    fix: Fix,
) -> Option<Obstacle> {
    let found_by = |one: &Made<'_>| {
        let columns: Vec<&str> = one.keys.iter().map(String::as_str).collect();
        format!("those of {} by {}", words::code(&one.table.name), words::list(&columns))
    };
    let all: Vec<String> = made.iter().map(found_by).collect();
    let begins = members.get(first)?;
    let is_first = |term: &&Term| {
        term.keys.iter().any(|key| {
            made.iter().any(|one| one.table == begins.subject.table && one.keys.contains(&key.text))
        })
    };
    let term = begins.terms.iter().find(is_first).or(begins.terms.first())?;
    Some(Obstacle {
        step: read.at,
        kind: Kind::NoIndex,
        start: term.start,
        end: term.end,
        column: term.column.clone().filter(|_| same(&read.table.name, &begins.subject.table.name)),
        index: None,
        words: format!(
            "all rows of {} are read, as no index finds {}",
            words::code(&read.table.name),
            all.join(", nor ")
        ),
        advice: None,
        fix: Some(fix),
    })
}

impl Subject<'_> {
    /// Whether an index of all rows begins with these keys, as they stand in CREATE INDEX.
    fn has_index(&self, keys: &[String]) -> bool {
        let has = |own: &IndexColumn, key: &String| {
            let of_column = |name: &String| {
                let column = self.table.columns.iter().find(|column| same(&column.name, name));
                let is_plain = column.is_some_and(|column| same(&column.collation, &own.collation));
                is_plain && same(&words::name(name), key)
            };
            own.name.as_ref().is_some_and(of_column)
        };
        let mut whole = self.indexes().filter(|index| index.filter.is_none());
        whole.any(|index| {
            let first = index.columns.get(..keys.len()).unwrap_or_default();
            !first.is_empty() && first.iter().zip(keys).all(|(own, key)| has(own, key))
        })
    }

    /// Whether terms begin with all columns of a unique key: what that finds is one row, and no column behind it makes that fewer.
    pub fn begins_unique(&self, keys: &[&Key]) -> bool {
        let unique = self.indexes().filter(|index| index.unique && index.filter.is_none());
        let mut unique = unique.map(|index| {
            let own = index.columns.iter().filter(|column| column.key);
            own.map(|column| column.name.as_deref()).collect::<Option<Vec<_>>>()
        });
        let is_never_null = |name: &str| {
            let mut own = self.table.columns.iter().filter(|column| same(&column.name, name));
            own.any(|column| column.not_null || column.primary_key > 0)
        };
        unique.any(|own| {
            own.is_some_and(|own| {
                let first = keys.get(..own.len()).unwrap_or_default();
                let is_key = |key: &&Key, name: &str| !key.orders() && same(&key.text, &words::name(name));
                let is_first = |name: &&str| first.iter().any(|key| is_key(key, name));
                !first.is_empty() && own.iter().all(is_first) && own.iter().all(|name| is_never_null(name))
            })
        })
    }
}

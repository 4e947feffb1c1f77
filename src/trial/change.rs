//! The indexes that are worth a trial, and the statements to try them with. Plans, and measures nothing.

use super::{Action, Subject, compare};
use crate::{
    obstacle::spelled,
    plan::Plan,
    schema::{
        Alteration, IndexDefinition, IndexObject, Kind, Live, Objects, Origin, quoted,
        replan::{IndexTrial, Workshop},
        variant::Outcome,
    },
};
use std::collections::BTreeSet;

/// A change of the schema to be tried.
#[derive(Clone)]
pub(super) struct Change {
    pub action: Action,
    pub schema: String,
    pub table: String,
    pub index: String,
    /// See [`super::Trial::also`].
    pub also: Vec<String>,
    /// The change in words for people.
    pub sql: String,
    /// The same as it is run.
    pub run: String,
    /// See [`super::Trial::step`].
    pub step: Option<usize>,
    /// The costly texts, as indexes of the subjects, whose plan changes as it should.
    pub tried: Vec<usize>,
    /// The other texts that go by an index which is left out.
    pub served: Vec<usize>,
}

/// The indexes that costly statements go by, each left out.
pub(super) fn left_out(objects: &Objects, subjects: &[Subject<'_>]) -> Vec<Change> {
    let mut changes = Vec::new();
    let by_index = compare::by_index(subjects.iter().map(|one| &one.explained.plan));
    for index in objects.indexes.iter().filter(|index| index.origin == Origin::Create) {
        let goes_by = |one: &Subject<'_>| compare::uses(&one.explained.plan, index);
        let named = by_index.get(&index.name.to_ascii_lowercase()).into_iter().flatten();
        let users = named.filter_map(|&at| Some((at, subjects.get(at)?))).filter(|(_, one)| goes_by(one));
        let (tried, served): (Vec<_>, Vec<_>) = users.partition(|(_, one)| one.is_costly);
        let numbers = |users: Vec<(usize, &Subject<'_>)>| users.into_iter().map(|(at, _)| at).collect();
        if !tried.is_empty() {
            let (sql, run) = drop_index(index);
            changes.push(Change {
                tried: numbers(tried),
                served: numbers(served),
                ..Change::new(Action::DropIndex, (&index.schema, &index.table, &index.name), sql, run)
            });
        }
    }
    changes
}

/// DROP INDEX, for people and as it is run.
pub(super) fn drop_index(index: &IndexObject) -> (String, String) {
    let run = format!("DROP INDEX {}.{}", quoted(&index.schema), quoted(&index.name));
    (format!("DROP INDEX {}", spelled(&index.name)), run)
}

/// The indexes that a DROP INDEX took away from tables that costly statements read, each put back. What stands there
/// again, under whatever name, is not missed.
pub(super) fn put_back(objects: &Objects, outcomes: &[Outcome], subjects: &[Subject<'_>]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for (at, outcome) in outcomes.iter().enumerate() {
        let Ok(effect) = &outcome.applied.outcome else { continue };
        let dropped = effect.dropped.first().filter(|_| effect.kind == Kind::DropIndex && effect.changed);
        let Some((name, definition)) = dropped.and_then(|one| Some((&one.name, one.index.as_ref()?))) else {
            continue;
        };
        let schema = effect.schema.as_deref().unwrap_or("main");
        let later = outcomes.get(at + 1..).unwrap_or_default();
        let Some(table) = table_now(objects, schema, &definition.table, later) else { continue };
        if objects.indexes_of(schema, &table).any(|index| is_like(index, definition)) {
            continue;
        }
        let mut change = create(objects, schema, &table, name, definition);
        change.step = Some(at);
        change.tried = readers(subjects, schema, &table);
        // What was dropped, made again and dropped again, is missing since the last time.
        changes.retain(|other| (&other.table, terms(&other.sql)) != (&change.table, terms(&change.sql)));
        if !change.tried.is_empty() {
            changes.push(change);
        }
    }
    changes
}

/// The costly texts that read a table.
fn readers(subjects: &[Subject<'_>], schema: &str, table: &str) -> Vec<usize> {
    let same = |name: Option<&str>, other: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(other));
    let reads = |one: &Subject<'_>| {
        let mut steps = one.explained.plan.steps.iter();
        steps.any(|step| same(step.table.as_deref(), table) && same(step.schema.as_deref(), schema))
    };
    (0..).zip(subjects).filter(|(_, one)| one.is_costly && reads(one)).map(|(at, _)| at).collect()
}

/// CREATE INDEX for a definition, under its name or, where that is taken, under one like it. It need not be unique to
/// find rows.
fn create(objects: &Objects, schema: &str, table: &str, name: &str, definition: &IndexDefinition) -> Change {
    let name = free_name(objects, name);
    let filter = definition.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE {filter}"));
    let columns = |quote: &dyn Fn(&str) -> String| {
        let is_column = |term: &str| {
            let columns = objects.table(schema, table).map_or(&[][..], |table| table.columns.as_slice());
            columns.iter().any(|column| column.name.eq_ignore_ascii_case(term))
        };
        let term = |term: &String| if is_column(term) { quote(term) } else { term.clone() };
        definition.columns.iter().map(term).collect::<Vec<_>>().join(", ")
    };
    let sql =
        format!("CREATE INDEX {} ON {} ({}){filter}", spelled(&name), spelled(table), columns(&spelled));
    let run = format!(
        "CREATE INDEX {}.{} ON {} ({}){filter}",
        quoted(schema),
        quoted(&name),
        quoted(table),
        columns(&quoted)
    );
    Change::new(Action::AddIndex, (schema, table, &name), sql, run)
}

/// An index on columns of a table that none has yet, to be tried beside those that are there.
pub(super) fn another(objects: &Objects, schema: &str, table: &str, columns: &[&str]) -> Change {
    let name = std::iter::once(&table).chain(columns).copied().collect::<Vec<_>>().join("_").to_lowercase();
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    let definition = IndexDefinition { table: table.to_owned(), columns, ..IndexDefinition::default() };
    create(objects, schema, table, &name, &definition)
}

/// What the words of a CREATE INDEX say, or of several on one table.
pub(super) fn written(table: &str, sql: &str) -> Change {
    let name = name_in(sql);
    let (schema, name) =
        name.split_once('.').filter(|(schema, _)| !schema.starts_with('"')).unwrap_or(("main", name));
    let name = name.trim_matches('"').replace("\"\"", "\"");
    Change::new(Action::AddIndex, (schema, table, &name), sql.to_owned(), sql.to_owned())
}

/// The name of an index, as it stands in its CREATE INDEX.
pub(super) fn name_in(sql: &str) -> &str {
    sql.trim_start_matches("CREATE INDEX ").split(" ON ").next().unwrap_or("")
}

/// A copy on which all of this was done.
pub(super) fn done(live: &mut Live, sql: &str) -> Option<Live> {
    let mut copy = live.copy().ok()?;
    copy.apply(sql).iter().all(|applied| applied.outcome.is_ok()).then_some(copy)
}

/// The name, or the first with a number behind it that nothing has.
fn free_name(objects: &Objects, name: &str) -> String {
    let is_free = |name: &String| {
        let names = objects.indexes.iter().map(|index| &index.name);
        !names.chain(objects.tables.iter().map(|table| &table.name)).any(|one| one.eq_ignore_ascii_case(name))
    };
    let numbered = (2..100).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| name.to_owned())
}

/// What a CREATE INDEX says from its terms on.
pub(super) fn terms(sql: &str) -> &str {
    sql.split_once(" (").map_or("", |(_, terms)| terms)
}

/// What a table is called in the end; `None` where it is gone.
fn table_now(objects: &Objects, schema: &str, table: &str, later: &[Outcome]) -> Option<String> {
    let mut now = table.to_owned();
    if objects.table(schema, &now).is_none() {
        for effect in later.iter().filter_map(|outcome| outcome.applied.outcome.as_ref().ok()) {
            let is_it = effect.object.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(&now));
            if let (Some(Alteration::RenameTable(to)), true) = (&effect.alteration, is_it) {
                now.clone_from(to);
            }
        }
    }
    objects.table(schema, &now).map(|table| table.name.clone())
}

/// Whether an index has the terms of a definition.
fn is_like(index: &IndexObject, definition: &IndexDefinition) -> bool {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let filters = match (&index.filter, &definition.filter) {
        (None, None) => true,
        (Some(one), Some(other)) => same(one, other),
        _ => false,
    };
    let keys = || index.columns.iter().filter(|column| column.key);
    filters
        && keys().count() == definition.columns.len()
        && keys().zip(&definition.columns).all(|(column, term)| {
            let name = column.expression.as_ref().or(column.name.as_ref());
            name.is_some_and(|name| same(name, term)) && !column.descending
        })
}

/// The most indexes that are left out together.
const MOST: usize = 3;

impl Change {
    /// One of an index, by its schema, its table and its name, that is tried with nothing yet.
    pub fn new(action: Action, (schema, table, index): (&str, &str, &str), sql: String, run: String) -> Self {
        Self {
            action,
            schema: schema.to_owned(),
            table: table.to_owned(),
            index: index.to_owned(),
            also: Vec::new(),
            sql,
            run,
            step: None,
            tried: Vec::new(),
            served: Vec::new(),
        }
    }

    /// The same with one index less, for the texts that are no better off because of that one.
    pub fn followed(
        &self,
        objects: &Objects,
        subjects: &[Subject<'_>],
        taken_over: Vec<(usize, String)>,
    ) -> Vec<Self> {
        let mut followed: Vec<Self> = Vec::new();
        let is_over = self.action == Action::AddIndex || self.also.len() + 1 >= MOST;
        for (at, heir) in taken_over.into_iter().filter(|_| !is_over) {
            if let Some(other) = followed.iter_mut().find(|other| other.also.last() == Some(&heir)) {
                other.tried.push(at);
                continue;
            }
            let is_heir = |index: &&IndexObject| index.schema == self.schema && index.name == heir;
            let Some((sql, run)) = objects.indexes.iter().find(is_heir).map(drop_index) else { continue };
            let goes_by =
                |one: &Subject<'_>| one.explained.plan.steps.iter().any(|step| compare::goes_by(step, &heir));
            let served = (0..).zip(subjects).filter(|(_, one)| goes_by(one)).map(|(at, _)| at);
            followed.push(Self {
                served: self.served.iter().copied().chain(served).collect(),
                also: self.also.iter().cloned().chain([heir]).collect(),
                sql: format!("{}; {sql}", self.sql),
                run: format!("{}; {run}", self.run),
                tried: vec![at],
                ..self.clone()
            });
        }
        followed
    }

    /// Whether it changes plans as it should, by those of what it is tried with: those that do remain to be tried. The others
    /// may be served by the index.
    fn is_promising(&mut self, subjects: &[Subject<'_>], plans: &[Option<Plan>]) -> bool {
        let mut tried = Vec::new();
        for (&at, plan) in self.tried.iter().zip(plans) {
            let (Some(subject), Some(plan)) = (subjects.get(at), plan) else { continue };
            let is_right = match self.action {
                Action::AddIndex => plan.steps.iter().any(|step| compare::goes_by(step, &self.index)),
                Action::DropIndex | Action::ReplaceIndex => {
                    compare::by_another(&subject.explained.plan, plan, &self.index)
                }
                Action::NoStatistics => plan.lines() != subject.explained.plan.lines(),
            };
            if is_right {
                tried.push(at);
            }
        }
        self.served.extend(self.tried.iter().filter(|at| !tried.contains(at)));
        self.tried = tried;
        !self.tried.is_empty()
    }
}

/// Keeps the changes that change plans as they should.
pub(super) fn promising(
    mut changes: Vec<Change>,
    objects: &Objects,
    workshop: &mut Workshop<'_>,
    subjects: &[Subject<'_>],
) -> Vec<Change> {
    let unique: BTreeSet<(&str, &str)> = objects
        .indexes
        .iter()
        .filter(|index| index.unique)
        .map(|index| (index.schema.as_str(), index.name.as_str()))
        .collect();
    let text = |at: &usize| subjects.get(*at).map(|one| (one.statement.text.as_str(), &one.explained.plan));
    let trials = changes.iter().map(|change| IndexTrial {
        change: &change.run,
        index: &change.index,
        table: &change.table,
        is_unique: unique.contains(&(change.schema.as_str(), change.index.as_str())),
        texts: change.tried.iter().filter_map(text).collect(),
    });
    let trials: Vec<IndexTrial<'_>> = trials.collect();
    let mut plans = workshop.plans_after_each(&trials).into_iter();
    changes.retain_mut(|change| change.is_promising(subjects, &plans.next().unwrap_or_default()));
    changes
}

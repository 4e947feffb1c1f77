//! The schemas of databases that are not as all steps declare them: a new one, where creation does not run all steps, and
//! those that an older release made and today's steps brought up to date. Knows steps; knows no source.

use super::{
    Effect, Kind, Objects, SchemaError, Settings,
    compare::differences,
    head::Head,
    quoted, statements,
    tokens::{Token, Tokens},
    variant::{Outcome, Variant, build_of, finish, run_step},
};
use crate::{
    extract::{is_sql, text::Text},
    migration::{Declaration, Runs, Step, mentions},
};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of migrations above this are dates: a branch may bring an older one later.
const DATES: u64 = 1_000_000;

/// Whether the steps that create a database make already what its migrations would: then a new database runs none of
/// them. `variant` is what all steps made.
pub fn is_snapshot(declaration: &Declaration, variant: &Variant) -> bool {
    let runs = |outcome: &&Outcome| declaration.steps.get(outcome.step).map(|step| step.runs);
    let of = |wanted: Runs| variant.outcomes.iter().filter(move |one| runs(one) == Some(wanted));
    // Where code of the history makes tables anew, nothing tells the two apart.
    if declaration.steps.iter().any(|step| step.replaces) {
        return false;
    }
    // What is temporary is no part of what a new database is made with.
    let makes = |effect: &Effect| effect.changed && effect.schema.as_deref() != Some("temp");
    let creates =
        of(Runs::Create).chain(of(Runs::Open)).any(|one| one.applied.outcome.as_ref().is_ok_and(makes));
    let there = of(Runs::Migration).filter(|one| one.applied.was_there_already()).count();
    // Code that makes more tables than it has already begins with those, and does something twice. A file is kept up to date, or not.
    let mut creating = declaration.steps.iter().filter(|step| step.runs != Runs::Migration);
    let is_file = creating.any(|step| is_sql(&step.name));
    let is_table = |effect: &Effect| {
        let name = effect.object.as_deref().unwrap_or("");
        effect.kind == Kind::CreateTable && makes(effect) && variant.objects.table("main", name).is_some()
    };
    let new = of(Runs::Migration).filter(|one| one.applied.outcome.as_ref().is_ok_and(is_table)).count();
    creates && there > 0 && (is_file || new <= there)
}

/// A snapshot with what its migrations add and it lacks: that is declared, if nobody forgot it. `replayed` is what all steps
/// made, one after the other. Nothing is told of tables that a migration fails on, for want of what the snapshot has no more.
///
/// # Errors
/// SQLite has no memory left.
pub fn with_additions(
    declaration: &Declaration,
    fresh: Variant,
    replayed: Variant,
) -> Result<Variant, SchemaError> {
    let Variant { mut live, objects, .. } = fresh;
    let is_migration = |outcome: &&Outcome| {
        declaration.steps.get(outcome.step).is_some_and(|step| step.runs == Runs::Migration)
    };
    let mut doubtful: BTreeSet<String> = BTreeSet::new();
    let mut made: BTreeSet<String> = BTreeSet::new();
    for outcome in replayed.outcomes.iter().filter(is_migration) {
        match &outcome.applied.outcome {
            Ok(effect) if effect.changed => made.extend(effect.object.iter().map(|name| name.to_lowercase())),
            Err(_) if !outcome.applied.was_there_already() => {
                let found = mentions(outcome.text.as_str());
                doubtful.extend(found.used);
                doubtful.extend(found.created);
            }
            _ => {}
        }
    }
    for one in differences(&objects, &replayed.objects) {
        let object = if one.kind == "column" { &one.table } else { &one.object };
        let is_told = made.contains(&object.to_lowercase()) && !doubtful.contains(&one.table.to_lowercase());
        let (true, "exists", None, Some(sql)) = (is_told, one.property, &one.here, &one.there) else {
            continue;
        };
        match one.kind {
            "column" => {
                live.apply(&format!(
                    "ALTER TABLE {} ADD COLUMN {} {sql}",
                    quoted(&one.table),
                    quoted(&one.object)
                ));
            }
            "table" => {
                let table = replayed.objects.table("main", &one.object);
                live.apply(table.map_or("", |table| &table.sql));
            }
            _ => {
                live.apply(sql);
            }
        }
    }
    let objects = live.objects()?;
    Ok(Variant { live, objects, outcomes: replayed.outcomes, moments: replayed.moments })
}

/// The steps of a new database, with their numbers; those of `create`, where that is not empty, count from the end of the
/// others.
pub fn steps_on_new(declaration: &Declaration, is_snapshot: bool) -> Vec<(usize, &Step)> {
    let is_created = !declaration.create.is_empty();
    let makers = if is_created { &declaration.create } else { &declaration.steps };
    let recorded = if is_created || is_snapshot { recorded(makers) } else { None };
    // What is behind the version that a snapshot records runs on it.
    let is_behind = |step: &Step| recorded.zip(step.version).is_some_and(|(recorded, own)| own > recorded);
    if is_created {
        let later = (0..).zip(&declaration.steps);
        let later = later.filter(|(_, step)| step.runs == Runs::Migration && is_behind(step));
        return (declaration.steps.len()..).zip(&declaration.create).chain(later).collect();
    }
    let is_later = |step: &Step| is_behind(step) || (recorded.is_none() && step.is_on_base);
    let is_spared = |step: &Step| step.runs == Runs::Migration && !step.is_in_creation && !is_later(step);
    let runs = |step: &&Step| step.is_on_new && !(is_snapshot && is_spared(step));
    (0..).zip(&declaration.steps).filter(|(_, step)| runs(step)).collect()
}

/// Settles from where on migrations run on a snapshot that the code goes on from, where it records no version: behind the last
/// that makes what is there already. `variant` is what all steps made.
pub fn settle_base(declaration: &mut Declaration, variant: &Variant) {
    let is_there = |outcome: &&Outcome| {
        let step = declaration.steps.get(outcome.step);
        step.is_some_and(|step| step.runs == Runs::Migration) && outcome.applied.was_there_already()
    };
    let last = variant.outcomes.iter().filter(is_there).map(|outcome| outcome.step).max();
    for step in declaration.steps.iter_mut().take(last.map_or(0, |last| last + 1)) {
        step.is_on_base = false;
    }
}

/// The version that what creates a database records: by `PRAGMA user_version`, or in a table of versions.
fn recorded(steps: &[Step]) -> Option<u64> {
    let creating = || steps.iter().filter(|step| step.runs != Runs::Migration);
    let said = creating()
        .map(|step| step.text.as_str())
        .flat_map(|text| statements(text).filter_map(move |(start, end)| version_in(text.get(start..end)?)));
    said.chain(creating().filter_map(|step| step.records)).max()
}

fn version_in(sql: &str) -> Option<u64> {
    let head = Head::read(sql);
    let object = head.object?.to_lowercase();
    let is_about = match head.kind {
        Kind::Pragma => object == "user_version",
        Kind::Insert | Kind::Replace => object.contains("version"),
        _ => false,
    };
    let is_about = is_about || (head.kind == Kind::Insert && names_version(sql));
    let mut tokens = Tokens::from(sql, 0).filter(|_| is_about);
    let begins = |token: &Token<'_>| token.is("values") || token.is_sign('=');
    tokens.by_ref().find(begins)?;
    tokens.find_map(|token| token.text.trim_matches('\'').parse().ok())
}

/// Whether a text among the values of an INSERT calls another one a version: that of a table of settings.
fn names_version(sql: &str) -> bool {
    let is_name = |text: &str| {
        let bare = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        bare.is_some_and(|text| {
            let text = text.to_ascii_lowercase().replace(['_', '-', '.'], "");
            ["version", "dbversion", "databaseversion", "schemaversion", "userversion"]
                .contains(&text.as_str())
        })
    };
    Tokens::from(sql, 0).any(|token| is_name(token.text))
}

/// The schema of a new database; `None` where all steps make it.
///
/// # Errors
/// As [`super::variant::build`].
pub fn fresh(
    declaration: &Declaration,
    is_snapshot: bool,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
) -> Result<Option<Variant>, SchemaError> {
    let steps = steps_on_new(declaration, is_snapshot);
    if declaration.create.is_empty() && steps.len() == declaration.steps.len() {
        return Ok(None);
    }
    build_of(&steps, declaration.origin, settings, fill).map(Some)
}

/// Whether there is more than migrations.
fn creates(declaration: &Declaration) -> bool {
    let mut all = declaration.steps.iter().chain(&declaration.create);
    all.any(|step| step.runs != Runs::Migration)
}

/// The schema of a database that a release made as it declares, `then`, and that `today`'s steps have brought up to date;
/// `None` where nothing of what created one then was found.
///
/// # Errors
/// As [`super::variant::build`].
pub fn upgraded(
    today: &Declaration,
    then: &Declaration,
    is_snapshot: bool,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
) -> Result<Option<Variant>, SchemaError> {
    // What creates a database today before its migrations run did so then.
    let mut then = then.clone();
    if today.create.is_empty() {
        let create = std::mem::take(&mut then.create);
        then.steps.splice(0..0, create);
    }
    let is_snapshot = is_snapshot && creates(&then);
    let steps = steps_on_new(&then, is_snapshot);
    if steps.is_empty() {
        return Ok(None);
    }
    let made = build_of(&steps, then.origin, settings, fill)?;
    let mut live = made.live;
    let mut outcomes = Vec::new();
    let mut last: Option<(&[String], bool)> = None;
    let done = Done::new(&then, is_snapshot);
    for (index, step) in today.steps.iter().enumerate().filter(|(_, step)| !done.has(step, &today.steps)) {
        let spares = match last {
            Some((unless, spares)) if unless == step.unless.as_slice() => spares,
            // What is asked is asked before anything behind the question runs.
            _ => !step.unless.is_empty() && has_all(&live.objects()?, &step.unless),
        };
        last = Some((&step.unless, spares));
        if !spares {
            outcomes.extend(run_step(&mut live, index, step, fill));
        }
    }
    let steps: Vec<(usize, &Step)> = today.steps.iter().enumerate().collect();
    finish((&steps, today.origin), live, outcomes).map(Some)
}

/// Whether what a release declared is how today's declaration begins, and what comes behind it runs on its databases: then
/// they end as declared, without being made.
pub fn is_beginning(today: &Declaration, then: &Declaration) -> bool {
    let is_plain = |one: &Declaration| {
        let spared = |step: &Step| !step.is_on_new || !step.unless.is_empty();
        one.create.is_empty() && !one.steps.iter().any(spared)
    };
    let count = then.steps.len();
    let same = |(one, other): (&Step, &Step)| one.name == other.name && one.key == other.key;
    let done = Done::new(then, false);
    is_plain(today)
        && is_plain(then)
        && count <= today.steps.len()
        && today.steps.iter().zip(&then.steps).all(same)
        && !today.steps.iter().skip(count).any(|step| done.has(step, &today.steps))
}

/// Whether migrations are missing between the last that a release had and the first of today: who is so far behind has to
/// open the database with a release in between.
pub fn is_too_old(today: &Declaration, then: &Declaration) -> bool {
    let mut first: BTreeMap<(String, String), u64> = BTreeMap::new();
    for step in today.steps.iter().filter(|step| step.runs == Runs::Migration) {
        let Some(version) = step.version.filter(|version| *version > 0 && *version < DATES) else { continue };
        let own = first.entry(series(step)).or_insert(version);
        *own = version.min(*own);
    }
    let done = Done::new(then, true);
    let declares_series =
        then.steps.iter().any(|step| step.runs == Runs::Migration && step.version.is_some());
    first.iter().any(|(series, first)| {
        let highest = done.highest.get(series).copied().unwrap_or(0);
        // What had none of the series was its first version; where the series begins later, nobody knows which.
        highest.max(1).saturating_add(1) < *first && (highest > 0 || !declares_series)
    })
}

/// Whether all of these objects are there.
fn has_all(objects: &Objects, names: &[String]) -> bool {
    let tables = objects.tables.iter().map(|one| &one.name);
    let indexes = objects.indexes.iter().map(|one| &one.name);
    let rest = objects.views.iter().map(|one| &one.name).chain(objects.triggers.iter().map(|one| &one.name));
    let all: BTreeSet<String> = tables.chain(indexes).chain(rest).map(|name| name.to_lowercase()).collect();
    names.iter().all(|name| all.contains(name))
}

/// What a database of a release has behind it.
struct Done {
    /// How many units of each name, by their file.
    names: BTreeMap<(String, String), usize>,
    texts: BTreeSet<String>,
    /// The highest number of a migration of each series.
    highest: BTreeMap<(String, String), u64>,
}

impl Done {
    /// A new database of a snapshot is recorded as having run all that it spared; others have run what they have run.
    fn new(then: &Declaration, is_snapshot: bool) -> Self {
        let steps: Vec<&Step> = if is_snapshot || !then.create.is_empty() {
            then.steps.iter().chain(&then.create).collect()
        } else {
            steps_on_new(then, false).into_iter().map(|(_, step)| step).collect()
        };
        let mut units: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
        for step in steps.iter().filter(|step| !step.is_loose) {
            units.entry((step.home.clone(), step.name.clone())).or_default().insert(step.unit);
        }
        let names = units.into_iter().map(|(name, units)| (name, units.len())).collect();
        let texts = steps.iter().map(|step| step.key.clone()).collect();
        let mut highest: BTreeMap<(String, String), u64> = BTreeMap::new();
        for step in steps.iter().filter(|step| step.runs == Runs::Migration) {
            let own = highest.entry(series(step)).or_default();
            *own = step.version.unwrap_or(0).max(*own);
        }
        Self { names, texts, highest }
    }

    /// Whether a step of today does not run any more: it is for new databases alone, or ran as the release had it.
    fn has(&self, step: &Step, all: &[Step]) -> bool {
        match step.runs {
            Runs::Open => return false,
            Runs::Create => return !step.is_on_old,
            Runs::Migration => {}
        }
        // Code that makes a table anew runs as a part of the migration that it belongs to.
        if step.replaces {
            let highest = self.highest.values().max().copied().unwrap_or(0);
            return step.version.is_some_and(|version| version <= highest);
        }
        let by_number = step.version.is_some_and(|version| {
            let highest = self.highest.get(&series(step)).copied().unwrap_or(0);
            version > 0 && version <= highest && version < DATES
        });
        // One text of several may come again: a table is made anew with the indexes that it had.
        let mut unit = all.iter().filter(|one| one.unit == step.unit);
        by_number || self.has_name(step, all) || unit.all(|one| self.texts.contains(&one.key))
    }

    /// Whether there was one of its name; of the elements of a list, one of its place.
    fn has_name(&self, step: &Step, all: &[Step]) -> bool {
        // What stands in a function has its name in common with all else there.
        let count = self.names.get(&(step.home.clone(), step.name.clone())).filter(|_| !step.is_loose);
        count.is_some_and(|count| {
            let is_earlier =
                |one: &&Step| one.name == step.name && one.home == step.home && one.unit < step.unit;
            let earlier: BTreeSet<usize> = all.iter().filter(is_earlier).map(|one| one.unit).collect();
            earlier.len() < *count
        })
    }
}

/// What the migrations of one series share: of files their folder, of constants their file, and the name without numbers.
fn series(step: &Step) -> (String, String) {
    match step.name.rsplit_once('/') {
        Some((folder, _)) => (folder.to_owned(), String::new()),
        None => (step.home.clone(), step.name.chars().filter(|one| !one.is_ascii_digit()).collect()),
    }
}

//! Goes through the steps of a database, one unit after the other, and hands each that rows matter to on, with the database
//! before it, to stages on which it runs beside the walk.

use super::{
    Experiment, Experiments, Loss, LossKind,
    ahead::Course,
    led::{Begun, Led, led},
    scene::{Before, Room, Scene},
    staged::{Ground, Turn, staged},
    stops,
    unit::{Unit, units},
};
use crate::{
    migration::Origin,
    schema::{
        ForeignKey, Live, Moment, Objects, SchemaError,
        rehearsal::At,
        same,
        variant::{make_beforehand, run_step},
    },
    workload::{Database, likeliest},
};
use std::collections::{BTreeMap, BTreeSet};

/// Runs the steps of a database on rows. What SQLite has no memory for is left out.
pub(super) fn walk(
    index: usize,
    database: &Database,
    small: &BTreeSet<String>,
    course: Option<Course>,
) -> Experiments {
    let units = units(database);
    let mut done = course.filter(|_| is_one(database)).map_or_else(BTreeMap::new, |course| course.of(&units));
    let ground = Ground { index, small: Some(small) };
    let is_open = |place: usize| !done.contains_key(&place);
    let open = units.iter().enumerate().filter(|(place, unit)| unit.is_tried() && is_open(*place)).count();
    let (end, new) = staged(database.variant.live.settings(), ground, open, |send| {
        hand_all_on(database, &units, &is_open, send)
    });
    done.extend(new);
    let mut found: Experiments = done.into_values().collect();
    match end {
        Ok(End::AsBuilt) => forgive_passing(&mut found.all, &database.variant.objects),
        Ok(End::At(mut live)) => {
            let is_sure = database.declaration.origin == Origin::Configured;
            stops::reopen((index, &database.variant.outcomes), is_sure, &units, &mut live, &mut found.all);
            if let Ok(end) = live.objects_of(&|_| false) {
                forgive_passing(&mut found.all, &end);
            }
        }
        // What was not walked to its end is known as far as that.
        Err(_) => {}
    }
    found
}

/// The database behind the last unit.
enum End {
    /// As the history made it, and nothing is run on it.
    AsBuilt,
    At(Box<Live>),
}

/// Whether what was kept of the history counts: the units run as it did.
fn is_one(database: &Database) -> bool {
    !database.is_snapshot && database.variant.live.settings().attached.is_empty()
}

/// Hands on the units that rows matter to and that are open, with the database before each, and gives it as it is in the end.
fn hand_all_on<'u>(
    database: &'u Database,
    units: &'u [Unit<'u>],
    is_open: &dyn Fn(usize) -> bool,
    send: &mut dyn FnMut(Turn<'u>) -> bool,
) -> Result<End, SchemaError> {
    let Database { declaration, variant, .. } = database;
    let settings = variant.live.settings();
    let moments = if is_one(database) { variant.moments.as_slice() } else { &[] };
    let known = units.partition_point(|unit| unit.first() < moments.len());
    let (kept, others) = units.split_at(known);
    for (place, unit) in kept.iter().enumerate().filter(|(place, unit)| unit.is_tried() && is_open(*place)) {
        let moment = moments.get(unit.first()).filter(|moment| !moment.entries.is_empty());
        let led = led(kept, place).and_then(|unit| {
            let before = Before::Moment(moments.get(unit.first())?.clone());
            Some(Led { unit, before, forgiven: BTreeSet::new() })
        });
        let of = |one: &Moment| Turn::of(place, unit, Before::Moment(one.clone()), &variant.outcomes);
        let turn = moment.map(|one| Turn { led, ..of(one) });
        if turn.is_some_and(|turn| !send(turn)) {
            return Ok(End::AsBuilt);
        }
    }
    // Of the unit in which nothing more was kept, the beginning was.
    let is_whole = moments.len() > declaration.steps.len();
    if is_whole && others.is_empty() && !units.iter().any(stops::runs_again) {
        return Ok(End::AsBuilt);
    }
    let again = kept.last().filter(|_| !is_whole);
    let from = again.map_or(moments.last(), |unit| moments.get(unit.first()));
    let mut live = Live::open(settings)?;
    live.use_small_pages()?;
    match from {
        Some(moment) => live.excerpt(moment, &moment.tables())?,
        None => make_beforehand(&mut live),
    }
    if let Some(unit) = again {
        run(&mut live, unit);
    }
    let mut begun: Option<Begun<'_>> = None;
    for (place, unit) in (known..).zip(others) {
        begun = match begun.filter(|begun| begun.goes_on(unit)) {
            None if units.get(place + 1).is_some_and(|next| next.comes_with(unit)) => {
                Some(Begun::new(unit, live.image()?))
            }
            begun => begun,
        };
        let is_tried = unit.is_tried() && is_open(place);
        let before = if is_tried { Some(Before::Whole(live.image()?)) } else { None };
        let forgiven = run(&mut live, unit);
        let added = begun.as_mut().map(|begun| begun.add(unit, &forgiven));
        let led = added.and_then(|begun| begun.led(led(units, place)?));
        let turn =
            before.map(|before| Turn { forgiven, led, ..Turn::of(place, unit, before, &variant.outcomes) });
        if turn.is_some_and(|turn| !send(turn)) {
            break;
        }
    }
    Ok(End::At(Box::new(live)))
}

/// Runs a unit, and gives what fails.
fn run(live: &mut Live, unit: &Unit<'_>) -> BTreeSet<At> {
    let mut failed = BTreeSet::new();
    for (part, (number, step)) in unit.steps.iter().enumerate() {
        let outcomes = run_step(live, *number, step, &likeliest);
        let refused = outcomes.iter().filter(|one| one.applied.outcome.is_err());
        failed.extend(refused.map(|one| (part, one.applied.start)));
    }
    failed
}

/// The scene of one unit of a database; `None` where rows don't matter to it.
pub(super) fn scene_of<'u>(
    database: &'u Database,
    units: &'u [Unit<'u>],
    wanted: usize,
) -> Result<Option<Scene<'u>>, SchemaError> {
    let mut found = None;
    let mut take = |turn: Turn<'u>| {
        found = Some(turn);
        false
    };
    hand_all_on(database, units, &|place| place == wanted, &mut take)?;
    found.map_or(Ok(None), |turn| Room::open(database.variant.live.settings())?.scene(turn))
}

/// Drops what a later step has mended: a reference, a view.
fn forgive_passing(found: &mut Vec<Experiment>, end: &Objects) {
    let still = |loss: &Loss| match loss.kind {
        LossKind::Reference => {
            let is_it =
                |wanted: &Option<String>, name: &str| wanted.as_deref().is_some_and(|one| same(one, name));
            let is_key =
                |key: &ForeignKey| is_it(&loss.table, &key.table) && is_it(&loss.object, &key.parent);
            end.foreign_keys.iter().any(is_key)
        }
        LossKind::View => {
            let is_it = |name: &str| loss.object.as_deref().is_some_and(|view| same(view, name));
            end.views.iter().any(|view| is_it(&view.name) && view.columns.is_empty())
        }
        _ => true,
    };
    for experiment in &mut *found {
        experiment.losses.retain(still);
    }
    found.retain(|one| one.refusal.is_some() || !one.losses.is_empty());
}

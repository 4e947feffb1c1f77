//! What a unit says it does to the tables that were there: which it renames, drops, fills from which, and deletes from.
//! The rows of a table are followed from name to name, also through other tables and views.

use crate::schema::{
    Alteration, Effect, Kind, Objects,
    copied::{Copied, copied},
    rehearsal::{Ran, Rehearsal},
    same,
};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    /// The table that has its place in the end, by name; `None` where none has.
    pub successor: Option<String>,
    /// The statement that dropped it.
    pub dropped: Option<usize>,
    /// The statement that filled the table that has its place now.
    pub copy: Option<usize>,
    /// The rows were meant to be fewer on their way there.
    pub leaves_out: bool,
    /// The table that took its place got its name by RENAME.
    pub was_renamed_into: bool,
    /// The name that it has where it is still there beside its successor.
    pub aside: Option<String>,
    /// The unit says that rows of it go: it deletes from it, or from what holds its rows.
    pub deletes: bool,
    /// The same for what replaces rows.
    pub replaces: bool,
    /// The same for what changes them.
    pub updates: bool,
}

impl Fate {
    /// Says what has the place of a table in the end, and how its rows came there.
    fn settle(&mut self, table: &str, current: &str, holders: &BTreeMap<String, Way>, after: &Objects) {
        let is_there = |name: &str| after.table("main", name).is_some();
        let moved = !same(current, table);
        if (self.dropped.is_some() || moved) && is_there(table) {
            self.successor = Some(table.to_owned());
        } else if self.dropped.is_none() {
            self.successor = Some(current.to_owned());
        }
        self.aside = (self.dropped.is_none() && moved && is_there(table)).then(|| current.to_owned());
        let way = self.successor.as_ref().and_then(|name| holders.get(&name.to_lowercase()));
        self.copy = way.and_then(|way| way.copy);
        self.leaves_out = way.is_some_and(|way| way.leaves_out);
    }
}

/// How rows came to a place: the last statement on the way, and whether they were meant to be fewer.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    copy: Option<usize>,
    leaves_out: bool,
}

/// What a unit did, statement by statement.
pub(super) struct Deeds<'a> {
    pub parts: &'a [&'a str],
    pub rehearsal: &'a Rehearsal,
    /// What its statements copy, in their order.
    copied: Vec<Option<Copied>>,
    /// What the views that were there read.
    views: Vec<(String, Copied)>,
}

impl<'a> Deeds<'a> {
    pub fn new(parts: &'a [&'a str], rehearsal: &'a Rehearsal, before: &Objects) -> Self {
        let views =
            before.views.iter().filter_map(|view| Some((view.name.to_lowercase(), copied(&view.sql)?)));
        let mut deeds = Self { parts, rehearsal, copied: Vec::new(), views: views.collect() };
        deeds.copied = rehearsal.ran.iter().map(|ran| deeds.read(ran)).collect();
        deeds
    }

    fn read(&self, ran: &Ran) -> Option<Copied> {
        const COPYING: [Kind; 4] = [Kind::Insert, Kind::Replace, Kind::CreateTable, Kind::CreateView];
        let kind = ran.effect().map_or_else(|| Kind::of(self.sql(ran)), |effect| effect.kind);
        if COPYING.contains(&kind) { copied(self.sql(ran)) } else { None }
    }

    /// The text of a statement.
    pub fn sql(&self, ran: &Ran) -> &'a str {
        ran.sql(self.parts)
    }

    /// What a statement copies.
    pub fn copied(&self, at: usize) -> Option<&Copied> {
        self.copied.get(at)?.as_ref()
    }

    fn effects(&self) -> impl Iterator<Item = (usize, &'a Effect)> {
        self.rehearsal.ran.iter().enumerate().filter_map(|(at, ran)| Some((at, ran.effect()?)))
    }

    /// What became of a table, by its name before.
    pub fn fate(&self, table: &str, after: &Objects) -> Fate {
        let mut fate = Fate::default();
        let mut current = table.to_lowercase();
        // What holds its rows, by names in lower case.
        let mut holders: BTreeMap<String, Way> = BTreeMap::from([(current.clone(), Way::default())]);
        let reads = |copied: &Copied| copied.names.contains(&current);
        let views = self.views.iter().filter(|(_, copied)| reads(copied));
        let views: Vec<(String, Way)> = views
            .map(|(name, copied)| (name.clone(), Way { copy: None, leaves_out: copied.leaves_out }))
            .collect();
        holders.extend(views);
        for (at, effect) in self.effects() {
            let Some(object) = effect.object.as_ref().map(|name| name.to_lowercase()) else { continue };
            if let Some(Alteration::RenameTable(to)) = &effect.alteration {
                let to = to.to_lowercase();
                fate.was_renamed_into |= same(&to, table) && object != current;
                if object == current && fate.dropped.is_none() {
                    current.clone_from(&to);
                }
                if let Some(way) = holders.remove(&object) {
                    holders.insert(to, way);
                }
                continue;
            }
            let is_holder = is_main(effect) && holders.contains_key(&object);
            match effect.kind {
                Kind::DropTable | Kind::DropView if effect.changed => {
                    if object == current && effect.kind == Kind::DropTable && fate.dropped.is_none() {
                        fate.dropped = Some(at);
                    }
                    holders.remove(&object);
                }
                Kind::Delete => fate.deletes |= is_holder,
                Kind::Update => fate.updates |= is_holder,
                Kind::Insert | Kind::Replace | Kind::CreateTable | Kind::CreateView => {
                    fate.replaces |= is_holder && effect.kind == Kind::Replace;
                    fate.updates |= is_holder && self.copied(at).is_some_and(|copied| copied.upserts);
                    let way = self.way(at, &holders).filter(|_| object != current || fate.dropped.is_some());
                    if let Some(way) = way {
                        holders.insert(object, way);
                    }
                }
                _ => {}
            }
        }
        fate.settle(table, &current, &holders, after);
        fate
    }

    /// How a statement brings rows of these to another place; `None` where it does not.
    fn way(&self, at: usize, holders: &BTreeMap<String, Way>) -> Option<Way> {
        let copied = self.copied(at)?;
        let mut sources = holders.iter().filter(|(name, _)| copied.names.contains(*name)).map(|(_, way)| way);
        let first = sources.next()?;
        let leaves_out = copied.leaves_out || first.leaves_out || sources.any(|way| way.leaves_out);
        Some(Way { copy: Some(at), leaves_out })
    }

    /// Whether the unit writes into the table in which SQLite keeps the numbers of AUTOINCREMENT.
    pub fn sets_sequences(&self) -> bool {
        self.effects()
            .any(|(_, effect)| effect.object.as_deref().is_some_and(|name| same(name, "sqlite_sequence")))
    }

    /// The names that an INSERT gives values, in lower case; `None` where it names none.
    pub fn columns(&self, at: usize) -> Option<&[String]> {
        self.copied(at)?.columns.as_deref()
    }

    /// The last statement of the unit that dropped, deleted from or altered one of these.
    pub fn last_on(&self, tables: &[&str]) -> Option<usize> {
        const CHANGING: [Kind; 5] =
            [Kind::DropTable, Kind::DropView, Kind::AlterTable, Kind::Delete, Kind::Update];
        let tables: BTreeSet<String> = tables.iter().map(|name| name.to_lowercase()).collect();
        let is_on = |effect: &Effect| {
            let object = effect.object.as_ref().map(|name| name.to_lowercase());
            CHANGING.contains(&effect.kind) && object.is_some_and(|object| tables.contains(&object))
        };
        self.effects().filter(|(_, effect)| is_on(effect)).map(|(at, _)| at).last()
    }
}

/// Whether a statement is about the main schema.
fn is_main(effect: &Effect) -> bool {
    effect.schema.as_deref().is_none_or(|schema| same(schema, "main"))
}

#[cfg(test)]
mod tests;

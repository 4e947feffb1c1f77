//! What was there before a unit ran and is not after it, without a statement that says so.

use super::{
    Loss, LossKind,
    copies::{Deeds, Fate},
    observe::{Content, State},
    unit::has_word,
};
use crate::schema::{
    Alteration, IndexObject, Kind, Objects, Table,
    compare::differences,
    rehearsal::{Ran, Silent, is_of_file},
    same,
    ties::all_from,
};
use std::collections::BTreeSet;

/// The losses of a unit, each with the statement that is to blame: its place among those that ran. Of one that is not whole,
/// nothing is said of rows.
pub(super) fn losses(deeds: &Deeds<'_>, before: &State, after: &State, is_whole: bool) -> Vec<(usize, Loss)> {
    let compare = Compare { deeds, before, after, last: deeds.rehearsal.ran.len().saturating_sub(1) };
    let mut found = Vec::new();
    for (at, ran) in deeds.rehearsal.ran.iter().enumerate() {
        compare.settings(at, ran, &mut found);
    }
    // What is passed over would have done something.
    if is_whole {
        for (name, content) in &before.tables {
            compare.table(name, content, &mut found);
        }
        compare.whole(&mut found);
    }
    found
}

/// What takes rows along that refer to others.
const TAKING: [Kind; 3] = [Kind::DropTable, Kind::Replace, Kind::Delete];

pub(super) struct Compare<'a> {
    pub deeds: &'a Deeds<'a>,
    pub before: &'a State,
    pub after: &'a State,
    /// The last statement that ran.
    last: usize,
}

impl Compare<'_> {
    fn settings(&self, at: usize, ran: &Ran, found: &mut Vec<(usize, Loss)>) {
        if ran.escapes {
            found.push((at, loss(LossKind::Transaction, None, None, None)));
        }
        // A VACUUM makes the file anew, as it is said to be by then.
        let is_made_anew = |silent: &&Silent| {
            let mut behind = self.deeds.rehearsal.ran.iter().skip(at).filter_map(Ran::effect);
            is_of_file(&silent.pragma) && behind.any(|effect| effect.kind == Kind::Vacuum)
        };
        if let Some(silent) = ran.silent.as_ref().filter(|silent| !is_made_anew(silent)) {
            found
                .push((at, loss(LossKind::Setting, None, Some(&silent.pragma), Some(silent.wanted.clone()))));
        }
    }

    fn table(&self, name: &str, content: &Content, found: &mut Vec<(usize, Loss)>) {
        let fate = self.deeds.fate(name, &self.after.objects);
        let Some(successor) = fate.successor.as_ref().map(|name| name.to_lowercase()) else { return };
        let Some(then) = self.after.tables.get(&successor) else { return };
        self.constraints(content, &successor, found);
        if self.rows(name, content, then, &fate, found) || content.count == 0 || then.count < content.count {
            return;
        }
        self.values(name, content, then, &fate, found);
        let copy = fate.copy.unwrap_or(self.last);
        let highest = |state: &'_ State, table: &str| state.sequences.get(table).copied();
        if let (Some(had), Some(table)) =
            (highest(self.before, name), self.after.objects.table("main", &successor))
            && table.autoincrement
            && fate.copy.is_some()
            && !self.deeds.sets_sequences()
        {
            let has = highest(self.after, &successor).unwrap_or(0);
            if has < had {
                let text = format!("{had} to {has}");
                found.push((copy, loss(LossKind::Sequence, Some(&content.name), None, Some(text))));
            }
        }
        self.rowids(content, then, copy, found);
    }

    /// Whether rows are gone that nothing deletes.
    fn rows(
        &self,
        name: &str,
        content: &Content,
        then: &Content,
        fate: &Fate,
        found: &mut Vec<(usize, Loss)>,
    ) -> bool {
        let is_aside = fate.aside.as_ref().is_some_and(|aside| {
            self.after.tables.get(&aside.to_lowercase()).is_some_and(|aside| aside.count >= content.count)
        });
        if then.count >= content.count || is_aside || fate.deletes || fate.replaces {
            return false;
        }
        let at = match (fate.dropped, fate.copy) {
            _ if fate.leaves_out => return true,
            // Where it was copied before its parent went, the copy went with it.
            (_, Some(copy)) => self.to_blame(name).filter(|at| *at > copy).unwrap_or(copy),
            // To make it anew under its name without a copy is to empty it.
            (Some(_), None) if !fate.was_renamed_into => return true,
            // Between the texts of a function, code may copy.
            (Some(dropped), None) if !self.is_made_beside(dropped, name) => return true,
            (Some(dropped), None) => dropped,
            (None, None) => match self.to_blame(name) {
                Some(at) => at,
                None => return true,
            },
        };
        let by = self.dropped_parent(at).filter(|by| !same(by, name));
        let text = format!("{} of {}", content.count - then.count, content.count);
        found.push((at, loss(LossKind::Rows, Some(&content.name), by.as_deref(), Some(text))));
        true
    }

    /// Whether the table that takes the place of a dropped one is made in the same text.
    fn is_made_beside(&self, dropped: usize, name: &str) -> bool {
        let part = self.deeds.rehearsal.ran.get(dropped).map(|ran| ran.part);
        let mut ran = self.deeds.rehearsal.ran.iter().enumerate();
        ran.any(|(at, ran)| Some(ran.part) == part && self.makes(at, ran, name))
    }

    /// Whether a statement creates the table that has this name in the end.
    fn makes(&self, at: usize, ran: &Ran, name: &str) -> bool {
        let created = ran.effect().filter(|effect| effect.kind == Kind::CreateTable && effect.changed);
        let object = created.and_then(|effect| effect.object.as_deref());
        object.is_some_and(|object| self.comes_to(object, name, at))
    }

    /// The statement that took rows with it by a foreign key: the DROP of a table that this one refers to, itself or by
    /// another one, a REPLACE of its rows, or a DELETE of rows that are there again in the end. Any other DELETE means to.
    fn to_blame(&self, child: &str) -> Option<usize> {
        let ancestors = self.ancestors(child);
        let is_meant = |name: &String| {
            let count = |state: &State| state.tables.get(name).map_or(0, |content| content.count);
            self.deeds.fate(name, &self.after.objects).deletes && count(self.after) < count(self.before)
        };
        if ancestors.iter().any(is_meant) {
            return None;
        }
        let takes = |ran: &Ran| {
            let effect = ran.effect().filter(|effect| TAKING.contains(&effect.kind));
            let object = effect.and_then(|effect| effect.object.as_ref());
            object.is_some_and(|name| ancestors.contains(&name.to_lowercase()))
        };
        self.deeds.rehearsal.ran.iter().position(takes)
    }

    fn dropped_parent(&self, at: usize) -> Option<String> {
        let effect = self.deeds.rehearsal.ran.get(at)?.effect()?;
        effect.object.clone().filter(|_| TAKING.contains(&effect.kind))
    }

    fn ancestors(&self, child: &str) -> BTreeSet<String> {
        let parents = |name: &str| {
            let own = self.before.objects.foreign_keys.iter().filter(|key| same(&key.table, name));
            own.map(|key| key.parent.to_lowercase()).collect()
        };
        let mut found = all_from([child.to_owned()], parents);
        found.remove(child);
        found
    }

    fn values(
        &self,
        name: &str,
        content: &Content,
        then: &Content,
        fate: &Fate,
        found: &mut Vec<(usize, Loss)>,
    ) {
        if fate.updates || fate.deletes || fate.replaces {
            return;
        }
        let is_both = |column: &&String| then.columns.contains(column);
        let both: Vec<&String> = content.columns.iter().filter(is_both).collect();
        let named = fate.copy.and_then(|copy| self.deeds.columns(copy));
        for column in &both {
            let (had, has) = (content.values(column), then.values(column));
            if had.is_empty() || content.column(column) == then.column(column) {
                continue;
            }
            let took = both.iter().find(|other| *other != column && then.holds(column, content, other));
            if let (Some(copy), Some(other)) = (fate.copy, took) {
                // Who names the columns may mean it, unless the values only changed places.
                let is_moved = both.iter().any(|other| other != column && then.holds(other, content, column));
                if named.is_none() || is_moved {
                    let text = Some((*other).clone());
                    found.push((copy, loss(LossKind::Swapped, Some(&content.name), Some(column), text)));
                }
                continue;
            }
            // Under a new name they live on.
            let is_new = |other: &&String| !content.columns.contains(other);
            let is_kept = then.columns.iter().filter(is_new).any(|other| then.holds(other, content, column));
            if is_kept || !had.is_disjoint(&has) {
                continue;
            }
            let is_left_out = named.is_some_and(|named| !named.contains(column));
            let at = match (fate.copy, fate.dropped) {
                (Some(copy), _) if is_left_out && has.len() <= 1 => Some(copy),
                (None, None) if has.is_empty() => self.to_blame(name),
                _ => None,
            };
            if let Some(at) = at {
                let now = self.default_of(&then.name, column).filter(|_| !has.is_empty());
                found.push((at, loss(LossKind::Values, Some(&content.name), Some(column), now)));
            }
        }
    }

    /// The text of the default of a column.
    fn default_of(&self, table: &str, column: &str) -> Option<String> {
        let table = self.after.objects.table("main", table)?;
        table.columns.iter().find(|one| same(&one.name, column))?.default.clone()
    }

    /// The keys, constraints and defaults of a table whose place one takes that CREATE TABLE AS made.
    fn constraints(&self, content: &Content, successor: &str, found: &mut Vec<(usize, Loss)>) {
        let mut ran = self.deeds.rehearsal.ran.iter().enumerate();
        let is_as = |(at, ran): &(usize, &Ran)| {
            self.makes(*at, ran, successor) && self.deeds.copied(*at).is_some_and(|copied| copied.is_as)
        };
        let Some((at, _)) = ran.find(is_as) else { return };
        let only = |objects: &Objects, name: &str| {
            let mut only = Objects::default();
            only.tables.extend(
                objects
                    .table("main", name)
                    .cloned()
                    .map(|table| Table { name: content.name.clone(), ..table }),
            );
            only.indexes.extend(
                objects
                    .indexes_of("main", name)
                    .cloned()
                    .map(|index| IndexObject { table: content.name.clone(), ..index }),
            );
            only
        };
        let (had, has) = (only(&self.before.objects, &content.name), only(&self.after.objects, successor));
        for one in differences(&had, &has) {
            let what = match (one.kind, one.property) {
                ("table", "primary_key") => "the primary key".to_owned(),
                ("column", "not_null") => format!("NOT NULL of `{}`", one.object),
                ("column", "default") => format!("the default of `{}`", one.object),
                ("column", "affinity" | "declared_type") => format!("the type of `{}`", one.object),
                ("index", "exists") if one.here.as_deref().is_some_and(|sql| has_word(sql, "unique")) => {
                    format!("UNIQUE {}", one.object)
                }
                _ => continue,
            };
            found.push((at, loss(LossKind::Constraint, Some(&content.name), None, Some(what))));
        }
        let is_tied =
            |objects: &Objects, name: &str| objects.foreign_keys.iter().any(|key| same(&key.table, name));
        if is_tied(&self.before.objects, &content.name) && !is_tied(&self.after.objects, successor) {
            let text = Some("its foreign keys".to_owned());
            found.push((at, loss(LossKind::Constraint, Some(&content.name), None, text)));
        }
    }

    /// Whether a table that has one name before a statement has another in the end.
    fn comes_to(&self, name: &str, end: &str, since: usize) -> bool {
        let mut current = name.to_owned();
        for ran in self.deeds.rehearsal.ran.iter().skip(since) {
            let Some(effect) = ran.effect() else { continue };
            if let (Some(Alteration::RenameTable(to)), Some(from)) = (&effect.alteration, &effect.object)
                && same(from, &current)
            {
                current.clone_from(to);
            }
        }
        same(&current, end)
    }

    fn whole(&self, found: &mut Vec<(usize, Loss)>) {
        let new = self.after.orphans.iter().flat_map(|(child, parents)| {
            let had = self.before.orphans.get(child);
            let is_new = move |parent: &&String| had.is_some_and(|had| !had.contains(*parent));
            parents.iter().filter(is_new).map(move |parent| (child, parent))
        });
        let is_there = |parent: &str| self.after.objects.table("main", parent).is_some();
        let was_tied = |child: &str, parent: &str| {
            let mut keys = self.before.objects.foreign_keys.iter();
            keys.any(|key| same(&key.table, child) && same(&key.parent, parent))
        };
        // Of a foreign key that is new, nobody knows whether rows keep it.
        for (child, parent) in new.filter(|(child, parent)| !is_there(parent) || was_tied(child, parent)) {
            // Where the parent has other rows by a copy, that gave them their keys.
            let copy = self.deeds.fate(parent, &self.after.objects).copy.filter(|_| is_there(parent));
            let at = copy.or_else(|| self.deeds.last_on(&[parent, child])).unwrap_or(self.last);
            let child = self.after.objects.table("main", child).map_or(child.as_str(), |table| &table.name);
            found.push((at, loss(LossKind::Reference, Some(child), Some(parent), None)));
        }
        for (view, message) in &self.after.broken {
            if !self.before.broken.contains_key(view) {
                let at = self.broken_by(view).unwrap_or(self.last);
                found.push((at, loss(LossKind::View, None, Some(view), Some(message.clone()))));
            }
        }
        for damage in &self.after.damage {
            found.push((self.last, loss(LossKind::Integrity, None, None, Some(damage.clone()))));
        }
    }

    /// The statement behind which a view does not work: the last that made it, or that took what it reads.
    fn broken_by(&self, view: &str) -> Option<usize> {
        let makes = |ran: &Ran| {
            let created = ran.effect().filter(|effect| effect.kind == Kind::CreateView && effect.changed);
            created.and_then(|effect| effect.object.as_deref()).is_some_and(|name| same(name, view))
        };
        let sql = self.after.objects.views.iter().find(|one| one.name == *view).map_or("", |one| &one.sql);
        let tables = self.before.tables.values().map(|one| one.name.as_str());
        let views =
            self.before.objects.views.iter().map(|one| one.name.as_str()).filter(|name| !same(name, view));
        let reads: Vec<&str> = tables.chain(views).filter(|name| has_word(sql, name)).collect();
        let made = self.deeds.rehearsal.ran.iter().rposition(makes);
        made.max(self.deeds.last_on(&reads))
    }
}

pub(super) fn loss(kind: LossKind, table: Option<&str>, object: Option<&str>, text: Option<String>) -> Loss {
    Loss { kind, table: table.map(str::to_owned), object: object.map(str::to_owned), text }
}

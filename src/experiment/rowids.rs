//! Rowids that a copy gave anew, and who goes by them. An `impl` of [`Compare`], apart for its length.

use super::{
    Loss, LossKind,
    compare::{Compare, loss},
    observe::Content,
    seeds::has_hidden_rowid,
    unit::has_word,
};
use crate::schema::{Effect, Kind, Objects, Table, TableKind, Trigger, rehearsal::Ran, same};

impl Compare<'_> {
    /// Rowids that a copy gave anew, where something goes by them or the rows have no other key.
    pub fn rowids(&self, content: &Content, then: &Content, copy: usize, found: &mut Vec<(usize, Loss)>) {
        let had = self.before.objects.table("main", &content.name).filter(|table| has_hidden_rowid(table));
        let has = self.after.objects.table("main", &then.name).filter(|table| has_hidden_rowid(table));
        let (Some(had), Some(has)) = (had, has) else { return };
        if !content.rowids.iter().all(|rowid| then.rowids.contains(rowid)) {
            let list = |rowids: &[i64]| rowids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let user = self.uses_rowid(&content.name, copy);
            let has_key = |objects: &Objects, table: &Table| {
                table.columns.iter().any(|column| column.primary_key > 0)
                    || objects.indexes_of("main", &table.name).any(|index| index.unique)
            };
            let has_key = has_key(&self.before.objects, had) || has_key(&self.after.objects, has);
            if user.is_none() && has_key {
                return;
            }
            let text = format!("{} to {}", list(&content.rowids), list(&then.rowids));
            found.push((copy, loss(LossKind::Rowid, Some(&content.name), user.as_deref(), Some(text))));
        }
    }

    /// What of the schema goes by the rowids of a table: a trigger or a view that names them, a virtual table whose content
    /// it is.
    fn uses_rowid(&self, table: &str, copy: usize) -> Option<String> {
        let objects = &self.before.objects;
        let names = |sql: &str| {
            has_word(sql, table) && ["rowid", "oid", "_rowid_"].iter().any(|word| has_word(sql, word))
        };
        let is_content = |sql: &str| has_word(sql, table) && has_word(sql, "content");
        let filled = self.filled_behind(copy);
        let is_gone = |name: &str| self.after.objects.table("main", name).is_none();
        let is_filled = |name: &str| is_gone(name) || filled.iter().any(|one| same(one, name));
        let fills = |sql: &str| filled.iter().any(|name| has_word(sql, name));
        let is_it = |one: &&Trigger| names(&one.sql) && !fills(&one.sql);
        let by_trigger = objects.triggers.iter().find(is_it).map(|one| one.name.clone());
        let by_view = || objects.views.iter().find(|one| names(&one.sql)).map(|one| one.name.clone());
        let by_content = || {
            let is_it = |one: &&Table| {
                matches!(one.kind, TableKind::Virtual(_)) && is_content(&one.sql) && !is_filled(&one.name)
            };
            objects.tables.iter().find(is_it).map(|one| one.name.clone())
        };
        by_trigger.or_else(by_view).or_else(by_content)
    }

    /// The virtual tables that the unit fills, or makes anew, behind a statement: they know the rowids of then.
    fn filled_behind(&self, copy: usize) -> Vec<&str> {
        let behind = self.deeds.rehearsal.ran.iter().skip(copy + 1).filter_map(Ran::effect);
        let fills =
            |effect: &&Effect| matches!(effect.kind, Kind::Insert | Kind::Replace | Kind::CreateVirtualTable);
        let named = behind.filter(fills).filter_map(|effect| effect.object.as_deref());
        let virtual_tables = &self.before.objects.tables;
        let is_virtual = |name: &&str| {
            virtual_tables
                .iter()
                .any(|one| same(&one.name, name) && matches!(one.kind, TableKind::Virtual(_)))
        };
        named.filter(is_virtual).collect()
    }
}

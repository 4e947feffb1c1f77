//! The statements that Room makes of entities: those of a new database, and those of the methods that insert, change and
//! delete rows.

use super::{
    classes::{Annotation, Class, File},
    entities::{Column, Place, Room},
};
use crate::{extract::text::Text, migration::tokens::Range, source::Site};
use std::fmt::Write as _;

/// The statements of methods without SQL, and the strategies of conflicts.
const WRITES: [&str; 4] = ["Insert", "Update", "Delete", "Upsert"];

impl<'a> Room<'a> {
    /// The databases: where each is declared, its class, and what makes it.
    pub fn databases(&self) -> Vec<(Site, &'a str, Text)> {
        let mut found = Vec::new();
        for ((number, _), class) in self.all() {
            let Some(annotation) = class.annotations.iter().find(|one| one.name == "Database") else {
                continue;
            };
            let Some(file) = self.files.get(number) else { continue };
            let Some(range) = file.argument(annotation, "entities") else { continue };
            let entities = self.classes_in(file, range);
            if entities.is_empty() {
                continue;
            }
            let start = file.code.start(annotation.at) as u32;
            let version = file.argument(annotation, "version").map_or("", |range| file.code.word(range.0));
            let version: u64 = version.parse().unwrap_or(1);
            let mut schema = Text::default();
            schema.push_at(&format!("PRAGMA user_version = {version};\n"), file.id, start);
            for entity in entities {
                self.write_entity(entity, &mut schema);
            }
            let views = file.argument(annotation, "views").map(|range| self.classes_in(file, range));
            for view in views.unwrap_or_default() {
                self.write_view(view, &mut schema);
            }
            let end = annotation.open.map_or(annotation.at + 1, |open| file.code.close(open));
            let site = Site { source: file.id, start, end: file.code.start(end) as u32 + 1 };
            found.push((site, class.name, schema));
        }
        found
    }

    fn write_view(&self, place: Place, schema: &mut Text) {
        let Some((file, class)) = self.class(place) else { return };
        let Some(view) = class.annotations.iter().find(|one| one.name == "DatabaseView") else { return };
        let name = file.argument(view, "viewName").and_then(|range| self.text(file, range));
        let Some(query) = file.argument(view, "value").and_then(|range| self.text(file, range)) else {
            return;
        };
        let name = name.unwrap_or_else(|| class.name.to_owned());
        let at = file.code.start(class.at) as u32;
        schema.push_at(&format!("CREATE VIEW `{name}` AS {query};\n"), file.id, at);
    }

    fn write_entity(&self, place: Place, schema: &mut Text) {
        let (Some((file, class)), Some(table)) = (self.class(place), self.table(place)) else { return };
        let Some(entity) = Self::entity(class) else { return };
        let columns = self.columns(place);
        let at = file.code.start(class.at) as u32;
        let fts = class.annotations.iter().find(|one| matches!(one.name, "Fts3" | "Fts4"));
        if let Some(fts) = fts {
            return self.write_fts(file, fts, (&table, &columns), at, schema);
        }
        schema.push_at(&format!("CREATE TABLE `{table}` ("), file.id, at);
        let keys = self.keys(file, &entity, &columns);
        let generated = columns.iter().find(|one| one.is_generated && keys.as_slice() == [one.name.as_str()]);
        for (number, column) in columns.iter().enumerate() {
            let Some(home) = self.files.get(column.at.0) else { continue };
            let mut text = if number > 0 { ", ".to_owned() } else { String::new() };
            text.push_str(&declared(column, generated.is_some_and(|one| one.name == column.name)));
            schema.push_at(&text, home.id, column.at.1 as u32);
        }
        let mut rest = String::new();
        if generated.is_none() && !keys.is_empty() {
            let _ = write!(rest, ", PRIMARY KEY({})", quoted(&keys));
        }
        for one in file.elements(&entity, "foreignKeys") {
            rest.push_str(&self.foreign_key(file, one).unwrap_or_default());
        }
        schema.push_at(&format!("{rest});\n"), file.id, at);
        for (columns, index) in self.indices(file, &entity, &columns, &table) {
            let unique = if index.is_unique { "UNIQUE " } else { "" };
            let text = format!("CREATE {unique}INDEX `{}` ON `{table}` ({columns});\n", index.name);
            schema.push_at(&text, file.id, index.at);
        }
    }

    fn write_fts(
        &self,
        file: &File<'a>,
        fts: &Annotation<'a>,
        (table, columns): (&str, &[Column]),
        at: u32,
        schema: &mut Text,
    ) {
        let mut terms: Vec<String> =
            columns.iter().filter(|one| !one.is_key).map(|one| declared(one, false)).collect();
        let content = file.argument(fts, "contentEntity").map(|range| self.classes_in(file, range));
        let content = content.and_then(|places| self.table(*places.first()?));
        terms.extend(content.map(|content| format!("content=`{content}`")));
        let text = format!("CREATE VIRTUAL TABLE `{table}` USING {}({});\n", fts.name, terms.join(", "));
        schema.push_at(&text, file.id, at);
    }

    /// The columns of the primary key.
    fn keys(&self, file: &File<'a>, entity: &Annotation<'a>, columns: &[Column]) -> Vec<String> {
        let said = file.argument(entity, "primaryKeys").map(|range| self.texts(file, range));
        let own = || columns.iter().filter(|one| one.is_key).map(|one| one.name.clone()).collect();
        said.filter(|said| !said.is_empty()).unwrap_or_else(own)
    }

    fn foreign_key(&self, file: &File<'a>, (from, _): Range) -> Option<String> {
        let key = file.inner(from)?;
        let parent = file.argument(&key, "entity").map(|range| self.classes_in(file, range))?;
        let texts = |name: &str| file.argument(&key, name).map(|range| self.texts(file, range));
        let (parents, children) = (texts("parentColumns")?, texts("childColumns")?);
        let parent = self.table(*parent.first()?)?;
        let mut text =
            format!(", FOREIGN KEY({}) REFERENCES `{parent}`({})", quoted(&children), quoted(&parents));
        for (name, event) in [("onUpdate", "UPDATE"), ("onDelete", "DELETE")] {
            let does = file.argument(&key, name).map_or("", |range| file.code.word(range.1 - 1));
            let does = if does.is_empty() { "NO_ACTION" } else { does };
            let _ = write!(text, " ON {event} {}", does.replace('_', " "));
        }
        Some(text)
    }

    fn indices(
        &self,
        file: &File<'a>,
        entity: &Annotation<'a>,
        columns: &[Column],
        table: &str,
    ) -> Vec<(String, Index)> {
        let mut found = Vec::new();
        for (from, _) in file.elements(entity, "indices") {
            let Some(index) = file.inner(from) else { continue };
            let mut names =
                file.argument(&index, "value").map_or_else(Vec::new, |range| self.texts(file, range));
            // `@Index("a", "b")` has several without a name.
            let loose = index.open.map_or_else(Vec::new, |open| file.code.arguments(open));
            names.extend(
                loose
                    .into_iter()
                    .skip(1)
                    .filter(|one| one.1 == one.0 + 1)
                    .filter_map(|one| self.text(file, one)),
            );
            let word = |range: Range| file.code.word(range.1 - 1);
            let orders = file.elements(&index, "orders").into_iter().map(word).collect::<Vec<_>>();
            let term = |(at, name): (usize, &String)| {
                let order = if orders.get(at) == Some(&"DESC") { " DESC" } else { "" };
                format!("`{name}`{order}")
            };
            let terms: Vec<String> = names.iter().enumerate().map(term).collect();
            let name = file.argument(&index, "name").and_then(|range| self.text(file, range));
            let name = name.unwrap_or_else(|| format!("index_{table}_{}", names.join("_")));
            let is_unique = file.argument(&index, "unique").map(word) == Some("true");
            if !names.is_empty() {
                found.push((terms.join(", "), Index { name, is_unique, at: file.code.start(from) as u32 }));
            }
        }
        let at = file.code.start(entity.at) as u32;
        for column in columns.iter().filter(|one| one.is_indexed) {
            let name = format!("index_{table}_{}", column.name);
            found.push((format!("`{}`", column.name), Index { name, is_unique: false, at }));
        }
        found
    }

    /// The statements of the methods that insert, change and delete rows of entities.
    pub fn writes(&self) -> Vec<(Site, Text)> {
        let mut found = Vec::new();
        for file in &self.files {
            for at in 0..file.code.length() {
                if let Some((annotation, behind)) = file.annotation(at)
                    && WRITES.contains(&annotation.name)
                {
                    self.add_writes(file, annotation, behind, &mut found);
                }
            }
        }
        found
    }

    fn add_writes(
        &self,
        file: &File<'a>,
        annotation: Annotation<'a>,
        behind: usize,
        found: &mut Vec<(Site, Text)>,
    ) {
        let code = &file.code;
        let (_, _, start) = file.lead(behind);
        let opens = |&at: &usize| code.is(at, "(") && !code.word(at - 1).is_empty();
        let Some(open) = (start..start + 24).find(opens) else { return };
        let around =
            file.classes.iter().filter(|one| one.body.0 < annotation.at && annotation.at < one.body.1);
        let Some(class) = around.max_by_key(|one| one.body.0) else { return };
        let name = open - 1;
        let start = code.start(annotation.at) as u32;
        let site = Site { source: file.id, start, end: (code.start(name) + code.word(name).len()) as u32 };
        let given = file.argument(&annotation, "entity").map(|range| self.classes_in(file, range));
        for range in code.arguments(open) {
            let words: Vec<&str> =
                (range.0..range.1).map(|at| code.word(at)).filter(|word| !word.is_empty()).collect();
            for row in self.rows(class, &words) {
                let entity = given.as_ref().and_then(|given| given.first()).copied().unwrap_or(row);
                for text in self.written(file, &annotation, entity, row) {
                    let mut one = Text::default();
                    one.push_at(&text, file.id, start);
                    found.push((site, one));
                }
            }
        }
    }

    /// The classes of rows that a parameter takes: one that is named, or those that stand for a parameter of the type.
    fn rows(&self, class: &Class<'a>, words: &[&str]) -> Vec<Place> {
        let is_row = |place: &Place| self.class(*place).is_some_and(|(_, class)| !class.fields.is_empty());
        let open = class.parameters.iter().position(|one| words.contains(one));
        let Some(open) = open else {
            return words.iter().filter_map(|word| self.named(word)).find(is_row).into_iter().collect();
        };
        let head = format!("{}<", class.name);
        let given = self.all().flat_map(|(_, one)| &one.bases);
        let given = given.filter_map(|base| base.strip_prefix(head.as_str())?.strip_suffix('>'));
        let mut rows: Vec<Place> =
            given.filter_map(|names| self.named(names.split(',').nth(open)?)).filter(is_row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn written(
        &self,
        file: &File<'a>,
        annotation: &Annotation<'a>,
        entity: Place,
        row: Place,
    ) -> Vec<String> {
        let (Some((home, class)), Some(table)) = (self.class(entity), self.table(entity)) else {
            return Vec::new();
        };
        let all = self.columns(entity);
        let Some(keys) = Self::entity(class).map(|one| self.keys(home, &one, &all)) else {
            return Vec::new();
        };
        let columns: Vec<String> = self.columns(row).into_iter().map(|one| one.name).collect();
        let conflict = file.argument(annotation, "onConflict");
        let clause = match conflict.map_or("", |range| file.code.word(range.1 - 1)) {
            "REPLACE" => "OR REPLACE ",
            "IGNORE" => "OR IGNORE ",
            _ => "",
        };
        let equal = |names: &[String], joint: &str| {
            names.iter().map(|name| format!("`{name}` = ?")).collect::<Vec<_>>().join(joint)
        };
        let marks = vec!["?"; columns.len()].join(", ");
        let insert = format!("INSERT {clause}INTO `{table}` ({}) VALUES ({marks})", quoted(&columns));
        if annotation.name == "Insert" || keys.is_empty() || columns.is_empty() {
            return if annotation.name == "Insert" && !columns.is_empty() {
                vec![insert]
            } else {
                Vec::new()
            };
        }
        let of_key = equal(&keys, " AND ");
        let update = format!("UPDATE {clause}`{table}` SET {} WHERE {of_key}", equal(&columns, ", "));
        match annotation.name {
            "Delete" => vec![format!("DELETE FROM `{table}` WHERE {of_key}")],
            "Upsert" => vec![insert, update],
            _ => vec![update],
        }
    }
}

/// An index of an entity.
struct Index {
    name: String,
    is_unique: bool,
    at: u32,
}

fn declared(column: &Column, is_generated: bool) -> String {
    let mut text = format!("`{}`", column.name);
    if !column.affinity.is_empty() {
        let _ = write!(text, " {}", column.affinity);
    }
    if is_generated {
        text.push_str(" PRIMARY KEY AUTOINCREMENT");
    }
    if column.not_null {
        text.push_str(" NOT NULL");
    }
    if let Some(default) = &column.default {
        let is_bare = default.parse::<f64>().is_ok()
            || default.starts_with(['(', '\''])
            || ["null", "true", "false", "current_timestamp"]
                .contains(&default.to_ascii_lowercase().as_str());
        let quote = if is_bare { "" } else { "'" };
        let _ = write!(text, " DEFAULT {quote}{default}{quote}");
    }
    if let Some(collation) =
        column.collation.as_deref().filter(|one| ["NOCASE", "RTRIM", "BINARY"].contains(one))
    {
        let _ = write!(text, " COLLATE {collation}");
    }
    text
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

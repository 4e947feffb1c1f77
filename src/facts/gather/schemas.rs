//! The databases and what is in their schemas, as facts.

use super::{Gatherer, migrations::Places};
use crate::{
    extract::names,
    growth::size::TableSize,
    migration::Origin,
    schema::{
        Affinity, ForeignKey, Generated, IndexObject, Origin as IndexOrigin, Table, TableKind, triggers,
        types::type_words, variant::Outcome,
    },
    source::Site,
    workload::Database,
};
use std::collections::HashMap;

impl Gatherer<'_> {
    pub(super) fn gather_databases(&mut self) {
        for (index, database) in self.program.databases.iter().enumerate() {
            let found = database.declaration.origin.as_str();
            let row = self.facts.insert(
                "database",
                [
                    ("name", &database.declaration.name),
                    ("found", &found),
                    ("foreign_keys", &database.settings.foreign_keys),
                    ("complete", &database.declaration.is_complete),
                    ("in_memory", &database.in_memory),
                    ("snapshot", &database.is_snapshot),
                ],
            );
            self.rows.databases.push(row);
            let variant = self.facts.insert("variant", [("database", &row), ("kind", &"declared")]);
            self.variants.push(variant);
            if database.declaration.origin == Origin::Guessed {
                let text = format!("its schema is made by {}", database.declaration.places.join(", "));
                self.facts.insert("guess", [("database", &row), ("text", &text)]);
            }
            for (site, text) in &database.declaration.guesses {
                let site = self.site(*site);
                self.facts.insert("guess", [("database", &row), ("text", text), ("site", &site)]);
            }
            let places = self.gather_migrations(index, row, variant, database);
            self.gather_tables(variant, database, &places);
            self.gather_indexes(variant, database, &places);
            self.gather_keys(index, variant, database, &places);
            self.gather_triggers_and_views(index, variant, database, &places);
            self.places.push(places);
        }
        for (database, row) in self.program.databases.iter().zip(self.rows.databases.clone()) {
            for (schema, target) in &database.attached {
                let target = target.and_then(|target| self.rows.databases.get(target).copied());
                self.facts.insert("attached", [("database", &row), ("schema", schema), ("target", &target)]);
            }
        }
    }

    /// The row that stands for the database of statements whose tables nothing creates.
    pub(super) fn missing_database(&mut self, folder: &str, site: Site) -> i64 {
        let name = if folder.is_empty() { "." } else { folder };
        if let Some(&row) = self.missing.get(name) {
            return row;
        }
        let site = self.site(site);
        let row = self.facts.insert("database", [("name", &name), ("found", &"missing"), ("site", &site)]);
        self.rows.missing.push(row);
        self.missing.insert(name.to_owned(), row);
        row
    }

    fn gather_tables(&mut self, variant: i64, database: &Database, places: &Places) {
        for table in &database.variant.objects.tables {
            let site = self.place(places, "table", &table.name);
            let (module, shadow) = match &table.kind {
                TableKind::Ordinary => (None, None),
                TableKind::Virtual(module) => (Some(module.as_str()), None),
                TableKind::Shadow => (None, table.name.rsplit_once('_').map(|(of, _)| of)),
            };
            let row = self.facts.insert(
                "schema_table",
                [
                    ("variant", &variant),
                    ("schema", &table.schema),
                    ("name", &table.name),
                    ("is_strict", &table.strict),
                    ("without_rowid", &table.without_rowid),
                    ("module", &module),
                    ("shadow_of", &shadow),
                    ("site", &site),
                ],
            );
            if table.kind != TableKind::Shadow {
                self.gather_columns(row, database, table, places);
            }
        }
    }

    fn gather_columns(&mut self, table_row: i64, database: &Database, table: &Table, places: &Places) {
        let created = places
            .get(&("table", table.name.to_lowercase()))
            .and_then(|(_, outcome)| database.variant.outcomes.get(*outcome));
        for (ordinal, column) in table.columns.iter().enumerate() {
            let site = created.and_then(|outcome| column_site(outcome, &column.name, &column.declared_type));
            let site = self.optional_site(site);
            let row = self.facts.insert(
                "column",
                [
                    ("schema_table", &table_row),
                    ("ordinal", &(ordinal as i64)),
                    ("name", &column.name),
                    ("declared_type", &column.declared_type),
                    ("affinity", &affinity(column.affinity)),
                    ("not_null", &column.not_null),
                    ("default_value", &column.default),
                    ("primary_key", &column.primary_key),
                    ("hidden", &column.hidden),
                    ("generated", &generated(column.generated)),
                    ("collation", &column.collation),
                    ("site", &site),
                ],
            );
            // A virtual table gives its columns' words a meaning of its own.
            if table.kind == TableKind::Ordinary {
                for word in type_words(&column.declared_type) {
                    let near = word.near;
                    self.facts.insert(
                        "type_word",
                        [("column", &row), ("word", &word.word), ("known", &word.is_known), ("near", &near)],
                    );
                }
            }
        }
    }

    fn gather_indexes(&mut self, variant: i64, database: &Database, places: &Places) {
        for index in &database.variant.objects.indexes {
            let kind = if index.sql.is_some() { "index" } else { "table" };
            let name = if index.sql.is_some() { &index.name } else { &index.table };
            let site = self.place(places, kind, name);
            let row = self.facts.insert(
                "index",
                [
                    ("variant", &variant),
                    ("schema", &index.schema),
                    ("table", &index.table),
                    ("name", &index.name),
                    ("origin", &index_origin(index)),
                    ("is_unique", &index.unique),
                    ("partial_where", &index.filter),
                    ("site", &site),
                ],
            );
            self.known.indexes.insert((variant, index.name.to_lowercase()), row);
            for (ordinal, column) in index.columns.iter().enumerate() {
                self.facts.insert(
                    "index_column",
                    [
                        ("index", &row),
                        ("ordinal", &(ordinal as i64)),
                        ("column", &column.name),
                        ("expression", &column.expression),
                        ("descending", &column.descending),
                        ("collation", &column.collation),
                        ("is_key", &column.key),
                    ],
                );
            }
        }
    }

    fn gather_keys(&mut self, index: usize, variant: i64, database: &Database, places: &Places) {
        let mut rows = Vec::new();
        for (number, key) in database.variant.objects.foreign_keys.iter().enumerate() {
            let row = self.gather_key(variant, database, key, places);
            self.rows.foreign_keys.insert(row, (index, number));
            rows.push(row);
        }
        for plan in self.program.key_plans.iter().filter(|plan| plan.database == index) {
            let Some(key) = rows.get(plan.foreign_key) else { continue };
            let row = self.facts.insert(
                "plan",
                [
                    ("foreign_key", key),
                    ("purpose", &plan.purpose),
                    ("variant", &variant),
                    ("engine", &self.engine),
                ],
            );
            self.gather_steps(row, &plan.plan, None);
        }
    }

    fn gather_key(&mut self, variant: i64, database: &Database, key: &ForeignKey, places: &Places) -> i64 {
        let created = places
            .get(&("table", key.table.to_lowercase()))
            .and_then(|(_, outcome)| database.variant.outcomes.get(*outcome));
        let first = key.columns.first().map_or("", |(column, _)| column.as_str());
        let site = match created.and_then(|outcome| column_site(outcome, first, "")) {
            Some(site) => Some(self.site(site)),
            None => self.place(places, "table", &key.table),
        };
        let row = self.facts.insert(
            "foreign_key",
            [
                ("variant", &variant),
                ("schema", &key.schema),
                ("table", &key.table),
                ("parent", &key.parent),
                ("on_delete", &key.on_delete),
                ("on_update", &key.on_update),
                ("site", &site),
            ],
        );
        for (ordinal, (column, parent)) in key.columns.iter().enumerate() {
            self.facts.insert(
                "foreign_key_column",
                [
                    ("foreign_key", &row),
                    ("ordinal", &(ordinal as i64)),
                    ("column", column),
                    ("parent_column", parent),
                ],
            );
        }
        row
    }

    fn gather_triggers_and_views(
        &mut self,
        index: usize,
        variant: i64,
        database: &Database,
        places: &Places,
    ) {
        let mut rows = HashMap::new();
        for trigger in &database.variant.objects.triggers {
            let site = self.place(places, "trigger", &trigger.name);
            let row = self.facts.insert(
                "trigger",
                [
                    ("variant", &variant),
                    ("schema", &trigger.schema),
                    ("table", &trigger.table),
                    ("name", &trigger.name),
                    ("event", &trigger.event),
                    ("whole", &triggers::written_whole(&trigger.sql).into_iter().next()),
                    ("site", &site),
                ],
            );
            rows.insert(trigger.name.as_str(), row);
        }
        for one in self.program.upkeeps.iter().filter(|one| one.database == index) {
            let trigger = one.trigger.as_deref().and_then(|name| rows.get(name));
            self.facts.insert(
                "upkeep",
                [
                    ("variant", &variant),
                    ("full_text", &one.words),
                    ("table", &one.table),
                    ("content", &one.content),
                    ("column", &one.column),
                    ("change", &one.change.as_str()),
                    ("trigger", &trigger),
                    ("keeps", &one.keeps),
                ],
            );
        }
        for view in &database.variant.objects.views {
            let site = self.place(places, "view", &view.name);
            self.facts.insert(
                "view",
                [("variant", &variant), ("schema", &view.schema), ("name", &view.name), ("site", &site)],
            );
        }
    }

    pub(super) fn gather_sizes(&mut self) {
        for TableSize {
            database,
            table,
            class,
            bound,
            rows,
            is_said,
            is_counted,
            is_configured,
            evidence,
            ..
        } in self.program.sizes
        {
            let Some(&database) = self.rows.databases.get(*database) else { continue };
            let found = match (is_configured, is_counted) {
                (true, _) => "configured",
                (_, true) => "counted",
                _ => "inferred",
            };
            let rows = rows.map(|rows| i64::try_from(rows).unwrap_or(i64::MAX));
            let bound = bound.map(|bound| i64::try_from(bound).unwrap_or(i64::MAX));
            let row = self.facts.insert(
                "table_size",
                [
                    ("database", &database),
                    ("table", table),
                    ("class", &class.as_str()),
                    ("bound", &bound),
                    ("rows", &rows),
                    ("said", is_said),
                    ("found", &found),
                ],
            );
            for (site, text) in evidence {
                let site = self.optional_site(*site);
                self.facts.insert("size_evidence", [("table_size", &row), ("site", &site), ("text", text)]);
            }
        }
    }
}

/// Where a column stands in the CREATE TABLE of its table, its type included.
fn column_site(outcome: &Outcome, column: &str, declared: &str) -> Option<Site> {
    let sql = outcome.text.as_str().get(outcome.applied.start..outcome.applied.end)?;
    let open = sql.find('(')?;
    let (start, end) = names::find_word(sql.get(open..)?, column)?;
    let rest = sql.get(open + end..)?;
    let gap = rest.len() - rest.trim_start().len();
    let typed = !declared.is_empty()
        && rest.trim_start().get(..declared.len()).is_some_and(|text| text.eq_ignore_ascii_case(declared));
    let end = if typed { end + gap + declared.len() } else { end };
    let base = outcome.applied.start + open;
    outcome.text.site((base + start) as u32, (base + end) as u32)
}

fn index_origin(index: &IndexObject) -> &'static str {
    match index.origin {
        IndexOrigin::Create => "create",
        IndexOrigin::Unique => "unique",
        IndexOrigin::PrimaryKey => "primary_key",
    }
}

fn affinity(affinity: Affinity) -> &'static str {
    match affinity {
        Affinity::Integer => "INTEGER",
        Affinity::Text => "TEXT",
        Affinity::Blob => "BLOB",
        Affinity::Real => "REAL",
        Affinity::Numeric => "NUMERIC",
    }
}

fn generated(generated: Generated) -> Option<&'static str> {
    match generated {
        Generated::No => None,
        Generated::Virtual => Some("virtual"),
        Generated::Stored => Some("stored"),
    }
}

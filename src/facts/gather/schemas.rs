//! The databases, their schemas and how these are made, as facts.

use super::{FactsError, Gatherer, statements::refusal_kind};
use crate::{
    extract::{names, sql},
    growth::size::TableSize,
    migration::Origin,
    schema::{
        Affinity, Effect, ForeignKey, Generated, IndexDefinition, IndexObject, Kind, Origin as IndexOrigin,
        RefusalKind, Table, TableKind, types::type_words, variant::Outcome,
    },
    source::Site,
    workload::Database,
};
use std::collections::HashMap;

/// Where the objects of a schema are made, by kind and name in lower case.
type Places = HashMap<(&'static str, String), (Site, usize)>;

impl Gatherer<'_> {
    pub(super) fn gather_databases(&mut self) -> Result<(), FactsError> {
        for (index, database) in self.program.databases.iter().enumerate() {
            let found = database.declaration.origin.as_str();
            let row = self.facts.insert(
                "database",
                [
                    ("name", &database.declaration.name),
                    ("found", &found),
                    ("foreign_keys", &database.settings.foreign_keys),
                    ("complete", &database.declaration.is_complete),
                ],
            )?;
            self.rows.databases.push(row);
            let variant = self.facts.insert("variant", [("database", &row), ("kind", &"declared")])?;
            self.variants.push(variant);
            if database.declaration.origin == Origin::Guessed {
                let text = format!("its schema is made by {}", database.declaration.places.join(", "));
                self.facts.insert("guess", [("database", &row), ("text", &text)])?;
            }
            let places = self.gather_migrations(row, variant, database)?;
            self.gather_tables(variant, database, &places)?;
            self.gather_indexes(variant, database, &places)?;
            self.gather_keys(index, variant, database, &places)?;
            self.gather_triggers_and_views(variant, database, &places)?;
        }
        Ok(())
    }

    /// The row that stands for the database of statements whose tables nothing creates.
    pub(super) fn missing_database(&mut self, folder: &str, site: Site) -> Result<i64, FactsError> {
        let name = if folder.is_empty() { "." } else { folder };
        let sql = "SELECT id FROM database WHERE found = 'missing' AND name = ?1";
        let found = self.facts.connection().query_row(sql, [name], |row| row.get(0)).ok();
        if let Some(row) = found {
            return Ok(row);
        }
        let site = self.site(site)?;
        let row = self.facts.insert("database", [("name", &name), ("found", &"missing"), ("site", &site)])?;
        self.rows.missing.push(row);
        Ok(row)
    }

    fn gather_migrations(
        &mut self,
        row: i64,
        variant: i64,
        database: &Database,
    ) -> Result<Places, FactsError> {
        let mut migrations = Vec::new();
        let mut text_order: Vec<usize> = (0..database.declaration.steps.len()).collect();
        text_order.sort_by_key(|&step| database.declaration.steps.get(step).map(|step| step.literal));
        for (ordinal, step) in database.declaration.steps.iter().enumerate() {
            let Some(literal) = self.program.extraction.literals.get(step.literal) else { continue };
            let site = self.site(literal.site)?;
            let text_ordinal = text_order.iter().position(|&index| index == ordinal).unwrap_or(ordinal);
            let migration = self.facts.insert(
                "migration",
                [
                    ("database", &row),
                    ("site", &site),
                    ("name", &step.name),
                    ("version", &step.version.map(|version| version.to_string())),
                    ("ordinal", &(ordinal as i64)),
                    ("text_ordinal", &(text_ordinal as i64)),
                ],
            )?;
            migrations.push(migration);
        }
        let mut places = Places::new();
        for (ordinal, outcome) in database.variant.outcomes.iter().enumerate() {
            let Some(&migration) = migrations.get(outcome.step) else { continue };
            self.gather_step(variant, migration, ordinal, database, outcome)?;
            remember(&mut places, outcome, ordinal);
        }
        Ok(places)
    }

    fn gather_step(
        &mut self,
        variant: i64,
        migration: i64,
        ordinal: usize,
        database: &Database,
        outcome: &Outcome,
    ) -> Result<(), FactsError> {
        let (start, end) = (outcome.applied.start, outcome.applied.end);
        let Some(site) = outcome.text.site(start as u32, end as u32) else { return Ok(()) };
        let site = self.site(site)?;
        let text = outcome.text.as_str().get(start..end).unwrap_or("");
        let effect = outcome.applied.outcome.as_ref().ok();
        let kind = effect.map_or_else(|| Kind::of(text), |effect| effect.kind);
        let definition = effect.and_then(|effect| effect.index.as_ref()).map(definition);
        let lenient = names::find_word(text, "exists").is_some_and(|(at, _)| at < 60);
        let step = self.facts.insert(
            "migration_step",
            [
                ("migration", &migration),
                ("ordinal", &(ordinal as i64)),
                ("site", &site),
                ("kind", &kind_words(kind)),
                ("schema", &effect.and_then(|effect| effect.schema.as_deref())),
                ("object", &effect.and_then(|effect| effect.object.as_deref())),
                ("table", &effect.and_then(|effect| effect.table.as_deref())),
                ("if_not_exists", &lenient),
                ("definition", &definition),
            ],
        )?;
        let (result, message) = result(database, outcome);
        let refusal = outcome.applied.outcome.as_ref().err().filter(|_| result == "failed");
        let failure = refusal.map(|refusal| refusal_kind(&refusal.kind).0);
        let at = match &outcome.applied.outcome {
            Err(refusal) => refusal.offset.and_then(|offset| {
                let at = (start + offset) as u32;
                outcome.text.site(at, at + 1)
            }),
            Ok(_) => None,
        };
        let at = at.map(|site| self.site(site)).transpose()?;
        self.facts.insert(
            "experiment",
            [
                ("variant", &variant),
                ("step", &step),
                ("ordinal", &(ordinal as i64)),
                ("kind", &"empty"),
                ("outcome", &result),
                ("failure", &failure),
                ("message", &message),
                ("site", &at),
            ],
        )?;
        Ok(())
    }

    fn place(&mut self, places: &Places, kind: &'static str, name: &str) -> Result<Option<i64>, FactsError> {
        let site = places.get(&(kind, name.to_lowercase())).map(|(site, _)| *site);
        site.map(|site| self.site(site)).transpose()
    }

    fn gather_tables(
        &mut self,
        variant: i64,
        database: &Database,
        places: &Places,
    ) -> Result<(), FactsError> {
        for table in &database.variant.objects.tables {
            let site = self.place(places, "table", &table.name)?;
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
            )?;
            if table.kind != TableKind::Shadow {
                self.gather_columns(row, database, table, places)?;
            }
        }
        Ok(())
    }

    fn gather_columns(
        &mut self,
        table_row: i64,
        database: &Database,
        table: &Table,
        places: &Places,
    ) -> Result<(), FactsError> {
        let created = places
            .get(&("table", table.name.to_lowercase()))
            .and_then(|(_, outcome)| database.variant.outcomes.get(*outcome));
        for (ordinal, column) in table.columns.iter().enumerate() {
            let site =
                match created.and_then(|outcome| column_site(outcome, &column.name, &column.declared_type)) {
                    Some(site) => Some(self.site(site)?),
                    None => None,
                };
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
            )?;
            // A virtual table gives its columns' words a meaning of its own.
            if table.kind == TableKind::Ordinary {
                for word in type_words(&column.declared_type) {
                    let near = word.near;
                    self.facts.insert(
                        "type_word",
                        [("column", &row), ("word", &word.word), ("known", &word.is_known), ("near", &near)],
                    )?;
                }
            }
        }
        Ok(())
    }

    fn gather_indexes(
        &mut self,
        variant: i64,
        database: &Database,
        places: &Places,
    ) -> Result<(), FactsError> {
        for index in &database.variant.objects.indexes {
            let kind = if index.sql.is_some() { "index" } else { "table" };
            let name = if index.sql.is_some() { &index.name } else { &index.table };
            let site = self.place(places, kind, name)?;
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
            )?;
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
                )?;
            }
        }
        Ok(())
    }

    fn gather_keys(
        &mut self,
        index: usize,
        variant: i64,
        database: &Database,
        places: &Places,
    ) -> Result<(), FactsError> {
        let mut rows = Vec::new();
        for key in &database.variant.objects.foreign_keys {
            rows.push(self.gather_key(variant, database, key, places)?);
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
            )?;
            self.gather_steps(row, &plan.plan, None)?;
        }
        Ok(())
    }

    fn gather_key(
        &mut self,
        variant: i64,
        database: &Database,
        key: &ForeignKey,
        places: &Places,
    ) -> Result<i64, FactsError> {
        let created = places
            .get(&("table", key.table.to_lowercase()))
            .and_then(|(_, outcome)| database.variant.outcomes.get(*outcome));
        let first = key.columns.first().map_or("", |(column, _)| column.as_str());
        let site = match created.and_then(|outcome| column_site(outcome, first, "")) {
            Some(site) => Some(self.site(site)?),
            None => self.place(places, "table", &key.table)?,
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
        )?;
        for (ordinal, (column, parent)) in key.columns.iter().enumerate() {
            self.facts.insert(
                "foreign_key_column",
                [
                    ("foreign_key", &row),
                    ("ordinal", &(ordinal as i64)),
                    ("column", column),
                    ("parent_column", parent),
                ],
            )?;
        }
        Ok(row)
    }

    fn gather_triggers_and_views(
        &mut self,
        variant: i64,
        database: &Database,
        places: &Places,
    ) -> Result<(), FactsError> {
        for trigger in &database.variant.objects.triggers {
            let site = self.place(places, "trigger", &trigger.name)?;
            self.facts.insert(
                "trigger",
                [
                    ("variant", &variant),
                    ("schema", &trigger.schema),
                    ("table", &trigger.table),
                    ("name", &trigger.name),
                    ("site", &site),
                ],
            )?;
        }
        for view in &database.variant.objects.views {
            let site = self.place(places, "view", &view.name)?;
            self.facts.insert(
                "view",
                [("variant", &variant), ("schema", &view.schema), ("name", &view.name), ("site", &site)],
            )?;
        }
        Ok(())
    }

    pub(super) fn gather_sizes(&mut self) -> Result<(), FactsError> {
        for TableSize { database, table, class, bound, is_configured, evidence } in self.program.sizes {
            let Some(&database) = self.rows.databases.get(*database) else { continue };
            let found = if *is_configured { "configured" } else { "inferred" };
            let bound = bound.map(|bound| i64::try_from(bound).unwrap_or(i64::MAX));
            let row = self.facts.insert(
                "table_size",
                [
                    ("database", &database),
                    ("table", table),
                    ("class", &class.as_str()),
                    ("bound", &bound),
                    ("found", &found),
                ],
            )?;
            for (site, text) in evidence {
                let site = site.map(|site| self.site(site)).transpose()?;
                self.facts
                    .insert("size_evidence", [("table_size", &row), ("site", &site), ("text", text)])?;
            }
        }
        Ok(())
    }
}

/// What became of a step: in a guessed order, only what no order would mend is a failure.
fn result<'a>(database: &Database, outcome: &'a Outcome) -> (&'static str, Option<&'a str>) {
    let refusal = match &outcome.applied.outcome {
        Ok(effect) if effect.changed || !is_ddl(effect) => return ("done", None),
        Ok(_) => return ("nothing", None),
        Err(refusal) => refusal,
    };
    let guessed = database.declaration.origin == Origin::Guessed;
    let ordered = database.declaration.steps.get(outcome.step).is_some_and(|step| step.is_ordered);
    let result = match refusal.kind {
        RefusalKind::Limit(_) => "stopped",
        RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_) if guessed => "nothing",
        RefusalKind::NoSuchTable(_)
        | RefusalKind::NoSuchColumn(_)
        | RefusalKind::NoSuchIndex(_)
        | RefusalKind::NoSuchModule(_)
            if (guessed && !ordered) || !database.declaration.is_complete =>
        {
            "stopped"
        }
        // What is bound to it when the program runs is not known here.
        RefusalKind::Constraint if has_parameters(outcome) => "stopped",
        _ if guessed && !outcome.text.holes().is_empty() => "stopped",
        _ => "failed",
    };
    (result, Some(refusal.message.as_str()))
}

fn has_parameters(outcome: &Outcome) -> bool {
    let text = outcome.text.as_str().get(outcome.applied.start..outcome.applied.end).unwrap_or("");
    sql::key(text).contains('?')
}

fn is_ddl(effect: &Effect) -> bool {
    kind_words(effect.kind).starts_with("create") || kind_words(effect.kind).starts_with("drop")
}

/// Remembers where an object is made.
fn remember(places: &mut Places, outcome: &Outcome, ordinal: usize) {
    let Ok(effect) = &outcome.applied.outcome else { return };
    let kind = match effect.kind {
        Kind::CreateTable | Kind::CreateVirtualTable => "table",
        Kind::CreateIndex => "index",
        Kind::CreateView => "view",
        Kind::CreateTrigger => "trigger",
        Kind::AlterTable => {
            // A table that was rebuilt under another name.
            if let (Some(crate::schema::Alteration::RenameTable(to)), Some(from)) =
                (&effect.alteration, &effect.object)
                && let Some(place) = places.get(&("table", from.to_lowercase())).copied()
            {
                places.insert(("table", to.to_lowercase()), place);
            }
            return;
        }
        _ => return,
    };
    let (Some(object), true) = (&effect.object, effect.changed) else { return };
    let (start, end) = (outcome.applied.start as u32, outcome.applied.end as u32);
    if let Some(site) = outcome.text.site(start, end) {
        places.insert((kind, object.to_lowercase()), (site, ordinal));
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

fn definition(index: &IndexDefinition) -> String {
    let unique = if index.unique { "UNIQUE " } else { "" };
    let filter = index.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE {filter}"));
    format!("{unique}{}({}){filter}", index.table, index.columns.join(", ")).to_lowercase()
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

fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::CreateTable => "create_table",
        Kind::CreateVirtualTable => "create_virtual_table",
        Kind::CreateIndex => "create_index",
        Kind::CreateView => "create_view",
        Kind::CreateTrigger => "create_trigger",
        Kind::AlterTable => "alter_table",
        Kind::DropTable => "drop_table",
        Kind::DropIndex => "drop_index",
        Kind::DropView => "drop_view",
        Kind::DropTrigger => "drop_trigger",
        Kind::Select => "select",
        Kind::Insert => "insert",
        Kind::Replace => "replace",
        Kind::Update => "update",
        Kind::Delete => "delete",
        Kind::Pragma => "pragma",
        Kind::Transaction => "transaction",
        Kind::Attach | Kind::Detach | Kind::Vacuum | Kind::Analyze | Kind::Reindex | Kind::Other => "other",
    }
}

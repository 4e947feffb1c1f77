//! The steps of a schema and what became of them, as facts; and where they make what.

use super::{Gatherer, statements::refusal_kind};
use crate::{
    extract::{self, names, sql},
    migration::{Origin, Runs, Step, is_head_of_index},
    schema::{Alteration, Effect, IndexDefinition, Kind, Refusal, RefusalKind, history, variant::Outcome},
    source::Site,
    workload::Database,
};
use std::collections::HashMap;

/// Where the objects of a schema are made, by kind and name in lower case.
pub(super) type Places = HashMap<(&'static str, String), (Site, usize)>;

impl Gatherer<'_> {
    pub(super) fn gather_migrations(
        &mut self,
        number: usize,
        row: i64,
        variant: i64,
        database: &Database,
    ) -> Places {
        let mut migrations = Vec::new();
        let mut text_order: Vec<usize> = (0..database.declaration.steps.len()).collect();
        text_order.sort_by_key(|&step| database.declaration.steps.get(step).map(|step| step.literal));
        let mut places_in_text = vec![0; text_order.len()];
        for (place, &step) in text_order.iter().enumerate() {
            if let Some(own) = places_in_text.get_mut(step) {
                *own = place;
            }
        }
        let members = self.gather_series(number, row);
        for (ordinal, step) in database.declaration.steps.iter().enumerate() {
            let Some(literal) = self.program.extraction.literals.get(step.literal) else { continue };
            let site = self.site(literal.site);
            let member = members.get(&ordinal).copied();
            let beside = self.beside(number, ordinal);
            let text_ordinal = places_in_text.get(ordinal).copied().unwrap_or(ordinal);
            // The statements of several callers come in calls of their own.
            let sink = step.sink.as_ref().filter(|_| !step.text.is_handed());
            let migration = self.facts.insert(
                "migration",
                [
                    ("database", &row),
                    ("site", &site),
                    ("name", &step.name),
                    ("origin", &step.runs.as_str()),
                    ("version", &step.rank().map(|version| version.to_string())),
                    ("ordinal", &(ordinal as i64)),
                    ("text_ordinal", &(text_ordinal as i64)),
                    ("sink", &sink.map(|(name, _)| name.as_str())),
                    ("sink_kind", &sink.map_or("none", |(_, kind)| kind.as_str())),
                    ("wrapped", &step.wrapped),
                    ("unless", &step.unless_words()),
                    ("unit", &(step.unit as i64)),
                    ("choice", &step.choice.map(|(function, fork, _)| format!("{function}:{fork}"))),
                    ("arm", &step.choice.map(|(.., arm)| arm as i64)),
                    ("text_key", &step.key),
                    ("is_ordered", &step.is_ordered),
                    ("reached", &beside.is_none()),
                    ("beside", &beside),
                    ("series", &member.map(|(series, _)| series)),
                    ("number", &member.map(|(_, member)| member.number as i64)),
                ],
            );
            migrations.push(migration);
            if is_head_of_index(step.text.as_str()) {
                self.facts.insert("unread_index", [("site", &site), ("table", &None::<String>)]);
            }
        }
        let (mut places, mut experiments) = (Places::new(), Vec::new());
        let last_names = history::last_names(&database.declaration, &database.variant.outcomes);
        for (ordinal, outcome) in database.variant.outcomes.iter().enumerate() {
            let last = last_names.get(ordinal).cloned().flatten();
            let migration = migrations.get(outcome.step).copied();
            experiments.push(migration.and_then(|migration| {
                self.gather_step(variant, migration, ordinal, database, outcome, last)
            }));
            remember(&mut places, outcome, ordinal);
        }
        self.migrations.push(migrations);
        self.gather_losses(database, &experiments);
        places
    }

    fn gather_step(
        &mut self,
        variant: i64,
        migration: i64,
        ordinal: usize,
        database: &Database,
        outcome: &Outcome,
        last_name: Option<String>,
    ) -> Option<i64> {
        let (start, end) = (outcome.applied.start, outcome.applied.end);
        let site = outcome.text.site(start as u32, end as u32)?;
        let site = self.site(site);
        let text = outcome.text.as_str().get(start..end).unwrap_or("");
        let effect = outcome.applied.outcome.as_ref().ok();
        let kind = effect.map_or_else(|| Kind::of(text), |effect| effect.kind);
        let index = effect.and_then(|effect| effect.index.as_ref());
        let last_name = last_name.or_else(|| effect.and_then(|effect| effect.table.clone()));
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
                ("last_name", &last_name),
                ("if_not_exists", &lenient),
                ("is_unique", &index.is_some_and(|index| index.unique)),
                ("definition", &index.map(definition)),
            ],
        );
        self.known.applied.insert((variant, ordinal), step);
        for table in effect.map_or(&[][..], |effect| &effect.reads) {
            self.facts.insert("migration_read", [("step", &step), ("table", table)]);
        }
        let (result, message) = result(database, outcome);
        let refusal = outcome.applied.outcome.as_ref().err().filter(|_| result == "failed");
        let failure = match &outcome.applied.outcome {
            Err(Refusal { kind: RefusalKind::Limit(_), .. }) => Some("limit"),
            _ => refusal.map(|refusal| refusal_kind(&refusal.kind).0),
        };
        let at = match &outcome.applied.outcome {
            Err(refusal) => refusal.offset.and_then(|offset| {
                let at = (start + offset) as u32;
                outcome.text.site(at, at + 1)
            }),
            Ok(_) => None,
        };
        let at = self.optional_site(at);
        let experiment = self.facts.insert(
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
        );
        Some(experiment)
    }

    pub(super) fn place(&mut self, places: &Places, kind: &'static str, name: &str) -> Option<i64> {
        let site = places.get(&(kind, name.to_lowercase())).map(|(site, _)| *site);
        self.optional_site(site)
    }
}

/// What became of a step: in a guessed order, only what no order would mend is a failure.
fn result<'a>(database: &Database, outcome: &'a Outcome) -> (&'static str, Option<&'a str>) {
    let step = database.declaration.steps.get(outcome.step);
    // What a migration does to a database that was made as if it had run already tells nothing.
    let is_spared = database.is_snapshot && step.is_some_and(|step| step.runs == Runs::Migration);
    let refusal = match &outcome.applied.outcome {
        Ok(effect) if effect.changed || !is_ddl(effect) => return ("done", None),
        Ok(_) if is_spared => return ("stopped", None),
        Ok(_) => return ("nothing", None),
        Err(refusal) => refusal,
    };
    let guessed = database.declaration.origin == Origin::Guessed;
    let ordered = database.declaration.steps.get(outcome.step).is_some_and(|step| step.is_ordered);
    let result = match refusal.kind {
        RefusalKind::Limit(_) => "stopped",
        _ if is_spared || refusal.message.starts_with(TEMPLATE) => "stopped",
        RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_) if guessed => "nothing",
        RefusalKind::NoSuchTable(_)
        | RefusalKind::NoSuchColumn(_)
        | RefusalKind::NoSuchIndex(_)
        | RefusalKind::NoSuchModule(_)
            if (guessed && !ordered) || !database.declaration.is_complete =>
        {
            "stopped"
        }
        // Scripts that run at every open, and so as they are today, make what it no longer finds.
        RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_) | RefusalKind::NoSuchIndex(_)
            if guessed && is_behind_open(database, outcome.step) =>
        {
            "stopped"
        }
        RefusalKind::Syntax if names_later(outcome, refusal) => "stopped",
        // Who hands it such a part may not get that far.
        RefusalKind::Syntax if guessed && step.is_some_and(|step| step.text.is_handed()) => "stopped",
        // Of a text of code, the rest was not read.
        RefusalKind::Incomplete if guessed && step.is_some_and(|step| !extract::is_sql(&step.name)) => {
            "stopped"
        }
        // What the program attaches is not told by its steps.
        RefusalKind::Other if guessed && refusal.message.starts_with("unknown database ") => "stopped",
        // What is bound to it when the program runs is not known here.
        RefusalKind::Constraint if has_parameters(outcome) => "stopped",
        // Such as an index on what another history made a view.
        RefusalKind::Other if guessed && !ordered => "stopped",
        // What the program puts into its holes is not known either.
        _ if database
            .declaration
            .steps
            .get(outcome.step)
            .is_some_and(|step| !step.text.holes().is_empty()) =>
        {
            "stopped"
        }
        _ => "failed",
    };
    (result, Some(refusal.message.as_str()))
}

/// Whether files that run at every open stand in front of a migration.
fn is_behind_open(database: &Database, step: usize) -> bool {
    let steps = &database.declaration.steps;
    let is_migration = steps.get(step).is_some_and(|step| step.runs == Runs::Migration);
    let is_open = |step: &Step| step.runs == Runs::Open && extract::is_sql(&step.name);
    is_migration && steps.iter().take(step).any(is_open)
}

/// Whether a statement stops at a word such as `%table`, in the place of which the program puts another.
fn names_later(outcome: &Outcome, refusal: &Refusal) -> bool {
    let from = refusal.offset.map(|offset| outcome.applied.start + offset);
    let rest = from.and_then(|from| outcome.text.as_str().get(from..)).unwrap_or("");
    let name = rest.strip_prefix('%').unwrap_or("");
    name.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '('))
}

/// What SQLite says of a template.
const TEMPLATE: &str = "unrecognized token: \"{";

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
            if let (Some(Alteration::RenameTable(to)), Some(from)) = (&effect.alteration, &effect.object)
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

fn definition(index: &IndexDefinition) -> String {
    let unique = if index.unique { "UNIQUE " } else { "" };
    let filter = index.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE {filter}"));
    format!("{unique}{}({}){filter}", index.table, index.columns.join(", ")).to_lowercase()
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

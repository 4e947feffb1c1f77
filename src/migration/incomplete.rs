//! What keeps a schema from being all there is: texts with computed names beside its declarations, and templates.

use super::{
    Declaration, Step,
    outside::has_placeholder,
    rewrites,
    tables::{Computed, computed},
};
use crate::{
    extract::{
        Extraction, Literal, Marker, Role,
        sql::{makes_schema, skip_leading},
        text::{HOLE, Text},
    },
    source::{SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Marks the databases beside whose declarations stand others with computed names.
pub(super) fn mark(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    let folder = |source: SourceId| rewrites::folder(sources, source);
    let folders = computed_folders(sources, extraction);
    let mut made: BTreeMap<&str, Vec<Computed>> = BTreeMap::new();
    for literal in extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
        for text in literal.variants.iter().filter(|text| !text.holes().is_empty()) {
            let folder = folder(literal.site.source);
            made.entry(folder).or_default().extend(computed(text.as_str()));
        }
    }
    for one in declared {
        let own: BTreeSet<&str> = one.homes.iter().map(|&home| folder(home)).collect();
        let is_template = |step: &Step| {
            let text = step.text.as_str();
            text.contains("{#") || (text.contains('%') && has_placeholder(text))
        };
        let has_template = one.steps.iter().chain(&one.create).any(is_template);
        one.is_complete = !has_template && !own.iter().any(|folder| folders.contains(folder));
        one.computed = own.iter().filter_map(|folder| made.get(folder)).flatten().cloned().collect();
        if has_template {
            let any = |kind: &str| Computed { kind: kind.to_owned(), table: None };
            one.computed.extend(["index", "trigger", "view"].map(any));
        }
    }
}

/// The folders whose code makes what only the running program can name.
pub fn computed_folders<'a>(sources: &'a Sources, extraction: &Extraction) -> HashSet<&'a str> {
    let literals = extraction.literals.iter().filter(|literal| literal.role != Role::Test);
    let makes = |literal: &&Literal| {
        literal.variants.iter().any(|text| {
            let is_own = !text.holes().is_empty() && names_a_hole(text.as_str());
            // A table of its own changes none that is known.
            is_own || marked(extraction, literal, text).is_some_and(|sql| changes_a_hole(&sql))
        })
    };
    literals.filter(makes).map(|literal| rewrites::folder(sources, literal.site.source)).collect()
}

/// Whether a text makes what only the running program can name: it puts the name in, or puts it in the place of a marker of code.
pub(super) fn is_computed(extraction: &Extraction, literal: &Literal, text: &Text) -> bool {
    names_a_hole(text.as_str()) || marked(extraction, literal, text).is_some_and(|sql| names_a_hole(&sql))
}

/// A text of code that makes something, with holes in the place of the markers for which no name is known; `None` where it has none.
fn marked(extraction: &Extraction, literal: &Literal, text: &Text) -> Option<String> {
    let sql = text.as_str();
    if literal.language.is_sql || !makes_schema(sql) {
        return None;
    }
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|one| one.is_alphanumeric() || one == '_');
    let is_open = |marker: &Marker| !marker.values.iter().any(|value| is_name(value.as_str()));
    let markers = extraction.markers.iter().filter(|one| sql.contains(&one.text) && is_open(one));
    let hole = HOLE.to_string();
    let filled = markers.fold(sql.to_owned(), |sql, one| sql.replace(&one.text, &hole));
    (filled != sql).then_some(filled)
}

/// Whether a text drops or alters a table that only the running program can name.
fn changes_a_hole(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let table = ["drop table ", "drop table if exists ", "alter table "];
    table
        .iter()
        .any(|head| lower.contains(&format!("{head}{HOLE}")) || lower.contains(&format!("{head}\"{HOLE}")))
}

/// Whether a declaration creates what only the running program can name.
fn names_a_hole(sql: &str) -> bool {
    let head: String = skip_leading(sql).chars().take(160).collect::<String>().to_ascii_lowercase();
    if !["create", "alter", "drop"].iter().any(|verb| head.starts_with(verb)) {
        return false;
    }
    let name = ["column ", "add ", "table ", "exists ", "index ", " on ", "view ", "trigger "];
    name.iter()
        .any(|word| head.contains(&format!("{word}{HOLE}")) || head.contains(&format!("{word}\"{HOLE}")))
}

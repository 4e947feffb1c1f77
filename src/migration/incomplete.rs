//! What keeps a schema from being all there is: texts with computed names beside its declarations, and templates.

use super::{
    Declaration, Step,
    outside::has_placeholder,
    rewrites,
    tables::{Computed, computed},
};
use crate::{
    extract::{
        Call, Extraction, Literal, Marker, Role, has_words,
        sql::{contains_word, is_read, makes_schema, skip_leading},
        text::{HOLE, Text},
    },
    source::{SourceId, Sources},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Marks the databases beside whose declarations stand others with computed names.
pub(super) fn mark(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    let folder = |source: SourceId| rewrites::folder(sources, source);
    let making: Vec<&Literal> = computing(extraction).collect();
    let folders: HashSet<&str> = making.iter().map(|literal| folder(literal.site.source)).collect();
    let callers = callers(extraction, &making);
    let mut made: BTreeMap<&str, Vec<Computed>> = BTreeMap::new();
    for literal in extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
        let folder = folder(literal.site.source);
        for text in &literal.variants {
            if !text.holes().is_empty() {
                made.entry(folder).or_default().extend(computed(text.as_str()));
            } else if keeps_definitions(text.as_str()) {
                made.entry(folder).or_default().extend(["index", "trigger"].map(any));
            } else if is_head_of_index(text.as_str()) {
                made.entry(folder).or_default().push(any("index"));
            }
        }
    }
    for one in declared {
        let own: BTreeSet<&str> = one.homes.iter().map(|&home| folder(home)).collect();
        let is_template = |step: &Step| {
            let text = step.text.as_str();
            text.contains("{#") || text.contains("{{") || (text.contains('%') && has_placeholder(text))
        };
        let has_template = one.steps.iter().chain(&one.create).any(is_template);
        one.is_complete = !has_template
            && !one.homes.iter().any(|home| callers.contains(home))
            && !own.iter().any(|folder| folders.contains(folder));
        one.computed = own.iter().filter_map(|folder| made.get(folder)).flatten().cloned().collect();
        if has_template {
            one.computed.extend(["index", "trigger", "view"].map(any));
        }
    }
}

/// One of a kind, on whatever table.
fn any(kind: &str) -> Computed {
    Computed { kind: kind.to_owned(), table: None }
}

/// Whether a text ends before it names the index that it makes: the rest is put behind it where that was not seen.
pub fn is_head_of_index(sql: &str) -> bool {
    const HEAD: [&str; 6] = ["create", "unique", "index", "if", "not", "exists"];
    let mut words = sql.split_ascii_whitespace();
    let is_in = |word: &str| HEAD.iter().any(|one| word.eq_ignore_ascii_case(one));
    sql.len() < 40 && contains_word(sql, "index") && words.all(is_in)
}

/// Whether a text reads how the indexes or triggers of a table were made, as who makes them again does after the table:
/// <https://www.sqlite.org/lang_altertable.html>.
fn keeps_definitions(sql: &str) -> bool {
    let is_catalogue = || ["sqlite_master", "sqlite_schema"].iter().any(|name| contains_word(sql, name));
    let is_of_table =
        || contains_word(sql, "tbl_name") || sql.contains("'index'") || sql.contains("'trigger'");
    is_read(sql) && is_catalogue() && contains_word(sql, "sql") && is_of_table()
}

/// The folders whose code makes what only the running program can name.
pub fn computed_folders<'a>(sources: &'a Sources, extraction: &Extraction) -> HashSet<&'a str> {
    computing(extraction).map(|literal| rewrites::folder(sources, literal.site.source)).collect()
}

/// The files that make tables which only the running program can name.
pub fn table_makers(extraction: &Extraction) -> HashSet<SourceId> {
    let makes = |text: &Text| ["create", "table"].iter().all(|word| contains_word(text.as_str(), word));
    let making = computing(extraction).filter(|literal| literal.variants.iter().any(makes));
    making.map(|literal| literal.site.source).collect()
}

/// The files that call functions which make such: the only one that a call can mean, or one whose name has two words.
fn callers(extraction: &Extraction, making: &[&Literal]) -> HashSet<SourceId> {
    let making: BTreeSet<u32> = making.iter().filter_map(|literal| literal.function).collect();
    let functions = making.iter().filter_map(|&one| extraction.functions.get(one as usize));
    let names: BTreeSet<&str> =
        functions.map(|one| one.name.as_str()).filter(|name| has_words(name)).collect();
    let is_one = |call: &&Call| match call.callee {
        Some(callee) => making.contains(&callee),
        None => names.contains(call.callee_name.as_str()),
    };
    extraction.calls.iter().filter(is_one).map(|call| call.site.source).collect()
}

/// The texts that make what only the running program can name.
fn computing(extraction: &Extraction) -> impl Iterator<Item = &Literal> {
    let literals = extraction.literals.iter().filter(|literal| literal.role != Role::Test);
    literals.filter(|literal| {
        literal.variants.iter().any(|text| {
            let sql = text.as_str();
            let is_own = !text.holes().is_empty() && names_a_hole(sql) && !only_drops_beside(sql);
            // A table of its own changes none that is known.
            is_own || marked(extraction, literal, text).is_some_and(|sql| changes_a_hole(&sql))
        })
    })
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

/// Whether a text takes an index, a trigger or a view away, and makes nothing.
fn only_drops_beside(sql: &str) -> bool {
    let lower = skip_leading(sql).to_ascii_lowercase();
    let is_one = |kind: &&str| lower.starts_with(&format!("drop {kind}"));
    ["index", "trigger", "view"].iter().any(is_one) && !contains_word(&lower, "create")
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

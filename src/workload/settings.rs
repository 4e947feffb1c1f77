//! Builds the databases of a program, each with connections like the program's own: as configured, else as its
//! sources show.

use super::{Database, likeliest};
use crate::{
    config::Config,
    extract::{self, Extraction, Literal, Role},
    migration::{Declaration, Origin, Step, mentions},
    schema::{
        RefusalKind, SchemaError, Settings, losses, upgrade,
        variant::{self, Variant},
    },
    source::Sources,
};
use memchr::memmem;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The most schemas that SQLite lets a connection attach, less one for comfort.
const MAX_ATTACHED: usize = 9;

/// Builds every database that is declared.
///
/// # Errors
/// Where a setting is refused, or SQLite has no memory left.
pub fn build(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
    declarations: Vec<Declaration>,
) -> Result<Vec<Database>, SchemaError> {
    let foreign_keys = sets_foreign_keys(sources, extraction);
    let attached = attached_names(extraction);
    let without_keys = without_keys(extraction, &declarations).filter(|_| foreign_keys);
    let mut databases = declarations
        .into_par_iter()
        .with_max_len(1)
        .map(|mut declaration| {
            let mut settings = settings(config, &declaration, foreign_keys, &attached);
            let is_told = settings.migrating_keys.is_some();
            if without_keys.is_some() && !is_told {
                settings.migrating_keys = Some(false);
            }
            if let Some(literal) =
                without_keys.filter(|_| !is_told).and_then(|literal| extraction.literals.get(literal))
            {
                let said = format!(
                    "migrations of `{}` run with foreign keys off, as this sets them",
                    declaration.name
                );
                declaration.guesses.push((literal.site, said));
            }
            let statements = declaration
                .config
                .and_then(|index| config.databases.get(index))
                .and_then(|one| one.statements.clone());
            let mut variant = variant::build(&declaration, &settings, &likeliest)?;
            if declaration.origin == Origin::Guessed && !declaration.create.is_empty() {
                variant = with_create(sources, extraction, &mut declaration, variant)?;
            }
            let is_snapshot = upgrade::is_snapshot(&declaration, &variant);
            let losses = if is_snapshot {
                losses::find_beside_snapshot(&declaration, &variant, &settings, &likeliest)?
            } else {
                losses::find(&declaration, &mut variant)
            };
            if is_snapshot && let Some(fresh) = upgrade::fresh(&declaration, true, &settings, &likeliest)? {
                // What runs of its migrations on top of it is not what they made in their time.
                variant = upgrade::with_additions(&declaration, fresh, variant)?;
            }
            let in_memory = is_in_memory(sources, extraction, &declaration);
            Ok(Database { declaration, settings, statements, in_memory, is_snapshot, variant, losses })
        })
        .collect::<Result<Vec<Database>, SchemaError>>()?;
    attach(config, extraction, &mut databases)?;
    Ok(databases)
}

/// Settles what a file beside a series of migrations is that creates tables as well, where nobody says: what the series
/// starts from or, where the series stands alone and the code names the file, what a new database runs instead.
fn with_create(
    sources: &Sources,
    extraction: &Extraction,
    declaration: &mut Declaration,
    variant: Variant,
) -> Result<Variant, SchemaError> {
    let lacks = |outcome: &variant::Outcome| {
        let refusal = outcome.applied.outcome.as_ref().err();
        refusal.is_some_and(|refusal| matches!(refusal.kind, RefusalKind::NoSuchTable(_)))
    };
    if variant.outcomes.iter().any(lacks) {
        let settings = variant.live.settings().clone();
        declaration.steps.splice(0..0, std::mem::take(&mut declaration.create));
        return variant::build(declaration, &settings, &likeliest);
    }
    let is_named = |step: &Step| {
        let path = extraction.literals.get(step.literal).map_or("", |one| sources.path(one.site.source));
        let name = path.rsplit('/').next().unwrap_or(path);
        let code = sources.as_slice().par_iter().filter(|source| !extract::is_sql(&source.path));
        !name.is_empty()
            && code
                .into_par_iter()
                .any(|source| memmem::find(source.text.as_bytes(), name.as_bytes()).is_some())
    };
    declaration.create.retain(is_named);
    Ok(variant)
}

/// Whether the functions that declare a database open it in memory, each of them: by a call that is given `:memory:`, and
/// not by a default that another value can take the place of.
fn is_in_memory(sources: &Sources, extraction: &Extraction, declaration: &Declaration) -> bool {
    let function = |literal: usize| extraction.literals.get(literal)?.function;
    let functions: BTreeSet<Option<u32>> =
        declaration.steps.iter().map(|step| function(step.literal)).collect();
    let opens = |function: &Option<u32>| {
        let site = extraction.functions.get((*function)? as usize)?.site;
        let text = sources.get(site.source)?.slice(site.start, site.end);
        let mut given = text.match_indices(":memory:").map(|(at, _)| text.get(..at).unwrap_or(""));
        Some(given.any(|before| before.trim_end_matches(['"', '\'', '`', 'b', 'r']).ends_with('(')))
    };
    !functions.is_empty() && functions.iter().all(|function| opens(function) == Some(true))
}

/// The names under which the program attaches databases, in lower case and in order.
fn attached_names(extraction: &Extraction) -> Vec<String> {
    let mut names = BTreeSet::new();
    for literal in extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
        for text in &literal.variants {
            let words: Vec<String> = text.as_str().split_whitespace().map(str::to_lowercase).collect();
            if words.first().is_some_and(|word| word == "attach")
                && let Some(name) =
                    words.iter().position(|word| word == "as").and_then(|at| words.get(at + 1))
            {
                names.insert(name.trim_matches(|character: char| "\"'`;[]".contains(character)).to_owned());
            }
        }
    }
    names.retain(|name| {
        name.chars().all(|character| character.is_alphanumeric() || character == '_') && !name.is_empty()
    });
    names.into_iter().filter(|name| !matches!(name.as_str(), "main" | "temp")).take(MAX_ATTACHED).collect()
}

/// Gives every database copies of those that its program attaches.
fn attach(config: &Config, extraction: &Extraction, databases: &mut [Database]) -> Result<(), SchemaError> {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for text in extraction
        .literals
        .iter()
        .filter(|literal| literal.role != Role::Test)
        .flat_map(|literal| &literal.variants)
    {
        for (schema, table) in mentions(text.as_str()).attached {
            used.entry(schema).or_default().insert(table);
        }
    }
    for index in 0..databases.len() {
        let Some(names) = databases.get(index).map(|database| database.settings.attached.clone()) else {
            continue;
        };
        for name in names {
            let Some(target) = target(config, databases, index, &name, used.get(&name)) else { continue };
            let Some(copy) = databases.get_mut(target).map(|database| database.variant.live.copy()) else {
                continue;
            };
            if let Some(database) = databases.get_mut(index) {
                database.variant.live.apply_schema(&name, &mut copy?)?;
            }
        }
    }
    Ok(())
}

/// The database that a name of an attached schema means: the configured one, else the one with most of the tables that
/// statements look for in it.
fn target(
    config: &Config,
    databases: &[Database],
    of: usize,
    name: &str,
    used: Option<&BTreeSet<String>>,
) -> Option<usize> {
    let configured = databases
        .get(of)
        .and_then(|database| database.declaration.config)
        .and_then(|index| config.databases.get(index));
    if let Some(wanted) =
        configured.and_then(|one| one.attached.iter().find(|(schema, _)| schema.eq_ignore_ascii_case(name)))
    {
        return databases.iter().position(|database| database.declaration.name == *wanted.1);
    }
    let has = |database: &Database| {
        let tables = database.variant.objects.tables.iter();
        tables.filter(|table| used.is_some_and(|used| used.contains(&table.name.to_lowercase()))).count()
    };
    let best = databases
        .iter()
        .enumerate()
        .map(|(index, database)| (has(database), std::cmp::Reverse(index)))
        .max()?;
    (best.0 > 0).then_some(best.1.0)
}

fn settings(config: &Config, declaration: &Declaration, foreign_keys: bool, attached: &[String]) -> Settings {
    let mut settings = Settings { foreign_keys, attached: attached.to_vec(), ..Settings::default() };
    if let Some(configured) = declaration.config.and_then(|index| config.databases.get(index)) {
        settings.functions.clone_from(&configured.functions);
        settings.collations.clone_from(&configured.collations);
        settings.modules.clone_from(&configured.modules);
        if !configured.attached.is_empty() {
            settings.attached = configured.attached.keys().cloned().collect();
        }
        settings.pragmas = configured.pragmas.clone();
        settings.pragmas.extend(configured.migration_pragmas.clone());
        settings.pragmas.remove("foreign_keys");
        if let Some(value) = configured.pragmas.get("foreign_keys") {
            settings.foreign_keys = is_on(value);
        }
        let migrating = configured.migration_pragmas.get("foreign_keys");
        settings.migrating_keys = migrating.map(|value| is_on(value));
    }
    settings
}

/// Whether the program turns foreign keys on, by a PRAGMA in its SQL or in what it connects with.
fn sets_foreign_keys(sources: &Sources, extraction: &Extraction) -> bool {
    let sets = |literal: &Literal| {
        // What turns them off and on again gives back what was there.
        let text = || literal.variants.iter().filter(|text| !sets_keys(text.as_str(), false));
        text().any(|text| sets_keys(text.as_str(), true)) && !is_for_tests(sources, literal)
    };
    let by_pragma = extraction.literals.iter().filter(|literal| literal.role != Role::Test).any(sets);
    by_pragma || sources.as_slice().par_iter().any(|source| connects_with_keys(&source.text))
}

/// Where the program turns foreign keys off for its migrations, and not within one of them: a literal.
fn without_keys(extraction: &Extraction, declarations: &[Declaration]) -> Option<usize> {
    let steps: BTreeSet<usize> = declarations
        .iter()
        .flat_map(|one| one.steps.iter().chain(&one.create))
        .map(|step| step.literal)
        .collect();
    let is_one = |literal: &Literal| {
        matches!(literal.role, Role::Production | Role::StartUp | Role::Migration)
            && literal
                .variants
                .iter()
                .any(|text| sets_keys(text.as_str(), false) && !mentions(text.as_str()).has_ddl)
    };
    let mut all = extraction.literals.iter().enumerate().filter(|(index, _)| !steps.contains(index));
    all.find(|(_, literal)| is_one(literal)).map(|(index, _)| index)
}

/// Whether a literal stands behind a question that names tests.
fn is_for_tests(sources: &Sources, literal: &Literal) -> bool {
    is_behind_test(
        sources.get(literal.site.source).and_then(|source| source.text.get(..literal.site.start as usize)),
    )
}

fn is_behind_test(before: Option<&str>) -> bool {
    let asks = |line: &str| line.trim_start().trim_start_matches("} else ").starts_with("if");
    let mut lines = before.unwrap_or("").lines().rev().take(10);
    lines.find(|line| asks(line)).is_some_and(|line| line.to_ascii_lowercase().contains("test"))
}

/// `_foreign_keys=on`, `_fk=true`, `_pragma=foreign_keys(1)`, `foreign_keys(true)`.
fn connects_with_keys(text: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, b"foreign_keys").any(|at| {
        let before = text.get(at.saturating_sub(10)..at).unwrap_or("");
        let option = before.ends_with(['_', '=', '.', '&', '?', '"']);
        let sets = option && sets_keys(text.get(at..(at + 24).min(text.len())).unwrap_or(""), true);
        sets && !is_behind_test(text.get(..at))
    }) || memmem::find(bytes, b"_fk=true").is_some()
        || memmem::find(bytes, b"_fk=1").is_some()
}

/// Whether a text sets foreign keys on, or off.
fn sets_keys(text: &str, on: bool) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("foreign_keys").any(|(at, name)| {
        let rest = lower.get(at + name.len()..).unwrap_or("");
        let value = rest
            .trim_start_matches(|character: char| character.is_whitespace() || "=('\"".contains(character));
        let word = value.split(|character: char| !character.is_alphanumeric()).next().unwrap_or("");
        let is_set = if on { is_on(word) } else { matches!(word, "0" | "off" | "false" | "no") };
        value.len() < rest.len() && is_set
    })
}

fn is_on(value: &str) -> bool {
    matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "on" | "true" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_keys_are_seen_where_a_program_sets_them() {
        assert!(sets_keys("PRAGMA foreign_keys = ON;", true));
        assert!(sets_keys("PRAGMA foreign_keys(1)", true));
        assert!(!sets_keys("PRAGMA foreign_keys = OFF", true));
        assert!(sets_keys("PRAGMA foreign_keys = OFF", false));
        assert!(!sets_keys("PRAGMA foreign_keys", true));
        assert!(is_behind_test(Some("if env(\"IS_TEST\") {\n  // Only there.\n  pragmas = append(")));
        assert!(!is_behind_test(Some("if env(\"IS_TEST\") {\n}\nif enforce {\n  pragmas = append(")));
        assert!(connects_with_keys("sql.Open(\"sqlite\", \"file:x?_foreign_keys=on\")"));
        assert!(connects_with_keys("options.foreign_keys(true)"));
    }
}

//! Builds the databases of a program, each with connections like the program's own: as configured, else as its
//! sources show.

use super::{Database, foreign_keys::Keys, likeliest, pragmas::Pragmas};
use crate::{
    config::Config,
    extract::{self, Extraction, Role, text::HOLE},
    migration::{Declaration, Origin, Runs, Step, has_plain_indexes, mentions, schemas_made_in},
    schema::{
        RefusalKind, SchemaError, Settings, Table, losses, same, upgrade,
        variant::{self, Variant},
    },
    source::{Site, Sources, Words},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The most schemas that SQLite lets a connection attach, less one for comfort.
const MAX_ATTACHED: usize = 9;

/// Makes the schema of a declaration, which has this place among all, with these settings.
pub type Make<'a> = dyn Fn(usize, &Declaration, &Settings) -> Result<Variant, SchemaError> + Sync + 'a;

/// Builds every database that is declared.
///
/// # Errors
/// Where a setting is refused, or SQLite has no memory left.
pub fn build(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
    declarations: Vec<Declaration>,
    make: &Make<'_>,
) -> Result<Vec<Database>, SchemaError> {
    let keys = Keys::find(sources, extraction, &declarations);
    let pragmas = Pragmas::find(sources, extraction, &declarations);
    let mut attached = attached_names(extraction);
    // What the configuration says of a name is all there is to say of it.
    attached.retain(|name, _| {
        let mut told = config.databases.iter().flat_map(|database| database.attached.keys());
        !told.any(|own| own.eq_ignore_ascii_case(name))
    });
    let names: Vec<String> = attached.keys().take(MAX_ATTACHED).cloned().collect();
    let mut databases = declarations
        .into_par_iter()
        .enumerate()
        .with_max_len(1)
        .map(|(index, mut declaration)| {
            let mut settings = settings(config, &declaration, &names);
            declaration.guesses.extend(pragmas.settle(&declaration, &mut settings));
            declaration.guesses.extend(keys.settle(config, &declaration, &mut settings));
            let statements = declaration
                .config
                .and_then(|index| config.databases.get(index))
                .and_then(|one| one.statements.clone());
            let mut variant = make(index, &declaration, &settings)?;
            if declaration.origin == Origin::Guessed && !declaration.create.is_empty() {
                variant = with_create(sources, extraction, &mut declaration, variant)?;
            }
            let is_snapshot = upgrade::is_snapshot(&declaration, &variant);
            upgrade::settle_base(&mut declaration, &variant);
            let losses = if is_snapshot {
                losses::find_beside_snapshot(&declaration, &mut variant, &settings, &likeliest)?
            } else {
                losses::find(&declaration, &mut variant)
            };
            if is_snapshot && let Some(fresh) = upgrade::fresh(&declaration, true, &settings, &likeliest)? {
                // What runs of its migrations on top of it is not what they made in their time.
                variant = upgrade::with_additions(&declaration, fresh, variant)?;
            }
            let in_memory = is_in_memory(sources, extraction, &declaration);
            let plain_indexes = has_plain_indexes(sources, extraction, &declaration);
            let attached = Vec::new();
            Ok(Database {
                declaration,
                settings,
                attached,
                statements,
                plain_indexes,
                in_memory,
                is_snapshot,
                variant,
                losses,
                statistics: None,
            })
        })
        .collect::<Result<Vec<Database>, SchemaError>>()?;
    attach(config, extraction, &attached, &mut databases)?;
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
        let made = std::mem::take(&mut declaration.create);
        let reruns: Vec<Step> = made.iter().filter(|step| step.runs == Runs::Open).cloned().collect();
        declaration.steps.splice(0..0, made);
        let mut variant = variant::build(declaration, &settings, &likeliest)?;
        // What runs at every open makes what a migration took away.
        for step in &reruns {
            variant.live.apply(likeliest(&step.text).as_str());
        }
        if !reruns.is_empty() {
            variant.objects = variant.live.objects()?;
        }
        return Ok(variant);
    }
    let is_named = |step: &Step| {
        let path = extraction.literals.get(step.literal).map_or("", |one| sources.path(one.site.source));
        let name = path.rsplit('/').next().unwrap_or(path);
        let code = sources.as_slice().par_iter().filter(|source| !extract::is_sql(&source.path));
        let names = [name];
        let words = Words::new(&names);
        // One that says which version it makes is run by what runs the series.
        step.records.is_some()
            || !name.is_empty() && code.into_par_iter().any(|source| source.has_any(&words))
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

/// The names under which the program attaches databases, in lower case and in order, each with the first place that does. Where that
/// computes the name, the schemas are meant in which the program makes tables.
fn attached_names(extraction: &Extraction) -> BTreeMap<String, Site> {
    let mut names = BTreeMap::new();
    let mut computed = None;
    let is_name = |name: &str| {
        let is_word = name.chars().all(|character| character.is_alphanumeric() || character == '_');
        is_word && !name.is_empty() && !matches!(name, "main" | "temp")
    };
    for literal in extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
        for text in &literal.variants {
            let words: Vec<String> = text.as_str().split_whitespace().map(str::to_lowercase).collect();
            // "Attach it as a file" is no SQL, unless something runs it.
            let is_sql = text.as_str().trim_start().starts_with("ATTACH") || literal.sink.is_some();
            if is_sql
                && words.first().is_some_and(|word| word == "attach")
                && let Some(name) =
                    words.iter().position(|word| word == "as").and_then(|at| words.get(at + 1))
            {
                let name = name.trim_matches(|character: char| "\"'`;[]".contains(character));
                if is_name(name) {
                    names.entry(name.to_owned()).or_insert(literal.site);
                } else if name.contains(HOLE) {
                    computed = computed.or(Some(literal.site));
                }
            }
        }
    }
    if let Some(site) = computed {
        let literals = extraction.literals.iter().filter(|literal| literal.role != Role::Test);
        let made = literals.flat_map(|one| &one.variants).flat_map(|text| schemas_made_in(text.as_str()));
        for name in made.filter(|name| is_name(name)) {
            names.entry(name).or_insert(site);
        }
    }
    names
}

/// Gives every database copies of those that its program attaches, and says which these are taken to be.
fn attach(
    config: &Config,
    extraction: &Extraction,
    places: &BTreeMap<String, Site>,
    databases: &mut [Database],
) -> Result<(), SchemaError> {
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
    let mut said: BTreeSet<(String, usize)> = BTreeSet::new();
    for index in 0..databases.len() {
        let Some(names) = databases.get(index).map(|database| database.settings.attached.clone()) else {
            continue;
        };
        for name in names {
            let found = target(config, databases, index, &name, used.get(&name));
            let copied = found.filter(|(target, source)| *target != index || *source != name);
            let copy = copied.and_then(|(target, _)| databases.get_mut(target));
            let copy = copy.map(|other| (other.variant.live.copy(), other.declaration.name.clone()));
            let Some(database) = databases.get_mut(index) else { continue };
            database.attached.push((name.clone(), found.map(|(target, _)| target)));
            let (Some((target, source)), Some((copy, other))) = (found, copy) else { continue };
            database.variant.live.apply_schema(&name, (&mut copy?, source))?;
            if let Some(site) = places.get(&name).filter(|_| said.insert((name.clone(), target))) {
                let sentence = format!(
                    "schema `{name}`, attached here, is taken for database `{other}`, which has its tables"
                );
                database.declaration.guesses.push((*site, sentence));
            }
        }
    }
    Ok(())
}

/// The database that a name of an attached schema means: the configured one, else the one with most of the tables that
/// statements look for in it; and the schema of that which it is. A database that makes tables under that name itself means
/// these.
fn target<'n>(
    config: &Config,
    databases: &[Database],
    of: usize,
    name: &'n str,
    used: Option<&BTreeSet<String>>,
) -> Option<(usize, &'n str)> {
    let configured = databases
        .get(of)
        .and_then(|database| database.declaration.config)
        .and_then(|index| config.databases.get(index));
    if let Some(wanted) =
        configured.and_then(|one| one.attached.iter().find(|(schema, _)| schema.eq_ignore_ascii_case(name)))
    {
        let named = databases.iter().position(|database| database.declaration.name == *wanted.1);
        return named.map(|target| (target, "main"));
    }
    let is_used = |table: &&Table| used.is_some_and(|used| used.contains(&table.name.to_lowercase()));
    let own = databases.get(of).into_iter().flat_map(|database| &database.variant.objects.tables);
    let made = own.filter(|table| same(&table.schema, name)).filter(is_used).count();
    let has = |database: &Database, schema: &str| {
        // What makes it beside tables of its own attaches it itself, and is not attached for it.
        if schema != "main" && makes(Some(database), "main") {
            return 0;
        }
        let tables = database.variant.objects.tables.iter().filter(|table| same(&table.schema, schema));
        tables.filter(is_used).count()
    };
    let all = databases.iter().enumerate();
    let counted = all.flat_map(|(index, database)| {
        let of = |schema| (has(database, schema), std::cmp::Reverse(index), schema);
        ["main", name].map(of)
    });
    let (count, std::cmp::Reverse(index), schema) = counted.max()?;
    // What it makes there itself is that, unless another has more of what is looked for.
    if makes(databases.get(of), name) && count <= made {
        return Some((of, name));
    }
    (count > 0).then_some((index, schema))
}

/// Whether the steps of a database make tables in a schema that it attaches under this name.
fn makes(database: Option<&Database>, name: &str) -> bool {
    let mut tables = database.into_iter().flat_map(|database| &database.variant.objects.tables);
    tables.any(|table| same(&table.schema, name))
}

fn settings(config: &Config, declaration: &Declaration, attached: &[String]) -> Settings {
    let beforehand = declaration.beforehand.clone();
    let mut settings = Settings { attached: attached.to_vec(), beforehand, ..Settings::default() };
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
    }
    settings
}

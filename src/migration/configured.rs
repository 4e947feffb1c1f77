//! The databases that the configuration names, with the declarations that it points at.

use super::{
    Declaration, Origin, Runs, Step, directions, documents, files, habits, manifests, natural, version,
};
use crate::{
    config::{Config, DatabaseConfig, SchemaSource, SourceKind},
    extract::{Element, Extraction, Role, sql::is_read},
    source::{Source, SourceId, Sources, Tree, folder_of},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A declaration that the configuration names and the tree does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Missing {
    /// What is missing.
    pub message: String,
    /// Where the configuration names it, in bytes.
    pub span: Range<usize>,
    /// What to do.
    pub help: Option<String>,
}

/// Reads the migration files that a walk does not see, since .gitignore hides them, what stands beside others of how they
/// are run, and the manifests that say something of SQLite.
pub fn extra_files(config: &Config, tree: &Tree, sources: &mut Sources) {
    let mut settings: Vec<String> = habits::settings(sources).map(str::to_owned).collect();
    settings.extend(documents::wanted(&sources.others));
    for path in settings {
        let text =
            tree.read(&path, config.max_file_bytes).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text.filter(|text| manifests::tells(&path, text)) {
            sources.add(Source::new(path, text));
        }
    }
    let patterns = config.databases.iter().flat_map(all_sources);
    let globs = patterns.filter_map(|source| match &source.kind {
        SourceKind::Files(globs) => Some((fixed_folder(&source.pattern), globs)),
        SourceKind::Name { .. } => None,
    });
    let globs: Vec<_> = globs.collect();
    let folders: BTreeSet<&str> = globs.iter().map(|(folder, _)| *folder).collect();
    for folder in folders {
        for path in tree.list(folder) {
            let is_wanted = globs.iter().any(|(_, globs)| globs.matches(&path));
            if is_wanted && sources.find(&path).is_none() {
                sources.read_more(tree, path, config.max_file_bytes);
            }
        }
    }
}

/// Whether the configuration names this file as a part of a schema.
pub fn is_declared(config: &Config, path: &str) -> bool {
    config.databases.iter().flat_map(all_sources).any(|source| match &source.kind {
        SourceKind::Files(globs) => globs.matches(path),
        SourceKind::Name { path: file, .. } => file == path,
    })
}

pub(super) fn all_sources(database: &DatabaseConfig) -> impl Iterator<Item = &SchemaSource> {
    database.migrations.iter().chain(&database.create).chain(&database.open)
}

/// The part of a pattern in front of its first wildcard, up to a slash.
fn fixed_folder(pattern: &str) -> &str {
    let head = pattern.find(['*', '?', '[', '{']).and_then(|at| pattern.get(..at)).unwrap_or(pattern);
    folder_of(head)
}

/// The databases that the configuration names.
pub(super) fn configured(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
) -> Result<Vec<Declaration>, Missing> {
    config
        .databases
        .iter()
        .enumerate()
        .filter(|(_, database)| all_sources(database).next().is_some())
        .map(|(index, database)| declaration(index, database, sources, extraction, false))
        .collect()
}

/// Gives the databases that the configuration only names, without saying what makes their schemas, what it says of
/// them: they are among those that were guessed.
pub(super) fn name_guessed(config: &Config, guessed: &mut [Declaration]) -> Result<(), Missing> {
    for (index, database) in config.databases.iter().enumerate() {
        if all_sources(database).next().is_some() {
            continue;
        }
        let Some(one) = guessed.iter_mut().find(|one| one.name == database.name) else {
            let names: Vec<String> = guessed.iter().map(|one| format!("`{}`", one.name)).collect();
            let found = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(Missing {
                message: format!("nothing in the tree declares a database `{}`", database.name),
                span: database.span.clone(),
                help: Some(format!(
                    "say what makes its schema, in `migrations`, `create` or `open`; found without that: {found}"
                )),
            });
        };
        one.config = Some(index);
    }
    Ok(())
}

/// Whether the configuration says what makes the schema of a database.
pub(super) fn is_described(database: &DatabaseConfig) -> bool {
    all_sources(database).next().is_some()
}

/// Whether the configuration names a database and does not say what makes its schema.
pub(super) fn only_names(config: &Config) -> bool {
    config.databases.iter().any(|database| all_sources(database).next().is_none())
}

/// The database that this part of the configuration describes. Of a release, `then`, declarations may be missing.
pub(super) fn declaration(
    index: usize,
    database: &DatabaseConfig,
    sources: &Sources,
    extraction: &Extraction,
    then: bool,
) -> Result<Declaration, Missing> {
    let read = |written: &[SchemaSource], runs| -> Result<Vec<Step>, Missing> {
        let mut steps = Vec::new();
        for source in written {
            let found = match &source.kind {
                SourceKind::Files(globs) => file_steps(globs, sources, extraction),
                SourceKind::Name { path, name } => named_steps(path, name, sources, extraction, 0),
            };
            if found.is_empty() && !then {
                let message = format!("`{}` names no migration of the tree", source.pattern);
                return Err(Missing { message, span: source.span.clone(), help: None });
            }
            steps.extend(found.into_iter().map(|step| Step { runs, ..step }));
        }
        Ok(steps)
    };
    let migrations = read(&database.migrations, Runs::Migration)?;
    let mut create = read(&database.create, Runs::Create)?;
    let open = read(&database.open, Runs::Open)?;
    // Where there are migrations they are the schema; `create` is a shorter way to the same.
    let mut steps = if migrations.is_empty() { std::mem::take(&mut create) } else { migrations };
    if !create.is_empty() {
        create.extend(open.iter().cloned());
    }
    steps.extend(open);
    let mut homes: Vec<SourceId> = steps
        .iter()
        .chain(&create)
        .filter_map(|step: &Step| extraction.literals.get(step.literal))
        .map(|literal| literal.site.source)
        .collect();
    homes.sort_unstable();
    homes.dedup();
    let places = all_sources(database).map(|source| source.pattern.clone()).collect();
    let one = Declaration::of(database.name.clone(), places, homes, steps);
    Ok(Declaration { origin: Origin::Configured, create, config: Some(index), ..one })
}

fn file_steps(globs: &crate::config::Globs, sources: &Sources, extraction: &Extraction) -> Vec<Step> {
    let literals = extraction.literals.iter().enumerate().filter(|(_, literal)| literal.language.is_sql);
    let mut steps: Vec<Step> = literals
        .filter(|(_, literal)| {
            let path = sources.path(literal.site.source);
            globs.matches(path) && !files::leads_back(path)
        })
        .filter_map(|(index, literal)| {
            Some(files::step(index, sources.path(literal.site.source), literal.variants.first()?, true))
        })
        .collect();
    directions::drop_undoing(&mut steps, |step| &step.name);
    steps.sort_by(|a, b| files::compare(&a.name, &b.name));
    steps
}

/// The texts of constants or functions of a file, by name.
fn named_steps(path: &str, name: &str, sources: &Sources, extraction: &Extraction, depth: u32) -> Vec<Step> {
    let Some((source, _)) = sources.find(path) else { return Vec::new() };
    let mut constants: Vec<_> = extraction
        .constants
        .iter()
        .filter(|constant| constant.site.source == source && matches_name(name, &constant.name))
        .collect();
    in_order(&mut constants, |one| (&one.name, one.site.start));
    let mut steps = Vec::new();
    for constant in constants {
        steps.extend(constant_steps(&constant.name, &constant.elements, source, extraction, depth));
    }
    if !steps.is_empty() {
        return steps;
    }
    let functions = (0_u32..).zip(&extraction.functions);
    let own = functions.filter(|(_, one)| one.site.source == source && matches_name(name, &one.name));
    let mut own: Vec<_> = own.collect();
    in_order(&mut own, |(_, one)| (&one.name, one.site.start));
    let texts = own.into_iter().flat_map(|(number, one)| {
        let mut texts = extraction.literals_of(number).to_vec();
        texts.sort_unstable();
        texts.into_iter().map(|text| (text, one.name.as_str()))
    });
    texts
        .filter(|&(index, _)| is_run(index, extraction))
        .filter_map(|(index, name)| step(index, name, extraction))
        .collect()
}

/// Sorts what is run by a pattern: numbers are versions; without one in each name, the file has the order.
fn in_order<T>(all: &mut [T], place: impl Fn(&T) -> (&String, u32)) {
    if all.iter().all(|one| place(one).0.contains(|one: char| one.is_ascii_digit())) {
        all.sort_by(|one, next| natural(place(one).0, place(next).0));
    } else {
        all.sort_by_key(|one| place(one).1);
    }
}

/// Whether a text of a function may make something.
fn is_run(index: usize, extraction: &Extraction) -> bool {
    let literal = extraction.literals.get(index);
    literal.is_some_and(|literal| {
        literal.role != Role::Test && !is_read(literal.variants.first().map_or("", |text| text.as_str()))
    })
}

/// The texts of a function that a list names.
fn turn_steps(function: u32, extraction: &Extraction) -> impl Iterator<Item = Step> + '_ {
    let name = extraction.functions.get(function as usize).map_or("", |one| one.name.as_str());
    let texts = extraction.literals_of(function).iter().filter(|&&index| is_run(index, extraction));
    texts.filter_map(move |&index| Some(Step { is_loose: true, ..step(index, name, extraction)? }))
}

/// The texts that a constant stands for, names in it followed.
pub(super) fn constant_steps(
    name: &str,
    elements: &[Element],
    source: SourceId,
    extraction: &Extraction,
    depth: u32,
) -> Vec<Step> {
    if depth > 6 {
        return Vec::new();
    }
    let constants = || extraction.constants.iter();
    let mut steps = Vec::new();
    let (mut lists, mut numbers): (u32, BTreeMap<usize, u64>) = (0, BTreeMap::new());
    for element in elements {
        let constant = match element {
            Element::Literal(index) => {
                steps.extend(step(*index, name, extraction));
                continue;
            }
            Element::Name(other) => {
                let near = constants().find(|one| one.site.source == source && one.name == *other);
                near.or_else(|| constants().find(|one| one.name == *other))
            }
            Element::Constant(place) => constants().find(|one| one.site == *place),
            Element::Function(turn) => {
                steps.extend(turn_steps(turn.function, extraction));
                continue;
            }
        };
        let Some(constant) = constant else { continue };
        lists += u32::from(constant.is_list);
        numbers.extend(&constant.numbers);
        steps.extend(constant_steps(name, &constant.elements, constant.site.source, extraction, depth + 1));
    }
    // Lists of the steps of each part of a program run together by the numbers of the steps.
    let number = |step: &Step| numbers.get(&step.literal).copied();
    let distinct: BTreeSet<u64> = steps.iter().filter_map(number).collect();
    if lists > 1 && distinct.len() == steps.len() {
        steps.sort_by_key(number);
    }
    steps
}

fn step(index: usize, name: &str, extraction: &Extraction) -> Option<Step> {
    let literal = extraction.literals.get(index)?;
    let text = literal.variants.first()?.clone();
    Some(Step::new(index, text, name, version(name)))
}

fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}

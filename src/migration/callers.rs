//! Which code runs the migrations of a database: what holds them, what names their folder or a tool, and what calls such code.
//! Told by words and names; a call through more functions than are known by their SQL is not followed.

use super::{Declaration, conventions::ALL, files, runners, running, runs};
use crate::{
    extract::{Extraction, is_sql, is_test_code},
    source::{Site, Source, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The code that runs the migrations of a database.
#[derive(Debug, Default)]
pub struct Callers {
    /// The files that it stands in.
    sources: BTreeSet<SourceId>,
    /// The functions that lead to it, by their numbers.
    functions: BTreeSet<u32>,
    /// The names of functions in these files that run migrations.
    names: BTreeSet<String>,
}

/// The code of a tree that calls a tool for migrations, whichever database that is for.
#[derive(Debug)]
pub struct ToolCalls {
    /// By file, the names of the functions that do.
    names: Vec<(SourceId, Vec<String>)>,
}

impl ToolCalls {
    /// Looks for them in all code but tests.
    pub fn find(sources: &Sources) -> Self {
        Self { names: in_code(sources, calling_names) }
    }
}

/// What is found in each file of code but tests.
fn in_code<T: Send>(sources: &Sources, find: impl Fn(&str, &str) -> Option<T> + Sync) -> Vec<(SourceId, T)> {
    let of = |(id, source): (SourceId, &Source)| {
        let is_code = runners::is_code(source) && !is_test_code(&source.path);
        let found = if is_code { source.peek(|text| find(&source.path, text)) } else { None };
        found.map(|found| (id, found))
    };
    sources.par_iter().filter_map(of).collect()
}

/// Finds the code that runs the migrations of a database.
pub fn callers(
    sources: &Sources,
    extraction: &Extraction,
    declaration: &Declaration,
    tools: &ToolCalls,
) -> Callers {
    let mut found = Callers::default();
    let steps = declaration.steps.iter().chain(&declaration.create);
    let files: BTreeSet<SourceId> = steps
        .filter_map(|step| extraction.literals.get(step.literal))
        .map(|literal| literal.site.source)
        .collect();
    let (of_sql, of_code): (Vec<SourceId>, Vec<SourceId>) =
        files.into_iter().partition(|file| is_sql(sources.path(*file)));
    found.functions = runs::functions(extraction, declaration);
    let site = |function: &u32| Some(extraction.functions.get(*function as usize)?.site.source);
    let of_functions: Vec<SourceId> = found.functions.iter().filter_map(site).collect();
    found.sources = of_code.into_iter().chain(of_functions).collect();
    let folders: BTreeSet<&str> = of_sql.iter().map(|file| files::series(sources.path(*file))).collect();
    let names: Vec<String> = of_sql.iter().filter_map(|file| runners::name(sources.path(*file))).collect();
    let runs = |path: &str, text: &str| running_names(path, text, &folders, &names);
    let running = if folders.is_empty() { Vec::new() } else { in_code(sources, runs) };
    for (source, names) in running.iter().chain(&tools.names) {
        found.sources.insert(*source);
        found.names.extend(names.iter().cloned());
    }
    found
}

/// The names of the functions of a file that run the files of these folders; `None` where none does.
fn running_names(path: &str, text: &str, folders: &BTreeSet<&str>, files: &[String]) -> Option<Vec<String>> {
    let parts = folders.iter().flat_map(|folder| running::running(path, text, folder, files));
    let parts: Vec<&str> = parts.map(|(_, part)| part).collect();
    (!parts.is_empty()).then(|| function_names(&parts))
}

/// The names of the functions of a file that call a tool; `None` where it names none.
fn calling_names(_: &str, text: &str) -> Option<Vec<String>> {
    let tool = ALL.iter().find(|tool| tool.named_in(text).is_some())?;
    let is_letter = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let last = |word: &&'static str| word.split(|one| !is_letter(one)).rfind(|part| !part.is_empty());
    let words: Vec<&str> = tool.words.iter().filter_map(last).collect();
    let calls = |part: &&str| words.iter().any(|word| part.contains(word));
    let parts: Vec<&str> = runners::functions(text).into_iter().map(|(_, part)| part).filter(calls).collect();
    Some(function_names(&parts))
}

fn function_names(parts: &[&str]) -> Vec<String> {
    parts.iter().filter_map(|part| running::function_name(part.lines().next()?)).map(str::to_owned).collect()
}

impl Callers {
    /// Whether a place, in this function, is where the migrations are run, or before they are called.
    pub fn has(
        &self,
        sources: &Sources,
        extraction: &Extraction,
        place: Site,
        function: Option<u32>,
    ) -> bool {
        let end = function.and_then(|one| extraction.functions.get(one as usize)).map(|one| one.site);
        self.stands_in(place.source)
            || function.is_some_and(|function| self.functions.contains(&function))
            || self.is_called_behind(sources, place, end)
    }

    /// Whether a file holds some of the code.
    pub fn stands_in(&self, source: SourceId) -> bool {
        self.sources.contains(&source)
    }

    fn is_called_behind(&self, sources: &Sources, place: Site, function: Option<Site>) -> bool {
        let Some(source) = sources.get(place.source) else { return false };
        let end = function.filter(|function| function.source == place.source).map(|function| function.end);
        let part = || {
            let mut parts = runners::functions(source.text()).into_iter();
            let own = parts.find(|(start, part)| start + part.len() > place.start as usize);
            own.map_or(place.end, |(start, part)| (start + part.len()) as u32)
        };
        let behind = source.slice(place.end, end.unwrap_or_else(part));
        self.names.iter().any(|name| {
            runners::mentions(behind, name)
                .any(|at| behind.get(at + name.len()..).is_some_and(|rest| rest.starts_with('(')))
        })
    }
}

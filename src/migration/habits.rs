//! Whether the runner of a program's migrations puts a transaction around a step: as configured, as the step asks for it,
//! as the tool does that runs it, else as the code around. Knows names and words; whether a step may run so is for SQLite to say.

use super::{
    Declaration, Origin, Runs, Step, common_parts,
    convention::{self, CODE, Convention, InCode},
    conventions::ALL,
    files, manifests, mentions, runners, running,
};
use crate::{
    config::{Config, Transaction},
    extract::{Extraction, is_sql, is_test_code, sql::contains_word},
    source::{Site, Source, SourceId, Sources, folder_of},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How the steps of a folder are run.
#[derive(Clone)]
struct Habit {
    tool: &'static Convention,
    wraps: bool,
    /// Where that is told; `None` where a file says it that is not read.
    site: Option<Site>,
    /// That file, for people.
    by: Option<String>,
}

/// Settles for each step of these databases whether a transaction is around it. What the code was found to do stands there
/// already.
pub(super) fn settle(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
    declared: &mut [Declaration],
) {
    let mut habits = Habits::new(sources);
    let counts = counts(declared);
    for one in declared {
        let said = one.config.and_then(|index| config.databases.get(index)?.transaction);
        let mut first: Option<(Habit, Site)> = None;
        for step in &mut one.steps {
            let Some(place) = extraction.literals.get(step.literal).map(|literal| literal.site) else {
                continue;
            };
            let habit = habits.of(step, place.source);
            step.wrapped = wrapped(step, said, habit.as_ref(), habits.is_outside(step, place.source));
            first = first.or_else(|| habit.map(|habit| (habit, place)));
        }
        for step in &mut one.create {
            step.wrapped = wrapped(step, said, None, false);
        }
        let tool = first.as_ref().map(|(habit, _)| habit.tool);
        one.beforehand = tool.map_or_else(Vec::new, |tool| beforehand(tool, extraction, one));
        one.beforehand.extend(counted(&counts, sources, one));
        if said.is_none() {
            let sentence = first.map(|(habit, place)| habit.sentence(one, place));
            one.guesses.extend(sentence.or_else(|| of_code(one)));
        }
    }
}

/// The tables that code makes at every open to keep count of what it ran, apart from all others, with the texts that do: what
/// runs the files of several databases has such a table in each.
fn counts(declared: &[Declaration]) -> Vec<(String, String)> {
    let table = |one: &Declaration| {
        let [step] = one.steps.as_slice() else { return None };
        let text = step.text.as_str().to_ascii_lowercase();
        let is_alone = one.origin == Origin::Guessed && one.create.is_empty() && step.runs == Runs::Open;
        let counts = COUNTS.iter().any(|word| text.contains(word));
        let mut made = mentions(step.text.as_str()).created.into_iter();
        let name =
            made.next().filter(|_| is_alone && counts && !is_sql(&step.home) && made.next().is_none())?;
        Some((name, step.text.as_str().to_owned()))
    };
    declared.iter().filter_map(table).collect()
}

/// What makes the tables of these that files work on and do not make.
fn counted(counts: &[(String, String)], sources: &Sources, one: &Declaration) -> Vec<String> {
    if counts.is_empty() || one.origin != Origin::Guessed || !one.is_files(sources) {
        return Vec::new();
    }
    let made = super::created(&one.steps);
    let used: BTreeSet<String> = one.steps.iter().flat_map(files::touched).collect();
    let lacks = |name: &String| used.contains(name) && !made.contains(name);
    counts.iter().filter(|(name, _)| lacks(name)).map(|(_, sql)| sql.clone()).collect()
}

/// What makes the tables of a tool that the program names and does not make itself.
fn beforehand(tool: &Convention, extraction: &Extraction, one: &Declaration) -> Vec<String> {
    let is_named = |name: &str| {
        let mut texts = extraction.literals.iter().flat_map(|literal| &literal.variants);
        texts.any(|text| text.as_str().contains(name) && contains_word(text.as_str(), name))
    };
    let is_made = |name: &str| {
        let mut steps = one.steps.iter().chain(&one.create);
        steps.any(|step| {
            mentions(step.text.as_str()).created.iter().any(|made| made.eq_ignore_ascii_case(name))
        })
    };
    let own = tool.own_tables.iter().filter(|(name, _)| is_named(name) && !is_made(name));
    own.map(|(_, sql)| (*sql).to_owned()).collect()
}

/// What code speaks of that keeps count of the files it ran.
const COUNTS: [&str; 4] = ["version", "applied", "schema_migrations", "executed"];

/// Whether code runs all files of a database at every open: each may run again, and what runs them keeps no count.
pub fn run_again(sources: &Sources, one: &Declaration) -> bool {
    let again = |step: &Step| {
        let found = mentions(step.text.as_str());
        is_sql(&step.home) && !found.creates_once && !found.changes_once
    };
    let Some(last) = one.steps.last().filter(|_| one.create.is_empty() && one.steps.iter().all(again)) else {
        return false;
    };
    let folder = files::series(&last.home);
    let names: Vec<String> = one.steps.iter().filter_map(|step| runners::name(&step.home)).collect();
    let runs =
        |source: &&Source| source.peek(|text| running::wrapped(&source.path, text, folder, &names).is_some());
    let near = sources.iter().map(|(_, source)| source).filter(|source| is_near(folder, source));
    let texts: Vec<String> = near.filter(runs).map(|source| source.text().to_lowercase()).collect();
    !texts.is_empty() && !texts.iter().any(|text| COUNTS.iter().any(|word| text.contains(word)))
}

/// Whether a transaction is around a step, by the strongest of what is known.
fn wrapped(step: &Step, said: Option<Transaction>, habit: Option<&Habit>, is_outside: bool) -> Option<bool> {
    let text = step.text.as_str();
    if said == Some(Transaction::None) || is_outside || convention::opts_out(text) {
        return Some(false);
    }
    // What creates a database or opens it is no step of the runner; only one around all is around these, too.
    if said == Some(Transaction::All) || (said.is_some() && step.runs == Runs::Migration) {
        return Some(true);
    }
    let is_for_itself = habit.is_some_and(|habit| (habit.tool.outside)(text));
    // Who begins one would fail within another.
    if convention::begins(text) || is_for_itself {
        return Some(false);
    }
    habit.map_or(step.wrapped, |habit| Some(habit.wraps))
}

/// What is said where no tool was found, and the code was: the place of the first step of which it tells.
fn of_code(one: &Declaration) -> Option<(Site, String)> {
    let (first, site) = one.steps.iter().find_map(|step| Some((step.wrapped?, step.wrapped_by?)))?;
    let mut all = one.steps.iter().filter_map(|step| step.wrapped_by.and(step.wrapped));
    let how = match (all.all(|other| other == first), first) {
        (false, _) => "the code runs some steps of {} in a transaction, and others without",
        (true, true) => "the code runs the steps of {} in a transaction",
        (true, false) => "the code runs the steps of {} without a transaction",
    };
    Some((site, how.replace("{}", &one.name)))
}

impl Habit {
    /// What is said of it, and where: `place` is that of the first step that is run so.
    fn sentence(&self, one: &Declaration, place: Site) -> (Site, String) {
        let by = self.by.as_ref().map_or_else(String::new, |by| format!(", by {by},"));
        let how = if self.wraps { "in a transaction" } else { "without a transaction" };
        let others = one.steps.iter().filter(|step| step.wrapped == Some(!self.wraps)).count();
        let but = if others > 0 { format!(", but for {others} of them") } else { String::new() };
        let sentence = format!("{}{by} runs the steps of {} {how}{but}", self.tool.name, one.name);
        (self.site.unwrap_or(place), sentence)
    }
}

/// Code that names a tool, and where it does.
type Caller = (SourceId, &'static Convention, usize);

/// What is known of folders and files, each asked once.
struct Habits<'a> {
    sources: &'a Sources,
    /// The files that are there.
    files: HashSet<&'a str>,
    /// Of folders of SQL.
    folders: BTreeMap<&'a str, Option<Habit>>,
    /// Of files of code.
    code: BTreeMap<SourceId, Option<Habit>>,
}

impl<'a> Habits<'a> {
    fn new(sources: &'a Sources) -> Self {
        let read = sources.iter().map(|(_, source)| source.path.as_str());
        let files = read.chain(sources.others.iter().map(String::as_str)).collect();
        Self { sources, files, folders: BTreeMap::new(), code: BTreeMap::new() }
    }

    /// How the tool runs a step that it belongs to.
    fn of(&mut self, step: &Step, file: SourceId) -> Option<Habit> {
        let source = self.sources.get(file)?;
        if !is_sql(&source.path) {
            let habit = || by_itself(file, source.text());
            let habit = self.code.entry(file).or_insert_with(habit).clone();
            return habit.filter(|habit| match habit.tool.in_code {
                InCode::Handed(by) => step.sink.as_ref().is_none_or(|(name, _)| name == by),
                InCode::All => true,
                InCode::Nothing => false,
            });
        }
        if let Some((tool, at)) = ALL.iter().find_map(|tool| Some((tool, tool.mark_in(step.text.as_str())?)))
        {
            return Some(Habit { tool, wraps: tool.wraps, site: Some(Site::at(file, at)), by: None });
        }
        // What has no number is no step to a tool.
        step.version?;
        let folder = files::series(&source.path);
        if !self.folders.contains_key(folder) {
            let above = folder_of(folder);
            let habit = self.by_file(folder).or_else(|| self.by_caller(folder));
            let habit = habit.or_else(|| self.by_file(above)).or_else(|| self.by_code(folder));
            self.folders.insert(folder, habit);
        }
        let by_name = || {
            let tool = ALL.iter().find(|tool| (tool.is_named)(&source.path))?;
            Some(Habit { tool, wraps: tool.wraps, site: None, by: None })
        };
        self.folders.get(folder).cloned().flatten().or_else(by_name)
    }

    /// By a file in this folder that only one tool keeps there.
    fn by_file(&self, folder: &str) -> Option<Habit> {
        let at = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        ALL.iter().find_map(|tool| {
            let by =
                tool.files.iter().map(|name| at(name)).find(|path| self.files.contains(path.as_str()))?;
            Some(Habit { tool, wraps: tool.wraps, site: None, by: Some(by) })
        })
    }

    /// By the nearest code that runs the files itself.
    fn by_code(&self, folder: &str) -> Option<Habit> {
        let in_folder = self.files.iter().filter(|path| is_sql(path) && files::series(path) == folder);
        let mut names: Vec<String> = in_folder.filter_map(|path| runners::name(path)).collect();
        names.sort_unstable();
        let of = |(id, source): (SourceId, &Source)| {
            let (wraps, at) = source.peek(|text| running::wrapped(&source.path, text, folder, &names))?;
            Some((common_parts(folder, &source.path), wraps, Site::at(id, at)))
        };
        let code = self.sources.iter().filter(|(_, source)| is_near(folder, source)).filter_map(of);
        let (_, wraps, site) = code.max_by_key(|(near, _, site)| (*near, std::cmp::Reverse(*site)))?;
        Some(Habit { tool: &CODE, wraps, site: Some(site), by: None })
    }

    /// By the nearest code that calls a tool.
    fn by_caller(&self, folder: &str) -> Option<Habit> {
        let last = folder.rsplit('/').next().unwrap_or(folder);
        // Of equals the one that names the folder, else the first.
        let rank = |(file, _, at): &&Caller| {
            let source = self.sources.get(*file);
            let names = source.is_some_and(|source| runners::mentions(source.text(), last).next().is_some());
            let near = source.map_or(0, |source| common_parts(folder, &source.path));
            (near, names, std::cmp::Reverse((*file, *at)))
        };
        let callers: Vec<Caller> = (self.sources.par_iter())
            .filter(|(_, source)| is_near(folder, source))
            .flat_map_iter(|(id, source)| {
                let named = |text: &str| -> Vec<Caller> {
                    ALL.iter().filter_map(|tool| Some((id, tool, tool.named_in(text)?))).collect()
                };
                source.peek(named)
            })
            .collect();
        let (file, tool, at) = callers.iter().max_by_key(rank)?;
        let is_without = |(other, also, _): &Caller| {
            also.name == tool.name
                && self.sources.get(*other).is_some_and(|source| tool.is_without(source.text()))
        };
        // Of steps that are code, each says it of itself.
        let wraps = tool.wraps && (tool.name == "goose" || !callers.iter().any(is_without));
        Some(Habit { tool, wraps, site: Some(Site::at(*file, *at)), by: None })
    }

    /// Whether the file beside a step says that it is run without a transaction.
    fn is_outside(&self, step: &Step, file: SourceId) -> bool {
        if !step.name.ends_with("/up.sql") {
            return false;
        }
        let folder = self.sources.path(file).strip_suffix("up.sql").unwrap_or("");
        let path = Some(format!("{folder}{SETTINGS}")).filter(|path| self.files.contains(path.as_str()));
        path.and_then(|path| self.sources.find(&path)).is_some_and(|(_, source)| {
            let mut lines = source.text().lines().filter_map(|line| line.split_once('='));
            lines.any(|(key, value)| {
                key.trim() == "run_in_transaction" && value.trim_start().starts_with("false")
            })
        })
    }
}

/// Whether a source is code that may run the files of a folder.
fn is_near(folder: &str, source: &Source) -> bool {
    let is_near = common_parts(folder, &source.path) + 2 >= folder.split('/').count();
    is_near && runners::is_code(source) && !is_test_code(&source.path)
}

/// How the tool runs the steps of a file of code that calls it there.
fn by_itself(file: SourceId, code: &str) -> Option<Habit> {
    let mut tools = ALL.iter().filter(|tool| tool.in_code != InCode::Nothing);
    let (tool, at) = tools.find_map(|tool| Some((tool, tool.named_in(code)?)))?;
    let wraps = tool.wraps && !tool.is_without(code);
    Some(Habit { tool, wraps, site: Some(Site::at(file, at)), by: None })
}

/// The file in which diesel has it whether a step is run in a transaction.
const SETTINGS: &str = "metadata.toml";

/// Such files beside steps, and the manifests of packages, which nobody asked for.
pub(super) fn settings(sources: &Sources) -> impl Iterator<Item = &str> {
    let is_beside = |path: &str| {
        let folder = path.strip_suffix(SETTINGS).filter(|folder| folder.ends_with('/'));
        folder.is_some_and(|folder| sources.find(&format!("{folder}up.sql")).is_some())
    };
    let others = sources.others.iter().map(String::as_str);
    others.filter(move |path| is_beside(path) || manifests::is_one(path))
}

//! Files that make the schema of a new database, and code that brings older ones up to it, or from it on: two declarations that
//! are one database. Knows names and words; which of them a file is, is settled by what SQLite says.

use super::{
    Declaration, Step,
    alone::only_extends,
    convention::{self, Convention},
    files,
    groups::Member,
    mentions, runners,
    tables::{Deed, deeds},
    temporary,
};
use crate::{
    extract::{self, Extraction, Function, added_column, sql},
    source::{Source, SourceId, Sources, folder_of},
};
use std::collections::BTreeSet;

/// Makes such a file what creates the database that the code upgrades.
pub(super) fn join(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    while let Some((index, mut ladders)) = pair(sources, extraction, declared) {
        let Some(base) = declared.get(index).and_then(|one| Base::new(sources, extraction, one)) else {
            return;
        };
        let mut passed: BTreeSet<usize> = BTreeSet::new();
        for step in ladders.iter().filter_map(|&at| declared.get(at)).flat_map(|one| &one.steps) {
            if base.is_passed(sources, extraction, step.literal) {
                passed.insert(step.literal);
            }
        }
        let made = declared.remove(index);
        ladders.iter_mut().filter(|at| **at > index).for_each(|at| *at -= 1);
        let Some((&first, more)) = ladders.split_first() else { return };
        let more: Vec<Declaration> = more.iter().rev().map(|&at| declared.remove(at)).collect();
        let Some(ladder) = declared.get_mut(first) else { return };
        for one in more.into_iter().rev() {
            ladder.homes.extend(one.homes);
            ladder.places.extend(one.places);
            ladder.steps.extend(one.steps);
        }
        ladder.steps.iter_mut().for_each(|step| step.is_on_base = passed.contains(&step.literal));
        let is_first = base.is_first(ladder) || base.is_lacked_beside(sources, ladder);
        if base.is_declared || is_first {
            ladder.name = made.name;
        }
        if is_first {
            ladder.steps.splice(0..0, made.steps);
        } else {
            ladder.create = made.steps.into_iter().map(files::as_snapshot).collect();
        }
        ladder.homes.extend(made.homes);
        ladder.places.extend(made.places);
    }
}

/// The next file that belongs to code, and that code.
fn pair(sources: &Sources, extraction: &Extraction, declared: &[Declaration]) -> Option<(usize, Vec<usize>)> {
    declared.iter().enumerate().find_map(|(index, one)| {
        let base = Base::new(sources, extraction, one)?;
        let is_of = |(at, one): &(usize, &Declaration)| {
            *at != index && !only_extends(one) && base.is_of(sources, extraction, one)
        };
        let ladders = declared.iter().enumerate().filter(is_of);
        let ladders: Vec<usize> = ladders.map(|(at, _)| at).collect();
        // Of several that fit, none is known to be it, but for a form that is always upgraded by code.
        let fits = ladders.len() == 1 || (base.is_snapshot && !ladders.is_empty());
        fits.then_some((index, ladders))
    })
}

/// The shortest name of a package that is looked for in code.
const SHORTEST: usize = 3;

/// A file, or some, that make a schema and are no series.
struct Base<'a> {
    /// Their names, as code may write them.
    names: Vec<&'a str>,
    /// The tables that they create.
    created: BTreeSet<String>,
    /// Whether they are of a form that is always that of a snapshot.
    is_snapshot: bool,
    /// Whether code declares it, under a name.
    is_declared: bool,
    /// The files.
    homes: Vec<SourceId>,
    /// What they say, in lower case.
    texts: Vec<String>,
    /// Words of which code that works on it has one; empty where any may.
    users: &'static [&'static str],
}

impl<'a> Base<'a> {
    fn new(sources: &'a Sources, extraction: &Extraction, one: &Declaration) -> Option<Self> {
        let is_one = one.create.is_empty()
            && one.steps.iter().all(|step| step.version.is_none() && is_file(extraction, step.literal));
        let created = super::created(&one.steps);
        if !is_one || created.is_empty() {
            return None;
        }
        let paths: Vec<&str> = one.homes.iter().map(|&home| sources.path(home)).collect();
        let literals = || one.steps.iter().filter_map(|step| extraction.literals.get(step.literal));
        let of_snapshot: Vec<&Convention> =
            literals().filter_map(|literal| convention::of_snapshot(sources, literal)).collect();
        let is_declared = literals().all(|literal| literal.constant.is_some());
        let is_snapshot = of_snapshot.len() == one.steps.len();
        // What code declares step by step is no other way than that of the databases that are there.
        if is_declared && !is_snapshot {
            return None;
        }
        let users = of_snapshot.first().map_or(&[][..], |one| one.users);
        let names = paths.iter().map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
        let texts = one.steps.iter().map(|step| step.text.as_str().to_lowercase()).collect();
        let homes = one.homes.clone();
        Some(Self { names, created, is_snapshot, is_declared, homes, texts, users })
    }

    /// Whether code goes on with what the file has made, at each open: it changes nothing that is there, and does not make all of it.
    fn is_first(&self, ladder: &Declaration) -> bool {
        let is_rerun = |step: &Step| {
            let found = mentions(step.text.as_str());
            let is_temporary = temporary::is_temporary(step.text.as_str());
            !step.is_upgrade
                && (is_temporary || !(found.creates_once || found.changes_once || found.adds_rows))
        };
        !self.is_snapshot
            && ladder.steps.iter().all(is_rerun)
            && !self.created.is_subset(&super::created(&ladder.steps))
    }

    /// Whether the function that a text stands in names the file, or what holds it: it makes a database with the file, and
    /// goes on with what follows.
    fn is_passed(&self, sources: &Sources, extraction: &Extraction, literal: usize) -> bool {
        let function = extraction.literals.get(literal).and_then(|one| one.function);
        let Some(site) = function.and_then(|one| extraction.functions.get(one as usize)).map(|one| one.site)
        else {
            return false;
        };
        let Some(source) = sources.get(site.source) else { return false };
        let body = source.slice(site.start, site.end);
        self.names.iter().any(|name| {
            let bound = runners::mentions(source.text(), name).filter_map(|at| {
                let start = source.text().get(..at)?.rfind('\n').map_or(0, |end| end + 1);
                runners::bound_name(source.text().get(start..at)?)
            });
            runners::mentions(body, name).next().is_some()
                || bound.into_iter().any(|bound| runners::mentions(body, bound).next().is_some())
        })
    }

    /// Whether code upgrades databases that were made with it: it changes tables that the file makes, and that it does not
    /// make itself, and it names the file, if nothing else says that this is a snapshot, or that another makes them first.
    fn is_of(&self, sources: &Sources, extraction: &Extraction, ladder: &Declaration) -> bool {
        let is_code = !ladder.steps.iter().any(|step| is_file(extraction, step.literal));
        if !is_code || !ladder.create.is_empty() {
            return false;
        }
        let homes = || ladder.homes.iter().filter_map(|&home| sources.get(home));
        let made = super::created(&ladder.steps);
        let used: BTreeSet<String> = ladder.steps.iter().flat_map(files::touched).collect();
        let shared = used.intersection(&self.created).count();
        let lacks = used.difference(&made).any(|name| self.created.contains(name));
        let names_it = |source: &Source| self.is_named_in(source);
        // A file beside may run both.
        let is_run_beside = || {
            let list = ladder.steps.first().map_or("", |step| step.name.as_str());
            let folders: BTreeSet<&str> = homes().map(|home| folder_of(&home.path)).collect();
            let is_beside = |source: &&Source| {
                folders.contains(folder_of(&source.path))
                    && !extract::is_sql(&source.path)
                    && !extract::is_test_code(&source.path)
            };
            let runs = |source: &Source| runners::mentions(source.text(), list).next().is_some();
            !list.is_empty()
                && sources.as_slice().iter().filter(is_beside).any(|one| names_it(one) && runs(one))
        };
        let is_named = || {
            homes().any(names_it)
                || is_run_beside()
                || (lacks && self.is_run_from(sources, extraction, ladder))
        };
        let is_enough = shared > 0 && shared * 2 >= used.len();
        let has_word = |source: &Source| self.users.iter().any(|word| source.text().contains(word));
        if !self.users.is_empty() && !homes().any(has_word) {
            return false;
        }
        (self.is_snapshot && is_enough)
            || ((lacks || is_enough) && is_named())
            || (is_enough && self.is_needed(ladder))
            || self.is_lacked_beside(sources, ladder)
    }

    /// Whether a ladder of versions in the same folder changes tables that it has not made, and the file makes nearly all of these, as
    /// they were before: without the columns that the ladder adds.
    fn is_lacked_beside(&self, sources: &Sources, ladder: &Declaration) -> bool {
        let folders =
            |homes: &[SourceId]| homes.iter().map(|&home| folder_of(sources.path(home)).to_owned()).collect();
        let (own, other): (BTreeSet<String>, BTreeSet<String>) =
            (folders(&self.homes), folders(&ladder.homes));
        // What the code names it makes new databases with.
        let is_named =
            || ladder.homes.iter().filter_map(|&home| sources.get(home)).any(|one| self.is_named_in(one));
        if !other.is_superset(&own) || !is_ladder(&ladder.steps) || is_named() {
            return false;
        }
        let lacking = lacking(&ladder.steps);
        let made = lacking.intersection(&self.created).count();
        made > 0 && made * 4 >= lacking.len() * 3 && self.is_before(ladder)
    }

    /// Whether the file makes tables as they were before a ladder of versions: most columns that it adds to them are not there.
    fn is_before(&self, ladder: &Declaration) -> bool {
        let added = ladder.steps.iter().filter_map(|step| added_column(step.text.as_str()));
        let added: Vec<_> = added.filter(|(table, _)| self.created.contains(&table.to_lowercase())).collect();
        let has =
            |column: &str| self.texts.iter().any(|text| sql::contains_word(text, &column.to_lowercase()));
        let there = added.iter().filter(|(_, column)| has(column)).count();
        !added.is_empty() && there * 2 < added.len()
    }

    /// Whether code takes away tables, or names them anew, that others must have made, and the file makes nearly all of these: by
    /// what name the program reads the file may be known to it alone.
    fn is_needed(&self, ladder: &Declaration) -> bool {
        let mut member = Member::default();
        ladder.steps.iter().for_each(|step| member.add(step));
        let taken: Vec<&String> = member.takes().filter(|table| member.created.contains(*table)).collect();
        let made = taken.iter().filter(|table| self.created.contains(**table)).count();
        made > 0 && made * 4 >= taken.len() * 3
    }

    /// Whether code that names the file calls a function of the package that the steps stand in: `migrations.Run(db)`.
    fn is_run_from(&self, sources: &Sources, extraction: &Extraction, ladder: &Declaration) -> bool {
        let folders: BTreeSet<&str> =
            ladder.homes.iter().map(|&home| folder_of(sources.path(home))).collect();
        let last = |folder: &&str| folder.rsplit('/').next().unwrap_or("").to_owned();
        let packages: BTreeSet<String> =
            folders.iter().map(last).filter(|name| name.len() >= SHORTEST).collect();
        let is_there = |one: &&Function| folders.contains(folder_of(sources.path(one.site.source)));
        let functions: BTreeSet<&str> =
            extraction.functions.iter().filter(is_there).map(|one| one.name.as_str()).collect();
        let calls = |text: &str, name: &str| {
            runners::mentions(text, name).any(|at| {
                let behind = text.get(at + name.len()..).unwrap_or("");
                let called = behind.strip_prefix('.').or_else(|| behind.strip_prefix("::"));
                let word = called
                    .and_then(|rest| rest.split(|one: char| !one.is_alphanumeric() && one != '_').next());
                word.is_some_and(|word| functions.contains(word))
            })
        };
        let is_code =
            |source: &&Source| !extract::is_sql(&source.path) && !extract::is_test_code(&source.path);
        sources
            .as_slice()
            .iter()
            .filter(is_code)
            .any(|one| self.is_named_in(one) && packages.iter().any(|name| calls(one.text(), name)))
    }

    /// Whether a string of code names the file, or what embeds it does.
    fn is_named_in(&self, source: &Source) -> bool {
        self.names.iter().any(|name| {
            runners::mentions(source.text(), name).any(|at| runners::is_string(source.text(), at))
        })
    }
}

/// Whether all steps are of a ladder of versions, two of them at least.
pub(super) fn is_ladder(steps: &[Step]) -> bool {
    let versions: BTreeSet<u64> = steps.iter().filter_map(|step| step.version).collect();
    versions.len() > 1 && steps.iter().all(|step| step.is_upgrade && step.version.is_some())
}

/// Whether a ladder of versions in code makes no table, and nothing that makes them was found.
pub(super) fn lacks_all(extraction: &Extraction, one: &Declaration) -> bool {
    one.create.is_empty()
        && is_ladder(&one.steps)
        && super::created(&one.steps).is_empty()
        && !one.steps.iter().any(|step| is_file(extraction, step.literal))
}

/// The tables that steps change before one of them has made them.
pub(super) fn lacking<'a>(steps: impl IntoIterator<Item = &'a Step>) -> BTreeSet<String> {
    let (mut made, mut lacking) = (BTreeSet::new(), BTreeSet::new());
    for deed in steps.into_iter().flat_map(|step| deeds(step.text.as_str())) {
        match deed {
            Deed::Creates { name, .. } | Deed::Renames(_, name) => {
                made.insert(name);
            }
            Deed::Needs(name) if !made.contains(&name) => {
                lacking.insert(name);
            }
            Deed::Needs(_) | Deed::Drops(_) => {}
        }
    }
    lacking
}

/// Whether a text is that of a file of SQL, or of one that says the same in another form.
fn is_file(extraction: &Extraction, literal: usize) -> bool {
    extraction.literals.get(literal).is_some_and(|literal| literal.language.is_sql)
}

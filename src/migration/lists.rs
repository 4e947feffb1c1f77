//! Lists of steps that stand in one file and make two databases: each is named by functions that open one, and none names both.
//! Knows words, and the tables that the lists make.

use super::{Declaration, Step, mentions, runners};
use crate::{
    extract::{Constant, Extraction, Literal, Role, is_test_code, languages},
    source::Sources,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The most databases for whose lists all code is looked through.
const MOST: usize = 16;

/// Makes of what consists of such lists alone one database for each.
pub(super) fn part(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    let mut apart = Vec::new();
    let mut tries = 0..MOST;
    for one in std::mem::take(declared) {
        let lists = lists(extraction, &one);
        let is_one = lists.len() < 2 || !makes_apart(&one, &lists) || tries.next().is_none();
        if is_one || !are_opened_apart(sources, &lists) || is_joined(extraction, &one, &lists) {
            apart.push(one);
            continue;
        }
        for name in lists.keys() {
            let steps = one.steps.iter().filter(|step| step.name == *name).cloned().collect();
            apart.push(Declaration { name: (*name).to_owned(), ..one.with(steps) });
        }
    }
    *declared = apart;
}

/// The lists that a database consists of, by their names; none where there is more than lists of one file.
fn lists<'a>(extraction: &'a Extraction, one: &Declaration) -> BTreeMap<&'a str, &'a Constant> {
    let [home] = one.homes[..] else { return BTreeMap::new() };
    let names: BTreeSet<&str> = one.steps.iter().map(|step| step.name.as_str()).collect();
    let is_list = |list: &&Constant| list.is_list && list.site.source == home;
    let its = extraction.constants.iter().filter(is_list).filter(|list| names.contains(list.name.as_str()));
    let lists: BTreeMap<&str, &Constant> = its.map(|list| (list.name.as_str(), list)).collect();
    let is_listed = |step: &Step| step.is_ordered && lists.contains_key(step.name.as_str());
    if one.steps.iter().all(is_listed) { lists } else { BTreeMap::new() }
}

/// The tables that each list makes or works on.
fn tables(one: &Declaration, lists: &BTreeMap<&str, &Constant>) -> Vec<BTreeSet<String>> {
    let of = |name: &&str| {
        let steps = one.steps.iter().filter(|step| step.name == **name);
        let found = steps.map(|step| mentions(step.text.as_str()));
        found.flat_map(|found| found.created.into_iter().chain(found.used)).collect()
    };
    lists.keys().map(of).collect()
}

/// Whether each list has tables, and no other has any of them.
fn makes_apart(one: &Declaration, lists: &BTreeMap<&str, &Constant>) -> bool {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    tables(one, lists)
        .into_iter()
        .all(|own| !own.is_empty() && own.into_iter().all(|table| seen.insert(table)))
}

/// Whether a statement needs the tables of several lists.
fn is_joined(extraction: &Extraction, one: &Declaration, lists: &BTreeMap<&str, &Constant>) -> bool {
    let tables = tables(one, lists);
    let literals = extraction.literals.par_iter().filter(|literal| literal.role != Role::Test);
    let joins = |literal: &Literal| {
        let used = literal.variants.first().map(|text| mentions(text.as_str()).used).unwrap_or_default();
        let has = |own: &&BTreeSet<String>| used.iter().any(|table| own.contains(table));
        tables.iter().filter(has).count() > 1
    };
    literals.any(joins)
}

/// Whether all functions that name such a list open a database and name no other, and each list is named by some, and by
/// nothing else but imports.
fn are_opened_apart(sources: &Sources, lists: &BTreeMap<&str, &Constant>) -> bool {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (id, source) in sources.iter().filter(|(_, source)| !is_test_code(&source.path)) {
        let has = |name: &&str| source.peek(|text| runners::mentions(text, name).next().is_some());
        if languages::of(&source.path).is_none_or(|one| one.is_sql) || !lists.keys().any(has) {
            continue;
        }
        for (number, (start, part)) in runners::functions(source.text()).into_iter().enumerate() {
            let uses = |(name, list): (&&str, &&Constant)| {
                let own = (id == list.site.source).then_some(list.site.start as usize);
                let mut found = runners::mentions(part, name).filter(|at| own != Some(start + at));
                found.any(|at| number > 0 || !is_import(part, at))
            };
            let its: Vec<&str> =
                lists.iter().filter(|(name, list)| uses((name, list))).map(|(name, _)| *name).collect();
            if its.len() > 1 || (!its.is_empty() && (number == 0 || !opens(part))) {
                return false;
            }
            named.extend(its);
        }
    }
    named.len() == lists.len()
}

/// Whether the line of a place imports names.
fn is_import(text: &str, at: usize) -> bool {
    let line = text.get(..at).unwrap_or("").rsplit('\n').next().unwrap_or("").trim_start();
    ["use ", "pub use ", "import ", "from "].iter().any(|word| line.starts_with(word))
}

/// Whether a function calls what opens a database, by the names.
fn opens(function: &str) -> bool {
    let body = function.split_once('(').map_or("", |(_, body)| body);
    let is_name = |one: char| one.is_alphanumeric() || one == '_';
    body.split('(').any(|before| {
        let owner = before.trim_end_matches(is_name);
        let name = before.get(owner.len()..).unwrap_or("").to_ascii_lowercase();
        // Files are opened, too.
        let is_file = ["File::", "os.", "fs.", "fs::"].iter().any(|of| owner.ends_with(of));
        !is_file && (name.starts_with("open") || name.starts_with("connect"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opens_a_database_is_told_by_the_names_of_calls() {
        assert!(opens("fn at(path: &Path) {\n    Connection::open(path)\n}"));
        assert!(opens("def at(path):\n    run(sqlite3.connect(path), STEPS)\n"));
        assert!(opens("fn at() { crate::open_with_steps(STEPS) }"));
        assert!(!opens("fn open_steps(db: &Connection) { run(db, STEPS) }"));
        assert!(!opens("fn at() { File::open(path); run(db, STEPS) }"));
        assert!(!opens("fn at() { run(db, is_open, STEPS) }"));
    }

    #[test]
    fn an_import_is_told_by_the_head_of_its_line() {
        let text = "use crate::steps::{A, B};\nstatic ALL: All = All::of(&[A, B]);\n";
        assert!(is_import(text, text.find('A').unwrap()) && !is_import(text, text.rfind('A').unwrap()));
    }
}

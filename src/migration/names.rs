//! What a database is called that nobody names: after its file, or its folder. Knows paths; two of one name are told apart.

use super::{Declaration, Step};
use crate::{extract::Extraction, source::Sources};
use std::collections::{HashMap, HashSet};

/// What a file calls its database: its name or, where that is a habit, its folder's.
pub(super) fn file_name(path: &str, in_series: bool) -> &str {
    const HABITS: [&str; 20] = [
        "mod",
        "db",
        "lib",
        "main",
        "sql",
        "schema",
        "database",
        "sqlite",
        "store",
        "storage",
        "init",
        "__init__",
        "migrations",
        "src",
        "queries",
        "models",
        "internal",
        "migration",
        "crates",
        "packages",
    ];
    let separator = if in_series { '/' } else { '.' };
    let (path, _) = path.rsplit_once(separator).unwrap_or((path, ""));
    path.rsplit('/').find(|part| !HABITS.contains(part)).unwrap_or("main")
}

/// Gives databases of one name the folder in front as well, or a number.
pub(super) fn name_apart(sources: &Sources, declared: &mut [Declaration]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for one in declared.iter() {
        *count.entry(one.name.clone()).or_default() += 1;
    }
    let mut seen: HashSet<String> = HashSet::new();
    for one in declared {
        if count.get(&one.name).copied().unwrap_or(0) > 1 {
            let path = one.homes.first().map_or("", |&home| sources.path(home));
            let folder =
                path.rsplit('/').skip(1).find(|part| *part != "src" && *part != one.name).unwrap_or("");
            if !folder.is_empty() {
                one.name = format!("{folder}/{}", one.name);
            }
        }
        let base = one.name.clone();
        let mut number = 2;
        while !seen.insert(one.name.clone()) {
            one.name = format!("{base}#{number}");
            number += 1;
        }
    }
}

/// Where steps come from, for people.
pub(super) fn places(sources: &Sources, extraction: &Extraction, steps: &[Step]) -> Vec<String> {
    let mut places = Vec::new();
    for step in steps {
        let literal = extraction.literals.get(step.literal);
        let path = literal.map_or("", |literal| sources.path(literal.site.source));
        let place = if step.name.is_empty() { path.to_owned() } else { format!("{path}::{}", step.name) };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

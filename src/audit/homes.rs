//! Which databases of a program a file is, by the tables that both have: mostly one, and of programs that keep several in one
//! file those as well. Knows names of tables alone.

use crate::{schema::Objects, workload::Database};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A database of the program that a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The database, by its place among all.
    pub database: usize,
    /// How many of its tables the file has.
    pub both: usize,
    /// How many it declares.
    pub declared: usize,
}

/// The databases that a file holds, that of most tables first. Beside the first, those of which it has at least half.
pub fn homes(file: &Objects, databases: &[Database]) -> Vec<Home> {
    let mut left = tables(file);
    let mut found: Vec<Home> = Vec::new();
    loop {
        let is_new = |index: usize| !found.iter().any(|home| home.database == index);
        let shared =
            databases.iter().enumerate().filter(|(index, _)| is_new(*index)).map(|(database, one)| {
                let there = tables(&one.variant.objects);
                Home { database, both: left.intersection(&there).count(), declared: there.len() }
            });
        let is_here = |home: &Home| home.both > 0 && (found.is_empty() || home.both * 2 >= home.declared);
        // Of two with as many in common, the one that has less beside them.
        let nearest = shared.filter(is_here).max_by_key(|home| {
            let all = left.len() + home.declared - home.both;
            (home.both * 1000 / all.max(1), home.both, Reverse(home.database))
        });
        let Some(home) = nearest else { return found };
        if let Some(database) = databases.get(home.database) {
            let there = tables(&database.variant.objects);
            left.retain(|name| !there.contains(name));
        }
        found.push(home);
    }
}

/// The objects of a file without the tables and views of the other databases in it.
pub fn without_others(file: &Objects, own: usize, homes: &[Home], databases: &[Database]) -> Objects {
    let others = || homes.iter().filter(|home| home.database != own);
    let others = || others().filter_map(|home| databases.get(home.database)).map(|one| &one.variant.objects);
    let mine = databases.get(own).map(|one| &one.variant.objects);
    let is_others = |name: &str| {
        let has = |objects: &Objects| {
            let views = objects.views.iter().any(|view| view.name.eq_ignore_ascii_case(name));
            views || objects.table("main", name).is_some()
        };
        others().any(has) && !mine.is_some_and(has)
    };
    let mut left = file.clone();
    left.tables.retain(|table| !is_others(&table.name));
    left.views.retain(|view| !is_others(&view.name));
    left
}

/// The names of the program's own tables, in lower case.
fn tables(objects: &Objects) -> BTreeSet<String> {
    let own = objects.tables.iter().filter(|table| table.schema == "main" && !table.is_made());
    own.map(|table| table.name.to_lowercase()).collect()
}

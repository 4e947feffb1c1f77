//! The order in which migrations run: by the numbers in their names, as people count.

use super::{Mentions, Step, conventions::ALL, mentions};
use crate::{
    extract::leading_number,
    source::{Source, SourceId, Sources, folder_of},
};
use rayon::prelude::*;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

/// The places of migrations that name those before them, from 1, in each folder. What nobody names and names nobody has none.
pub(super) fn chains(sources: &Sources) -> BTreeMap<SourceId, u64> {
    let mut folders: BTreeMap<&str, BTreeMap<String, (SourceId, Vec<String>)>> = BTreeMap::new();
    let link = |(id, source): (SourceId, &Source)| {
        let link = source.peek(|text| ALL.iter().find_map(|one| (one.links)(&source.path, text)))?;
        Some((id, link))
    };
    let linked: Vec<_> = sources.par_iter().filter_map(link).collect();
    for (id, link) in linked {
        let folder = folder_of(sources.path(id));
        folders.entry(folder).or_default().insert(link.own, (id, link.before));
    }
    let mut places = BTreeMap::new();
    for links in folders.values().filter(|links| links.len() >= 2) {
        let mut done: BTreeSet<&str> = BTreeSet::new();
        let is_ready = |done: &BTreeSet<&str>, before: &[String]| {
            before.iter().all(|name| done.contains(name.as_str()) || !links.contains_key(name))
        };
        while let Some((name, (id, _))) =
            links.iter().find(|(name, (_, before))| !done.contains(name.as_str()) && is_ready(&done, before))
        {
            done.insert(name.as_str());
            places.insert(*id, done.len() as u64);
        }
    }
    places
}

/// Puts what makes tables in front of the list of one file that is the first to change them, where no number orders the two: a schema may
/// stand below its upgrades.
pub(super) fn makers_first(items: Vec<(u64, u32, Vec<Step>)>) -> Vec<Step> {
    let told: Vec<Vec<Mentions>> = items
        .iter()
        .map(|(.., steps)| steps.iter().map(|step| mentions(step.text.as_str())).collect())
        .collect();
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for (index, found) in told.iter().enumerate() {
        if found.iter().all(|one| one.makes_table && !one.alters && !one.drops) {
            for table in found.iter().flat_map(|one| &one.created) {
                makers.entry(table).or_insert(index);
            }
        }
    }
    let mut order: Vec<usize> = Vec::new();
    let mut done: HashSet<usize> = HashSet::new();
    for (index, (found, (number, ..))) in told.iter().zip(&items).enumerate() {
        let own: HashSet<&str> = found.iter().flat_map(|one| &one.created).map(String::as_str).collect();
        let needed = found.iter().filter(|_| found.len() > 1).flat_map(|one| &one.used);
        for table in needed.map(String::as_str).filter(|table| !own.contains(table)) {
            let maker = makers.get(table).copied().filter(|maker| *maker > index);
            let maker = maker.filter(|maker| items.get(*maker).is_some_and(|(other, ..)| other == number));
            order.extend(maker.filter(|maker| done.insert(*maker)));
        }
        order.extend(Some(index).filter(|index| done.insert(*index)));
    }
    let mut all: Vec<Option<Vec<Step>>> = items.into_iter().map(|(.., steps)| Some(steps)).collect();
    order.into_iter().filter_map(|index| all.get_mut(index)?.take()).flatten().collect()
}

/// Compares names by their runs of digits as numbers and by the rest as text: `v9` before `v10`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (text_a, number_a, rest_a) = split_number(a);
        let (text_b, number_b, rest_b) = split_number(b);
        let order = text_a.cmp(text_b).then_with(|| compare_numbers(number_a, number_b));
        if order != Ordering::Equal || (rest_a.is_empty() && rest_b.is_empty()) {
            return order.then_with(|| rest_a.cmp(rest_b));
        }
        (a, b) = (rest_a, rest_b);
    }
}

fn split_number(text: &str) -> (&str, &str, &str) {
    let start = text.find(|character: char| character.is_ascii_digit()).unwrap_or(text.len());
    let (head, tail) = text.split_at_checked(start).unwrap_or((text, ""));
    let end = tail.find(|character: char| !character.is_ascii_digit()).unwrap_or(tail.len());
    let (number, rest) = tail.split_at_checked(end).unwrap_or((tail, ""));
    (head, number, rest)
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// The number that a name carries as its version: the one that it begins with, `m003_add_sha1`, else the last run of digits
/// (`SCHEMA_2`, `migrate_3_to_4`, `MigrationTo12`); `None` where there is none.
pub fn version(name: &str) -> Option<u64> {
    if let Some(first) = leading_number(name) {
        return Some(first);
    }
    let mut found = None;
    let mut rest = name;
    while !rest.is_empty() {
        let (_, number, behind) = split_number(rest);
        if let Ok(number) = number.parse() {
            found = Some(number);
        }
        rest = behind;
    }
    found
}

/// The number in front of a file's name: `0001_init.sql`, `V2__more.sql`, `20240131120000_x.up.sql`; a day as one number:
/// `2024-01-31-more.sql`.
pub fn file_number(file: &str) -> Option<u64> {
    // `migration_0003_crew.sql`
    let named = |word: &str| file.strip_prefix(word)?.strip_prefix(['_', '-']);
    let file = ["migration", "migrate"].iter().find_map(|word| named(word)).unwrap_or(file);
    let digits = file.trim_start_matches(['V', 'v', 'U']);
    let (head, number, rest) = split_number(digits);
    let (between, month, rest) = split_number(rest);
    let (before, day, _) = split_number(rest);
    let is_day =
        number.len() == 4 && month.len() == 2 && day.len() == 2 && between == before && between.len() == 1;
    match (head.is_empty(), is_day) {
        (false, _) => None,
        (true, true) => format!("{number}{month}{day}").parse().ok(),
        (true, false) => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["v10.sql", "v9.sql", "v9a.sql", "1/up.sql", "11/up.sql", "2/up.sql"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["1/up.sql", "2/up.sql", "11/up.sql", "v9.sql", "v9a.sql", "v10.sql"]);
        assert_eq!(natural("0001_a", "1_a"), Ordering::Equal);
    }

    #[test]
    fn versions_are_the_last_number() {
        assert_eq!(version("migrate_3_to_4"), Some(4));
        assert_eq!(version("SCHEMA"), None);
        assert_eq!(version("m003_add_sha1"), Some(3));
        assert_eq!(version("v001_to_002"), Some(2));
        assert_eq!(file_number("V2__more.sql"), Some(2));
        assert_eq!(file_number("schema.sql"), None);
    }
}

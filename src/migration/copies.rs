//! What makes the tables of a database once more, and is none of its steps: files that make to the letter what code makes too, for
//! those who make the database by hand, and constants that say what a schema should be, for its tests or its readers. Knows words and
//! brackets; no grammar.

use super::{Declaration, Mentions, Step, mentions};
use crate::{
    extract::{Extraction, Literal, languages, named_in_code},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Tables of settings and versions look alike in many databases.
const FEWEST: usize = 3;

/// Leaves out what files make once more, and says so where the code's database is spoken of.
pub(super) fn join(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    for index in (0..declared.len()).rev() {
        let Some(copy) = declared.get(index).filter(|one| one.is_files(sources)) else { continue };
        let mut made = tables(whole(copy));
        // A dump has SQLite's own.
        made.retain(|name, _| !name.starts_with("sqlite_"));
        if made.len() < FEWEST {
            continue;
        }
        let is_checked =
            std::cell::LazyCell::new(|| copy.homes.iter().all(|&home| is_checked(sources, home)));
        let is_same = |one: &Declaration| {
            !one.is_files(sources) && {
                let others = tables(one.create.iter().chain(&one.steps));
                let is_made = |name: &String| others.contains_key(name);
                made.iter().all(|(name, body)| others.get(name) == Some(body))
                    || (is_beside(sources, one, copy)
                        && made.keys().filter(|name| is_made(name)).count() + 1 >= made.len()
                        && *is_checked)
            }
        };
        let mut same = (0..declared.len()).filter(|&at| declared.get(at).is_some_and(is_same));
        let (Some(at), None) = (same.next(), same.next()) else { continue };
        let first = whole(copy).next().and_then(|step| extraction.literals.get(step.literal));
        let site = first.map(|literal| literal.site);
        let copy = declared.remove(index);
        if let Some(one) = declared.get_mut(if at > index { at - 1 } else { at }) {
            let code = one.homes.first().map_or("", |&home| sources.path(home));
            let said = format!("{code} makes the same tables as this, which is taken for the same database");
            one.guesses.extend(site.map(|site| (site, said)));
            one.aside.extend(copy.steps.iter().chain(&copy.create).map(|step| step.literal));
        }
    }
}

/// Whether the files of one declaration stand in a folder with some of another.
fn is_beside(sources: &Sources, one: &Declaration, copy: &Declaration) -> bool {
    let folder = |home: &SourceId| folder_of(sources.path(*home));
    copy.homes.iter().all(|home| one.homes.iter().any(|other| folder(other) == folder(home)))
}

/// Whether tests name a file, and no other code does: they hold against it what the steps make.
fn is_checked(sources: &Sources, file: SourceId) -> bool {
    let path = sources.path(file);
    let name = path.rsplit('/').next().unwrap_or(path);
    let names =
        sources.iter().filter(|(id, source)| *id != file && source.peek(|text: &str| text.contains(name)));
    let are_tests: Vec<bool> = names
        .filter_map(|(_, source)| Some(languages::of(&source.path)?.is_test_path(&source.path)))
        .collect();
    !are_tests.is_empty() && are_tests.iter().all(|is_test| *is_test)
}

/// The literals that no code of the program runs or names by their constant or their function, where others make most of the tables
/// that those of their file make; `taken` are steps already, and a runner knows the files of a `series`.
pub(super) fn of_code(
    (sources, extraction): (&Sources, &Extraction),
    taken: &HashSet<usize>,
    series: &BTreeMap<SourceId, u64>,
    ddl: &BTreeMap<usize, Mentions>,
) -> BTreeSet<usize> {
    let text = |&index: &usize| extraction.literals.get(index)?.variants.first();
    let others = taken.iter().filter_map(text).flat_map(|text| mentions(text.as_str()).created);
    let mut makers: BTreeMap<String, usize> = BTreeMap::new();
    for table in others.chain(ddl.values().flat_map(|one| one.created.iter().cloned())) {
        *makers.entry(table).or_default() += 1;
    }
    let count = |table: &str| makers.get(table).copied().unwrap_or(0);
    let mut files: BTreeMap<SourceId, Vec<(usize, &str, &Mentions)>> = BTreeMap::new();
    for (&index, made) in ddl.iter().filter(|(_, one)| one.makes() && !one.alters && !one.drops) {
        let literal = extraction.literals.get(index);
        let literal = literal.filter(|one| !one.language.is_sql && !series.contains_key(&one.site.source));
        if let Some((literal, name)) = literal.and_then(|one| Some((one, name(extraction, one)?))) {
            files.entry(literal.site.source).or_default().push((index, name, made));
        }
    }
    files.retain(|_, all| all.iter().flat_map(|(.., made)| &made.created).any(|table| count(table) > 1));
    let mut names = BTreeMap::new();
    for (&file, all) in &files {
        names.extend(all.iter().map(|(_, name, _)| (*name, file)));
    }
    let used = named_in_code(sources, &names);
    for all in files.values_mut() {
        all.retain(|(_, name, made)| !used.contains(name) && !made.adds_rows);
    }
    dropped(makers, files.values().map(Vec::as_slice))
}

/// The literals of files that others make the most of, file by file: what is dropped makes nothing any more, and what alone makes a
/// table stays.
fn dropped<'m>(
    mut makers: BTreeMap<String, usize>,
    files: impl Iterator<Item = &'m [(usize, &'m str, &'m Mentions)]>,
) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for all in files {
        let mut own: BTreeMap<&str, usize> = BTreeMap::new();
        for table in all.iter().flat_map(|(.., made)| &made.created) {
            *own.entry(table).or_default() += 1;
        }
        let count = |table: &str| makers.get(table).copied().unwrap_or(0);
        let alone: BTreeMap<&str, usize> = own
            .iter()
            .filter(|&(table, own)| count(table) <= *own)
            .map(|(table, own)| (*table, *own))
            .collect();
        if alone.values().sum::<usize>() * 2 >= own.values().sum() {
            continue;
        }
        for (index, _, made) in all {
            if made.created.iter().chain(&made.used).any(|table| alone.contains_key(table.as_str())) {
                continue;
            }
            found.insert(*index);
            for table in &made.created {
                if let Some(count) = makers.get_mut(table) {
                    *count = count.saturating_sub(1);
                }
            }
        }
    }
    found
}

/// The name by which code gets at a text: that of its constant, or of the function that does no more than to give it back.
fn name<'e>(extraction: &'e Extraction, literal: &'e Literal) -> Option<&'e str> {
    let function = literal.function.filter(|_| literal.sink.is_none() && literal.takers.is_empty());
    let function = function.and_then(|one| extraction.functions.get(one as usize));
    literal.constant.as_deref().or_else(|| function.map(|one| one.name.as_str()))
}

/// The steps of files that make a whole schema at once: those that go on from an older one aside.
fn whole(one: &Declaration) -> impl Iterator<Item = &Step> {
    one.create.iter().chain(one.steps.iter().filter(|step| step.version.is_none() && one.create.is_empty()))
}

/// The tables that steps make, and what stands in the brackets of each, white space and case aside. Of several the first counts.
pub(super) fn tables<'a>(steps: impl Iterator<Item = &'a Step>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for step in steps {
        // The key is without comments, and has words apart by one space.
        let text = step.key.as_str();
        for (at, head) in text.match_indices("create table") {
            let rest = text.get(at + head.len()..).unwrap_or("");
            let Some((name, _)) = rest.split_once('(') else { continue };
            let body = brackets(rest.get(name.len()..).unwrap_or(""));
            let name = name.trim().trim_start_matches("if not exists").trim();
            let name = name.trim_matches(['"', '`', '[', ']']).to_owned();
            found.entry(name).or_insert_with(|| body.to_owned());
        }
    }
    found
}

/// A text up to the bracket that closes its first one.
fn brackets(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, one) in text.char_indices() {
        match one {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(..=at).unwrap_or(text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is dropped of files, each of which makes some tables with one text apiece, beside what others make.
    fn dropped_of(others: &[&str], files: &[&[&str]]) -> Vec<usize> {
        let made = |table: &&str| mentions(&format!("CREATE TABLE {table} (id INTEGER)"));
        let files: Vec<Vec<Mentions>> = files.iter().map(|file| file.iter().map(made).collect()).collect();
        let mut makers: BTreeMap<String, usize> = BTreeMap::new();
        let own = files.iter().flatten().flat_map(|one| one.created.iter().cloned());
        for table in own.chain(others.iter().map(|&table| table.to_owned())) {
            *makers.entry(table).or_default() += 1;
        }
        let mut next = 0;
        let mut number = |one| {
            next += 1;
            (next - 1, "", one)
        };
        let listed: Vec<Vec<_>> = files.iter().map(|file| file.iter().map(&mut number).collect()).collect();
        dropped(makers, listed.iter().map(Vec::as_slice)).into_iter().collect()
    }

    #[test]
    fn what_makes_a_table_alone_stays() {
        assert_eq!(dropped_of(&["ships"], &[&["ships"]]), [0]);
        assert_eq!(dropped_of(&[], &[&["ships"], &["ships"]]), [0]);
        assert_eq!(dropped_of(&["ships"], &[&["ships"], &["ships"]]), [0, 1]);
        assert_eq!(dropped_of(&["ships", "ports"], &[&["ships", "ports", "tides"]]), [0, 1]);
        assert!(dropped_of(&["ships"], &[&["ships", "tides"]]).is_empty());
    }
}

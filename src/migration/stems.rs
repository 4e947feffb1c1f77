//! Series of files that are told by a number behind a name that they share: `schema.sql`, `schema-1.sql`, `schema-2.sql`. Knows
//! names, and which tables texts make; a number in front of a name is for others.

use super::{
    file_number, mentions,
    tables::{Deed, deeds},
};
use crate::source::folder_of;
use std::collections::{BTreeMap, BTreeSet};

/// A file, as far as it matters here.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    /// Its folder, without a slash at its end.
    pub folder: &'a str,
    /// Its name.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// The series that a file belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stem<'a> {
    /// The folder of the series.
    pub folder: &'a str,
    /// The name of its files, with a star for the number.
    pub pattern: String,
    /// The number of the file; `None` for what the series begins with.
    pub number: Option<u64>,
}

/// A file with its number.
type Member<'m, 'a> = (u64, &'m Named<'a>);

/// The series of each file that belongs to one.
pub(super) fn stems<'a>(files: &[Named<'a>]) -> BTreeMap<(&'a str, &'a str), Stem<'a>> {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<Member<'_, 'a>>> = BTreeMap::new();
    for one in files {
        if let Some((head, number, tail)) = parts(one.file) {
            groups.entry((one.folder, head, tail)).or_default().push((number, one));
        }
    }
    let mut found = BTreeMap::new();
    for ((folder, head, tail), mut members) in groups {
        members.sort_by_key(|(number, _)| *number);
        if !is_history(&members) {
            continue;
        }
        let stem = |number| Stem { folder, pattern: format!("{head}*{tail}"), number };
        let first = members.first().map_or(0, |(number, _)| *number);
        let base = files.iter().filter(|one| is_base(one, folder, head, tail, first));
        if let Some(base) = base.max_by_key(|one| one.folder == folder) {
            found.insert((base.folder, base.file), stem(None));
        }
        found.extend(members.iter().map(|(number, one)| ((one.folder, one.file), stem(Some(*number)))));
    }
    found
}

/// What stands in front of the one number in a name, the number, and what stands behind; `None` for one in front of all.
fn parts(file: &str) -> Option<(&str, u64, &str)> {
    if file_number(file).is_some() {
        return None;
    }
    let is_digit = |one: char| one.is_ascii_digit();
    let (head, rest) = file.split_at_checked(file.find(is_digit)?)?;
    let (digits, tail) = rest.split_at_checked(rest.find(|one| !is_digit(one))?)?;
    (!head.is_empty() && !tail.contains(is_digit)).then_some(())?;
    Some((head, digits.parse().ok()?, tail))
}

/// Whether texts can be steps of one history: they change what is there, and most make nothing that one before has made.
fn is_history(members: &[Member<'_, '_>]) -> bool {
    let mut made: BTreeSet<String> = BTreeSet::new();
    let mut again: BTreeSet<u64> = BTreeSet::new();
    let each = |(number, one): &Member<'_, '_>| {
        let number = *number;
        deeds(one.text).into_iter().map(move |deed| (number, deed))
    };
    for (number, deed) in members.iter().flat_map(each) {
        match deed {
            Deed::Creates { is_temporary: true, .. }
            | Deed::Creates { is_attached: true, .. }
            | Deed::Needs(_) => {}
            Deed::Creates { name, .. } | Deed::Renames(_, name) if made.contains(&name) => {
                again.insert(number);
            }
            Deed::Creates { name, .. } => {
                made.insert(name);
            }
            Deed::Drops(name) => {
                made.remove(&name);
            }
            Deed::Renames(from, to) => {
                made.remove(&from);
                made.insert(to);
            }
        }
    }
    let is_one = members.len() >= 2 && again.len() * 2 < members.len();
    is_one && members.iter().any(|(_, one)| mentions(one.text).alters)
}

/// Whether a file makes what a series begins with: it has the name without a number, or with a lower one and no more, and stands
/// beside the series or in the folder above.
fn is_base(one: &Named<'_>, folder: &str, head: &str, tail: &str, first: u64) -> bool {
    let above = folder_of(folder);
    let is_near = one.folder == folder || (one.folder == above && !folder.is_empty());
    let stem = one.file.strip_suffix(".sql").filter(|_| is_near);
    let is_named = stem.is_some_and(|stem| {
        let is_lower = || {
            parts(one.file).is_some_and(|(own, number, end)| {
                own == head && end == ".sql" && tail != end && number < first
            })
        };
        stem == head.trim_end_matches(['-', '_', '.']) || is_lower()
    });
    is_named && !mentions(one.text).created.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(files: &[(&'static str, &'static str)]) -> Vec<String> {
        let named = |(path, text): &(&'static str, &'static str)| {
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
            Named { folder, file, text }
        };
        let named: Vec<Named<'_>> = files.iter().map(named).collect();
        let number =
            |stem: &Stem<'_>| stem.number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let one = |(path, stem): (&(&str, &str), &Stem<'_>)| {
            format!("{} {}/{} {}", path.1, stem.folder, stem.pattern, number(stem))
        };
        stems(&named).iter().map(one).collect()
    }

    #[test]
    fn a_number_behind_a_name_is_that_of_a_series() {
        let alter = "ALTER TABLE a ADD COLUMN b";
        let files = [
            ("db/tables.sql", "CREATE TABLE a(b)"),
            ("db/tables-2.sql", alter),
            ("db/tables-10.sql", "CREATE TABLE c(d)"),
            ("db/other.sql", "CREATE TABLE e(f)"),
        ];
        assert_eq!(
            said(&files),
            [
                "tables-10.sql db/tables-*.sql 10",
                "tables-2.sql db/tables-*.sql 2",
                "tables.sql db/tables-*.sql -"
            ]
        );
        let files = [
            ("db/wing3.sql", "CREATE TABLE a(b)"),
            ("db/up/wing4_more.sql", alter),
            ("db/up/wing5_more.sql", "DROP TABLE a"),
        ];
        assert_eq!(
            said(&files),
            [
                "wing3.sql db/up/wing*_more.sql -",
                "wing4_more.sql db/up/wing*_more.sql 4",
                "wing5_more.sql db/up/wing*_more.sql 5"
            ]
        );
    }

    #[test]
    fn whole_schemas_with_numbers_are_no_series_and_one_step_that_fails_ends_none() {
        let files = [
            ("db/schema1.sql", "CREATE TABLE a(b)"),
            ("db/schema2.sql", "CREATE TABLE a(b, c); ALTER TABLE a ADD d"),
        ];
        assert!(said(&files).is_empty());
        let alter = "ALTER TABLE a ADD d";
        let files = [("db/schema1.sql", "CREATE TABLE a(b)"), ("db/schema2.sql", "CREATE TABLE b.a(b)")];
        assert_eq!(said(&[files[0], files[1], ("db/schema3.sql", alter)]).len(), 3);
        let files = [files[0], ("db/schema2.sql", "CREATE TABLE a(b)"), ("db/schema3.sql", alter)];
        assert_eq!(said(&files).len(), 3);
        let files = [("db/part1.sql", "CREATE TABLE a(b)"), ("db/part2.sql", "CREATE TABLE c(d)")];
        assert!(said(&files).is_empty());
    }
}

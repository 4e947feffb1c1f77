//! Steps that are handed in with what undoes them, and no name says so: `register(2, UP, BACK)`. Told by what the texts do.

use super::search::{Handed, Thing};
use crate::{
    migration::{
        mentions,
        tables::{Deed, deeds},
    },
    source::SourceId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What undoes what stands in front of it at the same place.
pub(super) fn undoing(history: &[Handed], text: impl Fn(Thing) -> String) -> Vec<Thing> {
    let mut rows: BTreeMap<(SourceId, usize), BTreeMap<usize, BTreeSet<Thing>>> = BTreeMap::new();
    for one in history.iter().filter(|one| one.entry.is_version) {
        let row = rows.entry((one.file, one.entry.row)).or_default();
        row.entry(one.entry.column).or_default().insert(one.thing);
    }
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for row in rows.into_values() {
        let columns: Vec<(usize, BTreeSet<Thing>)> = row.into_iter().collect();
        let [(first, forward), (second, back)] = columns.as_slice() else { continue };
        let whole = |things: &BTreeSet<Thing>| things.iter().map(|&thing| text(thing)).collect::<String>();
        // What stands in many places is read once.
        if !forward.union(back).all(|thing| seen.insert(*thing)) {
            continue;
        }
        if first + 1 == *second && undoes(&whole(back), &whole(forward)) {
            found.extend(back);
        }
    }
    found
}

/// Whether a text takes back what another one did: drops what that made, or gives back a name or a column.
fn undoes(back: &str, forward: &str) -> bool {
    let (mut made, mut renamed): (BTreeSet<String>, BTreeSet<(String, String)>) = Default::default();
    for deed in deeds(forward) {
        match deed {
            Deed::Creates { name, .. } => drop(made.insert(name)),
            Deed::Renames(from, to) => drop(renamed.insert((to, from))),
            Deed::Needs(_) | Deed::Drops(_) => {}
        }
    }
    let takes_back = |deed: Deed| match deed {
        Deed::Drops(name) => made.contains(&name),
        Deed::Renames(from, to) => renamed.contains(&(from, to)),
        Deed::Creates { .. } | Deed::Needs(_) => false,
    };
    let indexes: BTreeSet<String> = mentions(forward).indexes.into_iter().collect();
    let named = |sql: &str, words: &[&str]| behind(sql, words);
    deeds(back).into_iter().any(takes_back)
        || named(back, &["drop", "index"]).iter().any(|name| indexes.contains(name))
        || !named(back, &["drop", "column"]).is_disjoint(&named(forward, &["add", "column"]))
}

/// The names behind some words, in lower case.
fn behind(sql: &str, words: &[&str]) -> BTreeSet<String> {
    let lower = sql.to_ascii_lowercase();
    let all: Vec<&str> = lower
        .split(|one: char| one.is_whitespace() || ";(),".contains(one))
        .filter(|word| !word.is_empty())
        .collect();
    let name = |(at, pair): (usize, &[&str])| {
        let rest = all.get(at + pair.len()..)?;
        let own = rest.iter().find(|word| !["if", "exists"].contains(*word))?;
        Some(own.trim_matches(['"', '`', '[', ']']).to_owned()).filter(|_| pair == words)
    };
    all.windows(words.len()).enumerate().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_back_another_text_undoes_it() {
        for (forward, back) in [
            ("CREATE TABLE a(b); CREATE TABLE c(d)", "DROP TABLE c; DROP TABLE a"),
            ("ALTER TABLE a RENAME TO b", "ALTER TABLE b RENAME TO a"),
            ("ALTER TABLE a ADD COLUMN b TEXT", "ALTER TABLE a DROP COLUMN b;"),
            ("CREATE INDEX i ON a(b)", "DROP INDEX IF EXISTS i"),
        ] {
            assert!(undoes(back, forward), "{back}");
        }
        assert!(!undoes("CREATE INDEX i ON a(b)", "CREATE TABLE a(b)"));
        assert!(
            !undoes("CREATE TABLE a(b)", "DROP TABLE a") && !undoes("CREATE INDEX i ON a(b)", "DROP INDEX i")
        );
        assert!(!undoes("DROP TABLE old_a", "CREATE TABLE a(b); INSERT INTO a SELECT b FROM old_a"));
    }
}

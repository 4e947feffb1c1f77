//! The indexes that are worth it, for people: what each heals, what else goes by it, and what it costs to keep.

use std::fmt::Write as _;

/// What is said of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// The database.
    pub database: String,
    /// How many statements cost more than their rows explain.
    pub costly: usize,
    /// Whether their growth was measured; where it was not, the plans alone tell.
    pub is_measured: bool,
    /// The indexes.
    pub indexes: Vec<Index>,
    /// Indexes that heal some statements and make others slower.
    pub harmful: Vec<Harmful>,
    /// Where the costly statements stand that no index heals.
    pub left: Vec<String>,
    /// What was written, or why nothing was, as a line.
    pub written: Option<String>,
}

/// An index that is worth it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// CREATE INDEX.
    pub sql: String,
    /// The DROP INDEX of those that it replaces.
    pub replaced: Vec<String>,
    /// What makes those again.
    pub restored: Vec<String>,
    /// What it heals.
    pub heals: Vec<Healed>,
    /// Where the other statements stand that go by it then.
    pub serves: Vec<String>,
    /// The table, and the B-trees to which each of its rows is written: before, and after.
    pub trees: (String, usize, usize),
}

/// A statement that an index heals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Healed {
    /// Where it stands.
    pub place: String,
    /// How its cost grew with the tables, and how it does then.
    pub growth: (&'static str, &'static str),
    /// The rows of its plan that are there no more.
    pub gone: Vec<String>,
    /// The rows in their place.
    pub come: Vec<String>,
}

/// An index that heals some statements and makes others slower.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Harmful {
    /// CREATE INDEX.
    pub sql: String,
    /// Where the statements stand that it would heal.
    pub heals: Vec<String>,
    /// Where those stand that it would make slower.
    pub slows: Vec<String>,
}

/// The text for a terminal; a line where there is nothing to advise.
pub fn render(all: &[Advice]) -> String {
    let mut text = String::new();
    for one in all.iter().filter(|one| one.costly > 0) {
        if !text.is_empty() {
            text.push('\n');
        }
        database(&mut text, one);
    }
    if text.is_empty() {
        text.push_str("no statement costs more than its rows explain: there is nothing to advise\n");
    }
    text
}

// Writing to a string never fails.
fn line(text: &mut String, indent: usize, words: &str) {
    let _ = writeln!(text, "{:indent$}{words}", "");
}

fn database(text: &mut String, one: &Advice) {
    let healed = {
        let mut places: Vec<&str> =
            one.indexes.iter().flat_map(|index| &index.heals).map(|healed| healed.place.as_str()).collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    let how = if one.is_measured { "" } else { ", by their plans alone" };
    line(
        text,
        0,
        &format!(
            "{}: {} of {} that cost more than their rows explain{how}",
            one.database,
            match one.indexes.len() {
                0 => "no index heals any".to_owned(),
                1 => format!("1 index heals {healed}"),
                number => format!("{number} indexes heal {healed}"),
            },
            statements(one.costly),
        ),
    );
    one.indexes.iter().for_each(|index| self::index(text, index));
    for harmful in &one.harmful {
        line(text, 2, &format!("not advised: {};", harmful.sql));
        harmful.heals.iter().for_each(|place| line(text, 4, &format!("heals {place}")));
        harmful.slows.iter().for_each(|place| line(text, 4, &format!("slows {place}")));
    }
    if !one.left.is_empty() {
        line(text, 2, "no index heals, see `planlint explain` of the place:");
        one.left.iter().for_each(|place| line(text, 4, place));
    }
    if let Some(written) = &one.written {
        line(text, 2, written);
    }
}

fn index(text: &mut String, index: &Index) {
    line(text, 2, &format!("{};", index.sql));
    for sql in &index.replaced {
        line(text, 2, &format!("{sql};"));
    }
    for healed in &index.heals {
        let (before, after) = healed.growth;
        let growth = if before == after { String::new() } else { format!(": {before}, then {after}") };
        line(text, 4, &format!("heals {}{growth}", healed.place));
        healed.gone.iter().for_each(|row| line(text, 6, &format!("- {row}")));
        healed.come.iter().for_each(|row| line(text, 6, &format!("+ {row}")));
    }
    index.serves.iter().for_each(|place| line(text, 4, &format!("serves {place}, too")));
    let (table, before, after) = &index.trees;
    if before == after {
        line(text, 4, &format!("each row of {table} is written to {after} B-trees, as before"));
    } else {
        line(text, 4, &format!("each row of {table} is written to {after} B-trees in place of {before}"));
    }
}

fn statements(number: usize) -> String {
    if number == 1 { "1 statement".to_owned() } else { format!("{number} statements") }
}

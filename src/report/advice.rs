//! The indexes that are worth it, for people: what each heals, what else goes by it, and what it costs to keep.

use super::terminal::{harmless, wrapped};
use crate::growth::size::counted::grouped;
use crate::schema;
use std::fmt::Write as _;

/// What is said of a whole program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Advised {
    /// The root of the tree.
    pub root: String,
    /// The version of the SQLite that judged.
    pub sqlite: String,
    /// Each database.
    pub databases: Vec<Advice>,
}

/// What is said of a database.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// What `--write` would write and what is to be done then, as a line, where that is a file.
    pub next: Option<String>,
    /// What was written, or why nothing was, as a line.
    pub written: Option<String>,
    /// A unified diff that adds the indexes to the code that makes the schema.
    pub patch: Option<String>,
}

/// An index that is worth it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index {
    /// CREATE INDEX; several where only together they heal.
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
    /// What a row writes; `None` where that can't be told.
    pub price: Option<Price>,
}

impl Index {
    /// Each CREATE INDEX of its SQL.
    pub fn statements(&self) -> impl Iterator<Item = &str> {
        schema::statements(&self.sql).filter_map(|(start, end)| self.sql.get(start..end))
    }
}

/// What a row of a table writes, in pages, before an index is made and after that, at least and at most: the two differ
/// where nothing tells in which order the keys of an index come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Price {
    /// The rows of the table for which that is said.
    pub rows: u64,
    /// The rows that one transaction puts in.
    pub per_transaction: u64,
    /// In all B-trees of the table, before.
    pub before: (f64, f64),
    /// The same after.
    pub after: (f64, f64),
    /// The new index is partial: at most, all rows are in it; at least, none is.
    pub is_partial: bool,
    /// In which order the keys of the new index come: `random`, `ordered` or `unknown`.
    pub order: &'static str,
    /// The column, or expression, by which they come in no order, or not in a known one.
    pub column: Option<String>,
    /// The bytes that a row takes more.
    pub bytes: i64,
    /// What it writes more in an UPDATE of a column.
    pub updates: Vec<Update>,
    /// What was measured, if that was wanted.
    pub measured: Option<Measured>,
}

/// An UPDATE of a column of a new index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Update {
    /// The column.
    pub column: String,
    /// Where the first statement stands that sets it.
    pub place: String,
    /// The pages that it writes more for a row, at least and at most.
    pub pages: (f64, f64),
}

/// What rows wrote that were put in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// How many.
    pub rows: u64,
    /// The pages that each of the last ones wrote, before and after. Keys of which nothing is known came in no order.
    pub pages: (f64, f64),
    /// What was predicted for so many rows, with keys in the same order.
    pub predicted: (f64, f64),
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

/// The text for a terminal of this width; a line where there is nothing to advise.
pub fn render(advised: &Advised, width: usize) -> String {
    let mut text = String::new();
    for one in advised.databases.iter().filter(|one| one.costly > 0) {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut own = String::new();
        database(&mut own, one);
        text.push_str(&wrapped(&own, width));
        // As it is, so that what is printed can be handed to who applies patches.
        text.push_str(one.patch.as_deref().unwrap_or_default());
    }
    if text.is_empty() {
        text.push_str("no statement costs more than its rows explain: there is nothing to advise\n");
    }
    text
}

// Writing to a string never fails.
fn line(text: &mut String, indent: usize, words: &str) {
    let _ = writeln!(text, "{:indent$}{}", "", harmless(words));
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
            "{}: {} of {}{how}",
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
        let which = if one.indexes.is_empty() { "" } else { "no index heals these; " };
        line(text, 2, &format!("{which}see `planlint explain` of the place:"));
        one.left.iter().for_each(|place| line(text, 4, place));
    }
    for words in one.next.iter().chain(&one.written) {
        line(text, 2, words);
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
        line(text, 4, &format!("each row of {table} is written to {after} B-trees instead of {before}"));
    }
    if let Some(price) = &index.price {
        self::price(text, price);
    }
}

fn price(text: &mut String, price: &Price) {
    let Price { before, after, bytes, .. } = price;
    let more = (after.0 - before.0, after.1 - before.1);
    let column = price.column.as_deref().unwrap_or_default();
    let why = match price.order {
        _ if price.is_partial => "the fewer pages, the fewer rows are in the index".to_owned(),
        "random" => format!("the values of `{column}` come in no order"),
        "ordered" => "its keys come in order".to_owned(),
        _ if is_one(more) => format!("in whatever order the values of `{column}` come"),
        _ => format!("the fewer pages, the more the values of `{column}` come in order"),
    };
    let least = if is_one(*before) && is_one(*after) { "" } else { "at least " };
    let (was, is) = (pages(before.0), pages(after.0));
    let all = if was == is || more.0.abs() < 0.05 {
        String::new()
    } else {
        format!(", {least}{is} instead of {was}")
    };
    let room = match bytes {
        0 => String::new(),
        1.. => format!(", and takes {bytes} bytes more"),
        _ => format!(", and takes {} bytes less", -bytes),
    };
    let number = if more.1.abs() < 0.005 { "as many pages".to_owned() } else { difference(more) };
    line(text, 4, &format!("a row writes {number} at {} rows{all}{room}: {why}", grouped(price.rows)));
    // How many of its rows lie together, nobody knows.
    for Update { column, place, pages: most } in &price.updates {
        line(text, 4, &format!("an UPDATE of `{column}` writes up to {} pages more: {place}", pages(most.1)));
    }
    if let Some(Measured { rows, pages: measured, predicted }) = &price.measured {
        let both = |(before, after): (f64, f64)| format!("{} instead of {}", pages(after), pages(before));
        let words = format!(
            "measured: {} at {} rows; predicted: {}",
            both(*measured),
            grouped(*rows),
            both(*predicted)
        );
        line(text, 4, &words);
    }
}

/// Whether what is at least and at most is hardly two.
fn is_one((least, most): (f64, f64)) -> bool {
    most - least < 0.05
}

/// So many pages more, or less.
fn difference((least, most): (f64, f64)) -> String {
    match (is_one((least, most)), most < 0.0) {
        (true, true) => format!("{} pages less", pages(-least)),
        (true, false) => format!("{} pages more", pages(most)),
        (false, _) if least < 0.005 => format!("up to {} pages more", pages(most)),
        (false, _) => format!("{} to {} pages more", pages(least), pages(most)),
    }
}

/// A number of pages: two digits, and as many behind the point as that takes.
fn pages(number: f64) -> String {
    if number < 0.995 { format!("{number:.2}") } else { format!("{number:.1}") }
}

fn statements(number: usize) -> String {
    match number {
        1 => "1 statement that costs more than its rows explain".to_owned(),
        number => format!("{number} statements that cost more than their rows explain"),
    }
}

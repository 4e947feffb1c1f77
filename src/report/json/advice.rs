//! What is advised as JSON, version 1: a format of its own, as that of a report. docs/output.md describes it. Keys may be
//! added; none is removed or changed in meaning within a version.

use super::document::document;
use crate::report::advice::{Advice, Advised, Harmful, Healed, Index, Measured, Price, Update};
use serde::Serialize;

/// What is advised on one line, with a line break at its end.
pub fn render(advised: &Advised) -> String {
    let databases = advised.databases.iter().map(DatabaseOut::from).collect();
    document(&advised.sqlite, Some(&advised.root), Out { databases })
}

#[derive(Serialize)]
struct Out<'a> {
    databases: Vec<DatabaseOut<'a>>,
}

#[derive(Serialize)]
struct DatabaseOut<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<&'static str>,
    costly: usize,
    indexes: Vec<IndexOut<'a>>,
    not_advised: Vec<HarmfulOut<'a>>,
    left: Vec<SpotOut<'a>>,
    written: Option<&'a str>,
    patch: Option<&'a str>,
}

impl<'a> From<&'a Advice> for DatabaseOut<'a> {
    fn from(one: &'a Advice) -> Self {
        Self {
            name: &one.database,
            growth: (!one.is_measured).then_some("not measured"),
            costly: one.costly,
            indexes: one.indexes.iter().map(IndexOut::from).collect(),
            not_advised: one.harmful.iter().map(HarmfulOut::from).collect(),
            left: spots(&one.left),
            written: one.written.as_deref(),
            patch: one.patch.as_deref(),
        }
    }
}

/// A line of a file.
#[derive(Serialize)]
struct SpotOut<'a> {
    path: &'a str,
    line: Option<u32>,
}

fn spot(place: &str) -> SpotOut<'_> {
    let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
    SpotOut { path, line: line.parse().ok() }
}

fn spots(places: &[String]) -> Vec<SpotOut<'_>> {
    places.iter().map(|place| spot(place)).collect()
}

#[derive(Serialize)]
struct IndexOut<'a> {
    table: &'a str,
    sql: &'a str,
    replaces: Vec<ReplacedOut<'a>>,
    heals: Vec<HealedOut<'a>>,
    serves: Vec<SpotOut<'a>>,
    trees: [usize; 2],
    price: Option<PriceOut<'a>>,
}

impl<'a> From<&'a Index> for IndexOut<'a> {
    fn from(one: &'a Index) -> Self {
        let (table, before, after) = &one.trees;
        let replaced = one.replaced.iter().zip(&one.restored);
        Self {
            table,
            sql: &one.sql,
            replaces: replaced.map(|(drop, create)| ReplacedOut { drop, create }).collect(),
            heals: one.heals.iter().map(HealedOut::from).collect(),
            serves: spots(&one.serves),
            trees: [*before, *after],
            price: one.price.as_ref().map(PriceOut::from),
        }
    }
}

#[derive(Serialize)]
struct ReplacedOut<'a> {
    drop: &'a str,
    create: &'a str,
}

#[derive(Serialize)]
struct HealedOut<'a> {
    place: SpotOut<'a>,
    classes: [&'static str; 2],
    gone: &'a [String],
    come: &'a [String],
}

impl<'a> From<&'a Healed> for HealedOut<'a> {
    fn from(one: &'a Healed) -> Self {
        let (before, after) = one.growth;
        Self { place: spot(&one.place), classes: [before, after], gone: &one.gone, come: &one.come }
    }
}

#[derive(Serialize)]
struct HarmfulOut<'a> {
    sql: &'a str,
    heals: Vec<SpotOut<'a>>,
    slows: Vec<SpotOut<'a>>,
}

impl<'a> From<&'a Harmful> for HarmfulOut<'a> {
    fn from(one: &'a Harmful) -> Self {
        Self { sql: &one.sql, heals: spots(&one.heals), slows: spots(&one.slows) }
    }
}

#[derive(Serialize)]
struct PriceOut<'a> {
    rows: u64,
    per_transaction: u64,
    before: PagesOut,
    after: PagesOut,
    partial: bool,
    key_order: Option<&'static str>,
    column: Option<&'a str>,
    bytes: i64,
    updates: Vec<UpdateOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredOut>,
}

impl<'a> From<&'a Price> for PriceOut<'a> {
    fn from(one: &'a Price) -> Self {
        Self {
            rows: one.rows,
            per_transaction: one.per_transaction,
            before: one.before.into(),
            after: one.after.into(),
            partial: one.is_partial,
            key_order: Some(one.order).filter(|order| *order != "unknown"),
            column: one.column.as_deref(),
            bytes: one.bytes,
            updates: one.updates.iter().map(UpdateOut::from).collect(),
            measured: one.measured.as_ref().map(MeasuredOut::from),
        }
    }
}

/// Pages at least and at most.
#[derive(Serialize)]
struct PagesOut {
    least: f64,
    most: f64,
}

impl From<(f64, f64)> for PagesOut {
    fn from((least, most): (f64, f64)) -> Self {
        Self { least: rounded(least), most: rounded(most) }
    }
}

/// What is predicted is not known better.
fn rounded(pages: f64) -> f64 {
    (pages * 1000.0).round() / 1000.0
}

#[derive(Serialize)]
struct UpdateOut<'a> {
    column: &'a str,
    place: SpotOut<'a>,
    more: PagesOut,
}

impl<'a> From<&'a Update> for UpdateOut<'a> {
    fn from(one: &'a Update) -> Self {
        Self { column: &one.column, place: spot(&one.place), more: one.pages.into() }
    }
}

#[derive(Serialize)]
struct MeasuredOut {
    rows: u64,
    pages: [f64; 2],
    predicted: [f64; 2],
}

impl From<&Measured> for MeasuredOut {
    fn from(one: &Measured) -> Self {
        let both = |(before, after): (f64, f64)| [rounded(before), rounded(after)];
        Self { rows: one.rows, pages: both(one.pages), predicted: both(one.predicted) }
    }
}

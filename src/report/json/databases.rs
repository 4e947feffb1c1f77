//! The databases of a report, as JSON.

use crate::report::{DatabaseSummary, StatisticsSummary, Variant};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct DatabaseOut<'a> {
    name: &'a str,
    found: &'a str,
    tables: u32,
    indexes: u32,
    migrations: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<StatisticsOut<'a>>,
    variants: Vec<VariantOut<'a>>,
}

impl<'a> From<&'a DatabaseSummary> for DatabaseOut<'a> {
    fn from(database: &'a DatabaseSummary) -> Self {
        Self {
            name: &database.name,
            found: &database.found,
            tables: database.tables,
            indexes: database.indexes,
            migrations: database.migrations,
            statistics: database.statistics.as_ref().map(StatisticsOut::from),
            variants: database.variants.iter().map(VariantOut::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct VariantOut<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    releases: &'a [String],
}

impl<'a> From<&'a Variant> for VariantOut<'a> {
    fn from(variant: &'a Variant) -> Self {
        Self { id: &variant.id, releases: &variant.releases }
    }
}

/// What a database in the field is like, by whom.
#[derive(Serialize)]
struct StatisticsOut<'a> {
    path: &'a str,
    date: &'a str,
    tables: u32,
    analyzed: bool,
}

impl<'a> From<&'a StatisticsSummary> for StatisticsOut<'a> {
    fn from(of: &'a StatisticsSummary) -> Self {
        Self { path: &of.path, date: &of.date, tables: of.tables, analyzed: of.is_analyzed }
    }
}

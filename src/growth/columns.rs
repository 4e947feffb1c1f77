//! Which column each parameter of a statement is compared with or stored in. Runs nothing.

use super::{
    parameters::Target,
    uses::{Catalog, Reading},
};
use crate::workload::{Database, Statement};
use rayon::prelude::*;

/// The column that a parameter is compared with or stored in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterColumn {
    /// The table, as the schema names it.
    pub table: String,
    /// The column.
    pub column: String,
    /// Whether the parameter is one of a list of any length.
    pub is_list: bool,
}

/// The columns of the parameters of each statement, in SQLite's order; none for what was not planned.
pub fn parameter_columns(
    databases: &[Database],
    statements: &[Statement],
) -> Vec<Vec<Option<ParameterColumn>>> {
    let catalogs: Vec<Catalog<'_>> =
        databases.iter().map(|database| Catalog::new(&database.variant.objects)).collect();
    let has_parameters = |statement: &Statement| {
        statement.explained().is_some_and(|explained| !explained.parameters.is_empty())
    };
    statements
        .par_iter()
        .map(|statement| {
            let catalog = statement.database().and_then(|index| catalogs.get(index));
            let reading = catalog
                .filter(|_| has_parameters(statement))
                .and_then(|catalog| Some((catalog, Reading::new(catalog, statement)?)));
            reading.map_or_else(Vec::new, |(catalog, reading)| columns(catalog, &reading))
        })
        .collect()
}

fn columns(catalog: &Catalog<'_>, reading: &Reading) -> Vec<Option<ParameterColumn>> {
    let column = |(ordinal, target): (usize, &Target)| {
        let (Target::Compared((table, column), ..)
        | Target::Set((table, column))
        | Target::Inserted((table, column))) = *target
        else {
            return None;
        };
        let table = catalog.objects.tables.get(table)?;
        Some(ParameterColumn {
            table: table.name.clone(),
            column: table.columns.get(column)?.name.clone(),
            is_list: reading.list.is_some() && ordinal == reading.list_place(),
        })
    };
    reading.targets.iter().enumerate().map(column).collect()
}

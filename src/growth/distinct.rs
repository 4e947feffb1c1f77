//! What the rows that are made say of the values of columns: few, many, or each its own.

use super::ColumnValues;
use super::literals::Literal;
use super::model::{Model, Rows};
use super::values::Kind;
use crate::schema::Objects;

/// What the model says of columns, as facts.
pub(super) fn column_values(database: usize, model: &Model, objects: &Objects) -> Vec<ColumnValues> {
    let mut found = Vec::new();
    for (table, object) in model.tables.iter().zip(&objects.tables) {
        for (column, declared) in
            table.columns.iter().zip(&object.columns).filter(|(one, _)| !one.is_computed)
        {
            let list =
                |literals: &[Literal]| literals.iter().map(Literal::sql).collect::<Vec<_>>().join(", ");
            let is_key = declared.primary_key == 1
                && object.columns.iter().filter(|column| column.primary_key > 0).count() == 1;
            let (distinct, reason) = if !column.flags.is_empty() {
                ("few", Some(format!("its values are {}", list(&column.flags))))
            } else if is_key {
                ("unique", None)
            } else if !column.sentinels.is_empty() {
                ("many", Some(format!("{} stands apart", list(&column.sentinels))))
            } else if matches!(column.rows, Rows::Groups) {
                ("many", None)
            } else {
                continue;
            };
            let is_random = column.kind == Kind::Hash;
            found.push(ColumnValues {
                database,
                table: table.name.clone(),
                column: column.name.clone(),
                distinct,
                is_random,
                reason,
            });
        }
    }
    found
}

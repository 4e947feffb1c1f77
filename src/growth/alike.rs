//! Which data sets give a table the same rows, so that it is filled once for them. Knows no value.

use super::data::Data;
use super::model::{ColumnModel, Model, Rows};
use super::uses::At;

impl Model {
    /// The first data set in which the rows of a table are the same as in this one.
    pub fn alike(&self, table: usize, data: Data) -> Data {
        let columns = self.tables.get(table).map_or(&[][..], |table| &table.columns);
        let few = |one: &ColumnModel| one.varies() || !one.sentinels.is_empty();
        let outer = self.tables.get(table).is_some_and(|table| table.is_outer);
        let is_child = |column: &ColumnModel| matches!(column.rows, Rows::Child { .. });
        let differs = columns.iter().enumerate().any(|(number, column)| match data {
            Data::Uniform => false,
            Data::Nested => outer || is_child(column),
            Data::FirstCommon => few(column) || column.is_excluded || is_child(column),
            Data::LastCommon => few(column),
            Data::FewGroups => self.groups((table, number), 0),
            Data::SharedKey => column.is_shared || is_child(column),
        });
        if differs { data } else { Data::Uniform }
    }

    /// Whether big groups of rows can share a value of a column: its own, or that of a row it refers to.
    fn groups(&self, at: At, depth: u8) -> bool {
        self.column(at).is_some_and(|column| match column.rows {
            Rows::Groups => column.can_group,
            Rows::Child { parent, .. } => column.can_group || (depth < 10 && self.groups(parent, depth + 1)),
            Rows::Own | Rows::Shifted => false,
        })
    }
}

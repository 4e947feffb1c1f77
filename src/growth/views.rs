//! What views ask of the columns of tables: the values that they tell apart are those that the tables have, though no statement names
//! them.

use super::uses::{Catalog, Op, Uses, note, operator};
use crate::extract::names::{self, Predicate, Value};

/// Adds the literals that views compare columns with to what statements ask.
pub(super) fn add_to(catalog: &Catalog<'_>, uses: &mut Uses) {
    for view in &catalog.objects.views {
        let Some(names) = body(&view.sql).and_then(names::names) else { continue };
        // A value that a view leaves out may be the only one of its kind.
        let is_told = |one: &&Predicate| {
            matches!(one.value, Value::Literal(_))
                && matches!(operator(&one.operator), Some(Op::Equal | Op::In))
        };
        for predicate in names.predicates.iter().filter(is_told) {
            let qualifier = predicate.qualifier.as_deref();
            if let Some(at) = catalog.resolve(Some(&names), None, qualifier, &predicate.column) {
                note(uses.columns.entry(at).or_default(), predicate);
            }
        }
    }
}

/// The SELECT of `CREATE VIEW name (columns) AS SELECT …`.
fn body(sql: &str) -> Option<&str> {
    names::find_word(sql, "as").and_then(|(_, end)| sql.get(end..))
}

//! Unique keys of expressions alone, such as `(coalesce(clean, lower(email)))`: with a value of its own in each of their columns, each
//! row has one of the key, for most expressions. Knows no expression.

use super::tokens::{Kind, tokens};
use super::uses::{At, Catalog};

/// The columns of such keys.
pub(super) fn expressed(catalog: &Catalog<'_>) -> Vec<At> {
    let mut found = Vec::new();
    for index in catalog.objects.indexes.iter().filter(|index| index.unique) {
        let Some(table) = catalog.table(&index.table) else { continue };
        let keys = || index.columns.iter().filter(|column| column.key);
        if keys().any(|key| key.name.is_some()) {
            continue;
        }
        for expression in keys().filter_map(|key| key.expression.as_deref()) {
            let tokens = tokens(expression);
            let is_call = |at: usize| tokens.get(at + 1).is_some_and(|next| next.is("("));
            let names = tokens.iter().enumerate().filter(|(at, one)| one.kind == Kind::Word && !is_call(*at));
            found.extend(names.filter_map(|(_, one)| catalog.column(table, &one.plain())));
        }
    }
    found
}

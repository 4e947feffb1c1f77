//! Keys that an INSERT writes out, so that it adds one row at most. Knows the words of statements and the columns of keys.

use super::insert_lists;
use crate::growth::literals::is_conversion;
use crate::schema::{Column, Objects, Table, same};

/// Whether an INSERT gives literals, or has them as DEFAULT, for all columns of some unique key, so that it can add only one row.
pub(super) fn has_key(sql: &str, table: &Table, objects: &Objects) -> bool {
    let Some((columns, values)) = insert_lists(sql, table) else { return false };
    let is_given = |name: &str| columns.iter().any(|one| same(one, name));
    let keys = table.columns.iter().filter(|one| one.primary_key > 0).count();
    // The alias of a rowid has a number of its own, whatever its DEFAULT.
    let is_rowid = |one: &Column| {
        one.primary_key > 0
            && keys == 1
            && !table.without_rowid
            && one.declared_type.eq_ignore_ascii_case("integer")
    };
    let by_default =
        table.columns.iter().filter(|one| one.default.as_deref().is_some_and(is_literal) && !is_rowid(one));
    let by_default = by_default.map(|one| one.name.to_lowercase()).filter(|name| !is_given(name));
    let by_default: Vec<String> = by_default.collect();
    let literal: Vec<String> = columns
        .into_iter()
        .zip(values)
        .filter(|(_, value)| is_literal(value))
        .map(|(column, _)| column.to_lowercase())
        .chain(by_default)
        .collect();
    let has = |name: &str| literal.iter().any(|one| *one == name.to_lowercase());
    let mut key = table.columns.iter().filter(|column| column.primary_key > 0).peekable();
    if key.peek().is_some() && key.all(|column| has(&column.name)) {
        return true;
    }
    let is_column = |name: &str| table.columns.iter().any(|column| same(&column.name, name));
    if !table.without_rowid && ["rowid", "_rowid_", "oid"].iter().any(|name| has(name) && !is_column(name)) {
        return true;
    }
    let unique = objects
        .indexes
        .iter()
        .filter(|index| index.unique && index.filter.is_none() && index.table == table.name);
    unique.into_iter().any(|index| {
        let mut keys = index.columns.iter().filter(|column| column.key).peekable();
        keys.peek().is_some() && keys.all(|column| column.name.as_deref().is_some_and(has))
    })
}

fn is_literal(value: &str) -> bool {
    let value = value.trim();
    let quoted = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    value.parse::<f64>().is_ok() || quoted.is_some_and(|text| !is_conversion(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_formatter_fills_is_no_literal() {
        for text in ["'main'", "7", "''", "'100%'", "'% of all'", "'{}'", "'{\"a\": 1}'"] {
            assert!(is_literal(text), "{text}");
        }
        for text in ["'%s'", "'%1'", "'%1%'", "'%-8d'", "'{0}'", "?"] {
            assert!(!is_literal(text), "{text}");
        }
    }
}

//! Which columns have few values, and which: told from their types, their names, and what statements compare them with.

use super::literals::Literal;
use super::uses::Use;
use super::values::Kind;
use crate::schema::Column;
use std::collections::BTreeSet;

/// The values of a column that has few.
pub(super) fn flags(declared: &Column, asked: &Use, kind: Kind, is_free: bool) -> Vec<Literal> {
    let compared: BTreeSet<Literal> =
        asked.literals.iter().chain(&asked.set).filter(|one| **one != Literal::Null).cloned().collect();
    let words = declared.declared_type.to_ascii_uppercase();
    let is_small = |one: &Literal| match one {
        Literal::Integer(number) => (-1..=16).contains(number),
        Literal::Text(_) => true,
        _ => false,
    };
    let is_few = compared.len() <= 8 && compared.iter().all(is_small);
    let is_declared = (words.contains("BOOL") || words.contains("TINYINT")) && !asked.joined;
    let by_use = is_free && is_few && !compared.is_empty() && asked.literals.iter().any(is_small);
    let by_name = is_free && is_few && is_flag_name(&declared.name);
    if !(is_declared && is_few || by_use || by_name) {
        return Vec::new();
    }
    let mut values = compared;
    if values.is_empty() && !is_declared && kind == Kind::Text {
        values.extend(["a", "b", "c", "d"].map(|text| Literal::Text(text.to_owned())));
    } else if values.is_empty() && !is_declared {
        values.extend((0..4).map(Literal::Integer));
    } else if values.iter().any(|one| matches!(one, Literal::Integer(_))) || is_declared {
        values.extend([0, 1].map(Literal::Integer));
    } else if values.len() == 1 {
        values.insert(Literal::Text("other".to_owned()));
    }
    values.into_iter().collect()
}

fn is_flag_name(name: &str) -> bool {
    const LAST: [&str; 24] = [
        "status",
        "state",
        "kind",
        "type",
        "flag",
        "flags",
        "valid",
        "processed",
        "orphaned",
        "canonical",
        "active",
        "deleted",
        "enabled",
        "disabled",
        "done",
        "read",
        "seen",
        "archived",
        "pending",
        "confirmed",
        "spent",
        "used",
        "visible",
        "hidden",
    ];
    let name = name.to_lowercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    ["is_", "has_", "was_"].iter().any(|prefix| name.starts_with(prefix)) || LAST.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Affinity, Generated};

    fn values(name: &str, declared: &str, literals: &[i64]) -> Vec<Literal> {
        let column = Column {
            name: name.to_owned(),
            declared_type: declared.to_owned(),
            affinity: Affinity::of(declared),
            not_null: true,
            default: None,
            primary_key: 0,
            generated: Generated::No,
            hidden: false,
            collation: "BINARY".to_owned(),
        };
        let literals = literals.iter().copied().map(Literal::Integer).collect();
        flags(&column, &Use { literals, ..Use::default() }, Kind::Integer, true)
    }

    #[test]
    fn a_flag_is_known_by_its_type_its_name_or_what_it_is_compared_with() {
        let few = [0, 1].map(Literal::Integer);
        assert_eq!(values("x", "BOOLEAN", &[]), few);
        assert_eq!(values("x", "INTEGER", &[1]), few);
        assert_eq!(values("block_status", "INTEGER", &[]).len(), 4);
    }

    #[test]
    fn an_amount_is_no_flag() {
        assert!(values("amount", "INTEGER", &[]).is_empty());
        assert!(values("amount", "INTEGER", &[5000]).is_empty());
    }
}

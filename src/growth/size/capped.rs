//! Tables of which only the newest rows are kept: by a trigger, or by a DELETE that leaves so many, where rows are
//! put in.

use super::{Writing, Writings, words};
use crate::{
    extract::Role,
    schema::{Objects, StatementKind, Table, same},
    source::Site,
};

/// The most rows that are few: what keeps more may well be slow.
const MOST: u64 = 1000;

/// How many rows are kept, and what keeps them.
pub(super) fn cap(
    table: &Table,
    objects: &Objects,
    own: &Writings<'_>,
) -> Option<(u64, (Option<Site>, String))> {
    let name = table.name.to_lowercase();
    let is_key = |column: &str| {
        let keys = || table.columns.iter().filter(|one| one.primary_key > 0);
        let by_index = || {
            objects.indexes_of(&table.schema, &table.name).any(|index| {
                let mut own =
                    index.columns.iter().filter(|one| one.key).filter_map(|one| one.name.as_deref());
                index.unique && own.next().is_some_and(|name| same(name, column)) && own.next().is_none()
            })
        };
        ["rowid", "_rowid_", "oid"].contains(&column)
            || (keys().count() == 1 && keys().any(|one| same(&one.name, column)))
            || by_index()
    };
    let said = |rows: u64, what: &str| format!("{what} keeps the newest {rows} rows");
    let on_table =
        objects.triggers.iter().filter(|one| same(&one.table, &table.name) && one.event == "INSERT");
    let by_trigger = on_table.into_iter().find_map(|one| {
        let rows = kept(&words(&one.sql), &name, &is_key)?;
        Some((rows, (None, said(rows, &format!("the trigger `{}`", one.name)))))
    });
    by_trigger.or_else(|| {
        // Else it may be run by hand.
        let is_beside = |one: &&Writing<'_>| {
            let mut live = own.inserts.iter().filter(|insert| insert.role == Role::Production);
            one.function.is_some() && live.all(|insert| insert.function == one.function)
        };
        let deletes = own.deletes.iter().filter(|one| one.explained.kind == StatementKind::Delete);
        let deletes = deletes.filter(is_beside);
        deletes.into_iter().find_map(|one| {
            let rows = kept(&words(one.statement.text.as_str()), &name, &is_key)?;
            Some((rows, (Some(one.statement.site), said(rows, "this DELETE"))))
        })
    })
}

/// How many rows of a table a DELETE among these words leaves at the most; `is_key`: a column that no two rows share.
fn kept(words: &[String], table: &str, is_key: &dyn Fn(&str) -> bool) -> Option<u64> {
    let begins = |at: &usize| {
        let next = |place: usize| words.get(at + place).map(String::as_str);
        next(0) == Some("delete")
            && next(1) == Some("from")
            && next(2) == Some(table)
            && next(3) == Some("where")
    };
    let at = (0..words.len()).find(begins)?;
    let term: Vec<&str> =
        words.get(at + 4..)?.iter().map(String::as_str).take_while(|word| *word != ";").collect();
    let number = |text: &str| text.parse().ok().filter(|&rows| (1..=MOST).contains(&rows));
    let term = term.as_slice();
    // Of a key that counts up.
    if let [column, "<", "new", ".", other, "-", rows] | [column, "<", "=", "new", ".", other, "-", rows] =
        term
    {
        return number(rows).filter(|_| column == other);
    }
    let [column, rest @ ..] = term else { return None };
    let (["not", "in", "(", within @ .., ")"]
    | ["in" | "<", "(", within @ .., ")"]
    | ["<", "=", "(", within @ .., ")"]) = rest
    else {
        return None;
    };
    let is_sorted =
        matches!(within, ["select", own, "from", of, "order", ..] if own == column && *of == table);
    // What is compared by `<` may be shared, but has to fall.
    let is_plain =
        is_sorted && if rest.first() == Some(&"<") { within.contains(&"desc") } else { is_key(column) };
    let ((&"not", [.., "limit", rows])
    | (&"in", [.., "limit", "-", "1", "offset", rows])
    | (&"<", [.., "limit", "1", "offset", rows] | [.., "limit", rows, ",", "1"])) = (rest.first()?, within)
    else {
        return None;
    };
    number(rows).filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_the_newest_rows_says_how_many() {
        let kept = |sql: &str| kept(&words(sql), "t", &|column| column == "id");
        let trigger = "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t WHERE id <= NEW.id - 100; END";
        assert_eq!(kept(trigger), Some(100));
        assert_eq!(
            kept("DELETE FROM t WHERE id NOT IN (SELECT id FROM t ORDER BY at DESC LIMIT 50)"),
            Some(50)
        );
        assert_eq!(
            kept("DELETE FROM t WHERE at <= (SELECT at FROM t ORDER BY at DESC LIMIT 1 OFFSET 9)"),
            Some(9)
        );
        assert_eq!(
            kept("DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY id DESC LIMIT -1 OFFSET 7)"),
            Some(7)
        );
        for other in [
            "DELETE FROM t WHERE id NOT IN (SELECT id FROM t WHERE room = ? ORDER BY at LIMIT 50)",
            "DELETE FROM t WHERE room = ? AND id NOT IN (SELECT id FROM t ORDER BY at LIMIT 50)",
            "DELETE FROM t WHERE id NOT IN (SELECT id FROM t ORDER BY at DESC LIMIT ?)",
            "DELETE FROM t WHERE at < (SELECT at FROM t ORDER BY at DESC LIMIT 1 OFFSET 50000)",
            "DELETE FROM t WHERE room NOT IN (SELECT room FROM t ORDER BY room DESC LIMIT 50)",
            "DELETE FROM t WHERE id NOT IN (SELECT id FROM rooms ORDER BY at DESC LIMIT 50)",
            "DELETE FROM t WHERE at < (SELECT at FROM t ORDER BY at LIMIT 1 OFFSET 50)",
            "DELETE FROM u WHERE id NOT IN (SELECT id FROM t ORDER BY at DESC LIMIT 50)",
        ] {
            assert_eq!(kept(other), None, "{other}");
        }
    }
}

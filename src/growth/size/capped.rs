//! Tables of which only the newest rows are kept: by a trigger, or by a DELETE that leaves so many, where rows are
//! put in.

use super::{Writing, Writings, words};
use crate::{
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
    let said = |rows: u64, what: &str| format!("{what} keeps the newest {rows} rows");
    let on_table =
        objects.triggers.iter().filter(|one| same(&one.table, &table.name) && one.event == "INSERT");
    let by_trigger = on_table.into_iter().find_map(|one| {
        let rows = kept(&words(&one.sql), &name)?;
        Some((rows, (None, said(rows, &format!("the trigger `{}`", one.name)))))
    });
    by_trigger.or_else(|| {
        // Else it may be run by hand.
        let is_beside = |one: &&Writing<'_>| {
            one.function.is_some() && own.inserts.iter().any(|insert| insert.function == one.function)
        };
        let deletes = own.deletes.iter().filter(|one| one.explained.kind == StatementKind::Delete);
        let deletes = deletes.filter(is_beside);
        deletes.into_iter().find_map(|one| {
            let rows = kept(&words(one.statement.text.as_str()), &name)?;
            Some((rows, (Some(one.statement.site), said(rows, "this DELETE"))))
        })
    })
}

/// How many rows of a table a DELETE among these words leaves at the most.
fn kept(words: &[String], table: &str) -> Option<u64> {
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
    let [_, rest @ ..] = term else { return None };
    let (["not", "in", "(", within @ .., ")"]
    | ["in" | "<", "(", within @ .., ")"]
    | ["<", "=", "(", within @ .., ")"]) = rest
    else {
        return None;
    };
    let is_plain = within.first() == Some(&"select")
        && within.contains(&"order")
        && !["where", "join", "group"].iter().any(|word| within.contains(word));
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
        let kept = |sql: &str| kept(&words(sql), "t");
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
            "DELETE FROM u WHERE id NOT IN (SELECT id FROM t ORDER BY at DESC LIMIT 50)",
        ] {
            assert_eq!(kept(other), None, "{other}");
        }
    }
}

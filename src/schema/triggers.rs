//! What triggers write, by their words: SQLite's plan shows a scan there, and not whether one row was meant.

use super::tokens::{Kind, Token, Tokens};

/// What may stand in a condition and is no name.
const KEYWORDS: [&str; 28] = [
    "and",
    "or",
    "not",
    "is",
    "isnull",
    "notnull",
    "null",
    "in",
    "like",
    "glob",
    "between",
    "escape",
    "case",
    "when",
    "then",
    "else",
    "end",
    "collate",
    "nocase",
    "distinct",
    "from",
    "true",
    "false",
    "regexp",
    "match",
    "current_date",
    "current_time",
    "current_timestamp",
];

/// The tables of which a trigger updates each row or none: the WHERE of an UPDATE there asks for values of the row that the trigger
/// runs for, and names no column of the table itself. One without a WHERE says that it means all, and what is deleted so is to go.
pub fn written_whole(trigger: &str) -> Vec<String> {
    let tokens: Vec<Token<'_>> = Tokens::from(trigger, 0).collect();
    let Some(begin) = tokens.iter().position(|token| token.is("begin")) else { return Vec::new() };
    let body = tokens.get(begin + 1..).unwrap_or(&[]);
    body.split(|token| token.is_sign(';')).filter_map(whole).collect()
}

/// The table of a statement that updates each of its rows or none.
fn whole(statement: &[Token<'_>]) -> Option<String> {
    statement.first().filter(|first| first.is("update"))?;
    // `UPDATE OR IGNORE t`
    let at = if statement.get(1)?.is("or") { 3 } else { 1 };
    let table = statement.get(at).filter(|token| token.is_name())?;
    let mut depth = 0_i32;
    let mut clauses = statement.iter().enumerate().skip(at + 1).filter(|(_, token)| {
        depth += i32::from(token.is_sign('(')) - i32::from(token.is_sign(')'));
        depth == 0 && (token.is("where") || token.is("from"))
    });
    // With another table, rows are found by that.
    let (from, _) = clauses.next().filter(|(_, token)| token.is("where"))?;
    let condition = statement.get(from + 1..)?;
    let is_row = |at: usize| {
        condition.get(at).is_some_and(|token| token.is("new") || token.is("old"))
            && condition.get(at + 1).is_some_and(|token| token.is_sign('.'))
    };
    let (mut at, mut asks) = (0, false);
    while let Some(token) = condition.get(at) {
        if is_row(at) {
            asks = true;
            at += 3;
            continue;
        }
        let is_call = condition.get(at + 1).is_some_and(|next| next.is_sign('('));
        let is_keyword = KEYWORDS.iter().any(|keyword| token.is(keyword));
        // What a query within reads may be the table, too.
        if matches!(token.kind, Kind::Word | Kind::Quoted) && !is_call && !is_keyword {
            return None;
        }
        at += 1;
    }
    asks.then(|| table.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_on_the_row_alone_writes_all_rows_or_none() {
        let of = |body: &str| written_whole(&format!("CREATE TRIGGER t AFTER UPDATE ON a BEGIN {body} END"));
        assert_eq!(of("UPDATE a SET at = 1 WHERE OLD.x <> NEW.x AND coalesce(NEW.y, '') <> 'a';"), ["a"]);
        assert_eq!(of("SELECT 1; UPDATE \"b c\" SET x = 1 WHERE NEW.x IS NOT NULL AND true;"), ["b c"]);
        assert_eq!(of("UPDATE OR IGNORE b SET n = n + 1 WHERE (OLD.x IN (1, 2));"), ["b"]);
        for one in [
            "UPDATE a SET at = 1 WHERE id = NEW.id;",
            "UPDATE a SET at = 1 WHERE rowid = NEW.rowid AND OLD.x <> NEW.x;",
            "UPDATE a SET at = 1 WHERE a.\"id\" = NEW.id;",
            "UPDATE a SET at = 1;",
            "DELETE FROM b WHERE NEW.x = 1;",
            "UPDATE a SET at = (SELECT max(x) FROM b WHERE NEW.x) WHERE id = NEW.id;",
            "UPDATE a SET at = b.y FROM b WHERE NEW.x = 1;",
            "DELETE FROM b WHERE NEW.x = (SELECT count(*) FROM b);",
            "INSERT INTO b SELECT * FROM a WHERE NEW.x = 1;",
        ] {
            assert!(of(one).is_empty(), "{one}");
        }
    }
}

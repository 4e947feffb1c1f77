//! What of a text is settled outside of it: the schemas that the program attaches, the names that it puts in. Knows words; no grammar.

use super::{
    Declaration, Step,
    words::{Words, words},
};

/// Whether a text makes a table or a view of the database itself that stays: no temporary one, and none of a schema with a
/// name of its own.
pub(super) fn makes_own(sql: &str) -> bool {
    let words = Words(words(sql));
    let makes = |at: usize| {
        let kind = if words.is(at + 1, "virtual") { at + 2 } else { at + 1 };
        words.is(at, "create") && words.is_one(kind, &["table", "view"]) && words.own_name(kind + 1).is_some()
    };
    let renames = |at: usize| words.is(at, "rename") && words.is(at + 1, "to");
    (0..words.0.len()).any(|at| makes(at) || renames(at))
}

/// The schemas with a name of their own in which a text makes tables, in lower case.
pub fn schemas_made_in(sql: &str) -> Vec<String> {
    let words = Words(words(sql));
    let schema = |at: usize| {
        let skipped = ["virtual", "table", "if", "not", "exists"];
        let name = (at + 1..at + 7).find(|&at| !words.is_one(at, &skipped))?;
        let is_one = words.is(at, "create") && name > at + 1 && words.is(name + 1, ".");
        let is_own = words.is_one(name, &["main", "temp"]);
        words.0.get(name).filter(|_| is_one && !is_own).map(|one| one.to_lowercase())
    };
    (0..words.0.len()).filter_map(schema).collect()
}

/// Whether the name of a table is a word such as `%table`, in the place of which the program puts others.
pub(super) fn has_placeholder(sql: &str) -> bool {
    sql.match_indices('%').any(|(at, _)| {
        let (before, behind) = sql.split_at_checked(at).unwrap_or((sql, ""));
        let word = before.split_whitespace().next_back().filter(|_| before.ends_with(char::is_whitespace));
        let is_name = behind.get(1..).is_some_and(|name| name.starts_with(char::is_alphabetic));
        let heads = ["table", "exists", "into", "from", "join", "update", "on"];
        is_name && word.is_some_and(|word| heads.iter().any(|head| word.eq_ignore_ascii_case(head)))
    })
}

/// Whether a declaration makes tables under names in the place of which the program puts others, and does not only widen them.
pub fn makes_replaced_tables(declaration: &Declaration) -> bool {
    let makes = |statement: &str| {
        let words = Words(words(statement));
        let is_made =
            |at: usize| words.is(at, "create") && words.is_one(at + 1, &["table", "view", "virtual"]);
        let is_renamed = |at: usize| words.is(at, "rename") && words.is(at + 1, "to");
        (0..words.0.len()).any(|at| is_made(at) || is_renamed(at))
    };
    let is_open = |step: &Step| {
        let text = step.text.as_str();
        text.contains("{#") || text.split(';').any(|one| has_placeholder(one) && makes(one))
    };
    declaration.steps.iter().chain(&declaration.create).any(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_database_has_of_its_own_is_told_from_what_it_borrows() {
        assert!(
            makes_own("CREATE TABLE IF NOT EXISTS main.a(b)")
                && makes_own("CREATE VIRTUAL TABLE a USING fts5(b)")
        );
        assert!(!makes_own("CREATE TABLE other.a(b); CREATE INDEX other.i ON a(b); DROP TABLE c"));
        assert!(!makes_own("CREATE TEMP TABLE a(b)"));
        assert_eq!(
            schemas_made_in("CREATE TABLE main.a(b); CREATE TABLE IF NOT EXISTS other.a(b)"),
            ["other"]
        );
    }

    #[test]
    fn a_name_that_the_program_puts_in_is_told_from_a_remainder() {
        assert!(
            has_placeholder("ALTER TABLE %every_one ADD COLUMN a")
                && has_placeholder("UPDATE t SET a = 1; DROP TABLE %x")
        );
        assert!(
            !has_placeholder("SELECT a %b FROM t WHERE c LIKE '%from %x%'")
                && !has_placeholder("SELECT a % 2 FROM t")
        );
    }
}

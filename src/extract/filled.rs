//! What some drivers put into a text before SQLite reads it: names in the place of marks, and the elements of lists.

use super::{fold::Unit, sql, text::Text};
use crate::source::Sources;

/// What definitions begin with.
const VERBS: [&str; 3] = ["create", "alter", "drop"];

/// The text as its driver runs it, by the file that it stands in: some put names and lists in before SQLite reads it.
#[must_use]
pub(super) fn filled(text: Text, unit: &Unit, sources: &Sources) -> Text {
    const OF_NAMES: [&str; 4] = ["uptrace/bun", "bun.", "gorm", "go-pg"];
    let content = text.as_str();
    if !content.contains(['?', '@']) {
        return text;
    }
    let may_define = content.contains('?') && VERBS.iter().any(|verb| sql::contains_word(content, verb));
    let is_of_names = || OF_NAMES.iter().any(|word| unit.text(sources).contains(word));
    match unit.language.name {
        "Go" if may_define && is_of_names() => names(text, "?"),
        "JavaScript" if may_define => names(text, "??"),
        // Dapper
        "C#" => lists(text),
        _ => text,
    }
}

/// The text with a hole in the place of each mark in a definition, `ALTER TABLE ? ADD COLUMN ??`. What a new table is filled from may
/// have values.
fn names(text: Text, mark: &str) -> Text {
    let content = text.as_str();
    let mut filled = Text::default();
    // Whether a definition is read, and whether a statement begins.
    let (mut from, mut defines, mut begins) = (0, false, true);
    for token in sql::tokens(content) {
        let is = |word: &&str| token.text.eq_ignore_ascii_case(word);
        if begins {
            defines = VERBS.iter().any(is);
        } else if is(&"select") {
            defines = false;
        }
        begins = token.text == ";";
        let rest = content.get(token.at..).unwrap_or("");
        if !defines || token.text != "?" || token.at < from || !rest.starts_with(mark) {
            continue;
        }
        let Some((source, offset)) = text.locate(token.at as u32) else { continue };
        filled.append(&text.part(from, token.at));
        filled.push_hole("?", false, source, offset);
        from = token.at + if rest.starts_with("??") { 2 } else { 1 };
    }
    if from == 0 {
        return text;
    }
    filled.append(&text.part(from, content.len()));
    filled
}

/// The text with parentheses around what stands alone behind IN, `IN @ids`.
fn lists(text: Text) -> Text {
    const SIGNS: [char; 2] = ['?', '@'];
    let content = text.as_str();
    // Few texts have one, and it takes a while to look at all tokens.
    let is_behind_in = |(at, _): (usize, &str)| {
        let before = content.get(..at).unwrap_or("").trim_end().as_bytes();
        before.last_chunk::<2>().is_some_and(|word| word.eq_ignore_ascii_case(b"in"))
    };
    if !content.match_indices(SIGNS).any(is_behind_in) {
        return text;
    }
    let mut filled = Text::default();
    let (mut from, mut is_list) = (0, false);
    for token in sql::tokens(content) {
        let end = token.at + token.text.len();
        if is_list
            && token.text.starts_with(SIGNS)
            && let Some((source, offset)) = text.locate(token.at as u32)
        {
            filled.append(&text.part(from, token.at));
            filled.push_at("(", source, offset);
            filled.append(&text.part(token.at, end));
            filled.push_at(")", source, offset);
            from = end;
        }
        is_list = token.text.eq_ignore_ascii_case("in");
    }
    if from == 0 {
        return text;
    }
    filled.append(&text.part(from, content.len()));
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract::text::HOLE, source::SourceId};

    #[test]
    fn a_mark_in_a_definition_is_a_name() {
        let named = |sql: &str| names(Text::exact(sql, SourceId(0), 0), "?").as_str().replace(HOLE, "_");
        assert_eq!(named("ALTER TABLE ? RENAME COLUMN ? TO ?"), "ALTER TABLE _ RENAME COLUMN _ TO _");
        let both = |sql: &str| names(Text::exact(sql, SourceId(0), 0), "??").as_str().replace(HOLE, "_");
        assert_eq!(both("DROP TABLE ??; DROP TABLE ?"), "DROP TABLE _; DROP TABLE ?");
        assert_eq!(named("CREATE INDEX ? ON ships (?)"), "CREATE INDEX _ ON ships (_)");
        assert_eq!(
            named("CREATE TABLE ? AS SELECT * FROM ships WHERE id > ?"),
            "CREATE TABLE _ AS SELECT * FROM ships WHERE id > ?"
        );
        assert_eq!(named("DROP TABLE \"?\" -- ?"), "DROP TABLE \"?\" -- ?");
        let both = "CREATE TABLE ships (id); INSERT INTO ships VALUES (?); DROP TABLE ?";
        assert_eq!(named(both), "CREATE TABLE ships (id); INSERT INTO ships VALUES (?); DROP TABLE _");
    }

    #[test]
    fn what_stands_alone_behind_in_is_a_list() {
        let listed = |sql: &str| lists(Text::exact(sql, SourceId(0), 0)).as_str().to_owned();
        assert_eq!(
            listed("DELETE FROM ships WHERE id IN @ids AND a in ?"),
            "DELETE FROM ships WHERE id IN (@ids) AND a in (?)"
        );
        assert_eq!(
            listed("SELECT 1 FROM ships WHERE id IN (@ids)"),
            "SELECT 1 FROM ships WHERE id IN (@ids)"
        );
        assert_eq!(listed("SELECT 'in' || @a, x IN t"), "SELECT 'in' || @a, x IN t");
    }
}

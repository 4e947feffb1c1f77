//! Which tables a text creates and mentions, by its words alone: enough to put declarations together before any
//! database exists. Knows no grammar; SQLite judges what is put together.

use crate::extract::sql::skip_leading;

/// What a text says of tables, in lower case and in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Tables and views that it creates.
    pub created: Vec<String>,
    /// Tables that it alters, indexes, reads or writes.
    pub used: Vec<String>,
    /// Tables of schemas with a name of their own, as schema and table.
    pub attached: Vec<(String, String)>,
    /// Whether it makes or changes any object of a schema.
    pub has_ddl: bool,
    /// Whether it drops a table.
    pub drops_table: bool,
}

/// Reads the words of a text.
pub fn mentions(sql: &str) -> Mentions {
    let words = words(sql);
    let mut found = Mentions::default();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let after = |steps: usize| words.get(at + steps).map_or("", String::as_str);
        match word.as_str() {
            "create" => create(&words, at, &mut found),
            "alter" if after(1) == "table" => {
                found.has_ddl = true;
                found.use_table(&words, at + 2);
            }
            "drop" if matches!(after(1), "table" | "index" | "view" | "trigger") => {
                found.has_ddl = true;
                found.drops_table |= after(1) == "table";
            }
            "rename" if after(1) == "to" => found.created.extend(name_at(&words, at + 2)),
            "from" | "join" | "into" => found.use_table(&words, at + 1),
            "update" if after(2) == "set" || after(4) == "set" => found.use_table(&words, at + 1),
            _ => {}
        }
        at += 1;
    }
    found
}

impl Mentions {
    fn use_table(&mut self, words: &[String], at: usize) {
        let Some(name) = name_at(words, at) else { return };
        let schema = words.get(at).filter(|_| words.get(at + 1).is_some_and(|word| word == "."));
        match schema.filter(|schema| !matches!(schema.as_str(), "main" | "temp")) {
            Some(schema) => self.attached.push((schema.clone(), name)),
            None => self.used.push(name),
        }
    }
}

fn create(words: &[String], at: usize, found: &mut Mentions) {
    let mut kind = at + 1;
    while words
        .get(kind)
        .is_some_and(|word| matches!(word.as_str(), "temp" | "temporary" | "virtual" | "unique"))
    {
        kind += 1;
    }
    match words.get(kind).map_or("", String::as_str) {
        "table" | "view" => {
            found.has_ddl = true;
            found.created.extend(name_at(words, kind + 1));
        }
        "index" => {
            found.has_ddl = true;
            let on = (kind..kind + 9).find(|&at| words.get(at).is_some_and(|word| word == "on"));
            if let Some(on) = on {
                found.use_table(words, on + 1);
            }
        }
        "trigger" => found.has_ddl = true,
        _ => {}
    }
}

/// The name at a word, behind `IF NOT EXISTS` and the name of a schema.
fn name_at(words: &[String], mut at: usize) -> Option<String> {
    while words.get(at).is_some_and(|word| matches!(word.as_str(), "if" | "not" | "exists")) {
        at += 1;
    }
    if words.get(at + 1).is_some_and(|word| word == ".") {
        at += 2;
    }
    let name = words.get(at)?;
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    (is_name && name != "select").then(|| name.clone())
}

/// The words of a text in lower case, names without their quotes, and the dots; no comments, no strings.
fn words(sql: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = skip_leading(sql);
    while let Some(first) = rest.chars().next() {
        let skipped = skip_comment(rest);
        if skipped.len() < rest.len() {
            rest = skipped;
            continue;
        }
        let close = match first {
            '\'' => Some('\''),
            '"' => Some('"'),
            '`' => Some('`'),
            '[' => Some(']'),
            _ => None,
        };
        let body = rest.get(first.len_utf8()..).unwrap_or("");
        if let Some(close) = close {
            let (inside, behind) = body.split_once(close).unwrap_or((body, ""));
            if first != '\'' {
                words.push(inside.to_lowercase());
            }
            rest = behind;
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest
                .find(|character: char| !(character.is_alphanumeric() || character == '_'))
                .unwrap_or(rest.len());
            words.push(rest.get(..end).unwrap_or("").to_lowercase());
            rest = rest.get(end..).unwrap_or("");
        } else {
            if first == '.' {
                words.push(".".to_owned());
            }
            rest = body;
        }
    }
    words
}

fn skip_comment(text: &str) -> &str {
    if let Some(comment) = text.strip_prefix("--") {
        return comment.split_once('\n').map_or("", |(_, after)| after);
    }
    text.strip_prefix("/*").map_or(text, |comment| comment.split_once("*/").map_or("", |(_, after)| after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn created_and_used_tables_are_told_apart() {
        let found = mentions(
            "-- the chain\nCREATE TABLE IF NOT EXISTS \"Blocks\" (h INT); CREATE UNIQUE INDEX i ON main.headers(h);
             ALTER TABLE peers ADD COLUMN a; INSERT INTO config SELECT 'from nowhere' FROM old_config;
             ALTER TABLE new_t RENAME TO t;",
        );
        assert_eq!(found.created, ["blocks", "t"]);
        assert_eq!(found.used, ["headers", "peers", "config", "old_config", "new_t"]);
        assert!(found.has_ddl && !found.drops_table);
        let found = mentions("SELECT a FROM ledger.blocks JOIN main.peers");
        assert_eq!(found.attached, [("ledger".to_owned(), "blocks".to_owned())]);
        assert_eq!(found.used, ["peers"]);
    }
}

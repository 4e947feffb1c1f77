//! The words of declared types: which are known, and which look like one that is. SQLite takes any word as a type,
//! so a misspelt one changes the affinity of a column, or the key of a table, in silence.

use super::tokens::{Token, Tokens};
use std::borrow::Cow;

/// A word of a declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeWord {
    /// As written.
    pub word: String,
    /// Whether it is a type of SQL or SQLite, or part of a constraint.
    pub is_known: bool,
    /// The known word that it was probably meant to be.
    pub near: Option<&'static str>,
}

const KNOWN: &[&str] = &[
    "INT",
    "INTEGER",
    "TINYINT",
    "SMALLINT",
    "MEDIUMINT",
    "BIGINT",
    "UNSIGNED",
    "SIGNED",
    "BIG",
    "INT2",
    "INT4",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "UINT",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "CHARACTER",
    "CHAR",
    "VARCHAR",
    "VARYING",
    "NCHAR",
    "NATIVE",
    "NVARCHAR",
    "VARCHAR2",
    "TEXT",
    "CLOB",
    "BLOB",
    "REAL",
    "DOUBLE",
    "PRECISION",
    "FLOAT",
    "NUMERIC",
    "DECIMAL",
    "DEC",
    "NUMBER",
    "BOOLEAN",
    "BOOL",
    "BIT",
    "DATE",
    "DATETIME",
    "TIMESTAMP",
    "TIMESTAMPTZ",
    "TIME",
    "JSON",
    "JSONB",
    "UUID",
    "BYTEA",
    "BYTE",
    "BYTES",
    "VARBINARY",
    "BINARY",
    "LONG",
    "LONGTEXT",
    "MEDIUMTEXT",
    "TINYTEXT",
    "LONGBLOB",
    "ANY",
    "NULL",
    "MONEY",
    "SERIAL",
    "BIGSERIAL",
    "ENUM",
    "SET",
    "YEAR",
    "INTERVAL",
    "WITH",
    "WITHOUT",
    "ZONE",
    "LOCAL",
    "HEX",
    "OBJECT",
    "ARRAY",
    "LIST",
    "POINT",
    "PATH",
    "URL",
    "GUID",
    "IMAGE",
    "VECTOR",
    "TIMESTRING",
    "CURRENCY",
    "DATETIMEOFFSET",
    "NTEXT",
    "XML",
    "INET",
];

/// Words of constraints that can't be part of a type; one that stands in it is a typing error of its own kind.
const CONSTRAINTS: &[&str] = &[
    "PRIMARY KEY",
    "NOT NULL",
    "FOREIGN KEY",
    "PRIMARY",
    "UNIQUE",
    "DEFAULT",
    "REFERENCES",
    "AUTOINCREMENT",
    "GENERATED",
    "COLLATE",
    "CHECK",
];

/// The words of a declared type, the numbers in parentheses left out.
pub fn type_words(declared: &str) -> Vec<TypeWord> {
    let mut depth = 0_u32;
    let mut words = vec![String::new()];
    for character in declared.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if character.is_alphanumeric() || character == '_' => {
                if let Some(word) = words.last_mut() {
                    word.push(character);
                }
                continue;
            }
            _ => {}
        }
        words.push(String::new());
    }
    words.into_iter().filter(|word| !word.is_empty()).map(judge).collect()
}

fn judge(word: String) -> TypeWord {
    let upper = word.to_uppercase();
    // UINT256 is a width that nobody has listed, and no misspelt UINT16.
    let letters = upper.trim_end_matches(|character: char| character.is_ascii_digit());
    let is_known = KNOWN.contains(&upper.as_str()) || (letters != upper && KNOWN.contains(&letters));
    let near = match upper.as_str() {
        _ if is_known => None,
        // What means text to people is a number to SQLite, where it looks like one.
        "STRING" => Some("TEXT"),
        _ => nearest(&upper),
    };
    TypeWord { word, is_known, near }
}

fn nearest(word: &str) -> Option<&'static str> {
    let bare: String = word.chars().filter(|&character| character != '_').collect();
    let joined = CONSTRAINTS
        .iter()
        .find(|known| known.replace(' ', "") == bare && (known.contains(' ') || bare != word));
    let allowed = match word.len() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    let close = || {
        let all = KNOWN.iter().chain(CONSTRAINTS).filter(|known| known.len() >= 4);
        all.map(|known| (distance(word, known), *known))
            .filter(|(distance, _)| (1..=allowed).contains(distance))
            .min()
            .map(|(_, known)| known)
    };
    joined.copied().or_else(close)
}

/// How many letters must be added, dropped, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, one) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let at = |rows: &[Vec<usize>], back: usize, column: usize| {
                rows.len()
                    .checked_sub(back)
                    .and_then(|index| rows.get(index))
                    .and_then(|row| row.get(column))
                    .copied()
                    .unwrap_or(usize::MAX / 2)
            };
            let left = row.get(j).copied().unwrap_or(0) + 1;
            let replaced = at(&rows, 1, j) + usize::from(one != other);
            let mut best = left.min(at(&rows, 1, j + 1) + 1).min(replaced);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(other) && b.get(j - 1) == Some(one);
            if swapped {
                best = best.min(at(&rows, 2, j - 1) + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

/// A statement as SQLite gets it from a program that serves several engines and translates it, as long as it was: as it is
/// written, no row would have a key, or SQLite refuses it.
pub(super) fn translated(sql: &str) -> Cow<'_, str> {
    let mut own = Cow::Borrowed(sql);
    let has = |word: &str| {
        sql.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    if !has("BIGSERIAL") && !has("CURRENT_TIMESTAMP(") {
        return own;
    }
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    for (at, token) in tokens.iter().enumerate() {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        if token.is("BIGSERIAL") {
            own.to_mut().replace_range(token.start..token.end, "INTEGER  ");
        } else if token.is("CURRENT_TIMESTAMP")
            && let [open, close, ..] = behind
            && open.is_sign('(')
            && close.is_sign(')')
        {
            own.to_mut().replace_range(open.start..open.end, " ");
            own.to_mut().replace_range(close.start..close.end, " ");
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(word: &str) -> Option<&'static str> {
        type_words(word).first().and_then(|word| word.near)
    }

    #[test]
    fn a_misspelt_type_is_known_for_what_it_means() {
        assert_eq!(near("INETGER"), Some("INTEGER"));
        assert_eq!(near("PRIMARY_KEY"), Some("PRIMARY KEY"));
        assert_eq!(near("TETX"), Some("TEXT"));
        assert_eq!(near("VARCHAR(255)"), None);
        assert_eq!(near("Txid"), None);
        assert_eq!(near("String"), Some("TEXT"));
        assert_eq!(near("ltree"), None);
    }
}

//! The values of rows the other way round: which thing a value stands for, and how SQL writes it. What is random here
//! is scattered there, so that the same things are equal and their order means nothing.

use super::literals::Literal;
use super::values::{Kind, mix};
use crate::schema::sqlite::types::Value;
use std::collections::HashMap;

/// How the value of a thing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Template {
    /// The number itself.
    Integer,
    /// `v000000001`.
    Text,
    /// An object with the text in each member.
    Json,
    /// The number and a half.
    Real,
    /// So many bytes in no order.
    Hash(usize),
    /// Bytes in order.
    Bytes,
    /// Digits, so many.
    Padded(usize),
}

/// The things that values which look random stand for.
pub(super) struct Codes {
    hashes: HashMap<Vec<u8>, u64>,
    mixed: HashMap<u64, u64>,
}

impl Codes {
    /// The codes of tables of at most so many rows.
    pub fn new(rows: u64) -> Self {
        // A thing can lie half a table behind the last row; those that no row has stand far behind.
        let near = 0..rows * 2 + 64;
        let far = (900_000_000..900_000_064).chain(5_000_000..5_000_064);
        let hash = |thing: u64| match Kind::Hash.value(thing) {
            Value::Blob(bytes) => Some((bytes, thing)),
            _ => None,
        };
        Self {
            hashes: near.clone().chain(far).filter_map(hash).collect(),
            mixed: near.map(|thing| (mix(thing), thing)).collect(),
        }
    }

    /// What a value stands for, and in which way; `None` where it stands for itself alone.
    pub fn decode(&self, value: &Value) -> Option<(Template, i64)> {
        match value {
            Value::Integer(number) => Some((Template::Integer, *number)),
            Value::Real(number) => {
                let whole = number - 0.5;
                (whole.fract() == 0.0 && whole >= 0.0).then_some((Template::Real, whole as i64))
            }
            Value::Text(text) => text_code(text),
            Value::Blob(bytes) => self.blob_code(bytes),
            Value::Null => None,
        }
    }

    fn blob_code(&self, bytes: &[u8]) -> Option<(Template, i64)> {
        if let Some(thing) = self.hashes.get(bytes) {
            return Some((Template::Hash(bytes.len()), *thing as i64));
        }
        let head = bytes.first_chunk::<8>().map(|head| u64::from_be_bytes(*head))?;
        if bytes.len() == 32 && head < 1_000_000_000 {
            return Some((Template::Bytes, head as i64));
        }
        let is_wide = bytes.len() >= 12;
        self.mixed.get(&head).filter(|_| is_wide).map(|thing| (Template::Hash(bytes.len()), *thing as i64))
    }

    /// A value as a literal of SQL.
    pub fn literal(&self, value: &Value) -> String {
        match value {
            Value::Null => "NULL".to_owned(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => format!("{number:?}"),
            Value::Text(text) => Literal::Text(text.clone()).sql(),
            Value::Blob(bytes) => {
                let written = match self.blob_code(bytes) {
                    Some((Template::Hash(length), thing)) => hash_text(thing, length).into_bytes(),
                    Some((Template::Bytes, thing)) => format!("{thing:032}").into_bytes(),
                    _ => bytes.clone(),
                };
                let digits: Vec<String> = written.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("x'{}'", digits.concat())
            }
        }
    }
}

/// What [`Template::sql`] computes for a hash.
fn hash_text(thing: i64, length: usize) -> String {
    let scattered = thing.wrapping_mul(2_654_435_761) % 4_294_967_296;
    format!("{scattered:08x}{thing:0rest$}", rest = length - 8)
}

fn text_code(text: &str) -> Option<(Template, i64)> {
    let digits = |text: &str| {
        let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if all { text.parse::<i64>().ok() } else { None }
    };
    if let Some(thing) = text.strip_prefix('v').filter(|rest| rest.len() == 9).and_then(digits) {
        return Some((Template::Text, thing));
    }
    if let Some(number) = text.strip_prefix("{\"k\":\"v").and_then(|rest| rest.get(..9)).and_then(digits) {
        return Some((Template::Json, number));
    }
    digits(text).map(|number| (Template::Padded(text.len()), number))
}

impl Template {
    /// The value of the thing that an expression gives, as SQL.
    pub fn sql(self, thing: &str) -> String {
        match self {
            Self::Integer => thing.to_owned(),
            Self::Text => format!("printf('v%09d', {thing})"),
            Self::Json => {
                let members = ["k", "id", "name", "type", "value"].map(|key| format!("\"{key}\":\"T\""));
                format!("replace('{{{}}}', 'T', printf('v%09d', {thing}))", members.join(","))
            }
            Self::Real => format!("{thing} + 0.5"),
            Self::Hash(length) => {
                let rest = length.saturating_sub(8);
                let tight = if thing.contains(' ') { format!("({thing})") } else { thing.to_owned() };
                let scattered = format!("{tight} * 2654435761 % 4294967296");
                format!("CAST(printf('%08x%0{rest}d', {scattered}, {thing}) AS BLOB)")
            }
            Self::Bytes => format!("CAST(printf('%032d', {thing}) AS BLOB)"),
            Self::Padded(length) => format!("printf('%0{length}d', {thing})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{open_in_memory, sqlite::OpenFlags};

    #[test]
    fn what_a_value_stands_for_is_found_again() {
        let codes = Codes::new(100);
        for kind in [Kind::Integer, Kind::Text, Kind::Real, Kind::Hash, Kind::Bytes] {
            let (template, number) = codes.decode(&kind.value(57)).unwrap();
            assert_eq!(number, if template == Template::Integer { 58 } else { 57 });
        }
        assert_eq!(codes.decode(&Value::Text("other".to_owned())), None);
        assert_eq!(codes.decode(&Value::Null), None);
        assert_eq!(codes.decode(&Value::Text("007".to_owned())), Some((Template::Padded(3), 7)));
    }

    #[test]
    fn a_literal_is_what_the_expression_gives() {
        let connection = open_in_memory(OpenFlags::default()).unwrap();
        let codes = Codes::new(100);
        for kind in [Kind::Integer, Kind::Text, Kind::Real, Kind::Hash, Kind::Bytes] {
            let value = kind.value(57);
            let (template, number) = codes.decode(&value).unwrap();
            let sql = format!("SELECT {} IS {}", template.sql(&number.to_string()), codes.literal(&value));
            assert!(connection.query_row(&sql, [], |row| row.get::<_, bool>(0)).unwrap(), "{sql}");
        }
    }
}

//! Values of columns: which kind a column takes, and the value of that kind that stands for the n-th thing.
//! Pure functions; columns that are joined share them.

use crate::schema::{Affinity, Column, sqlite::types::Value};

/// A kind of values. The order decides for columns that are joined and of different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Integer,
    Text,
    /// Random bytes, as of a hash.
    Hash,
    Real,
    /// Bytes in order.
    Bytes,
}

impl Kind {
    /// The same where the order of values is asked for.
    pub fn sortable(self, is_sorted: bool) -> Self {
        if is_sorted && self == Self::Hash { Self::Bytes } else { self }
    }

    /// The kind that suits the declaration of a column.
    pub fn of(column: &Column) -> Self {
        let declared = column.declared_type.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|word| declared.contains(word));
        match column.affinity {
            Affinity::Text => Self::Text,
            Affinity::Real => Self::Real,
            Affinity::Blob if declared.is_empty() || declared == "ANY" => Self::Integer,
            Affinity::Blob => Self::Hash,
            Affinity::Numeric if has(&["STRING", "UUID", "JSON", "HASH", "ADDR", "NAME", "TXID"]) => {
                Self::Text
            }
            Affinity::Numeric if has(&["BYTE", "BINARY"]) => Self::Hash,
            Affinity::Integer | Affinity::Numeric => Self::Integer,
        }
    }

    /// The value for the n-th thing.
    pub fn value(self, thing: u64) -> Value {
        match self {
            Self::Integer => Value::Integer(thing as i64 + 1),
            Self::Text => Value::Text(numbered(thing)),
            Self::Real => Value::Real(thing as f64 + 0.5),
            Self::Hash => {
                let words = (0..4).flat_map(|part| mix(thing * 4 + part).to_be_bytes());
                Value::Blob(words.collect())
            }
            Self::Bytes => Value::Blob(thing.to_be_bytes().repeat(4)),
        }
    }

    /// A value that nothing has.
    pub fn absent(self, number: u64) -> Value {
        self.value(900_000_000 + number)
    }

    /// A value below all others.
    pub fn lowest(self) -> Value {
        match self {
            Self::Integer => Value::Integer(-1_000_000),
            Self::Text => Value::Text(String::new()),
            Self::Real => Value::Real(-1e6),
            Self::Hash | Self::Bytes => Value::Blob(Vec::new()),
        }
    }

    /// A value above all others.
    pub fn highest(self) -> Value {
        match self {
            Self::Integer => Value::Integer(1_000_000_000_000),
            Self::Text => Value::Text("zzzz".to_owned()),
            Self::Real => Value::Real(1e12),
            Self::Hash | Self::Bytes => Value::Blob(vec![0xff; 40]),
        }
    }
}

/// Numbers that look random and are not: the same everywhere.
pub(super) fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// `v` and a number of nine digits: half of all values are such texts.
fn numbered(thing: u64) -> String {
    if thing > 999_999_999 {
        return format!("v{thing}");
    }
    let mut text = String::with_capacity(10);
    text.push('v');
    let mut unit = 100_000_000;
    while unit > 0 {
        text.push(char::from(b'0' + (thing / unit % 10) as u8));
        unit /= 10;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_kind_are_distinct_and_ordered_but_for_hashes() {
        let sorted = |kind: Kind| {
            (1..300).all(|thing| match (kind.value(thing - 1), kind.value(thing)) {
                (Value::Integer(a), Value::Integer(b)) => a < b,
                (Value::Text(a), Value::Text(b)) => a < b,
                (Value::Real(a), Value::Real(b)) => a < b,
                (Value::Blob(a), Value::Blob(b)) => a < b,
                _ => false,
            })
        };
        assert!([Kind::Integer, Kind::Text, Kind::Real, Kind::Bytes].into_iter().all(sorted));
        assert!(!sorted(Kind::Hash));
        assert_ne!(Kind::Hash.value(3), Kind::Hash.value(4));
        assert_eq!(Kind::Hash.value(3), Kind::Hash.value(3));
    }
}

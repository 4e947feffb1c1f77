//! How many bytes the value of a column takes, as far as its declaration tells, and an entry of such values.

use super::keys::{Order, is_bytes};
use crate::schema::{Affinity, Column, Generated};

/// Bytes of an entry beside its values and their types: its length, the length of its types, and the pointer to it.
const AROUND: f64 = 4.0;
/// Bytes of a rowid, in a table of a million rows.
pub(super) const ROWID: f64 = 3.0;

/// Words in the names of columns that hold what people or machines wrote, of any length.
const LONG: [&str; 10] =
    ["body", "content", "data", "description", "json", "message", "payload", "proof", "raw", "text"];

/// The bytes of a value, on average.
pub(super) fn value(column: &Column, order: &Order) -> f64 {
    if column.generated == Generated::Virtual {
        return 0.0;
    }
    let name = column.name.to_ascii_lowercase();
    let is_uuid = [&name, &column.declared_type.to_ascii_lowercase()]
        .iter()
        .any(|words| words.contains("uuid") || words.contains("guid") || words.contains("ulid"));
    let is_long = name.split('_').any(|word| LONG.contains(&word));
    let is_few = matches!(order, Order::Few);
    match column.affinity {
        Affinity::Integer if is_few => 1.0,
        Affinity::Integer => 4.0,
        Affinity::Real | Affinity::Numeric if !is_bytes(column) => 8.0,
        _ if is_few => 4.0,
        affinity => {
            let is_text = affinity != Affinity::Blob;
            let usual: f64 = match order {
                Order::Random(_) => match (is_uuid, is_text) {
                    (true, true) => 36.0,
                    (true, false) => 16.0,
                    (false, true) => 64.0,
                    (false, false) => 32.0,
                },
                _ if is_uuid => 26.0,
                _ if is_long => 200.0,
                _ if is_text => 20.0,
                _ => 32.0,
            };
            // A length that is declared is the most; only of a key it is the whole.
            let declared = declared_length(&column.declared_type);
            match declared {
                Some(length) if matches!(order, Order::Random(_)) => length.min(128.0),
                Some(length) => usual.min(length),
                None => usual,
            }
        }
    }
}

/// The number in the parentheses of a type, such as 64 of `CHAR(64)`.
fn declared_length(declared: &str) -> Option<f64> {
    let (_, rest) = declared.split_once('(')?;
    let digits = rest.split_once(')')?.0.trim();
    digits.parse::<u32>().ok().filter(|length| *length > 0).map(f64::from)
}

/// The bytes of an entry with values of so many bytes each: a type stands before each of them, of two bytes where the value
/// has more than 57.
pub(super) fn entry(values: impl Iterator<Item = f64>) -> f64 {
    let sum: f64 = values.map(|bytes| bytes + if bytes > 57.0 { 2.0 } else { 1.0 }).sum();
    AROUND + sum + if sum > 126.0 { 1.0 } else { 0.0 }
}

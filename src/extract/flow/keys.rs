//! To which parameters of the SQL values are bound. Knows no code.

use super::runs::Bound;
use std::ops::Range;

/// To which parameter of the SQL a value is bound.
pub(super) enum Key {
    Name(String),
    Number(usize),
    /// The one behind the last.
    Next,
}

/// The values, each at the place of its parameter. Numbers count from 1, but where a 0 is among them.
pub(super) fn in_order(bound: Vec<(Key, Range<usize>)>) -> Vec<Bound> {
    const MOST: usize = 1000;
    let first = usize::from(!bound.iter().any(|(key, _)| matches!(key, Key::Number(0))));
    let mut values: Vec<Bound> = Vec::new();
    let mut named = Vec::new();
    for (key, range) in bound {
        let at = match key {
            Key::Name(name) => {
                named.push((Some(name), range));
                continue;
            }
            Key::Number(number) => number.saturating_sub(first).min(MOST),
            Key::Next => values.len().min(MOST),
        };
        // Of those in between nothing is known.
        values.resize_with(values.len().max(at + 1), || (None, 0..0));
        if let Some(value) = values.get_mut(at) {
            *value = (None, range);
        }
    }
    values.extend(named);
    values
}

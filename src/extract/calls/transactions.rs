//! Where a function opens a transaction, told by the names that it calls. An `impl` of [`Collector`], apart for its
//! length.

use super::Collector;
use crate::extract::{fold::Spot, sketch::NOWHERE};

impl Collector<'_> {
    /// The first call of a function that opens a transaction, as the token of its name.
    pub(super) fn transaction(&self, spot: Spot) -> Option<u32> {
        let sketch = &self.folder.units.get(spot.unit)?.sketch;
        let function = sketch.functions.get(spot.function as usize);
        let (start, end) = function.map_or((0, NOWHERE), |function| (function.name, function.end));
        let from = sketch.calls.partition_point(|call| call.name < start);
        let calls = sketch.calls.iter().skip(from).take_while(|call| call.name < end);
        let mut calls = calls.filter(|call| call.function == spot.function);
        calls
            .find(|call| speaks_of_transaction(self.folder.word(spot, call.name as usize)))
            .map(|call| call.name)
    }
}

/// Whether a name speaks of opening a transaction.
fn speaks_of_transaction(name: &str) -> bool {
    let name = name.as_bytes();
    name.windows(2).enumerate().any(|(at, two)| {
        let starts =
            |mark: &[u8]| name.get(at..at + mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
        match two {
            [b't' | b'T', b'x' | b'X'] => true,
            [b't' | b'T', b'r' | b'R'] => starts(b"transaction"),
            [b'b' | b'B', b'e' | b'E'] => starts(b"begin"),
            [b's' | b'S', b'a' | b'A'] => starts(b"savepoint"),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_speak_of_transactions_in_any_case() {
        for name in ["tx", "with_tx", "beginWork", "BEGIN", "SavePoint", "new_transaction", "ctx"] {
            assert!(speaks_of_transaction(name), "{name}");
        }
        for name in ["", "t", "trans", "be", "save", "run"] {
            assert!(!speaks_of_transaction(name), "{name}");
        }
    }
}

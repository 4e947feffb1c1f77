//! Whether a transaction is open around a call, as names tell. An `impl` of [`Flow`], apart for its length.

use super::Flow;

impl Flow<'_> {
    /// Whether a transaction is open around a call, by what opens one in front of it, and by the names of what it is
    /// called on, of what it is given, and of what the function was given.
    pub fn in_transaction(&self, call: usize) -> Option<bool> {
        let first = self.transaction.get_or_init(|| {
            self.body.clone().skip(1).find(|&at| {
                self.code.is_word(at)
                    && (self.code.is(at + 1, b'(') || self.code.is(at + 1, b'!'))
                    && opens_transaction(self.code.word(at))
            })
        });
        if first.is_some_and(|first| first < call) {
            return Some(true);
        }
        let start = (call.saturating_sub(12)..call)
            .rev()
            .find(|&at| [b';', b'{', b'}', b'='].iter().any(|&byte| self.code.is(at, byte)))
            .map_or(call.saturating_sub(12), |at| at + 1);
        let end =
            if self.code.is(call + 1, b'(') { (call + 6).min(self.code.matching(call + 1)) } else { call };
        let words =
            || (start..end).filter(|&at| self.code.is_word(at) && at != call).map(|at| self.code.word(at));
        let owner = self.owner;
        if words().any(names_transaction) || names_transaction(owner) && words().any(|word| word == "self") {
            return Some(true);
        }
        let given = self.parameters().iter().flatten().any(|name| names_transaction(name));
        if given {
            return Some(true);
        }
        words().any(is_connection).then_some(false)
    }
}

fn opens_transaction(word: &str) -> bool {
    let starts =
        |word: &str, mark: &str| word.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
    let before = ["new_", "unchecked_", "with_", "start_", "open_", "in_"];
    let bare = before.iter().find(|mark| starts(word, mark)).and_then(|mark| word.get(mark.len()..));
    ["transaction", "begin", "savepoint", "tx"].iter().any(|mark| starts(bare.unwrap_or(word), mark))
}

/// Whether a name is that of a transaction: `tx`, `db_tx`, `dbTx`, `StoreTransaction`; not `ctx` and not `tx_hash`.
fn names_transaction(word: &str) -> bool {
    let last = word.rsplit('_').next().unwrap_or("").to_ascii_lowercase();
    matches!(last.as_str(), "tx" | "trx" | "txn" | "transaction" | "savepoint")
        || ["Tx", "TX", "Transaction"].iter().any(|end| word.ends_with(end))
}

/// Whether a name is that of a connection or a pool of them.
pub(super) fn is_connection(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["conn", "db", "pool", "sqlite", "database", "sql"].iter().any(|mark| lower.contains(mark))
        || lower == "c"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_transactions_from_what_sounds_like_them() {
        for name in ["tx", "db_tx", "dbTx", "StoreTransaction", "trx", "write_txn"] {
            assert!(names_transaction(name), "{name}");
        }
        for name in ["ctx", "txid", "tx_hash", "transactions", "context", "next"] {
            assert!(!names_transaction(name), "{name}");
        }
        assert!(opens_transaction("BeginTx") && opens_transaction("unchecked_transaction"));
        assert!(!opens_transaction("get_transaction") && !opens_transaction("newCtx"));
    }
}

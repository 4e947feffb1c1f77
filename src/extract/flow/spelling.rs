//! What names say of transactions and connections.

pub(super) fn starts(word: &str, mark: &str) -> bool {
    word.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark))
}

/// Whether a call of this name opens a transaction.
pub(super) fn opens_transaction(word: &str) -> bool {
    let before = ["new_", "unchecked_", "with_", "start_", "open_", "in_"];
    let bare = before.iter().find(|mark| starts(word, mark)).and_then(|mark| word.get(mark.len()..));
    ["transaction", "begin", "savepoint", "tx"].iter().any(|mark| starts(bare.unwrap_or(word), mark))
        || is_opening(word)
}

/// Whether a call of this name runs what it is given in a transaction: `DoTxn`, `runInTransaction`, `exec_tx`; not `sendTx`, and
/// not `eachTransaction`, for programs have other transactions, too.
pub(super) fn runs_transaction(word: &str) -> bool {
    const VERBS: [&str; 14] = [
        "do", "run", "with", "within", "in", "exec", "wrap", "perform", "begin", "start", "use", "call",
        "retry", "inside",
    ];
    let is_verb = |verb: &&str| {
        let rest = starts(word, verb).then(|| word.get(verb.len()..)).flatten().unwrap_or("");
        // A word ends there: `doTxn`, `do_txn`; not `domainTx`.
        rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase())
            || starts(rest, "ute") && *verb == "exec"
    };
    (names_transaction(word) || word.ends_with("Txn")) && VERBS.iter().any(is_verb)
}

/// Whether a call of this name opens a transaction, and is not about one, or about what chains call so.
pub(super) fn is_opening(word: &str) -> bool {
    const NAMES: [&str; 15] = [
        "begin",
        "begintx",
        "begintxx",
        "beginx",
        "begintransaction",
        "newtransaction",
        "opentransaction",
        "starttransaction",
        "transaction",
        "transactionwithbehavior",
        "txbegin",
        "uncheckedtransaction",
        "withtransaction",
        "withtx",
        "intransaction",
    ];
    let bare = || word.bytes().filter(|&byte| byte != b'_').map(|byte| byte.to_ascii_lowercase());
    NAMES.iter().any(|name| bare().eq(name.bytes())) || is_prefixed_opening(word)
}

/// `db_begin_transaction`, as functions of C are called by what they work on; not `can_begin_transaction`.
fn is_prefixed_opening(word: &str) -> bool {
    const ASKS: [&str; 10] = ["can", "is", "has", "should", "in", "no", "not", "may", "must", "needs"];
    let prefix = word.strip_suffix("_begin_transaction").or_else(|| word.strip_suffix("_start_transaction"));
    prefix.is_some_and(|prefix| !prefix.contains('_') && !ASKS.contains(&prefix))
}

/// Whether a name is that of a transaction: `tx`, `db_tx`, `dbTx`, `StoreTransaction`; not `ctx` and not `tx_hash`.
pub(super) fn names_transaction(word: &str) -> bool {
    let last = word.rsplit('_').next().unwrap_or("");
    let is_last = |name: &&str| last.eq_ignore_ascii_case(name);
    ["tx", "trx", "txn", "transaction", "savepoint"].iter().any(is_last)
        || ["Tx", "TX", "Transaction"].iter().any(|end| word.ends_with(end))
}

/// Whether a word is a type of transactions alone; `DBTX` of sqlc may be either.
pub(super) fn is_transaction_type(word: &str) -> bool {
    names_transaction(word) && word != "DBTX" && !word.ends_with("OrTx")
}

/// Whether a name is that of a connection or a pool of them.
pub(in crate::extract) fn is_connection(word: &str) -> bool {
    const MARKS: [&[u8]; 5] = [b"conn", b"db", b"pool", b"sql", b"database"];
    let starts =
        |rest: &[u8], mark: &[u8]| rest.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
    let bytes = word.as_bytes();
    let names = |at: usize| MARKS.iter().any(|mark| starts(bytes.get(at..).unwrap_or(&[]), mark));
    (0..bytes.len()).any(names) || word.eq_ignore_ascii_case("c")
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
        assert!(opens_transaction("db_begin_transaction") && !opens_transaction("can_begin_transaction"));
        assert!(opens_transaction("BeginTx") && opens_transaction("unchecked_transaction"));
        assert!(!opens_transaction("get_transaction") && !opens_transaction("newCtx"));
        for name in ["DoTxn", "runInTx", "exec_tx", "executeTransaction", "withTxn", "RunInTransaction"] {
            assert!(runs_transaction(name), "{name}");
        }
        for name in ["sendTx", "forEachTransaction", "domainTx", "run", "insertTx"] {
            assert!(!runs_transaction(name), "{name}");
        }
    }
}

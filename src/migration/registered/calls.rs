//! Whether a call that is handed a number and a step keeps it for later, or may well run it there and then: `register(2, f)` against
//! `retry(db, 2, f)`. Knows names alone.

use super::entries::unlabelled;
use crate::migration::{levels::Level, lines};

/// What is counted in numbers that are no versions.
const COUNTED: [&str; 22] = [
    "priority", "timeout", "retry", "retries", "attempt", "attempts", "times", "weight", "order", "limit",
    "delay", "interval", "sleep", "wait", "backoff", "throttle", "debounce", "repeat", "ttl", "deadline",
    "ms", "seconds",
];

/// The beginnings of the words by which a name says that it keeps steps of a history.
const KEEPING: [&str; 11] = [
    "register",
    "registr",
    "migrat",
    "step",
    "version",
    "upgrad",
    "patch",
    "delta",
    "evolution",
    "schema",
    "changeset",
];

/// What a connection or a transaction is called.
const CONNECTIONS: [&str; 16] = [
    "db",
    "database",
    "conn",
    "con",
    "connection",
    "cnx",
    "tx",
    "txn",
    "trx",
    "transaction",
    "cursor",
    "cur",
    "pool",
    "sqlite",
    "session",
    "engine",
];

/// How far behind a step the end of its call is looked for, in bytes.
const FAR: usize = 4096;

/// Whether a name says that a number in it is no version.
pub(super) fn counts(name: &str) -> bool {
    words(name).iter().any(|word| COUNTED.contains(&word.as_str()))
}

/// Whether a name says that it keeps steps.
pub(super) fn keeps(name: &str) -> bool {
    let is_one = |word: &String| word == "add" || KEEPING.iter().any(|own| word.starts_with(own));
    words(name).iter().any(is_one)
}

/// Whether the call at this depth around a place is handed a connection; `behind`: the code from the place on.
pub(super) fn is_handed_connection(levels: &[Level<'_>], depth: usize, behind: &str) -> bool {
    let Some(level) = levels.get(depth) else { return false };
    let before = (0..level.index()).filter_map(|index| level.part(index));
    before.chain(rest(behind, depth).0).any(is_connection)
}

/// Whether the bracket at this depth is that of an element of a list, and not of a statement.
pub(super) fn is_element(levels: &[Level<'_>], depth: usize, behind: &str) -> bool {
    let Some(outer) = levels.get(depth + 1) else { return false };
    let is_last =
        || outer.index() > 0 && outer.part(outer.index()).is_some_and(|own| !own.contains(['\n', ';']));
    match (outer.sign(), rest(behind, depth).1.trim_start().chars().next()) {
        (b'[', _) | (b'{', Some(',')) => true,
        (b'{', Some('}')) => is_last(),
        _ => false,
    }
}

/// The parts of a bracket that stand behind a place, which has so many others around it within that, and what stands behind all.
fn rest(behind: &str, within: usize) -> (Vec<&str>, &str) {
    let near = behind.get(..behind.floor_char_boundary(FAR)).unwrap_or("");
    let (mut depth, mut from) = (within, None);
    let mut parts = Vec::new();
    for (at, one) in lines::outside(near) {
        let is_end = matches!(one, ')' | ']' | '}');
        if depth == 0 && (is_end || one == ',') {
            parts.extend(from.and_then(|from| near.get(from..at)));
            from = Some(at + 1);
        }
        match one {
            '(' | '[' | '{' => depth += 1,
            _ if is_end && depth == 0 => return (parts, near.get(at + 1..).unwrap_or("")),
            _ if is_end => depth -= 1,
            _ => {}
        }
    }
    (parts, "")
}

/// Whether an argument is a connection, by its name: `&mut tx`, `self.db`, `conn=conn`.
fn is_connection(argument: &str) -> bool {
    let value = unlabelled(argument).trim_start_matches(['&', '*', ' ']);
    let value = value.strip_prefix("mut ").unwrap_or(value).trim_end_matches("()");
    let is_path = value.chars().all(|one| one.is_alphanumeric() || "_.:->$@".contains(one));
    is_path && words(value).last().is_some_and(|word| CONNECTIONS.contains(&word.as_str()))
}

/// The words of a name, in lower case: `retryAll`, `retry_all`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for one in name.chars() {
        if !one.is_alphanumeric() || (was_lower && one.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| one.is_alphanumeric()) {
            word.extend(one.to_lowercase());
        }
        was_lower = one.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_call_does_with_its_number() {
        for name in ["retry", "withRetry", "set_timeout", "queue.priority", "PRIORITY"] {
            assert!(counts(name), "{name}");
        }
        for name in ["register", "reorder", "border", "addVersion"] {
            assert!(!counts(name), "{name}");
        }
        assert!(keeps("addStep") && keeps("m.Register") && keeps("Migration") && keeps("reg.add"));
        assert!(!keeps("on") && !keeps("address") && !keeps("exec"));
    }

    #[test]
    fn connections_are_told_by_name() {
        for own in ["db", "&mut tx", "self.db", "s.conn()", "conn=conn", "userDb"] {
            assert!(is_connection(own), "{own}");
        }
        for other in ["(db) => {", "db => db.x", "lambda db: f", "|db| f", "ctx", "5", ""] {
            assert!(!is_connection(other), "{other}");
        }
        assert_eq!(rest("TEXT, db, 3); x(tx)", 0), (vec![" db", " 3"], "; x(tx)"));
        assert_eq!(rest("TEXT), db, 3)", 1), (vec![" db", " 3"], ""));
    }
}

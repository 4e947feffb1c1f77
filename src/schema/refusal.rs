//! Why SQLite, or the guard, would not take a statement: its message, understood.

use super::guard::{self, Guard};
use super::sqlite;
use sqlite::ErrorCode;

/// A statement that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was wrong.
    pub kind: RefusalKind,
    /// In SQLite's words.
    pub message: String,
    /// The byte of the text at which it was noticed, where SQLite says so.
    pub offset: Option<usize>,
}

/// What was wrong with a statement. Names are as SQLite prints them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalKind {
    /// It is not SQL, or not SQLite's.
    Syntax,
    /// It stops in the middle.
    Incomplete,
    /// There is no such table or view.
    NoSuchTable(String),
    /// There is no such column.
    NoSuchColumn(String),
    /// There is no such function: the program registers it, or SQLite was built without it.
    NoSuchFunction(String),
    /// There is no such collation.
    NoSuchCollation(String),
    /// There is no such virtual table module.
    NoSuchModule(String),
    /// There is no such index.
    NoSuchIndex(String),
    /// There is already an object of this name.
    AlreadyExists(String),
    /// There is already a column of this name.
    DuplicateColumn(String),
    /// Rows that are there, or that it writes, break a constraint.
    Constraint,
    /// It reaches beyond the database in memory; the text says with what.
    Forbidden(String),
    /// It takes more than it is given: `steps`, `time`, `memory`, `pages`, `length` or `depth`.
    Limit(String),
    /// Anything else.
    Other,
}

impl Refusal {
    /// Understands an error. Offsets are counted from `before` bytes into the text that was prepared.
    pub(super) fn new(error: &sqlite::Error, guard: &Guard, before: usize) -> Self {
        let (code, message, offset) = match error {
            sqlite::Error::SqlInputError { error, msg, offset, .. } => {
                (Some(error.code), msg.clone(), usize::try_from(*offset).ok())
            }
            sqlite::Error::SqliteFailure(error, message) => {
                let message = message.clone().unwrap_or_else(|| error.to_string());
                (Some(error.code), message, None)
            }
            other => (None, other.to_string(), None),
        };
        let mut log = guard.log();
        let kind = match (log.denied.take(), log.exceeded.take()) {
            (Some(what), _) => RefusalKind::Forbidden(what),
            (None, Some(limit)) => RefusalKind::Limit(limit.to_owned()),
            (None, None) => by_code(code).unwrap_or_else(|| by_message(&message)),
        };
        Self { kind, message, offset: offset.and_then(|offset| offset.checked_sub(before)) }
    }

    /// Whether another schema may be all it takes for the statement to work: a name is missing, or there twice, or has another
    /// number of columns.
    pub fn is_of_schema(&self) -> bool {
        match &self.kind {
            RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_) | RefusalKind::NoSuchIndex(_) => true,
            RefusalKind::Other => OF_SCHEMA.iter().any(|words| behind_place(&self.message).contains(words)),
            _ => false,
        }
    }

    /// A statement that this module does not hand to SQLite.
    pub(super) fn forbidden(what: &str) -> Self {
        let kind = RefusalKind::Forbidden(what.to_owned());
        Self { kind, message: format!("{what} is not allowed"), offset: None }
    }
}

fn by_code(code: Option<ErrorCode>) -> Option<RefusalKind> {
    let limit = |name: &str| Some(RefusalKind::Limit(name.to_owned()));
    match code? {
        ErrorCode::ConstraintViolation => Some(RefusalKind::Constraint),
        ErrorCode::TooBig => limit("length"),
        ErrorCode::DiskFull => limit("pages"),
        ErrorCode::OutOfMemory => limit("memory"),
        ErrorCode::OperationInterrupted => limit("steps"),
        ErrorCode::AuthorizationForStatementDenied => Some(RefusalKind::Forbidden("this".to_owned())),
        _ => None,
    }
}

/// Messages that end with a name, and what they are.
type Named = (&'static str, fn(String) -> RefusalKind);

const NAMED: &[Named] = &[
    ("no such table: ", no_such_table),
    ("no such view: ", RefusalKind::NoSuchTable),
    ("no such column: ", RefusalKind::NoSuchColumn),
    ("no such function: ", no_such_function),
    ("unknown function: ", no_such_function),
    ("no such collation sequence: ", RefusalKind::NoSuchCollation),
    ("no such module: ", RefusalKind::NoSuchModule),
    ("no such index: ", RefusalKind::NoSuchIndex),
    ("duplicate column name: ", RefusalKind::DuplicateColumn),
    ("there is already an index named ", RefusalKind::AlreadyExists),
    ("there is already a table named ", RefusalKind::AlreadyExists),
    ("there is already another table or index with this name: ", RefusalKind::AlreadyExists),
];

const DEPTHS: &[&str] = &[
    "Expression tree is too large",
    "Recursion limit",
    "parser stack overflow",
    "too many SQL variables",
    "too many terms in compound SELECT",
    "too many references to",
    "triggers nested too deep",
    "VIEWs and/or subqueries nested too deep",
    "variable number must be between",
    "LIKE or GLOB pattern too complex",
];

/// Words of messages about statements that may be right on another schema.
const OF_SCHEMA: &[&str] = &[
    "ambiguous column name: ",
    " values were supplied",
    "cannot join using column ",
    "do not have the same number of result columns",
    "ON CONFLICT clause does not match ",
    "cannot modify ",
    "foreign key mismatch",
];

/// What a message says behind `error in view name: ` and its like, with which SQLite tells where it stands.
fn behind_place(message: &str) -> &str {
    let placed = message.strip_prefix("error in ").and_then(|rest| rest.split_once(": "));
    placed.map_or(message, |(_, cause)| cause)
}

fn by_message(message: &str) -> RefusalKind {
    let message = behind_place(message);
    if message == "incomplete input" {
        return RefusalKind::Incomplete;
    }
    if message.ends_with("syntax error") || message.starts_with("unrecognized token") {
        return RefusalKind::Syntax;
    }
    if DEPTHS.iter().any(|depth| message.starts_with(depth)) {
        return RefusalKind::Limit("depth".to_owned());
    }
    if let Some(function) = message.strip_prefix("unsafe use of ") {
        return RefusalKind::Forbidden(function.to_owned());
    }
    let named = NAMED.iter().find_map(|(words, kind)| Some(kind(first_name(message.strip_prefix(words)?))));
    named
        .or_else(|| no_such_written_column(message))
        .or_else(|| exists(message))
        .unwrap_or(RefusalKind::Other)
}

/// Tables that are there where SQLite is built with what makes them.
const OF_BUILDS: [&str; 6] =
    ["bytecode", "completion", "dbdata", "sqlite_dbpage", "sqlite_stmt", "tables_used"];

fn no_such_table(name: String) -> RefusalKind {
    if OF_BUILDS.iter().any(|one| name.eq_ignore_ascii_case(one)) {
        return RefusalKind::NoSuchModule(name);
    }
    RefusalKind::NoSuchTable(name)
}

fn no_such_function(printed: String) -> RefusalKind {
    let name = printed.strip_suffix("()").map(str::to_owned).unwrap_or(printed);
    if guard::is_forbidden(&name) {
        return RefusalKind::Forbidden(format!("{name}()"));
    }
    RefusalKind::NoSuchFunction(name)
}

/// `"bb" - should this be a string literal in single-quotes?` is the column `bb`.
fn first_name(rest: &str) -> String {
    let name = rest.split_once(" - should this be").map_or(rest, |(name, _)| name);
    name.trim_matches('"').to_owned()
}

/// `table t has no column named c`, of an INSERT.
fn no_such_written_column(message: &str) -> Option<RefusalKind> {
    let (table, column) = message.strip_prefix("table ")?.split_once(" has no column named ")?;
    Some(RefusalKind::NoSuchColumn(format!("{table}.{column}")))
}

/// `table t already exists`, and the same of indexes, views and triggers.
fn exists(message: &str) -> Option<RefusalKind> {
    let (_, name) = message.strip_suffix(" already exists")?.split_once(' ')?;
    Some(RefusalKind::AlreadyExists(name.trim_matches('"').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_schema_would_mend_is_told() {
        let of = |message: &str| {
            Refusal { kind: by_message(message), message: message.to_owned(), offset: None }.is_of_schema()
        };
        assert!(of("ambiguous column name: a") && of("table t has 4 columns but 3 values were supplied"));
        assert!(of("no such column: a") && of("error in view v: no such table: t"));
        assert!(
            !of("near \"a\": syntax error") && !of("3 values for 2 columns") && !of("no such function: f")
        );
    }
}

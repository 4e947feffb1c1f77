//! What a rule may do while it is prepared and run: read the facts, for a while, in so much memory. Knows nothing of what
//! it reads.

use crate::schema::{bound_values, memory_taken, sqlite};
use sqlite::Connection;
use sqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The steps of SQLite's virtual machine that one rule may take: a second or two. A rule needs a thousandth of it.
pub(super) const MAX_STEPS: u64 = 100_000_000;

/// How many steps pass between two looks at the count and the memory: each may make a value as long as any may be.
const STRIDE: u16 = 100;

/// The most bytes of a value: what is related to a finding is one, and may be hundreds of places.
const LONGEST: i32 = 10_000_000;

/// The most bytes that a rule may take beside what was taken before.
const MEMORY: i64 = 1 << 30;

/// A guarded connection. Statements that are prepared through it can only read, and are stopped when they take too long.
#[derive(Debug)]
pub(super) struct Guard<'facts> {
    connection: &'facts mut Connection,
    watch: Arc<Watch>,
}

#[derive(Debug, Default)]
struct Watch {
    strides: AtomicU64,
    stopped: AtomicBool,
    /// How far the count of this thread's memory may go.
    memory: AtomicI64,
    denied: Mutex<Option<String>>,
}

impl<'facts> Guard<'facts> {
    /// Guards a connection until this is dropped, for rules of at most so many steps each.
    pub fn new(connection: &'facts mut Connection, max_steps: u64) -> Result<Self, sqlite::Error> {
        bound_values(connection, LONGEST)?;
        // What does not fit into a sorter must not go to a file.
        connection.execute_batch("PRAGMA temp_store = MEMORY")?;
        let watch = Arc::new(Watch::default());
        let counting = Arc::clone(&watch);
        let max_strides = max_steps.div_ceil(u64::from(STRIDE));
        connection.progress_handler(
            i32::from(STRIDE as i16),
            Some(move || {
                let over = counting.strides.fetch_add(1, Ordering::Relaxed) >= max_strides
                    || memory_taken() > counting.memory.load(Ordering::Relaxed);
                counting.stopped.fetch_or(over, Ordering::Relaxed);
                over
            }),
        )?;
        let denying = Arc::clone(&watch);
        connection.authorizer(Some(move |asked: AuthContext<'_>| denying.judge(asked)))?;
        Ok(Self { connection, watch })
    }

    /// The connection, for one more rule.
    pub fn connection(&mut self) -> &Connection {
        self.watch.strides.store(0, Ordering::Relaxed);
        self.watch.stopped.store(false, Ordering::Relaxed);
        self.watch.memory.store(memory_taken().saturating_add(MEMORY), Ordering::Relaxed);
        *self.watch.denied.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.connection
    }

    /// What the rule did that it may not do; nothing where SQLite had its own reason to refuse it.
    pub fn reason(&self) -> Option<String> {
        if self.watch.stopped.load(Ordering::Relaxed) {
            return Some("it takes too long, or too much memory: it was stopped".to_owned());
        }
        let denied = self.watch.denied.lock().unwrap_or_else(PoisonError::into_inner);
        denied
            .as_ref()
            .map(|action| format!("a rule may only read the facts, and this one wants to {action}"))
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // They can fail only on a connection that is not ours, and then there is nothing left to guard.
        let _ = self.connection.progress_handler(0, None::<fn() -> bool>);
        let _ = self.connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>);
    }
}

impl Watch {
    fn judge(&self, asked: AuthContext<'_>) -> Authorization {
        match asked.action {
            AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
            AuthAction::Function { function_name } if function_name != "load_extension" => {
                Authorization::Allow
            }
            action => {
                let mut denied = self.denied.lock().unwrap_or_else(PoisonError::into_inner);
                denied.get_or_insert_with(|| words(action));
                Authorization::Deny
            }
        }
    }
}

/// What an action is, in words that follow "wants to".
fn words(action: AuthAction<'_>) -> String {
    match action {
        AuthAction::Delete { table_name } => format!("delete from `{table_name}`"),
        AuthAction::Insert { table_name } => format!("insert into `{table_name}`"),
        AuthAction::Update { table_name, .. } => format!("update `{table_name}`"),
        AuthAction::Pragma { pragma_name, .. } => format!("run PRAGMA {pragma_name}"),
        AuthAction::Attach { .. } => "attach a database".to_owned(),
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => "manage transactions".to_owned(),
        AuthAction::Function { function_name } => format!("call {function_name}()"),
        _ => "change the schema".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Guard;
    use crate::schema::{open_in_memory, sqlite::OpenFlags};

    const ENDLESS: &str =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

    #[test]
    fn what_does_not_end_is_stopped_and_what_comes_next_runs() {
        let mut connection = open_in_memory(OpenFlags::default()).unwrap();
        let mut guard = Guard::new(&mut connection, 100_000).unwrap();
        assert!(guard.connection().query_row(ENDLESS, [], |_| Ok(())).is_err());
        assert_eq!(guard.reason().unwrap(), "it takes too long, or too much memory: it was stopped");
        assert!(guard.connection().query_row("SELECT 1", [], |_| Ok(())).is_ok());
        assert_eq!(guard.reason(), None);
    }

    #[test]
    fn what_takes_much_memory_is_stopped() {
        let mut connection = open_in_memory(OpenFlags::default()).unwrap();
        let mut guard = Guard::new(&mut connection, 100_000_000).unwrap();
        assert!(guard.connection().query_row("SELECT hex(zeroblob(6000000))", [], |_| Ok(())).is_err());
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                    SELECT randomblob(9000000) AS r FROM n ORDER BY r";
        let error = guard.connection().query_row(many, [], |_| Ok(())).unwrap_err();
        assert!(guard.reason().is_some_and(|reason| reason.contains("memory")), "{error}");
    }

    #[test]
    fn no_single_step_takes_long() {
        let mut connection = open_in_memory(OpenFlags::default()).unwrap();
        let mut guard = Guard::new(&mut connection, 100_000).unwrap();
        let long = "zeroblob(9000000)";
        let slow = format!("SELECT instr({long}, CAST(zeroblob(4000000) || '1' AS BLOB))");
        assert!(guard.connection().query_row(&slow, [], |_| Ok(())).is_ok());
    }

    #[test]
    fn what_writes_is_refused_while_guarded_and_not_after() {
        let mut connection = open_in_memory(OpenFlags::default()).unwrap();
        let mut guard = Guard::new(&mut connection, 100_000).unwrap();
        assert!(guard.connection().execute_batch("CREATE TABLE t (a)").is_err());
        assert!(guard.reason().unwrap().starts_with("a rule may only read the facts"));
        drop(guard);
        assert!(connection.execute_batch("CREATE TABLE t (a)").is_ok());
    }
}

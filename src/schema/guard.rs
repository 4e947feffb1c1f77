//! What a statement of a stranger may do: read and write in memory, for a while, and no more.
//!
//! Two callbacks stand between the connection and everything it runs. The authorizer is asked while a statement is
//! prepared: it refuses what reaches a file or loads code, passes over settings that would loosen the guard, and writes
//! down what the statement reads and writes. The progress handler counts steps and watches the clock and the memory.
//! Neither knows what the statement is for.

use super::{Limits, counters, sqlite};
use sqlite::config::DbConfig;
use sqlite::hooks::{AuthAction, AuthContext, Authorization};
use sqlite::limits::Limit;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many virtual machine steps pass between two looks at the limits. One step can build a value of the greatest
/// length allowed, so this bounds what is built unseen.
const STEPS_BETWEEN_CHECKS: i32 = 50;

/// To ask the clock takes longer than all else that is checked.
const CHECKS_BETWEEN_CLOCKS: i64 = 20;

/// On whose behalf the connection is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// This module's own queries: all is allowed, nothing is written down.
    Own,
    /// A statement of the program that is executed.
    Apply,
    /// Statements that others execute, many perhaps: the same is refused, and nothing is written down.
    Run,
    /// A statement of the program that is only prepared: a PRAGMA that acts while it is prepared must not.
    Explain,
}

/// Something that SQLite said a statement does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub action: Action,
    pub schema: String,
    pub table: String,
    /// The trigger or view that does it.
    pub through: Option<String>,
}

/// What is done to the table of an [`Event`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    Read(String),
    Insert,
    Update(String),
    Delete,
    /// A table, view or virtual table is created; the catalogue is only written to if there is none of this name.
    Create,
    /// An index or trigger of this name is created on the table.
    CreateOn(String),
    /// A table or view is dropped.
    Drop,
    /// An index or trigger of this name is dropped.
    DropOn(String),
    /// A table is altered.
    Alter,
    /// A function is called; the table is empty.
    Call(String),
}

/// What was written down while statements were prepared.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub events: Vec<Event>,
    /// What was refused, in words.
    pub denied: Option<String>,
    /// Which limit was met.
    pub exceeded: Option<&'static str>,
}

#[derive(Debug)]
struct Shared {
    log: Mutex<Log>,
    mode: AtomicU8,
    steps: AtomicI64,
    /// Milliseconds after `epoch`.
    deadline: AtomicI64,
    /// How far the count of this thread's memory may go.
    memory: AtomicI64,
    epoch: Instant,
}

/// The guard of one connection.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    shared: Arc<Shared>,
    limits: Limits,
}

impl Guard {
    /// Stands before the connection from now on. What is attached stays; nothing more can be.
    pub fn arm(connection: &mut sqlite::Connection, limits: &Limits) -> sqlite::Result<Self> {
        configure(connection, limits)?;
        let shared = Arc::new(Shared {
            log: Mutex::default(),
            mode: AtomicU8::new(0),
            steps: AtomicI64::new(i64::MAX),
            deadline: AtomicI64::new(i64::MAX),
            memory: AtomicI64::new(i64::MAX),
            epoch: Instant::now(),
        });
        let watch = Arc::clone(&shared);
        connection.authorizer(Some(move |context: AuthContext<'_>| watch.authorize(&context)))?;
        let watch = Arc::clone(&shared);
        connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || watch.interrupts()))?;
        Ok(Self { shared, limits: limits.clone() })
    }

    /// Begins a statement: its budget is full, and nothing is written down yet. It runs on this thread.
    pub fn begin(&self, mode: Mode) {
        let own = mode == Mode::Own;
        self.shared.mode.store(mode as u8, Ordering::Relaxed);
        let steps = if own { i64::MAX } else { i64::try_from(self.limits.steps).unwrap_or(i64::MAX) };
        self.shared.steps.store(steps, Ordering::Relaxed);
        let end = self.shared.epoch.elapsed() + Duration::from_millis(self.limits.milliseconds);
        let deadline = if own { i64::MAX } else { end.as_millis() as i64 };
        self.shared.deadline.store(deadline, Ordering::Relaxed);
        let memory = counters::memory_taken().saturating_add(self.limits.memory_bytes);
        self.shared.memory.store(if own { i64::MAX } else { memory }, Ordering::Relaxed);
        let mut log = self.shared.log();
        log.events.clear();
        log.denied = None;
        log.exceeded = None;
    }

    /// Leaves at most so many steps to the statement that begins.
    pub fn spare(&self, steps: u64) {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX);
        self.shared.steps.fetch_min(steps, Ordering::Relaxed);
    }

    /// What was written down since the statement began.
    pub fn log(&self) -> MutexGuard<'_, Log> {
        self.shared.log()
    }
}

/// Settings that hold for the life of the connection.
fn configure(connection: &sqlite::Connection, limits: &Limits) -> sqlite::Result<()> {
    for (option, value) in [
        (DbConfig::SQLITE_DBCONFIG_TRIGGER_EQP, true),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
    ] {
        connection.set_db_config(option, value)?;
    }
    let attached = schemas(connection).len() as i32 - 2;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, limits.value_bytes),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, limits.sql_bytes),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, limits.expression_depth),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, limits.compound_terms),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, limits.parameters),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, limits.trigger_depth),
        (Limit::SQLITE_LIMIT_VDBE_OP, limits.program_steps),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, limits.pattern_bytes),
        (Limit::SQLITE_LIMIT_ATTACHED, attached),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    // What does not fit into a sorter or a temporary table must not go to a file.
    connection.execute_batch("PRAGMA temp_store = MEMORY")?;
    for schema in schemas(connection) {
        limit_pages(connection, &schema, limits)?;
    }
    Ok(())
}

/// Attaches an empty database in memory, and no more can be attached after it.
pub(super) fn attach(connection: &sqlite::Connection, schema: &str, limits: &Limits) -> sqlite::Result<()> {
    let attached = schemas(connection).len() as i32 - 2;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, attached + 1)?;
    connection.execute_batch(&format!("ATTACH ':memory:' AS {}", super::quoted(schema)))?;
    limit_pages(connection, schema, limits)
}

/// Limits the size of a schema, which SQLite forgets when its content is replaced.
pub(super) fn limit_pages(
    connection: &sqlite::Connection,
    schema: &str,
    limits: &Limits,
) -> sqlite::Result<()> {
    let (schema, count) = (super::quoted(schema), limits.pages);
    connection.execute_batch(&format!("PRAGMA {schema}.max_page_count = {count}"))
}

/// The schemas of a connection in SQLite's order: `main`, `temp`, then those attached.
pub(super) fn schemas(connection: &sqlite::Connection) -> Vec<String> {
    (0..).map_while(|index| connection.db_name(index).ok()).collect()
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        // The log is a plain list: one that was left half written is only incomplete.
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn interrupts(&self) -> bool {
        let left = self.steps.fetch_sub(i64::from(STEPS_BETWEEN_CHECKS), Ordering::Relaxed);
        let exceeded = if left < i64::from(STEPS_BETWEEN_CHECKS) {
            "steps"
        } else if counters::memory_taken() > self.memory.load(Ordering::Relaxed) {
            "memory"
        } else if left / i64::from(STEPS_BETWEEN_CHECKS) % CHECKS_BETWEEN_CLOCKS == 0
            && self.epoch.elapsed().as_millis() as i64 > self.deadline.load(Ordering::Relaxed)
        {
            "time"
        } else {
            return false;
        };
        self.log().exceeded = Some(exceeded);
        true
    }

    fn authorize(&self, context: &AuthContext<'_>) -> Authorization {
        let mode = self.mode.load(Ordering::Relaxed);
        if mode == Mode::Own as u8 {
            return Authorization::Allow;
        }
        match verdict(&context.action, mode == Mode::Explain as u8) {
            Verdict::Allow => {}
            Verdict::Ignore => return Authorization::Ignore,
            Verdict::Deny(what) => {
                self.log().denied.get_or_insert(what);
                return Authorization::Deny;
            }
        }
        if mode != Mode::Run as u8
            && let Some(event) = event(context)
        {
            self.log().events.push(event);
        }
        Authorization::Allow
    }
}

enum Verdict {
    Allow,
    /// The statement, or the part, does nothing.
    Ignore,
    Deny(String),
}

/// Functions that reach a file, load code, or start a program.
const FORBIDDEN_FUNCTIONS: &[&str] =
    &["edit", "fsdir", "fts3_tokenizer", "load_extension", "lsmode", "readfile", "writefile"];

/// Whether a function would be refused if there were one of this name.
pub(super) fn is_forbidden(function: &str) -> bool {
    FORBIDDEN_FUNCTIONS.iter().any(|forbidden| function.eq_ignore_ascii_case(forbidden))
}

/// An ATTACH whose file is not a literal is none that rusqlite knows.
const ATTACH: i32 = sqlite::ffi::SQLITE_ATTACH;

fn verdict(action: &AuthAction<'_>, explaining: bool) -> Verdict {
    match action {
        // Preparing these does nothing yet, and a program may well have them.
        AuthAction::Attach { .. } | AuthAction::Detach { .. } | AuthAction::Unknown { code: ATTACH, .. }
            if explaining =>
        {
            Verdict::Allow
        }
        AuthAction::Unknown { code: ATTACH, .. } => Verdict::Deny("ATTACH".to_owned()),
        AuthAction::Attach { filename } => Verdict::Deny(format!("ATTACH {filename:?}")),
        AuthAction::Detach { database_name } => Verdict::Deny(format!("DETACH {database_name:?}")),
        AuthAction::Function { function_name } if is_forbidden(function_name) => {
            Verdict::Deny(format!("{function_name}()"))
        }
        AuthAction::CreateVtable { module_name, .. } if !super::stubs::is_known_module(module_name) => {
            Verdict::Deny(format!("the virtual table module {module_name}"))
        }
        AuthAction::Pragma { pragma_name, pragma_value } => pragma(pragma_name, *pragma_value, explaining),
        AuthAction::Unknown { code, .. } => Verdict::Deny(format!("action {code}")),
        _ => Verdict::Allow,
    }
}

/// PRAGMAs that name a file or open the catalogue to writes.
const FORBIDDEN_PRAGMAS: &[&str] =
    &["data_store_directory", "lock_proxy_file", "temp_store_directory", "writable_schema"];

/// PRAGMAs that a program may well set, and that mean nothing to a database in memory or would loosen the guard.
const IGNORED_PRAGMAS: &[&str] = &[
    "activate_extensions",
    "auto_vacuum",
    "cache_size",
    "cache_spill",
    "default_cache_size",
    "hard_heap_limit",
    "hexkey",
    "hexrekey",
    "journal_mode",
    "journal_size_limit",
    "key",
    "locking_mode",
    "max_page_count",
    "mmap_size",
    "page_size",
    "query_only",
    "rekey",
    "soft_heap_limit",
    "temp_store",
    "textkey",
    "textrekey",
    "threads",
    "trusted_schema",
    "wal_autocheckpoint",
    "wal_checkpoint",
];

/// PRAGMAs whose value is a question and not a setting.
const QUERY_PRAGMAS: &[&str] = &[
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

fn pragma(name: &str, value: Option<&str>, explaining: bool) -> Verdict {
    let is_in = |list: &[&str]| list.iter().any(|other| name.eq_ignore_ascii_case(other));
    let Some(value) = value else { return Verdict::Allow };
    if is_in(FORBIDDEN_PRAGMAS) && !turns_off(value) {
        Verdict::Deny(format!("PRAGMA {name}"))
    } else if is_in(FORBIDDEN_PRAGMAS) || is_in(IGNORED_PRAGMAS) || (explaining && !is_in(QUERY_PRAGMAS)) {
        Verdict::Ignore
    } else {
        Verdict::Allow
    }
}

fn turns_off(value: &str) -> bool {
    ["", "0", "off", "no", "false", "reset"].iter().any(|off| value.eq_ignore_ascii_case(off))
}

fn event(context: &AuthContext<'_>) -> Option<Event> {
    use Action::{Alter, Call, Create, CreateOn, Delete, Drop, DropOn, Insert, Read, Update};
    let (action, table) = match context.action {
        AuthAction::Read { table_name, column_name } => (Read(column_name.to_owned()), table_name),
        AuthAction::Insert { table_name } => (Insert, table_name),
        AuthAction::Update { table_name, column_name } => (Update(column_name.to_owned()), table_name),
        AuthAction::Delete { table_name } => (Delete, table_name),
        AuthAction::Function { function_name } => (Call(function_name.to_owned()), ""),
        AuthAction::CreateTable { table_name }
        | AuthAction::CreateTempTable { table_name }
        | AuthAction::CreateVtable { table_name, .. } => (Create, table_name),
        AuthAction::CreateView { view_name } | AuthAction::CreateTempView { view_name } => {
            (Create, view_name)
        }
        AuthAction::CreateIndex { index_name: name, table_name }
        | AuthAction::CreateTempIndex { index_name: name, table_name }
        | AuthAction::CreateTrigger { trigger_name: name, table_name }
        | AuthAction::CreateTempTrigger { trigger_name: name, table_name } => {
            (CreateOn(name.to_owned()), table_name)
        }
        AuthAction::DropTable { table_name }
        | AuthAction::DropTempTable { table_name }
        | AuthAction::DropVtable { table_name, .. } => (Drop, table_name),
        AuthAction::DropView { view_name } | AuthAction::DropTempView { view_name } => (Drop, view_name),
        AuthAction::DropIndex { index_name: name, table_name }
        | AuthAction::DropTempIndex { index_name: name, table_name }
        | AuthAction::DropTrigger { trigger_name: name, table_name }
        | AuthAction::DropTempTrigger { trigger_name: name, table_name } => {
            (DropOn(name.to_owned()), table_name)
        }
        AuthAction::AlterTable { table_name, .. } => (Alter, table_name),
        _ => return None,
    };
    let schema = match context.action {
        AuthAction::AlterTable { database_name, .. } => Some(database_name),
        _ => context.database_name,
    };
    Some(Event {
        action,
        schema: schema.unwrap_or("main").to_owned(),
        table: table.to_owned(),
        through: context.accessor.map(str::to_owned),
    })
}

//! What SQLite offers and rusqlite does not, or not without a promise: its counters of pages, the count of its memory,
//! the switch that makes a statement list its own program, and virtual tables. This is the one file with `unsafe`.
#![expect(unsafe_code, reason = "rusqlite has no safe door to these functions of SQLite")]

use super::sqlite;
use sqlite::vtab::{
    Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Inserts, Module, UpdateVTab, Updates, VTab,
    VTabConfig, VTabConnection, VTabCursor, VTabKind,
};
use sqlite::{OpenFlags, ffi, types::ValueRef};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::{Arc, OnceLock};
use std::{mem, ptr};

/// How many pages the connection has asked its caches for since it was opened, found there or not.
///
/// # Errors
///
/// SQLite refuses the counter, which it does only to a connection it does not know.
pub fn pages_read(connection: &sqlite::Connection) -> sqlite::Result<u64> {
    let found = db_status(connection, ffi::SQLITE_DBSTATUS_CACHE_HIT)?;
    Ok(found + db_status(connection, ffi::SQLITE_DBSTATUS_CACHE_MISS)?)
}

fn db_status(connection: &sqlite::Connection, counter: c_int) -> sqlite::Result<u64> {
    let (mut current, mut highest) = (0, 0);
    // SAFETY: the handle is that of an open connection, which is borrowed for the whole call and used by this thread
    // alone, since `Connection` is not `Sync`. The two out-parameters are live and writable. Nothing is kept.
    let code = unsafe {
        ffi::sqlite3_db_status64(connection.handle(), counter, &raw mut current, &raw mut highest, 0)
    };
    check(code)?;
    Ok(u64::try_from(current).unwrap_or(0))
}

/// Looks at a copy of all pages of a schema, what its transaction has changed so far included; empty where there are none.
///
/// # Errors
///
/// The name of the schema holds a NUL.
pub fn content<T>(
    connection: &sqlite::Connection,
    schema: &str,
    look: impl FnOnce(&[u8]) -> T,
) -> sqlite::Result<T> {
    let schema = CString::new(schema)?;
    let mut size = 0_i64;
    // SAFETY: the handle is as in `db_status`; the name ends with a NUL and the out-parameter is writable. SQLite gives
    // NULL, or memory of `size` bytes that is ours: it is copied, and given back by SQLite's own function.
    unsafe {
        let data = ffi::sqlite3_serialize(connection.handle(), schema.as_ptr(), &raw mut size, 0);
        if data.is_null() {
            return Ok(look(&[]));
        }
        let seen = look(std::slice::from_raw_parts(data, usize::try_from(size).unwrap_or(0)));
        ffi::sqlite3_free(data.cast());
        Ok(seen)
    }
}

/// Opens a database in memory. The first one settles how SQLite counts its memory: its own statistics take one lock of
/// the whole process for each allocation, on which threads wait for each other, and that a fifth of their time.
///
/// # Errors
///
/// SQLite has no memory left.
pub fn open_in_memory(flags: OpenFlags) -> sqlite::Result<sqlite::Connection> {
    counts_itself();
    sqlite::Connection::open_in_memory_with_flags(flags)
}

/// Opens the database in memory that has this name in the process, or makes it. It is gone with its last connection.
///
/// # Errors
/// SQLite has no memory left.
pub fn open_named(name: &str) -> sqlite::Result<sqlite::Connection> {
    counts_itself();
    sqlite::Connection::open(format!("file:/{name}?vfs=memdb"))
}

/// The bytes that SQLite took on this thread and did not give back on it, or so many of the whole process where
/// somebody else opened the first connection. Only a difference means something: what one thread took, another may have
/// given back.
pub fn memory_taken() -> i64 {
    if counts_itself() {
        return TAKEN.get();
    }
    // SAFETY: the function takes no arguments, reads one counter under SQLite's own lock, and may be called from any
    // thread, also from a progress handler: it does not use a connection.
    unsafe { ffi::sqlite3_memory_used() }
}

thread_local! {
    /// Without a destructor, so that it can be used until the last moment of a thread.
    static TAKEN: Cell<i64> = const { Cell::new(0) };
}

/// Whether memory is counted here, by thread and without a lock. Settled by the first call.
fn counts_itself() -> bool {
    static SETTLED: OnceLock<bool> = OnceLock::new();
    *SETTLED.get_or_init(|| count_memory().is_some())
}

/// How many allocations a connection has a place of its own for: with SQLite's 40, half of a statement's go to the heap.
const LOOKASIDE: c_int = 200;

/// Has SQLite take its memory from the allocator of the process, with a count before it. `None` where SQLite runs already,
/// and takes no settings any more.
fn count_memory() -> Option<()> {
    // SAFETY: it holds pointers and optional functions, of which each may be null.
    let mut methods: ffi::sqlite3_mem_methods = unsafe { mem::zeroed() };
    // SAFETY: the argument of this setting is a pointer to methods that SQLite fills in; these are live and writable.
    // `sqlite3_config` must not run beside other calls of SQLite: the `OnceLock` lets one thread in, every connection of
    // planlint is opened after it, and where somebody else has opened one, SQLite refuses with SQLITE_MISUSE. A user of
    // the library must not open a first connection of its own at the same moment; no part of planlint does.
    check(unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut methods) }).ok()?;
    let counting = ffi::sqlite3_mem_methods {
        xMalloc: Some(take),
        xFree: Some(give_back),
        xRealloc: Some(take_again),
        xSize: Some(size),
        ..methods
    };
    // SAFETY: as above. SQLite copies the methods, which stay. The argument of the second setting is an int; without
    // statistics, SQLite holds no lock and keeps no count around its allocator.
    unsafe {
        check(ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const counting)).ok()?;
        check(ffi::sqlite3_config(ffi::SQLITE_CONFIG_LOOKASIDE, 1200 as c_int, LOOKASIDE)).ok()?;
        check(ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int)).ok()
    }
}

/// What stands before each allocation: its size, in bytes. SQLite's numbers ask for no other alignment.
#[repr(C, align(8))]
struct Header(c_int);

/// The place of an allocation of so many bytes and its header; `None` where there can be none.
fn layout(bytes: c_int) -> Option<Layout> {
    let bytes = usize::try_from(bytes).ok()?.checked_add(size_of::<Header>())?;
    Layout::from_size_align(bytes, align_of::<Header>()).ok()
}

/// Counts an allocation that had other bytes `before`, and gives what SQLite sees of it.
///
/// # Safety
///
/// `start` is null, or the start of an allocation of the [`layout`] of these bytes.
unsafe fn noted(start: *mut c_void, before: c_int, bytes: c_int) -> *mut c_void {
    if start.is_null() {
        return start;
    }
    TAKEN.set(TAKEN.get().wrapping_add(i64::from(bytes) - i64::from(before)));
    // SAFETY: there is room for a header before the bytes, and it is aligned for one.
    unsafe {
        start.cast::<Header>().write(Header(bytes));
        start.cast::<Header>().add(1).cast()
    }
}

/// SQLite's `xMalloc`.
unsafe extern "C" fn take(bytes: c_int) -> *mut c_void {
    let Some(layout) = layout(bytes) else { return ptr::null_mut() };
    // SAFETY: the size is not zero, for the header is counted.
    unsafe { noted(alloc(layout).cast(), 0, bytes) }
}

/// SQLite's `xSize`.
unsafe extern "C" fn size(memory: *mut c_void) -> c_int {
    // SAFETY: SQLite asks for the size of what `take` or `take_again` gave it, which has a header, or of nothing.
    if memory.is_null() { 0 } else { unsafe { memory.cast::<Header>().sub(1).read().0 } }
}

/// SQLite's `xFree`.
unsafe extern "C" fn give_back(memory: *mut c_void) {
    // SAFETY: SQLite frees only what `take` or `take_again` gave it, once; its layout is made of its size as it was then.
    unsafe {
        let bytes = size(memory);
        if let Some(layout) = layout(bytes).filter(|_| !memory.is_null()) {
            TAKEN.set(TAKEN.get().wrapping_sub(i64::from(bytes)));
            dealloc(memory.cast::<Header>().sub(1).cast(), layout);
        }
    }
}

/// SQLite's `xRealloc`.
unsafe extern "C" fn take_again(memory: *mut c_void, bytes: c_int) -> *mut c_void {
    // SAFETY: as for `xFree`, and SQLite asks for more of something. What cannot grow stays as it was, and null is returned.
    unsafe {
        let before = size(memory);
        let (Some(old), Some(new)) = (layout(before), layout(bytes)) else { return ptr::null_mut() };
        noted(realloc(memory.cast::<Header>().sub(1).cast(), old, new.size()).cast(), before, bytes)
    }
}

/// What a statement returns when it is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// Its own rows.
    Rows = 0,
    /// Its program, as EXPLAIN does. A statement prepared as EXPLAIN QUERY PLAN also lists where its steps begin, which
    /// one prepared as EXPLAIN does not.
    Program = 1,
}

/// Makes the one live statement of a connection return something else when it is stepped next.
///
/// # Errors
///
/// The statement is running, or `statement` is not the text of a live one.
pub(super) fn list(connection: &sqlite::Connection, text: &str, listing: Listing) -> sqlite::Result<()> {
    // SAFETY: the handle is that of an open connection, borrowed for the whole function and used by this thread alone.
    // `sqlite3_next_stmt` returns only statements of it that are not finalized, and none can be finalized meanwhile,
    // since that also takes the connection. The text of a statement lives as long as the statement. The mode of a
    // statement is its own: rusqlite asks for the number of columns whenever it reads a row, and keeps no copy.
    let code = unsafe {
        let mut statement = ffi::sqlite3_next_stmt(connection.handle(), ptr::null_mut());
        while !statement.is_null() && !is_of(ffi::sqlite3_sql(statement), text) {
            statement = ffi::sqlite3_next_stmt(connection.handle(), statement);
        }
        if statement.is_null() {
            ffi::SQLITE_NOTFOUND
        } else {
            ffi::sqlite3_stmt_explain(statement, listing as c_int)
        }
    };
    check(code)
}

/// # Safety
///
/// `sql` is null, or a NUL-terminated text that outlives the call.
unsafe fn is_of(sql: *const c_char, text: &str) -> bool {
    // SAFETY: by the promise of the caller, and null is told apart first.
    !sql.is_null() && unsafe { CStr::from_ptr(sql) }.to_bytes() == text.as_bytes()
}

fn check(code: c_int) -> sqlite::Result<()> {
    if code == ffi::SQLITE_OK {
        return Ok(());
    }
    Err(sqlite::Error::SqliteFailure(ffi::Error::new(code), None))
}

/// Registers a table-valued function that returns no rows. `columns` are as in CREATE TABLE; its arguments are those
/// marked HIDDEN.
pub(super) fn table_function(
    connection: &sqlite::Connection,
    name: &str,
    columns: &str,
) -> sqlite::Result<()> {
    let declared = CString::new(format!("CREATE TABLE x({columns})")).map_err(sqlite::Error::NulError)?;
    let shown = columns.split(", ").take_while(|column| !column.ends_with(" HIDDEN")).count() as c_int;
    let module = const { &Module::<EmptyTable>::eponymous_only_module() };
    connection.create_module(name, module, Some(Declared { text: declared, shown, watch: None }))
}

/// Who is told what the planner asks of a table, and answers.
pub(super) type Watch = Arc<dyn Fn(&mut IndexInfo) + Send + Sync>;

/// Registers a table without rows, of which `watch` sees what the planner asks. It can be written to, and forgets it.
pub(super) fn watched_table(
    connection: &sqlite::Connection,
    name: &str,
    columns: &str,
    watch: Watch,
) -> sqlite::Result<()> {
    let text = CString::new(format!("CREATE TABLE x({columns})")).map_err(sqlite::Error::NulError)?;
    let module = const { &Module::<EmptyTable>::update_module() };
    connection.create_module(name, module, Some(Declared { text, shown: 0, watch: Some(watch) }))
}

/// What a table-valued function, or a watched table, looks like.
struct Declared {
    text: CString,
    /// So many columns are no arguments.
    shown: c_int,
    watch: Option<Watch>,
}

/// A table without rows.
#[repr(C)]
struct EmptyTable {
    base: ffi::sqlite3_vtab,
    shown: c_int,
    watch: Option<Watch>,
}

// SAFETY: the struct is `repr(C)`, and its first field is the `sqlite3_vtab` that SQLite and rusqlite expect there.
unsafe impl VTab<'_> for EmptyTable {
    type Aux = Declared;
    type Cursor = EmptyCursor;

    fn connect(
        connection: &mut VTabConnection,
        aux: Option<&Declared>,
        _module: &[u8],
        _schema: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> sqlite::Result<(Cow<'static, CStr>, Self)> {
        connection.config(VTabConfig::Innocuous)?;
        let text = aux.map_or_else(|| c"CREATE TABLE x(value)".to_owned(), |declared| declared.text.clone());
        let shown = aux.map_or(1, |declared| declared.shown);
        let watch = aux.and_then(|declared| declared.watch.clone());
        Ok((Cow::Owned(text), Self { base: ffi::sqlite3_vtab::default(), shown, watch }))
    }

    fn best_index(&self, plan: &mut IndexInfo) -> sqlite::Result<bool> {
        if let Some(watch) = &self.watch {
            watch(plan);
            return Ok(true);
        }
        let arguments: Vec<(usize, bool)> = plan
            .constraints()
            .enumerate()
            .filter(|(_, constraint)| constraint.column() >= self.shown)
            .filter(|(_, constraint)| constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ)
            .map(|(at, constraint)| (at, constraint.is_usable()))
            .collect();
        for (place, (at, usable)) in arguments.iter().enumerate() {
            if !usable {
                return Ok(false);
            }
            let mut usage = plan.constraint_usage(*at);
            usage.set_argv_index(place as c_int + 1);
            usage.set_omit(true);
        }
        plan.set_estimated_cost(10.0);
        plan.set_estimated_rows(10);
        Ok(true)
    }

    fn open(&mut self) -> sqlite::Result<EmptyCursor> {
        Ok(EmptyCursor { base: ffi::sqlite3_vtab_cursor::default() })
    }
}

impl CreateVTab<'_> for EmptyTable {
    const KIND: VTabKind = VTabKind::Eponymous;
}

impl UpdateVTab<'_> for EmptyTable {
    fn delete(&mut self, _row: ValueRef<'_>) -> sqlite::Result<()> {
        Ok(())
    }

    fn insert(&mut self, _values: &Inserts<'_>) -> sqlite::Result<i64> {
        Ok(0)
    }

    fn update(&mut self, _values: &Updates<'_>) -> sqlite::Result<()> {
        Ok(())
    }
}

/// A walk over no rows.
#[repr(C)]
struct EmptyCursor {
    base: ffi::sqlite3_vtab_cursor,
}

// SAFETY: the struct is `repr(C)`, and its first field is the `sqlite3_vtab_cursor` that SQLite and rusqlite expect there.
unsafe impl VTabCursor for EmptyCursor {
    fn filter(
        &mut self,
        _number: c_int,
        _text: Option<&str>,
        _arguments: &Filters<'_>,
    ) -> sqlite::Result<()> {
        Ok(())
    }

    fn next(&mut self) -> sqlite::Result<()> {
        Ok(())
    }

    fn eof(&self) -> bool {
        true
    }

    fn column(&self, context: &mut Context, _column: c_int) -> sqlite::Result<()> {
        context.set_result(sqlite::types::Null)
    }

    fn rowid(&self) -> sqlite::Result<i64> {
        Ok(0)
    }
}

#[cfg(test)]
mod tests;

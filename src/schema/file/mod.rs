//! An existing database file, read without a trace: nothing beside it is made or changed, but where another program turns
//! it into one with a WAL in the very moment in which a transaction is begun. No lock is held longer than a
//! short statement, and pages are read past SQLite within a transaction of its own.
//!
//! POSIX drops all locks of a process on a file as soon as one of its descriptors is closed. So one plain descriptor is
//! opened before SQLite's and closed after it, and no other. Knows no program, and not what its pages mean.

mod copy;
mod error;
mod header;
mod statistics;
mod wal;
mod way;

pub use copy::in_memory;
pub use error::FileError;
pub use header::{Header, word};
pub use statistics::{Stat, Statistics};
pub use way::Way;

use super::{counters, sqlite};
use sqlite::config::DbConfig;
use sqlite::hooks::{AuthAction, AuthContext, Authorization};
use sqlite::limits::Limit;
use sqlite::types::Value;
use sqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wal::Frames;
use way::Situation;

/// So often, and after so long each time, it is looked whether another program still holds a file: a program that commits
/// all the time lets go of it for moments only. That is a second in all; who waits longer begins anew.
const TRIES: i32 = 1_000;
const BETWEEN_TRIES: Duration = Duration::from_millis(1);

/// A value of more bytes is refused, and of a table of SQLite's own no more are read in all: whoever wrote the file, it
/// takes no more memory.
const LONGEST: i32 = 16_000_000;
const MOST_BYTES: usize = 64_000_000;

/// A row of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The table that it is on; of a table its own name.
    pub table: String,
    /// The first page of its B-tree; 0 where it has none.
    pub root: u32,
    /// What made it; `None` where SQLite did.
    pub sql: Option<String>,
}

/// A database file that is read.
///
/// The fields are dropped in this order: SQLite closes the file before we do.
#[derive(Debug)]
pub struct FileDatabase {
    connection: Connection,
    wal: Option<File>,
    file: File,
    path: PathBuf,
    way: Way,
    seen: Situation,
    /// Of the transaction that is open.
    header: Header,
    frames: Frames,
    pages: u32,
    reads: u64,
}

impl FileDatabase {
    /// Opens a file by the way that leaves no trace.
    ///
    /// # Errors
    /// It is none that can be audited, or not now.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        way::check_kind(&fs::metadata(path)?)?;
        // What lies beside a file lies beside that which a link leads to.
        let path = path.canonicalize()?;
        let file = File::open(&path)?;
        let seen = Situation::look(&path, &file)?;
        let way = seen.way()?;
        let wal = if way.has_wal() { Some(open_wal(&path)?) } else { None };
        let connection = connect(&path, way)?;
        let header = seen.header.clone();
        let pages = pages_of(&seen);
        Ok(Self {
            connection,
            wal,
            file,
            path,
            way,
            seen,
            header,
            frames: Frames::default(),
            pages,
            reads: 0,
        })
    }

    /// The way by which it is read.
    pub const fn way(&self) -> Way {
        self.way
    }

    /// Its header, as of the transaction that was begun last.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Its pages, as of that transaction.
    pub const fn pages(&self) -> u32 {
        self.pages
    }

    /// Bytes of the file, as it was opened.
    pub const fn bytes(&self) -> u64 {
        self.seen.bytes
    }

    /// How many pages were read so far.
    pub const fn reads(&self) -> u64 {
        self.reads
    }

    /// The pages of which a newer content stands in its WAL.
    pub fn in_wal(&self) -> usize {
        self.frames.len()
    }

    /// Whether its WAL is too large to be read, so that what is in it is not seen.
    pub fn leaves_out_wal(&self) -> bool {
        let length =
            self.wal.as_ref().and_then(|wal| wal.metadata().ok()).map_or(0, |metadata| metadata.len());
        length > wal::MOST
    }

    /// Begins a transaction that reads, and gives whether the database is as it was in the last one.
    ///
    /// # Errors
    /// Another program holds the file, or it is malformed.
    pub fn begin(&mut self) -> Result<bool, FileError> {
        self.end();
        // Where another way is right by now, SQLite would make files on this one.
        let now = Situation::look(&self.path, &self.file)?;
        if now.way()? != self.way || now.header.page_size != self.header.page_size {
            return Err(FileError::Changed);
        }
        self.connection.execute_batch("BEGIN")?;
        // BEGIN alone takes no lock. This does, and reads page 1.
        let number = |sql: &str| self.connection.query_row(sql, [], |row| row.get::<_, u32>(0));
        let pages = number("PRAGMA page_count").map_err(|error| self.cut_off(error.into()))?;
        let cookie = number("PRAGMA schema_version")?;
        let before = (self.header.clone(), self.frames.clone());
        self.frames = self.read_wal().unwrap_or_default();
        // Who writes on meanwhile may have committed more: what is read is as of the last commit in its WAL.
        self.pages = self.frames.pages.unwrap_or(pages);
        // What is in a WAL need not be in the file.
        let (page_size, bytes) = (self.header.page_size, self.file.metadata()?.len());
        if !self.way.has_wal() && u64::from(pages) * u64::from(page_size) > bytes {
            return Err(FileError::Truncated { pages, page_size, bytes });
        }
        let first = self.page(1).ok_or(FileError::Cut)?;
        self.header = Header::read(&first)?;
        if self.header.schema_cookie != cookie {
            return Err(FileError::Changed);
        }
        let (header, frames) = before;
        Ok(header == self.header && frames == self.frames)
    }

    /// What SQLite calls malformed may be cut off: the header says how many pages there were.
    fn cut_off(&self, error: FileError) -> FileError {
        let now = Situation::look(&self.path, &self.file);
        match (&error, now) {
            (FileError::Malformed(_), Ok(Situation { bytes, header, .. })) => match header.pages {
                Some(pages) if u64::from(pages) * u64::from(header.page_size) > bytes => {
                    FileError::Truncated { pages, page_size: header.page_size, bytes }
                }
                _ => error,
            },
            _ => error,
        }
    }

    /// Ends it.
    pub fn end(&mut self) {
        if !self.connection.is_autocommit() {
            // It wrote nothing, and where it can't be ended it ends with the connection.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    /// Whether a transaction that is open keeps others from committing.
    pub fn holds_up(&self) -> bool {
        self.way == Way::Locked && !self.connection.is_autocommit()
    }

    /// A page as it is in the transaction; `None` where the file has no such page.
    pub fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        if number == 0 || number > self.pages {
            return None;
        }
        self.reads += 1;
        let size = self.header.page_size as usize;
        if let Some(page) = self.page_of_wal(number, size) {
            return Some(page);
        }
        let mut page = vec![0; size];
        let at = u64::from(number - 1) * size as u64;
        read_at(&self.file, &mut page, at).ok()?;
        Some(page)
    }

    fn page_of_wal(&self, number: u32, size: usize) -> Option<Vec<u8>> {
        let (place, file) = (self.frames.place(number)?, self.wal.as_ref()?);
        let mut frame = vec![0; wal::FRAME + size];
        read_at(file, &mut frame, place).ok()?;
        // Where it began anew, all of it is in the file, which stays as it is while we read.
        self.frames.is_own(number, &frame).then(|| frame.split_off(wal::FRAME))
    }

    fn read_wal(&self) -> Option<Frames> {
        let file = self.wal.as_ref()?;
        let length = file.metadata().ok()?.len();
        if length > wal::MOST {
            return None;
        }
        let mut head = [0; 32];
        read_at(file, &mut head, 0).ok()?;
        let mut reader = wal::Reader::begin(&head, self.seen.header.page_size)?;
        let mut frame = vec![0; reader.frame_bytes()];
        while read_at(file, &mut frame, reader.next()).is_ok() && reader.take(&frame) {}
        Some(reader.finish())
    }

    /// The catalogue, within the transaction.
    ///
    /// # Errors
    /// It is malformed.
    pub fn catalogue(&self) -> Result<Vec<Entry>, FileError> {
        let sql = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(Entry {
                kind: row.get(0)?,
                name: row.get(1)?,
                table: row.get(2)?,
                root: row.get::<_, Option<i64>>(3)?.and_then(|root| u32::try_from(root).ok()).unwrap_or(0),
                sql: row.get(4)?,
            })
        })?;
        let (mut entries, mut bytes) = (Vec::new(), 0);
        for entry in rows {
            let entry = entry?;
            bytes += entry.name.len() + entry.table.len() + entry.sql.as_ref().map_or(0, String::len);
            if bytes > MOST_BYTES {
                let words = format!("its schema has more than {} MB of text", MOST_BYTES / 1_000_000);
                return Err(FileError::Malformed(words));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// The statistics that ANALYZE left, within the transaction.
    pub fn statistics(&self) -> Statistics {
        Statistics::read(self)
    }

    /// The rows of a table of SQLite's own; none where there is no such table.
    fn own_rows(&self, table: &str, columns: &[&str], most: u32) -> Vec<Vec<Value>> {
        let sql = format!("SELECT {} FROM {} LIMIT {most}", columns.join(", "), super::quoted(table));
        let Ok(mut statement) = self.connection.prepare(&sql) else { return Vec::new() };
        let read = |row: &sqlite::Row<'_>| (0..columns.len()).map(|at| row.get(at)).collect();
        let Ok(rows) = statement.query_map([], read) else { return Vec::new() };
        let mut left = MOST_BYTES;
        let fits = |row: &Vec<Value>| {
            let bytes = row.iter().map(|value| match value {
                Value::Text(text) => text.len(),
                Value::Blob(blob) => blob.len(),
                _ => size_of::<Value>(),
            });
            let rest = left.checked_sub(bytes.sum());
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        rows.flatten().take_while(fits).collect()
    }

    /// Whether the file is as it was when it was opened; of one that is read without locks, this must be asked at the end.
    ///
    /// # Errors
    /// It can't be looked at, or was written while it was read without locks.
    pub fn check_unchanged(&self) -> Result<bool, FileError> {
        let now = Situation::look(&self.path, &self.file)?;
        if now == self.seen {
            return Ok(true);
        }
        if self.way.is_shared() { Ok(false) } else { Err(FileError::Changed) }
    }
}

/// The WAL beside a file. Where it is gone again, somebody closed the database meanwhile.
fn open_wal(path: &Path) -> Result<File, FileError> {
    let path = way::beside(path, "-wal");
    let gone = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Changed,
        _ => error.into(),
    };
    way::check_kind(&fs::metadata(&path).map_err(gone)?)?;
    File::open(&path).map_err(gone)
}

fn waits_on(tries: i32) -> bool {
    std::thread::sleep(BETWEEN_TRIES);
    tries < TRIES
}

fn pages_of(seen: &Situation) -> u32 {
    u32::try_from(seen.bytes / u64::from(seen.header.page_size)).unwrap_or(u32::MAX)
}

fn connect(path: &Path, way: Way) -> Result<Connection, FileError> {
    // The first connection of the process settles how memory is counted.
    let _ = counters::memory_taken();
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(way::uri(path, way), flags)?;
    connection.busy_handler(Some(waits_on))?;
    for (option, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
    ] {
        connection.set_db_config(option, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.execute_batch("PRAGMA query_only = 1; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")?;
    if way == Way::Left {
        // The index of the WAL is kept in memory then, and no file is made for it.
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE")?;
    }
    connection.authorizer(Some(|context: AuthContext<'_>| authorize(&context)))?;
    Ok(connection)
}

/// What the few statements here do, and no more.
fn authorize(context: &AuthContext<'_>) -> Authorization {
    let is_allowed = match context.action {
        AuthAction::Select | AuthAction::Transaction { .. } => true,
        AuthAction::Read { table_name, .. } => table_name.is_empty() || table_name.starts_with("sqlite_"),
        AuthAction::Pragma { pragma_name, pragma_value: None } => {
            ["page_count", "schema_version"].contains(&pragma_name)
        }
        _ => false,
    };
    if is_allowed { Authorization::Allow } else { Authorization::Deny }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    let mut done = 0;
    while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match std::os::windows::fs::FileExt::seek_read(file, rest, at + done as u64)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

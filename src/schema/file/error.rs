//! Why a file can't be audited, in words for who named it.

use crate::schema::{SchemaError, sqlite};
use std::io;

/// Why a file can't be audited.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file can't be read at all.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is a folder, a pipe, a device.
    #[error("it is {0}, not a file")]
    Kind(&'static str),
    /// Zero bytes.
    #[error("it is empty, of zero bytes: SQLite takes that for a new database, in which nothing is")]
    Empty,
    /// It ends within its header.
    #[error("it is cut off within its header, of which SQLite needs 100 bytes")]
    Cut,
    /// It does not begin as a database.
    #[error("it is no SQLite database: it does not begin with `SQLite format 3`")]
    NoDatabase,
    /// It does not begin as a database, and looks like noise.
    #[error(
        "it does not begin as an SQLite database does, and looks like noise: it is encrypted, or no database"
    )]
    Encrypted,
    /// It needs a newer SQLite.
    #[error("it needs a newer SQLite than this one: {0}")]
    Newer(String),
    /// What stands in it makes no sense.
    #[error("it is malformed: {0}")]
    Malformed(String),
    /// It is shorter than its header says.
    #[error(
        "it is cut off: its header says {pages} pages of {page_size} bytes, and with {bytes} bytes it has {}",
        bytes / u64::from(*page_size)
    )]
    Truncated {
        /// Pages by the header.
        pages: u32,
        /// Bytes of a page.
        page_size: u32,
        /// Bytes of the file.
        bytes: u64,
    },
    /// A transaction was cut off, and the file holds a part of it.
    #[error(
        "beside it lies a hot journal: a transaction was cut off, and what is in the file holds no longer than until \
         somebody opens it to write"
    )]
    HotJournal,
    /// There is a WAL, and not what tells readers what is in it.
    #[error(
        "beside it lies a -wal with changes and no -shm that can be used: who wrote them was cut off, and to read them \
         would create files here"
    )]
    CrashedWal,
    /// Somebody holds it.
    #[error("another program holds it locked")]
    Busy,
    /// It was read without locks, since nobody had it open, and then somebody did.
    #[error("another program began to write it while it was read")]
    Changed,
    /// SQLite itself failed.
    #[error("SQLite: {0}")]
    Sqlite(sqlite::Error),
    /// A copy of its schema can't be made.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// SQLite's word for a hot journal that a reader would have to roll back.
const ROLLBACK: i32 = sqlite::ffi::SQLITE_READONLY_ROLLBACK;

impl From<sqlite::Error> for FileError {
    fn from(error: sqlite::Error) -> Self {
        use sqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase, ReadOnly,
        };
        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            Some(DatabaseCorrupt) => Self::Malformed(malformed(&error)),
            Some(NotADatabase) => Self::NoDatabase,
            // A reader that may not write can't roll back, nor make what readers of a WAL share.
            Some(ReadOnly) if error.sqlite_error().map(|one| one.extended_code) == Some(ROLLBACK) => {
                Self::HotJournal
            }
            Some(ReadOnly | CannotOpen) => Self::CrashedWal,
            _ => Self::Sqlite(error),
        }
    }
}

/// What SQLite says of it, where that says more than the word.
fn malformed(error: &sqlite::Error) -> String {
    match error {
        sqlite::Error::SqliteFailure(_, Some(message)) if message.contains("schema") => message.clone(),
        _ => "SQLite makes no sense of its schema".to_owned(),
    }
}

impl FileError {
    /// Whether it may be gone in a moment: who opens a database, closes it, or rolls back, leaves files that mean nothing.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Changed | Self::HotJournal | Self::CrashedWal)
    }

    /// What to do about it, where that is not said.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Busy => Some(
                "try again when it has committed; where it runs with `PRAGMA locking_mode = EXCLUSIVE`, when it has ended, or \
                 audit a copy that the program itself makes with VACUUM INTO",
            ),
            Self::Changed => Some("try again: while another program has it open, it is read by another way"),
            Self::HotJournal | Self::CrashedWal => Some(
                "open it once with the program, which puts it in order; or copy it with the files beside it, open the copy \
                 with the sqlite3 shell, and audit that",
            ),
            Self::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("a path begins in the folder that you are in; and a link may lead nowhere")
            }
            Self::Kind("a folder") => Some("name the database file in it"),
            Self::Kind(_) => Some("copy what it gives into a file, and audit that"),
            Self::Empty => Some("audit it when the program has made its tables in it; or name another file"),
            Self::NoDatabase => Some(
                "name the database itself: a dump of SQL is none, nor are the files beside it that end with -wal, -shm \
                 or -journal",
            ),
            Self::Newer(_) => Some("audit it with a newer planlint"),
            Self::Cut | Self::Truncated { .. } => Some(
                "copy it again, whole: with `.backup` of the sqlite3 shell, or VACUUM INTO, where a program has it open; \
                 `.recover` saves rows of what is left",
            ),
            Self::Encrypted => Some("audit a copy that is decrypted"),
            Self::Malformed(_) => {
                Some("PRAGMA integrity_check says what is broken; `.recover` of the sqlite3 shell saves rows")
            }
            _ => None,
        }
    }
}

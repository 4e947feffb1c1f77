//! How a database file can be read without a trace: by what lies beside it, and what its header says.
//!
//! `immutable=1` takes no locks and creates nothing, and is wrong as soon as somebody else writes, or a journal has the
//! last word. `mode=ro` takes part in locking, and of a database in WAL mode may leave files behind.

use super::{FileError, Header, header};
use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A way to read a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// With locks, of a rollback journal.
    Locked,
    /// As a reader of its WAL. The file that readers share is read only, and never made.
    Wal,
    /// With a WAL that a crash, or a copy, left without what readers share: without locks, and that in memory. Nobody has it
    /// open; that is looked at again when all is read.
    Left,
    /// Without locks: nobody has it open. That is looked at again when all is read.
    Immutable,
}

impl Way {
    /// Whether others may have it open, so that locks are taken.
    pub(super) const fn is_shared(self) -> bool {
        matches!(self, Self::Locked | Self::Wal)
    }

    /// Whether the newest content of a page may stand in a WAL.
    pub(super) const fn has_wal(self) -> bool {
        matches!(self, Self::Wal | Self::Left)
    }

    /// The parameters of its URI.
    pub(super) const fn parameters(self) -> &'static str {
        match self {
            Self::Locked | Self::Wal => "mode=ro&readonly_shm=1",
            Self::Left => "mode=ro&vfs=unix-none",
            Self::Immutable => "mode=ro&immutable=1",
        }
    }
}

/// The length of a file beside a database, and when it was written; `None` where there is none.
type Beside = Option<(u64, Option<SystemTime>)>;

/// A database file and what lies beside it, at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Situation {
    pub header: Header,
    pub bytes: u64,
    written: Option<SystemTime>,
    journal: Beside,
    wal: Beside,
    has_shm: bool,
}

impl Situation {
    /// Looks at a file that is open, and beside it.
    pub fn look(path: &Path, file: &File) -> Result<Self, FileError> {
        let metadata = file.metadata()?;
        let mut head = Vec::new();
        let mut reader = file;
        io::Seek::rewind(&mut reader)?;
        reader.take(header::LENGTH as u64).read_to_end(&mut head)?;
        Ok(Self {
            header: Header::read(&head)?,
            bytes: metadata.len(),
            written: metadata.modified().ok(),
            journal: look_at(path, "-journal"),
            wal: look_at(path, "-wal"),
            has_shm: look_at(path, "-shm").is_some(),
        })
    }

    /// The way to read it.
    pub fn way(&self) -> Result<Way, FileError> {
        let has_journal = self.journal.is_some_and(|(bytes, _)| bytes > 0);
        match self.wal.map(|(bytes, _)| bytes) {
            Some(_) if has_journal => Err(FileError::HotJournal),
            Some(_) if self.has_shm => Ok(Way::Wal),
            Some(bytes) if bytes > 0 && cfg!(unix) => Ok(Way::Left),
            Some(bytes) if bytes > 0 => Err(FileError::CrashedWal),
            Some(_) => Ok(Way::Immutable),
            None if self.header.is_wal && has_journal => Err(FileError::HotJournal),
            None if self.header.is_wal => Ok(Way::Immutable),
            None => Ok(Way::Locked),
        }
    }
}

/// The path of a file beside a database.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn look_at(path: &Path, ending: &str) -> Beside {
    let metadata = fs::metadata(beside(path, ending)).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// Whether it is a plain file, told before it is opened: to open a pipe would wait for a writer.
pub(super) fn check_kind(metadata: &Metadata) -> Result<(), FileError> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(FileError::Kind(if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" }))
}

/// The URI of a file, for SQLite.
pub(super) fn uri(path: &Path, way: Way) -> String {
    let path = bytes(path);
    let mut uri = String::from(if path.starts_with(b"/") { "file:" } else { "file:/" });
    for byte in path {
        match byte {
            // Writing to a string never fails.
            b'%' | b'?' | b'#' | b' ' | 0..=31 | 127.. => drop(write!(uri, "%{byte:02X}")),
            _ => uri.push(char::from(byte)),
        }
    }
    format!("{uri}?{}", way.parameters())
}

/// A path as SQLite takes it. Where it is no UTF-8, it is some bytes all the same.
#[cfg(unix)]
fn bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().trim_start_matches(r"\\?\").replace('\\', "/").into_bytes()
}

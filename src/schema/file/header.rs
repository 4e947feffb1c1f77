//! The first hundred bytes of a database file. Pure: knows no file, and takes any bytes.

use super::FileError;

/// Bytes of the header.
pub(super) const LENGTH: usize = 100;
/// How every database begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// What the header of a database says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Bytes of a page.
    pub page_size: u32,
    /// Bytes at the end of each page that SQLite leaves to extensions.
    pub reserved: u8,
    /// Whether the journal is a WAL.
    pub is_wal: bool,
    /// It goes up with each transaction that changes the file, but for those in a WAL.
    pub change_counter: u32,
    /// Its pages; `None` where an SQLite wrote it that keeps no count.
    pub pages: Option<u32>,
    /// Pages that are free.
    pub freelist: u32,
    /// It goes up with each change of the schema.
    pub schema_cookie: u32,
    /// `none`, `full` or `incremental`.
    pub auto_vacuum: &'static str,
    /// `UTF-8`, `UTF-16le` or `UTF-16be`.
    pub encoding: &'static str,
    /// What the program keeps by PRAGMA `user_version`.
    pub user_version: i32,
    /// What it keeps by PRAGMA `application_id`.
    pub application_id: i32,
    /// The SQLite that wrote it last, such as `3.45.1`; `None` where it does not say.
    pub written_by: Option<String>,
}

impl Header {
    /// Reads the bytes at the start of a file.
    ///
    /// # Errors
    /// It is none of a database that this SQLite reads.
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.is_empty() {
            return Err(FileError::Empty);
        }
        if !bytes.starts_with(MAGIC) {
            let is_cut = bytes.len() < LENGTH && MAGIC.starts_with(bytes);
            return Err(if is_cut { FileError::Cut } else { stranger(bytes) });
        }
        if bytes.len() < LENGTH {
            return Err(FileError::Cut);
        }
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        let word = |at: usize| word(bytes, at).unwrap_or(0);
        let (write, read) = (byte(18), byte(19));
        if read > 2 {
            return Err(FileError::Newer(format!("version {read} of the file format")));
        }
        let format = word(44);
        if format > 4 {
            return Err(FileError::Newer(format!("schema format {format}")));
        }
        let page_size = match u32::from(byte(16)) << 8 | u32::from(byte(17)) {
            1 => 65_536,
            size => size,
        };
        let is_size = page_size.is_power_of_two() && (512..=65_536).contains(&page_size);
        if !is_size || page_size - u32::from(byte(20)) < 480 || (byte(21), byte(22), byte(23)) != (64, 32, 32)
        {
            return Err(FileError::Malformed("its header is none that SQLite writes".to_owned()));
        }
        Ok(Self {
            page_size,
            reserved: byte(20),
            is_wal: write == 2 || read == 2,
            change_counter: word(24),
            // An SQLite before 3.7.0 changes the one number, and not the other.
            pages: Some(word(28)).filter(|pages| *pages > 0 && word(24) == word(92)),
            freelist: word(36),
            schema_cookie: word(40),
            auto_vacuum: match (word(52), word(64)) {
                (0, _) => "none",
                (_, 0) => "full",
                _ => "incremental",
            },
            encoding: match word(56) {
                2 => "UTF-16le",
                3 => "UTF-16be",
                _ => "UTF-8",
            },
            user_version: word(60) as i32,
            application_id: word(68) as i32,
            written_by: version(word(96)),
        })
    }

    /// Bytes of a page that SQLite uses.
    pub fn usable(&self) -> u32 {
        self.page_size - u32::from(self.reserved)
    }
}

/// A number of four bytes, as SQLite writes it in its files.
pub fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A file that does not begin as a database does. What is encrypted looks like noise: bytes of every kind.
fn stranger(bytes: &[u8]) -> FileError {
    let head = bytes.get(..bytes.len().min(64)).unwrap_or(bytes);
    let high = head.iter().filter(|byte| **byte >= 0x80).count();
    let mut kinds: Vec<u8> = head.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    if bytes.len() >= LENGTH && high * 4 > head.len() && kinds.len() * 4 > head.len() * 3 {
        FileError::Encrypted
    } else {
        FileError::NoDatabase
    }
}

fn version(number: u32) -> Option<String> {
    let (major, minor, patch) = (number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
    (major > 0).then(|| format!("{major}.{minor}.{patch}"))
}

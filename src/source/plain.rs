//! Reads a file by its path. What is there may be anything: a pipe never answers, a device never ends, and a file
//! without content may say that it is larger than memory. Knows no tree.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The most bytes that are read of a file at once, whatever the configuration says: offsets are `u32`, and a tree is
/// held in memory.
pub const MOST_BYTES: u64 = 500_000_000;

/// Opens a file that is one.
///
/// # Errors
/// As the system reports them, and where it is something else.
pub fn open(path: &Path) -> io::Result<File> {
    // To open a pipe is to wait for who writes to it.
    if fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"))
}

/// The bytes of a file that has at most so many.
///
/// # Errors
/// As the system reports them, and where it is something else or has more.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "it is too large");
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // It may grow meanwhile.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a file that somebody writes by hand, such as a configuration.
///
/// # Errors
/// As [`read`], and where it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MOST_BYTES)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

//! Reads a file by its path, and replaces one. What is there may be anything: a pipe never answers, a device never ends, and a file
//! without content may say that it is larger than memory. Knows no tree.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    process,
    sync::atomic::{AtomicU32, Ordering},
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
    Err(no_plain_file())
}

/// The bytes of a file that has at most so many.
///
/// # Errors
/// As the system reports them, and where it is something else or has more.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_opened(open(path)?, most)
}

/// The same of a path that a listing has just called a plain file: to ask again what it is takes as long as to read it.
///
/// # Errors
/// As [`read`].
pub fn read_listed(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_opened(File::open(path)?, most)
}

fn read_opened(file: File, most: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(no_plain_file());
    }
    if metadata.len() > most {
        return Err(too_large(metadata.len(), most));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // It may grow meanwhile.
    file.take(most + 1).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > most { Err(too_large(size, most)) } else { Ok(bytes) }
}

/// That a file has more bytes than are read.
pub fn too_large(size: u64, most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{size} bytes, and at most {most} are read"))
}

fn no_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")
}

/// The text of a file that somebody writes by hand, such as a configuration.
///
/// # Errors
/// As [`read`], and where it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MOST_BYTES)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Replaces a file in one step, or makes it: whoever reads it sees the old one or the new one. It is written beside it first,
/// to a name that is free: what lies at a name that can be foretold may be a link to somewhere else.
///
/// # Errors
/// As the system reports them; then the file is as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (beside, mut file) = loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_file_name(format!(".{name}.{}-{number}.part", process::id()));
        match File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => break (beside, opened?),
        }
    };
    let written = file.write_all(bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What went wrong first is what the user must hear.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        for text in ["one", "two"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(read_text(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // A folder is nothing that can be replaced, and what was written for it goes.
        fs::create_dir(folder.path().join("b")).unwrap();
        assert!(replace(&folder.path().join("b"), b"three").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

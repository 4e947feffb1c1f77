//! The facts as a file. Replaces a file whole or leaves it as it was; knows nothing of what the facts say.

use super::{Facts, FactsError, kept, sqlite};
use std::{fs, io, path::Path};

impl Facts {
    /// Writes the facts to a file, as a database that any SQLite client can query.
    ///
    /// They are written beside it first, so that a file of that name is replaced whole or not at all.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn write_to(mut self, path: &Path) -> Result<(), FactsError> {
        let failed = |reason: String| FactsError::Write { path: path.display().to_string(), reason };
        let name = path.file_name().ok_or_else(|| failed("it names no file".to_owned()))?;
        let mut beside = name.to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        let beside = path.with_file_name(beside);
        remove(&beside).map_err(|error| failed(error.to_string()))?;
        let pages = self.pages()?;
        let written = fs::write(&beside, pages).and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            // What went wrong first is what the user must hear.
            let _ = remove(&beside);
        }
        written.map_err(|error| failed(error.to_string()))
    }

    /// The pages of a database of the facts, with the vocabulary as it is written. Frozen facts are thawed for it.
    fn pages(&mut self) -> sqlite::Result<Vec<u8>> {
        let connection = self.connection_mut();
        connection.pragma_update(None, "query_only", false)?;
        kept::unfill(connection)?;
        connection.execute_batch("VACUUM")?;
        Ok(connection.serialize("main")?.to_vec())
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

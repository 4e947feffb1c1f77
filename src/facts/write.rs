//! The facts as a file. Replaces a file whole or leaves it as it was; knows nothing of what the facts say.

use super::{Facts, FactsError, VOCABULARY};
use std::{fs, io, path::Path};

impl Facts {
    /// Writes the facts to a file, as a database that any SQLite client can query.
    ///
    /// They are written beside it first, so that a file of that name is replaced whole or not at all.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn write_to(self, path: &Path) -> Result<(), FactsError> {
        let failed = |reason: String| FactsError::Write { path: path.display().to_string(), reason };
        let name = path.file_name().ok_or_else(|| failed("it names no file".to_owned()))?;
        let mut beside = name.to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        let beside = path.with_file_name(beside);
        remove(&beside).map_err(|error| failed(error.to_string()))?;
        let written = self
            .vacuum_into(&beside)
            .and_then(|()| fs::rename(&beside, path).map_err(|error| failed(error.to_string())));
        if written.is_err() {
            // What went wrong first is what the user must hear.
            let _ = remove(&beside);
        }
        written
    }

    /// Copies the database. `VACUUM` counts as a write, so that frozen facts are thawed for it.
    fn vacuum_into(&self, path: &Path) -> Result<(), FactsError> {
        let failed = |reason: String| FactsError::Write { path: path.display().to_string(), reason };
        let target = path.to_str().ok_or_else(|| failed("its name is not UTF-8".to_owned()))?;
        let query_only: bool = self.connection().pragma_query_value(None, "query_only", |row| row.get(0))?;
        self.connection().pragma_update(None, "query_only", false)?;
        // What is in `temp` stays behind: a reader of the file gets the vocabulary as it is written.
        let copied = self
            .connection()
            .execute_batch(VOCABULARY)
            .and_then(|()| self.connection().execute("VACUUM INTO ?1", [target]));
        self.connection().pragma_update(None, "query_only", query_only)?;
        copied.map(|_| ()).map_err(|error| failed(error.to_string()))
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

//! The facts as a file. Replaces a file whole or leaves it as it was; knows nothing of what the facts say.

use super::{Facts, FactsError, kept, sqlite};
use crate::source::plain;
use std::path::Path;

impl Facts {
    /// Writes the facts to a file, as a database that any SQLite client can query.
    ///
    /// They are written beside it first, so that a file of that name is replaced whole or not at all.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn write_to(mut self, path: &Path) -> Result<(), FactsError> {
        let failed = |reason: String| FactsError::Write { path: path.display().to_string(), reason };
        path.file_name().ok_or_else(|| failed("it names no file".to_owned()))?;
        let pages = self.pages()?;
        plain::replace(path, &pages).map_err(|error| failed(error.to_string()))
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

//! drizzle: files of SQL, in the order of a journal.

use crate::migration::convention::{Convention, PLAIN};
use crate::source::Source;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "drizzle",
    mark: Some("> statement-breakpoint"),
    files: &["meta/_journal.json"],
    reads: |others| others.iter().map(String::as_str).filter(|path| is_journal(path)).collect(),
    lists,
    own_tables: &[(
        "__drizzle_migrations",
        "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at \
         numeric)",
    )],
    ..PLAIN
};

const JOURNAL: &str = "meta/_journal.json";

fn is_journal(path: &str) -> bool {
    path.strip_suffix(JOURNAL).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// The migrations of a journal: each entry has a tag, which is the name of a file.
fn lists(source: &Source) -> Option<Vec<String>> {
    let folder = source.path.strip_suffix(JOURNAL).filter(|_| is_journal(&source.path))?;
    let tags = source.text().split("\"tag\"").skip(1).filter_map(|behind| behind.split('"').nth(1));
    Some(tags.map(|tag| format!("{folder}{tag}")).collect())
}

//! Files for several databases beside each other: folders and file names say for which.

use crate::extract::{is_sql, text::Text};
use crate::migration::convention::{Convention, PLAIN, Texts};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "files for several databases",
    is_foreign,
    reads: |others| others.iter().map(String::as_str).filter(|path| is_marked(path)).collect(),
    texts: |id, source| {
        let texts = || Texts { schema: Text::exact(source.text(), id, 0), ..Texts::default() };
        is_marked(&source.path).then(texts)
    },
    ..PLAIN
};

/// The words by which other databases than SQLite are called.
const OTHERS: [&str; 12] = [
    "postgres",
    "postgresql",
    "pg",
    "pgsql",
    "psql",
    "mysql",
    "mariadb",
    "mssql",
    "sqlserver",
    "clickhouse",
    "cockroach",
    "cockroachdb",
];

/// Whether a folder or the name of a file says that it is for another database.
fn is_foreign(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    // In code, an oracle is often somebody who knows.
    let is_other = |part: &str| OTHERS.contains(&part) || (part == "oracle" && is_sql(path));
    lower.split(['/', '.', '_', '-']).any(is_other)
}

/// Whether a file of SQL is marked as one for SQLite behind its ending.
fn is_marked(path: &str) -> bool {
    path.ends_with(".sql.sqlite") || path.ends_with(".sql.sqlite3")
}

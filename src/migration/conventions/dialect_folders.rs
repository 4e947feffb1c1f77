//! Files for several databases beside each other: folders and file names say for which.

use crate::extract::is_sql;
use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "files for several databases",
    is_foreign,
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

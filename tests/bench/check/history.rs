//! A history of migrations, made for the bench: tables that are created, given columns and indexes, filled and made anew.

use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// Migrations.
const STEPS: usize = 300;
/// Of so many steps, one creates a table.
const OF: usize = 6;

/// A tree with a history, in which no transaction holds a migration together.
pub fn made() -> io::Result<TempDir> {
    let tree = tempfile::tempdir()?;
    let folder = tree.path().join("migrations");
    fs::create_dir(&folder)?;
    for step in 0..STEPS {
        write(&folder.join(format!("{:04}_step.sql", step + 1)), &migration(step))?;
    }
    write(
        &tree.path().join("planlint.toml"),
        "[[database]]\nname = \"shop\"\nmigrations = [\"migrations/*.sql\"]\ntransaction = \"none\"\n\
         pragmas = { foreign_keys = \"on\" }\n",
    )?;
    Ok(tree)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
}

fn migration(step: usize) -> String {
    let number = step / OF;
    let (table, parent) = (format!("part_{number}"), format!("part_{}", number / 2));
    match step % OF {
        0 => format!(
            "CREATE TABLE {table} (\n    id INTEGER PRIMARY KEY AUTOINCREMENT,\n    name TEXT NOT NULL,\n    \
             size INTEGER NOT NULL,\n    parent INTEGER REFERENCES {parent} (id) ON DELETE SET NULL\n);\n\
             CREATE INDEX {table}_by_parent ON {table} (parent);\n"
        ),
        1 => format!(
            "ALTER TABLE {table} ADD COLUMN weight REAL NOT NULL DEFAULT 0;\nUPDATE {table} SET weight = size;\n"
        ),
        2 => format!(
            "CREATE INDEX {table}_by_name ON {table} (name);\nALTER TABLE {table} ADD COLUMN note TEXT;\n"
        ),
        3 => format!(
            "UPDATE {table} SET note = (SELECT other.name FROM {parent} AS other WHERE other.id = {table}.parent);\n"
        ),
        4 => format!(
            "PRAGMA foreign_keys = OFF;\nCREATE TABLE new_part (\n    id INTEGER PRIMARY KEY,\n    name TEXT NOT NULL,\n    \
             size INTEGER NOT NULL DEFAULT 0,\n    parent INTEGER REFERENCES {parent} (id) ON DELETE SET NULL,\n    \
             weight REAL NOT NULL DEFAULT 0,\n    note TEXT\n);\n\
             INSERT INTO new_part (id, name, size, parent, weight, note)\n\
             SELECT id, name, size, parent, weight, note FROM {table};\n\
             DROP TABLE {table};\nALTER TABLE new_part RENAME TO {table};\n\
             CREATE INDEX {table}_by_parent ON {table} (parent);\nCREATE INDEX {table}_by_name ON {table} (name);\n\
             PRAGMA foreign_keys = ON;\n"
        ),
        _ => format!(
            "CREATE UNIQUE INDEX {table}_once ON {table} (name, size);\nDELETE FROM {table} WHERE size < 0;\n"
        ),
    }
}

//! Blocks that name their parents, and the question whether one descends from another.

use rusqlite::{Connection, OptionalExtension, Result, params};

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS blocks (
        hash   BLOB PRIMARY KEY,
        parent BLOB NOT NULL,
        height INTEGER NOT NULL
    ) WITHOUT ROWID;";

fn open(path: &str) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch(SCHEMA)?;
    Ok(db)
}

fn store(db: &Connection, hash: &[u8], parent: &[u8], height: u64) -> Result<()> {
    db.execute(
        "INSERT OR IGNORE INTO blocks (hash, parent, height) VALUES (?1, ?2, ?3)",
        params![hash, parent, height],
    )?;
    Ok(())
}

/// One row by its key: nothing to find here. The loop that calls it makes it slow.
fn parent_of(db: &Connection, hash: &[u8]) -> Result<Option<Vec<u8>>> {
    db.query_row("SELECT parent FROM blocks WHERE hash = ?1", params![hash], |row| row.get(0)).optional()
}

/// A query for each block between the two.
fn descends_from(db: &Connection, block: &[u8], ancestor: &[u8]) -> Result<bool> {
    let mut current = block.to_vec();
    while let Some(parent) = parent_of(db, &current)? { // finds: pointer-walk
        if parent == ancestor {
            return Ok(true);
        }
        current = parent;
    }
    Ok(false)
}

/// One query for the whole way.
fn descends_from_fast(db: &Connection, block: &[u8], ancestor: &[u8]) -> Result<bool> {
    let sql = "
        WITH RECURSIVE line (hash) AS (
            SELECT parent FROM blocks WHERE hash = ?1
            UNION ALL
            SELECT blocks.parent FROM line JOIN blocks ON blocks.hash = line.hash WHERE line.hash <> ?2
        )
        SELECT EXISTS (SELECT 1 FROM line WHERE hash = ?2)";
    db.query_row(sql, params![block, ancestor], |row| row.get(0))
}

fn main() -> Result<()> {
    let db = open("blocks.sqlite")?;
    for (height, line) in std::io::stdin().lines().map_while(std::result::Result::ok).enumerate() {
        let Some((hash, parent)) = line.split_once(' ') else { continue };
        store(&db, hash.as_bytes(), parent.as_bytes(), height as u64)?; // finds: write-in-loop
        let slow = descends_from(&db, hash.as_bytes(), b"genesis")?;
        println!("{slow} {}", descends_from_fast(&db, hash.as_bytes(), b"genesis")?);
    }
    Ok(())
}

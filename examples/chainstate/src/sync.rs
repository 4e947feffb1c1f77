//! Blocks come in any order. They wait in the staging area until their parents are in the chain.

use crate::chain::{self, Block, Hash};
use rusqlite::{Connection, OptionalExtension, Result, params};

pub fn stage(db: &Connection, block: &Block, now: u64) -> Result<()> {
    db.execute(
        "INSERT OR IGNORE INTO staging_blocks (hash, parent, height, received) VALUES (?1, ?2, ?3, ?4)",
        params![block.hash, block.parent, block.height, now],
    )?;
    Ok(())
}

/// The lowest block that waits for nothing. Called until there is none.
fn next_ready(db: &Connection) -> Result<Option<Hash>> {
    let sql = "
        SELECT child.hash -- finds: growing-table-scan
        FROM staging_blocks AS child
        JOIN blocks AS parent ON parent.hash = child.parent
        WHERE child.processed = 0
        ORDER BY child.height
        LIMIT 1";
    db.query_row(sql, [], |row| row.get(0)).optional()
}

/// Looks like `next_ready`: a flag, an order, a limit. A partial index holds just these rows, in this order.
fn unverified(db: &Connection, most: u32) -> Result<Vec<Hash>> {
    let mut statement =
        db.prepare_cached("SELECT hash FROM staging_blocks WHERE verified = 0 ORDER BY received LIMIT ?1")?;
    statement.query_map([most], |row| row.get(0))?.collect()
}

fn set_verified(db: &Connection, hash: &Hash) -> Result<()> {
    db.execute("UPDATE staging_blocks SET verified = 1 WHERE hash = ?1", [hash])?;
    Ok(())
}

fn set_processed(db: &Connection, hash: &Hash) -> Result<()> {
    db.execute("UPDATE staging_blocks SET processed = 1 WHERE hash = ?1", [hash])?;
    Ok(())
}

/// Connects all blocks that can be.
pub fn advance(db: &mut Connection) -> Result<u32> {
    for hash in unverified(db, 100)? {
        if chain::read(&hash).header.len() == 80 {
            set_verified(db, &hash)?;
        }
    }
    let mut connected = 0;
    while let Some(hash) = next_ready(db)? {
        let block = chain::read(&hash);
        if chain::checkpoint(db, block.height)?.is_some_and(|expected| expected != hash) {
            chain::disconnect(db, &block.parent)?;
        } else {
            chain::store(db, &block)?;
        }
        set_processed(db, &hash)?;
        connected += 1;
    }
    Ok(connected)
}

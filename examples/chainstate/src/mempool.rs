//! Transactions that no block holds yet. They come, and go when a block has them or when they are too old.

use crate::chain::{Hash, Tx};
use rusqlite::{Connection, Result, params};

const SCHEMA_1: &[&str] = &[
    "CREATE TABLE db_version (version INTEGER NOT NULL)",
    "INSERT INTO db_version (version) VALUES (1)",
    "CREATE TABLE pending (
         txid BLOB NOT NULL PRIMARY KEY,
         sender TEXT NOT NULL,
         nonce INTEGER NOT NULL,
         fee INTEGER NOT NULL,
         received INTEGER NOT NULL,
         raw BLOB NOT NULL,
         UNIQUE (sender, nonce)
     )",
];

const SCHEMA_2: &[&str] = &[
    "ALTER TABLE pending ADD COLUMN fee_rate REAL NOT NULL DEFAULT 0",
    "CREATE INDEX pending_by_fee_rate ON pending (fee_rate)",
    "UPDATE db_version SET version = 2",
];

pub fn open(path: &str) -> Result<Connection> {
    let mut db = Connection::open(path)?;
    migrate(&mut db)?;
    Ok(db)
}

fn migrate(db: &mut Connection) -> Result<()> {
    let exists: bool =
        db.query_row("SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'db_version'", [], |row| row.get(0))?;
    let version: usize =
        if exists { db.query_row("SELECT version FROM db_version", [], |row| row.get(0))? } else { 0 };
    for step in &[SCHEMA_1, SCHEMA_2][version..] {
        let tx = db.transaction()?;
        for sql in *step {
            tx.execute_batch(sql)?;
        }
        tx.commit()?;
    }
    Ok(())
}

/// One transaction per sender and nonce: the later one replaces the earlier.
pub fn add(db: &Connection, tx: &Tx, sender: &str, nonce: u64, fee: u64, now: u64) -> Result<()> {
    let rate = fee as f64 / tx.raw.len() as f64;
    db.execute(
        "INSERT INTO pending (txid, sender, nonce, fee, received, raw, fee_rate)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (sender, nonce) DO UPDATE SET
             txid = excluded.txid, fee = excluded.fee, received = excluded.received,
             raw = excluded.raw, fee_rate = excluded.fee_rate",
        params![tx.txid, sender, nonce, fee, now, tx.raw, rate],
    )?;
    Ok(())
}

/// A scan in the order of an index, which LIMIT ends.
pub fn best(db: &Connection, most: u32) -> Result<Vec<Hash>> {
    let mut statement = db.prepare_cached("SELECT txid FROM pending ORDER BY fee_rate DESC LIMIT ?1")?;
    statement.query_map([most], |row| row.get(0))?.collect()
}

pub fn remove(db: &Connection, txids: &[Hash]) -> Result<()> {
    let mut statement = db.prepare_cached("DELETE FROM pending WHERE txid = ?1")?;
    for txid in txids {
        statement.execute([txid])?;
    }
    Ok(())
}

/// Runs once a minute, and most of the time deletes nothing.
pub fn expire(db: &Connection, before: u64) -> Result<usize> {
    db.execute("DELETE FROM pending WHERE received < ?1", [before]) // finds: growing-table-scan
}

pub fn next_nonce(db: &Connection, sender: &str) -> Result<Option<u64>> {
    db.query_row("SELECT max(nonce) + 1 FROM pending WHERE sender = ?1", [sender], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_fee_replaces_a_transaction() {
        let db = open(":memory:").unwrap();
        let tx = Tx { txid: [1; 32], raw: vec![0; 200], inputs: vec![], outputs: vec![], events: vec![] };
        add(&db, &tx, "alice", 7, 100, 0).unwrap();
        add(&db, &tx, "alice", 7, 300, 5).unwrap();
        let sql = "SELECT count(*) FROM pending WHERE fee = 300 AND received = 5";
        assert_eq!(db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap(), 1);
    }
}

//! Other nodes: where they are, when they were seen, and which of them are not welcome.

use rusqlite::{Connection, Result, params};
use std::path::Path;

const MOST_BANS: u32 = 500;

pub struct Peer {
    pub address: String,
    pub services: u64,
}

pub fn open(path: &str) -> Result<Connection> {
    let is_new = !Path::new(path).exists();
    let db = Connection::open(path)?;
    if is_new {
        create_tables(&db)?;
    }
    Ok(db)
}

/// Runs on a new database. One that is there already gets nothing that was added here since.
fn create_tables(db: &Connection) -> Result<()> {
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS db_version (version INTEGER NOT NULL);
         CREATE TABLE IF NOT EXISTS peers (
             address TEXT NOT NULL PRIMARY KEY,
             services INETGER NOT NULL, -- finds: unknown-type-name
             failures INTEGER NOT NULL DEFAULT 0,
             last_seen INTEGER NOT NULL
         );
         CREATE TABLE IF NOT EXISTS sightings (
             address TEXT NOT NULL,
             seen INTEGER NOT NULL,
             height INTEGER NOT NULL,
             PRIMARY KEY (address, seen)
         ) WITHOUT ROWID;
         CREATE INDEX IF NOT EXISTS sightings_by_height ON sightings (height);
         CREATE TABLE IF NOT EXISTS bans (
             address TEXT NOT NULL PRIMARY KEY,
             until INTEGER NOT NULL
         );
         CREATE INDEX IF NOT EXISTS by_time ON peers (last_seen);
         CREATE INDEX IF NOT EXISTS by_time ON bans (until); -- finds: reused-index-name
        ",
    )
}

pub fn see(db: &Connection, peer: &Peer, height: u32, now: u64) -> Result<()> {
    db.execute(
        "INSERT INTO peers (address, services, last_seen) VALUES (?1, ?2, ?3)
         ON CONFLICT (address) DO UPDATE SET services = excluded.services, last_seen = excluded.last_seen",
        params![peer.address, peer.services, now],
    )?;
    db.execute(
        "INSERT OR REPLACE INTO sightings (address, seen, height) VALUES (?1, ?2, ?3)",
        params![peer.address, now, height],
    )?;
    Ok(())
}

/// Whom to try first; an index is in this order.
pub fn freshest(db: &Connection, most: u32) -> Result<Vec<Peer>> {
    let mut statement =
        db.prepare("SELECT address, services FROM peers ORDER BY last_seen DESC LIMIT ?1")?;
    statement.query_map([most], |row| Ok(Peer { address: row.get(0)?, services: row.get(1)? }))?.collect()
}

/// Who may have a block: one search of an index, where there is one.
pub fn at_height(db: &Connection, height: u32) -> Result<Vec<String>> {
    let mut statement = db.prepare_cached("SELECT address FROM sightings WHERE height = ?1")?;
    statement.query_map([height], |row| row.get(0))?.collect()
}

/// Every address is asked for, so that every row is read.
pub fn addresses(db: &Connection) -> Result<Vec<String>> {
    let mut statement = db.prepare("SELECT address FROM peers")?; // finds: unbounded-read (note)
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Best effort: a peer that comes back is a new one.
pub fn forget(db: &Connection, address: &str) {
    let _ = db.execute(
        "DELETE FROM peers WHERE address = ?1;
         DELETE FROM sightings WHERE address = ?1", // finds: ignored-statement
        [address],
    );
}

pub fn ban(db: &Connection, address: &str, until: u64) -> Result<()> {
    let count: u32 = db.query_row("SELECT count(*) FROM bans", [], |row| row.get(0))?;
    if count < MOST_BANS {
        db.execute("INSERT OR REPLACE INTO bans (address, until) VALUES (?1, ?2)", params![address, until])?;
    }
    Ok(())
}

/// Scans at most 500 rows: planlint.toml says that there are never more.
pub fn pardon(db: &Connection, now: u64) -> Result<usize> {
    db.execute("DELETE FROM bans WHERE until < ?1", [now])
}

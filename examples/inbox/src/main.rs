//! Messages that come more than once, and are kept once.

use rusqlite::{Connection, OptionalExtension, Result, params};

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS messages (
        id   BLOB PRIMARY KEY,
        body TEXT NOT NULL
    );";

fn open(path: &str) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch(SCHEMA)?;
    Ok(db)
}

/// Looks for the key, and then lets the insert look for it again.
fn keep(db: &Connection, id: &[u8], body: &str) -> Result<bool> {
    let known: Option<i64> =
        db.query_row("SELECT 1 FROM messages WHERE id = ?1", params![id], |row| row.get(0)).optional()?; // finds: lookup-before-insert
    if known.is_some() {
        return Ok(false);
    }
    db.execute("INSERT INTO messages (id, body) VALUES (?1, ?2)", params![id, body])?;
    Ok(true)
}

/// The insert says itself whether the message is new.
fn keep_fast(db: &Connection, id: &[u8], body: &str) -> Result<bool> {
    let sql = "INSERT INTO messages (id, body) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING";
    Ok(db.execute(sql, params![id, body])? == 1)
}

/// A message at a time, each in a transaction of its own.
fn keep_all(db: &Connection, messages: &[(Vec<u8>, String)]) -> Result<usize> {
    let sql = "INSERT INTO messages (id, body) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING"; // finds: write-in-loop
    let mut fresh = 0;
    for (id, body) in messages {
        fresh += db.execute(sql, params![id, body])?;
    }
    Ok(fresh)
}

fn main() -> Result<()> {
    let db = open("inbox.sqlite")?;
    let lines = std::io::stdin().lines().map_while(std::result::Result::ok);
    let messages: Vec<(Vec<u8>, String)> = lines.map(|line| (line.clone().into_bytes(), line)).collect();
    if let Some((id, body)) = messages.first() {
        println!("{}", keep(&db, id, body)?);
    }
    println!("{}", keep_all(&db, &messages)?);
    Ok(())
}

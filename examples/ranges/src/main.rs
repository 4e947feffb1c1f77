//! Hands out ranges of addresses. No two may overlap.

use rusqlite::{Connection, Result, params};

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS ranges (
        first_address INTEGER PRIMARY KEY,
        last_address  INTEGER NOT NULL,
        owner         TEXT NOT NULL
    );";

fn open(path: &str) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch(SCHEMA)?;
    Ok(db)
}

/// Is any address of the range taken? The key bounds one end; the other is tested on every range below it.
fn is_taken(db: &Connection, first: u64, last: u64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM ranges WHERE first_address <= ?2 AND last_address >= ?1)"; // finds: overlap-by-scan
    db.query_row(sql, params![first, last], |row| row.get(0))
}

/// The same, looking at one neighbour: ranges that do not overlap end in the order in which they begin.
fn is_taken_fast(db: &Connection, first: u64, last: u64) -> Result<bool> {
    let sql = "
        SELECT coalesce(
            (SELECT last_address FROM ranges WHERE first_address <= ?2 ORDER BY first_address DESC LIMIT 1) >= ?1, 0)";
    db.query_row(sql, params![first, last], |row| row.get(0))
}

fn hand_out(db: &Connection, first: u64, last: u64, owner: &str) -> Result<bool> {
    if is_taken(db, first, last)? || is_taken_fast(db, first, last)? {
        return Ok(false);
    }
    db.execute(
        "INSERT INTO ranges (first_address, last_address, owner) VALUES (?1, ?2, ?3)",
        params![first, last, owner],
    )?;
    Ok(true)
}

fn main() -> Result<()> {
    let db = open("ranges.sqlite")?;
    for line in std::io::stdin().lines().map_while(std::result::Result::ok) {
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let (first, last) = (number(), number());
        println!("{}", hand_out(&db, first, last, words.next().unwrap_or(""))?); // finds: write-in-loop
    }
    Ok(())
}

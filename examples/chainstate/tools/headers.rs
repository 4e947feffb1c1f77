//! Finds the block of a header. Run by hand, when a peer sends nonsense.

use rusqlite::{Connection, Result};

fn main() -> Result<()> {
    let db = Connection::open("chain.db")?;
    let header = std::env::args().nth(1);
    let mut statement = db.prepare("SELECT height FROM blocks WHERE hex(header) = ?1")?; // finds: growing-table-scan (note)
    for height in statement.query_map([header], |row| row.get::<_, u32>(0))? {
        println!("{}", height?);
    }
    Ok(())
}

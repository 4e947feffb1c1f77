//! Lists blocks with odd headers. Run by hand, when a peer sends nonsense.

use rusqlite::{Connection, Result};

fn main() -> Result<()> {
    let db = Connection::open("chain.db")?;
    let mut statement = db.prepare("SELECT height FROM blocks WHERE length(header) <> ?1")?; // finds: growing-table-scan (note)
    for height in statement.query_map([80], |row| row.get::<_, u32>(0))? {
        println!("{}", height?);
    }
    Ok(())
}

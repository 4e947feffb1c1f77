//! A copy for those who are at sea, in a file of its own.

const TABLE_HARBOURS: &str = "CREATE TABLE IF NOT EXISTS harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)";
const TABLE_SHIPS: &str = "CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, harbour INTEGER, seen INTEGER)";

pub fn open(db: &Connection) -> Result<()> {
    for table in [TABLE_HARBOURS, TABLE_SHIPS] {
        db.execute(table, [])?;
    }
    Ok(())
}

pub fn seen(db: &Connection, harbour: i64) -> Result<i64> {
    db.query_row("SELECT max(seen) FROM ships WHERE harbour = ?1", [harbour], |row| row.get(0))
}

pub fn open(path: &str) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch("CREATE TABLE IF NOT EXISTS harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")?;
    db.execute("CREATE INDEX IF NOT EXISTS harbours_by_name ON harbours(name)", [])?;
    db.execute("CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)", [])?;
    Ok(db)
}

pub fn harbour(db: &Connection, name: &str) -> Result<i64> {
    db.query_row("SELECT id FROM harbours WHERE name = ?1", [name], |row| row.get(0))
}

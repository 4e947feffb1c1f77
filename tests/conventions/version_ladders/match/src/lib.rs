pub fn upgrade(db: &Connection, from: u32) -> Result<()> {
    match from {
        0 => db.execute_batch("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")?,
        1 => db.execute_batch("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)")?,
        2 => db.execute_batch("ALTER TABLE ships ADD COLUMN name TEXT")?,
        _ => return Err(Error::TooNew),
    }
    Ok(())
}

pub fn ships(db: &Connection, name: &str) -> Result<i64> {
    db.query_row("SELECT id FROM ships WHERE name = ?1", [name], |row| row.get(0))
}

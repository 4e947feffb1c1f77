pub fn create(db: &Connection) -> Result<()> {
    let ships = "CREATE TABLE IF NOT EXISTS ships (name TEXT PRIMARY KEY)";
    db.execute_batch(ships)?;
    Ok(())
}

pub fn reset(db: &Connection) -> Result<()> {
    let ships = "CREATE TABLE ships (name TEXT PRIMARY KEY)";
    let calls = "CREATE TABLE calls (ship TEXT NOT NULL, day INTEGER NOT NULL)";
    let index = "CREATE INDEX calls_by_day ON calls (day)";
    db.execute_batch(&format!("DROP TABLE IF EXISTS ships; DROP TABLE IF EXISTS calls; {ships}; {calls}"))?;
    db.execute_batch(index)?;
    log(format!("ran {calls}; {index}"));
    Ok(())
}

pub fn of_day(db: &Connection, day: i64) -> Result<i64> {
    db.query_row("SELECT count(*) FROM calls JOIN ships ON ships.name = calls.ship WHERE day = ?1", [day], |row| row.get(0))
}

use rusqlite::Connection;

/// Leaves a table for a while, under a name of its own.
pub fn clean(db: &Connection, run: u64) -> rusqlite::Result<()> {
    let gone = format!("gone_{run}");
    db.execute(&format!("CREATE TABLE \"{gone}\" (id INTEGER PRIMARY KEY)"), [])?;
    db.execute(&format!("INSERT INTO \"{gone}\" (id) SELECT id FROM harbours WHERE name = ''"), [])?;
    db.execute(&format!("DELETE FROM ships WHERE harbour IN (SELECT id FROM \"{gone}\")"), [])?;
    Ok(())
}

pub fn keep(db: &Connection) -> rusqlite::Result<()> {
    db.execute("CREATE TEMP TABLE temp.ships (id INTEGER PRIMARY KEY)", [])?;
    db.execute("INSERT INTO temp.ships (id) VALUES (?)", [1])?;
    db.execute("DELETE FROM harbours WHERE id NOT IN (SELECT id FROM temp.ships)", [])?;
    Ok(())
}

pub fn export(db: &Connection) -> rusqlite::Result<()> {
    db.execute("CREATE TABLE exported AS SELECT s.id, h.name FROM ships AS s JOIN harbours AS h ON h.id = s.harbour", [])?;
    Ok(())
}

/// Runs the files of a folder that a database has not seen yet.
pub fn migrate(db: &Connection, files: &[(&str, &str)]) -> Result<()> {
    db.execute("CREATE TABLE IF NOT EXISTS steps_done (name TEXT PRIMARY KEY, applied INTEGER)", [])?;
    for (name, sql) in files {
        let done: bool = db.query_row("SELECT count(*) FROM steps_done WHERE name = ?1", [name], |row| row.get(0))?;
        if !done {
            db.execute_batch(sql)?;
            db.execute("INSERT INTO steps_done (name) VALUES (?1)", [name])?;
        }
    }
    Ok(())
}

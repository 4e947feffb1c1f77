pub fn open(db: &Connection) -> Result<()> {
    match version_of(db)? {
        None => {
            db.execute("CREATE TABLE ship (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)", [])?;
            db.execute("CREATE INDEX ship_arrived ON ship (arrived)", [])?;
        }
        Some(version @ 1..=2) => {
            if version < 2 {
                add_quay(db)?;
            }
            if version < 3 {
                drop_quay(db)?;
            }
        }
        Some(_) => {}
    }
    Ok(())
}

fn add_quay(db: &Connection) -> Result<()> {
    db.execute("ALTER TABLE ship ADD COLUMN quay TEXT", [])
}

fn drop_quay(db: &Connection) -> Result<()> {
    db.execute("CREATE TABLE ship_3 (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)", [])?;
    db.execute("INSERT INTO ship_3 SELECT name, arrived FROM ship", [])?;
    db.execute("DROP TABLE ship", [])?;
    db.execute("ALTER TABLE ship_3 RENAME TO ship", [])?;
    db.execute("CREATE INDEX ship_arrived ON ship (arrived)", [])
}

pub fn since(db: &Connection, time: i64) -> Result<String> {
    db.query_row("SELECT name FROM ship WHERE arrived > ?1", [time], |row| row.get(0))
}

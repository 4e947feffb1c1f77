const NEWEST: usize = 4;

const INITIAL: &str = formatcp!(
    "PRAGMA user_version = {};
    CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL, name TEXT);
    CREATE INDEX IF NOT EXISTS ships_by_harbour ON ships (harbour);
    CREATE TABLE IF NOT EXISTS tags (ship INTEGER NOT NULL, name TEXT NOT NULL);",
    NEWEST
);

fn initialize(db: &Connection) -> Result<usize> {
    db.execute_batch(INITIAL)?;
    Ok(NEWEST)
}

pub fn upgrade_db(db: &Connection) -> Result<()> {
    let mut version = current(db)?;
    if version == 0 {
        version = initialize(db)?;
    }
    if version == 1 {
        version = mig_1_to_2(db)?;
    }
    if version == 2 {
        version = mig_2_to_3(db)?;
    }
    if version == 3 {
        mig_3_to_4(db)?;
    }
    Ok(())
}

fn mig_1_to_2(db: &Connection) -> Result<usize> {
    db.execute_batch("ALTER TABLE ships ADD COLUMN name TEXT; PRAGMA user_version = 2;")?;
    Ok(2)
}

fn mig_2_to_3(db: &Connection) -> Result<usize> {
    db.execute_batch(
        "CREATE INDEX IF NOT EXISTS ships_by_harbour ON ships (harbour, name); PRAGMA user_version = 3;",
    )?;
    Ok(3)
}

fn mig_3_to_4(db: &Connection) -> Result<usize> {
    db.execute_batch(
        "DROP TABLE IF EXISTS tags; CREATE TABLE tags (ship INTEGER NOT NULL, name TEXT NOT NULL);
        PRAGMA user_version = 4;",
    )?;
    Ok(4)
}

pub fn ships(db: &Connection, harbour: i64) -> Result<i64> {
    db.query_row("SELECT id FROM ships WHERE harbour = ?1", [harbour], |row| row.get(0))
}

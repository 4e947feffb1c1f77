const TABLES: &str = include_str!("tables.sql");
const AS_CREATED: i32 = 3;

/// A new database is made as version 3 had it, and climbs from there as older ones do.
pub fn open(sql: &Sql) -> Result<()> {
    let mut before = AS_CREATED;
    if !sql.table_exists("settings")? {
        sql.transaction(|transaction| {
            transaction.execute_batch(TABLES)?;
            transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", ("version", before))?;
            Ok(())
        })?;
    } else {
        before = sql.version()?;
    }

    let version = before;
    if version < 1 {
        sql.step("CREATE TABLE moorings (id INTEGER PRIMARY KEY, boat INTEGER);", 1)?;
    }
    if version < 2 {
        sql.step("ALTER TABLE boats ADD COLUMN length INTEGER;", 2)?;
    }
    if version < 3 {
        sql.step("ALTER TABLE moorings ADD COLUMN pier TEXT;", 3)?;
    }
    if version < 4 {
        sql.step("ALTER TABLE boats ADD COLUMN flag TEXT;", 4)?;
    }

    let mut next = 4;
    advance(&mut next, 5)?;
    if version < next {
        sql.step("CREATE TABLE visits (id INTEGER PRIMARY KEY, boat INTEGER);", next)?;
    }
    advance(&mut next, 6)?;
    if version < next {
        sql.step("ALTER TABLE visits ADD COLUMN until INTEGER;", next)?;
    }
    Ok(())
}

pub fn last(db: &Connection, boat: i64) -> Result<i64> {
    db.query_row("SELECT until FROM visits WHERE boat = ?1", [boat], |row| row.get(0))
}

pub fn flagged(db: &Connection, flag: &str) -> Result<i64> {
    db.query_row("SELECT id FROM boats WHERE flag = ?1", [flag], |row| row.get(0))
}

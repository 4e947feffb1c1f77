pub fn run(sql: &Sql) -> Result<()> {
    let mut version = if sql.table_exists("config")? {
        sql.get_version()?
    } else {
        sql.execute_batch(include_str!("../sql/tables.sql"))?;
        12
    };
    if version < 7 {
        sql.execute_migration("ALTER TABLE harbours ADD COLUMN depth INTEGER", 7)?;
        version = 7;
    }
    if version < 12 {
        sql.execute_migration("CREATE TABLE harbours_old (id INTEGER); DROP TABLE harbours_old;", 12)?;
        version = 12;
    }
    if version < 13 {
        sql.execute_migration("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)", 13)?;
        version = 13;
    }
    if version < 14 {
        sql.execute_migration("ALTER TABLE ships ADD COLUMN name TEXT", 14)?;
    }
    Ok(())
}

pub fn named(db: &Connection, name: &str) -> Result<i64> {
    db.query_row("SELECT ships.id FROM ships JOIN harbours WHERE ships.name = ? AND depth > 3", [name], |row| row.get(0))
}

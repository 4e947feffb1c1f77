pub fn create(db: &Connection) -> Result<()> {
    db.execute_batch(include_str!("store/newest.sql"))
}

pub fn large(db: &Connection, size: i64) -> Result<i64> {
    db.query_row("SELECT id FROM parcels WHERE size = ?1", [size], |row| row.get(0))
}

pub fn ships(db: &Connection, name: &str) -> Result<i64> {
    db.query_row("SELECT id FROM ships WHERE name = ?1", [name], |row| row.get(0))
}

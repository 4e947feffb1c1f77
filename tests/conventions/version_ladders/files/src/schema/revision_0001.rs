pub fn migrate(db: &Transaction) -> Result<()> {
    db.execute_batch("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
}

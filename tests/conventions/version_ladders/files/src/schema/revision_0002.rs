pub fn migrate(db: &Transaction) -> Result<()> {
    db.execute_batch("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)")
}

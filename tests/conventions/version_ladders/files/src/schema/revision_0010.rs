pub fn migrate(db: &Transaction) -> Result<()> {
    db.execute_batch("ALTER TABLE ships ADD COLUMN name TEXT")
}

fn core(path: &Path) -> Result<()> {
    let db = Connection::open(path)?;
    CORE_STEPS.iter().try_for_each(|one| db.execute_batch(one))
}

fn extra(path: &Path) -> Result<()> {
    let db = Connection::open(path)?;
    EXTRA_STEPS.iter().try_for_each(|one| db.execute_batch(one))
}

pub fn heights(db: &Connection) -> Result<i64> {
    db.query_row("SELECT max(height) FROM ship JOIN lighthouse USING (flag) WHERE name = ?1", [], |row| row.get(0))
}

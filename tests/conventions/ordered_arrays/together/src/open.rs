pub fn at(path: &Path) -> Result<Connection> {
    let db = Connection::open(path)?;
    core(&db)?;
    extra(&db)?;
    Ok(db)
}

fn core(db: &Connection) -> Result<()> {
    CORE_STEPS.iter().try_for_each(|one| db.execute_batch(one))
}

fn extra(db: &Connection) -> Result<()> {
    EXTRA_STEPS.iter().try_for_each(|one| db.execute_batch(one))
}

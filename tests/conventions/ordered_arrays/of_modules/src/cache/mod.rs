pub const CACHE: &[&[S<'static>]] = &[table::ships::S];

pub fn run(db: &Connection) -> Result<()> {
    for one in CACHE.iter().flat_map(|one| one.iter()) {
        db.execute_batch(one.text)?;
    }
    Ok(())
}

pub fn seen(db: &Connection) -> Result<i64> {
    db.query_row("SELECT count(*) FROM sighting WHERE ship = ?1", [], |row| row.get(0))
}

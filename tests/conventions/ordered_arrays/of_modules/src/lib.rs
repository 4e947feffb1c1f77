pub const STEPS: &[&[S<'static>]] = &[table::ships::S, table::ports::S];

pub fn run(db: &Connection) -> Result<()> {
    let mut all: Vec<_> = STEPS.iter().flat_map(|one| one.iter()).collect();
    all.sort_by_key(|one| one.number);
    for one in all {
        db.execute_batch(one.text)?;
    }
    Ok(())
}

pub fn flags(db: &Connection) -> Result<i64> {
    db.query_row("SELECT count(*) FROM ship JOIN port ON port.id = ship.port WHERE ship.flag = ?1", [], |row| row.get(0))
}

//! Texts for two systems, of which one takes the words that lock rows away.

fn prepared<'c>(db: &'c Connection, sql: &str) -> rusqlite::Result<CachedStatement<'c>> {
    db.prepare_cached(sql.trim().trim_end_matches("FOR UPDATE"))
}

fn of_dock(db: &Connection, dock: u64) -> rusqlite::Result<usize> {
    db.execute(
        "SELECT id FROM ship
         WHERE dock = ?1
         FOR UPDATE",
        [dock],
    )
}

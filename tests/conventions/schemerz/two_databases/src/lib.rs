pub fn ships(db: &Connection, depth: i64) -> Result<i64> {
    db.query_row(
        "SELECT ships.id FROM ships JOIN harbours ON harbours.id = ships.harbour WHERE harbours.depth > ?1",
        [depth],
        |row| row.get(0),
    )
}

mod schema;
mod steps;

pub fn ships(db: &Connection, depth: i64) -> Result<i64> {
    db.query_row(
        "SELECT ships.id FROM ships JOIN harbours ON harbours.id = ships.harbour WHERE harbours.depth > ?1",
        [depth],
        |row| row.get(0),
    )
}

pub fn deep(db: &Connection) -> Result<i64> {
    db.query_row("SELECT count(*) FROM deep", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_make_the_schema() {
        let expected = vec![schema::TABLE_HARBOURS, schema::TABLE_SHIPS, schema::INDEX_SHIPS_HARBOUR];
        let mut made = open().prepare("SELECT sql FROM sqlite_schema ORDER BY type DESC, name").unwrap();
        assert_eq!(texts(&mut made), expected);
    }
}

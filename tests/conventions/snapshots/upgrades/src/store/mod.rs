pub fn open(db: &Connection) -> Result<()> {
    db.execute_batch(include_str!("base11.sql"))?;
    db.execute_batch(include_str!("upgrades/base12_upgrade.sql"))?;
    db.execute_batch(include_str!("upgrades/base14_upgrade.sql"))
}

pub fn deep(db: &Connection) -> Result<i64> {
    db.query_row("SELECT id FROM harbours WHERE depth > 3", [], |row| row.get(0))
}

pub fn in_order(db: &Connection) -> Result<i64> {
    db.execute_batch(include_str!("search/order.sql"))?;
    db.query_row("SELECT harbour FROM order_of_names WHERE place = 1", [], |row| row.get(0))
}

//! Orders of a shop, and who carries them.

const SCHEMA: &str = "
    CREATE TABLE orders(
        id INTEGER PRIMARY KEY,
        customer TEXT NOT NULL,
        shipped INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE carriers(id INTEGER PRIMARY KEY, name TEXT NOT NULL);";

pub fn open(db: &Connection) -> Result<()> {
    db.execute_batch(SCHEMA)
}

pub fn place(db: &Connection, customer: &str) -> Result<()> {
    db.execute("INSERT INTO orders (customer) VALUES (?1)", [customer])?;
    Ok(())
}

pub fn ship(db: &Connection, id: i64) -> Result<()> {
    db.execute("UPDATE orders SET shipped = 1 WHERE id = ?1", [id])?;
    Ok(())
}

pub fn waiting(db: &Connection, customer: &str) -> Result<i64> {
    db.query_row(
        "SELECT id FROM orders
         WHERE customer = ?1 AND shipped = 0",
        [customer],
        |row| row.get(0),
    )
}

pub fn carriers(db: &Connection) -> Result<Vec<String>> {
    let mut all = db.prepare("SELECT name FROM carriers ORDER BY name")?;
    all.query_map([], |row| row.get(0))?.collect()
}

use rusqlite_migration::{M, Migrations};

const MIGRATIONS: Migrations<'_> = Migrations::from_slice(&[
    M::up("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);")
        .down("DROP TABLE harbours;"),
    M::up("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL);").down("DROP TABLE ships;"),
    M::up("ALTER TABLE ships ADD COLUMN name TEXT;").down("ALTER TABLE ships DROP COLUMN name;"),
]);

fn open(db: &mut Connection) -> Result<()> {
    MIGRATIONS.to_latest(db)
}

fn ships(db: &Connection, name: &str) -> Result<i64> {
    db.query_row("SELECT id FROM ships WHERE name = ?1", [name], |row| row.get(0))
}

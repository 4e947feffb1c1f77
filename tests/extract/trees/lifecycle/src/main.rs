//! A program that opens a database, works, and has what nothing calls.

mod store;

fn main() {
    let db = open_database();
    store::serve(&db);
    registry::register(store::handler);
}

fn open_database() -> Connection {
    let db = Connection::open("x.db");
    db.execute_batch("PRAGMA journal_mode = WAL");
    configure(&db);
    create_tables(&db);
    shared(&db);
    db
}

fn configure(db: &Connection) {
    db.execute_batch("PRAGMA foreign_keys = ON");
}

fn create_tables(db: &Connection) {
    db.execute_batch("CREATE TABLE job (id INTEGER PRIMARY KEY)");
    fill(db);
}

fn fill(db: &Connection) {
    db.execute("INSERT INTO job VALUES (1)", []);
}

fn shared(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 2", []);
}

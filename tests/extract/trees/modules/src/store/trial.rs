//! Test code, because store.rs says so.

const QUERY: &str = "SELECT id FROM item WHERE id = 4";

fn tried(db: &Connection) {
    db.prepare(QUERY);
    crate::store::remove(db);
}

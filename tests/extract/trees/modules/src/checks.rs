//! Test code, because lib.rs says so.

fn check(db: &Connection) {
    db.execute("DELETE FROM item WHERE id = 1", []);
}

//! Test code, because lib.rs says so, though others see it.

pub fn help(db: &Connection) {
    db.execute("DELETE FROM item WHERE id = 2", []);
}

//! Not the module that store.rs declares.

pub fn honest(db: &Connection) {
    db.execute("DELETE FROM item WHERE id = 5", []);
}

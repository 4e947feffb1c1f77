//! Sees the names of its own folder.

fn uses(db: &Connection) {
    db.prepare(&format!("SELECT at FROM {TABLE}"));
}

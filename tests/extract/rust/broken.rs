//! A source that does not end.

fn whole(db: &Connection) {
    db.execute("DELETE FROM whole", []);
}

fn cut(db: &Connection) {
    db.execute("DELETE FROM cut WHERE id = 1, []);
    db.commit();
}

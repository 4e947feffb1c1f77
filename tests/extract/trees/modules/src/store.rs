//! A module whose tests stand below it.

#[cfg(test)]
mod trial;

pub fn remove(db: &Connection) {
    db.execute("DELETE FROM item WHERE id = 3", []);
}

//! A library: who calls it is not in its tree, and the only functions called `main` build it and show what it does.

pub fn count(db: &Connection) -> u32 {
    db.query_row("SELECT count(*) FROM leaf", [], |row| row.get(0))
}

pub fn press(db: &Connection, leaf: u32) {
    db.execute("UPDATE leaf SET pressed = 1 WHERE id = ?", [leaf]);
}

#[test]
fn a_leaf_is_pressed() {
    press(&open(), 1);
}

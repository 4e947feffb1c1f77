//! Ships, in tables that other modules name.

fn table(kind: &str) -> String {
    format!("{kind}_of_here")
}

pub fn by_path(db: &Connection) {
    db.execute(&format!("DELETE FROM {} WHERE id = 1", crate::names::table("ship")), []);
    db.execute(&format!("DELETE FROM {} WHERE id = 2", super::marked("ship")), []);
    db.execute(&format!("DELETE FROM {} WHERE id = 3", super::super::table("ship")), []);
    db.execute(&format!("DELETE FROM {} WHERE id = 4", super::ports::table("ship")), []);
    db.execute(&format!("DELETE FROM {} WHERE id = 5", table("ship")), []);
}

/// No module of ours has these: what they say is not known.
pub fn of_others(db: &Connection) {
    db.execute(&format!("DELETE FROM ships WHERE {} = 1", other::names::column()), []);
    db.execute(&format!("DELETE FROM ships WHERE {} = 2", crate::names::column()), []);
}

//! What ships and ports have in common.

mod ports;
mod ships;

pub fn marked(word: &str) -> String {
    format!("fleet_{word}")
}

pub fn all(db: &Connection) {
    db.execute(&format!("DELETE FROM {}", self::ports::table("harbour")), []);
}

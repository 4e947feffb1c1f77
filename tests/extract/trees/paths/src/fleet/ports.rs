//! The names of the tables of ports.

pub fn table(kind: &str) -> String {
    format!("{kind}_ports")
}

//! The names of tables.

pub fn table(kind: &str) -> String {
    format!("{kind}_logs")
}

pub struct Names;

impl Names {
    pub fn column(&self) -> String {
        "of_type".to_owned()
    }
}

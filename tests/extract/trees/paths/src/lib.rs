//! The program.

mod fleet;
mod names;

pub fn table(kind: &str) -> String {
    format!("{kind}_of_all")
}

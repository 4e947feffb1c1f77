pub fn table(kind: &str) -> String {
    format!("{kind}_ports")
}

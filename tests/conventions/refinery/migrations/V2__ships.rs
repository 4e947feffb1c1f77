pub fn migration() -> String {
    "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL);".to_owned()
}

use rusqlite::{Connection, Transaction};
pub struct Log;
pub struct Map;
impl Log {
    const T: &'static str = "log";
    pub fn schema_v0() -> String { format!("CREATE TABLE {} (x INTEGER)", Self::T) }
    pub fn schema_v1() -> String {
        let add = format!("ALTER TABLE {} ADD COLUMN y INTEGER", Self::T);
        let set = format!("UPDATE {} SET y = x", Self::T);
        format!("{add}; {set}")
    }
    pub fn init(tx: &Transaction) { migrate(tx, "log", &[&Self::schema_v0(), &Self::schema_v1()]) }
    pub fn read(tx: &Transaction) { tx.prepare("SELECT y FROM log").unwrap(); }
}
impl Map {
    const T: &'static str = "map";
    pub fn schema_v0() -> String { format!("CREATE TABLE {} (x INTEGER)", Self::T) }
    pub fn schema_v1() -> String { "CREATE TABLE more (z INTEGER)".to_string() }
    pub fn init(tx: &Transaction) { migrate(tx, "map", &[&Self::schema_v0(), &Self::schema_v1()]) }
    pub fn read(tx: &Transaction) { tx.prepare("SELECT z FROM more").unwrap(); }
}
fn migrate(tx: &Transaction, name: &str, scripts: &[&str]) {
    for script in scripts { tx.execute_batch(script).unwrap(); }
}

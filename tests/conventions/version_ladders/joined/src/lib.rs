pub fn migrate(tx: &Transaction, name: &str, scripts: &[&str]) -> Result<()> {
    tx.execute("CREATE TABLE IF NOT EXISTS versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL)", ())?;
    let from = version(tx, name)?.map_or(0, |version| version as usize + 1);
    for (version, script) in scripts.iter().enumerate().skip(from) {
        set_version(tx, name, version)?;
        tx.execute_batch(script)?;
    }
    Ok(())
}

impl Ships {
    const SHIPS: &'static str = "ships";
    const CALLS: &'static str = "calls";

    pub fn schema_v0() -> String {
        let ships = format!("CREATE TABLE {} (name TEXT PRIMARY KEY NOT NULL, note BLOB) STRICT", Self::SHIPS);
        let calls = format!(
            "CREATE TABLE {} (ship TEXT NOT NULL REFERENCES {} (name), day INTEGER NOT NULL) STRICT",
            Self::CALLS,
            Self::SHIPS,
        );
        format!("{ships}; {calls}")
    }

    pub fn schema_v1() -> String {
        let adds = format!("ALTER TABLE {} ADD COLUMN flag TEXT", Self::SHIPS);
        let fills = format!("UPDATE {} SET flag = substr(note, 1, 2)", Self::SHIPS);
        let drops = format!("ALTER TABLE {} DROP COLUMN note", Self::SHIPS);
        format!("{}; {}; {}", adds, fills, drops)
    }

    pub fn schema_v2() -> String {
        format!("ALTER TABLE {} ADD COLUMN built INTEGER", Self::SHIPS)
    }

    pub fn init(tx: &Transaction) -> Result<()> {
        migrate(tx, "ships", &[&Self::schema_v0(), &Self::schema_v1(), &Self::schema_v2()])
    }

    pub fn of_flag(tx: &Transaction, flag: &str) -> Result<Vec<String>> {
        names(tx.prepare(&format!("SELECT name FROM {} WHERE flag = ?1 AND built > 0", Self::SHIPS))?, flag)
    }
}

impl Berths {
    const BERTHS: &'static str = "berths";
    const TIDES: &'static str = "tides";

    pub fn schema_v0() -> String {
        format!("CREATE TABLE {} (number INTEGER PRIMARY KEY NOT NULL, quay TEXT NOT NULL) STRICT", Self::BERTHS)
    }

    pub fn schema_v1() -> String {
        format!("CREATE TABLE {} (at INTEGER PRIMARY KEY NOT NULL, height INTEGER) STRICT", Self::TIDES)
    }

    pub fn init(tx: &Transaction) -> Result<()> {
        migrate(tx, "berths", &[&Self::schema_v0(), &Self::schema_v1()])
    }

    pub fn on(tx: &Transaction, quay: &str) -> Result<Vec<String>> {
        names(tx.prepare(&format!("SELECT number FROM {} WHERE quay = ?1", Self::BERTHS))?, quay)
    }
}

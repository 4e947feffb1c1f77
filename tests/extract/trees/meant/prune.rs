//! A method that calls the function of its name, which a step calls, too.

pub struct Tx<'t> {
    inner: &'t rusqlite::Connection,
}

impl Tx<'_> {
    pub fn prune_wrecks(&self, day: u64) -> rusqlite::Result<usize> {
        prune_wrecks(self.inner, day)
    }

    pub fn weigh(&self) -> rusqlite::Result<usize> {
        self.inner.execute("UPDATE wreck SET weight = weight + 1", [])
    }
}

pub fn prune_wrecks(db: &rusqlite::Connection, day: u64) -> rusqlite::Result<usize> {
    db.execute("DELETE FROM wreck WHERE day < ?", [day])
}

fn weigh(db: &rusqlite::Connection) -> rusqlite::Result<usize> {
    db.execute("UPDATE wreck SET weight = 0", [])
}

pub fn migrate_wrecks(db: &rusqlite::Connection) -> rusqlite::Result<()> {
    weigh(db)?;
    prune_wrecks(db, 9).map(|_| ())
}

fn main() {
    let db = rusqlite::Connection::open("harbour.db").unwrap();
    migrate_wrecks(&db).unwrap();
    let tx = Tx { inner: &db };
    tx.prune_wrecks(3).unwrap();
    tx.weigh().unwrap();
}

use crate::steps::{HARBOUR_STEPS, SHARED_STEPS};

impl Shared {
    pub fn at(path: &Path) -> Self {
        Self { db: crate::open_and_migrate(path, SHARED_STEPS.iter().flat_map(|one| one.iter())) }
    }

    pub fn notices(&self) -> Result<i64> {
        self.db.query_row("SELECT count(*) FROM notice WHERE seen = 0", [], |row| row.get(0))
    }
}

impl Harbour {
    pub fn at(path: &Path) -> Self {
        Self { db: crate::open_and_migrate(path, HARBOUR_STEPS.iter().flat_map(|one| one.iter())) }
    }

    pub fn is_removed(&self, ship: &str) -> Result<bool> {
        self.db.query_row("SELECT count(*) FROM removed WHERE ship = ?1", [ship], |row| row.get(0))
    }
}

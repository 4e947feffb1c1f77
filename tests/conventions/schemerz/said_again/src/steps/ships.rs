use schemerz_rusqlite::RusqliteMigration;

use super::harbours;

pub const ID: Uuid = Uuid::from_u128(0x2);

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        [harbours::ID].into_iter().collect()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch(
            "ALTER TABLE harbours ADD COLUMN depth INTEGER;
             CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL REFERENCES harbours (id))",
        )
    }
}

use schemerz_rusqlite::RusqliteMigration;

use super::{berths, harbours};

pub const ID: Uuid = Uuid::from_u128(0x2);

const BEFORE: &[Uuid] =
    &[harbours::ID, berths::ID];

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        BEFORE.iter().copied().collect()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch(
            "DROP TABLE berths;
             CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL REFERENCES harbours (id))",
        )
    }

    fn down(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch("DROP TABLE ships; CREATE TABLE berths (harbour INTEGER)")
    }
}

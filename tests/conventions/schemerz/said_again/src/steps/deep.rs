use schemerz_rusqlite::RusqliteMigration;

use super::ships;

pub const ID: Uuid = Uuid::from_u128(0x3);

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        [ships::ID].into_iter().collect()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch(crate::schema::VIEW_DEEP)
    }

    fn down(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch("DROP VIEW deep")
    }
}

use schemerz_rusqlite::RusqliteMigration;

pub const ID: Uuid = Uuid::from_u128(0x3);

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        [super::harbours::ID].into_iter().collect()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch(
            "CREATE TABLE berths (harbour INTEGER);
             ALTER TABLE harbours ADD COLUMN depth INTEGER",
        )
    }
}

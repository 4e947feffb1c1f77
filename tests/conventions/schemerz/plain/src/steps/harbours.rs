use schemerz_rusqlite::RusqliteMigration;

pub const ID: Uuid = Uuid::from_u128(0x1);

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        HashSet::new()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }

    fn down(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch("DROP TABLE harbours")
    }
}

use schemerz_rusqlite::RusqliteMigration;

pub const ID: Uuid = Uuid::from_u128(0x4);

pub struct Migration;

impl schemerz::Migration<Uuid> for Migration {
    fn id(&self) -> Uuid {
        ID
    }

    fn dependencies(&self) -> HashSet<Uuid> {
        [super::ships::ID].into_iter().collect()
    }
}

impl RusqliteMigration for Migration {
    type Error = rusqlite::Error;

    fn up(&self, transaction: &Transaction) -> Result<(), Self::Error> {
        transaction.execute_batch("CREATE TEMPORARY TABLE kept AS SELECT id FROM ships")?;
        if !has_depth(transaction)? {
            transaction.execute_batch("ALTER TABLE harbours ADD COLUMN depth INTEGER")?;
        }
        Ok(())
    }
}

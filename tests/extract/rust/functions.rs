//! Functions, loops and calls around a text.

fn one(db: &Connection) -> Result<()> { db.execute("DELETE FROM a1", []) }

async fn asynchronous(pool: &Pool) {
    sqlx::query("SELECT id FROM a2").fetch_all(pool).await;
    sqlx::query_as::<_, Row>("SELECT id FROM a3").fetch_one(pool).await;
    sqlx::query!("SELECT id FROM a4 WHERE id = ?", 1).fetch_one(pool).await;
    let rows = query_as!(Row, "SELECT id FROM a5").fetch(pool);
}

pub(crate) unsafe extern "C" fn outer<T: Into<String>>(db: &Connection, f: fn(u32) -> u32)
where
    T: Clone,
{
    fn inner(db: &Connection) {
        db.execute("DELETE FROM inner_one", []);
    }
    let closure = |id| db.execute("DELETE FROM closure_one WHERE id = ?1", [id]);
    for id in 0..10 {
        while let Some(next) = more() {
            db.execute("DELETE FROM twice WHERE id = ?1", [id]);
        }
        loop {
            closure(id);
            break;
        }
        db.execute("DELETE FROM once WHERE id = ?1", [id]);
    }
    ids.iter().for_each(|id| {
        db.execute("DELETE FROM each WHERE id = ?1", [id]);
    });
    ids.iter().try_for_each(|id| db.execute("DELETE FROM tried WHERE id = ?1", [id]));
    db.execute("DELETE FROM after_all", []);
}

impl<'a> Store for Database<'a> {
    fn put(&mut self) -> Result<()> {
        let tx = self.db.transaction()?;
        tx.execute("INSERT INTO a6 VALUES (1)", [])?;
        tx.commit()
    }

    fn put_many(&mut self, rows: &[Row]) -> Result<()> {
        let mut insert = self.db.prepare("INSERT OR REPLACE INTO a7 VALUES (?1)")?;
        for row in rows {
            insert.execute([row.id])?;
        }
        for row in rows { self.db.prepare_cached("INSERT INTO a8 VALUES (?1)")?.execute([row])?; }
        Ok(())
    }
}

trait Store {
    fn put(&mut self) -> Result<()>;
    fn with_default(&self) -> usize {
        self.query_row("SELECT count(*) FROM a9", [], |row| row.get(0))
    }
}

macro_rules! rows {
    ($db:expr) => {
        $db.prepare("SELECT id FROM a10")
    };
}

mod deep {
    pub mod deeper {
        pub fn function(db: &Connection) -> impl for<'x> Fn(&'x str) {
            db.query_map("SELECT id FROM a11", [], |row| row.get(0));
        }
    }
}

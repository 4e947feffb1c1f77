//! What starts something else does not wait for its end.

trait Store: dyn_clone::DynClone {
    fn latest(&self);
}

fn main() {
    let db = setup_store();
    db.get_upgrade_token();
    open_queries(db.pool);
}

fn setup_store() -> Db {
    let db = Db::open();
    db.load();
    tracker.try_spawn_named(async move { db.flush_on_shutdown().await }, "flush");
    router.route("/marks", get(list));
    db
}

impl Db {
    fn load(&self) {
        self.pool.execute("SELECT id FROM mark", []);
    }

    async fn flush_on_shutdown(&self) {
        for mark in self.marks() {
            self.pool.execute("INSERT INTO mark VALUES (?1)", [mark]);
        }
    }

    fn get_upgrade_token(&self) {
        self.pool.execute("SELECT token FROM mark WHERE kind = ?1", [1]);
    }
}

impl Store for Db {
    fn latest(&self) {
        self.pool.execute("SELECT max(id) FROM mark", []);
    }
}

fn list(db: &Db) {
    db.pool.execute("SELECT url FROM mark WHERE held = 1", []);
}

fn open_queries(pool: Pool) -> Queries {
    pool.execute("PRAGMA foreign_keys = ON", []);
    Queries {
        list: query::make(format!("SELECT id FROM {} WHERE at > ?1", "mark")),
        count: "SELECT count(*) FROM mark WHERE taken = 1",
        pool,
    }
}

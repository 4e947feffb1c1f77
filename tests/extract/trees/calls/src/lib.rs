//! Who calls the functions that hold SQL, and with what.

pub fn get(db: &Connection, id: i64) -> Row {
    db.query_row("SELECT * FROM node WHERE id = ?1", [id], read)
}

pub fn parent(db: &Connection, id: i64) -> Option<i64> {
    db.query_row("SELECT parent FROM node WHERE id = ?1", [id], read)
}

fn each(db: &Connection, ids: &[i64], limit: i64) {
    get(db, 1);
    get(db, limit);
    get(db, compute());
    for id in ids {
        get(db, *id);
        get(db, limit);
    }
    while let Some(next) = queue.pop() {
        get(db, next);
    }
}

fn climb(db: &Connection, start: i64) {
    let mut at = start;
    while at != 0 {
        at = parent(db, at);
    }
    let mut node = Some(start);
    while let Some(one) = node {
        node = parent(db, one);
    }
}

fn within(db: &mut Connection) {
    get(db, 1);
    let tx = db.transaction();
    get(&tx, 2);
    tx.execute("DELETE FROM node WHERE id = ?1", [3]);
    tx.commit();
}

impl Store {
    fn get_all(&self) {
        self.ids.iter().for_each(|id| self.get(id));
    }

    fn put(&self, text: &str) {
        self.db.execute("INSERT INTO node VALUES (?1)", [text]);
    }
}

impl Cache {
    fn put(&self, text: &str) {
        self.db.execute("INSERT INTO cache VALUES (?1)", [text]);
    }

    fn put_both(&self, store: &Store) {
        store.put("text");
        self.put("x", 'c', 1.5, [1], None);
    }
}

#[test]
fn a_test_calls() {
    get(&db(), 1);
}

//! Texts that pass between the functions of a file.

impl Order {
    fn as_sql(&self) -> &'static str {
        match self {
            Order::Newest => "year DESC",
            Order::Title => "title",
        }
    }
}

fn listed(db: &Connection, order: Order) {
    db.prepare(&format!("SELECT id FROM book ORDER BY {}", order.as_sql()));
}

fn count(db: &Connection, table: &str) {
    db.prepare(&format!("SELECT count(*) FROM {table}"));
}

fn both(db: &Connection) {
    count(db, "book");
    count(db, AUTHORS);
}

const AUTHORS: &str = "author";

fn pruned(db: &Connection, table: &str) {
    removed(db, table, "id");
}

fn removed(db: &Connection, table: &str, column: &str) {
    db.execute(&format!("DELETE FROM {table} WHERE {column} = ?"), [1]);
}

fn all_pruned(db: &Connection) {
    pruned(db, "book");
    removed(db, "author", "name");
}

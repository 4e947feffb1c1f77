//! Texts put together from pieces.

const COLUMNS: &str = "id, title, author";
const BY_AUTHOR: &str = concat!("SELECT id FROM book ", "WHERE author = ?1", " ORDER BY title");
static COUNT: &'static str = "SELECT count(*) FROM book";

struct Books;

impl Books {
    const TABLE: &'static str = "book";
    const ALL: &str = "SELECT * FROM book LIMIT 10";

    fn by_title(&self, db: &Connection) -> Result<Book> {
        db.query_row(&format!("SELECT {} FROM {} WHERE title = ?1", COLUMNS, Self::TABLE), [], read)
    }

    fn inline(&self, db: &Connection) {
        db.prepare(&format!("SELECT {COLUMNS} FROM book WHERE id > {{0}}")).unwrap();
        db.prepare(Self::ALL).unwrap();
    }
}

fn formats(db: &Connection, table: &str, limit: u32, order: Order) {
    db.prepare(&format!("SELECT {COLUMNS} FROM {table} LIMIT {limit}"));
    db.prepare(&format!("SELECT {1} FROM {0}", "book", "title"));
    db.prepare(&format!("SELECT {column} FROM book LIMIT {:>4}", limit, column = "author"));
    db.prepare(&format!("SELECT {} FROM book ORDER BY {:?}", "id", order.direction()));
    db.prepare(&format!("SELECT id FROM {}", Books::TABLE));
    db.prepare(&format!("SELECT id FROM {}", self.table));
    db.prepare(&format!(r#"SELECT "id" FROM {table} WHERE json = '{{}}'"#));
    let mut sql = String::new();
    write!(sql, "SELECT id FROM {table} WHERE id = {}", limit)?;
}

fn pluses(db: &Connection, table: &str) {
    db.prepare(&("SELECT id FROM ".to_string() + table + " WHERE id = ?1"));
}

fn named(db: &Connection) {
    db.prepare(BY_AUTHOR);
    db.query_row(COUNT, [], |row| row.get(0));
    let local = "SELECT author FROM book WHERE id = ?1";
    let same = local;
    db.prepare_cached(same);
    db.prepare(&crate::elsewhere::UNKNOWN);
}

fn placeholders(db: &Connection, ids: &[i64]) {
    db.prepare(&format!("SELECT title FROM book WHERE id IN ({})", repeat_vars(ids.len())));
    let placeholders = ids.iter().map(|_| "?").collect::<Vec<_>>().join(", ");
    db.prepare(&format!("DELETE FROM book WHERE id IN ({}) AND author = ?", placeholders));
    db.prepare(&format!("SELECT author FROM book WHERE id IN ({})", ids.iter().join(",")));
}

fn owned_in_front(db: &Connection) {
    db.execute(&(String::from("DELETE FROM shelf ") + "WHERE id = 3"));
}

fn chosen_once(db: &Connection, by_author: bool) {
    db.prepare(&format!("SELECT {0}_id FROM book WHERE {0}_name = ?1", if by_author { "author" } else { "editor" }));
}

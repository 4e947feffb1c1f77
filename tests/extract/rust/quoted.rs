//! SQL as the tokens of a macro.

fn quoted(db: &Connection) {
    db.select(sql!(SELECT id, title FROM book WHERE author = (?) AND year > 2000));
    db.exec(sql! {
        DELETE FROM book
        WHERE id = ?
    });
    db.exec(sql!("SELECT 1 FROM book"));
    html!(SELECT nothing);
}

const TABLE: &str = sql!(
    CREATE TABLE book (id INTEGER PRIMARY KEY) STRICT;
);

//! Texts built piece by piece.

fn appended(db: &Connection, newest: bool) {
    let mut sql = String::from("SELECT id FROM book");
    sql.push_str(" WHERE author = ?");
    if newest {
        sql.push_str(" AND year > 2000");
    }
    sql += " ORDER BY id";
    db.prepare(&sql);
}

fn from_nothing(db: &Connection, limit: u32) {
    let mut sql = String::new();
    sql.push_str("SELECT title FROM book");
    write!(sql, " LIMIT {limit}").unwrap();
    db.prepare(&sql);
}

fn either(db: &Connection, by_year: bool) {
    let mut sql = "SELECT id FROM book WHERE ".to_string();
    if by_year {
        sql.push_str("year = ?");
    } else {
        sql.push_str("author = ?");
    }
    db.prepare(&sql);
}

fn matched(db: &Connection, order: Order) {
    let mut sql = "SELECT id FROM book".to_owned();
    match order {
        Order::Up => sql.push_str(" ORDER BY year"),
        Order::Down => {
            sql.push_str(" ORDER BY year DESC");
        }
    }
    db.prepare(&sql);
}

fn made_anew(db: &Connection, limit: Option<u32>) {
    let mut sql = format!("SELECT id FROM book WHERE author = {}", 1);
    if let Some(limit) = limit {
        sql = format!("{sql} LIMIT {limit}");
    }
    let count = format!("SELECT count(*) FROM ({sql})");
    db.prepare(&sql);
    db.prepare(&count);
}

fn listed(db: &Connection, author: Option<&str>, year: Option<u32>) {
    let mut conditions = vec!["1 = 1"];
    if author.is_some() {
        conditions.push("author = ?");
    }
    if year.is_some() {
        conditions.push("year = ?");
    }
    let sql = format!("SELECT id FROM book WHERE {}", conditions.join(" AND "));
    db.prepare(&sql);
}

fn unknown(db: &Connection, filter: &Filter) {
    let mut sql = "SELECT id FROM book".to_string();
    sql.push_str(&filter.to_where());
    db.prepare(&sql);
}

fn run_between(db: &Connection) {
    let mut sql = "SELECT id FROM book".to_string();
    db.prepare(&sql);
    sql.push_str(" WHERE author = ?");
    db.prepare(&sql);
}

fn looped(db: &Connection, words: &[&str]) {
    let mut sql = "SELECT id FROM book WHERE year = ?".to_string();
    for _ in words {
        sql.push_str(" AND title LIKE ?");
    }
    db.prepare(&sql);
}

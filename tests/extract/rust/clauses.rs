//! Clauses that callers hand to what puts a query together.

fn listing(clauses: Vec<String>) -> String {
    let mut filter = String::new();
    if !clauses.is_empty() {
        filter = "WHERE ".to_string();
        filter.push_str(&clauses.join(" AND "));
    }
    format!("SELECT id, weight FROM parcels {filter} ORDER BY id")
}

fn by_label(db: &Connection, label: &str) -> Result<Parcel> {
    db.query_row(&listing(vec!["label = ?1".to_string()]), [label], parcel)
}

fn heavy(sorted: bool, clause: &str) -> String {
    let mut sql = "SELECT id FROM parcels".to_string();
    if sorted {
        sql.push_str(" WHERE weight > 7 AND ");
        sql.push_str(clause);
    }
    sql
}

fn heavy_of(db: &Connection, office: u64) -> Result<u64> {
    db.query_row(&heavy(true, "office = ?1"), [office], |row| row.get(0))
}

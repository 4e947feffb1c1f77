//! What callers hand to a function of the file that makes text of it.

fn index(db: &Connection, name: &str, table: &str, columns: &[&str], unique: bool) -> Result<()> {
    let kind = if unique { "UNIQUE " } else { "" };
    let sql = format!("CREATE {kind}INDEX IF NOT EXISTS {name} ON {table} ({})", columns.join(", "));
    db.execute(&sql, [])?;
    Ok(())
}

fn indexes(db: &Connection) -> Result<()> {
    index(db, "by_author", "book", &["author"], false)?;
    index(db, "by_isbn", "book", &["isbn"], true)?;
    for (name, columns) in [("by_reader", ["reader", "due"]), ("by_day", ["day", "book"])] {
        index(db, name, "loan", &columns, false)?;
    }
    Ok(())
}

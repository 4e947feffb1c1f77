//! Values of several parts, and tables whose schema is computed.

enum By {
    Shelf(String),
    Weight(i64),
}

fn limit_of(few: bool) -> Result<(String, usize), Error> {
    Ok(("LIMIT 10".to_string(), 10))
}

fn crates(conn: &Connection, by: By, few: bool) -> Result<()> {
    let (clause, value): (&str, Value) = match by {
        By::Shelf(shelf) => ("WHERE shelf = ?1", shelf.into()),
        By::Weight(kilos) => ("WHERE kilos > ?1", kilos.into()),
    };
    let (limit, _) = limit_of(few)?;
    conn.prepare(&format!("SELECT label FROM crates {clause} {limit}"))?;
    let (table, mut column) = if few { ("crates", "kilos") } else { ("boxes", "kilos") };
    conn.prepare(&format!("SELECT max({column}) FROM {table}"))?;
    Ok(())
}

fn attached(conn: &Connection, name: &str) -> Result<()> {
    conn.execute(&format!("DELETE FROM {}.crates WHERE kilos = 0", name), [])?;
    Ok(())
}

//! What a type keeps of texts in its fields.

struct Shelf {
    table: String,
    other: String,
}

impl Shelf {
    fn new(other: Option<String>) -> Self {
        let other = other.unwrap_or("boxes".to_string());
        Self { table: "crates".to_string(), other }
    }

    fn labels(&self, conn: &Connection) -> Result<()> {
        conn.prepare(&format!("SELECT label FROM {}", self.table))?;
        conn.prepare(&format!("SELECT kilos FROM {}", self.other))?;
        Ok(())
    }
}

fn filtered(conn: &Connection, filter: Option<String>) -> Result<()> {
    let clause = filter.map(|shelf| format!("WHERE shelf = '{shelf}'")).unwrap_or("".to_string());
    conn.prepare(&format!("SELECT shelf FROM crates {clause}"))?;
    Ok(())
}

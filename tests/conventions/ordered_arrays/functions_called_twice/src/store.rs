use rusqlite::Connection;

pub enum Step {
    Sql(&'static str),
    Code(fn(&Connection) -> rusqlite::Result<()>),
}

// What the program does each day as well.
fn refresh(db: &Connection) -> rusqlite::Result<()> {
    db.execute("DROP TABLE IF EXISTS totals", [])?;
    db.execute("CREATE TABLE totals AS SELECT port, count(*) AS ships FROM ships GROUP BY port", [])?;
    Ok(())
}

static STEPS: &[Step] = &[
    Step::Sql("CREATE TABLE ships (id INTEGER PRIMARY KEY, port TEXT)"),
    Step::Code(refresh),
    Step::Sql("ALTER TABLE ships ADD COLUMN flag TEXT"),
];

pub fn climb(db: &Connection, version: usize) -> rusqlite::Result<()> {
    for step in &STEPS[version..] {
        match step {
            Step::Sql(text) => db.execute_batch(text)?,
            Step::Code(run) => run(db)?,
        }
    }
    Ok(())
}

pub fn put(db: &Connection, port: &str) -> rusqlite::Result<()> {
    db.execute("INSERT INTO ships (port) VALUES (?1)", [port])?;
    refresh(db)
}

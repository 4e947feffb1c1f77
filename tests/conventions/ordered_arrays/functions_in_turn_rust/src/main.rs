use rusqlite::Connection;

enum Step {
    Sql(&'static str),
    Code(fn(&Connection) -> rusqlite::Result<()>),
}

fn split_names(db: &Connection) -> rusqlite::Result<()> {
    db.execute("CREATE TABLE people_next (id INTEGER PRIMARY KEY, first TEXT, last TEXT)", [])?;
    db.execute("INSERT INTO people_next SELECT id, name, name FROM people", [])?;
    db.execute("DROP TABLE people", [])?;
    db.execute("ALTER TABLE people_next RENAME TO people", [])?;
    Ok(())
}

const STEPS: &[Step] = &[
    Step::Sql("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)"),
    Step::Sql("CREATE INDEX people_by_name ON people (name)"),
    Step::Code(split_names),
    Step::Sql("CREATE TABLE visits (person INTEGER, day TEXT)"),
];

pub fn upgrade(db: &Connection, version: usize) -> rusqlite::Result<()> {
    for step in &STEPS[version..] {
        match step {
            Step::Sql(text) => db.execute_batch(text)?,
            Step::Code(run) => run(db)?,
        }
    }
    Ok(())
}

pub fn find(db: &Connection, last: &str) -> rusqlite::Result<i64> {
    db.query_row("SELECT id FROM people WHERE last = ?1", [last], |row| row.get(0))
}

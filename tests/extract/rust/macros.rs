//! What macros that a file declares itself make of texts.

macro_rules! newest_log {
    ($ship:expr) => {
        newest_log!($ship, "written")
    };
    ($ship:expr, $order:literal) => {
        concat!("(SELECT id FROM logs WHERE ship = ", $ship, " ORDER BY ", $order, " DESC LIMIT 1)")
    };
}

fn ships(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    macro_rules! afloat {
        ($table:literal) => { concat!($table, ".afloat = 1") };
    }
    list(connection.prepare(concat!(
        "SELECT s.id, l.id FROM ships s LEFT JOIN logs l ON l.id = ",
        newest_log!("s.id"),
        " WHERE ",
        afloat!("s"),
    ))?)
}

fn of_one(connection: &Connection, ship: i64) -> rusqlite::Result<i64> {
    connection.query_row(concat!("SELECT ", newest_log!("?1", "id")), [ship], |row| row.get(0))
}

fn other(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(concat!("SELECT name FROM ships WHERE id = ", elsewhere!("x")), [], |row| row.get(0))
}

fn table(connection: &Connection) -> rusqlite::Result<usize> {
    let table = "ships";
    macro_rules! all_of {
        ($table:expr) => {
            concat!("DELETE FROM ", $table)
        };
    }
    connection.execute(concat!(all_of!("logs"), " WHERE id = ?1"), [table.len()])
}

mod crew {
    macro_rules! all_of {
        ($table:expr) => {
            concat!("DELETE FROM crew_", $table)
        };
    }
    fn clear(connection: &Connection) -> rusqlite::Result<usize> {
        connection.execute(concat!(all_of!("logs"), " WHERE id = 1"), [])
    }
}

macro_rules! columns {
    ($($column:literal),*) => { concat!("id" $(, ", ", $column)*) };
}

fn repeated(connection: &Connection) -> rusqlite::Result<usize> {
    connection.execute(concat!("INSERT INTO logs (", columns!("ship"), ") VALUES (1, 2)"), [])
}

//! A small shop whose statement finds its rows by an index, and one that reads the whole table.

use crate::repository::Repository;

pub const SCHEMA: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, reference TEXT NOT NULL);\n\
    CREATE INDEX orders_by_customer ON orders (customer);\n";

pub const PROGRAM: &str = r#"use rusqlite::{Connection, Result, params};

pub fn place(db: &Connection, customer: i64, reference: &str) -> Result<usize> {
    db.execute("INSERT INTO orders (customer, reference) VALUES (?1, ?2)", params![customer, reference])
}

pub fn of(db: &Connection, customer: i64) -> Result<i64> {
    db.query_row("SELECT id FROM orders WHERE customer = ?1", params![customer], |row| row.get(0))
}
"#;

pub const SLOW: &str = r#"
pub fn named(db: &Connection, reference: &str) -> Result<i64> {
    db.query_row("SELECT id FROM orders WHERE reference = ?1", params![reference], |row| row.get(0))
}
"#;

/// A repository with the shop, in which nothing is committed yet.
pub fn shop_to_commit() -> Repository {
    let repository = Repository::empty();
    repository.write("migrations/1_orders.sql", SCHEMA);
    repository.write("src/orders.rs", PROGRAM);
    repository
}

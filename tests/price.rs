//! What a row is said to write, it writes: on tables with indexes that cost much, and on the same without.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "price/shapes.rs"]
mod shapes;

use planlint::price::{self, Keys, Load, Order};
use planlint::schema::{Live, Settings};
use shapes::shapes;
use std::collections::BTreeMap;

/// As many rows for each leaf and transaction as 200,000 rows that come by the thousand, which `cargo bench --bench price`
/// puts in.
const LOAD: Load = Load { rows: 20_000, per_transaction: 100 };

#[test]
fn a_row_writes_the_pages_that_are_predicted() {
    let (mut wrong, mut told) = (Vec::new(), BTreeMap::new());
    for shape in shapes() {
        let found = shape.compare(LOAD);
        told.insert(shape.name, found.predicted);
        let off = |pages: f64| (found.predicted / pages - 1.0).abs();
        let line = format!(
            "{:38} {:5.2} {:5.2} {:5.2}",
            shape.name, found.predicted, found.measured, found.by_shape
        );
        if off(found.measured) > 0.2 || off(found.by_shape) > 0.2 {
            wrong.push(line);
        }
    }
    // What the rules say of such tables follows.
    assert!(told["tags, UNIQUE in the other order"] * 1.5 < told["tags, UNIQUE and by tag"]);
    assert!(told["things, by heights, owner and parent"] * 1.3 < told["things, the same WITHOUT ROWID"]);
    assert!(told["things, by two heights"] < told["things, a key"] * 1.1);
    assert!(wrong.is_empty(), "predicted, measured, measured by shape:\n{}", wrong.join("\n"));
}

/// The orders of the B-trees of a table, in those of its indexes.
fn orders(schema: &str, alike: &[&str]) -> Vec<Order> {
    let mut live = Live::open(&Settings::default()).unwrap();
    live.apply(schema);
    let objects = live.objects().unwrap();
    let table = objects.tables.first().unwrap();
    let mut keys = Keys::default();
    for column in alike {
        keys.set_alike(&table.name, column);
    }
    let priced = price::priced(&keys, &objects, table, Load::default());
    priced.trees.into_iter().map(|tree| tree.order).collect()
}

#[test]
fn an_index_is_in_the_order_of_its_first_column_that_differs() {
    let random = |column: &str| Order::Random(column.to_owned());
    let schema = "CREATE TABLE t (t_hash BLOB, height INTEGER, state INTEGER, depot TEXT);
        CREATE INDEX a ON t (t_hash, height); CREATE INDEX b ON t (height, t_hash);
        CREATE INDEX c ON t (state, t_hash); CREATE INDEX d ON t (state); CREATE INDEX e ON t (depot);";
    let mut found = orders(schema, &["state"]);
    // SQLite lists the newest first.
    found.sort_by_key(|order| format!("{order:?}"));
    let mut wanted = vec![
        Order::Ordered,
        random("t_hash"),
        Order::Ordered,
        random("t_hash"),
        Order::Ordered,
        Order::Unknown("depot".to_owned()),
    ];
    wanted.sort_by_key(|order| format!("{order:?}"));
    assert_eq!(found, wanted);
}

#[test]
fn without_rowids_an_index_on_few_values_is_in_the_order_of_the_key() {
    let schema = "CREATE TABLE t (t_hash BLOB PRIMARY KEY, height INTEGER, state INTEGER) ENDS;
        CREATE INDEX a ON t (height); CREATE INDEX b ON t (state);";
    let random = |end: &str| {
        let orders = orders(&schema.replace("ENDS", end), &["state"]);
        orders.iter().filter(|order| matches!(order, Order::Random(_))).count()
    };
    assert_eq!((random(""), random("WITHOUT ROWID")), (1, 2));
}

#[test]
fn identifiers_that_begin_with_the_time_come_in_order() {
    let is_random = |column: &str| {
        let schema = format!(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, {column}, UNIQUE ({}))",
            column.split(' ').next().unwrap()
        );
        orders(&schema, &[]).iter().any(|order| matches!(order, Order::Random(_)))
    };
    for column in [
        "coin_hash BLOB",
        "tx_id BLOB",
        "txid TEXT",
        "uuid TEXT",
        "owner UUID",
        "public_key TEXT",
        "block_hash STRING",
    ] {
        assert!(is_random(column), "{column}");
    }
    for column in
        ["coin_ulid BLOB", "uuid7 TEXT", "height INTEGER", "tx_id INTEGER", "created_at TEXT", "name TEXT"]
    {
        assert!(!is_random(column), "{column}");
    }
}

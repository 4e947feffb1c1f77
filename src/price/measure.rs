//! The price of B-trees, measured: tables of the same shape, with keys in the same order and values of the same size, are
//! filled in memory, and the pages counted that change. No text of the program runs.

use super::{Load, Order, Tree};
use crate::schema::{Live, SchemaError, Settings, sqlite::types::Value};
use std::fmt::Write as _;

/// So many transactions are counted, the last ones.
const COUNTED: u64 = 10;

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The rows that were there in the end.
    pub rows: u64,
    /// The pages that each row wrote.
    pub pages: f64,
}

/// Fills the B-trees of a table with so many rows, and counts the pages that each of the last ones writes. A key of which
/// nothing is known comes in no order.
///
/// # Errors
///
/// SQLite can't open a database in memory, or the rows outgrow it.
pub fn measure(trees: &[Tree], load: Load) -> Result<Measured, SchemaError> {
    let mut settings = Settings::default();
    // As many as a table of long rows needs, and no more than memory has.
    settings.limits.pages = 1 << 18;
    let mut live = Live::open(&settings)?;
    let inserts: Vec<String> = trees.iter().enumerate().map(|(at, tree)| made(&mut live, at, tree)).collect();
    let per_transaction = load.per_transaction.max(1);
    let transactions = load.rows.div_ceil(per_transaction).max(1);
    let counted = COUNTED.min(transactions);
    let mut pages = 0;
    for transaction in 0..transactions {
        let rows = transaction * per_transaction..(transaction + 1) * per_transaction;
        let values = |tree: usize, row: u64| trees.get(tree).map_or_else(Vec::new, |tree| tree.row(row));
        let is_counted = transaction + counted >= transactions;
        pages += live.insert_all(&inserts, rows, &values, is_counted)?.unwrap_or(0);
    }
    let rows = transactions * per_transaction;
    Ok(Measured { rows, pages: pages as f64 / (counted * per_transaction) as f64 })
}

/// Makes a table of the shape of a B-tree, and gives the INSERT of a row.
fn made(live: &mut Live, at: usize, tree: &Tree) -> String {
    let names: Vec<String> = (0..tree.values.len()).map(|at| format!("v{at}")).collect();
    let columns = names.join(", ");
    let mut sql = format!("CREATE TABLE t{at} ({columns}");
    if tree.has_rowids {
        sql.push(')');
    } else if tree.is_alike() {
        let _ = write!(sql, ", own INTEGER, PRIMARY KEY ({columns}, own)) WITHOUT ROWID");
    } else {
        let _ = write!(sql, ", PRIMARY KEY ({columns})) WITHOUT ROWID");
    }
    live.apply(&sql);
    let holes = vec!["?"; tree.values.len() + usize::from(tree.is_alike())].join(", ");
    // Of short values that look random, some are alike.
    format!("INSERT OR IGNORE INTO t{at} VALUES ({holes})")
}

impl Tree {
    /// Whether nothing tells its entries apart, so that the number of the row has to.
    fn is_alike(&self) -> bool {
        !self.has_rowids && self.values.iter().all(|(_, order)| *order == Order::Few)
    }

    /// The values of a row: of the sizes and in the order that are assumed.
    fn row(&self, row: u64) -> Vec<Value> {
        let values = self.values.iter().zip(0_u64..);
        let mut values: Vec<Value> =
            values.map(|((bytes, order), at)| value(*bytes, order, row, at)).collect();
        if self.is_alike() {
            values.push(Value::Integer(row as i64));
        }
        values
    }
}

fn value(bytes: f64, order: &Order, row: u64, column: u64) -> Value {
    let is_random = match order {
        Order::Few if bytes <= 1.0 => return Value::Integer(0),
        Order::Ordered if bytes <= 8.0 => return Value::Integer(row as i64 + (1 << 17)),
        Order::Few | Order::Ordered => false,
        Order::Random(_) | Order::Unknown(_) => true,
    };
    let seed = match order {
        Order::Few => 0,
        _ if is_random => scattered(row.wrapping_mul(64).wrapping_add(column)),
        _ => row,
    };
    let mut content = seed.to_be_bytes().to_vec();
    content.resize(bytes.max(1.0) as usize, 1);
    Value::Blob(content)
}

/// A number that looks random, and is not: the same everywhere.
fn scattered(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

//! What a row is said to write, it writes: on tables with indexes that cost much, and on the same without.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "price/shapes.rs"]
mod shapes;

use planlint::price::Load;
use shapes::shapes;

/// As many rows for each leaf and transaction as 200,000 rows that come by the thousand, which `cargo bench --bench price`
/// puts in.
const LOAD: Load = Load { rows: 20_000, per_transaction: 100 };

#[test]
fn a_row_writes_the_pages_that_are_predicted() {
    let mut wrong = Vec::new();
    for shape in shapes() {
        let found = shape.compare(LOAD);
        let off = |pages: f64| (found.predicted / pages - 1.0).abs();
        let line = format!(
            "{:38} {:5.2} {:5.2} {:5.2}",
            shape.name, found.predicted, found.measured, found.by_shape
        );
        println!("{line}");
        if off(found.measured) > 0.2 || off(found.by_shape) > 0.2 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "predicted, measured, measured by shape:\n{}", wrong.join("\n"));
}

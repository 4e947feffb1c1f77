//! What a row writes, as it is predicted, and measured at 200,000 rows. Counts pages and no time: docs/performance.md says
//! how to read it.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]
#![expect(clippy::unwrap_used, reason = "what can't be measured ends it")]

#[path = "../price/shapes.rs"]
mod shapes;

use planlint::price::Load;

fn main() {
    println!("{:38} predicted  measured  by shape   off", "pages per row");
    for shape in shapes::shapes() {
        let found = shape.compare(Load { rows: 200_000, per_transaction: 1000 });
        let off = (found.predicted / found.measured - 1.0) * 100.0;
        println!(
            "{:38} {:9.2} {:9.2} {:9.2} {off:+4.0}%",
            shape.name, found.predicted, found.measured, found.by_shape
        );
    }
}

//! A tool that knows nothing of leaves.

fn main() {
    println!("done");
}

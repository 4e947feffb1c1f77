//! What shows the library.

fn main() {
    library::count(&open());
}

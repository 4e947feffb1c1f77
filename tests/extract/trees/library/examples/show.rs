fn main() {
    library::count(&open());
}

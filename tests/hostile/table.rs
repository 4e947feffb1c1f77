//! docs/security.md says by which test each refusal is held: there is such a test.

use std::fs;
use std::path::Path;

#[test]
fn the_tests_that_the_table_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/security.md")).unwrap();
    let mut count = 0;
    for row in page.lines().filter(|line| line.starts_with('|')) {
        // `tests/schema/hostile.rs`: `a_test`, `another`
        for part in row.split("`tests/").skip(1).chain(row.split("`src/").skip(1)) {
            let (file, rest) = part.split_once('`').unwrap();
            let folder = if row.contains(&format!("`tests/{file}`")) { "tests" } else { "src" };
            let text = fs::read_to_string(root.join(folder).join(file)).unwrap();
            let names = rest.split("`tests/").next().unwrap_or("").split("`src/").next().unwrap_or("");
            for name in names.split('`').skip(1).step_by(2) {
                assert!(text.contains(&format!("fn {name}()")), "{folder}/{file} has no test `{name}`");
                count += 1;
            }
        }
    }
    assert!(count > 25, "the page names {count} tests");
}

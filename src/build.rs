//! Embeds `rules/*.sql`, so that adding a rule is adding a file.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=rules");
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut stems = Vec::new();
    for entry in fs::read_dir(Path::new(&root).join("rules"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            stems.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    stems.sort();
    let mut text = "pub(super) const RULES: &[(&str, &str)] = &[\n".to_owned();
    for stem in stems {
        // The root is named when the crate is compiled: a build folder may serve several copies of the repository.
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/rules/{stem}.sql\")");
        writeln!(text, "    ({stem:?}, include_str!({path})),").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("rules.rs"), text)
}

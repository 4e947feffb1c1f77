//! Embeds `rules/*.sql`, so that adding a rule is adding a file.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=rules");
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut stems = Vec::new();
    for entry in fs::read_dir(Path::new(&root).join("rules"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql")
            && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
        {
            stems.push((stem.to_owned(), path.display().to_string()));
        }
    }
    stems.sort();
    let rows: Vec<String> =
        stems.iter().map(|(stem, path)| format!("    ({stem:?}, include_str!({path:?})),\n")).collect();
    let rows = rows.concat();
    let text = format!("pub(super) const RULES: &[(&str, &str)] = &[\n{rows}];\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("rules.rs"), text)
}

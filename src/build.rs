//! Embeds `rules/*.sql` and lists `src/extract/languages/*.rs` and `src/migration/conventions/*.rs`, so that adding one is
//! adding a file.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let (root, out) = (Path::new(&root), Path::new(&out));
    fs::write(out.join("rules.rs"), rules(&stems(root, "rules", "sql")?)?)?;
    let mut languages = stems(root, "src/extract/languages", "rs")?;
    languages.retain(|stem| stem != "mod");
    let names: Vec<String> = languages.iter().map(|stem| format!("&{stem}::LANGUAGE")).collect();
    let list =
        format!("/// All languages that are read.\npub const ALL: &[&Language] = &[{}];\n", names.join(", "));
    fs::write(out.join("languages.rs"), list)?;
    conventions(root)
}

/// Writes the list of conventions, with a module for each, where it is not as the files are.
fn conventions(root: &Path) -> io::Result<()> {
    const FOLDER: &str = "src/migration/conventions";
    let mut stems = stems(root, FOLDER, "rs")?;
    stems.retain(|stem| stem != "mod");
    let mut text = "//! The conventions by which programs declare their schemas, one in each file. This list is written by\n\
                    //! `src/build.rs`, from the files.\n\nuse super::convention::Convention;\n\n"
        .to_owned();
    for stem in &stems {
        writeln!(text, "mod {stem};").map_err(io::Error::other)?;
    }
    text.push_str("\n/// All conventions.\npub(super) static ALL: &[Convention] = &[\n");
    for stem in &stems {
        writeln!(text, "    {stem}::CONVENTION,").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    // It stands in the sources, since a module is found beside the file that names it.
    let path = root.join(FOLDER).join("mod.rs");
    if fs::read_to_string(&path).is_ok_and(|old| old == text) { Ok(()) } else { fs::write(path, text) }
}

/// The names of the files of a folder that end so, without their ending, in order.
fn stems(root: &Path, folder: &str, ending: &str) -> io::Result<Vec<String>> {
    println!("cargo::rerun-if-changed={folder}");
    let mut stems = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            stems.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    stems.sort();
    Ok(stems)
}

fn rules(stems: &[String]) -> io::Result<String> {
    let mut text = "pub(super) const RULES: &[(&str, &str)] = &[\n".to_owned();
    for stem in stems {
        // The root is named when the crate is compiled: a build folder may serve several copies of the repository.
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/rules/{stem}.sql\")");
        writeln!(text, "    ({stem:?}, include_str!({path})),").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    Ok(text)
}

//! What a program's packages say of the SQLite that they build: it may enforce foreign keys from the start; and which of them use
//! which. Knows two kinds of manifests, line by line.

use crate::source::{Site, Sources};

/// A kind of manifest, and what stands in one that says something.
const KINDS: [(&str, &str); 2] = [(OF_CARGO, "\"bundled"), ("package.json", "\"better-sqlite3\"")];

const OF_CARGO: &str = "Cargo.toml";

/// The packages of Rust that hand the wish for a SQLite of their own on.
const OF_RUST: [&str; 4] = ["rusqlite", "libsqlite3-sys", "r2d2_sqlite", "tokio-rusqlite"];

fn kind(path: &str) -> Option<&'static (&'static str, &'static str)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    KINDS.iter().find(|(file, _)| *file == name)
}

/// Whether a path is that of a manifest.
pub(super) fn is_one(path: &str) -> bool {
    kind(path).is_some()
}

/// Whether a file is worth keeping: it is no manifest, or one that says something, as each of Rust does of its package.
pub(super) fn tells(path: &str, text: &str) -> bool {
    kind(path).is_none_or(|(name, word)| *name == OF_CARGO || text.contains(word))
}

/// The folders of the packages of Rust that depend on the one in a folder, for more than their tests.
pub fn dependents<'a>(sources: &'a Sources, folder: &str) -> Vec<&'a str> {
    let own = if folder.is_empty() { OF_CARGO.to_owned() } else { format!("{folder}/{OF_CARGO}") };
    let Some((_, manifest)) = sources.find(&own) else { return Vec::new() };
    let Some(name) = package_name(manifest.text()) else { return Vec::new() };
    let others = sources.iter().filter(|(_, source)| {
        is_cargo(&source.path) && source.path != own && depends_on(source.text(), name)
    });
    others.map(|(_, source)| source.path.trim_end_matches(OF_CARGO).trim_end_matches('/')).collect()
}

fn is_cargo(path: &str) -> bool {
    kind(path).is_some_and(|(name, _)| *name == OF_CARGO)
}

/// The lines of a manifest with the section that each stands in.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    text.lines().map(move |line| {
        if let Some(head) = line.trim().strip_prefix('[') {
            section = head.trim_end_matches(']');
        }
        (section, line)
    })
}

fn package_name(text: &str) -> Option<&str> {
    let mut own = lines(text).filter(|(section, _)| *section == "package");
    own.find_map(|(_, line)| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// Whether a manifest has a dependency of this name, or one that is called otherwise there.
fn depends_on(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    let renamed = format!("package = \"{name}\"");
    lines(text).any(|(section, line)| {
        let Some(rest) = section.strip_prefix("dependencies") else { return false };
        let key = if rest.is_empty() { line.split(['=', '.']).next().unwrap_or("") } else { rest };
        key.trim_matches(['.', '"', ' ']) == name || line.contains(&renamed)
    })
}

/// Where a package of Rust is built with a SQLite of its own, and where better-sqlite3 is one of JavaScript: the first place
/// of each.
pub fn built_in(sources: &Sources, file: &str) -> Option<Site> {
    sources.iter().find_map(|(id, source)| {
        let (name, word) = kind(&source.path).filter(|(name, _)| *name == file)?;
        let at = if *name == OF_CARGO { bundles(source.text()) } else { source.text().find(word) };
        at.map(|at| Site::at(id, at))
    })
}

/// Where a manifest of Rust has a package build its own SQLite, for all that it is run on.
fn bundles(text: &str) -> Option<usize> {
    let mut at = 0;
    let (mut is_wanted, mut is_ours) = (false, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.split('#').next().unwrap_or(line);
        let key = line.split(['=', '.']).next().unwrap_or("").trim().trim_matches('"');
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end().trim_end_matches(']');
            // Those of tests, of what builds, and of one system alone are none of the program everywhere.
            let rest = section.strip_prefix("workspace.").unwrap_or(section).strip_prefix("dependencies");
            is_wanted = rest.is_some();
            is_ours = rest.and_then(|rest| rest.strip_prefix('.')).is_some_and(|key| OF_RUST.contains(&key));
            continue;
        }
        let is_key = is_wanted && line.contains('=') && !line.starts_with([' ', '\t']);
        // Below a head of its own, the keys of a package are the package's.
        if is_key && !matches!(key, "features" | "version" | "optional" | "default-features" | "package") {
            is_ours = OF_RUST.contains(&key);
        }
        let mut words = line.match_indices("\"bundled").filter_map(|(at, _)| line.get(at + 1..));
        if is_ours && words.any(|word| !word.starts_with("bundled-windows")) {
            return Some(start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_bundles_where_a_feature_of_its_dependency_says_so() {
        let inline =
            "[dependencies]\nserde = \"1\"\nrusqlite = { version = \"0.37\", features = [\"bundled\"] }\n";
        assert_eq!(bundles(inline), inline.find("rusqlite"));
        assert!(
            bundles("[workspace.dependencies]\nrusqlite = { features = [\n    \"bundled-full\",\n] }\n")
                .is_some()
        );
        assert!(
            bundles("[dependencies.libsqlite3-sys]\nversion = \"0.30\"\nfeatures = [\"bundled\"]\n")
                .is_some()
        );
        for other in [
            "[dependencies]\nrusqlite = \"0.37\"\nzstd = { features = [\"bundled\"] }\n",
            "[dev-dependencies]\nrusqlite = { features = [\"bundled\"] }\n",
            "[target.'cfg(windows)'.dependencies]\nrusqlite = { features = [\"bundled\"] }\n",
            "[dependencies]\nrusqlite = { features = [\"bundled-windows\"] }\n",
            "[dependencies]\n# rusqlite = { features = [\"bundled\"] }\n",
            "[features]\nbundled = [\"rusqlite/bundled\"]\n",
        ] {
            assert_eq!(bundles(other), None, "{other}");
        }
    }
}

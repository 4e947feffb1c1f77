//! Which files hold a tool beside the program. Knows paths, and in Rust which packages use which; what the code does is not asked.

use crate::{migration, source::Sources};

/// Folders of what is run by hand.
const FOLDERS: [&str; 11] = [
    "contrib",
    "tools",
    "scripts",
    "script",
    "examples",
    "example",
    "benches",
    "hack",
    "dev",
    "stress-test",
    "load-test",
];

/// Whether a file belongs to a tool beside the program, by its path: a folder of scripts, the command line of a
/// package, or the `main` of a library that a program uses.
pub(super) fn is_tool(path: &str, sources: &Sources) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_command = stem == "cli" || stem.ends_with("_cli");
    is_command
        || file == "build.rs"
        || is_in_folder(outside(folders, path))
        || is_copied(folders)
        || is_in_bin(path, sources)
        || is_beside_library(path, sources)
}

/// The folders of a path without those of modules: what a package of Rust is made of is a part of it, whatever it is called.
fn outside<'a>(folders: &'a str, path: &str) -> &'a str {
    if !has_ending(path, "rs") {
        return folders;
    }
    let inner = folders.strip_suffix("/src").or_else(|| Some(folders.rsplit_once("/src/")?.0));
    let is_root = || folders == "src" || folders.starts_with("src/");
    inner.unwrap_or_else(|| if is_root() { "" } else { folders })
}

fn is_in_folder(folders: &str) -> bool {
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
}

/// Whether a folder within another has the name and the version of a release: `corpus/parcels-0.3.1`, a copy of what others wrote.
fn is_copied(folders: &str) -> bool {
    let is_release = |folder: &str| {
        let version =
            folder.rsplit_once('-').filter(|(name, _)| !name.is_empty()).map(|(_, version)| version);
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        version.is_some_and(|version| version.split('.').count() == 3 && version.split('.').all(is_number))
    };
    folders.split('/').skip(1).any(is_release)
}

/// Whether a file lies in a folder of binaries: scripts, or what is built beside the `main` of a package. Packages in such a
/// folder have sources of their own.
fn is_in_bin(path: &str, sources: &Sources) -> bool {
    let Some((package, rest)) = below_bin(path) else { return false };
    if rest.split('/').any(|folder| folder == "src") {
        return false;
    }
    match package.strip_suffix("src").filter(|_| has_ending(path, "rs")) {
        Some(root) => {
            sources.find(&format!("{package}/main.rs")).is_some()
                || is_used(root.trim_end_matches('/'), sources)
        }
        None => true,
    }
}

/// What stands in front of the first folder `bin` of a path, and what stands in it.
fn below_bin(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("bin/").map(|rest| ("", rest)).or_else(|| path.split_once("/bin/"))
}

fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, last)| last == ending)
}

/// Whether a file is the `main` of a package that is a library to others. Beside a library that nobody else uses, it is the
/// program.
fn is_beside_library(path: &str, sources: &Sources) -> bool {
    let Some(folder) =
        path.strip_suffix("main.rs").filter(|folder| folder.is_empty() || folder.ends_with('/'))
    else {
        return false;
    };
    let root = folder.strip_suffix("src/").unwrap_or(folder).trim_end_matches('/');
    sources.find(&format!("{folder}lib.rs")).is_some() && is_used(root, sources)
}

/// Whether a package of the tree, and none of tools, depends on the one in this folder.
fn is_used(root: &str, sources: &Sources) -> bool {
    migration::dependents(sources, root).iter().any(|folder| !is_in_folder(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn tools(files: &[(&str, &str)]) -> Vec<String> {
        let sources = Sources::of(files.iter().map(|&(path, text)| Source::new(path, text)).collect());
        let paths = sources.iter().map(|(_, source)| source.path.clone());
        paths.filter(|path| has_ending(path, "rs") && is_tool(path, &sources)).collect()
    }

    #[test]
    fn a_main_beside_a_library_is_the_program_unless_another_package_uses_that() {
        let own =
            [("a/src/main.rs", ""), ("a/src/lib.rs", ""), ("a/Cargo.toml", "[package]\nname = \"a-lib\"\n")];
        assert!(tools(&own).is_empty());
        let with = |path, text| tools(&[own.as_slice(), &[(path, text)]].concat());
        assert_eq!(with("b/Cargo.toml", "[dependencies]\na-lib = { path = \"../a\" }\n"), ["a/src/main.rs"]);
        assert_eq!(with("b/Cargo.toml", "[dependencies.x]\npackage = \"a-lib\"\n"), ["a/src/main.rs"]);
        assert_eq!(with("b/Cargo.toml", "[dependencies]\nx = { package = \"a-lib\" }\n"), ["a/src/main.rs"]);
        assert!(with("b/Cargo.toml", "[dev-dependencies]\na-lib = { path = \"../a\" }\n").is_empty());
        assert!(with("tools/b/Cargo.toml", "[dependencies]\na-lib.workspace = true\n").is_empty());
    }

    #[test]
    fn a_folder_with_the_name_of_a_release_is_a_copy() {
        assert_eq!(tools(&[("corpus/parcels-0.3.1/src/a.rs", "")]), ["corpus/parcels-0.3.1/src/a.rs"]);
        assert!(
            tools(&[("parcels-0.3.1/src/a.rs", ""), ("a/v-2.0/b.rs", ""), ("a/1.2.3/b.rs", "")]).is_empty()
        );
    }

    #[test]
    fn a_binary_is_a_tool_where_it_stands_beside_another_program() {
        assert_eq!(tools(&[("bin/load.rs", ""), ("src/a.rs", "")]), ["bin/load.rs"]);
        assert!(tools(&[("crates/bin/serve/src/main.rs", "")]).is_empty());
        assert!(tools(&[("src/bin/serve.rs", ""), ("src/lib.rs", "")]).is_empty());
        assert_eq!(tools(&[("src/bin/load.rs", ""), ("src/main.rs", "")]), ["src/bin/load.rs"]);
        assert_eq!(
            tools(&[("a/src/bin/load/main.rs", ""), ("a/src/main.rs", "")]),
            ["a/src/bin/load/main.rs"]
        );
    }
}

//! Which SQLite a program ships, by the packages that it is locked to. Knows the lock files of a few package managers line by
//! line, and which SQLite is in which version of a package; a package whose SQLite is that of the system says nothing.

use crate::{
    migration,
    source::{Sources, Tree},
};

/// A package, the version from which on another SQLite is in it, and that: a line each, in order. The last line of a package
/// is that of its last version that was looked at; of later ones nothing is known.
const VERSIONS: &str = include_str!("versions.txt");

/// The most bytes of a lock file that is read.
const LONGEST: u64 = 50_000_000;

/// The SQLite that a program ships.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipped {
    /// The package that brings it.
    pub package: String,
    /// The version of the package.
    pub version: String,
    /// That of SQLite.
    pub sqlite: String,
    /// The file that says so, from the root of the tree.
    pub path: String,
    /// The line of it, from 1.
    pub line: u32,
}

/// A file that says which versions a program is built with, and how its lines are read: the package and version in the text from a
/// line on.
type Reader = fn(&[&str]) -> Option<(String, String)>;

const READERS: [(&str, Reader); 7] = [
    ("Cargo.lock", cargo),
    ("go.mod", go),
    ("package-lock.json", npm),
    ("pnpm-lock.yaml", pnpm),
    ("yarn.lock", yarn),
    ("pom.xml", maven),
    ("build.gradle", gradle),
];

/// Each SQLite that a program ships, once: of all lock files of a kind, those that lie highest in the tree count.
pub fn shipped(tree: &Tree, sources: &Sources) -> Vec<Shipped> {
    let mut found: Vec<Shipped> = Vec::new();
    for (name, read) in READERS {
        let is_one = |path: &&String| {
            let file = path.rsplit('/').next().unwrap_or(path);
            file == name || file.strip_suffix(".kts") == Some(name)
        };
        let files = || sources.others.iter().filter(is_one);
        let depth = |path: &str| path.matches('/').count();
        let Some(least) = files().map(|path| depth(path)).min() else { continue };
        for path in files().filter(|path| depth(path) == least) {
            let Some(text) = tree.read(path, LONGEST).ok().and_then(|bytes| String::from_utf8(bytes).ok())
            else {
                continue;
            };
            let lines: Vec<&str> = text.lines().collect();
            for at in 0..lines.len() {
                let Some((package, version)) = lines.get(at..).and_then(read) else { continue };
                let Some(sqlite) = sqlite_of(&package, &version) else { continue };
                // A package of Rust takes that of the system, unless a manifest says otherwise.
                let is_bundled = package != "libsqlite3-sys"
                    || text.contains("name = \"sqlx-sqlite\"")
                    || migration::built_in(sources, "Cargo.toml").is_some();
                if is_bundled && !found.iter().any(|one| one.package == package && one.sqlite == sqlite) {
                    found.push(Shipped { package, version, sqlite, path: path.clone(), line: at as u32 + 1 });
                }
            }
        }
    }
    found
}

/// The SQLite in a version of a package; `None` where that is not known.
fn sqlite_of(package: &str, version: &str) -> Option<String> {
    let wanted = numbers(version)?;
    if package == "sqlite-jdbc" {
        // It is numbered as the SQLite in it.
        return Some(version.splitn(4, '.').take(3).collect::<Vec<_>>().join("."));
    }
    let mut last = None;
    for line in VERSIONS.lines() {
        let mut words = line.split(' ');
        let (own, from, sqlite) = (words.next()?, words.next()?, words.next()?);
        if own != package {
            continue;
        }
        match numbers(from)?.cmp(&wanted) {
            std::cmp::Ordering::Greater => return last,
            std::cmp::Ordering::Equal => return Some(sqlite.to_owned()),
            std::cmp::Ordering::Less => last = Some(sqlite.to_owned()),
        }
    }
    None
}

/// The first three numbers of a version; `None` where it has fewer, or is no release.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut numbers = version.splitn(4, '.').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?])
}

fn owned(package: &str, version: &str) -> (String, String) {
    (package.to_owned(), version.to_owned())
}

fn cargo(lines: &[&str]) -> Option<(String, String)> {
    let [name, version, ..] = lines else { return None };
    let package =
        name.strip_prefix("name = \"")?.strip_suffix('"').filter(|name| *name == "libsqlite3-sys")?;
    // What is built for the tag of a package stands behind a plus.
    let version = version.strip_prefix("version = \"")?.strip_suffix('"')?.split('+').next()?;
    Some(owned(package, version))
}

fn go(lines: &[&str]) -> Option<(String, String)> {
    let line = lines.first()?.trim().trim_start_matches("require ");
    let mut words = line.split_whitespace();
    let (package, version) = (words.next()?, words.next()?);
    let is_one = matches!(package, "github.com/mattn/go-sqlite3" | "modernc.org/sqlite");
    is_one.then(|| Some(owned(package, version.strip_prefix('v')?)))?
}

/// The packages of JavaScript that bring a SQLite along.
const OF_JAVASCRIPT: [&str; 2] = ["better-sqlite3", "sqlite3"];

fn npm(lines: &[&str]) -> Option<(String, String)> {
    let [name, rest @ ..] = lines else { return None };
    let package = name.trim().strip_prefix("\"node_modules/")?.strip_suffix("\": {")?;
    let package = OF_JAVASCRIPT.into_iter().find(|one| *one == package)?;
    let version = rest.first()?.trim().strip_prefix("\"version\": \"")?.strip_suffix("\",")?;
    Some(owned(package, version))
}

fn pnpm(lines: &[&str]) -> Option<(String, String)> {
    let key = lines.first()?.trim().trim_matches(['\'', '/']).strip_suffix(':')?.trim_end_matches('\'');
    let (package, version) = key.split_once('@')?;
    let package = OF_JAVASCRIPT.into_iter().find(|one| *one == package)?;
    Some(owned(package, version.split('(').next()?))
}

fn yarn(lines: &[&str]) -> Option<(String, String)> {
    let [name, version, ..] = lines else { return None };
    let (package, _) = name.strip_suffix(':')?.trim_matches('"').split_once('@')?;
    let package = OF_JAVASCRIPT.into_iter().find(|one| *one == package)?;
    let version = version.trim().strip_prefix("version")?.trim_matches([':', ' ', '"']);
    Some(owned(package, version))
}

fn maven(lines: &[&str]) -> Option<(String, String)> {
    let [name, version, ..] = lines else { return None };
    let _ = name.trim().strip_prefix("<artifactId>sqlite-jdbc</artifactId>")?;
    let version = version.trim().strip_prefix("<version>")?.strip_suffix("</version>")?;
    Some(owned("sqlite-jdbc", version))
}

fn gradle(lines: &[&str]) -> Option<(String, String)> {
    let (_, rest) = lines.first()?.split_once("org.xerial:sqlite-jdbc:")?;
    Some(owned("sqlite-jdbc", rest.split(['"', '\'']).next()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Buffers, Folder, Limits};
    use std::collections::{BTreeMap, BTreeSet};

    /// The package, the SQLite and the line that are told from these files.
    fn told(files: &[(&str, &str)]) -> Vec<(String, String, u32)> {
        let open = files.iter().map(|(path, text)| ((*path).to_owned(), Some(text.as_bytes().to_vec())));
        let open: BTreeMap<_, _> = open.collect();
        let tree = Tree::new(Buffers::<Folder> { open, unlisted: BTreeSet::new(), beneath: None });
        let sources = Sources::read(&tree, Limits::default(), |path| path == "Cargo.toml").unwrap();
        let shipped = shipped(&tree, &sources).into_iter();
        shipped.map(|one| (one.package, one.sqlite, one.line)).collect()
    }

    fn one(package: &str, sqlite: &str, line: u32) -> Vec<(String, String, u32)> {
        vec![(package.to_owned(), sqlite.to_owned(), line)]
    }

    #[test]
    fn the_lock_file_of_each_package_manager_tells() {
        let lock = "[[package]]\nname = \"libsqlite3-sys\"\nversion = \"0.28.0\"\n";
        let manifest = "[dependencies]\nrusqlite = { version = \"0.31\", features = [\"bundled\"] }\n";
        assert_eq!(
            told(&[("Cargo.lock", lock), ("Cargo.toml", manifest)]),
            one("libsqlite3-sys", "3.45.0", 2)
        );
        let go = "module a\n\nrequire (\n\tmodernc.org/sqlite v1.30.1\n)\n";
        assert_eq!(told(&[("go.mod", go)]), one("modernc.org/sqlite", "3.46.0", 4));
        let npm = "{\n  \"node_modules/better-sqlite3\": {\n    \"version\": \"9.4.3\",\n";
        assert_eq!(told(&[("web/package-lock.json", npm)]), one("better-sqlite3", "3.45.1", 2));
        assert_eq!(
            told(&[("pnpm-lock.yaml", "packages:\n  better-sqlite3@9.4.3:\n")]),
            one("better-sqlite3", "3.45.1", 2)
        );
        let yarn = "better-sqlite3@^9.0.0:\n  version \"9.4.3\"\n";
        assert_eq!(told(&[("yarn.lock", yarn)]), one("better-sqlite3", "3.45.1", 1));
        let maven = "<artifactId>sqlite-jdbc</artifactId>\n<version>3.45.1.0</version>\n";
        assert_eq!(told(&[("pom.xml", maven)]), one("sqlite-jdbc", "3.45.1", 1));
        let gradle = "implementation(\"org.xerial:sqlite-jdbc:3.45.1.0\")\n";
        assert_eq!(told(&[("build.gradle.kts", gradle)]), one("sqlite-jdbc", "3.45.1", 1));
    }

    #[test]
    fn what_is_of_the_system_or_not_known_says_nothing() {
        let lock = "[[package]]\nname = \"libsqlite3-sys\"\nversion = \"0.28.0\"\n";
        assert_eq!(
            told(&[("Cargo.lock", lock), ("Cargo.toml", "[dependencies]\nrusqlite = \"0.31\"\n")]),
            []
        );
        for unknown in ["modernc.org/sqlite v1.0.0", "modernc.org/sqlite v9.0.0", "modernc.org/sqlite v1"] {
            assert_eq!(told(&[("go.mod", &format!("require {unknown}\n"))]), [], "{unknown}");
        }
    }
}

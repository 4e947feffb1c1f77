//! A place as it is typed, and the tree that it belongs to. People copy it from a report, where it is named from the root
//! of a tree, or have it from an editor, where it is named from where they are.

use super::within;
use crate::{config, report::Failure};
use std::path::{Path, PathBuf};

/// A place as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Typed {
    /// The file.
    pub path: PathBuf,
    /// From 1.
    pub line: Option<u32>,
    /// From 1.
    pub column: Option<u32>,
}

/// A file in its tree.
#[derive(Debug)]
pub(super) struct Located {
    /// The root of the tree.
    pub root: PathBuf,
    /// Its configuration.
    pub config: Option<PathBuf>,
    /// The file, from the root.
    pub path: String,
}

/// `PATH:LINE` or `PATH:LINE:COLUMN`, or a file; `None` for what is no place.
pub(super) fn parse(subject: &str) -> Option<Typed> {
    let numbered = |text: &str| {
        let (before, number) = text.rsplit_once(':')?;
        let is_number = !before.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Some((before.to_owned(), number.parse::<u32>().ok().filter(|_| is_number)?))
    };
    let typed = |path: &str, line, column| Typed { path: PathBuf::from(path), line, column };
    match numbered(subject) {
        Some((before, last)) => Some(match numbered(&before) {
            Some((path, line)) => typed(&path, Some(line), Some(last)),
            None => typed(&before, Some(last), None),
        }),
        None => Path::new(subject).is_file().then(|| typed(subject, None, None)),
    }
}

/// The tree of a file. Where no tree is named, it is that of the nearest configuration above the file, of git, or the
/// folder that we are in.
pub(super) fn locate(path: &Path, tree: Option<&Path>) -> Result<Located, Failure> {
    let (root, config) = config::find(tree.unwrap_or(Path::new(".")));
    if tree.is_some() || !path.exists() {
        let below = root.join(path);
        let full = if below.exists() { below.as_path() } else { path };
        return located(root, config, full);
    }
    let (own, own_config) = config::find(path);
    let is_a_tree = own_config.is_some() || own.join(".git").exists();
    let is_here = path.canonicalize().is_ok_and(|full| full.starts_with(&root));
    if is_a_tree || !is_here { located(own, own_config, path) } else { located(root, config, path) }
}

fn located(root: PathBuf, config: Option<PathBuf>, path: &Path) -> Result<Located, Failure> {
    let path = within(&root, path)?.unwrap_or_default();
    Ok(Located { root, config, path })
}

/// Where the root of a tree lies in its git repository, as `services/node/`; empty where it is the root of that, or in
/// none.
pub(super) fn in_repository(root: &Path) -> String {
    let repository = root.ancestors().find(|above| above.join(".git").exists());
    let below = repository.and_then(|repository| root.strip_prefix(repository).ok());
    let parts = below.into_iter().flat_map(Path::components);
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned() + "/").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_place_ends_with_a_line() {
        let read = |text: &str| parse(text).map(|one| (one.path.display().to_string(), one.line, one.column));
        assert_eq!(read("src/a.rs:12"), Some(("src/a.rs".to_owned(), Some(12), None)));
        assert_eq!(read("src/a.rs:12:5"), Some(("src/a.rs".to_owned(), Some(12), Some(5))));
        assert_eq!(read("growing-sort"), None);
        assert_eq!(read("a:b"), None);
        assert_eq!(read(":12"), None);
        assert_eq!(read("Cargo.toml"), Some(("Cargo.toml".to_owned(), None, None)));
    }

    #[test]
    fn a_place_is_named_from_its_tree_or_from_here() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a.rs"), "").unwrap();
        fs::write(root.join("planlint.toml"), "").unwrap();
        let named = |path: &Path, tree| locate(path, tree).map(|found| (found.root, found.path)).unwrap();
        let expected = (root.clone(), "src/a.rs".to_owned());
        assert_eq!(named(&root.join("src/a.rs"), None), expected);
        assert_eq!(named(Path::new("src/a.rs"), Some(&root)), expected);
        assert_eq!(named(&root.join("src/a.rs"), Some(&root.join("src"))), expected);
        assert!(locate(Path::new("src/gone.rs"), Some(&root)).is_err());
    }

    #[test]
    fn a_tree_lies_in_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("services/node")).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        assert_eq!(in_repository(&root.join("services/node")), "services/node/");
        assert_eq!(in_repository(&root), "");
    }
}

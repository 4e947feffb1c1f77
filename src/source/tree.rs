//! The tree that is read: a folder, or texts over a folder (a git revision, the index, an editor's buffers). Each is
//! an [`Origin`], and nothing above this module knows which one it is.

use super::{Skipped, plain};
use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, BufRead, BufReader, Cursor},
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
};
use walkdir::WalkDir;

/// Why a tree can't be read at all.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The root does not exist, is no folder, or may not be listed.
    #[error("can't read the folder {}: {source}", .path.display())]
    Unreadable {
        /// The root of the tree.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What a tree is made of. Paths are relative to its root, with `/` between the parts.
pub trait Origin: Send + Sync {
    /// What to call it in messages.
    fn name(&self) -> String;
    /// All files that .gitignore does not hide, in any order, and what could not be listed.
    ///
    /// # Errors
    /// Where the root can't be listed.
    fn walk(&self) -> Result<(Vec<String>, Vec<Skipped>), TreeError>;
    /// All files below a folder, whatever .gitignore says, sorted.
    fn list(&self, folder: &str) -> Vec<String>;
    /// The bytes of a file that has at most so many.
    ///
    /// # Errors
    /// As the system reports them, and `FileTooLarge`.
    fn read(&self, path: &str, most: u64) -> io::Result<Vec<u8>>;
    /// The same of a file that a walk or a list has just found.
    ///
    /// # Errors
    /// As [`Origin::read`].
    fn read_listed(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        self.read(path, most)
    }
    /// The bytes of a file, a piece at a time.
    ///
    /// # Errors
    /// As the system reports them.
    fn open(&self, path: &str) -> io::Result<Box<dyn BufRead>> {
        Ok(Box::new(Cursor::new(self.read(path, plain::MOST_BYTES)?)))
    }
}

/// Where text comes from, behind one type.
pub struct Tree {
    origin: Arc<dyn Origin>,
}

impl Tree {
    /// A tree over any origin.
    pub fn new(origin: impl Origin + 'static) -> Self {
        Self { origin: Arc::new(origin) }
    }

    /// The folder of this path.
    pub fn folder(root: impl Into<PathBuf>) -> Self {
        Self::new(Folder { root: root.into() })
    }

    /// What to call the tree in messages.
    pub fn name(&self) -> String {
        self.origin.name()
    }

    /// What it is made of.
    pub(super) fn origin(&self) -> Arc<dyn Origin> {
        Arc::clone(&self.origin)
    }

    /// All files that .gitignore does not hide, sorted, and what could not be listed.
    ///
    /// # Errors
    /// Where the root can't be listed.
    pub fn walk(&self) -> Result<(Vec<String>, Vec<Skipped>), TreeError> {
        let (mut paths, mut skipped) = self.origin.walk()?;
        paths.par_sort_unstable();
        skipped.sort_unstable();
        Ok((paths, skipped))
    }

    /// All files below a folder, whatever .gitignore says, sorted.
    pub fn list(&self, folder: &str) -> Vec<String> {
        self.origin.list(folder)
    }

    /// The bytes of a file that has at most so many.
    ///
    /// # Errors
    /// As the system reports them, and `FileTooLarge`.
    pub fn read(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        self.origin.read(path, most)
    }

    /// The same of a file that a walk or a list has just found.
    ///
    /// # Errors
    /// As [`Tree::read`].
    pub fn read_listed(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        self.origin.read_listed(path, most)
    }

    /// The bytes of a file, a piece at a time, for files that are too long to be held.
    ///
    /// # Errors
    /// As the system reports them.
    pub fn open(&self, path: &str) -> io::Result<Box<dyn BufRead>> {
        self.origin.open(path)
    }
}

/// A folder on disk.
pub struct Folder {
    /// Its path, absolute or relative to the working directory.
    pub root: PathBuf,
}

impl Origin for Folder {
    fn name(&self) -> String {
        self.root.display().to_string()
    }

    fn walk(&self) -> Result<(Vec<String>, Vec<Skipped>), TreeError> {
        let unreadable = |source| TreeError::Unreadable { path: self.root.clone(), source };
        fs::read_dir(&self.root).map_err(unreadable)?;
        let (send, receive) = mpsc::channel();
        let walk = WalkBuilder::new(&self.root)
            .require_git(false)
            .threads(rayon::current_num_threads())
            .build_parallel();
        walk.run(|| {
            let send = send.clone();
            Box::new(move |item| {
                if let Some(one) = self.entry(item) {
                    // The receiver lives until every sender is gone.
                    let _ = send.send(one);
                }
                WalkState::Continue
            })
        });
        drop(send);
        let mut paths = Vec::new();
        let mut skipped = Vec::new();
        for one in receive {
            match one {
                Ok(path) => paths.push(path),
                Err(skip) => skipped.push(skip),
            }
        }
        Ok((paths, skipped))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let below = WalkDir::new(self.root.join(folder)).sort_by_file_name();
        let files = below.into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        let mut paths: Vec<String> = files.filter_map(|entry| relative(&self.root, entry.path())).collect();
        paths.sort_unstable();
        paths
    }

    fn read(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        plain::read(&self.root.join(path), most)
    }

    fn read_listed(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        plain::read_listed(&self.root.join(path), most)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn BufRead>> {
        Ok(Box::new(BufReader::new(plain::open(&self.root.join(path))?)))
    }
}

impl Folder {
    /// One item of the walk: a file, a place that could not be listed, or nothing of interest.
    fn entry(&self, item: Result<ignore::DirEntry, ignore::Error>) -> Option<Result<String, Skipped>> {
        let entry = match item {
            Ok(entry) => entry,
            Err(error) => return Some(Err(self.unlisted(&error))),
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            return None;
        }
        if !kind.is_file() {
            return self.no_file(entry.path(), kind.is_symlink()).map(Err);
        }
        let Some(path) = relative(&self.root, entry.path()) else {
            return Some(Err(self.skip(entry.path(), "name is not UTF-8")));
        };
        // Who prints it would do what it says: to a terminal, or to a workflow that reads its log.
        if path.contains(char::is_control) {
            return Some(Err(self.skip(entry.path(), "control characters in its name")));
        }
        Some(Ok(path))
    }

    /// What is neither file nor folder. A link to what lies in the tree, which is read there, is passed over.
    fn no_file(&self, path: &Path, is_link: bool) -> Option<Skipped> {
        let reason = match fs::canonicalize(path) {
            Ok(target) if is_link => {
                let is_below = fs::canonicalize(&self.root).is_ok_and(|root| target.starts_with(root));
                if is_below {
                    return None;
                }
                "link out of the tree"
            }
            Err(_) if is_link => "link to nothing",
            _ => "no plain file",
        };
        Some(self.skip(path, reason))
    }

    fn skip(&self, path: &Path, reason: &str) -> Skipped {
        let below = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy();
        let shown = |one: char| if one.is_control() { '\u{fffd}' } else { one };
        Skipped { path: below.chars().map(shown).collect(), reason: reason.to_owned() }
    }

    fn unlisted(&self, error: &ignore::Error) -> Skipped {
        let mut inner = error;
        let mut path = self.root.clone();
        loop {
            inner = match inner {
                ignore::Error::WithPath { path: at, err } => {
                    path.clone_from(at);
                    err
                }
                ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
                _ => break,
            };
        }
        self.skip(&path, &inner.to_string())
    }
}

/// Whether .gitignore hides a file that is there.
pub fn is_hidden(root: &Path, path: &str) -> bool {
    let full = root.join(path);
    let wanted = full.clone();
    let mut walk = WalkBuilder::new(root);
    walk.require_git(false).filter_entry(move |entry| wanted.starts_with(entry.path()));
    full.is_file() && !walk.build().filter_map(Result::ok).any(|entry| entry.path() == full)
}

/// The path below the root, with `/` between the parts; `None` where it is not UTF-8 or not below.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

/// Files held in memory over another origin: what an editor has open, what git has of a folder, or the files of a test.
pub struct Buffers<O> {
    /// The bytes of each file, by path; `None` for a file beneath that is not there.
    pub open: BTreeMap<String, Option<Vec<u8>>>,
    /// Those of them that a walk does not list.
    pub unlisted: BTreeSet<String>,
    /// What lies beneath; a file of it is hidden by a buffer of the same path.
    pub beneath: Option<O>,
}

impl<O: Origin> Origin for Buffers<O> {
    fn name(&self) -> String {
        self.beneath.as_ref().map_or_else(|| "buffers".to_owned(), Origin::name)
    }

    fn walk(&self) -> Result<(Vec<String>, Vec<Skipped>), TreeError> {
        let (mut paths, mut skipped) = match &self.beneath {
            Some(beneath) => beneath.walk()?,
            None => Default::default(),
        };
        paths.retain(|path| !self.open.contains_key(path));
        skipped.retain(|one| !self.open.contains_key(&one.path));
        paths.extend(self.paths("").filter(|path| !self.unlisted.contains(path)));
        Ok((paths, skipped))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let mut paths = self.beneath.as_ref().map_or_else(Vec::new, |beneath| beneath.list(folder));
        paths.retain(|path| !self.open.contains_key(path));
        let prefix =
            if folder.is_empty() { String::new() } else { format!("{}/", folder.trim_end_matches('/')) };
        paths.extend(self.paths(&prefix));
        paths.sort_unstable();
        paths
    }

    fn read(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        match (self.open.get(path), &self.beneath) {
            (Some(Some(bytes)), _) if bytes.len() as u64 > most => {
                Err(plain::too_large(bytes.len() as u64, most))
            }
            (Some(Some(bytes)), _) => Ok(bytes.clone()),
            (None, Some(beneath)) => beneath.read(path, most),
            (Some(None), _) | (None, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn read_listed(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        match &self.beneath {
            Some(beneath) if !self.open.contains_key(path) => beneath.read_listed(path, most),
            _ => self.read(path, most),
        }
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn BufRead>> {
        match (self.open.get(path), &self.beneath) {
            (None, Some(beneath)) => beneath.open(path),
            _ => Ok(Box::new(Cursor::new(self.read(path, plain::MOST_BYTES)?))),
        }
    }
}

impl<O> Buffers<O> {
    fn paths(&self, prefix: &str) -> impl Iterator<Item = String> {
        let open = self.open.iter().filter(move |(path, bytes)| bytes.is_some() && path.starts_with(prefix));
        open.map(|(path, _)| path.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_hide_the_files_beneath() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.rs"), "disk").unwrap();
        fs::write(folder.path().join("src/b.rs"), "disk").unwrap();
        fs::write(folder.path().join("src/gone.rs"), "disk").unwrap();
        fs::write(folder.path().join(".gitignore"), "b.rs\n").unwrap();
        let beneath = Folder { root: folder.path().to_owned() };
        let open = BTreeMap::from([
            ("src/a.rs".to_owned(), Some(b"typed".to_vec())),
            ("src/gone.rs".to_owned(), None),
        ]);
        let tree = Tree::new(Buffers { open, unlisted: BTreeSet::new(), beneath: Some(beneath) });
        assert_eq!(tree.walk().unwrap().0, ["src/a.rs"]);
        assert_eq!(tree.list("src"), ["src/a.rs", "src/b.rs"]);
        assert_eq!(tree.read("src/a.rs", 9).unwrap(), b"typed");
        assert_eq!(tree.read("src/b.rs", 9).unwrap(), b"disk");
        assert!(tree.read("src/gone.rs", 9).is_err());
        assert!(tree.read("src/a.rs", 4).is_err() && tree.read("src/b.rs", 3).is_err());
    }

    #[test]
    fn what_git_ignores_is_hidden() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src/made")).unwrap();
        for path in ["src/a.rs", "src/made/b.rs"] {
            fs::write(folder.path().join(path), "").unwrap();
        }
        fs::write(folder.path().join("src/.gitignore"), "made/\n").unwrap();
        let hidden = |path| is_hidden(folder.path(), path);
        assert!(hidden("src/made/b.rs") && !hidden("src/a.rs") && !hidden("src/new.rs"));
    }

    #[test]
    fn a_missing_root_is_an_error_that_names_it() {
        let error = Tree::folder("/nonexistent/planlint").walk().unwrap_err();
        assert!(error.to_string().contains("/nonexistent/planlint"));
    }
}

//! Where text comes from, and where in it something stands. Knows files and offsets; knows no language and no SQL.

pub mod history;
pub mod plain;

mod git;
mod lines;
mod tree;
mod words;

pub use git::{Changed, Git, GitError, Revision};
pub use lines::{LineTable, Position, difference};
pub use tree::{Buffers, Folder, Origin, Tree, TreeError, is_hidden, relative};
pub use words::Words;

use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::{
    fmt,
    hash::Hasher,
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// The largest file that is read, in bytes, unless the configuration says otherwise.
pub const MAX_BYTES: u64 = 2_000_000;

/// The most bytes of a tree that are held in memory. Of a larger one a text is read when it is asked for.
pub const MOST_HELD: u64 = 100_000_000;

/// A file that is no larger is held in any tree, in bytes: to open it again costs more than to keep it.
const SMALL: u64 = 4096;

/// How much of a tree is read, and how much of it is held in memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest file that is read.
    pub of_file: u64,
    /// The most that is held of all files.
    pub held: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { of_file: MAX_BYTES, held: MOST_HELD }
    }
}

/// The number of a [`Source`] in its [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A byte range of a source file: the only "where" there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The file.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Site {
    /// The site of one byte.
    pub fn at(source: SourceId, at: usize) -> Self {
        Self { source, start: at as u32, end: at as u32 + 1 }
    }

    /// Whether `other` lies within this site.
    pub fn contains(&self, other: Self) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// A text file of the tree.
#[derive(Debug)]
pub struct Source {
    /// Relative to the root of the tree, with `/` between the parts.
    pub path: String,
    /// The whole text, as it stands in the file; of an excerpt, the lines that were kept.
    text: OnceLock<String>,
    /// Where it lies, if it is not held from the start.
    away: Option<Away>,
    lines: OnceLock<LineTable>,
    /// The numbers in the file of the lines of an excerpt, in order.
    kept: Option<Vec<u32>>,
}

/// A text that is read again when it is asked for.
struct Away {
    origin: Arc<dyn Origin>,
    /// The most bytes that are read of a file.
    most: u64,
    /// A number for what the file held when it was read first.
    sum: u64,
}

impl fmt::Debug for Away {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a text of {}", self.origin.name())
    }
}

impl Away {
    /// The text; empty where the file has changed since, for all offsets are those of what it held.
    fn read(&self, path: &str) -> String {
        let bytes = self.origin.read(path, self.most).unwrap_or_default();
        if sum(&bytes) != self.sum {
            return String::new();
        }
        String::from_utf8(bytes).unwrap_or_default()
    }
}

fn sum(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

impl Source {
    /// A source of this path and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = OnceLock::from(text.into());
        Self { path: path.into(), text, away: None, lines: OnceLock::new(), kept: None }
    }

    /// The text. From here on it is held.
    pub fn text(&self) -> &str {
        let read = || self.away.as_ref().map(|away| away.read(&self.path)).unwrap_or_default();
        self.text.get_or_init(read)
    }

    /// The text, and nothing else of it.
    pub fn into_text(self) -> String {
        self.text.into_inner().unwrap_or_default()
    }

    /// The same, with its text read again when it is asked for.
    fn let_go(self, tree: &Tree, most: u64) -> Self {
        let away = Away { origin: tree.origin(), most, sum: sum(self.text().as_bytes()) };
        Self { text: OnceLock::new(), away: Some(away), ..self }
    }

    /// Whether its text is in memory.
    pub fn is_held(&self) -> bool {
        self.text.get().is_some()
    }

    /// What is asked of the text, which is held afterwards only if it was before: for who asks it of all files.
    pub fn peek<T>(&self, look: impl FnOnce(&str) -> T) -> T {
        match &self.away {
            Some(away) if !self.is_held() => look(&away.read(&self.path)),
            _ => look(self.text()),
        }
    }

    /// Whether the text has one of these words.
    pub fn has_any(&self, words: &Words<'_>) -> bool {
        self.peek(|text| words.is_in(text))
    }

    /// Some lines of a file that is too long to be held, each with its number, in order. Offsets are those in what is held.
    pub fn excerpt(path: impl Into<String>, lines: &[(u32, String)]) -> Self {
        let text: String = lines.iter().flat_map(|(_, line)| [line.as_str(), "\n"]).collect();
        let kept = lines.iter().map(|(number, _)| *number).collect();
        Self { kept: Some(kept), ..Self::new(path, text) }
    }

    /// Whether it holds some lines of its file only.
    pub fn is_excerpt(&self) -> bool {
        self.kept.is_some()
    }

    /// The line and column of a byte offset; one past the end where it lies outside the text.
    pub fn position(&self, offset: u32) -> Position {
        let position = self.lines.get_or_init(|| LineTable::new(self.text())).position(self.text(), offset);
        let Some(kept) = &self.kept else { return position };
        let line = kept.get(position.line as usize - 1).or(kept.last()).copied().unwrap_or(1);
        Position { line, ..position }
    }

    /// The byte range of a line, counted from 1, without its line break; empty past the last line, and where it is not held.
    pub fn line(&self, line: u32) -> (u32, u32) {
        let table = self.lines.get_or_init(|| LineTable::new(self.text()));
        let Some(kept) = &self.kept else { return table.line(self.text(), line) };
        let here = kept.partition_point(|&number| number < line);
        let (start, end) = table.line(self.text(), here as u32 + 1);
        (start, if kept.get(here) == Some(&line) { end } else { start })
    }

    /// The text of a range; empty where the range is not one of this text.
    pub fn slice(&self, start: u32, end: u32) -> &str {
        self.text().get(start as usize..end as usize).unwrap_or("")
    }
}

/// A file that was not read, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Relative to the root of the tree.
    pub path: String,
    /// A few words: `binary`, `too large` with both sizes, `generated`, `not UTF-8`, or what the system said.
    pub reason: String,
}

/// The files of a tree that were read, in the order of their paths.
#[derive(Debug, Default)]
pub struct Sources {
    all: Vec<Source>,
    /// The files that were not read, in the order of their paths.
    pub skipped: Vec<Skipped>,
    /// The paths of those that nobody asked for, in order.
    pub others: Vec<String>,
    is_large: bool,
}

impl Sources {
    /// Reads those entries of the tree that are wanted, on all cores. Files that can't be read are skipped. Of a tree that is
    /// too large the texts are let go again.
    ///
    /// # Errors
    /// Where the root of the tree can't be listed.
    pub fn read(
        tree: &Tree,
        limits: Limits,
        wanted: impl Fn(&str) -> bool + Sync,
    ) -> Result<Self, TreeError> {
        let (paths, mut skipped) = tree.walk()?;
        let (paths, others): (Vec<String>, Vec<String>) = paths.into_iter().partition(|path| wanted(path));
        let small = SMALL.min(limits.held);
        let total = AtomicU64::new(0);
        let let_go = |source: Source| {
            let stays = source.away.is_some() || source.text().len() as u64 <= small;
            if stays { source } else { source.let_go(tree, limits.of_file) }
        };
        let read_one = |path: String| {
            let source = read_one(tree, path, limits.of_file)?;
            let size = source.text().len() as u64;
            let before = total.fetch_add(size, Ordering::Relaxed);
            Ok(if before + size > limits.held { let_go(source) } else { source })
        };
        let read: Vec<Result<Source, Skipped>> = paths.into_par_iter().map(read_one).collect();
        let sources = read.into_iter().filter_map(|one| one.map_err(|one| skipped.push(one)).ok());
        let mut all: Vec<Source> = sources.collect();
        let is_large = total.into_inner() > limits.held;
        if is_large {
            // Which were read before that was known hangs on threads, and must not.
            all = all.into_par_iter().map(let_go).collect();
        }
        skipped.sort_unstable();
        Ok(Self { all, skipped, others, is_large })
    }

    /// These sources, sorted by path.
    pub fn of(mut all: Vec<Source>) -> Self {
        all.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Self { all, ..Self::default() }
    }

    /// Leaves out those that are not to be read, with the reason.
    pub fn leave_out(&mut self, reason: &str, is_out: impl Fn(&str, &str) -> bool + Sync) {
        let is_out = |source: &Source| source.peek(|text| is_out(&source.path, text));
        let out: Vec<bool> = self.all.par_iter().map(is_out).collect();
        let mut out = out.into_iter();
        let left = self.all.extract_if(.., |_| out.next() == Some(true));
        self.skipped.extend(left.map(|source| Skipped { path: source.path, reason: reason.to_owned() }));
        self.skipped.sort_unstable();
    }

    /// Reads a file that lies outside the walk (a migration that .gitignore hides) as those within it are read.
    pub fn read_more(&mut self, tree: &Tree, path: String, max_bytes: u64) {
        match read_one(tree, path, max_bytes) {
            Ok(source) => self.all.push(source),
            Err(skipped) if self.skipped.iter().any(|one| one.path == skipped.path) => {}
            Err(skipped) => {
                self.skipped.push(skipped);
                self.skipped.sort_unstable();
            }
        }
    }

    /// Whether they are too many to hold all that is known of each.
    pub fn is_large(&self) -> bool {
        self.is_large
    }

    /// Adds a file that lies outside the walk, and gives its number.
    pub fn add(&mut self, source: Source) -> SourceId {
        self.all.push(source);
        SourceId(self.all.len() as u32 - 1)
    }

    /// Puts another text in the place of a source, under its number.
    pub fn put(&mut self, id: SourceId, source: Source) {
        if let Some(old) = self.all.get_mut(id.0 as usize) {
            *old = source;
        }
    }

    /// The source of this number.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.all.get(id.0 as usize)
    }

    /// The source of this path.
    pub fn find(&self, path: &str) -> Option<(SourceId, &Source)> {
        self.iter().find(|(_, source)| source.path == path)
    }

    /// All sources with their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (SourceId, &Source)> {
        self.all.iter().enumerate().map(|(index, source)| (SourceId(index as u32), source))
    }

    /// The same, on all cores.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (SourceId, &Source)> {
        self.all.par_iter().enumerate().map(|(index, source)| (SourceId(index as u32), source))
    }

    /// The sources as a slice, where index and [`SourceId`] agree.
    pub fn as_slice(&self) -> &[Source] {
        &self.all
    }

    /// The path of a source; empty for a number that is not one of these.
    pub fn path(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| source.path.as_str())
    }

    /// The text of a site; empty where it lies outside its source.
    pub fn text(&self, site: Site) -> &str {
        self.get(site.source).map_or("", |source| source.slice(site.start, site.end))
    }
}

/// The folder that a file or a folder lies in; that of the root has no name.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders that a file or a folder lies in, from the inside out; the last is the root, which has no name.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path).filter(|path| !path.is_empty());
    std::iter::from_fn(move || {
        let folder = folder_of(rest?);
        rest = Some(folder).filter(|folder| !folder.is_empty());
        Some(folder)
    })
}

fn read_one(tree: &Tree, path: String, most: u64) -> Result<Source, Skipped> {
    match read_text(tree, &path, most) {
        Ok(text) => Ok(Source::new(path, text)),
        Err(reason) => Err(Skipped { path, reason }),
    }
}

/// The text of a file that was listed, or why there is none.
fn read_text(tree: &Tree, path: &str, most: u64) -> Result<String, String> {
    let bytes = tree.read_listed(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => format!("too large: {error} (max-file-bytes)"),
        kind => kind.to_string(),
    })?;
    let head = bytes.get(..bytes.len().min(8192)).unwrap_or(&bytes);
    if memchr::memchr(0, head).is_some() {
        return Err("binary".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_a_file_are_told_from_within() {
        assert_eq!(folders_above("a/b/c.py").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_above("c.py").collect::<Vec<_>>(), [""]);
        assert_eq!(folders_above("").count(), 0);
    }
}

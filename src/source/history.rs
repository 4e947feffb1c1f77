//! What releases of a program held, without checking any of them out: their tags, and files of them by the names of
//! their contents, so that what many releases share is read once. Knows no version and no SQL.

mod words;

use super::GitError;
use std::collections::{BTreeMap, BTreeSet};

/// The most contents that are searched at once.
const AT_ONCE: usize = 128;

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// The name of its folder's content.
    pub tree: String,
}

/// The name of a file's content: equal for equal contents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Content(pub String);

/// The contents of some paths; `None` where there is no such file.
pub type Row = Vec<Option<Content>>;

/// The releases of a program, and their files.
pub trait History: Send + Sync {
    /// The tags of what was there before the present, from the oldest.
    ///
    /// # Errors
    /// Where git fails.
    fn tags(&self) -> Result<Vec<Tag>, GitError>;

    /// Whether a part of the history is not here.
    ///
    /// # Errors
    /// Where git fails.
    fn is_shallow(&self) -> Result<bool, GitError>;

    /// The contents that these paths have at these tags, tag by tag; `None` where some folder is not here.
    ///
    /// # Errors
    /// Where git fails.
    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Option<Row>>, GitError>;

    /// The paths of all files that stood below one of these folders at one of these tags, sorted.
    ///
    /// # Errors
    /// Where git fails.
    fn ever(&self, tags: &[&Tag], folders: &[String]) -> Result<Vec<String>, GitError>;

    /// All files of a tag with their contents, by path; none where some folder is not here.
    ///
    /// # Errors
    /// Where git fails.
    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError>;

    /// The bytes of these contents; `None` where one is not here.
    ///
    /// # Errors
    /// Where git fails.
    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError>;

    /// For each of these contents the words that stand in it, by their places; none in what is not here or is no text.
    ///
    /// # Errors
    /// Where git fails.
    fn mentions(&self, contents: &[Content], words: &[String]) -> Result<Vec<Vec<usize>>, GitError> {
        let search = words::Words::new(words);
        let mut found = Vec::new();
        for some in contents.chunks(AT_ONCE) {
            let read = self.read(some)?;
            found.extend(read.iter().map(|text| search.within(text.as_deref().unwrap_or_default())));
        }
        Ok(found)
    }
}

/// Releases that are held in memory: from the oldest, each with its files and their texts.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The tags and their files.
    pub releases: Vec<(String, BTreeMap<String, String>)>,
}

impl Kept {
    fn files(&self, tag: &Tag) -> Option<&BTreeMap<String, String>> {
        self.releases.iter().find(|(name, _)| *name == tag.name).map(|(_, files)| files)
    }
}

impl History for Kept {
    fn tags(&self) -> Result<Vec<Tag>, GitError> {
        let tag = |name: &String| Tag { name: name.clone(), tree: name.clone() };
        Ok(self.releases.iter().map(|(name, _)| tag(name)).collect())
    }

    fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(false)
    }

    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Option<Row>>, GitError> {
        let content = |tag: &Tag, path: &String| self.files(tag)?.get(path).cloned().map(Content);
        let of_tag = |tag: &&Tag| Some(paths.iter().map(|path| content(tag, path)).collect());
        Ok(tags.iter().map(of_tag).collect())
    }

    fn ever(&self, tags: &[&Tag], folders: &[String]) -> Result<Vec<String>, GitError> {
        let files = tags.iter().filter_map(|tag| self.files(tag)).flat_map(BTreeMap::keys);
        let below = |path: &&String| {
            folders
                .iter()
                .any(|folder| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/')))
        };
        let found: BTreeSet<&String> = files.filter(below).collect();
        Ok(found.into_iter().cloned().collect())
    }

    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError> {
        let files = self.files(tag).into_iter().flatten();
        Ok(files.map(|(path, text)| (path.clone(), Content(text.clone()))).collect())
    }

    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        Ok(contents.iter().map(|content| Some(content.0.clone().into_bytes())).collect())
    }
}

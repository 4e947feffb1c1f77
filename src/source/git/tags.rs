//! The releases of a program, as git has them: tags, and files at them. What is not in this clone is not fetched.

use super::{
    Git, GitError, failed,
    objects::next,
    trees::{Kind, Trees},
};
use crate::source::history::{Content, History, Row, Tag};
use std::{
    collections::{BTreeSet, HashSet},
    sync::{MutexGuard, PoisonError},
};

impl History for Git {
    /// A tag that is younger than HEAD made no database that HEAD will open.
    fn tags(&self) -> Result<Vec<Tag>, GitError> {
        self.trees().objects.start(self)?;
        let format = "--format=%(refname:strip=2)%00%(tree)%00%(committerdate:unix)%00\
                      %(*tree)%00%(*committerdate:unix)";
        let said = self.ask(&["for-each-ref", format, "refs/tags"])?;
        let head = self.trees().objects.read(self, &["HEAD"])?;
        let Some(now) = head.first().and_then(|head| date(head.as_deref()?)) else { return Ok(Vec::new()) };
        let mut tags = Vec::new();
        for line in String::from_utf8_lossy(&said).lines() {
            let fields: Vec<&str> = line.split('\0').collect();
            let [name, own, own_date, behind, date_behind] = fields.as_slice() else { continue };
            // An annotated tag is an object in front of its commit; what is none of a commit has no date.
            let (tree, date) = if behind.is_empty() { (own, own_date) } else { (behind, date_behind) };
            let Some(date) = date.parse::<u64>().ok().filter(|date| *date <= now) else { continue };
            tags.push((date, Tag { name: (*name).to_owned(), tree: (*tree).to_owned() }));
        }
        tags.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
        Ok(tags.into_iter().map(|(_, tag)| tag).collect())
    }

    fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.is_shallow)
    }

    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Option<Row>>, GitError> {
        let found = self.resolve(tags, paths, Kind::File)?;
        let contents = |row: Vec<Option<String>>| row.into_iter().map(|id| id.map(Content)).collect();
        Ok(found.into_iter().map(|row| row.map(contents)).collect())
    }

    fn ever(&self, tags: &[&Tag], folders: &[String]) -> Result<Vec<String>, GitError> {
        if folders.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.resolve(tags, folders, Kind::Folder)?;
        let found = rows.into_iter().flatten().flat_map(|row| folders.iter().cloned().zip(row));
        let found: BTreeSet<(String, String)> =
            found.filter_map(|(folder, tree)| Some((folder, tree?))).collect();
        Ok(self.trees().names(self, found.into_iter().collect())?.into_iter().collect())
    }

    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError> {
        let top = match self.prefix.strip_suffix('/') {
            None => Some(tag.tree.clone()),
            Some(prefix) => {
                let place = (&[tag.tree.as_str()] as &[&str], &[prefix.to_owned()] as &[String]);
                let mut found = self.trees().resolve(self, place, Kind::Folder)?;
                found.pop().flatten().and_then(|mut row| row.pop().flatten())
            }
        };
        let Some(top) = top else { return Ok(Vec::new()) };
        let listed = self.trees().list(self, &top)?.unwrap_or_default();
        Ok(listed.into_iter().map(|(path, id)| (path, Content(id))).collect())
    }

    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let names: Vec<&str> = contents.iter().map(|content| content.0.as_str()).collect();
        self.trees().objects.read(self, &names)
    }
}

impl Git {
    fn trees(&self) -> MutexGuard<'_, Trees> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What paths from the folder lead to at these tags.
    fn resolve(
        &self,
        tags: &[&Tag],
        paths: &[String],
        kind: Kind,
    ) -> Result<Vec<Option<Vec<Option<String>>>>, GitError> {
        let roots: Vec<&str> = tags.iter().map(|tag| tag.tree.as_str()).collect();
        let paths: Vec<String> = paths.iter().map(|path| format!("{}{path}", self.prefix)).collect();
        self.trees().resolve(self, (&roots, &paths), kind)
    }

    /// The texts of these names; `None` where git has none.
    pub(super) fn texts(&self, names: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let said = self.tell(&["cat-file", "--batch"], names.join("\n") + "\n")?;
        if !said.status.success() {
            return Err(failed("cat-file", &said));
        }
        let mut answers = said.stdout.as_slice();
        names.iter().map(|_| Ok(next(&mut answers)?)).collect()
    }

    /// The names of all objects of this clone.
    pub(super) fn all_objects(&self) -> Result<HashSet<String>, GitError> {
        let format = "--batch-check=%(objectname)";
        let said = self.ask(&["cat-file", "--batch-all-objects", "--unordered", format])?;
        Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
    }
}

/// When a commit was made, as its object says.
fn date(commit: &[u8]) -> Option<u64> {
    let said = String::from_utf8_lossy(commit);
    let line = said.lines().find(|line| line.starts_with("committer "))?;
    line.rsplit(' ').nth(1)?.parse().ok()
}

//! The releases of a program, as git has them: tags, and files at them. Each question is one process for all tags, and
//! what is not in this clone is not fetched.

use super::{Git, GitError, failed};
use crate::source::history::{Content, History, Row, Tag};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io::{BufRead, Read},
    process::Output,
};

/// The names of the tree without files, by SHA-1 and SHA-256.
const EMPTY: (&str, &str) = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
);

/// The most paths that git is asked for at once: some systems allow 32 KB of arguments.
const AT_ONCE: usize = 200;

impl History for Git {
    /// A tag that is younger than HEAD made no database that HEAD will open.
    fn tags(&self) -> Result<Vec<Tag>, GitError> {
        let now = self.name(&["rev-list", "--max-count=1", "--timestamp", "HEAD"]).ok();
        let now = now.and_then(|said| said.0.split_once(' ')?.0.parse().ok());
        let Some(now): Option<u64> = now else { return Ok(Vec::new()) };
        let format = "--format=%(refname:strip=2)%00%(tree)%00%(committerdate:unix)%00\
                      %(*tree)%00%(*committerdate:unix)";
        let said = self.ask(&["for-each-ref", format, "refs/tags"])?;
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
        Ok(self.name(&["rev-parse", "--is-shallow-repository"])?.0 == "true")
    }

    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Option<Row>>, GitError> {
        let mut rows = vec![Some(Row::new()); tags.len()];
        for some in paths.chunks(AT_ONCE) {
            let found = self.rows(tags, some)?;
            for (row, tag) in rows.iter_mut().zip(tags) {
                *row =
                    row.take().zip(found.get(&tag.tree)).map(|(row, more)| [row.as_slice(), more].concat());
            }
        }
        Ok(rows)
    }

    fn ever(&self, tags: &[&Tag], folders: &[String]) -> Result<Vec<String>, GitError> {
        if folders.is_empty() {
            return Ok(Vec::new());
        }
        let said = self.changes_of(tags, folders)?;
        // Each change is a head, and a path behind it.
        let mut rest = said.stdout.as_slice();
        let mut found = BTreeSet::new();
        while !rest.is_empty() {
            if rest.first() == Some(&b':') {
                until(&mut rest, 0);
                found.insert(until(&mut rest, 0));
            } else {
                until(&mut rest, b'\n');
            }
        }
        Ok(found.into_iter().collect())
    }

    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError> {
        let said = self.tell(&["ls-tree", "-r", "-z", "--full-tree", &tag.tree], String::new())?;
        if !said.status.success() {
            return Ok(Vec::new());
        }
        let top = self.prefix()?;
        let entries =
            said.stdout.split(|&byte| byte == 0).filter_map(|entry| std::str::from_utf8(entry).ok());
        let files = entries.filter_map(|entry| {
            let (head, path) = entry.split_once('\t')?;
            let mut words = head.split(' ');
            let is_file = words.next()?.starts_with("100");
            let name = words.nth(1).filter(|_| is_file)?;
            Some((path.strip_prefix(top.as_str())?.to_owned(), Content(name.to_owned())))
        });
        Ok(files.collect())
    }

    fn mentions(&self, tag: &Tag, words: &[String]) -> Result<Vec<String>, GitError> {
        let mut arguments = vec!["grep", "-l", "-z", "-w", "-F", "-I", "--full-name"];
        arguments.extend(words.iter().flat_map(|word| ["-e", word.as_str()]));
        arguments.push(&tag.tree);
        let said = self.tell(&arguments, String::new())?;
        // Its exit code says whether there are any; what is not here it can't search.
        let top = self.prefix()?;
        let paths = said.stdout.split(|&byte| byte == 0).filter_map(super::path);
        let below = |path: String| Some(path.split_once(':')?.1.strip_prefix(top.as_str())?.to_owned());
        Ok(paths.filter_map(below).collect())
    }

    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let names: Vec<&str> = contents.iter().map(|content| content.0.as_str()).collect();
        match self.texts(&names) {
            // In a partial clone git fails at the first content that it is not to fetch.
            Err(GitError::Failed { .. }) if !self.fetches => {
                let here = self.here(&names)?;
                let texts = self.texts(&here)?;
                let mut texts: HashMap<&str, Option<Vec<u8>>> = here.into_iter().zip(texts).collect();
                Ok(names.iter().map(|name| texts.remove(name).flatten()).collect())
            }
            texts => texts,
        }
    }
}

impl Git {
    /// The path of the folder from the top of the working tree, with a slash behind; empty for the top itself.
    fn prefix(&self) -> Result<String, GitError> {
        Ok(self.name(&["rev-parse", "--show-prefix"])?.0)
    }

    /// The contents that these paths have in the trees of tags, by the names of the trees; only those of which all folders
    /// are here. From the newest back, by what differs from tree to tree: most do in little.
    fn rows(&self, tags: &[&Tag], paths: &[String]) -> Result<HashMap<String, Row>, GitError> {
        let said = self.changes_of(tags, paths)?;
        let mut rows = HashMap::from([(empty(tags).to_owned(), vec![None; paths.len()])]);
        let last = follow(&said.stdout, paths, &mut rows);
        // Where git failed, it did so within the last.
        rows.extend(last.filter(|_| said.status.success()));
        Ok(rows)
    }

    /// What git says of the differences below these paths, from the tree without files to that of the newest tag, and from each
    /// tag to the one before it.
    fn changes_of(&self, tags: &[&Tag], paths: &[String]) -> Result<Output, GitError> {
        let trees = tags.iter().rev().map(|tag| tag.tree.as_str());
        let first = empty(tags);
        let mut pairs = String::new();
        for (newer, older) in [first].into_iter().chain(trees.clone()).zip(trees) {
            pairs.extend([newer, " ", older, "\n"]);
        }
        let mut arguments = vec!["--literal-pathspecs", "diff-tree", "--stdin", "-r", "--raw", "-z"];
        arguments.extend(["--no-renames", "--no-abbrev", "--relative", "--"]);
        arguments.extend(paths.iter().map(String::as_str));
        let said = self.tell(&arguments, pairs)?;
        if !said.status.success() && said.stdout.is_empty() {
            return Err(failed("diff-tree", &said));
        }
        Ok(said)
    }

    /// The texts of these names; `None` where git has none.
    fn texts(&self, names: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let said = self.tell(&["cat-file", "--batch"], names.join("\n") + "\n")?;
        if !said.status.success() {
            return Err(failed("cat-file", &said));
        }
        let mut answers = said.stdout.as_slice();
        names.iter().map(|_| next(&mut answers)).collect()
    }

    /// Those of these names that are in this clone.
    fn here<'a>(&self, names: &[&'a str]) -> Result<Vec<&'a str>, GitError> {
        let format = "--batch-check=%(objectname)";
        let said = self.ask(&["cat-file", "--batch-all-objects", "--unordered", format])?;
        let said = String::from_utf8_lossy(&said);
        let all: HashSet<&str> = said.lines().collect();
        Ok(names.iter().copied().filter(|name| all.contains(name)).collect())
    }
}

/// The tree without files, as the repository of these tags names it.
fn empty(tags: &[&Tag]) -> &'static str {
    let is_long = tags.last().is_some_and(|tag| tag.tree.len() > 40);
    if is_long { EMPTY.1 } else { EMPTY.0 }
}

/// Makes the rows of trees of those that they are compared with, in the order of the comparisons; gives back the last.
fn follow(said: &[u8], paths: &[String], rows: &mut HashMap<String, Row>) -> Option<(String, Row)> {
    let column: HashMap<&str, usize> =
        paths.iter().enumerate().map(|(index, path)| (path.as_str(), index)).collect();
    let mut open: Option<(String, Row)> = None;
    let mut rest = said;
    while !rest.is_empty() {
        if rest.first() != Some(&b':') {
            rows.extend(open.take());
            let pair = until(&mut rest, b'\n');
            let with = |(newer, older): (&str, &str)| Some((older.to_owned(), rows.get(newer)?.clone()));
            open = pair.split_once(' ').and_then(with);
            continue;
        }
        let (head, path) = (until(&mut rest, 0), until(&mut rest, 0));
        if let (Some((_, row)), Some(&index)) = (&mut open, column.get(path.as_str()))
            && let Some(content) = row.get_mut(index)
        {
            // The modes and the names on both sides.
            let mut words = head.split(' ').skip(1);
            let is_file = words.next().is_some_and(|mode| mode.starts_with("100"));
            *content = words.nth(1).filter(|_| is_file).map(|name| Content(name.to_owned()));
        }
    }
    open
}

/// What stands in front of a byte, and goes with it.
fn until(rest: &mut &[u8], end: u8) -> String {
    let at = rest.iter().position(|&byte| byte == end).unwrap_or(rest.len());
    let (part, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
    *rest = behind.get(1..).unwrap_or(&[]);
    String::from_utf8_lossy(part).into_owned()
}

/// The next answer of `git cat-file --batch`; `None` where git has no such object here, or is at its end.
fn next(output: &mut impl BufRead) -> Result<Option<Vec<u8>>, GitError> {
    let mut head = String::new();
    output.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|word| word.parse::<u64>().ok());
    let Some(size) = size else { return Ok(None) };
    let mut bytes = Vec::new();
    output.take(size).read_to_end(&mut bytes)?;
    output.read_exact(&mut [0])?;
    Ok(Some(bytes))
}

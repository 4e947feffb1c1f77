//! The releases of a program, as git has them: tags, and files at them. Each question is one process for all tags, and
//! what is not in this clone is not fetched.

use super::{Git, GitError, failed};
use crate::source::history::{Content, History, Tag};
use std::io::{BufRead, Read};

impl History for Git {
    /// A tag that is younger than HEAD made no database that HEAD will open.
    fn tags(&self) -> Result<Vec<Tag>, GitError> {
        let now = self.name(&["log", "-1", "--format=%ct", "HEAD"]).ok().and_then(|said| said.0.parse().ok());
        let Some(now): Option<u64> = now else { return Ok(Vec::new()) };
        let format = "--format=%(refname:strip=2)%00%(objectname)%00%(committerdate:unix)%00\
                      %(*objectname)%00%(*committerdate:unix)";
        let said = self.ask(&["for-each-ref", format, "refs/tags"])?;
        let mut tags = Vec::new();
        for line in String::from_utf8_lossy(&said).lines() {
            let fields: Vec<&str> = line.split('\0').collect();
            let [name, object, date, behind, date_behind] = fields.as_slice() else { continue };
            // An annotated tag is an object in front of its commit; what is none of a commit has no date.
            let (commit, date) = if behind.is_empty() { (object, date) } else { (behind, date_behind) };
            let Some(date) = date.parse::<u64>().ok().filter(|date| *date <= now) else { continue };
            tags.push((date, Tag { name: (*name).to_owned(), commit: (*commit).to_owned() }));
        }
        tags.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
        Ok(tags.into_iter().map(|(_, tag)| tag).collect())
    }

    fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.name(&["rev-parse", "--is-shallow-repository"])?.0 == "true")
    }

    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Vec<Option<Content>>>, GitError> {
        if tags.is_empty() || paths.is_empty() {
            return Ok(vec![Vec::new(); tags.len()]);
        }
        let top = self.prefix()?;
        let names = tags.iter().flat_map(|tag| {
            let top = &top;
            paths.iter().map(move |path| format!("{}:{top}{path}\n", tag.commit))
        });
        let said = self.tell(&["cat-file", "--batch-check=%(objecttype) %(objectname)"], names.collect())?;
        if !said.status.success() {
            return Err(failed("cat-file", &said));
        }
        let answers = String::from_utf8_lossy(&said.stdout);
        let found: Vec<Option<Content>> = answers
            .lines()
            .map(|line| line.strip_prefix("blob ").map(|name| Content(name.to_owned())))
            .collect();
        Ok(found.chunks(paths.len()).map(<[_]>::to_vec).collect())
    }

    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError> {
        let said = self.ask(&["ls-tree", "-r", "-z", "--full-tree", &tag.commit])?;
        let top = self.prefix()?;
        let entries = said.split(|&byte| byte == 0).filter_map(|entry| std::str::from_utf8(entry).ok());
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
        arguments.push(&tag.commit);
        let said = self.tell(&arguments, String::new())?;
        // Its exit code says whether there are any; what is not here it can't search.
        let top = self.prefix()?;
        let paths = said.stdout.split(|&byte| byte == 0).filter_map(super::path);
        let below = |path: String| Some(path.split_once(':')?.1.strip_prefix(top.as_str())?.to_owned());
        Ok(paths.filter_map(below).collect())
    }

    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        if contents.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = contents.iter().map(|content| content.0.as_str()).collect();
        let said = self.tell(&["cat-file", "--batch"], names.join("\n") + "\n")?;
        if !said.status.success() {
            return Err(failed("cat-file", &said));
        }
        let mut answers = said.stdout.as_slice();
        names.iter().map(|_| next(&mut answers)).collect()
    }
}

impl Git {
    /// The path of the folder from the top of the working tree, with a slash behind; empty for the top itself.
    fn prefix(&self) -> Result<String, GitError> {
        Ok(self.name(&["rev-parse", "--show-prefix"])?.0)
    }
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

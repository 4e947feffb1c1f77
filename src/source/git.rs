//! What git knows of a folder: the index, and the commits before it, each as buffers over the folder, so that only what
//! differs is read from git. Asks the `git` program, and lets it run nothing that a repository names.

use super::{Buffers, Folder};
use std::{
    collections::BTreeMap,
    env, io,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

/// Why git can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no `git` program, or it can't be run.
    #[error("can't run git: {0}")]
    NoGit(#[from] io::Error),
    /// The folder is in no working tree.
    #[error("{} is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    /// There is no such commit here.
    #[error("git knows no commit `{0}` here")]
    NoCommit(String),
    /// An object is not in this clone.
    #[error("git has no object {0}: this clone is shallow or partial")]
    NoObject(String),
    /// git failed.
    #[error("git {command} failed: {said}")]
    Failed {
        /// What it was asked.
        command: String,
        /// Its own words.
        said: String,
    },
}

/// A folder in a working tree of git.
#[derive(Debug)]
pub struct Git {
    root: PathBuf,
}

/// The name of a commit or tree as git knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision(String);

/// A file that is not the same on two sides.
struct Change {
    path: String,
    /// The name of its older text; `None` where there was no such file.
    before: Option<String>,
}

impl Git {
    /// Asks git about a folder.
    ///
    /// # Errors
    /// Where there is no git, or the folder is in no working tree.
    pub fn open(root: &Path) -> Result<Self, GitError> {
        let git = Self { root: root.to_owned() };
        match git.ask(&["rev-parse", "--is-inside-work-tree"]) {
            Ok(said) if said.trim_ascii() == b"true" => Ok(git),
            Err(GitError::Failed { said, .. }) if said.contains("not a git repository") => {
                Err(GitError::NoRepository(root.to_owned()))
            }
            Ok(_) => Err(GitError::NoRepository(root.to_owned())),
            Err(error) => Err(error),
        }
    }

    /// Where the present left a line of history: the newest commit that both `revision` and HEAD come from.
    ///
    /// # Errors
    /// Where git knows no such commit.
    pub fn fork_point(&self, revision: &str) -> Result<Revision, GitError> {
        let no_commit = || GitError::NoCommit(revision.to_owned());
        if revision.starts_with('-') {
            return Err(no_commit());
        }
        let commit = format!("{revision}^{{commit}}");
        let commit = self.name(&["rev-parse", "--verify", "--quiet", &commit]).map_err(|_| no_commit())?;
        // Histories that share nothing have no such commit, and neither has a shallow clone.
        Ok(self.name(&["merge-base", &commit.0, "HEAD"]).unwrap_or(commit))
    }

    /// The last commit; a tree without files before the first.
    ///
    /// # Errors
    /// Where git fails.
    pub fn head(&self) -> Result<Revision, GitError> {
        self.name(&["rev-parse", "--verify", "--quiet", "HEAD"])
            .or_else(|_| self.name(&["hash-object", "-t", "tree", "--stdin"]))
    }

    /// The paths below the folder that differ between a revision and the folder, untracked files among them.
    ///
    /// # Errors
    /// Where git fails.
    pub fn touched_since(&self, revision: &Revision) -> Result<Vec<String>, GitError> {
        let changes = self.changes(&["diff-index", &revision.0])?;
        let mut paths = self.untracked()?;
        paths.extend(changes.into_iter().map(|change| change.path));
        Ok(paths)
    }

    /// The paths below the folder that differ between a revision and the index.
    ///
    /// # Errors
    /// Where git fails.
    pub fn touched_in_index(&self, revision: &Revision) -> Result<Vec<String>, GitError> {
        let changes = self.changes(&["diff-index", "--cached", &revision.0])?;
        Ok(changes.into_iter().map(|change| change.path).collect())
    }

    /// The folder as a revision has it.
    ///
    /// # Errors
    /// Where git fails, or has not all of its files.
    pub fn revision(&self, revision: &Revision) -> Result<Buffers<Folder>, GitError> {
        self.buffers(self.changes(&["diff-index", &revision.0])?)
    }

    /// The folder as the next commit would have it.
    ///
    /// # Errors
    /// Where git fails, or has not all of its files.
    pub fn index(&self) -> Result<Buffers<Folder>, GitError> {
        self.buffers(self.changes(&["diff-files"])?)
    }

    fn buffers(&self, changes: Vec<Change>) -> Result<Buffers<Folder>, GitError> {
        let mut open: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
        for path in self.untracked()? {
            open.insert(path, None);
        }
        let wanted: Vec<&str> = changes.iter().filter_map(|change| change.before.as_deref()).collect();
        let mut blobs = self.blobs(&wanted)?.into_iter();
        for change in changes {
            let text = change.before.and_then(|_| blobs.next());
            open.insert(change.path, text);
        }
        Ok(Buffers { open, beneath: Some(Folder { root: self.root.clone() }) })
    }

    /// The files that git does not track and .gitignore does not hide.
    fn untracked(&self) -> Result<Vec<String>, GitError> {
        let said = self.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        Ok(said.split(|&byte| byte == 0).filter_map(path).collect())
    }

    /// What a comparison says, file by file. Links and submodules are no files.
    fn changes(&self, comparison: &[&str]) -> Result<Vec<Change>, GitError> {
        let options = ["--raw", "-z", "--no-renames", "--no-abbrev", "--relative", "--ignore-submodules"];
        let mut arguments = comparison.to_vec();
        // The options go in front of the revision.
        arguments.splice(1..1, options);
        let said = self.ask(&arguments)?;
        let mut fields = said.split(|&byte| byte == 0);
        let mut changes = Vec::new();
        while let (Some(head), Some(name)) = (fields.next(), fields.next()) {
            let head = String::from_utf8_lossy(head);
            let mut words = head.trim_start_matches(':').split(' ');
            let (mode, _, id) = (words.next(), words.next(), words.next());
            let before = id.filter(|_| mode.is_some_and(|mode| mode.starts_with("100")));
            // The index holds several texts of a file in conflict, and none that counts.
            if head.ends_with('U') {
                continue;
            }
            changes.extend(path(name).map(|path| Change { path, before: before.map(str::to_owned) }));
        }
        Ok(changes)
    }

    /// The texts of these names, in their order.
    fn blobs(&self, names: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut child = self
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        };
        let asked = names.join("\n") + "\n";
        // Both ends are served at once: git answers while it is still being asked.
        let read = thread::scope(|scope| {
            let writer = scope.spawn(move || input.write_all(asked.as_bytes()));
            let mut output = BufReader::new(output);
            let read = names.iter().map(|name| blob(&mut output, name)).collect::<Result<Vec<_>, _>>();
            drop(output);
            let _ = writer.join();
            read
        });
        child.wait()?;
        read
    }

    /// The one name that git answers with.
    fn name(&self, arguments: &[&str]) -> Result<Revision, GitError> {
        Ok(Revision(String::from_utf8_lossy(&self.ask(arguments)?).trim().to_owned()))
    }

    fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = self.command(arguments).stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(GitError::Failed {
            command: arguments.first().unwrap_or(&"").to_string(),
            said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(["-c", "core.fsmonitor=false"]).args(arguments);
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        // A hook is told of the repository by paths from its own folder, and git is run in another.
        let full = |name| env::var_os(name).and_then(|path| std::path::absolute(path).ok());
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"] {
            command.envs(full(name).map(|path| (name, path)));
        }
        // Told of the repository alone, git takes the folder that it runs in for the top of the working tree.
        if env::var_os("GIT_DIR").is_some() {
            let top = full("GIT_WORK_TREE").or_else(|| env::current_dir().ok());
            command.envs(top.map(|path| ("GIT_WORK_TREE", path)));
        }
        command
    }
}

/// One answer of `git cat-file --batch`: a line with name, kind and size, the bytes, and a line break.
fn blob(output: &mut impl BufRead, name: &str) -> Result<Vec<u8>, GitError> {
    let mut head = String::new();
    output.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|word| word.parse::<u64>().ok());
    let Some(size) = size else { return Err(GitError::NoObject(name.to_owned())) };
    let mut bytes = Vec::new();
    output.take(size).read_to_end(&mut bytes)?;
    output.read_exact(&mut [0])?;
    Ok(bytes)
}

/// A path as git prints it; `None` where it is empty, or no UTF-8, which a tree does not list either.
fn path(bytes: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(bytes).ok()?;
    (!path.is_empty()).then(|| path.to_owned())
}

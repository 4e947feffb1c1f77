//! What git knows of a folder: the index, and the commits before it, each as buffers over the folder, so that only what
//! differs is read from git. Asks the `git` program, by its plumbing; what differs by the time of a file alone, git may
//! compare by a filter that the repository configures.

mod objects;
mod tags;
mod trees;

use super::{Buffers, Folder};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Mutex,
    thread,
};
use trees::Trees;

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
    /// Where a line of history was left is not in this clone.
    #[error("this clone is shallow: git can't tell where `{0}` and the present part")]
    Shallow(String),
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

impl GitError {
    /// It in one line: of what git said, the line on which it gave up.
    pub fn line(&self) -> String {
        let said = self.to_string();
        let fatal = said.lines().find_map(|line| line.split_once("fatal: "));
        match (self, fatal) {
            (Self::Failed { command, .. }, Some((_, why))) => format!("git {command} failed: {why}"),
            _ => said.lines().next().unwrap_or_default().to_owned(),
        }
    }
}

/// A folder in a working tree of git.
#[derive(Debug)]
pub struct Git {
    root: PathBuf,
    /// Whether only the environment tells where the repository is, as for a bare one with a working tree elsewhere.
    is_told: bool,
    /// Whether git may fetch what a partial clone lacks.
    fetches: bool,
    /// Whether a part of the history is not here.
    is_shallow: bool,
    /// The path of the folder from the top of the working tree, with a slash behind; empty for the top itself.
    prefix: String,
    /// What was read of the repository so far.
    trees: Mutex<Trees>,
}

/// The name of a commit or tree as git knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision(String);

/// A file that is not the same on two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// From the folder, with `/` between the parts.
    pub path: String,
    /// The name of its older text; `None` where there was no such file.
    before: Option<String>,
}

impl Git {
    /// Asks git about a folder.
    ///
    /// # Errors
    /// Where there is no git, or the folder is in no working tree.
    pub fn open(root: &Path) -> Result<Self, GitError> {
        let mut git = Self {
            root: root.to_owned(),
            is_told: false,
            fetches: true,
            is_shallow: false,
            prefix: String::new(),
            trees: Mutex::default(),
        };
        // To look for what git looks for takes less time than to ask it.
        let is_near = fs::canonicalize(root)
            .map_or(true, |root| root.ancestors().any(|folder| folder.join(".git").exists()));
        if !is_near || !git.is_inside()? {
            git.is_told = true;
            if env::var_os("GIT_DIR").is_none() || !git.is_inside()? {
                return Err(GitError::NoRepository(git.root));
            }
        }
        Ok(git)
    }

    /// The same, without fetching from anywhere what is not in this clone.
    #[must_use]
    pub fn without_fetching(self) -> Self {
        Self { fetches: false, ..self }
    }

    /// Whether the folder is in a working tree; where in it, and how much of the history is here, is asked with it.
    fn is_inside(&mut self) -> Result<bool, GitError> {
        let questions = ["--is-inside-work-tree", "--is-shallow-repository", "--show-prefix"];
        match self.ask(&[&["rev-parse"] as &[&str], &questions].concat()) {
            Err(GitError::Failed { said, .. }) if said.contains("not a git repository") => Ok(false),
            said => {
                let said = said?;
                let said = String::from_utf8_lossy(&said);
                let mut answers = said.splitn(3, '\n');
                let is_inside = answers.next() == Some("true");
                self.is_shallow = answers.next() == Some("true");
                answers.next().unwrap_or_default().trim_end_matches('\n').clone_into(&mut self.prefix);
                Ok(is_inside)
            }
        }
    }

    /// Where the present left a line of history: the newest commit that both `revision` and HEAD come from; the commit
    /// itself where they share none.
    ///
    /// # Errors
    /// Where git knows no such commit, or too little of the history to tell.
    pub fn fork_point(&self, revision: &str) -> Result<Revision, GitError> {
        let no_commit = || GitError::NoCommit(revision.to_owned());
        if revision.starts_with(['-', '^']) {
            return Err(no_commit());
        }
        let commit = format!("{revision}^{{commit}}");
        let commit = self.name(&["rev-parse", "--verify", "--quiet", &commit]).map_err(|_| no_commit())?;
        if let Ok(base) = self.name(&["merge-base", &commit.0, "HEAD"]) {
            return Ok(base);
        }
        if self.is_shallow { Err(GitError::Shallow(revision.to_owned())) } else { Ok(commit) }
    }

    /// The last commit; a tree without files before the first.
    ///
    /// # Errors
    /// Where git fails.
    pub fn head(&self) -> Result<Revision, GitError> {
        self.name(&["rev-parse", "--verify", "--quiet", "HEAD"])
            .or_else(|_| self.name(&["hash-object", "-t", "tree", "--stdin"]))
    }

    /// What differs between a revision and the index.
    ///
    /// # Errors
    /// Where git fails.
    pub fn staged_since(&self, revision: &Revision) -> Result<Vec<Changed>, GitError> {
        self.changes(&["diff-index", "--cached", &revision.0])
    }

    /// What differs between a revision and the folder, untracked files among it.
    ///
    /// # Errors
    /// Where git fails.
    pub fn changed_since(&self, revision: &Revision) -> Result<Vec<Changed>, GitError> {
        self.with_untracked(self.changes(&["diff-index", &revision.0])?)
    }

    /// What differs between the index and the folder, untracked files among it.
    ///
    /// # Errors
    /// Where git fails.
    pub fn unstaged(&self) -> Result<Vec<Changed>, GitError> {
        self.with_untracked(self.changes(&["diff-files"])?)
    }

    /// The folder with the older text of each of these files; of a file that is named twice, the last.
    ///
    /// # Errors
    /// Where git fails, or has not all of them.
    pub fn before(&self, changed: Vec<Changed>) -> Result<Buffers<Folder>, GitError> {
        let wanted: Vec<&str> = changed.iter().filter_map(|one| one.before.as_deref()).collect();
        let mut blobs = self.blobs(&wanted)?.into_iter();
        let unlisted = self.unlisted(&changed)?;
        let mut open: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
        for one in changed {
            let text = one.before.and_then(|_| blobs.next());
            open.insert(one.path, text);
        }
        Ok(Buffers { open, unlisted, beneath: Some(Folder { root: self.root.clone() }) })
    }

    /// Those files that a walk over the folder passes over though git tracks them: hidden ones, and those that .gitignore
    /// names.
    fn unlisted(&self, changed: &[Changed]) -> Result<BTreeSet<String>, GitError> {
        let tracked: Vec<&str> =
            changed.iter().filter(|one| one.before.is_some()).map(|one| one.path.as_str()).collect();
        let is_hidden = |path: &&&str| path.split('/').any(|part| part.starts_with('.'));
        let mut unlisted: BTreeSet<String> =
            tracked.iter().filter(is_hidden).map(|path| (*path).to_owned()).collect();
        if !tracked.is_empty() {
            // Its exit code says whether it names any.
            let said =
                self.tell(&["check-ignore", "-z", "--no-index", "--stdin"], tracked.join("\0") + "\0")?;
            unlisted.extend(said.stdout.split(|&byte| byte == 0).filter_map(path));
        }
        Ok(unlisted)
    }

    fn with_untracked(&self, mut changed: Vec<Changed>) -> Result<Vec<Changed>, GitError> {
        let said = self.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        let untracked = said.split(|&byte| byte == 0).filter_map(path);
        // A file that git no longer tracks and that is still there is both, and its older text counts.
        let known: BTreeSet<String> = changed.iter().map(|one| one.path.clone()).collect();
        changed.extend(
            untracked.filter(|path| !known.contains(path)).map(|path| Changed { path, before: None }),
        );
        Ok(changed)
    }

    /// What a comparison says, file by file. Links and submodules are no files.
    fn changes(&self, comparison: &[&str]) -> Result<Vec<Changed>, GitError> {
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
            changes.extend(path(name).map(|path| Changed { path, before: before.map(str::to_owned) }));
        }
        Ok(changes)
    }

    /// The texts of these names, in their order.
    fn blobs(&self, names: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let texts = self.texts(names)?.into_iter().zip(names);
        texts.map(|(text, name)| text.ok_or_else(|| GitError::NoObject((*name).to_owned()))).collect()
    }

    /// The one name that git answers with.
    fn name(&self, arguments: &[&str]) -> Result<Revision, GitError> {
        Ok(Revision(String::from_utf8_lossy(&self.ask(arguments)?).trim().to_owned()))
    }

    fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let said = self.tell(arguments, String::new())?;
        if said.status.success() {
            Ok(said.stdout)
        } else {
            Err(failed(arguments.first().unwrap_or(&""), &said))
        }
    }

    /// Runs git with a text to read. Both ends are served at once: git answers while it is still being asked.
    fn tell(&self, arguments: &[&str], text: String) -> Result<Output, GitError> {
        let mut command = self.command(arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let output = thread::scope(|scope| {
            // Where git reads no further, its exit code and its words say why.
            scope.spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
            child.wait_with_output()
        });
        Ok(output?)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(["-c", "core.fsmonitor=false"]).args(arguments);
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command.env("GIT_TERMINAL_PROMPT", "0");
        if !self.fetches {
            command.env("GIT_NO_LAZY_FETCH", "1");
        }
        // A hook is told of the repository by paths from its own folder, and git is run in another.
        let full = |name| env::var_os(name).and_then(|path| std::path::absolute(path).ok());
        command.envs(full("GIT_INDEX_FILE").map(|path| ("GIT_INDEX_FILE", path)));
        if self.is_told {
            // Told of the repository alone, git takes the folder that it runs in for the top of the working tree.
            let top = full("GIT_WORK_TREE").or_else(|| env::current_dir().ok());
            command.envs(full("GIT_DIR").map(|path| ("GIT_DIR", path)));
            command.envs(top.map(|path| ("GIT_WORK_TREE", path)));
        } else {
            command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE");
        }
        command
    }
}

fn failed(command: &str, output: &Output) -> GitError {
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    GitError::Failed { command: command.to_owned(), said }
}

/// A path as git prints it; `None` where it is empty, or no UTF-8, which a tree does not list either.
fn path(bytes: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(bytes).ok()?;
    (!path.is_empty()).then(|| path.to_owned())
}

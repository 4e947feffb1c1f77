//! Small repositories that tests make with git. Their commits are a day apart, whatever the clock says.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const FIRST: u64 = 1_600_000_000;
const DAY: u64 = 86_400;

/// A repository in a folder of its own.
pub struct Repository {
    folder: TempDir,
    days: Cell<u64>,
}

impl Repository {
    /// A folder that may become one.
    pub fn folder() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), days: Cell::new(0) }
    }

    /// A repository without a commit.
    pub fn empty() -> Self {
        let repository = Self::folder();
        repository.git(&["init", "--quiet", "."]);
        repository
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn git(&self, arguments: &[&str]) {
        let settings = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
        let mut git = Command::new("git");
        // Where the tests run in a hook, git is told of that repository, and not of this one.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GIT_")) {
            git.env_remove(name);
        }
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let date = format!("@{} +0000", FIRST + DAY * self.days.get());
        git.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date);
        let git = git.args(settings).args(arguments).current_dir(self.path()).output();
        let output = git.unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn commit(&self) {
        self.days.set(self.days.get() + 1);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "a change"]);
    }
}

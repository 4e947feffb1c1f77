//! The examples of tests of programs that ask planlint, run by what runs such tests: cargo, pytest and go.

use crate::{output, printed, root, run, tool};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// An example in a folder of its own.
struct Project(TempDir);

impl Project {
    fn new(language: &str) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        copy(&root().join("examples/tested").join(language), project.0.path());
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn append(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        let all = fs::read_to_string(&path).unwrap() + text;
        fs::write(path, all).unwrap();
    }

    /// A command that finds planlint on its path.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let planlint = Path::new(env!("CARGO_BIN_EXE_planlint")).parent().unwrap().to_owned();
        let mut path = OsString::from(planlint);
        path.push(":");
        path.push(env::var_os("PATH").unwrap());
        let mut command = Command::new(program);
        command.current_dir(self.path()).env("PATH", path);
        command
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let beside = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &beside) } else { fs::copy(&path, &beside).map(|_| ()).unwrap() }
    }
}

/// A test fails, and says why.
fn fails(output: &Output, reason: &str) {
    let printed = printed(output);
    assert!(!output.status.success() && printed.contains(reason), "{printed}");
}

/// The profile of our Cargo.toml, under which planlint itself is not optimised.
const PROFILE: &str = "
[profile.dev]
debug = \"line-tables-only\"

[profile.dev.package.\"*\"]
opt-level = 1

[profile.dev.package.planlint]
opt-level = 0
";

const REASON: &str = "all rows of `books` are read to find some by `title`";

#[test]
fn cargo_runs_the_test_of_the_example() {
    let project = Project::new("rust");
    let manifest = fs::read_to_string(project.path().join("Cargo.toml")).unwrap();
    let ours = root().to_str().unwrap();
    // With the same profile and the same versions, what was built for these tests is what the example needs.
    fs::write(project.path().join("Cargo.toml"), manifest.replace("../../..", ours) + PROFILE).unwrap();
    fs::copy(root().join("Cargo.lock"), project.path().join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_planlint")).ancestors().nth(2).unwrap();
    let test = || {
        let mut command = project.command(env!("CARGO"));
        command.args(["test", "--offline", "--quiet"]).env("CARGO_TARGET_DIR", target);
        command
    };
    run(&mut test());
    project.append(
        "src/lib.rs",
        "\n/// Finds a book by its title.\npub const BY_TITLE: &str = \"SELECT shelf FROM books WHERE title = ?1\";\n",
    );
    fails(&output(&mut test()), REASON);
}

#[test]
fn pytest_runs_the_test_of_the_example() {
    let project = Project::new("python");
    let test = || project.command(tool("venv/bin/pytest"));
    run(&mut test());
    project.append(
        "shelf.py",
        "\n\ndef titled(db, title):\n    return db.execute(\"SELECT shelf FROM books WHERE title = ?\", (title,)).fetchone()\n",
    );
    fails(&output(&mut test()), REASON);
}

#[test]
fn go_runs_the_test_of_the_example() {
    let project = Project::new("go");
    let test = || {
        let mut command = project.command("go");
        command.args(["test", "-count=1", "./..."]).env("GOTOOLCHAIN", "local").env("GOFLAGS", "-mod=mod");
        command
    };
    run(&mut test());
    project.append(
        "shelf.go",
        "\n// Titled finds a book by its title.\nfunc Titled(db *sql.DB, title string) (shelf int, err error) {\n\
         \terr = db.QueryRow(\"SELECT shelf FROM books WHERE title = ?\", title).Scan(&shelf)\n\treturn shelf, err\n}\n",
    );
    fails(&output(&mut test()), REASON);
}

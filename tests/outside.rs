//! What planlint writes for others, judged by tools that are not ours: the validators of a format, the programs that
//! write or read it. `.ci/outside-tools` provides for them, in target/tools; the feature `outside-tools` asks for these
//! tests. Each tool is also shown something broken, so that its silence means something.

#![cfg(test)]

#[path = "outside/browser.rs"]
mod browser;
#[path = "outside/editors.rs"]
mod editors;
#[path = "outside/github.rs"]
mod github;
#[path = "outside/gitlab.rs"]
mod gitlab;
#[path = "outside/hooks.rs"]
mod hooks;
#[path = "outside/packages.rs"]
mod packages;
#[path = "outside/markdown.rs"]
mod markdown;
#[path = "outside/sarif.rs"]
mod sarif;
#[path = "outside/shells.rs"]
mod shells;
#[path = "outside/shop.rs"]
mod shop;
#[path = "outside/subjects.rs"]
mod subjects;
#[path = "outside/tested.rs"]
mod tested;
#[path = "outside/workflows.rs"]
mod workflows;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A tool, or a file that comes with one.
fn tool(path: &str) -> PathBuf {
    let tool = root().join("target/tools").join(path);
    assert!(tool.exists(), "{} is missing: .ci/outside-tools provides for it", tool.display());
    tool
}

/// Runs a command.
fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What a command prints, standard error at the end.
fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What a command prints, which has to succeed.
fn run(command: &mut Command) -> String {
    let output = output(command);
    let printed = printed(&output);
    assert!(output.status.success(), "{command:?}:\n{printed}");
    printed
}

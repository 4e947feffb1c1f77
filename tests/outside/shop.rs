//! A small program in a repository of its own, with our hooks, and a place to push to.

use crate::{output, root, run, tool};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const SCHEMA: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, reference TEXT NOT NULL);\n\
    CREATE INDEX orders_by_customer ON orders (customer);\n";

/// A program that has no findings.
pub const PROGRAM: &str = r#"use rusqlite::{Connection, Result, params};

pub fn place(db: &Connection, customer: i64, reference: &str) -> Result<usize> {
    db.execute("INSERT INTO orders (customer, reference) VALUES (?1, ?2)", params![customer, reference])
}
"#;

/// Finds its rows by an index.
pub const FAST: &str = r#"
pub fn of(db: &Connection, customer: i64) -> Result<i64> {
    db.query_row("SELECT id FROM orders WHERE customer = ?1", params![customer], |row| row.get(0))
}
"#;

/// Reads the whole table.
pub const SLOW: &str = r#"
pub fn named(db: &Connection, reference: &str) -> Result<i64> {
    db.query_row("SELECT id FROM orders WHERE reference = ?1", params![reference], |row| row.get(0))
}
"#;

/// A repository with our hooks, a copy of what they are taken from, and a place to push to.
pub struct Shop(TempDir);

impl Shop {
    pub fn new() -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "hooks", "shop"] {
            fs::create_dir(shop.at(folder)).unwrap();
        }
        fs::copy(root().join(".pre-commit-hooks.yaml"), shop.at("hooks/.pre-commit-hooks.yaml")).unwrap();
        run(shop.git("hooks").args(["init", "--quiet"]));
        run(shop.git("hooks").args(["add", "."]));
        run(shop.git("hooks").args(["commit", "--quiet", "--message", "hooks"]));
        let revision = run(shop.git("hooks").args(["rev-parse", "HEAD"]));
        run(shop.git("shop").args(["init", "--quiet"]));
        run(shop.git("shop").args(["init", "--quiet", "--bare", "../away.git"]));
        run(shop.git("shop").args(["remote", "add", "away", "../away.git"]));
        shop.write(".pre-commit-config.yaml", &configuration(&shop.at("hooks"), revision.trim()));
        shop.write("migrations/1_orders.sql", SCHEMA);
        shop.write("src/orders.rs", PROGRAM);
        shop.pre_commit(&["install", "--hook-type", "pre-commit", "--hook-type", "pre-push"]);
        shop
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.at("shop").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A command that sees the built planlint first, and no settings of who runs it.
    fn command(&self, program: &Path, folder: &str) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_planlint")).parent().unwrap();
        let path = env::var_os("PATH").unwrap();
        let folders = [binary.to_owned()].into_iter().chain(env::split_paths(&path));
        let mut command = Command::new(program);
        command.current_dir(self.at(folder)).env("PATH", env::join_paths(folders).unwrap());
        command
            .env("HOME", self.at("home"))
            .env("PRE_COMMIT_HOME", self.at("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "SKIP"] {
            command.env_remove(variable);
        }
        for variable in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            command.env(format!("{variable}_NAME"), "a").env(format!("{variable}_EMAIL"), "a@b.c");
        }
        command
    }

    pub fn git(&self, folder: &str) -> Command {
        self.command(Path::new("git"), folder)
    }

    fn pre_commit(&self, arguments: &[&str]) {
        run(self.command(&tool("venv/bin/pre-commit"), "shop").args(arguments));
    }

    /// Commits all that there is; the arguments may say otherwise.
    pub fn commit(&self, arguments: &[&str]) -> Output {
        run(self.git("shop").args(["add", "--all"]));
        output(self.git("shop").args(["commit", "--message", "change"]).args(arguments))
    }

    pub fn push(&self) -> Output {
        output(self.git("shop").args(["push", "away", "HEAD"]))
    }
}

/// What a user writes, but that the planlint on the path is taken, and none is built.
fn configuration(hooks: &Path, revision: &str) -> String {
    format!(
        "repos:\n  - repo: {}\n    rev: {revision}\n    hooks:\n      - id: planlint\n        language: system\n      \
         - id: planlint-push\n        language: system\n",
        hooks.display()
    )
}

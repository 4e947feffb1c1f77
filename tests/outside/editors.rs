//! The language server, asked by a client that is not ours and holds each message against the protocol, and against what
//! VS Code, Neovim and Emacs say that they can do.

use crate::{root, run, tool};
use std::fs;
use std::process::Command;

#[test]
fn editors_are_told_what_they_understand() {
    let program = tempfile::tempdir().unwrap();
    let program = program.path().canonicalize().unwrap();
    for (path, text) in [
        ("planlint.toml", ""),
        ("migrations/1.sql", "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL);\n"),
        (
            "src/orders.py",
            "def put(db, customer):\n    db.execute('INSERT INTO orders (customer) VALUES (?)', (customer,))\n\n\n\
             def of(db, customer):\n    return db.execute('SELECT id FROM orders WHERE customer = ?', (customer,)).fetchone()\n",
        ),
    ] {
        let path = program.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut session = Command::new(tool("venv/bin/python"));
    session.args([
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-W",
        "error::pytest_lsp.LspSpecificationWarning",
    ]);
    session.arg(root().join("tests/outside/session.py")).current_dir(&program);
    session.env("PLANLINT", env!("CARGO_BIN_EXE_planlint")).env("PROGRAM", &program);
    session.env("PYTHONDONTWRITEBYTECODE", "1");
    let printed = run(&mut session);
    assert!(printed.contains("4 passed"), "{printed}");
}

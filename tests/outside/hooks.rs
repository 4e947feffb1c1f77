//! The hooks, run by pre-commit itself, as `git commit` and `git push` run it.

use crate::shop::{FAST, PROGRAM, SLOW, Shop};
use crate::{output, printed, root, run, tool};
use std::process::{Command, Output};

fn passes(output: &Output, said: &str) {
    let text = printed(output);
    assert!(output.status.success() && text.contains(said), "{text}");
}

fn is_blocked(output: &Output, said: &str) {
    let text = printed(output);
    assert!(!output.status.success() && text.contains(said), "{text}");
}

#[test]
fn a_commit_is_blocked_for_what_it_brings() {
    let shop = Shop::new();
    passes(&shop.commit(&[]), "Passed");
    shop.write("src/orders.rs", &[PROGRAM, FAST].concat());
    passes(&shop.commit(&[]), "Passed");
    shop.write("src/orders.rs", &[PROGRAM, FAST, SLOW].concat());
    is_blocked(&shop.commit(&[]), "growing-table-scan");
    // What is not staged does not count.
    run(shop.git("shop").args(["reset", "--quiet"]));
    shop.write("README.md", "A shop.\n");
    run(shop.git("shop").args(["add", "README.md"]));
    passes(&output(shop.git("shop").args(["commit", "--message", "words"])), "Skipped");
    // What was there before does not count.
    passes(&shop.commit(&["--no-verify"]), "");
    shop.write("src/orders.rs", &[PROGRAM, SLOW].concat());
    passes(&shop.commit(&[]), "Passed");
}

#[test]
fn a_push_is_blocked_for_all_that_is_there() {
    let shop = Shop::new();
    passes(&shop.commit(&[]), "Passed");
    passes(&shop.push(), "Passed");
    shop.write("src/orders.rs", &[PROGRAM, SLOW].concat());
    passes(&shop.commit(&["--no-verify"]), "");
    is_blocked(&shop.push(), "growing-table-scan");
}

#[test]
fn the_list_of_hooks_is_one() {
    run(Command::new(tool("venv/bin/pre-commit"))
        .arg("validate-manifest")
        .arg(root().join(".pre-commit-hooks.yaml")));
}

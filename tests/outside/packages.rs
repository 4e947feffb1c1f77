//! The packages for those who have no Rust: made, installed where nothing else is, and run.

use crate::shop::{FAST, PROGRAM, SLOW, Shop};
use crate::{output, printed, root, run, tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The only file of this ending in a folder.
fn only(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<PathBuf> = files.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}

/// A wheel of the program as it is being tested.
fn wheel(folder: &Path) -> PathBuf {
    // The binary is built already, but for how it is linked.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    run(Command::new(tool("venv/bin/maturin"))
        .args(["build", "--quiet", "--profile", "dev", "--compatibility", "linux", "--out"])
        .arg(folder)
        .env("CARGO_TARGET_DIR", target)
        .current_dir(root().join(".pypi")));
    only(folder, ".whl")
}

#[test]
fn a_wheel_needs_no_rust_and_serves_as_a_hook() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = wheel(folder.path());
    let venv = folder.path().join("venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    run(Command::new(venv.join("bin/pip")).args(["install", "--quiet", "--no-index"]).arg(&wheel));
    let version = run(Command::new(venv.join("bin/planlint")).arg("--version").env("PATH", ""));
    assert!(version.starts_with(concat!("planlint ", env!("CARGO_PKG_VERSION"))), "{version}");

    // As docs/ci/README.md has it, but for where the package is.
    let page = fs::read_to_string(root().join("docs/ci/README.md")).unwrap();
    let hook = page.split("```yaml\n").find(|block| block.contains("repo: local")).unwrap();
    let hook = hook.split("```").next().unwrap();
    let package = format!("planlint=={}", env!("CARGO_PKG_VERSION"));
    assert!(hook.contains(&package), "{hook}");
    let shop = Shop::new();
    shop.write(".pre-commit-config.yaml", &hook.replace(&package, wheel.to_str().unwrap()));
    let said = printed(&shop.commit(&[]));
    assert!(said.contains("Passed"), "{said}");
    shop.write("src/orders.rs", &[PROGRAM, FAST, SLOW].concat());
    let blocked = shop.commit(&[]);
    let said = printed(&blocked);
    assert!(!blocked.status.success() && said.contains("growing-table-scan"), "{said}");
}

#[test]
fn a_package_for_npm_runs_the_binary_of_its_platform() {
    let folder = tempfile::tempdir().unwrap();
    let node = run(Command::new("node").args(["-p", "`${process.platform}-${process.arch}`"]));
    let packages = folder.path().join("packages");
    run(Command::new(root().join(".npm/pack")).arg(&packages).arg(format!(
        "{}={}",
        node.trim(),
        env!("CARGO_BIN_EXE_planlint")
    )));
    let version = env!("CARGO_PKG_VERSION");
    let main = packages.join(format!("planlint-{version}.tgz"));
    let own = packages.join(format!("planlint-{}-{version}.tgz", node.trim()));
    let install = |packages: &[&PathBuf]| {
        let project = tempfile::tempdir().unwrap();
        fs::write(project.path().join("package.json"), "{}").unwrap();
        let mut npm = Command::new("npm");
        npm.args(["install", "--offline", "--silent", "--no-audit", "--no-fund"]).args(packages);
        (output(npm.current_dir(project.path())), project)
    };
    let (installed, project) = install(&[&own, &main]);
    assert!(installed.status.success(), "{}", printed(&installed));
    let planlint = || Command::new(project.path().join("node_modules/.bin/planlint"));
    assert!(run(planlint().arg("--version")).starts_with(&format!("planlint {version}")));
    // It ends as the binary does.
    assert_eq!(output(planlint().arg("no-such-command")).status.code(), Some(2));
    fs::remove_dir_all(project.path().join(format!("node_modules/planlint-{}", node.trim()))).unwrap();
    let lost = output(planlint().arg("--version"));
    assert!(
        lost.status.code() == Some(2) && printed(&lost).contains("is not installed"),
        "{}",
        printed(&lost)
    );
}

//! The files for CI, ours and those we offer, by the schemas of their readers and by zizmor, which knows how workflows are
//! attacked; and the action's scripts, run as the action runs them.

use crate::shop::{PROGRAM, SLOW, Shop};
use crate::{output, printed, root, tool};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ACTION: &str = ".github/actions/planlint";

/// Judges a file by the schema of its reader.
fn schema(name: &str, file: &Path) -> Output {
    let mut command = Command::new(tool("venv/bin/check-jsonschema"));
    let transform: &[&str] = if name == "gitlab-ci" { &["--data-transform", "gitlab-ci"] } else { &[] };
    output(command.args(transform).arg(format!("--builtin-schema=vendor.{name}")).arg(file))
}

/// Looks for what can be attacked. Actions are pinned by their versions here.
fn zizmor(files: &[PathBuf]) -> Output {
    let policy = root().join("tests/outside/zizmor.yml");
    let mut command = Command::new(tool("venv/bin/zizmor"));
    output(command.args(["--offline", "--no-progress", "--config"]).arg(policy).args(files))
}

fn passes(output: &Output) {
    assert!(output.status.success(), "{}", printed(output));
}

#[test]
fn every_file_for_ci_follows_the_schema_of_its_reader() {
    let files = [
        ("github-workflows", ".github/workflows/ci.yml"),
        ("github-workflows", ".github/workflows/release.yml"),
        ("github-actions", ".github/actions/planlint/action.yml"),
        ("github-workflows", "docs/ci/github.yml"),
        ("gitlab-ci", "docs/ci/gitlab.yml"),
        ("github-workflows", "docs/ci/forgejo.yml"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in files {
        passes(&schema(name, &root().join(file)));
        let broken = folder.path().join("broken.yml");
        let text = fs::read_to_string(root().join(file)).unwrap();
        fs::write(
            &broken,
            text.replace("runs-on:", "run-on:").replace("using:", "use:").replace("script:", "run:"),
        )
        .unwrap();
        assert!(!schema(name, &broken).status.success(), "{file}");
    }
}

#[test]
fn no_workflow_can_be_attacked_in_a_way_that_is_known() {
    let files = [
        ".github/workflows/ci.yml",
        ".github/workflows/release.yml",
        ".github/actions/planlint/action.yml",
        "docs/ci/github.yml",
        "docs/ci/forgejo.yml",
    ];
    passes(&zizmor(&files.map(|file| root().join(file))));
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("action.yml");
    let text = fs::read_to_string(root().join(ACTION).join("action.yml")).unwrap();
    let text =
        text.replace("run: '\"$GITHUB_ACTION_PATH/check\"'", "run: planlint check ${{ inputs.arguments }}");
    fs::write(&broken, text).unwrap();
    assert!(printed(&zizmor(&[broken])).contains("template-injection"));
}

fn script(name: &str, folder: &Path, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(root().join(ACTION).join(name));
    command.env("BINARY", env!("CARGO_BIN_EXE_planlint")).envs(variables.iter().copied());
    let output = output(command.current_dir(folder));
    (output.status.code(), printed(&output))
}

#[test]
fn the_action_annotates_and_fails_where_planlint_does() {
    let (code, text) = script(
        "check",
        root(),
        &[("TARGET", "examples/chainstate"), ("ARGUMENTS", " --no-growth\n --notes ")],
    );
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("::error title=failing-migration,file=examples/chainstate/"), "{text}");
    assert!(text.contains("::notice "), "{text}");
    let (code, text) = script("check", root(), &[("TARGET", "examples/gone"), ("FORMAT", "json")]);
    assert!(code == Some(2) && text.contains("examples/gone"), "{text}");
}

#[test]
fn the_action_reports_what_a_pull_request_brings() {
    let shop = Shop::new();
    shop.write("src/orders.rs", &[PROGRAM, SLOW].concat());
    passes(&shop.commit(&["--no-verify"]));
    let folder = shop.at("shop");
    let (code, text) = script("check", &folder, &[("SINCE", "HEAD")]);
    assert!(code == Some(0) && text.contains("was changed since HEAD"), "{text}");
    let (code, text) = script("check", &folder, &[("SINCE", "all")]);
    assert!(
        code == Some(1) && text.contains("::warning title=growing-table-scan,file=src/orders.rs"),
        "{text}"
    );
}

#[test]
fn the_action_installs_its_own_source_or_a_version() {
    let folder = tempfile::tempdir().unwrap();
    // Says what cargo is asked for, and where.
    let cargo = folder.path().join("cargo");
    fs::write(&cargo, "#!/bin/sh\necho \"$@\" in \"$PWD\"\n").unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), env::var("PATH").unwrap());
    let asked = |version| script("install", folder.path(), &[("PATH", &path), ("VERSION", version)]).1;
    let here = root().display();
    assert_eq!(asked(""), format!("install --locked --path . in {here}\n"));
    assert_eq!(asked("1.2.3"), format!("install --locked --version=1.2.3 planlint in {here}\n"));
}

#[test]
fn what_the_action_is_told_is_never_run() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let attack = format!("$(touch {0}) `touch {0}` ; touch {0} * && touch {0}", mark.display());
    for name in ["ARGUMENTS", "SINCE", "TARGET", "FORMAT"] {
        let (code, text) = script("check", root(), &[("TARGET", "examples/ranges"), (name, &attack)]);
        assert_eq!(code, Some(2), "{name}: {text}");
    }
    assert!(!mark.exists());
}

#[test]
fn code_scanning_gets_what_has_a_place() {
    let (code, text) = script("sarif", root(), &[("TARGET", "examples/chainstate")]);
    assert_eq!(code, Some(0), "{text}");
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 5 && results.iter().all(|one| one["locations"][0].is_object()));
    let (code, _) = script("sarif", root(), &[("TARGET", "examples/gone")]);
    assert_eq!(code, Some(2));
}

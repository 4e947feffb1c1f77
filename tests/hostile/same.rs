//! The same tree gives the same bytes: on however many threads, however often, wherever, whenever.

use super::{planlint, write};
use planlint::{
    extract, rule,
    run::{self, CheckRequest},
};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder of this repository, in the order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Trees with many statements, several databases, migrations and findings.
const TREES: [&str; 4] = ["examples/chainstate", "examples/inbox", "examples/own-rule", "tests/conventions"];

/// Writes a tree into a folder, where on some file systems its files are listed in this order.
fn put(tree: &str, folder: &Path, is_reversed: bool) {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join(tree);
    let mut files = files(&tree);
    if is_reversed {
        files.reverse();
    }
    for path in files {
        write(folder, path.strip_prefix(&tree).unwrap().to_str().unwrap(), &fs::read(&path).unwrap());
    }
}

/// All that is written about a tree.
fn reports(folder: &Path, variables: &[(&str, &str)]) -> Vec<(String, String)> {
    let facts = folder.with_extension("facts");
    let formats: [&[&str]; 7] = [
        &["check", "--notes", "."],
        &["check", "--format", "json", "."],
        &["check", "--format", "sarif", "."],
        &["check", "--format", "github", "--notes", "."],
        &["check", "--list", "statements", "."],
        &["advise", "."],
        &["facts", "--output", facts.to_str().unwrap(), "."],
    ];
    let said = formats.iter().map(|arguments| {
        let (exit, out, err) = planlint(folder, arguments, variables);
        (arguments.join(" "), format!("{exit}\n{out}\n{err}"))
    });
    let mut said: Vec<(String, String)> = said.collect();
    said.push(("the facts".to_owned(), format!("{:?}", fs::read(&facts).unwrap())));
    fs::remove_file(&facts).unwrap();
    said
}

fn differs((tree, how): (&str, &str), one: &[(String, String)], other: &[(String, String)]) {
    for ((what, here), (_, there)) in one.iter().zip(other) {
        let at = here.bytes().zip(there.bytes()).position(|(here, there)| here != there);
        let at = at.or((here.len() != there.len()).then(|| here.len().min(there.len())));
        if let Some(at) = at {
            let around = |text: &str| {
                String::from_utf8_lossy(text.as_bytes().get(at.saturating_sub(200)..).unwrap_or(&[]))
                    .chars()
                    .take(500)
                    .collect::<String>()
            };
            assert!(at == usize::MAX, "{tree}, {what}, {how}:\n{}\n--\n{}", around(here), around(there));
        }
    }
}

#[test]
fn reports_are_the_same_on_any_number_of_threads_anywhere() {
    for tree in TREES {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("tree");
        put(tree, &folder, false);
        let first = reports(&folder, &[("LC_ALL", "C.UTF-8"), ("RAYON_NUM_THREADS", "1")]);
        assert!(first.iter().all(|(_, said)| said.len() > 2), "{tree}");
        for (how, variables) in [
            ("on two threads", [("LC_ALL", "C.UTF-8"), ("RAYON_NUM_THREADS", "2")]),
            ("on eight threads", [("LC_ALL", "de_DE.UTF-8"), ("RAYON_NUM_THREADS", "8")]),
            ("far away", [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")]),
        ] {
            differs((tree, how), &first, &reports(&folder, &variables));
        }
        fs::remove_dir_all(&folder).unwrap();
        put(tree, &folder, true);
        differs((tree, "with files in another order"), &first, &reports(&folder, &[("LC_ALL", "C.UTF-8")]));
    }
}

/// A terminal that shows ASCII alone is drawn on otherwise; what programs read is the same.
#[test]
fn what_programs_read_is_the_same_in_any_locale() {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("tree");
    put("examples/chainstate", &folder, false);
    let read = |locale: &str| {
        let said = reports(&folder, &[("LC_ALL", locale)]).into_iter();
        said.filter(|(what, _)| what.contains("--format") || what.contains("facts")).collect::<Vec<_>>()
    };
    differs(("examples/chainstate", "without a locale"), &read("C.UTF-8"), &read("C"));
}

/// The cases of the rules that have several files of code, for only code is outlined; each laid out as a tree in a folder
/// of this name.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let pages = rule::load_pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules"), "").unwrap();
    let mut found = Vec::new();
    for (page, case) in pages.iter().flat_map(|page| page.cases.iter().map(move |case| (page, case))) {
        let files: Vec<_> = case.files.iter().filter(|file| file.release().is_none()).collect();
        let is_code = |path: &str| extract::is_wanted(path) && !extract::is_sql(path);
        let count = files.iter().filter(|file| is_code(&file.path)).count();
        if count < 2 {
            continue;
        }
        let tree = folder.join(format!("{}-{}", page.rule, case.line));
        for file in files {
            write(&tree, &file.path, file.text.as_bytes());
        }
        found.push(tree);
    }
    found
}

/// Of a tree that is too large the texts are read again, and most files are outlined.
#[test]
fn what_is_held_in_memory_changes_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let more = ["calls", "lifecycle", "migrations", "modules", "names", "offline"];
    let more = more.map(|tree| format!("tests/extract/trees/{tree}"));
    let trees = TREES.iter().copied().chain(more.iter().map(String::as_str)).map(|tree| root.join(tree));
    let folder = tempfile::tempdir().unwrap();
    let trees: Vec<PathBuf> = trees.chain(cases(folder.path())).collect();
    assert!(trees.len() > 60, "{}", trees.len());
    let differing = |(number, tree): (usize, &PathBuf)| {
        let facts = |most_held: u64, name: &str| {
            let request = CheckRequest { most_held, ..CheckRequest::new(tree) };
            let path = folder.path().join(format!("{number}.{name}"));
            run::facts(&request, &path).unwrap();
            fs::read(path).unwrap()
        };
        let is_same = facts(u64::MAX, "held") == facts(0, "away");
        (!is_same).then(|| tree.display().to_string())
    };
    let differing: Vec<String> = trees.par_iter().enumerate().filter_map(differing).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

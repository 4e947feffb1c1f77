//! What is found in host sources. Each file of `tests/extract/<language>` is a tree of its own, and each folder of
//! `tests/extract/trees` one of several files; beside it, in a file ending in `.expected`, stands what is found in it.
//! `PLANLINT_BLESS=1` writes these anew.

#![cfg(test)]

#[path = "extract/properties.rs"]
mod properties;
#[path = "extract/shown.rs"]
mod shown;
#[path = "extract/small.rs"]
mod small;

use planlint::extract::{Extraction, extract};
use planlint::source::{Source, Sources};
use std::fs;
use std::path::{Path, PathBuf};

/// A tree of sources, and the file that says what is found in it.
struct Fixture {
    name: String,
    sources: Sources,
    expected: PathBuf,
}

/// What is found in a tree in which `tools` and `scripts` hold tools.
fn found(sources: &Sources) -> Extraction {
    extract(sources, &|path| path.starts_with("tools/") || path.starts_with("scripts/"))
}

/// What is found in one file.
fn found_in(path: &str, text: &str) -> (Sources, Extraction) {
    let sources = Sources::of(vec![Source::new(path, text)]);
    let extraction = found(&sources);
    (sources, extraction)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The files below a folder, with their paths from there.
fn read_tree(folder: &Path, prefix: &str) -> Vec<Source> {
    let mut all = Vec::new();
    for path in entries(folder) {
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            all.extend(read_tree(&path, &format!("{name}/")));
        } else {
            all.push(Source::new(name, fs::read_to_string(&path).unwrap()));
        }
    }
    all
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extract");
    let mut all = Vec::new();
    for folder in entries(&root).into_iter().filter(|path| path.is_dir()) {
        let language = folder.file_name().unwrap().to_str().unwrap();
        for path in entries(&folder) {
            let file = path.file_name().unwrap().to_str().unwrap().to_owned();
            if file.ends_with(".expected") {
                continue;
            }
            let sources = if path.is_dir() {
                read_tree(&path, "")
            } else {
                vec![Source::new(file.clone(), fs::read_to_string(&path).unwrap())]
            };
            all.push(Fixture {
                name: format!("{language}/{file}"),
                sources: Sources::of(sources),
                expected: path.with_file_name(format!("{file}.expected")),
            });
        }
    }
    all
}

#[test]
fn what_is_found_is_what_stands_beside_each_fixture() {
    let bless = std::env::var_os("PLANLINT_BLESS").is_some();
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let shown = shown::shown(&fixture.sources, &found(&fixture.sources));
        if bless {
            fs::write(&fixture.expected, &shown).unwrap();
        } else if fs::read_to_string(&fixture.expected).unwrap_or_default() != shown {
            wrong.push(format!("{}: found is\n{shown}", fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expectation_belongs_to_a_fixture() {
    let known: Vec<PathBuf> = fixtures().into_iter().map(|fixture| fixture.expected).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extract");
    let folders = entries(&root).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| entries(&folder));
    let lost: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "expected") && !known.contains(path))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn what_is_found_does_not_depend_on_what_was_read_before() {
    for fixture in fixtures() {
        let first = shown::shown(&fixture.sources, &found(&fixture.sources));
        assert_eq!(first, shown::shown(&fixture.sources, &found(&fixture.sources)), "{}", fixture.name);
    }
}

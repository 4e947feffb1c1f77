//! The house rules that can be checked: the direction of imports, the doors of foreign crates, and documents that stay
//! true. Reads the sources as text; docs/ARCHITECTURE.md says why each rule is there.

#![cfg(test)]
#![expect(clippy::string_slice, reason = "a text is cut where something was found in it")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The door of each crate that has one: the only files, or folders, whose code names it.
const DOORS: [(&str, &[&str]); 15] = [
    ("aho_corasick", &["src/source/"]),
    ("clap", &["src/cli.rs", "src/cli/arguments.rs"]),
    ("clap_complete", &["src/cli.rs", "src/cli/arguments.rs"]),
    ("gen_lsp_types", &["src/lsp/"]),
    ("ignore", &["src/source/"]),
    ("lsp_server", &["src/lsp/"]),
    ("miette", &["src/report/terminal.rs"]),
    ("mimalloc", &["src/main.rs"]),
    ("rusqlite", &["src/schema/"]),
    (
        "serde",
        &[
            "src/config/",
            "src/lsp/",
            "src/report/gitlab.rs",
            "src/report/json.rs",
            "src/report/json/",
            "src/report/sarif.rs",
            "src/shell/reading.rs",
        ],
    ),
    (
        "serde_json",
        &[
            "src/lsp/",
            "src/report/gitlab.rs",
            "src/report/json.rs",
            "src/report/json/",
            "src/report/sarif.rs",
            "src/report/sarif/",
            "src/rule/",
            "src/shell/reading.rs",
        ],
    ),
    ("sqlparser", &["src/extract/names/"]),
    ("terminal_size", &["src/cli.rs"]),
    ("toml", &["src/config/"]),
    ("walkdir", &["src/source/"]),
];

/// Crates without a door: they bring no type into a signature, and no fact about the world.
const EVERYWHERE: [&str; 4] = ["memchr", "rayon", "rustc_hash", "thiserror"];

/// Who may use SQLite, by the door that `schema` gives to it: to build schemas, to make rows, and to keep and query the facts.
const SQLITE: [&str; 8] = [
    "src/schema/",
    "src/growth/",
    "src/price/",
    "src/experiment/",
    "src/facts/",
    "src/rule/",
    "src/report/diagnose.rs",
    "src/main.rs",
];

/// The file that may say `unsafe`: rusqlite has no door to the counters of the page cache.
const UNSAFE: &str = "src/schema/counters.rs";

const MOST_LINES: usize = 400;

/// What lies open at the top of the repository.
const TOP: [&str; 9] =
    ["Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "docs", "examples", "rules", "src", "tests"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files below a folder whose names end so, from the root of the repository, sorted.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_str().unwrap().ends_with(ending) {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// The Rust files of a folder with their code: comments and the insides of strings are blank.
fn sources(folder: &str) -> BTreeMap<String, String> {
    files(folder, ".rs").into_iter().map(|path| (path.clone(), code(&read(&path)))).collect()
}

/// Whether a file is one of these, or lies in one of these folders.
fn is_in(path: &str, places: &[&str]) -> bool {
    places.iter().any(|place| path == *place || (place.ends_with('/') && path.starts_with(place)))
}

/// Fails with every fault, a line each.
fn report(rule: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{rule}:\n    {}", faults.join("\n    "));
}

/// Rust without comments, and with empty strings.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = skip(rest);
        if skipped > 0 {
            let (gone, behind) = rest.split_at(skipped);
            code.extend(gone.chars().filter(|&character| character == '\n'));
            code.push(' ');
            rest = behind;
            continue;
        }
        code.push(next);
        rest = &rest[next.len_utf8()..];
        // A word is taken whole, so that the `r` at its end does not open a raw string.
        if next.is_alphabetic() && !matches!(next, 'r' | 'b' | 'c') || next == '_' {
            let word = rest.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(rest.len());
            code.push_str(&rest[..word]);
            rest = &rest[word..];
        }
    }
    code
}

/// The length of the comment, string or character at the start of a text; 0 where there is none.
fn skip(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let prefix = text.find(|it| !matches!(it, 'r' | 'b' | 'c')).unwrap_or(0);
    let body = &text[prefix..];
    let hashes = body.len() - body.trim_start_matches('#').len();
    if prefix > 0 && text[..prefix].contains('r') && body[hashes..].starts_with('"') {
        let close = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return text[start..].find(&close).map_or(text.len(), |end| start + end + close.len());
    }
    let quote = body.chars().next();
    let is_character =
        quote == Some('\'') && (body[1..].starts_with('\\') || body[1..].chars().nth(1) == Some('\''));
    if (quote == Some('"') && prefix <= 2) || is_character {
        let mut escaped = false;
        for (at, character) in body.char_indices().skip(1) {
            if !escaped && Some(character) == quote {
                return prefix + at + 1;
            }
            escaped = !escaped && character == '\\';
        }
        return text.len();
    }
    0
}

/// The modules at the top of the crate, in the order of lib.rs.
fn modules() -> Vec<String> {
    let text = read("src/lib.rs");
    let names = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// The module of the crate that a file belongs to; none for the crate's own files.
fn module(path: &str) -> Option<&str> {
    let below = path.strip_prefix("src/")?;
    let name = below.split_once('/').map_or_else(|| below.strip_suffix(".rs").unwrap(), |(name, _)| name);
    (!matches!(name, "lib" | "main" | "build")).then_some(name)
}

/// What code takes from the crate: the first names behind `crate::`, and in the braces behind it.
fn taken(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.extend(first_name(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = 0;
        for (index, character) in list.char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    names.extend(first_name(&list[start..index]));
                    start = index + 1;
                    if character == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names
}

fn first_name(text: &str) -> Option<String> {
    let name: String =
        text.trim_start().chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// Whether code names a crate or a module at the start of a path: `name::`, `use name;`, `use name as`.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        let behind = &code[at + name.len()..];
        let imported = code[..at].trim_end().ends_with("use");
        !(before.is_alphanumeric() || "_:.".contains(before))
            && (behind.starts_with("::") || imported && behind.starts_with([';', ' ']))
    })
}

/// The crates that Cargo.toml lists, those of the tests among them.
fn dependencies(table: &str) -> Vec<String> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    manifest[table].as_table().unwrap().keys().cloned().collect()
}

#[test]
fn a_module_imports_only_from_the_modules_above_it() {
    let order = modules();
    let place = |name: &str| order.iter().position(|one| one == name);
    let mut faults = Vec::new();
    for (path, code) in sources("src") {
        let Some(own) = module(&path) else { continue };
        let Some(own_place) = place(own) else {
            faults.push(format!("{path}: lib.rs does not list its module"));
            continue;
        };
        for name in taken(&code).iter().filter(|name| *name != own) {
            if place(name).is_none_or(|place| place > own_place) {
                faults.push(format!("{path} takes `{name}`, which does not stand above `{own}` in lib.rs"));
            }
        }
        if code.contains("super::super") || names(&code, "planlint") {
            faults.push(format!("{path} reaches around the order: say `crate::`"));
        }
    }
    report("imports go one way", &faults);
}

#[test]
fn each_foreign_crate_has_one_door() {
    let sources = sources("src");
    let mut faults = Vec::new();
    for (name, places) in DOORS {
        for (path, _) in sources.iter().filter(|(path, code)| names(code, name) && !is_in(path, places)) {
            faults.push(format!("{path} names `{name}`, whose door is {}", places.join(" and ")));
        }
    }
    for (path, _) in sources.iter().filter(|(path, code)| {
        (code.contains("sqlite::") && names(code, "sqlite") || code.contains("schema::sqlite"))
            && !is_in(path, &SQLITE)
    }) {
        faults.push(format!("{path} uses SQLite, which is for {}", SQLITE.join(", ")));
    }
    report("one door per crate", &faults);
}

#[test]
fn every_dependency_is_used_where_the_doors_say() {
    let doors = DOORS.map(|(name, _)| name);
    let sources = sources("src");
    let mut faults = Vec::new();
    for name in dependencies("dependencies") {
        let name = name.replace('-', "_");
        if !doors.contains(&name.as_str()) && !EVERYWHERE.contains(&name.as_str()) {
            faults.push(format!("`{name}` has no door"));
        }
        let used = |code: &String| names(code, &name) || code.contains(&format!("use {name}"));
        if !sources.values().any(used) {
            faults.push(format!("`{name}` is not used"));
        }
    }
    report("dependencies", &faults);
}

#[test]
fn every_dependency_has_its_reason() {
    let text = read("docs/ARCHITECTURE.md");
    let missing = |name: &String| {
        let row = format!("| `{name}` |");
        !text.lines().any(|line| line.strip_prefix(&row).is_some_and(|reason| reason.len() > 20))
    };
    let all = dependencies("dependencies").into_iter().chain(dependencies("dev-dependencies"));
    let faults: Vec<String> = all.filter(missing).collect();
    report("docs/ARCHITECTURE.md does not say why these are there", &faults);
}

#[test]
fn one_file_is_unsafe() {
    let word =
        |code: &str| code.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == "unsafe");
    let found: Vec<String> =
        sources("src").into_iter().filter(|(_, code)| word(code)).map(|one| one.0).collect();
    assert_eq!(found, [UNSAFE]);
}

#[test]
fn no_check_is_switched_off() {
    let mut faults = Vec::new();
    for (path, code) in sources("src").into_iter().chain(sources("tests")) {
        let tight: String = code.split_whitespace().collect();
        for word in ["#[allow(", "#![allow(", "#[ignore", "todo!(", "unimplemented!(", "dbg!("] {
            if tight.contains(word) {
                faults.push(format!("{path}: {word}"));
            }
        }
    }
    report("an exception is an `expect` with its reason", &faults);
}

#[test]
fn every_file_says_what_it_is_for() {
    let all = files("src", ".rs").into_iter().chain(files("tests", ".rs"));
    // What stands there are programs that are read, and not run.
    let own = all.filter(|path| !path.starts_with("tests/conventions/"));
    let faults: Vec<String> = own.filter(|path| !read(path).starts_with("//! ")).collect();
    report("these do not open with `//!`", &faults);
}

#[test]
fn files_are_short() {
    let lengths = files("src", ".rs").into_iter().map(|path| (read(&path).lines().count(), path));
    let long = lengths.filter(|(length, _)| *length > MOST_LINES);
    let faults: Vec<String> = long.map(|(length, path)| format!("{path}: {length} lines")).collect();
    report("a file has at most 400 lines", &faults);
}

#[test]
fn nothing_else_lies_at_the_top() {
    let names = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let others: Vec<String> = names
        .filter(|name| !name.starts_with('.') && name != "target" && !TOP.contains(&name.as_str()))
        .collect();
    report("these lie at the top of the repository", &others);
}

/// The paths of this repository that a text names outside of its blocks: those hold what a user has.
fn paths(text: &str) -> Vec<String> {
    let mut in_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        in_block ^= line.trim_start().starts_with("```");
        if in_block {
            continue;
        }
        let words = line.split(|it: char| !(it.is_alphanumeric() || "_-./*<>".contains(it)));
        let ours = words.map(|word| word.trim_end_matches('.')).filter(|word| {
            ["src/", "rules/", "tests/", "docs/", "examples/", ".ci/", ".github/"]
                .iter()
                .any(|folder| word.starts_with(folder))
        });
        found.extend(ours.map(str::to_owned));
    }
    found
}

#[test]
fn the_paths_that_documents_name_exist() {
    let mut faults = Vec::new();
    for document in files("docs", ".md").into_iter().chain(["README.md".to_owned()]) {
        // These two are about the user's tree.
        let of_user = ["docs/config.md", "docs/writing-rules.md"].contains(&document.as_str());
        let ours = |path: &&String| !of_user || is_in(path, &["docs/", "examples/"]);
        for path in paths(&read(&document)).iter().filter(ours) {
            let fixed = path.find(['*', '<']).map_or(path.as_str(), |at| &path[..at]);
            let fixed =
                if fixed == path { fixed } else { fixed.rsplit_once('/').map_or("", |(folder, _)| folder) };
            if !root().join(fixed).exists() {
                faults.push(format!("{document} names {path}"));
            }
        }
    }
    for path in files("src", ".rs") {
        let text = read(&path);
        let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        for named in comments.flat_map(paths).filter(|path| path.starts_with("docs/")) {
            if !Path::new(&root()).join(&named).exists() {
                faults.push(format!("{path} names {named}"));
            }
        }
    }
    report("these are gone", &faults);
}

/// The anchors of a document, as GitHub makes them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |it: &char| it.is_alphanumeric() || "-_ ".contains(*it);
    headings.map(|it| it.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn the_links_of_documents_lead_somewhere() {
    let mut faults = Vec::new();
    for document in files("docs", ".md").into_iter().chain(["README.md".to_owned()]) {
        let text = read(&document);
        let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
        let targets =
            text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        for target in targets.filter(|target| !target.contains("://")) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { document.clone() } else { format!("{folder}/{path}") };
            let path = path.trim_start_matches('/');
            if !root().join(path).exists() || !(anchor.is_empty() || anchors(&read(path)).contains(anchor)) {
                faults.push(format!("{document} links {target}"));
            }
        }
    }
    report("these links lead nowhere", &faults);
}

#[test]
fn code_is_told_from_strings_and_comments() {
    let text = "use a; // b\nlet r = r#\"c\"#; let d = '\"'; /* e */ let f: &'static str = \"\\\"g\"; h";
    let words = code(text).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, "use a; let r = ; let d = ; let f: &'static str = ; h");
}

#[test]
fn imports_are_read_in_every_form() {
    let read = |code: &str| taken(code).into_iter().collect::<Vec<_>>();
    assert_eq!(read("use crate::{a::{b, c}, d as e}; fn f() { crate::g::h() }"), ["a", "d", "g"]);
    assert!(
        names("use serde::X", "serde") && names("use serde as s", "serde") && names("use serde;", "serde")
    );
    assert!(!names("use serde_json::X", "serde") && !names("de::serde::X", "serde"));
}

//! The guides of docs/, followed to the letter: their files are written as they stand, their commands run, and what these
//! print is what the guide shows; a line `...` stands for any lines. The queries of sqlite3 sessions are run by the SQLite
//! that is built in, so that no shell has to be there. `PLANLINT_BLESS=1` writes down what is printed now.

#![cfg(test)]

use rusqlite::{Connection, types::ValueRef};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Follows the guide in a folder, and gives the guide with what is printed now.
fn follow(guide: &str, folder: &Path) -> String {
    let mut printed = String::new();
    let mut block: Option<(String, &str, String)> = None;
    for line in guide.lines() {
        if let Some((fence, words, mut text)) = block.take() {
            if line == fence {
                let shown =
                    if words == "console" { session(&text, folder) } else { file(words, text, folder) };
                writeln!(printed, "{shown}{line}").unwrap();
            } else {
                writeln!(text, "{line}").unwrap();
                block = Some((fence, words, text));
            }
            continue;
        }
        let words = line.trim_start_matches('`');
        let ticks = line.len() - words.len();
        if ticks > 2 {
            block = Some(("`".repeat(ticks), words, String::new()));
        }
        writeln!(printed, "{line}").unwrap();
    }
    assert!(block.is_none(), "a block is not closed");
    printed
}

/// Writes the file of a block.
fn file(words: &str, text: String, folder: &Path) -> String {
    let (_, name) = words.split_once(' ').unwrap_or_else(|| panic!("a block `{words}` is no file"));
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, &text).unwrap();
    text
}

/// Runs the commands of a block, and gives the block with what they print.
fn session(text: &str, folder: &Path) -> String {
    let mut shown = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ ") else { continue };
        writeln!(shown, "{line}").unwrap();
        let mut rest = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            writeln!(rest, "{line}").unwrap();
        }
        match command.split_once(' ') {
            Some(("planlint", arguments)) => shown.push_str(&elided(&rest, planlint(arguments, folder))),
            Some(("git", arguments)) => shown.push_str(&git(arguments, folder)),
            Some(("sqlite3", arguments)) => {
                let database = arguments.strip_prefix("-box ").unwrap();
                shown.push_str(&shell(&rest, folder, database));
            }
            _ => panic!("no test can run `{command}`"),
        }
    }
    shown
}

/// What a guide shows of a text, if its lines are those of the text and `...` stands for those in between; else the text.
fn elided(shown: &str, printed: String) -> String {
    let mut rest = printed.as_str();
    for (number, part) in shown.split("...\n").enumerate() {
        let found =
            if number == 0 { rest.strip_prefix(part).map(|rest| ("", rest)) } else { rest.split_once(part) };
        match found {
            Some((before, after)) if before.is_empty() || before.ends_with('\n') => rest = after,
            _ => return printed,
        }
    }
    if rest.is_empty() || shown.ends_with("...\n") { shown.to_owned() } else { printed }
}

/// Runs git as somebody whose settings are not those of this machine.
fn git(arguments: &str, folder: &Path) -> String {
    let mut command = Command::new("git");
    // Where the tests run in a hook, git is told of that repository, and not of this one.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GIT_")) {
        command.env_remove(name);
    }
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
        command.env(name, "somebody");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let words = arguments.split('"').enumerate().flat_map(|(index, part)| {
        // Every second part stands between quotes.
        if index % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
    });
    let output = command.args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn planlint(arguments: &str, folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planlint"));
    command.args(arguments.split(' ')).current_dir(folder).env("LC_ALL", "C.UTF-8");
    let output = command.output().unwrap();
    assert!(output.stderr.is_empty(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    let code = output.status.code().unwrap();
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    code + &String::from_utf8(output.stdout).unwrap()
}

/// Runs the queries of a session with the sqlite3 shell, each to its semicolon, and a `.read` of a file.
fn shell(text: &str, folder: &Path, database: &str) -> String {
    let facts = Connection::open(folder.join(database)).unwrap();
    let mut shown = String::new();
    let mut query = String::new();
    for line in text.lines() {
        let Some(typed) = line.strip_prefix("sqlite> ").or_else(|| line.strip_prefix("   ...> ")) else {
            continue;
        };
        writeln!(shown, "{line}").unwrap();
        writeln!(query, "{typed}").unwrap();
        if let Some(file) = typed.strip_prefix(".read ") {
            query = fs::read_to_string(folder.join(file)).unwrap();
        }
        if query.trim_end().ends_with(';') {
            shown.push_str(&table(&facts, &query));
            query.clear();
        }
    }
    assert!(query.is_empty(), "no semicolon ends `{query}`");
    shown
}

/// The rows of a query as `sqlite3 -box` draws them; nothing where there are none.
fn table(facts: &Connection, query: &str) -> String {
    let mut statement = facts.prepare(query).unwrap_or_else(|error| panic!("{error}\n{query}"));
    let mut rows = vec![statement.column_names().map(str::to_owned).collect::<Vec<String>>()];
    let columns = rows[0].len();
    let mut found = statement.query([]).unwrap();
    while let Some(row) = found.next().unwrap() {
        rows.push((0..columns).map(|column| cell(row.get_ref(column).unwrap())).collect());
    }
    if rows.len() == 1 {
        return String::new();
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let rule = |left: &str, between: &str, right: &str| {
        let lines: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
        format!("{left}{}{right}\n", lines.join(between))
    };
    let mut text = rule("┌", "┬", "┐");
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| {
            if number == 0 { format!(" {cell:^width$} ") } else { format!(" {cell:width$} ") }
        });
        writeln!(text, "│{}│", cells.collect::<Vec<_>>().join("│")).unwrap();
        if number == 0 {
            text.push_str(&rule("├", "┼", "┤"));
        }
    }
    text + &rule("└", "┴", "┘")
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
        ValueRef::Real(_) | ValueRef::Blob(_) => panic!("no fact is of this type"),
    }
}

/// The files below a folder, by path, without the facts, and without the marks that the tests of the examples read in
/// sources.
fn files(folder: &Path, prefix: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            found.extend(files(&path, &format!("{name}/")));
        } else if name != "facts.db" {
            let text = fs::read_to_string(&path).unwrap();
            let is_page = Path::new(&name).extension().is_some_and(|it| it == "md");
            let unmarked = |line: &str| match line.split_once("  # finds: ") {
                Some((code, _)) if !is_page => format!("{code}\n"),
                _ => format!("{line}\n"),
            };
            found.push((name, text.lines().map(unmarked).collect()));
        }
    }
    found.sort();
    found
}

/// Follows a guide, and holds it to what is printed.
fn hold(guide: &str, folder: &Path) {
    let path = root().join(guide);
    let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let printed = follow(&text, folder);
    if std::env::var_os("PLANLINT_BLESS").is_some() {
        fs::write(&path, &printed).unwrap();
        return;
    }
    for ((shown, now), number) in text.lines().zip(printed.lines()).zip(1..) {
        assert_eq!(shown, now, "{guide}:{number}: PLANLINT_BLESS=1 writes down what is printed now");
    }
    assert_eq!(text.len(), printed.len(), "{guide}: more, or less, is printed");
}

#[test]
fn who_follows_the_guide_to_rules_has_the_example() {
    let folder = tempfile::tempdir().unwrap();
    hold("docs/writing-rules.md", folder.path());
    let example = root().join("examples/own-rule");
    assert_eq!(files(folder.path(), ""), files(&example, ""), "the guide ends elsewhere");
}

/// Adopting starts with a program that is there: the example of the README, without its configuration.
#[test]
fn who_adopts_planlint_sees_what_the_guide_shows() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples/chainstate"), folder.path());
    fs::remove_file(folder.path().join("planlint.toml")).unwrap();
    for arguments in ["init --quiet .", "add --all", "commit --quiet --message before"] {
        git(arguments, folder.path());
    }
    hold("docs/adopting.md", folder.path());
}

#[test]
fn who_reviews_plans_sees_what_the_guide_shows() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples/chainstate"), folder.path());
    for arguments in ["init --quiet .", "add --all", "commit --quiet --message before"] {
        git(arguments, folder.path());
    }
    hold("docs/plans.md", folder.path());
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let beside = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &beside);
        } else {
            fs::copy(&path, &beside).unwrap();
        }
    }
}

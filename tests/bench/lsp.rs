//! How long an editor waits, beside a search for five words in the same tree on the same machine: for what is said at once
//! of a file when a key is pressed, and for the judgement after a pause. Prints numbers and asserts nothing:
//! docs/performance.md says how to read them.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a bench may panic")]
#![expect(clippy::string_slice, reason = "a text is cut where something was found in it")]

#[path = "../lsp/editor.rs"]
#[expect(dead_code, reason = "the tests ask for more")]
mod editor;
#[path = "check/times.rs"]
mod times;

use editor::{Editor, able};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use times::{line, median};

const KEYS: usize = 25;
const SEARCHES: usize = 25;
const WORDS: &str = "select|insert|update|delete|create";
/// Between two keys of a quick typist. A run begins after a longer pause.
const BETWEEN: Duration = Duration::from_millis(60);

fn main() {
    // cargo adds `--bench` to the arguments.
    let folder = env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = folder.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").to_owned());
    let start = Instant::now();
    let mut editor = Editor::over(Path::new(&folder), &able());
    let found = first(&mut editor);
    println!("first findings  {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let Some((path, range)) = found else {
        println!("nothing is found here, so that nobody waits for it");
        return;
    };
    println!("typed in        {path}");
    editor.open(&path);
    let mut keys = Vec::new();
    for key in 0..KEYS {
        // A letter in front of the word that matters, and away again.
        let at = range["start"].clone();
        let mut behind = at.clone();
        behind["character"] = json!(at["character"].as_u64().unwrap() + 1);
        let is_away = key % 2 == 1;
        let typed = json!({ "start": at, "end": if is_away { behind } else { at.clone() } });
        thread::sleep(BETWEEN);
        let start = Instant::now();
        editor.change(&path, Some(typed), if is_away { "" } else { "x" });
        editor.answered(&path);
        keys.push(start.elapsed());
    }
    keys.sort();
    println!("a key           {}", line(&keys));
    let start = Instant::now();
    editor.answered(&path);
    println!("after a pause   {:.1} ms, 300 ms of them the pause", start.elapsed().as_secs_f64() * 1e3);
    editor.end();
    let mut searches: Vec<Duration> = (0..=SEARCHES).filter_map(|_| search(&folder)).skip(1).collect();
    searches.sort();
    if searches.is_empty() {
        println!("rg (R)          unknown");
        return;
    }
    println!("rg (R)          {}", line(&searches));
    println!("a key           {:.1} R", median(&keys).as_secs_f64() / median(&searches).as_secs_f64());
}

/// The file in which most is found, and a place in it.
fn first(editor: &mut Editor) -> Option<(String, Value)> {
    let is_end = |said: &Value| said["method"] == "$/progress" && said["params"]["value"]["kind"] == "end";
    while !is_end(&editor.hear()) {}
    // An answer comes behind what was said before.
    editor.hover("no such file", &json!({ "line": 0, "character": 0 }));
    let said = editor.heard.iter().filter(|one| one["method"] == "textDocument/publishDiagnostics");
    let mut files: BTreeMap<String, &Vec<Value>> = BTreeMap::new();
    for one in said {
        let uri = one["params"]["uri"].as_str().unwrap().to_owned();
        files.insert(uri, one["params"]["diagnostics"].as_array().unwrap());
    }
    let code = files
        .into_iter()
        .filter(|(uri, found)| Path::new(uri).extension().is_none_or(|it| it != "sql") && !found.is_empty());
    let (uri, found) = code.max_by_key(|(_, found)| found.len())?;
    let path = uri.strip_prefix(&format!("{}/", editor.uri("")))?.to_owned();
    Some((path, found[0]["range"].clone()))
}

fn search(folder: &str) -> Option<Duration> {
    let mut search = Command::new("rg");
    search.args(["-c", "-i", "-j2", WORDS]).arg(folder);
    let start = Instant::now();
    search.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(start.elapsed())
}

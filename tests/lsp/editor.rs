//! An editor, as far as a language server sees one: it starts the program, speaks in frames, and makes the edits that it is
//! offered.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How long an answer may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(2);

pub struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    said: Receiver<Value>,
    next: i64,
    pub root: PathBuf,
    /// What `initialize` answered.
    pub server: Value,
    /// All notifications and requests of the server, in order.
    pub heard: Vec<Value>,
    versions: BTreeMap<String, i64>,
    _folder: Option<TempDir>,
}

/// What an editor of today can do.
pub fn able() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true },
            "hover": { "contentFormat": ["markdown"] },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } },
        },
        "window": { "workDoneProgress": true },
    })
}

impl Editor {
    /// Opens a folder with these files, and says what it can do.
    pub fn start(files: &[(&str, &str)], capabilities: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { _folder: Some(folder), ..Self::over(&root, capabilities) }
    }

    /// Opens a folder that is there.
    pub fn over(root: &Path, capabilities: &Value) -> Self {
        let root = root.canonicalize().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_planlint"));
        command.arg("lsp").current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (send, said) = mpsc::channel();
        thread::spawn(move || {
            while let Some(message) = frame(&mut out) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        let heard = Vec::new();
        let server = Value::Null;
        let versions = BTreeMap::new();
        let mut editor = Self { child, stdin, said, next: 0, root, server, heard, versions, _folder: None };
        let folders = json!([{ "uri": editor.uri(""), "name": "program" }]);
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders });
        editor.server = editor.ask("initialize", &params).unwrap();
        editor.tell("initialized", &json!({}));
        editor
    }

    pub fn uri(&self, path: &str) -> String {
        format!("file://{}", self.root.join(path).display()).trim_end_matches('/').to_owned()
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let stdin = self.stdin.as_mut().unwrap();
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        stdin.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// What a request is answered: a result, or an error.
    pub fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut message = self.hear();
            if message["id"] == id && message.get("method").is_none() {
                let error = message["error"].take();
                return if error.is_null() { Ok(message["result"].take()) } else { Err(error) };
            }
        }
    }

    /// The next thing that the server says. What it asks is granted.
    pub fn hear(&mut self) -> Value {
        let message = self.said.recv_timeout(PATIENCE).expect("the server says something");
        if message.get("method").is_some() {
            if let Some(id) = message.get("id") {
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            self.heard.push(message.clone());
        }
        message
    }

    /// The next diagnostics of a file.
    pub fn next_of(&mut self, path: &str) -> Vec<Value> {
        let uri = self.uri(path);
        loop {
            let message = self.hear();
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri {
                return message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// What was said of a file last.
    pub fn shown(&self, path: &str) -> Vec<Value> {
        let uri = self.uri(path);
        let mut said = self.heard.iter().rev();
        let last = said.find(|one| one["params"]["uri"] == uri && !one["params"]["diagnostics"].is_null());
        last.and_then(|one| one["params"]["diagnostics"].as_array()).cloned().unwrap_or_default()
    }

    /// Waits for what is said of a file as it is now.
    pub fn answered(&mut self, path: &str) {
        let (uri, version) = (self.uri(path), self.versions[&self.uri(path)]);
        loop {
            let message = self.hear();
            if message["params"]["uri"] == uri && message["params"]["version"] == version {
                return;
            }
        }
    }

    /// The next diagnostics of a file that are as wanted.
    pub fn until(&mut self, path: &str, is_wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        loop {
            let found = self.next_of(path);
            if is_wanted(&found) {
                return found;
            }
        }
    }

    pub fn open(&mut self, path: &str) {
        let text = fs::read_to_string(self.root.join(path)).unwrap();
        self.open_as(&self.uri(path), &text);
    }

    pub fn open_as(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    pub fn close(&mut self, path: &str) {
        self.tell("textDocument/didClose", &json!({ "textDocument": { "uri": self.uri(path) } }));
    }

    /// Puts a text in the place of a range, or of all.
    pub fn change(&mut self, path: &str, range: Option<Value>, text: &str) {
        let uri = self.uri(path);
        let version = self.versions.get_mut(&uri).unwrap();
        *version += 1;
        let document = json!({ "uri": uri, "version": *version });
        let change = match range {
            Some(range) => json!({ "range": range, "text": text }),
            None => json!({ "text": text }),
        };
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// Makes the edit of a code action, as an editor that saves at once: a file that is not open is written.
    pub fn make(&mut self, action: &Value) {
        for change in action["edit"]["documentChanges"].as_array().unwrap().clone() {
            let uri = change["uri"].as_str().or(change["textDocument"]["uri"].as_str()).unwrap().to_owned();
            let full = PathBuf::from(uri.strip_prefix("file://").unwrap());
            if change["kind"] == "create" {
                fs::write(&full, "").unwrap();
                continue;
            }
            let path = full.strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned();
            for edit in change["edits"].as_array().unwrap() {
                let text = edit["newText"].as_str().unwrap();
                if self.versions.contains_key(&uri) {
                    assert_eq!(change["textDocument"]["version"], self.versions[&uri]);
                    self.change(&path, Some(edit["range"].clone()), text);
                } else {
                    assert_eq!(edit["range"]["end"], json!({ "line": 0, "character": 0 }));
                    fs::write(&full, text).unwrap();
                    self.watched(&path, 1);
                }
            }
        }
    }

    /// A file was made (1), changed (2) or deleted (3) beside the editor.
    pub fn watched(&mut self, path: &str, kind: u32) {
        let change = json!({ "uri": self.uri(path), "type": kind });
        self.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [change] }));
    }

    pub fn hover(&mut self, path: &str, position: &Value) -> Value {
        let params = json!({ "textDocument": { "uri": self.uri(path) }, "position": position });
        self.ask("textDocument/hover", &params).unwrap()
    }

    pub fn actions(&mut self, path: &str, range: &Value) -> Vec<Value> {
        let context = json!({ "diagnostics": [] });
        let params = json!({ "textDocument": { "uri": self.uri(path) }, "range": range, "context": context });
        self.ask("textDocument/codeAction", &params).unwrap().as_array().unwrap().clone()
    }

    /// Asks for the end, and gives the exit code.
    pub fn end(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", &Value::Null), Ok(Value::Null));
        self.leave()
    }

    /// Leaves, and gives the exit code.
    pub fn leave(mut self) -> Option<i32> {
        self.tell("exit", &Value::Null);
        self.hang_up()
    }

    /// Is gone without a word.
    pub fn hang_up(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().unwrap().code()
    }
}

/// A message; `None` at the end. Nothing stands between two of them.
fn frame(out: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse::<usize>().ok(),
            Some(_) => {}
            None => {
                assert_eq!(line, "\r\n", "standard output is for the protocol alone");
                break;
            }
        }
    }
    let mut body = vec![0; length.unwrap()];
    out.read_exact(&mut body).unwrap();
    Some(serde_json::from_slice(&body).unwrap())
}

/// The rules of diagnostics; of those that are of no rule, where they come from.
pub fn rules(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|one| one["code"].as_str().or(one["source"].as_str()).unwrap()).collect()
}

/// The range of the first place of a text in a file on disk, in UTF-16 units.
pub fn range_of(root: &Path, path: &str, text: &str) -> Value {
    let file = fs::read_to_string(root.join(path)).unwrap();
    let position = |at: usize| {
        let before = &file[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        json!({ "line": before.matches('\n').count(), "character": before[start..].encode_utf16().count() })
    };
    let at = file.find(text).unwrap();
    json!({ "start": position(at), "end": position(at + text.len()) })
}

//! A language server as an editor has it: the program is started, and spoken to over its standard input and output.

#![cfg(test)]
#![cfg(unix)]
#![expect(clippy::string_slice, reason = "a text is cut where something was found in it")]

#[path = "lsp/editor.rs"]
mod editor;

use editor::{Editor, able, range_of, rules};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const SCHEMA: (&str, &str) = (
    "migrations/0001_init.sql",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, total INTEGER NOT NULL);\n",
);

const CODE: (&str, &str) = (
    "src/orders.rs",
    "pub fn put(db: &Connection, customer: i64, total: i64) -> Result<()> {
    db.execute(\"INSERT INTO orders (customer, total) VALUES (?1, ?2)\", [customer, total])?;
    Ok(())
}

pub fn total(db: &Connection, customer: i64) -> Result<i64> {
    /* \u{1F600} */ db.query_row(\"SELECT total FROM orders WHERE customer = ?1\", [customer], |row| row.get(0))
}
",
);

const PATH: &str = CODE.0;
const SCAN: &str = "growing-table-scan";

fn shop(capabilities: &Value) -> Editor {
    Editor::start(&[SCHEMA, CODE, ("planlint.toml", "")], capabilities)
}

#[test]
fn a_session_shows_what_a_check_finds_and_mends_it() {
    let mut editor = shop(&able());
    assert_eq!(editor.server["capabilities"]["positionEncoding"], "utf-16");
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    assert_eq!(rules(&found), [SCAN]);
    assert_eq!(found[0]["severity"], 2);
    assert_eq!(found[0]["range"], {
        let range = range_of(&editor.root, PATH, "orders WHERE");
        let start = &range["start"];
        json!({ "start": start, "end": { "line": start["line"], "character": start["character"].as_u64().unwrap() + 6 } })
    });
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], editor.uri(PATH));
    assert_eq!(related["location"]["range"]["start"]["line"], 1);
    assert_eq!(
        found[0]["message"].as_str().unwrap().lines().next(),
        checked(&editor).iter().next().map(|one| one.2.as_str())
    );

    let hover = editor.hover(PATH, &found[0]["range"]["start"]);
    let text = hover["contents"]["value"].as_str().unwrap();
    for said in [
        "SELECT total FROM orders WHERE customer = ?1",
        "`--SCAN orders",
        "**Growth**",
        "| rows | steps |",
        "orders: growing: rows are inserted here",
        "function: total",
    ] {
        assert!(text.contains(said), "{said}:\n{text}");
    }
    assert_eq!(hover["range"]["start"]["line"], 6);
    assert_eq!(editor.hover(PATH, &json!({ "line": 3, "character": 0 })), Value::Null);

    let actions = editor.actions(PATH, &found[0]["range"]);
    let index = actions.iter().find(|one| one["isPreferred"] == true).unwrap();
    assert!(index["title"].as_str().unwrap().contains("migrations/0002_add_indexes.sql"), "{index}");
    editor.make(index);
    let made = fs::read_to_string(editor.root.join("migrations/0002_add_indexes.sql")).unwrap();
    assert!(made.starts_with("CREATE INDEX "), "{made}");
    editor.until(PATH, <[Value]>::is_empty);
    assert!(checked(&editor).is_empty());

    let said = |method: &str| editor.heard.iter().filter(|one| one["method"] == method).count();
    assert_eq!((said("client/registerCapability"), said("window/workDoneProgress/create")), (1, 1));
    let progress: Vec<&Value> = editor.heard.iter().filter(|one| one["method"] == "$/progress").collect();
    assert_eq!(progress.last().unwrap()["params"]["value"]["kind"], "end");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn an_index_goes_into_the_list_of_the_code_that_makes_the_schema() {
    let schema = SCHEMA.1.trim_end().trim_end_matches(';');
    let list = format!(
        "const MIGRATIONS: &[&str] = &[\n    \"{schema}\",\n    \"CREATE TABLE done (id INTEGER PRIMARY KEY)\",\n];\n
pub fn migrate(db: &Connection) {{
    for step in MIGRATIONS.iter().skip(version(db)) {{
        db.execute_batch(step).unwrap();
    }}
}}

{}",
        CODE.1
    );
    let mut editor = Editor::start(&[(PATH, &list), ("planlint.toml", "")], &able());
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let actions = editor.actions(PATH, &found[0]["range"]);
    assert!(actions[0]["title"].as_str().unwrap().starts_with("Add the index in src/orders.rs: "));
    editor.make(&actions[0]);
    editor.until(PATH, <[Value]>::is_empty);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_migration_that_the_code_has_to_name_says_so_beforehand() {
    let code = format!(
        "const MIGRATIONS: &[&str] = &[\n    include_str!(\"../migrations/0001_init.sql\"),\n    include_str!(\"../migrations/0002_done.sql\"),\n];\n
pub fn migrate(db: &Connection) {{
    for step in MIGRATIONS.iter().skip(version(db)) {{
        db.execute_batch(step).unwrap();
    }}
}}

{}",
        CODE.1
    );
    let done = ("migrations/0002_done.sql", "CREATE TABLE done (id INTEGER PRIMARY KEY);\n");
    let mut editor = Editor::start(&[SCHEMA, done, (PATH, &code), ("planlint.toml", "")], &able());
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let title = editor.actions(PATH, &found[0]["range"])[0]["title"].as_str().unwrap().to_owned();
    let said = "Create the index in migrations/0003_add_indexes.sql (it does not run until the list at src/orders.rs:";
    assert!(title.starts_with(said) && title.contains(" has it): CREATE INDEX"), "{title}");
    assert_eq!(editor.end(), Some(0));
}

/// What a check of the same tree finds: rule, line and message.
fn checked(editor: &Editor) -> BTreeSet<(String, u64, String)> {
    let mut check = Command::new(env!("CARGO_BIN_EXE_planlint"));
    let out = check.args(["check", "--format", "json"]).arg(&editor.root).output().unwrap();
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let shown = report["findings"].as_array().unwrap().iter().filter(|one| one["severity"] != "note");
    shown
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            (text("rule"), one["place"]["start"]["line"].as_u64().unwrap(), text("message"))
        })
        .collect()
}

#[test]
fn a_comment_accepts_a_finding_once_its_reason_is_written() {
    let mut editor = shop(&able());
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let actions = editor.actions(PATH, &found[0]["range"]);
    let accept =
        actions.iter().find(|one| one["title"].as_str().unwrap().starts_with("Accept")).unwrap().clone();
    editor.make(&accept);
    editor.answered(PATH);
    let moved = editor.shown(PATH);
    assert_eq!(moved[0]["range"]["start"]["line"], 7, "it moves at once");
    let found = editor.until(PATH, |found| found.len() == 2);
    assert_eq!(
        rules(&found).iter().collect::<BTreeSet<_>>(),
        BTreeSet::from([&SCAN, &"unexplained-suppression"])
    );
    let text = accept["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str().unwrap();
    let end = json!({ "line": 6, "character": text.trim_end_matches('\n').len() });
    editor.change(PATH, Some(json!({ "start": end, "end": end })), "asked once a month");
    editor.until(PATH, <[Value]>::is_empty);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn an_editor_with_snippets_puts_the_cursor_where_the_reason_goes() {
    let mut capabilities = able();
    capabilities["workspace"]["workspaceEdit"]["snippetEditSupport"] = json!(true);
    let mut editor = shop(&capabilities);
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let actions = editor.actions(PATH, &found[0]["range"]);
    let edit = &actions.last().unwrap()["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["snippet"]["value"], "    // planlint: allow(growing-table-scan) $0\n");
    assert_eq!(edit["snippet"]["kind"], "snippet");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_is_typed_is_answered_at_once_and_judged_in_a_pause() {
    let mut editor = shop(&able());
    editor.open(PATH);
    editor.until(PATH, |found| !found.is_empty());
    let top = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change(PATH, Some(top), "// one line\n// and another\n");
    editor.answered(PATH);
    let moved = editor.shown(PATH);
    assert_eq!((rules(&moved), &moved[0]["range"]["start"]["line"]), (vec![SCAN], &json!(8)));

    let mut word = range_of(&editor.root, PATH, "customer = ?1");
    word["start"]["line"] = json!(8);
    word["end"] = word["start"].clone();
    editor.change(PATH, Some(word.clone()), "x");
    editor.answered(PATH);
    let typed = editor.shown(PATH);
    assert_eq!(rules(&typed), ["planlint, as typed"], "the finding was about another text");
    assert_eq!(
        (&typed[0]["message"], &typed[0]["severity"]),
        (&json!("SQLite refuses this: no such column: xcustomer"), &json!(3))
    );
    assert_eq!(typed[0]["range"]["start"], word["start"]);
    let hover = editor.hover(PATH, &word["start"]);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Not judged yet"), "{hover}");

    let judged = editor.until(PATH, |found| rules(found) != ["planlint, as typed"]);
    assert_eq!(rules(&judged), ["refused-statement"]);
    let mut typed = word.clone();
    typed["end"]["character"] = json!(word["start"]["character"].as_u64().unwrap() + 1);
    editor.change(PATH, Some(typed), "");
    editor.answered(PATH);
    let seen = editor.shown(PATH);
    assert_eq!(seen[0]["message"], "SQLite reads all rows of `orders`, which grows");
    assert_eq!(rules(&editor.until(PATH, |found| rules(found) != ["planlint, as typed"])), [SCAN]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_clause_for_another_engine_is_left_out_of_what_is_typed_too() {
    let code = "def put(db, customer, total):
    db.execute(\"INSERT INTO orders (customer, total) VALUES (?, ?)\", (customer, total))


def last(db, engine, customer):
    if isinstance(engine, PostgresEngine):
        pick = \"DISTINCT ON (customer) total\"
    else:
        pick = \"max(total)\"
    return db.execute(\"SELECT %s FROM orders WHERE customer = ?\" % (pick,), (customer,))
";
    let path = "src/orders.py";
    let mut editor = Editor::start(&[SCHEMA, (path, code), ("planlint.toml", "")], &able());
    editor.open(path);
    assert_eq!(rules(&editor.until(path, |found| !found.is_empty())), [SCAN]);
    let top = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change(path, Some(top), "# one line\n");
    editor.answered(path);
    assert_eq!(rules(&editor.shown(path)), [SCAN]);
    let mut word = range_of(&editor.root, path, "customer = ?");
    word["start"]["line"] = json!(word["start"]["line"].as_u64().unwrap() + 1);
    word["end"] = word["start"].clone();
    editor.change(path, Some(word), "x");
    editor.answered(path);
    let typed = editor.shown(path);
    assert_eq!(
        typed.iter().map(|one| &one["message"]).collect::<Vec<_>>(),
        ["SQLite refuses this: no such column: xcustomer"]
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_text_that_was_never_saved_is_shown_at_its_own_places_once_it_is_opened() {
    let mut editor = shop(&able());
    let found = editor.until(PATH, |found| !found.is_empty());
    editor.open_as(&editor.uri(PATH), &format!("// one line\n// and another\n{}", CODE.1));
    editor.answered(PATH);
    let moved = editor.shown(PATH);
    assert_eq!((rules(&moved), &moved[0]["range"]["start"]["line"]), (vec![SCAN], &json!(8)));
    assert_eq!(moved[0]["range"]["start"]["character"], found[0]["range"]["start"]["character"]);
    assert!(!editor.actions(PATH, &moved[0]["range"]).is_empty());
    assert_eq!(editor.hover(PATH, &moved[0]["range"]["start"])["range"]["start"]["line"], 8);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn positions_are_counted_in_bytes_if_the_editor_does() {
    let mut capabilities = able();
    capabilities["general"] = json!({ "positionEncodings": ["utf-8", "utf-16"] });
    let mut editor = shop(&capabilities);
    assert_eq!(editor.server["capabilities"]["positionEncoding"], "utf-8");
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let units = range_of(&editor.root, PATH, "orders WHERE")["start"]["character"].as_u64().unwrap();
    assert_eq!(found[0]["range"]["start"]["character"], units + 2);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_line_may_end_with_a_carriage_return_alone() {
    let mut editor = shop(&able());
    editor.open(PATH);
    let found = editor.until(PATH, |found| !found.is_empty());
    let top = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change(PATH, Some(top), "// one line\r// and another\n");
    editor.answered(PATH);
    let moved = editor.shown(PATH);
    assert_eq!(moved[0]["range"]["start"]["line"], 8);
    assert_eq!(moved[0]["range"]["start"]["character"], found[0]["range"]["start"]["character"]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_broken_configuration_is_told_at_its_place() {
    let mut editor = shop(&able());
    editor.open(PATH);
    editor.until(PATH, |found| !found.is_empty());
    editor.open("planlint.toml");
    editor.change("planlint.toml", None, "fail-on = \"note\"\nfailon = 3\n");
    let found = editor.until("planlint.toml", |found| !found.is_empty());
    assert_eq!((&found[0]["severity"], &found[0]["range"]["start"]["line"]), (&json!(1), &json!(1)));
    assert!(found[0]["message"].as_str().unwrap().contains("failon"), "{found:?}");
    editor.change("planlint.toml", None, "[rules]\ngrowing-table-scan = \"error\"\n");
    editor.until("planlint.toml", <[Value]>::is_empty);
    editor.until(PATH, |found| found.len() == 1 && found[0]["severity"] == 1);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn no_program_is_started_that_a_folder_names() {
    let elsewhere = tempfile::tempdir().unwrap();
    let (shell, started) = (elsewhere.path().join("sqlite-shell"), elsewhere.path().join("started"));
    fs::write(&shell, format!("#!/bin/sh\ntouch '{}'\n", started.display())).unwrap();
    fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("sqlite = '{}'\n", shell.display());
    let mut editor = Editor::start(&[SCHEMA, CODE, ("planlint.toml", &config)], &able());
    editor.watched("planlint.toml", 2);
    editor.open(PATH);
    assert_eq!(rules(&editor.until(PATH, |found| !found.is_empty())), [SCAN]);
    let root = editor.root.clone();
    let check = Command::new(env!("CARGO_BIN_EXE_planlint")).arg("check").arg(&root).output().unwrap();
    assert!(started.exists(), "{check:?}");
    fs::remove_file(&started).unwrap();
    editor.change(PATH, Some(range_of(&root, PATH, "\n\n")), "\n\n\n");
    editor.answered(PATH);
    editor.answered(PATH);
    assert!(!started.exists());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn files_come_and_go() {
    let mut editor = shop(&able());
    editor.until(PATH, |found| !found.is_empty());
    fs::remove_file(editor.root.join(PATH)).unwrap();
    editor.watched(PATH, 3);
    editor.until(PATH, <[Value]>::is_empty);
    // What was never saved is judged as well; then it is closed, and is no more.
    editor.open_as(&editor.uri("src/new.rs"), CODE.1);
    editor.until("src/new.rs", |found| rules(found) == [SCAN]);
    editor.close("src/new.rs");
    editor.until("src/new.rs", <[Value]>::is_empty);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn each_file_is_judged_with_the_nearest_configuration() {
    let inner = [
        ("inner/planlint.toml", "[rules]\ngrowing-table-scan = \"error\"\n"),
        ("inner/migrations/1.sql", SCHEMA.1),
        ("inner/src/orders.rs", CODE.1),
    ];
    let files = [&[SCHEMA, CODE, ("planlint.toml", "")], inner.as_slice()].concat();
    let mut editor = Editor::start(&files, &able());
    editor.until("inner/src/orders.rs", |found| found.len() == 1 && found[0]["severity"] == 2);
    editor.open("inner/src/orders.rs");
    editor.until("inner/src/orders.rs", |found| found.len() == 1 && found[0]["severity"] == 1);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_is_of_no_program_is_left_alone() {
    let mut editor = shop(&able());
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("a.rs"), CODE.1).unwrap();
    let uri = format!("file://{}", elsewhere.path().join("a.rs").display());
    for uri in [uri.as_str(), "untitled:Untitled-1", "git:/a.rs?b", "file:///%", ""] {
        editor.open_as(uri, CODE.1);
        let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 6, "character": 60 } });
        assert_eq!(editor.ask("textDocument/hover", &at), Ok(Value::Null));
        editor.tell("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    }
    editor.until(PATH, |found| !found.is_empty());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut editor = shop(&json!({}));
    let code = |answer: Result<Value, Value>| answer.unwrap_err()["code"].as_i64().unwrap();
    assert_eq!(code(editor.ask("textDocument/hover", &json!({ "position": "here" }))), -32602);
    assert_eq!(code(editor.ask("textDocument/codeAction", &json!([1, 2]))), -32602);
    assert_eq!(code(editor.ask("textDocument/rename", &json!({}))), -32601);
    editor.tell("textDocument/didChange", &json!({ "contentChanges": 3 }));
    editor.tell("textDocument/didOpen", &Value::Null);
    editor.tell("$/cancelRequest", &json!({ "id": 7 }));
    editor.tell("of/nobody", &json!({}));
    editor.open(PATH);
    let far = json!({ "line": 4_294_967_295_u32, "character": 4_294_967_295_u32 });
    editor.change(PATH, Some(json!({ "start": far, "end": { "line": 0, "character": 0 } })), CODE.1);
    assert_eq!(editor.hover(PATH, &far), Value::Null);
    let found = editor.until(PATH, |found| !found.is_empty());
    assert!(found[0].get("relatedInformation").is_none());
    assert!(found[0]["message"].as_str().unwrap().contains("\nalso: src/orders.rs:2:"), "{found:?}");
    assert!(editor.actions(PATH, &found[0]["range"]).is_empty(), "it takes none");
    assert_eq!(editor.ask("shutdown", &Value::Null), Ok(Value::Null));
    assert_eq!(code(editor.ask("textDocument/hover", &json!({}))), -32600);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn who_leaves_without_a_word_is_told_by_the_exit_code() {
    assert_eq!(shop(&able()).leave(), Some(1));
    assert_eq!(shop(&able()).hang_up(), Some(1));
    let mut editor = shop(&able());
    editor.send(&json!("no message at all"));
    assert_eq!(editor.hang_up(), Some(1));
}

//! The page for a browser: whole, alone, and never over what is something else.

use crate::folder::{Folder, audit, make, rows};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a page must not let through, as names.
const HOSTILE: &str = r#"
    CREATE TABLE "<script>alert(1)</script>" (a INTEGER PRIMARY KEY, created_at);
    CREATE INDEX "x' onload=""alert(2)" ON "<script>alert(1)</script>" (created_at);
    CREATE TABLE "a</style></title><img src=http://example.org/x>" (a);
    CREATE TABLE "&amp;" (a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO "<script>alert(1)</script>" SELECT i, 1700000000 + i * 600 FROM n;
    INSERT INTO "a</style></title><img src=http://example.org/x>" VALUES ('a-value-of-a-row');"#;

/// Elements that have no end.
const VOID: [&str; 1] = ["meta"];

/// Goes through a page as a reader that forgives nothing; gives the names of its elements.
fn elements(page: &str) -> Vec<String> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    let rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    for (at, _) in rest.match_indices('<') {
        let (tag, behind) = rest.get(at + 1..).and_then(|rest| rest.split_once('>')).unwrap();
        assert!(!tag.contains('<'), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before {}", behind.get(..60).unwrap_or(behind));
            continue;
        }
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(!name.is_empty() && tag.matches('"').count() % 2 == 0, "{tag}");
        if !VOID.contains(&name.as_str()) {
            open.push(name.clone());
        }
        all.push(name);
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

fn page(file: &Path, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("report.html");
    let html = ["--html", target.to_str().unwrap()];
    let (exit, text) = audit(file, &[&html, arguments].concat());
    assert_eq!(exit, 0, "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::read_to_string(target).unwrap()
}

#[test]
fn a_page_is_well_formed_and_loads_nothing_whatever_the_names_are() {
    let folder = Folder::with(HOSTILE);
    let text = page(&folder.file(), &[]);
    let elements = elements(&text);
    for one in ["script", "img", "link", "iframe", "object", "style onload"] {
        assert!(!elements.iter().any(|element| element == one), "{one}");
    }
    assert_eq!(elements.iter().filter(|one| *one == "style").count(), 1);
    assert!(elements.iter().any(|one| one == "svg"));
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && text.contains("&amp;amp;"), "{text}");
    // The one address that is there is a name of a table.
    let own = text.replace("&lt;img src=http://example.org/x&gt;", "");
    for forbidden in ["http:", "https:", "//", "url(", "@import", "javascript:", " src=", " href="] {
        assert!(!own.contains(forbidden), "{forbidden}");
    }
    assert!(!text.contains("a-value-of-a-row"));
    assert!(text.contains("prefers-color-scheme"));
}

#[test]
fn a_page_says_what_the_file_lacks_and_what_it_will_cost() {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("migrations")).unwrap();
    let sql = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);\nCREATE INDEX t_b ON t (b);\n";
    fs::write(tree.path().join("migrations/0001_init.sql"), sql).unwrap();
    let program = "def f(db, b):\n    db.execute('INSERT INTO t (b) VALUES (?)', (b,))\n    \
        return db.execute(\"SELECT a FROM t WHERE b = ? AND '<b>' <> ''\", (b,)).fetchall()\n";
    fs::write(tree.path().join("t.py"), program).unwrap();
    let folder = Folder::with(&rows(20_000));
    let text = page(&folder.file(), &["--source", tree.path().to_str().unwrap()]);
    let elements = elements(&text);
    assert!(elements.iter().any(|one| one == "polyline"), "{text}");
    for said in [
        "t_b on t",
        "CREATE INDEX t_b ON t (b);",
        "t.py:3",
        "&lt;b&gt;",
        "SCAN t",
        "SEARCH t USING COVERING INDEX t_b (b=?)",
        "class=\"cured\"",
        "Plan with the index",
        "Drift from database",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn nothing_but_another_page_is_replaced() {
    let folder = Folder::with(&rows(500));
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("report.html");
    let html = ["--html", target.to_str().unwrap()];
    fs::write(&target, "<html>my own</html>").unwrap();
    let (exit, text) = audit(&folder.file(), &html);
    assert!(exit == 2 && text.contains("is no report of planlint") && text.contains("--force"), "{text}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "<html>my own</html>");
    assert_eq!(audit(&folder.file(), &[&html[..], &["--force"]].concat()).0, 0);
    let first = fs::read_to_string(&target).unwrap();
    assert!(first.starts_with("<!DOCTYPE html>"));
    assert_eq!(audit(&folder.file(), &html).0, 0);
    let (exit, text) = audit(&folder.file(), &["--html", out.path().to_str().unwrap()]);
    assert_eq!(exit, 2, "{text}");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
}

#[test]
fn a_page_is_never_written_over_a_database() {
    let folder = Folder::with(&rows(500));
    let file = folder.file();
    for arguments in [&["--html"][..], &["--force", "--html"]] {
        let (exit, text) = folder.audit(&[arguments, &[file.to_str().unwrap()]].concat());
        assert!(exit == 2 && text.contains("is a database"), "{text}");
    }
}

#[test]
fn who_is_killed_on_the_way_leaves_a_whole_page_or_none() {
    let folder = Folder::new();
    make(&folder.file(), &rows(60_000));
    let before = folder.listing();
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("report.html");
    for moment in 0..10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_planlint"))
            .arg("audit")
            .arg(folder.file())
            .arg("--html")
            .arg(&target)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(moment * 1200));
        interrupt(&mut child);
        child.wait().unwrap();
        for entry in fs::read_dir(out.path()).unwrap() {
            let path = entry.unwrap().path();
            // Who is killed within the moment of writing leaves what was written, under a name that nobody takes for the page.
            let is_part = path.file_name().unwrap().to_str().unwrap().starts_with(".report.html.");
            let is_whole = || path == target && fs::read_to_string(&path).unwrap().ends_with("</html>\n");
            assert!(is_part || is_whole(), "{path:?}");
            fs::remove_file(path).unwrap();
        }
    }
    assert!(before == folder.listing());
}

/// As Ctrl-C does.
#[cfg(unix)]
fn interrupt(child: &mut std::process::Child) {
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
}

#[cfg(not(unix))]
fn interrupt(child: &mut std::process::Child) {
    let _ = child.kill();
}

#[test]
fn it_tells_what_it_is_at() {
    let folder = Folder::with(&rows(500));
    let told = std::cell::RefCell::new(Vec::new());
    let tell = |phase: &str| told.borrow_mut().push(phase.to_owned());
    planlint::audit::audit_telling(&folder.file(), 300, &tell).unwrap();
    assert_eq!(*told.borrow(), ["opening the file", "reading t (1 of 1)"]);
}

//! What may lie in a tree.

use super::{PROGRAM, judged, planlint, program, skipped, write};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::{ffi::OsStrExt, fs::symlink, net::UnixListener};
use std::path::Path;
use std::process::Command;

fn pipe(folder: &Path, path: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A file that says it is larger than memory, and takes no room.
fn sparse(folder: &Path, path: &str, bytes: u64) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(path).unwrap().set_len(bytes).unwrap();
}

#[test]
fn links_in_a_circle_are_not_followed() {
    let folder = program();
    fs::create_dir(folder.path().join("a")).unwrap();
    symlink("..", folder.path().join("a/up")).unwrap();
    symlink("loop.py", folder.path().join("loop.py")).unwrap();
    symlink("store.py", folder.path().join("again.py")).unwrap();
    symlink("gone.py", folder.path().join("nothing.py")).unwrap();
    // What lies in the tree is read there, once.
    assert_eq!(skipped(folder.path()), ["loop.py link to nothing", "nothing.py link to nothing"]);
}

#[test]
fn links_out_of_the_tree_are_counted_and_not_followed() {
    let (folder, elsewhere) = (program(), program());
    symlink(elsewhere.path(), folder.path().join("all")).unwrap();
    symlink(elsewhere.path().join("store.py"), folder.path().join("one.py")).unwrap();
    symlink("/dev/zero", folder.path().join("zero.sql")).unwrap();
    let expected = ["all", "one.py", "zero.sql"].map(|path| format!("{path} link out of the tree"));
    assert_eq!(skipped(folder.path()), expected);
    assert!(judged(folder.path()).contains("3 files not read"));
}

#[test]
fn nobody_waits_for_a_pipe_or_a_socket() {
    let folder = program();
    pipe(folder.path(), "migrations/001_all.sql");
    let _socket = UnixListener::bind(folder.path().join("socket.py")).unwrap();
    let expected = ["migrations/001_all.sql no plain file", "socket.py no plain file"];
    assert_eq!(skipped(folder.path()), expected);
}

#[test]
fn nobody_waits_for_what_the_configuration_names() {
    for (name, config) in [
        ("a.log", "workload = [\"a.log\"]"),
        ("lint/own-rule.sql", "rule-folders = [\"lint\"]"),
        ("own.baseline", "baseline = \"own.baseline\""),
        ("sizes.toml", "[[database]]\nname = \"main\"\nstats = \"sizes.toml\""),
    ] {
        for is_device in [false, true] {
            let folder = program();
            write(folder.path(), "planlint.toml", config.as_bytes());
            if is_device {
                fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
                symlink("/dev/zero", folder.path().join(name)).unwrap();
            } else {
                pipe(folder.path(), name);
            }
            let (exit, out, err) = planlint(folder.path(), &["check", "."], &[]);
            assert!(exit == 2 && err.contains("it is no plain file"), "{name}: {exit}\n{out}\n{err}");
        }
    }
    let folder = program();
    write(folder.path(), "planlint.toml", b"[[database]]\nname = \"main\"\nmigrations = [\"sql/*.sql\"]");
    write(
        folder.path(),
        "sql/1_a.sql",
        b"CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT);",
    );
    pipe(folder.path(), "sql/2_b.sql");
    assert_eq!(skipped(folder.path()), ["sql/2_b.sql no plain file"]);
}

#[test]
fn files_larger_than_memory_are_not_read() {
    let folder = program();
    sparse(folder.path(), "big.py", 4 << 30);
    sparse(folder.path(), "migrations/001_big.sql", 64 << 30);
    write(folder.path(), ".gitignore", b"hidden/\n");
    sparse(folder.path(), "hidden/1_a.sql", 64 << 30);
    let large = |path: &str, gigabytes: u64, most: u64| {
        format!("{path} too large: {} bytes, and at most {most} are read (max-file-bytes)", gigabytes << 30)
    };
    let expected = [large("big.py", 4, 2_000_000), large("migrations/001_big.sql", 64, 2_000_000)];
    assert_eq!(skipped(folder.path()), expected);
    // The configuration may name what is hidden, and say what is large, and that is no way to fill the memory.
    let config = "max-file-bytes = 99_999_999_999\n[[database]]\nname = \"main\"\nmigrations = [\"hidden/*.sql\", \"*.sql\"]\n";
    write(folder.path(), "planlint.toml", config.as_bytes());
    write(folder.path(), "hidden/2_b.sql", b"CREATE TABLE other (id INTEGER PRIMARY KEY);");
    write(folder.path(), "all.sql", b"CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT);");
    let skipped = skipped(folder.path());
    assert_eq!(skipped.len(), 3);
    for (path, gigabytes) in [("big.py", 4), ("hidden/1_a.sql", 64), ("migrations/001_big.sql", 64)] {
        assert!(
            skipped.contains(&large(path, gigabytes, planlint::source::plain::MOST_BYTES)),
            "{skipped:?}"
        );
    }
}

#[test]
fn files_of_settings_larger_than_memory_are_an_error() {
    for (name, config) in [
        ("lint/own-rule.sql", "rule-folders = [\"lint\"]"),
        ("own.baseline", "baseline = \"own.baseline\""),
        ("planlint.toml", ""),
        ("planlint.stats.toml", ""),
        ("a.log", "workload = [\"a.log\"]"),
    ] {
        let folder = program();
        write(folder.path(), "planlint.toml", config.as_bytes());
        sparse(folder.path(), name, 64 << 30);
        let (exit, out, err) = planlint(folder.path(), &["check", "."], &[]);
        assert!(exit == 2 && err.contains("error: "), "{name}: {exit}\n{out}\n{err}");
    }
}

#[test]
fn thousands_of_tiny_files_are_read() {
    let folder = program();
    for number in 0..3_000 {
        write(folder.path(), &format!("tiny/{}/{number}.py", number % 50), b"x = 1\n");
    }
    assert_eq!(skipped(folder.path()), Vec::<String>::new());
}

#[test]
fn folders_deeper_than_any_path_are_passed_over() {
    let folder = program();
    // A path is at most so long, so that what lies deeper is moved there.
    let deep = |name: &str| Path::new(name).join("d/".repeat(1_500));
    let (upper, lower) = (folder.path().join(deep("upper")), folder.path().join(deep("lower")));
    fs::create_dir_all(&upper).unwrap();
    fs::create_dir_all(&lower).unwrap();
    fs::write(lower.join("deepest.py"), "x = 1\n").unwrap();
    fs::rename(folder.path().join("lower"), upper.join("lower")).unwrap();
    let skipped = skipped(folder.path());
    assert!(skipped.len() == 1 && skipped.iter().all(|one| one.contains("too long")), "{skipped:?}");
    // The same holds for who removes it: the halves are taken apart again.
    fs::rename(upper.join("lower"), folder.path().join("lower")).unwrap();
}

#[test]
fn names_that_are_no_utf8_are_counted() {
    let folder = program();
    fs::write(folder.path().join(OsStr::from_bytes(b"caf\xe9.py")), PROGRAM).unwrap();
    let below = folder.path().join(OsStr::from_bytes(b"\xff\xfe"));
    fs::create_dir(&below).unwrap();
    fs::write(below.join("a.py"), PROGRAM).unwrap();
    let expected = ["caf\u{fffd}.py name is not UTF-8", "\u{fffd}\u{fffd}/a.py name is not UTF-8"];
    assert_eq!(skipped(folder.path()), expected);
}

#[test]
fn bytes_that_are_no_text_are_counted() {
    let folder = program();
    write(folder.path(), "nul.py", b"x = 1\0\n");
    let mut late = PROGRAM.as_bytes().repeat(40);
    let middle = late.len() / 2;
    late.splice(middle..middle, *b"\xff\xfe\x80");
    write(folder.path(), "late.py", &late);
    write(folder.path(), "wide.py", &"x = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let expected = ["late.py not UTF-8", "nul.py binary", "wide.py binary"];
    assert_eq!(skipped(folder.path()), expected);
}

#[test]
fn a_nul_that_comes_late_is_a_letter_like_others() {
    let folder = program();
    let text = format!("{}\nx = \"SELECT \0 FROM notes\"\n", "# words\n".repeat(2_000));
    write(folder.path(), "late.py", text.as_bytes());
    assert_eq!(skipped(folder.path()), Vec::<String>::new());
}

#[test]
fn line_breaks_and_byte_order_marks_change_nothing() {
    let place = |text: &[u8]| {
        let folder = program();
        write(folder.path(), "store.py", text);
        let out = judged(folder.path());
        out.lines().find(|line| line.contains("store.py:")).unwrap().trim().to_owned()
    };
    let plain = place(PROGRAM.as_bytes());
    assert_eq!(place(PROGRAM.replace('\n', "\r\n").as_bytes()), plain);
    assert_eq!(place(format!("\u{feff}{PROGRAM}").as_bytes()), plain);
}

/// Each of the functions of a layer calls all those of the layer below: their ways are more than can be followed.
#[test]
fn functions_that_all_call_one_another_are_followed_once() {
    let folder = program();
    let function = |layer: usize, number: usize| {
        let below = if layer == 1 { 1 } else { 16 };
        let calls = (0..below).map(|one| format!("    f{}_{one}(db, text)\n", layer - 1));
        format!("def f{layer}_{number}(db, text):\n{}", calls.collect::<Vec<_>>().concat())
    };
    let last = "def f0_0(db, text):\n    db.execute(\"SELECT id FROM notes WHERE \" + text)\n".to_owned();
    let above = (1..8).flat_map(|layer| (0..16).map(move |number| function(layer, number)));
    let text = std::iter::once(last).chain(above).collect::<Vec<_>>().concat();
    write(folder.path(), "layers.py", text.as_bytes());
    judged(folder.path());
}

/// What one gives back is what all types below it may give back, ten deep.
#[test]
fn functions_that_many_types_have_are_followed_once() {
    let folder = program();
    let method = |one: usize| format!("    def q{one}(self):\n        return self.q{}()\n\n", one + 1);
    let methods = (1..10).map(method).collect::<Vec<_>>().concat();
    for number in 0..17 {
        let head = if number == 0 { "class C0:\n".to_owned() } else { format!("class C{number}(C0):\n") };
        let last =
            format!("    def q10(self):\n        return \"SELECT id FROM notes WHERE id = {number}\"\n");
        let all = "\n    def all(self, db):\n        db.execute(self.q1())\n";
        write(folder.path(), &format!("c{number}.py"), (head + &methods + &last + all).as_bytes());
    }
    judged(folder.path());
}

#[test]
fn a_line_as_long_as_a_file_may_be_is_read() {
    let folder = program();
    let statements = "\"SELECT body FROM notes WHERE author = 1\", ".repeat(2_000);
    let long = format!("{PROGRAM}x = [{}{statements}]\n", "12345678, ".repeat(180_000));
    write(folder.path(), "long.py", long.as_bytes());
    write(folder.path(), "planlint.toml", b"[growth]\nmeasure = false\n");
    assert_eq!(skipped(folder.path()), Vec::<String>::new());
}

#[test]
fn thousands_of_types_that_have_the_same_names_are_read_in_time() {
    let folder = program();
    let type_of = |number: usize| {
        format!(
            "class S{number} {{ static final String T = \"notes\"; void of(Connection db) {{\n\
             db.prepareStatement(\"SELECT body FROM \" + T + \" WHERE id = {number}\"); }} }}\n"
        )
    };
    write(folder.path(), "S.java", (0..5_000).map(type_of).collect::<String>().as_bytes());
    write(folder.path(), "planlint.toml", b"[growth]\nmeasure = false\n");
    judged(folder.path());
}

#[test]
fn thousands_of_methods_that_hand_on_to_one_are_read_in_time() {
    let folder = program();
    let type_of = |number: usize| {
        format!("class C{number}:\n    def put(self, table, x):\n        self.link.put(table, x)\n")
    };
    let last = "class Z:\n    def put(self, table, x):\n        self.db.execute(f\"INSERT INTO {table} (body) VALUES (?)\", (x,))\n";
    let types = (0..4_000).map(type_of).collect::<String>();
    write(folder.path(), "links.py", format!("{types}{last}def add(z): z.put(\"notes\", 1)\n").as_bytes());
    write(folder.path(), "planlint.toml", b"[growth]\nmeasure = false\n");
    judged(folder.path());
}

#[test]
fn a_line_of_a_hundred_megabytes_is_too_large() {
    let folder = program();
    let text = |bytes: usize| format!("x = \"{}\"\n", "SELECT + 1 ".repeat(bytes / 11));
    write(folder.path(), "long.py", text(100 << 20).as_bytes());
    let skipped_now = skipped(folder.path());
    assert!(
        matches!(&*skipped_now, [one] if one.starts_with("long.py too large: 104857")),
        "{skipped_now:?}"
    );
    // Unless the configuration wants it.
    write(folder.path(), "long.py", text(5 << 20).as_bytes());
    write(folder.path(), "planlint.toml", b"max-file-bytes = 200_000_000\n[growth]\nmeasure = false\n");
    assert_eq!(skipped(folder.path()), Vec::<String>::new());
}

const CONTROLS: [&str; 3] = ["\u{1b}]0;x\u{7}\u{1b}[2J", "a\n::error::b", "a\r\u{9b}2J"];

/// Whether a terminal only shows it, and a workflow reads no order in it.
fn is_plain(text: &str) -> bool {
    let is_order = |line: &str| line.trim_start().starts_with("::error::");
    !text.chars().any(|one| one.is_control() && one != '\n') && !text.lines().any(is_order)
}

#[test]
fn names_cannot_write_on_the_terminal_or_give_orders_to_a_workflow() {
    let folder = program();
    for name in CONTROLS {
        fs::write(folder.path().join(format!("{name}.py")), PROGRAM.replace("notes", "letters")).unwrap();
        symlink("gone", folder.path().join(format!("{name}.sql"))).unwrap();
    }
    for arguments in [
        &["check", "."] as &[&str],
        &["check", "--notes", "."],
        &["check", "--list", "skipped", "."],
        &["check", "--list", "statements", "."],
        &["check", "--format", "github", "."],
        &["check", "--format", "json", "."],
        &["check", "--format", "sarif", "."],
    ] {
        let (_, out, err) = planlint(folder.path(), arguments, &[]);
        assert!(is_plain(&out) && is_plain(&err), "{arguments:?}\n{out:?}\n{err:?}");
    }
}

#[test]
fn texts_cannot_write_on_the_terminal() {
    let folder = program();
    for (number, name) in CONTROLS.into_iter().enumerate() {
        let text = PROGRAM.replace("notes", &format!("\\\"{name}\\\"")).replace("def ", "def x_");
        write(
            folder.path(),
            &format!("a{number}.py"),
            text.replace("SELECT", &format!("SELECT '{name}',")).as_bytes(),
        );
    }
    for arguments in [
        &["check", "--notes", "."] as &[&str],
        &["check", "--list", "statements", "."],
        &["check", "--format", "github", "--notes", "."],
        &["advise", "."],
        &["explain", "a0.py:10"],
    ] {
        let (_, out, err) = planlint(folder.path(), arguments, &[]);
        assert!(is_plain(&out) && is_plain(&err), "{arguments:?}\n{out:?}\n{err:?}");
    }
}

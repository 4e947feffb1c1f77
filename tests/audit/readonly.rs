//! Files and folders that may be read and not written. To root no permission counts, so the audit runs as nobody then.

use crate::folder::{Folder, rows};
use crate::writer::Writer;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Somebody who may read what lies in a folder, and write nothing there.
struct Reader {
    /// The program, where everybody can run it.
    program: PathBuf,
    is_root: bool,
    _folder: TempDir,
}

impl Reader {
    /// `None` where there is no way to be somebody else; that is said past the test's own output.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let is_root = user() == "0";
        let program = folder.path().join("planlint");
        // Written by this process, it would be busy: what other tests start may have it open to write.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_planlint")).arg(&program).status();
        assert!(copied.unwrap().success());
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let reader = Self { program, is_root, _folder: folder };
        let other = tempfile::tempdir().unwrap();
        fs::set_permissions(other.path(), Permissions::from_mode(0o555)).unwrap();
        let target = other.path().join("x");
        let touched = reader.run("touch", &[&target]);
        if touched.is_ok_and(|output| !output.status.success()) && !target.exists() {
            return Some(reader);
        }
        let words = b"audit/readonly.rs: not tested, for this is root, and setpriv is missing\n";
        std::io::stderr().write_all(words).unwrap();
        None
    }

    fn run(&self, program: &str, arguments: &[&Path]) -> std::io::Result<Output> {
        let mut command = if self.is_root { Command::new("setpriv") } else { Command::new(program) };
        if self.is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", program]);
        }
        command.args(arguments).env("NO_COLOR", "1").output()
    }

    fn audit(&self, path: &Path) -> (i32, String) {
        let output = self.run(self.program.to_str().unwrap(), &[Path::new("audit"), path]).unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code().unwrap_or(-1), text)
    }
}

/// The number of the user who runs this.
fn user() -> String {
    let output = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Takes from all, or gives back, the right to write.
fn lock(folder: &Folder, is_locked: bool) {
    let (file, own) = if is_locked { (0o444, 0o555) } else { (0o644, 0o755) };
    for entry in fs::read_dir(folder.path()).unwrap() {
        fs::set_permissions(entry.unwrap().path(), Permissions::from_mode(file)).unwrap();
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(own)).unwrap();
}

#[test]
fn what_may_be_read_and_not_written_is_audited() {
    let Some(reader) = Reader::new() else { return };
    let wal = format!("PRAGMA journal_mode = WAL; {}", rows(3000));
    for (sql, way) in [(rows(3000), "with short locks"), (wal.clone(), "without locks")] {
        let folder = Folder::with(&sql);
        lock(&folder, true);
        let before = folder.listing();
        let (exit, text) = reader.audit(&folder.file());
        assert!(exit == 0 && text.contains("t: 3,000 rows") && text.contains(way), "{text}");
        assert!(before == folder.listing());
        lock(&folder, false);
    }
    // A writer has it open, and what it wrote is in the WAL alone; then it is cut off.
    let folder = Folder::with(&wal);
    let task = "INSERT_INTO_t_(b)_SELECT_'more'_FROM_t_LIMIT_500";
    let writer = Writer::start(task, &folder.file());
    lock(&folder, true);
    let (exit, text) = reader.audit(&folder.file());
    assert!(exit == 0 && text.contains("t: 3,500 rows") && text.contains("a reader of its WAL"), "{text}");
    writer.kill();
    for is_shared in [true, false] {
        if !is_shared {
            lock(&folder, false);
            fs::remove_file(folder.path().join("a.db-shm")).unwrap();
            lock(&folder, true);
        }
        let before = folder.listing();
        let (exit, text) = reader.audit(&folder.file());
        assert!(exit == 0 && text.contains("t: 3,500 rows"), "{is_shared}: {text}");
        assert!(before == folder.listing());
    }
    lock(&folder, false);
}

#[test]
fn what_may_not_be_read_is_refused() {
    let Some(reader) = Reader::new() else { return };
    let folder = Folder::with(&rows(30));
    lock(&folder, true);
    fs::set_permissions(folder.file(), Permissions::from_mode(0o000)).unwrap();
    let (exit, text) = reader.audit(&folder.file());
    assert!(exit == 2 && text.contains("Permission denied"), "{text}");
    lock(&folder, false);
}

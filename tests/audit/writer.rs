//! A program of its own that has a database open: this test program, started again with a task in its environment.

use rusqlite::Connection;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

const TASK: &str = "PLANLINT_TEST_WRITER";
const SIGN: &str = "writer: ";

/// Another process that has the file open.
pub struct Writer {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Writer {
    /// Starts one, and waits until it has done the first part of its task.
    pub fn start(task: &str, path: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer::a_writer_does_its_task", "--nocapture", "--test-threads=1"])
            .env(TASK, format!("{task} {}", path.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut writer = Self { child, lines };
        assert_eq!(writer.line(), "ready");
        writer
    }

    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "it ended");
            if let Some((_, said)) = line.split_once(SIGN) {
                return said.trim().to_owned();
            }
        }
    }

    /// Ends it, and gives what it says of its work: how often it committed, and how often it was refused.
    pub fn finish(mut self) -> (u32, u32) {
        drop(self.child.stdin.take());
        let said = self.line();
        self.child.wait().unwrap();
        let (commits, refused) = said.split_once(' ').unwrap();
        (commits.parse().unwrap(), refused.parse().unwrap())
    }

    /// Cuts it off.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn say(words: &str) {
    let mut out = io::stdout().lock();
    out.write_all(format!("{SIGN}{words}\n").as_bytes()).and_then(|()| out.flush()).unwrap();
}

/// Told when nobody wants it any more.
fn end() -> Receiver<()> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let _ = io::stdin().lock().read_until(0, &mut Vec::new());
        drop(sender);
    });
    receiver
}

/// The other side: without a task it does nothing.
#[test]
fn a_writer_does_its_task() {
    let Ok(task) = std::env::var(TASK) else { return };
    let (task, path) = task.split_once(' ').unwrap();
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    let over = end();
    let (mut commits, mut refused) = (0, 0);
    match task {
        "commit" => {
            say("ready");
            while over.try_recv() == Err(TryRecvError::Empty) {
                match connection.execute("INSERT INTO t (b) VALUES (hex(randomblob(20)))", []) {
                    Ok(_) => commits += 1,
                    Err(_) => refused += 1,
                }
                // Whatever the disk, so few that the WAL stays small.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        sql => {
            connection.execute_batch(&sql.replace('_', " ").replace('~', "_")).unwrap();
            say("ready");
            let _ = over.recv();
        }
    }
    drop(connection);
    say(&format!("{commits} {refused}"));
}

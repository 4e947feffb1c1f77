//! Another SQLite: that of a `sqlite3` shell which the user names. Knows how a shell is started, kept from doing harm, and
//! asked; what it is asked and what its answers mean, [`ask`] knows.

mod plans;
mod reading;
mod script;
mod shipped;

pub use plans::{Answer, Asked, Difference, Elsewhere, ask};
pub use script::{analyzed, on_one_line, remark, statement, within};
pub use shipped::{Shipped, shipped};

use std::{
    env, fs,
    io::{self, Read, Write},
    path::{Component, Path, PathBuf, Prefix},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// How long a shell may take over one database.
const LIMIT: Duration = Duration::from_mins(1);

/// How long it may take to say its version.
const GREETING: Duration = Duration::from_secs(5);

/// The most that is read of what it writes, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// A file that is always there, and empty.
const EMPTY: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// A `sqlite3` shell that is there and can be asked.
#[derive(Debug, Clone)]
pub struct Shell {
    path: PathBuf,
    /// The version of its SQLite, such as `3.40.1`.
    pub version: String,
}

/// Why a shell can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// No folder of `PATH` has a program of this name.
    #[error("there is no program `{0}` in PATH")]
    NotInPath(String),
    /// The program is part of the tree that is judged, or may be.
    #[error("`{name}` is a program of the tree that is judged, and is not run{}", found(at.as_deref()))]
    InTree {
        /// The program, as it was named.
        name: String,
        /// Where PATH led to.
        at: Option<PathBuf>,
    },
    /// It can't be started, or its end can't be awaited.
    #[error("`{path}` can't be run: {source}")]
    Unrunnable {
        /// The program, as it was named.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Its name is that of something else.
    #[error("`{0}` is no sqlite3 shell by its name, which begins with `sqlite`")]
    Misnamed(String),
    /// What it says of itself is no version of SQLite.
    #[error("`{0}` is no sqlite3 shell: it does not say its version as one does")]
    NoShell(String),
    /// It can't be kept from files.
    #[error(
        "`{path}` is of SQLite {version}, whose shell can't be kept from files: 3.37 was the first that has `-safe`"
    )]
    Unsafe {
        /// The program, as it was named.
        path: String,
        /// Its version.
        version: String,
    },
    /// It did not come to its end.
    #[error("`{0}` did not end in time")]
    Slow(String),
}

impl ShellError {
    /// What to do about it.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotInPath(_) => Some("install it, or write its absolute path"),
            Self::InTree { at: Some(_), .. } => Some(
                "who changes the tree must not choose what is run: take its folder out of PATH, or write an absolute path outside \
                 of the tree",
            ),
            Self::InTree { .. } => Some(
                "who changes the tree must not choose what is run: write an absolute path outside of it, or a name that is looked for in PATH",
            ),
            Self::Misnamed(_) | Self::NoShell(_) | Self::Unsafe { .. } => {
                Some("name the `sqlite3` shell of SQLite 3.37 or later")
            }
            Self::Unrunnable { .. } | Self::Slow(_) => None,
        }
    }
}

/// What a shell wrote.
struct Said {
    out: String,
    errors: String,
}

impl Shell {
    /// The shell of this name, which is looked for in `PATH`, or of this absolute path. A program of the tree is refused: who
    /// changes the tree must not choose what is run.
    ///
    /// # Errors
    /// There is none, it lies in the tree, or it is no shell that can be kept from files.
    pub fn open(name: &str, root: &Path) -> Result<Self, ShellError> {
        let path = find(name, root)?;
        let said = run(command(&path).arg("--version"), String::new(), GREETING)
            .map_err(|error| error.named(name))?;
        let mut words = said.out.split_whitespace();
        let (version, date) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let numbers: Vec<u32> = version.split('.').filter_map(|number| number.parse().ok()).collect();
        let is_date = date.len() == 10 && date.split('-').all(|part| part.parse::<u32>().is_ok());
        let version = version.to_owned();
        match *numbers.as_slice() {
            [3, minor, ..] if is_date && minor >= 37 => Ok(Self { path, version }),
            [3, ..] if is_date => Err(ShellError::Unsafe { path: name.to_owned(), version }),
            _ => Err(ShellError::NoShell(name.to_owned())),
        }
    }

    /// Runs a script on an empty database in memory. With `-safe` nothing is attached, loaded or written; functions of the
    /// shell may still read files where they are run, and so statements are planned alone.
    fn run(&self, script: String) -> Result<Said, ShellError> {
        let mut command = command(&self.path);
        command.args(["-safe", "-batch", "-init", EMPTY, "-noheader", ":memory:"]);
        run(&mut command, script, LIMIT).map_err(|error| error.named(&self.path.display().to_string()))
    }
}

/// A command of this program, which looks for nothing of its own in the tree.
fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    if let Some(folder) = path.parent() {
        command.current_dir(folder);
    }
    command
}

fn find(name: &str, root: &Path) -> Result<PathBuf, ShellError> {
    let in_tree = || ShellError::InTree { name: name.to_owned(), at: None };
    let written = Path::new(name);
    // Whoever may say which program is run must not be able to say more than which SQLite it is.
    let file = written.file_name().map(|file| file.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !file.starts_with("sqlite") {
        return Err(ShellError::Misnamed(name.to_owned()));
    }
    let path = if written.is_absolute() {
        let is_remote = |part: Component<'_>| match part {
            Component::Prefix(prefix) => !matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_)),
            _ => false,
        };
        if written.components().any(is_remote) {
            return Err(in_tree());
        }
        written.to_owned()
    } else if written.components().count() > 1 {
        return Err(in_tree());
    } else {
        in_path(name).ok_or_else(|| ShellError::NotInPath(name.to_owned()))?
    };
    let unrunnable = |source| ShellError::Unrunnable { path: name.to_owned(), source };
    let real = fs::canonicalize(&path).map_err(unrunnable)?;
    // The link may lie in the tree where what it leads to does not, and the other way round.
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    // A tree that is in no folder has no programs; one in a repository is as good as the whole of it.
    let root = fs::canonicalize(root).ok();
    let outermost = root
        .as_deref()
        .map(|root| root.ancestors().filter(|folder| folder.join(".git").exists()).last().unwrap_or(root));
    let is_inside = |path: &Path| outermost.is_some_and(|root| path.starts_with(root));
    if is_inside(&real) || folder.is_some_and(|folder| is_inside(&folder)) {
        let at = (!written.is_absolute()).then_some(path);
        return Err(ShellError::InTree { name: name.to_owned(), at });
    }
    Ok(real)
}

/// Where a program was found that was named alone, in words.
fn found(at: Option<&Path>) -> String {
    at.map_or_else(String::new, |at| format!(": PATH leads to {}", at.display()))
}

/// The first file of this name in the folders of `PATH`.
fn in_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let suffix = if name.ends_with(env::consts::EXE_SUFFIX) { "" } else { env::consts::EXE_SUFFIX };
    let folders = env::split_paths(&folders).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(format!("{name}{suffix}"))).find(|path| path.is_file())
}

/// Why a program has no answer.
enum Failed {
    Unrunnable(io::Error),
    Slow,
}

impl Failed {
    fn named(self, path: &str) -> ShellError {
        let path = path.to_owned();
        match self {
            Self::Unrunnable(source) => ShellError::Unrunnable { path, source },
            Self::Slow => ShellError::Slow(path),
        }
    }
}

/// Runs a program to its end, or for so long. What it has started itself is not waited for.
fn run(command: &mut Command, input: String, limit: Duration) -> Result<Said, Failed> {
    let deadline = Instant::now() + limit;
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(Failed::Unrunnable)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (send, said) = mpsc::channel();
    let (send_errors, errors) = mpsc::channel();
    let in_background = |task: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(task).map(drop);
    let started = in_background(Box::new(move || {
        // A shell that ends early does not read to the end, and what it wrote says why.
        let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
    }))
    .and_then(|()| in_background(Box::new(move || drop(send_errors.send(text(stderr))))))
    .and_then(|()| in_background(Box::new(move || drop(send.send(text(stdout))))));
    let left = || deadline.saturating_duration_since(Instant::now());
    let out = said.recv_timeout(left());
    let errors = errors.recv_timeout(left());
    while matches!(child.try_wait(), Ok(None)) {
        if left().is_zero() || started.is_err() {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    started.map_err(Failed::Unrunnable)?;
    out.and_then(|out| Ok(Said { out, errors: errors? })).map_err(|_| Failed::Slow)
}

/// What a program writes, as far as anybody would read it.
fn text(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What came before an error is an answer too.
    let _ = from.map(|from| from.take(MOST_BYTES).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_shell_or_lies_in_the_tree_is_not_asked() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let why = |name: &str| Shell::open(name, root).unwrap_err();
        assert!(matches!(why("sqlite-no-such-program-as-this"), ShellError::NotInPath(_)));
        for name in ["target/sqlite3", "./sqlite3", "../sqlite3"] {
            assert!(matches!(why(name), ShellError::InTree { .. }), "{name}");
        }
        assert!(matches!(why(&root.join("sqlite3").display().to_string()), ShellError::Unrunnable { .. }));
        let lies = root.join("src/facts/sqlite").display().to_string();
        assert!(matches!(why(&lies), ShellError::Unrunnable { .. }), "{:?}", why(&lies));
        let at = Some(PathBuf::from("/tree/bin/sqlite3"));
        let said = ShellError::InTree { name: "sqlite3".to_owned(), at };
        assert!(said.to_string().ends_with("is not run: PATH leads to /tree/bin/sqlite3"), "{said}");
        assert!(said.help().unwrap().contains("out of PATH"));
        // It says its version, too, and takes code from the folder that it is started in.
        assert!(matches!(why("cargo"), ShellError::Misnamed(_)));
    }
}

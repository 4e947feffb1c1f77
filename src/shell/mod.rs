//! Another SQLite: that of a `sqlite3` shell which the user names. Knows how a shell is started, kept from doing harm, and
//! asked; what it is asked and what its answers mean, [`ask`] knows.

mod plans;
mod script;
mod shipped;

pub use plans::{Answer, Asked, Difference, Elsewhere, ask};
pub use script::{on_one_line, remark, statement, within};
pub use shipped::{Shipped, shipped};

use std::{
    env, fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
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
    #[error("`{0}` is a program of the tree that is judged, and is not run")]
    InTree(String),
    /// It can't be started, or its end can't be awaited.
    #[error("`{path}` can't be run: {source}")]
    Unrunnable {
        /// The program, as it was named.
        path: String,
        /// What the system said.
        source: io::Error,
    },
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
            Self::InTree(_) => Some(
                "who changes the tree must not choose what is run: write an absolute path outside of it, or a name that is looked for in PATH",
            ),
            Self::NoShell(_) | Self::Unsafe { .. } => {
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
        let said =
            run(Command::new(&path).arg("--version"), "", GREETING).map_err(|error| error.named(name))?;
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

    /// Runs a script on an empty database in memory. No file can be reached from it.
    fn run(&self, script: &str) -> Result<Said, ShellError> {
        let mut command = Command::new(&self.path);
        command
            .args(["-safe", "-batch", "-init", EMPTY, "-noheader", ":memory:"])
            .current_dir(env::temp_dir());
        run(&mut command, script, LIMIT).map_err(|error| error.named(&self.path.display().to_string()))
    }
}

fn find(name: &str, root: &Path) -> Result<PathBuf, ShellError> {
    let in_tree = || ShellError::InTree(name.to_owned());
    let written = Path::new(name);
    let path = if written.is_absolute() {
        written.to_owned()
    } else if written.components().count() > 1 {
        return Err(in_tree());
    } else {
        let folders = env::var_os("PATH").unwrap_or_default();
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let mut files =
            env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|folder| folder.join(&file));
        files.find(|path| path.is_file()).ok_or_else(|| ShellError::NotInPath(name.to_owned()))?
    };
    let unrunnable = |source| ShellError::Unrunnable { path: name.to_owned(), source };
    let real = fs::canonicalize(&path).map_err(unrunnable)?;
    // The link may lie in the tree where what it leads to does not, and the other way round.
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    // A tree that is in no folder has no programs.
    let root = fs::canonicalize(root).ok();
    let in_root = |path: &Path| root.as_ref().is_some_and(|root| path.starts_with(root));
    if in_root(&real) || folder.is_some_and(|folder| in_root(&folder)) {
        return Err(in_tree());
    }
    Ok(real)
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

/// Runs a program to its end, or for so long.
fn run(command: &mut Command, input: &str, limit: Duration) -> Result<Said, Failed> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(Failed::Unrunnable)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (send, said) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A shell that ends early does not read to the end, and what it wrote says why.
            let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
        });
        let errors = scope.spawn(move || text(stderr));
        scope.spawn(move || {
            let out = text(stdout);
            let _ = send.send(Said { out, errors: errors.join().unwrap_or_default() });
        });
        let said = said.recv_timeout(limit);
        if said.is_err() {
            let _ = child.kill();
        }
        child.wait().map_err(Failed::Unrunnable)?;
        said.map_err(|_| Failed::Slow)
    })
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
        assert!(matches!(why("no-such-program-as-this"), ShellError::NotInPath(_)));
        for name in ["target/sqlite3", "./sqlite3", "../sqlite3"] {
            assert!(matches!(why(name), ShellError::InTree(_)), "{name}");
        }
        assert!(matches!(why(&root.join("build.sh").display().to_string()), ShellError::Unrunnable { .. }));
        assert!(matches!(why(&root.join("Cargo.toml").display().to_string()), ShellError::InTree(_)));
        // cargo says its version, too.
        assert!(matches!(why("cargo"), ShellError::NoShell(_)));
    }
}

//! How long it takes to read what releases declared, and to judge their databases, beside the time in which git itself reads
//! the same contents. Prints numbers and asserts nothing: docs/performance.md says how to read them.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]

#[path = "releases/made.rs"]
mod made;
#[path = "check/times.rs"]
mod times;

use planlint::{
    config::{self, Config},
    extract,
    migration::{self, release},
    source::{
        Git, GitError, Limits, Sources, Tree,
        history::{Content, History, Row, Tag},
    },
};
use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use times::{line, median};

const RUNS: usize = 5;

fn main() -> io::Result<()> {
    // cargo adds `--bench` to the arguments.
    let folder = env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let made = folder.is_none().then(made::repository).transpose()?;
    let folder = folder
        .unwrap_or_else(|| made.as_ref().map_or(String::new(), |made| made.path().display().to_string()));
    let program = Program::read(Path::new(&folder))?;

    let (releases, contents) = program.releases()?;
    let reads = runs(|| program.releases().map(drop))?;
    let mut bytes = 0;
    let answers = runs(|| {
        bytes = git_reads(&folder, &contents)?;
        Ok(())
    })?;
    // Without a git program there are no releases: all else is the same.
    let with = runs(|| check(&folder, true))?;
    let without = runs(|| check(&folder, false))?;

    println!("releases        {} tags, {} declarations of {} databases", releases.0, releases.1, releases.2);
    println!("contents        {}, {:.1} MB", contents.len(), bytes as f64 / 1e6);
    println!("git (G)         {}", line(&answers));
    println!("reading         {}", line(&reads));
    println!("check           {}", line(&with));
    println!("without git     {}", line(&without));
    let git = median(&answers).as_secs_f64();
    let more = median(&with).saturating_sub(median(&without));
    println!("reading         {:.1} G", median(&reads).as_secs_f64() / git);
    println!("in a check      {:.1} G ({:.1} ms)", more.as_secs_f64() / git, more.as_secs_f64() * 1e3);
    Ok(())
}

/// A program as it is today.
struct Program<'a> {
    folder: &'a Path,
    config: Config,
    sources: Sources,
    extraction: extract::Extraction,
    declarations: Vec<migration::Declaration>,
}

impl<'a> Program<'a> {
    fn read(folder: &'a Path) -> io::Result<Self> {
        let path = folder.join(config::FILE_NAME);
        let config = if path.is_file() {
            config::load(&path, config::FILE_NAME).map_err(io::Error::other)?
        } else {
            Config::default()
        };
        let wanted = |path: &str| extract::is_wanted(path) && !config.excludes(path);
        let sources =
            Sources::read(&Tree::folder(folder), Limits::default(), wanted).map_err(io::Error::other)?;
        let extraction = extract::extract(&sources, &|_| false);
        let declarations =
            migration::declarations(&config, &sources, &extraction).map_err(io::Error::other)?;
        Ok(Self { folder, config, sources, extraction, declarations })
    }

    /// Reads its releases, as a check does; their number, that of their declarations and that of databases, and the contents
    /// that were read for it.
    fn releases(&self) -> io::Result<((usize, usize, usize), Vec<Content>)> {
        let git = Git::open(self.folder).map_err(io::Error::other)?.without_fetching();
        let noted = Noted { git, contents: Mutex::default() };
        let found =
            release::releases(&self.config, &noted, &self.sources, &self.extraction, &self.declarations);
        let found = found.map_err(io::Error::other)?;
        let contents = noted.contents.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(((found.names.len(), found.released.len(), self.declarations.len()), contents))
    }
}

/// git, and what contents it was asked for.
struct Noted {
    git: Git,
    contents: Mutex<Vec<Content>>,
}

impl History for Noted {
    fn tags(&self) -> Result<Vec<Tag>, GitError> {
        self.git.tags()
    }

    fn is_shallow(&self) -> Result<bool, GitError> {
        self.git.is_shallow()
    }

    fn find(&self, tags: &[&Tag], paths: &[String]) -> Result<Vec<Option<Row>>, GitError> {
        self.git.find(tags, paths)
    }

    fn ever(&self, tags: &[&Tag], folders: &[String]) -> Result<Vec<String>, GitError> {
        self.git.ever(tags, folders)
    }

    fn list(&self, tag: &Tag) -> Result<Vec<(String, Content)>, GitError> {
        self.git.list(tag)
    }

    // A search is no part of what git is asked for alone.
    fn mentions(&self, contents: &[Content], words: &[String]) -> Result<Vec<Vec<usize>>, GitError> {
        self.git.mentions(contents, words)
    }

    fn read(&self, contents: &[Content]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).extend(contents.iter().cloned());
        self.git.read(contents)
    }
}

/// Has git alone read these contents, and says how many bytes it gave.
fn git_reads(folder: &str, contents: &[Content]) -> io::Result<usize> {
    let mut git = Command::new("git");
    git.args(["-C", folder, "cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut git = git.spawn()?;
    let mut input = git.stdin.take();
    let names: String = contents.iter().flat_map(|content| [content.0.as_str(), "\n"]).collect();
    let writer =
        std::thread::spawn(move || input.as_mut().map_or(Ok(()), |input| input.write_all(names.as_bytes())));
    let said = git.wait_with_output()?;
    writer.join().map_err(|_| io::Error::other("git reads nothing"))??;
    Ok(said.stdout.len())
}

fn check(folder: &str, with_git: bool) -> io::Result<()> {
    let mut check = Command::new(env!("CARGO_BIN_EXE_planlint"));
    check.args(["check", "--no-growth", folder]).stdout(Stdio::null()).stderr(Stdio::null());
    if !with_git {
        check.env("PATH", "");
    }
    match check.status()?.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(io::Error::other(format!("{folder} can't be judged"))),
    }
}

/// The times of some runs, sorted. One has gone before, so that the files are in memory.
fn runs(mut one: impl FnMut() -> io::Result<()>) -> io::Result<Vec<Duration>> {
    one()?;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        one()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times)
}

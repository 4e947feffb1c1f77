//! How long a check takes, beside a search for five words in the same tree on the same machine. Prints numbers and
//! asserts nothing: docs/performance.md says how to read them.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]

#[path = "check/history.rs"]
mod history;
#[path = "check/memory.rs"]
mod memory;
#[path = "check/times.rs"]
mod times;

use memory::peak_memory;
use planlint::{
    extract,
    source::{Limits, Sources, Tree},
};
use std::env;
use std::fs;
use std::hint::black_box;
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use times::{line, median};

const RUNS: usize = 5;
/// A search takes a few milliseconds, of which one run says little.
const SEARCHES: usize = 25;
const WORDS: &str = "select|insert|update|delete|create";

fn main() -> io::Result<()> {
    // cargo adds `--bench` to the arguments.
    let folder = env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let made =
        if env::args().any(|argument| argument == "--history") { Some(history::made()?) } else { None };
    let folder = folder.unwrap_or_else(|| {
        let made = made.as_ref().map(|tree| tree.path().display().to_string());
        made.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").to_owned())
    });
    let check = || quiet(Command::new(env!("CARGO_BIN_EXE_planlint")).arg("check").arg(&folder));
    let quick =
        || quiet(Command::new(env!("CARGO_BIN_EXE_planlint")).args(["check", "--no-growth"]).arg(&folder));
    let advise = || quiet(Command::new(env!("CARGO_BIN_EXE_planlint")).arg("advise").arg(&folder));
    let search = || quiet(Command::new("rg").args(["-c", "-i", "-j2", WORDS]).arg(&folder));

    if run(check())?.1 == Some(2) {
        return Err(io::Error::other(format!("{folder} can't be judged")));
    }
    let checks = runs(RUNS, check)?;
    println!("planlint check  {}", line(&checks));
    let quicks = runs(RUNS, quick)?;
    println!("without growth  {}", line(&quicks));
    let advices = runs(RUNS, advise)?;
    println!("planlint advise {}", line(&advices));
    let extractions = extractions(&folder)?;
    println!("extraction      {}", line(&extractions));
    let copy = staged_copy(&folder)?;
    let hook = || {
        let mut hook = quiet(Command::new(env!("CARGO_BIN_EXE_planlint")).args(["check", "--staged"]));
        hook.current_dir(copy.path().join("tree"));
        hook
    };
    run(hook())?;
    let hooks = runs(RUNS, hook)?;
    println!("hook, no SQL    {}", line(&hooks));
    match peak_memory(check()) {
        Ok(Some(kilobytes)) => println!("most memory     {} MB", kilobytes / 1024),
        _ => println!("most memory     unknown: there is no /proc"),
    }
    match run(search()).and_then(|_| runs(SEARCHES, search)) {
        Ok(searches) => {
            println!("rg (R)          {}", line(&searches));
            let in_r = |times: &[Duration]| median(times).as_secs_f64() / median(&searches).as_secs_f64();
            println!("check           {:.1} R", in_r(&checks));
            println!("without growth  {:.1} R", in_r(&quicks));
            println!("advise          {:.1} R", in_r(&advices));
            println!("extraction      {:.1} R", in_r(&extractions));
            println!("hook, no SQL    {:.1} R", in_r(&hooks));
        }
        Err(error) => println!("rg (R)          unknown: {error}"),
    }
    Ok(())
}

/// A repository of the tree as it is, in which a text without SQL is staged.
fn staged_copy(folder: &str) -> io::Result<TempDir> {
    let copy = tempfile::tempdir()?;
    let tree = copy.path().join("tree");
    let done = |command: &mut Command| {
        let ended = quiet(command).current_dir(copy.path()).status()?;
        if ended.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} failed"))) }
    };
    let folder = fs::canonicalize(folder)?;
    let mut cp = Command::new("cp");
    // What is built is no part of the tree, and large.
    let parts = fs::read_dir(&folder)?.filter_map(Result::ok).map(|entry| entry.path());
    let parts = parts.filter(|path| !["target", ".git"].iter().any(|name| path.ends_with(name)));
    fs::create_dir(&tree)?;
    done(cp.arg("-r").args(parts).arg(&tree))?;
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=bench", "-c", "user.email=bench"];
        done(Command::new("git").arg("-C").arg(&tree).args(who).args(arguments))
    };
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    git(&["commit", "--quiet", "--message", "all"])?;
    fs::write(tree.join("planlint-bench.txt"), "no SQL")?;
    git(&["add", "planlint-bench.txt"])?;
    Ok(copy)
}

fn quiet(command: &mut Command) -> Command {
    let mut quiet = Command::new(command.get_program());
    quiet.args(command.get_args()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet
}

/// How long a command takes, and its exit code.
fn run(mut command: Command) -> io::Result<(Duration, Option<i32>)> {
    let start = Instant::now();
    let status = command.status()?;
    Ok((start.elapsed(), status.code()))
}

/// The times of some runs, sorted. One has gone before, so that the files are in memory.
fn runs(number: usize, command: impl Fn() -> Command) -> io::Result<Vec<Duration>> {
    let times: io::Result<Vec<Duration>> = (0..number).map(|_| Ok(run(command())?.0)).collect();
    let mut times = times?;
    times.sort();
    Ok(times)
}

/// How long it takes to read a tree and to find its SQL, without starting a process; after a first time, as above.
fn extractions(folder: &str) -> io::Result<Vec<Duration>> {
    let one = |_| {
        let start = Instant::now();
        let tree = Tree::folder(folder);
        let sources =
            Sources::read(&tree, Limits::default(), extract::is_wanted).map_err(io::Error::other)?;
        let found = extract::extract(&sources, &|_| false);
        black_box(found.literals.len());
        Ok(start.elapsed())
    };
    let times: io::Result<Vec<Duration>> = (0..=RUNS).map(one).collect();
    let mut times = times?.split_off(1);
    times.sort();
    Ok(times)
}

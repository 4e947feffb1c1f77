//! The command line: arguments as typed, made into requests; what comes back, written out. Knows channels and exit
//! codes; knows nothing of how a run works.

mod arguments;
mod baseline;
mod fault;
mod place;
mod plans;
mod printable;
mod rules;
mod stats;

use crate::{
    audit::WAITING,
    config::{self, Severity},
    lsp,
    report::{
        Failure, advice, audit, github, gitlab, html, json, lists, markdown,
        progress::Progress,
        sarif,
        terminal::{self, TerminalOptions},
    },
    run::{self, Change, CheckRequest, Look, Manner, Spot, Wanted},
    schema::{sqlite_options, sqlite_version},
};
use arguments::{
    AdviceFormat, Advise, Arguments, Audit, Check, Color, Command, Common, Explain, Facts, Format, Init,
    Rules,
};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use printable::printable;
use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: nothing new at or above `fail-on`; or what was asked for is printed.
    Clean,
    /// 1: something new at or above `fail-on`; or an editor that left without a word.
    Findings,
    /// 2: could not judge: arguments, configuration, an unreadable tree, a broken rule file.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
        })
    }
}

/// Runs the program.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let plain = options(Color::Auto, io::stderr().is_terminal(), false);
    fault::caught(|| run_all(arguments), &plain, &mut io::stderr()).into()
}

fn run_all(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return stopped(&error),
    };
    let color = arguments.common.color;
    let exit = match dispatch(&arguments) {
        Ok((text, exit)) => {
            write(io::stdout().lock(), &text).map(|()| exit).map_err(|error| unwritten(&error))
        }
        Err(failure) => Err(failure),
    };
    exit.unwrap_or_else(|failure| {
        let text = terminal::failure(&failure, &options(color, io::stderr().is_terminal(), false));
        // Where even the message can't be written, the exit code is all there is.
        let _ = write(io::stderr().lock(), &printable(text));
        Exit::Failed
    })
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // clap keeps the version for as long as the program runs, and so may we: it is made once.
    let version: &'static str = format!("{} (SQLite {})", env!("CARGO_PKG_VERSION"), sqlite_version()).leak();
    let mut command = Arguments::command().version(version);
    if arguments.iter().any(|argument| argument == "--version") {
        let built = format!("{version}\n\nSQLite is built with\n  {}", sqlite_options().join("\n  "));
        command = command.long_version(&*built.leak());
    }
    if env::var_os("NO_COLOR").is_some() {
        command = command.color(ColorChoice::Never);
    }
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// Help and version are asked for and go to standard output; anything else is a mistake in the arguments.
fn stopped(error: &clap::Error) -> Exit {
    match error.print() {
        _ if error.use_stderr() => Exit::Failed,
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::Failed,
        _ => Exit::Clean,
    }
}

/// Does what is asked, and gives the text for standard output.
fn dispatch(arguments: &Arguments) -> Result<(String, Exit), Failure> {
    let Common { config, color } = &arguments.common;
    let config = config.as_deref();
    match &arguments.command {
        Command::Check(asked) => check(asked, config, *color),
        Command::Explain(asked) => Ok((explain(asked, config)?, Exit::Clean)),
        Command::Advise(asked) => Ok((advise(asked, config)?, Exit::Clean)),
        Command::Audit(asked) => Ok((audit(asked, config)?, Exit::Clean)),
        Command::Stats(asked) => Ok((stats::stats(asked)?, Exit::Clean)),
        Command::Plans(asked) => plans::plans(asked, config),
        Command::Rules(Rules { test, only }) => rules::rules(test.as_ref(), only, config),
        Command::Init(asked) => Ok((init(asked)?, Exit::Clean)),
        Command::Completions { shell } => Ok((arguments::completions(*shell), Exit::Clean)),
        Command::Facts(Facts { output, path }) => {
            let progress = Progress::start();
            let say = |phase: &str| progress.phase(phase);
            let request = CheckRequest { progress: Some(&say), ..request(path.as_slice(), config)? };
            run::facts(&request, output).map_err(|error| Failure::from(&error))?;
            Ok((String::new(), Exit::Clean))
        }
        Command::Lsp(asked) => {
            let options = lsp::Options { notes: asked.notes, growth: !asked.no_growth };
            Ok((String::new(), if lsp::serve(options) { Exit::Clean } else { Exit::Findings }))
        }
    }
}

fn advise(asked: &Advise, config: Option<&Path>) -> Result<String, Failure> {
    let progress = Progress::start();
    let say = |phase: &str| progress.phase(phase);
    let request = request(asked.path.as_slice(), config)?;
    let request = CheckRequest { progress: Some(&say), growth: !asked.no_growth, ..request };
    let manner = Manner { writes: asked.write, measures: asked.measure };
    let advised = run::advise(&request, manner).map_err(|error| Failure::from(&error))?;
    Ok(match asked.format {
        AdviceFormat::Terminal => printable(advice::render(&advised, width())),
        AdviceFormat::Json => json::render_advice(&advised),
    })
}

fn audit(asked: &Audit, config: Option<&Path>) -> Result<String, Failure> {
    let page = asked.html.as_deref().map(|path| html::Target::new(path, asked.force));
    let page = page.transpose().map_err(|error| Failure::from(&error))?;
    let progress = Progress::start();
    let say = |phase: &str| told(&progress, phase);
    let tree = asked.source.as_ref().map(|path| request(std::slice::from_ref(path), config)).transpose()?;
    let tree = tree.map(|tree| CheckRequest {
        progress: Some(&say),
        growth: !asked.no_growth,
        paths: Vec::new(),
        ..tree
    });
    let look = Look { pages: asked.pages, config, tell: Some(&say) };
    let report = run::audit(&asked.file, look, tree.as_ref()).map_err(|error| Failure::from(&error))?;
    if let Some(page) = page {
        page.write(&html::render(&report)).map_err(|error| Failure::from(&error))?;
    }
    drop(progress);
    Ok(match asked.format {
        AdviceFormat::Terminal => printable(audit::render(&report, width())),
        AdviceFormat::Json => json::render_audit(&report),
    })
}

/// Who looks at a file says what it waits for.
fn told(progress: &Progress, phase: &str) {
    if phase == WAITING { progress.wait(phase) } else { progress.phase(phase) }
}

fn check(asked: &Check, config: Option<&Path>, color: Color) -> Result<(String, Exit), Failure> {
    let request = request(&asked.paths, config)?;
    let below = place::in_repository(&request.root);
    let progress = Progress::start();
    let say = |phase: &str| progress.phase(phase);
    let growth = !asked.no_growth;
    if asked.write_baseline {
        return baseline::write(&CheckRequest { progress: Some(&say), ..request });
    }
    let staged = asked.staged.then_some(Change::Staged);
    let change = asked.since.clone().map(Change::Since).or(staged);
    let outcome = run::check(&CheckRequest {
        progress: Some(&say),
        growth,
        suppress: !asked.no_suppress,
        prune: asked.prune,
        change,
        ..request
    });
    drop(progress);
    let mut outcome = outcome.map_err(|error| Failure::from(&error))?;
    outcome.report.min_coverage = asked.min_coverage.or(outcome.report.min_coverage);
    if let Some(list) = asked.list {
        return Ok((printable(lists::render(&outcome.listings(list))), Exit::Clean));
    }
    outcome.report.fold(matches!(asked.format, Format::Terminal | Format::Markdown));
    let fail_on = asked.fail_on.unwrap_or(outcome.fail_on);
    // What fails the run is shown.
    let notes = asked.notes || fail_on == Severity::Note;
    let text = match asked.format {
        Format::Json => json::render(&outcome.report),
        Format::Sarif => sarif::render(&outcome.report, &below),
        Format::Github => printable(github::render(&outcome.report, &below, notes)),
        Format::Gitlab => gitlab::render(&outcome.report, &below, notes),
        Format::Markdown => printable(markdown::render(&outcome.report, notes)),
        Format::Terminal => {
            let options = options(color, io::stdout().is_terminal(), notes);
            printable(terminal::render(&outcome.report, &outcome.sources, &options))
        }
    };
    let lacking = outcome.report.lacks_coverage();
    if let Some(lacking) = lacking.as_ref().filter(|_| asked.format != Format::Terminal) {
        // A program that reads the report need not know of it; who reads the log must.
        let _ = write(io::stderr().lock(), &format!("{lacking}\n"));
    }
    let fails = outcome.report.fails(fail_on) || lacking.is_some();
    // The program ends here. The system takes its memory back at once; in pieces that takes some milliseconds.
    std::mem::forget(outcome);
    Ok((text, if fails { Exit::Findings } else { Exit::Clean }))
}

fn init(asked: &Init) -> Result<String, Failure> {
    let progress = Progress::start();
    let say = |phase: &str| progress.phase(phase);
    let request = CheckRequest { progress: Some(&say), ..request(asked.path.as_slice(), None)? };
    let written = run::init(&request, asked.force);
    drop(progress);
    let written = written.map_err(|error| Failure::from(&error))?;
    let databases = match written.databases {
        0 => "no database".to_owned(),
        1 => "1 database".to_owned(),
        number => format!("{number} databases"),
    };
    let named = match written.named.as_slice() {
        [] => String::new(),
        names => format!("what makes {} is written as comments: no key says it as it is\n", names.join(", ")),
    };
    Ok(format!("{} written, with {databases}; a check finds the same with it\n{named}", config::FILE_NAME))
}

fn explain(asked: &Explain, config: Option<&Path>) -> Result<String, Failure> {
    let Some(typed) = place::parse(&asked.subject) else {
        if asked.script || asked.rows.is_some() {
            let message = format!("`{}` is no place, and only a statement has a script", asked.subject);
            return Err(Failure::new(message).with_help("name it as PATH:LINE"));
        }
        let request = request(asked.tree.as_slice(), config)?;
        let page = run::explain(&request, &asked.subject).map_err(|error| Failure::from(&error))?;
        return Ok(printable(terminal::prose(&page, width())));
    };
    let found = place::locate(&typed.path, asked.tree.as_deref())?;
    let progress = Progress::start();
    let say = |phase: &str| progress.phase(phase);
    let config = config.map(Path::to_owned).or(found.config);
    let request = CheckRequest { config, progress: Some(&say), ..CheckRequest::new(found.root) };
    let spot = Spot { path: found.path, line: typed.line, column: typed.column };
    let page = run::explain_place(&request, &spot, Wanted { script: asked.script, rows: asked.rows });
    drop(progress);
    let page = page.map_err(|error| Failure::from(&error))?;
    // A script is run, and must be the program's own statement.
    Ok(if asked.script { page } else { printable(page) })
}

/// The tree that the paths belong to, and the paths as the tree names them.
fn request<'a>(paths: &[PathBuf], config: Option<&Path>) -> Result<CheckRequest<'a>, Failure> {
    let here = PathBuf::from(".");
    let (root, found) = config::find(paths.first().unwrap_or(&here));
    let mut below = Vec::new();
    for path in paths {
        below.extend(within(&root, path)?);
    }
    let config = config.map(Path::to_owned).or(found);
    Ok(CheckRequest { config, paths: below, ..CheckRequest::new(root) })
}

/// A path from the root of the tree, with `/` between the parts; `None` where it is the root, which narrows nothing.
fn within(root: &Path, path: &Path) -> Result<Option<String>, Failure> {
    let unreadable = |error: io::Error| Failure::new(format!("can't read {}: {error}", path.display()));
    let full = path.canonicalize().map_err(unreadable)?;
    let Ok(below) = full.strip_prefix(root) else {
        let message = format!("{} lies outside the tree of the first path", path.display());
        return Err(Failure::new(message).with_help("check each tree in a run of its own"));
    };
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok((!parts.is_empty()).then(|| parts.join("/")))
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::new(format!("can't write the report: {error}"))
}

fn options(color: Color, is_terminal: bool, notes: bool) -> TerminalOptions {
    let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || env::var_os("TERM").is_some_and(|value| value == "dumb");
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && !plain,
    };
    TerminalOptions { color, unicode: unicode(), width: width_of(is_terminal), notes }
}

/// The columns of standard output.
fn width() -> usize {
    width_of(io::stdout().is_terminal())
}

fn width_of(is_terminal: bool) -> usize {
    let width = if is_terminal { terminal_size::terminal_size() } else { None };
    width.map_or(80, |(width, _)| usize::from(width.0)).clamp(40, 120)
}

/// Whether the locale can show more than ASCII. The first of these variables that is set decides, as for the C library.
fn unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// Writes everything at once. Where the reader has gone, it has seen all it wanted.
fn write(mut out: impl Write, text: &str) -> io::Result<()> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Closed(io::ErrorKind);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        assert!(write(Closed(io::ErrorKind::BrokenPipe), "text").is_ok());
        assert!(write(Closed(io::ErrorKind::StorageFull), "text").is_err());
    }

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_path_is_named_from_the_root_of_its_tree() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src/db")).unwrap();
        assert_eq!(within(&root, &root.join("src/../src/db")).unwrap(), Some("src/db".to_owned()));
        assert_eq!(within(&root, &root).unwrap(), None);
        assert!(within(&root.join("src"), &root).unwrap_err().message.contains("outside the tree"));
        assert!(within(&root, &root.join("gone")).unwrap_err().message.contains("can't read"));
    }
}

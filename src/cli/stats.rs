//! `planlint stats`: what is typed, made into what is asked, and written where that is wanted.

use super::{arguments::Stats, told};
use crate::{
    config::FileStatistics,
    report::{Failure, progress::Progress},
    run,
    source::plain,
};
use std::{fs, path::Path};

pub(super) fn stats(asked: &Stats) -> Result<String, Failure> {
    if let Some(output) = &asked.output {
        look(&asked.file, output)?;
    }
    let progress = Progress::start();
    let say = |phase: &str| told(&progress, phase);
    let text = run::stats(&asked.file, asked.pages, &say).map_err(|error| Failure::from(&error))?;
    drop(progress);
    let Some(output) = &asked.output else { return Ok(text) };
    plain::replace(output, text.as_bytes())
        .map_err(|error| Failure::new(format!("{} can't be written: {error}", output.display())))?;
    Ok(String::new())
}

/// What is written over something else by mistake is gone: nothing is replaced but a file of statistics.
fn look(file: &Path, output: &Path) -> Result<(), Failure> {
    let name = output.display();
    if let (Ok(from), Ok(to)) = (file.canonicalize(), output.canonicalize())
        && from == to
    {
        return Err(Failure::new(format!("{name} is the database itself")));
    }
    let is_one = || {
        let text = plain::read_text(output).unwrap_or_default();
        FileStatistics::parse(&name.to_string(), &text).is_ok()
    };
    match fs::metadata(output) {
        Ok(there) if there.len() > 0 && !is_one() => {
            let failure = Failure::new(format!("{name} is there, and is no file of statistics"));
            Err(failure.with_help("name another file"))
        }
        _ => Ok(()),
    }
}

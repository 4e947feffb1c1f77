//! Findings that were there before anybody looked: a file with a line for each, which a person can read and git can merge.
//! Knows the file and the fingerprints in it; knows nothing of what was found.

use crate::{
    config::Severity,
    report::{Diagnostic, Report, State},
    shell::on_one_line,
    source::plain,
};
use std::{
    collections::HashMap,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

/// The name of the file, where the configuration gives no other.
pub const FILE_NAME: &str = "planlint.baseline";

const HEAD: &str = "\
# Findings that were there when this was written: they are not reported.
# `planlint check --write-baseline` writes it anew; `planlint check --prune` removes the lines of what was mended.
";

/// Why a baseline can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file can't be read.
    #[error("can't read the baseline {path}: {source}")]
    Read {
        /// The file, from the root of the tree.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("can't write the baseline {path}: {source}")]
    Write {
        /// The file, from the root of the tree.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line is none of a baseline.
    #[error("{path}:{line}: {message}")]
    Line {
        /// The file, from the root of the tree.
        path: String,
        /// All of it.
        text: String,
        /// The line in it, from 1.
        line: u32,
        /// What is wrong with it.
        message: String,
    },
}

/// A baseline as it was read.
#[derive(Debug)]
pub struct Baseline {
    root: PathBuf,
    name: String,
    lines: Vec<Line>,
}

/// A line of the file: an entry, or a comment that stays where it is.
#[derive(Debug)]
struct Line {
    text: String,
    entry: Option<(String, Severity)>,
    is_used: bool,
}

impl Baseline {
    /// Reads the file of this name in a folder; `None` where there is none.
    ///
    /// # Errors
    /// Where it can't be read, or holds a line that is no entry.
    pub fn read(root: &Path, name: &str) -> Result<Option<Self>, BaselineError> {
        let text = match plain::read_text(&root.join(name)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(BaselineError::Read { path: name.to_owned(), source }),
        };
        let mut lines = Vec::new();
        for (line, written) in (1..).zip(text.lines()) {
            let entry = entry(written).map_err(|message| {
                let (path, text) = (name.to_owned(), text.clone());
                BaselineError::Line { path, text, line, message }
            })?;
            lines.push(Line { text: written.to_owned(), entry, is_used: false });
        }
        Ok(Some(Self { root: root.to_owned(), name: name.to_owned(), lines }))
    }

    /// Marks the findings that it holds, each line for one of them, and gives the number of lines whose finding is gone.
    pub fn apply(&mut self, report: &mut Report) -> u32 {
        let mut open: HashMap<&str, Vec<(Severity, &mut bool)>> = HashMap::new();
        for line in &mut self.lines {
            if let Some((fingerprint, severity)) = &line.entry {
                open.entry(fingerprint).or_default().push((*severity, &mut line.is_used));
            }
        }
        // What is allowed by now was not mended; its line is the last to be taken.
        for wanted in [State::New, State::Suppressed] {
            for one in report.diagnostics.iter_mut().filter(|one| one.state == wanted) {
                let Some(lines) = open.get_mut(one.fingerprint_stem()) else { continue };
                // What has become worse since then is new.
                let fits = |severity: Severity| severity >= one.severity || wanted == State::Suppressed;
                let same = lines.iter_mut().find(|(severity, is_used)| !**is_used && fits(*severity));
                let Some((_, is_used)) = same else { continue };
                **is_used = true;
                if wanted == State::New {
                    one.state = State::Baseline;
                }
            }
        }
        self.gone().count() as u32
    }

    fn gone(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.entry.is_some() && !line.is_used)
    }

    /// Writes the file without the lines that [`Baseline::apply`] found to be gone.
    ///
    /// # Errors
    /// Where it can't be written; then it is as it was.
    pub fn prune(&self) -> Result<(), BaselineError> {
        let kept = self.lines.iter().filter(|line| line.entry.is_none() || line.is_used);
        let text: String = kept.flat_map(|line| [line.text.as_str(), "\n"]).collect();
        write(&self.root, &self.name, &text)
    }
}

/// Reads a line: the fingerprint and the severity of a finding. What follows them is for people.
fn entry(line: &str) -> Result<Option<(String, Severity)>, String> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if line.starts_with("<<<<<<<") || line.starts_with("=======") || line.starts_with(">>>>>>>") {
        return Err("a conflict that was not resolved: keep the lines of both sides".to_owned());
    }
    let mut words = line.split_whitespace();
    let (fingerprint, severity) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (version, hash) = fingerprint.split_once(':').unwrap_or(("", ""));
    if version != "1" || hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("`{fingerprint}` is no fingerprint of this version of planlint"));
    }
    let severity = Severity::of(severity)
        .ok_or_else(|| format!("`{severity}` is no severity: note, warning or error"))?;
    Ok(Some((fingerprint.to_owned(), severity)))
}

/// Writes a baseline of all findings that the user does not accept, and gives their number.
///
/// # Errors
/// Where it can't be written; then it is as it was.
pub fn write_all(root: &Path, name: &str, report: &Report) -> Result<usize, BaselineError> {
    let all = report.diagnostics.iter().filter(|one| one.state != State::Suppressed);
    let mut lines: Vec<(String, String)> = all.map(|one| (about(one), head(one))).collect();
    lines.sort();
    let mut text = HEAD.to_owned();
    for (about, head) in &lines {
        // Writing to a string never fails.
        let _ = writeln!(text, "{head} {about}");
    }
    write(root, name, &text)?;
    Ok(lines.len())
}

/// What planlint reads of a line.
fn head(one: &Diagnostic) -> String {
    format!("{} {:7}", one.fingerprint_stem(), one.severity.as_str())
}

/// What people read of it, and what the lines are sorted by: they move when the code does, but only then.
fn about(one: &Diagnostic) -> String {
    let object = one.object.as_ref().map_or("-", |object| &object.name);
    let database = one.database.as_deref().unwrap_or("-");
    let path = one.place.as_ref().map_or("-", |place| &place.path);
    let function = one.function.as_ref().map_or_else(String::new, |function| format!(" {function}"));
    let text = format!("{} {database}.{object} {path}{function}", one.rule);
    on_one_line(&text)
}

/// Writes a file in one step: whoever reads it sees the old one or the new one.
fn write(root: &Path, name: &str, text: &str) -> Result<(), BaselineError> {
    let failed = |source| BaselineError::Write { path: name.to_owned(), source };
    plain::replace(&root.join(name), text.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::fs;

    fn finding(rule: &str, hash: u32, severity: Severity) -> Diagnostic {
        Diagnostic { fingerprint: format!("1:{hash:016x}"), ..sample::bare(rule, severity, "text") }
    }

    fn report(findings: &[(&str, u32, Severity)]) -> Report {
        let diagnostics =
            findings.iter().map(|&(rule, hash, severity)| finding(rule, hash, severity)).collect();
        Report { diagnostics, ..Report::default() }
    }

    fn states(report: &Report) -> Vec<State> {
        report.diagnostics.iter().map(|one| one.state).collect()
    }

    #[test]
    fn what_was_written_is_known_and_what_comes_later_is_new() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Baseline::read(folder.path(), FILE_NAME).unwrap().is_none());
        let old =
            report(&[("b", 2, Severity::Warning), ("a", 1, Severity::Note), ("b", 2, Severity::Warning)]);
        assert_eq!(write_all(folder.path(), FILE_NAME, &old).unwrap(), 3);
        let mut now = report(&[
            ("b", 2, Severity::Warning),
            ("b", 2, Severity::Warning),
            ("b", 2, Severity::Warning),
            ("a", 1, Severity::Warning),
            ("c", 3, Severity::Note),
        ]);
        let gone = Baseline::read(folder.path(), FILE_NAME).unwrap().unwrap().apply(&mut now);
        let [old, new] = [State::Baseline, State::New];
        assert_eq!(states(&now), [old, old, new, new, new], "the third is one more, the fourth is worse");
        assert_eq!(gone, 1);
    }

    #[test]
    fn what_is_allowed_by_now_is_not_gone() {
        let folder = tempfile::tempdir().unwrap();
        let old = [("a", 1, Severity::Note), ("b", 2, Severity::Note), ("b", 2, Severity::Note)];
        write_all(folder.path(), FILE_NAME, &report(&old)).unwrap();
        let mut now = report(&[("a", 1, Severity::Note), ("b", 2, Severity::Note)]);
        now.diagnostics[0].state = State::Suppressed;
        let mut baseline = Baseline::read(folder.path(), FILE_NAME).unwrap().unwrap();
        assert_eq!(baseline.apply(&mut now), 1, "one of two equal findings is mended");
        assert_eq!(states(&now), [State::Suppressed, State::Baseline]);
    }

    #[test]
    fn pruning_removes_what_is_gone_and_keeps_every_other_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        write_all(folder.path(), FILE_NAME, &report(&[("a", 1, Severity::Note), ("b", 2, Severity::Note)]))
            .unwrap();
        let text = format!("{}# ours\n", plain::read_text(&path).unwrap());
        fs::write(&path, &text).unwrap();
        let mut baseline = Baseline::read(folder.path(), FILE_NAME).unwrap().unwrap();
        assert_eq!(baseline.apply(&mut report(&[("b", 2, Severity::Note)])), 1);
        baseline.prune().unwrap();
        let expected: String =
            text.lines().filter(|line| !line.contains(" a ")).flat_map(|line| [line, "\n"]).collect();
        assert_eq!(plain::read_text(&path).unwrap(), expected);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_line_that_is_none_is_an_error_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        for (line, message) in [
            ("<<<<<<< HEAD", "a conflict that was not resolved"),
            ("2:0000000000000001 note a", "`2:0000000000000001` is no fingerprint"),
            ("1:xyz note a", "`1:xyz` is no fingerprint"),
            ("1:0000000000000001 bad a", "`bad` is no severity"),
        ] {
            fs::write(&path, format!("# head\n{line}\n")).unwrap();
            let said = Baseline::read(folder.path(), FILE_NAME).unwrap_err().to_string();
            assert!(said.contains(&format!(":2: {message}")), "{said}");
        }
    }
}

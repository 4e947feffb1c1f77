//! The objects of a repository, read by one `git cat-file --batch` that stays for all questions. Knows no kinds of objects.

use super::{Git, GitError};
use std::{
    collections::HashSet,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    thread,
};

/// The most bytes of a question that are written before its answer is read: what every system keeps in a pipe.
const AT_ONCE: usize = 4096;

/// What gives the objects.
#[derive(Debug, Default)]
pub(super) struct Objects {
    reader: Option<Reader>,
    /// The names of all that is here, of a clone that lacks a part: git ends where it is asked for what it is not to fetch.
    here: Option<HashSet<String>>,
}

impl Objects {
    /// Starts git, which takes its time meanwhile.
    pub(super) fn start(&mut self, git: &Git) -> Result<&mut Reader, GitError> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => Reader::new(git)?,
        };
        Ok(self.reader.insert(reader))
    }

    /// The bytes of these objects; `None` for one that is not here.
    pub(super) fn read(&mut self, git: &Git, names: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        if let Ok(read) = self.ask(git, names) {
            return Ok(read);
        }
        self.reader = None;
        if !git.fetches && self.here.is_none() {
            self.here = Some(git.all_objects()?);
            if let Ok(read) = self.ask(git, names) {
                return Ok(read);
            }
            self.reader = None;
        }
        // Asked once more, it says why it fails.
        git.texts(names)
    }

    fn ask(&mut self, git: &Git, names: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let is_here: Vec<bool> = match &self.here {
            Some(here) => names.iter().map(|name| *name == "HEAD" || here.contains(*name)).collect(),
            None => vec![true; names.len()],
        };
        let wanted: Vec<&str> =
            names.iter().zip(&is_here).filter(|(_, is_here)| **is_here).map(|(name, _)| *name).collect();
        if wanted.is_empty() {
            return Ok(vec![None; names.len()]);
        }
        let mut read = self.start(git)?.read(&wanted)?.into_iter();
        Ok(is_here.iter().map(|is_here| is_here.then(|| read.next()).flatten().flatten()).collect())
    }
}

/// The process, and both ends of it.
#[derive(Debug)]
pub(super) struct Reader {
    child: Child,
    ends: Option<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Reader {
    fn new(git: &Git) -> io::Result<Self> {
        let mut command = git.command(&["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let ends = child.stdin.take().zip(child.stdout.take().map(BufReader::new));
        Ok(Self { child, ends })
    }

    fn read(&mut self, names: &[&str]) -> io::Result<Vec<Option<Vec<u8>>>> {
        let Some((input, output)) = &mut self.ends else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let question = names.join("\n") + "\n";
        if question.len() <= AT_ONCE {
            input.write_all(question.as_bytes())?;
            return names.iter().map(|_| next(output)).collect();
        }
        // Both ends are served at once: git answers while it is still being asked.
        thread::scope(|scope| {
            scope.spawn(move || input.write_all(question.as_bytes()));
            names.iter().map(|_| next(output)).collect()
        })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // Nothing is left to read then, and git ends.
        self.ends = None;
        let _ = self.child.wait();
    }
}

/// The next answer of `git cat-file --batch`; `None` where git has no such object here.
pub(super) fn next(output: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = String::new();
    if output.read_line(&mut head)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let size = head.trim_end().rsplit(' ').next().and_then(|word| word.parse::<usize>().ok());
    let Some(size) = size else { return Ok(None) };
    let mut bytes = Vec::with_capacity(size + 1);
    output.take(size as u64 + 1).read_to_end(&mut bytes)?;
    // Behind each stands a line break.
    if bytes.len() <= size {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.truncate(size);
    Ok(Some(bytes))
}

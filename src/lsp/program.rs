//! A program that is being edited: its last run, and when the next one is due. A run takes its time, so that it is made on
//! a thread of its own, one at a time.

use super::{Options, document::Document, fault, server::Event};
use crate::{
    config,
    report::Failure,
    run::{self, CheckRequest, Outcome},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, mpsc::Sender},
    thread,
    time::{Duration, Instant},
};

/// How long nothing may be typed before a run begins.
const PAUSE: Duration = Duration::from_millis(300);

/// What a run gave.
pub(super) type Judged = Result<Box<Outcome>, Failure>;

/// A program.
#[derive(Default)]
pub(super) struct Program {
    /// The last run that could judge.
    pub outcome: Option<Box<Outcome>>,
    /// Why the last run could not.
    pub failure: Option<Failure>,
    /// What of that was said last, where no file says it.
    pub told: Option<String>,
    /// The files for which something is shown, from its root.
    pub shown: BTreeSet<String>,
    /// Whether what it is at is shown.
    pub progress: Shows,
    /// The number of the run that is under way: what another one says is about a program that was closed.
    pub run: Option<u64>,
    due: Option<Instant>,
}

/// Whether the editor shows what a run is at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Shows {
    /// Nobody has asked.
    #[default]
    Not,
    /// It was asked whether it does.
    Asked,
    /// It does.
    Yes,
    /// It has, once.
    Over,
}

impl Program {
    /// A run is wanted, once nothing is typed any more.
    pub fn touch(&mut self) {
        self.due = Some(Instant::now() + PAUSE);
    }

    /// A run is wanted now.
    pub fn hurry(&mut self) {
        self.due = Some(Instant::now());
    }

    /// When its next run is due.
    pub fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.run.is_none())
    }

    /// Begins a run of this number over the texts that are open.
    pub fn begin<'d>(
        &mut self,
        number: u64,
        root: &Path,
        documents: impl Iterator<Item = &'d mut Document>,
        options: Options,
        events: &Sender<Event>,
    ) {
        self.due = None;
        self.run = Some(number);
        let mut buffers = BTreeMap::new();
        for one in documents {
            one.begin();
            if !one.is_hidden {
                buffers.insert(one.source.path.clone(), Some(one.source.text().as_bytes().to_vec()));
            }
        }
        let (of, said) = (root.to_owned(), events.clone());
        let begun = thread::Builder::new().name("planlint-run".to_owned()).spawn(move || {
            let judged = fault::caught(|| judge(&of, number, buffers, options, &said));
            let judged = judged.unwrap_or_else(|what| Err(Failure::of_panic(&what)));
            // Who asked is gone: nobody wants to know.
            let _ = said.send(Event::Judged(of, number, judged));
        });
        if let Err(error) = begun {
            let failure = Failure::new(format!("no thread can be had to judge on: {error}"));
            // As above.
            let _ = events.send(Event::Judged(root.to_owned(), number, Err(failure)));
        }
    }

    /// A run has ended.
    pub fn end(&mut self, judged: Judged) {
        self.run = None;
        match judged {
            Ok(outcome) => {
                self.failure = None;
                free(self.outcome.replace(outcome));
            }
            Err(failure) => self.failure = Some(failure),
        }
    }

    /// Its last run is of no use any more, and another one is wanted.
    pub fn fail(&mut self, failure: Failure) {
        free(self.outcome.take());
        self.failure = Some(failure);
        self.touch();
    }
}

/// To free so much takes its time. Where no thread can be had it is freed here, with what was to be done.
fn free(outcome: Option<Box<Outcome>>) {
    drop(thread::Builder::new().spawn(move || drop(outcome)));
}

fn judge(
    root: &Path,
    number: u64,
    buffers: BTreeMap<String, Option<Vec<u8>>>,
    options: Options,
    events: &Sender<Event>,
) -> Judged {
    let events = Mutex::new(events.clone());
    let say = |phase: &str| {
        let events = events.lock().unwrap_or_else(PoisonError::into_inner);
        // As above.
        let _ = events.send(Event::Phase(root.to_owned(), number, phase.to_owned()));
    };
    let request = CheckRequest {
        growth: options.growth,
        for_editor: true,
        // What is typed may name anything of any file.
        most_held: u64::MAX,
        buffers,
        progress: Some(&say),
        ..CheckRequest::new(root)
    };
    run::check(&request).map(Box::new).map_err(|error| Failure::from(&error))
}

/// The root of the program that a file belongs to: that of the nearest configuration, else of its repository, else the
/// folder that is worked in. `None` for a file that belongs to nothing: no run begins because of it.
pub(super) fn root(path: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    let (root, config) = config::find(path.parent()?);
    if config.is_some() || root.join(".git").exists() {
        return Some(root);
    }
    folders
        .iter()
        .filter(|folder| path.starts_with(folder))
        .max_by_key(|folder| folder.as_os_str().len())
        .cloned()
}

/// A path as the system has it, without links; of a file that is not there yet, as its folder is.
pub(super) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => {
            folder.canonicalize().map_or_else(|_| path.to_owned(), |folder| folder.join(name))
        }
        _ => path.to_owned(),
    })
}

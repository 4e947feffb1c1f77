//! A line on the terminal that says what a long run is at, and is gone before the run says anything else.

use std::{
    io::{self, IsTerminal, Write as _},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// How long a run may take before it says what it is at.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line. It is erased when this is dropped.
pub struct Progress {
    shared: Arc<Shared>,
    drawing: Option<JoinHandle<()>>,
    is_waiting: AtomicBool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    phase: String,
    done: bool,
}

impl Shared {
    /// Sets the state and wakes the drawing thread. A thread that panicked with the lock leaves a state as good as any.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

impl Progress {
    /// A line on standard error, if that is a terminal; else nothing.
    pub fn start() -> Self {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let drawn = Arc::clone(&shared);
        let drawing = io::stderr().is_terminal().then(|| thread::spawn(move || draw(&drawn)));
        Self { shared, drawing, is_waiting: AtomicBool::new(false) }
    }

    /// Says what the run is at now.
    pub fn phase(&self, phase: &str) {
        self.shared.change(|state| phase.clone_into(&mut state.phase));
    }

    /// Says what the run waits for: once, and also where standard error is no terminal.
    pub fn wait(&self, reason: &str) {
        let is_new = !self.is_waiting.swap(true, Ordering::Relaxed);
        if self.drawing.is_some() {
            self.phase(reason);
        } else if is_new {
            // What can't be written is not missed.
            let _ = writeln!(io::stderr(), "{reason}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.change(|state| state.done = true);
        // A thread that could not draw is no reason to fail.
        let _ = self.drawing.take().map(JoinHandle::join);
    }
}

fn draw(shared: &Shared) {
    let state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = shared.changed.wait_timeout_while(state, PATIENCE, |state| !state.done);
    let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
    let mut stderr = io::stderr();
    while !state.done {
        if !state.phase.is_empty() {
            // What can't be written is not missed.
            let _ = write!(stderr, "\r\u{1b}[K{}…", state.phase).and_then(|()| stderr.flush());
        }
        state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        if state.done {
            let _ = write!(stderr, "\r\u{1b}[K").and_then(|()| stderr.flush());
        }
    }
}

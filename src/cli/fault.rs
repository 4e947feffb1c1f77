//! What is said where planlint itself is at fault: that it is, where, and what to send to whom. A panic on any thread ends
//! here, with the exit code of a run that could not judge. Knows nothing of what was run.

use super::{Exit, printable::printable};
use crate::report::{
    Failure, failure,
    terminal::{self, TerminalOptions},
};
use std::{
    env,
    io::Write,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex, PoisonError},
};

/// Does work, and says so where it panics, be it on another thread that it waits for.
pub fn caught(work: impl FnOnce() -> Exit, options: &TerminalOptions, said: &mut dyn Write) -> Exit {
    let first: Arc<Mutex<Option<String>>> = Arc::default();
    let kept = Arc::clone(&first);
    let before = Arc::new(panic::take_hook());
    let shown = Arc::clone(&before);
    panic::set_hook(Box::new(move |panic| {
        // What follows from the first one only hides it.
        kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| failure::panicked(panic));
        if env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            shown(panic);
        }
    }));
    // What was half done is not looked at again.
    let exit = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(Box::new(move |panic| before(panic)));
    exit.unwrap_or_else(|payload| {
        let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The language server hears its panics itself, and hands on what the one says that ends it.
        let what = first.or_else(|| payload.downcast::<String>().ok().map(|what| *what)).unwrap_or_default();
        let text = terminal::failure(&Failure::of_panic(&what), options);
        // Where even the message can't be written, the exit code is all there is.
        let _ = said.write_all(printable(text).as_bytes());
        Exit::Failed
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::thread;

    fn said(work: impl FnOnce() -> Exit) -> (Exit, String) {
        let mut said = Vec::new();
        let exit = caught(work, &TerminalOptions { width: 1_000, ..TerminalOptions::default() }, &mut said);
        (exit, String::from_utf8(said).unwrap())
    }

    /// One test, since there is one hook for all threads.
    #[test]
    fn a_panic_on_any_thread_is_told_with_its_place_and_fails_the_run() {
        let here = || -> Exit { panic!("a list without an end") };
        let at_once = || -> Exit {
            (0..100).into_par_iter().for_each(|number| assert!(number != 77, "seventy-seven"));
            Exit::Clean
        };
        let beside = || -> Exit {
            let joined = thread::spawn(|| panic!("{}", "x".repeat(10_000))).join();
            joined.unwrap_or_else(|panic| panic::resume_unwind(panic));
            Exit::Clean
        };
        let handed_on =
            || -> Exit { panic::resume_unwind(Box::new("it ended (src/cli/fault.rs:1)".to_owned())) };
        for (work, what) in [
            (&handed_on as &dyn Fn() -> Exit, "it ended"),
            (&here, "a list without an end"),
            (&at_once, "seventy-seven"),
            (&beside, "xxx…"),
        ] {
            let (exit, text) = said(work);
            assert_eq!(exit, Exit::Failed);
            let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(plain.contains("planlint itself is at fault"), "{text}");
            assert!(plain.contains(what) && plain.contains("src/cli/fault.rs:"), "{text}");
            assert!(plain.contains("--version") && text.len() < 2_000, "{text}");
        }
        assert_eq!(said(|| Exit::Findings), (Exit::Findings, String::new()));
    }
}

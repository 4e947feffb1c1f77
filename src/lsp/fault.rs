//! Where planlint itself is at fault while an editor waits: a panic ends what was being done, and not the server. Knows
//! nothing of what that was.

use crate::report::failure;
use std::{
    backtrace::Backtrace,
    env,
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, PoisonError},
};

/// What the last panic said, and where in the sources it stands.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Hears each panic from here on. What a run has said is not kept for what ends the server hours later.
pub(super) fn listen() {
    panic::set_hook(Box::new(|panic| {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure::panicked(panic));
        if env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            // Where even this can't be written, nobody reads it.
            let _ = writeln!(io::stderr(), "{panic}\n{}", Backtrace::force_capture());
        }
    }));
}

/// Does work; where it panics, what that says.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What was half done is for the caller to throw away.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let heard = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        heard.unwrap_or_else(|| failure::panicked_with(payload.as_ref()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_says_is_told_and_the_work_alone_ends() {
        // Without the hook, of which there is one for all tests.
        let panics = |what: &'static str| caught(|| -> u8 { panic::resume_unwind(Box::new(what)) });
        assert_eq!(panics("a list without an end"), Err("a list without an end".to_owned()));
        assert_eq!(panics("and another one"), Err("and another one".to_owned()));
        assert_eq!(caught(|| 7), Ok(7));
    }
}

//! Where planlint itself is at fault while an editor waits: a panic ends what was being done, and not the server. Knows
//! nothing of what that was.

use crate::report::Failure;
use std::{
    any::Any,
    backtrace::Backtrace,
    env,
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, PoisonError},
};

/// The longest message that is told, in characters: it may quote what was read.
const LONGEST: usize = 500;

/// What the last panic said, and where in the sources it stands.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Hears each panic from here on. What a run has said is not kept for what ends the server hours later.
pub(super) fn listen() {
    panic::set_hook(Box::new(|panic| {
        let message = cut(panic.payload_as_str().unwrap_or_default());
        let told = match panic.location() {
            Some(at) => format!("{message} ({}:{})", at.file(), at.line()),
            None => message,
        };
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
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
        heard.unwrap_or_else(|| said(payload.as_ref()))
    })
}

/// What an editor is told of it.
pub(super) fn failure(what: &str) -> Failure {
    Failure::new(format!("planlint itself is at fault, and could not judge: {what}")).with_help(
        "please report it, with this message, what `planlint --version` prints, and the smallest file with which it \
         happens. Until it is mended, `exclude` under `[paths]` leaves that file out.",
    )
}

fn said(payload: &(dyn Any + Send)) -> String {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    cut(owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it does not say why"))
}

fn cut(message: &str) -> String {
    let mut shown: String = message.chars().take(LONGEST).collect();
    if shown.len() < message.len() {
        shown.push('…');
    }
    shown
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
        let long = caught(|| -> u8 { panic::resume_unwind(Box::new("x".repeat(10_000))) });
        assert_eq!(long.unwrap_err().chars().count(), LONGEST + 1);
        assert!(failure("a list without an end").message.ends_with("a list without an end"));
    }
}

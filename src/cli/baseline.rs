//! `planlint check --write-baseline`: what is written, in words. Knows nothing of the file.

use super::Exit;
use crate::{
    report::Failure,
    run::{self, CheckRequest},
};

pub(super) fn write(request: &CheckRequest<'_>) -> Result<(String, Exit), Failure> {
    let (number, left_out, path) = run::write_baseline(request).map_err(|error| Failure::from(&error))?;
    let findings =
        |number: usize| if number == 1 { "1 finding".to_owned() } else { format!("{number} findings") };
    let rest = match left_out {
        0 => String::new(),
        _ => format!(
            "; {} about suppressions can't be in it: `planlint check` shows what to mend",
            findings(left_out)
        ),
    };
    Ok((format!("{} written to {path}{rest}\n", findings(number)), Exit::Clean))
}

//! Arguments in, exit code out.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    planlint::cli::main(env::args_os())
}

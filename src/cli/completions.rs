//! `planlint completions`: what a shell needs to complete arguments, and the names of rules where one is explained.

use super::arguments::Arguments;
use crate::rule;
use clap::{Arg, Command, CommandFactory, builder::PossibleValuesParser};
use clap_complete::Shell;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> String {
    let mut command = Arguments::command().version(env!("CARGO_PKG_VERSION"));
    // Others have no such values, or complete them alone where a file may be meant as well.
    if shell == Shell::Bash {
        command = command.mut_subcommand("explain", with_rules);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "planlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

fn with_rules(explain: Command) -> Command {
    // clap keeps what it is told for as long as the program runs: they are told once.
    let names = rule::builtin().unwrap_or_default().into_iter().map(|rule| &*rule.name.leak());
    let names: Vec<&'static str> = names.collect();
    let subject = |one: Arg| match one.get_id().as_str() {
        "subject" => one.value_parser(PossibleValuesParser::new(&names)),
        _ => one,
    };
    explain.mut_args(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_know_the_version_and_the_rules() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = script(shell);
            assert!(script.contains("version"), "{shell}");
            assert_eq!(script.contains("growing-table-scan"), shell == Shell::Bash, "{shell}");
        }
    }
}

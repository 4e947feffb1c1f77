//! The last lines of a report: what was found, what was looked at, and what was assumed.

use super::{DatabaseSummary, Report, State, evidence::grouped};
use crate::config::Severity;

/// A line each; a single one where there is nothing to say.
pub(super) fn lines(report: &Report, notes: bool) -> Vec<String> {
    let skipped = skipped(report);
    if report.diagnostics.is_empty() && report.databases.is_empty() && report.statements.found == 0 {
        let skipped = skipped.map_or(String::new(), |skipped| format!("; {skipped}"));
        return vec![format!("no SQL found in {}{skipped}", report.root)];
    }
    let mut lines = vec![findings(report, notes), statements(report)];
    lines.extend(report.databases.iter().map(database));
    lines.extend(report.guesses.iter().map(|guess| format!("guessed: {guess}")));
    lines.extend(skipped);
    lines
}

fn findings(report: &Report, notes: bool) -> String {
    let count = |severity, state| {
        let all = report.diagnostics.iter();
        all.filter(|one| one.state == state && severity == Some(one.severity)).count()
    };
    let fresh = |severity| count(Some(severity), State::New);
    let of_state = |state| Severity::ALL.iter().map(|&severity| count(Some(severity), state)).sum::<usize>();
    let mut parts: Vec<String> = Vec::new();
    let shown = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    for (severity, word) in shown.into_iter().filter(|(severity, _)| notes || *severity > Severity::Note) {
        let number = fresh(severity);
        parts.extend((number > 0).then(|| plural(number, word)));
    }
    let mut text = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
    for (number, word) in
        [(of_state(State::Baseline), "in the baseline"), (of_state(State::Suppressed), "allowed")]
    {
        text += &if number > 0 { format!("; {number} {word}") } else { String::new() };
    }
    let hidden = fresh(Severity::Note);
    if !notes && hidden > 0 {
        let them = if hidden == 1 { "it" } else { "them" };
        text += &format!("; {} hidden (--notes shows {them})", plural(hidden, "note"));
    }
    text
}

fn statements(report: &Report) -> String {
    let counts = report.statements;
    let parts = [
        (counts.found, "found"),
        (counts.planned, "planned"),
        (counts.dynamic, "dynamic"),
        (counts.refused, "refused"),
        (counts.foreign, "for another engine"),
        (counts.test, "in tests"),
    ];
    let parts: Vec<String> =
        parts.into_iter().map(|(number, word)| format!("{} {word}", grouped(number.into()))).collect();
    format!("statements: {}", parts.join(", "))
}

fn database(database: &DatabaseSummary) -> String {
    let from =
        if database.from.is_empty() { String::new() } else { format!(" from {}", database.from.join(", ")) };
    let found =
        if database.found == "configured" { "configured".to_owned() } else { database.found.clone() + &from };
    let numbers =
        [(database.tables, "table"), (database.indexes, "index"), (database.migrations, "migration")];
    let numbers: Vec<String> =
        numbers.into_iter().map(|(number, word)| plural(number as usize, word)).collect();
    let mut text = format!("database {} ({found}): {}", database.name, numbers.join(", "));
    if database.variants.len() > 1 {
        let variants: Vec<&str> = database.variants.iter().map(|variant| variant.id.as_str()).collect();
        text += &format!("; judged as {}", variants.join(", "));
    }
    text
}

fn skipped(report: &Report) -> Option<String> {
    let number = report.skipped.len();
    (number > 0).then(|| format!("{} not read (--list skipped)", plural(number, "file")))
}

fn plural(number: usize, word: &str) -> String {
    let ending = match (number, word) {
        (1, _) => "",
        (_, "index") => "es",
        _ => "s",
    };
    format!("{} {word}{ending}", grouped(number as u64))
}

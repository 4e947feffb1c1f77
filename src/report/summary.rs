//! The last lines of a report: what was found, what was looked at, and what was assumed.

use super::{BaselineSummary, ChangeSummary, DatabaseSummary, LogSummary, Report, State, coverage::Covered};
use crate::{config::Severity, growth::size::counted::grouped};

/// The most schemas of a database that are named.
const VARIANTS: usize = 4;
/// The most files or functions that are named as what makes a database.
const SOURCES: usize = 3;

/// A line each; a single one where there is nothing to say.
pub(super) fn lines(report: &Report, notes: bool) -> Vec<String> {
    let skipped = skipped(report);
    if let Some(ChangeSummary { since, is_staged, before: None }) = &report.change {
        return vec![match is_staged {
            true => "nothing that planlint reads is staged".to_owned(),
            false => format!("nothing that planlint reads was changed since {since}"),
        }];
    }
    if report.diagnostics.is_empty() && report.databases.is_empty() && report.statements.found == 0 {
        let skipped = skipped.map_or(String::new(), |skipped| format!("; {skipped}"));
        let why = if report.unread.is_empty() { "" } else { ": no file there is one that planlint reads" };
        return vec![format!("no SQL found in {}{why}{skipped}", report.root)];
    }
    let mut lines = vec![findings(report, notes)];
    lines.extend(unread(report));
    lines.extend(report.change.as_ref().map(before));
    lines.extend(report.baseline.as_ref().and_then(fixed));
    lines.push(statements(report));
    lines.extend(coverage(report));
    lines.extend(report.logs.iter().map(log));
    // Who makes a change knows the tree.
    if report.change.is_none() {
        lines.extend(report.databases.iter().map(database));
        lines.extend(report.guesses.iter().map(|guess| format!("guessed: {guess}")));
    }
    lines.extend(report.elsewhere.iter().map(|other| format!("planned as well with {other}")));
    lines.extend(report.by_plan_alone.then(|| "growth was not measured: judged by plans alone".to_owned()));
    lines.extend(skipped);
    lines
}

fn findings(report: &Report, notes: bool) -> String {
    let count = |state, severity| {
        let all = report.diagnostics.iter();
        all.filter(|one| one.state == state && one.severity == severity).count()
    };
    let of_state = |state| Severity::ALL.iter().map(|&severity| count(state, severity)).sum::<usize>();
    let hidden = if notes { 0 } else { count(State::New, Severity::Note) };
    let shown = Severity::ALL.iter().rev().filter(|&&severity| notes || severity > Severity::Note);
    let shown = shown.map(|&severity| (count(State::New, severity), severity.as_str()));
    let shown: Vec<String> =
        shown.filter(|(number, _)| *number > 0).map(|(number, word)| plural(number, word)).collect();
    let it = if hidden == 1 { "it" } else { "them" };
    let parts = [
        Some(match (shown.is_empty(), hidden) {
            (true, 0) => "no findings".to_owned(),
            (true, _) => "no errors or warnings".to_owned(),
            (false, _) => shown.join(", "),
        }),
        counted(of_state(State::Baseline), |number| format!("{number} in the baseline")),
        counted(of_state(State::Suppressed), |number| format!("{number} allowed")),
        counted(hidden, |number| format!("{} hidden (--notes shows {it})", plural(number, "note"))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Where the user asks for what is not read, no findings mean nothing.
fn unread(report: &Report) -> Option<String> {
    let (first, others) = report.unread.split_first()?;
    let more = counted(others.len(), |number| format!(" and {number} more"));
    Some(format!("no file that planlint reads is in {first}{}", more.unwrap_or_default()))
}

fn fixed(baseline: &BaselineSummary) -> Option<String> {
    let BaselineSummary { path, fixed, is_pruned } = baseline;
    let findings = plural(*fixed as usize, "finding");
    (*fixed > 0).then(|| match (fixed, is_pruned) {
        (1, true) => format!("1 finding of {path} is fixed, and was removed from it"),
        (_, true) => format!("{findings} of {path} are fixed, and were removed from it"),
        (1, false) => format!("1 finding of {path} is fixed: --prune removes it"),
        (_, false) => format!("{findings} of {path} are fixed: --prune removes them"),
    })
}

fn before(change: &ChangeSummary) -> String {
    let ChangeSummary { since, before, .. } = change;
    match before.unwrap_or(0) {
        0 => format!("only what was brought since {since} is reported"),
        1 => format!("only what was brought since {since} is reported; 1 finding was there before"),
        before => {
            format!("only what was brought since {since} is reported; {before} findings were there before")
        }
    }
}

fn counted(number: usize, text: impl Fn(usize) -> String) -> Option<String> {
    (number > 0).then(|| text(number))
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
    let parts = parts.map(|(number, word)| format!("{} {word}", grouped(number.into())));
    format!("statements: {}", parts.join(", "))
}

/// Where not all is planned, how much is; by language, where there are several.
fn coverage(report: &Report) -> Option<String> {
    if let Some(lacking) = report.lacks_coverage() {
        return Some(lacking);
    }
    let percent = |covered: &Covered| covered.percent().map(|percent| format!("{percent} %"));
    let whole = percent(&report.coverage.whole()).filter(|whole| whole != "100 %")?;
    let languages: Vec<String> = report
        .coverage
        .languages
        .iter()
        .filter_map(|one| Some(format!("{} {}", one.name, percent(one)?)))
        .collect();
    let languages = if languages.len() > 1 { format!(": {}", languages.join(", ")) } else { String::new() };
    Some(format!("coverage: {whole} of the statements are planned{languages} (--list coverage)"))
}

fn log(log: &LogSummary) -> String {
    let number = |number: u64, word: &str| plural(number as usize, word);
    let left_out = match log.left_out {
        0 => String::new(),
        left_out => format!("; {} of others not looked at, for there are too many", number(left_out, "run")),
    };
    let LogSummary { path, runs, different, others, .. } = log;
    let runs = number(*runs, "run");
    format!(
        "log {path}: {runs} of {}, {} without{left_out}",
        number(*different, "statement"),
        number(*others, "line")
    )
}

fn database(database: &DatabaseSummary) -> String {
    let found = match database.from.as_slice() {
        from if database.found != "configured" && !from.is_empty() => {
            format!("{} from {}", database.found, sources(from))
        }
        _ => database.found.clone(),
    };
    let numbers =
        [(database.tables, "table"), (database.indexes, "index"), (database.migrations, "migration")];
    let numbers = numbers.map(|(number, word)| plural(number as usize, word)).join(", ");
    let variants: Vec<&str> = database.variants.iter().map(|variant| variant.id.as_str()).collect();
    let judged = match variants.as_slice() {
        [] | [_] => String::new(),
        few if few.len() <= VARIANTS => format!("; judged as {}", few.join(", ")),
        [first, rest @ ..] => {
            format!("; judged as {first}, and as {} other schemas in the field", rest.len())
        }
    };
    let statistics = database.statistics.as_ref().map(|of| {
        let whose = if of.path.is_empty() { "the file" } else { of.path.as_str() };
        let what = if of.is_analyzed { "sizes and statistics" } else { "sizes" };
        let date = if of.date.is_empty() { String::new() } else { format!(", {}", of.date) };
        format!("; {what} by {whose}{date}")
    });
    format!("database {} ({found}): {numbers}{judged}{}", database.name, statistics.unwrap_or_default())
}

/// What makes a database, as far as it is shown.
fn sources(from: &[String]) -> String {
    // A file of SQL is its own name.
    let name = |one: &String| match one.split_once("::") {
        Some((path, name)) if path == name => path.to_owned(),
        _ => one.clone(),
    };
    let shown: Vec<String> = from.iter().take(SOURCES).map(name).collect();
    match from.len().saturating_sub(SOURCES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more (`planlint init` writes all down)", shown.join(", ")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_sources_a_few_are_named() {
        let from: Vec<String> = (1..=5).map(|number| format!("{number}.sql::{number}.sql")).collect();
        assert_eq!(sources(&from[..2]), "1.sql, 2.sql");
        assert_eq!(sources(&from), "1.sql, 2.sql, 3.sql and 2 more (`planlint init` writes all down)");
        assert_eq!(sources(&["a.go::up".to_owned()]), "a.go::up");
    }

    #[test]
    fn another_sqlite_that_was_asked_is_named() {
        let report = Report {
            elsewhere: Some("SQLite 3.40.1 (sqlite3)".to_owned()),
            ..crate::report::sample::report()
        };
        let said = lines(&report, false);
        assert!(said.contains(&"planned as well with SQLite 3.40.1 (sqlite3)".to_owned()), "{said:?}");
    }
}

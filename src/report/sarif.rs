//! The report as SARIF 2.1.0, the format of code scanning: rules, findings, places. Knows that standard; knows nothing
//! of who reads it. docs/output.md says what stands where.

use super::{
    Diagnostic, Place, Report, RuleSummary, State, Suppression, SuppressionKind,
    json::{BaselineOut, CountsOut, CureOut, JudgedOut, ObjectOut, SinceOut},
};
use crate::source::Skipped;
use serde::Serialize;
use std::fmt::Write as _;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where the program is to be found.
const HOME: &str = "https://crates.io/crates/planlint";

/// The name of the folder that all paths start from.
const ROOT: &str = "SRCROOT";

/// The report on one line, with a line break at its end. `below` is where the tree lies in its repository, as
/// `services/node/`: paths start at the root of that.
pub fn render(report: &Report, below: &str) -> String {
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run(report, below)] };
    // Strings, numbers and lists always have a JSON; an empty text would be the only other answer.
    let mut text = serde_json::to_string(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn run<'a>(report: &'a Report, below: &str) -> Run<'a> {
    let words = "The root of the git repository of the tree, else of the tree itself.";
    let notification = |skipped: &Skipped| Notification {
        level: "note",
        message: Text::new(&format!("Not read: {}.", skipped.reason)),
        locations: [Location { physical: artifact(&skipped.path, below), ..Location::default() }],
    };
    Run {
        tool: Tool { driver: driver(report) },
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: report.skipped.iter().map(notification).collect(),
        }],
        original_uri_base_ids: BaseIds { root: BaseId { description: Text::new(words) } },
        column_kind: "utf16CodeUnits",
        results: report.diagnostics.iter().map(|one| result(report, one, below)).collect(),
        properties: RunProperties {
            sqlite: &report.sqlite,
            statements: report.statements.into(),
            growth: report.by_plan_alone.then_some("not measured"),
            since: report.change.as_ref().map(SinceOut::from),
            baseline: report.baseline.as_ref().map(BaselineOut::from),
        },
    }
}

fn driver(report: &Report) -> Driver<'_> {
    Driver {
        name: "planlint",
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: HOME,
        rules: report.rules.iter().map(RuleOut::from).collect(),
    }
}

fn result<'a>(report: &'a Report, one: &'a Diagnostic, below: &str) -> Finding<'a> {
    let compared = report.baseline.as_ref().map(|_| one.state);
    let related = one.related.iter().map(|related| Location {
        message: Some(Text::new(&related.message)),
        ..location(&related.place, below)
    });
    let suppression = (one.state == State::Suppressed).then(|| suppressed(one.suppression.as_ref(), below));
    Finding {
        rule_id: &one.rule,
        rule_index: report.rules.iter().position(|rule| rule.name == one.rule),
        // The standard has the same words.
        level: one.severity.as_str(),
        message: Text::new(&message(one)),
        locations: one.place.iter().map(|place| found(one, place, below)).collect(),
        related_locations: related.collect(),
        partial_fingerprints: Fingerprints { planlint: &one.fingerprint },
        baseline_state: compared.and_then(|state| match state {
            State::New => Some("new"),
            State::Baseline => Some("unchanged"),
            State::Suppressed => None,
        }),
        suppressions: suppression.into_iter().collect(),
        properties: Properties {
            database: one.database.as_deref(),
            object: one.object.as_ref().map(ObjectOut::from),
            context: &one.context,
            judged: one.judged.iter().map(JudgedOut::from).collect(),
            cures: one.cures.iter().map(CureOut::from).collect(),
        },
    }
}

/// The fact, and what to do, as sentences.
fn message(one: &Diagnostic) -> String {
    let fact = one.message.trim_end();
    let stop = if fact.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{fact}{stop} {}", one.what_to_do()).trim_end().to_owned()
}

fn suppressed<'a>(why: Option<&'a Suppression>, below: &str) -> SuppressionOut<'a> {
    SuppressionOut {
        kind: match why.map(|why| why.kind) {
            Some(SuppressionKind::InSource) => "inSource",
            Some(SuppressionKind::External) | None => "external",
        },
        justification: why.map(|why| why.justification.as_str()),
        location: why.and_then(|why| why.place.as_ref()).map(|place| location(place, below)),
    }
}

/// The place of a finding, and the function around it.
fn found<'a>(one: &'a Diagnostic, place: &Place, below: &str) -> Location<'a> {
    let function = one.function.as_deref();
    let logical = function.map(|name| Logical { name, kind: "function" });
    Location { logical_locations: logical.into_iter().collect(), ..location(place, below) }
}

fn location<'a>(place: &Place, below: &str) -> Location<'a> {
    let (start, end) = (place.start, place.end);
    let region = Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    };
    let artifact = artifact(&place.path, below);
    Location { physical: Physical { region: Some(region), ..artifact }, ..Location::default() }
}

fn artifact(path: &str, below: &str) -> Physical {
    let uri = encoded(&format!("{below}{path}"));
    Physical { artifact_location: Artifact { uri, uri_base_id: ROOT }, region: None }
}

/// A path as a relative URI: whatever is not unreserved there is said in bytes.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string never fails.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    original_uri_base_ids: BaseIds,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
    properties: RunProperties<'a>,
}

#[derive(Serialize)]
struct RunProperties<'a> {
    sqlite: &'a str,
    statements: CountsOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<SinceOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<BaselineOut<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<RuleOut<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleOut<'a> {
    id: &'a str,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
}

impl<'a> From<&'a RuleSummary> for RuleOut<'a> {
    fn from(rule: &'a RuleSummary) -> Self {
        let markdown = escaped(&format!("{}\n\n**What to do:** {}", rule.why, rule.remedy));
        Self {
            id: &rule.name,
            short_description: Text::new(&rule.title),
            full_description: Text::new(&rule.why),
            help: Help { text: escaped(&rule.remedy), markdown },
            default_configuration: Configuration { level: rule.severity.as_str() },
        }
    }
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
}

#[derive(Serialize)]
struct BaseIds {
    #[serde(rename = "SRCROOT")]
    root: BaseId,
}

#[derive(Serialize)]
struct BaseId {
    description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    partial_fingerprints: Fingerprints<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    /// Empty says: not suppressed. Without the key it would be unknown.
    suppressions: Vec<SuppressionOut<'a>>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "planlint/v1")]
    planlint: &'a str,
}

#[derive(Serialize)]
struct SuppressionOut<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location<'a>>,
}

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectOut<'a>>,
    context: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    judged: Vec<JudgedOut<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cures: Vec<CureOut<'a>>,
}

/// A text for people.
#[derive(Serialize)]
struct Text {
    text: String,
}

impl Text {
    fn new(text: &str) -> Self {
        Self { text: escaped(text) }
    }
}

/// In messages braces are written twice: single ones hold the number of an argument (3.11.5 of the standard).
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(rename = "physicalLocation")]
    physical: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

/// Without bytes: readers take a region that has them for one of a binary file, and draw no text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Logical<'a> {
    name: &'a str,
    kind: &'static str,
}

#[cfg(test)]
mod tests;

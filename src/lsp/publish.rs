//! Diagnostics as editors show them, at their places as the texts are now. What stood in a text that was changed since the
//! run is withdrawn.

use super::{Options, client::Client, document::Document, program::Program, uri};
use crate::{
    config::Severity,
    report::{self, Failure, Place, State},
    run::{Outcome, Seen, Typed},
    source::{Source, relative},
};
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message,
    PublishDiagnosticsParams, Range,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What diagnostics are made from.
pub(super) struct Desk<'a> {
    pub client: Client,
    pub options: Options,
    pub root: &'a Path,
    pub program: &'a Program,
    /// All texts that are open, by where they lie.
    pub documents: &'a BTreeMap<PathBuf, Document>,
}

/// A finding at the place where it stands now.
pub(super) struct Placed<'a> {
    pub one: &'a report::Diagnostic,
    pub range: Range,
}

impl Desk<'_> {
    /// The files of which something is to be shown.
    pub fn paths(&self) -> BTreeSet<String> {
        let found = self.outcome().into_iter().flat_map(|outcome| &outcome.report.diagnostics);
        let found = found.filter(|one| self.is_shown(one)).filter_map(|one| one.place.as_ref());
        let failed = self.program.failure.as_ref().and_then(|failure| failure.excerpt.as_ref());
        found.map(|place| place.path.clone()).chain(failed.map(|excerpt| excerpt.path.clone())).collect()
    }

    /// All that is said of a file.
    pub fn publication(&self, path: &str) -> PublishDiagnosticsParams {
        let document = self.document(path);
        let mut diagnostics: Vec<Diagnostic> =
            self.placed(path).iter().map(|placed| self.diagnostic(placed)).collect();
        if let Some(document) = document {
            let typed =
                document.retold.seen.iter().map(|typed| typed_diagnostic(typed, document, self.client));
            diagnostics.extend(typed);
        }
        let failure = self.program.failure.as_ref();
        diagnostics.extend(failure.and_then(|failure| self.failure(failure, path)));
        PublishDiagnosticsParams {
            uri: document.map_or_else(|| uri::of(&self.root.join(path)), |one| one.uri.clone()),
            version: document.map(|one| one.version),
            diagnostics,
        }
    }

    /// The findings of a file that still stand.
    pub fn placed(&self, path: &str) -> Vec<Placed<'_>> {
        let all = self.outcome().into_iter().flat_map(|outcome| &outcome.report.diagnostics);
        let own = all.filter(|one| self.is_shown(one));
        let own = own.filter(|one| one.place.as_ref().is_some_and(|place| place.path == path));
        own.filter_map(|one| {
            let place = one.place.as_ref()?;
            self.range(place)?;
            Some(Placed { one, range: self.range(one.focus.as_ref().unwrap_or(place))? })
        })
        .collect()
    }

    fn is_shown(&self, one: &report::Diagnostic) -> bool {
        let notes =
            self.options.notes || self.outcome().is_some_and(|outcome| outcome.fail_on == Severity::Note);
        one.state == State::New && one.is_shown(notes)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.program.outcome.as_deref()
    }

    /// The text of the program that is open at a path.
    pub fn document(&self, path: &str) -> Option<&Document> {
        self.documents.get(&self.root.join(path)).filter(|one| one.program.as_deref() == Some(self.root))
    }

    /// Where a place of the last run stands now; `None` where its text was changed.
    fn range(&self, place: &Place) -> Option<Range> {
        let bytes = (place.start.offset, place.end.offset);
        if let Some(document) = self.document(&place.path) {
            let now = document.now(bytes)?;
            let is_changed = document
                .retold
                .changed
                .iter()
                .any(|(start, end)| now.0 < *end && *start < now.1.max(now.0 + 1));
            return (!is_changed).then(|| self.client.encoding.range(&document.source, now));
        }
        let (_, source) = self.outcome()?.sources.find(&place.path)?;
        Some(self.client.encoding.range(source, bytes))
    }

    pub fn diagnostic(&self, placed: &Placed<'_>) -> Diagnostic {
        let one = placed.one;
        let mut message = one.message.clone();
        let help = one.what_to_do();
        if !help.is_empty() {
            message = format!("{message}\nhelp: {help}");
        }
        let related = one.related.iter().filter_map(|related| {
            let range = self.range(&related.place)?;
            let uri = self
                .document(&related.place.path)
                .map_or_else(|| uri::of(&self.root.join(&related.place.path)), |one| one.uri.clone());
            let location = Location { uri, range };
            Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        if !self.client.shows_related {
            for one in &one.related {
                message = format!("{message}\nalso: {} {}", one.place.short(), one.message);
            }
        }
        Diagnostic {
            range: placed.range,
            severity: Some(severity(one.severity)),
            code: Some(Code::String(one.rule.clone())),
            source: Some("planlint".to_owned()),
            message: Message::String(message),
            related_information: (self.client.shows_related && !related.is_empty()).then_some(related),
            data: Some(serde_json::json!({ "fingerprint": one.fingerprint })),
            ..Diagnostic::default()
        }
    }

    /// Why nothing can be judged, where that stands in a file.
    fn failure(&self, failure: &Failure, path: &str) -> Option<Diagnostic> {
        let excerpt = failure.excerpt.as_ref().filter(|excerpt| excerpt.path == path)?;
        let read = Source::new(path, excerpt.text.as_str());
        let bytes = (excerpt.span.start as u32, excerpt.span.end as u32);
        let range = match self.document(path) {
            Some(document) => {
                let now = document.now_of(&excerpt.text, bytes)?;
                self.client.encoding.range(&document.source, now)
            }
            None => self.client.encoding.range(&read, bytes),
        };
        Some(Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::Error),
            source: Some("planlint".to_owned()),
            message: Message::String(text(failure)),
            ..Diagnostic::default()
        })
    }
}

/// A failure in words.
pub(super) fn text(failure: &Failure) -> String {
    match &failure.help {
        Some(help) => format!("{}\nhelp: {help}", failure.message),
        None => failure.message.clone(),
    }
}

/// What is seen of a statement while it is typed: nobody has judged it yet, so that it is no finding.
fn typed_diagnostic(typed: &Typed, document: &Document, client: Client) -> Diagnostic {
    let message = match &typed.seen {
        Seen::Refused(message) => format!("SQLite refuses this: {message}"),
        Seen::Scans(table) => format!("SQLite reads all rows of `{table}`, which grows"),
    };
    Diagnostic {
        range: client.encoding.range(&document.source, (typed.start, typed.end)),
        severity: Some(DiagnosticSeverity::Information),
        source: Some("planlint, as typed".to_owned()),
        message: Message::String(message),
        ..Diagnostic::default()
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    }
}

/// Whether of all programs this one is the nearest to a file of it.
pub(super) fn is_owned(root: &Path, path: &str, roots: &[PathBuf]) -> bool {
    let full = root.join(path);
    let nearest = roots.iter().filter(|other| relative(other, &full).is_some());
    nearest.max_by_key(|other| other.as_os_str().len()).is_none_or(|nearest| nearest == root)
}

/// Whether two ranges have something in common, be it an end.
pub(super) fn touches(one: Range, other: Range) -> bool {
    let before = |a: Range, b: Range| (a.end.line, a.end.character) < (b.start.line, b.start.character);
    !before(one, other) && !before(other, one)
}

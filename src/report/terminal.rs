//! The report for people. miette draws the source; everything else is plain lines that say the same without colour.

use super::{
    Diagnostic, Failure, Place, Related, Report,
    evidence::{self, Paragraph},
    summary,
};
use crate::{
    config::Severity,
    source::{Source, Sources},
};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};
use std::fmt;

/// How a terminal, or what stands in for it, wants the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Whether to use colour.
    pub color: bool,
    /// Whether to draw with more than ASCII.
    pub unicode: bool,
    /// Columns.
    pub width: usize,
    /// Whether to show notes.
    pub notes: bool,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self { color: false, unicode: true, width: 80, notes: false }
    }
}

/// A labelled range longer than this many lines is shown by its first line.
const MOST_LINES: u32 = 12;
/// Another place this many lines away is labelled in the same piece of source.
const NEAR_LINES: u32 = 6;
/// A source line longer than this many bytes is not drawn.
const LONGEST_LINE: u32 = 300;
/// Where the text beneath a finding starts.
const INDENT: usize = 10;
/// The columns in front of a message.
const MARGIN: usize = 4;
/// Those in front of a message without a header, which has the word `error:` there.
const MARGIN_OF_ERRORS: usize = 9;

/// The whole report: the findings that count, then what was looked at.
pub fn render(report: &Report, sources: &Sources, options: &TerminalOptions) -> String {
    let mut out = String::new();
    for one in report.diagnostics.iter().filter(|one| one.is_shown(options.notes)) {
        finding(&mut out, one, report.databases.len() > 1, sources, options);
        out.push('\n');
    }
    for line in summary::lines(report, options.notes) {
        push_wrapped(&mut out, "", &line, 0, options.width);
    }
    out
}

/// A failure, with its place in the file if it has one.
pub fn failure(failure: &Failure, options: &TerminalOptions) -> String {
    let excerpt = failure.excerpt.as_ref();
    let source = excerpt.map(|excerpt| Source::new(&*excerpt.path, &*excerpt.text));
    let range = excerpt.map(|excerpt| (excerpt.span.start as u32, excerpt.span.end as u32));
    let mut message = failure.message.clone();
    let mut labels = Vec::new();
    if let (Some(source), Some((start, end))) = (&source, range) {
        match label(source, start, end, None) {
            Some(label) => labels.push(label),
            None => message = format!("{}:{}: {message}", source.path, source.position(start).line),
        }
    }
    let drawn =
        Drawn { header: None, message: &message, severity: Severity::Error, source: source.as_ref(), labels };
    let mut theme = theme(options);
    // No header says what kind of message this is.
    "error:".clone_into(&mut theme.characters.error);
    let mut out = draw(&drawn, theme, options.width);
    if let Some(help) = &failure.help {
        push_paragraph(&mut out, &Paragraph { label: "help", lines: vec![help.clone()] }, options);
    }
    out
}

fn finding(out: &mut String, one: &Diagnostic, several: bool, sources: &Sources, options: &TerminalOptions) {
    let source = one.place.as_ref().and_then(|place| sources.find(&place.path)).map(|(_, source)| source);
    let mut labels = Vec::new();
    let mut beside: Vec<&Related> = one.related.iter().collect();
    let mut message = one.message.clone();
    // Offsets mean nothing in the source of another file.
    let focus =
        one.focus.as_ref().filter(|focus| one.place.as_ref().is_none_or(|place| place.path == focus.path));
    if let Some(place) = focus.or(one.place.as_ref()) {
        let function = one.function.as_ref().map(|function| format!("in `{function}`"));
        match source
            .and_then(|source| label(source, place.start.offset, place.end.offset, function.as_deref()))
        {
            Some(label) => {
                labels.push(label);
                beside.retain(|related| !near(place, related, source, &mut labels));
            }
            None => message = format!("{}: {message}", place.short()),
        }
    }
    let header = header(one, several);
    let drawn = Drawn { header: Some(&header), message: &message, severity: one.severity, source, labels };
    out.push_str(&draw(&drawn, theme(options), options.width));
    for paragraph in evidence::paragraphs(one, &beside) {
        push_paragraph(out, &paragraph, options);
    }
}

/// `warning: growing-table-scan`, and what is not the usual case.
fn header(one: &Diagnostic, several: bool) -> String {
    let database = one.database.as_ref().filter(|_| several);
    let database = database.map_or(String::new(), |name| format!(" in database {name}"));
    let context = match one.context.as_str() {
        "" | "production" => String::new(),
        context => format!(" ({} code)", context.replace('_', "-")),
    };
    format!("{}: {}{database}{context}", one.severity, one.rule)
}

/// Labels a related place in the same piece of source, if it stands close enough.
fn near(place: &Place, related: &Related, source: Option<&Source>, labels: &mut Vec<LabeledSpan>) -> bool {
    let other = &related.place;
    let apart =
        other.start.line.saturating_sub(place.end.line).max(place.start.line.saturating_sub(other.end.line));
    if other.path != place.path || apart > NEAR_LINES || source.is_some_and(Source::is_excerpt) {
        return false;
    }
    let message = Some(related.message.as_str());
    let label = source.and_then(|source| label(source, other.start.offset, other.end.offset, message));
    labels.extend(label.clone());
    label.is_some()
}

/// A label on a range, or on its first line where the range is long; `None` where the source can't be drawn.
fn label(source: &Source, start: u32, end: u32, text: Option<&str>) -> Option<LabeledSpan> {
    let (first, last) = (source.position(start).line, source.position(end.max(start)).line);
    let end = if last - first >= MOST_LINES { source.line(first).1 } else { end };
    let last = last.min(first + MOST_LINES);
    let drawable = |line| {
        let (from, to) = source.line(line);
        to - from <= LONGEST_LINE && source.slice(from, to).chars().all(is_harmless)
    };
    let in_text = source.text().get(start as usize..end as usize).is_some();
    let all = (first.saturating_sub(1).max(1)..=last + 1).all(drawable);
    let text = text.map(harmless);
    (in_text && all).then(|| LabeledSpan::new(text, start as usize, (end - start) as usize))
}

/// Whether a character only shows itself: a terminal obeys the others, and the text is that of strangers.
fn is_harmless(character: char) -> bool {
    character == '\t' || !character.is_control()
}

/// A text without what a terminal would obey.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|one| if is_harmless(one) { one } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Lines as they are meant, broken where they are too wide; what they are indented by, the rest of each is, too.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    text.lines().for_each(|line| push_wrapped(&mut out, "", line, 0, width));
    out
}

/// What miette is asked to draw.
#[derive(Debug)]
struct Drawn<'a> {
    header: Option<&'a str>,
    message: &'a str,
    severity: Severity,
    source: Option<&'a Source>,
    labels: Vec<LabeledSpan>,
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.header.map(|header| Box::new(header) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Note => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.filter(|_| !self.labels.is_empty()).map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// miette's own reading of a text counts its lines from the first at every label; the table of the source knows them.
impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset() as u32, (span.offset() + span.len()) as u32);
        let place = self.position(start);
        let last = self.position(end.saturating_sub(1).max(start)).line;
        // What stands around a line of an excerpt is not held.
        let around = if self.is_excerpt() { 0 } else { lines_before as u32 };
        let first = place.line.saturating_sub(around).max(1);
        let from = if lines_before == 0 { start } else { self.line(first).0 };
        let column = if lines_before == 0 { place.column - 1 } else { 0 };
        let to = self.line(last.saturating_add(lines_after as u32)).1.max(end);
        let data = self.text().get(from as usize..to as usize).ok_or(MietteError::OutOfBounds)?;
        let range = SourceSpan::new((from as usize).into(), data.len());
        let lines = (last - first) as usize + lines_after + 1;
        let (line, column) = (first as usize - 1, column as usize);
        let name = self.path.clone();
        Ok(Box::new(MietteSpanContents::new_named(name, data.as_bytes(), range, line, column, lines)))
    }
}

fn theme(options: &TerminalOptions) -> GraphicalTheme {
    GraphicalTheme {
        characters: if options.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() },
        styles: if options.color { colours() } else { ThemeStyles::none() },
    }
}

/// miette's own, but for yellow, which nobody reads on white.
fn colours() -> ThemeStyles {
    let mut styles = ThemeStyles::ansi();
    let first = styles.highlights.first().copied().unwrap_or_default();
    styles.highlights = styles.highlights.iter().copied().step_by(2).collect();
    ThemeStyles { warning: first, ..styles }
}

fn draw(drawn: &Drawn<'_>, theme: GraphicalTheme, width: usize) -> String {
    let mut out = String::new();
    let margin = if drawn.header.is_some() { MARGIN } else { MARGIN_OF_ERRORS };
    let message = filled(drawn.message, width.saturating_sub(margin));
    let drawn = Drawn { message: &message, labels: drawn.labels.clone(), ..*drawn };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_wrap_lines(false);
    // Writing to a string never fails, and a place outside its source was refused before.
    let _ = handler.without_cause_chain().with_links(false).render_report(&mut out, &drawn);
    out
}

fn push_paragraph(out: &mut String, paragraph: &Paragraph, options: &TerminalOptions) {
    let help = theme(options).styles.help;
    let mut before = format!(
        "{}{}: ",
        " ".repeat(INDENT.saturating_sub(paragraph.label.len() + 2)),
        help.style(paragraph.label)
    );
    for line in &paragraph.lines {
        push_wrapped(out, &before, line, INDENT, options.width);
        before = " ".repeat(INDENT);
    }
}

/// Paragraphs, broken where they are too wide.
pub fn prose(text: &str, width: usize) -> String {
    text.lines().map(|line| filled(line, width) + "\n").collect()
}

/// The parts between spaces; a literal of SQL is one of them, for it means something else when it is broken.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let (mut open, mut before) = (None, ' ');
    line.split(move |one| {
        let is_mark = matches!(one, '\'' | '"');
        // An apostrophe within a word is none.
        match open {
            Some(mark) if one == mark => open = None,
            None if is_mark && !before.is_alphanumeric() => open = Some(one),
            _ => {}
        }
        before = one;
        one == ' ' && open.is_none()
    })
}

/// A message, broken between words alone: a path or a name that is broken can't be copied.
fn filled(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in words(&harmless(text)) {
        let wide = word.chars().count();
        if column > 0 && column + 1 + wide > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += wide;
    }
    out
}

/// A line, broken between words where it is too wide; what follows the first break is indented further. `before` is
/// `indent` columns wide, whatever colours it holds.
pub(super) fn push_wrapped(out: &mut String, before: &str, line: &str, indent: usize, width: usize) {
    let deeper = indent + line.chars().take_while(|character| *character == ' ').count() + 2;
    out.push_str(before);
    let mut column = indent;
    for (index, word) in words(&harmless(line)).enumerate() {
        let wide = word.chars().count();
        if index > 0 && !word.is_empty() && column + 1 + wide > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(deeper));
            column = deeper;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += wide;
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

#[cfg(test)]
mod tests;

//! Files of SQL in which a template keeps some parts or leaves them out: `{#if …} … {#endif}`, `{% if … %}`, `{{if …}}`. What
//! stands under the first condition is taken to be there, what stands behind an `else` is not, but where a condition names an
//! engine. Values that a template puts in are numbers, or holes.

use super::{sql, text::Text};
use crate::source::SourceId;
use memchr::memmem;

/// How tags are written: what they begin with, and what they end with.
const TAGS: [(&str, &str); 3] = [("{#", "}"), ("{%", "%}"), ("{{", "}}")];

/// How many bytes a tag has at the most.
const LONGEST: usize = 300;

/// The engines that a condition asks for: SQLite, and others.
const OWN: &str = "sqlite";
const OTHERS: [&str; 6] = ["postgres", "mysql", "mariadb", "mssql", "oracle", "cockroach"];

/// What a tag does; a condition with whether it holds, where that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    If(Option<bool>),
    Else(Option<bool>),
    End,
    Comment,
}

/// A condition that is open: whether what stands here is left out, and whether an arm of it was taken. Of one that is not known the
/// first is.
struct Open {
    is_out: bool,
    is_taken: bool,
}

struct Tag {
    start: usize,
    end: usize,
    word: Word,
}

/// The SQL of a file: all of it, or what raw strings of C++ hold that are the whole of it, where `#include` puts them between `=` and `;`:
/// `R"sql(` … `)sql"`.
#[must_use]
pub(super) fn bare(text: &str, source: SourceId) -> Text {
    let Some(parts) = inside(text) else { return Text::exact(text, source, 0) };
    let mut whole = Text::default();
    for (start, content) in parts {
        whole.append(&Text::exact(content, source, start as u32));
    }
    whole
}

/// What stands in the raw strings of C++ that are the whole of a text, one behind the other, and where each starts.
fn inside(text: &str) -> Option<Vec<(usize, &str)>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while !rest.is_empty() {
        let (delimiter, behind) = rest.strip_prefix("R\"")?.split_once('(')?;
        let end = behind.find(&format!("){delimiter}\""))?;
        parts.push((text.len() - behind.len(), behind.get(..end)?));
        rest = behind.get(end + delimiter.len() + 2..)?.trim_start();
    }
    (!parts.is_empty()).then_some(parts)
}

/// The text without its tags, and without what stands behind an `else`. One whose tags do not belong together stays.
#[must_use]
pub(super) fn settle(text: Text) -> Text {
    let content = text.as_str();
    let tags = tags(content);
    if !tags.iter().any(|tag| matches!(tag.word, Word::If(_))) {
        return text;
    }
    let mut settled = Text::default();
    let mut open: Vec<Open> = Vec::new();
    let mut from = 0;
    for tag in &tags {
        if !open.iter().any(|one| one.is_out) {
            settled.append(&text.part(from, tag.start));
        }
        from = tag.end;
        match (tag.word, open.last_mut()) {
            (Word::Comment, _) => {}
            (Word::If(holds), _) => {
                let is_out = holds == Some(false);
                open.push(Open { is_out, is_taken: !is_out });
            }
            (Word::Else(holds), Some(last)) => {
                last.is_out = last.is_taken || holds == Some(false);
                last.is_taken |= !last.is_out;
            }
            (Word::End, Some(_)) => {
                open.pop();
            }
            (_, None) => return text,
        }
    }
    if !open.is_empty() {
        return text;
    }
    settled.append(&text.part(from, content.len()));
    settled
}

/// The text with a number in the place of each value that a template of Go puts in, `{{.Name}}`, and a hole elsewhere.
#[must_use]
pub(super) fn values(text: Text) -> Text {
    let text = placeholders(text);
    let content = text.as_str();
    if !content.contains("{{") {
        return text;
    }
    let mut filled = Text::default();
    let (mut from, mut quotes) = (0, 0);
    while let Some(start) = content.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at) {
        quotes += content.get(from..start).map_or(0, |part| part.matches('\'').count());
        let inner = content.get(start + 2..).and_then(|rest| rest.get(..rest.find("}}")?));
        let Some(inner) = inner else { break };
        let end = start + inner.len() + 4;
        quotes += inner.matches('\'').count();
        let path = inner.trim_matches('-').trim();
        let is_path = |one: char| one.is_alphanumeric() || one == '_' || one == '.';
        filled.append(&text.part(from, start));
        // In quotes it may be what a program keeps.
        let is_value = path.starts_with('.') && path.chars().all(is_path) && quotes % 2 == 0;
        let name = path.rsplit('.').next().unwrap_or("");
        let is_joined =
            || content.get(end..).is_some_and(|rest| rest.starts_with(|one: char| one.is_alphanumeric()));
        match (text.locate(start as u32), is_value) {
            // What all names begin with tells none from another.
            (_, true) if name.to_ascii_lowercase().ends_with("prefix") && is_joined() => {}
            (Some((source, offset)), true) => {
                // A constant of the program: where an index has it too, the text has to say the same.
                if filled.as_str().trim_end().ends_with(|sign: char| "&|=<>+-*/%~".contains(sign)) {
                    filled.push_at(&sql::put_in(name).to_string(), source, offset);
                } else {
                    filled.push_hole(name, false, source, offset);
                }
            }
            _ => filled.append(&text.part(start, end)),
        }
        from = end;
    }
    filled.append(&text.part(from, content.len()));
    filled
}

/// The text without what a program replaces before it runs it, `$%NAME%$`: the key that numbers rows, where its name says so, or a
/// hole. No SQL has these signs.
fn placeholders(text: Text) -> Text {
    const SIGNS: (&str, &str) = ("$%", "%$");
    let content = text.as_str();
    let mut filled = Text::default();
    let (mut from, mut quotes) = (0, 0);
    while let Some(start) = content.get(from..).and_then(|rest| rest.find(SIGNS.0)).map(|at| from + at) {
        quotes += content.get(from..start).map_or(0, |part| part.matches('\'').count());
        let inner = content.get(start + SIGNS.0.len()..).and_then(|rest| rest.get(..rest.find(SIGNS.1)?));
        let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
        let name = inner.filter(|name| quotes % 2 == 0 && !name.is_empty() && name.chars().all(is_word));
        let Some(name) = name else { break };
        let Some((source, offset)) = text.locate(start as u32) else { break };
        filled.append(&text.part(from, start));
        let upper = name.to_ascii_uppercase();
        if upper.contains("AUTO") && upper.contains("KEY") {
            filled.push_at("INTEGER PRIMARY KEY AUTOINCREMENT", source, offset);
        } else {
            filled.push_hole(name, false, source, offset);
        }
        from = start + SIGNS.0.len() + name.len() + SIGNS.1.len();
    }
    if from == 0 {
        return text;
    }
    filled.append(&text.part(from, content.len()));
    filled
}

/// The tags that begin a condition, turn it, or end it.
fn tags(content: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut from = 0;
    while let Some(at) = content.get(from..).and_then(|rest| rest.find('{')).map(|at| from + at) {
        let rest = content.get(at..).unwrap_or("");
        let found = TAGS.iter().find(|(open, _)| rest.starts_with(open)).and_then(|(open, close)| {
            let inner = rest.get(open.len()..)?;
            let near = inner.as_bytes().get(..LONGEST).unwrap_or(inner.as_bytes());
            let length = memmem::find(near, close.as_bytes())?;
            Some((inner.get(..length)?, open.len() + length + close.len()))
        });
        from = at + 1;
        if let Some((inner, length)) = found
            && let Some(word) = word(inner)
        {
            tags.push(Tag { start: at, end: at + length, word });
            from = at + length;
        }
    }
    tags
}

fn word(inner: &str) -> Option<Word> {
    // `{# … #}` is a comment.
    if inner.ends_with('#') {
        return None;
    }
    let inner = inner.trim_matches(['-', '#', '~']).trim_start();
    if inner.starts_with("/*") {
        return Some(Word::Comment);
    }
    let first = inner.split(|one: char| one.is_whitespace() || one == '(').next()?;
    match first.trim_end_matches('-') {
        "if" | "ifdef" => Some(Word::If(holds(inner))),
        "unless" | "ifndef" => Some(Word::If(holds(inner).map(|holds| !holds))),
        "else" | "elif" | "elseif" => Some(Word::Else(holds(inner))),
        "end" | "endif" | "/if" | "/unless" | "fi" => Some(Word::End),
        _ => None,
    }
}

/// Whether a condition that asks for an engine, and for nothing else, holds for SQLite.
fn holds(condition: &str) -> Option<bool> {
    let lower = condition.to_ascii_lowercase();
    let words = || lower.split(|one: char| !(one.is_alphanumeric() || one == '_'));
    let has = |one: &str| words().any(|word| word == one);
    let (own, other) = (lower.contains(OWN), OTHERS.iter().any(|one| lower.contains(one)));
    let is_denied = has("not") || has("ne") || lower.contains('!');
    let is_of_several = has("and") || has("or") || lower.contains("&&") || lower.contains("||");
    ((own || other) && !is_of_several).then_some(own != is_denied)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(text: &str) -> String {
        settle(Text::exact(text, SourceId(0), 0)).as_str().to_owned()
    }

    #[test]
    fn what_stands_under_a_condition_is_there_and_what_stands_behind_its_else_is_not() {
        assert_eq!(settled("a {#if v >= 3} b {#endif} c"), "a  b  c");
        assert_eq!(settled("a {% if x %}b{% else %}c{% endif %} d"), "a b d");
        assert_eq!(settled("{{- if .X -}}a{{else}}b{{if .Y}}c{{end}}d{{end}}e"), "ae");
        assert_eq!(settled("{{#if x}}a{{/if}}"), "a");
        assert_eq!(
            settled("{{- /* no b */ -}}{{if .postgres}}a{{else}}b{{end}}{{if .sqlite}}c{{end}}"),
            "bc"
        );
        assert_eq!(
            settled("{{if .mysql}}a{{else if .sqlite}}b{{else}}c{{end}}{{if not .sqlite}}d{{end}}"),
            "b"
        );
    }

    #[test]
    fn a_condition_that_asks_for_an_engine_is_settled() {
        assert_eq!(settled("{{if eq .Engine \"sqlite\"}}a{{end}}{{if ne .Engine \"sqlite\"}}b{{end}}"), "a");
        assert_eq!(settled("{% if engine == 'mysql' %}a{% elif engine == 'sqlite' %}b{% endif %}"), "b");
        assert_eq!(settled("{{if and .sqlite (not .readonly)}}a{{end}}"), "a");
    }

    #[test]
    fn what_a_template_puts_in_is_a_number_or_a_hole_of_its_name() {
        let text = |sql: &str| values(Text::exact(sql, SourceId(0), 0));
        let (mask, same) = (text("a & {{.Mask}}"), text("a & {{ .All.Mask }}"));
        assert!(mask.holes().is_empty() && mask.as_str() == same.as_str());
        assert_ne!(mask.as_str(), text("a & {{.Other}}").as_str());
        let kept = text("SELECT '{{.Kept}}' FROM {{.Table}} {{range .X}} {{");
        assert_eq!(kept.as_str(), "SELECT '{{.Kept}}' FROM \u{1} {{range .X}} {{");
        assert_eq!(kept.holes().iter().map(|hole| hole.name.as_str()).collect::<Vec<_>>(), ["Table"]);
    }

    #[test]
    fn what_a_program_replaces_is_a_hole_or_the_key_that_it_names() {
        let text = |sql: &str| values(Text::exact(sql, SourceId(0), 0));
        let made = text("CREATE TABLE a (id $%AUTO_KEY%$, b $%KIND%$)");
        assert_eq!(made.as_str(), "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, b \u{1})");
        assert_eq!(made.holes().iter().map(|hole| hole.name.as_str()).collect::<Vec<_>>(), ["KIND"]);
        for kept in ["a LIKE '$%b%$'", "a = $1 AND b LIKE $%$", "$%%$", "$%a", "$%ä%$"] {
            assert_eq!(text(kept).as_str(), kept);
        }
    }

    #[test]
    fn what_a_file_of_cpp_puts_in_is_sql_in_a_raw_string() {
        assert_eq!(inside("\nR\"sql(\nSELECT (1)\n)sql\"\n"), Some(vec![(7, "\nSELECT (1)\n")]));
        assert_eq!(
            inside("R\"(SELECT 1;)\" R\"(SELECT 2)\""),
            Some(vec![(3, "SELECT 1;"), (18, "SELECT 2")])
        );
        assert_eq!(inside("R\"a(SELECT 1)b\""), None);
        assert_eq!(inside("SELECT R\"(1)\""), None);
    }

    #[test]
    fn what_is_no_condition_stays() {
        assert_eq!(settled("{% if x %}a{# end of it #}{% endif %}"), "a{# end of it #}");
        for text in
            ["SELECT '{\"a\": {}}'", "a {{ name }} b", "a {#if x} b", "a {#endif} b {#if}", "{#", "{% if"]
        {
            assert_eq!(settled(text), text);
        }
    }
}

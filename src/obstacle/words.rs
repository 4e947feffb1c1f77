//! Parts of texts, as words of a message.

use crate::{
    extract::names::expressions::{self, Form},
    schema::{quoted, tokens::Tokens},
};

/// The longest text that is shown.
const LONGEST: usize = 60;

/// A text in one line.
pub(super) fn line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let start: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", start.trim_end())
}

/// A text as code.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", line(text))
}

/// Names in a row.
pub(super) fn list(names: &[&str]) -> String {
    names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")
}

/// Conditions that must all hold, each once; `None` where there is none.
pub(super) fn conditions(all: &[String]) -> Option<String> {
    let mut said: Vec<&str> = Vec::new();
    for one in all {
        if !said.contains(&one.as_str()) {
            said.push(one);
        }
    }
    let (last, before) = said.split_last()?;
    Some(if before.is_empty() { (*last).to_owned() } else { format!("{} and {last}", before.join(", ")) })
}

/// A name as one would write it.
pub fn name(name: &str) -> String {
    let is_plain = name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_')
        && !name.starts_with(|next: char| next.is_ascii_digit());
    // A word of SQL is none that can be written so.
    let read = expressions::conditions(&format!("SELECT 1 WHERE {name}"));
    let is_column = matches!(read.as_slice(), [one] if matches!(&one.expression.form, Form::Column { .. }));
    if is_plain && is_column { name.to_owned() } else { quoted(name) }
}

/// A whole text in one line: what stands between its tokens becomes one space.
pub(super) fn line_of(text: &str) -> String {
    let (mut line, mut last) = (String::new(), 0);
    for token in Tokens::from(text, 0) {
        if token.start > last && !line.is_empty() {
            line.push(' ');
        }
        line.push_str(token.text);
        last = token.end;
    }
    line
}

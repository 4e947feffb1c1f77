//! Parts of texts, as words of a message.

use crate::{
    extract::{
        names::expressions::{self, Expression, Form},
        sql::is_put_in,
    },
    plan::Plan,
    schema::{Objects, quoted, replan::TRIAL, same, tokens::Tokens},
};
use std::borrow::Cow;

/// What stands behind a column of an index from the greatest value down.
pub(super) const DESCENDING: &str = " DESC";

/// The longest text that is shown.
const LONGEST: usize = 60;

/// A text in one line.
pub(super) fn line(text: &str) -> String {
    let words =
        text.split_whitespace().map(|word| match word.trim_matches(|one: char| !one.is_ascii_digit()) {
            number if is_put_in(number) => Cow::Owned(word.replace(number, "{{…}}")),
            _ => Cow::Borrowed(word),
        });
    let line = words.collect::<Vec<_>>().join(" ");
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

/// The name of a new index on terms of a table, as one would write it: one that nothing has, nor one of those beside it.
pub(crate) fn index_name(objects: &Objects, table: &str, terms: &str, beside: &[String]) -> String {
    let words = terms.split(|next: char| !next.is_ascii_alphanumeric() && next != '_');
    let words = words.filter(|word| !word.is_empty() && !same(word, "COLLATE")).take(6);
    let words: Vec<&str> = std::iter::once(table).chain(words).collect();
    let made = words.join("_").to_lowercase();
    let is_taken = |made: &str| {
        objects.indexes.iter().any(|one| same(&one.name, made))
            || objects.tables.iter().any(|one| same(&one.name, made))
            || beside.iter().any(|one| same(one, &name(made)))
    };
    let free = (2..100).map(|number| format!("{made}_{number}")).find(|name| !is_taken(name));
    let made = if is_taken(&made) { free.unwrap_or(made) } else { made };
    name(&made)
}

/// The rows of a plan with indexes on trial, by the names that these would have.
pub(super) fn renamed(plan: &Plan, names: &[String]) -> Vec<String> {
    // From the last on: the name of the first begins that of the eleventh.
    let renamed = |line: String| -> String {
        let numbered = names.iter().enumerate().rev();
        numbered.fold(line, |line, (number, name)| line.replace(&format!("{TRIAL} {number}"), name))
    };
    plan.lines().into_iter().map(renamed).collect()
}

/// Whether one of these functions is called within some parts of an expression.
pub(super) fn calls(parts: &[&Expression], names: &[&str]) -> bool {
    parts.iter().any(|part| matches!(&part.form, Form::Call(name, _) if names.contains(&name.as_str())))
}

/// What to do where an expression of these parts stands around a column.
pub(super) fn unwrapping(parts: &[&Expression], side: &str, column: &str) -> Option<String> {
    // From what these tell of a value, it can't be told again.
    const LOSSY: [&str; 8] =
        ["length", "octet_length", "abs", "round", "typeof", "instr", "unicode", "json_extract"];
    let is_bound = parts.iter().any(|part| part.form == Form::Parameter);
    if calls(parts, &LOSSY) {
        return (!is_bound).then(|| format!("Put {side} into an index"));
    }
    let in_index = if is_bound { "" } else { ", or put the expression into an index" };
    Some(format!("Compare {column} alone{in_index}"))
}

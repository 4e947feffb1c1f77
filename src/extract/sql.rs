//! Whether a text is meant to be SQL, by its first words. A sieve and no judge: SQLite has the last word.

mod spaced;
mod verbs;

pub use spaced::spaced;

use std::borrow::Cow;
use verbs::{creates, inserts, is_sentence, select, update};

/// How sure the first words of a text make us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// Not SQL.
    No,
    /// SQL if it is handed to something that runs SQL: `commit`, or prose that starts with such a word.
    Perhaps,
    /// SQL.
    Yes,
}

/// The text behind leading white space, comments and opening parentheses.
pub fn skip_leading(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|character: char| {
            character.is_whitespace() || "(;\u{feff}".contains(character)
        });
        let behind = skip_leading_comment(rest);
        if behind.len() == rest.len() {
            return rest;
        }
        rest = behind;
    }
}

/// Judges the first words.
pub fn looks(text: &str) -> Looks {
    let rest = skip_leading(text);
    let (verb, rest) = word(rest);
    let (second, rest) = word(skip_leading(rest));
    let (third, behind) = word(skip_leading(rest));
    // "delete from cache: failed": no parameter is called nothing.
    if [rest, behind].iter().any(|rest| rest.starts_with(": ")) {
        return Looks::No;
    }
    let after = second.to_ascii_lowercase();
    let yes = |is: bool| if is { Looks::Yes } else { Looks::No };
    match verb.to_ascii_lowercase().as_str() {
        "select" => select(verb, text),
        "insert" => yes(matches!(after.as_str(), "into" | "or") || second.is_empty() && inserts(text)),
        "replace" => yes(after == "into"),
        "delete" => yes(after == "from"),
        "update" => update(&after, text),
        "create" => yes(matches!(
            after.as_str(),
            "table" | "index" | "unique" | "view" | "trigger" | "temp" | "temporary" | "virtual"
        ) && !is_sentence(text)
            || creates(text)),
        "drop" => yes(matches!(after.as_str(), "table" | "index" | "view" | "trigger") && !is_sentence(text)),
        "alter" => yes(after == "table"),
        "pragma" => yes(!second.is_empty()),
        "with" => {
            yes(third.eq_ignore_ascii_case("as") || (text.contains('(') && contains_word(text, "select")))
        }
        "values" | "explain" | "analyze" | "analyse" | "reindex" | "vacuum" | "attach" | "detach"
        | "begin" | "commit" | "rollback" | "end" | "savepoint" | "release" => Looks::Perhaps,
        _ => Looks::No,
    }
}

/// Whether a literal, by itself, is SQL or the start of it, and no sentence that begins with one of its verbs.
pub fn is_likely(literal: &str) -> bool {
    let text = skip_leading(literal);
    let (verb, rest) = word(text);
    let is = |words: &[&str]| words.iter().any(|one| verb.eq_ignore_ascii_case(one));
    // `DELETE ` and what is put on.
    let is_cut = || {
        let (_, behind) = word(skip_leading(rest));
        !skip_leading(behind).starts_with(is_word)
    };
    match looks(literal) {
        Looks::Yes => true,
        Looks::Perhaps if verb.bytes().all(|byte| byte.is_ascii_uppercase()) => true,
        Looks::Perhaps if is(&["select"]) => rest.contains(',') || (is_cut() && !rest.is_empty()),
        Looks::Perhaps => {
            let (second, _) = word(skip_leading(rest));
            let ends = ["", "immediate", "exclusive", "deferred", "transaction"];
            is(&["begin", "commit", "rollback"]) && ends.iter().any(|end| second.eq_ignore_ascii_case(end))
        }
        Looks::No => {
            is(&["insert", "replace", "delete", "update", "create", "drop", "alter", "with"])
                && is_cut()
                && !rest.is_empty()
        }
    }
}

/// Whether a text only reads, and so makes no schema.
pub fn is_read(text: &str) -> bool {
    skip_leading(text).get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case("select"))
}

/// Whether a statement of a text makes or changes schema.
pub fn makes_schema(text: &str) -> bool {
    let is_verb = |verb: &str| ["create", "alter", "drop"].iter().any(|one| verb.eq_ignore_ascii_case(one));
    if is_verb(word(skip_leading(text)).0) {
        return true;
    }
    // Behind another, as one that begins a transaction.
    let mut is_first = false;
    text.contains(';')
        && tokens(text).any(|token| {
            let is_found = is_first && is_verb(token.text);
            is_first = token.text == ";";
            is_found
        })
}

/// `CREATE TEMP TRIGGER`, and the like, where a text begins with it.
pub fn begins_temporary(sql: &str) -> bool {
    let mut words = skip_leading(sql).split_whitespace().map(str::to_ascii_lowercase);
    words.next().as_deref() == Some("create") && matches!(words.next().as_deref(), Some("temp" | "temporary"))
}

/// Whether each line of a text is a statement, and nothing parts them: what runs it takes it apart by lines.
pub fn is_by_lines(text: &str) -> bool {
    const VERBS: [&str; 6] = ["create", "drop", "alter", "insert", "delete", "pragma"];
    let is_statement = |line: &str| {
        let (verb, _) = word(line.trim_start());
        VERBS.iter().any(|one| verb.eq_ignore_ascii_case(one)) && looks(line) == Looks::Yes
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    !text.contains(';') && text.contains('\n') && lines.clone().nth(1).is_some() && lines.all(is_statement)
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find(|character| !is_word(character)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or(("", text))
}

/// No program has numbers such as those that stand for what templates put in.
const PUT_IN: u64 = 7_700_000_000;

/// A number for what a template puts in under a name: the same wherever it has that name.
pub(super) fn put_in(name: &str) -> u64 {
    PUT_IN + name.bytes().fold(7, |number, byte| (number * 31 + u64::from(byte)) % 99_991)
}

/// Whether a number stands for what a template puts in.
pub fn is_put_in(number: &str) -> bool {
    number.parse().is_ok_and(|number: u64| (PUT_IN..PUT_IN + 100_000).contains(&number))
}

/// Whether the content of a literal begins with a clause that goes on with a statement, and not with a sentence.
pub fn begins_clause(content: &str) -> bool {
    let content = content.trim_start_matches(|one: char| one.is_whitespace() || "'\"`)\\".contains(one));
    let mut words = content.split(|one: char| !one.is_alphanumeric() && one != '_');
    let (first, second) = (words.next().unwrap_or(""), words.find(|word| !word.is_empty()).unwrap_or(""));
    let is_second = |wanted: &[&str]| wanted.iter().any(|one| second.eq_ignore_ascii_case(one));
    let behind = content.get(first.len()..).unwrap_or("").trim_start();
    let is_number = behind.is_empty()
        || behind.starts_with(|one: char| one.is_ascii_digit() || "?:$@%{'\"`-".contains(one));
    let compares =
        || behind.contains(['=', '<', '>', '(', '?']) || behind.to_ascii_lowercase().contains(" is ");
    match first.to_ascii_lowercase().as_str() {
        "order" | "group" => is_second(&["by"]),
        "limit" | "offset" => is_number,
        "left" => is_second(&["join", "outer"]),
        "inner" => is_second(&["join"]),
        "union" | "intersect" | "except" => is_second(&["select", "all"]),
        "join" | "returning" => !second.is_empty() && first.chars().all(char::is_uppercase),
        "where" | "and" | "or" | "on" | "having" => compares(),
        _ => false,
    }
}

/// Whether a text begins with a word, in any case.
pub fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// Whether a word, or some with signs between them, stand in the text, in any case, not as a part of others.
pub fn contains_word(text: &str, word: &str) -> bool {
    let begins = |at: usize| !text.get(..at).is_some_and(|front| front.ends_with(is_word));
    let ends = |at: usize| !text.get(at..).is_some_and(|rest| rest.starts_with(is_word));
    let is_it = |at: &usize| text.get(*at..).is_some_and(|rest| begins_with(rest, word));
    (0..text.len()).filter(is_it).any(|at| begins(at) && ends(at + word.len()))
}

/// Whether a value of a PRAGMA means yes, as SQLite reads it: a word, or a number that is not zero.
pub fn is_on(value: &str) -> bool {
    let value = value.trim();
    let is_number = value.starts_with(|one: char| one.is_ascii_digit());
    let zeros = value.trim_start_matches('0');
    ["on", "yes", "true"].iter().any(|word| value.eq_ignore_ascii_case(word))
        || (is_number && zeros.starts_with(|one: char| one.is_ascii_digit()))
}

/// The text without white space, comments and names of parameters, holes as parameters, words in lower case: what stays
/// the same when a statement is moved or formatted anew.
pub fn key(sql: &str) -> String {
    let mut key = String::with_capacity(sql.len());
    for Token { text, gap, .. } in tokens(sql) {
        if gap && key.ends_with(is_word) && text.starts_with(is_word) {
            key.push(' ');
        }
        key.push_str(&normal(text));
    }
    key.trim_end_matches(';').to_owned()
}

/// What statements have in common that differ in their values alone. What an INSERT puts in is a value, however many there are.
pub fn shape(sql: &str) -> String {
    let mut shape = String::new();
    for token in tokens(sql) {
        let first = token.text.chars().next().unwrap_or(' ');
        if shape.starts_with("insert ") && token.text.eq_ignore_ascii_case("values") {
            break;
        }
        match first {
            '\'' | '0'..='9' => shape.push('?'),
            _ => shape.push_str(&normal(token.text)),
        }
        shape.push(' ');
    }
    shape
}

/// A token of a text that need not be SQLite's alone, and where it begins.
pub(super) struct Token<'a> {
    pub at: usize,
    pub text: &'a str,
    /// White space or a comment stands in front of it.
    gap: bool,
}

/// The tokens of a text; operators of several signs are so many.
pub(super) fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut gap = false;
    pieces(sql).filter_map(move |piece| match piece {
        Piece::Space | Piece::Comment(..) => {
            gap = true;
            None
        }
        Piece::Token(at, text) => Some(Token { at, text, gap: std::mem::take(&mut gap) }),
    })
}

/// A token with any name of a parameter, or hole. What is not quoted is the same in any case; SQLite folds letters of ASCII alone.
fn normal(token: &str) -> Cow<'_, str> {
    if token.starts_with(['?', ':', '@', '$', '\u{1}']) && token != ":" {
        Cow::Borrowed("?")
    } else if token.starts_with(is_word) {
        Cow::Owned(token.to_ascii_lowercase())
    } else {
        Cow::Borrowed(token)
    }
}

pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A part of a text.
enum Piece<'a> {
    Space,
    /// The bytes of a comment.
    Comment(usize, usize),
    Token(usize, &'a str),
}

/// The parts of a text, one after the other.
fn pieces(sql: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = sql;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let at = sql.len() - rest.len();
        let comment = skip_leading_comment(rest);
        if comment.len() < rest.len() {
            rest = comment;
            return Some(Piece::Comment(at, sql.len() - rest.len()));
        }
        if first.is_whitespace() {
            rest = rest.trim_start();
            return Some(Piece::Space);
        }
        let (token, behind) = rest.split_at_checked(token_length(rest, first)).unwrap_or((rest, ""));
        rest = behind;
        Some(Piece::Token(at, token))
    })
}

/// The ranges of the comments of a text.
pub fn comments(sql: &str) -> Vec<(usize, usize)> {
    // Most texts have none.
    if !sql.contains("--") && !sql.contains("/*") {
        return Vec::new();
    }
    let bytes =
        |piece: Piece<'_>| if let Piece::Comment(start, end) = piece { Some((start, end)) } else { None };
    pieces(sql).filter_map(bytes).collect()
}

/// The text behind a comment, if it starts with one.
pub fn skip_leading_comment(text: &str) -> &str {
    if let Some(comment) = text.strip_prefix("--") {
        return comment.split_once('\n').map_or("", |(_, after)| after);
    }
    text.strip_prefix("/*").map_or(text, |comment| comment.split_once("*/").map_or("", |(_, after)| after))
}

/// The length of the token that a text starts with: a string, a word, a parameter, or one sign.
fn token_length(text: &str, first: char) -> usize {
    let body = text.get(first.len_utf8()..).unwrap_or("");
    let word = |text: &str| text.find(|character| !is_word(character)).unwrap_or(text.len());
    match first {
        '\'' | '"' | '`' => body.find(first).map_or(text.len(), |end| end + 2),
        '?' => text.len() - body.trim_start_matches(|one: char| one.is_ascii_digit()).len(),
        ':' | '@' | '$' => 1 + word(body),
        _ if is_word(first) => word(text),
        _ => first.len_utf8(),
    }
}

/// The first words of SQL, as [`looks`] knows them.
const VERBS: [&str; 24] = [
    "select",
    "insert",
    "replace",
    "delete",
    "update",
    "create",
    "drop",
    "alter",
    "pragma",
    "with",
    "values",
    "explain",
    "analyze",
    "analyse",
    "reindex",
    "vacuum",
    "attach",
    "detach",
    "begin",
    "commit",
    "rollback",
    "end",
    "savepoint",
    "release",
];

/// The text behind white space, also such as is written as an escape.
fn behind_space(content: &str) -> &str {
    let mut rest = content.trim_start();
    while let Some(escape) = rest.strip_prefix('\\') {
        let mut characters = escape.chars();
        if characters.next().is_none() {
            return "";
        }
        rest = characters.as_str().trim_start();
    }
    rest
}

/// A literal without the margin that Kotlin's `trimMargin` and Scala's `stripMargin` cut off.
pub fn behind_margin(content: &str) -> &str {
    content.trim_start().strip_prefix('|').unwrap_or(content)
}

/// Whether a literal could start SQL: a quick look at the first letters, for every string of a tree.
pub fn may_start(content: &str) -> bool {
    let content = behind_space(content);
    let mut bytes = content.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let Some(first) = bytes.next() else { return false };
    match first.to_ascii_lowercase() {
        // A comment ends with its line, however that is written.
        b'-' | b'/' | b'(' | b';' if content.contains('\\') => {
            looks(&content.replace("\\n", "\n").replace("\\t", "\t")) != Looks::No
        }
        b'-' | b'/' | b'(' | b';' => looks(content) != Looks::No,
        b's' | b'i' | b'r' | b'd' | b'u' | b'c' | b'a' | b'p' | b'w' | b'v' | b'e' | b'b' => {
            let rest = content.trim_start();
            let (verb, _) = word(rest);
            VERBS.iter().any(|one| one.eq_ignore_ascii_case(verb)) && looks(content) != Looks::No
        }
        _ => false,
    }
}

/// Whether a literal may be the first piece of such a text: a verb in capitals.
pub fn may_begin(content: &str) -> bool {
    let (verb, _) = word(behind_space(content).trim_start());
    let shouts = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase());
    shouts && VERBS.iter().any(|one| one.eq_ignore_ascii_case(verb))
}

#[cfg(test)]
mod tests;

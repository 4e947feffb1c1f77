//! The words of a text of SQL, and what stands at one of them. Knows no grammar, and no statement beyond its words.

use crate::extract::sql::skip_leading;

/// The words of a text, names without their quotes, and the dots.
pub(super) struct Words<'a>(pub Vec<&'a str>);

impl Words<'_> {
    pub fn is(&self, at: usize, keyword: &str) -> bool {
        self.0.get(at).is_some_and(|word| word.eq_ignore_ascii_case(keyword))
    }

    pub fn is_one(&self, at: usize, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(at, keyword))
    }

    pub fn is_schema(&self, at: usize, name: &str) -> bool {
        self.is(at, name) && self.is(at + 1, ".")
    }

    /// Where the body of a trigger ends, if a `CREATE` at this word makes one.
    pub fn trigger_end(&self, create: usize) -> Option<usize> {
        (create + 1..create + 3).find(|&at| self.is(at, "trigger"))?;
        let begin = (create..self.0.len()).find(|&at| self.is(at, "begin"))?;
        let mut depth = 0_usize;
        (begin..self.0.len()).find(|&at| {
            depth += usize::from(self.is_one(at, &["begin", "case"]));
            depth -= usize::from(self.is(at, "end") && depth > 0);
            depth == 0
        })
    }

    /// Whether an INSERT whose `INTO` stands at this word puts rows in again when it runs again.
    pub fn adds_rows(&self, into: usize) -> bool {
        const VERBS: [&str; 7] = ["create", "alter", "drop", "insert", "delete", "pragma", "commit"];
        let is_plain = into.checked_sub(1).is_some_and(|before| self.is(before, "insert"));
        let spares = |at: usize| {
            (self.is(at, "on") && self.is(at + 1, "conflict"))
                || (self.is(at, "not") && self.is(at + 1, "exists"))
        };
        let behind = into + 1..self.0.len();
        is_plain && !behind.take_while(|&at| !self.is_one(at, &VERBS)).any(spares)
    }

    /// The name at a word, unless it is one of another schema than the program's own.
    pub fn own_name(&self, mut at: usize) -> Option<String> {
        while self.is_one(at, &["if", "not", "exists"]) {
            at += 1;
        }
        let is_other = self.is(at + 1, ".") && !self.is_one(at, &["main", "temp"]);
        self.name(at).filter(|_| !is_other)
    }

    /// The name at a word, in lower case, behind `IF NOT EXISTS` and the name of a schema.
    pub fn name(&self, mut at: usize) -> Option<String> {
        while self.is_one(at, &["if", "not", "exists"]) {
            at += 1;
        }
        if self.is(at + 1, ".") {
            at += 2;
        }
        let name = self.0.get(at)?;
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        (is_name && !self.is(at, "select")).then(|| name.to_lowercase())
    }
}

/// The words of a text; no comments, no strings.
pub(super) fn words(sql: &str) -> Vec<&str> {
    let mut words = Vec::with_capacity(sql.len() / 8);
    let mut rest = skip_leading(sql);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    loop {
        // Most of a text is ASCII, and needs no look at its characters.
        let blank = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\n' | b',' | b'(' | b')')).count();
        rest = rest.get(blank..).unwrap_or("");
        let length = rest.as_bytes().iter().take_while(|byte| is_part(byte)).count();
        if length > 0 && rest.as_bytes().get(length).is_none_or(u8::is_ascii) {
            let (word, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            words.push(word);
            rest = behind;
            continue;
        }
        let Some(first) = rest.chars().next() else { break };
        let body = rest.get(first.len_utf8()..).unwrap_or("");
        rest = match first {
            '-' | '/' => skip_comment(rest).unwrap_or(body),
            '\'' => body.split_once('\'').map_or("", |(_, behind)| behind),
            '"' | '`' | '[' => {
                let close = if first == '[' { ']' } else { first };
                let (inside, behind) = body.split_once(close).unwrap_or((body, ""));
                words.push(inside);
                behind
            }
            '.' => {
                words.push(".");
                body
            }
            _ if first.is_alphanumeric() || first == '_' => {
                let is_behind = |character: char| !(character.is_alphanumeric() || character == '_');
                let end = rest.find(is_behind).unwrap_or(rest.len());
                let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
                words.push(word);
                behind
            }
            _ => body,
        };
    }
    words
}

/// What stands behind a comment, if one stands here.
fn skip_comment(text: &str) -> Option<&str> {
    if let Some(comment) = text.strip_prefix("--") {
        return Some(comment.split_once('\n').map_or("", |(_, after)| after));
    }
    text.strip_prefix("/*").map(|comment| comment.split_once("*/").map_or("", |(_, after)| after))
}

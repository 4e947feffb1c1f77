//! The statements of a .sq file, in words that SQLite takes. Knows tokens; what is not in the way of SQLite stays as it is.

use crate::extract::text::Text;
use crate::migration::convention::Texts;
use crate::source::SourceId;

/// A token, and where it begins and ends. White space and comments are none.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl Token<'_> {
    fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|one: char| one.is_alphabetic() || one == '_')
    }
}

/// Reads a file.
pub(super) struct Reader<'a> {
    id: SourceId,
    text: &'a str,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    pub fn new(id: SourceId, text: &'a str) -> Self {
        Self { id, text, tokens: tokens(text) }
    }

    /// The schema of the file, and its other statements.
    pub fn read(&self) -> Texts {
        let mut found = Texts::default();
        let mut from = 0;
        let mut is_in_trigger = false;
        for (at, token) in self.tokens.iter().enumerate() {
            let own = self.tokens.get(from..at).unwrap_or(&[]);
            let begins = |word: &str| own.first().is_some_and(|first| first.is(word));
            is_in_trigger |= token.is("begin") && begins("create");
            // One behind a `;` ends the body; any other ends a CASE in it.
            is_in_trigger &=
                !(token.is("end") && at.checked_sub(1).is_some_and(|before| self.is(before, ";")));
            // A name in front of a statement, and the braces around several.
            let is_label = token.text == ":" && own.len() == 1 && !is_in_trigger;
            let is_brace = token.text == "{" || token.text == "}";
            let ends = token.text == ";" && !is_in_trigger;
            if is_label || is_brace {
                from = at + 1;
            } else if ends {
                self.statement(from, at, &mut found);
                from = at + 1;
            }
        }
        self.statement(from, self.tokens.len(), &mut found);
        found
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.token(at).is_some_and(|one| one.text == text)
    }

    fn token(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at)
    }

    /// Adds a statement to what it belongs to.
    fn statement(&self, from: usize, to: usize, found: &mut Texts) {
        let Some(first) = self.token(from).filter(|_| from < to) else { return };
        if first.is("import") || !first.is_word() {
            return;
        }
        let sql = self.sql(from, to);
        if ["create", "alter", "drop", "pragma"].iter().any(|verb| first.is(verb)) {
            found.schema.append(&sql);
            found.schema.push_at(";\n", self.id, self.token(to).map_or(first.start, |end| end.start) as u32);
        } else {
            found.statements.push(sql);
        }
    }

    /// Where the columns of a full-text table have types, which only the compiler of the queries knows: from the token of the
    /// type to the one behind.
    fn full_text_type(&self, from: usize, at: usize) -> Option<usize> {
        let is = |at: usize, word: &str| self.token(at).is_some_and(|one| one.is(word));
        let before = at.checked_sub(1)?;
        if !is(from + 1, "virtual") || !(is(before, "(") || is(before, ",")) {
            return None;
        }
        let is_end = |at: &usize| self.token(*at).is_none_or(|one| matches!(one.text, "," | ")" | "=" | ";"));
        let end = (at + 1..=self.tokens.len()).find(is_end)?;
        let is_plain = end > at + 1 && !is(end, "=") && !(at..end).any(|at| is(at, "unindexed"));
        is_plain.then_some(end)
    }

    /// The text of a statement without types of Kotlin, and with a list for what stands for one.
    fn sql(&self, from: usize, to: usize) -> Text {
        let is_table = self.token(from).is_some_and(|one| one.is("create") || one.is("alter"))
            && (from..to).take(4).any(|at| self.token(at).is_some_and(|one| one.is("table")));
        let mut sql = Text::default();
        let mut copied = self.token(from).map_or(0, |one| one.start);
        let mut at = from;
        while let Some(token) = self.token(at).filter(|_| at < to) {
            let before = at.checked_sub(1).and_then(|at| self.token(at));
            let is_value = token.text.starts_with(['?', ':']);
            // `: name`, which the compiler of the queries takes for `:name`.
            if let Some(name) = self.token(at + 1).filter(|name| token.text == ":" && name.is_word()) {
                self.copy(&mut sql, copied, token.end);
                copied = name.start;
            }
            if is_table && token.is("as") && self.token(at + 1).is_some_and(is_type) {
                let end = self.type_end(at + 1);
                self.copy(&mut sql, copied, token.start);
                at = end;
                copied = self.token(end).map_or(self.text.len(), |next| next.start);
                continue;
            }
            if let Some(end) = self.full_text_type(from, at) {
                self.copy(&mut sql, copied, token.end);
                at = end;
                copied = self.token(end).map_or(self.text.len(), |next| next.start);
                continue;
            }
            if is_value && before.is_some_and(|one| one.is("in")) {
                self.copy(&mut sql, copied, token.start);
                sql.push_at("(?, ?)", self.id, token.start as u32);
                copied = token.end;
            } else if is_value && before.is_some_and(|one| one.is("values")) {
                // A whole row is given.
                let word = before.map_or(token.start, |one| one.start);
                self.copy(&mut sql, copied, word);
                sql.push_at("DEFAULT VALUES", self.id, word as u32);
                copied = token.end;
            }
            at += 1;
        }
        let end = to.checked_sub(1).and_then(|last| self.token(last)).map_or(copied, |last| last.end);
        self.copy(&mut sql, copied, end);
        sql
    }

    fn copy(&self, sql: &mut Text, from: usize, to: usize) {
        if let Some(part) = self.text.get(from..to).filter(|part| !part.is_empty()) {
            sql.push(part, self.id, from as u32);
        }
    }

    /// The token behind a type of Kotlin.
    fn type_end(&self, from: usize) -> usize {
        let mut depth = 0_i32;
        let mut at = from;
        while let Some(token) = self.token(at) {
            match token.text {
                "<" => depth += 1,
                ">" => depth -= 1,
                _ if depth > 0 => {}
                "." | "?" => {}
                _ if at > from
                    && !(token.is_word() && self.token(at - 1).is_some_and(|one| one.text == ".")) =>
                {
                    return at;
                }
                _ => {}
            }
            at += 1;
        }
        at
    }
}

/// Whether a word may begin a type, and not an expression or a query.
fn is_type(token: &Token<'_>) -> bool {
    token.is_word() && !["select", "with", "values"].iter().any(|word| token.is(word))
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let until =
            |mark: &str| rest.get(2..).and_then(|rest| rest.find(mark)).map(|end| end + 2 + mark.len());
        let is_name = |one: char| one.is_alphanumeric() || one == '_';
        let length = match first {
            _ if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => until("*/").unwrap_or(rest.len()),
            '\'' | '"' | '`' => {
                rest.get(1..).and_then(|rest| rest.find(first)).map_or(rest.len(), |end| end + 2)
            }
            ':' | '?' => {
                1 + rest.get(1..).and_then(|rest| rest.find(|one| !is_name(one))).unwrap_or(rest.len() - 1)
            }
            _ if is_name(first) => rest.find(|one| !is_name(one)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let end = at + length;
        let is_blank = first.is_whitespace() || rest.starts_with("--") || rest.starts_with("/*");
        if let Some(text) = text.get(at..end).filter(|_| !is_blank) {
            found.push(Token { text, start: at, end });
        }
        at = end;
    }
    found
}

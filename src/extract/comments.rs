//! Comments that speak to planlint, in a host language or in its SQL, and the code that each of them is about. Knows
//! where a statement of a host language begins and ends, as far as brackets and line breaks tell; knows no meaning.

use super::{
    Extraction,
    languages::{self, Language},
    lexer::{self, Kind, Table, Token},
    sql,
};
use crate::source::{Site, Source, SourceId, Sources};
use memchr::memmem;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What such a comment starts with.
pub const MARK: &str = "planlint:";

/// A comment that speaks to planlint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// From the mark on, to the end of its line or of the comment.
    pub site: Site,
    /// The code that it is about, where it stands in a host language: the statement that it stands in, or the next.
    /// `None` where it stands in SQL.
    pub about: Option<Site>,
    /// Where it stands in SQL: the literal or the file of it.
    pub within: Option<Site>,
    /// Whether it stands behind code of its own line.
    pub is_behind: bool,
}

/// All comments that speak to planlint, by place.
pub fn comments(sources: &Sources, extraction: &Extraction) -> Vec<Comment> {
    let all = sources.as_slice().par_iter().enumerate();
    let marked = all.filter(|(_, source)| memmem::find(source.text.as_bytes(), MARK.as_bytes()).is_some());
    let mut found: BTreeMap<(SourceId, u32), Comment> = marked
        .flat_map_iter(|(index, source)| host_comments(SourceId(index as u32), source))
        .map(|comment| ((comment.site.source, comment.site.start), comment))
        .collect();
    let texts = extraction
        .literals
        .iter()
        .flat_map(|literal| literal.variants.iter().map(|text| (literal.site, text)));
    for (literal, text) in texts.filter(|(_, text)| text.as_str().contains(MARK)) {
        for (start, end) in sql::comments(text.as_str()) {
            let comment = text.as_str().get(start..end).unwrap_or("");
            let Some((from, to)) = marked_part(comment) else { continue };
            let Some(site) = text.site((start + from) as u32, (start + to) as u32) else { continue };
            let is_behind = sources.get(site.source).is_some_and(|source| is_behind(source, site.start));
            let within = Some(literal);
            found.entry((site.source, site.start)).or_insert(Comment {
                site,
                about: None,
                within,
                is_behind,
            });
        }
    }
    found.into_values().collect()
}

/// Whether SQL stands in front of a comment on its line.
fn is_behind(source: &Source, comment: u32) -> bool {
    let line = source.line(source.position(comment).line).0;
    let before = sql::skip_leading(source.slice(line, comment));
    !before.trim_matches(['-', '/', '*', ' ']).is_empty()
}

/// The range of a comment from the mark on to the end of its line, if the mark is the first word of a line of it.
fn marked_part(comment: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for line in comment.split_inclusive('\n') {
        let body = line.trim_start_matches(|one: char| "/*#-!<".contains(one) || one.is_whitespace());
        if body.starts_with(MARK) {
            let said = body.split("*/").next().unwrap_or(body).trim_end();
            let from = start + line.len() - body.len();
            return Some((from, from + said.len()));
        }
        start += line.len();
    }
    None
}

fn host_comments(id: SourceId, source: &Source) -> Vec<Comment> {
    let language = languages::of_path(&source.path).and_then(|index| languages::ALL.get(index));
    let Some(language) = language.filter(|language| !language.is_sql) else { return Vec::new() };
    let tokens = lexer::lex(&source.text, language, &Table::new(language));
    let code = Code { source, language, tokens: &tokens };
    let mut found = Vec::new();
    // Between tokens there is white space, and comments.
    let starts = std::iter::once(0).chain(tokens.iter().map(|token| token.end));
    let ends = tokens.iter().map(|token| token.start).chain(std::iter::once(source.text.len() as u32));
    for (index, (from, to)) in starts.zip(ends).enumerate() {
        let gap = source.slice(from, to);
        if !gap.contains(MARK) {
            continue;
        }
        for (start, end) in in_gap(gap, language) {
            let Some((a, b)) = marked_part(gap.get(start..end).unwrap_or("")) else { continue };
            let at = from + start as u32;
            let site = Site { source: id, start: at + a as u32, end: at + b as u32 };
            let is_behind = index > 0 && !gap.get(..start).unwrap_or("").contains('\n');
            let (start, end) = if is_behind { code.around(index) } else { code.next(index) };
            let about = Some(Site { source: id, start, end });
            found.push(Comment { site, about, within: None, is_behind });
        }
    }
    found
}

/// The ranges of the comments in what stands between two tokens.
fn in_gap(gap: &str, language: &Language) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = gap.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
        let length = lexer::comment_length(rest, language);
        found.extend(length.map(|length| (at, at + length)));
        at += length.unwrap_or(1).max(1);
    }
    found
}

/// The tokens of a file, to find out where the statement about a token begins and ends.
struct Code<'a> {
    source: &'a Source,
    language: &'a Language,
    tokens: &'a [Token],
}

impl Code<'_> {
    /// The statement that starts with a token: from it to where it ends.
    fn next(&self, first: usize) -> (u32, u32) {
        let first = first + usize::from(self.tokens.get(first).is_some_and(|token| token.kind == Kind::Line));
        let start = self.tokens.get(first).map_or(self.source.text.len() as u32, |token| token.start);
        (start, self.end(first).max(start))
    }

    /// The statement whose line ends in front of a token: all of it, before and behind. Nothing behind the end of a block,
    /// which is no statement.
    fn around(&self, next: usize) -> (u32, u32) {
        let Some((last, token)) = next.checked_sub(1).and_then(|last| Some((last, self.tokens.get(last)?)))
        else {
            return (0, 0);
        };
        if token.is(b'}') && self.is_block(last) {
            return (token.end, token.end);
        }
        let start = self.start(last);
        // Behind a semicolon or a comma something else begins.
        let starts_line = self.tokens.get(next).is_none_or(|token| token.kind == Kind::Line);
        let is_over = starts_line
            || token.is(b';')
            || token.is(b',')
            || self.breaks(last)
            || (token.is(b'{') && self.is_block(last));
        (start, if is_over { token.end } else { self.end(next).max(token.end) })
    }

    /// Where the statement that a token stands in ends, in bytes.
    fn end(&self, from: usize) -> u32 {
        let mut depth = 0_u32;
        let mut end = self.tokens.get(from).map_or(0, |token| token.start);
        for index in from..self.tokens.len() {
            let Some(token) = self.tokens.get(index) else { break };
            if token.is(b')') || token.is(b']') || token.is(b'}') {
                let Some(less) = depth.checked_sub(1) else { break };
                depth = less;
            } else if token.is(b'(') || token.is(b'[') || token.is(b'{') {
                if depth == 0 && token.is(b'{') && self.is_block(index) {
                    break;
                }
                depth += 1;
            } else if depth == 0 && (token.is(b';') || token.kind == Kind::Line) {
                break;
            }
            end = token.end;
            if depth == 0 && (self.breaks(index) || self.is_last_of_line(index, b',') || self.closes(index)) {
                break;
            }
        }
        end
    }

    /// Where the statement that a token stands in starts, in bytes.
    fn start(&self, from: usize) -> u32 {
        let mut depth = 0_u32;
        let mut start = self.tokens.get(from).map_or(0, |token| token.start);
        for index in (0..=from).rev() {
            let Some(token) = self.tokens.get(index) else { break };
            let is_first = index == from;
            if depth == 0 && !is_first {
                let is_end = token.is(b';') || token.kind == Kind::Line;
                let is_end = is_end || (token.is(b'}') && self.is_block(index));
                if is_end || self.breaks(index) || self.is_last_of_line(index, b',') {
                    break;
                }
            }
            if token.is(b')') || token.is(b']') || token.is(b'}') {
                depth += 1;
            } else if token.is(b'(') || token.is(b'[') || token.is(b'{') {
                // An opening bracket that is the last of its line belongs to the statement that announces it.
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None if is_first => {}
                    None => break,
                }
            }
            start = token.start;
        }
        start
    }

    /// Whether a statement ends with this brace, the last of its line: what goes on begins with a point.
    fn closes(&self, index: usize) -> bool {
        let goes_on = || self.tokens.get(index + 1).is_some_and(|next| next.is(b'.') || next.is(b'?'));
        !self.language.indented && self.is_last_of_line(index, b'}') && !goes_on()
    }

    /// Whether a brace opens or closes a block, and not a value: in languages where braces make blocks, one that is open
    /// over several lines.
    fn is_block(&self, brace: usize) -> bool {
        let Some(token) = self.tokens.get(brace).filter(|_| !self.language.indented) else { return false };
        let line = |token: &Token| self.source.position(token.start).line;
        let step = |index: usize| if token.is(b'{') { Some(index + 1) } else { index.checked_sub(1) };
        let mut depth = 0_u32;
        let mut at = Some(brace);
        while let Some((index, other)) = at.and_then(|index| Some((index, self.tokens.get(index)?))) {
            if line(other) != line(token) {
                return true;
            }
            if other.is(b'{') || other.is(b'}') {
                depth = if other.form == token.form { depth + 1 } else { depth - 1 };
                if depth == 0 {
                    return false;
                }
            }
            at = step(index);
        }
        true
    }

    /// Whether a statement ends behind this token since its line does.
    fn breaks(&self, index: usize) -> bool {
        let can_end =
            |token: &Token| token.kind != Kind::Sign || [b')', b']', b'}'].iter().any(|&byte| token.is(byte));
        self.language.breaks && self.ends_line(index) && self.tokens.get(index).is_some_and(can_end)
    }

    fn is_last_of_line(&self, index: usize, sign: u8) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is(sign)) && self.ends_line(index)
    }

    fn ends_line(&self, index: usize) -> bool {
        let (Some(token), next) = (self.tokens.get(index), self.tokens.get(index + 1)) else { return true };
        next.is_none_or(|next| self.source.slice(token.end, next.start).contains('\n'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each comment of a file is about, as it stands there.
    fn about(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(path, text);
        let all = host_comments(SourceId(0), &source);
        all.iter()
            .map(|one| one.about.map_or("", |site| source.slice(site.start, site.end)).to_owned())
            .collect()
    }

    #[test]
    fn a_comment_of_its_own_is_about_the_statement_below() {
        for (path, text, expected) in [
            (
                "a.rs",
                "// planlint: x\nlet a = db\n    .query(\"q\", |r| { r.get(0) })?;\nb();",
                "let a = db\n    .query(\"q\", |r| { r.get(0) })?",
            ),
            (
                "a.rs",
                "// planlint: x\n\n// more\nif let Some(a) = db.get(\"q\") {\n b();\n}",
                "if let Some(a) = db.get(\"q\")",
            ),
            ("a.rs", "const A: [&str; 2] = [\n // planlint: x\n \"q\",\n \"r\",\n];", "\"q\","),
            ("a.rs", "f(\n /* planlint: x */\n \"q\"\n);", "\"q\""),
            ("a.rs", "fn f() {\n // planlint: x\n}", ""),
            (
                "a.py",
                "# planlint: x\na, b = db.execute(\n    \"q\",\n    (c,))\nd()",
                "a, b = db.execute(\n    \"q\",\n    (c,))",
            ),
            ("a.py", "def f():\n    # planlint: x\n    return g(\"q\")\n\nh()", "return g(\"q\")"),
            (
                "a.go",
                "// planlint: x\nrows, err := db.Query(\"q\",\n    a)\nif err != nil {",
                "rows, err := db.Query(\"q\",\n    a)",
            ),
        ] {
            assert_eq!(about(path, text), [expected], "{text}");
        }
    }

    #[test]
    fn a_comment_behind_code_is_about_the_statement_of_its_line() {
        for (path, text, expected) in [
            ("a.rs", "a();\nlet b = db.get(\"q\")?; // planlint: x\nc();", "let b = db.get(\"q\")?;"),
            (
                "a.rs",
                "a();\nlet b = db.get( // planlint: x\n    \"q\",\n)?;\nc();",
                "let b = db.get( // planlint: x\n    \"q\",",
            ),
            (
                "a.rs",
                "a();\nlet b = db.get(\n    \"q\",\n)?; // planlint: x\nc();",
                "let b = db.get(\n    \"q\",\n)?;",
            ),
            ("a.rs", "f(\n    \"p\",\n    \"q\", // planlint: x\n    \"r\",\n);", "\"q\","),
            ("a.rs", "a();\nmatch db.get(\"q\") { // planlint: x\n    b => c(),\n}", "match db.get(\"q\") {"),
            (
                "a.py",
                "a()\nb = db.execute(\"\"\"\n  q\n\"\"\")  # planlint: x\nc()",
                "b = db.execute(\"\"\"\n  q\n\"\"\")",
            ),
            ("a.go", "a()\nb := db.Query(\"q\") // planlint: x\nc()", "b := db.Query(\"q\")"),
        ] {
            assert_eq!(about(path, text), [expected], "{text}");
        }
    }

    #[test]
    fn a_brace_of_one_line_is_part_of_its_statement_and_a_block_is_none() {
        for (path, text, expected) in [
            ("a.rs", "// planlint: x\nlet a = A { id: db.get(\"q\")? };", "let a = A { id: db.get(\"q\")? }"),
            (
                "a.py",
                "# planlint: x\na = {\n    \"n\": db.execute(\"q\"),\n}\nb()",
                "a = {\n    \"n\": db.execute(\"q\"),\n}",
            ),
            ("a.go", "// planlint: x\nq := T{db.Query(\"q\")}\nb()", "q := T{db.Query(\"q\")}"),
            ("a.rs", "impl A {\n    fn f() { db.get(\"q\") }\n} // planlint: x\nb();", ""),
            ("a.go", "if a {\n    db.Query(\"q\")\n} // planlint: x\nb()", ""),
            ("a.rs", "/* planlint: x\n   /* inner */ // planlint: y\n*/\na();", "a()"),
            ("a.rs", "/*\n * planlint: x\n */\na();", "a()"),
            ("a.rs", "//\tplanlint: x\na();", "a()"),
        ] {
            assert_eq!(about(path, text), [expected], "{text}");
        }
    }

    #[test]
    fn only_a_comment_that_starts_with_the_mark_speaks() {
        let text =
            "let a = \"planlint: x\"; // as planlint: x\n/// planlint: y\nfn f() {}\n//planlint: z\ng();";
        assert_eq!(about("a.rs", text), ["fn f() {}", "g()"]);
    }
}

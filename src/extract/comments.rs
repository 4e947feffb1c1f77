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
    let texts = extraction.literals.iter().flat_map(|literal| &literal.variants);
    for text in texts.filter(|text| text.as_str().contains(MARK)) {
        for (start, end) in sql::comments(text.as_str()) {
            let comment = text.as_str().get(start..end).unwrap_or("");
            let Some((from, to)) = marked_part(comment) else { continue };
            let Some(site) = text.site((start + from) as u32, (start + to) as u32) else { continue };
            let is_behind = sources.get(site.source).is_some_and(|source| is_behind(source, site.start));
            found.entry((site.source, site.start)).or_insert(Comment { site, about: None, is_behind });
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

/// The range of a comment from the mark on, if that is the first word in it.
fn marked_part(comment: &str) -> Option<(usize, usize)> {
    let body = comment.trim_start_matches(|character: char| "/*#-!<".contains(character) || character == ' ');
    let start = comment.len() - body.len();
    let line = body.starts_with(MARK).then(|| body.lines().next().unwrap_or(""))?;
    let line = line.split("*/").next().unwrap_or(line).trim_end();
    Some((start, start + line.len()))
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
            found.push(Comment { site, about, is_behind });
        }
    }
    found
}

/// The ranges of the comments in what stands between two tokens.
fn in_gap(gap: &str, language: &Language) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = gap.get(at..).filter(|rest| !rest.is_empty()) {
        let block = language.block_comment.as_ref().filter(|block| rest.starts_with(block.open));
        let length = if language.line_comments.iter().any(|mark| rest.starts_with(mark)) {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(block) = block {
            rest.find(block.close).map_or(rest.len(), |end| end + block.close.len())
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        found.push((at, at + length));
        at += length;
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

    /// The statement whose line ends in front of a token: all of it, before and behind.
    fn around(&self, next: usize) -> (u32, u32) {
        let Some(last) = next.checked_sub(1) else { return (0, 0) };
        let start = self.start(last);
        let end = self.tokens.get(last).map_or(start, |token| token.end);
        // Behind a semicolon or a comma something else begins.
        let is_over = self.tokens.get(last).is_some_and(|token| token.is(b';') || token.is(b','));
        let starts_line = self.tokens.get(next).is_none_or(|token| token.kind == Kind::Line);
        let is_over = is_over || starts_line || self.breaks(last) || self.opens_block(last);
        (start, if is_over { end } else { self.end(next).max(end) })
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
            } else if depth == 0 && (token.is(b';') || token.is(b'{') || token.kind == Kind::Line) {
                break;
            } else if token.is(b'(') || token.is(b'[') || token.is(b'{') {
                depth += 1;
            }
            end = token.end;
            if depth == 0 && (self.breaks(index) || self.is_last_of_line(index, b',')) {
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
                let is_end = token.is(b';') || token.kind == Kind::Line || token.is(b'}');
                if is_end || self.breaks(index) || self.is_last_of_line(index, b',') {
                    break;
                }
            }
            if token.is(b')') || token.is(b']') || token.is(b'}') {
                depth += 1;
            } else if token.is(b'(') || token.is(b'[') || token.is(b'{') {
                // An opening brace that is the last of its line belongs to the statement that announces it.
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

    fn opens_block(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is(b'{'))
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
    fn only_a_comment_that_starts_with_the_mark_speaks() {
        let text =
            "let a = \"planlint: x\"; // as planlint: x\n/// planlint: y\nfn f() {}\n//planlint: z\ng();";
        assert_eq!(about("a.rs", text), ["fn f()", "g()"]);
    }
}

//! Comments that speak to planlint, in a host language or in its SQL, and the code that each of them is about. Knows
//! where a statement of a host language begins and ends, as far as brackets and line breaks tell; knows no meaning.

use super::{
    Extraction,
    languages::{self, Language},
    lexer::{self, Kind, Table, Token},
    sql,
};
use crate::source::{Site, Source, SourceId, Sources, Words};
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

/// Where such a comment may stand.
static MARKS: Words<'_> = Words::new(&[MARK]);

/// All comments that speak to planlint, by place.
pub fn comments(sources: &Sources, extraction: &Extraction) -> Vec<Comment> {
    let marked = sources.par_iter().filter(|(_, source)| source.has_any(&MARKS));
    let mut found: BTreeMap<(SourceId, u32), Comment> = marked
        .flat_map_iter(|(id, source)| host_comments(id, source))
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

/// Whether one of these words begins outside of all comments of a file.
pub fn is_in_code(path: &str, text: &str, words: &Words<'_>) -> bool {
    let Some(language) = languages::of(path).filter(|_| words.is_in(text)) else { return words.is_in(text) };
    if language.is_sql {
        let comments = sql::comments(text);
        let is_comment = |at: usize| {
            let behind = comments.partition_point(|(_, end)| *end <= at);
            comments.get(behind).is_some_and(|(start, _)| *start <= at)
        };
        return words.all(text).any(|(_, at)| !is_comment(at));
    }
    // Between tokens there is white space, and comments.
    let tokens = lexer::lex(text, language, &Table::new(language));
    words.all(text).any(|(_, at)| {
        let behind = tokens.partition_point(|token| token.end as usize <= at);
        tokens.get(behind).is_some_and(|token| token.start as usize <= at)
    })
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
        let is_sign = |one: char| "/*#-!<".contains(one) || one.is_whitespace();
        let first = line.trim_start_matches(is_sign);
        // Behind what the comment says to another tool, if it can't be prose.
        let behind = || {
            let at = line.match_indices(MARK).map(|(at, _)| at).find(|&at| {
                let before = line.get(..at).and_then(|text| text.chars().next_back());
                let after = line.get(at + MARK.len()..).unwrap_or("").trim_start();
                before.is_some_and(is_sign) && after.starts_with("allow")
            });
            at.and_then(|at| line.get(at..))
        };
        if let Some(body) = Some(first).filter(|first| first.starts_with(MARK)).or_else(behind) {
            let said = body.split("*/").next().unwrap_or(body);
            let said =
                said.split(" # ").next().unwrap_or(said).split(" // ").next().unwrap_or(said).trim_end();
            let from = start + line.len() - body.len();
            return Some((from, from + said.len()));
        }
        start += line.len();
    }
    None
}

fn host_comments(id: SourceId, source: &Source) -> Vec<Comment> {
    let language = languages::of(&source.path);
    let Some(language) = language.filter(|language| !language.is_sql) else { return Vec::new() };
    let tokens = lexer::lex(source.text(), language, &Table::new(language));
    let code = Code { source, language, tokens: &tokens };
    let mut found = Vec::new();
    // Between tokens there is white space, and comments.
    let starts = std::iter::once(0).chain(tokens.iter().map(|token| token.end));
    let ends = tokens.iter().map(|token| token.start).chain(std::iter::once(source.text().len() as u32));
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
    /// The statement that starts with a token: from it to where it ends. All of it where it goes on with the token.
    fn next(&self, first: usize) -> (u32, u32) {
        let first = first + usize::from(self.tokens.get(first).is_some_and(|token| token.kind == Kind::Line));
        let Some(token) = self.tokens.get(first) else { return (0, 0) };
        let start = match first.checked_sub(1).filter(|_| token.is(b'.')) {
            Some(last) => self.start(last),
            None => token.start,
        };
        // A declaration goes on to its semicolon, whatever blocks are in it.
        let declares = self.language.declares.contains(&token.text(self.source.text()));
        (start, self.end(first, declares && !self.language.breaks).max(token.start))
    }

    /// The bracket that a call around a token opens, and of the calls around that the outermost; else the token.
    fn outermost_call(&self, token: usize) -> usize {
        let mut depth = 0_u32;
        let mut found = token;
        for index in (0..=token).rev() {
            let Some(one) = self.tokens.get(index) else { break };
            if one.closes() {
                depth += 1;
            } else if one.opens() {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None if one.is(b'(') => found = index,
                    None => break,
                }
            }
        }
        found
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
        // Behind an argument it is about the call, all of it.
        let call = self.outermost_call(last);
        if call != last || token.is(b'(') {
            return (self.start(call), self.end(call, false));
        }
        let start = self.start(last);
        // Behind a semicolon or a comma something else begins.
        let starts_line = self.tokens.get(next).is_none_or(|token| token.kind == Kind::Line);
        let is_over = starts_line
            || token.is(b';')
            || token.is(b',')
            || self.breaks(last)
            || (token.is(b'{') && self.is_block(last));
        (start, if is_over { token.end } else { self.end(next, false).max(token.end) })
    }

    /// Where the statement that a token stands in ends, in bytes; `whole` passes over the blocks in it.
    fn end(&self, from: usize, whole: bool) -> u32 {
        let mut depth = 0_u32;
        let mut end = self.tokens.get(from).map_or(0, |token| token.start);
        for index in from..self.tokens.len() {
            let Some(token) = self.tokens.get(index) else { break };
            if token.closes() {
                let Some(less) = depth.checked_sub(1) else { break };
                depth = less;
            } else if token.opens() {
                if depth == 0 && !whole && token.is(b'{') && self.is_block(index) {
                    break;
                }
                depth += 1;
            } else if depth == 0 && (token.is(b';') || token.kind == Kind::Line) {
                break;
            }
            end = token.end;
            let is_over = self.breaks(index) || self.is_last_of_line(index, b',') || self.closes(index);
            if depth == 0 && !whole && is_over {
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
                let is_end = is_end || (token.is(b'}') && self.is_block(index) && !self.goes_on(index));
                if is_end || self.breaks(index) || self.is_last_of_line(index, b',') {
                    break;
                }
            }
            if token.closes() {
                depth += 1;
            } else if token.opens() {
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

    /// Whether the statement that this brace closes a block of goes on behind it.
    fn goes_on(&self, brace: usize) -> bool {
        let next = self.tokens.get(brace + 1);
        next.is_some_and(|next| next.is(b';') || next.is(b'.') || next.text(self.source.text()) == "else")
    }

    /// Whether a statement ends with this brace, the last of its line.
    fn closes(&self, index: usize) -> bool {
        !self.language.indented && self.is_last_of_line(index, b'}') && !self.goes_on(index)
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
        let can_end = |token: &Token| token.kind != Kind::Sign || token.closes();
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
mod tests;

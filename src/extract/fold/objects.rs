//! Objects that text is put together in, told by their types: streams of C++, query builders of Rust. What is written to
//! another name with `<<` is handed to what runs it. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, Spot,
    deeds::{Deed, Does, deed},
};
use crate::extract::{code::Code, languages::SinkKind, lexer::Kind, text::Text};
use rustc_hash::FxHashSet as HashSet;

/// How far a declared type is read, in tokens.
const LONGEST_TYPE: usize = 12;

/// The longest chain of `<<` that is followed back to what it is written to, in tokens.
const LONGEST_CHAIN: usize = 400;

/// The names of a file that stand for such objects.
#[derive(Default)]
pub(super) struct Objects<'a> {
    names: HashSet<&'a str>,
    /// What puts separators between the pieces that it is given: its name, and that of the builder.
    lent: Vec<(usize, usize)>,
}

impl<'a> Objects<'a> {
    /// Reads them from the tokens of a file.
    pub(super) fn of(code: Code<'a>) -> Self {
        let mut found = Self::default();
        let language = code.language();
        let is_streaming = language.streams && language.typed;
        let is_asked = is_streaming || !language.builders.is_empty();
        for at in (0..code.length()).filter(|&at| is_asked && code.is_word(at)) {
            if is_streaming {
                found.names.extend(streamed_name(code, at).map(|name| code.word(name)));
            } else if language.builders.contains(&code.word(at)) {
                found.names.extend(built_name(code, at).map(|name| code.word(name)));
            } else if code.word(at) == "separated" && at > 3 && code.is(at - 1, b'.') && code.is(at - 3, b'=')
            {
                found.lent.push((at - 4, at - 2));
            }
        }
        found
    }

    /// Whether the name at a token stands for one.
    pub(super) fn holds(&self, code: Code<'a>, at: usize) -> bool {
        self.names.contains(code.word(at))
    }

    /// What is put behind the object that a token names, by a chain of calls: `name.push(a).push_bind(b)`.
    pub(super) fn built(&self, code: Code<'a>, name: usize, all: &mut Vec<Deed>) -> bool {
        let word = code.word(name);
        let lent = self.lent.iter().rev().find(|(one, _)| *one < name && code.word(*one) == word);
        let (target, is_lent) = match lent {
            Some(&(_, target)) => (target, true),
            None if !code.language().builders.is_empty() && self.holds(code, name) => (name, false),
            None => return false,
        };
        let mut at = name + 2;
        while code.is_word(at) && code.is(at + 1, b'(') {
            let does = match (code.word(at), is_lent) {
                ("push", false) | ("push_unseparated", _) => Some((Does::Appends, at + 2)),
                ("push_bind", false) | ("push_bind_unseparated", _) => Some((Does::Binds, at)),
                ("separated", false) => Some((Does::Lists, at)),
                ("push_values", false) => Some((Does::Values, at)),
                ("push_tuples", false) => Some((Does::Lends, at)),
                ("push" | "push_bind", true) => None,
                _ => return true,
            };
            all.extend(does.map(|(does, value)| deed((target, at), value, does, false)));
            at = code.matching(at + 1) + 1;
            if !code.is(at, b'.') {
                break;
            }
            at += 1;
        }
        true
    }
}

/// The name that a token declares as a stream or a list of texts by its type, or that what it calls makes one text of.
fn streamed_name(code: Code<'_>, at: usize) -> Option<usize> {
    if matches!(code.word(at), "str" | "join") && code.is(at + 1, b'(') {
        let before = at.checked_sub(2)?;
        let dot = if code.is(at - 1, b'.') { before } else { before.checked_sub(1)? };
        return code.is_word(dot).then_some(dot);
    }
    if !holds_text(code.word(at)) {
        return None;
    }
    let mut name = at + 1;
    if code.is(name, b'<') {
        name = (name..name + LONGEST_TYPE).find(|&end| code.is(end, b'>'))?;
    }
    while code.is(name, b'>') || code.is(name, b'&') || code.is(name, b'*') {
        name += 1;
    }
    code.is_word(name).then_some(name)
}

/// Whether a type, or a function called like one, makes what keeps the texts that are written to it.
fn holds_text(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.contains("stream") || ["list", "bytearray", "builder"].iter().any(|end| lower.ends_with(end))
}

/// The name that a token declares as a builder by its type or its value: `name: &mut QueryBuilder`, `name = QueryBuilder::new`.
fn built_name(code: Code<'_>, at: usize) -> Option<usize> {
    let sign = (at.saturating_sub(LONGEST_TYPE)..at).rev().find(|&before| {
        let is_path =
            code.is(before, b':') && (code.is(before + 1, b':') || (before > 0 && code.is(before - 1, b':')));
        let is_type =
            is_path || code.is(before, b'&') || matches!(code.kind(before), Some(Kind::Word | Kind::Atom));
        !is_type
    })?;
    let name = sign.checked_sub(1)?;
    (b":=".iter().any(|&one| code.is(sign, one)) && code.is_word(name)).then_some(name)
}

/// What a chain of `<<` is written to whose text starts at a token: the last token of that.
fn head(code: Code<'_>, start: usize) -> Option<usize> {
    let mut at = start.checked_sub(1)?;
    let mut found = None;
    while start - at < LONGEST_CHAIN {
        if code.closes(at) {
            at = code.opening(at)?;
        } else if code.is(at, b'<') && at > 1 && code.is(at - 1, b'<') {
            at -= 1;
            found = Some(at - 1);
        } else if code.opens(at) || b";{},=".iter().any(|&sign| code.is(at, sign)) {
            break;
        }
        let Some(before) = at.checked_sub(1) else { break };
        at = before;
    }
    found
}

impl Folder<'_> {
    /// Whether the name of a type stands in front of braces for an empty builder: `strings.Builder{}`.
    pub(super) fn makes_builder(&self, spot: Spot, name: &str, open: usize) -> bool {
        let is_empty = self.is(spot, open, b'{') && self.is(spot, open + 1, b'}');
        is_empty && matches!(name, "Builder" | "Buffer")
    }

    /// Whether the text that starts at a token is written to what runs it, with all that is written there behind it.
    pub(super) fn is_streamed(&self, spot: Spot, at: usize) -> bool {
        self.stream(spot, at).is_some()
    }

    /// The name of what the text that starts at a token is written to with `<<`, where it keeps no texts.
    fn stream(&self, spot: Spot, at: usize) -> Option<usize> {
        let code = self.code(spot).filter(|code| code.language().streams && code.language().typed)?;
        let shift = at.checked_sub(2).filter(|&shift| code.is(shift, b'<') && code.is(shift + 1, b'<'))?;
        let is_kept = |deed: &Deed| deed.value as usize == at;
        if self.deeds(spot.unit, shift..shift + 1).iter().any(is_kept) {
            return None;
        }
        let last = head(code, at)?;
        let name = if code.is(last, b')') { code.opening(last)?.checked_sub(1)? } else { last };
        (code.is_word(name) && !holds_text(code.word(name))).then_some(name)
    }

    /// What runs the text that starts at a token: what it is written to, if its name speaks of a database, or the builder that it
    /// is put into.
    pub fn taker(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind)> {
        const SPEAKING: [&str; 5] = ["sess", "sql", "database", "conn", "statement"];
        // `sqlLog << "DELETE FROM t failed"`
        const TELLING: [&str; 6] = ["log", "out", "err", "debug", "trace", "print"];
        let language = self.language(spot)?;
        if let Some(name) = self.stream(spot, at) {
            let word = self.word(spot, name);
            let lower = word.to_ascii_lowercase();
            if TELLING.iter().any(|one| lower.contains(one)) {
                return None;
            }
            let is_speaking = lower.ends_with("db") || SPEAKING.iter().any(|one| lower.contains(one));
            let speaks = || is_speaking.then_some(SinkKind::Runs);
            return language.sink(word).or_else(speaks).map(|kind| (name as u32, kind));
        }
        let name = self.built(spot, at).or_else(|| self.bound_builder(spot, at))?;
        let code = self.code(spot).filter(|code| !code.language().builders.is_empty())?;
        let word = self.word(spot, name as usize);
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let end = function.end as usize;
        let makes = |value: usize| {
            let is_path = |at: &usize| code.is_word(*at) || code.is(*at, b':');
            let mut path = (value..value + LONGEST_TYPE).take_while(is_path);
            path.any(|at| code.language().builders.contains(&code.word(at)))
        };
        let is_made = |deed: &Deed| self.word(spot, deed.name as usize) == word && makes(deed.value as usize);
        if !self.deeds(spot.unit, function.name as usize..at + 1).iter().any(is_made) {
            return None;
        }
        let builds = |use_at: &usize| {
            code.word(*use_at) == word
                && code.is(use_at + 1, b'.')
                && code.word(use_at + 2).starts_with("build")
        };
        let run = (at..end).find(builds).map_or(name as usize, |use_at| use_at + 2);
        Some((run as u32, SinkKind::RefusesMore))
    }

    /// What an object puts behind its text, of its own.
    pub(super) fn piece_of(&self, spot: Spot, deed: &Deed) -> Text {
        let at = deed.at as usize;
        match deed.does {
            Does::Binds => self.exactly("?", spot, at),
            Does::Values => {
                let mut values = self.exactly("VALUES ", spot, at);
                values.append(&self.hole(spot, at, "", false));
                values
            }
            _ => self.hole(spot, at, "", true),
        }
    }
}

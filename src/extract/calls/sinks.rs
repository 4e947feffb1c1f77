//! The calls that texts are handed to: around a text, or around the name that stands for it. An `impl` of [`Collector`], apart for
//! its length.

use super::Collector;
use crate::extract::{
    fold::Spot,
    languages::{Language, SinkKind},
    lexer::Kind,
    sketch::NOWHERE,
};

impl Collector<'_> {
    /// The call around a token, if it runs SQL.
    pub(super) fn sink_of_name(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind)> {
        let language = self.folder.language(spot)?;
        let mut depth = 0_u32;
        let floor = at.saturating_sub(40);
        let mut before = at;
        while before > floor {
            before -= 1;
            if self.folder.is(spot, before, b')') || self.folder.is(spot, before, b'}') {
                depth += 1;
            } else if self.folder.is(spot, before, b'{') {
                depth = depth.checked_sub(1)?;
            } else if self.folder.is(spot, before, b'(') {
                if depth == 0 {
                    let name = before.checked_sub(1)?;
                    let name = if self.folder.is(spot, name, b'!') { name.checked_sub(1)? } else { name };
                    let name = self.without_types(spot, name);
                    // `Statement rows(sql, db)`: the constructor of the type.
                    let class = language.constructs().then(|| name.checked_sub(1)).flatten();
                    for name in [Some(name), class].into_iter().flatten() {
                        if let Some(kind) = language.sink(self.folder.word(spot, name)) {
                            return Some((name as u32, kind));
                        }
                    }
                } else {
                    depth -= 1;
                }
            } else if self.folder.is(spot, before, b';') && depth == 0 {
                return None;
            }
        }
        None
    }

    /// Whether a name is an argument of a call by itself.
    pub(super) fn is_argument(&self, spot: Spot, at: usize) -> bool {
        let Some(code) = self.folder.code(spot) else { return false };
        let path =
            (0..at).rev().take_while(|&one| code.is(one, b'.') || code.is(one, b':') || code.is_word(one));
        let start = path.last().unwrap_or(at);
        let begins =
            start.checked_sub(1).is_some_and(|before| b"(,&".iter().any(|&sign| code.is(before, sign)));
        let ends = code.is(at + 1, b',') || code.is(at + 1, b')');
        let called =
            code.around(at).next().and_then(|open| open.checked_sub(1)).map_or("", |name| code.word(name));
        begins && ends && !called.is_empty()
    }

    /// The name in front of `::<T>`, where a token ends that.
    fn without_types(&self, spot: Spot, end: usize) -> usize {
        if !self.folder.is(spot, end, b'>') {
            return end;
        }
        let behind_name = self.folder.language(spot).is_some_and(Language::types_behind_names);
        let open = (end.saturating_sub(20)..end).rev().find(|&at| self.folder.is(spot, at, b'<'));
        if let Some(name) = open.filter(|_| behind_name).and_then(|open| open.checked_sub(1)) {
            return name;
        }
        let path = open.filter(|&open| open > 2 && self.folder.is(spot, open - 1, b':'));
        path.map_or(end, |open| open - 3)
    }

    /// `let sql = "…"; connection.prepare(sql)`: the first use of the variable that the text is bound to.
    pub(super) fn sink_through_variable(&self, spot: Spot, at: usize) -> Option<(u32, SinkKind, usize)> {
        let unit = self.folder.units.get(spot.unit)?;
        let bound = unit
            .sketch
            .bound_up_to(at)
            .filter(|one| one.function == spot.function && at - one.value as usize <= 60);
        let name = bound.map(|binding| binding.name).or_else(|| self.folder.built(spot, at));
        let name = self.folder.word(spot, name? as usize);
        let end = unit
            .sketch
            .functions
            .get(spot.function as usize)
            .map_or(at + 400, |function| function.end as usize);
        // At the level of a file, what begins with the name, or is filled with it, is a text of its own.
        let is_template = |at: usize| {
            let fills = |start: usize| self.folder.is_template(spot, (start, at)) == Some(true);
            fills(at) || fills(0)
        };
        let is_begun = |at: usize| {
            spot.function == NOWHERE
                && (self.folder.is_begun(spot, at) || self.is_formatted(spot, at) || is_template(at))
        };
        (at + 1..end.min(at + 1200))
            .filter(|&use_at| {
                self.folder.word(spot, use_at) == name && self.folder.kind(spot, use_at) == Some(Kind::Word)
            })
            .filter(|&use_at| !is_begun(use_at))
            .find_map(|use_at| self.sink_of_name(spot, use_at).map(|(name, kind)| (name, kind, use_at)))
    }
}

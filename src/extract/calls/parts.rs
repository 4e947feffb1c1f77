//! Texts that are kept in a variable for other texts to take in, and are run nowhere by themselves.

use super::Collector;
use crate::extract::{fold::Spot, lexer::Kind, sql::is_word};

/// The most tokens of a function that is looked at.
const REACH: usize = 4000;

/// The most texts that take one in.
const MOST: usize = 8;

impl Collector<'_> {
    /// The texts that may take in a text, as ranges of bytes: it is the value of a local name, and nothing names that but these.
    /// Empty where the text may be run by itself, as one with a sink, unless it goes there by way of a text that is put together in code.
    pub(super) fn takers(&self, spot: Spot, at: usize, has_sink: bool) -> Vec<(u32, u32)> {
        let takers = self.named_in(spot, at, has_sink);
        takers.filter(|takers| takers.len() <= MOST).unwrap_or_default()
    }

    fn named_in(&self, spot: Spot, at: usize, has_sink: bool) -> Option<Vec<(u32, u32)>> {
        let unit = self.folder.units.get(spot.unit)?;
        let function = unit.sketch.functions.get(spot.function as usize)?;
        let range = function.name as usize..function.end as usize;
        let bound = unit.sketch.bound_up_to(at)?;
        let own = bound.name as usize;
        let is_local = bound.value as usize == at && bound.function == spot.function;
        if !is_local || range.len() > REACH || !self.is_declared(spot, own) {
            return None;
        }
        let name = self.folder.word(spot, own);
        let mut takers = Vec::new();
        // How many blocks are open that are not around the text; `None` once the one is closed in which it stands.
        let mut depth = Some(0_u32);
        for other in range.filter(|other| *other != own && *other != at) {
            let token = unit.tokens.get(other)?;
            match token.kind {
                Kind::Sign if other > at && token.is(b'{') => depth = depth.map(|depth| depth + 1),
                Kind::Sign if other > at && token.is(b'}') => {
                    depth = depth.and_then(|depth| depth.checked_sub(1));
                }
                Kind::Word if self.folder.word(spot, other) == name => {
                    // Each `#define` of a name begins with it anew.
                    if matches!(self.folder.word(spot, other.saturating_sub(1)), "define" | "undef") {
                        if other > at {
                            break;
                        }
                        takers.clear();
                        continue;
                    }
                    if let Some(whole) = self.put_in(spot, other) {
                        takers.push(whole);
                        continue;
                    }
                    // What is given another value says nothing of the one that it had.
                    if !self.folder.assigns(spot, other + 1) {
                        return None;
                    }
                    if other > at && depth == Some(0) && !unit.language.indented {
                        break;
                    }
                }
                Kind::Text if may_hold(self.folder.word(spot, other), name) => {
                    if has_sink {
                        return None;
                    }
                    takers.push((token.start, token.end));
                }
                _ => {}
            }
        }
        Some(takers)
    }

    /// What a name becomes a part of where it is the format that a call fills, `mprintf(NAME, value)`, or stands beside a text,
    /// `"… IN (" NAME ")"`: the name there, or that text.
    fn put_in(&self, spot: Spot, at: usize) -> Option<(u32, u32)> {
        let unit = self.folder.units.get(spot.unit)?;
        let range = |at: usize| unit.tokens.get(at).map(|token| (token.start, token.end));
        if self.folder.template_around(spot, at).is_some() {
            return range(at);
        }
        let is_text = |at: &usize| self.folder.kind(spot, *at) == Some(Kind::Text);
        let beside = || at.checked_sub(1).filter(is_text).or(Some(at + 1).filter(is_text));
        beside().filter(|_| unit.language.adjacent && !unit.language.indented).and_then(range)
    }

    /// Whether a name is that of a local variable where it is given a value, and not of a field, or of a variable outside.
    fn is_declared(&self, spot: Spot, name: usize) -> bool {
        let (Some(language), Some(before)) = (self.folder.language(spot), name.checked_sub(1)) else {
            return false;
        };
        let word = self.folder.word(spot, before);
        let is_word =
            self.folder.kind(spot, before) == Some(Kind::Word) && !language.keywords.contains(&word);
        let is = |sign: &u8| self.folder.is(spot, before, *sign);
        // `List<string> name`, and not `this->name`.
        let is_arrow = before.checked_sub(1).is_some_and(|dash| self.folder.is(spot, dash, b'-'));
        let by_type = language.typed && (is_word || (b">]?*&".iter().any(is) && !is_arrow));
        let by_sign = self.folder.is(spot, name + 1, b':') && self.folder.is(spot, name + 2, b'=');
        by_type
            || by_sign
            || (is_word && (word == "mut" || language.declares.contains(&word)))
            || (language.declares.is_empty() && !language.typed && !b".>@:$".iter().any(is))
    }
}

/// Whether a text may have the value of a name in it: `{name}`, `${name}`, `$name`, `\(name)`, `%(name)s`.
fn may_hold(text: &str, name: &str) -> bool {
    let is_bare = |at: usize| {
        let behind = text.get(at + name.len()..).unwrap_or("");
        !text.get(..at).unwrap_or("").ends_with(is_word) && !behind.starts_with(is_word)
    };
    let opens = |at: usize| {
        let before = text.get(..at).unwrap_or("");
        ["{", "$", "\\(", "%("].iter().any(|open| before.contains(open))
    };
    text.match_indices(name).any(|(at, _)| is_bare(at) && opens(at))
}

//! Literals, those that stand side by side as one. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, MAX_DEPTH, Spot, escapes::decode, marks, values::product};
use crate::extract::{
    languages::Holes,
    lexer::{Kind, text_at},
    text::{MORE, Text},
};

impl Folder<'_> {
    /// The literal at a token, and those that stand behind it.
    pub(super) fn literals(&self, spot: Spot, at: usize) -> Folded {
        let adjacent = self.language(spot).is_some_and(|language| language.adjacent);
        let mut value = self.literal(spot, at);
        let mut next = self.behind_literal(spot, at);
        let is_next = |at: usize| {
            self.kind(spot, at) == Some(Kind::Text) || self.is_macro(spot, at) || self.is_macro_call(spot, at)
        };
        while adjacent && is_next(next) {
            if self.is_macro_call(spot, next) {
                value = product(value, &self.quoting(spot, next).unwrap_or_else(|| self.term(spot, next).0));
                next = self.matching(spot, next + 1) + 1;
            } else if self.kind(spot, next) == Some(Kind::Word) {
                // `"%" PRId64 " …"`
                let number = self.word(spot, next).starts_with("PRI");
                let part = if number { vec![self.exactly("d", spot, next)] } else { self.named(spot, next) };
                value = product(value, &part);
                next += 1;
            } else {
                value = product(value, &self.literal(spot, next));
                next = self.behind_literal(spot, next);
            }
        }
        let repeats = self.language(spot).is_some_and(|language| language.percent_operator);
        if repeats && self.is(spot, next, b'*') && value.iter().all(|text| marks::is_marks(text.as_str())) {
            // `"IN (" + "?," * n + "?)"`
            for text in &mut value {
                text.push_mark(MORE);
            }
            next = self.term(spot, next + 1).1;
        }
        (value, next)
    }

    /// The token behind a literal and what says of which kind it is: `"…"_s`, `"…"_L1`, `"…"u8`. No macro that stands right behind the
    /// quote begins with `_`.
    fn behind_literal(&self, spot: Spot, at: usize) -> usize {
        let token = |at: usize| self.tokens(spot).get(at);
        let is_behind = token(at + 1).zip(token(at)).is_some_and(|(next, own)| next.start == own.end);
        let typed = is_behind && self.language(spot).is_some_and(|language| language.typed);
        let is_suffix = || self.word(spot, at + 1).starts_with('_') || !self.is_macro(spot, at + 1);
        at + 1 + usize::from(typed && self.kind(spot, at + 1) == Some(Kind::Word) && is_suffix())
    }

    pub(super) fn literal(&self, spot: Spot, at: usize) -> Vec<Text> {
        let form = self.tokens(spot).get(at).and_then(|token| {
            self.language(spot)
                .and_then(|language| language.strings.get(usize::from(token.form)))
                .map(|form| (token, form))
        });
        let Some((token, form)) = form else { return vec![Text::default()] };
        let source = self.source(spot);
        let all = self.sources.get(source).map_or("", |source| source.text());
        match form.holes {
            Holes::None => vec![decode(all, token, form, source)],
            Holes::Braces => self.fill_braces(spot, &decode(all, token, form, source), None),
            Holes::Marked(_) => self.marked(spot, token, form),
        }
    }

    /// The values of a string with expressions in it that stands within an expression of another one: `{(all ? "" : $"WHERE {rest}")}`.
    pub(super) fn literal_within(&self, spot: Spot, (text, offset): (&str, u32)) -> Option<Vec<Text>> {
        let (language, source) = (self.language(spot)?, self.source(spot));
        let all = self.sources.get(source)?.text();
        let token = text_at(all, offset as usize, language, self.table(language)?)?;
        let form = language.strings.get(usize::from(token.form))?;
        let is_whole = token.end as usize == offset as usize + text.len() && spot.depth <= MAX_DEPTH;
        match form.holes {
            Holes::Braces if is_whole => {
                Some(self.fill_braces(spot.deeper(), &decode(all, &token, form, source), None))
            }
            Holes::Marked(_) if is_whole => Some(self.marked(spot.deeper(), &token, form)),
            _ => None,
        }
    }
}

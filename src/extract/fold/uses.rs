//! Where a name is used as a text: handed on as it is, with more behind it, or with what it leaves open put in. An `impl` of
//! [`Folder`], apart for its length.

use super::{
    Folder, MAX_VARIANTS, Spot,
    deeds::{Deed, Does},
};
use crate::extract::text::Text;
use std::ops::Range;

/// The most uses of a name that are looked at.
const MAX_USES: usize = 16;

impl Folder<'_> {
    /// The texts that a name is used as: where it is first handed on, and with all that is put behind it after that; and where
    /// it is run with more behind it, or with what it leaves open put in. `None` where it is joined behind other text.
    pub(super) fn used(
        &self,
        spot: Spot,
        name: &str,
        (from, end): (usize, usize),
        later: &[Deed],
    ) -> Option<Vec<Text>> {
        let uses = self.uses(spot, name, from..end, later);
        let filled = uses.iter().copied().find(|&at| self.is_filled(spot, at));
        let Some(first) = filled.or(uses.first().copied()) else { return Some(Vec::new()) };
        let joining = self.put_together_around(spot, first);
        // What stands in front of it starts the text.
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        let is_behind = |at: usize| at.checked_sub(1).is_some_and(|before| self.is(spot, before, joins));
        if joining.is_some_and(is_behind) {
            return None;
        }
        let mut found = self.chain(spot, joining.unwrap_or(first)).0;
        let is_changed = |one: &Deed| one.at as usize > first && one.does != Does::Gives;
        if later.iter().any(is_changed) {
            found.extend(self.local(spot, name, end).unwrap_or_default());
            return Some(found);
        }
        let others = uses.into_iter().filter(|&at| {
            let goes_on = self.is(spot, at + 1, joins) || self.is_filled(spot, at);
            at != first && goes_on && self.is_run(spot, at)
        });
        for at in others {
            found.extend(self.chain(spot, self.put_together_around(spot, at).unwrap_or(at)).0);
        }
        found.truncate(MAX_VARIANTS);
        Some(found)
    }

    /// The call around the name at a token that makes one text of a list of that name, or fills the text.
    fn put_together_around(&self, spot: Spot, at: usize) -> Option<usize> {
        self.joining_around(spot, at).or_else(|| self.template_around(spot, at))
    }

    /// Whether what the name at a token leaves open is put in there: `name % value`, `name.format(value)`, `format(name, value)`.
    pub(super) fn is_filled(&self, spot: Spot, at: usize) -> bool {
        self.is_filled_behind(spot, at) || self.template_around(spot, at).is_some()
    }

    /// Whether a text only begins with what the name at a token stands for, or is made of it.
    pub fn is_begun(&self, spot: Spot, at: usize) -> bool {
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        (self.is(spot, at + 1, joins) && !self.is(spot, at + 2, b'=')) || self.is_filled(spot, at)
    }

    /// Whether it is put in behind the name.
    pub(super) fn is_filled_behind(&self, spot: Spot, at: usize) -> bool {
        let Some(language) = self.language(spot).filter(|language| language.percent_operator) else {
            return false;
        };
        let method = self.word(spot, at + 2);
        let formats = || language.formats.iter().any(|format| !format.bang && format.name == method);
        (self.is(spot, at + 1, b'%') && !self.is(spot, at + 2, b'='))
            || (self.is(spot, at + 1, b'.') && self.is(spot, at + 3, b'(') && formats())
    }

    /// Whether a call that runs SQL stands around a token, with nothing between but a call that fills a text.
    fn is_run(&self, spot: Spot, at: usize) -> bool {
        let Some(code) = self.code(spot) else { return false };
        let language = code.language();
        let called = |open: usize| open.checked_sub(1).map_or("", |name| code.word(name));
        let mut around = code.around(at).take(2).map(called);
        let is_sink = |word: &str| language.sink(word).is_some();
        let formats = |word: &str| language.formats.iter().any(|format| !format.bang && format.name == word);
        around
            .next()
            .is_some_and(|word| is_sink(word) || (formats(word) && around.next().is_some_and(is_sink)))
    }

    /// Where a name is handed on, as it is, with more behind it, or filled.
    fn uses(&self, spot: Spot, name: &str, range: Range<usize>, later: &[Deed]) -> Vec<usize> {
        let Some(code) = self.code(spot) else { return Vec::new() };
        let joins = code.language().joins;
        let is_use = |&at: &usize| {
            let is_deed = |one: &Deed| one.name as usize == at || one.value as usize == at;
            if code.word(at) != name || !code.is_word(at) || later.iter().any(is_deed) {
                return false;
            }
            let before =
                at.checked_sub(1).is_some_and(|before| b"(,&=$".iter().any(|&sign| code.is(before, sign)));
            let ends = code.is(at + 1, b',') || code.is(at + 1, b')') || code.is(at + 1, joins);
            let language = code.language();
            let method = code.word(at + 2);
            let joining = || language.joinings.iter().any(|joining| joining.name == method);
            let identity = code.is(at + 1, b'.') && (language.identities.contains(&method) || joining());
            before && (ends || identity || code.is(at + 1, b';') || self.is_filled_behind(spot, at))
        };
        range.filter(is_use).take(MAX_USES).collect()
    }
}

//! Where a name that text is put together under is used, and what is done with an expression: which name it is given to, and
//! as what that goes on. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, Spot,
    deeds::{Deed, Does},
    lists::Opened,
    values::distinct,
};
use crate::extract::{sketch::NOWHERE, text::Text};

impl Folder<'_> {
    /// The texts that a name is used as: where it is first handed on, and with all that is put behind it after that. `None`
    /// where it is joined behind other text.
    pub(super) fn used(
        &self,
        spot: Spot,
        name: &str,
        (from, end): (usize, usize),
        later: &[Deed],
    ) -> Option<Vec<Text>> {
        let Some(at) = self.first_use(spot, name, from..end, later) else { return Some(Vec::new()) };
        if let Some((other, behind)) = self.renamed(spot, name, at) {
            let other = self.word(spot, other as usize);
            let later = self.later(spot, other, behind..end);
            if later.iter().any(|one| one.does != Does::Gives) {
                let found = self.used(spot, other, (behind, end), &later)?;
                let local = || self.local(spot, other, end).unwrap_or_default();
                return Some(if found.is_empty() { local() } else { found });
            }
        }
        let joining = self.joining_around(spot, at);
        // What stands in front of it starts the text.
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        if joining.is_some_and(|at| at.checked_sub(1).is_some_and(|before| self.is(spot, before, joins))) {
            return None;
        }
        let mut found = self.chain(spot, joining.unwrap_or(at)).0;
        found.extend(self.used_again(spot, name, at + 1..end, later));
        distinct(&mut found);
        if later.iter().any(|one| one.at as usize > at && one.does != Does::Gives) {
            found.extend(self.local(spot, name, end).unwrap_or_default());
        }
        Some(found)
    }

    /// The texts that begin with a name where it is used once more, each with something else behind it.
    fn used_again(
        &self,
        spot: Spot,
        name: &str,
        mut range: std::ops::Range<usize>,
        later: &[Deed],
    ) -> Vec<Text> {
        const MOST: usize = 4;
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        let mut found = Vec::new();
        for _ in 0..MOST {
            let Some(at) = self.first_use(spot, name, range.clone(), later) else { break };
            if self.is(spot, at + 1, joins) && self.joining_around(spot, at).is_none() {
                found.extend(self.chain(spot, at).0);
            }
            range.start = at + 1;
        }
        found
    }

    /// What is done to a name in a range of tokens.
    pub(super) fn later(&self, spot: Spot, name: &str, range: std::ops::Range<usize>) -> Vec<Deed> {
        let is_own = |one: &&Deed| self.word(spot, one.name as usize) == name;
        self.deeds(spot.unit, range).iter().filter(is_own).copied().collect()
    }

    /// The other name that is given the value of a name used at a token, which goes on there, and the token behind that:
    /// `builder = new StringBuilder(sql)`.
    fn renamed(&self, spot: Spot, name: &str, at: usize) -> Option<(u32, usize)> {
        let code = self.code(spot)?;
        let wrapped = at.checked_sub(2).filter(|&callee| {
            code.is(callee + 1, b'(')
                && code.is(at + 1, b')')
                && code.language().identities.contains(&code.word(callee))
        });
        let (start, end) = wrapped.map_or((at, at + 1), |callee| (callee, at + 2));
        let start =
            if start.checked_sub(1).is_some_and(|new| code.word(new) == "new") { start - 1 } else { start };
        let deed = self.deed_at(spot, start)?;
        let is_other = deed.does == Does::Gives
            && (start.saturating_sub(1)..=start).contains(&(deed.value as usize))
            && self.word(spot, deed.name as usize) != name;
        (is_other && (code.is(end, b';') || code.is_on_new_line(end))).then_some((deed.name, end))
    }

    /// The builder that is given the expression which starts at a token.
    pub(super) fn bound_builder(&self, spot: Spot, at: usize) -> Option<u32> {
        self.deed_at(spot, at).filter(|deed| deed.does == Does::Gives).map(|deed| deed.name)
    }

    /// The name behind whose value the expression at a token is put.
    pub fn built(&self, spot: Spot, at: usize) -> Option<u32> {
        self.deed_at(spot, at).filter(|deed| deed.does != Does::Gives).map(|deed| deed.name)
    }

    /// What is done with the expression that starts at a token.
    pub(super) fn deed_at(&self, spot: Spot, start: usize) -> Option<Deed> {
        if spot.function == NOWHERE {
            return None;
        }
        let code = self.code(spot)?;
        // `QueryBuilder::<Sqlite>::new("…")`
        let is_made = |value: usize| {
            let is_path = |at: usize| code.is_word(at) || b":<>(&!'".iter().any(|&sign| code.is(at, sign));
            let is_builder = |at: usize| code.language().builders.contains(&code.word(at));
            start - value < 16 && (value..start).all(is_path) && (value..start).any(is_builder)
        };
        let near = |deed: &&Deed| {
            let value = deed.value as usize;
            deed.does != Does::Lends
                && value <= start
                && (start - value <= 3 || is_made(value))
                && (deed.name as usize) < start.max(value + 1) + 4
        };
        let reach = if code.language().builders.is_empty() { 12 } else { 32 };
        let deeds = self.deeds(spot.unit, start.saturating_sub(reach)..start + 5);
        let found = deeds.iter().rev().find(near).copied();
        found.or_else(|| self.list_around(spot, start))
    }

    /// What gives a name the list whose element starts at a token.
    pub(super) fn list_around(&self, spot: Spot, start: usize) -> Option<Deed> {
        let open = self.code(spot)?.around(start).next().filter(|&open| !self.is(spot, open, b'('))?;
        let is_list = |deed: &&Deed| {
            let value = deed.value as usize;
            deed.does != Does::Writes
                && value <= open
                && self.list_open(spot, value) == Some(Opened::At(open))
        };
        self.deeds(spot.unit, open.saturating_sub(12)..open).iter().rev().find(is_list).copied()
    }

    /// Where the name of a deed ends to mean the same.
    pub(super) fn scope_end(&self, spot: Spot, deed: &Deed) -> Option<usize> {
        let unit = self.units.get(spot.unit)?;
        let function = unit.sketch.functions.get(spot.function as usize)?;
        let (floor, end) = (function.name as usize, function.end as usize);
        let code = self.code(spot)?;
        let block = || code.around(deed.name as usize).find(|&open| open > floor && code.is(open, b'{'));
        let block = block().filter(|_| deed.declares && !code.indented());
        Some(block.map_or(end, |open| code.matching(open).min(end)))
    }

    /// Where a name is first handed on, as it is or with more behind it.
    fn first_use(
        &self,
        spot: Spot,
        name: &str,
        range: std::ops::Range<usize>,
        later: &[Deed],
    ) -> Option<usize> {
        let code = self.code(spot)?;
        let joins = code.language().joins;
        range.into_iter().find(|&at| {
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
            before && (ends || identity || code.is(at + 1, b';'))
        })
    }
}

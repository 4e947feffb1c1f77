//! Where a name that text is put together under is used: handed on as it is, with more behind it, or with what it leaves open
//! put in; and what is done with an expression: which name it is given to, and as what that goes on. An `impl` of [`Folder`],
//! apart for its length.

use super::{
    Folder, MAX_VARIANTS, Spot,
    deeds::{Deed, Does},
    lists::Opened,
};
use crate::extract::{
    lexer::Kind,
    sketch::NOWHERE,
    sql::{self, Looks},
    text::Text,
};
use std::ops::Range;

/// The words in front of a query within another.
const QUERIES: [&str; 9] = ["from", "join", "in", "exists", "union", "all", "except", "intersect", "as"];

/// The words in front of the name of a table.
const TABLES: [&str; 5] = ["from", "into", "join", "table", "update"];

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
        if let Some((joining, is_first)) = self.joined_in_list(spot, name, from..end) {
            return is_first.then(|| self.chain(spot, joining).0);
        }
        let mut uses = self.uses(spot, name, from..end, later);
        // `query = fmt.Sprintf("%s LIMIT %d", query, limit)` goes on with it, and hands nothing on; what it fills itself is whole then.
        let goes_on = |at: usize| {
            if !at.checked_sub(1).is_some_and(|before| self.is(spot, before, b',')) {
                return false;
            }
            let gives = |one: &&Deed| one.does == Does::Gives && one.value as usize <= at;
            let last = later.iter().filter(gives).max_by_key(|one| one.value);
            last.is_some_and(|one| at < self.chain(Spot { held: one.name, ..spot }, one.value as usize).1)
        };
        uses.retain(|&at| !goes_on(at));
        let filled = uses.iter().copied().find(|&at| self.is_filled(spot, at));
        let Some(first) = filled.or(uses.first().copied()) else {
            return (!self.is_subquery(spot, name, from..end)).then(Vec::new);
        };
        if let Some((other, behind)) = self.renamed(spot, name, first) {
            let other = self.word(spot, other as usize);
            let later = self.later(spot, other, behind..end);
            if later.iter().any(|one| one.does != Does::Gives) {
                let found = self.used(spot, other, (behind, end), &later)?;
                let local = || self.local(spot, other, end).unwrap_or_default();
                return Some(if found.is_empty() { local() } else { found });
            }
        }
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

    /// Where the expression starts that joins a list with a name among its elements, which stands nowhere else, and whether that is
    /// the first: `[rename, create].join(";")`.
    fn joined_in_list(&self, spot: Spot, name: &str, range: Range<usize>) -> Option<(usize, bool)> {
        let code = self.code(spot)?;
        let is_one_of = |at: usize, signs: &[u8]| signs.iter().any(|&sign| code.is(at, sign));
        let mut own = range.filter(|&at| code.is_word(at) && code.word(at) == name);
        let at = own.next()?;
        // What is run by itself, too, is only told of there.
        if own.next().is_some() || !is_one_of(at.saturating_sub(1), b"[{,") || !is_one_of(at + 1, b",]}") {
            return None;
        }
        let open = code.around(at).next().filter(|&open| is_one_of(open, b"[{"))?;
        Some((self.joining_around(spot, open)?, open + 1 == at))
    }

    /// Whether a name is only put where another text has a query within it: `"… FROM (" + name + ")"`.
    fn is_subquery(&self, spot: Spot, name: &str, range: Range<usize>) -> bool {
        let Some(code) = self.code(spot) else { return false };
        let joins = code.language().joins;
        let is_within = |at: usize| {
            let text = at.checked_sub(2).filter(|&text| self.kind(spot, text) == Some(Kind::Text));
            let before =
                text.map_or("", |text| code.word(text)).trim_end_matches(['"', '\'', '`']).trim_end();
            code.is(at - 1, joins) && (before.ends_with('(') || ends_with_one(before, &QUERIES))
        };
        let is_taken = |at: usize| is_within(at) && self.is_in_whole_text(spot, range.start, at);
        let mut own = range.clone().filter(|&at| code.is_word(at) && code.word(at) == name).peekable();
        own.peek().is_some() && own.all(is_taken)
    }

    /// Whether a token stands in what gives a name a text of SQL, the tables of which are known.
    fn is_in_whole_text(&self, spot: Spot, from: usize, at: usize) -> bool {
        let deeds = self.deeds(spot.unit, from..at);
        let Some(deed) = deeds.iter().rev().find(|one| (one.value as usize) < at) else { return false };
        let (texts, end) = self.chain(spot.deeper(), deed.value as usize);
        let is_whole = |text: &Text| {
            let names_table = |before: &str| ends_with_one(before.trim_end(), &TABLES);
            let mut holes = text.holes().iter().filter_map(|hole| text.as_str().get(..hole.at as usize));
            sql::looks(text.as_str()) != Looks::No && !holes.any(names_table)
        };
        end > at && deed.does == Does::Gives && texts.iter().all(is_whole)
    }

    /// What is done to a name in a range of tokens.
    pub(super) fn later(&self, spot: Spot, name: &str, range: Range<usize>) -> Vec<Deed> {
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
        let Some(open) = block else { return Some(end) };
        let close = code.matching(open).min(end);
        // A `let` of the same name in the same block begins another, unless it goes on with the value, or stands in its place.
        let name = self.word(spot, deed.name as usize);
        let is_let = |at: usize| {
            let before = |count: usize| at.checked_sub(count).map_or("", |at| code.word(at));
            let count = if before(1) == "mut" { 2 } else { 1 };
            before(count) == "let" && !at.checked_sub(count + 1).is_some_and(|at| code.is(at, b']'))
        };
        let goes_on = |value: usize| {
            let mut end = value;
            while end < close && !code.is(end, b';') {
                end = code.behind(end);
            }
            (value..end).any(|at| match code.kind(at) {
                Some(Kind::Text) => sql::contains_word(code.word(at), name),
                _ => code.word(at) == name,
            })
        };
        let is_other = |one: &&Deed| {
            one.does == Does::Gives
                && is_let(one.name as usize)
                && self.word(spot, one.name as usize) == name
                && code.around(one.name as usize).find(|&open| code.is(open, b'{')) == Some(open)
                && !goes_on(one.value as usize)
        };
        let other = self.deeds(spot.unit, deed.value as usize + 1..close).iter().find(is_other);
        Some(other.map_or(close, |other| other.name as usize))
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
        let Some(language) = self.language(spot) else { return false };
        let fills = || language.fills(self.word(spot, at + 2));
        (language.percent_operator && self.is(spot, at + 1, b'%') && !self.is(spot, at + 2, b'='))
            || (self.is(spot, at + 1, b'.') && self.is(spot, at + 3, b'(') && fills())
    }

    /// Whether a call that runs SQL stands around a token, with nothing between but a call that fills a text.
    fn is_run(&self, spot: Spot, at: usize) -> bool {
        let Some(code) = self.code(spot) else { return false };
        let language = code.language();
        if language.has_layout() {
            return true;
        }
        let called = |open: usize| open.checked_sub(1).map_or("", |name| code.word(name));
        let mut around = code.around(at).take(2).map(called);
        let is_sink = |word: &str| language.sink(word).is_some();
        let formats = |word: &str| language.formats.iter().any(|format| !format.bang && format.name == word);
        around
            .next()
            .is_some_and(|word| is_sink(word) || (formats(word) && around.next().is_some_and(is_sink)))
    }

    /// Where a name is handed on, as it is, with more behind it, or filled.
    pub(super) fn uses(&self, spot: Spot, name: &str, range: Range<usize>, later: &[Deed]) -> Vec<usize> {
        let Some(code) = self.code(spot) else { return Vec::new() };
        let joins = code.language().joins;
        let is_use = |&at: &usize| {
            let is_deed = |one: &Deed| one.name as usize == at || one.value as usize == at;
            if code.word(at) != name || !code.is_word(at) {
                return false;
            }
            let before = at.checked_sub(1).is_some_and(|before| {
                // What is given back with more behind it is not used as it is.
                b"(,&=$".iter().any(|&sign| code.is(before, sign))
                    || (code.word(before) == "return" && code.is(at + 1, joins))
            });
            let ends = code.is(at + 1, b',') || code.is(at + 1, b')') || code.is(at + 1, joins);
            let language = code.language();
            let method = code.word(at + 2);
            let joining = || language.joinings.iter().any(|joining| joining.name == method);
            let identity = code.is(at + 1, b'.') && (language.identities.contains(&method) || joining());
            let is_handed =
                before && (ends || identity || code.is(at + 1, b';') || self.is_filled_behind(spot, at));
            (is_handed || self.is_applied(spot, at)) && !later.iter().any(is_deed)
        };
        range.filter(is_use).take(MAX_USES).collect()
    }
}

/// Whether the last word of a text is one of these.
fn ends_with_one(text: &str, words: &[&str]) -> bool {
    let last = text.rsplit(|one: char| !one.is_alphabetic()).next().unwrap_or("");
    words.iter().any(|word| last.eq_ignore_ascii_case(word))
}

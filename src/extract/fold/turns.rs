//! The turns of loops over rows that are written out: `for table, column in [("ships", "port")]` gives several names their values at
//! once, so that each turn is read by itself. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, MAX_VARIANTS, Spot, deeds::Does, handed::Written, is_only_hole, lists::is_list_value,
};
use crate::extract::{
    lexer::Kind,
    sketch::NOWHERE,
    text::{Hole, Text},
};
use std::ops::Range;

/// How many tokens the head of a loop has at the most, the list aside.
const LONGEST_HEAD: usize = 12;

/// The head of a loop.
pub(super) struct Head {
    /// The tokens that name what is walked over one by one.
    pub(super) names: Range<usize>,
    /// The first token of what is walked over.
    pub(super) list: usize,
}

impl Folder<'_> {
    /// The heads of the loops around a token, from the inside out.
    pub(super) fn heads_around(&self, spot: Spot, at: usize) -> impl Iterator<Item = Head> {
        let loops = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.loops);
        let around = loops.iter().rev().filter(move |one| (one.start as usize) < at && at < one.end as usize);
        around.filter_map(move |one| {
            let start = one.start as usize;
            let mut head = start + 1..(start + LONGEST_HEAD).min(at);
            // `for (String table : TABLES)`
            let colon = self.colon_within(spot, head.clone());
            let between = colon.or_else(|| {
                head.find(|&at| {
                    matches!(self.word(spot, at), "in" | "of" | "range" | "as")
                        && self.kind(spot, at) == Some(Kind::Word)
                })
            })?;
            // PHP has the list first.
            Some(if self.word(spot, between) == "as" {
                let end = (between + LONGEST_HEAD).min(one.body as usize);
                Head { names: between + 1..end, list: start + 2 }
            } else {
                Head { names: start + 1..between, list: between + 1 }
            })
        })
    }

    /// The colon in front of the list that a loop of Java or C++ goes through.
    fn colon_within(&self, spot: Spot, head: Range<usize>) -> Option<usize> {
        self.language(spot).filter(|language| language.typed)?;
        let is_sign = |at: usize| b":;=?{".iter().any(|&sign| self.is(spot, at, sign));
        let is_path = |at: usize| self.is(spot, at, b':') && self.is(spot, at + 1, b':');
        // `std::string`
        let mut at = head.start;
        while at < head.end && (is_path(at) || !is_sign(at)) {
            at += if is_path(at) { 2 } else { 1 };
        }
        (at < head.end && self.is(spot, at, b':')).then_some(at)
    }

    /// The turns of the innermost loop over rows around a token: the first token of each row.
    pub fn turns(&self, spot: Spot, at: usize) -> Vec<u32> {
        let mut rows = self.heads_around(spot, at).filter_map(|head| {
            let entries =
                || self.entries(spot, head.list).map(|(_, all)| all.iter().map(|one| one.start).collect());
            self.rows(spot, head.list).map(|(_, rows)| rows).or_else(entries)
        });
        rows.next().map_or_else(Vec::new, |rows| rows.into_iter().map(|row| row as u32).collect())
    }

    /// The entries of the object that is walked over at a token with its keys, and where they are read:
    /// `Object.entries(TABLES)`, `TABLES.items()`.
    fn entries(&self, spot: Spot, list: usize) -> Option<(Spot, Vec<Range<usize>>)> {
        let is_of_all = self.word(spot, list) == "Object" && self.word(spot, list + 2) == "entries";
        let start = if is_of_all && self.is(spot, list + 3, b'(') { list + 4 } else { list };
        let end = self.path_end(spot, start);
        let is_items = self.word(spot, end) == "items" && self.is(spot, end + 1, b'(');
        let (inner, open) = if start > list {
            self.opened(spot, start)?
        } else if is_items {
            let path = self.path_to(spot, end);
            self.object(spot, path.split_last()?.1)?
        } else {
            return None;
        };
        let (all, _) = self.arguments(inner, open);
        let is_entry = |&(key, end): &(usize, usize)| key + 2 < end && self.is(inner, key + 1, b':');
        let entries = all.iter().map(|&(start, end)| start..end).collect();
        let is_whole = !all.is_empty() && all.len() <= MAX_VARIANTS;
        (is_whole && all.iter().all(is_entry)).then_some((inner, entries))
    }

    /// A spot in each turn of a loop around a token over rows, where texts leave open what that gives to names.
    pub fn in_own_turns(&self, spot: Spot, at: usize, texts: &[Text]) -> Vec<Spot> {
        let is_its = |hole: &Hole, name: &str| {
            hole.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        let is_open = |name: &str| {
            !name.is_empty() && texts.iter().flat_map(Text::holes).any(|hole| is_its(hole, name))
        };
        let names_one = |head: Head| head.names.into_iter().any(|at| is_open(self.word(spot, at)));
        if texts.iter().all(|text| text.holes().is_empty()) || !self.heads_around(spot, at).any(names_one) {
            return Vec::new();
        }
        self.turns(spot, at).into_iter().map(|turn| Spot { turn, ..spot }).collect()
    }

    /// The rows of a list that is written at a token, or that the name there stands for in the file, and where they are read.
    fn rows(&self, spot: Spot, list: usize) -> Option<(Spot, Vec<usize>)> {
        let (inner, value) = self.list_behind(spot, list)?;
        let open = (value..value + 3).find(|&at| self.opens(inner, at))?;
        let (elements, _) = self.arguments(inner, open);
        let is_row =
            |&(start, _): &(usize, usize)| self.is(inner, start, b'(') || self.is(inner, start, b'[');
        if elements.is_empty() || !elements.iter().all(is_row) {
            return None;
        }
        Some((inner, elements.iter().map(|&(start, _)| start).take(MAX_VARIANTS).collect()))
    }

    fn list_behind(&self, spot: Spot, list: usize) -> Option<(Spot, usize)> {
        let is_sign = |at: &usize| self.is(spot, *at, b'&') || self.is(spot, *at, b'$');
        let at = (list..list + 2).find(|at| !is_sign(at))?;
        let name = self.word(spot, at);
        if self.is(spot, at, b'[') || self.is(spot, at, b'(') {
            return Some((spot, at));
        }
        let goes_on = self.is(spot, at + 1, b'.') || self.is(spot, at + 1, b'(');
        if self.kind(spot, at) != Some(Kind::Word) || goes_on {
            return None;
        }
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize);
        let own = function.map_or_else(Vec::new, |one| self.deeds_of(spot, name, one.name as usize, at));
        match own.as_slice() {
            [] => self.lookup_tree(spot, name, ("", &[])).filter(|(inner, _)| inner.unit == spot.unit),
            [only] if only.does == Does::Gives => Some((spot, only.value as usize)),
            _ => None,
        }
    }

    /// What the turn that a spot is seen in gives to a name.
    fn in_turn(&self, spot: Spot, name: &str, at: usize) -> Option<Written> {
        if spot.turn == NOWHERE || spot.depth > MAX_DEPTH {
            return None;
        }
        let turn = spot.turn as usize;
        self.heads_around(spot, at).find_map(|head| {
            let is_name = |at: &usize| {
                let word = self.word(spot, *at);
                self.kind(spot, *at) == Some(Kind::Word) && !matches!(word, "const" | "let" | "var" | "mut")
            };
            let names: Vec<usize> = head.names.filter(is_name).collect();
            let place = names.iter().position(|&at| self.word(spot, at) == name)?;
            let read = |inner: Spot| Spot { depth: spot.depth + 1, turn: NOWHERE, ..inner };
            let Some((inner, rows)) = self.rows(spot, head.list) else {
                let (inner, entries) = self.entries(spot, head.list)?;
                let entry = entries.into_iter().find(|one| one.start == turn)?;
                let parts = [turn..turn + 1, turn + 2..entry.end];
                return parts.get(place).filter(|_| names.len() == 2).map(|part| (read(inner), part.clone()));
            };
            let inner = read(inner);
            rows.contains(&turn).then_some(())?;
            if names.len() == 1 {
                return Some((inner, turn..self.matching(inner, turn) + 1));
            }
            let &(start, end) = self.arguments(inner, turn).0.get(place)?;
            Some((inner, start..end))
        })
    }

    /// The texts that the turn which a spot is seen in gives to a name.
    pub(super) fn turned(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let (inner, range) = self.in_turn(spot, name, at)?;
        self.handed_texts(inner, range.start)
    }

    /// What is known of the expression that a turn hands over at a token.
    fn handed_texts(&self, spot: Spot, start: usize) -> Option<Vec<Text>> {
        // The key of an entry is no name.
        let is_key = self.kind(spot, start) == Some(Kind::Word)
            && self.is(spot, start + 1, b':')
            && self.language(spot)?.objects;
        let key = || vec![self.exactly(self.word(spot, start), spot, start)];
        let mut texts = if is_key { key() } else { self.chain(spot, start).0 };
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        texts.iter_mut().for_each(Text::mark_handed);
        (!texts.is_empty()).then_some(texts)
    }

    /// The texts of one value of the row that the turn which a spot is seen in gives to the name in front of a bracket: `row[0]`.
    pub(super) fn turned_part(&self, spot: Spot, open: usize, number: usize) -> Option<Vec<Text>> {
        let name = open.checked_sub(1)?;
        let (inner, row) = self.in_turn(spot, self.word(spot, name), name)?;
        let is_row = row.start == spot.turn as usize;
        let &(start, _) = self.arguments(inner, row.start).0.get(number).filter(|_| is_row)?;
        self.handed_texts(inner, start)
    }

    /// The lists that the turn which a spot is seen in gives to a name.
    pub(super) fn turned_list(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let (inner, range) = self.in_turn(spot, name, at)?;
        let mut lists = self.list_of(inner, range.start, range.end)?;
        lists.retain(is_list_value);
        lists.iter_mut().for_each(Text::mark_handed);
        (!lists.is_empty()).then_some(lists)
    }
}

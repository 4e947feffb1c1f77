//! What the callers of a function in its file hand to its parameters: texts, lists and flags, each call by itself. An `impl` of
//! [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, MAX_VARIANTS, Spot,
    conditions::Flag,
    distinct, is_only_hole,
    lists::{LIST, add, append, is_list_value},
    writes_anywhere,
};
use crate::extract::{
    lexer::Kind,
    sketch::{CallSketch, FunctionSketch, NOWHERE},
    sql::makes_schema,
    text::{Hole, Text},
};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::{hash::BuildHasher, ops::Range, sync::PoisonError};

/// The most calls of a function that are followed, and the most turns of a loop around one.
const MAX_CALLS: usize = 16;

/// The most of its calls that are looked at for what they hand over, and the most that are followed where other files call it, too.
const MOST_CALLS: usize = 1024;
const MOST_ELSEWHERE: usize = 64;

/// The most arguments of a call that are gathered to a list.
const MOST_GATHERED: usize = 64;

/// The longest condition that is asked of a caller, in words and signs: `(name !== undefined)`.
const LONGEST: usize = 8;

/// How many names deep a piece is asked of callers: what they hand on may be what theirs did, and so on around.
const NEAR: u8 = 2;

/// Some tokens, and where they are read.
pub(super) type Written = (Spot, Range<usize>);

/// A parameter.
pub(in crate::extract) struct Taken<'a> {
    pub(super) function: &'a FunctionSketch,
    /// The function among those of its file.
    index: u32,
    /// Its place among the parameters, the receiver aside.
    place: usize,
    /// The tokens that declare it.
    declared: Range<usize>,
}

/// A call that a function is seen from, as far as one of its parameters asks.
struct Handing<'a> {
    taken: Taken<'a>,
    caller: Spot,
    arguments: Vec<(usize, usize)>,
    /// The argument that is behind the name of the parameter.
    named: Option<usize>,
    /// The place of the parameter that takes all arguments which remain.
    rest: usize,
}

impl Folder<'_> {
    /// The calls of the function around, and the turns of the loops around them, where they hand over what texts leave open: the
    /// spot as it is seen from each, of which there are so many at the most: those of its file, and those of others.
    pub fn callers(&self, spot: Spot, texts: &[Text], mut most: usize) -> Vec<Spot> {
        let mut holes: Vec<(&Text, &Hole)> = Vec::new();
        for (text, hole) in texts.iter().flat_map(|text| text.holes().iter().map(move |hole| (text, hole))) {
            // The variants of a text leave the same open.
            if !holes.iter().any(|(_, other)| other.name == hole.name) {
                holes.push((text, hole));
            }
        }
        let asked = holes.into_iter().find_map(|(text, hole)| self.asked_of_callers(spot, text, hole));
        let Some((taken, name)) = asked else { return Vec::new() };
        let calls = self.calls_of(spot, taken.function).into_iter();
        let calls = calls.filter(|call| call.is_call && call.function != taken.index);
        // Who only reads is seen from a few calls, and looks at no more.
        let is_filling = texts.iter().any(writes_anywhere);
        let looked_at = if is_filling { MOST_CALLS } else { most };
        let seen = calls.take(looked_at).flat_map(|call| {
            let mut turns = self.turns(Spot::at(spot.unit, call.function), call.name as usize);
            if turns.is_empty() {
                turns.push(NOWHERE);
            }
            turns.into_iter().map(move |turn| Spot { caller: call.name, turn, ..spot })
        });
        let mut seen: Vec<Spot> = seen.take(looked_at).collect();
        // What makes schema belongs to whoever runs it, with all that is asked before.
        let is_schema = texts.iter().any(|text| makes_schema(text.as_str()));
        if !is_schema {
            let looked_at = if is_filling { MOST_CALLS } else { MOST_ELSEWHERE };
            let elsewhere = self.seen_from_elsewhere(spot, taken.function, looked_at);
            most = if elsewhere.is_empty() { most } else { most.max(MOST_ELSEWHERE) };
            seen.extend(elsewhere);
        }
        self.each_value_first(seen, &name, most)
    }

    /// So many of the calls that a function is seen from: of those that hand the same to a parameter, one before any other.
    fn each_value_first(&self, seen: Vec<Spot>, name: &str, most: usize) -> Vec<Spot> {
        if seen.len() <= most {
            return seen;
        }
        let mut counts: HashMap<String, usize> = HashMap::default();
        let ranked = seen.into_iter().map(|one| {
            let handed = self.handed(one, name).unwrap_or_default();
            let count = counts.entry(handed.iter().map(Text::as_str).collect()).or_default();
            *count += 1;
            (*count, one)
        });
        let mut ranked: Vec<(usize, Spot)> = ranked.collect();
        ranked.sort_by_key(|(count, _)| *count);
        ranked.into_iter().take(most).map(|(_, one)| one).collect()
    }

    /// What a caller of a function has to hand over to fill a hole: a parameter, or what a name for it is made of; and its name.
    fn asked_of_callers(&self, spot: Spot, text: &Text, hole: &Hole) -> Option<(Taken<'_>, String)> {
        let own = |hole: &Hole| self.taken(spot, &hole.name).map(|taken| (taken, hole.name.clone()));
        if let Some(taken) = own(hole) {
            return Some(taken);
        }
        let (_, offset) = text.locate(hole.at).filter(|(source, _)| *source == self.source(spot))?;
        let at = self.tokens(spot).partition_point(|token| token.start <= offset);
        let made = self.local(spot, &hole.name, at)?;
        made.iter().flat_map(Text::holes).find_map(own)
    }

    /// The parameter of a name, of the function around or of one that it stands in.
    pub(in crate::extract) fn taken(&self, spot: Spot, name: &str) -> Option<Taken<'_>> {
        // As many functions are looked at for those that one stands in.
        const NEAREST: usize = 64;
        let functions = self.units.get(spot.unit).filter(|_| !name.is_empty())?.sketch.functions.as_slice();
        let own = functions.get(spot.function as usize)?;
        let around = (0..spot.function).rev().take(NEAREST).filter_map(|index| {
            let one = functions.get(index as usize).filter(|one| one.end > own.name);
            one.map(|one| (index, one))
        });
        std::iter::once((spot.function, own)).chain(around).find_map(|(index, function)| {
            let (place, (start, end)) = self.parameter_of(spot, function, name)?;
            Some(Taken { function, index, place, declared: start..end })
        })
    }

    /// The calls in the file that have a name, in order.
    pub(super) fn calls_named<'s>(
        &'s self,
        spot: Spot,
        name: &'s str,
    ) -> impl Iterator<Item = &'s CallSketch> {
        let calls = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.calls);
        let hash = |word: &str| FxBuildHasher.hash_one(word);
        let by_name = self.known.unit(spot.unit).map(|known| {
            known.calls.get_or_init(|| {
                let mut by_name: HashMap<u64, Vec<u32>> = HashMap::default();
                for (index, call) in (0_u32..).zip(calls) {
                    by_name.entry(hash(self.word(spot, call.name as usize))).or_default().push(index);
                }
                by_name
            })
        });
        let own = by_name.and_then(|by_name| by_name.get(&hash(name))).map_or(&[][..], Vec::as_slice);
        let own = own.iter().filter_map(|&index| calls.get(index as usize));
        own.filter(move |call| self.word(spot, call.name as usize) == name)
    }

    /// The call which a spot is seen from, and the parameter of the function around that has a name.
    fn handing(&self, spot: Spot, name: &str) -> Option<Handing<'_>> {
        if spot.caller == NOWHERE {
            return None;
        }
        let depth = spot.depth + 2;
        let taken = self.taken(spot, name)?;
        // It may be one that another function around takes, of which no call is looked at.
        let home = Spot::at(if spot.from == NOWHERE { spot.unit } else { spot.from as usize }, NOWHERE);
        let either = [self.called_as(spot, taken.function), self.word(spot, taken.function.name as usize)];
        if !either.contains(&self.word(home, spot.caller as usize)) {
            return None;
        }
        let unit = self.units.get(home.unit).filter(|_| depth <= MAX_DEPTH)?;
        let call = unit.sketch.calls.iter().find(|call| call.name == spot.caller)?;
        let (arguments, _) = self.arguments(home, call.name as usize + 1);
        let caller = Spot { pieces: spot.pieces, depth, turn: spot.turn, function: call.function, ..home };
        let is_named =
            |&(start, _): &(usize, usize)| self.word(home, start) == name && self.is_labelled(home, start);
        let named = arguments.iter().position(is_named);
        let rest = self.variadic(spot, taken.function).unwrap_or(usize::MAX);
        Some(Handing { taken, caller, arguments, named, rest })
    }

    /// Whether an argument stands behind its name: `unique=True`, `unique: true`.
    fn is_labelled(&self, spot: Spot, start: usize) -> bool {
        let colon = self.is(spot, start + 1, b':') && !self.is(spot, start + 2, b':');
        self.kind(spot, start) == Some(Kind::Word) && (self.assigns(spot, start + 1) || colon)
    }

    /// What the call which a spot is seen from hands to a parameter of the function around, else what that is without.
    pub(super) fn argument_of(&self, spot: Spot, name: &str) -> Option<Written> {
        let Handing { taken, caller, arguments, named, rest } = self.handing(spot, name)?;
        let Taken { place, declared, .. } = taken;
        if place == rest {
            return None;
        }
        if let Some(&(start, end)) = named.and_then(|named| arguments.get(named)) {
            return Some((caller, start + 2..end));
        }
        // What is spread may hand over whatever is not named.
        let spread = arguments.iter().position(|&(start, end)| self.spread(caller, start..end).is_some());
        let spread = spread.unwrap_or(usize::MAX);
        let is_placed = |start: usize| place < spread.min(rest) && !self.is_labelled(caller, start);
        let placed = arguments.get(place).filter(|&&(start, _)| is_placed(start));
        if let Some(&(start, end)) = placed {
            return Some((caller, start..end));
        }
        if spread < arguments.len() && place < rest {
            return None;
        }
        let end = declared.end;
        let default = declared.clone().find(|&at| self.assigns(spot, at))? + 1;
        let own = Spot { caller: NOWHERE, from: NOWHERE, turn: NOWHERE, held: NOWHERE, ..spot };
        Some((Spot { depth: caller.depth, ..own }, default..end))
    }

    /// The texts that the call which a spot is seen from hands to a parameter of the function around.
    pub(super) fn handed(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let (caller, range) = self.argument_of(spot, name)?;
        let mut texts = self.chain(caller, range.start).0;
        if texts.iter().all(is_only_hole) {
            texts = self.handed_on(caller, range.start, false);
        }
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        texts.iter_mut().for_each(Text::mark_handed);
        (!texts.is_empty()).then_some(texts)
    }

    /// The lists that the call which a spot is seen from hands to a parameter of the function around.
    pub(super) fn handed_list(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let mut lists = match self.argument_of(spot, name) {
            Some((caller, range)) => self.list_handed_by(caller, range),
            None => self.gathered(spot, name)?,
        };
        lists.iter_mut().for_each(Text::mark_handed);
        (!lists.is_empty()).then_some(lists)
    }

    /// The lists that some tokens of a caller stand for: written there, named, or handed to it in turn.
    fn list_handed_by(&self, caller: Spot, range: Range<usize>) -> Vec<Text> {
        let is_name = range.len() == 1 && self.kind(caller, range.start) == Some(Kind::Word);
        let mut lists = self.list_of(caller, range.start, range.end).unwrap_or_default();
        lists.retain(is_list_value);
        if lists.is_empty() && is_name { self.handed_on(caller, range.start, true) } else { lists }
    }

    /// The lists of all arguments that a call hands to a parameter which takes those that remain.
    fn gathered(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let Handing { taken, caller, arguments, named, rest } = self.handing(spot, name)?;
        let first = named.unwrap_or(rest);
        let is_spread = |&(start, end): &(usize, usize)| self.spread(caller, start..end).is_some();
        if taken.place != rest
            || arguments.len() > MOST_GATHERED
            || arguments.iter().take(first).any(is_spread)
        {
            return None;
        }
        let mut empty = Text::default();
        empty.push_mark(LIST);
        let mut lists = vec![empty];
        for (number, &(start, end)) in arguments.iter().enumerate().skip(first) {
            let start = if Some(number) == named { start + 2 } else { start };
            let elements = match self.spread(caller, start..end) {
                Some(range) => Some(self.list_handed_by(caller, range)).filter(|lists| !lists.is_empty())?,
                None if self.is_labelled(caller, start) => continue,
                None => self.gathered_one(caller, start..end),
            };
            if let [one] = elements.as_slice() {
                for list in &mut lists {
                    append(list, one);
                }
                continue;
            }
            let longer = lists.iter().flat_map(|list| elements.iter().map(move |one| add(list, one)));
            lists = longer.take(MAX_VARIANTS).collect();
        }
        Some(lists)
    }

    /// An argument among those that remain: a list in their place, or an element.
    fn gathered_one(&self, caller: Spot, range: Range<usize>) -> Vec<Text> {
        let start = range.start;
        let lists = self.list_handed_by(caller, range);
        if !lists.is_empty() {
            return lists;
        }
        let texts = self.chain(caller, start).0;
        let handed =
            if texts.iter().all(is_only_hole) { self.handed_on(caller, start, false) } else { Vec::new() };
        if handed.is_empty() { texts } else { handed }
    }

    /// What stands behind or in front of the signs that spread an argument: `*columns`, `...columns`, `columns...`.
    fn spread(&self, spot: Spot, range: Range<usize>) -> Option<Range<usize>> {
        let mark = self.language(spot)?.variadic;
        let unpacks = matches!(mark, "*" | "vararg");
        let is_sign = |at: &usize| self.is(spot, *at, b'.') || (unpacks && self.is(spot, *at, b'*'));
        let start = range.clone().find(|at| !is_sign(at))?;
        let end = range.clone().rev().find(|at| !is_sign(at))? + 1;
        let typed = (start..end).find(|&at| self.is(spot, at, b':') && mark == "*");
        (range != (start..end)).then_some(start..typed.unwrap_or(end))
    }

    /// The lists or texts that the callers of a function hand to the parameter that it hands on.
    fn handed_on(&self, spot: Spot, at: usize, are_lists: bool) -> Vec<Text> {
        let name = self.word(spot, at);
        let key = (Spot { caller: NOWHERE, from: NOWHERE, ..spot }, name.to_owned(), are_lists);
        let known = self.known.unit(spot.unit).map(|unit| &unit.handed);
        let read = known.map(|known| known.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(texts) = read.and_then(|read| read.get(&key).cloned()) {
            return texts;
        }
        let mut texts = Vec::new();
        for seen in self.callers(spot, &[self.hole(spot, at, name, are_lists)], MAX_CALLS) {
            let more = if are_lists { self.handed_list(seen, name) } else { self.handed(seen, name) };
            texts.extend(more.unwrap_or_default());
        }
        distinct(&mut texts);
        if let Some(known) = known {
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, texts.clone());
        }
        texts
    }

    /// Whether what begins at a token is a parameter, and nobody was asked yet who hands a text or a list to it.
    pub(super) fn is_for_callers(&self, spot: Spot, at: usize) -> bool {
        // `&clauses.join(" AND ")`
        let name = (at..at + 3).find(|&at| self.kind(spot, at) == Some(Kind::Word));
        let is_near = spot.caller == NOWHERE && spot.depth <= NEAR;
        let Some(name) = name.filter(|_| is_near) else { return false };
        [false, true].iter().any(|&are_lists| !self.handed_on(spot, name, are_lists).is_empty())
    }

    /// Whether a condition holds for the call which a spot is seen from, where it asks for a parameter and nothing else: `unique`,
    /// `not unique`, `name is not None`.
    pub(super) fn holds(&self, spot: Spot, condition: Range<usize>) -> Option<bool> {
        if spot.caller == NOWHERE || condition.len() > LONGEST {
            return None;
        }
        let words: Vec<&str> = condition.clone().map(|at| self.word(spot, at)).collect();
        self.words_hold(spot.whole(), &words, condition.start)
    }

    /// The same of a condition within a string, as seen from a token.
    pub(super) fn holds_within(&self, spot: Spot, condition: &str, at: usize) -> Option<bool> {
        if spot.caller == NOWHERE {
            return None;
        }
        let is_word = |one: char| one.is_alphanumeric() || one == '_';
        let parts = condition.split_inclusive(|one| !is_word(one)).take(LONGEST + 1);
        let parts = parts.flat_map(|part| {
            let word = part.trim_end_matches(|one| !is_word(one));
            [word, part.get(word.len()..).unwrap_or("").trim()]
        });
        let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        self.words_hold(spot, &words, at)
    }

    /// The value of a parameter, or what stands in its place where the call which a spot is seen from hands nothing over:
    /// `name or "…"`, where that sign stands at a token.
    pub(super) fn or_else(&self, (spot, at): (Spot, usize), next: usize) -> Option<super::Folded> {
        let doubled =
            [b'|', b'?'].iter().any(|&sign| self.is(spot, next, sign) && self.is(spot, next + 1, sign));
        let elvis = self.is(spot, next, b'?') && self.is(spot, next + 1, b':');
        let is_word = self.word(spot, next) == "or";
        let start = at + usize::from(self.is(spot, at, b'$'));
        if !(doubled || elvis || is_word) || next != start + 1 || self.kind(spot, start) != Some(Kind::Word) {
            return None;
        }
        let (right, behind) = self.chain(spot.deeper(), next + if is_word { 1 } else { 2 });
        let name = self.word(spot, start);
        match self.flag(spot, name, start)? {
            Flag::Nothing | Flag::No => Some((right, behind)),
            Flag::Yes => Some((self.handed(spot, name)?, behind)),
        }
    }
}

//! Texts that are put together over several statements of a function: `sql += …`, `sql.push_str(…)`, `list.append(…)`. Pieces
//! that are put on only sometimes are all there, all left out, or those of one choice alone, as a spot asks; of arms that
//! exclude one another each makes a text of its own. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, MAX_VARIANTS, Spot,
    deeds::{Deed, Does, lender},
    levels::Level,
    lists::{add, is_list_value, lead},
    parts::{Part, settle_parts},
    values::{distinct, is_list, is_only_hole, is_separated, opens, product, put_in},
};
use crate::extract::{
    sketch::NOWHERE,
    sql::{self, Looks},
    text::{Pieces, Text},
};
use crate::source::SourceId;
use std::sync::PoisonError;

/// A deed, and the branches around it that are not around who asks; `choices` stand for those, one for all that ask the same.
struct Placed {
    deed: Deed,
    levels: Vec<Level>,
    choices: Vec<u32>,
}

/// Whether the arm of some deeds leaves the function.
fn leaves(arm: &[Placed], depth: usize) -> bool {
    arm.first().and_then(|one| one.levels.get(depth)).is_some_and(|level| level.leaves)
}

/// The name that is followed, and whether what is done to it may be left out.
#[derive(Clone, Copy)]
struct Followed<'n> {
    spot: Spot,
    name: &'n str,
    is_optional: bool,
    /// Whether it is done in a loop.
    repeats: bool,
}

impl Folder<'_> {
    /// The value that a name has in its function at a token, lists as they are; `None` where the function gives it none.
    pub(super) fn local(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        // A map that is half filled holds only what is right.
        let unit = self.known.unit(spot.unit)?;
        let known = || unit.locals.lock().unwrap_or_else(PoisonError::into_inner);
        let is_named = |one: &&(String, Option<Vec<Text>>)| one.0 == name;
        if let Some((_, value)) = known().get(&(spot, at)).and_then(|all| all.iter().find(is_named)) {
            return value.clone();
        }
        let value = self.followed(spot, name, at);
        known().entry((spot, at)).or_default().push((name.to_owned(), value.clone()));
        value
    }

    /// Whether the function around gives the name at a token a value.
    pub fn is_local(&self, spot: Spot, at: usize) -> bool {
        self.local(spot, self.word(spot, at), at).is_some()
    }

    /// The same, read from the tokens.
    fn followed(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let floor = function.name as usize;
        let own = self.deeds_of(spot, name, floor, at);
        let followed = Followed { spot: spot.deeper(), name, is_optional: false, repeats: false };
        let begun = own.first().and_then(|first| self.begun_by_caller(spot, name, first));
        match own.as_slice() {
            [] => None,
            [only] if only.does == Does::Gives => Some(self.done(followed, only, begun)),
            _ => self.along_all(followed, own, (floor, at), begun),
        }
    }

    /// The value of a name after these deeds, as who asks at a token sees it.
    fn along_all(
        &self,
        followed: Followed<'_>,
        own: Vec<Deed>,
        (floor, at): (usize, usize),
        begun: Option<Vec<Text>>,
    ) -> Option<Vec<Text>> {
        let spot = followed.spot;
        let around = self.levels(spot, floor, at)?;
        let place = |deed: Deed| {
            let levels = beside(self.levels(spot, floor, deed.at as usize)?, &around)?;
            let choices = levels.iter().map(|level| self.same_choice(spot, *level)).collect();
            Some(Placed { deed, levels, choices })
        };
        let placed: Vec<Placed> = own.into_iter().filter_map(place).collect();
        self.along(followed, &placed, 0, begun)
    }

    /// What these deeds put behind a text that the function around a spot is handed.
    pub(super) fn put_behind(&self, spot: Spot, name: &str, own: Vec<Deed>, end: usize) -> Option<Vec<Text>> {
        let floor = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?.name as usize;
        let followed = Followed { spot: spot.deeper(), name, is_optional: false, repeats: false };
        self.along_all(followed, own, (floor, end), Some(vec![Text::default()]))
    }

    /// The branches around a token of a function.
    pub(super) fn levels(&self, spot: Spot, floor: usize, at: usize) -> Option<Vec<Level>> {
        let code = self.code(spot)?;
        // A map that is half filled holds only what is right.
        let mut known = self.known.unit(spot.unit)?.levels.lock().unwrap_or_else(PoisonError::into_inner);
        Some(known.entry((floor, at)).or_insert_with(|| code.levels(floor, at)).clone())
    }

    /// Goes along the deeds of one way through a function, `depth` branches deep.
    fn along(
        &self,
        followed: Followed<'_>,
        placed: &[Placed],
        depth: usize,
        mut value: Option<Vec<Text>>,
    ) -> Option<Vec<Text>> {
        let mut rest = placed;
        while let Some(first) = rest.first() {
            let Some((level, &own)) = first.levels.get(depth).zip(first.choices.get(depth)) else {
                value = Some(self.done(followed, &first.deed, value));
                rest = rest.get(1..).unwrap_or(&[]);
                continue;
            };
            let level_of = |one: &Placed| one.levels.get(depth).copied();
            let is_same = |one: &&Placed| level_of(one).is_some_and(|other| other.choice == level.choice);
            let count = rest.iter().take_while(is_same).count();
            let (choice, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = behind;
            let arms: Vec<&[Placed]> = choice
                .chunk_by(|a, b| level_of(a).map(|one| one.arm) == level_of(b).map(|one| one.arm))
                // What leaves the function does not come out on the other side.
                .filter(|arm| !leaves(arm, depth))
                .collect();
            let choice_arms = arms.len() as u32;
            let (arms, is_told) = self.arms_taken(followed.spot, arms, depth);
            if arms.is_empty() {
                continue;
            }
            let is_sure = is_told || (level.complete && choice_arms >= level.arms);
            let inner = Followed {
                is_optional: followed.is_optional || !is_sure,
                repeats: followed.repeats || level.repeats,
                ..followed
            };
            let ways = arms.into_iter().filter_map(|arm| self.along(inner, arm, depth + 1, value.clone()));
            let mut texts: Vec<Text> = ways.flatten().collect();
            let is_open = level.repeats || (!is_sure && opens(value.as_deref().unwrap_or(&[]), &texts));
            let takes = || takes(followed.spot, choice, depth) || self.asks_for_list(followed.spot, *level);
            if !is_sure && value.is_some() && !takes() {
                texts = value.unwrap_or_default();
            } else {
                distinct(&mut texts);
            }
            if !is_sure {
                for text in &mut texts {
                    text.mark_optional((followed.spot.unit, own));
                }
            }
            if is_open {
                texts.iter_mut().for_each(Text::mark_open);
            }
            value = Some(texts);
        }
        value
    }

    /// The arms that are taken for the call which a spot is seen from, and whether that tells that one of them is.
    fn arms_taken<'p>(&self, spot: Spot, arms: Vec<&'p [Placed]>, depth: usize) -> (Vec<&'p [Placed]>, bool) {
        let wanted = if let Pieces::Wanted(wanted) = spot.pieces { Some(wanted) } else { None };
        let is_asked = spot.caller != NOWHERE || wanted.is_some();
        let Some(code) = self.code(spot).filter(|_| is_asked) else { return (arms, false) };
        let mut taken = Vec::new();
        for arm in arms {
            let level = arm.first().and_then(|one| one.levels.get(depth).copied());
            let condition = level.and_then(|level| code.condition(level));
            let holds = condition.and_then(|condition| {
                let asked = wanted.and_then(|wanted| self.is_wanted(spot, wanted, &condition));
                let list = || wanted.and_then(|_| self.has_elements(spot, condition.clone()));
                asked.or_else(list).or_else(|| self.holds(spot, condition.clone()))
            });
            if holds != Some(false) {
                taken.push(arm);
            }
            if holds == Some(true) {
                return (taken, true);
            }
        }
        (taken, false)
    }

    /// The value of a name after one more deed.
    fn done(&self, followed: Followed<'_>, deed: &Deed, before: Option<Vec<Text>>) -> Vec<Text> {
        let at = deed.value as usize;
        let held = if self.shadows(followed.spot, deed) { NOWHERE } else { deed.name };
        let spot = Spot { held, ..followed.spot };
        let is_apart = deed.part != Part::Whole;
        if spot.depth > MAX_DEPTH || (is_apart && spot.part != Part::Whole) {
            return vec![self.hole(spot, at, followed.name, false)];
        }
        match deed.does {
            Does::Gives => {
                if !is_apart
                    && !self.goes_on_behind_list(spot, at)
                    && let Some(list) = self.list_at(spot, at)
                {
                    return list;
                }
                if self.word(spot, at) == followed.name
                    && self.is_filled_behind(spot, at)
                    && let Some(before) = &before
                {
                    let (value, next) = self.postfix(spot, at, before.clone(), at + 1);
                    return self.chain_behind((spot, at), value, next).0;
                }
                let asked = Spot { part: if is_apart { deed.part } else { spot.part }, ..spot };
                let (mut value, end) = self.chain(asked, at);
                settle_parts(&mut value, spot, deed);
                let Some(before) = before else { return value };
                let is_unknown = value.iter().all(is_only_hole);
                // What makes the text anew without telling how, and what only may give another.
                let remade = || (at..end).any(|at| self.word(spot, at) == followed.name);
                if is_unknown && (followed.is_optional || remade()) {
                    return before;
                }
                put_in(&value, followed.name, &before)
            }
            Does::Adds | Does::Leads => {
                let before = before.unwrap_or_else(|| vec![self.begun_list(spot, deed.name as usize)]);
                self.added(spot, deed, &before)
            }
            Does::Appends if before.iter().flatten().any(is_list_value) => {
                self.added(spot, deed, &before.unwrap_or_default())
            }
            Does::Fills => {
                let before = before.unwrap_or_else(|| vec![self.hole(spot, at, followed.name, false)]);
                self.percent_operator(spot, &before, at.saturating_sub(1)).0
            }
            Does::Appends | Does::Writes => self.appended(followed, spot, deed, before),
            Does::Binds | Does::Lists | Does::Values => {
                product(before.unwrap_or_else(|| vec![Text::default()]), &[self.piece_of(spot, deed)])
            }
            Does::Lends if before.iter().flatten().any(is_list_value) => before.unwrap_or_default(),
            Does::Lends => self.handed_over(followed, spot, at, before),
        }
    }

    /// A text behind which a function puts more that it is handed to, at a token.
    fn handed_over(
        &self,
        followed: Followed<'_>,
        spot: Spot,
        at: usize,
        before: Option<Vec<Text>>,
    ) -> Vec<Text> {
        let name = self.code(spot).and_then(|code| lender(code, at)).unwrap_or(at);
        let put = self.put_by(spot, name, at);
        let is_begun = before.as_ref().is_some_and(|all| !all.is_empty());
        let before = before.unwrap_or_else(|| vec![Text::default()]);
        if let Some(piece) = put {
            return product(before, &piece);
        }
        if followed.is_optional && is_begun {
            return before;
        }
        let word = self.word(spot, name);
        let mut piece = self.hole(spot, at, word, is_list(word));
        piece.mark_needed();
        product(before, &[piece])
    }

    fn added(&self, spot: Spot, deed: &Deed, before: &[Text]) -> Vec<Text> {
        let at = deed.value as usize;
        let elements = self.list_at(spot, at).unwrap_or_else(|| self.chain(spot, at).0);
        let put = if deed.does == Does::Leads { lead } else { add };
        let all = before.iter().flat_map(|list| elements.iter().map(move |one| put(list, one)));
        all.take(MAX_VARIANTS).collect()
    }

    fn appended(
        &self,
        followed: Followed<'_>,
        spot: Spot,
        deed: &Deed,
        before: Option<Vec<Text>>,
    ) -> Vec<Text> {
        let before = before.unwrap_or_else(|| vec![Text::default()]);
        let at = deed.value as usize;
        // What a call of `write!` returns is none of the text.
        let written = deed.does == Does::Writes;
        let mut piece = if written { self.word_term(spot, at).0 } else { self.chain(spot, at).0 };
        if followed.repeats && before.iter().all(|text| is_separated(text, true)) {
            // What a loop puts together of values and commas is a list.
            if piece.iter().all(is_only_hole) {
                return vec![self.hole(spot, at, followed.name, true)];
            }
            let is_list = before.iter().all(|text| !text.holes().is_empty());
            if is_list && piece.iter().all(|text| is_separated(text, false)) {
                return before;
            }
        }
        if piece.iter().all(is_only_hole) {
            if followed.is_optional && !self.is_for_callers(spot, at) {
                return before;
            }
            piece.iter_mut().for_each(Text::mark_needed);
        }
        let call = self.word(spot, if written { at } else { deed.at as usize });
        if call.ends_with("Line") || call.ends_with("ln") {
            for text in &mut piece {
                text.append(&self.exactly("\n", spot, at));
            }
        }
        let piece = put_in(&piece, followed.name, &before);
        product(before, &piece)
    }

    /// The texts that an expression is part of: where the name that it is given to is used, with all that is put behind it
    /// in between. `None` where it is itself put behind SQL.
    pub fn whole(&self, spot: Spot, (start, end): (usize, usize), texts: Vec<Text>) -> Option<Vec<Text>> {
        let Some(deed) = self.deed_at(spot, start) else { return Some(texts) };
        let name = self.word(spot, deed.name as usize);
        let is_sql = |text: &Text| sql::looks(text.as_str()) != Looks::No;
        let goes_behind = matches!(deed.does, Does::Appends | Does::Writes) || {
            let held = Spot { held: deed.name, ..spot };
            deed.does == Does::Gives
                && !deed.declares
                && self.chain(held, deed.value as usize).0.iter().any(|text| text.has_hole(name))
        };
        if goes_behind {
            let before = self.local(spot, name, deed.at as usize);
            if before.iter().flatten().any(is_sql) {
                return None;
            }
        }
        let Some(scope_end) = self.scope_end(spot, &deed) else { return Some(texts) };
        let later = self.later(spot, name, end..scope_end);
        let from = self.unordered_start(spot).unwrap_or(end);
        let mut found = self.used(spot, name, (from, scope_end), &later)?;
        if found.is_empty() && (!later.is_empty() || goes_behind) {
            found.extend(self.local(spot, name, scope_end).unwrap_or_default());
        }
        let source = self.source(spot);
        let place = self.tokens(spot).get(start..end).unwrap_or(&[]);
        let inside = |offset: u32| place.iter().any(|token| (token.start..token.end).contains(&offset));
        // A name stands for what begins elsewhere.
        let begins =
            |origin: &(SourceId, u32)| texts.iter().any(|text| text.origins().next() == Some(*origin));
        found.retain(|text| {
            let is_own =
                |origin: (SourceId, u32)| (origin.0 == source && inside(origin.1)) || begins(&origin);
            !is_list_value(text) && text.origins().any(is_own)
        });
        let is_list = matches!(deed.does, Does::Adds | Does::Leads)
            || self.list_open(spot, deed.value as usize).is_some();
        let starts = |text: &Text| text.origins().next().is_some_and(|(_, offset)| inside(offset));
        if is_list && !found.is_empty() {
            // What is joined behind another element is a part of that one's text.
            found.retain(starts);
            return (!found.is_empty()).then_some(found);
        }
        if found.is_empty() && !is_list && later.iter().any(|one| one.does != Does::Gives) {
            let mut tail = self.hole(spot, end.saturating_sub(1), name, false);
            tail.mark_needed();
            return Some(product(texts, &[tail]));
        }
        let mut found = if found.is_empty() { texts } else { found };
        let is_handed_on = |at: usize| self.is_continued(spot, at);
        if self.goes_on_elsewhere(spot, &deed)
            || self.uses(spot, name, end..scope_end, &later).into_iter().any(is_handed_on)
        {
            self.leave_open(spot, deed.name as usize, &mut found);
        }
        Some(found)
    }
}

/// The branches of a deed that are not around who asks; `None` where it stands in another arm.
pub(super) fn beside(levels: Vec<Level>, around: &[Level]) -> Option<Vec<Level>> {
    let is_same = |(a, b): &(&Level, &Level)| a.choice == b.choice && a.arm == b.arm;
    let shared = levels.iter().zip(around).take_while(is_same).count();
    let excludes = |(a, b): (&Level, &Level)| a.choice == b.choice;
    let is_other = levels.get(shared).zip(around.get(shared)).is_some_and(excludes);
    (!is_other).then(|| levels.into_iter().skip(shared).collect())
}

/// Whether the pieces that a choice puts on are there.
fn takes(spot: Spot, choice: &[Placed], depth: usize) -> bool {
    let is_within = |one: &Placed, token: u32| one.choices.iter().skip(depth).any(|own| *own == token);
    match spot.pieces {
        Pieces::All | Pieces::Wanted(_) => true,
        Pieces::No => false,
        Pieces::Of((file, token)) => file == spot.unit && choice.iter().any(|one| is_within(one, token)),
    }
}

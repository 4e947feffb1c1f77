//! What the classes that are made of another give to a field or a member that the methods of that one use: `self.table` in a class of
//! Python whose heirs say which table. An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, fields::Given};
use crate::extract::{lexer::Kind, sketch::NOWHERE, text::Text};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// The most classes that are made of one.
const MOST: usize = 16;

/// A class: its file, and the tokens of its name and behind its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    unit: u32,
    name: u32,
    end: u32,
}

/// The classes of a tree, by their names and by what they are made of.
#[derive(Default)]
pub(super) struct Classes {
    by_name: HashMap<String, Vec<Class>>,
    by_base: HashMap<String, Vec<Class>>,
}

impl Folder<'_> {
    /// The texts that a class and its heirs give to one of its fields or members, as a method of it sees that. `None` where it has no
    /// heirs, where one of them gives it what is not read, and where what else the method uses is for each heir to say.
    pub(super) fn of_heirs(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let texts = self.given_by_heirs(spot, name)?;
        let unit = self.units.get(spot.unit)?;
        let function = unit.sketch.functions.get(spot.function as usize)?;
        let (from, to) =
            (unit.tokens.get(function.name as usize)?, unit.tokens.get(function.end as usize - 1)?);
        let body = self.sources.get(unit.source)?.slice(from.start, to.end);
        let is_word = |one: char| one.is_alphanumeric() || one == '_';
        let others = body.match_indices("self.").map(|(at, own)| {
            let rest = body.get(at + own.len()..).unwrap_or("");
            rest.split(|one: char| !is_word(one)).next().unwrap_or("")
        });
        let others: BTreeSet<&str> = others.filter(|other| *other != name).take(MOST * 4).collect();
        if others.len() > MOST {
            return None;
        }
        let differs = |other: &&str| {
            self.given_by_heirs(spot, other).is_some_and(|texts| texts.len() > 1)
                || self.of_field(spot, other).is_some_and(|texts| texts.len() > 1)
        };
        (texts.len() < 2 || !others.iter().any(differs)).then_some(texts)
    }

    /// The texts that the classes of a file give to a member which is taken of one of them, it is not known which: `model.table`.
    pub(super) fn of_any_class(&self, spot: Spot, at: usize, name: &str) -> Option<Vec<Text>> {
        let owner = at.checked_sub(2).filter(|_| self.is(spot, at - 1, b'.'))?;
        if self.kind(spot, owner) != Some(Kind::Word) {
            return None;
        }
        self.of_turn(spot, (self.word(spot, owner), name), owner)
    }

    /// The same of `model.table`, as it stands in a string in front of a token.
    pub(in crate::extract) fn of_path(&self, spot: Spot, path: &str, at: usize) -> Option<Vec<Text>> {
        self.of_turn(spot, path.split_once('.')?, at)
    }

    fn of_turn(&self, spot: Spot, (owner, name): (&str, &str), at: usize) -> Option<Vec<Text>> {
        if !self.has_heirs_by_lines(spot) || !self.is_turn(spot, owner, at) {
            return None;
        }
        let classes = self.classes.get_or_init(|| self.all_classes());
        let own = classes.by_name.values().flatten().filter(|class| class.unit as usize == spot.unit);
        let mut own: Vec<Class> = own.copied().collect();
        own.sort_unstable();
        if own.len() > MOST {
            return None;
        }
        let values: Vec<Vec<Text>> = own
            .into_iter()
            .map(|class| self.given_by(spot, class, name))
            .filter(|texts| !texts.is_empty())
            .collect();
        let mut texts: Vec<Text> = values.iter().flatten().cloned().collect();
        // What others fill in is no name.
        if texts.iter().all(is_name) {
            texts.retain(|text| !text.as_str().is_empty());
        }
        distinct(&mut texts);
        let is_known = values.len() > 1
            && texts.len() <= MAX_VARIANTS
            && !texts.iter().any(|text| !text.holes().is_empty());
        is_known.then_some(texts)
    }

    /// Whether the classes of the language are lines that name what they are made of in parentheses.
    fn has_heirs_by_lines(&self, spot: Spot) -> bool {
        self.language(spot).is_some_and(|one| one.indented && one.types.contains(&"class"))
    }

    /// Whether the name at a token is that of a loop around which walks over what is not written there: `for model in self.models:`.
    fn is_turn(&self, spot: Spot, word: &str, at: usize) -> bool {
        /// How far in front of its use a loop is looked for, in tokens.
        const FAR: usize = 200;
        let is_loop = |head: &usize| {
            self.word(spot, *head) == "for"
                && self.word(spot, head + 1) == word
                && self.word(spot, head + 2) == "in"
                && !self.opens(spot, head + 3)
        };
        (at.saturating_sub(FAR)..at).rev().any(|head| is_loop(&head))
    }

    fn given_by_heirs(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        if !self.has_heirs_by_lines(spot) || function.owner == NOWHERE || spot.depth + 2 > MAX_DEPTH {
            return None;
        }
        let owner = self.word(spot, function.owner as usize);
        let classes = self.classes.get_or_init(|| self.all_classes());
        let base = classes.by_name.get(owner).and_then(|all| match all.as_slice() {
            [only] => Some(*only),
            _ => None,
        })?;
        let found = self.with_heirs(base)?;
        let heirs = found.get(1..).filter(|heirs| !heirs.is_empty())?;
        let mut texts: Vec<Text> = heirs.iter().flat_map(|class| self.given_by(spot, *class, name)).collect();
        if texts.is_empty() {
            return None;
        }
        let own = self.given_by(spot, base, name);
        // The class itself may say nothing, for others to fill in; what it has from above is not followed.
        let says_nothing = own.iter().all(|text| text.as_str().is_empty()) && texts.iter().all(is_name);
        if own.is_empty() && self.has_base(base) {
            return None;
        }
        texts.extend(own.into_iter().filter(|_| !says_nothing));
        if texts.iter().any(|text| !text.holes().is_empty()) {
            return None;
        }
        distinct(&mut texts);
        (!texts.is_empty() && texts.len() <= MAX_VARIANTS).then_some(texts)
    }

    /// A class, and those that are made of it, through others too; `None` where they are too many.
    fn with_heirs(&self, base: Class) -> Option<Vec<Class>> {
        let classes = self.classes.get_or_init(|| self.all_classes());
        let mut found = vec![base];
        let mut next = 0;
        while let Some(class) = found.get(next).copied() {
            let name = self.word(Spot::at(class.unit as usize, NOWHERE), class.name as usize);
            let heirs = classes.by_base.get(name).into_iter().flatten();
            found.extend(heirs.filter(|heir| !found.contains(heir)).copied().collect::<Vec<_>>());
            next += 1;
            if found.len() > MOST {
                return None;
            }
        }
        Some(found)
    }

    /// The heirs of the only class of a name: each file, and the tokens of the class there.
    pub(super) fn heirs_of(&self, spot: Spot, owner: &str) -> Vec<(Spot, (usize, usize))> {
        let classes = self.classes.get_or_init(|| self.all_classes());
        let base = classes.by_name.get(owner).filter(|all| all.len() == 1).and_then(|all| all.first());
        let heirs = base.filter(|_| self.has_heirs_by_lines(spot)).and_then(|base| self.with_heirs(*base));
        let heirs = heirs.into_iter().flatten().skip(1);
        let place = |class: Class| {
            let inner = Spot { depth: spot.depth, ..Spot::at(class.unit as usize, NOWHERE) };
            (inner, (class.name as usize, class.end as usize))
        };
        heirs.map(place).collect()
    }

    /// Whether no heir of a class gives anything to a field that its own methods give something.
    pub(super) fn is_left_by_heirs(&self, spot: Spot, owner: &str, name: &str) -> bool {
        let classes = self.classes.get_or_init(|| self.all_classes());
        let base = classes.by_name.get(owner).filter(|all| all.len() == 1).and_then(|all| all.first());
        let found = base.filter(|_| self.has_heirs_by_lines(spot)).and_then(|base| self.with_heirs(*base));
        let gives = |class: &Class| !self.given_by(spot, *class, name).is_empty();
        found.is_some_and(|found| !found.iter().skip(1).any(gives))
    }

    /// Whether a class is made of others.
    fn has_base(&self, class: Class) -> bool {
        let spot = Spot::at(class.unit as usize, NOWHERE);
        let open = class.name as usize + 1;
        self.is(spot, open, b'(') && self.matching(spot, open) > open + 1
    }

    /// What one class gives to a field or a member of its own.
    fn given_by(&self, spot: Spot, class: Class, name: &str) -> Vec<Text> {
        let unit = class.unit as usize;
        let here = Spot::at(unit, NOWHERE);
        let is_within = |at: u32| class.name < at && at < class.end;
        let bindings = self.units.get(unit).map_or(&[][..], |unit| &unit.sketch.bindings);
        let members = bindings.iter().filter(|one| {
            one.function == NOWHERE && is_within(one.name) && self.word(here, one.name as usize) == name
        });
        let mut values: Vec<(u32, u32)> = members.map(|one| (NOWHERE, one.value)).collect();
        for one in self.fields_of(unit, name) {
            match *one {
                Given::Assigned(at) if is_within(at) => {
                    values
                        .extend(self.function_around(unit, at as usize).map(|(function, _)| (function, at)));
                }
                Given::Changed(at) if is_within(at) => {
                    return vec![self.hole(here, at as usize, name, false)];
                }
                _ => {}
            }
        }
        let is_nothing = |value: u32| matches!(self.word(here, value as usize), "None");
        let values = values.into_iter().filter(|(_, value)| !is_nothing(*value));
        let texts = values.flat_map(|(function, value)| {
            let inner = Spot { depth: spot.depth + 2, ..Spot::at(unit, function) };
            self.chain(inner, value as usize).0
        });
        texts.collect()
    }

    fn all_classes(&self) -> Classes {
        let mut classes = Classes::default();
        for (number, unit) in (0..).zip(self.units).filter(|(_, unit)| unit.language.indented) {
            let spot = Spot::at(number as usize, NOWHERE);
            for &name in &unit.sketch.types {
                let at = name as usize;
                let width = |at: usize| {
                    let token = unit.tokens.get(at).filter(|token| token.kind == Kind::Line);
                    token.map(|token| token.end - token.start)
                };
                let Some(level) = at.checked_sub(2).and_then(width) else { continue };
                let is_behind = |at: &usize| width(*at).is_some_and(|width| width <= level);
                let end = (at..unit.tokens.len()).find(is_behind).unwrap_or(unit.tokens.len());
                let class = Class { unit: number, name, end: end as u32 };
                classes.by_name.entry(self.word(spot, at).to_owned()).or_default().push(class);
                if self.is(spot, at + 1, b'(') {
                    for (start, end) in self.arguments(spot, at + 1).0 {
                        let base = end.checked_sub(1).filter(|last| *last >= start);
                        let base = base.filter(|&last| self.kind(spot, last) == Some(Kind::Word));
                        let base = base.map(|last| self.word(spot, last));
                        classes.by_base.entry(base.unwrap_or("").to_owned()).or_default().push(class);
                    }
                }
            }
        }
        classes
    }
}

/// Whether a text is a name, or empty.
fn is_name(text: &Text) -> bool {
    text.as_str().chars().all(|one| one.is_alphanumeric() || one == '_')
}

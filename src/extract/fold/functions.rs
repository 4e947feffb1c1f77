//! Texts that functions give back, and their parameters. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole, lists::is_list_value, values::put_in,
};
use crate::extract::{
    has_words,
    lexer::Kind,
    sketch::{FunctionSketch, NOWHERE},
    text::Text,
};
use crate::source::folder_of;
use rustc_hash::FxHashMap as HashMap;
use std::sync::PoisonError;

/// How many tokens stand between the name of a type and its body at the most.
const LONGEST_HEADER: usize = 40;

impl Folder<'_> {
    /// The texts that the function which a token calls gives back: the only one of its name in the file, else in the folder,
    /// and those that types beside it have in its place.
    pub(super) fn returned(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        let name = self.word(spot, at);
        if spot.depth > MAX_DEPTH || name.len() < 2 {
            return None;
        }
        let (called, function) = self.called(spot, at, name)?;
        let mut texts = Vec::new();
        for (unit, index) in std::iter::once(called).chain(self.overrides(called, function, name)) {
            let Some(one) = self.units.get(unit).and_then(|unit| unit.sketch.functions.get(index as usize))
            else {
                continue;
            };
            let inner = Spot { pieces: spot.pieces, depth: spot.depth + 1, ..Spot::at(unit, index) };
            // What takes all arguments which remain is of this call alone, and so is the text in which something is replaced.
            let gathers = self.variadic(inner, one).is_some() || self.replaces_within(inner, one);
            let seen_from = if gathers { at as u32 } else { NOWHERE };
            let from = if gathers && unit != spot.unit { spot.unit as u32 } else { NOWHERE };
            let inner = Spot { part: spot.part, caller: seen_from, from, ..inner };
            let given = self.given_back(inner, one);
            let is_read = spot.depth < MAX_DEPTH && self.is(spot, at + 1, b'(');
            let arguments = if is_read { self.arguments(spot, at + 1).0 } else { Vec::new() };
            texts.extend(self.with_arguments((inner, one), given, &|place| {
                let &(start, _) = arguments.get(place)?;
                Some(self.chain(spot.whole().deeper(), start).0)
            }));
        }
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        distinct(&mut texts);
        // What a list of any length is, its place tells, and each length would be a way of its own.
        let is_list = self.is_afar(spot, called) && texts.iter().all(is_marks);
        (!texts.is_empty() && !is_list).then_some(texts)
    }

    /// Whether a function stands in another folder than its caller.
    fn is_afar(&self, spot: Spot, (unit, _): (usize, u32)) -> bool {
        let folder = |unit: usize| Some(folder_of(self.sources.path(self.units.get(unit)?.source)));
        folder(unit) != folder(spot.unit)
    }

    /// What a function gives back, with the values of the arguments that a call hands to its parameters.
    pub(super) fn with_arguments(
        &self,
        (inner, function): (Spot, &FunctionSketch),
        mut texts: Vec<Text>,
        argument: &dyn Fn(usize) -> Option<Vec<Text>>,
    ) -> Vec<Text> {
        let mut names: Vec<String> = texts
            .iter()
            .flat_map(Text::holes)
            .filter(|hole| !hole.list)
            .map(|hole| hole.name.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        let rest = self.variadic(inner, function).unwrap_or(usize::MAX);
        for name in names.iter().filter(|name| !name.is_empty()) {
            let place = self.parameter(inner, function, name).filter(|&place| place < rest);
            let Some(mut values) = place.and_then(argument) else { continue };
            values.retain(|text| !is_only_hole(text) && !is_list_value(text));
            if !values.is_empty() {
                texts = put_in(&texts, name, &values);
            }
        }
        texts
    }

    /// The texts that a call within a string gives back, of the only function of its name in the file, else in the tree. A method
    /// of another file is meant where the call hands it something; one of a value that nothing tells of, where its name has two
    /// words as well.
    pub(super) fn returned_within(
        &self,
        spot: Spot,
        (receiver, name): (&str, &str),
        (argument, has_any): (&dyn Fn(usize) -> Option<Vec<Text>>, bool),
    ) -> Option<Vec<Text>> {
        if spot.depth > MAX_DEPTH || name.len() < 2 {
            return None;
        }
        let (unit, index) = self.own_named(spot, name).or_else(|| self.only_named(spot, name))?;
        let function = self.units.get(unit)?.sketch.functions.get(index as usize)?;
        let is_here = unit == spot.unit;
        let is_meant = match receiver {
            "" => is_here || function.owner == NOWHERE,
            "self" | "this" | "cls" => is_here || has_any,
            _ => has_any && (is_here || has_words(name)),
        };
        if !is_meant {
            return None;
        }
        let inner = Spot { pieces: spot.pieces, depth: spot.depth + 1, ..Spot::at(unit, index) };
        let mut texts = self.with_arguments((inner, function), self.given_back(inner, function), argument);
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        distinct(&mut texts);
        (!texts.is_empty()).then_some(texts)
    }

    /// The only function of a name in a file.
    fn own_named(&self, spot: Spot, name: &str) -> Option<(usize, u32)> {
        let all = self.functions_of(name);
        let first = all.partition_point(|(unit, _)| (*unit as usize) < spot.unit);
        let mut own = all.get(first..)?.iter().take_while(|(unit, _)| *unit as usize == spot.unit);
        let &(unit, index) = own.next()?;
        own.next().is_none().then_some((unit as usize, index))
    }

    /// The only function of a name in the tree, of those in its language.
    fn only_named(&self, spot: Spot, name: &str) -> Option<(usize, u32)> {
        let language = self.language(spot)?.name;
        let is_alike = |&&(unit, _): &&(u32, u32)| {
            self.units.get(unit as usize).is_some_and(|unit| unit.language.name == language)
        };
        let mut all = self.functions_of(name).iter().filter(is_alike);
        let &(unit, index) = all.next()?;
        all.next().is_none().then_some((unit as usize, index))
    }

    /// The function that a token calls, or the only one of its name where what it is called of is not known.
    pub fn only_called(&self, spot: Spot, at: usize) -> Option<(usize, u32)> {
        let name = self.word(spot, at);
        if let Some((place, _)) = self.called(spot, at, name) {
            return Some(place);
        }
        self.only_named(spot, name)
    }

    /// The function that a token calls: its file, its place there, and what the walk saw of it.
    pub(super) fn called(
        &self,
        spot: Spot,
        at: usize,
        name: &str,
    ) -> Option<((usize, u32), &FunctionSketch)> {
        let told = self.of_module(spot, at, name).or_else(|| self.of_type(spot, at, name));
        if let Some(found) = told.or_else(|| self.imported(spot, at, name)) {
            return Some(found);
        }
        if self.calls_given(spot, at, name) {
            return None;
        }
        let functions = &self.units.get(spot.unit)?.sketch.functions;
        let mut own = (0_u32..).zip(functions).filter(|(_, one)| self.word(spot, one.name as usize) == name);
        if let Some((index, function)) = own.next() {
            let is_only = own.next().is_none() && index != spot.function;
            return is_only.then_some(((spot.unit, index), function));
        }
        if !self.is_own_call(spot, at) {
            return None;
        }
        let is_free = self.receiver_sign(spot, at).is_none() && !self.language(spot)?.implicit_self;
        // What is called of no value is no method.
        let is_meant = |(unit, index): &(usize, u32)| {
            let one = self.units.get(*unit).and_then(|unit| unit.sketch.functions.get(*index as usize));
            !is_free || one.is_some_and(|one| one.owner == NOWHERE)
        };
        let mut beside = self.functions_beside(spot.unit, name).filter(is_meant);
        let (unit, index) = beside.next()?;
        let function = self.units.get(unit)?.sketch.functions.get(index as usize)?;
        beside.next().is_none().then_some(((unit, index), function))
    }

    /// Whether a call is of no other value than the one that the function around is a method of.
    fn is_own_call(&self, spot: Spot, at: usize) -> bool {
        const OWN: [&str; 5] = ["this", "self", "Self", "static", "parent"];
        let Some(dot) = self.receiver_sign(spot, at) else { return true };
        let owner = dot.checked_sub(if self.is(spot, dot, b'.') { 1 } else { 2 });
        let owner = owner.filter(|&at| self.kind(spot, at) == Some(Kind::Word));
        owner.is_some_and(|owner| {
            let is_path =
                self.is(spot, owner.wrapping_sub(1), b'.') || self.is(spot, owner.wrapping_sub(1), b'>');
            OWN.contains(&self.word(spot, owner)) && !is_path
        })
    }

    /// The sign in front of a name that has a value or a type before it: `.`, or the end of `->` or `::`.
    fn receiver_sign(&self, spot: Spot, at: usize) -> Option<usize> {
        at.checked_sub(1).filter(|&dot| b".>:".iter().any(|&sign| self.is(spot, dot, sign)))
    }

    /// The functions of a name in the folder of a file, tests and the file's own aside.
    fn functions_beside<'f>(&'f self, unit: usize, name: &str) -> impl Iterator<Item = (usize, u32)> + 'f {
        let place = |unit: usize| {
            let unit = self.units.get(unit)?;
            let path = self.sources.path(unit.source);
            Some((unit.language.name, folder_of(path)))
        };
        let own = place(unit);
        self.functions_of(name)
            .iter()
            .map(|&(other, index)| (other as usize, index))
            .filter(move |&(other, _)| other != unit && place(other) == own)
    }

    /// The functions of a name in the tree, tests aside: their files, and their places there.
    pub(super) fn functions_of(&self, name: &str) -> &[(u32, u32)] {
        let known = self.functions.get_or_init(|| self.functions_by_name());
        known.get(name).map_or(&[], Vec::as_slice)
    }

    fn functions_by_name(&self) -> HashMap<String, Vec<(u32, u32)>> {
        let mut found: HashMap<String, Vec<(u32, u32)>> = HashMap::default();
        for (number, unit) in self.units.iter().enumerate() {
            let functions = (0_u32..).zip(&unit.sketch.functions).filter(|(_, one)| !one.is_test);
            for (index, function) in functions {
                let name = self.word(Spot::at(number, NOWHERE), function.name as usize);
                found.entry(name.to_owned()).or_default().push((number as u32, index));
                if let Some(key) = self.path_in_module((number, unit), function, name) {
                    found.entry(key).or_default().push((number as u32, index));
                }
            }
        }
        found
    }

    /// The methods that types beside the one of a method have in its place, where they say that they are made of it.
    fn overrides(&self, (unit, _): (usize, u32), method: &FunctionSketch, name: &str) -> Vec<(usize, u32)> {
        if method.owner == NOWHERE {
            return Vec::new();
        }
        let base = self.word(Spot::at(unit, NOWHERE), method.owner as usize);
        let is_heir = |&(other, index): &(usize, u32)| {
            let spot = Spot::at(other, NOWHERE);
            let functions = self.units.get(other).map_or(&[][..], |unit| &unit.sketch.functions);
            let Some(one) = functions.get(index as usize).filter(|one| one.owner != NOWHERE) else {
                return false;
            };
            let (from, end) = (one.owner as usize + 1, one.owner as usize + LONGEST_HEADER);
            let is_indented = self.language(spot).is_some_and(|language| language.indented);
            let ends = |at: usize| self.is(spot, at, b'{') || (is_indented && self.is(spot, at, b':'));
            let header = (from..end).take_while(|&at| !ends(at) && at < one.name as usize);
            header.into_iter().any(|at| self.word(spot, at) == base)
        };
        let own = self.units.get(unit).map_or(&[][..], |unit| &unit.sketch.functions);
        let here = (0_u32..).zip(own).filter(|(_, one)| {
            self.word(Spot::at(unit, NOWHERE), one.name as usize) == name && one.owner != method.owner
        });
        let here = here.map(|(index, _)| (unit, index));
        here.chain(self.functions_beside(unit, name)).filter(is_heir).take(MAX_VARIANTS).collect()
    }

    /// What a function gives back, read once: it may call others that call others, each in several ways.
    fn given_back(&self, spot: Spot, function: &FunctionSketch) -> Vec<Text> {
        let known = self.known.unit(spot.unit).map(|unit| &unit.given);
        let read = known.map(|known| known.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(texts) = read.and_then(|read| read.get(&spot).cloned()) {
            return texts;
        }
        let mut texts = self.read_back(spot, function);
        distinct(&mut texts);
        if let Some(known) = known {
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(spot, texts.clone());
        }
        texts
    }

    fn read_back(&self, spot: Spot, function: &FunctionSketch) -> Vec<Text> {
        let (from, end) = (function.name as usize, function.end as usize);
        let returns = (from..end).filter(|&at| self.word(spot, at) == "return");
        let mut texts: Vec<Text> = returns.flat_map(|at| self.given(spot, at + 1)).collect();
        let Some(language) = self.language(spot) else { return texts };
        let Some(open) = self.parameters_at(spot, function) else { return texts };
        let close = self.matching(spot, open);
        if let Some(name) = self.named_result(spot, close) {
            let is_bare = |at: &usize| {
                self.code(spot).is_some_and(|code| code.is(at + 1, b'}') || code.is_on_new_line(at + 1))
            };
            let bare = (close..end).filter(|&at| self.word(spot, at) == "return").filter(is_bare);
            texts.extend(bare.filter_map(|at| self.value_of(spot, name, at)).flatten());
        }
        if language.block_values {
            let body = (close..end).find(|&at| self.is(spot, at, b'{'));
            texts.extend(body.into_iter().flat_map(|body| self.block(spot, body)));
        } else if self.is(spot, close + 1, b'=') && self.is(spot, close + 2, b'>') {
            // `string Table() => "…";`
            texts.extend(self.chain(spot, close + 3).0);
        } else if language.equals_bodies {
            let equals = (close..end.min(close + 8)).find(|&at| self.is(spot, at, b'='));
            texts.extend(equals.into_iter().flat_map(|at| self.chain(spot, at + 1).0));
        }
        texts
    }

    /// The parenthesis of a function's parameters.
    fn parameters_at(&self, spot: Spot, function: &FunctionSketch) -> Option<usize> {
        let name = function.name as usize;
        let parenthesis = |at: &usize| self.is(spot, *at, b'(');
        let is_body = |at: &usize| self.is(spot, *at, b'{') || self.is(spot, *at, b';');
        (name..name + 24).take_while(|at| !is_body(at)).find(parenthesis)
    }

    /// Where the parameters of the function around a spot end.
    pub(super) fn body_of(&self, spot: Spot) -> Option<usize> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        Some(self.matching(spot, self.parameters_at(spot, function)?))
    }

    /// The place of a parameter among those of a function, the receiver aside.
    pub(super) fn parameter(&self, spot: Spot, function: &FunctionSketch, name: &str) -> Option<usize> {
        self.parameter_of(spot, function, name).map(|(place, _)| place)
    }

    /// The same, and the tokens that declare it.
    pub(super) fn parameter_of(
        &self,
        spot: Spot,
        function: &FunctionSketch,
        name: &str,
    ) -> Option<(usize, (usize, usize))> {
        let (parameters, receivers) = self.parameters_of(spot, function)?;
        let place =
            parameters.iter().position(|&(start, end)| self.names_parameter(spot, (start, end), name))?;
        Some((place.checked_sub(receivers)?, *parameters.get(place)?))
    }

    /// The place of the parameter that takes all arguments which remain, the receiver aside. Those behind it are given by name.
    pub(super) fn variadic(&self, spot: Spot, function: &FunctionSketch) -> Option<usize> {
        let mark = self.language(spot)?.variadic;
        let first = *mark.as_bytes().first()?;
        let (parameters, receivers) = self.parameters_of(spot, function)?;
        let is_marked = |&(start, end): &(usize, usize)| {
            // `**options` takes those with names.
            let is_more = |at: usize| at > start && self.is(spot, at - 1, first);
            let is_sign = |at: usize| {
                mark.bytes().zip(at..).all(|(byte, at)| self.is(spot, at, byte))
                    && !self.is(spot, at + mark.len(), first)
                    && !is_more(at)
            };
            let mut at = start;
            while at < end && !self.is(spot, at, b'=') {
                let is_word = first.is_ascii_alphabetic() && self.word(spot, at) == mark;
                if is_word || is_sign(at) {
                    return true;
                }
                // `each: (...texts: string[]) => void` is a function.
                at = if self.opens(spot, at) { self.matching(spot, at) } else { at } + 1;
            }
            false
        };
        parameters.iter().position(is_marked)?.checked_sub(receivers)
    }

    /// The parameters of a function, and how many of them are its receiver.
    pub(super) fn parameters_of(
        &self,
        spot: Spot,
        function: &FunctionSketch,
    ) -> Option<(Vec<(usize, usize)>, usize)> {
        let (parameters, _) = self.arguments(spot, self.parameters_at(spot, function)?);
        let is_receiver = |&(start, end): &(usize, usize)| {
            (start..end.min(start + 4)).any(|at| matches!(self.word(spot, at), "self" | "cls"))
        };
        let receivers = usize::from(parameters.first().is_some_and(is_receiver));
        Some((parameters, receivers))
    }

    /// Whether a parameter has a name: first as in Go and in front of a colon, else last.
    fn names_parameter(&self, spot: Spot, (start, end): (usize, usize), name: &str) -> bool {
        // `std::string` is a path.
        let is_path = |at: usize| self.is(spot, at + 1, b':') || (at > start && self.is(spot, at - 1, b':'));
        let is_end = |&at: &usize| (self.is(spot, at, b':') && !is_path(at)) || self.is(spot, at, b'=');
        let ends = (start..end).find(is_end).unwrap_or(end);
        let typed = self.language(spot).is_some_and(|language| language.typed);
        let first = if typed { ends.saturating_sub(1) } else { start };
        (first..ends).any(|at| self.word(spot, at) == name)
    }
}

/// Whether a text is a list of parameters.
fn is_marks(text: &Text) -> bool {
    // Holes, and what tells that marks are repeated, are control characters.
    let is_mark = |one: char| "(),?$ ".contains(one) || one.is_control() || one.is_ascii_digit();
    text.as_str().starts_with('(') && text.as_str().chars().all(is_mark)
}

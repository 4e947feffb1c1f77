//! Calls of a function in other files than its own, as far as it is the only one of its name in its language, and the file that
//! calls names its type, or the module of a function that is no method. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot};
use crate::extract::{
    lexer::Kind,
    sketch::{CallSketch, FunctionSketch, NOWHERE},
};
use crate::source::folder_of;
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::{hash::BuildHasher, sync::PoisonError};

/// The names of files that say nothing: their folder is the module.
const NAMELESS: [&str; 5] = ["mod", "lib", "index", "__init__", "main"];

/// The functions that make values of their type.
const CONSTRUCTORS: [&str; 3] = ["__init__", "__construct", "constructor"];

/// The longest string in which the path of a module is looked for, in bytes.
const LONGEST: usize = 120;

/// Where a function stands.
struct Home<'a> {
    folder: &'a str,
    /// The last part of that.
    package: &'a str,
    /// What others call its file.
    module: &'a str,
}

impl<'a> Home<'a> {
    fn new(path: &'a str) -> Self {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let package = folder.rsplit('/').next().unwrap_or("");
        let stem = file.split('.').next().unwrap_or(file);
        Self { folder, package, module: if NAMELESS.contains(&stem) { package } else { stem } }
    }
}

/// Calls by what the name of the function hashes to: the file, and the token of the name.
pub(super) type Calls = HashMap<u64, Vec<(u32, u32)>>;

impl Folder<'_> {
    /// Whether other files call the function around.
    pub fn is_called_elsewhere(&self, spot: Spot) -> bool {
        let functions = self.units.get(spot.unit).map(|unit| &unit.sketch.functions);
        let function = functions.and_then(|all| all.get(spot.function as usize));
        function.is_some_and(|function| !self.seen_from_elsewhere(spot, function, 1).is_empty())
    }

    /// What those say that call a function: the name of the type, where it makes values of one.
    pub(super) fn called_as(&self, spot: Spot, function: &FunctionSketch) -> &str {
        let name = self.word(spot, function.name as usize);
        let makes = CONSTRUCTORS.contains(&name) && function.owner != NOWHERE;
        if makes { self.word(spot, function.owner as usize) } else { name }
    }

    /// Whether the constructor of a type below another calls that of the other: `super().__init__("ships")`.
    pub(super) fn is_from_below(&self, caller: Spot, at: usize, owner: &str) -> bool {
        let is_super = at > 4 && self.is(caller, at - 1, b'.') && self.word(caller, at - 4) == "super";
        is_super
            && self.function_around(caller.unit, at).is_some_and(|(_, one)| {
                one.implements != NOWHERE
                    && self.word(caller, self.path_end(caller, one.implements as usize)) == owner
            })
    }

    /// The calls of a function in its own file.
    pub(super) fn calls_of(&self, spot: Spot, function: &FunctionSketch) -> Vec<&CallSketch> {
        let (called, own) = (self.called_as(spot, function), self.word(spot, function.name as usize));
        let calls = self.calls_named(spot, called);
        if called == own {
            return calls.collect();
        }
        let from_below = |call: &&CallSketch| self.is_from_below(spot, call.name as usize, called);
        calls.chain(self.calls_named(spot, own).filter(from_below)).collect()
    }

    /// Where other files call the function of a spot: as spots that see it from there, so many at the most.
    pub(super) fn seen_from_elsewhere(
        &self,
        spot: Spot,
        function: &FunctionSketch,
        most: usize,
    ) -> Vec<Spot> {
        let Some(unit) = self.units.get(spot.unit) else { return Vec::new() };
        let name = self.called_as(spot, function);
        let own_name = self.word(spot, function.name as usize);
        // Of what drivers have, too, most calls are of theirs.
        if unit.language.sinks.iter().any(|(sink, _)| *sink == name) || !self.comes_to_one(spot, name) {
            return Vec::new();
        }
        let home = Home::new(self.sources.path(unit.source));
        let owner = if function.owner == NOWHERE { "" } else { self.word(spot, function.owner as usize) };
        let named = |name: &str| self.calls_anywhere(name);
        let is_maker = name != own_name;
        let below = if is_maker { named(own_name) } else { &[] };
        let is_below = |&&(from, at): &&(u32, u32)| {
            from as usize != spot.unit
                && self.is_from_below(Spot::at(from as usize, NOWHERE), at as usize, owner)
        };
        let below = below.iter().filter(is_below);
        let files = named(name).chunk_by(|one, other| one.0 == other.0).filter(|calls| {
            let caller = calls.first().map_or(spot.unit, |&(caller, _)| caller as usize);
            let language = self.units.get(caller).map(|caller| caller.language.name);
            caller != spot.unit && language == Some(unit.language.name) && self.knows(caller, &home, owner)
        });
        let is_meant = |&&(from, at): &&(u32, u32)| {
            let caller = Spot::at(from as usize, NOWHERE);
            let owner = if is_maker { "" } else { owner };
            self.word(caller, at as usize) == name && self.is_called_so(caller, at as usize, &home, owner)
        };
        let seen = files.flatten().filter(is_meant).chain(below).map(|&(from, caller)| Spot {
            caller,
            from,
            ..spot
        });
        seen.take(most).collect()
    }

    /// Whether a name is of one function in the language of its file, or of several that come to one. All of them ask for it.
    fn comes_to_one(&self, spot: Spot, name: &str) -> bool {
        let known = self.known.unit(spot.unit);
        let known = || known.map(|known| known.comes_to_one.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(&found) = known().as_ref().and_then(|known| known.get(name)) {
            return found;
        }
        let language = |unit: u32| self.units.get(unit as usize).map(|unit| unit.language.name);
        let is_alike = |&&(other, _): &&(u32, u32)| language(other) == language(spot.unit as u32);
        let alike: Vec<(u32, u32)> = self.functions_of(name).iter().filter(is_alike).copied().collect();
        let found = alike.len() < 2 || self.all_hand_on_to_one(spot, name, &alike);
        if let Some(mut known) = known() {
            known.insert(name.to_owned(), found);
        }
        found
    }

    /// Whether the functions of a name all stand in the file, and all but one hand what they are called with first on to one of that
    /// name: `link.insert(table, row)` in an `insert` of another type. Who calls any of them calls that one in the end.
    fn all_hand_on_to_one(&self, spot: Spot, name: &str, alike: &[(u32, u32)]) -> bool {
        if alike.iter().any(|&(unit, _)| unit as usize != spot.unit) {
            return false;
        }
        let functions = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.functions);
        let hands_on = |call: &&CallSketch| {
            let (arguments, _) = self.arguments(spot, call.name as usize + 1);
            let first = arguments.first().filter(|&&(start, end)| end == start + 1);
            let own = functions.get(call.function as usize);
            first
                .zip(own)
                .is_some_and(|(&(at, _), own)| self.parameter(spot, own, self.word(spot, at)) == Some(0))
        };
        let calls = self.calls_named(spot, name).filter(|call| call.is_call).filter(hands_on);
        let handing: HashSet<u32> = calls.map(|call| call.function).collect();
        alike.iter().filter(|(_, index)| handing.contains(index)).count() + 1 == alike.len()
    }

    /// Whether a file can mean what stands in another: it names the type of a method, and the module of what is none. Where a
    /// folder is one module, it may stand there.
    fn knows(&self, caller: usize, home: &Home<'_>, owner: &str) -> bool {
        let Some(unit) = self.units.get(caller) else { return false };
        let is_beside = || folder_of(self.sources.path(unit.source)) == home.folder;
        let names = |word: &str| !word.is_empty() && self.names(caller, word);
        (unit.language.receivers && (is_beside() || names(home.package)))
            || names(if owner.is_empty() { home.module } else { owner })
    }

    /// Whether a call stands as one of a method, or of a function of that module, does.
    fn is_called_so(&self, caller: Spot, at: usize, home: &Home<'_>, owner: &str) -> bool {
        let is = |at: usize, byte: u8| self.is(caller, at, byte);
        let Some(sign) = at.checked_sub(1).filter(|&sign| b".>:".iter().any(|&byte| is(sign, byte))) else {
            return owner.is_empty() || self.language(caller).is_some_and(|one| one.implicit_self);
        };
        let before =
            sign.checked_sub(if is(sign, b'.') { 1 } else { 2 }).map_or("", |at| self.word(caller, at));
        !owner.is_empty() || before == home.module || before == home.package
    }

    /// Where files other than tests call what has a name: the file, and the token of the name.
    pub(super) fn calls_anywhere(&self, name: &str) -> &[(u32, u32)] {
        let calls = self.calls.get_or_init(|| self.calls_by_name());
        calls.get(&FxBuildHasher.hash_one(name)).map_or(&[], Vec::as_slice)
    }

    /// Whether code of a file has a word, or a short string in it does.
    pub(super) fn names(&self, unit: usize, word: &str) -> bool {
        let words = self.known.unit(unit).map(|known| known.words.get_or_init(|| self.words(unit)));
        words.is_some_and(|words| words.contains(&FxBuildHasher.hash_one(word)))
    }

    fn words(&self, unit: usize) -> HashSet<u64> {
        let spot = Spot::at(unit, NOWHERE);
        let mut found = HashSet::default();
        for (at, token) in self.tokens(spot).iter().enumerate() {
            let word = self.word(spot, at);
            match token.kind {
                Kind::Word => {
                    found.insert(FxBuildHasher.hash_one(word));
                }
                Kind::Text if word.len() < LONGEST => {
                    let parts = word.split(|one: char| !one.is_alphanumeric() && one != '_');
                    found.extend(parts.map(|part| FxBuildHasher.hash_one(part)));
                }
                _ => {}
            }
        }
        found
    }

    /// The calls of all files but tests.
    fn calls_by_name(&self) -> Calls {
        let mut found = Calls::default();
        for (number, unit) in self.units.iter().enumerate().filter(|(_, unit)| !unit.is_test) {
            let spot = Spot::at(number, NOWHERE);
            for call in unit.sketch.calls.iter().filter(|call| call.is_call) {
                let name = self.word(spot, call.name as usize);
                found.entry(FxBuildHasher.hash_one(name)).or_default().push((number as u32, call.name));
            }
        }
        found
    }
}

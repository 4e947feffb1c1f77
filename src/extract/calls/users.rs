//! Where the names of constants are used. An `impl` of [`Collector`], apart for its length.

use super::{Collector, Included, is_test};
use crate::extract::{
    Found,
    fold::{Spot, Unit},
    languages::FormatCall,
    lexer::Kind,
    sketch::{CallSketch, NOWHERE},
    words::Words,
};
use crate::source::folder_of;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::hash::BuildHasher;

/// The uses of names, by name and file.
pub(super) type Users = HashMap<(String, u32), (u32, CallSketch)>;

impl Collector<'_> {
    /// Where the names of constants are used first in each file and, under [`NOWHERE`], in the tree; not in tests.
    pub(super) fn users_of_constants(&self, found: &[Found]) -> Users {
        let constants: HashSet<&str> =
            found.iter().filter_map(|one| one.literal.constant.as_deref()).collect();
        let mut users = Users::default();
        if constants.is_empty() {
            return users;
        }
        let sieve: Words = constants.iter().copied().collect();
        let filled = self.filled_templates(found);
        let mentions = |(index, unit): (usize, &Unit)| -> Vec<(&str, (u32, CallSketch))> {
            let spot = Spot::at(index, NOWHERE);
            let calls = unit.sketch.calls.iter().filter(|call| !call.is_call && call.function != NOWHERE);
            let words = calls.map(|call| (self.folder.word(spot, call.name as usize), call));
            let known = words.filter(|(word, _)| sieve.may_hold_word(word) && constants.contains(word));
            // What is filled there is no text as it is, be it by another name: `query := getBook`.
            let heads = unit.sketch.candidates.iter().filter(|one| one.is_named).map(|one| one.start);
            let heads: HashSet<u32> = heads.collect();
            let is_alone = |call: &CallSketch| {
                let (spot, name) = (Spot::at(index, call.function), call.name as usize);
                self.folder.chain(spot, name).1 == name + 1
            };
            let is_filled = |call: &CallSketch| {
                let spot = Spot::at(index, call.function);
                self.folder.template_around(spot, call.name as usize).is_some()
                    || self.is_formatted(spot, call.name as usize)
                    || filled.contains(&(index as u32, call.name))
                    || (heads.contains(&call.name) && is_alone(call))
            };
            let known = known.filter(|(_, call)| !is_test(unit, call) && !is_filled(call));
            let named = known.map(|(word, call)| (word, (index as u32, *call)));
            // `query := getBook`: what is handed on is another name for it.
            let given = unit.sketch.bindings.iter().filter(|one| one.function != NOWHERE);
            let given = given.map(|one| (self.folder.word(spot, one.value as usize), one));
            let given = given.filter(|(word, _)| sieve.may_hold_word(word) && constants.contains(word));
            let given = given.filter_map(|(word, one)| {
                let (name, function) = (one.value, one.function);
                let call = CallSketch { name, function, loop_depth: 0, is_call: false, is_launched: false };
                (is_alone(&call) && !is_test(unit, &call) && !is_filled(&call))
                    .then_some((word, (index as u32, call)))
            });
            named.chain(given).collect()
        };
        let all: Vec<_> = self.folder.units.par_iter().enumerate().map(mentions).collect();
        for (word, call) in all.into_iter().flatten() {
            for place in [call.0, NOWHERE].into_iter().chain(self.package(call.0)) {
                users.entry((word.to_owned(), place)).or_insert(call);
            }
        }
        users
    }

    /// The names that stand for templates, by file and token, where what a call makes of them was read.
    fn filled_templates(&self, found: &[Found]) -> HashSet<(u32, u32)> {
        let is_template = |one: &&Found| {
            let (spot, literal) =
                (Spot::at(one.unit as usize, one.candidate.function), one.candidate.literal as usize);
            let span = (one.candidate.start as usize, literal);
            one.candidate.is_named && self.folder.is_template(spot, span) == Some(true)
        };
        found.iter().filter(is_template).map(|one| (one.unit, one.candidate.literal)).collect()
    }

    /// Whether a name is what a format is filled with: `format!("{} WHERE id = ?", COLUMNS)`.
    pub(super) fn is_formatted(&self, spot: Spot, name: usize) -> bool {
        let code = self.folder.code(spot);
        let Some((code, open)) = code.and_then(|code| Some((code, code.around(name).next()?))) else {
            return false;
        };
        let bang = usize::from(code.is(open.saturating_sub(1), b'!'));
        let Some(callee) = open.checked_sub(1 + bang) else { return false };
        let is_one = |one: &FormatCall| one.name == code.word(callee) && one.bang == (bang == 1);
        let text = callee.checked_sub(2).filter(|_| code.is(callee - 1, b'.'));
        let is_method = text.is_some_and(|text| code.kind(text) == Some(Kind::Text));
        code.language().formats.iter().any(is_one) && (is_method || open + 1 != name)
    }

    /// A number for the folder of a file, where all files of it see the names of one another: none that a file has.
    fn package(&self, unit: u32) -> Option<u32> {
        let unit = self.folder.units.get(unit as usize).filter(|unit| unit.language.packages)?;
        let folder = folder_of(self.folder.sources.path(unit.source));
        Some(FxBuildHasher.hash_one(folder) as u32 | 1 << 31).filter(|&number| number != NOWHERE)
    }

    /// The use of a literal's constant: in its file or, if other files see the name, in the tree. That of a file is where it is
    /// included.
    pub(super) fn user<'u>(
        &self,
        one: &Found,
        (users, files): &'u (Users, Included),
    ) -> Option<&'u (u32, CallSketch)> {
        if one.literal.language.is_sql {
            return files.get(&one.unit);
        }
        let name = one.literal.constant.as_ref()?;
        let is_seen = |(unit, call): &&(u32, CallSketch)| {
            let spot = Spot::at(*unit as usize, call.function);
            one.literal.language.shows(name)
                || self.folder.shown_at(spot, call.name as usize) == Some(one.unit as usize)
        };
        let anywhere = || users.get(&(name.clone(), NOWHERE)).filter(is_seen);
        let beside = || users.get(&(name.clone(), self.package(one.unit)?));
        users.get(&(name.clone(), one.unit)).or_else(beside).or_else(anywhere)
    }
}

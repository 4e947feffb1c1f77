//! Calls of a function in other files than its own, as far as it is the only one of its name in its language, and the file that
//! calls stands beside it, or names its module or its type. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot, Unit};
use crate::extract::{
    sketch::{FunctionSketch, NOWHERE},
    sql::contains_word,
};
use crate::source::folder_of;
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::hash::BuildHasher;

/// The most calls of a function that are looked at.
const MOST: usize = 64;

/// The names of files that say nothing: their folder is the module.
const NAMELESS: [&str; 5] = ["mod", "lib", "index", "__init__", "main"];

/// Calls by what the name of the function hashes to: the file, and the token of the name.
pub(super) type Calls = HashMap<u64, Vec<(u32, u32)>>;

impl Folder<'_> {
    /// Where other files call the function of a spot: as spots that see it from there.
    pub(super) fn seen_from_elsewhere(&self, spot: Spot, function: &FunctionSketch) -> Vec<Spot> {
        let Some(unit) = self.units.get(spot.unit) else { return Vec::new() };
        let name = self.word(spot, function.name as usize);
        let is_alike = |&&(other, _): &&(u32, u32)| {
            self.units.get(other as usize).is_some_and(|one| one.language.name == unit.language.name)
        };
        if self.functions_of(name).iter().filter(is_alike).nth(1).is_some() {
            return Vec::new();
        }
        let owner = if function.owner == NOWHERE { "" } else { self.word(spot, function.owner as usize) };
        let home = self.sources.path(unit.source);
        let calls = self.calls.get_or_init(|| self.calls_by_name());
        let calls = calls.get(&FxBuildHasher.hash_one(name)).map_or(&[][..], Vec::as_slice);
        let files = calls.chunk_by(|one, other| one.0 == other.0).filter(|calls| {
            let of = calls.first().and_then(|&(other, _)| Some((other, self.units.get(other as usize)?)));
            of.is_some_and(|(other, one)| other as usize != spot.unit && self.knows(one, unit, (home, owner)))
        });
        let is_call =
            |&&(from, at): &&(u32, u32)| self.word(Spot::at(from as usize, NOWHERE), at as usize) == name;
        let seen = files.flatten().filter(is_call).map(|&(from, caller)| Spot { caller, from, ..spot });
        seen.take(MOST).collect()
    }

    /// Whether a file can mean what stands in another: it stands beside it, or names its module, or this type.
    fn knows(&self, one: &Unit, unit: &Unit, (home, owner): (&str, &str)) -> bool {
        let (folder, file) = home.rsplit_once('/').unwrap_or(("", home));
        let package = folder.rsplit('/').next().unwrap_or("");
        let stem = file.split('.').next().unwrap_or(file);
        let module = if NAMELESS.contains(&stem) { package } else { stem };
        let text = one.text(self.sources);
        let names = |word: &str| !word.is_empty() && contains_word(text, word);
        let is_beside = folder_of(self.sources.path(one.source)) == folder;
        one.language.name == unit.language.name
            && (is_beside || names(module) || names(owner) || one.language.receivers && names(package))
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

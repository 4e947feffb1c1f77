//! Functions that give a part of a text and make no SQL themselves, and may stand in a file of which only an outline is kept.
//! Asks by names alone for more than `src/extract/fold/imported.rs` takes. An `impl` of [`Restorer`], apart for its length.

use super::{
    fold::Unit,
    roles::{Graph, token_text},
    sketch::{Candidate, NOWHERE},
    units::Restorer,
};
use crate::source::Source;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

impl Restorer<'_> {
    /// Reads again the functions that may give a part of a text to those that make SQL.
    pub(super) fn read_makers(&self, units: &mut [Unit], graph: &mut Graph) {
        /// The most functions that are followed in one another.
        const DEEPEST: usize = 4;
        let makers = self.makers(units);
        let is_likely = |one: &&Candidate| one.is_likely && !one.is_test && one.function != NOWHERE;
        let asks = |(at, unit): (usize, &Unit)| -> Vec<(usize, u32)> {
            unit.sketch.candidates.iter().filter(is_likely).map(|one| (at, one.function)).collect()
        };
        let mut asking: HashSet<(usize, u32)> = units.iter().enumerate().flat_map(asks).collect();
        let mut seen: HashSet<&str> = HashSet::default();
        for _ in 0..DEEPEST {
            let called = self.called_by(units, &asking);
            let mut asked: HashMap<&str, &[usize]> = HashMap::default();
            for (&name, files) in called.into_iter().filter_map(|name| makers.get_key_value(name)) {
                if seen.insert(name) {
                    asked.insert(name, files);
                }
            }
            let mut files: Vec<usize> = asked.values().flat_map(|files| files.iter().copied()).collect();
            files.sort_unstable();
            files.dedup();
            let outlined = files.iter().copied().filter(|&at| units.get(at).is_some_and(Unit::is_outlined));
            let outlined: Vec<usize> = outlined.collect();
            self.read(units, graph, &outlined);
            asking = files.iter().flat_map(|&at| self.functions_named(units, at, &asked)).collect();
            if asking.is_empty() {
                return;
            }
        }
    }

    /// The files of functions that may give a text, by the names of these.
    fn makers<'n>(&'n self, units: &[Unit]) -> HashMap<&'n str, Vec<usize>> {
        /// The most files that declare a function of one name: what more do is no part of a text in most of them.
        const MOST_FILES: usize = 4;
        let mut makers: HashMap<&str, Vec<usize>> = HashMap::default();
        for (at, unit) in units.iter().enumerate() {
            for function in unit.outline.iter().flat_map(|outline| &outline.functions) {
                if function.may_give && !function.is_test {
                    makers.entry(self.names.name(function.name)).or_default().push(at);
                }
            }
        }
        makers.retain(|_, files| {
            files.dedup();
            files.len() <= MOST_FILES
        });
        makers
    }

    /// What functions call, by name.
    fn called_by(&self, units: &[Unit], functions: &HashSet<(usize, u32)>) -> HashSet<&str> {
        let files: HashSet<usize> = functions.iter().map(|(at, _)| *at).collect();
        let calls = files.into_iter().filter_map(|at| {
            let unit = units.get(at)?;
            let text = self.sources.get(unit.source)?.text();
            let own = unit.sketch.calls.iter().filter(move |call| functions.contains(&(at, call.function)));
            Some(own.map(move |call| token_text(unit, text, call.name)))
        });
        calls.flatten().collect()
    }

    /// The functions of a file that have one of some names.
    fn functions_named(
        &self,
        units: &[Unit],
        at: usize,
        names: &HashMap<&str, &[usize]>,
    ) -> Vec<(usize, u32)> {
        let Some(unit) = units.get(at) else { return Vec::new() };
        let text = self.sources.get(unit.source).map_or("", Source::text);
        let own = (0_u32..).zip(&unit.sketch.functions);
        own.filter(|(_, one)| names.contains_key(token_text(unit, text, one.name)))
            .map(|(index, _)| (at, index))
            .collect()
    }
}

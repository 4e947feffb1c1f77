//! Which literals belong to a function, and whose texts other literals have in them, told by where each byte of a text stands.
//! Whether one that is taken in is run by itself, too, is for who asks.

use super::{Extraction, Literal, text::Text};
use crate::source::SourceId;
use std::collections::{BTreeMap, HashMap};

impl Extraction {
    /// The literals of a function, in order.
    pub fn literals_of(&self, function: u32) -> &[usize] {
        let by_function = self.by_function.get_or_init(|| {
            let mut all: HashMap<u32, Vec<usize>> = HashMap::new();
            for (index, literal) in self.literals.iter().enumerate() {
                if let Some(function) = literal.function {
                    all.entry(function).or_default().push(index);
                }
            }
            all
        });
        by_function.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The literals among some whose texts others among some have in them: each with what has it, as indexes of the literals.
    pub fn pieces(
        &self,
        is_piece: &dyn Fn(&Literal) -> bool,
        is_whole: &dyn Fn(usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let all = || self.literals.iter().enumerate();
        let mut starts: BTreeMap<(SourceId, u32), usize> = BTreeMap::new();
        for (index, literal) in all().filter(|(_, one)| is_piece(one)) {
            starts.insert((literal.site.source, literal.site.start), index);
        }
        let mut found = Vec::new();
        if starts.is_empty() {
            return found;
        }
        for (index, literal) in all().filter(|(index, _)| is_whole(*index)) {
            for (source, offset) in literal.variants.iter().flat_map(Text::origins) {
                let before = starts.range(..=(source, offset)).next_back().map(|(_, &other)| other);
                let other = before.filter(|&other| {
                    let site = self.literals.get(other).map(|one| one.site);
                    other != index && site.is_some_and(|site| site.source == source && offset < site.end)
                });
                found.extend(other.map(|other| (other, index)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

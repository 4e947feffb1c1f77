//! Names: what they stand for in the function around, in the file, in the tree. An `impl` of [`Folder`], apart for its
//! length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, is_list, is_only_hole};
use crate::extract::{
    sketch::{Binding, NOWHERE},
    text::Text,
};

/// Methods that put more text behind the one that they are called on.
const APPENDS: [&str; 7] = ["push_str", "WriteString", "append", "Append", "AppendLine", "write", "concat"];

impl Folder<'_> {
    /// The value of a name: of the function around, of the file, of the tree.
    pub fn named(&self, spot: Spot, at: usize) -> Vec<Text> {
        let name = self.word(spot, at);
        self.value_of(spot, name, at).unwrap_or_else(|| vec![self.hole(spot, at, name, is_list(name))])
    }

    /// The value of a name, as seen from a token; `None` where it is not text.
    pub fn value_of(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        if spot.depth > MAX_DEPTH {
            return None;
        }
        let mut values = Vec::new();
        for (unit, binding) in self.lookup(spot, name, at) {
            let inner = Spot { unit, function: binding.function, depth: spot.depth + 1 };
            let (mut found, _) = self.chain(inner, binding.value as usize);
            // An empty text that gets more later on stands for what is not known.
            let is_empty = found.iter().all(|text| text.as_str().is_empty());
            if is_empty && binding.function != NOWHERE && self.is_extended(inner, binding.value as usize) {
                found = vec![self.hole(inner, binding.name as usize, name, false)];
            }
            values.extend(found.into_iter().filter(|text| !is_only_hole(text)));
        }
        values.truncate(MAX_VARIANTS);
        values.dedup();
        (!values.is_empty()).then_some(values)
    }

    /// The bindings that a name may mean.
    fn lookup(&self, spot: Spot, name: &str, at: usize) -> Vec<(usize, Binding)> {
        let Some(unit) = self.units.get(spot.unit) else { return Vec::new() };
        if spot.function != NOWHERE {
            let local = |binding: &&Binding| {
                binding.function == spot.function
                    && (binding.name as usize) < at
                    && self.word(spot, binding.name as usize) == name
                    && !self.gives(spot, binding, at)
            };
            let mut found: Vec<(usize, Binding)> =
                unit.sketch.bindings.iter().filter(local).map(|binding| (spot.unit, *binding)).collect();
            // A declaration hides what came before it.
            let declares = |binding: &Binding| {
                let before =
                    (binding.name as usize).checked_sub(1).map_or("", |before| self.word(spot, before));
                unit.language.declares.contains(&before) || before == "mut"
            };
            if let Some(last) = found.iter().rposition(|(_, binding)| declares(binding)) {
                found.drain(..last);
            }
            if !found.is_empty() {
                return found;
            }
        }
        self.lookup_tree(spot, name)
    }

    /// Whether a token is part of what a name is given here: there, `x = f"({x})"` means what it was before.
    fn gives(&self, spot: Spot, binding: &Binding, at: usize) -> bool {
        let value = binding.value as usize;
        let tokens = self.tokens(spot);
        let (Some(first), Some(last)) = (tokens.get(value), tokens.get(at)) else { return false };
        let source = self.sources.get(self.source(spot));
        value <= at
            && source.is_some_and(|source| !source.slice(first.start, last.start).contains(['\n', ';']))
    }

    /// The nearest binding of this name at the level of a file.
    fn lookup_tree(&self, spot: Spot, name: &str) -> Vec<(usize, Binding)> {
        let Some(places) = self.names.get(name) else { return Vec::new() };
        let path = self.sources.path(self.source(spot));
        let language = self.language(spot).map_or("", |language| language.name);
        let mut best: Option<(usize, usize, Binding)> = None;
        for &(unit_index, index) in places {
            let unit_index = unit_index as usize;
            let Some(unit) = self.units.get(unit_index).filter(|unit| unit.language.name == language) else {
                continue;
            };
            let Some(binding) = unit.sketch.bindings.get(index as usize) else { continue };
            let near = if unit_index == spot.unit {
                usize::MAX
            } else if !is_global(name) {
                continue;
            } else {
                common_folders(path, self.sources.path(unit.source))
            };
            if best.as_ref().is_none_or(|(most, ..)| near > *most) {
                best = Some((near, unit_index, *binding));
            }
        }
        best.into_iter().map(|(_, unit, binding)| (unit, binding)).collect()
    }

    /// Whether the name that an expression is bound to gets more text behind it later in the function: `sql += …`,
    /// `sql.push_str(…)`, `sql = sql + …`.
    pub fn is_extended(&self, spot: Spot, start: usize) -> bool {
        let Some(unit) = self.units.get(spot.unit) else { return false };
        let binding = unit.sketch.bindings.iter().rev().find(|binding| binding.value as usize <= start);
        let Some(binding) =
            binding.filter(|one| start - one.value as usize <= 3 && one.function == spot.function)
        else {
            return false;
        };
        let name = self.word(spot, binding.name as usize);
        let end =
            unit.sketch.functions.get(spot.function as usize).map_or(start, |function| function.end as usize);
        let joins = self.language(spot).map_or(b'+', |language| language.joins);
        (start..end).any(|at| {
            let next = |by: usize, byte: u8| self.is(spot, at + by, byte);
            self.word(spot, at) == name
                && (((next(1, b'+') || next(1, joins)) && next(2, b'='))
                    || (next(1, b'<')
                        && next(2, b'<')
                        && self.language(spot).is_some_and(|one| one.commands))
                    || (next(1, b'.') && APPENDS.contains(&self.word(spot, at + 2)))
                    || (next(1, b'=') && self.word(spot, at + 2) == name && next(3, b'+')))
        })
    }
}

/// Whether a name is one that other files see: in capitals, or with a capital in front as in Go.
pub(in crate::extract) fn is_global(name: &str) -> bool {
    name.len() > 2 && name.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn common_folders(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

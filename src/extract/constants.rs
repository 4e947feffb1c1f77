//! The names that stand for SQL: one text, or a list of texts and of other names. Migrations are made of them.

mod markers;

pub(super) use markers::named;
pub use markers::{Marker, markers};

use super::{
    Found,
    fold::{Folder, Spot},
    lexer::Kind,
    sketch::{Binding, NOWHERE},
};
use crate::source::Site;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// One element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// A text, as an index of the literals.
    Literal(usize),
    /// Another name.
    Name(String),
}

/// A name that stands for SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// As written.
    pub name: String,
    /// Where the name stands.
    pub site: Site,
    /// Whether it is a list, and not one text.
    pub is_list: bool,
    /// What it stands for, in order.
    pub elements: Vec<Element>,
}

/// The names at the level of a file that stand for literals found, and the lists that name them.
pub(super) fn constants(folder: &Folder<'_>, found: &mut [Found]) -> Vec<Constant> {
    // By file and token, where an expression that is SQL starts.
    let mut starts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (index, one) in found.iter().enumerate() {
        starts.insert((one.unit, one.candidate.literal), index);
    }
    let units = folder.units.par_iter().enumerate();
    let mut all: Vec<Constant> = units
        .flat_map_iter(|(index, unit)| {
            let bindings = unit.sketch.bindings.iter().filter(|binding| binding.function == NOWHERE);
            bindings.filter_map(|binding| constant(folder, index, *binding, &starts)).collect::<Vec<_>>()
        })
        .collect();
    keep_sql(&mut all);
    for constant in &all {
        for element in &constant.elements {
            if let Element::Literal(index) = element
                && let Some(one) = found.get_mut(*index)
            {
                one.literal.constant = Some(constant.name.clone());
            }
        }
    }
    all
}

/// Keeps the names that stand for SQL, directly or through other names.
fn keep_sql(all: &mut Vec<Constant>) {
    let mut known: HashSet<String> = HashSet::new();
    loop {
        let before = known.len();
        for constant in all.iter() {
            let speaks = |element: &Element| match element {
                Element::Literal(_) => true,
                Element::Name(name) => known.contains(name),
            };
            if constant.elements.iter().any(speaks) {
                known.insert(constant.name.clone());
            }
        }
        if known.len() == before {
            break;
        }
    }
    all.retain(|constant| known.contains(&constant.name) && !constant.elements.is_empty());
    for constant in all.iter_mut() {
        constant.elements.retain(|element| match element {
            Element::Literal(_) => true,
            Element::Name(name) => known.contains(name),
        });
    }
    all.retain(|constant| !constant.elements.is_empty());
}

fn constant(
    folder: &Folder<'_>,
    unit: usize,
    binding: Binding,
    starts: &BTreeMap<(u32, u32), usize>,
) -> Option<Constant> {
    let spot = Spot::at(unit, NOWHERE);
    let token = folder.tokens(spot).get(binding.name as usize)?;
    let source = folder.units.get(unit)?.source;
    let site = Site { source, start: token.start, end: token.end };
    let name = folder.word(spot, binding.name as usize).to_owned();
    let mut value = binding.value as usize;
    while folder.is(spot, value, b'&') {
        value += 1;
    }
    let list = list_open(folder, spot, value);
    let elements = if let Some(open) = list {
        let (ranges, _) = folder.arguments(spot, open);
        ranges.into_iter().filter_map(|(start, end)| element(folder, spot, start, end, starts)).collect()
    } else {
        let (_, end) = folder.chain(spot, value);
        element(folder, spot, value, end.max(value + 1), starts).into_iter().collect()
    };
    Some(Constant { name, site, is_list: list.is_some(), elements })
}

/// The bracket that opens a list: `[…]`, `vec![…]`, `[]string{…}`, `Migrations::new(vec![…])`.
fn list_open(folder: &Folder<'_>, spot: Spot, value: usize) -> Option<usize> {
    let language = folder.language(spot)?;
    let named = language.lists.contains(&folder.word(spot, value));
    for at in value..value + 24 {
        // A name without a value, and the next one.
        if at > value && language.declares.contains(&folder.word(spot, at)) {
            return None;
        }
        if folder.is(spot, at, b'{') && (named || (language.typed && at == value)) {
            return Some(at);
        }
        if folder.is(spot, at, b'(') && named && folder.word(spot, value) != "new" {
            return Some(at);
        }
        if named && folder.is(spot, at, b'[') && folder.is(spot, at + 1, b']') {
            continue;
        }
        if folder.is(spot, at, b'[') {
            let typed = folder.is(spot, at + 1, b']');
            if !typed {
                return Some(at);
            }
            return (at + 2..at + 8).find(|&next| folder.is(spot, next, b'{'));
        }
        if matches!(folder.kind(spot, at), Some(Kind::Text | Kind::Line) | None) || folder.is(spot, at, b';')
        {
            return None;
        }
    }
    None
}

/// The SQL of one element: the first text in it or, where it has none, the first name in capitals.
fn element(
    folder: &Folder<'_>,
    spot: Spot,
    start: usize,
    end: usize,
    starts: &BTreeMap<(u32, u32), usize>,
) -> Option<Element> {
    let unit = spot.unit as u32;
    if let Some((_, &index)) = starts.range((unit, start as u32)..(unit, end as u32)).next() {
        return Some(Element::Literal(index));
    }
    (start..end).find_map(|at| {
        let word = folder.word(spot, at);
        let called = folder.is(spot, at + 1, b'(') || folder.is(spot, at + 1, b':');
        let named = folder.kind(spot, at) == Some(Kind::Word) && !called && word.len() > 2;
        named.then(|| Element::Name(word.to_owned()))
    })
}

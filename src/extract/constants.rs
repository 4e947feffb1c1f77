//! The names that stand for SQL: one text, or a list of texts and of other names. Migrations are made of them.

mod markers;
mod paths;
mod uses;

pub(super) use markers::named;
pub use markers::{Marker, REPLACES, markers};
pub use uses::named_in_code;

use super::{
    Found, Function, Role,
    fold::{Folder, Spot},
    lexer::Kind,
    roles::IN_A_LIST,
    sketch::{Binding, NOWHERE},
};
use crate::source::{Site, SourceId, Sources};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// One element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// A text, as an index of the literals.
    Literal(usize),
    /// Another name.
    Name(String),
    /// A name that is called by where it stands, as the place of the name there.
    Constant(Site),
    /// A function of the file, which the list names to be called in its turn.
    Function(String),
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
    /// The numbers that stand in front of its texts: `up(20240131, "…")`, by the literal.
    pub numbers: BTreeMap<usize, u64>,
}

/// The names at the level of a file that stand for literals found, and the lists that name them.
pub(super) fn constants(sources: &Sources, folder: &Folder<'_>, found: &mut [Found]) -> Vec<Constant> {
    // By file and token, where an expression that is SQL starts.
    let mut starts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (index, one) in found.iter().enumerate() {
        starts.insert((one.unit, one.candidate.literal), index);
    }
    let units = folder.units.par_iter().enumerate();
    let read: Vec<(Constant, Vec<Vec<String>>)> = units
        .flat_map_iter(|(index, unit)| {
            let bindings = unit.sketch.bindings.iter().filter(|binding| binding.function == NOWHERE);
            bindings.filter_map(|binding| constant(folder, index, *binding, &starts)).collect::<Vec<_>>()
        })
        .collect();
    let mut all: Vec<Constant> = Vec::with_capacity(read.len());
    let mut called: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for (index, (constant, paths)) in read.into_iter().enumerate() {
        all.push(constant);
        let paths = paths.into_iter().enumerate().filter(|(_, path)| path.len() > 1);
        called.extend(paths.map(|(element, path)| ((index, element), path)));
    }
    paths::resolve(sources, &mut all, &called);
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

/// Gives the functions that lists of declarations name the role of a migration, with their texts: they run in their turn.
pub(super) fn mark_listed(constants: &[Constant], functions: &mut [Function], found: &mut [Found]) {
    let is_declaration = |element: &Element| matches!(element, Element::Literal(index) if found.get(*index).is_some_and(super::calls::is_ddl));
    let holders = || constants.iter().filter(|one| one.elements.iter().any(is_declaration));
    let known: HashSet<String> = holders().map(|one| one.name.clone()).collect();
    let places: HashSet<Site> = holders().map(|one| one.site).collect();
    let is_step = |element: &Element| match element {
        Element::Literal(_) => is_declaration(element),
        _ => speaks(element, &known, &places),
    };
    let lists = constants.iter().filter(|one| one.is_list && one.elements.iter().any(is_step));
    let named = lists.flat_map(|list| list.elements.iter().map(|element| (list.site.source, element)));
    let name = |(file, element)| match element {
        &Element::Function(ref name) => Some((file, name.as_str())),
        _ => None,
    };
    let names: HashSet<(SourceId, &str)> = named.filter_map(name).collect();
    let mut listed: HashSet<u32> = HashSet::new();
    for (number, one) in (0_u32..).zip(functions) {
        let is_listed = names.contains(&(one.site.source, one.name.as_str()));
        if is_listed && one.role == Role::Production {
            (one.role, one.reason) = (Role::Migration, IN_A_LIST.to_owned());
            listed.insert(number);
        }
    }
    for literal in found.iter_mut().map(|one| &mut one.literal) {
        let is_its = literal.function.is_some_and(|function| listed.contains(&function));
        if is_its && literal.role == Role::Production {
            literal.role = Role::Migration;
        }
    }
}

/// The shortest name that may be SQL wherever it stands.
const SHORTEST: usize = 3;

/// Keeps the names that stand for SQL, directly or through other names.
fn keep_sql(all: &mut Vec<Constant>) {
    let mut known: HashSet<String> = HashSet::new();
    let mut places: HashSet<Site> = HashSet::new();
    loop {
        let before = places.len();
        for constant in all.iter() {
            if constant.elements.iter().any(|element| speaks(element, &known, &places)) {
                known.insert(constant.name.clone());
                places.insert(constant.site);
            }
        }
        if places.len() == before {
            break;
        }
    }
    all.retain(|constant| constant.elements.iter().any(|element| speaks(element, &known, &places)));
    for constant in all.iter_mut() {
        let is_function = |element: &Element| matches!(element, Element::Function(_));
        constant.elements.retain(|element| is_function(element) || speaks(element, &known, &places));
    }
}

/// Whether an element stands for SQL, where these names and places do.
fn speaks(element: &Element, known: &HashSet<String>, places: &HashSet<Site>) -> bool {
    match element {
        Element::Literal(_) => true,
        Element::Name(name) => name.len() >= SHORTEST && known.contains(name),
        Element::Constant(site) => places.contains(site),
        Element::Function(_) => false,
    }
}

/// The constant that a name is bound to, and the path that each of its elements is called by.
fn constant(
    folder: &Folder<'_>,
    unit: usize,
    binding: Binding,
    starts: &BTreeMap<(u32, u32), usize>,
) -> Option<(Constant, Vec<Vec<String>>)> {
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
    let ranges = if let Some(open) = list {
        folder.arguments(spot, open).0
    } else {
        let (_, end) = folder.chain(spot, value);
        vec![(value, end.max(value + 1))]
    };
    let mut numbers = BTreeMap::new();
    let (mut elements, mut paths) = (Vec::new(), Vec::new());
    let end = ranges.last().filter(|_| list.is_some()).map_or(0, |(_, end)| *end);
    let mut called = called(folder, spot, binding.name, end).into_iter().peekable();
    for (start, end) in ranges {
        if let Some((element, path)) = element(folder, spot, start, end, starts) {
            if let Element::Literal(literal) = element {
                numbers.extend(number(folder, spot, start, end).map(|number| (literal, number)));
            }
            elements.push(element);
            paths.push(path);
        }
        // An element that has a text as well runs it first.
        while let Some((_, function)) = called.next_if(|(at, _)| *at < end) {
            elements.push(Element::Function(function));
            paths.push(Vec::new());
        }
    }
    Some((Constant { name, site, is_list: list.is_some(), elements, numbers }, paths))
}

/// The functions of the file that a list names, which ends at a token, each with its own token, in order.
fn called(folder: &Folder<'_>, spot: Spot, list: u32, end: usize) -> Vec<(usize, String)> {
    let Some(unit) = folder.units.get(spot.unit) else { return Vec::new() };
    let word = |at: u32| folder.word(spot, at as usize);
    let first = unit.sketch.listed.partition_point(|(at, _)| *at <= list);
    let listed = unit.sketch.listed.iter().skip(first).take_while(|(at, _)| (*at as usize) < end);
    let named = listed.filter(|(_, of)| *of == list).map(|(at, _)| *at);
    let mut called: Vec<(usize, String)> = named.map(|at| (at as usize, word(at).to_owned())).collect();
    if !called.is_empty() {
        let functions: HashSet<&str> = unit.sketch.functions.iter().map(|one| word(one.name)).collect();
        called.retain(|(_, name)| functions.contains(name.as_str()));
    }
    called
}

/// The number that stands first in an element, in front of its text.
fn number(folder: &Folder<'_>, spot: Spot, start: usize, end: usize) -> Option<u64> {
    let mut tokens = (start..end).take_while(|&at| folder.kind(spot, at) != Some(Kind::Text));
    let digits = |at: usize| folder.word(spot, at).replace('_', "");
    tokens.find_map(|at| digits(at).parse().ok())
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

/// The SQL of one element: the first text in it or, where it has none, the first name, and the path that it is called by.
fn element(
    folder: &Folder<'_>,
    spot: Spot,
    start: usize,
    end: usize,
    starts: &BTreeMap<(u32, u32), usize>,
) -> Option<(Element, Vec<String>)> {
    let unit = spot.unit as u32;
    if let Some((_, &index)) = starts.range((unit, start as u32)..(unit, end as u32)).next() {
        return Some((Element::Literal(index), Vec::new()));
    }
    (start..end).find_map(|at| {
        if folder.kind(spot, at) != Some(Kind::Word) {
            return None;
        }
        let word = folder.word(spot, at);
        let path = paths::path(folder, spot, at);
        if folder.is(spot, at + 1, b':') && folder.is(spot, at + 2, b':') {
            let last = path.last()?.clone();
            return Some((Element::Name(last), path));
        }
        let called = folder.is(spot, at + 1, b'(') || folder.is(spot, at + 1, b':');
        let named = !called && (word.len() >= SHORTEST || path.len() > 1);
        named.then(|| (Element::Name(word.to_owned()), path))
    })
}

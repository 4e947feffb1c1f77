//! The names that stand for SQL: one text, or a list of texts and of other names. Migrations are made of them.

mod markers;
mod paths;
mod turns;
mod uses;

pub use markers::{Marker, REPLACES, markers};
pub(super) use markers::{as_run, is_marker};
pub use turns::Turn;
pub(super) use turns::settle_turns;
pub use uses::named_in_code;

use super::{
    Found, Literal,
    fold::{Folder, Spot},
    lexer::Kind,
    roles,
    sketch::{Binding, NOWHERE},
    sql,
};
use crate::source::{Site, SourceId, Sources};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use turns::Called;

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
    Function(Turn),
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

/// The literals that stand in lists of migrations, by the names of these, or are named there and by no function: a list that only
/// reads is another thing.
pub(super) fn listed_for_migrations(constants: &[Constant], literals: &[Literal]) -> BTreeSet<usize> {
    let mut by_name: HashMap<(SourceId, &str), &Constant> = HashMap::new();
    let mut by_site: HashMap<Site, &Constant> = HashMap::new();
    let mut by_file: HashMap<SourceId, Vec<&Constant>> = HashMap::new();
    for one in constants {
        by_file.entry(one.site.source).or_default().push(one);
    }
    for one in constants.iter().filter(|one| !one.is_list) {
        by_name.entry((one.site.source, one.name.as_str())).or_insert(one);
        by_site.insert(one.site, one);
    }
    let texts = |one: &Constant| {
        let of = |element: &Element| if let Element::Literal(index) = element { Some(*index) } else { None };
        one.elements.iter().filter_map(of).collect::<Vec<usize>>()
    };
    let writes = |index: &usize| {
        let text = literals.get(*index).and_then(|one| one.variants.first());
        text.is_some_and(|text| !sql::is_read(text.as_str()))
    };
    let mut found = BTreeSet::new();
    for list in constants.iter().filter(|one| one.is_list && roles::is_migration(&one.name)) {
        let named = list.elements.iter().filter_map(|element| match element {
            Element::Name(name) => by_name.get(&(list.site.source, name.as_str())),
            Element::Constant(site) => by_site.get(site),
            _ => None,
        });
        let mut own = texts(list);
        for one in named {
            own.extend(texts(one));
            // What leads back stands beside it: `down_harbours`.
            let beside = by_file.get(&one.site.source).into_iter().flatten().copied();
            let leads_back =
                |other: &&Constant| other.name.len() > one.name.len() && other.name.ends_with(&one.name);
            own.extend(beside.filter(leads_back).flat_map(texts));
        }
        if own.iter().any(writes) {
            let is_alone = |index: &usize| literals.get(*index).is_some_and(|one| one.function.is_none());
            found.extend(own.into_iter().filter(is_alone));
        }
    }
    found
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
            // The members of an object have names of their own.
            let is_object = |value: u32| unit.tokens.get(value as usize).is_some_and(|token| token.is(b'{'));
            let bindings = bindings.filter(|one| !(unit.language.objects && is_object(one.value)));
            let known = (&starts, &Called::of(folder, index));
            bindings.filter_map(|binding| constant(folder, index, *binding, known)).collect::<Vec<_>>()
        })
        .collect();
    let mut all: Vec<Constant> = Vec::with_capacity(read.len());
    let mut called: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for (index, (constant, paths)) in read.into_iter().enumerate() {
        all.push(constant);
        let paths = paths.into_iter().enumerate().filter(|(_, path)| !path.is_empty());
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
    (starts, called): (&BTreeMap<(u32, u32), usize>, &Called<'_>),
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
    let mut called = called.of_list(folder, spot, binding.name, end).into_iter().peekable();
    for (start, end) in ranges {
        let before = elements.len();
        if let Some((element, path)) = element(folder, spot, start, end, starts) {
            if let Element::Literal(literal) = element {
                numbers.extend(number(folder, spot, start, end).map(|number| (literal, number)));
            }
            elements.push(element);
            paths.push(path);
        }
        let mut own = Vec::new();
        while let Some((_, site)) = called.next_if(|(at, _)| *at < end) {
            own.push(site);
        }
        // An element that has a text as well runs it first; of several functions it is not known which is a step.
        if let [site] = own[..] {
            elements.push(Element::Function(Turn {
                site,
                is_beside: elements.len() > before,
                function: NOWHERE,
            }));
            paths.push(Vec::new());
        }
    }
    Some((Constant { name, site, is_list: list.is_some(), elements, numbers }, paths))
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

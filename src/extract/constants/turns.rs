//! Functions that a list of declarations names beside its texts, to be called in their turn. A table of commands, or of what else
//! belongs to tables, names functions, too: what only reads, or only drops, is no step of a schema.

use super::{Constant, Element, speaks};
use crate::extract::{
    Call, Found, Function, Role,
    calls::is_ddl,
    fold::{Folder, Spot},
    roles::{self, IN_A_LIST},
    sketch::NOWHERE,
    sql::{is_read, skip_leading},
};
use crate::source::Site;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A function that a list names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Where the function is declared: its name.
    pub site: Site,
    /// Whether its element has a text or another name in front of it.
    pub is_beside: bool,
    /// Its number, once functions have one.
    pub function: u32,
}

/// The functions of a file, by their names.
#[derive(Default)]
pub(super) struct Called<'a>(HashMap<&'a str, Vec<usize>>);

impl<'a> Called<'a> {
    pub fn of(folder: &'a Folder<'_>, unit: usize) -> Self {
        let Some(one) = folder.units.get(unit).filter(|one| !one.sketch.listed.is_empty()) else {
            return Self::default();
        };
        let mut functions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, function) in one.sketch.functions.iter().enumerate() {
            let name = folder.word(Spot::at(unit, NOWHERE), function.name as usize);
            functions.entry(name).or_default().push(index);
        }
        Self(functions)
    }

    /// Those that a list names, which ends at a token: the token, and where the function is declared, in order.
    pub fn of_list(&self, folder: &Folder<'_>, spot: Spot, list: u32, end: usize) -> Vec<(usize, Site)> {
        let Some(unit) = folder.units.get(spot.unit).filter(|_| !self.0.is_empty()) else {
            return Vec::new();
        };
        let first = unit.sketch.listed.partition_point(|(at, _)| *at <= list);
        let listed = unit.sketch.listed.iter().skip(first).take_while(|(at, _)| (*at as usize) < end);
        let named = listed.filter(|(_, of)| *of == list).map(|(at, _)| *at as usize);
        named.filter_map(|at| Some((at, self.meant(folder, spot, at)?))).collect()
    }

    /// The function that a name means: one of no type or, behind the name of a type, the only one that is called so.
    fn meant(&self, folder: &Folder<'_>, spot: Spot, at: usize) -> Option<Site> {
        let unit = folder.units.get(spot.unit)?;
        let same = self.0.get(folder.word(spot, at))?;
        let is_free =
            |index: &&usize| unit.sketch.functions.get(**index).is_some_and(|one| one.owner == NOWHERE);
        let is_path = at > 0 && (folder.is(spot, at - 1, b'.') || folder.is(spot, at - 1, b':'));
        let index = match same.as_slice() {
            [only] if is_path => Some(only),
            all => all.iter().find(is_free),
        }?;
        let token = folder.tokens(spot).get(unit.sketch.functions.get(*index)?.name as usize)?;
        Some(Site { source: unit.source, start: token.start, end: token.end })
    }
}

/// What the texts of a function do.
#[derive(Default, Clone, Copy)]
struct Deeds {
    /// It makes something, or alters it.
    makes: bool,
    drops: bool,
    reads: bool,
    writes: bool,
}

impl Deeds {
    fn add(&mut self, sql: &str) {
        let word: String = skip_leading(sql).chars().take_while(char::is_ascii_alphabetic).collect();
        match word.to_ascii_lowercase().as_str() {
            "create" | "alter" => self.makes = true,
            "drop" => self.drops = true,
            "select" => self.reads = true,
            "insert" | "replace" | "update" | "delete" => self.writes = true,
            _ => {}
        }
    }

    /// Whether it may be a step of a schema, by itself.
    const fn is_step(self) -> bool {
        self.makes || self.writes || !(self.reads || self.drops)
    }
}

/// Leaves in lists the functions that are steps of a schema there, and gives these the role of a migration, with their texts, where
/// nothing calls them while the program works.
pub(in crate::extract) fn settle_turns(
    constants: &mut [Constant],
    functions: &mut [Function],
    calls: &[Call],
    found: &mut [Found],
) {
    let is_turn = |element: &Element| matches!(element, Element::Function(_));
    if !constants.iter().any(|one| one.elements.iter().any(is_turn)) {
        return;
    }
    let numbers: HashMap<(u32, u32), u32> = (0..)
        .zip(functions.iter())
        .map(|(number, one)| ((one.site.source.0, one.site.start), number))
        .collect();
    let mut deeds: BTreeMap<u32, Deeds> = BTreeMap::new();
    for one in found.iter().filter(|one| one.literal.role != Role::Test) {
        let text = one.literal.variants.first();
        if let (Some(function), Some(text)) = (one.literal.function, text) {
            deeds.entry(function).or_default().add(text.as_str());
        }
    }
    let of = |turn: &Turn| {
        let number = numbers.get(&(turn.site.source.0, turn.site.start)).copied()?;
        Some((number, deeds.get(&number).copied().unwrap_or_default()))
    };
    let declarations = Declarations::among(constants, found);
    let mut steps: HashSet<u32> = HashSet::new();
    for list in constants.iter_mut() {
        let is_history = list.is_list && declarations.are_history(list, &of);
        list.elements.retain_mut(|element| {
            let Element::Function(turn) = element else { return true };
            let step = of(turn).filter(|(_, deeds)| is_history && (deeds.makes || !turn.is_beside));
            let Some((number, _)) = step else { return false };
            turn.function = number;
            steps.insert(number);
            true
        });
    }
    mark(&steps, functions, calls, found);
}

/// The texts and names that declare something.
struct Declarations {
    texts: HashSet<usize>,
    reads: HashSet<usize>,
    names: HashSet<String>,
    places: HashSet<Site>,
}

impl Declarations {
    fn among(constants: &[Constant], found: &[Found]) -> Self {
        let all = || found.iter().enumerate();
        let texts: HashSet<usize> = all().filter(|(_, one)| is_ddl(one)).map(|(index, _)| index).collect();
        let reads = |one: &Found| one.literal.variants.first().is_some_and(|text| is_read(text.as_str()));
        let reads = all().filter(|(_, one)| reads(one)).map(|(index, _)| index).collect();
        let has = |one: &&Constant| {
            one.elements
                .iter()
                .any(|element| matches!(element, Element::Literal(index) if texts.contains(index)))
        };
        let names = constants.iter().filter(has).map(|one| one.name.clone()).collect();
        let places = constants.iter().filter(has).map(|one| one.site).collect();
        Self { texts, reads, names, places }
    }

    /// Whether a list is a history of a schema, by its name or by all that it runs.
    fn are_history(&self, list: &Constant, of: &dyn Fn(&Turn) -> Option<(u32, Deeds)>) -> bool {
        let is_one = |element: &&Element| match element {
            Element::Literal(index) => self.texts.contains(index),
            Element::Function(_) => false,
            _ => speaks(element, &self.names, &self.places),
        };
        let count = list.elements.iter().filter(is_one).count();
        if roles::is_migration(&list.name) {
            return count > 0;
        }
        let turns = list.elements.iter().filter_map(|element| match element {
            Element::Function(turn) => Some(of(turn).map(|(_, deeds)| deeds).unwrap_or_default()),
            _ => None,
        });
        let turns: Vec<Deeds> = turns.collect();
        let reads =
            |element: &Element| matches!(element, Element::Literal(index) if self.reads.contains(index));
        // One declaration among functions proves little.
        count > 0
            && !list.elements.iter().any(reads)
            && turns.iter().all(|deeds| deeds.is_step())
            && (count > 1 || turns.iter().all(|deeds| deeds.makes))
    }
}

/// Gives functions that no other code calls while the program works the role of a migration, with their texts.
fn mark(steps: &HashSet<u32>, functions: &mut [Function], calls: &[Call], found: &mut [Found]) {
    let works = |number: Option<u32>| {
        let function = number.and_then(|number| functions.get(number as usize));
        function.is_some_and(|one| one.role == Role::Production)
    };
    let is_other = |call: &&Call| call.caller.is_some_and(|caller| !steps.contains(&caller));
    let called: HashSet<u32> = calls
        .iter()
        .filter(is_other)
        .filter(|call| works(call.caller))
        .filter_map(|call| call.callee)
        .collect();
    let mut marked: HashSet<u32> = HashSet::new();
    for (number, one) in (0_u32..).zip(functions) {
        if one.role == Role::Production && steps.contains(&number) && !called.contains(&number) {
            (one.role, one.reason) = (Role::Migration, IN_A_LIST.to_owned());
            marked.insert(number);
        }
    }
    for literal in found.iter_mut().map(|one| &mut one.literal) {
        let is_its = literal.function.is_some_and(|function| marked.contains(&function));
        if is_its && literal.role == Role::Production {
            literal.role = Role::Migration;
        }
    }
}

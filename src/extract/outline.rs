//! What is kept of a file of a tree that is too large to be held, in the place of its text and its tokens: the names of its
//! functions, and whom they name. Enough to say who calls whom; a file that turns out to matter is read again.

use super::{
    code::Code,
    fold::{Unit, Variant, variants},
    lexer::Kind,
    roles,
    sketch::NOWHERE,
};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::{
    hash::BuildHasher,
    sync::{Mutex, PoisonError},
};

/// Parts of the table of names, so that threads seldom wait for one another.
const PARTS: usize = 64;

/// The names of a tree, each held once.
pub struct Names {
    parts: Vec<Mutex<HashMap<Box<str>, u32>>>,
}

impl Default for Names {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| Mutex::default()).collect() }
    }
}

impl Names {
    /// The number of a name. Numbers depend on threads, and say nothing but which names are equal.
    fn number(&self, name: &str) -> u32 {
        let part = FxBuildHasher.hash_one(name) as usize % PARTS;
        let Some(numbers) = self.parts.get(part) else { return NOWHERE };
        let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbers.get(name) {
            return number;
        }
        let number = (numbers.len() * PARTS + part) as u32;
        numbers.insert(name.into(), number);
        number
    }

    /// The names by their numbers.
    pub fn listed(self) -> Listed {
        let list = |part: Mutex<HashMap<Box<str>, u32>>| {
            let numbers = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut list = vec![Box::default(); numbers.len()];
            for (name, number) in numbers {
                if let Some(place) = list.get_mut(number as usize / PARTS) {
                    *place = name;
                }
            }
            list
        };
        Listed { parts: self.parts.into_iter().map(list).collect() }
    }
}

/// The names of a tree, by their numbers.
#[derive(Default)]
pub struct Listed {
    parts: Vec<Vec<Box<str>>>,
}

impl Listed {
    /// The name of a number.
    pub fn name(&self, number: u32) -> &str {
        let part = self.parts.get(number as usize % PARTS);
        part.and_then(|part| part.get(number as usize / PARTS)).map_or("", |name| &**name)
    }
}

/// A function of a file.
#[derive(Debug, Clone, Copy)]
pub struct OutlinedFunction {
    /// Its name.
    pub name: u32,
    /// Whether it is test code.
    pub is_test: bool,
    /// Whether something in front of it may call it from afar.
    pub is_registered: bool,
    /// The trait or the base that it is written for, or [`NOWHERE`].
    pub implements: u32,
    /// The type that it is a method of, where others may call it, or [`NOWHERE`].
    pub owner: u32,
    /// Whether it runs once, as something starts or is closed.
    pub runs_once: bool,
    /// Whether it may give a text: one stands in it, or names of texts at the level of its file.
    pub may_give: bool,
}

impl OutlinedFunction {
    /// One whose file is held: what its tokens tell is not asked here.
    pub const fn held(is_test: bool, is_registered: bool, runs_once: bool) -> Self {
        let (name, implements, owner) = (NOWHERE, NOWHERE, NOWHERE);
        Self { name, is_test, is_registered, implements, owner, runs_once, may_give: false }
    }
}

/// A file without its tokens. Names are numbers of [`Names`].
#[derive(Debug, Default)]
pub struct Outline {
    /// In order.
    pub functions: Vec<OutlinedFunction>,
    /// The functions, or [`NOWHERE`], and what they name, as [`named`].
    pub calls: Vec<(u32, u32)>,
    /// The names at the level of the file that other files see.
    pub globals: Vec<u32>,
    /// Whether it may list SQL that stands elsewhere, or put it in: it has names at its level, or texts that begin with a hole.
    pub may_list: bool,
    /// Whether it may hand on names of other files: `export * from "./ships"`.
    pub hands_on: bool,
    /// The constants that are numbers.
    pub numbers: Vec<(Box<str>, u64)>,
    /// The variants of types that are numbers.
    pub variants: Vec<Variant>,
    /// The types that its functions are methods of, where its tokens would have been kept.
    pub owners: Vec<u32>,
    /// The traits and classes that are declared.
    pub types: Vec<u32>,
    /// The modules that are declared as test code.
    pub test_modules: Vec<Box<str>>,
    /// The methods that interfaces list.
    pub signatures: Vec<u32>,
    /// What is listed among migrations.
    pub migrations: Vec<u32>,
}

/// A name, by its number, and how it is named: whether it is called, and whether that runs beside.
pub fn named(number: u32, is_call: bool, is_launched: bool) -> u32 {
    number * 4 + u32::from(is_launched) * 2 + u32::from(is_call)
}

/// What [`named`] is made of.
pub fn unnamed(named: u32) -> (u32, bool, bool) {
    (named / 4, named % 2 == 1, named / 2 % 2 == 1)
}

impl Outline {
    /// What is kept of a file.
    pub fn new(unit: &Unit, text: &str, names: &Names) -> Self {
        let word = |token: u32| roles::token_text(unit, text, token);
        let texts = (0_u32..).zip(&unit.tokens).filter(|(_, token)| token.kind == Kind::Text);
        let texts: Vec<u32> = texts.map(|(at, _)| at).collect();
        let has_names = unit.sketch.has_names();
        let first_text = |from: u32| texts.get(texts.partition_point(|&at| at < from));
        let function = |one: &super::sketch::FunctionSketch| OutlinedFunction {
            name: names.number(word(one.name)),
            is_test: one.is_test,
            is_registered: one.is_registered,
            implements: if one.implements == NOWHERE { NOWHERE } else { names.number(word(one.implements)) },
            owner: roles::open_owner(unit, text, one).map_or(NOWHERE, |owner| names.number(owner)),
            runs_once: roles::runs_once(unit, text, one),
            may_give: has_names || first_text(one.name).is_some_and(|&at| at < one.end),
        };
        let sketch = &unit.sketch;
        let name = |call: &super::sketch::CallSketch| {
            named(names.number(word(call.name)), call.is_call, call.is_launched)
        };
        let mut calls: Vec<(u32, u32)> =
            sketch.calls.iter().map(|call| (call.function, name(call))).collect();
        calls.sort_unstable();
        calls.dedup();
        calls.shrink_to_fit();
        let bound = || sketch.bindings.iter().filter(|binding| binding.function == NOWHERE);
        let kind = |at: u32| unit.tokens.get(at as usize).map(|one| (one.kind, one.opens()));
        // A list of texts is one, too.
        let is_text = |value: u32| match kind(value) {
            Some((Kind::Text, _)) => true,
            Some((_, opens)) => opens && kind(value + 1).is_some_and(|(kind, _)| kind == Kind::Text),
            None => false,
        };
        let is_seen = |one: &&super::sketch::Binding| {
            unit.language.shows(word(one.name))
                || (is_text(one.value) && unit.language.may_show(word(one.name)))
        };
        let globals = bound().filter(is_seen).map(|binding| word(binding.name));
        let numbers = sketch.numbers.iter().filter(|one| one.is_const).map(|one| {
            let name = text.get(one.name.0 as usize..one.name.1 as usize).unwrap_or("");
            (name.into(), one.value)
        });
        let may_list = sketch.has_names() || !sketch.candidates.is_empty();
        let methods = sketch.functions.iter().filter(|one| may_list && !one.is_test && one.owner != NOWHERE);
        let mut owners: Vec<u32> = methods.map(|one| names.number(word(one.owner))).collect();
        owners.sort_unstable();
        owners.dedup();
        Self {
            functions: sketch.functions.iter().map(function).collect(),
            calls,
            globals: globals.map(|name| names.number(name)).collect(),
            may_list,
            hands_on: unit.language.imports.hands_on(text),
            numbers: numbers.collect(),
            variants: variants(Code::of(text, unit), text),
            owners,
            types: sketch.types.iter().map(|&token| names.number(word(token))).collect(),
            test_modules: sketch.test_modules.iter().map(|&token| word(token).into()).collect(),
            signatures: sketch.signatures.iter().map(|&token| names.number(word(token))).collect(),
            migrations: roles::migrations(unit, text).map(|token| names.number(word(token))).collect(),
        }
    }
}

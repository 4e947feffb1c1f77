//! What was read of files once, since many ask for the same: it is about tokens alone, and holds while they stay as they
//! are.

use super::{
    Folder, Spot,
    deeds::Deed,
    fields::Fields,
    imported::Imports,
    levels::Level,
    members::{AllPicked, Members},
    shown::Link,
};
use crate::extract::{
    constants::{Marker, markers},
    text::Text,
};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::sync::{Arc, Mutex, OnceLock};

/// What was read of the files once, since many ask for the same.
#[derive(Default)]
pub struct Known {
    // Of most files nothing is asked.
    units: Vec<OnceLock<Box<KnownUnit>>>,
}

/// What was read of a file.
#[derive(Default)]
pub(super) struct KnownUnit {
    /// What is done to names.
    pub(super) deeds: OnceLock<Vec<Deed>>,
    /// The branches around tokens, by the function and the token.
    pub(super) levels: Mutex<Around>,
    /// The values of names in the functions: a text that is put together asks for each of them again and again, once for
    /// each way that leads there.
    pub(super) locals: Mutex<Locals>,
    /// The calls, as indexes of those of the walk, by what their names hash to.
    pub(super) calls: OnceLock<HashMap<u64, Vec<u32>>>,
    /// What its words hash to, and those of its short strings.
    pub(super) words: OnceLock<HashSet<u64>>,
    /// What the callers of functions hand on: each may be called by many, which are called by many.
    pub(super) handed: Mutex<Handed>,
    /// Whether the functions of a name, in all files, come to one of its own.
    pub(super) comes_to_one: Mutex<HashMap<String, bool>>,
    /// The modules that are written within the file, from their brace to the one that closes it.
    pub(super) modules: OnceLock<Vec<(usize, usize)>>,
    /// Its imports, by the words in them.
    pub(super) imports: OnceLock<Imports>,
    /// The files that it imports, hands on and is a part of.
    pub(super) links: OnceLock<Vec<Link>>,
    /// The names of its macros of one parameter, as tokens.
    pub(super) defines: OnceLock<HashMap<String, u32>>,
    /// The names of the types that it declares, as tokens.
    pub(super) types: OnceLock<Vec<u32>>,
    /// The `if` that first asks each condition, by where their function begins.
    pub(super) asked: Mutex<HashMap<usize, Asked>>,
    /// The names that it takes out of objects.
    pub(super) picked: OnceLock<AllPicked>,
    /// The members of its objects, by the braces that open these.
    pub(super) members: Mutex<HashMap<usize, Arc<Members>>>,
    /// What it gives to fields.
    pub(super) fields: OnceLock<Fields>,
    /// What functions give back.
    pub(super) given: Mutex<HashMap<Spot, Vec<Text>>>,
    /// What is handed to constructors, by the places that ask for it.
    pub(super) constructed: Mutex<Constructed>,
}

impl Folder<'_> {
    /// The texts that the program replaces with others.
    pub fn markers(&self) -> &[Marker] {
        self.markers.get_or_init(|| markers(self))
    }
}

impl Known {
    /// Makes room for so many files.
    pub(super) fn cover(&mut self, units: usize) {
        self.units.resize_with(units, OnceLock::new);
    }

    /// What was read of a file.
    pub(super) fn unit(&self, unit: usize) -> Option<&KnownUnit> {
        self.units.get(unit).map(|known| &**known.get_or_init(Box::default))
    }
}

/// The branches around tokens, by where their function begins and where they are.
type Around = HashMap<(usize, usize), Vec<Level>>;

/// The first `if` of a function that asks a condition, by the words of the condition.
pub(super) type Asked = HashMap<String, u32>;

/// What callers hand on, by where the function is seen from, the name of its parameter, and whether lists are asked for.
type Handed = HashMap<(Spot, String, bool), Vec<Text>>;

/// What constructors are handed, by the places that ask for it.
type Constructed = HashMap<(Spot, usize), Option<Vec<Text>>>;

/// The values of names, by where they are asked for.
type Locals = HashMap<(Spot, usize), Vec<(String, Option<Vec<Text>>)>>;

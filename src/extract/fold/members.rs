//! Members of constants that are objects: `TABLES.SHIP` for `const TABLES = { SHIP: "ships" }`, and the names that a file takes out
//! of one: `const { SHIP } = TABLES`. An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, Spot};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::{FunctionSketch, NOWHERE},
    text::Text,
};
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::{
    hash::BuildHasher,
    sync::{Arc, PoisonError},
};

/// The most tokens of a call or a cast around an object: `Object.freeze({`.
const AROUND: usize = 6;
/// The most tokens from the name of a class to its body.
const HEAD: usize = 12;
/// How many tokens of a function are looked through for a loop.
const LONGEST: usize = 2048;
/// The most patterns within each other.
const DEEPEST: usize = 4;

/// A name that a file takes out of an object.
#[derive(Debug)]
pub(super) struct Picked {
    /// The name.
    name: usize,
    /// The keys that lead there.
    keys: Vec<usize>,
    /// The last word of the object.
    object: usize,
    /// The function that does so, or [`NOWHERE`].
    function: u32,
}

/// What a file takes out of objects, by what the names hash to.
pub(super) type AllPicked = HashMap<u64, Vec<Picked>>;

/// Where the values of an object stand, by what their keys hash to.
pub(super) type Members = HashMap<u64, (u32, u32)>;

/// An object: the file, and the brace that opens it.
pub(super) type Object = (Spot, usize);

impl Folder<'_> {
    /// Where the value stands of the member that a path leads to, or of a name that the file takes out of an object.
    pub(super) fn member(&self, spot: Spot, path: &[&str]) -> Option<(Spot, usize)> {
        self.language(spot).filter(|language| language.objects)?;
        match path {
            [name] => self.picked_value(spot, self.picked_named(spot, name)?),
            [head, ..] if self.is_hidden_by_own(spot, head) => None,
            [object @ .., name] => match self.object(spot, object) {
                Some(object) => self.value_of_member(object, name),
                None => self.of_class(spot, object.last()?, name),
            },
            [] => None,
        }
    }

    /// Whether the function around has a name for itself: a parameter, a variable, what a loop takes.
    fn is_hidden_by_own(&self, spot: Spot, name: &str) -> bool {
        let functions = self.units.get(spot.unit).map_or(&[][..], |unit| &unit.sketch.functions);
        let is_given = |one: &FunctionSketch| {
            let range = one.name as usize..one.end as usize;
            let is_taken =
                |at: usize| matches!(self.word(spot, at + 1), "of" | "in") && self.word(spot, at) == name;
            !self.deeds_of(spot, name, range.start, range.end).is_empty() || range.take(LONGEST).any(is_taken)
        };
        let own = functions.get(spot.function as usize);
        self.taken(spot, name).is_some() || own.is_some_and(is_given)
    }

    /// The texts of the member that a path within a string leads to: `TABLES.SHIP`, `TABLES["ship"]`.
    pub(in crate::extract) fn member_within(&self, spot: Spot, text: &str) -> Option<Vec<Text>> {
        let is_name = |word: &&str| word.chars().all(|one| one.is_alphanumeric() || one == '_');
        let key = |word| match str::strip_suffix(word, ']') {
            Some(key) => Some(unquoted(key)).filter(|plain| plain.len() < key.len()),
            None => Some(word),
        };
        let words = text.split('.').flat_map(|part| part.split('['));
        let words = words.map(key).map(|word| word.filter(|word| !word.is_empty()).filter(is_name));
        let path: Vec<&str> = words.collect::<Option<_>>().filter(|path: &Vec<&str>| path.len() > 1)?;
        self.member(spot, &path).map(|(inner, value)| self.chain(inner, value).0)
    }

    /// The element that a text in brackets leads to: `TABLES["ship"]`.
    pub(super) fn member_by_key(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        let mut path = self.path_to(spot, open.checked_sub(1)?);
        path.push(unquoted(self.word(spot, open + 1)));
        self.member(spot, &path).map(|(inner, value)| self.chain(inner, value).0)
    }

    /// Where the value stands of a member that a class declares: `class Tables { static SHIP = "ships"; }`.
    fn of_class(&self, spot: Spot, class: &str, name: &str) -> Option<(Spot, usize)> {
        let language = self.language(spot)?;
        let value = |&(unit, index): &(u32, u32)| {
            let own = Spot::at(unit as usize, NOWHERE);
            let inner = Spot { depth: spot.depth + 1, pieces: spot.pieces, ..own };
            let binding = self.units.get(inner.unit)?.sketch.bindings.get(index as usize)?;
            let code = self.code(inner).filter(|code| std::ptr::eq(code.language(), language))?;
            let open = code.around(binding.name as usize).find(|&open| code.is(open, b'{'))?;
            // `class Tables extends Base {`
            let mut head = (open.saturating_sub(HEAD)..open).rev();
            let is_class = head.any(|at| code.word(at) == class && code.word(at.wrapping_sub(1)) == "class");
            is_class.then_some((inner, binding.value as usize))
        };
        self.names.get(name).filter(|_| spot.depth <= MAX_DEPTH)?.iter().find_map(value)
    }

    /// The words of the path that ends at a token: `TABLES.SHIP`.
    pub(super) fn path_to(&self, spot: Spot, end: usize) -> Vec<&str> {
        let mut path = vec![self.word(spot, end)];
        let mut at = end;
        while at > 1 && self.is(spot, at - 1, b'.') && self.kind(spot, at - 2) == Some(Kind::Word) {
            at -= 2;
            path.push(self.word(spot, at));
        }
        path.reverse();
        path
    }

    /// The object that a path stands for.
    pub(super) fn object(&self, spot: Spot, path: &[&str]) -> Option<Object> {
        let (name, object) = path.split_last().filter(|_| spot.depth <= MAX_DEPTH)?;
        let spot = spot.deeper();
        let (inner, value) = if !object.is_empty() {
            self.value_of_member(self.object(spot, object)?, name)?
        } else if let Some(one) = self.picked_named(spot, name) {
            self.picked_value(spot, one)?
        } else {
            self.lookup_tree(spot, name, ("", &[])).or_else(|| self.lookup_shown(spot, name, &[]))?
        };
        self.opened(inner, value)
    }

    /// The object that a value is, maybe within a call: `Object.freeze({`.
    pub(super) fn opened(&self, spot: Spot, value: usize) -> Option<Object> {
        let code = self.code(spot)?;
        let is_around = |at: &usize| code.is_word(*at) || code.is(*at, b'.') || code.is(*at, b'(');
        let open = (value..value + AROUND).find(|at| !is_around(at))?;
        if code.is(open, b'{') {
            return Some((spot, open));
        }
        let end = self.path_end(spot, value);
        let ends = !code.is(end + 1, b'(') && !code.is(end + 1, b'[');
        (ends && code.is_word(value)).then(|| self.object(spot, &self.path_to(spot, end))).flatten()
    }

    /// Where the value stands of a member of an object.
    fn value_of_member(&self, (spot, open): Object, name: &str) -> Option<(Spot, usize)> {
        let known = self.known.unit(spot.unit)?;
        let all = || known.members.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = all().get(&open).cloned();
        let members = if let Some(members) = seen {
            members
        } else {
            let members = Arc::new(members(self.code(spot)?, open));
            all().insert(open, Arc::clone(&members));
            members
        };
        let &(key, value) = members.get(&hash(name))?;
        (unquoted(self.word(spot, key as usize)) == name).then_some((spot, value as usize))
    }

    /// What the function around, or the file, takes out of an object under a name.
    fn picked_named(&self, spot: Spot, name: &str) -> Option<&Picked> {
        let is_seen = |one: &&Picked| one.function == NOWHERE || one.function == spot.function;
        let named = |one: &&Picked| self.word(spot, one.name) == name && is_seen(one);
        self.picked(spot)?.get(&hash(name))?.iter().find(named)
    }

    fn picked_value(&self, spot: Spot, one: &Picked) -> Option<(Spot, usize)> {
        let (last, path) = one.keys.split_last()?;
        let step = |object: Object, key: &usize| {
            let (inner, value) = self.value_of_member(object, self.word(spot, *key))?;
            self.opened(inner, value)
        };
        let object = self.object(spot, &self.path_to(spot, one.object))?;
        self.value_of_member(path.iter().try_fold(object, step)?, self.word(spot, *last))
    }

    /// The names that a file takes out of objects.
    fn picked(&self, spot: Spot) -> Option<&AllPicked> {
        let (known, code) = (self.known.unit(spot.unit)?, self.code(spot)?);
        Some(known.picked.get_or_init(|| {
            let mut all = AllPicked::default();
            let patterns = (1..self.tokens(spot).len())
                .filter(|&at| code.is(at, b'{') && code.language().declares.contains(&code.word(at - 1)));
            for open in patterns {
                let from = code.matching(open) + 1;
                let object = self.path_end(spot, from + 1);
                // What a file is, or a call gives back, is read elsewhere.
                let is_name = code.assigns(from) && code.is_word(from + 1) && !code.is(object + 1, b'(');
                if is_name {
                    let function = self.function_around(spot.unit, open).map_or(NOWHERE, |(index, _)| index);
                    take(code, open, &mut Vec::new(), &mut |name, keys| {
                        let one = Picked { name, keys: keys.to_vec(), object, function };
                        all.entry(hash(code.word(name))).or_default().push(one);
                    });
                }
            }
            all
        }))
    }
}

/// The names of a pattern, each with the keys that lead there: `{ SHIP, server: { CARGO: NAME } }`.
fn take(code: Code<'_>, open: usize, keys: &mut Vec<usize>, tell: &mut dyn FnMut(usize, &[usize])) {
    for (start, end) in code.arguments(open).0 {
        let value = if code.is(start + 1, b':') { start + 2 } else { start };
        keys.push(start);
        if code.is(value, b'{') && keys.len() <= DEEPEST {
            take(code, value, keys, tell);
        } else if code.is_word(value) && end == value + 1 {
            tell(value, keys);
        }
        keys.pop();
    }
}

/// The members of an object: of those with one key the last, and none where others are spread among them.
fn members(code: Code<'_>, open: usize) -> Members {
    let mut members = Members::default();
    for (start, end) in code.arguments(open).0 {
        if code.is(start, b'.') || code.is(start, b'*') {
            return Members::default();
        }
        let is_pair = code.is(start + 1, b':');
        if is_pair || end == start + 1 {
            let value = if is_pair { start + 2 } else { start };
            members.insert(hash(unquoted(code.word(start))), (start as u32, value as u32));
        }
    }
    members
}

/// What stands between quotes.
pub(super) fn unquoted(word: &str) -> &str {
    let inner = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(inner).unwrap_or(word)
}

fn hash(word: &str) -> u64 {
    FxBuildHasher.hash_one(word)
}

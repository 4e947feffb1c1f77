//! Members of constants that are objects: `TABLES.SHIP` for `const TABLES = { SHIP: "ships" }`, and the names that a file takes out of one:
//! `const { SHIP } = TABLES`. An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, Spot};
use crate::extract::{code::Code, lexer::Kind, sketch::NOWHERE, text::Text};

/// The most tokens of a call or a cast around an object: `Object.freeze({`.
const AROUND: usize = 6;
/// The most tokens from the name of a class to its body.
const HEAD: usize = 6;
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
}

/// An object: the file, and the brace that opens it.
type Object = (Spot, usize);

impl Folder<'_> {
    /// Where the value stands of the member that a path leads to, or of a name that the file takes out of an object. `Some(None)` where
    /// that is known to be of an object, and which value it has is not.
    pub(super) fn member(&self, spot: Spot, path: &[&str]) -> Option<Option<(Spot, usize)>> {
        self.language(spot).filter(|language| language.objects)?;
        match path {
            [name] => self.picked_named(spot, name).map(|one| self.picked_value(spot, one)),
            [object @ .., name] => match self.object(spot, object) {
                Some(object) => Some(self.value_of_member(object, name)),
                None => self.of_class(spot, object.last()?, name).map(Some),
            },
            [] => None,
        }
    }

    /// The texts of the member that a path within a string leads to: `TABLES.SHIP`, `TABLES["ship"]`. `Some(None)` as above.
    pub(in crate::extract) fn member_within(&self, spot: Spot, text: &str) -> Option<Option<Vec<Text>>> {
        let is_name = |word: &&str| word.chars().all(|one| one.is_alphanumeric() || one == '_');
        let key = |word| match str::strip_suffix(word, ']') {
            Some(key) => key.strip_prefix(['"', '\''])?.strip_suffix(['"', '\'']),
            None => Some(word),
        };
        let words = text.split('.').flat_map(|part| part.split('['));
        let words = words.map(key).map(|word| word.filter(|word| !word.is_empty()).filter(is_name));
        let path: Vec<&str> = words.collect::<Option<_>>().filter(|path: &Vec<&str>| path.len() > 1)?;
        Some(self.member(spot, &path)?.map(|(inner, value)| self.chain(inner, value).0))
    }

    /// Where the value stands of a member that a class declares: `class Tables { static SHIP = "ships"; }`.
    fn of_class(&self, spot: Spot, class: &str, name: &str) -> Option<(Spot, usize)> {
        let language = self.language(spot)?;
        let value = |&(unit, index): &(u32, u32)| {
            let inner = Spot { unit: unit as usize, function: NOWHERE, ..spot.deeper() };
            let binding = self.units.get(inner.unit)?.sketch.bindings.get(index as usize)?;
            let code = self.code(inner).filter(|code| std::ptr::eq(code.language(), language))?;
            let open = code.around(binding.name as usize).find(|&open| code.is(open, b'{'))?;
            // `class Tables extends Base {`
            let head = open.saturating_sub(HEAD)..open;
            let is_class =
                head.rev().any(|at| code.word(at) == class && code.word(at.wrapping_sub(1)) == "class");
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
    fn object(&self, spot: Spot, path: &[&str]) -> Option<Object> {
        let (name, object) = path.split_last().filter(|_| spot.depth <= MAX_DEPTH)?;
        let spot = spot.deeper();
        let (inner, value) = if !object.is_empty() {
            self.value_of_member(self.object(spot, object)?, name)?
        } else if let Some(one) = self.picked_named(spot, name) {
            self.picked_value(spot, one)?
        } else {
            self.lookup_tree(spot, name, ("", &[]))?
        };
        self.opened(inner, value)
    }

    fn picked_named(&self, spot: Spot, name: &str) -> Option<&Picked> {
        self.picked(spot).iter().find(|one| self.word(spot, one.name) == name)
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

    /// The object that a value is, maybe within a call: `Object.freeze({`.
    fn opened(&self, spot: Spot, value: usize) -> Option<Object> {
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
        let code = self.code(spot)?;
        let (members, _) = code.arguments(open);
        let value = members.into_iter().rev().find_map(|(start, end)| {
            let is_named = code.word(start).trim_matches(['"', '\'']) == name;
            let is_pair = code.is(start + 1, b':');
            (is_named && (is_pair || end == start + 1)).then_some(if is_pair { start + 2 } else { start })
        })?;
        Some((spot, value))
    }

    /// The names that a file takes out of objects.
    fn picked(&self, spot: Spot) -> &[Picked] {
        let (Some(known), Some(code)) = (self.known.unit(spot.unit), self.code(spot)) else { return &[] };
        known.picked.get_or_init(|| {
            let mut all = Vec::new();
            let patterns = (1..self.tokens(spot).len())
                .filter(|&at| code.is(at, b'{') && code.language().declares.contains(&code.word(at - 1)));
            for open in patterns {
                let from = code.matching(open) + 1;
                let object = self.path_end(spot, from + 1);
                // What a file is, or a call gives back, is read elsewhere.
                let is_name = code.assigns(from) && code.is_word(from + 1) && !code.is(object + 1, b'(');
                if is_name {
                    take(code, open, (&mut Vec::new(), object), &mut all);
                }
            }
            all
        })
    }
}

/// The names of a pattern: `{ SHIP, server: { CARGO: NAME } }`.
fn take(code: Code<'_>, open: usize, (keys, object): (&mut Vec<usize>, usize), all: &mut Vec<Picked>) {
    for (start, end) in code.arguments(open).0 {
        let value = if code.is(start + 1, b':') { start + 2 } else { start };
        keys.push(start);
        if code.is(value, b'{') && keys.len() <= DEEPEST {
            take(code, value, (keys, object), all);
        } else if code.is_word(value) && end == value + 1 {
            all.push(Picked { name: value, keys: keys.clone(), object });
        }
        keys.pop();
    }
}

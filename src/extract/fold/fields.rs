//! What a type keeps in its fields, as its own methods see it: `self.table = "…"`, `Self { table }`. An `impl` of [`Folder`],
//! apart for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::{FunctionSketch, NOWHERE},
    text::Text,
};
use rustc_hash::FxHashMap as HashMap;

/// How much deeper a value lies that a field has: it may be given many, so that few are followed in one another.
const DEEPER: u8 = 4;

/// The most places at which a field is given something.
const MOST: usize = 16;

/// What stands for the value whose method it is seen from.
const OWN: [&str; 2] = ["self", "this"];

/// What a field is given, by its name: the token of the value, and whether more may be put behind it.
pub(super) type Fields = HashMap<String, Vec<(u32, bool)>>;

impl Folder<'_> {
    /// The texts that the methods of a type give to one of its fields, as another of them sees it; `None` where they may give more
    /// than is read.
    pub(super) fn of_field(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let unit = self.units.get(spot.unit)?;
        let owner = self.owner_of(spot, unit.sketch.functions.get(spot.function as usize)?)?;
        if spot.depth + DEEPER > MAX_DEPTH {
            return None;
        }
        let known = self.known.unit(spot.unit)?;
        let fields = known.fields.get_or_init(|| self.code(spot).map_or_else(Fields::default, read));
        let mut texts = Vec::new();
        for &(value, is_more) in fields.get(name).filter(|given| given.len() <= MOST)? {
            let value = value as usize;
            let Some((function, own)) = self.function_around(spot.unit, value) else { continue };
            let literal = self.type_made(spot, value);
            if literal.or_else(|| self.owner_of(spot, own)) != Some(owner) {
                continue;
            }
            let inner = Spot { depth: spot.depth + DEEPER, ..Spot::at(spot.unit, function) };
            let given = self.chain(inner, value).0;
            // An empty text stands there until another one comes.
            let is_blank = given.iter().any(|text| text.as_str().is_empty());
            if is_more || is_blank || given.iter().all(is_only_hole) {
                return None;
            }
            texts.extend(given);
        }
        texts.retain(|text| !is_only_hole(text));
        distinct(&mut texts);
        (!texts.is_empty() && texts.len() <= MAX_VARIANTS).then_some(texts)
    }

    /// The same of `self.table`, as it stands in a string.
    pub(in crate::extract) fn of_own(&self, spot: Spot, path: &str) -> Option<Vec<Text>> {
        let (owner, name) = path.trim_start_matches('$').split_once('.')?;
        OWN.contains(&owner).then(|| self.of_field(spot, name)).flatten()
    }

    /// Whether the name at a token is that of a field of the value whose method is around: `self.table`.
    pub(super) fn is_own_field(&self, spot: Spot, at: usize) -> bool {
        let sign = at.wrapping_sub(1);
        let owner = if self.is(spot, sign, b'.') { at.wrapping_sub(2) } else { at.wrapping_sub(3) };
        let is_member =
            self.is_dot(spot, sign) || (self.is(spot, sign, b'>') && self.is_arrow(spot, sign - 1));
        is_member && (OWN.contains(&self.word(spot, owner)) || self.is_receiver(spot, owner))
    }

    /// Whether the word at a token is what a method of Go calls its value: `func (s *Store) name()`.
    fn is_receiver(&self, spot: Spot, at: usize) -> bool {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let code = self.code(spot).filter(|code| code.language().receivers);
        let open =
            function.zip(code).and_then(|(one, code)| code.opening((one.name as usize).checked_sub(1)?));
        open.is_some_and(|open| self.word(spot, open + 1) == self.word(spot, at))
    }

    fn owner_of(&self, spot: Spot, function: &FunctionSketch) -> Option<&str> {
        (function.owner != NOWHERE).then(|| self.word(spot, function.owner as usize))
    }

    /// The innermost function around a token.
    fn function_around(&self, unit: usize, at: usize) -> Option<(u32, &FunctionSketch)> {
        let functions = &self.units.get(unit)?.sketch.functions;
        let is_around = |(_, one): &(u32, &FunctionSketch)| (one.name as usize) < at && at < one.end as usize;
        (0..).zip(functions).filter(is_around).max_by_key(|(_, one)| one.name)
    }

    /// The type of which a value is made around a token: `Store { table: "…" }`.
    fn type_made(&self, spot: Spot, at: usize) -> Option<&str> {
        let open = self.code(spot)?.around(at).next().filter(|&open| self.is(spot, open, b'{'))?;
        let name = self.word(spot, open.checked_sub(1)?);
        (name != "Self" && name.starts_with(|one: char| one.is_ascii_uppercase())).then_some(name)
    }
}

/// What a file gives to fields.
fn read(code: Code<'_>) -> Fields {
    let mut fields = Fields::default();
    let has_literals = code.language().block_values || code.language().receivers;
    for (at, token) in code.tokens_in(0..code.length()) {
        if token.kind != Kind::Word || at == 0 {
            continue;
        }
        let given = match assigned(code, at) {
            None if has_literals => part(code, at).map(|value| (value, false)),
            given => given,
        };
        if let Some((value, is_more)) = given {
            fields.entry(code.word(at).to_owned()).or_default().push((value as u32, is_more));
        }
    }
    fields
}

/// `self.table = value`, `this->table += value`, `self.table.append(value)`: the value, and whether it is put behind another.
fn assigned(code: Code<'_>, at: usize) -> Option<(usize, bool)> {
    let language = code.language();
    let arrow = code.is(at - 1, b'>') && at > 2 && code.is(at - 2, b'-');
    let owner = at.checked_sub(if arrow { 3 } else { 2 })?;
    if !(arrow || code.is(at - 1, b'.')) || !OWN.contains(&code.word(owner)) {
        return None;
    }
    if code.assigns(at + 1) {
        return Some((at + 2, false));
    }
    if code.assigns(at + 2) && (code.is(at + 1, language.joins) || code.is(at + 1, b'+')) {
        return Some((at + 3, true));
    }
    let method = code.word(at + 2);
    let is_more =
        code.is(at + 1, b'.') && (language.appends.contains(&method) || language.pushes.contains(&method));
    is_more.then_some((at + 4, true))
}

/// `Self { table: value }`, `Store{table: value}`, `Self { table }`: the value.
fn part(code: Code<'_>, at: usize) -> Option<usize> {
    let begins = code.is(at - 1, b'{') || code.is(at - 1, b',');
    let open = code.around(at).next().filter(|&open| begins && code.is(open, b'{'))?;
    let name = code.word(open.checked_sub(1)?);
    if !name.starts_with(|one: char| one.is_ascii_uppercase()) {
        return None;
    }
    if code.is(at + 1, b':') && !code.is(at + 2, b':') {
        return Some(at + 2);
    }
    (code.is(at + 1, b',') || code.is(at + 1, b'}')).then_some(at)
}

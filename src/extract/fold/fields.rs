//! What a type keeps in its fields, as its own methods see it: `self.table = "…"`, `Self { table }`. An `impl` of [`Folder`],
//! apart for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::{FunctionSketch, NOWHERE},
    text::Text,
};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How much deeper a value lies that a field has: it may be given many, so that few are followed in one another.
const DEEPER: u8 = 4;

/// The most places at which a field is given something.
const MOST: usize = 16;

/// What stands for the value whose method it is seen from.
const OWN: [&str; 2] = ["self", "this"];

/// What is done to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// A method gives it the value at a token.
    Assigned(u32),
    /// A value of its type is made with the one at a token.
    Made(u32),
    /// A method does something to it that is not read, at a token.
    Changed(u32),
    /// Something that is not read is done to it, or to another one of its name.
    Unread,
}

/// What is done to the fields of a file, by their names.
#[derive(Default)]
pub(super) struct Fields(HashMap<String, Vec<Given>>);

impl Folder<'_> {
    /// The texts that the methods of a type give to one of its fields, as another of them sees it; `None` where they may give more
    /// than is read.
    pub(super) fn of_field(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let unit = self.units.get(spot.unit)?;
        let owner = self.owner_of(spot, unit.sketch.functions.get(spot.function as usize)?)?;
        if spot.depth + DEEPER > MAX_DEPTH {
            return None;
        }
        let given =
            Some(self.fields_of(spot.unit, name)).filter(|given| (1..=MOST).contains(&given.len()))?;
        let mut texts = Vec::new();
        for &one in given {
            let (value, made) = match one {
                Given::Assigned(at) | Given::Changed(at) => (at as usize, None),
                Given::Made(value) => (value as usize, Some(self.type_made(spot, value as usize))),
                Given::Unread => return None,
            };
            let around = self.function_around(spot.unit, value);
            // `struct Store { table: String }`
            if around.is_none() && made.is_some() {
                continue;
            }
            let (function, own) = around?;
            if made.flatten().or_else(|| self.owner_of(spot, own)) != Some(owner) {
                continue;
            }
            if matches!(one, Given::Changed(_)) {
                return None;
            }
            let inner = Spot { depth: spot.depth + DEEPER, ..Spot::at(spot.unit, function) };
            let mut values = self.chain(inner, value).0;
            if values.iter().all(is_only_hole) {
                values = self.of_constructor(inner, value).unwrap_or(values);
            }
            // An empty text stands there until another one comes.
            if values.iter().any(|text| is_only_hole(text) || text.as_str().is_empty()) {
                return None;
            }
            texts.extend(values);
        }
        distinct(&mut texts);
        let is_whole = || !self.has_heirs(owner) || self.is_left_by_heirs(spot, owner, name);
        let is_known = !texts.is_empty() && texts.len() <= MAX_VARIANTS && is_whole();
        is_known.then_some(texts)
    }

    /// What a file does to the fields of a name.
    pub(super) fn fields_of(&self, unit: usize, name: &str) -> &[Given] {
        let Some(known) = self.known.unit(unit) else { return &[] };
        let code = || self.code(Spot::at(unit, NOWHERE));
        let fields = known.fields.get_or_init(|| code().map_or_else(Fields::default, read));
        fields.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a type is made of another one: its methods may give the fields other values.
    fn has_heirs(&self, owner: &str) -> bool {
        let bases = self.bases.get_or_init(|| {
            let mut bases = HashSet::default();
            for (number, unit) in self.units.iter().enumerate() {
                let of =
                    |one: &FunctionSketch| (one.implements != NOWHERE).then_some(one.implements as usize);
                let spot = Spot::at(number, NOWHERE);
                bases.extend(
                    unit.sketch.functions.iter().filter_map(of).map(|at| self.word(spot, at).to_owned()),
                );
            }
            bases
        });
        bases.contains(owner)
    }

    /// The same of `self.table`, as it stands in a string.
    pub(in crate::extract) fn of_own(&self, spot: Spot, path: &str) -> Option<Vec<Text>> {
        let (owner, name) = path.trim_start_matches('$').split_once('.')?;
        let name = name.trim_start_matches('#');
        OWN.contains(&owner)
            .then(|| self.of_heirs(spot, name).or_else(|| self.of_field(spot, name)))
            .flatten()
    }

    /// Whether the name at a token is that of a field of the value whose method is around: `self.table`.
    pub(super) fn is_own_field(&self, spot: Spot, at: usize) -> bool {
        let sign = at.wrapping_sub(1);
        let owner = if self.is(spot, sign, b'.') { at.wrapping_sub(2) } else { at.wrapping_sub(3) };
        let is_member = self.is_dot(spot, sign)
            || (self.is(spot, sign, b'>') && self.is_arrow(spot, sign.wrapping_sub(1)));
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
    pub(super) fn function_around(&self, unit: usize, at: usize) -> Option<(u32, &FunctionSketch)> {
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

/// What a file does to fields.
fn read(code: Code<'_>) -> Fields {
    let mut fields = Fields::default();
    let has_literals = code.language().block_values || code.language().receivers;
    for (at, token) in code.tokens_in(0..code.length()) {
        if token.kind != Kind::Word || at < 2 {
            continue;
        }
        let given = match done(code, at) {
            None if has_literals => made(code, at),
            given => given,
        };
        if let Some(given) = given {
            fields.0.entry(code.word(at).to_owned()).or_default().push(given);
        }
    }
    fields
}

/// What is done to the name at a token, if that is a field or may be one: `self.table = value`, `this->table += value`,
/// `store.table.append(value)`, `&mut self.table`, `table = value` where that may be a field, too.
fn done(code: Code<'_>, at: usize) -> Option<Given> {
    let language = code.language();
    let arrow = code.is(at - 1, b'>') && at > 2 && code.is(at - 2, b'-');
    let is_member = arrow || code.is(at - 1, b'.');
    let owner = at.checked_sub(if arrow { 3 } else { 2 })?;
    let is_own = is_member && OWN.contains(&code.word(owner));
    let is_more = code.assigns(at + 2) || (code.is(at + 1, b'?') && code.assigns(at + 3));
    if !is_member {
        let is_declared = code.is_word(at - 1) || b">]*&:".iter().any(|&sign| code.is(at - 1, sign));
        let is_given = code.assigns(at + 1) || (is_more && !code.is(at + 1, b':'));
        return (language.implicit_self && is_given && !is_declared).then_some(Given::Unread);
    }
    let unread = if is_own { Given::Changed(at as u32) } else { Given::Unread };
    let before = owner.checked_sub(1);
    let is_among = before.is_some_and(|before| code.is(before, b','));
    if code.assigns(at + 1) {
        let value = Given::Assigned(at as u32 + 2);
        return Some(if is_own && !is_among { value } else { unread });
    }
    // `self.table: str = …`, `self.table, self.order = …`
    let is_listed = code.is(at + 1, b',') && code.starts_statement(owner);
    let is_lent = before.is_some_and(|before| code.word(before) == "mut" || code.word(before) == "write");
    let is_written = before.is_some_and(|open| {
        code.is(open, b'(')
            && open > 1
            && code.is(open - 1, b'!')
            && language.writes.contains(&code.word(open - 2))
    });
    let method = code.word(at + 2);
    let changes = code.is(at + 1, b'.')
        && (language.appends.contains(&method)
            || language.pushes.contains(&method)
            || ["insert_str", "insert", "extend", "clear", "retain"].contains(&method));
    let is_typed = language.indented && code.is(at + 1, b':') && code.starts_statement(owner);
    (is_more || is_listed || is_lent || is_written || changes || is_typed).then_some(unread)
}

/// `Self { table: value }`, `Store{table: value}`, `Self { table }`: the value.
fn made(code: Code<'_>, at: usize) -> Option<Given> {
    let begins = code.is(at - 1, b'{') || code.is(at - 1, b',');
    let open = code.around(at).next().filter(|&open| begins && code.is(open, b'{'))?;
    let name = code.word(open.checked_sub(1)?);
    if !name.starts_with(|one: char| one.is_ascii_uppercase()) {
        return None;
    }
    if code.is(at + 1, b':') && !code.is(at + 2, b':') {
        return Some(Given::Made(at as u32 + 2));
    }
    (code.is(at + 1, b',') || code.is(at + 1, b'}')).then_some(Given::Made(at as u32))
}

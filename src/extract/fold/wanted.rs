//! Filters: a parameter of which each field puts a condition on a text, `if find.author != nil { … }`, and the fields that the tree
//! gives it where it makes one: `Find{author: &author}`. What one of those asks for is a text that is run; where all of them are seen,
//! no other is. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot, choices::is_nothing};
use crate::extract::{code::Code, languages, lexer::Kind, sketch::Sketch, text::Wanted, units::take_apart};
use rustc_hash::FxHashMap as HashMap;
use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{Arc, PoisonError},
};

/// The most sets of fields of a filter that are told apart.
const MOST_SETS: usize = 12;

/// The most fields that may be given or not of which each is tried alone.
const MOST_ALONE: usize = 4;

/// The longest condition that is read, in tokens: `value := find.author; value != nil`.
const LONGEST: usize = 16;

/// The fields that a filter is given.
pub(in crate::extract) type Fields = BTreeSet<String>;

/// What the tree makes of a type.
#[derive(Debug, Default)]
pub struct Filters {
    /// Each set of fields once.
    pub sets: Vec<Fields>,
    /// Whether others may be given.
    pub is_open: bool,
}

/// What was found out once.
#[derive(Default)]
pub(super) struct Known {
    /// What the tree makes of types, by their language and name.
    types: HashMap<(&'static str, String), Arc<Filters>>,
    /// The filters of functions, by their files.
    functions: HashMap<(usize, u32), Option<Arc<Filters>>>,
}

impl Folder<'_> {
    /// What the filter that the function around takes is given in the tree; `None` where it takes none.
    pub fn filters(&self, spot: Spot) -> Option<Arc<Filters>> {
        let key = (spot.unit, spot.function);
        let known = || self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().functions.get(&key) {
            return found.clone();
        }
        let found = self.filters_of(spot);
        known().functions.insert(key, found.clone());
        found
    }

    fn filters_of(&self, spot: Spot) -> Option<Arc<Filters>> {
        let language = self.language(spot).filter(|one| one.receivers || one.block_values)?;
        let (name, type_name) = self.taken_filter(spot)?;
        let known = || self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (language.name, type_name.to_owned());
        let all = known().types.get(&key).cloned();
        let all = all.unwrap_or_else(|| {
            let found = Arc::new(self.made_of(spot, type_name));
            Arc::clone(known().types.entry(key).or_insert(found))
        });
        let asked = self.asked_of(spot, name);
        let mut sets: Vec<Fields> = Vec::new();
        for set in &all.sets {
            let set: Fields = set.intersection(&asked).cloned().collect();
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        let is_open = all.is_open || sets.len() > MOST_SETS;
        sets.truncate(MOST_SETS);
        (!sets.is_empty() && !asked.is_empty()).then(|| Arc::new(Filters { sets, is_open }))
    }

    /// Whether a condition holds that asks for a field of a filter, as the fields say that a spot wants.
    pub(super) fn is_wanted(&self, spot: Spot, wanted: Wanted, condition: &Range<usize>) -> Option<bool> {
        if condition.len() > LONGEST {
            return None;
        }
        let maker = Spot { function: wanted.function, ..Spot::at(wanted.unit as usize, wanted.function) };
        let filters = self.filters(maker)?;
        let set = filters.sets.get(usize::from(wanted.set))?;
        let own = self.taken_filter(spot)?;
        if own.1 != self.taken_filter(maker)?.1 {
            return None;
        }
        let code = self.code(spot)?;
        let mut fields = condition.clone().filter(|&at| is_field(code, at, own.0));
        let (field, None) = (fields.next()?, fields.next()) else { return None };
        let rest: Vec<&str> = condition
            .clone()
            .filter(|at| !(field - 2..=field).contains(at))
            .map(|at| code.word(at))
            .collect();
        Some(set.contains(code.word(field)) == asks_for_value(&rest)?)
    }

    /// The parameter of the function around whose type is one that the tree may make, with that type.
    fn taken_filter(&self, spot: Spot) -> Option<(&str, &str)> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let (parameters, _) = self.parameters_of(spot, function)?;
        let code = self.code(spot)?;
        let is_type = |at: &usize| code.is_word(*at) && code.word(*at).starts_with(char::is_uppercase);
        let body = self.body_of(spot)?..function.end as usize;
        parameters.into_iter().find_map(|(start, end)| {
            let name = (start..end).find(|&at| code.is_word(at) && code.word(at) != "mut")?;
            let type_name = (name + 1..end).rfind(is_type)?;
            // What stands in a list or a map is many.
            let is_one = !(name..end).any(|at| b"[<".iter().any(|&sign| code.is(at, sign)));
            let name = code.word(name);
            let is_asked = || body.clone().any(|at| is_field(code, at, name));
            (is_one && is_asked()).then(|| (name, code.word(type_name)))
        })
    }

    /// The fields of a name that a function asks for.
    fn asked_of(&self, spot: Spot, name: &str) -> Fields {
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let (Some(function), Some(code)) = (function, self.code(spot)) else { return Fields::new() };
        let body = function.name as usize..function.end as usize;
        body.filter(|&at| is_field(code, at, name)).map(|at| code.word(at).to_owned()).collect()
    }

    /// What the tree makes of a type of the language of a spot.
    fn made_of(&self, spot: Spot, type_name: &str) -> Filters {
        let language = self.language(spot).map_or("", |one| one.name);
        let mut all = Made::default();
        for unit in self.units.iter().filter(|unit| unit.language.name == language && !unit.is_test) {
            let (Some(source), Some(number)) =
                (self.sources.get(unit.source), languages::number(unit.language))
            else {
                continue;
            };
            let Some(table) = self.tables.get(number) else { continue };
            source.peek(|text| {
                if text.contains(type_name) {
                    // Of many files the tokens are gone, or some of them.
                    let whole = take_apart(unit.source, &source.path, text, unit.language, table);
                    made_in((Code::of(text, &whole), &whole.sketch), type_name, &mut all);
                }
            });
        }
        let mut sets = Vec::new();
        for (sure, perhaps) in all.literals {
            let perhaps: Fields =
                perhaps.union(&all.given).filter(|one| !sure.contains(*one)).cloned().collect();
            sets.push(sure.union(&perhaps).cloned().collect());
            if (2..=MOST_ALONE).contains(&perhaps.len()) {
                sets.extend(perhaps.iter().map(|one| sure.iter().chain([one]).cloned().collect()));
            }
            sets.push(sure);
        }
        Filters { sets, is_open: all.is_open }
    }
}

/// What a file makes of a type.
fn made_in((code, sketch): (Code<'_>, &Sketch), type_name: &str, all: &mut Made) {
    for at in (0..code.length()).filter(|&at| code.word(at) == type_name) {
        let around = sketch.function_around(at).and_then(|one| sketch.functions.get(one as usize));
        if around.is_some_and(|one| one.is_test) {
            continue;
        }
        let end = around.map_or(at, |one| one.end as usize);
        if let Some(open) = literal_open(code, at) {
            let (sure, mut perhaps) = given_by(code, open, all);
            match made_for(code, at) {
                Some("") => {}
                Some(name) => match given_later(code, name, code.matching(open) + 1..end) {
                    Some(later) => perhaps.extend(later),
                    None => all.is_open = true,
                },
                None => all.is_open = true,
            }
            all.literals.insert((sure, perhaps));
        } else if let Some(name) = around.and_then(|_| parameter_before(code, at)) {
            all.given.extend(assigned(code, name, at..end));
        } else {
            // What else has the type, such as a field, a receiver or what is read from JSON, may give others.
            all.is_open |= !is_declaration(code, at);
        }
    }
}

/// What is made of a type.
#[derive(Default)]
struct Made {
    /// The fields that each literal gives, and those that it may give.
    literals: BTreeSet<(Fields, Fields)>,
    /// Those that a function may give which is handed one.
    given: Fields,
    is_open: bool,
}

/// The brace behind the name of a type, where a value of it stands there.
fn literal_open(code: Code<'_>, at: usize) -> Option<usize> {
    let open = Some(at + 1).filter(|&open| code.is(open, b'{'))?;
    let first = before_path(code, at);
    let is_type = |one: usize| {
        let word = code.word(one);
        let declares =
            ["struct", "impl", "for", "trait", "enum", "interface", "type", "let", "match", "union"];
        declares.contains(&word) || b")]*>|".iter().any(|&sign| code.is(one, sign))
    };
    let behind = code.matching(open) + 1;
    // `Find { author, .. } = find`
    let is_pattern = code.is(behind, b'=') && !code.is(behind + 1, b'=');
    (!first.is_some_and(is_type) && !is_pattern).then_some(open)
}

/// The token in front of the path that a name ends.
fn before_path(code: Code<'_>, mut at: usize) -> Option<usize> {
    while let Some(sign) = at.checked_sub(1).filter(|&sign| code.is(sign, b'.') || code.is(sign, b':')) {
        let word = if code.is(sign, b':') { sign.checked_sub(2)? } else { sign.checked_sub(1)? };
        // The colon in front of a type of Rust is one.
        if !code.is_word(word) || code.is(sign, b':') && !code.is(sign - 1, b':') {
            return Some(sign);
        }
        at = word;
    }
    at.checked_sub(1)
}

/// The fields that a literal gives, and those that it may give.
fn given_by(code: Code<'_>, open: usize, all: &mut Made) -> (Fields, Fields) {
    let (mut sure, mut perhaps) = (Fields::new(), Fields::new());
    for (start, end) in code.arguments(open).0 {
        if !code.is_word(start) {
            // What `..Default::default()` gives is told elsewhere, where an `impl` names the type; what `..find` has is not known.
            all.is_open |= !(start..end).any(|at| code.word(at) == "default");
            continue;
        }
        let field = code.word(start).to_owned();
        let value = start + 2;
        // What is zero or empty may count as none.
        let is_empty = matches!(code.word(value), "0" | "\"\"" | "false") || code.is(end - 1, b'}');
        let is_there =
            code.is(value, b'&') || code.word(value) == "Some" || code.kind(value) == Some(Kind::Text);
        if code.is(start + 1, b':') && value + 1 == end && is_nothing(code.word(value)) {
            continue;
        }
        if code.is(start + 1, b':') && is_there && !is_empty {
            sure.insert(field);
        } else {
            perhaps.insert(field);
        }
    }
    (sure, perhaps)
}

/// The name that a literal is given to, `find := &Find{…}`, or nothing where it is an argument of a call; `None` where it is something
/// else, such as what a function gives back.
fn made_for(code: Code<'_>, at: usize) -> Option<&str> {
    let mut sign = before_path(code, at)?;
    while code.is(sign, b'&') {
        sign = sign.checked_sub(1)?;
    }
    if code.is(sign, b'(') || code.is(sign, b',') {
        let open = code.around(at).next()?;
        return code.is(open, b'(').then_some("");
    }
    let name = sign.checked_sub(1 + usize::from(code.is(sign.checked_sub(1)?, b':')))?;
    let is_local = code.is(sign, b'=') && code.is_word(name) && !code.is(name.checked_sub(1)?, b'.');
    is_local.then(|| code.word(name))
}

/// The fields that a name is given in some tokens; `None` where more is done with it than to hand it on: then another name may
/// give it fields.
fn given_later(code: Code<'_>, name: &str, range: Range<usize>) -> Option<Fields> {
    let mut given = Fields::new();
    for at in range.filter(|&at| code.word(at) == name && !code.is(at.wrapping_sub(1), b'.')) {
        let field = at + 2;
        if code.is(at + 1, b'.') && !code.is(field + 1, b'(') && !code.is(field + 1, b'.') {
            if code.is(field + 1, b'=') && !code.is(field + 2, b'=') {
                given.insert(code.word(field).to_owned());
            }
            continue;
        }
        let before = at.checked_sub(1)?;
        let before = if code.is(before, b'&') { before.checked_sub(1)? } else { before };
        let is_argument = code.is(before, b'(') || code.is(before, b',');
        if !is_argument || !(code.is(at + 1, b')') || code.is(at + 1, b',')) {
            return None;
        }
    }
    Some(given)
}

/// Whether the name of a type stands where that is declared: `type Find struct`, `struct Find {`.
fn is_declaration(code: Code<'_>, at: usize) -> bool {
    matches!(at.checked_sub(1).map_or("", |before| code.word(before)), "type" | "struct")
        || !code.is(at + 1, b'{') && code.word(at + 1) == "struct"
}

/// The name of the parameter whose type stands at a token: `find *Find`, `find: &Find`.
fn parameter_before(code: Code<'_>, at: usize) -> Option<&str> {
    let mut before = before_path(code, at)?;
    while b"*&:".iter().any(|&sign| code.is(before, sign)) {
        before = before.checked_sub(1)?;
    }
    let is_end = code.is(at + 1, b')') || code.is(at + 1, b',');
    let open = code.around(at).next().filter(|&open| is_end && code.is(open, b'('))?;
    let is_head = open.checked_sub(1).is_some_and(|name| code.is_word(name) && code.word(name) != "func");
    (is_head && code.is_word(before)).then(|| code.word(before))
}

/// The fields of a name that some tokens give a value.
fn assigned(code: Code<'_>, name: &str, range: Range<usize>) -> Fields {
    let gives = |&at: &usize| is_field(code, at, name) && code.is(at + 1, b'=') && !code.is(at + 2, b'=');
    range.filter(gives).map(|at| code.word(at).to_owned()).collect()
}

/// Whether a token is a field of a name: `name.field`.
fn is_field(code: Code<'_>, at: usize, name: &str) -> bool {
    code.is_word(at)
        && !code.is(at + 1, b'(')
        && at >= 2
        && code.is(at - 1, b'.')
        && code.word(at - 2) == name
        && !at.checked_sub(3).is_some_and(|before| code.is(before, b'.'))
}

/// Whether what stands around a field in a condition asks that it has a value, or that it has none.
fn asks_for_value(rest: &[&str]) -> Option<bool> {
    let text = rest.concat();
    if text.contains("&&") || text.contains("||") {
        return None;
    }
    let bound = text.strip_prefix("letSome(").and_then(|rest| rest.split_once(")="));
    if let Some((_, behind)) = bound {
        return behind.trim_matches('&').is_empty().then_some(true);
    }
    let text = match text.split_once(":=") {
        // `value := find.author; value != nil`
        Some((name, behind)) => behind.strip_prefix(';').and_then(|behind| behind.strip_prefix(name))?,
        None => &text,
    };
    match text {
        "" | ".is_some()" | ">0" | "len()>0" | "!.is_empty()" | "!=\"\"" | "!=0" => Some(true),
        "!" | ".is_none()" | "len()==0" | ".is_empty()" | "==\"\"" | "==0" => Some(false),
        _ => text
            .strip_prefix("!=")
            .filter(|one| is_nothing(one))
            .map(|_| true)
            .or_else(|| text.strip_prefix("==").filter(|one| is_nothing(one)).map(|_| false)),
    }
}

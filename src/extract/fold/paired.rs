//! Templates of tables that stand under their names in a dictionary which the program walks over: `{"ships": "CREATE TABLE {} (…)"}`,
//! `{"ships": ("CREATE TABLE {} (…)", 3)}`. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot};
use crate::extract::{
    lexer::Kind,
    sketch::NOWHERE,
    sql,
    text::{HOLE, Text},
};

/// The methods by which a dictionary is walked over with its keys.
const WALKS: [&str; 5] = ["items", "iteritems", "entries", "each", "each_pair"];

/// The marks that a call puts one name in the place of.
const MARKS: [&str; 3] = ["{}", "{0}", "%s"];

/// How far in front of such a call a name is given what it is called of, and the longest such value, in tokens.
const FAR: usize = 400;
const LONGEST: usize = 8;

/// The most entries of a dictionary that is looked at, for each of them asks.
const MOST: usize = 256;

impl Folder<'_> {
    /// Fills templates that stand between two tokens with the key that they stand under, where each makes the table of that name.
    pub(in crate::extract) fn fill_with_key(
        &self,
        spot: Spot,
        (start, end): (usize, usize),
        texts: &mut [Text],
    ) {
        if !texts.iter().all(|text| place_of_name(text.as_str()).is_some()) {
            return;
        }
        let Some(key) = self.key_above(spot, (start, end)) else { return };
        let (names, next) = self.chain(spot, key);
        let ends = self.is(spot, next, b':') || self.is(spot, next, b']');
        let [name] = names.as_slice() else { return };
        let is_part = |one: char| one.is_alphanumeric() || "_.".contains(one) || one == HOLE;
        let is_name = name.as_str().chars().all(is_part) && name.as_str().contains(char::is_alphanumeric);
        for text in texts.iter_mut().filter(|_| ends && is_name) {
            if let Some((from, to)) = place_of_name(text.as_str()) {
                let mut filled = text.part(0, from);
                filled.append(name);
                filled.append(&text.part(to, text.as_str().len()));
                *text = filled;
            }
        }
    }

    /// Where the key stands of the entry whose value some tokens are, or begin: of a dictionary of such templates alone, that is
    /// walked over.
    fn key_above(&self, spot: Spot, (start, end): (usize, usize)) -> Option<usize> {
        let code = self.code(spot)?;
        let is_tuple = code.is(end, b',') && start.checked_sub(1).is_some_and(|open| code.is(open, b'('));
        let first = if is_tuple { start - 1 } else { start };
        let behind = if is_tuple { code.matching(first) + 1 } else { end };
        let sign = first.checked_sub(1)?;
        // `tables["ships"] = "CREATE TABLE {} (…)"`
        if code.is(sign, b'=')
            && sign > 0
            && code.is(sign - 1, b']')
            && matches!(code.kind(behind), Some(Kind::Line))
        {
            let open = code.opening(sign - 1)?;
            return self.is_walked(spot, open).then_some(open + 1);
        }
        let open = code.around(first).next().filter(|&open| code.is(sign, b':') && code.is(open, b'{'))?;
        let (entries, _) = code.arguments(open);
        let is_template = |&(key, end): &(usize, usize)| {
            let value = (key..end).find(|&at| code.is(at, b':')).map_or(end, |colon| colon + 1);
            let text = if code.is(value, b'(') { value + 1 } else { value };
            let token = self.tokens(spot).get(text).filter(|token| token.kind == Kind::Text);
            token.is_some_and(|token| {
                let content = code.word(text).get(token.open as usize..).unwrap_or("");
                sql::begins_with(content.trim_start(), "create")
            })
        };
        let is_whole = entries.len() <= MOST && entries.iter().all(is_template);
        let own = entries.iter().find(|&&(key, end)| (key..end).contains(&first))?;
        (is_whole && self.is_walked(spot, open)).then_some(own.0)
    }

    /// Whether the program walks, with its keys, over the dictionary that opens at a token, or over what the function around gives back.
    fn is_walked(&self, spot: Spot, open: usize) -> bool {
        let sketch = self.units.get(spot.unit).map(|unit| &unit.sketch);
        let bound =
            sketch.and_then(|sketch| sketch.bound_up_to(open)).filter(|one| one.value as usize == open);
        let function = sketch.and_then(|sketch| sketch.functions.get(spot.function as usize));
        let Some(holder) = bound.map(|one| one.name).or(function.map(|one| one.name)) else { return false };
        let holder = self.word(spot, holder as usize);
        let language = self.language(spot).map_or("", |language| language.name);
        let is_walk = |&(unit, name): &(u32, u32)| {
            let at = Spot::at(unit as usize, NOWHERE);
            self.language(at).is_some_and(|one| one.name == language)
                && self.names(at.unit, holder)
                && self.comes_from(at, name as usize, holder)
        };
        WALKS.iter().any(|walk| self.calls_anywhere(walk).iter().any(is_walk))
    }

    /// Whether a method is called of what has a name, or of what that name gave another one in front: `tables = self.tables()`.
    fn comes_from(&self, spot: Spot, method: usize, holder: &str) -> bool {
        let Some(code) = self.code(spot) else { return false };
        let Some(last) = method.checked_sub(2).filter(|_| code.is(method - 1, b'.')) else { return false };
        let name = if code.is(last, b')') {
            code.opening(last).and_then(|open| open.checked_sub(1))
        } else {
            Some(last)
        };
        let word = name.map_or("", |name| code.word(name));
        let is_given = |&at: &usize| {
            code.word(at) == word
                && code.assigns(at + 1)
                && (at + 2..at + 2 + LONGEST).any(|at| code.word(at) == holder)
        };
        word == holder
            || (name == Some(last) && (last.saturating_sub(FAR)..last).rev().any(|at| is_given(&at)))
    }
}

/// Where the one mark of a template stands, if that is the name of the table which it makes.
fn place_of_name(text: &str) -> Option<(usize, usize)> {
    let rest = [
        "create table if not exists ",
        "create virtual table if not exists ",
        "create table ",
        "create virtual table ",
    ]
    .iter()
    .find_map(|head| {
        let own = text.get(..head.len())?;
        own.eq_ignore_ascii_case(head).then_some(head.len())
    })?;
    let behind = text.get(rest..)?;
    let mark = MARKS.iter().find(|mark| behind.starts_with(**mark))?;
    let end = rest + mark.len();
    let is_only = !MARKS.iter().any(|mark| text.get(end..).unwrap_or("").contains(mark));
    (is_only && text.get(end..)?.starts_with([' ', '(', '\n', '\t'])).then_some((rest, end))
}

//! Statements that begin with a name which stands for SQL elsewhere: `NAME + " WHERE …"`. The walk saw where names begin
//! something; which of them stand for SQL, the names of the tree say.

use super::{
    Found, Literal, Role,
    constants::REPLACES,
    flow::Run,
    fold::{Folder, Spot, Unit, embedded::embedded},
    fold_texts,
    lexer::{Kind, Token},
    roles::token_text,
    sketch::Candidate,
    sql::{Looks, begins_clause},
    units::names_of_sql,
};
use crate::source::{Site, Source, SourceId, Sources, folder_of};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How often names are followed that stand for what begins with another.
const ROUNDS: usize = 4;

/// The most tokens of the head of a function that are read.
const LONGEST_HEAD: usize = 120;

/// Makes candidates of the names that stand for SQL where something begins with them, and lets go of the others.
pub(super) fn settle(sources: &Sources, units: &mut [Unit]) {
    for _ in 0..ROUNDS {
        let known = Names::new(sources, units);
        let mut any = false;
        for unit in units.iter_mut().filter(|unit| !unit.sketch.heads.is_empty()) {
            any |= known.settle(sources, unit);
        }
        if !any {
            break;
        }
    }
    for unit in units {
        unit.sketch.heads = Vec::new();
    }
}

/// The names at the level of files that stand for SQL, tests aside, with what sees them: a file, a folder, or all of a language; and
/// the fields that the functions of a file give some.
#[derive(Default)]
struct Names<'a> {
    own: HashSet<(u32, &'a str)>,
    fields: HashSet<(u32, &'a str)>,
    beside: HashSet<(&'a str, &'a str)>,
    global: HashSet<(&'static str, &'a str)>,
}

impl<'a> Names<'a> {
    fn new(sources: &'a Sources, units: &[Unit]) -> Self {
        let embedded = embedded(sources, units).into_iter();
        let beside = embedded.map(|(folder, name, _)| (folder, name)).collect();
        let mut names = Self { beside, ..Self::default() };
        for unit in units.iter().filter(|unit| !unit.sketch.candidates.is_empty() && !unit.is_test) {
            let text = sources.get(unit.source).map_or("", Source::text);
            let fields = unit.sketch.candidates.iter().filter_map(|one| field_given(unit, text, one));
            names.fields.extend(fields.map(|name| (unit.source.0, name)));
            for name in names_of_sql(unit, text) {
                names.own.insert((unit.source.0, name));
                if unit.language.packages {
                    names.beside.insert((folder_of(sources.path(unit.source)), name));
                }
                if unit.language.may_show(name) {
                    names.global.insert((unit.language.name, name));
                }
            }
        }
        names
    }

    /// Makes candidates of the known names of a file, and says whether there were any.
    fn settle(&self, sources: &Sources, unit: &mut Unit) -> bool {
        let text = sources.get(unit.source).map_or("", Source::text);
        let heads = std::mem::take(&mut unit.sketch.heads);
        let is_known = |head: &Candidate| {
            let name = token_text(unit, text, head.literal);
            self.own.contains(&(unit.source.0, name))
                || self.global.contains(&(unit.language.name, name))
                || (unit.language.packages
                    && self.beside.contains(&(folder_of(sources.path(unit.source)), name)))
                || (fills_field(unit, text, head) && self.fields.contains(&(unit.source.0, name)))
                || is_parameter(unit, text, head)
        };
        let (known, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(is_known);
        unit.sketch.heads = others;
        let any = !known.is_empty();
        unit.sketch.candidates.extend(known);
        unit.sketch.candidates.sort_by_key(|one| one.literal);
        any
    }
}

/// What stands for the value whose method is around.
const OWN: [&str; 2] = ["self", "this"];

/// The field that is given a text: `self.query = "…"`.
fn field_given<'a>(unit: &Unit, text: &'a str, one: &Candidate) -> Option<&'a str> {
    let before = |back: u32| unit.tokens.get(one.start.checked_sub(back)? as usize);
    let is = |back: u32, sign: u8| before(back).is_some_and(|token| token.is(sign));
    let is_own = before(4).is_some_and(|owner| OWN.contains(&owner.text(text)));
    let name = before(2).filter(|name| name.kind == Kind::Word)?;
    (one.is_likely && is_own && is(3, b'.') && is(1, b'=')).then(|| name.text(text))
}

/// Whether a head is a field of the value whose method is around, and a call fills it: `self.query.format(table=name)`.
fn fills_field(unit: &Unit, text: &str, head: &Candidate) -> bool {
    let at = |place: u32| unit.tokens.get(place as usize);
    let is_field = head.literal == head.start + 2
        && at(head.start).is_some_and(|owner| OWN.contains(&owner.text(text)))
        && at(head.start + 1).is_some_and(|sign| sign.is(b'.'));
    let method = at(head.literal + 2).map_or("", |method| method.text(text));
    let is_filled = unit.language.fills(method) && !REPLACES.contains(&method);
    is_field
        && at(head.literal + 1)
            .is_some_and(|sign| sign.is(b'.') && is_filled || sign.is(b'%') && unit.language.percent_operator)
}

/// Leaves out the templates that fields have, where what a call makes of them was read: as they stand, they are not run.
pub(super) fn leave_filled_out(folder: &Folder<'_>, found: &mut Vec<Found>) {
    let fills = |one: &&Found| {
        let unit = folder.units.get(one.unit as usize).filter(|_| one.candidate.is_named);
        unit.is_some_and(|unit| fills_field(unit, unit.text(folder.sources), &one.candidate))
    };
    let filled: HashSet<(SourceId, u32)> = found
        .iter()
        .filter(fills)
        .flat_map(|one| one.literal.variants.iter().filter_map(|text| text.origins().next()))
        .collect();
    let is_filled = |one: &Found| {
        let unit = folder.units.get(one.unit as usize).filter(|_| !one.candidate.is_named);
        unit.is_some_and(|unit| field_given(unit, unit.text(folder.sources), &one.candidate).is_some())
            && one
                .literal
                .variants
                .iter()
                .any(|text| text.origins().next().is_some_and(|origin| filled.contains(&origin)))
    };
    if !filled.is_empty() {
        found.retain(|one| !is_filled(one));
    }
}

/// Whether the word of a head stands between the name of its function and the body.
fn is_parameter(unit: &Unit, text: &str, head: &Candidate) -> bool {
    let Some(function) = unit.sketch.functions.get(head.function as usize) else { return false };
    let word = token_text(unit, text, head.literal);
    let next = |behind: u32| unit.tokens.get((head.literal + behind) as usize);
    let is_returned = head.literal > 0 && token_text(unit, text, head.literal - 1) == "return";
    let is_used = is_returned || next(1).is_some_and(|sign| sign.is(b')') || sign.is(b','));
    // What a helper fills is read where it is called.
    if next(2).is_some_and(|method| REPLACES.contains(&method.text(text))) {
        return false;
    }
    let goes_on = || {
        next(2).is_some_and(|next| {
            next.kind == Kind::Text && begins_clause(next.text(text).get(next.open as usize..).unwrap_or(""))
        })
    };
    // `execute(query.format(marks))`
    let fills = || {
        let method = next(2).map_or("", |method| method.text(text));
        let before = |back: u32| unit.tokens.get(head.start.checked_sub(back)? as usize);
        let is_run = before(1).is_some_and(|sign| sign.is(b'('))
            && before(2).is_some_and(|call| unit.language.sink(call.text(text)).is_some());
        next(1).is_some_and(|sign| sign.is(b'.')) && unit.language.fills(method) && is_run
    };
    if !is_used && !goes_on() && !fills() {
        return false;
    }
    let from = function.name as usize;
    let head = unit.tokens.get(from..(from + LONGEST_HEAD).min(head.start as usize)).unwrap_or(&[]);
    let depth = |token: &Token| i32::from(token.is(b'(')) - i32::from(token.is(b')'));
    let mut open = 0;
    let within = head.iter().skip(1).take_while(|token| {
        open += depth(token);
        open > 0
    });
    within.filter(|token| token.kind == Kind::Word).any(|token| token.text(text) == word)
}

/// The statement that begins with a name; `None` where the function around gives the name a value of its own.
pub(super) fn fold(folder: &Folder<'_>, index: usize, unit: &Unit, candidate: Candidate) -> Option<Found> {
    let spot = Spot::at(index, candidate.function);
    let at = candidate.literal as usize;
    let is_taken = folder.taken(spot, folder.word(spot, at)).is_some();
    let has_own_value = if is_taken { folder.is_given_anew(spot, at) } else { folder.is_local(spot, at) };
    if has_own_value {
        return None;
    }
    // `format(NAME + "…", value)`: what is filled is all of it.
    let filled = folder.template_around(spot, candidate.start as usize);
    let start = filled.unwrap_or(candidate.start as usize);
    let is_template =
        folder.is_template(spot, (start, at))? || fills_field(unit, unit.text(folder.sources), &candidate);
    let (variants, end) = fold_texts(folder, spot, unit, start)?;
    // A template of which something stays open is read as it stands.
    if variants.is_empty() || is_template && variants.iter().any(|text| !text.holes().is_empty()) {
        return None;
    }
    let first = unit.tokens.get(start)?;
    let last = unit.tokens.get(end.checked_sub(1)?)?;
    let site = Site { source: unit.source, start: first.start, end: last.end.max(first.end) };
    let run = Run { loop_depth: candidate.loop_depth, ..Run::default() };
    let bare = Literal::bare(site, super::Text::default(), unit.language);
    // What begins with SQL may also be a message about it.
    let role = if unit.is_test { Role::Test } else { bare.role };
    let literal = Literal { role, variants, run, looks: Looks::Perhaps, ..bare };
    Some(Found { literal, unit: index as u32, candidate, end: end as u32, handed: None })
}

/// Leaves out what is handed to functions that always put more behind it, and run that: there it is read.
pub(super) fn leave_beginnings_out(folder: &Folder<'_>, found: &mut Vec<Found>) {
    let begins = |one: &Found| -> Vec<(SourceId, u32)> {
        one.literal.variants.iter().filter_map(|text| text.origins().next()).collect()
    };
    let taker = |one: &Found| {
        let (spot, at) =
            (Spot::at(one.unit as usize, one.candidate.function), one.candidate.literal as usize);
        if one.candidate.is_named {
            let name = folder.word(spot, at);
            return folder.taken(spot, name).and_then(|_| folder.name_of_taker(spot, at, name));
        }
        let site = one.literal.site;
        let is_own =
            |&(source, at): &(SourceId, u32)| source == site.source && (site.start..site.end).contains(&at);
        if begins(one).iter().all(is_own) {
            return None;
        }
        let name = folder.parameter_in_front(spot, one.candidate.start as usize)?;
        folder.name_of_taker(spot, at, &name)
    };
    let takers = found.iter().filter_map(|one| Some((begins(one), taker(one)?)));
    let handed: HashMap<(SourceId, u32), &str> =
        takers.flat_map(|(begins, name)| begins.into_iter().map(move |origin| (origin, name))).collect();
    let is_beginning = |one: &Found| {
        let mut names = begins(one).into_iter().filter_map(|origin| handed.get(&origin).copied());
        names.any(|name| is_handed_alone(folder, one, name))
    };
    if !handed.is_empty() {
        found.retain(|one| one.candidate.is_named || !is_beginning(one));
    }
}

/// Whether a text, or the name of its constant wherever it stands, is an argument of a function, and nothing else.
fn is_handed_alone(folder: &Folder<'_>, one: &Found, function: &str) -> bool {
    let spot = Spot::at(one.unit as usize, one.candidate.function);
    let Some(unit) = folder.units.get(spot.unit) else { return false };
    let is_handed = |at: usize| {
        let open = folder.code(spot).and_then(|code| code.around(at).next());
        open.and_then(|open| open.checked_sub(1)).is_some_and(|name| folder.word(spot, name) == function)
    };
    let bound = unit.sketch.bindings.iter().find(|bound| bound.value == one.candidate.start);
    let Some((declared, name)) =
        bound.map(|bound| (bound.name as usize, folder.word(spot, bound.name as usize)))
    else {
        return is_handed(one.candidate.start as usize);
    };
    let is_named = |&at: &usize| {
        at != declared && folder.kind(spot, at) == Some(Kind::Word) && folder.word(spot, at) == name
    };
    let is_elsewhere = |other: &Unit| {
        let source = folder.sources.get(other.source).filter(|_| other.source != unit.source);
        source.is_some_and(|source| source.peek(|text: &str| text.contains(name)))
    };
    (0..folder.tokens(spot).len()).filter(is_named).all(is_handed) && !folder.units.iter().any(is_elsewhere)
}

//! Statements that are prepared in one function, as the program opens its database, and kept in a field that others run:
//! `{&s.getStmt, getSQL}`, `s.getStmt, err = db.Prepare(getSQL)`, `sqlite3_prepare_v2(db, sql, -1, &m_get, NULL)`. They belong
//! to who runs them. An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{
    code::Code,
    flow::{PREPARES, is_connection},
    fold::{Folder, Spot},
    languages::SinkKind,
    lexer::Kind,
    sketch::NOWHERE,
};
use crate::source::folder_of;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where a statement is run that a field keeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    /// The function.
    pub spot: Spot,
    /// The token of the field there.
    pub field: usize,
    /// The token of the call that runs it.
    pub runs: u32,
    /// How it runs it.
    pub kind: SinkKind,
    /// The loops around that.
    loop_depth: u8,
    /// Whether its function prepares it as well.
    is_given: bool,
}

/// What fields keep, as far as it was asked for.
pub(super) struct Fields<'a> {
    /// The members that each file names, and where.
    members: Vec<OnceLock<HashMap<&'a str, Vec<u32>>>>,
    /// The files of each folder.
    folders: OnceLock<HashMap<&'a str, Vec<usize>>>,
    /// What runs a field, by its name and the file, or the first of its folder.
    known: Mutex<Known<'a>>,
    /// The names that functions declare.
    declared: Mutex<Declared<'a>>,
}

type Known<'a> = HashMap<(usize, &'a str), Arc<[Kept]>>;
type Declared<'a> = HashMap<(usize, u32), Arc<HashSet<&'a str>>>;

impl Fields<'_> {
    /// Of this many files, nothing is known yet.
    pub fn new(files: usize) -> Self {
        let members = (0..files).map(|_| OnceLock::new()).collect();
        Self { members, folders: OnceLock::new(), known: Mutex::default(), declared: Mutex::default() }
    }
}

impl<'a> Collector<'a> {
    /// Where the statement is run that is prepared of the text, or of the name, at a token; nothing where no field keeps it, where
    /// the function runs it itself, or where no method of the type that it prepares for is seen to. Of several places, the first
    /// in the deepest loop.
    pub(super) fn kept(&self, spot: Spot, at: usize) -> Option<Kept> {
        let code = self.folder.code(spot).filter(|_| spot.function != NOWHERE)?;
        let declared = self.declared_in(spot);
        let given = addressed(code, at, &declared).or_else(|| assigned(code, at));
        let field = code.word(given.or_else(|| asked(code, at, &declared))?);
        let runs = self.runs_of_field(spot.unit, field);
        let is_own = |one: &&Kept| (one.spot.unit, one.spot.function) == (spot.unit, spot.function);
        if runs.iter().any(|one| is_own(&one)) {
            return None;
        }
        let theirs = runs.iter().filter(|one| !one.is_given && self.makes_owner(spot, one.spot));
        theirs.min_by_key(|one| (std::cmp::Reverse(one.loop_depth), one.spot.unit != spot.unit)).copied()
    }

    /// Where functions of a file, or of those beside it that see the fields of its types, run what a field keeps.
    fn runs_of_field(&self, unit: usize, field: &'a str) -> Arc<[Kept]> {
        let path = self.folder.units.get(unit).map_or("", |unit| self.folder.sources.path(unit.source));
        let own = [unit];
        let packages = self.folder.units.get(unit).is_some_and(|unit| unit.language.packages);
        let folders = || self.fields.folders.get_or_init(|| folders(self.folder));
        let beside = packages.then(|| folders().get(folder_of(path))).flatten();
        let files = beside.map_or(&own[..], Vec::as_slice);
        let key = (files.first().copied().unwrap_or(unit), field);
        let known = || self.fields.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return Arc::clone(found);
        }
        let found: Arc<[Kept]> = files.iter().flat_map(|&unit| self.runs_in(unit, field)).collect();
        known().insert(key, Arc::clone(&found));
        found
    }

    /// Where production code of a file runs what a field keeps: once in each function.
    fn runs_in(&self, unit: usize, field: &str) -> Vec<Kept> {
        let (Some(sketch), Some(code)) =
            (self.folder.units.get(unit).map(|unit| &unit.sketch), self.folder.code(Spot::at(unit, NOWHERE)))
        else {
            return Vec::new();
        };
        let members = self.fields.members.get(unit).map(|one| one.get_or_init(|| members(code)));
        let uses = members.and_then(|members| members.get(field)).map(Vec::as_slice).unwrap_or_default();
        let mut found: Vec<Kept> = Vec::new();
        let mut last = None;
        for at in uses.iter().map(|&at| at as usize) {
            let Some(function) = sketch.function_around(at) else { continue };
            if last.replace(function) == Some(function) {
                continue;
            }
            let one = sketch.functions.get(function as usize).filter(|one| !one.is_test);
            let spot = Spot::at(unit, function);
            if !is_member(code, at) && !is_field_of(code, at, &self.declared_in(spot)) {
                continue;
            }
            let run = one.zip(self.flows.of(spot)).and_then(|(one, flow)| {
                let runs = flow.runs_kept(at).filter(|&runs| runs < one.end as usize)?;
                let mut own = uses.iter().map(|&at| at as usize).filter(|&at| at < one.end as usize);
                let is_given =
                    own.any(|other| other >= at && (is_target(code, other) || is_handed_out(code, other)));
                let kind = code.language().sink(code.word(runs)).unwrap_or(SinkKind::RunsOne);
                let loop_depth = flow.loops_around(runs);
                Some(Kept { spot, field: at, runs: runs as u32, kind, loop_depth, is_given })
            });
            found.extend(run);
        }
        found
    }

    /// The names that a function of C++ declares, its parameters among them.
    fn declared_in(&self, spot: Spot) -> Arc<HashSet<&'a str>> {
        let Some(code) = self.folder.code(spot).filter(|code| code.language().name == "C++") else {
            return Arc::default();
        };
        let known = || self.fields.declared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&(spot.unit, spot.function)) {
            return Arc::clone(found);
        }
        let function = self
            .folder
            .units
            .get(spot.unit)
            .and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let names = function.map(|function| {
            let body = function.name as usize..function.end as usize;
            let declared = body.filter(|&at| code.is_word(at) && is_typed(code, at));
            declared.map(|at| code.word(at)).collect()
        });
        let found: Arc<HashSet<&str>> = Arc::new(names.unwrap_or_default());
        known().insert((spot.unit, spot.function), Arc::clone(&found));
        found
    }

    /// Whether a function is a method of the same type as another, or of one that the other names; or both are functions of one
    /// file of C.
    fn makes_owner(&self, maker: Spot, method: Spot) -> bool {
        let sketch =
            |spot: Spot| self.folder.units.get(spot.unit)?.sketch.functions.get(spot.function as usize);
        let (Some(made), Some(code)) = (sketch(maker), self.folder.code(maker)) else { return false };
        let Some(owner) = sketch(method).map(|one| one.owner).filter(|&owner| owner != NOWHERE) else {
            return made.owner == NOWHERE && maker.unit == method.unit && code.language().name == "C++";
        };
        let owner = self.folder.word(method, owner as usize);
        let is_own = made.owner != NOWHERE && self.folder.word(maker, made.owner as usize) == owner;
        is_own || (made.name as usize..made.end as usize).any(|at| code.word(at) == owner)
    }
}

/// The files of each folder whose files see the names of one another.
fn folders<'a>(folder: &Folder<'a>) -> HashMap<&'a str, Vec<usize>> {
    let mut found: HashMap<&str, Vec<usize>> = HashMap::default();
    for (index, unit) in folder.units.iter().enumerate().filter(|(_, unit)| unit.language.packages) {
        found.entry(folder_of(folder.sources.path(unit.source))).or_default().push(index);
    }
    found
}

/// The members that a file names, but for methods that it calls.
fn members(code: Code<'_>) -> HashMap<&str, Vec<u32>> {
    let mut found: HashMap<&str, Vec<u32>> = HashMap::default();
    for (at, token) in code.tokens_in(0..code.length()) {
        let is_named = || is_member(code, at) || code.language().name == "C++" && !is_typed(code, at);
        if token.kind == Kind::Word && !code.is(at + 1, b'(') && is_named() {
            found.entry(code.spelling(token)).or_default().push(at as u32);
        }
    }
    found
}

/// The field whose address stands beside a text: `{&s.getStmt, getSQL}`, `prepare(db, sql, &m_get)`.
fn addressed(code: Code<'_>, at: usize, declared: &HashSet<&str>) -> Option<usize> {
    // In Rust, `&self.store` hands a connection on.
    if !code.has_receivers() && code.language().name != "C++" {
        return None;
    }
    let open = code.around(at).next()?;
    let (ranges, _) = code.arguments(open);
    let is_pair = code.is(open, b'{') && ranges.len() == 2;
    if !(is_pair || code.is(open, b'(') && prepares(code, open)) {
        return None;
    }
    let is_address = |&(start, end): &(usize, usize)| {
        let start = if code.is(start + 1, b':') { start + 2 } else { start };
        let is_path = |at: usize| code.is_word(at) || b".->".iter().any(|&sign| code.is(at, sign));
        let is_field = || is_member(code, end - 1) || is_field_of(code, end - 1, declared);
        code.is(start, b'&') && start + 1 < end && (start + 1..end).all(is_path) && is_field()
    };
    let field = ranges.iter().find(|range| is_address(range)).map(|&(_, end)| end - 1);
    field.filter(|&field| !is_connection(code.word(field)))
}

/// The field that is given what a call makes of a text: `s.getStmt, err = db.Prepare(getSQL)`.
fn assigned(code: Code<'_>, at: usize) -> Option<usize> {
    let open = code.around(at).next().filter(|&open| code.is(open, b'(') && prepares(code, open))?;
    // What is called on the statement gives something else.
    let behind = code.matching(open) + 1;
    let is_unwrapped = || matches!(code.word(behind + 1), "unwrap" | "expect" | "await");
    let goes_on = code.is(behind, b'.') && !is_unwrapped()
        || code.is(behind, b'?') && code.is(behind + 1, b'.')
        || code.is(behind, b'-') && code.is(behind + 1, b'>');
    let mut sign = open.checked_sub(1)?;
    while sign > 2 && !code.assigns(sign) {
        let is_path = |at: usize| b".->:&*!".iter().any(|&sign| code.is(at, sign));
        let is_word = |at: usize| code.is_word(at);
        let leads = |at: usize| matches!(code.word(at), "await" | "try" | "new");
        if is_word(sign) && is_word(sign + 1) && !leads(sign) || !is_word(sign) && !is_path(sign) {
            return None;
        }
        sign -= 1;
    }
    let mut target = sign.checked_sub(1)?;
    while target > 2 && code.is(target - 1, b',') && code.is_word(target - 2) {
        target -= 2;
    }
    (!goes_on && is_member(code, target)).then_some(target)
}

/// The field of C++ that keeps the statement which its own method makes of a text: `newest.compile(sql)`.
fn asked(code: Code<'_>, at: usize, declared: &HashSet<&str>) -> Option<usize> {
    let open = code.around(at).next().filter(|&open| code.is(open, b'(') && prepares(code, open))?;
    let field = code.receiver(open.checked_sub(1)?)?;
    let is_field = is_member(code, field) || is_field_of(code, field, declared);
    let is_kept = code.language().name == "C++" && is_field && !is_connection(code.word(field));
    is_kept.then_some(field)
}

/// Whether the call of a bracket prepares a text.
fn prepares(code: Code<'_>, open: usize) -> bool {
    let call = open.checked_sub(1).map_or("", |name| code.word(name)).to_ascii_lowercase();
    PREPARES.iter().any(|one| call.contains(one))
}

/// Whether a member is given something: `s.get = …`, `s.get, err = …`.
fn is_target(code: Code<'_>, at: usize) -> bool {
    let mut next = at + 1;
    while code.is(next, b',') && code.is_word(next + 1) {
        next += 2;
    }
    code.assigns(next)
}

/// Whether the address of a member is taken: `&s.get`, `&m_get`.
fn is_handed_out(code: Code<'_>, at: usize) -> bool {
    let first = std::iter::successors(Some(at), |&at| code.receiver(at)).last().unwrap_or(at);
    first.checked_sub(1).is_some_and(|before| code.is(before, b'&') && !code.is(before.wrapping_sub(1), b'&'))
}

/// Whether a name is that of a member: `.list`, `->list`, `list_`, `m_list`.
fn is_member(code: Code<'_>, at: usize) -> bool {
    let word = code.word(at);
    let is_named = || code.language().name == "C++" && (word.ends_with('_') || word.starts_with("m_"));
    code.is_word(at) && (code.receiver(at).is_some() || is_named())
}

/// Whether a name of C++ is one that its function does not declare.
fn is_field_of(code: Code<'_>, at: usize, declared: &HashSet<&str>) -> bool {
    code.language().name == "C++" && code.is_word(at) && !declared.contains(code.word(at))
}

/// Whether a type stands in front of a name: `Row newest`, `Row *newest`, `Row<Key> &newest`.
fn is_typed(code: Code<'_>, at: usize) -> bool {
    // `Row *first, *newest`; where that is an argument, nothing is kept in it either.
    if code.is(at.wrapping_sub(1), b'*') && code.is(at.wrapping_sub(2), b',') {
        return true;
    }
    let mut before = at.checked_sub(1);
    while let Some(sign) = before.filter(|&before| code.is(before, b'*') || code.is(before, b'&')) {
        before = sign.checked_sub(1);
    }
    let leads = |at: usize| matches!(code.word(at), "return" | "case" | "else" | "throw" | "co_return");
    before.is_some_and(|before| code.is_word(before) && !leads(before) || code.is(before, b'>'))
}

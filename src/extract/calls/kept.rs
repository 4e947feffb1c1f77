//! Statements that are prepared in one function, as the program opens its database, and kept in a field that others run:
//! `{&s.getStmt, getSQL}`, `s.getStmt, err = db.Prepare(getSQL)`, `sqlite3_prepare_v2(db, sql, -1, &m_get, NULL)`. They belong
//! to who runs them. An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{
    code::Code, flow::is_connection, fold::Spot, languages::SinkKind, lexer::Kind, sketch::NOWHERE,
};
use crate::source::folder_of;

/// How many tokens the target of an assignment may stand before the text.
const FURTHEST: usize = 24;

/// What the names of calls have in them that prepare a text.
const PREPARES: [&str; 3] = ["prepare", "statement", "compile"];

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
}

impl Collector<'_> {
    /// Where the statement is run that is prepared of the text, or of the name, at a token; nothing where no field keeps it, or
    /// nothing is seen to run it. Of several places, the first of the type that the function makes.
    pub(super) fn kept(&self, spot: Spot, at: usize) -> Option<Kept> {
        let code = self.folder.code(spot).filter(|_| spot.function != NOWHERE)?;
        let field = code.word(addressed(code, at).or_else(|| assigned(code, at))?);
        let places = self.files_beside(spot.unit).flat_map(|unit| self.runs_of(unit, field));
        let places = places.filter(|one| one.spot.function != spot.function || one.spot.unit != spot.unit);
        places.min_by_key(|one| (!self.makes_owner(spot, one.spot), one.spot.unit != spot.unit))
    }

    /// A file, and those that see the fields of its types.
    fn files_beside(&self, unit: usize) -> impl Iterator<Item = usize> {
        let folder = |unit: usize| {
            let unit = self.folder.units.get(unit).filter(|unit| unit.language.packages)?;
            Some(folder_of(self.folder.sources.path(unit.source)))
        };
        let own = folder(unit);
        (0..self.folder.units.len())
            .filter(move |&other| other == unit || own.is_some() && folder(other) == own)
    }

    /// Where production code of a file runs what a field keeps.
    fn runs_of(&self, unit: usize, field: &str) -> Vec<Kept> {
        let spot = Spot::at(unit, NOWHERE);
        let Some(code) = self.folder.code(spot) else { return Vec::new() };
        let run = |at: usize| {
            let (function, sketch) = self.folder.function_around(unit, at).filter(|(_, one)| !one.is_test)?;
            let spot = Spot::at(unit, function);
            let runs = self.flows.of(spot)?.runs_kept(at)?;
            let kind = code.language().sink(code.word(runs)).unwrap_or(SinkKind::RunsOne);
            (runs < sketch.end as usize).then_some(Kept { spot, field: at, runs: runs as u32, kind })
        };
        let words = code.tokens_in(0..code.length()).filter(|(_, token)| token.kind == Kind::Word);
        let uses = words.filter(|(at, token)| code.spelling(token) == field && is_member(code, *at));
        uses.filter_map(|(at, _)| run(at)).collect()
    }

    /// Whether a function is a method of the same type as another, or of one that the other names.
    fn makes_owner(&self, maker: Spot, method: Spot) -> bool {
        let sketch =
            |spot: Spot| self.folder.units.get(spot.unit)?.sketch.functions.get(spot.function as usize);
        let (Some(made), Some(code)) = (sketch(maker), self.folder.code(maker)) else { return false };
        let Some(owner) = sketch(method).map(|one| one.owner).filter(|&owner| owner != NOWHERE) else {
            return false;
        };
        let owner = self.folder.word(method, owner as usize);
        let is_own = made.owner != NOWHERE && self.folder.word(maker, made.owner as usize) == owner;
        is_own || (made.name as usize..made.end as usize).any(|at| code.word(at) == owner)
    }
}

/// The field whose address stands beside a text: `{&s.getStmt, getSQL}`, `prepare(db, sql, &m_get)`.
fn addressed(code: Code<'_>, at: usize) -> Option<usize> {
    // In Rust, `&self.store` hands a connection on.
    if !code.has_receivers() && code.language().name != "C++" {
        return None;
    }
    let open = code.around(at).next()?;
    let is_address = |&(start, end): &(usize, usize)| {
        let start = if code.is(start + 1, b':') { start + 2 } else { start };
        let is_path = |at: usize| code.is_word(at) || b".->".iter().any(|&sign| code.is(at, sign));
        code.is(start, b'&') && start + 1 < end && (start + 1..end).all(is_path) && is_member(code, end - 1)
    };
    let (ranges, _) = code.arguments(open);
    let field = ranges.iter().find(|range| is_address(range)).map(|&(_, end)| end - 1);
    field.filter(|&field| !is_connection(code.word(field)))
}

/// The field that is given what a call makes of a text: `s.getStmt, err = db.Prepare(getSQL)`.
fn assigned(code: Code<'_>, at: usize) -> Option<usize> {
    let open = code.around(at).next().filter(|&open| code.is(open, b'('))?;
    let call = code.word(open.checked_sub(1)?).to_ascii_lowercase();
    let sign = (open.saturating_sub(FURTHEST)..open).rev().take_while(|&at| !is_end(code, at));
    let sign = sign
        .into_iter()
        .find(|&at| code.assigns(at))
        .filter(|_| PREPARES.iter().any(|one| call.contains(one)))?;
    let mut target = sign.checked_sub(1)?;
    while target > 2 && code.is(target - 1, b',') && code.is_word(target - 2) {
        target -= 2;
    }
    is_member(code, target).then_some(target)
}

fn is_end(code: Code<'_>, at: usize) -> bool {
    b";{}".iter().any(|&sign| code.is(at, sign))
}

/// Whether a name is that of a member: `.list`, `->list`, `list_`, `m_list`.
fn is_member(code: Code<'_>, at: usize) -> bool {
    let word = code.word(at);
    let is_named = || code.language().name == "C++" && (word.ends_with('_') || word.starts_with("m_"));
    code.is_word(at) && (code.receiver(at).is_some() || is_named())
}

//! Statements that begin with a name which stands for SQL elsewhere: `NAME + " WHERE …"`. The walk saw where names begin
//! something; which of them stand for SQL, the names of the tree say.

use super::{
    Found, Literal, Role,
    flow::Run,
    fold::{Folder, Spot, Unit, embedded::embedded, names::is_global},
    fold_texts,
    roles::token_text,
    sketch::Candidate,
    sql::Looks,
    units::names_of_sql,
};
use crate::source::{Site, Source, Sources, folder_of};
use rustc_hash::FxHashSet as HashSet;

/// How often names are followed that stand for what begins with another.
const ROUNDS: usize = 4;

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

/// The names at the level of files that stand for SQL, tests aside, with what sees them: a file, a folder, or all of a language.
#[derive(Default)]
struct Names<'a> {
    own: HashSet<(u32, &'a str)>,
    beside: HashSet<(&'a str, &'a str)>,
    global: HashSet<(&'static str, &'a str)>,
}

impl<'a> Names<'a> {
    fn new(sources: &'a Sources, units: &[Unit]) -> Self {
        let embedded = embedded(sources, units).into_iter();
        let beside = embedded.map(|(folder, name, _)| (folder, name)).collect();
        let mut names = Self { beside, ..Self::default() };
        for unit in units.iter().filter(|unit| !unit.sketch.candidates.is_empty() && !unit.is_test) {
            for name in names_of_sql(unit, sources.get(unit.source).map_or("", Source::text)) {
                names.own.insert((unit.source.0, name));
                if unit.language.packages {
                    names.beside.insert((folder_of(sources.path(unit.source)), name));
                }
                if is_global(name) {
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
        };
        let (known, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(is_known);
        unit.sketch.heads = others;
        let any = !known.is_empty();
        unit.sketch.candidates.extend(known);
        unit.sketch.candidates.sort_by_key(|one| one.literal);
        any
    }
}

/// The statement that begins with a name; `None` where the function around gives the name a value of its own.
pub(super) fn fold(folder: &Folder<'_>, index: usize, unit: &Unit, candidate: Candidate) -> Option<Found> {
    let spot = Spot::at(index, candidate.function);
    if folder.is_local(spot, candidate.literal as usize) {
        return None;
    }
    // `format(NAME + "…", value)`: what is filled is all of it.
    let filled = folder.template_around(spot, candidate.start as usize);
    let start = filled.unwrap_or(candidate.start as usize);
    let (variants, end) = fold_texts(folder, spot, unit, start)?;
    if variants.is_empty() {
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

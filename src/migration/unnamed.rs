//! Constants that hold a migration and that no code names, beside others of their kind that code does name. Told by words:
//! a name that stands anywhere else, be it in a comment, is taken for a use.

use super::Declaration;
use crate::{
    extract::{Extraction, Role},
    source::{Site, SourceId, Sources},
};
use memchr::memmem;
use std::collections::BTreeMap;

/// A step that nothing runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unnamed {
    /// The database, by its place among the declarations.
    pub database: usize,
    /// The step, by its place in the declaration.
    pub step: usize,
    /// Where another one of its kind is named.
    pub beside: Site,
}

/// The steps of constants that nothing names: constants of one file whose names differ by their number, of which all
/// others are named.
pub fn unnamed<'a>(
    sources: &Sources,
    extraction: &Extraction,
    declared: impl IntoIterator<Item = &'a Declaration>,
) -> Vec<Unnamed> {
    let mut found = Vec::new();
    for (database, one) in declared.into_iter().enumerate() {
        let mut kinds: BTreeMap<(SourceId, String), BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
        for (step, text) in one.steps.iter().enumerate() {
            let Some(constant) = constant(extraction, text.literal) else { continue };
            if let Some(kind) = kind(constant.1) {
                kinds.entry((constant.0, kind)).or_default().entry(constant.1).or_default().push(step);
            }
        }
        for ((file, _), members) in kinds.into_iter().filter(|(_, members)| members.len() >= 3) {
            let uses: BTreeMap<&str, Option<Site>> =
                members.keys().map(|&name| (name, other_mention(sources, file, name))).collect();
            let mut missing = uses.iter().filter(|(_, used)| used.is_none());
            let beside = uses.values().flatten().next();
            if let (Some((name, _)), None, Some(&beside)) = (missing.next(), missing.next(), beside) {
                let steps = members.get(name).into_iter().flatten();
                found.extend(steps.map(|&step| Unnamed { database, step, beside }));
            }
        }
    }
    found
}

/// The constant that a literal is the text of, or stands in the list of, with its file.
fn constant(extraction: &Extraction, literal: usize) -> Option<(SourceId, &str)> {
    let one =
        extraction.literals.get(literal).filter(|one| one.role != Role::Test && !one.language.is_sql)?;
    Some((one.site.source, one.constant.as_deref()?))
}

/// What the names of one kind have in common: all but the number.
pub(super) fn kind(name: &str) -> Option<String> {
    let kind: String = name.chars().filter(|one| !one.is_ascii_digit()).collect();
    (kind.len() < name.len() && kind.len() > 1).then_some(kind)
}

/// Where a name stands that a file binds, and not at the place where it is bound: in that file, or else in any.
fn other_mention(sources: &Sources, file: SourceId, name: &str) -> Option<Site> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mention = |id: SourceId, count: usize| {
        sources.get(id)?.peek(|text| {
            let bytes = text.as_bytes();
            let is_whole = |at: &usize| {
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                !before.is_some_and(is_name) && !bytes.get(at + name.len()).is_some_and(is_name)
            };
            memmem::find_iter(bytes, name.as_bytes()).filter(is_whole).nth(count)
        })
    };
    let site = |source: SourceId, at: usize| Site { source, start: at as u32, end: (at + name.len()) as u32 };
    let own = mention(file, 1).map(|at| site(file, at));
    own.or_else(|| {
        let mut others = sources.iter().map(|(id, _)| id).filter(|&id| id != file);
        others.find_map(|id| mention(id, 0).map(|at| site(id, at)))
    })
}

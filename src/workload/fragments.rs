//! Literals that are no statements, for they are only parts of the texts of others.

use crate::extract::{
    Extraction, Literal,
    sql::{contains_word, is_read},
    text::Text,
};
use std::collections::{BTreeMap, HashSet};

/// The literals that are only parts of other texts: constants that nothing is handed.
pub(super) fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let is_run = |one: &Literal| one.is_argument && one.variants.iter().all(is_whole);
    let is_piece = |one: &Literal| one.constant.is_some() && one.sink.is_none() && !is_run(one);
    extraction.pieces(&is_piece, &|_| true).into_iter().map(|(piece, _)| piece).collect()
}

/// Whether a text is a change to be run, and hardly one to be gone on with. A query may be: the call may be told of it, or put more behind it.
fn is_whole(text: &Text) -> bool {
    let sql = text.as_str();
    let has = |word: &str| contains_word(sql, word);
    !is_read(sql)
        && !is_open(sql)
        && (has("where") || (has("insert") && has("values") && sql.trim_end().ends_with(')')))
}

/// Whether something is missing at the end of a text: `… WHERE a IN (`, `… AND`.
fn is_open(sql: &str) -> bool {
    const WANTING: [&str; 9] = ["where", "and", "or", "not", "in", "is", "like", "between", "set"];
    let sql = sql.trim_end();
    let last = sql.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or("");
    sql.matches('(').count() > sql.matches(')').count()
        || sql.ends_with(['(', ',', '=', '<', '>', '.', '|', '+'])
        || WANTING.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// The literals that other texts alone take in, of which all were planned: there they are judged as they run.
pub(super) fn taken_in(extraction: &Extraction, is_planned: &dyn Fn(usize) -> bool) -> HashSet<usize> {
    let all = extraction.literals.iter().enumerate().filter(|(_, one)| !one.takers.is_empty());
    let mut open: BTreeMap<usize, Vec<(u32, u32)>> =
        all.map(|(index, literal)| (index, literal.takers.clone())).collect();
    for (piece, whole) in extraction.pieces(&|one| !one.takers.is_empty(), is_planned) {
        let source = extraction.literals.get(piece).map(|one| one.site.source);
        let whole = extraction.literals.get(whole);
        let site = whole.map(|one| one.site);
        let variants = whole.map(|one| one.variants.as_slice()).unwrap_or_default();
        let own = || variants.iter().flat_map(Text::origins).filter(|(own, _)| Some(*own) == source);
        if let Some(takers) = open.get_mut(&piece) {
            // `mprintf(NAME, value)` is a statement as a whole.
            let is_within = |start: u32, end: u32| {
                site.is_some_and(|site| Some(site.source) == source && site.start <= start && end <= site.end)
            };
            takers.retain(|&(start, end)| {
                !is_within(start, end) && !own().any(|(_, offset)| (start..end).contains(&offset))
            });
        }
    }
    open.into_iter().filter(|(_, takers)| takers.is_empty()).map(|(piece, _)| piece).collect()
}

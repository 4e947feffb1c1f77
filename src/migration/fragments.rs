//! Texts with a piece for another engine: where code asks which one it speaks to, and puts another clause into the text for each.

use super::guards::is_for_another;
use crate::{
    extract::{Extraction, is_sql},
    source::{Site, SourceId, Sources},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

/// The functions that stand in no other: what an outer one asks holds for those in it.
pub(super) struct Outermost {
    /// In order, by file.
    sites: BTreeMap<SourceId, Vec<Site>>,
}

impl Outermost {
    pub(super) fn new(extraction: &Extraction) -> Self {
        let mut all: Vec<Site> = extraction.functions.iter().map(|one| one.site).collect();
        all.sort_unstable_by_key(|site| (site.source, site.start, Reverse(site.end)));
        let mut sites: BTreeMap<SourceId, Vec<Site>> = BTreeMap::new();
        for site in all {
            let own = sites.entry(site.source).or_default();
            if own.last().is_none_or(|last| site.start >= last.end) {
                own.push(site);
            }
        }
        Self { sites }
    }

    /// Whether the code around a place runs it for another engine alone.
    pub(super) fn is_for_another(&self, sources: &Sources, source: SourceId, at: u32) -> bool {
        let functions = self.sites.get(&source).map_or(&[][..], Vec::as_slice);
        let after = functions.partition_point(|site| site.start <= at);
        let own = after.checked_sub(1).and_then(|index| functions.get(index)).filter(|site| at < site.end);
        let from = own.map_or(0, |site| site.start as usize);
        let code = sources.get(source).filter(|code| !is_sql(&code.path));
        code.is_some_and(|code| is_for_another(code.text(), from, at as usize))
    }
}

/// Leaves out those texts of literals of which a piece is for another engine, where one is left for SQLite.
pub fn leave_others(sources: &Sources, extraction: &mut Extraction) {
    let functions = Outermost::new(extraction);
    let mut asked: HashMap<(SourceId, u32), bool> = HashMap::new();
    for literal in extraction.literals.iter_mut().filter(|literal| literal.variants.len() > 1) {
        let own = literal.site;
        let mut is_other = |source: SourceId, at: u32| {
            let is_own = source == own.source && (own.start..own.end).contains(&at);
            !is_own
                && *asked.entry((source, at)).or_insert_with(|| functions.is_for_another(sources, source, at))
        };
        let others: Vec<bool> = literal
            .variants
            .iter()
            .map(|text| text.origins().any(|(source, at)| is_other(source, at)))
            .collect();
        if others.contains(&false) {
            let mut others = others.into_iter();
            literal.variants.retain(|_| !others.next().unwrap_or_default());
        }
    }
}

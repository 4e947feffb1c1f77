//! Keys that many rows may share while a statement looks for one or few of them: it is searched by columns that are no
//! whole unique key, perhaps by a range behind them, and compares others on each row that is found. Knows no values.

use super::model::{Model, Rows};
use super::uses::{At, Catalog, Reading};
use crate::plan::{Index, Op, Step, TermKind};
use crate::schema::{Explained, StatementKind, same};
use std::collections::BTreeSet;

/// A statement that reads all rows that share a key.
pub(super) struct Search {
    /// The columns by which it is searched.
    keys: Vec<At>,
    /// Those that it compares besides.
    tested: Vec<At>,
}

impl Search {
    /// `None` where a statement does not, or does more than that.
    fn of(catalog: &Catalog<'_>, explained: &Explained, reading: &Reading) -> Option<Self> {
        let kinds = [StatementKind::Select, StatementKind::Update, StatementKind::Delete];
        let [step] = explained.plan.steps.as_slice() else { return None };
        if !kinds.contains(&explained.kind) || step.op != Op::Search || step.program.is_some() {
            return None;
        }
        let name = step.table.as_deref()?;
        let table = catalog.table(name)?;
        let equal = step.terms.iter().filter(|term| term.kind == TermKind::Equal);
        let keys: Vec<At> = equal.map(|term| catalog.column(table, &term.column)).collect::<Option<_>>()?;
        if keys.is_empty() || is_whole(catalog, step, keys.len())? {
            return None;
        }
        let sought: Vec<At> =
            step.terms.iter().filter_map(|term| catalog.column(table, &term.column)).collect();
        let is_tested = |at: &At| at.0 == table && !sought.contains(at);
        // Where a range ends the search, another one may be tested on each row.
        let bounded = reading.bounded().filter(|_| sought.len() > keys.len());
        let tested: Vec<At> = reading.compared().chain(bounded).filter(is_tested).collect();
        (!tested.is_empty()).then_some(Self { keys, tested })
    }
}

/// Whether a step is searched by all of a unique key; `None` of one that is searched by another thing than an index.
pub(super) fn is_whole(catalog: &Catalog<'_>, step: &Step, columns: usize) -> Option<bool> {
    let Some(Index::Named { name, .. }) = &step.index else { return None };
    let index = catalog.objects.indexes.iter().find(|index| same(&index.name, name))?;
    Some(index.unique && columns >= index.columns.iter().filter(|column| column.key).count())
}

/// The columns of which rows that are equal in all of them are several, as a statement has it.
fn several((explained, reading): (&Explained, &Reading)) -> impl Iterator<Item = BTreeSet<At>> {
    let counts = |name: &String| matches!(name.as_str(), "count" | "sum" | "min" | "max" | "group_concat");
    let is_several = reading.orders() || explained.functions.iter().any(counts);
    let compared = is_several.then(|| reading.compared().collect());
    // What is cleared away up to a height or a day came with others of the same.
    let cleared = (explained.kind == StatementKind::Delete).then(|| reading.bounded().collect());
    compared.into_iter().chain(cleared).filter(|columns: &BTreeSet<At>| !columns.is_empty())
}

impl Model {
    /// Has many rows share the keys of statements, one after the other, as long as no other of them tests the same column.
    pub fn share<'a>(
        &mut self,
        catalog: &Catalog<'_>,
        statements: impl Iterator<Item = (&'a Explained, &'a Reading)> + Clone,
    ) {
        let mut tested: Vec<At> = Vec::new();
        let several: Vec<BTreeSet<At>> = statements.clone().flat_map(several).collect();
        for search in statements.filter_map(|(explained, reading)| Search::of(catalog, explained, reading)) {
            let can_share = |at: &At| {
                let column = self.column(*at);
                column.is_some_and(|one| one.flags.is_empty() && !one.carries) && !tested.contains(at)
            };
            let own: Vec<At> = search.tested.iter().copied().filter(|at| self.tells_apart(*at)).collect();
            let is_known = self.has_several(catalog, &search.keys, &several);
            if own.is_empty() || !is_known || !search.keys.iter().all(can_share) {
                continue;
            }
            tested.extend(own);
            for at in search.keys {
                self.column_mut(at).into_iter().for_each(|column| column.is_shared = true);
            }
        }
    }

    /// Whether something says that a key has several rows: it is part of a unique one, rows of another table have it, or a
    /// statement asks for an order or a number of those that have it, or clears them away by a range of it.
    fn has_several(&self, catalog: &Catalog<'_>, keys: &[At], several: &[BTreeSet<At>]) -> bool {
        let has_all = |columns: &BTreeSet<At>| keys.iter().all(|at| columns.contains(at));
        let refers = |at: &At| {
            self.column(*at).is_some_and(|one| matches!(one.rows, Rows::Child { unique: false, .. }))
        };
        let unique = catalog.objects.indexes.iter().filter(|index| index.unique);
        let mut unique = unique.filter_map(|index| {
            let table = catalog.table(&index.table)?;
            let columns = index.columns.iter().filter(|column| column.key);
            columns.map(|column| catalog.column(table, column.name.as_deref()?)).collect::<Option<_>>()
        });
        keys.iter().all(refers)
            || several.iter().any(has_all)
            || unique.any(|columns: BTreeSet<At>| columns.len() > keys.len() && has_all(&columns))
    }

    /// Whether many rows share the key by which a statement finds its rows, and few are those that it looks for.
    pub fn shares(&self, catalog: &Catalog<'_>, explained: &Explained, reading: &Reading) -> bool {
        let is_shared = |at: &At| self.column(*at).is_some_and(|column| column.is_shared);
        Search::of(catalog, explained, reading).is_some_and(|search| {
            let is_apart = |at: &At| !is_shared(at) && self.tells_apart(*at);
            search.keys.iter().all(is_shared) && search.tested.iter().any(is_apart)
        })
    }

    /// Whether a column has about as many values as its table has rows.
    fn tells_apart(&self, at: At) -> bool {
        self.column(at).is_some_and(|column| column.flags.is_empty() && !column.is_shared)
    }
}

//! What a statement is measured with before anything runs: the data sets that can matter, and what it may cost.

use super::{
    data::Data,
    judge::Price,
    literals::Literal,
    meant::meant,
    model::Model,
    parameters::Target,
    tokens::{Kind, Token, tokens},
    uses::{At, Catalog, Reading},
};
use crate::{
    extract::names::{Clause, Names, Predicate, QueryKind},
    plan::{Op, Plan, Purpose, Step},
    schema::{Explained, StatementKind, View, Write},
};
use std::{collections::BTreeSet, ops::Range};

/// What a data set is asked of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    All,
    /// What its later pages cost.
    Pages,
}

/// The data sets that can matter.
pub(super) fn data_sets(
    catalog: &Catalog<'_>,
    model: &Model,
    explained: &Explained,
    reading: &Reading,
) -> Vec<(Data, Asks)> {
    let (mut found, mut pages) = (vec![Data::Uniform], None);
    let sorts = |purposes: &[Purpose]| {
        explained.plan.steps.iter().any(|step| match &step.op {
            Op::TempBTree(purpose) => purposes.contains(purpose),
            _ => false,
        })
    };
    // Who walks an index from its end passes the few rows whose value is still to come, and no others.
    let walks = reading.is_cut && !sorts(&[Purpose::OrderBy]);
    let has_few = |at: &At| {
        model.column(*at).is_some_and(|one| {
            let waits = walks && one.sentinels == [Literal::Null];
            one.varies() || !(one.sentinels.is_empty() || waits) || one.is_excluded
        })
    };
    if reading.tested.iter().any(has_few) {
        // A row keeps what it was given once: in the end most have that, and who seeks these by an index gets them.
        let searches = explained.plan.steps.iter().all(|step| step.op != Op::Scan);
        let is_kept = |data: Data| {
            reading.tested.iter().all(|at| {
                let column = model.column(*at).filter(|_| searches);
                let latch = column.and_then(|one| one.latch.as_ref().map(|latch| (one, latch)));
                latch.is_none_or(|(one, latch)| {
                    let common = one.common_flag(data).and_then(|common| one.flags.get(common));
                    common == Some(latch) || !reading.literals_of(*at).contains(latch)
                })
            })
        };
        found.extend([Data::FirstCommon, Data::LastCommon].into_iter().filter(|data| is_kept(*data)));
    } else if explained.plan.steps.iter().any(|step| step.left_join || step.correlated) {
        found.push(Data::FirstCommon);
    }
    let is_extreme =
        explained.functions.iter().any(|name| matches!(name.as_str(), "min" | "max" | "row_number"));
    let whole_groups = !reading.is_filtered && sorts(&[Purpose::GroupBy, Purpose::Distinct]);
    let is_composite = |write: &Write| {
        let keys = catalog.objects.foreign_keys.iter();
        keys.into_iter().any(|key| key.parent.eq_ignore_ascii_case(&write.table) && key.columns.len() > 1)
    };
    if explained.writes.iter().any(is_composite)
        || reading.is_limited && sorts(&[Purpose::OrderBy])
        || sorts(&[Purpose::Distinct])
        || is_extreme
        || whole_groups
    {
        found.push(Data::FewGroups);
    } else if reading.is_filtered && reading.targets.contains(&Target::Offset) {
        pages = Some((Data::FewGroups, Asks::Pages));
    }
    if model.shares(catalog, explained, reading) {
        found.push(Data::SharedKey);
    }
    if model.nests(catalog, explained) {
        found.push(Data::Nested);
    }
    found.into_iter().map(|data| (data, Asks::All)).chain(pages).collect()
}

/// The tables that a statement reads or writes, and those whose foreign keys look at what it writes.
pub(super) fn tables(catalog: &Catalog<'_>, explained: &Explained) -> BTreeSet<usize> {
    // What SQLite keeps for itself has rows when others have.
    let is_own = |name: &&str| !name.starts_with("sqlite_");
    let read = explained.reads.iter().map(|read| read.table.as_str());
    let written = explained.writes.iter().map(|write| write.table.as_str());
    let planned = explained.plan.steps.iter().filter_map(|step| step.table.as_deref());
    let mut found: BTreeSet<usize> = read
        .chain(written.clone())
        .chain(planned)
        .filter(is_own)
        .filter_map(|name| catalog.table(name))
        .collect();
    let mut parents: Vec<&str> = written.collect();
    while let Some(parent) = parents.pop() {
        for key in catalog.objects.foreign_keys.iter().filter(|key| key.parent.eq_ignore_ascii_case(parent)) {
            if catalog.table(&key.table).is_some_and(|child| found.insert(child)) {
                parents.push(&key.table);
            }
        }
    }
    found
}

/// The steps for a row that a subquery yields to the one around it: a window function is one, which holds and counts its rows.
const PASSED: usize = 20;

/// Whether the rows that a statement returns come through a subquery of its FROM, and not those of a value or of IN.
fn is_passed(plan: &Plan, step: &Step) -> bool {
    let is_yielded = matches!(step.op, Op::CoRoutine | Op::Materialize) && step.program.is_none();
    let mut around = std::iter::successors(Some(step), |step| plan.steps.get(step.parent?));
    is_yielded && !around.any(|one| matches!(one.op, Op::Scalar { .. } | Op::List { .. }))
}

/// Whether all that comes out of the subqueries of each FROM is wanted: no WHERE, ON or HAVING tests it, so that no row passed in
/// vain.
fn keeps_what_comes(names: &Names, views: &[View], explained: &Explained) -> bool {
    let is_test = |one: &&Predicate| matches!(one.clause, Clause::Where | Clause::Join | Clause::Having);
    let tested: BTreeSet<u32> = names.predicates.iter().filter(is_test).map(|one| one.query).collect();
    let is_tested = |query: Option<u32>| {
        query.is_some_and(|query| tested.contains(&query) || names.filtered && query == 0)
    };
    let derived = names.queries.iter().filter(|one| one.kind == QueryKind::Derived).map(|one| one.around);
    let common = names.tables.iter().filter(|table| table.is_common).map(|table| Some(table.query));
    let is_view = |name: &str| views.iter().any(|view| view.name.eq_ignore_ascii_case(name));
    !explained.reads.iter().filter_map(|read| read.through.as_deref()).any(is_view)
        && !derived.chain(common).any(is_tested)
}

/// What a statement may cost for the rows that it returns or changes.
pub(super) fn price(
    catalog: &Catalog<'_>,
    explained: &Explained,
    reading: &Reading,
    tables: &BTreeSet<usize>,
    names: Option<&Names>,
    text: &str,
) -> Price {
    let objects = catalog.objects;
    let writes = !matches!(explained.kind, StatementKind::Select | StatementKind::Other);
    let all = tables.iter().filter_map(|table| objects.tables.get(*table));
    let columns: usize = all.clone().map(|table| table.columns.len()).sum();
    let indexes: usize = all.map(|table| objects.indexes_of(&table.schema, &table.name).count()).sum();
    // A row that is sorted goes into a B-tree and out of it.
    let sorts = explained.plan.steps.iter().filter(|step| matches!(step.op, Op::TempBTree(_))).count();
    let yields = explained.plan.steps.iter().filter(|step| is_passed(&explained.plan, step));
    let keeps = names.is_some_and(|names| keeps_what_comes(names, &objects.views, explained));
    let passes = if keeps { yields.count() } else { 0 };
    let row = if writes {
        60 + 25 * (indexes + 1) + 4 * columns
    } else {
        15 + 4 * columns + 15 * sorts + PASSED * passes
    };
    let has = |word: &str| crate::extract::names::find_word(text, word).is_some();
    let narrows = reading.is_cut || reading.is_filtered || has("distinct") || has("group");
    Price {
        row: row as u64,
        writes,
        takes_all: !narrows && !matches!(explained.kind, StatementKind::Insert | StatementKind::Replace),
        // Only where all of a table is counted; what is sought is counted row by row.
        counts: !writes
            && explained.functions.iter().any(|name| name == "count")
            && explained.plan.steps.iter().any(|step| step.op == Op::Scan)
            && explained.plan.steps.iter().all(|step| step.op != Op::Search),
    }
}

/// A text that returns the rows which the aggregates of a query are made of, where it is one SELECT and its aggregates
/// need all of their rows; `min()` and `max()` do not. Of a sum over a subquery that makes groups, the rows of those. Of
/// what changes rows, those that it means to change.
pub(super) fn gathered(text: &str, kind: StatementKind) -> Option<String> {
    let tokens = tokens(text);
    if kind != StatementKind::Select {
        return meant(text, &tokens);
    }
    let parts = Parts::of(&tokens, 0..tokens.len())?;
    if !parts.needs_all(&tokens) {
        return None;
    }
    let inner =
        parts.subquery(&tokens).and_then(|range| Parts::of(&tokens, range)).filter(|inner| inner.groups);
    let kept = inner.map_or(parts.from, |inner| inner.from);
    let count = |tokens: &[Token<'_>]| tokens.iter().filter(|one| one.kind == Kind::Parameter).count();
    let kept_tokens = tokens.get(kept.clone())?;
    let start = tokens.get(kept.start)?.start;
    let end = tokens.get(kept.end).map_or(text.len(), |token| token.start);
    if count(kept_tokens) == count(&tokens) {
        return Some(format!("SELECT 1 {}", text.get(start..end)?));
    }
    let numbered = Numbered::of(text, &tokens);
    Some(format!("{} {}", numbered.select(), numbered.part(start..end)?))
}

/// The parameters of a text by their places, each by its name or, where it has none, by its number: where some of the text
/// goes, the others would have other numbers.
pub(super) struct Numbered<'a> {
    text: &'a str,
    all: Vec<(Range<usize>, String)>,
}

impl<'a> Numbered<'a> {
    pub fn of(text: &'a str, tokens: &[Token<'_>]) -> Self {
        let mut named: Vec<&str> = Vec::new();
        let mut last = 0_usize;
        let mut all = Vec::new();
        for token in tokens.iter().filter(|one| one.kind == Kind::Parameter) {
            let name = match token.text.strip_prefix('?') {
                Some("") => {
                    last += 1;
                    format!("?{last}")
                }
                Some(digits) => {
                    last = last.max(digits.parse().unwrap_or(0));
                    token.text.to_owned()
                }
                None => {
                    if !named.contains(&token.text) {
                        named.push(token.text);
                        last += 1;
                    }
                    token.text.to_owned()
                }
            };
            all.push((token.start..token.start + token.text.len(), name));
        }
        Self { text, all }
    }

    /// The beginning of a SELECT of something, and of each parameter once more, in their order.
    pub fn select(&self) -> String {
        let names = self.all.iter().map(|(_, name)| format!(", {name}"));
        format!("SELECT 1{}", names.collect::<String>())
    }

    /// A part of the text, from byte to byte.
    pub fn part(&self, range: Range<usize>) -> Option<String> {
        let mut part = String::new();
        let mut at = range.start;
        for (place, name) in self.all.iter().filter(|(place, _)| range.contains(&place.start)) {
            part.push_str(self.text.get(at..place.start)?);
            part.push_str(name);
            at = place.end;
        }
        part.push_str(self.text.get(at..range.end)?);
        Some(part)
    }
}

/// The parts of a SELECT without compounds and limits, as ranges of tokens.
struct Parts {
    columns: Range<usize>,
    /// FROM and WHERE.
    from: Range<usize>,
    /// It has a GROUP BY.
    groups: bool,
}

impl Parts {
    fn of(tokens: &[Token<'_>], range: Range<usize>) -> Option<Self> {
        let mut depth = 0_i32;
        let mut outer = Vec::new();
        for at in range.clone() {
            match tokens.get(at)?.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ if depth == 0 => outer.push(at),
                _ => {}
            }
        }
        let find = |words: &[&str]| {
            outer
                .iter()
                .copied()
                .find(|&at| tokens.get(at).is_some_and(|token| words.iter().any(|word| token.is(word))))
        };
        let is_plain = tokens.get(range.start)?.is("SELECT")
            && find(&["UNION", "EXCEPT", "INTERSECT", "OVER", "LIMIT"]).is_none();
        let from = find(&["FROM"]).filter(|_| is_plain)?;
        let end = find(&["GROUP", "HAVING", "ORDER", ";"]).unwrap_or(range.end);
        Some(Self { columns: range.start + 1..from, from: from..end, groups: find(&["GROUP"]).is_some() })
    }

    /// Whether its columns call aggregates that need all rows.
    fn needs_all(&self, tokens: &[Token<'_>]) -> bool {
        const NEED_ALL: [&str; 7] =
            ["sum", "total", "avg", "group_concat", "string_agg", "count", "json_group_array"];
        // What `min()` beside them would find at the end of an index is read all the same.
        self.columns.clone().any(|at| {
            let opens = tokens.get(at + 1).is_some_and(|next| next.is("("));
            opens && tokens.get(at).is_some_and(|token| NEED_ALL.iter().any(|name| token.is(name)))
        })
    }

    /// The tokens of the subquery that is all of its FROM.
    fn subquery(&self, tokens: &[Token<'_>]) -> Option<Range<usize>> {
        let open = self.from.start + 1;
        let close = self.from.clone().rev().find(|&at| tokens.get(at).is_some_and(|token| token.is(")")))?;
        let opens = tokens.get(open)?.is("(") && tokens.get(open + 1)?.is("SELECT");
        let is_all = self.from.end - close <= 3
            && !self
                .from
                .clone()
                .any(|at| at > close && tokens.get(at).is_some_and(|token| token.is("WHERE")));
        (opens && is_all).then_some(open + 1..close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(text: &str) -> Option<String> {
        gathered(text, StatementKind::Select)
    }

    #[test]
    fn the_rows_of_an_aggregate_are_those_of_its_from_and_where() {
        let sql = "SELECT kind, sum(size) FROM parts WHERE size > ?1 GROUP BY kind ORDER BY 2";
        assert_eq!(rows_of(sql).as_deref(), Some("SELECT 1 FROM parts WHERE size > ?1 "));
        let nested = "SELECT sum(size) FROM (SELECT size FROM parts GROUP BY kind)";
        assert_eq!(rows_of(nested).as_deref(), Some("SELECT 1 FROM parts "));
        assert_eq!(rows_of("SELECT max(size) FROM parts"), None);
        assert_eq!(rows_of("SELECT sum(size) FROM parts UNION SELECT 1"), None);
        let bound =
            "SELECT sum(size + ?), max(:kind) FROM parts WHERE kind = ? GROUP BY kind HAVING count(*) > ?3";
        let rows = "SELECT 1, ?1, :kind, ?3, ?3 FROM parts WHERE kind = ?3 ";
        assert_eq!(rows_of(bound).as_deref(), Some(rows));
        assert_eq!(rows_of("SELECT size FROM parts"), None);
    }
}

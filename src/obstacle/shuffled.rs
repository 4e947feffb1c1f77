//! An order that is random: all that passes is sorted for a sample of it, and no index yields that. Says what a program can ask
//! for in its place.

use super::{Kind, is_sort, subject::Subject, terms::Term, words};
use crate::{
    extract::names::{
        expressions::{Condition, Expression, Form},
        find_word,
    },
    plan::Op,
};

/// Whether an expression is a value that is another one for each row.
pub(super) fn is_random(part: &Expression) -> bool {
    matches!(&part.form, Form::Call(name, _) if matches!(name.as_str(), "random" | "randomblob"))
}

impl Subject<'_> {
    /// The ORDER BY of the step's query, where its first term is random: no index yields it, whatever stands behind.
    pub(super) fn shuffled(&self, order: &[&Condition]) -> Option<Term> {
        let first = order.first().filter(|first| first.expression.all().into_iter().any(is_random))?;
        let code = words::code(first.expression.text(self.sql));
        let words =
            format!("no index yields the order of {code}, which is random: all rows that pass are sorted");
        let mut term = Term::new(Kind::Shuffled, &first.expression, None, words);
        // Where columns weigh the rows, each has to be seen; and where few values are drawn, the next term orders.
        let is_even = self.columns(first.query, &first.expression).is_empty()
            && (order.len() == 1 || is_random(&first.expression));
        term.advice = is_even.then(|| self.sample());
        Some(term)
    }

    /// How to come by some rows at random, and sort none.
    fn sample(&self) -> String {
        let table = words::name(&self.table.name);
        if !self.is_all_of_rowids() {
            return "Where they are many, keep a random number in a column, behind the columns compared by = in an index, and \
                    take the first rows from another random number on"
                .to_owned();
        }
        let key = format!("rowid >= (SELECT 1 + abs(random() % max(rowid)) FROM {table})");
        format!(
            "Choose random keys instead: `WHERE {key} ORDER BY rowid LIMIT 1`, once for each row that is wanted, reads one row; \
             one behind a gap between keys is chosen more often"
        )
    }

    /// Whether the rows are those of a table that has a rowid, all of them, and nothing is made of them.
    fn is_all_of_rowids(&self) -> bool {
        let all = self.plan.steps.iter().enumerate();
        let mut beside = all.filter(|(at, one)| *at != self.at && one.parent == self.step.parent);
        let is_alone = beside.all(|(_, one)| is_sort(one));
        let is_filtered =
            self.filters().next().is_some() || self.is_own(0) && find_word(self.sql, "where").is_some();
        let has_rowid = !self.table.without_rowid
            && !self.table.columns.iter().any(|column| column.name.eq_ignore_ascii_case("rowid"));
        // What is made of the rows of a subquery is made of all of them.
        let is_outer = self.step.parent.is_none();
        self.step.op == Op::Scan && is_alone && is_outer && has_rowid && !is_filtered
    }
}

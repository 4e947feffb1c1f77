//! The statements that run otherwise on a database without statistics, where those of one in the field are known: the
//! program runs no ANALYZE, so that whoever did was not it, and the next database has none.

use super::{Action, Change, Judge, Own, Trial};
use crate::{growth::Again, schema::variant::Variant};

/// Takes the statistics away, and gives what that does to costs.
pub(super) fn find(variant: &mut Variant, own: &Own<'_>, is_measured: bool) -> Option<Trial> {
    let Variant { live, objects, .. } = variant;
    let Own { statements, sizes, subjects, .. } = own;
    let again = is_measured.then(|| Again::new(objects, statements, sizes));
    let mut judge = Judge { live, objects, subjects, again: again.as_ref(), sizes };
    let sql = "DELETE FROM sqlite_stat1".to_owned();
    let run = "DELETE FROM main.sqlite_stat1; ANALYZE sqlite_schema".to_owned();
    let change = Change::new(Action::NoStatistics, ("main", "", ""), sql, run);
    let all: Vec<usize> = (0..subjects.len()).collect();
    let mut effects = judge.effects(&change, &all)?.all;
    effects.sort_by_key(|effect| effect.statement);
    let Change { action, table, index, also, sql, step, .. } = change;
    (!effects.is_empty()).then_some(Trial {
        database: own.database,
        action,
        table,
        index,
        also,
        sql,
        step,
        holder: None,
        effects,
    })
}

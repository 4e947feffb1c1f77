//! Whether statements cost more on a database that was analyzed: what helps one may harm another, which reads its tables as
//! well, also one that was costly before.

use super::{Subject, hints::changed};
use crate::{
    growth::{Again, Growth},
    schema::{Explained, Live},
};
use std::collections::BTreeSet;

/// A statement that takes so many times the steps is slower.
const MUCH: u64 = 2;

/// Whether one of these statements costs more than before.
pub(super) fn makes_slower(again: &Again<'_>, copy: &mut Live, all: &[&Subject<'_>]) -> bool {
    let (mut before, mut planned) = (Vec::new(), Vec::new());
    for one in all {
        let (Some(place), Some(now)) = (one.places.first(), changed(copy, one)) else { continue };
        before.push(one.growth);
        planned.push((*place, one.statement, now));
    }
    let after = again.measure(copy, &planned);
    before.iter().zip(&after).any(|(before, after)| is_slower(before, after))
}

/// Whether a cost is one that the rows no longer explain, or much larger than it was.
fn is_slower(before: &Growth, after: &Growth) -> bool {
    let steps = |one: &Growth| {
        one.trials.first().map_or(0, |trial| {
            let [_, large] = trial.measures;
            large.run.steps
        })
    };
    let is_known = before.unmeasured.is_none() && after.is_wasteful();
    let is_larger = after.class() > before.class() || steps(after) > MUCH * steps(before);
    is_known && (!before.is_wasteful() || is_larger)
}

/// Whether a statement touches one of these tables, which are in lower case.
pub(super) fn touches(explained: &Explained, known: &BTreeSet<String>) -> bool {
    tables(explained).any(|table| known.contains(&table))
}

/// The tables that a statement touches, in lower case.
pub(super) fn tables(explained: &Explained) -> impl Iterator<Item = String> {
    explained.plan.steps.iter().filter_map(|step| Some(step.table.as_ref()?.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        growth::{Binding, Class, Data, Measure, Trial},
        schema::{Run, Settings},
    };

    fn growth(class: Class, explained: bool, steps: u64) -> Growth {
        let measure = |rows| Measure { rows, run: Run { steps, ..Run::default() } };
        let trial = Trial {
            data: Data::Uniform,
            binding: Binding::Present,
            class,
            explained,
            waste: 0.0,
            measures: [measure(100), measure(400)],
            rare: Vec::new(),
            through: Vec::new(),
        };
        Growth {
            statement: 0,
            trials: vec![trial],
            others: Vec::new(),
            unknown: Vec::new(),
            unmeasured: None,
        }
    }

    #[test]
    fn a_costly_statement_may_become_slower_too() {
        let cheap = growth(Class::Constant, true, 20);
        let costly = growth(Class::Linear, false, 1000);
        assert!(is_slower(&cheap, &costly) && !is_slower(&costly, &cheap));
        assert!(!is_slower(&costly, &costly) && !is_slower(&costly, &growth(Class::Linear, false, 1900)));
        assert!(is_slower(&costly, &growth(Class::Linear, false, 2100)));
        assert!(is_slower(&costly, &growth(Class::Quadratic, false, 1000)));
        // What is not known can't be held against anything.
        let unknown = Growth { trials: Vec::new(), unmeasured: Some(String::new()), ..cheap.clone() };
        assert!(!is_slower(&unknown, &costly));
    }

    #[test]
    fn a_statement_that_reads_another_table_as_well_counts() {
        let mut live = Live::open(&Settings::default()).unwrap();
        live.apply("CREATE TABLE a (x); CREATE TABLE b (x)");
        let known = tables(&live.explain("SELECT x FROM a").unwrap()).collect();
        let mut is_near = |sql: &str| touches(&live.explain(sql).unwrap(), &known);
        assert!(is_near("SELECT a.x FROM a, b") && !is_near("SELECT x FROM b"));
    }
}

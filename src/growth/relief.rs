//! Whether an index relieves a statement that no index makes cheap with all values: of rows that most others share a value
//! with, or of a range that holds most of them, an index can leave nothing out. Knows no index and no plan.

use super::{Binding, Class, Data, Growth, Trial};

/// Where a statement still costs more than its rows explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Where many rows share what is sought.
    Shared,
    /// Where most rows have a value that is sought.
    Common,
    /// Where a range that is open at one end holds most rows.
    Range,
}

impl Growth {
    /// The trial that shows that a statement costs less than before, and where it does not; `None` where it costs too much
    /// on rows of which no value is common, too.
    pub fn relief(&self, before: &Self) -> Option<(&Trial, Limit)> {
        (!self.leaves_open(before)).then_some(())?;
        let near = self.trials.iter().find(|one| one.binding == Binding::Near && is_constant(one));
        let is_uniform = |one: &&Trial| one.is_wasteful() && one.data == Data::Uniform;
        let mut wasted = before.trials.iter().filter(is_uniform);
        let healed = wasted.find_map(|was| self.on(was.data, was.binding).filter(|one| is_constant(one)))?;
        let mut limit = None;
        for one in self.trials.iter().filter(|one| one.is_unexplained()) {
            let was = before.on(one.data, one.binding)?;
            let found = match one.data {
                Data::Uniform if near.is_some() && one.binding == Binding::Present => Limit::Range,
                Data::Uniform => return None,
                Data::FewGroups | Data::SharedKey if is_no_worse(one, was) => Limit::Shared,
                _ if is_no_worse(one, was) => Limit::Common,
                _ => return None,
            };
            limit = limit.max(Some(found));
        }
        let limit = limit?;
        Some((near.filter(|_| limit == Limit::Range).unwrap_or(healed), limit))
    }
}

fn is_constant(trial: &Trial) -> bool {
    trial.explained && trial.class == Class::Constant
}

/// Whether a statement takes about as many steps as before, or fewer: an index that is gone by for most rows costs a little.
fn is_no_worse(now: &Trial, was: &Trial) -> bool {
    let last = |one: &Trial| one.measures.last().map_or(0, |measure| measure.run.steps);
    last(now) * 4 <= last(was) * 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::Measure;
    use crate::schema::Run;

    fn trial(data: Data, binding: Binding, steps: u64) -> Trial {
        let run = |steps| Run { steps, ..Run::default() };
        let is_constant = steps < 100;
        Trial {
            data,
            binding,
            class: if is_constant { Class::Constant } else { Class::Linear },
            explained: is_constant,
            waste: 0.0,
            measures: [(100, 10), (400, steps)].map(|(rows, steps)| Measure { rows, run: run(steps) }),
            through: Vec::new(),
        }
    }

    fn growth(trials: &[(Data, Binding, u64)]) -> Growth {
        let trials = trials.iter().map(|(data, binding, steps)| trial(*data, *binding, *steps));
        Growth { trials: trials.collect(), ..Growth::none(0) }
    }

    #[test]
    fn a_value_that_most_rows_have_is_no_reason_against_an_index() {
        let before =
            growth(&[(Data::Uniform, Binding::Absent, 1200), (Data::FirstCommon, Binding::Present, 2000)]);
        let with = |steps| {
            growth(&[(Data::Uniform, Binding::Absent, 12), (Data::FirstCommon, Binding::Present, steps)])
        };
        let limit = |growth: &Growth| growth.relief(&before).map(|(_, limit)| limit);
        assert_eq!(limit(&with(2100)), Some(Limit::Common));
        // It costs much more than before there, and few rows of a range are no excuse.
        assert_eq!(limit(&with(4000)), None);
        let mut near = with(4000);
        near.trials.extend(growth(&[(Data::Uniform, Binding::Near, 40)]).trials);
        assert_eq!(limit(&near), None);
    }

    #[test]
    fn rows_that_share_what_is_sought_are_held_against_the_same_rows_before() {
        let mut before =
            growth(&[(Data::Uniform, Binding::Present, 1200), (Data::Uniform, Binding::Absent, 1200)]);
        let mut with =
            growth(&[(Data::FewGroups, Binding::Present, 2000), (Data::Uniform, Binding::Absent, 12)]);
        with.others = growth(&[(Data::Uniform, Binding::Present, 40)]).trials;
        assert!(with.relief(&before).is_none());
        before.others = growth(&[(Data::FewGroups, Binding::Present, 1900)]).trials;
        let relief = |before: &Growth| {
            with.relief(before).map(|(one, limit)| (one.data, one.binding, one.measures[1].run.steps, limit))
        };
        assert_eq!(relief(&before), Some((Data::Uniform, Binding::Present, 40, Limit::Shared)));
        before.others = growth(&[(Data::FewGroups, Binding::Present, 900)]).trials;
        assert!(relief(&before).is_none());
        // Nothing was wasted where no value is common.
        let common = growth(&[(Data::FewGroups, Binding::Present, 1900)]);
        assert!(relief(&common).is_none());
    }

    #[test]
    fn what_is_refused_now_is_no_relief() {
        let before =
            growth(&[(Data::Uniform, Binding::Absent, 1200), (Data::FirstCommon, Binding::Present, 2000)]);
        let with = |unknown: &[(Data, Binding)]| Growth {
            unknown: unknown.to_vec(),
            ..growth(&[(Data::Uniform, Binding::Absent, 12), (Data::FirstCommon, Binding::Present, 2100)])
        };
        assert!(!with(&[]).leaves_open(&before) && with(&[]).relief(&before).is_some());
        let refused = with(&[(Data::Uniform, Binding::Present)]);
        assert!(refused.leaves_open(&before) && refused.relief(&before).is_none());
        // Nothing was wasted so, or nothing was known before.
        assert!(!with(&[(Data::Uniform, Binding::Wide)]).leaves_open(&before));
        assert!(!refused.leaves_open(&refused));
        // What was refused before tells nothing beside what was not.
        let mut part = before.clone();
        part.trials.iter_mut().filter(|one| one.binding == Binding::Present).for_each(|one| {
            one.measures.iter_mut().for_each(|measure| measure.run.refused = true);
        });
        assert!(!refused.leaves_open(&part));
        // The plan alone judged before: what is known beside it proves nothing.
        let planned = Growth { unmeasured: Some("it fails".to_owned()), ..growth(&[]) };
        assert!(refused.leaves_open(&planned) && !with(&[]).leaves_open(&planned));
    }

    #[test]
    fn a_range_is_a_reason_where_it_costs_too_much_with_few_rows_as_well() {
        let before =
            growth(&[(Data::Uniform, Binding::Present, 1200), (Data::Uniform, Binding::Absent, 1200)]);
        let with = |near| {
            growth(&[
                (Data::Uniform, Binding::Present, 900),
                (Data::Uniform, Binding::Absent, 12),
                (Data::Uniform, Binding::Near, near),
            ])
        };
        let limit = |growth: &Growth| growth.relief(&before).map(|(one, limit)| (one.binding, limit));
        assert_eq!(limit(&with(40)), Some((Binding::Near, Limit::Range)));
        assert_eq!(limit(&with(400)), None);
    }
}

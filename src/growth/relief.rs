//! Whether an index relieves a statement that no index makes cheap with all values: of rows that most others share a value
//! with, or of a range that holds most of them, an index can leave nothing out. Knows no index and no plan.

use super::{Binding, Class, Data, Growth, Trial};
use crate::extract::names::find_word;

/// Where a statement still costs more than its rows explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Where many rows share what is sought.
    Shared,
    /// Where hardly any row passes what else is tested.
    Few,
    /// Where most rows have a value that is sought.
    Common,
    /// Where a range that is open at one end holds most rows.
    Range,
}

impl Growth {
    /// The trial that shows that a statement costs less than before, and where it does not; `None` where it costs too much
    /// on rows of which no value is common, too. `index` is the CREATE INDEX.
    pub fn relief(&self, before: &Self, index: &str) -> Option<(&Trial, Limit)> {
        (!self.leaves_open(before)).then_some(())?;
        let near = self.trials.iter().find(|one| one.binding == Binding::Near && is_constant(one));
        let healed = self.healed(before, index)?;
        let mut limit = None;
        for one in self.all().filter(|one| one.is_unexplained()) {
            // What reads all rows where no value is common does so on others, on which it was not measured.
            let was = before.on(one.data, one.binding).or_else(|| before.reads_all())?;
            let found = match one.data {
                Data::Uniform if near.is_some() && one.binding == Binding::Present => Limit::Range,
                Data::Uniform => return None,
                Data::FewGroups | Data::SharedKey | Data::Nested if is_no_worse(one, was) => Limit::Shared,
                _ if !is_no_worse(one, was) => return None,
                _ if healed.data == Data::FewGroups => Limit::Few,
                _ => Limit::Common,
            };
            limit = limit.max(Some(found));
        }
        let limit = limit?;
        Some((near.filter(|_| limit == Limit::Range).unwrap_or(healed), limit))
    }

    /// The first trial that was wasteful before and costs little now: on rows of which no value is common, if anything was wasted on
    /// those; else on big groups, or where few rows have what is sought.
    fn healed(&self, before: &Self, index: &str) -> Option<&Trial> {
        let is_among = before.wasted().any(|one| one.data == Data::Uniform);
        let is_told = |one: &&Trial| match one.data {
            Data::Uniform | Data::Nested => true,
            Data::FewGroups => !is_among,
            _ => !is_among && one.rare.iter().any(|column| find_word(index, column).is_some()),
        };
        let now = |was: &Trial| self.on(was.data, was.binding).filter(|one| is_constant(one));
        before.wasted().filter(is_told).find_map(now)
    }

    /// The trial that costs most, if that is on rows of which no value is common.
    fn reads_all(&self) -> Option<&Trial> {
        self.trials.first().filter(|one| one.data == Data::Uniform && one.class != Class::Constant)
    }

    fn wasted(&self) -> impl Iterator<Item = &Trial> {
        self.all().filter(|one| one.is_wasteful())
    }

    /// Whether a statement costs at most two thirds of what it did where it costs most now, and nowhere more than before.
    pub fn is_lessened(&self, before: &Self) -> bool {
        let last = |one: &Trial| one.measures.last().map_or(0, |measure| measure.run.steps);
        let was = |one: &Trial| before.on(one.data, one.binding);
        let is_less = |one: &Trial| was(one).is_some_and(|was| last(one) * 3 <= last(was) * 2);
        let is_no_more = |one: &Trial| was(one).is_some_and(|was| is_no_worse(one, was));
        self.trials.first().is_some_and(is_less)
            && self.all().filter(|one| one.is_unexplained()).all(is_no_more)
    }
}

fn is_constant(trial: &Trial) -> bool {
    trial.explained && trial.class == Class::Constant
}

/// Whether a statement takes about as many steps as before, or fewer: an index that is gone by for most rows costs a little,
/// and where nothing else is done for a row, two steps for each are much of it.
fn is_no_worse(now: &Trial, was: &Trial) -> bool {
    let last = |one: &Trial| one.measures.last().map_or((0, 0), |measure| (measure.run.steps, measure.rows));
    let ((now, _), (was, rows)) = (last(now), last(was));
    now * 4 <= was * 5 || now <= was + 2 * rows
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
            rare: Vec::new(),
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
        let limit = |growth: &Growth| growth.relief(&before, "").map(|(_, limit)| limit);
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
        let with = |steps| Growth {
            others: growth(&[(Data::Uniform, Binding::Present, 40)]).trials,
            ..growth(&[(Data::FewGroups, Binding::Present, steps), (Data::Uniform, Binding::Absent, 12)])
        };
        // Where it was not measured on such rows, all rows are read on others.
        assert_eq!(with(1000).relief(&before, "").map(|(_, limit)| limit), Some(Limit::Shared));
        let with = with(2200);
        assert!(with.relief(&before, "").is_none());
        before.others = growth(&[(Data::FewGroups, Binding::Present, 1900)]).trials;
        let relief = |before: &Growth| {
            with.relief(before, "")
                .map(|(one, limit)| (one.data, one.binding, one.measures[1].run.steps, limit))
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
        assert!(!with(&[]).leaves_open(&before) && with(&[]).relief(&before, "").is_some());
        let refused = with(&[(Data::Uniform, Binding::Present)]);
        assert!(refused.leaves_open(&before) && refused.relief(&before, "").is_none());
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
        let limit = |growth: &Growth| growth.relief(&before, "").map(|(one, limit)| (one.binding, limit));
        assert_eq!(limit(&with(40)), Some((Binding::Near, Limit::Range)));
        assert_eq!(limit(&with(400)), None);
    }

    #[test]
    fn what_rows_leave_is_rare_in_the_column_of_the_index_alone() {
        let rare = |steps| {
            let mut found = growth(&[(Data::LastCommon, Binding::None, steps)]).trials;
            for one in &mut found {
                one.rare = vec!["height".to_owned()];
            }
            found
        };
        let mut before = growth(&[(Data::FirstCommon, Binding::None, 1200)]);
        before.others = rare(1200);
        let mut with = growth(&[(Data::FirstCommon, Binding::None, 1900)]);
        with.others = rare(20);
        let limit = |index: &str| with.relief(&before, index).map(|(one, limit)| (one.data, limit));
        let index = "CREATE INDEX coins_height ON coins (height)";
        assert_eq!(limit(index), Some((Data::LastCommon, Limit::Common)));
        assert_eq!(limit("CREATE INDEX coins_channel ON coins (channel)"), None);
        // What all rows cost on which no value is common is not spared.
        before.others.extend(growth(&[(Data::Uniform, Binding::None, 1200)]).trials);
        let still = growth(&[(Data::Uniform, Binding::None, 700)]);
        assert!(still.relief(&before, index).is_none() && still.is_lessened(&before));
        assert!(!growth(&[(Data::Uniform, Binding::None, 1100)]).is_lessened(&before));
    }
}

//! Statements measured once more, where the schema has other indexes: on the very rows of the first time, so that what
//! differs is the plan alone. Knows neither what was changed nor why.

use super::Growth;
use super::bindings::{Binding, has_open_range};
use super::clock::{Clockless, without_clock};
use super::measure::{Job, assumed, run};
use super::model::Model;
use super::prospects::data_sets;
use super::size::TableSize;
use super::tokens::{Kind, tokens};
use super::uses::{Catalog, Reading};
use crate::schema::{Explained, Live, Objects};
use crate::workload::{Outcome, Statement};
use std::collections::HashMap;

/// So many times the steps of before are more than any cure takes.
const SEVERAL: u64 = 4;
/// Runs of fewer steps are over before it matters.
const FEW_STEPS: u64 = 20_000;

/// What the statements of a database ask, and the rows made because of that.
pub struct Again<'a> {
    pub(super) catalog: Catalog<'a>,
    pub(super) model: Model,
    /// By the place of the statement among all.
    readings: HashMap<usize, Reading>,
}

impl<'a> Again<'a> {
    /// Of the planned statements of a database, with their places among all, and its tables' sizes.
    pub fn new(objects: &'a Objects, statements: &[(usize, &Statement)], sizes: &[&TableSize]) -> Self {
        let catalog = Catalog::new(objects);
        let clockless = Clockless::of(statements);
        let (readings, model) = assumed(&catalog, &clockless.all(statements), sizes);
        let places = statements.iter().map(|(place, _)| *place);
        let readings = places.zip(readings).filter_map(|(place, reading)| Some((place, reading?))).collect();
        Self { catalog, model, readings }
    }

    /// Measures statements on a schema on which they are planned like this. Each is run in the data sets that mattered
    /// for its old plan, too: one that is better in some of them need not be better.
    pub fn measure(&self, live: &mut Live, planned: &[(usize, &Statement, Explained)]) -> Vec<Growth> {
        self.below(live, planned, &[])
    }

    /// The same, and what costs several times as much on few rows as `before`, by the place among them, is not run on more:
    /// for who looks for statements that are better off.
    pub fn hold_against(
        &self,
        live: &mut Live,
        planned: &[(usize, &Statement, Explained)],
        before: &[&Growth],
    ) -> Vec<Growth> {
        let few = |growth: &&Growth| growth.trials.iter().map(|one| one.measures[0].run.steps).max();
        let ceilings: Vec<Option<u64>> =
            before.iter().map(few).map(|few| Some(FEW_STEPS.max(few?.saturating_mul(SEVERAL)))).collect();
        self.below(live, planned, &ceilings)
    }

    fn below(
        &self,
        live: &mut Live,
        planned: &[(usize, &Statement, Explained)],
        ceilings: &[Option<u64>],
    ) -> Vec<Growth> {
        let again: Vec<Statement> = planned.iter().map(|(_, one, explained)| with(one, explained)).collect();
        let mut jobs: Vec<Job<'_>> = Vec::new();
        let mut which: Vec<Option<usize>> = Vec::new();
        for (at, ((place, before, _), statement)) in planned.iter().zip(&again).enumerate() {
            let reading = self.readings.get(place);
            let mut job = reading.and_then(|reading| self.job(before, statement, reading));
            if let Some(job) = &mut job {
                job.ceiling = ceilings.get(at).copied().flatten();
            }
            which.push(job.is_some().then_some(jobs.len()));
            jobs.extend(job);
        }
        let failed = run(live, &self.model, &mut jobs);
        let growth = |(place, job): (usize, Option<usize>)| {
            let job = job.and_then(|job| jobs.get(job));
            job.map_or_else(|| Growth::none(place), |job| job.growth(place, &self.model, &failed))
        };
        planned.iter().map(|(place, ..)| *place).zip(which).map(growth).collect()
    }

    fn job<'b>(&self, before: &Statement, statement: &'b Statement, reading: &'b Reading) -> Option<Job<'b>> {
        let mut job = Job::new(&self.catalog, &self.model, statement, reading)?;
        for data in data_sets(&self.catalog, &self.model, before.explained()?, reading) {
            if !job.data.contains(&data) {
                job.data.push(data);
            }
        }
        if has_open_range(&reading.targets) && reading.bounds_one_each() && !lies_between(statement) {
            job.bindings.push(Binding::Near);
        }
        Some(job)
    }
}

/// Whether a value is sought that lies between two columns: they are bounded, each on one side.
fn lies_between(statement: &Statement) -> bool {
    let all = tokens(statement.text.as_str());
    let mut pairs = all.iter().zip(all.iter().skip(1));
    pairs.any(|(one, next)| one.kind == Kind::Parameter && next.is("BETWEEN"))
}

/// A statement, planned otherwise.
fn with(statement: &Statement, explained: &Explained) -> Statement {
    let database = statement.database().unwrap_or_default();
    let outcome = Outcome::Planned { database, explained: Box::new(explained.clone()) };
    let planned = Statement { outcome, ..statement.clone() };
    without_clock(&planned).unwrap_or(planned)
}

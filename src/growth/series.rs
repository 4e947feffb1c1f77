//! One statement at more sizes than a check needs, for people who want to see how its cost grows. It is measured as the
//! check did it, where that was worst.

use super::bindings::Binding;
use super::clock::Clockless;
use super::data::Data;
use super::fill::Filler;
use super::judge::known;
use super::measure::{Job, assumed};
use super::model::Model;
use super::parameters::Target;
use super::prospects::tables;
use super::sample::{self, Sample};
use super::size::TableSize;
use super::uses::{Catalog, Reading};
use super::{Class, Measure, Trial};
use crate::schema::{Live, SchemaError};
use crate::workload::{Database, Statement};
use std::collections::BTreeSet;

/// The rows of each growing table.
const SIZES: [u64; 6] = [100, 200, 400, 800, 1600, 3200];
/// A run of more steps is the last.
const STEPS: u64 = 2_000_000;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The statement, by its place among all.
    pub statement: usize,
    /// In which way it is run; `None` where it was not measured.
    pub trial: Option<&'a Trial>,
    /// The rows of the sample, if not those of the largest measurement.
    pub rows: Option<u64>,
}

/// How the cost of a statement grows, and the rows that show it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// From the smallest size to the largest.
    pub points: Vec<Measure>,
    /// Why there are no more of them.
    pub cut: Option<String>,
    /// The class at the larger sizes, and whether the rows explain it there.
    pub far: Option<(Class, bool)>,
    /// The rows, and how the statement runs on them.
    pub sample: Sample,
}

/// Measures a planned statement at more sizes, and says what it was measured on.
///
/// # Errors
/// SQLite can't be set up for it.
pub fn series(
    databases: &mut [Database],
    statements: &[Statement],
    sizes: &[TableSize],
    asked: Asked<'_>,
) -> Result<Option<Series>, SchemaError> {
    let Some(statement) = statements.get(asked.statement) else { return Ok(None) };
    let Some(index) = statement.database() else { return Ok(None) };
    let Some(database) = databases.get_mut(index) else { return Ok(None) };
    let own = |one: &Statement| one.database() == Some(index) && one.explained().is_some();
    let all: Vec<(usize, &Statement)> =
        statements.iter().enumerate().filter(|(_, statement)| own(statement)).collect();
    let sizes: Vec<&TableSize> = sizes.iter().filter(|size| size.database == index).collect();
    let catalog = Catalog::new(&database.variant.objects);
    let clockless = Clockless::of(&all);
    let all = clockless.all(&all);
    let (readings, model) = assumed(&catalog, &all, &sizes);
    let place = all.iter().position(|(number, _)| *number == asked.statement);
    let Some(reading) = place.and_then(|place| readings.get(place)).and_then(Option::as_ref) else {
        return Ok(None);
    };
    let statement = place.and_then(|place| all.get(place)).map_or(statement, |(_, one)| one);
    let Some(explained) = statement.explained() else { return Ok(None) };
    let subject = Subject {
        statement,
        reading,
        model: &model,
        job: Job::new(&catalog, &model, statement, reading),
        tables: tables(&catalog, explained),
        has_values: !matches!(reading.targets.as_slice(), [] | [Target::Unknown]),
    };
    subject.series(&mut database.variant.live, asked).map(Some)
}

/// A statement with what is known of it.
struct Subject<'a> {
    statement: &'a Statement,
    reading: &'a Reading,
    model: &'a Model,
    job: Option<Job<'a>>,
    tables: BTreeSet<usize>,
    has_values: bool,
}

impl Subject<'_> {
    fn series(&self, live: &mut Live, asked: Asked<'_>) -> Result<Series, SchemaError> {
        let usual = if self.has_values { Binding::Present } else { Binding::None };
        let (data, binding) = asked.trial.map_or((Data::Uniform, usual), |trial| (trial.data, trial.binding));
        let bench = live.bench()?;
        let mut filler = Filler::new(&bench, self.model, self.tables.iter().copied());
        filler.learn()?;
        let mut series = Series::default();
        if let Some(job) = self.job.as_ref().filter(|_| asked.trial.is_some()) {
            let mut prepared = job.prepare(&bench);
            for rows in SIZES {
                filler.fill(data, rows)?;
                let Some(run) = job.run(&bench, &filler, &mut prepared, data, rows, binding)? else { break };
                series.points.push(Measure { rows, run });
                if run.steps > STEPS {
                    let last = SIZES.last().is_some_and(|last| *last == rows);
                    series.cut = (!last).then(|| format!("{rows} rows took more than 2 million steps"));
                    break;
                }
            }
            series.far = far(job, &series.points);
        }
        let largest = series.points.last().map(|point| point.rows).or(SIZES.last().copied());
        let rows = asked.rows.or(largest).unwrap_or(1);
        let set = filler.set(data, rows);
        series.sample = sample::sample(&set, &self.tables, self.statement, self.reading, binding);
        Ok(series)
    }
}

/// The verdict on the largest measurement, and the one with a quarter of its rows.
fn far(job: &Job<'_>, points: &[Measure]) -> Option<(Class, bool)> {
    let large = points.last().filter(|large| large.rows > 400)?;
    let small = points.iter().find(|small| small.rows * 4 == large.rows)?;
    let verdict = known(job.price, small.rows, &small.run, &large.run)?;
    Some((verdict.class, verdict.explained))
}

//! Measures the statements of one database: fills each data set once for all that need it, runs them, and keeps the
//! worst of what it saw.

use super::bindings::{Binding, bindings, values, with_few_rows};
use super::clock::Clockless;
use super::data::Data;
use super::distinct::column_values;
use super::fill::Filler;
use super::flags::{rare, through};
use super::judge::{Price, known, rank};
use super::model::{ColumnModel, Model};
use super::parameters::Target;
use super::prospects::{Asks, data_sets, gathered, price, tables};
use super::size::TableSize;
use super::uses::{At, Catalog, Reading, Uses};
use super::{Growth, Measure, Measured, Trial, views};
use crate::schema::variant::Variant;
use crate::schema::{Bench, Explained, Live, Prepared, Run, SchemaError};
use crate::workload::Statement;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows of each growing table, in the smaller of two runs.
pub(super) const SIZE: u64 = 100;
/// Rows in the larger.
pub(super) const LARGE: u64 = 4 * SIZE;
/// Elements of a long list.
pub(super) const LIST: usize = 2000;

/// The text of a statement, the text with a long list, and one that returns the rows which its aggregates are made of, or
/// that it means to change.
type Texts = [Option<String>; 3];
/// The same, ready to be run.
type Ready<'a> = [Option<Prepared<'a>>; 3];

/// A statement to be measured.
pub(super) struct Job<'a> {
    reading: &'a Reading,
    tables: BTreeSet<usize>,
    pub bindings: Vec<Binding>,
    pub data: Vec<(Data, Asks)>,
    pub price: Price,
    texts: Texts,
    trials: Vec<Trial>,
    others: Vec<Trial>,
    /// The ways to run it that say nothing: it fails for what the rows are.
    unknown: Vec<(Data, Binding)>,
    /// A constraint refused it in one of these.
    is_refused: bool,
    /// In another it came to its end and changed rows: what it does for a row is known.
    is_whole: bool,
    /// Where more steps on few rows are unexplained, it is not run on more, and is taken to be quadratic.
    pub ceiling: Option<u64>,
}

/// Measures the statements of a database, or `only` some of them; those of one text once.
pub(super) fn database(
    index: usize,
    variant: &mut Variant,
    statements: &[(usize, &Statement)],
    sizes: &[&TableSize],
    only: Option<&BTreeSet<usize>>,
) -> Measured {
    let objects = &variant.objects;
    let catalog = Catalog::new(objects);
    let clockless = Clockless::of(statements);
    let statements = &clockless.all(statements);
    let (readings, model) = assumed(&catalog, statements, sizes);
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut which: Vec<Option<usize>> = Vec::new();
    let is_wanted = |statement: &usize| only.is_none_or(|only| only.contains(statement));
    for ((number, statement), reading) in statements.iter().zip(&readings) {
        let job = reading.as_ref().filter(|_| is_wanted(number)).and_then(|reading| {
            let text = statement.text.as_str();
            if let Some(&job) = known.get(text) {
                return Some(job);
            }
            let job = Job::new(&catalog, &model, statement, reading)?;
            known.insert(text, jobs.len());
            jobs.push(job);
            Some(jobs.len() - 1)
        });
        which.push(job);
    }
    let failed = run(&mut variant.live, &model, &mut jobs);
    let wanted = statements.iter().zip(which).filter(|((statement, _), _)| is_wanted(statement));
    let growths = wanted.map(|((statement, _), job)| {
        let job = job.and_then(|job| jobs.get(job));
        job.map_or_else(|| Growth::none(*statement), |job| job.judged(*statement, &model, &failed))
    });
    Measured { growths: growths.collect(), values: column_values(index, &model, objects), is_off: false }
}

/// Whether the plan proves that the cost is constant.
pub(super) fn is_constant(explained: &Explained) -> bool {
    explained.proven_constant || explained.plan.steps.is_empty()
}

/// What the statements of a database ask, and what its rows look like because of that.
pub(super) fn assumed(
    catalog: &Catalog<'_>,
    statements: &[(usize, &Statement)],
    sizes: &[&TableSize],
) -> (Vec<Option<Reading>>, Model) {
    let objects = catalog.objects;
    let mut uses = Uses::default();
    let readings: Vec<Option<Reading>> =
        statements.iter().map(|(_, statement)| Reading::new(catalog, statement)).collect();
    for reading in readings.iter().flatten() {
        reading.add_to(&mut uses);
    }
    for (statement, explained) in statements.iter().filter_map(|(_, one)| Some((one, one.explained()?))) {
        uses.stored.add(catalog, statement, explained);
    }
    views::add_to(catalog, &mut uses);
    uses.stored.leave_unread(catalog, sizes);
    let tables = objects.tables.iter().map(|table| table.sql.as_str());
    let indexes = objects.indexes.iter().filter_map(|index| index.sql.as_deref());
    let texts = statements.iter().map(|(_, statement)| statement.text.as_str());
    let json = tables.chain(indexes).chain(texts).any(mentions_json);
    let mut model = Model::new(catalog, &uses, sizes, json);
    let planned = statements.iter().zip(&readings);
    model.share(catalog, planned.filter_map(|((_, one), reading)| one.explained().zip(reading.as_ref())));
    model.nest(catalog, statements.iter().filter_map(|(_, one)| one.explained()));
    (readings, model)
}

/// The tables that could not be filled, with the reason.
pub(super) type Failed = BTreeMap<usize, String>;

fn mentions_json(text: &str) -> bool {
    text.contains("json") || text.contains("JSON") || text.contains("->")
}

/// Runs all jobs on all data sets that they need. Gives the tables that could not be filled.
pub(super) fn run(live: &mut Live, model: &Model, jobs: &mut [Job<'_>]) -> Failed {
    let tables: BTreeSet<usize> = jobs.iter().flat_map(|job| job.tables.iter().copied()).collect();
    if tables.is_empty() {
        return Failed::new();
    }
    for job in jobs.iter_mut() {
        job.forget_same_plan(live);
    }
    let all = |reason: String| tables.iter().map(|table| (*table, reason.clone())).collect();
    match live.bench() {
        Err(error) => all(error.to_string()),
        Ok(bench) => {
            let mut filler = Filler::new(&bench, model, tables.iter().copied());
            match measure(&bench, &mut filler, model, jobs) {
                Err(error) => all(error.to_string()),
                Ok(()) => filler.failed,
            }
        }
    }
}

fn measure<'a>(
    bench: &Bench<'a>,
    filler: &mut Filler<'a, '_>,
    model: &Model,
    jobs: &mut [Job<'_>],
) -> Result<(), SchemaError> {
    filler.learn()?;
    let mut prepared: Vec<Ready<'a>> = jobs.iter().map(|job| job.prepare(bench)).collect();
    let mut runs: Runs = BTreeMap::new();
    for size in [SIZE, LARGE] {
        for data in Data::ALL {
            let is_wanted = |job: &&Job<'_>| job.data.iter().any(|one| one.0 == data);
            let tables: BTreeSet<usize> =
                jobs.iter().filter(is_wanted).flat_map(|job| job.tables.iter().copied()).collect();
            if data == Data::Uniform {
                filler.fill(data, size)?;
            } else if !tables.is_empty() {
                filler.change(data, size, &tables);
            }
            for (index, (job, prepared)) in jobs.iter().zip(&mut prepared).enumerate() {
                if is_wanted(&job) {
                    job.run_all(bench, filler, prepared, (data, size, index), &mut runs)?;
                }
            }
        }
    }
    for ((index, data, binding), measures) in runs {
        if let (Some(job), [small, large]) = (jobs.get_mut(index), measures.as_slice()) {
            job.keep(model, data, binding, [*small, *large]);
        }
    }
    Ok(())
}

/// What was measured, by the number of the job.
type Runs = BTreeMap<(usize, Data, Binding), Vec<Measure>>;

impl<'a> Job<'a> {
    /// `None` where the plan proves the cost constant, and where no table grows.
    pub fn new(
        catalog: &Catalog<'_>,
        model: &Model,
        statement: &'a Statement,
        reading: &'a Reading,
    ) -> Option<Self> {
        let explained = statement.explained()?;
        if is_constant(explained) {
            return None;
        }
        let tables = tables(catalog, explained);
        let grows = |table: &usize| model.tables.get(*table).is_some_and(|table| table.fixed.is_none());
        if !tables.iter().any(grows) {
            return None;
        }
        let text = with_few_rows(statement.text.as_str());
        let long = reading.list.and_then(|(from, to)| {
            let filling = text.get(from..to)?;
            let list = filling.replace("?, ?", &vec!["?"; LIST].join(", "));
            Some(format!("{}{list}{}", text.get(..from)?, text.get(to..)?))
        });
        let is_flag = |at: At| model.column(at).is_some_and(ColumnModel::varies);
        Some(Self {
            bindings: bindings(reading, long.is_some(), is_flag),
            data: data_sets(catalog, model, explained, reading),
            price: price(catalog, explained, reading, &tables, statement.names.as_deref(), &text),
            texts: if reading.joins_ranges {
                [None, None, None]
            } else {
                let gathered = gathered(&text, explained.kind);
                [Some(text), long, gathered]
            },
            reading,
            tables,
            trials: Vec::new(),
            others: Vec::new(),
            unknown: Vec::new(),
            is_refused: false,
            is_whole: false,
            ceiling: None,
        })
    }

    /// A long list that is planned as a short one is: what it costs is what it asks for.
    fn forget_same_plan(&mut self, live: &mut Live) {
        let [short, long, _] = &self.texts;
        let (Some(short), Some(long)) = (short, long) else { return };
        let mut lines = |text: &str| live.explain(text).ok().map(|explained| explained.plan.lines());
        if lines(short).is_some_and(|plan| lines(long) == Some(plan)) {
            self.texts[1] = None;
            if !self.reading.targets.contains(&Target::Offset) {
                self.bindings.retain(|binding| *binding != Binding::Wide);
            }
        }
    }

    /// What was measured, or why nothing was.
    pub fn growth(&self, statement: usize, model: &Model, failed: &Failed) -> Growth {
        let mut trials = self.trials.clone();
        trials.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        let unmeasured = trials.is_empty().then(|| self.unmeasured(model, failed));
        let (others, unknown) = (self.others.clone(), self.unknown.clone());
        Growth { statement, trials, others, unknown, unmeasured }
    }

    /// The same, and nothing where what was refused may cost too much, though nothing else does: then the plan judges.
    fn judged(&self, statement: usize, model: &Model, failed: &Failed) -> Growth {
        let growth = self.growth(statement, model, failed);
        if !self.is_refused || self.is_whole || growth.is_wasteful() {
            return growth;
        }
        Growth { trials: Vec::new(), unmeasured: Some(self.unmeasured(model, failed)), ..growth }
    }

    fn unmeasured(&self, model: &Model, failed: &Failed) -> String {
        let reasons = self.tables.iter().filter_map(|table| {
            Some(format!("`{}` can't be filled: {}", model.tables.get(*table)?.name, failed.get(table)?))
        });
        let otherwise =
            if self.unknown.is_empty() { "it can't be run" } else { "it fails on rows that are made for it" };
        reasons.into_iter().next().unwrap_or_else(|| otherwise.to_owned())
    }

    /// Runs the statement with all its bindings.
    fn run_all<'b>(
        &self,
        bench: &Bench<'b>,
        filler: &mut Filler<'b, '_>,
        prepared: &mut Ready<'b>,
        (data, size, index): (Data, u64, usize),
        runs: &mut Runs,
    ) -> Result<(), SchemaError> {
        if self.tables.iter().any(|table| filler.failed.contains_key(table)) {
            return Ok(());
        }
        let is_whole = !self.data.contains(&(data, Asks::Pages));
        for &binding in self.bindings.iter().filter(|one| is_whole || **one == Binding::Wide) {
            let before = runs.entry((index, data, binding)).or_default();
            let few = before.first().map(|few| few.run);
            let is_above = |few: &Run| self.ceiling.is_some_and(|most| self.price.unexplained(few) > most);
            if let Some(few) = few.filter(|few| !few.refused && is_above(few)) {
                before.push(Measure { rows: size, run: Run { steps: few.steps.saturating_mul(16), ..few } });
                continue;
            }
            if let Some(run) = self.run(bench, filler, prepared, data, size, binding)? {
                before.push(Measure { rows: size, run });
            }
            if bench.is_lost() {
                filler.fill(data, size)?;
            }
        }
        Ok(())
    }

    /// Its texts, ready to be run.
    pub fn prepare<'b>(&self, bench: &Bench<'b>) -> Ready<'b> {
        self.texts.each_ref().map(|text| bench.prepare(text.as_deref()?).ok())
    }

    /// Runs the statement once; `None` where it can't be prepared.
    pub fn run(
        &self,
        bench: &Bench<'_>,
        filler: &Filler<'_, '_>,
        prepared: &mut Ready<'_>,
        data: Data,
        size: u64,
        binding: Binding,
    ) -> Result<Option<Run>, SchemaError> {
        let [short, long, gathered] = prepared;
        let is_long = binding == Binding::Wide && long.is_some();
        let Some(statement) = (if is_long { long.as_mut() } else { short.as_mut() }) else { return Ok(None) };
        let mut values = values(self.reading, binding, &filler.set(data, size));
        if is_long {
            // The list is what the statement has more of.
            let more = statement.parameters().saturating_sub(values.len());
            let place = self.reading.list_place().min(values.len());
            if let Some(first) = values.get(place).cloned() {
                values.splice(place..place, std::iter::repeat_n(first, more));
            }
        }
        // Pages are written the same in all data sets, and counting them takes its time.
        let with_pages = data == Data::Uniform && self.bindings.first() == Some(&binding);
        let mut run = if with_pages {
            bench.measure_pages(statement, &values)?
        } else {
            bench.measure(statement, &values)?
        };
        match gathered.as_mut().filter(|_| !is_long && !bench.is_lost()) {
            Some(gathered) if run.refused || !self.price.writes => {
                run.gathered = bench.measure(gathered, &values)?.returned;
            }
            // Nobody knows how many rows were meant.
            _ => run.failed |= run.refused,
        }
        Ok(Some(run))
    }

    /// Keeps the worst trial of each binding. Among those that are all waste, the first data set is the simplest to tell.
    fn keep(&mut self, model: &Model, data: Data, binding: Binding, measures: [Measure; 2]) {
        let [small, large] = &measures;
        let Some(verdict) = known(self.price, SIZE, &small.run, &large.run) else {
            self.unknown.push((data, binding));
            self.is_refused |= small.run.refused || large.run.refused;
            return;
        };
        self.is_whole |= !small.run.refused && !large.run.refused && large.run.changed > 0;
        let through = if data.has_common() { through(model, self.reading, data) } else { Vec::new() };
        let trial = Trial {
            data,
            binding,
            class: verdict.class,
            explained: verdict.explained,
            waste: verdict.waste,
            rare: rare(model, self.reading, data),
            measures,
            through,
        };
        // What a subquery costs is another matter than what is around it.
        if data == Data::Nested && !trial.explained {
            self.trials.push(trial);
            return;
        }
        match self.trials.iter_mut().find(|other| other.binding == binding) {
            Some(other) if other.explained && (!trial.explained || trial.class > other.class) => {
                self.others.push(std::mem::replace(other, trial));
            }
            Some(_) => self.others.push(trial),
            None => self.trials.push(trial),
        }
    }
}

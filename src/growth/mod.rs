//! How tables grow, and what that does to the cost of a statement: each doubtful one is run on rows made for it, of two
//! sizes and several distributions, and judged by what SQLite counted.
//!
//! A plan must be proportional to the rows that the caller gets, in every distribution of values: so nobody has to guess
//! which value is rare. Knows no rule, and no place in a source.

mod again;
mod alike;
mod bindings;
mod checked;
mod choices;
mod clock;
mod codes;
mod columns;
mod data;
mod distinct;
mod expressed;
mod fill;
mod flags;
mod formula;
mod judge;
mod literals;
mod meant;
mod measure;
mod model;
mod nested;
mod parameters;
mod prospects;
mod relief;
mod sample;
mod series;
mod shared;
pub mod size;
mod statistics;
mod stored;
mod tokens;
mod uses;
mod values;
mod views;

pub use again::Again;
pub use bindings::Binding;
pub use clock::has_time;
pub use columns::{ParameterColumn, parameter_columns};
pub use data::Data;
pub use judge::Class;
pub use model::grows;
pub use relief::Limit;
pub use sample::{Filled, Sample};
pub use series::{Asked, Series, series};

use crate::schema::{Objects, Run};
use crate::workload::{Database, Other, Outcome, Statement};
use measure::is_constant;
use prospects::tables;
use rayon::prelude::*;
use size::TableSize;
use std::collections::{BTreeMap, BTreeSet};
use uses::Catalog;

/// How the cost of a statement grows.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// The statement, by its place among all.
    pub statement: usize,
    /// What was measured, the worst of each binding, the worst of all first. Empty where nothing was.
    pub trials: Vec<Trial>,
    /// What was measured on other rows, with a binding of which another trial tells more.
    pub others: Vec<Trial>,
    /// The ways in which it was run and nothing is known: SQLite refused rows, or a function what they hold. There may be
    /// some beside `trials`.
    pub unknown: Vec<(Data, Binding)>,
    /// Why nothing was measured, so that `trials` is empty: it could not be run, or `unknown` are all ways, or those that
    /// may matter most. `None` too where the plan proves the cost constant.
    pub unmeasured: Option<String>,
}

impl Growth {
    /// Of a statement whose plan proves its cost constant.
    const fn none(statement: usize) -> Self {
        Self { statement, trials: Vec::new(), others: Vec::new(), unknown: Vec::new(), unmeasured: None }
    }

    /// How the cost grows where it was worst; as the tables do where nothing was measured.
    pub fn class(&self) -> Class {
        let unknown = if self.unmeasured.is_some() { Class::Linear } else { Class::Constant };
        self.trials.first().map_or(unknown, |trial| trial.class)
    }

    /// Whether the cost grows, and the rows that the caller gets do not explain that. Who asks for a long list, or a far
    /// page, asked for it.
    pub fn is_wasteful(&self) -> bool {
        self.trials.iter().any(Trial::is_wasteful)
    }
}

impl Growth {
    /// Whether the cost grows with the rows that share a key, of which few are wanted.
    pub fn grows_with_keys(&self) -> bool {
        self.trials.iter().any(|trial| trial.is_unexplained() && trial.data == Data::SharedKey)
    }

    /// What was measured on some rows with some binding.
    pub fn on(&self, data: Data, binding: Binding) -> Option<&Trial> {
        self.all().find(|one| one.data == data && one.binding == binding)
    }

    /// All that was measured.
    fn all(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().chain(&self.others)
    }

    /// Whether something that was wasted before may still be: how it is now is not known.
    pub fn leaves_open(&self, before: &Self) -> bool {
        if before.unmeasured.is_some() {
            return !self.unknown.is_empty();
        }
        let wasted = || before.trials.iter().filter(|trial| trial.is_wasteful());
        // Of what was refused before, too, the ways tell that were not.
        let is_known = wasted().any(|trial| !trial.is_refused());
        let mut new = self.unknown.iter().filter(|way| !before.unknown.contains(way));
        new.any(|(_, binding)| {
            wasted().any(|trial| trial.binding == *binding && !(is_known && trial.is_refused()))
        })
    }
}

/// One way to run a statement: a data set, a binding, two sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// How the values were distributed.
    pub data: Data,
    /// What its parameters were bound to.
    pub binding: Binding,
    /// How its cost grew.
    pub class: Class,
    /// Whether the rows returned or changed account for that.
    pub explained: bool,
    /// Steps per added row that they do not account for.
    pub waste: f64,
    /// The columns of which few rows have a value that the statement seeks, and that rows leave.
    pub rare: Vec<String>,
    /// The two measurements.
    pub measures: [Measure; 2],
    /// The values that made it so.
    pub through: Vec<Through>,
}

/// One measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// Rows in each growing table.
    pub rows: u64,
    /// What SQLite counted.
    pub run: Run,
}

/// A column whose values made a cost grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Through {
    /// Its table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The value that most rows had, as SQL.
    pub literal: Option<String>,
}

impl Trial {
    /// Whether rows do not explain the cost, though nobody asked for more.
    fn is_unexplained(&self) -> bool {
        !self.explained && !matches!(self.binding, Binding::Wide | Binding::Near)
    }

    /// The same where it need not be that a key has many rows.
    pub fn is_wasteful(&self) -> bool {
        self.is_unexplained() && self.data != Data::SharedKey
    }

    /// Whether a constraint refused it, so that it did a part of what it does.
    fn is_refused(&self) -> bool {
        self.measures.iter().any(|measure| measure.run.refused)
    }

    /// The distribution in which this was measured, in words that end a sentence: `when most rows have orphaned = 0`.
    pub fn words(&self) -> Option<String> {
        let mut most: Vec<String> = Vec::new();
        for one in &self.through {
            let Some(literal) = &one.literal else { continue };
            // Several tables may have such a column.
            let is_like = |other: &&Through| other.column == one.column && other.literal.is_some();
            let is_one = self.through.iter().filter(is_like).all(|other| other.literal == one.literal);
            let column = if is_one { one.column.clone() } else { format!("{}.{}", one.table, one.column) };
            let words =
                if literal == "NULL" { format!("{column} IS NULL") } else { format!("{column} = {literal}") };
            if !most.contains(&words) {
                most.push(words);
            }
        }
        match self.data {
            Data::Uniform => None,
            Data::FewGroups | Data::SharedKey => Some("when many rows share a key".to_owned()),
            Data::Nested => Some("when many rows belong to each row around the subquery".to_owned()),
            _ if most.is_empty() => None,
            _ => Some(format!("when most rows have {}", most.join(" and "))),
        }
    }
}

/// What is known of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnValues {
    /// The database.
    pub database: usize,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// `unique`, `few` or `many`.
    pub distinct: &'static str,
    /// Whether they come in no order, as hashes do.
    pub is_random: bool,
    /// Why, in words.
    pub reason: Option<String>,
}

/// What was measured, and what was assumed for it.
#[derive(Debug, Default)]
pub struct Measured {
    /// One for each planned statement, in their order.
    pub growths: Vec<Growth>,
    /// The columns whose values were told apart.
    pub values: Vec<ColumnValues>,
    /// Nothing was measured, because nobody wanted it.
    pub is_off: bool,
}

/// What is said where nothing is measured: of each statement that would have been, that it was not.
pub fn by_plan_alone(databases: &[Database], statements: &[Statement], sizes: &[TableSize]) -> Measured {
    let mut growths = Vec::new();
    for (index, database) in databases.iter().enumerate() {
        let sizes: Vec<&TableSize> = sizes.iter().filter(|size| size.database == index).collect();
        let own = statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| statement.database() == Some(index) && statement.step.is_none());
        growths.extend(unmeasured_growths(&database.variant.objects, own, &sizes));
    }
    growths.sort_by_key(|growth| growth.statement);
    Measured { growths, values: Vec::new(), is_off: true }
}

/// What is said of the planned statements of a database where nothing is measured.
fn unmeasured_growths<'a>(
    objects: &Objects,
    statements: impl Iterator<Item = (usize, &'a Statement)>,
    sizes: &[&TableSize],
) -> Vec<Growth> {
    let catalog = Catalog::new(objects);
    let grows = |table: &usize| objects.tables.get(*table).is_some_and(|table| grows(sizes, table));
    let growths = statements.filter_map(|(statement, one)| {
        let explained = one.explained()?;
        let is_doubtful = !is_constant(explained) && tables(&catalog, explained).iter().any(grows);
        let unmeasured = is_doubtful.then(|| "growth is not measured".to_owned());
        Some(Growth { unmeasured, ..Growth::none(statement) })
    });
    growths.collect()
}

/// Measures on schemas in the field the statements that run otherwise there, and gives for each of these schemas, in
/// their order, what was measured. The rest of what a database's statements ask says what its rows look like.
pub fn measure_others(
    others: &mut [Other],
    statements: &[Statement],
    sizes: &[TableSize],
) -> Vec<Vec<Growth>> {
    let measured = others.par_iter_mut().with_max_len(1).map(|other| {
        let index = other.database;
        let mut own: BTreeMap<usize, Statement> = BTreeMap::new();
        for (number, one) in statements.iter().enumerate().filter(|(_, one)| one.database() == Some(index)) {
            own.insert(number, one.clone());
        }
        let mut only = BTreeSet::new();
        for (number, then) in &other.statements {
            match then {
                Ok(explained) => {
                    let outcome =
                        Outcome::Planned { database: index, explained: Box::new(explained.clone()) };
                    own.entry(*number).and_modify(|one| one.outcome = outcome);
                    only.insert(*number);
                }
                Err(_) => {
                    own.remove(number);
                }
            }
        }
        own.retain(|_, one| one.explained().is_some() && one.step.is_none());
        let statements: Vec<(usize, &Statement)> = own.iter().map(|(number, one)| (*number, one)).collect();
        let sizes: Vec<&TableSize> = sizes.iter().filter(|size| size.database == index).collect();
        measure::database(index, &mut other.variant, &statements, &sizes, Some(&only)).growths
    });
    measured.collect()
}

/// Measures all planned statements, databases side by side. The order of the result is that of the statements.
pub fn measure(databases: &mut [Database], statements: &[Statement], sizes: &[TableSize]) -> Measured {
    let parts: Vec<Measured> = databases
        .par_iter_mut()
        .enumerate()
        .with_max_len(1)
        .map(|(index, database)| {
            let own = |statement: &Statement| {
                statement.database() == Some(index)
                    && statement.explained().is_some()
                    && statement.step.is_none()
            };
            let statements: Vec<(usize, &Statement)> =
                statements.iter().enumerate().filter(|(_, statement)| own(statement)).collect();
            let sizes: Vec<&TableSize> = sizes.iter().filter(|size| size.database == index).collect();
            measure::database(index, &mut database.variant, &statements, &sizes, None)
        })
        .collect();
    let mut all = Measured::default();
    for part in parts {
        all.growths.extend(part.growths);
        all.values.extend(part.values);
    }
    all.growths.sort_by_key(|growth| growth.statement);
    all
}

//! A file beside the program that uses it: what it lacks of what the program declares, which releases have such a schema,
//! and what the program's statements read in it. Plans are those of SQLite on the schema and the statistics of the file.

use super::{
    Audited, InMemory,
    creation::Creation,
    drift::{joined, nearest},
    forecast::{Budget, Cured, Forecast, forecast},
    homes::{Home, homes, without_others},
    reading,
};
use crate::{
    migration::release::Releases,
    obstacle::spelled,
    plan::{Index, Op, Plan},
    price::{Keys, Known},
    schema::{
        Explained, IndexObject, Objects, Origin, Refusal, SchemaError, Settings,
        compare::{Difference, differences},
        same,
        variant::Variant,
    },
    workload::{self, Database, Other, Statement},
};

pub use reading::Reading;

/// To read fewer rows takes no time that anybody sees.
const FEW: f64 = 100.0;

/// A plan that reads so many times the rows than another is worse: estimates alone do not make it so.
const MORE: f64 = 1.5;

/// What is known of the program.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// Its databases.
    pub databases: &'a [Database],
    /// Its statements.
    pub statements: &'a [Statement],
    /// The schemas that databases of earlier releases have today.
    pub others: &'a [Other],
    /// Its releases.
    pub releases: &'a Releases,
    /// What tells in which order keys come.
    pub known: Known<'a>,
    /// The statements that run in production.
    pub counts: &'a dyn Fn(usize) -> bool,
    /// The rules that find something at a statement that is more than a note.
    pub rules: &'a dyn Fn(usize) -> Vec<String>,
    /// What was proved to help a statement.
    pub cures: &'a dyn Fn(usize) -> Vec<Cured>,
    /// What is found of a database, by its name, and of no statement.
    pub others_found: &'a dyn Fn(&str) -> Vec<Found>,
    /// Where a statement stands, for people.
    pub place: &'a dyn Fn(usize) -> String,
    /// How long a call may take.
    pub budget: Budget,
}

/// A file beside a database of the program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Against {
    /// That database, by its place among all.
    pub at: usize,
    /// Its name.
    pub database: String,
    /// How many tables both have, and how many the program declares.
    pub tables: (usize, usize),
    /// The program's name for the schema that is the nearest, and how many differences it has to the file: the declared
    /// one, or that of releases.
    pub nearest: (String, usize),
    /// `user_version` of the file, and as all migrations leave it; `None` where they leave none.
    pub user_version: Option<(i32, i32)>,
    /// How the file differs: `here` is the declared schema, `there` the file.
    pub differences: Vec<Difference>,
    /// The declared indexes that the file lacks.
    pub missing: Vec<MissingIndex>,
    /// Statements that read more than they give, or more than as declared, those that read most first.
    pub slow: Vec<Slow>,
    /// How many more of them read so few rows that it is of no account yet.
    pub small: usize,
    /// Statements that SQLite refuses on the file's schema, and why.
    pub refused: Vec<(String, String)>,
    /// What rules find of the schema, and of no statement.
    pub found: Vec<Found>,
}

/// What a rule finds of a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Where it stands; `None` where it has no place.
    pub place: Option<String>,
    /// The rule.
    pub rule: String,
    /// The fact.
    pub message: String,
}

/// An index that the program declares and the file lacks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MissingIndex {
    /// Its table.
    pub table: String,
    /// Its name.
    pub name: String,
    /// What creates it, and drops before what has its name; `None` where a constraint of the table would.
    pub sql: Option<String>,
    /// The index that the file has by its name, which is another.
    pub instead: Option<String>,
    /// The statements that go by it where it is there.
    pub wanting: Vec<Slow>,
    /// What its creation takes.
    pub creation: Option<Creation>,
}

/// A statement, and what it reads in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slow {
    /// Where it stands.
    pub place: String,
    /// The rows of its plan on the file.
    pub plan: Vec<String>,
    /// What it reads.
    pub reads: Vec<Reading>,
    /// The rules that find something there.
    pub rules: Vec<String>,
    /// Its text.
    pub sql: String,
    /// What it costs when the tables have grown; `None` where that can't be told.
    pub forecast: Option<Forecast>,
    /// What makes it cheaper.
    pub cures: Vec<Cured>,
}

impl Slow {
    /// The rows that it reads at one call, where no loop repeats that.
    pub fn rows(&self) -> f64 {
        self.reads.iter().map(|one| one.rows).sum()
    }

    /// Their bytes.
    pub fn bytes(&self) -> f64 {
        self.reads.iter().map(|one| one.bytes).sum()
    }
}

/// Holds a file against the databases of the program that it holds; none where it has no table of any.
///
/// # Errors
/// SQLite has no memory left.
pub fn against(audited: &Audited, program: &Program<'_>) -> Result<Vec<Against>, SchemaError> {
    let plain = audited.in_memory(&Settings::default())?.objects;
    let homes = homes(&plain, program.databases);
    homes.iter().map(|home| one(audited, program, home, &homes)).collect()
}

fn one(
    audited: &Audited,
    program: &Program<'_>,
    home: &Home,
    homes: &[Home],
) -> Result<Against, SchemaError> {
    let index = home.database;
    let Some(database) = program.databases.get(index) else { return Ok(Against::default()) };
    let InMemory { mut live, objects, .. } = audited.in_memory(database.variant.live.settings())?;
    live.take_what_is_beside(&database.variant.live)?;
    let version = database.variant.live.user_version()?;
    let keys = Keys::new(&program.known, index, &objects);
    let own = without_others(&objects, index, homes, program.databases);
    let mut file = Variant { live, objects, outcomes: Vec::new(), moments: Vec::new() };
    let other = workload::otherwise(index, &mut file, program.statements);
    let on = OnFile { audited, program, database: index, other: &other };
    let found = differences(&database.variant.objects, &own);
    let missing = on.missing(&mut file, &database.variant.objects, &found, &keys);
    let (slow, is_small) = (on.slow(), |one: &Slow| one.rows() < FEW);
    Ok(Against {
        at: index,
        database: database.declaration.name.clone(),
        tables: (home.both, home.declared),
        nearest: nearest(program, index, (&own, audited.header.user_version), found.len())?,
        user_version: (version > 0).then_some((audited.header.user_version, version)),
        small: slow.iter().filter(|one| is_small(one)).count(),
        slow: slow.into_iter().filter(|one| !is_small(one)).collect(),
        refused: on.refused(),
        found: (program.others_found)(&database.declaration.name),
        differences: joined(found, &missing),
        missing,
    })
}

/// The program's statements on a file.
struct OnFile<'a> {
    audited: &'a Audited,
    program: &'a Program<'a>,
    database: usize,
    /// Those that run otherwise than as declared.
    other: &'a [(usize, Result<Explained, Refusal>)],
}

impl OnFile<'_> {
    /// The plan of a statement on the file; `None` where it is refused there, or not judged.
    fn plan(&self, statement: usize) -> Option<&Plan> {
        match self.other.iter().find(|(other, _)| *other == statement) {
            Some((_, Ok(explained))) => Some(&explained.plan),
            Some((_, Err(_))) => None,
            None => Some(&self.program.statements.get(statement)?.explained()?.plan),
        }
    }

    fn is_own(&self, statement: usize) -> bool {
        let one = self.program.statements.get(statement);
        one.is_some_and(|one| one.database() == Some(self.database) && one.step.is_none())
            && (self.program.counts)(statement)
    }

    fn told(&self, statement: usize) -> Option<Slow> {
        let plan = self.plan(statement)?;
        let reads = reading::of_plan(self.audited, plan);
        let text = self.program.statements.get(statement).map(|one| one.text.as_str().trim().to_owned());
        let cures = (self.program.cures)(statement).into_iter();
        Some(Slow {
            place: (self.program.place)(statement),
            plan: plan.lines(),
            rules: (self.program.rules)(statement),
            sql: text.unwrap_or_default(),
            forecast: forecast(self.audited, &reads, self.program.budget),
            cures: cures.map(|cure| cure.priced(self.audited, &reads)).collect(),
            reads,
        })
    }

    /// The same of one that wants an index which the file lacks.
    fn wanting(&self, statement: usize, index: &IndexObject) -> Option<Slow> {
        let told = self.told(statement)?;
        let declared = &self.program.statements.get(statement)?.explained()?.plan;
        let cure = Cured {
            kind: "declared".to_owned(),
            sql: index.sql.clone().unwrap_or_default(),
            plan: declared.lines(),
            is_constant: reading::of_plan(self.audited, declared).is_empty() && !walks(declared),
            pages: None,
        };
        let cures = vec![cure.priced(self.audited, &told.reads)];
        Some(Slow { cures, ..told })
    }

    fn own(&self) -> impl Iterator<Item = usize> {
        (0..self.program.statements.len()).filter(|statement| self.is_own(*statement))
    }

    /// Whether a statement reads more on the file than it would by the plan that it has as declared.
    fn is_worse(&self, statement: usize, here: &Slow) -> bool {
        let is_other = self.other.iter().any(|(other, _)| *other == statement);
        let explained = self.program.statements.get(statement).and_then(Statement::explained);
        let Some(explained) = explained.filter(|_| is_other) else { return false };
        let declared = reading::of_plan(self.audited, &explained.plan);
        here.rows() > MORE * declared.iter().map(|one| one.rows).sum::<f64>()
    }

    fn slow(&self) -> Vec<Slow> {
        let told = self.own().filter_map(|one| Some((one, self.told(one)?)));
        let is_wanted = |(at, one): &(usize, Slow)| !one.rules.is_empty() || self.is_worse(*at, one);
        let mut slow: Vec<Slow> = told.filter(is_wanted).map(|(_, one)| one).collect();
        slow.retain(|one| !one.reads.is_empty());
        slow.sort_by(|one, next| {
            next.bytes()
                .total_cmp(&one.bytes())
                .then_with(|| (&one.place, &one.plan).cmp(&(&next.place, &next.plan)))
        });
        slow.dedup();
        slow
    }

    fn refused(&self) -> Vec<(String, String)> {
        let own = self.other.iter().filter(|(statement, _)| self.is_own(*statement));
        let mut refused: Vec<(String, String)> = own
            .filter_map(|(statement, then)| {
                let refusal = then.as_ref().err()?;
                Some(((self.program.place)(*statement), refusal.message.clone()))
            })
            .collect();
        refused.sort();
        refused.dedup();
        refused
    }

    fn missing(
        &self,
        file: &mut Variant,
        declared: &Objects,
        found: &[Difference],
        keys: &Keys,
    ) -> Vec<MissingIndex> {
        let lacking = found.iter().filter(|one| one.kind == "index" && one.there.is_none());
        let objects = lacking.filter_map(|one| {
            declared.indexes_of("main", &one.table).find(|index| same(&index.name, &one.object))
        });
        let missing = objects.map(|index| {
            let mut wanting: Vec<Slow> = self
                .own()
                .filter(|one| self.goes_by(*one, index))
                .filter_map(|one| self.wanting(one, index))
                .collect();
            wanting.sort_by(|one, next| {
                next.bytes().total_cmp(&one.bytes()).then_with(|| one.place.cmp(&next.place))
            });
            wanting.dedup();
            let mut sql = index.sql.clone().filter(|_| index.origin == Origin::Create);
            let is_taken = |other: &&IndexObject| other.schema == "main" && same(&other.name, &index.name);
            let instead = file.objects.indexes.iter().find(is_taken).and_then(|other| other.sql.clone());
            if instead.is_some() {
                sql = sql.map(|sql| format!("DROP INDEX {}; {sql}", spelled(&index.name)));
            }
            MissingIndex {
                table: index.table.clone(),
                name: index.name.clone(),
                creation: sql
                    .as_deref()
                    .and_then(|sql| Creation::of(self.audited, &mut file.live, (index, sql), keys)),
                sql,
                instead,
                wanting,
            }
        });
        let mut missing: Vec<MissingIndex> = missing.collect();
        let bytes = |one: &MissingIndex| one.wanting.iter().map(Slow::bytes).sum::<f64>();
        missing
            .sort_by(|one, next| bytes(next).total_cmp(&bytes(one)).then_with(|| one.name.cmp(&next.name)));
        missing
    }

    /// Whether a statement goes by an index where the schema is as declared.
    fn goes_by(&self, statement: usize, index: &IndexObject) -> bool {
        let explained = self.program.statements.get(statement).and_then(Statement::explained);
        explained.is_some_and(|explained| {
            explained.plan.steps.iter().any(|step| {
                let is_named =
                    matches!(&step.index, Some(Index::Named { name, .. }) if same(name, &index.name));
                is_named && matches!(step.op, Op::Scan | Op::Search)
            })
        })
    }
}

/// Whether a plan reads anything from end to end.
fn walks(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| step.program.is_none() && step.op == Op::Scan)
}

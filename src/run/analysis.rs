//! What is known of a program before it is judged, found out step by step.

use super::{
    CheckRequest, RunError,
    editing::Typing,
    is_offline,
    past::{self, Past},
};
use crate::{
    audit,
    config::Config,
    experiment::{self, Experiments},
    extract::{self, Extraction, Kept, Role},
    facts::gather::Program,
    growth::{
        self, Growth, Measured, ParameterColumn,
        size::{self, TableSize},
    },
    migration::{self, Declaration, Series, Unnamed, release::Releases},
    obstacle::{self, Instead, Missed, Obstructed},
    price::{self, Known, Priced},
    schema::{Refusal, RefusalKind},
    shell::{self, Asked, Shell, ShellError, Shipped},
    source::{Site, Sources},
    trial::{self, Trial},
    workload::{
        self, Database, Given, KeyPlan, Largest, Log, Logs, Other, Outcome, Passed, Statement, Upkeep,
        WrittenText,
    },
};
use std::collections::BTreeSet;

/// What is known of a program before it is judged.
#[derive(Default)]
pub(super) struct Analysis {
    pub(super) extraction: Extraction,
    pub(super) databases: Vec<Database>,
    pub(super) statements: Vec<Statement>,
    pub(super) sizes: Vec<TableSize>,
    pub(super) key_plans: Vec<KeyPlan>,
    pub(super) upkeeps: Vec<Upkeep>,
    pub(super) measured: Measured,
    pub(super) pricing: Pricing,
    pub(super) obstacles: Vec<Obstructed>,
    pub(super) releases: Releases,
    pub(super) others: Vec<Other>,
    /// How costs grow on these.
    pub(super) other_growths: Vec<Vec<Growth>>,
    pub(super) trials: Vec<Trial>,
    pub(super) missed: Vec<Missed>,
    pub(super) instead: Vec<Instead>,
    pub(super) experiments: Experiments,
    pub(super) series: Vec<Series>,
    pub(super) unnamed: Vec<Unnamed>,
    pub(super) largest: (Vec<Largest>, Vec<WrittenText>),
    pub(super) builders: Vec<(&'static str, Site)>,
    pub(super) logs: Vec<Log>,
    pub(super) passed: Vec<Passed>,
    analyzed: Analyzed,
    /// What SQLite the program ships.
    pub(super) shipped: Vec<Shipped>,
    /// What another SQLite plans; `None` where none is asked.
    pub(super) elsewhere: Option<Asked>,
    /// What is needed to judge one file again, if that is wanted.
    pub(super) typing: Option<Typing>,
}

/// What is read beside the sources.
pub(super) struct Beside {
    pub(super) logs: Vec<Log>,
    pub(super) statistics: Vec<Given>,
    pub(super) shipped: Vec<Shipped>,
}

/// What rows cost, and what that is told from.
#[derive(Default)]
pub(super) struct Pricing {
    pub(super) prices: Vec<Priced>,
    /// The columns of the parameters of each statement.
    pub(super) columns: Vec<Vec<Option<ParameterColumn>>>,
    /// The program makes identifiers that begin with the time.
    pub(super) has_timed: bool,
}

impl Pricing {
    fn new(
        sources: &Sources,
        databases: &[Database],
        statements: &[Statement],
        sizes: &[TableSize],
        measured: &Measured,
    ) -> Self {
        let columns = growth::parameter_columns(databases, statements);
        let has_timed = price::makes_timed(sources, databases);
        let known = Known { statements, columns: &columns, measured, has_timed };
        Self { prices: price::find(&known, databases, sizes), columns, has_timed }
    }
}

impl Analysis {
    /// From the sources to plans, to what stands in their way and what would help.
    pub(super) fn new(
        request: &CheckRequest<'_>,
        config: &Config,
        (sources, beside): (&Sources, Beside),
        past: &Past,
    ) -> Result<Self, RunError> {
        let ahead = experiment::Ahead::default();
        let make = |index, one: &_, with: &_| ahead.make(index, one, with);
        let mut found = Self::planned(request, config, (sources, beside), past, &make)?;
        let databases = &mut found.databases;
        let (extraction, statements) = (&found.extraction, found.statements.as_slice());
        let (sizes, measured) = (found.sizes.as_slice(), &found.measured);
        found.elsewhere = elsewhere(request, config, databases, statements)?;
        found.key_plans = workload::key_plans(databases);
        found.upkeeps = workload::upkeeps(databases);
        found.largest = workload::largest(extraction, databases, statements);
        found.pricing = Pricing::new(sources, databases, statements, sizes, measured);
        request.say("asking why no index is used");
        let runs_once = |one: &Statement| role(extraction, one) == Some(Role::Migration);
        let takes_first =
            |one: &Statement| extraction.literals.get(one.literal).is_some_and(extract::Literal::takes_first);
        found.obstacles = obstacle::find(databases, statements, measured, (&runs_once, &takes_first));
        found.missed = obstacle::missed(databases, statements);
        found.instead = obstacle::instead(databases, statements);
        obstacle::serve_keys(databases, &mut found.key_plans);
        request.say("trying indexes");
        let costs = (sizes, measured, found.key_plans.as_slice(), found.pricing.prices.as_slice());
        found.trials =
            trials(extraction, databases, (statements, &found.analyzed), costs, &mut found.obstacles);
        request.say("running migrations on rows");
        found.experiments = experiment::find(databases, sizes, &ahead);
        (found.series, found.unnamed) = series(sources, extraction, databases);
        Ok(found)
    }

    /// From the sources to plans, and to how costs grow: extraction, schemas, statements, sizes.
    pub(super) fn planned(
        request: &CheckRequest<'_>,
        config: &Config,
        (sources, beside): (&Sources, Beside),
        past: &Past,
        make: &workload::Make<'_>,
    ) -> Result<Self, RunError> {
        let (mut extraction, kept, declarations) = declared(request, config, sources)?;
        request.say("reading releases");
        let releases = past::releases(past, config, sources, &extraction, &declarations);
        let mut databases = workload::build(config, sources, &extraction, declarations, make)?;
        settle_statistics(request, (config, sources), &mut databases, beside.statistics)?;
        request.say("planning statements");
        let logged = workload::logged_literals(&beside.logs, &mut extraction);
        let (statements, passed, analyzed) = bind(sources, &extraction, &mut databases, &logged)?;
        let unseen = workload::unseen(sources, &extraction, &databases, &statements);
        let sizes = size::sizes(config, &extraction, &databases, &statements, &unseen);
        let measured = measure(request, config, &mut databases, &statements, &sizes);
        let mut others = workload::others(&databases, &statements, &releases.released)?;
        let is_on = !measured.is_off;
        let other_growths = is_on.then(|| growth::measure_others(&mut others, &statements, &sizes));
        Ok(Self {
            extraction,
            databases,
            statements,
            sizes,
            measured,
            releases,
            others,
            other_growths: other_growths.unwrap_or_default(),
            logs: beside.logs,
            passed,
            analyzed,
            shipped: beside.shipped,
            builders: workload::first_uses(&unseen.builders),
            typing: kept.map(Typing::new),
            ..Self::default()
        })
    }

    /// Puts the plans of the shell that the configuration names in the place of our own.
    pub(super) fn replan(&mut self, request: &CheckRequest<'_>, config: &Config) -> Result<(), RunError> {
        let asked = elsewhere(request, config, &mut self.databases, &self.statements)?;
        let asked = asked.ok_or(RunError::NoShell)?;
        for one in asked.answers.into_iter().flat_map(|answer| answer.said) {
            let Some(statement) = self.statements.get_mut(one.statement) else { continue };
            match (one.plan, &mut statement.outcome) {
                (Ok(plan), Outcome::Planned { explained, .. }) => explained.plan = plan,
                (Ok(_), _) => {}
                (Err(message), _) => {
                    let refusal = Refusal { kind: RefusalKind::Syntax, message, offset: None };
                    statement.outcome = Outcome::Refused { database: statement.database(), refusal };
                }
            }
        }
        Ok(())
    }

    pub(super) fn program<'a>(
        &'a self,
        root: &'a str,
        config: &'a Config,
        sources: &'a Sources,
    ) -> Program<'a> {
        Program {
            root,
            config,
            sources,
            is_offline,
            extraction: &self.extraction,
            databases: &self.databases,
            statements: &self.statements,
            sizes: &self.sizes,
            key_plans: &self.key_plans,
            upkeeps: &self.upkeeps,
            measured: &self.measured,
            columns: &self.pricing.columns,
            prices: &self.pricing.prices,
            obstacles: &self.obstacles,
            releases: &self.releases,
            others: &self.others,
            other_growths: &self.other_growths,
            trials: &self.trials,
            missed: &self.missed,
            instead: &self.instead,
            experiments: &self.experiments,
            series: &self.series,
            unnamed: &self.unnamed,
            largest: &self.largest.0,
            written: &self.largest.1,
            builders: &self.builders,
            logs: &self.logs,
            passed: &self.passed,
            shipped: &self.shipped,
            elsewhere: self.elsewhere.as_ref(),
        }
    }
}

/// The SQL of all sources, what is needed to read one of them again if that is wanted, and what makes the databases.
fn declared(
    request: &CheckRequest<'_>,
    config: &Config,
    sources: &Sources,
) -> Result<(Extraction, Option<Kept>, Vec<Declaration>), RunError> {
    request.say("finding SQL");
    let is_tool = |path: &str| is_offline(path, config, sources);
    let (mut extraction, kept) = if request.for_editor {
        let (extraction, kept) = extract::extract_and_keep(sources, &is_tool);
        (extraction, Some(kept))
    } else {
        (extract::extract(sources, &is_tool), None)
    };
    migration::read(sources, &mut extraction);
    migration::leave_others(sources, &mut extraction.literals);
    request.say("building schemas");
    let declarations = migration::declarations(config, sources, &extraction)
        .map_err(|missing| config.error(missing.span, missing.message, missing.help))?;
    let steps = declarations.iter().flat_map(Declaration::literals);
    let in_migrations: Vec<usize> = steps.chain(migration::in_migrations(sources, &extraction)).collect();
    extraction.mark_migrations(sources, in_migrations);
    Ok((extraction, kept, declarations))
}

/// The folders of numbered migrations, and the constants with one that nothing names.
fn series(sources: &Sources, extraction: &Extraction, databases: &[Database]) -> (Vec<Series>, Vec<Unnamed>) {
    let declared = || databases.iter().map(|database| &database.declaration);
    let series = migration::series(sources, extraction, declared());
    (series, migration::unnamed(sources, extraction, declared()))
}

/// Gives databases the statistics of those in the field: of the file that is audited, else those that were read; and the rest
/// the rows that are declared.
fn settle_statistics(
    request: &CheckRequest<'_>,
    (config, sources): (&Config, &Sources),
    databases: &mut [Database],
    given: Vec<Given>,
) -> Result<(), RunError> {
    if let Some((statistics, objects)) = request.audited {
        let home = audit::homes(objects, databases).first().map(|home| home.database);
        if let Some(database) = home.and_then(|home| databases.get_mut(home)) {
            database.take_statistics(statistics.clone())?;
        }
    } else {
        workload::settle_statistics(databases, given)?;
    }
    workload::declare(config, sources, databases);
    Ok(())
}

/// Has the SQLite that the configuration names plan the statements as well.
fn elsewhere(
    request: &CheckRequest<'_>,
    config: &Config,
    databases: &mut [Database],
    statements: &[Statement],
) -> Result<Option<Asked>, RunError> {
    let named = config.sqlite.as_ref().filter(|_| !request.for_editor);
    let Some((program, span)) = named else { return Ok(None) };
    request.say("asking another SQLite");
    let failed = |error: ShellError| {
        let help = error.help().map(str::to_owned);
        config.error(span.clone(), error.to_string(), help)
    };
    let shell = Shell::open(program, &request.root).map_err(failed)?;
    Ok(Some(shell::ask(&shell, databases, statements).map_err(failed)?))
}

/// By database, the tables of which the program keeps statistics.
type Analyzed = Vec<BTreeSet<String>>;

/// Plans statements, anew with the rows that are declared where the program turns out to keep statistics: of which tables, by
/// database.
fn bind(
    sources: &Sources,
    extraction: &Extraction,
    databases: &mut [Database],
    logged: &Logs,
) -> Result<(Vec<Statement>, Vec<Passed>, Analyzed), RunError> {
    let mut bound = workload::bind(sources, extraction, databases, logged);
    let kept = workload::kept_statistics((sources, extraction), databases, &bound.1);
    if workload::analyze_declared(databases, &kept)? {
        bound = workload::bind(sources, extraction, databases, logged);
    }
    Ok((bound.0, bound.1, kept))
}

/// When a statement runs.
fn role(extraction: &Extraction, one: &Statement) -> Option<Role> {
    extraction.literals.get(one.literal).map(|literal| literal.role)
}

/// Tries indexes, and measures what would help.
fn trials(
    extraction: &Extraction,
    databases: &mut [Database],
    (statements, kept): (&[Statement], &[BTreeSet<String>]),
    (sizes, measured, keys, prices): (&[TableSize], &Measured, &[KeyPlan], &[Priced]),
    obstacles: &mut Vec<Obstructed>,
) -> Vec<Trial> {
    let known = trial::Known { statements, sizes, measured, keys, prices, kept };
    let counts = |one: &Statement| !matches!(role(extraction, one), Some(Role::Test | Role::Migration));
    // What runs seldom or never is found quietly, and its cure need not be measured.
    let is_told = |one: &Statement| role(extraction, one) == Some(Role::Production);
    trial::find(databases, &known, (obstacles, &is_told), &counts)
}

/// Measures how costs grow, if that is wanted, or tells by the plans alone.
fn measure(
    request: &CheckRequest<'_>,
    config: &Config,
    databases: &mut [Database],
    statements: &[Statement],
    sizes: &[TableSize],
) -> Measured {
    if request.growth && config.measure_growth {
        request.say("measuring growth");
        growth::measure(databases, statements, sizes)
    } else {
        growth::by_plan_alone(databases, statements, sizes)
    }
}

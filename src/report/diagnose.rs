//! From findings to diagnostics: places, plans, evidence and fingerprints. Knows what a run found out, and no format.

use super::{
    Counts, Cure, DatabaseSummary, Diagnostic, Growth, Judged, LogSummary, Object, Place, Related, Report,
    RuleSummary, State, StatisticsSummary, Suppression as Accepted, SuppressionKind, Variant, coverage,
    cures, guesses, home,
};
use crate::{
    extract::{Function, Role, names, sql},
    facts::gather::{Program, Rows},
    growth::{Growth as Measured, Measure},
    migration::beside_index,
    rule::{Finding, Rule},
    schema::sqlite,
    source::{Site, Sources},
    suppression::{Kind, Suppression},
    workload::{Log, Other, Outcome, Statement},
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap};

/// The report of a run.
pub fn report(
    program: &Program<'_>,
    rows: &Rows,
    rules: &[Rule],
    findings: &[(Finding, Option<Suppression>)],
) -> Report {
    let mut diagnoser = Diagnoser {
        program,
        sites: rows.sites(),
        statements: rows.statements.iter().enumerate().map(|(index, row)| (*row, index)).collect(),
        databases: rows.databases.iter().enumerate().map(|(index, row)| (*row, index)).collect(),
        others: rows.others.iter().enumerate().map(|(index, row)| (*row, index)).collect(),
        obstacles: &rows.obstacles,
        effects: &rows.effects,
        foreign_keys: &rows.foreign_keys,
        rules: rules.iter().map(|rule| (rule.name.as_str(), rule)).collect(),
        seen: BTreeMap::new(),
    };
    let mut report = Report {
        databases: databases(program),
        statements: counts(program),
        coverage: coverage::coverage(program),
        min_coverage: program.config.min_coverage,
        logs: program.logs.iter().map(log).collect(),
        skipped: program.sources.skipped.clone(),
        guesses: guesses::guesses(program, sqlite::version()),
        elsewhere: program.elsewhere.map(|asked| format!("SQLite {} ({})", asked.version, asked.program)),
        by_plan_alone: program.measured.is_off,
        rules: summaries(rules),
        diagnostics: findings
            .iter()
            .map(|(finding, by)| Diagnostic {
                state: if by.is_some() { State::Suppressed } else { State::New },
                suppression: by.as_ref().map(|by| accepted(by, program.sources)),
                ..diagnoser.diagnostic(finding)
            })
            .collect(),
        ..empty()
    };
    report.sort();
    report
}

/// Advice as a sentence, however it was written.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end().chars();
    let first = letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string());
    let is_ended = first.is_empty() || text.trim_end().ends_with(['.', '?', '!']);
    let end = if is_ended { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// The report of a run that looked at nothing.
pub fn empty() -> Report {
    Report { root: ".".to_owned(), sqlite: sqlite::version().to_owned(), ..Report::default() }
}

fn summaries(rules: &[Rule]) -> Vec<RuleSummary> {
    let summary = |rule: &Rule| RuleSummary {
        name: rule.name.clone(),
        title: rule.title.clone(),
        severity: rule.severity,
        why: rule.why.clone(),
        remedy: rule.remedy.clone(),
    };
    let mut all: Vec<RuleSummary> = rules.iter().map(summary).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

struct Diagnoser<'a> {
    program: &'a Program<'a>,
    sites: FxHashMap<i64, Site>,
    statements: HashMap<i64, usize>,
    databases: HashMap<i64, usize>,
    /// The schemas in the field, by their variants.
    others: HashMap<i64, usize>,
    /// The obstacles: the place in the program, and that among those of the statement.
    obstacles: &'a FxHashMap<i64, (usize, usize)>,
    /// What trials do: the place in the program, and that among the effects of the trial.
    effects: &'a FxHashMap<i64, (usize, usize)>,
    /// The foreign keys: the place of the database, and that among its own.
    foreign_keys: &'a FxHashMap<i64, (usize, usize)>,
    rules: HashMap<&'a str, &'a Rule>,
    /// How often each fingerprint was given.
    seen: BTreeMap<String, u32>,
}

impl Diagnoser<'_> {
    fn diagnostic(&mut self, finding: &Finding) -> Diagnostic {
        let sources = self.program.sources;
        let statement = finding
            .statement
            .and_then(|row| self.statements.get(&row))
            .and_then(|&index| self.program.statements.get(index));
        let site = finding.site.and_then(|row| self.sites.get(&row)).copied();
        let database = finding
            .database
            .and_then(|row| self.databases.get(&row))
            .and_then(|&index| self.program.databases.get(index));
        let literal = statement.and_then(|statement| self.program.extraction.literals.get(statement.literal));
        let function = self.function(site, statement);
        let home = site.zip(statement).map(|(site, statement)| {
            home::home(finding.table.as_deref(), statement, sources.path(site.source), function)
        });
        let function = function.map(|function| function.name.clone());
        let (cure, reason) = self.cure(finding).unzip();
        let beside = database.filter(|_| cure.as_ref().is_some_and(|cure: &Cure| cure.kind == "index"));
        let beside = beside
            .and_then(|one| beside_index(sources, self.program.extraction, &one.declaration))
            .map_or_else(String::new, |beside| format!(" {beside}."));
        let object =
            finding.object.clone().or_else(|| finding.table.clone().map(|table| ("table".to_owned(), table)));
        Diagnostic {
            rule: finding.rule.clone(),
            severity: finding.severity,
            state: State::New,
            suppression: None,
            database: database.map(|database| database.declaration.name.clone()),
            place: site.and_then(|site| place(sources, site)),
            focus: self.focus(statement, site, finding).and_then(|site| place(sources, site)),
            object: object.map(|(kind, name)| Object { kind, name }),
            function,
            context: literal.map_or(Role::Production, |literal| literal.role).as_str().to_owned(),
            message: finding.message.clone(),
            help: reason
                .flatten()
                .or_else(|| finding.help.clone())
                .or_else(|| self.rules.get(finding.rule.as_str()).map(|rule| rule.remedy.clone()))
                .map(|help| sentence(&help) + &beside),
            judged: self.judged(finding, statement),
            related: self.related(finding),
            cures: cure.into_iter().collect(),
            fingerprint: self.fingerprint(
                finding,
                statement,
                database.map_or("", |database| &database.declaration.name),
            ),
            home,
        }
    }

    /// What was proved to help, and what is left to say then, where that is not what the rule says.
    fn cure(&self, finding: &Finding) -> Option<(Cure, Option<String>)> {
        if let Some(effect) = finding.effect {
            let (at, number) = *self.effects.get(&effect)?;
            let trial = self.program.trials.get(at)?;
            return Some((cures::dropped(trial, trial.effects.get(number)?)?, None));
        }
        if let Some(key) = finding.foreign_key {
            let place = *self.foreign_keys.get(&key)?;
            let mut own =
                self.program.key_plans.iter().filter(|one| (one.database, one.foreign_key) == place);
            return Some((cures::of_key(own.find_map(|one| one.index.as_ref())?), None));
        }
        let (at, number) = *self.obstacles.get(&finding.obstacle?)?;
        let (fix, reason) = self.program.obstacles.get(at)?.obstacles.get(number)?.cure()?;
        Some((cures::of(fix), Some(reason)))
    }

    /// The token of a finding's statement that matters most: the name of its table. Where that comes from a constant
    /// elsewhere, the statement itself says more.
    fn focus(&self, statement: Option<&Statement>, site: Option<Site>, finding: &Finding) -> Option<Site> {
        let statement = statement.filter(|statement| site == Some(statement.site))?;
        let (start, end) = names::find_word(statement.text.as_str(), finding.table.as_deref()?)?;
        let token = statement.text.site(start as u32, end as u32)?;
        let extraction = &self.program.extraction;
        let function = extraction.literals.get(statement.literal).and_then(|literal| literal.function);
        let function = function.and_then(|function| extraction.functions.get(function as usize));
        let within = |around: Site| {
            around.source == token.source && around.start <= token.start && token.end <= around.end
        };
        (within(statement.site) || function.is_some_and(|function| within(function.site))).then_some(token)
    }

    /// The function of a finding: that of its statement, unless it stands elsewhere, as at a call.
    fn function(&self, site: Option<Site>, statement: Option<&Statement>) -> Option<&Function> {
        let functions = &self.program.extraction.functions;
        let (site, statement) = (site?, statement?);
        if statement.site.source == site.source
            && statement.site.start <= site.start
            && site.end <= statement.site.end
        {
            let literal = self.program.extraction.literals.get(statement.literal)?;
            return functions.get(literal.function? as usize);
        }
        let around = functions.iter().filter(|one| {
            one.site.source == site.source && one.site.start <= site.start && site.end <= one.site.end
        });
        around.max_by_key(|one| one.site.start)
    }

    /// How a finding's statement runs: as declared, and on the schema that the finding is about.
    fn judged(&self, finding: &Finding, statement: Option<&Statement>) -> Vec<Judged> {
        let growths = &self.program.measured.growths;
        let declared = statement.and_then(|one| judged(one, self.growth(finding, growths)));
        let there = || {
            let number = *self.others.get(&finding.variant?)?;
            let other = self.program.others.get(number)?;
            let index = *self.statements.get(&finding.statement?)?;
            let (_, explained) = other.statements.iter().find(|(statement, _)| *statement == index)?;
            let growths = self.program.other_growths.get(number).map_or(&[] as &[_], Vec::as_slice);
            let plan = explained.as_ref().ok()?.plan.lines();
            let variant = variant_name(self.program, other);
            Some(Judged { variant, plan, growth: self.growth(finding, growths) })
        };
        declared.into_iter().chain(there()).collect()
    }

    /// What was measured of a finding's statement, where it was worst.
    fn growth(&self, finding: &Finding, growths: &[Measured]) -> Option<Growth> {
        let index = *self.statements.get(&finding.statement?)?;
        let growth = growths.iter().find(|growth| growth.statement == index)?;
        let trial = growth.trials.first()?;
        let all = |number: fn(&Measure) -> u64| trial.measures.iter().map(number).collect();
        Some(Growth {
            class: trial.class.as_str().to_owned(),
            explained: trial.explained,
            rows: all(|one| one.rows),
            steps: all(|one| one.run.steps),
            pages: all(|one| one.run.pages),
            returned: all(|one| one.run.returned + one.run.changed),
        })
    }

    fn related(&self, finding: &Finding) -> Vec<Related> {
        let sources = self.program.sources;
        // What a weaker rule says of the same place adds nothing.
        let apart = finding.related.iter().filter(|(row, _)| Some(*row) != finding.site);
        let placed = apart.filter_map(|(row, message)| {
            let place = place(sources, *self.sites.get(row)?)?;
            Some(Related { place, message: message.clone() })
        });
        placed.collect()
    }

    /// The SQL of a place, as the program has it.
    fn text_at(&self, site: Option<i64>) -> &str {
        let Some(site) = site.and_then(|row| self.sites.get(&row)) else { return "" };
        let statement = self.program.statements.iter().find(|statement| statement.site == *site);
        statement.map_or_else(|| self.program.sources.text(*site), |statement| statement.raw.as_str())
    }

    /// The same as long as the finding is: of rule, database, table and the statement's text, and of nothing else. Equal
    /// ones are counted.
    fn fingerprint(&mut self, finding: &Finding, statement: Option<&Statement>, database: &str) -> String {
        let text = match statement {
            // What one schema lacks is the same, whichever statement shows it.
            Some(_) if finding.variant.is_some() && finding.object.is_none() => {
                sql::key(self.text_at(finding.site))
            }
            Some(statement) => sql::key(&statement.raw),
            // A step of a schema is no statement of the program, and all that tells it from the next is its text.
            None if finding.object.is_none() => sql::key(self.text_at(finding.site)),
            None => String::new(),
        };
        let object = finding.object.as_ref().map_or("", |(_, name)| name);
        let table = finding.table.as_deref().unwrap_or("").to_lowercase();
        let hash = fnv(&[&finding.rule, database, &table, &object.to_lowercase(), &text]);
        let base = format!("1:{hash:016x}");
        let count = self.seen.entry(base.clone()).or_default();
        *count += 1;
        if *count == 1 { base } else { format!("{base}#{count}") }
    }
}

/// FNV-1a over the parts, with a separator between them: stable over versions and machines.
fn fnv(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain(std::iter::once(0xff)));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What the user says of a finding that is accepted.
fn accepted(by: &Suppression, sources: &Sources) -> Accepted {
    Accepted {
        kind: match by.kind {
            Kind::Comment => SuppressionKind::InSource,
            Kind::Configuration => SuppressionKind::External,
        },
        justification: by.reason.clone().unwrap_or_default(),
        place: place(sources, by.site),
    }
}

/// The place of a site.
pub fn place(sources: &Sources, site: Site) -> Option<Place> {
    let source = sources.get(site.source)?;
    Some(Place {
        path: source.path.clone(),
        start: source.position(site.start),
        end: source.position(site.end),
    })
}

fn judged(statement: &Statement, growth: Option<Growth>) -> Option<Judged> {
    let plan = statement.explained()?.plan.lines();
    Some(Judged { variant: "declared".to_owned(), plan, growth })
}

/// What a schema in the field is called: after the releases that make it.
fn variant_name(program: &Program<'_>, other: &Other) -> String {
    match releases(program, other).as_slice() {
        [] => "fresh".to_owned(),
        [only] => format!("upgraded from {only}"),
        [first, .., last] => format!("upgraded from {first} to {last}"),
    }
}

fn releases(program: &Program<'_>, other: &Other) -> Vec<String> {
    other.releases.iter().filter_map(|release| program.releases.names.get(*release)).cloned().collect()
}

fn databases(program: &Program<'_>) -> Vec<DatabaseSummary> {
    let mut all: Vec<DatabaseSummary> = program
        .databases
        .iter()
        .enumerate()
        .map(|(index, database)| DatabaseSummary {
            name: database.declaration.name.clone(),
            found: database.declaration.origin.as_str().to_owned(),
            from: database.declaration.places.clone(),
            tables: database.variant.objects.tables.iter().filter(|table| !table.is_made()).count() as u32,
            indexes: database.variant.objects.indexes.len() as u32,
            migrations: database.declaration.steps.len() as u32,
            statistics: database.statistics.as_ref().map(|of| StatisticsSummary {
                path: of.path.clone(),
                date: of.date.clone(),
                tables: of.tables.len() as u32,
                is_analyzed: of.is_analyzed(),
            }),
            variants: variants(program, index),
        })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn variants(program: &Program<'_>, database: usize) -> Vec<Variant> {
    let declared = Variant { id: "declared".to_owned(), releases: Vec::new() };
    let others = program.others.iter().filter(|other| other.database == database);
    let others =
        others.map(|other| Variant { id: variant_name(program, other), releases: releases(program, other) });
    std::iter::once(declared).chain(others).collect()
}

fn log(log: &Log) -> LogSummary {
    let Log { path, runs, different, others, left_out, .. } = log;
    LogSummary {
        path: path.clone(),
        runs: *runs,
        different: *different,
        others: *others,
        left_out: *left_out,
    }
}

fn counts(program: &Program<'_>) -> Counts {
    let mut counts = Counts::default();
    // What was tried as one condition alone leaves it stands for no other statement.
    for statement in program.statements.iter().filter(|one| !one.text.is_alone()) {
        if matches!(statement.outcome, Outcome::Test) {
            counts.test += 1;
            continue;
        }
        counts.found += 1;
        let count = match statement.outcome {
            Outcome::Planned { .. } | Outcome::Applied { .. } => &mut counts.planned,
            Outcome::Dynamic { .. } => &mut counts.dynamic,
            Outcome::Refused { .. } => &mut counts.refused,
            Outcome::Foreign => &mut counts.foreign,
            Outcome::Test | Outcome::NotSql => continue,
        };
        *count += 1;
    }
    counts
}

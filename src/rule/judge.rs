//! Runs rules over the facts. Knows the columns that a rule returns; knows no rule by name.

use super::guard::{Guard, MAX_STEPS};
use super::load::{broken, place};
use super::{Finding, Need, Rule, RuleError, Stage, head, settle};
use crate::config::Severity;
use crate::facts::Facts;
use crate::schema::sqlite;
use sqlite::types::FromSql;
use sqlite::{Connection, Row};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the rules of a stage over facts that are frozen.
///
/// `level` gives each finding the severity that the user wants for it, and drops it with `None`. It is asked before
/// rules yield to each other: a finding does not yield to one that nobody will see.
///
/// A rule that needs facts that were not gathered, all but those `given`, says nothing.
///
/// The findings are ordered by path and place, then by rule and message.
///
/// # Errors
/// Where a rule fails: it takes too long, or returns what is no finding.
pub fn judge(
    rules: &[Rule],
    stage: Stage,
    given: &[Need],
    facts: &mut Facts,
    level: impl Fn(&Finding) -> Option<Severity>,
) -> Result<Vec<Finding>, RuleError> {
    let of_stage: Vec<&Rule> = rules
        .iter()
        .filter(|rule| rule.stage == stage && rule.needs.iter().all(|need| given.contains(need)))
        .collect();
    let mut findings = run_all(&of_stage, facts)?;
    apply_levels(&mut findings, level);
    let ordered = settle::order(&mut findings, facts.connection());
    let starts = ordered.map_err(|error| broken("facts", 1, error.to_string()))?;
    Ok(settle::settle(findings, rules, &starts))
}

/// Gives each finding the severity that `level` says, and drops those for which it says nothing.
fn apply_levels(findings: &mut Vec<Finding>, level: impl Fn(&Finding) -> Option<Severity>) {
    findings.retain_mut(|finding| {
        let wanted = level(finding);
        finding.severity = wanted.unwrap_or(finding.severity);
        wanted.is_some()
    });
}

/// So few rules are done before another thread has begun.
const FEW: usize = 8;

/// Runs rules on two threads, each with a connection of its own: compiling them takes as long as running them.
fn run_all(rules: &[&Rule], facts: &mut Facts) -> Result<Vec<Finding>, RuleError> {
    let next = AtomicUsize::new(0);
    let (connection, reader) = facts.both_mut();
    let mut own = || take(rules, &next, connection);
    let (mut found, others) = if rules.len() < FEW {
        (own()?, Vec::new())
    } else {
        let (own, others) = rayon::join(own, || take(rules, &next, reader));
        (own?, others?)
    };
    found.extend(others);
    found.sort_by_key(|(place, _)| *place);
    let found: Result<Vec<_>, RuleError> = found.into_iter().map(|(_, found)| found).collect();
    Ok(found?.into_iter().flatten().collect())
}

/// Runs the rules that nobody else has taken, and gives what each finds with its place.
fn take(rules: &[&Rule], next: &AtomicUsize, connection: &mut Connection) -> Result<Vec<Found>, RuleError> {
    let guard = Guard::new(connection, MAX_STEPS);
    let mut guard = guard.map_err(|error| broken("facts", 1, error.to_string()))?;
    let mut found = Vec::new();
    loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(rule) = rules.get(place) else { return Ok(found) };
        found.push((place, run(rule, &mut guard)));
    }
}

/// What a rule found, with its place among all.
type Found = (usize, Result<Vec<Finding>, RuleError>);

fn run(rule: &Rule, guard: &mut Guard<'_>) -> Result<Vec<Finding>, RuleError> {
    let found = query(rule, guard);
    found.map_err(|error| match error {
        Fault::Sqlite(error) => {
            let (line, message) = place(&error, &rule.sql, 1);
            broken(&rule.path, line, guard.reason().unwrap_or(message))
        }
        Fault::Row(message) => broken(&rule.path, 1, message),
    })
}

enum Fault {
    Sqlite(sqlite::Error),
    Row(String),
}

impl From<sqlite::Error> for Fault {
    fn from(error: sqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn query(rule: &Rule, guard: &mut Guard<'_>) -> Result<Vec<Finding>, Fault> {
    let connection = guard.connection();
    let mut statement = connection.prepare(&rule.sql)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query([])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        let read = Read { columns: &columns, row, connection };
        findings.push(read.finding(rule).map_err(Fault::Row)?);
    }
    Ok(findings)
}

/// The places beside a finding with what to say of them, and the statements.
type Beside = (Vec<(i64, String)>, Vec<i64>);

/// A row that a rule returned.
struct Read<'rule> {
    columns: &'rule [String],
    row: &'rule Row<'rule>,
    connection: &'rule Connection,
}

impl Read<'_> {
    fn finding(&self, rule: &Rule) -> Result<Finding, String> {
        let site = self.get("site")?;
        let object = self.get::<String>("object")?.map(|text| object(&text)).transpose()?;
        if site.is_none() && object.is_none() {
            return Err("it returned a row with neither `site` nor `object`".to_owned());
        }
        let (related, effects) = self.related()?;
        let severity = self.get::<String>("severity")?.map(|word| head::severity(&word)).transpose()?;
        Ok(Finding {
            rule: rule.name.clone(),
            severity: severity.unwrap_or(rule.severity),
            site,
            object,
            statement: self.get("statement")?,
            database: self.get("database")?,
            variant: self.get("variant")?,
            table: self.get("table")?,
            message: self.get("message")?.ok_or("it returned a row without a `message`")?,
            help: self.get("help")?,
            obstacle: self.get("obstacle")?,
            effect: self.get("effect")?,
            foreign_key: self.get("foreign_key")?,
            related,
            effects,
        })
    }

    fn get<T: FromSql>(&self, name: &str) -> Result<Option<T>, String> {
        match self.columns.iter().position(|column| column == name) {
            Some(index) => self.row.get(index).map_err(|error| format!("its column `{name}`: {error}")),
            None => Ok(None),
        }
    }

    /// Reads what `json_group_array(json_object('site', …, 'message', …, 'statement', …))` makes, by SQLite's own reader: the
    /// places with what to say of them, and the statements.
    fn related(&self) -> Result<Beside, String> {
        let Some(text) = self.get::<String>("related")? else { return Ok(Beside::default()) };
        let sql = "SELECT value ->> 'site', value ->> 'message', value ->> 'statement' FROM json_each(?1)";
        let (mut places, mut statements) = (Vec::new(), Vec::new());
        let read = self.connection.prepare_cached(sql).and_then(|mut lines| {
            let mut lines = lines.query([text])?;
            while let Some(line) = lines.next()? {
                if let Some(site) = line.get(0)? {
                    places.push((site, line.get(1)?));
                }
                statements.extend(line.get::<_, Option<i64>>(2)?);
            }
            Ok(())
        });
        read.map_err(|error| {
            format!(
                "its column `related` is no JSON array of objects with site, message and statement: {error}"
            )
        })?;
        Ok((places, statements))
    }
}

fn object(text: &str) -> Result<(String, String), String> {
    let (kind, name) = text.split_once(':').ok_or_else(|| {
        format!("its column `object` is `{text}`, and must be a kind and a name, as `table:blocks`")
    })?;
    Ok((kind.to_owned(), name.to_owned()))
}

//! From all that the rules found to one finding per cause, in an order that nothing but the tree decides. Knows who
//! yields to whom; knows no rule by name.

use super::{Finding, Rule};
use crate::schema::sqlite;
use sqlite::{Connection, OptionalExtension};
use std::collections::{HashMap, HashSet, hash_map::Entry};

/// The places at which the texts of statements begin: each site, and the first of those that begin there.
pub(super) type Starts = HashMap<i64, i64>;

/// Orders findings by path and place, then by rule, object and message. Those without a place come last.
pub(super) fn order(findings: &mut [Finding], connection: &Connection) -> Result<Starts, sqlite::Error> {
    let sql =
        "SELECT source.path, site.start FROM site JOIN source ON source.id = site.source WHERE site.id = ?1";
    let mut statement = connection.prepare(sql)?;
    let mut places: HashMap<i64, (String, i64)> = HashMap::new();
    for site in findings.iter().filter_map(|finding| finding.site) {
        if !places.contains_key(&site)
            && let Some(place) =
                statement.query_row([site], |row| Ok((row.get(0)?, row.get(1)?))).optional()?
        {
            places.insert(site, place);
        }
    }
    findings.sort_by_cached_key(|finding| {
        let place = finding.site.and_then(|site| places.get(&site)).cloned();
        let rest = (finding.rule.clone(), finding.object.clone(), finding.message.clone());
        (place.is_none(), place, finding.statement, rest)
    });
    let mut first: HashMap<&(String, i64), i64> = HashMap::new();
    for (site, place) in &places {
        first.entry(place).and_modify(|known| *known = *site.min(known)).or_insert(*site);
    }
    Ok(places.iter().filter_map(|(site, place)| Some((*site, *first.get(place)?))).collect())
}

/// Keeps one finding per cause: the rules that others yield to take them as related lines, and what a rule finds in
/// the branches of one statement is one finding. A finding without a statement, such as one about an index, is also the
/// cause of what is found where its related lines point, in the table that it is about.
pub(super) fn settle(mut findings: Vec<Finding>, rules: &[Rule], starts: &Starts) -> Vec<Finding> {
    // Of the branches of one statement, those are told first that nothing else explains.
    let effects: HashSet<i64> = findings.iter().flat_map(|finding| finding.effects.iter().copied()).collect();
    if !effects.is_empty() {
        findings.sort_by_key(|finding| finding.statement.is_some_and(|one| effects.contains(&one)));
    }
    let findings = distinct(findings, starts);
    let mut by_cause: HashMap<Cause, Vec<usize>> = HashMap::new();
    let mut by_effect: HashMap<(Option<i64>, i64), Vec<usize>> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        by_cause.entry(Cause::of(finding)).or_default().push(index);
        // What is about no statement of its own is about those that it names.
        let named = finding.related.iter().filter(|_| finding.statement.is_none());
        for (site, _) in named {
            by_effect.entry((finding.database, *site)).or_default().push(index);
        }
    }
    let winners: Vec<Option<usize>> = findings
        .iter()
        .map(|finding| {
            let same = by_cause.get(&Cause::of(finding));
            let behind = finding.site.and_then(|site| by_effect.get(&(finding.database, site)));
            let behind = behind
                .into_iter()
                .flatten()
                .filter(|&&index| findings.get(index).is_some_and(|cause| reaches(cause, finding)));
            let rivals: Vec<usize> = same.into_iter().flatten().chain(behind).copied().collect();
            winner(finding, &rivals, &findings, rules)
        })
        .collect();
    let mut lines: HashMap<usize, Vec<(i64, String)>> = HashMap::new();
    for (finding, winner) in findings.iter().zip(&winners) {
        if let (Some(winner), Some(site)) = (winner, finding.site) {
            lines.entry(*winner).or_default().push((site, finding.message.clone()));
        }
    }
    let mut settled = Vec::new();
    for (index, (mut finding, winner)) in findings.into_iter().zip(winners).enumerate() {
        if winner.is_none() {
            let mut more = lines.remove(&index).unwrap_or_default();
            // Of a statement that it names it has said what there is to say.
            more.retain(|(site, _)| {
                finding.statement.is_some() || finding.related.iter().all(|(named, _)| named != site)
            });
            finding.related.extend(more);
            settled.push(finding);
        }
    }
    settled
}

/// Whether a finding about no statement can be the cause of one that it names. What is about a table as a whole has its effect on
/// that table; an index may well lead to the scan of another.
fn reaches(cause: &Finding, finding: &Finding) -> bool {
    let is_same = |(one, other): (&String, &String)| one.eq_ignore_ascii_case(other);
    let is_named = |statement| cause.effects.is_empty() || cause.effects.contains(&statement);
    if !finding.statement.is_none_or(is_named) {
        return false;
    }
    cause.object.is_some() || cause.table.as_ref().zip(finding.table.as_ref()).is_none_or(is_same)
}

/// What findings have in common that speak of the same thing. The site, and not the statement: one site has a
/// statement for each branch of its text.
#[derive(PartialEq, Eq, Hash)]
struct Cause {
    database: Option<i64>,
    site: Option<i64>,
    statement: Option<i64>,
    table: Option<String>,
}

impl Cause {
    fn of(finding: &Finding) -> Self {
        Self {
            database: finding.database,
            site: finding.site,
            statement: finding.statement.filter(|_| finding.site.is_none()),
            table: finding.table.as_ref().map(|table| table.to_ascii_lowercase()),
        }
    }
}

/// The finding among rivals that `finding` yields to, by way of others or not: one that itself yields to none of them.
fn winner(finding: &Finding, rivals: &[usize], findings: &[Finding], rules: &[Rule]) -> Option<usize> {
    let yields_to = |name: &str| {
        rules.iter().find(|rule| rule.name == name).map_or(&[][..], |rule| rule.yields_to.as_slice())
    };
    let mut won = None;
    let mut name = finding.rule.as_str();
    // Each turn goes one rule up, and no rule yields to itself by way of others: `together` sees to it.
    for _ in rules {
        let stronger =
            |index: &&usize| findings.get(**index).is_some_and(|rival| yields_to(name).contains(&rival.rule));
        let Some(&index) = rivals.iter().find(stronger) else { break };
        won = Some(index);
        name = findings.get(index).map_or(name, |rival| rival.rule.as_str());
    }
    won
}

/// Drops what was said before: by one rule of one place, object and table, and of one statement or in the same words. Of two
/// that end in different places the graver one is kept.
fn distinct(findings: Vec<Finding>, starts: &Starts) -> Vec<Finding> {
    let mut seen = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let mut cause = Cause::of(&finding);
        // The texts of a statement that is put together begin in one place, and may end in several.
        let start = finding.site.filter(|_| finding.statement.is_some()).and_then(|site| starts.get(&site));
        cause.site = start.copied().or(cause.site);
        // Two branches of a statement differ in words and not in cause. Without a statement, the words are the cause.
        let words = finding.statement.is_none().then(|| finding.message.clone());
        let said = (finding.rule.clone(), finding.object.clone(), cause, words);
        match seen.entry(said) {
            Entry::Vacant(new) => {
                new.insert(kept.len());
                kept.push(finding);
            }
            Entry::Occupied(known) => {
                let is_graver = |one: &Finding| one.site != finding.site && one.severity < finding.severity;
                if let Some(one) = kept.get_mut(*known.get()).filter(|one| is_graver(one)) {
                    *one = finding;
                }
            }
        }
    }
    kept
}

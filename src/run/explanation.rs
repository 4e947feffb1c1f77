//! What a run knows of one statement, as the values that `report::explain` writes.

use super::{Outcome, cost::data_words, migrated, place::Group};
use crate::{
    extract::Role,
    growth::{Measure, Series, size},
    obstacle::Obstacle,
    report::{
        Diagnostic, Place, diagnose,
        explain::{self, Explanation, Found, script::Script},
    },
    schema::Explained,
    source::Site,
    workload::Statement,
};

/// The most callers, or places, that are named.
const MOST: usize = 3;
/// The most findings of other places that are named.
const MOST_FINDINGS: usize = 8;

/// All that is known of a statement.
pub(super) fn explanation(outcome: &Outcome, group: &Group, series: Option<&Series>) -> Explanation {
    let Some(statement) = outcome.analysis.statements.get(group.shown) else { return Explanation::default() };
    let subject = Subject { outcome, index: group.shown, statement };
    let findings = subject.findings();
    let shown = migrated::of_statement(outcome, group.shown);
    let by_rows = || shown.as_ref().map(explain::rows::script);
    Explanation {
        place: subject.short(statement.site),
        about: subject.about(),
        sql: shown_text(statement),
        variants: subject.variants(group),
        plan: statement.explained().map(plan).unwrap_or_default(),
        tables: subject.tables(),
        obstacles: subject.obstacles(),
        growth: subject.growth(series),
        quiet: if findings.is_empty() { vec![subject.quiet()] } else { Vec::new() },
        findings,
        named: subject.named(),
        rows: shown.as_ref().map(explain::rows::lines).unwrap_or_default(),
        script: series.and_then(|series| script(outcome, group.shown, series, &[])).or_else(by_rows),
    }
}

/// The script for a statement that was planned. `others` stand at the same place.
pub(super) fn script(outcome: &Outcome, index: usize, series: &Series, others: &[usize]) -> Option<String> {
    let statement = outcome.analysis.statements.get(index)?;
    let subject = Subject { outcome, index, statement };
    let database = outcome.analysis.databases.get(statement.database()?)?;
    let explained = statement.explained()?;
    let script = Script {
        remarks: &subject.remarks(series, explained, others),
        objects: &database.variant.objects,
        explained,
        sample: &series.sample,
        foreign_keys: database.settings.foreign_keys,
        statistics: database.stats(),
    };
    Some(script.text())
}

/// What was found within a site.
pub(super) fn found_within(outcome: &Outcome, site: Site) -> Vec<Found> {
    let Some(own) = diagnose::place(&outcome.sources, site) else { return Vec::new() };
    // A refusal stands at the word that is refused.
    let is_here = |one: &&Diagnostic| one.place.as_ref().is_some_and(|place| own.holds(place));
    let found = |one: &Diagnostic| Found {
        head: format!("{}: {}", one.severity, one.rule),
        message: one.message.clone(),
        help: one.what_to_do(),
    };
    outcome.report.diagnostics.iter().filter(is_here).map(found).collect()
}

/// A text in one line of at most so many characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let start: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// The text, with what is not known of it by its names.
fn shown_text(statement: &Statement) -> String {
    let mut text = statement.text.as_str().to_owned();
    for hole in statement.text.holes() {
        let name = if hole.name.is_empty() { "…" } else { &hole.name };
        text = text.replacen(crate::extract::text::HOLE, &format!("{{{name}}}"), 1);
    }
    text
}

fn plan(explained: &Explained) -> Vec<(usize, String)> {
    let lines = explained.plan.lines().into_iter().zip(&explained.plan.steps);
    lines
        .map(|(line, step)| (step.depth as usize, line.trim_start().trim_start_matches("-- ").to_owned()))
        .collect()
}

/// A statement with all that a run found out.
pub(super) struct Subject<'a> {
    pub outcome: &'a Outcome,
    pub index: usize,
    pub statement: &'a Statement,
}

impl Subject<'_> {
    fn place(&self, site: Site) -> Option<Place> {
        diagnose::place(&self.outcome.sources, site)
    }

    fn short(&self, site: Site) -> String {
        self.place(site).map_or_else(String::new, |place| place.short())
    }

    /// Where it stands, and what runs it.
    fn about(&self) -> Vec<(&'static str, String)> {
        let analysis = &self.outcome.analysis;
        let mut about = Vec::new();
        let Some(literal) = analysis.extraction.literals.get(self.statement.literal) else { return about };
        let function = literal.function.and_then(|number| analysis.extraction.functions.get(number as usize));
        about.push(("function", function.map_or_else(|| "none".to_owned(), |one| one.name.clone())));
        let reason = function.map(|one| one.reason.as_str()).filter(|reason| !reason.is_empty());
        let role = literal.role.as_str().replace('_', "-");
        let reason = reason.unwrap_or(match literal.role {
            Role::Production => "nothing says that it runs at another time",
            Role::Migration => "it is a step of a schema, or stands in a folder of such steps",
            Role::Test => "it stands in test code",
            Role::Dead => "nothing calls the method that it is for",
            _ => "",
        });
        let is_told = !reason.is_empty();
        about.push(("role", if is_told { format!("{role}: {reason}") } else { role }));
        about.push(("database", self.database()));
        about.push(("loops", self.loops(literal.run.loop_depth, literal.function)));
        let run_by = literal.sink.as_ref().map(|sink| format!("{} ({})", sink.name, self.short(sink.site)));
        about.push(("run by", run_by.unwrap_or_else(|| "no call that is known".to_owned())));
        about
    }

    fn database(&self) -> String {
        let database = self.statement.database().and_then(|index| self.outcome.analysis.databases.get(index));
        let Some(database) = database else { return "none that is known".to_owned() };
        let declaration = &database.declaration;
        let shown: Vec<&str> = declaration.places.iter().take(MOST).map(String::as_str).collect();
        let more = declaration.places.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}, {} from {}{more}", declaration.name, declaration.origin.as_str(), shown.join(", "))
    }

    /// The loops in its function, and those of the callers of that.
    fn loops(&self, depth: u8, function: Option<u32>) -> String {
        let here = match depth {
            0 => "none around it in its function".to_owned(),
            1 => "one around it".to_owned(),
            depth => format!("{depth} around it"),
        };
        let calls = self.outcome.analysis.extraction.calls.iter();
        let calls =
            calls.filter(|call| call.callee.is_some() && call.callee == function && call.run.loop_depth > 0);
        let callers: Vec<String> = calls.map(|call| self.short(call.site)).collect();
        if callers.is_empty() {
            return here;
        }
        let shown: Vec<&str> = callers.iter().take(MOST).map(String::as_str).collect();
        let more = callers.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{here}; its function is called in a loop at {}{more}", shown.join(", "))
    }

    fn variants(&self, group: &Group) -> Vec<String> {
        if group.all.len() < 2 {
            return Vec::new();
        }
        let line = |index: &usize| {
            let statement = self.outcome.analysis.statements.get(*index)?;
            let mark = if *index == self.index { "*" } else { "-" };
            let class = self.outcome.growth(*index).and_then(|growth| growth.trials.first());
            let class = class.map_or("", |trial| trial.class.as_str());
            let class = if class.is_empty() { String::new() } else { format!("{class}: ") };
            Some(format!("{mark} {class}{}", one_line(&shown_text(statement), 84 - class.len().min(20))))
        };
        let lines = group.all.iter().filter_map(line);
        let note = format!("* the one that is shown here, of {}", group.all.len());
        lines.chain([note]).collect()
    }

    /// The tables that it reads and writes, with their sizes.
    fn sizes(&self) -> Vec<&size::TableSize> {
        let Some(explained) = self.statement.explained() else { return Vec::new() };
        let reads = explained.reads.iter().map(|read| read.table.as_str());
        let writes = explained.writes.iter().map(|write| write.table.as_str());
        let planned = explained.plan.steps.iter().filter_map(|step| step.table.as_deref());
        let names: Vec<&str> = reads.chain(writes).chain(planned).collect();
        let all = self.outcome.analysis.sizes.iter();
        let own = all.filter(|size| Some(size.database) == self.statement.database());
        own.filter(|size| names.iter().any(|name| size.table.eq_ignore_ascii_case(name))).collect()
    }

    fn tables(&self) -> Vec<(String, String)> {
        let said = |size: &&size::TableSize| {
            let bound = match size.bound {
                Some(1) => ", 1 row".to_owned(),
                Some(bound) => format!(", at most {bound} rows"),
                None => String::new(),
            };
            let evidence = size.evidence.iter().map(|(site, text)| match site {
                Some(site) => format!("{text} ({})", self.short(*site)),
                None => text.clone(),
            });
            let evidence: Vec<String> = evidence.collect();
            (size.table.clone(), format!("{}{bound}: {}", size.class.as_str(), evidence.join("; ")))
        };
        self.sizes().iter().map(said).collect()
    }

    /// What keeps indexes from being used, each once.
    fn obstacles(&self) -> Vec<String> {
        let of = self.outcome.analysis.obstacles.iter().find(|one| one.statement == self.index);
        let mut lines: Vec<String> = Vec::new();
        for line in of.iter().flat_map(|one| one.obstacles.iter().map(Obstacle::help)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn findings(&self) -> Vec<Found> {
        found_within(self.outcome, self.statement.site)
    }

    /// The findings of other places that name this one.
    pub fn named(&self) -> Vec<String> {
        let Some(own) = self.place(self.statement.site) else { return Vec::new() };
        let line = |one: &Diagnostic| {
            let related = one.related.iter().find(|related| related.place == own)?;
            let place = one.place.as_ref().filter(|place| **place != own)?;
            Some(format!("{} at {} names this place: {}", one.rule, place.short(), related.message))
        };
        let mut named: Vec<String> = self.outcome.report.diagnostics.iter().filter_map(line).collect();
        let more = named.len().saturating_sub(MOST_FINDINGS);
        named.truncate(MOST_FINDINGS);
        if more > 0 {
            named.push(format!("{more} more name this place"));
        }
        named
    }

    /// What stands at the head of the script.
    fn remarks(&self, series: &Series, explained: &Explained, others: &[usize]) -> Vec<String> {
        let mut remarks = vec![format!("{}, for the sqlite3 shell", self.short(self.statement.site))];
        let trial = self.trials().first();
        let data = trial.and_then(data_words).map_or_else(String::new, |words| format!(", {words}"));
        remarks.push(format!("{} rows in each table that grows{data}", series.sample.rows));
        if series.sample.has_few_rows {
            remarks.push(
                "LIMIT and OFFSET are 25 where the program has more, for there are few rows".to_owned(),
            );
        }
        let seen = series.points.iter().find(|point| point.rows == series.sample.rows);
        if let Some(Measure { run, .. }) = seen {
            let (steps, returned) = (run.steps, run.returned);
            remarks.push(format!("planlint counted {steps} steps; rows returned: {returned}"));
        }
        let version = &self.outcome.report.sqlite;
        remarks.push(format!(
            "SQLite {version} has this plan; another one, or another build, may have another:"
        ));
        remarks.extend(explain::tree(&plan(explained)).into_iter().skip(1).map(|line| format!("  {line}")));
        let more = others.iter().filter_map(|index| self.outcome.analysis.statements.get(*index));
        remarks.extend(more.map(|one| format!("not here, but at the same place: {}", self.short(one.site))));
        remarks
    }
}

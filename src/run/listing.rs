//! What `--list` prints of a run. Knows what a run keeps; knows no finding.

use super::Outcome;
use crate::{
    growth::size::TableSize,
    report::{
        Diagnostic, Place,
        coverage::Covered,
        diagnose,
        lists::{List, Listing},
    },
    schema::{Refusal, upgrade, variant::Outcome as Applied},
    workload::{Database, Outcome as Became, Passed, Statement},
};

impl Outcome {
    /// The lines of a list.
    pub fn listings(&self, list: List) -> Vec<Listing> {
        let statements =
            self.analysis.statements.iter().filter(|statement| !matches!(statement.outcome, Became::Test));
        match list {
            List::Skipped => self
                .report
                .skipped
                .iter()
                .map(|one| Listing { place: one.path.clone(), columns: vec![one.reason.clone()] })
                .collect(),
            List::Allowed => self.report.diagnostics.iter().filter_map(allowed).collect(),
            List::Releases => self.releases(),
            List::Tables => self.analysis.sizes.iter().map(|size| self.table(size)).collect(),
            List::Statements => statements.map(|statement| self.statement(statement)).collect(),
            List::Foreign => statements
                .filter(|one| matches!(one.outcome, Became::Foreign))
                .map(|one| self.statement(one))
                .collect(),
            List::Others => {
                self.analysis.passed.iter().filter(|one| !one.is_test).map(|one| self.passed(one)).collect()
            }
            List::Coverage => self.coverage(),
            List::Dynamic => statements
                .filter(|one| matches!(one.outcome, Became::Dynamic { .. }))
                .map(|one| self.statement(one))
                .collect(),
            List::Refused => statements
                .filter(|one| matches!(one.outcome, Became::Refused { .. }))
                .map(|one| self.statement(one))
                .collect(),
            List::Unapplied => self.analysis.databases.iter().flat_map(|one| self.unapplied(one)).collect(),
        }
    }

    /// What did not run of the steps of a database.
    fn unapplied(&self, database: &Database) -> Vec<Listing> {
        let listing = |(one, refusal): (&Applied, &Refusal)| {
            let (start, end) = (one.applied.start, one.applied.end);
            let site = one.text.site(start as u32, end as u32)?;
            let place = diagnose::place(&self.sources, site)?.short();
            let text = one.text.as_str().get(start..end)?.split_whitespace().collect::<Vec<_>>().join(" ");
            let name = database.declaration.name.clone();
            Some(Listing { place, columns: vec![name, refusal.message.clone(), text] })
        };
        database.unapplied().filter_map(listing).collect()
    }

    fn passed(&self, passed: &Passed) -> Listing {
        let place =
            diagnose::place(&self.sources, passed.site).map_or_else(String::new, |place| place.short());
        let text: String = passed.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Listing { place, columns: vec![text, passed.why.sentence().to_owned()] }
    }

    fn coverage(&self) -> Vec<Listing> {
        let coverage = &self.report.coverage;
        let line = |what: &str, one: &Covered, others: bool| {
            let name = if one.name.is_empty() { "(none)" } else { &one.name };
            let percent = one.percent().map_or_else(|| "-".to_owned(), |percent| format!("{percent} %"));
            let counts = [
                (one.planned, "planned"),
                (one.dynamic, "dynamic"),
                (one.refused, "refused"),
                (one.foreign, "foreign"),
            ];
            let counts = counts.into_iter().chain(others.then_some((one.other, "others")));
            let counts = counts.map(|(number, word)| format!("{number} {word}"));
            Listing {
                place: what.to_owned(),
                columns: [name.to_owned(), percent].into_iter().chain(counts).collect(),
            }
        };
        let languages = coverage.languages.iter().map(|one| line("language", one, true));
        let databases = coverage.databases.iter().map(|one| line("database", one, false));
        let whole = Covered { name: "all".to_owned(), ..coverage.whole() };
        languages.chain(databases).chain([line("", &whole, true)]).collect()
    }

    fn releases(&self) -> Vec<Listing> {
        let releases = &self.analysis.releases;
        let differs = |database: usize, release: &usize| {
            let others = self.analysis.others.iter();
            others.filter(|other| other.database == database).any(|other| other.releases.contains(release))
        };
        let mut all: Vec<(usize, usize, &str)> = Vec::new();
        for one in &releases.released {
            let today = self.analysis.databases.get(one.database).map(|database| &database.declaration);
            let is_too_old = today.is_some_and(|today| upgrade::is_too_old(today, &one.declaration));
            all.extend(one.releases.iter().map(|release| {
                let became = match (is_too_old, differs(one.database, release)) {
                    (true, _) => "too old for the migrations that are there",
                    (false, true) => "another schema than declared",
                    (false, false) => "the declared schema",
                };
                (one.database, *release, became)
            }));
        }
        for (reason, list) in
            [("not declared there", &releases.without), ("not in this clone", &releases.unread)]
        {
            all.extend(
                list.iter().flat_map(|(database, own)| own.iter().map(|one| (*database, *one, reason))),
            );
        }
        all.sort_unstable();
        let listing = |(database, release, became): (usize, usize, &str)| {
            let database = self.analysis.databases.get(database)?.declaration.name.clone();
            let columns = vec![releases.names.get(release)?.clone(), became.to_owned()];
            Some(Listing { place: database, columns })
        };
        all.into_iter().filter_map(listing).collect()
    }

    fn table(&self, size: &TableSize) -> Listing {
        let database =
            self.analysis.databases.get(size.database).map_or("", |database| &database.declaration.name);
        let bound = size.bound.map_or_else(String::new, |bound| {
            if bound == 1 { "1 row".to_owned() } else { format!("at most {bound} rows") }
        });
        let evidence: Vec<String> = size
            .evidence
            .iter()
            .map(|(site, text)| match site.and_then(|site| diagnose::place(&self.sources, site)) {
                Some(place) => format!("{text} ({})", place.short()),
                None => text.clone(),
            })
            .collect();
        let class = size.class.as_str().to_owned();
        Listing {
            place: format!("{database}.{}", size.table),
            columns: vec![class, bound, evidence.join("; ")],
        }
    }

    fn statement(&self, statement: &Statement) -> Listing {
        let place =
            diagnose::place(&self.sources, statement.site).map_or_else(String::new, |place| place.short());
        let database = statement.database().and_then(|index| self.analysis.databases.get(index));
        let database = database.map_or_else(|| "-".to_owned(), |database| database.declaration.name.clone());
        let literal = self.analysis.extraction.literals.get(statement.literal);
        let role = literal.map_or("", |literal| literal.role.as_str()).to_owned();
        let (became, detail) = match &statement.outcome {
            Became::Planned { explained, .. } => ("planned", explained.plan.lines().join(" | ")),
            Became::Applied { .. } => ("planned", "run as a step of the schema".to_owned()),
            Became::Dynamic { reason } => ("dynamic", reason.clone()),
            Became::Refused { refusal, .. } => ("refused", refusal.message.clone()),
            Became::Foreign => ("foreign", String::new()),
            Became::NotSql | Became::Test => ("", String::new()),
        };
        let detail = match &statement.logged {
            Some(logged) if logged.runs > 1 => format!("{detail} (run {} times)", logged.runs),
            Some(_) => format!("{detail} (run once)"),
            None => detail,
        };
        let text: String = statement.text.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        Listing { place, columns: vec![became.to_owned(), role, database, text, detail] }
    }
}

/// A finding that is accepted: its place, its rule, its message, the reason.
fn allowed(one: &Diagnostic) -> Option<Listing> {
    let by = one.suppression.as_ref()?;
    let place = one.place.as_ref().map_or_else(|| "-".to_owned(), Place::short);
    let columns = vec![one.rule.clone(), one.message.clone(), by.justification.clone()];
    Some(Listing { place, columns })
}

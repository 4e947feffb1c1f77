//! What the user accepts, and why: comments beside the code, and entries of the configuration. Each is a claim that the
//! rules of the second stage check. Knows which finding a claim covers; knows no rule by name.

mod comment;
mod record;
mod today;

pub use record::record;
pub use today::{now, today};

use crate::{
    config::{self, Allow, Config},
    extract::{
        Extraction,
        comments::{self, Comment},
        sql,
    },
    schema,
    source::{Site, SourceId, Sources},
    workload::Statement,
};

/// One rule that is accepted somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The comment, or the entry of the configuration.
    pub site: Site,
    /// Where the user says it.
    pub kind: Kind,
    /// The rule; empty where none is named.
    pub rule: String,
    /// Why that is fine.
    pub reason: Option<String>,
    /// The last day on which it is, as `YYYY-MM-DD`.
    pub until: Option<String>,
    /// Whether that day is over.
    pub is_expired: bool,
    /// The most rows that the table is said to have.
    pub bounded: Option<u64>,
    /// Why it can't be followed.
    pub fault: Option<String>,
    scope: Scope,
}

/// Where the user says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// In a comment.
    Comment,
    /// In the configuration.
    Configuration,
}

/// What a suppression is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    /// A statement.
    Code(Site),
    /// A file.
    File(SourceId),
    /// Whatever this entry of the configuration says, as an index of them; with the key of its part of a statement.
    Entry(usize, Option<String>),
}

/// What a finding is about, as far as suppressions ask.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The rule that found it.
    pub rule: &'a str,
    /// Where it is.
    pub site: Option<Site>,
    /// The database it is about.
    pub database: Option<&'a str>,
    /// The table it is about.
    pub table: Option<&'a str>,
    /// The statement it is about.
    pub statement: Option<&'a Statement>,
}

/// Where suppressions are looked for.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// What the user says.
    pub config: &'a Config,
    /// The files.
    pub sources: &'a Sources,
    /// What was found in them.
    pub extraction: &'a Extraction,
    /// The names of all rules.
    pub rules: &'a [&'a str],
    /// The day of the run, as `YYYY-MM-DD`.
    pub today: &'a str,
}

impl Suppression {
    /// Whether it is followed where it holds.
    pub fn is_good(&self) -> bool {
        self.fault.is_none() && self.reason.is_some() && !self.is_expired
    }

    /// Whether it speaks of the place of a finding, whatever the rule.
    fn holds(&self, subject: &Subject<'_>, ground: &Ground<'_>) -> bool {
        match &self.scope {
            Scope::Code(about) => subject.site.is_some_and(|site| {
                site.source == about.source && site.start < about.end && about.start < site.end
            }),
            Scope::File(source) => subject.site.is_some_and(|site| site.source == *source),
            Scope::Entry(index, part) => ground.config.allows.get(*index).is_some_and(|entry| {
                speaks_of(entry, subject, ground.sources)
                    && part.as_ref().is_none_or(|part| has_part(subject.text(ground.sources), part))
            }),
        }
    }

    /// The function whose head it stands above, of which it says nothing.
    fn headed(&self, extraction: &Extraction) -> Option<Site> {
        let Scope::Code(about) = &self.scope else { return None };
        let sites = extraction.functions.iter().map(|function| function.site);
        let below = sites.filter(|site| site.source == about.source && about.start <= site.start);
        below.filter(|site| site.start < about.end).min_by_key(|site| site.start)
    }
}

/// Whether all that an entry says of places and tables is true of a finding.
fn speaks_of(entry: &Allow, subject: &Subject<'_>, sources: &Sources) -> bool {
    let path = subject.site.map_or("", |site| sources.path(site.source));
    let is_of = |name: &String| {
        let is = |table: &str| subject.table.is_some_and(|other| other.eq_ignore_ascii_case(table));
        // As lists write it, with the database in front; a dot may also be a part of the name.
        let with_database = |(database, table)| subject.database == Some(database) && is(table);
        is(name) || name.split_once('.').is_some_and(with_database)
    };
    entry.path.as_ref().is_none_or(|globs| globs.matches(path)) && entry.table.as_ref().is_none_or(is_of)
}

impl Subject<'_> {
    /// The text of the statement, or what stands at the place: a step of a migration.
    fn text<'t>(&'t self, sources: &'t Sources) -> &'t str {
        let at_site = || {
            let site = self.site?;
            sources.get(site.source).map(|source| source.slice(site.start, site.end))
        };
        self.statement.map(|one| one.raw.as_str()).or_else(at_site).unwrap_or("")
    }
}

/// Whether a part stands in the text of a statement, from a word's start to a word's end.
fn has_part(text: &str, part: &str) -> bool {
    let whole = sql::key(text);
    let is_word = |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || one == '_');
    whole.match_indices(part).any(|(at, _)| {
        let before = whole.get(..at).and_then(|text| text.chars().next_back());
        let after = whole.get(at + part.len()..).and_then(|text| text.chars().next());
        let splits_first = is_word(before) && is_word(part.chars().next());
        let splits_last = is_word(after) && is_word(part.chars().next_back());
        !splits_first && !splits_last
    })
}

/// All suppressions of a tree: the comments by place, then the entries as written.
pub fn gather(ground: &Ground<'_>) -> Vec<Suppression> {
    let comments = comments::comments(ground.sources, ground.extraction);
    let mut all: Vec<Suppression> = comments.iter().flat_map(|comment| of_comment(comment, ground)).collect();
    let file = ground.config.path.as_ref().and_then(|path| ground.sources.find(path));
    if let Some((source, _)) = file {
        all.extend(ground.config.allows.iter().enumerate().map(|(index, entry)| {
            let part = entry.statement.as_ref().map(|part| sql::key(part));
            let says_nothing = part.as_ref().is_some_and(String::is_empty);
            Suppression {
                site: Site { source, start: entry.span.start as u32, end: entry.span.end as u32 },
                kind: Kind::Configuration,
                rule: entry.rule.clone(),
                reason: Some(entry.reason.clone()),
                is_expired: is_over(entry.until.as_deref(), ground),
                until: entry.until.clone(),
                bounded: entry.bounded,
                fault: says_nothing.then(|| "its `statement` holds no text of a statement".to_owned()),
                scope: Scope::Entry(index, part),
            }
        }));
    }
    all
}

/// Whether the last day of a claim is over.
fn is_over(until: Option<&str>, ground: &Ground<'_>) -> bool {
    until.is_some_and(|day| day < ground.today)
}

/// What a comment says, rule by rule.
fn of_comment(comment: &Comment, ground: &Ground<'_>) -> Vec<Suppression> {
    let said = comment::parse(ground.sources.text(comment.site));
    let scope = if said.is_for_file {
        Scope::File(comment.site.source)
    } else {
        Scope::Code(comment.about.unwrap_or_else(|| beside(comment, ground)))
    };
    let one = |rule: String, fault: Option<String>| Suppression {
        site: comment.site,
        kind: Kind::Comment,
        rule,
        reason: said.reason.clone(),
        is_expired: is_over(said.until.as_deref(), ground),
        until: said.until.clone(),
        bounded: said.bounded,
        fault,
        scope: scope.clone(),
    };
    if said.fault.is_some() || said.rules.is_empty() {
        return vec![one(String::new(), said.fault.clone())];
    }
    let fault = |rule: &String| {
        let is_known = ground.rules.contains(&rule.as_str());
        (!is_known).then(|| match config::near(rule, ground.rules.iter().copied()) {
            Some(near) => format!("there is no rule `{rule}`: did you mean `{near}`?"),
            None => format!("there is no rule `{rule}`: `planlint rules` lists them all"),
        })
    };
    said.rules.iter().map(|rule| one(rule.clone(), fault(rule))).collect()
}

/// The statement that a comment within SQL is about: the one that ends in front of it on its line, the one around it, or
/// the next. No further than the text that it stands in.
fn beside(comment: &Comment, ground: &Ground<'_>) -> Site {
    let here = comment.site;
    let line = |offset| ground.sources.get(here.source).map_or(0, |source| source.position(offset).line);
    let texts = ground.extraction.literals.iter().filter(|literal| Some(literal.site) == comment.within);
    let sites: Vec<Site> = texts
        .flat_map(|literal| &literal.variants)
        .flat_map(|text| {
            let ranges = schema::statements(text.as_str());
            ranges.filter_map(|(start, end)| text.site(start as u32, end as u32))
        })
        .filter(|site| site.source == here.source)
        .collect();
    let before = sites.iter().filter(|site| site.end <= here.start).max_by_key(|site| site.end);
    let before = before.filter(|site| comment.is_behind && line(site.end) == line(here.start));
    let around = sites.iter().find(|site| site.contains(here));
    let next = sites.iter().filter(|site| site.start >= here.end).min_by_key(|site| site.start);
    *before.or(around).or(next).unwrap_or(&here)
}

/// What suppressions do to findings.
#[derive(Debug)]
pub struct Accepted {
    /// For each finding the suppression that accepts it, as an index.
    pub by: Vec<Option<usize>>,
    /// For each suppression, what is found where it holds.
    pub uses: Vec<Use>,
}

/// What is found where a suppression holds.
#[derive(Debug, Default)]
pub struct Use {
    /// How many findings of its rule.
    pub count: u32,
    /// The other rules that find something there.
    pub beside: Vec<String>,
    /// Where there is none of its rule, the nearest of the file.
    pub near: Option<Site>,
}

/// Holds findings against suppressions. Of several that accept one, the first does.
pub fn accept(suppressions: &[Suppression], findings: &[Subject<'_>], ground: &Ground<'_>) -> Accepted {
    let mut accepted =
        Accepted { by: vec![None; findings.len()], uses: Vec::with_capacity(suppressions.len()) };
    for (index, suppression) in suppressions.iter().enumerate() {
        let mut one = Use::default();
        for (finding, by) in findings.iter().zip(&mut accepted.by) {
            if !suppression.holds(finding, ground) {
                continue;
            }
            if finding.rule == suppression.rule {
                one.count += 1;
                if by.is_none() && suppression.is_good() {
                    *by = Some(index);
                }
            } else if !one.beside.iter().any(|rule| rule == finding.rule) {
                one.beside.push(finding.rule.to_owned());
            }
        }
        if one.count == 0 {
            let headed = suppression.headed(ground.extraction);
            let of_rule = findings.iter().filter(|finding| finding.rule == suppression.rule);
            let here = of_rule
                .filter_map(|finding| finding.site)
                .filter(|site| site.source == suppression.site.source);
            one.near = here.min_by_key(|site| {
                let is_meant = headed.is_some_and(|function| function.contains(*site));
                (!is_meant, site.start.abs_diff(suppression.site.start))
            });
        }
        accepted.uses.push(one);
    }
    accepted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract::extract, source::Source};

    #[test]
    fn above_a_function_the_nearest_finding_is_one_in_it() {
        let code = "def first(db):\n    db.execute(\"SELECT a FROM t\")\n\n\
                    # planlint: allow(wide-search) few rows\ndef second(db):\n    \"\"\"A long text about it.\"\"\"\n    \
                    db.execute(\"SELECT b FROM t\")\n\n# planlint: allow(wide-search) few rows\nX = 1\n";
        let sources = Sources::of(vec![Source::new("a.py", code)]);
        let extraction = extract(&sources, &|_| false);
        let config = Config::default();
        let ground = Ground {
            config: &config,
            sources: &sources,
            extraction: &extraction,
            rules: &["wide-search"],
            today: "2027-01-01",
        };
        let found = extraction.literals.iter().filter(|one| one.sink.is_some()).map(|one| Subject {
            rule: "wide-search",
            site: Some(one.site),
            database: None,
            table: None,
            statement: None,
        });
        let accepted = accept(&gather(&ground), &found.collect::<Vec<_>>(), &ground);
        let near = |number: usize| accepted.uses.get(number).and_then(|one| one.near).map(|site| site.start);
        let second = code.find("\"SELECT b").map(|at| at as u32);
        assert_eq!([near(0), near(1)], [second, second]);
    }
}

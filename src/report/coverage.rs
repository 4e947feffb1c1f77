//! How much of a program's SQL is judged, by language and by database: what was planned, what was not, and why. Judges
//! nothing. Texts of tests do not count, nor do those for another engine where a share is told.

use super::{ChangeSummary, Report};
use crate::{
    extract::Extraction,
    facts::gather::Program,
    source::Source,
    workload::{Outcome, Passed, Statement},
};
use std::collections::BTreeMap;

/// What became of the texts that looked like SQL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By language, in the order of their names; `log` for what was logged.
    pub languages: Vec<Covered>,
    /// By database, in the order of their names; the last has no name, where some statements belong to none.
    pub databases: Vec<Covered>,
}

/// What became of some of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Covered {
    /// The language or the database.
    pub name: String,
    /// Those that SQLite planned.
    pub planned: u32,
    /// Those whose text is not known before the program runs.
    pub dynamic: u32,
    /// Those that SQLite refused.
    pub refused: u32,
    /// Those that are written for another engine.
    pub foreign: u32,
    /// Those that are no statements to judge: they make schema, manage a connection, are parts of others, or no SQL.
    pub other: u32,
}

impl Covered {
    /// How many should be judged.
    pub fn wanted(&self) -> u32 {
        self.planned + self.dynamic + self.refused
    }

    /// The share of them that is, in percent, rounded down; `None` where there are none.
    pub fn percent(&self) -> Option<u32> {
        (self.planned * 100).checked_div(self.wanted())
    }

    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Planned { .. } | Outcome::Applied { .. } => self.planned += 1,
            Outcome::Dynamic { .. } => self.dynamic += 1,
            Outcome::Refused { .. } => self.refused += 1,
            Outcome::Foreign => self.foreign += 1,
            Outcome::Test | Outcome::NotSql => {}
        }
    }
}

impl Coverage {
    /// All languages together.
    pub fn whole(&self) -> Covered {
        self.languages.iter().fold(Covered::default(), |sum, one| Covered {
            name: sum.name,
            planned: sum.planned + one.planned,
            dynamic: sum.dynamic + one.dynamic,
            refused: sum.refused + one.refused,
            foreign: sum.foreign + one.foreign,
            other: sum.other + one.other,
        })
    }
}

impl Report {
    /// Why too little is covered, where a share is asked for and not reached. A run that judged nothing, since nothing was
    /// changed, lacks nothing.
    pub fn lacks_coverage(&self) -> Option<String> {
        let least = self.min_coverage.filter(|&least| least > 0)?;
        if matches!(self.change, Some(ChangeSummary { before: None, .. })) {
            return None;
        }
        let whole = self.coverage.whole();
        let Some(percent) = whole.percent() else {
            return Some(format!(
                "coverage is below the {least} % that are asked for: no statement was found"
            ));
        };
        (percent < least).then(|| {
            let listed = [(whole.dynamic, "dynamic"), (whole.refused, "refused")];
            let listed = listed.iter().filter(|(number, _)| *number > 0);
            let listed: Vec<String> =
                listed.map(|(number, word)| format!("{number} {word} (--list {word})")).collect();
            let reached = format!("coverage is {percent} %, below the {least} % that are asked for");
            format!("{reached}: of {} statements {} are not planned", whole.wanted(), listed.join(" and "))
        })
    }
}

/// What is covered of a program.
pub(super) fn coverage(program: &Program<'_>) -> Coverage {
    let language = |literal: usize, is_logged: bool| match program.extraction.literals.get(literal) {
        Some(literal) if !is_logged => literal.language.name.to_lowercase(),
        _ => "log".to_owned(),
    };
    let mut languages: BTreeMap<String, Covered> = BTreeMap::new();
    let mut databases: BTreeMap<(bool, String), Covered> = BTreeMap::new();
    // What was tried as one condition alone leaves it stands for no other statement.
    let is_own = |one: &&Statement| !matches!(one.outcome, Outcome::Test) && !one.text.is_alone();
    for one in program.statements.iter().filter(is_own) {
        languages.entry(language(one.literal, one.logged.is_some())).or_default().add(&one.outcome);
        databases.entry(database(program, one)).or_default().add(&one.outcome);
    }
    for one in program.passed.iter().filter(|one| !one.is_test) {
        languages.entry(language(one.literal, is_logged(program, one))).or_default().other += 1;
    }
    let named = |(name, covered): (String, Covered)| Covered { name, ..covered };
    Coverage {
        languages: languages.into_iter().map(named).collect(),
        databases: databases.into_iter().map(|((_, name), covered)| named((name, covered))).collect(),
    }
}

/// The name of a statement's database; what has none comes last.
fn database(program: &Program<'_>, one: &Statement) -> (bool, String) {
    let database = one.database().and_then(|index| program.databases.get(index));
    database.map_or((true, String::new()), |database| (false, database.declaration.name.clone()))
}

fn is_logged(program: &Program<'_>, passed: &Passed) -> bool {
    let extraction: &Extraction = program.extraction;
    let site = extraction.literals.get(passed.literal).map(|literal| literal.site.source);
    site.and_then(|source| program.sources.get(source)).is_some_and(Source::is_excerpt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_down_and_leaves_out_other_engines() {
        let covered = Covered { planned: 199, refused: 1, foreign: 50, other: 7, ..Covered::default() };
        assert_eq!(covered.percent(), Some(99));
        assert_eq!(Covered { foreign: 3, ..Covered::default() }.percent(), None);
        let coverage = Coverage { languages: vec![covered.clone(), covered], databases: Vec::new() };
        assert_eq!(coverage.whole().wanted(), 400);
    }
}

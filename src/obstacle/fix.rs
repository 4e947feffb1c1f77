//! What helps against an obstacle: an index or another text, tried, with its plan and what was measured with it.

use super::{subject::Subject, terms::Term, weigh, words};
use crate::{
    growth::{Class, Limit, size::counted::grouped},
    schema::{replan::Workshop, tokens::Tokens},
};

/// What was tried, and helped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it is.
    pub kind: FixKind,
    /// The statement in other words, or the CREATE INDEX.
    pub text: String,
    /// The part of it that is new.
    pub part: String,
    /// Where it means the same, in words that follow "if"; `None` where it always does.
    pub condition: Option<String>,
    /// The step with it, as SQLite prints it.
    pub step: String,
    /// The plan with it, a line for each row.
    pub plan: Vec<String>,
    /// What was measured with it; `None` where nothing was.
    pub after: Option<After>,
    /// Its plan seems no better: only what was measured proves it.
    pub needs_measure: bool,
}

impl Fix {
    /// The tables of its indexes, as they stand in CREATE INDEX.
    pub fn tables(&self) -> Vec<&str> {
        let mut tokens = Tokens::from(&self.text, 0).filter(|_| self.kind == FixKind::Index);
        let mut found = Vec::new();
        while tokens.any(|token| token.is("ON")) {
            found.extend(tokens.next().map(|token| token.text));
        }
        found
    }

    /// What it is, and its text.
    pub fn tried(&self) -> (FixKind, &str) {
        (self.kind, &self.text)
    }

    /// Whether it is an index on each of several tables, none of which was found to help alone.
    pub fn is_of_several(&self) -> bool {
        self.needs_measure && self.tables().len() > 1
    }

    /// Whether it is proved: by its plan or by what was measured, and not measured to be in vain.
    pub fn is_proved(&self) -> bool {
        self.after.map_or(!self.needs_measure, |after| !after.is_wasteful)
    }
}

/// How the cost of a statement grows with what was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// How it grows.
    pub class: Class,
    /// The rows do not explain how it grows, somewhere; or it costs no less.
    pub is_wasteful: bool,
    /// It was measured on the rows and with the values with which the statement costs most as it is.
    pub is_alike: bool,
    /// Where it grows faster.
    pub rises: Option<Rise>,
    /// The rows of each growing table and the steps that SQLite took, twice; `None` where the plan proves it constant.
    pub steps: Option<[(u64, u64); 2]>,
    /// The steps that it took on the same rows before, where it takes much fewer now and nowhere more, and that is not enough.
    pub lessened: Option<u64>,
    /// It is of several indexes, none of which was enough alone.
    pub is_joint: bool,
    /// The step of the plan that reads another table whole, where that is why this is not enough: it costs less than before.
    pub left: Option<usize>,
}

impl After {
    /// The same as a sentence, behind a space. The plan is the one with what was tried.
    pub(super) fn words(self, plan: &[String]) -> String {
        let Some([(small, first), (large, last)]) = self.steps else {
            return " The plan proves the cost constant then.".to_owned();
        };
        let with = if self.is_joint { "them" } else { "it" };
        let [few, before, many, after] = [small, first, large, last].map(grouped);
        let mut steps = format!("{before} steps with {few} rows in each table, {after} with {many}");
        if let Some(rise) = self.rises.filter(|_| !self.is_wasteful) {
            steps.push_str("; ");
            steps.push_str(rise.words());
        }
        if let Some(left) = self.left.and_then(|at| plan.get(at)) {
            return format!(
                " alone is not enough, as `{}` is left: measured with it, the statement takes {steps}.",
                left.trim()
            );
        }
        if let Some(was) = self.lessened {
            return format!(
                " lessens the cost and is no cure: measured with it, the statement takes {steps} in place of {}.",
                grouped(was)
            );
        }
        match (self.class, self.is_wasteful) {
            (_, true) => format!(" is no cure: measured with it, the statement takes {steps}."),
            (Class::Constant, _) if last * 5 > first * 6 => {
                format!(" Measured with {with}, the cost hardly grows: {steps}.")
            }
            (Class::Constant, _) => format!(" Measured with {with}, the cost is constant: {steps}."),
            _ => format!(" Measured with {with}, the cost grows as the rows that are wanted do: {steps}."),
        }
    }
}

/// With which other values a cost that was cured grows faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rise {
    /// As the rows that are wanted do.
    Wanted,
    /// As it did before, on other rows.
    Limited(Limit),
}

impl Rise {
    /// The same as a sentence without its full stop.
    fn words(self) -> &'static str {
        match self {
            Self::Wanted => "with other values it grows as the rows that are wanted do",
            Self::Limited(Limit::Shared) => "it still grows where many rows share what is sought",
            Self::Limited(Limit::Few) => "it still grows where hardly any row passes what else is tested",
            Self::Limited(Limit::Common) => "it still grows where most rows have the value that is sought",
            Self::Limited(Limit::Range) => "with other values it grows as the rows in the range do",
        }
    }

    /// The same in words that follow a number of steps.
    pub fn short(self) -> &'static str {
        match self {
            Self::Wanted => "more where more rows are wanted",
            Self::Limited(Limit::Shared) => "as many as before where many rows share what is sought",
            Self::Limited(Limit::Few) => "as many as before where hardly any row passes what else is tested",
            Self::Limited(Limit::Common) => "as many as before where most rows have the value",
            Self::Limited(Limit::Range) => "more where more rows lie in the range",
        }
    }
}

/// What would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FixKind {
    /// The statement in other words.
    Rewrite,
    /// An index.
    Index,
    /// Statistics.
    Analyze,
    /// Statistics that the program keeps: it is helped already, once there are rows.
    Kept,
}

impl FixKind {
    /// The word of the facts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Index => "index",
            Self::Analyze => "analyze",
            Self::Kept => "kept",
        }
    }
}

impl Subject<'_> {
    /// Tries the other texts of a term, and keeps the first that helps.
    pub fn try_rewrites(&self, term: &mut Term, workshop: &mut Workshop<'_>) {
        if term.is_used {
            return;
        }
        for rewrite in std::mem::take(&mut term.rewrites) {
            if !rewrite.proofs.iter().all(|proof| workshop.holds(proof)) {
                continue;
            }
            let text = rewrite.applied(self.sql);
            if !Workshop::takes_the_same(self.sql, &text) {
                continue;
            }
            let Some(plan) = workshop.plan(&text).filter(|plan| self.improves(plan)) else { continue };
            term.keys.clear();
            term.fix = Some(Fix {
                kind: FixKind::Rewrite,
                text,
                part: rewrite.text,
                step: weigh::step_named(&plan, self.step),
                condition: words::conditions(&rewrite.conditions),
                plan: plan.lines(),
                after: None,
                needs_measure: false,
            });
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacle::{Kind, Obstacle};

    fn helped(after: Option<After>) -> Obstacle {
        let fix = Fix {
            kind: FixKind::Index,
            text: "CREATE INDEX notes_author ON notes (author)".to_owned(),
            part: "(author)".to_owned(),
            condition: None,
            step: "SEARCH notes (author=?)".to_owned(),
            plan: vec!["SEARCH notes USING INDEX notes_author (author=?)".to_owned()],
            after,
            needs_measure: false,
        };
        Obstacle {
            step: 0,
            kind: Kind::NoIndex,
            start: 0,
            end: 0,
            column: None,
            index: None,
            words: "no index of `notes` begins with `author`".to_owned(),
            advice: None,
            fix: Some(fix),
        }
    }

    fn measured(is_wasteful: bool) -> After {
        After {
            class: Class::Linear,
            is_wasteful,
            is_alike: true,
            rises: None,
            steps: Some([(100, 300), (400, 1200)]),
            lessened: None,
            is_joint: false,
            left: None,
        }
    }

    #[test]
    fn what_was_planned_is_a_cure_and_what_was_measured_in_vain_is_none() {
        for after in [None, Some(measured(false))] {
            let obstacle = helped(after);
            let reason = obstacle.cure().map(|(_, reason)| reason);
            assert_eq!(reason.as_deref(), Some("No index of `notes` begins with `author`."));
        }
        let obstacle = helped(Some(measured(true)));
        assert!(obstacle.cure().is_none());
        assert!(obstacle.help().contains("is no cure"), "{}", obstacle.help());
        let obstacle = helped(Some(After { lessened: Some(4800), ..measured(true) }));
        assert!(obstacle.cure().is_none());
        let help = obstacle.help();
        assert!(help.ends_with("lessens the cost and is no cure: measured with it, the statement takes 300 steps with 100 rows in each table, 1,200 with 400 in place of 4,800."), "{help}");
        let mut obstacle = helped(Some(After { left: Some(1), ..measured(true) }));
        obstacle.fix.iter_mut().for_each(|fix| fix.plan.push("  SCAN pages".to_owned()));
        assert!(obstacle.cure().is_none());
        assert!(
            obstacle.help().contains("alone is not enough, as `SCAN pages` is left"),
            "{}",
            obstacle.help()
        );
    }
}

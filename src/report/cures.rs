//! Cures: what was proved to help, and how it is said. Knows no width and no colour.

use super::{Diagnostic, Judged};
use crate::{
    growth::Class,
    obstacle::{After, Fix, FixKind, Obstacle, Rise},
    trial::{Action, Effect, Trial, Verdict},
    workload::KeyIndex,
};

/// What makes a finding go away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cure {
    /// `index`, `rewrite`, `analyze` or `drop_index`.
    pub kind: String,
    /// CREATE INDEX, DROP INDEX, or the statement in other words.
    pub sql: String,
    /// The words of a rewrite that are new.
    pub part: Option<String>,
    /// Where a rewrite means the same, in words that follow "if"; `None` where it always does.
    pub condition: Option<String>,
    /// Whether it was tried, and held.
    pub proved: bool,
    /// The plan with it.
    pub plan: Vec<String>,
    /// The growth class with it, where it was measured.
    pub class: Option<String>,
    /// Rows in the tables and the steps of SQLite's virtual machine then, a number per size measured.
    pub measured: Vec<(u64, u64)>,
    /// With other values it grows faster: where, in words that follow a number of steps.
    pub rises: Option<&'static str>,
    /// Statements that were found to become slower by it.
    pub worse: Vec<String>,
}

/// What was tried, and helped.
pub(super) fn of(fix: &Fix) -> Cure {
    Cure {
        part: (fix.kind == FixKind::Rewrite).then(|| fix.part.clone()),
        condition: fix.condition.clone(),
        ..tried((fix.kind.as_str(), &fix.text), &fix.plan, fix.after.as_ref())
    }
}

/// That an index is dropped: where a trial without it made a statement better, and none worse.
pub(super) fn dropped(trial: &Trial, effect: &Effect) -> Option<Cure> {
    let is_needed = trial.effects.iter().any(|other| other.verdict == Verdict::Worse);
    let helps = trial.action == Action::DropIndex && effect.verdict == Verdict::Better;
    // What rows do not explain, wherever that is, is no number to hold against others.
    let after = effect.measured.filter(|after| !after.is_wasteful);
    let change = (trial.action.as_str(), trial.sql.as_str());
    (helps && !is_needed).then(|| tried(change, &effect.plan, after.as_ref()))
}

/// The index that finds the children of a foreign key.
pub(super) fn of_key(index: &KeyIndex) -> Cure {
    tried(("index", &index.sql), std::slice::from_ref(&index.step), None)
}

/// A change of a kind that was tried, with the plan and what was measured then.
fn tried((kind, sql): (&str, &str), plan: &[String], after: Option<&After>) -> Cure {
    // Numbers of other values would be held against those of the finding.
    let is_alike = |after: &&After| after.is_alike || after.class == Class::Constant;
    let steps = after.filter(is_alike).and_then(|after| after.steps);
    Cure {
        kind: kind.to_owned(),
        sql: sql.to_owned(),
        part: None,
        condition: None,
        proved: true,
        plan: plan.to_vec(),
        class: after.map(|after| after.class.as_str().to_owned()),
        measured: steps.map_or_else(Vec::new, Vec::from),
        rises: after.and_then(|after| after.rises).map(Rise::short),
        // Other statements are not planned again for it: that is what advice does.
        worse: Vec::new(),
    }
}

/// What was proved to help a statement, once each; where nothing was, what keeps it from being fast.
pub fn all<'a>(obstacles: impl Iterator<Item = &'a Obstacle> + Clone) -> (Vec<Cure>, Option<String>) {
    let mut cures: Vec<Cure> = Vec::new();
    for (fix, _) in obstacles.clone().filter_map(Obstacle::cure) {
        if !cures.iter().any(|known| known.sql == fix.text) {
            cures.push(of(fix));
        }
    }
    let help = obstacles.map(Obstacle::help).next().filter(|_| cures.is_empty());
    (cures, help)
}

impl Cure {
    /// What is new in the program or its schema.
    pub(super) fn text(&self) -> &str {
        self.part.as_deref().unwrap_or(&self.sql)
    }

    /// What is to be written, with `quote` on both sides of the SQL.
    pub(super) fn words(&self, quote: &str) -> String {
        let write = if self.part.is_some() { "write " } else { "" };
        format!("{write}{quote}{}{quote}", self.text())
    }

    /// Where a rewrite means the same, in words; `None` where it always does.
    pub(super) fn proviso(&self) -> Option<String> {
        self.condition.as_ref().map(|condition| format!("which means the same if {condition}"))
    }

    /// Both in one line.
    pub(super) fn sentence(&self, quote: &str) -> String {
        let words = self.words(quote);
        self.proviso().map_or_else(|| words.clone(), |proviso| format!("{words}, {proviso}"))
    }

    /// The rows of its plan that are not in the plan as it is.
    pub(super) fn new_steps(&self, judged: &[Judged]) -> Vec<&str> {
        let before = judged.first().map_or(&[] as &[_], |one| one.plan.as_slice());
        let is_new = |step: &&String| !before.iter().any(|old| old.trim() == step.trim());
        let new: Vec<&str> = self.plan.iter().filter(is_new).map(|step| step.trim()).collect();
        // One row less can be what helps.
        if new.is_empty() { self.plan.iter().map(|step| step.trim()).collect() } else { new }
    }
}

impl Diagnostic {
    /// What to do, in one line, for those who are shown one text: why, and what cures it.
    pub fn what_to_do(&self) -> String {
        let help = self.help.iter().flat_map(|help| help.split_whitespace()).collect::<Vec<_>>().join(" ");
        let cure = |cure: &Cure| format!("Cure: {}.", cure.sentence("`"));
        let all = std::iter::once(help).filter(|help| !help.is_empty()).chain(self.cures.iter().map(cure));
        all.collect::<Vec<_>>().join(" ")
    }
}

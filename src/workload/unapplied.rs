//! Statements of a schema's steps that did not run in their place, where that place is a guess: the step that would make what they
//! need comes later, or was not found. Whether that is an error is not known, so that it is said and not judged.

use super::Database;
use crate::{
    migration::{Origin, Runs, Step},
    schema::{Kind, Refusal, RefusalKind, variant::Outcome},
};

impl Database {
    /// The statements that did not run in an order that is a guess, each with what SQLite said.
    pub fn unapplied(&self) -> impl Iterator<Item = (&Outcome, &Refusal)> {
        let is_guess = self.declaration.origin == Origin::Guessed;
        let is_loose = move |outcome: &Outcome| {
            let step = self.declaration.steps.get(outcome.step);
            is_guess && step.is_some_and(|step| !step.is_ordered && self.runs_it(step))
        };
        let refused = |outcome| {
            let refusal =
                refusal(outcome).filter(|refusal| !drops(outcome) || self.has_in_the_end(refusal))?;
            Some((outcome, refusal))
        };
        self.variant.outcomes.iter().filter(move |&outcome| is_loose(outcome)).filter_map(refused)
    }

    /// Whether what was missing is there in the end: what drops something else has nothing to do.
    fn has_in_the_end(&self, refusal: &Refusal) -> bool {
        let (RefusalKind::NoSuchTable(name) | RefusalKind::NoSuchIndex(name)) = &refusal.kind else {
            return true;
        };
        let name = name.rsplit_once('.').map_or(name.as_str(), |(_, name)| name);
        let objects = &self.variant.objects;
        let tables = objects.tables.iter().map(|one| one.name.as_str());
        let views = objects.views.iter().map(|one| one.name.as_str());
        let indexes = objects.indexes.iter().map(|one| one.name.as_str());
        tables.chain(views).chain(indexes).any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Whether a database that is made as the program makes a new one runs a step, and all of its text is known.
    fn runs_it(&self, step: &Step) -> bool {
        let is_spared = self.is_snapshot && step.runs == Runs::Migration;
        !is_spared && step.text.holes().is_empty()
    }
}

fn drops(outcome: &Outcome) -> bool {
    let sql = outcome.text.as_str().get(outcome.applied.start..outcome.applied.end).unwrap_or("");
    matches!(Kind::of(sql), Kind::DropTable | Kind::DropView | Kind::DropIndex | Kind::DropTrigger)
}

/// What SQLite said for want of something that another step may make.
fn refusal(outcome: &Outcome) -> Option<&Refusal> {
    let is_want = |refusal: &&Refusal| {
        matches!(
            refusal.kind,
            RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_) | RefusalKind::NoSuchIndex(_)
        )
    };
    outcome.applied.outcome.as_ref().err().filter(is_want)
}

//! What became of plans, as JSON. docs/plans.md describes it.

use super::{CureOut, document::document};
use crate::{
    lock::{Became, Entry, Growth},
    report::plans::{PlanDiff, Told},
};
use serde::Serialize;

/// What became of plans, on one line with a line break at its end.
pub fn render_plans(diff: &PlanDiff) -> String {
    let own = DiffOut {
        against: &diff.against,
        counts: CountsOut {
            added: diff.added,
            removed: diff.removed,
            rewritten: diff.rewritten,
            unchanged: diff.same,
        },
        statements: diff.told().map(ToldOut::from).collect(),
    };
    document(&diff.sqlite, Some("."), own)
}

#[derive(Serialize)]
struct DiffOut<'a> {
    against: &'a str,
    counts: CountsOut,
    statements: Vec<ToldOut<'a>>,
}

#[derive(Serialize)]
struct CountsOut {
    added: usize,
    removed: usize,
    rewritten: usize,
    unchanged: usize,
}

#[derive(Serialize)]
struct ToldOut<'a> {
    change: &'static str,
    database: &'a str,
    schema: &'a str,
    statement: &'a str,
    places: &'a [String],
    reasons: &'a [String],
    before: Option<EntryOut<'a>>,
    after: EntryOut<'a>,
    cures: Vec<CureOut<'a>>,
    help: Option<&'a str>,
}

impl<'a> From<&'a Told> for ToldOut<'a> {
    fn from(one: &'a Told) -> Self {
        let key = &one.entry.key;
        let before = one.change.as_ref();
        Self {
            change: one.word(),
            database: &key.database,
            schema: key.schema.as_deref().unwrap_or("declared"),
            statement: &key.statement,
            places: &one.places,
            reasons: before.map_or(&[], |(_, _, reasons)| reasons),
            before: before.map(|(_, before, _)| EntryOut::from(before)),
            after: EntryOut::from(&one.entry),
            cures: one.cures.iter().filter(|_| one.is_worse()).map(CureOut::from).collect(),
            help: one.help.as_deref().filter(|_| one.is_worse()),
        }
    }
}

#[derive(Serialize)]
struct EntryOut<'a> {
    statement: &'a str,
    plan: Option<&'a [String]>,
    class: Option<&'static str>,
    explained: Option<bool>,
    refused: Option<&'a str>,
}

impl<'a> From<&'a Entry> for EntryOut<'a> {
    fn from(entry: &'a Entry) -> Self {
        let (plan, growth, refused) = match &entry.became {
            Became::Planned { growth, plan } => (Some(plan.as_slice()), *growth, None),
            Became::Refused(words) => (None, None, Some(words.as_str())),
        };
        let known = growth.and_then(|growth| match growth {
            Growth::Known { class, wasted } => Some((class.as_str(), !wasted)),
            Growth::Unknown => None,
        });
        let (class, explained) = known.unzip();
        Self { statement: &entry.key.statement, plan, class, explained, refused }
    }
}

//! Statements that read several tables, each of which wants an index of its own: where no index is enough alone, whether all are.

use super::{
    compare,
    cured::{self, Help, Measured},
    shared::created,
};
use crate::{
    growth::{Again, Growth},
    obstacle::{After, FixKind},
    schema::Live,
    workload::Statement,
};

/// The most statements whose indexes are measured together.
const MOST: usize = 24;

/// An index, by the place of the obstacles of its statement and that of the one among them, its text and its tables.
type Index<'a> = ((usize, usize), &'a str, Vec<&'a str>);

/// A statement, with the indexes that are for its steps.
pub(super) struct Joint<'a> {
    statement: &'a Statement,
    place: usize,
    before: &'a Growth,
    /// One for each table.
    indexes: Vec<Index<'a>>,
    /// Of more indexes than one, or of other ones.
    is_several: bool,
}

impl<'a> Joint<'a> {
    /// One for each statement that an index would help. Those come first that need no measurement.
    pub fn of(cures: &[Help<'a>]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let (open, plain): (Vec<&Help<'a>>, Vec<&Help<'a>>) =
            cures.iter().partition(|cure| cure.fix.needs_measure);
        for cure in plain.into_iter().chain(open) {
            // What is of several tables is a whole itself.
            let tables = cure.fix.tables();
            let index = (!cure.fix.is_of_several()).then_some((cure.at, cure.fix.text.as_str(), tables));
            match found.iter_mut().find(|one| one.place == cure.place) {
                Some(known) => {
                    known.is_several = true;
                    known.add(index);
                }
                None => found.push(Self {
                    statement: cure.statement,
                    place: cure.place,
                    before: cure.before,
                    indexes: index.into_iter().collect(),
                    is_several: false,
                }),
            }
        }
        found
    }

    fn add(&mut self, index: Option<Index<'a>>) {
        let is_rival = |one: &Index<'_>| {
            self.indexes
                .iter()
                .any(|other| other.1 != one.1 && other.2.iter().any(|table| one.2.contains(table)))
        };
        self.indexes.extend(index.filter(|one| !is_rival(one)));
    }

    /// Whether something helps this statement, and is not the only thing that does.
    pub fn has_beside(&self, cure: &Help<'_>) -> bool {
        self.place == cure.place && self.is_several
    }

    /// The indexes, each once.
    fn texts(&self) -> Vec<&'a str> {
        let mut texts: Vec<&str> = Vec::new();
        for (_, text, _) in &self.indexes {
            if !texts.contains(text) {
                texts.push(text);
            }
        }
        texts
    }
}

/// Measures statements with all their indexes, where none of these was enough.
pub(super) fn measure(again: &Again<'_>, live: &mut Live, joint: &[Joint<'_>], found: &mut Vec<Measured>) {
    let is_healed = |one: &Joint<'_>| {
        let own = |at: (usize, usize)| one.indexes.iter().any(|index| index.0 == at);
        found.iter().any(|(statement, number, after)| own((*statement, *number)) && !after.is_wasteful)
    };
    let left: Vec<&Joint<'_>> = joint.iter().filter(|one| one.texts().len() > 1 && !is_healed(one)).collect();
    for one in left.into_iter().take(MOST) {
        found.extend(together(again, live, one).unwrap_or_default());
    }
}

/// What was measured with all indexes, for those that SQLite goes by then.
fn together(again: &Again<'_>, live: &mut Live, one: &Joint<'_>) -> Option<Vec<Measured>> {
    let mut copy = live.copy().ok()?;
    for text in one.texts() {
        copy.apply(text).iter().all(|applied| applied.outcome.is_ok()).then_some(())?;
    }
    let explained = copy.explain(one.statement.text.as_str()).ok()?;
    let is_proven = explained.proven_constant;
    let goes_by = |text: &str| {
        let made = text.split("; ").filter_map(created);
        let mut steps = made.flat_map(|name| explained.plan.steps.iter().map(move |step| (step, name)));
        steps.any(|(step, name)| compare::goes_by(step, name))
    };
    let used: Vec<&Index<'_>> = one.indexes.iter().filter(|(_, text, _)| goes_by(text)).collect();
    let first = used.first().map(|(_, text, _)| text);
    used.iter().any(|(_, text, _)| Some(text) != first).then_some(())?;
    let places: Vec<(usize, usize)> = used.iter().map(|(at, ..)| *at).collect();
    let growths = again.measure(&mut copy, &[(one.place, one.statement, explained)]);
    let after = cured::outcome(growths.first()?, one.before, FixKind::Index, is_proven)?;
    let after = After { is_joint: true, ..after };
    (!after.is_wasteful).then(|| places.into_iter().map(|(at, number)| (at, number, after)).collect())
}

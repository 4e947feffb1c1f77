//! Statements that read several tables, each of which wants an index of its own: where no index is enough alone, whether all are.

use super::cured::{self, Help, Measured};
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
    /// One for each statement that an index would help.
    pub fn of(cures: &[Help<'a>]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for cure in cures {
            let text = cure.fix.text.as_str();
            // What only a measurement can prove is no part of a whole.
            let index = (!cure.fix.needs_measure).then(|| (cure.at, text, cure.fix.tables()));
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
        let Some(after) = together(again, live, one).filter(|after| !after.is_wasteful) else { continue };
        let after = After { is_joint: true, ..after };
        found.extend(one.indexes.iter().map(|((statement, number), ..)| (*statement, *number, after)));
    }
}

fn together(again: &Again<'_>, live: &mut Live, one: &Joint<'_>) -> Option<After> {
    let mut copy = live.copy().ok()?;
    for text in one.texts() {
        copy.apply(text).iter().all(|applied| applied.outcome.is_ok()).then_some(())?;
    }
    let explained = copy.explain(one.statement.text.as_str()).ok()?;
    let is_proven = explained.proven_constant;
    let growths = again.measure(&mut copy, &[(one.place, one.statement, explained)]);
    cured::outcome(growths.first()?, one.before, FixKind::Index, is_proven)
}

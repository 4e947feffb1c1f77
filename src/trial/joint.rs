//! Statements that read several tables, each of which wants an index of its own: where no index is enough alone, whether all are.
//! Those that are take the place of each.

use super::{
    change, compare,
    cured::{self, Help, Measured},
    shared::{Shared, created},
};
use crate::{
    growth::{Again, Growth},
    obstacle::{After, Fix, FixKind},
    schema::Live,
    workload::Statement,
};

/// The most statements whose indexes are measured together.
const MOST: usize = 24;

/// An index, by the place of the obstacles of its statement and that of the one among them.
type Index<'a> = ((usize, usize), &'a Fix);

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
            let index = (!cure.fix.is_of_several()).then_some((cure.at, cure.fix));
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
        let is_rival = |one: &Index<'a>| {
            let tables = one.1.tables();
            let is_other = |other: &&Index<'a>| other.1.text != one.1.text;
            let mut others = self.indexes.iter().filter(is_other);
            others.any(|other| other.1.tables().iter().any(|table| tables.contains(table)))
        };
        let index = index.filter(|one| !is_rival(one));
        self.indexes.extend(index);
    }

    /// Whether something helps this statement, and is not the only thing that does.
    pub fn has_beside(&self, cure: &Help<'_>) -> bool {
        self.place == cure.place && self.is_several
    }
}

/// The indexes, each once.
fn once<'a>(indexes: &[Index<'a>]) -> Vec<&'a Fix> {
    let mut fixes: Vec<&Fix> = Vec::new();
    for (_, fix) in indexes {
        if !fixes.iter().any(|known| known.text == fix.text) {
            fixes.push(fix);
        }
    }
    fixes
}

/// Measures statements with all their indexes, where none of these was enough. Gives what takes the place of each.
pub(super) fn measure(
    again: &Again<'_>,
    live: &mut Live,
    joint: &[Joint<'_>],
    found: &mut Vec<Measured>,
) -> Vec<Shared> {
    let is_healed = |one: &&Joint<'_>| {
        let own = |at: (usize, usize)| one.indexes.iter().any(|index| index.0 == at);
        found.iter().any(|(statement, number, after)| own((*statement, *number)) && !after.is_wasteful)
    };
    let several = joint.iter().filter(|one| once(&one.indexes).len() > 1);
    let left: Vec<&Joint<'_>> = several.filter(|one| !is_healed(one)).take(MOST).collect();
    let mut wholes: Vec<Shared> = Vec::new();
    for whole in left.into_iter().filter_map(|one| together(again, live, one)) {
        found.extend(whole.iter().filter_map(|(at, number, fix)| Some((*at, *number, fix.after?))));
        wholes.extend(whole);
    }
    wholes
}

/// The indexes by which SQLite goes where all are there, as one cure, if they are one.
fn together(again: &Again<'_>, live: &mut Live, one: &Joint<'_>) -> Option<Vec<Shared>> {
    let all: Vec<&str> = once(&one.indexes).into_iter().map(|fix| fix.text.as_str()).collect();
    let mut copy = change::done(live, &all.join("; "))?;
    let explained = copy.explain(one.statement.text.as_str()).ok()?;
    let is_proven = explained.proven_constant;
    let goes_by = |fix: &Fix| {
        let mut made = fix.text.split("; ").map(created);
        made.any(|name| explained.plan.steps.iter().any(|step| compare::goes_by(step, name)))
    };
    let used: Vec<Index<'_>> = one.indexes.iter().copied().filter(|(_, fix)| goes_by(fix)).collect();
    let fixes = once(&used);
    (fixes.len() > 1).then_some(())?;
    let each = |part: &dyn Fn(&Fix) -> &str, between: &str| {
        fixes.iter().map(|fix| part(fix)).collect::<Vec<_>>().join(between)
    };
    let (text, part) = (each(&|fix| &fix.text, "; "), each(&|fix| &fix.part, " and "));
    let (step, plan) = (each(&|fix| &fix.step, " and "), explained.plan.lines());
    let growths = again.measure(&mut copy, &[(one.place, one.statement, explained)]);
    let after = cured::outcome(growths.first()?, one.before, (FixKind::Index, &text), is_proven)?;
    let after = Some(After { is_joint: true, ..after }).filter(|after| !after.is_wasteful);
    after.is_some().then_some(())?;
    let whole = |((at, number), fix): &Index<'_>| {
        let (text, part, step, plan) = (text.clone(), part.clone(), step.clone(), plan.clone());
        (*at, *number, Fix { text, part, step, plan, after, ..(*fix).clone() })
    };
    Some(used.iter().map(whole).collect())
}

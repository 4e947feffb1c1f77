//! Units that stand in front of one in a list and go on with it on the same rows: they add a column to its table, or fill it anew; and
//! those that no database has run without it. What is in its way when it is run alone may be nothing that they leave. Knows words and
//! the order of a list, and no release: what stands together there is taken to have come together.

use super::{
    scene::Before,
    unit::{Unit, has_word},
};
use crate::{
    migration::mentions,
    schema::{Image, Kind, rehearsal::At},
};
use std::collections::BTreeSet;

/// A unit with those in front of it that lead to it, and what is there before those.
pub(super) struct Led<'a> {
    pub unit: Unit<'a>,
    pub before: Before,
    /// What fails without rows already.
    pub forgiven: BTreeSet<At>,
}

/// Units that come together, as far as they ran, where no moments are kept.
pub(super) struct Begun<'a> {
    first: &'a Unit<'a>,
    before: Image,
    /// How many steps ran.
    steps: usize,
    failed: BTreeSet<At>,
}

impl<'a> Begun<'a> {
    pub const fn new(first: &'a Unit<'a>, before: Image) -> Self {
        Self { first, before, steps: 0, failed: BTreeSet::new() }
    }

    pub fn goes_on(&self, unit: &Unit<'_>) -> bool {
        unit.comes_with(self.first)
    }

    /// Takes down that a unit ran, and what of it failed.
    pub fn add(&mut self, unit: &Unit<'_>, failed: &BTreeSet<At>) -> &Self {
        self.failed.extend(failed.iter().map(|(part, start)| (self.steps + part, *start)));
        self.steps += unit.steps.len();
        self
    }

    /// All that ran, if it is this.
    pub fn led<'u>(&self, unit: Unit<'u>) -> Option<Led<'u>> {
        let (before, forgiven) = (Before::Whole(self.before.clone()), self.failed.clone());
        (unit.first() == self.first.first()).then_some(Led { unit, before, forgiven })
    }
}

/// A unit with those in front of it that lead to it; `None` where none do.
pub(super) fn led<'a>(units: &[Unit<'a>], place: usize) -> Option<Unit<'a>> {
    let (before, own) = (units.get(..place)?, units.get(place)?);
    let list = own.list();
    let mut chain = Chain::default();
    chain.leads(own);
    let mut leads = |unit: &Unit<'a>| match list {
        Some(list) => unit.list() == Some(list) && chain.leads(unit),
        None => own.comes_with(unit),
    };
    let mut is_one = |unit: &&Unit<'a>| unit.is_known() && leads(unit);
    let count = before.iter().rev().take_while(|unit| is_one(unit)).count();
    let steps = units.get(place - count..=place)?.iter().flat_map(|unit| unit.steps.clone());
    (count > 0).then(|| Unit { steps: steps.collect() })
}

/// What units do, from the last to the first.
#[derive(Default)]
struct Chain {
    /// The tables that they are about, in lower case.
    tables: BTreeSet<String>,
    /// Those of them that they fill from others, and have not made yet.
    filled: BTreeSet<String>,
}

impl Chain {
    /// Whether a unit changes the rows or the columns of these tables, and makes none but one that is filled from another; it is taken in
    /// then.
    fn leads(&mut self, unit: &Unit<'_>) -> bool {
        let mut about = BTreeSet::new();
        let mut filled = self.filled.clone();
        let mut leads = true;
        for sql in unit.statements().collect::<Vec<_>>().into_iter().rev() {
            let found = mentions(sql);
            leads &= match Kind::of(sql) {
                Kind::AlterTable | Kind::Update | Kind::Delete => true,
                Kind::Insert | Kind::Replace => {
                    filled.extend(found.used.first().cloned());
                    has_word(sql, "select")
                }
                Kind::CreateTable => found.created.iter().all(|name| filled.remove(name)),
                _ => false,
            };
            about.extend(found.created.into_iter().chain(found.used));
        }
        if self.tables.is_empty() || (leads && !self.tables.is_disjoint(&about)) {
            (self.tables, self.filled) = (self.tables.union(&about).cloned().collect(), filled);
            return true;
        }
        false
    }
}

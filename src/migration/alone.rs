//! Which sets of declarations are databases at all, and which only work on the tables of another: scripts that undo the steps of
//! another set, files that go on where another ends, code that makes tables of those that are there. Knows words and their order;
//! no grammar.

use super::{
    Declaration, Runs, Step, common_parts,
    files::as_snapshot,
    mentions,
    outside::{makes_own, schemas_made_in},
    tables::{Deed, deeds},
};
use crate::{
    extract::{Extraction, Literal, Role, sql, text::HOLE},
    source::Sources,
};
use std::collections::BTreeSet;

/// Takes those away that are none, where another one makes the tables that they work on.
pub(super) fn settle(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    let balances: Vec<Balance> = declared.iter().map(|one| Balance::of(sources, one)).collect();
    let mut fates: Vec<Option<(usize, Fate)>> = Vec::new();
    for (index, (one, balance)) in declared.iter().zip(&balances).enumerate() {
        let found = balance.own.is_empty().then(|| {
            let touched = balance.touched(extraction);
            let owner = owner(sources, declared, &balances, index, &touched)?;
            let fate = fate(balance, one, balances.get(owner)?, declared.get(owner)?)?;
            Some((owner, fate))
        });
        fates.push(found.flatten());
    }
    for (index, fate) in fates.iter().enumerate() {
        let (Some((owner, fate)), Some(one)) = (fate, declared.get(index).cloned()) else { continue };
        if let Some(owner) = declared.get_mut(*owner) {
            fate.settle(extraction, owner, one);
        }
    }
    let mut fates = fates.into_iter();
    declared.retain(|_| fates.next().flatten().is_none());
    // What has no table of its own is no database, where another one is, and no code that only puts indexes on tables.
    let has_own = |one: &Declaration| texts(one).any(makes_own);
    let is_one = |one: &Declaration| has_own(one) || texts(one).any(|text| makes_attached(extraction, text));
    let is_any = declared.iter().any(has_own);
    declared
        .retain(|one| is_one(one) || !is_any && (one.is_files(sources) || !one.steps.iter().any(extends)));
}

fn texts(one: &Declaration) -> impl Iterator<Item = &str> {
    one.create.iter().chain(&one.steps).map(|step| step.text.as_str())
}

/// Whether a text makes tables in a schema that the program attaches under that name, or under one that it computes.
fn makes_attached(extraction: &Extraction, text: &str) -> bool {
    let is_attached = |name: &String| {
        let texts = extraction.literals.iter().flat_map(|literal| &literal.variants);
        let mut lower = texts.map(|text| text.as_str().to_ascii_lowercase());
        lower.any(|text| {
            let names = |text: &str| sql::contains_word(text, name) || is_computed(text);
            text.trim_start().starts_with("attach") && names(&text)
        })
    };
    schemas_made_in(text).iter().any(is_attached)
}

/// Whether a text in lower case attaches under a name that is computed.
fn is_computed(text: &str) -> bool {
    let behind = text.rsplit_once(" as ").map_or("", |(_, behind)| behind);
    behind.trim_start_matches(['"', '\'', '`', '[', ' ']).starts_with(HOLE)
}

/// The words of what changes rows, or takes away what is there.
const WRITES: [&str; 5] = ["drop", "insert", "update", "delete", "replace"];

/// What becomes of a set that is no database of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It undoes the other's steps, or is run by hand: it is none of them.
    Passed,
    /// It follows what the other makes at once.
    Follows,
    /// It goes on with the other's numbers.
    GoesOn,
    /// It puts indexes and views on the other's tables.
    Adds,
    /// It makes tables beside the other's, while the program runs.
    Works,
}

impl Fate {
    fn settle(self, extraction: &Extraction, owner: &mut Declaration, one: Declaration) {
        // What it makes room for, it may take away before.
        let makes = |step: &Step| {
            let deeds = deeds(step.text.as_str());
            matches!(deeds.iter().find(|deed| !matches!(deed, Deed::Drops(_))), Some(Deed::Creates { .. }))
        };
        match self {
            Self::Passed => {
                owner.aside.extend(one.steps.iter().chain(&one.create).map(|step| step.literal));
                return;
            }
            Self::Follows => {
                let made = std::mem::replace(&mut owner.steps, one.steps);
                owner.create = made.into_iter().map(as_snapshot).collect();
            }
            Self::GoesOn => owner.steps.extend(one.steps),
            Self::Adds => {
                let steps = one.steps.into_iter();
                owner.steps.extend(steps.map(|step| Step { is_ordered: false, runs: Runs::Open, ..step }));
            }
            Self::Works => {
                // A file that makes the whole schema goes before what code puts on its tables.
                let is_whole =
                    owner.steps.iter().all(|step| step.version.is_none()) && owner.create.is_empty();
                let there: BTreeSet<String> =
                    owner.steps.iter().flat_map(|step| mentions(step.text.as_str()).indexes).collect();
                let is_missing = |step: &Step| {
                    let made = mentions(step.text.as_str()).indexes;
                    is_whole
                        && is_index(step)
                        && !is_dropped(extraction, step)
                        && made.iter().all(|index| !there.contains(index))
                };
                let steps = one.steps.into_iter();
                let made = steps.filter(|step| makes(step) || is_added(step) || is_missing(step));
                owner.steps.extend(made.map(|step| Step { is_ordered: false, runs: Runs::Open, ..step }));
                return;
            }
        }
        owner.homes.extend(one.homes);
        owner.places.extend(one.places);
    }
}

/// What a set is to the one that makes the tables on which it works; `None` where it may be a database all the same.
fn fate(balance: &Balance, one: &Declaration, others: &Balance, owner: &Declaration) -> Option<Fate> {
    let numbers =
        |one: &Declaration| -> BTreeSet<u64> { one.steps.iter().filter_map(|step| step.version).collect() };
    if !balance.is_files {
        return Some(Fate::Works);
    }
    let (own, there) = (numbers(one), numbers(owner));
    if own.is_empty() && one.steps.iter().all(adds) {
        return Some(Fate::Adds);
    }
    if own.is_subset(&there) {
        return Some(Fate::Passed);
    }
    if !others.is_files {
        return None;
    }
    if there.is_empty() && owner.create.is_empty() {
        return Some(Fate::Follows);
    }
    (own.first() > there.last()).then_some(Fate::GoesOn)
}

/// Whether a step makes indexes or views, and changes nothing that is there.
fn adds(step: &Step) -> bool {
    let found = mentions(step.text.as_str());
    let makes = !found.indexes.is_empty() || !found.created.is_empty();
    makes && !found.alters && !has_any(step, &WRITES)
}

/// Whether steps of code put indexes or columns on tables, for good and while the program runs. Files with a number in front of
/// their names are steps of a series; what has a number itself is a step of a ladder.
pub(super) fn extend(sources: &Sources, extraction: &Extraction, steps: &[Step]) -> bool {
    let is_numbered = |literal: &Literal| {
        let name = sources.path(literal.site.source).rsplit('/').next().unwrap_or("");
        name.starts_with(|one: char| one.is_ascii_digit())
    };
    let is_one = |step: &Step| {
        let literal = extraction.literals.get(step.literal);
        let runs = literal.is_some_and(|one| {
            matches!(one.role, Role::Production | Role::StartUp | Role::Migration) && !is_numbered(one)
        });
        runs && (is_added(step) || is_index(step)) && !is_dropped(extraction, step)
    };
    steps.iter().any(is_one) && !steps.iter().any(|step| !mentions(step.text.as_str()).created.is_empty())
}

/// Whether a step makes indexes on tables of others, and is none of a ladder.
fn is_index(step: &Step) -> bool {
    !step.is_upgrade
        && extends(step)
        && !mentions(step.text.as_str()).indexes.is_empty()
        && !has_any(step, &["unique"])
}

/// Whether a step puts on tables what may be there already. An index that is made a second time in vain is one of a history that
/// is not seen.
fn is_added(step: &Step) -> bool {
    let text = step.text.as_str();
    let is_rerun =
        || mentions(text).indexes.is_empty() || text.to_ascii_lowercase().contains("if not exists");
    !step.is_upgrade && extends(step) && is_rerun()
}

/// Whether the program drops an index again that a step makes.
fn is_dropped(extraction: &Extraction, step: &Step) -> bool {
    let made = mentions(step.text.as_str()).indexes;
    let drops = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.contains("drop index")
            && made.iter().any(|index| sql::contains_word(&lower, &index.to_ascii_lowercase()))
    };
    !made.is_empty()
        && extraction.literals.iter().any(|one| one.variants.iter().any(|text| drops(text.as_str())))
}

/// Whether code makes no table, and puts indexes or columns on others'.
pub(super) fn only_extends(one: &Declaration) -> bool {
    let all = || one.create.iter().chain(&one.steps);
    all().any(extends) && !texts(one).any(makes_own)
}

/// Whether a step puts indexes or columns on tables, and does nothing else to them.
fn extends(step: &Step) -> bool {
    let found = mentions(step.text.as_str());
    let adds = !found.indexes.is_empty() || (found.alters && has_any(step, &["add"]));
    adds && found.created.is_empty() && !has_any(step, &WRITES) && !has_any(step, &["rename"])
}

/// Whether a step has one of these words.
fn has_any(step: &Step, words: &[&str]) -> bool {
    words.iter().any(|word| sql::contains_word(&step.key, word))
}

/// The database that makes most of these tables, and half of them at least; the nearest of equals.
fn owner(
    sources: &Sources,
    declared: &[Declaration],
    balances: &[Balance],
    index: usize,
    touched: &BTreeSet<String>,
) -> Option<usize> {
    let path = |one: &Declaration| one.homes.first().map_or("", |&home| sources.path(home)).to_owned();
    let own = path(declared.get(index)?);
    let others = declared.iter().zip(balances).enumerate().filter(|(at, _)| *at != index);
    let ranked = others.map(|(at, (one, balance))| {
        let made = touched.intersection(&balance.own).count();
        (made, common_parts(&own, &path(one)), std::cmp::Reverse(at))
    });
    let (made, _, at) = ranked.max()?;
    (made > 0 && made * 2 >= touched.len()).then_some(at.0)
}

/// What a set does to tables, all in all.
#[derive(Debug, Default)]
struct Balance {
    /// Whether it consists of files of SQL, the order of which is known.
    is_files: bool,
    /// Tables and views that it makes from nothing, and that stay, under names that are written there.
    own: BTreeSet<String>,
    /// Tables that must be there before it: it reads or changes them, and has not made them.
    needs: BTreeSet<String>,
    /// Tables that it takes away, if they are there.
    drops: BTreeSet<String>,
    /// All that it makes.
    made: BTreeSet<String>,
    /// What of that it makes under this name, and no other.
    named: BTreeSet<String>,
}

impl Balance {
    fn of(sources: &Sources, one: &Declaration) -> Self {
        let is_files = one.is_files(sources);
        let mut balance = Self { is_files, ..Self::default() };
        let mut copies = BTreeSet::new();
        for deed in one.create.iter().chain(&one.steps).flat_map(|step| deeds(step.text.as_str())) {
            if let Deed::Creates { name, is_copy: true, .. } = &deed {
                copies.insert(name.clone());
            }
            balance.add(deed);
        }
        if !is_files {
            // The order of what stands in code is not known for certain, but that a table is read which another takes the name of.
            let is_rebuilt = |name: &String| balance.drops.contains(name) && !balance.named.contains(name);
            balance.needs.retain(|name| !balance.made.contains(name) || is_rebuilt(name));
        }
        // What is made of another's tables stands beside them.
        if !balance.needs.is_empty() {
            balance.own.retain(|name| !copies.contains(name));
        }
        balance
    }

    fn add(&mut self, deed: Deed) {
        match deed {
            Deed::Creates { name, is_temporary, .. } => {
                let is_rebuilt = self.needs.contains(&name);
                if !is_temporary && !is_rebuilt && !name.contains(HOLE) {
                    self.own.insert(name.clone());
                }
                self.named.insert(name.clone());
                self.made.insert(name);
            }
            Deed::Needs(name) => {
                if !self.made.contains(&name) {
                    self.needs.insert(name);
                }
            }
            Deed::Drops(name) => {
                self.own.remove(&name);
                self.drops.insert(name);
            }
            Deed::Renames(from, to) => {
                if self.own.remove(&from) && !self.needs.contains(&to) {
                    self.own.insert(to.clone());
                }
                self.made.insert(to);
            }
        }
    }

    /// The tables of others on which it works: those that statements ask for together with what it makes, too.
    fn touched(&self, extraction: &Extraction) -> BTreeSet<String> {
        let mut touched: BTreeSet<String> = self.needs.union(&self.drops).cloned().collect();
        if !self.is_files {
            for literal in extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
                let used =
                    literal.variants.first().map(|text| mentions(text.as_str()).used).unwrap_or_default();
                if used.iter().any(|name| self.made.contains(name)) {
                    touched.extend(used);
                }
            }
        }
        touched.retain(|name| !self.made.contains(name) || self.needs.contains(name));
        touched
    }
}

//! What differs between two locks, and whether that is good. Growth decides where it is known on both sides; else, and
//! where it says nothing, the steps of the plans do.

use super::{Became, Entry, Growth, Home, Key};
use crate::plan::{Index, Op, Purpose, Step, steps};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// What differs between two locks.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// The statements that SQLite runs otherwise, the worse first, then the better, then the others.
    pub changes: Vec<Change>,
    /// Those that are new.
    pub added: Vec<Entry>,
    /// Those that are gone.
    pub removed: Vec<Entry>,
    /// Those that have another text and the same plan: as they were, and as they are.
    pub rewritten: Vec<(Entry, Entry)>,
    /// How many are as they were.
    pub same: usize,
}

/// A statement that SQLite runs otherwise.
#[derive(Debug, Clone)]
pub struct Change {
    /// Whether that is good.
    pub verdict: Verdict,
    /// As it was.
    pub before: Entry,
    /// As it is.
    pub after: Entry,
    /// What became worse, or better, in words; empty where neither did.
    pub reasons: Vec<String>,
}

/// Whether a change is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is not.
    Worse,
    /// It is.
    Better,
    /// Neither.
    Other,
}

impl Verdict {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Other => "other",
        }
    }
}

impl Comparison {
    /// Whether both say the same.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.rewritten.is_empty()
    }
}

/// Compares two locks.
pub fn compare(before: Vec<Entry>, after: Vec<Entry>) -> Comparison {
    let mut found = Comparison::default();
    let by_key = |entries: Vec<Entry>| -> BTreeMap<Key, Entry> {
        entries.into_iter().map(|one| (one.key.clone(), one)).collect()
    };
    let (old, new) = (by_key(before), by_key(after));
    for (key, after) in &new {
        match old.get(key).cloned().or_else(|| declared(&old, key)) {
            Some(before) => match change(before, after.clone()) {
                Some(change) => found.changes.push(change),
                None => found.same += 1,
            },
            None => found.added.push(after.clone()),
        }
    }
    for (key, before) in old.iter().filter(|(key, _)| !new.contains_key(key)) {
        match declared(&new, key) {
            Some(after) => found.changes.extend(change(before.clone(), after)),
            None => found.removed.push(before.clone()),
        }
    }
    for (before, after) in rewritten(&mut found) {
        match change(before.clone(), after.clone()) {
            Some(change) => found.changes.push(change),
            None => found.rewritten.push((before, after)),
        }
    }
    found.changes.sort_by(|a, b| (a.verdict, &a.after.key).cmp(&(b.verdict, &b.after.key)));
    found
}

/// What is said of a statement on a schema, where nothing is: that schema was, or is, no other than the declared one.
fn declared(entries: &BTreeMap<Key, Entry>, key: &Key) -> Option<Entry> {
    key.schema.as_ref()?;
    let entry = entries.get(&key.declared())?;
    Some(Entry { key: key.clone(), ..entry.clone() })
}

/// Takes the statements that are gone with those that came in their place.
fn rewritten(found: &mut Comparison) -> Vec<(Entry, Entry)> {
    let pairs = pairs(&found.removed, &found.added);
    let entry = |entries: &[Entry], at: usize| entries.get(at).cloned();
    let both = |&(gone, come): &(usize, usize)| entry(&found.removed, gone).zip(entry(&found.added, come));
    let all = pairs.iter().filter_map(both).collect();
    remove(&mut found.removed, &pairs.iter().map(|pair| pair.0).collect());
    remove(&mut found.added, &pairs.iter().map(|pair| pair.1).collect());
    all
}

fn remove(entries: &mut Vec<Entry>, gone: &BTreeSet<usize>) {
    let mut at = 0..;
    entries.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
}

/// A statement that is gone and one that came are one where each is the only one of its kind in their function.
fn pairs(removed: &[Entry], added: &[Entry]) -> Vec<(usize, usize)> {
    let (gone, come) = (lone(removed), lone(added));
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (role, removed) in gone {
        if let (Some(removed), Some(Some(added))) = (removed, come.get(&role)) {
            found.entry(removed).or_default().insert(*added);
        }
    }
    let mut taken = BTreeSet::new();
    let only = |(removed, added): (usize, BTreeSet<usize>)| {
        let added = added.first().copied().filter(|_| added.len() == 1)?;
        taken.insert(added).then_some((removed, added))
    };
    found.into_iter().filter_map(only).collect()
}

/// What a statement shares with the one that it was made of: place, database, schema and verb.
type Role<'a> = (&'a Home, &'a str, Option<&'a str>, &'a str);

/// The statements by what they share with others; none where several share it.
fn lone(entries: &[Entry]) -> BTreeMap<Role<'_>, Option<usize>> {
    let mut found = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let Key { database, statement, schema } = &entry.key;
        let verb = statement.split(' ').next().unwrap_or_default();
        for home in &entry.homes {
            let role = (home, database.as_str(), schema.as_deref(), verb);
            found.entry(role).and_modify(|known| *known = None).or_insert(Some(at));
        }
    }
    found
}

/// How one statement changed; `None` where it did not.
fn change(before: Entry, after: Entry) -> Option<Change> {
    let (verdict, reasons) = match (&before.became, &after.became) {
        (Became::Refused(old), Became::Refused(new)) if old == new => return None,
        (Became::Refused(_), Became::Refused(_)) => (Verdict::Other, Vec::new()),
        (Became::Refused(_), Became::Planned { .. }) => {
            (Verdict::Better, vec!["SQLite accepts it now".to_owned()])
        }
        (Became::Planned { .. }, Became::Refused(words)) => {
            (Verdict::Worse, vec![format!("SQLite refuses it: {words}")])
        }
        (
            Became::Planned { growth: old_growth, plan: old },
            Became::Planned { growth: new_growth, plan: new },
        ) => {
            // What one side does not say is no difference.
            let growths = old_growth.zip(*new_growth);
            if old == new && growths.is_none_or(|(old, new)| old == new) {
                return None;
            }
            judge(growths, old, new)
        }
    };
    Some(Change { verdict, before, after, reasons })
}

fn judge(growths: Option<(Growth, Growth)>, old: &[String], new: &[String]) -> (Verdict, Vec<String>) {
    let (mut worse, better) = reasons(&steps(old), &steps(new));
    let ranks = growths.and_then(|(old, new)| old.rank().zip(new.rank()));
    match ranks.map(|(old, new)| old.cmp(&new)) {
        Some(Ordering::Less) => (Verdict::Worse, worse),
        Some(Ordering::Greater) => (Verdict::Better, better),
        // Another order of a join gains here what it loses there.
        Some(Ordering::Equal) if !worse.is_empty() && !better.is_empty() => {
            worse.clear();
            (Verdict::Other, worse)
        }
        _ if !worse.is_empty() => (Verdict::Worse, worse),
        _ if !better.is_empty() => (Verdict::Better, better),
        _ => (Verdict::Other, Vec::new()),
    }
}

/// What became worse, and what became better.
fn reasons(old: &[Step], new: &[Step]) -> (Vec<String>, Vec<String>) {
    let (before, after) = (costs(old), costs(new));
    let (was, is) = (ways(old), ways(new));
    let more = |more: &Costs<'_>, less: &Costs<'_>, is_new: bool| -> Vec<String> {
        let is_more = |(cost, count): &(&Cost<'_>, &usize)| less.get(cost).is_none_or(|less| less < *count);
        // A subquery that the other plan has not is no table that is read otherwise.
        let is_shared = |cost: &Cost<'_>| match cost {
            Cost::Scan(name) | Cost::Builds(name) if name.starts_with('(') => {
                [&was, &is].iter().all(|ways| ways.keys().any(|(own, _)| own == name))
            }
            _ => true,
        };
        let costs = more.iter().filter(is_more).map(|(cost, _)| cost).filter(|cost| is_shared(cost));
        costs.map(|cost| cost.words(is_new)).collect()
    };
    let mut worse = more(&after, &before, true);
    worse.extend(uncovered(&was, &is).map(|name| format!("no index covers what is read of {name} any more")));
    let mut better = more(&before, &after, false);
    better.extend(uncovered(&is, &was).map(|name| format!("an index covers what is read of {name}")));
    (worse, better)
}

/// What a step does that costs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cost<'a> {
    Scan(&'a str),
    Builds(&'a str),
    Sorts(&'a str),
}

/// How often each is done.
type Costs<'a> = BTreeMap<Cost<'a>, usize>;

impl Cost<'_> {
    fn words(&self, is_new: bool) -> String {
        match (self, is_new) {
            (Self::Scan(name), true) => format!("{name} is read in full"),
            (Self::Scan(name), false) => format!("{name} is no longer read in full"),
            (Self::Builds(name), true) => format!("an index of {name} is built for each run"),
            (Self::Builds(name), false) => format!("no index of {name} is built for each run any more"),
            (Self::Sorts(what), true) => format!("a temporary B-tree is needed for {what}"),
            (Self::Sorts(what), false) => format!("no temporary B-tree is needed for {what} any more"),
        }
    }
}

fn costs(steps: &[Step]) -> Costs<'_> {
    let mut costs = BTreeMap::new();
    for step in steps {
        let name = step.name.as_deref().unwrap_or_default();
        let cost = match (&step.op, &step.index) {
            (Op::Scan, _) => Cost::Scan(name),
            (Op::Search, Some(Index::Automatic { .. })) => {
                // To build it reads the table.
                *costs.entry(Cost::Scan(name)).or_default() += 1;
                Cost::Builds(name)
            }
            (Op::TempBTree(purpose), _) => Cost::Sorts(sorted(purpose)),
            _ => continue,
        };
        *costs.entry(cost).or_default() += 1;
    }
    costs
}

fn sorted(purpose: &Purpose) -> &str {
    match purpose {
        Purpose::OrderBy => "ORDER BY",
        Purpose::LastTermsOfOrderBy(_) => "the last terms of ORDER BY",
        Purpose::Distinct => "DISTINCT",
        Purpose::GroupBy => "GROUP BY",
        Purpose::Aggregate(text) => text,
        Purpose::Other => "something else",
    }
}

/// How a name is read, searched or not: whether once by an index that covers, and whether once by one that does not.
type Ways<'a> = BTreeMap<(&'a str, bool), (bool, bool)>;

fn ways(steps: &[Step]) -> Ways<'_> {
    let mut ways: Ways<'_> = BTreeMap::new();
    for step in steps {
        let is_search = match (&step.op, &step.index) {
            (Op::Search, Some(Index::Named { .. })) => true,
            (Op::Scan, _) => false,
            _ => continue,
        };
        let way = ways.entry((step.name.as_deref().unwrap_or_default(), is_search)).or_default();
        if step.is_covering() { way.0 = true } else { way.1 = true }
    }
    ways
}

/// The names that an index covers in one plan, and none in the other.
fn uncovered<'a>(was: &'a Ways<'a>, is: &'a Ways<'a>) -> impl Iterator<Item = &'a str> {
    let lost = |(way, then): &(&(&str, bool), &(bool, bool))| {
        **then == (true, false) && is.get(way) == Some(&(false, true))
    };
    was.iter().filter(lost).map(|((name, _), _)| *name)
}

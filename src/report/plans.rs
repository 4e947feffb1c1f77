//! Plans and what became of them, ready to be shown, and as text for people. Knows no SQL and no colour.

use super::{Cure, Place, terminal::wrapped};
use crate::lock::{Became, Entry, Growth, Verdict};
use std::fmt::Write as _;

/// The plans of a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Each, in the order of the places.
    pub plans: Vec<Planned>,
    /// How many statements are known only when the program runs.
    pub dynamic: usize,
    /// How many are for another engine.
    pub foreign: usize,
}

/// A statement, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The statement.
    pub entry: Entry,
    /// Its places.
    pub places: Vec<Place>,
}

/// What became of the plans of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanDiff {
    /// The version of the SQLite that planned.
    pub sqlite: String,
    /// What they are held against.
    pub against: String,
    /// The statements that SQLite runs otherwise, the worse first, then the better.
    pub changes: Vec<Told>,
    /// Those of the added ones that are bad.
    pub ill: Vec<Told>,
    /// The other added ones, those that are gone, and those of another text: their plans are no news.
    pub rest: Vec<Told>,
    /// How many were added.
    pub added: usize,
    /// How many are gone.
    pub removed: usize,
    /// How many have another text and the same plan.
    pub rewritten: usize,
    /// How many are as they were.
    pub same: usize,
}

/// A statement that changed, or came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Whether the change is good, what the statement was, and what became better or worse; `None` of one that came.
    pub change: Option<(Verdict, Entry, Vec<String>)>,
    /// What it is.
    pub entry: Entry,
    /// Where it stands, in words.
    pub places: Vec<String>,
    /// What heals it: the cures of a check.
    pub cures: Vec<Cure>,
    /// What to do where nothing was proved to.
    pub help: Option<String>,
    /// A check warns of it.
    pub is_warned: bool,
    /// What became of one whose plan is no news: `rewritten`, `added` or `removed`.
    pub fate: Option<&'static str>,
}

impl Told {
    /// What is known of a statement before it is checked.
    pub fn new(change: Option<(Verdict, Entry, Vec<String>)>, entry: Entry, places: &[Place]) -> Self {
        let own = entry.homes.iter().map(|home| match &home.function {
            Some(function) => format!("{} in `{function}`", home.path),
            None => home.path.clone(),
        });
        let lines = places.iter().map(|place| format!("{}:{}", place.path, place.start.line));
        let places = if places.is_empty() { own.collect() } else { lines.collect() };
        Self { change, entry, places, cures: Vec::new(), help: None, is_warned: false, fate: None }
    }

    /// Whether one that came is bad.
    pub fn is_ill(&self) -> bool {
        self.entry.is_bad() || self.is_warned
    }

    /// The word for what became of it.
    pub fn word(&self) -> &'static str {
        match &self.change {
            _ if self.fate.is_some() => self.fate.unwrap_or_default(),
            None => "new",
            Some((Verdict::Other, ..)) => "changed",
            Some((verdict, ..)) => verdict.as_str(),
        }
    }

    /// Whether its cures are of interest.
    pub fn is_worse(&self) -> bool {
        self.change.as_ref().is_none_or(|(verdict, ..)| *verdict == Verdict::Worse)
    }

    /// What to do, each with a word for what it is.
    pub fn advice(&self) -> Vec<(&'static str, String)> {
        let cure = |cure: &Cure| ("cure", cure.sentence(""));
        let help =
            self.help.iter().map(|help| ("help", help.split_whitespace().collect::<Vec<_>>().join(" ")));
        self.cures.iter().map(cure).chain(help).collect()
    }

    /// How its cost grows, in words that say both where it changed.
    pub fn growth(&self) -> Option<String> {
        let words = |entry: &Entry| match &entry.became {
            Became::Planned { growth, .. } => growth.map(Growth::words),
            Became::Refused(_) => None,
        };
        let before = self.change.as_ref().and_then(|(_, before, _)| words(before));
        match (before, words(&self.entry)) {
            (Some(before), Some(after)) if before != after => Some(format!("{before}, then {after}")),
            (_, after) => after.map(str::to_owned),
        }
    }

    /// The statement that was there before, where it had another text.
    pub fn old_text(&self) -> Option<&str> {
        let before = &self.change.as_ref()?.1.key.statement;
        (*before != self.entry.key.statement).then_some(before)
    }

    /// Both plans in one: what is gone with `-`, what came with `+`, and what stayed.
    pub fn steps(&self) -> Vec<(char, String)> {
        let new = lines(&self.entry);
        let old = self.change.as_ref().map_or_else(|| new.clone(), |(_, before, _)| lines(before));
        both(&old, &new).into_iter().map(|(sign, line)| (sign, line.to_owned())).collect()
    }
}

/// Two lists as one, with as many lines kept as can be.
fn both<'a>(mut old: &'a [String], mut new: &'a [String]) -> Vec<(char, &'a str)> {
    let kept = kept(old, new);
    let mut kept = kept.iter().map(Vec::as_slice);
    let mut row = kept.next().unwrap_or_default();
    let mut next = kept.next().unwrap_or_default();
    let mut column = 0;
    let mut all = Vec::new();
    loop {
        let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(0);
        match (old.split_first(), new.split_first()) {
            (Some((one, more)), Some((other, rest))) if one == other => {
                all.push((' ', one.as_str()));
                (old, new, column) = (more, rest, column + 1);
                (row, next) = (next, kept.next().unwrap_or_default());
            }
            (Some((one, more)), other) if other.is_none() || at(next, column) >= at(row, column + 1) => {
                all.push(('-', one.as_str()));
                old = more;
                (row, next) = (next, kept.next().unwrap_or_default());
            }
            (_, Some((other, rest))) => {
                all.push(('+', other.as_str()));
                (new, column) = (rest, column + 1);
            }
            _ => return all,
        }
    }
}

/// How many lines can be kept of what follows, for each place in the one list a row with each place in the other.
fn kept(old: &[String], new: &[String]) -> Vec<Vec<usize>> {
    let mut rows = vec![vec![0; new.len() + 1]];
    for one in old.iter().rev() {
        let below = rows.last().cloned().unwrap_or_default();
        let mut row = vec![0];
        for ((other, down), diagonal) in
            new.iter().rev().zip(below.iter().rev().skip(1)).zip(below.iter().rev())
        {
            let right = row.last().copied().unwrap_or(0);
            row.push(if one == other { diagonal + 1 } else { right.max(*down) });
        }
        row.reverse();
        rows.push(row);
    }
    rows.reverse();
    rows
}

/// What is printed of a plan: its steps, or the refusal.
fn lines(entry: &Entry) -> Vec<String> {
    match &entry.became {
        Became::Planned { plan, .. } => plan.clone(),
        Became::Refused(words) => vec![format!("refused: {words}")],
    }
}

impl PlanDiff {
    /// Whether the plan of no statement changed, and no bad one came.
    pub fn is_quiet(&self) -> bool {
        self.changes.is_empty() && self.ill.is_empty()
    }

    /// Whether a lock that says what was before is right no more.
    pub fn is_stale(&self) -> bool {
        !self.changes.is_empty() || self.added + self.removed + self.rewritten > 0
    }

    /// All that is told of, in the order in which it matters: what became worse, what came and is bad, and the rest.
    pub fn told(&self) -> impl Iterator<Item = &Told> {
        let (worse, rest): (Vec<&Told>, Vec<&Told>) = self.changes.iter().partition(|one| one.is_worse());
        worse.into_iter().chain(&self.ill).chain(rest)
    }

    /// The numbers, in one line.
    pub fn headline(&self) -> String {
        let of = |verdict: Verdict| {
            let is = |one: &&Told| one.change.as_ref().is_some_and(|(own, ..)| *own == verdict);
            self.changes.iter().filter(is).count()
        };
        let plans = counted(&[
            (of(Verdict::Worse), "worse"),
            (of(Verdict::Better), "better"),
            (of(Verdict::Other), "neither better nor worse"),
        ]);
        let added = match self.ill.len() {
            0 => "added".to_owned(),
            bad => format!("added ({bad} of them bad)"),
        };
        let statements =
            counted(&[(self.added, &added), (self.removed, "removed"), (self.rewritten, "rewritten")]);
        let plans = if plans.is_empty() { "no plan changed".to_owned() } else { format!("plans: {plans}") };
        if statements.is_empty() { plans } else { format!("{plans}; statements: {statements}") }
    }
}

fn counted(numbers: &[(usize, &str)]) -> String {
    let some = numbers.iter().filter(|(number, _)| *number > 0);
    some.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ")
}

/// What became of plans, as text for a terminal of this width.
pub fn render(diff: &PlanDiff, width: usize) -> String {
    wrapped(&said(diff), width)
}

/// What a stale lock lacks, as text for a terminal of this width.
pub fn render_stale(diff: &PlanDiff, width: usize) -> String {
    let head = format!("{} is stale: `planlint plans --write` writes it anew", diff.against);
    wrapped(&format!("{head}\n{}", said(diff)), width)
}

fn said(diff: &PlanDiff) -> String {
    let mut out = format!("{}\n", diff.headline());
    for one in diff.told().chain(&diff.rest) {
        out.push('\n');
        // Writing to a string never fails.
        let _ = told(&mut out, one);
    }
    out
}

fn told(out: &mut String, one: &Told) -> std::fmt::Result {
    let places = one.places.join(", ");
    writeln!(out, "{}: {places} ({})", one.word(), about(&one.entry))?;
    if let Some(old) = one.old_text() {
        writeln!(out, "  was: {old}")?;
    }
    writeln!(out, "  {}", one.entry.key.statement)?;
    if one.fate.is_some() {
        return Ok(());
    }
    for (sign, line) in one.steps() {
        writeln!(out, "    {sign} {line}")?;
    }
    let reasons = one.change.as_ref().map_or(&[] as &[_], |(_, _, reasons)| reasons.as_slice());
    if !reasons.is_empty() {
        writeln!(out, "  {}", reasons.join("; "))?;
    }
    if let Some(growth) = one.growth() {
        writeln!(out, "  growth: {growth}")?;
    }
    if one.is_worse() {
        one.advice().iter().try_for_each(|(label, text)| writeln!(out, "  {label}: {text}"))?;
    }
    Ok(())
}

/// The database of a statement, and its schema where that is not the declared one.
pub(super) fn about(entry: &Entry) -> String {
    let schema = entry.key.schema.as_ref().map_or_else(String::new, |schema| format!(", {schema}"));
    format!("{}{schema}", entry.key.database)
}

/// The plans of a tree, as text for a terminal of this width.
pub fn render_list(listed: &Listed, width: usize) -> String {
    let mut out = String::new();
    for one in &listed.plans {
        // Writing to a string never fails.
        let _ = planned(&mut out, one);
    }
    let refused = listed.plans.iter().filter(|one| matches!(one.entry.became, Became::Refused(_))).count();
    let counts = counted(&[
        (listed.plans.len() - refused, "planned"),
        (refused, "refused"),
        (listed.dynamic, "known only when the program runs"),
        (listed.foreign, "for another engine"),
    ]);
    let _ = if counts.is_empty() {
        writeln!(out, "no statement found")
    } else {
        writeln!(out, "statements: {counts}")
    };
    wrapped(&out, width)
}

fn planned(out: &mut String, one: &Planned) -> std::fmt::Result {
    let places = one.places.iter().map(|place| format!("{}:{}", place.path, place.start.line));
    writeln!(out, "{} ({})", places.collect::<Vec<_>>().join(", "), about(&one.entry))?;
    writeln!(out, "  {}", one.entry.key.statement)?;
    match &one.entry.became {
        Became::Refused(words) => writeln!(out, "  refused: {words}\n"),
        Became::Planned { growth, plan } => {
            plan.iter().try_for_each(|line| writeln!(out, "    {line}"))?;
            growth.iter().try_for_each(|growth| writeln!(out, "  growth: {}", growth.words()))?;
            writeln!(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split(' ').filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn what_stays_of_a_plan_is_said_once() {
        let said = |old: &str, new: &str| -> String {
            let all: Vec<String> =
                both(&lines(old), &lines(new)).iter().map(|(sign, line)| format!("{sign}{line}")).collect();
            all.concat()
        };
        assert_eq!(said("a b c", "a b c"), " a b c");
        assert_eq!(said("a b c", "x b"), "-a+x b-c");
        assert_eq!(said("", "a"), "+a");
        assert_eq!(said("a", ""), "-a");
        assert_eq!(said("a b c d", "b d e"), "-a b-c d+e");
        assert_eq!(said("b a", "a b"), "-b a+b");
    }
}

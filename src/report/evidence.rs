//! What stands beneath a finding, in words: the plan, what was measured, other places, cures, and one piece of advice.
//! Knows no width and no colour.

use super::{Cure, Diagnostic, Growth, Judged, Related, fold::is_folded};
use crate::growth::size::counted::grouped;
use std::collections::HashSet;

/// The most places that say the same and are named.
const MOST_ALIKE: usize = 5;

/// A word, and what is said under it, a line each. A line is kept whole where the width allows.
pub(super) struct Paragraph {
    pub label: &'static str,
    pub lines: Vec<String>,
}

/// All that is known of a finding, in the order in which it convinces. `beside` are the places that are not shown in
/// the source itself.
pub(super) fn paragraphs(one: &Diagnostic, beside: &[&Related]) -> Vec<Paragraph> {
    let mut all = Vec::new();
    let groups = groups(&one.judged);
    for group in &groups {
        let variants = (groups.len() > 1).then_some(group.variants.join(", "));
        all.extend(plan(&group.judged.plan, variants.as_deref()));
        let growth = group.judged.growth.as_ref();
        all.extend(growth.map(|growth| Paragraph { label: "growth", lines: vec![grows(growth)] }));
    }
    if !beside.is_empty() {
        // Several texts of one place are one to who reads.
        let mut seen = HashSet::new();
        let mut beside = beside.to_vec();
        beside.retain(|related| seen.insert((related.place.short(), &related.message)));
        let alike = beside.iter().filter(|related| is_folded(related)).count();
        let mut shown = 0;
        beside.retain(|related| !is_folded(related) || (shown < MOST_ALIKE, shown += 1).0);
        let line = |related: &&Related| format!("{} {}", related.place.short(), related.message);
        let mut lines: Vec<String> = beside.iter().map(line).collect();
        if alike > MOST_ALIKE {
            lines.push(format!("and at {} more; --format json names them all", alike - MOST_ALIKE));
        }
        all.push(Paragraph { label: "also", lines });
    }
    all.extend(one.cures.iter().map(|of| cure(of, &one.judged)));
    all.push(Paragraph { label: "help", lines: vec![help(one)] });
    all
}

/// Variants on which SQLite does the same at the same cost.
struct Group<'a> {
    variants: Vec<&'a str>,
    judged: &'a Judged,
}

fn groups(judged: &[Judged]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in judged {
        let same =
            |group: &&mut Group<'_>| group.judged.plan == one.plan && class(group.judged) == class(one);
        match groups.iter_mut().find(same) {
            Some(group) => group.variants.push(&one.variant),
            None => groups.push(Group { variants: vec![&one.variant], judged: one }),
        }
    }
    groups
}

fn class(judged: &Judged) -> Option<&str> {
    judged.growth.as_ref().map(|growth| growth.class.as_str())
}

fn plan(steps: &[String], variants: Option<&str>) -> Option<Paragraph> {
    let steps = unrepeated(steps);
    let Some(variants) = variants else {
        return (!steps.is_empty())
            .then(|| Paragraph { label: "plan", lines: steps.into_iter().cloned().collect() });
    };
    let steps = steps.iter().map(|step| format!("  {step}"));
    Some(Paragraph { label: "plan", lines: std::iter::once(format!("on {variants}")).chain(steps).collect() })
}

/// The steps without the programs of foreign keys that only say again what stands before them.
fn unrepeated(steps: &[String]) -> Vec<&String> {
    let mut shown: Vec<&String> = Vec::new();
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        let depth = |line: &str| line.len() - line.trim_start().len();
        let is_action = step.trim_start() == "-- FOREIGN KEY ACTION";
        let rest = steps.iter().skip(at + 1);
        let within: Vec<&String> = rest.take_while(|line| is_action && depth(line) > depth(step)).collect();
        let is_shown = |line: &&String| shown.iter().any(|one| one.trim_start() == line.trim_start());
        if within.is_empty() || !within.iter().all(is_shown) {
            shown.push(step);
            shown.extend(&within);
        }
        at += 1 + within.len();
    }
    shown
}

fn grows(growth: &Growth) -> String {
    let class = &growth.class;
    let explained = if growth.explained { ", which explains it" } else { "" };
    let (Some(rows), Some(steps)) = (range(&growth.rows), taken(&growth.steps)) else {
        return format!("{class}{explained}");
    };
    let pages = taken(&growth.pages).map_or(String::new(), |pages| {
        let noun = if pages == "1" { "page" } else { "pages" };
        format!(" and {pages} {noun}")
    });
    let noun = if growth.returned.iter().all(|one| *one == 1) { "row" } else { "rows" };
    let mut returned = growth.returned.clone();
    returned.sort_unstable();
    let wanted = range(&returned).map_or(String::new(), |wanted| format!(", for {wanted} {noun} wanted"));
    format!("{class}: {rows} rows in the table take {steps} steps{pages}{wanted}{explained}")
}

/// From the smallest size measured to the largest.
fn range(numbers: &[u64]) -> Option<String> {
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    if first == last {
        Some(grouped(first))
    } else {
        Some(format!("{} to {}", grouped(first), grouped(last)))
    }
}

/// What sizes took, from the smallest to the largest; where that falls, chance is all there is to it.
fn taken(numbers: &[u64]) -> Option<String> {
    let falls = numbers.first().zip(numbers.last()).is_some_and(|(first, last)| last < first);
    let most = numbers.iter().max().filter(|_| falls);
    most.map_or_else(|| range(numbers), |most| Some(format!("at most {}", grouped(*most))))
}

fn cure(cure: &Cure, judged: &[Judged]) -> Paragraph {
    let mut lines = vec![cure.words("")];
    lines.extend(cure.proviso());
    let verdict = if cure.proved { "proved" } else { "not proved" };
    let class = cure.class.as_ref().map_or_else(String::new, |class| match class.as_str() {
        "constant" => ", constant".to_owned(),
        // What grows faster is no cure.
        _ => format!(", {class} as the rows that are wanted"),
    });
    let steps = cure.new_steps(judged);
    let steps = if steps.is_empty() { String::new() } else { format!(": {}", steps.join("; ")) };
    lines.push(format!("{verdict}{class}{steps}"));
    let (rows, steps): (Vec<u64>, Vec<u64>) = cure.measured.iter().copied().unzip();
    let measured = range(&rows).zip(taken(&steps));
    let rises = cure.rises.map_or_else(String::new, |rises| format!("; {rises}"));
    lines.extend(measured.map(|(rows, taken)| format!("{rows} rows take {taken} steps with it{rises}")));
    lines.extend(cure.worse.iter().map(|worse| format!("slower with it: {worse}")));
    Paragraph { label: "cure", lines }
}

fn help(one: &Diagnostic) -> String {
    let help = one.help.as_deref().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
    match one.cures.is_empty() {
        _ if !help.is_empty() => help,
        true => format!("`planlint explain {}` says what to do", one.rule),
        false => "apply the cure above".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::Severity, report::sample};

    #[test]
    fn what_falls_is_said_by_its_most() {
        assert_eq!(taken(&[7, 9, 28]).as_deref(), Some("7 to 28"));
        assert_eq!(taken(&[35, 21]).as_deref(), Some("at most 35"));
    }

    #[test]
    fn the_action_of_a_foreign_key_is_shown_where_it_says_more() {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let said = ["SCAN a", "SEARCH b (id=?)", "-- FOREIGN KEY ACTION", "  SEARCH b (id=?)"];
        let own = ["-- FOREIGN KEY ACTION", "  SCAN c"];
        assert_eq!(
            plan(&lines(&[&said[..], &own].concat()), None).unwrap().lines,
            lines(&[&said[..2], &own].concat())
        );
    }

    #[test]
    fn a_place_that_is_named_twice_is_shown_once() {
        let place = sample::report().diagnostics.iter().find_map(|one| one.place.clone()).unwrap();
        let one = Related { place, message: "rows are inserted here".to_owned() };
        let said = paragraphs(&sample::bare("a-rule", Severity::Warning, "it is so"), &[&one, &one]);
        assert_eq!(said.iter().find(|one| one.label == "also").map(|one| one.lines.len()), Some(1));
    }

    #[test]
    fn one_page_and_one_row_are_one() {
        let growth = Growth {
            class: "linear".to_owned(),
            rows: vec![100, 400],
            steps: vec![7, 28],
            pages: vec![1, 1],
            returned: vec![1, 1],
            ..Growth::default()
        };
        let said = "linear: 100 to 400 rows in the table take 7 to 28 steps and 1 page, for 1 row wanted";
        assert_eq!(grows(&growth), said);
    }
}

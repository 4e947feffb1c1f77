//! Texts that the program takes apart by lines before it runs them. An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{Found, fold::Spot, sql::contains_word};
use crate::source::Source;

/// Calls that part by lines, and those that part by the sign they are given.
const LINES: [&str; 3] = [".lines(", "splitlines(", "split_lines("];
const SPLITS: [&str; 3] = ["split(", "Split(", "explode("];
const SIGNS: [&str; 6] = ["\\n", "\\r", "\\R", "EOL", "NewLine", "lineSeparator"];

impl Collector<'_> {
    /// Whether a text of code is taken apart by lines: as it stands, by its name, by what a loop calls it, or by a function of its
    /// file that is handed it.
    pub(super) fn is_split(&self, one: &Found) -> bool {
        const NEAR: usize = 400;
        let Some(unit) = self.folder.units.get(one.unit as usize) else { return false };
        let text = self.folder.sources.get(unit.source).map_or("", Source::text);
        let parting: Vec<(usize, usize, &str)> =
            lines(text).filter_map(|(start, line)| Some((start, start + parting(line)?, line))).collect();
        if parting.is_empty() || one.literal.language.is_sql {
            return false;
        }

        let spot = Spot::at(one.unit as usize, one.candidate.function);
        let at = one.candidate.start as usize;
        let bound = unit.sketch.bound_up_to(at);
        let bound =
            bound.filter(|bound| bound.function == spot.function && at - bound.value as usize <= NEAR);
        let mut names: Vec<&str> =
            bound.map(|bound| self.folder.word(spot, bound.name as usize)).into_iter().collect();
        names.extend(one.literal.constant.as_deref());
        for (_, line) in
            lines(text).filter(|(_, line)| contains_word(line, "for") || contains_word(line, "foreach"))
        {
            if mentions(line, &names) {
                names.extend(words(line));
            }
        }
        let site = one.literal.site;
        let is_given = |rest: &str, start: usize| {
            let end = rest.find(')').unwrap_or(rest.len());
            let literal = (site.start as usize).checked_sub(start);
            literal.is_some_and(|literal| literal <= end) || mentions(rest.get(..end).unwrap_or(""), &names)
        };
        let is_by_function = |at: usize| {
            let byte =
                |token: u32| unit.tokens.get(token as usize).map_or(text.len(), |token| token.start as usize);
            let mut around =
                unit.sketch.functions.iter().filter(|one| (byte(one.name)..byte(one.end)).contains(&at));
            around.any(|function| {
                let call = format!("{}(", self.folder.word(spot, function.name as usize));
                let mut calls = text.match_indices(&call).filter(|&(at, _)| at != byte(function.name));
                calls.any(|(at, call)| {
                    let start = at + call.len();
                    is_given(text.get(start..).unwrap_or(""), start)
                })
            })
        };
        let end = site.end as usize;
        let is_itself = |start: usize, at: usize| (start..=at).contains(&end);
        parting
            .iter()
            .any(|&(start, at, line)| is_itself(start, at) || mentions(line, &names) || is_by_function(at))
    }
}

/// The lines of a text, with where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}

/// Where a line of code parts something by lines.
fn parting(line: &str) -> Option<usize> {
    let find = |words: &[&str]| words.iter().find_map(|word| line.find(word));
    find(&LINES).or_else(|| find(&SPLITS).filter(|_| find(&SIGNS).is_some()))
}

fn mentions(line: &str, names: &[&str]) -> bool {
    names.iter().any(|name| contains_word(line, name))
}

/// The words of a line that a loop may bind.
fn words(line: &str) -> impl Iterator<Item = &str> {
    const OWN: [&str; 9] = ["for", "foreach", "in", "of", "as", "let", "const", "var", "range"];
    let all = line.split(|one: char| !(one.is_alphanumeric() || one == '_'));
    all.filter(|word| word.starts_with(|one: char| one.is_alphabetic()) && !OWN.contains(word))
}

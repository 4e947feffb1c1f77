//! Texts that the program takes apart by lines before it runs them: as they stand, by their names, by what a loop calls them, or by
//! a function of their file that is handed them.

use super::Collector;
use crate::extract::{
    Found,
    fold::{Folder, Spot},
    sql::contains_word,
};
use crate::source::Source;

/// Calls that part by lines, and those that part by the sign they are given.
const LINES: [&str; 3] = [".lines(", "splitlines(", "split_lines("];
const SPLITS: [&str; 3] = ["split(", "Split(", "explode("];
const SIGNS: [&str; 6] = ["\\n", "\\r", "\\R", "EOL", "NewLine", "lineSeparator"];

/// How many tokens stand between a name and a text of its list at the most.
const FURTHEST: usize = 400;

/// Where a file parts texts by lines.
pub(super) struct Parting<'a> {
    /// Such lines: where they begin, where the call in them does, and their code.
    lines: Vec<(usize, usize, &'a str)>,
    /// The lines that begin loops.
    loops: Vec<&'a str>,
    /// The arguments of calls to the functions that hold such lines, and where these begin.
    given: Vec<(usize, &'a str)>,
}

impl<'a> Parting<'a> {
    fn new(folder: &Folder<'a>, unit: usize) -> Self {
        let mut found = Self { lines: Vec::new(), loops: Vec::new(), given: Vec::new() };
        let Some(file) = folder.units.get(unit) else { return found };
        let text = folder.sources.get(file.source).map_or("", Source::text);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some(call) = parting(line) {
                found.lines.push((at, at + call, line));
            }
            at += line.len();
        }
        if found.lines.is_empty() {
            return found;
        }
        let is_loop = |line: &&str| contains_word(line, "for") || contains_word(line, "foreach");
        found.loops = text.lines().filter(is_loop).collect();
        let byte =
            |token: u32| file.tokens.get(token as usize).map_or(text.len(), |token| token.start as usize);
        let parts = |from: usize, to: usize| found.lines.iter().any(|(_, call, _)| (from..to).contains(call));
        let functions = file.sketch.functions.iter().filter(|one| parts(byte(one.name), byte(one.end)));
        for function in functions {
            let call = format!("{}(", folder.word(Spot::at(unit, 0), function.name as usize));
            let calls = text.match_indices(&call).filter(|&(at, _)| at != byte(function.name));
            found.given.extend(calls.map(|(at, _)| {
                let start = at + call.len();
                let rest = text.get(start..).unwrap_or("");
                (start, rest.split(')').next().unwrap_or(rest))
            }));
        }
        found
    }
}

impl Collector<'_> {
    /// Whether a text of code is taken apart by lines.
    pub(super) fn is_split(&mut self, one: &Found) -> bool {
        if one.literal.language.is_sql {
            return false;
        }
        let folder = self.folder;
        let parting = self.parting.entry(one.unit).or_insert_with(|| Parting::new(folder, one.unit as usize));
        if parting.lines.is_empty() {
            return false;
        }
        let spot = Spot::at(one.unit as usize, one.candidate.function);
        let at = one.candidate.start as usize;
        let bindings = folder.units.get(spot.unit).and_then(|unit| unit.sketch.bound_up_to(at));
        let bound = bindings
            .filter(|bound| bound.function == spot.function && at - bound.value as usize <= FURTHEST)
            .map(|bound| folder.word(spot, bound.name as usize));
        let mut names: Vec<&str> = bound.into_iter().chain(one.literal.constant.as_deref()).collect();
        let own: Vec<&str> = parting.loops.iter().copied().filter(|line| mentions(line, &names)).collect();
        names.extend(own.into_iter().flat_map(bound_by_loop));
        let site = one.literal.site;
        let (start, end) = (site.start as usize, site.end as usize);
        parting.lines.iter().any(|&(from, call, line)| (from..=call).contains(&end) || mentions(line, &names))
            || parting
                .given
                .iter()
                .any(|&(from, given)| (from..=from + given.len()).contains(&start) || mentions(given, &names))
    }
}

/// Where a line of code parts something by lines.
fn parting(line: &str) -> Option<usize> {
    let find = |words: &[&str]| words.iter().find_map(|word| line.find(word));
    find(&LINES).or_else(|| find(&SPLITS).filter(|_| find(&SIGNS).is_some()))
}

fn mentions(line: &str, names: &[&str]) -> bool {
    names.iter().any(|name| contains_word(line, name))
}

/// The names that a loop may bind: what stands in front of its list.
fn bound_by_loop(line: &str) -> impl Iterator<Item = &str> {
    const OWN: [&str; 7] = ["for", "foreach", "let", "const", "var", "auto", "range"];
    let end = [" in ", " of ", " : ", ":="].iter().filter_map(|sign| line.find(sign)).min();
    let all =
        line.get(..end.unwrap_or(0)).unwrap_or("").split(|one: char| !(one.is_alphanumeric() || one == '_'));
    all.filter(|word| word.starts_with(|one: char| one.is_alphabetic()) && !OWN.contains(word))
}

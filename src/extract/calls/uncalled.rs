//! Statements that a library runs for whoever calls the method behind them, where nobody does: `@Query("…") fun all(): List<Row>`.
//! An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{Found, fold::Spot, is_test_code, roles::Role, sketch::NOWHERE};
use rayon::prelude::*;
use rustc_hash::FxHashSet as HashSet;

/// How many tokens the head of a method has at the most, its annotations with it.
const LONGEST_HEAD: usize = 80;

/// The words in front of a call; any other is the type of what a method gives, or says that one is declared.
const BEFORE_CALLS: [&str; 9] = ["return", "else", "in", "throw", "await", "yield", "case", "when", "by"];

impl Collector<'_> {
    /// Calls dead what stands in front of methods whose names nothing calls, tests aside. See
    /// <https://developer.android.com/training/data-storage/room/accessing-data#query>.
    pub(super) fn mark_uncalled(&self, found: &mut [Found]) {
        let asked: Vec<(usize, &str)> = found
            .iter()
            .enumerate()
            .filter(|(_, one)| one.literal.role == Role::Production)
            .filter_map(|(index, one)| Some((index, self.method_behind(one)?)))
            .collect();
        if asked.is_empty() {
            return;
        }
        let called = self.called(&asked.iter().map(|(_, name)| *name).collect());
        // Who calls none of them is not in the tree.
        if called.is_empty() {
            return;
        }
        for (index, _) in asked.into_iter().filter(|(_, name)| !called.contains(*name)) {
            if let Some(one) = found.get_mut(index) {
                one.literal.role = Role::Dead;
            }
        }
    }

    /// The name of the method that the text of an annotation is for.
    fn method_behind(&self, one: &Found) -> Option<&str> {
        let code = self.folder.code(Spot::at(one.unit as usize, NOWHERE))?;
        let open = code.around(one.candidate.start as usize).next()?;
        let is_query = open > 1 && code.word(open - 1) == "Query" && code.is(open - 2, b'@');
        let mut at = code.matching(open) + 1;
        let end = at + LONGEST_HEAD;
        while is_query && at < end {
            if code.is_word(at) && code.is(at + 1, b'(') {
                if !at.checked_sub(1).is_some_and(|before| code.is(before, b'@')) {
                    return Some(code.word(at));
                }
                at = code.matching(at + 1);
            }
            at += 1;
        }
        None
    }

    /// Which of these names code calls or hands on, and declares no method by. Most files have no tokens by now.
    fn called(&self, names: &HashSet<&str>) -> HashSet<String> {
        let code = self.folder.sources.par_iter().filter(|(_, source)| !is_test_code(&source.path));
        code.flat_map_iter(|(_, source)| source.peek(|text| calls(text, names))).collect()
    }
}

/// The names that a text calls, of those that are asked for.
fn calls(text: &str, names: &HashSet<&str>) -> Vec<String> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let word = rest.get(start..).unwrap_or("");
        let end = word.find(|one| !is_part(one)).unwrap_or(word.len());
        let (word, behind) = word.split_at(end);
        let before = text.get(..text.len() - behind.len() - end).unwrap_or("");
        if names.contains(word) && (behind.starts_with('(') || before.ends_with("::")) && !is_declared(before)
        {
            found.push(word.to_owned());
        }
        rest = behind;
    }
    found
}

/// Whether what stands in front of a name and its parentheses declares a method: a type, or a word that says so.
fn is_declared(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or("").trim_end();
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let word = line.rsplit(|one| !is_part(one)).next().unwrap_or("");
    let is_type = line.ends_with([']', '>']) && !line.ends_with("->") && !line.ends_with("=>");
    is_type || (!word.is_empty() && !BEFORE_CALLS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_is_declared_is_not_called() {
        let names = ["all", "none"].into_iter().collect();
        for text in ["fun all(): Int", "abstract List<Row> all();", "override suspend fun none()", "small()"]
        {
            assert!(calls(text, &names).is_empty(), "{text}");
        }
        for text in [
            "dao.all()",
            "return all()",
            "x = none(1)",
            "map(Dao::all)",
            "val a = b\n    all()",
            "{ -> all() }",
        ] {
            assert_eq!(calls(text, &names).len(), 1, "{text}");
        }
    }
}

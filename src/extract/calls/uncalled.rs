//! Statements that a library runs for whoever calls the method behind them, where nobody does: `@Query("…") fun all(): List<Row>`.
//! An `impl` of [`Collector`], apart for its length.

use super::Collector;
use crate::extract::{
    Found, fold::Spot, is_test_code, languages, roles::Role, sketch::NOWHERE, sql::is_word,
};
use crate::source::{Source, SourceId, Words};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How many tokens the head of a method has at the most, its annotations with it.
const LONGEST_HEAD: usize = 80;

/// How much of a line in front of a name is looked at, in bytes.
const LONGEST_LINE: usize = 200;

/// The words in front of a call in Java, where any other may be the type of what a method gives.
const BEFORE_CALLS: [&str; 7] = ["return", "else", "throw", "yield", "case", "do", "assert"];

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
        static ROOM: Words<'_> = Words::new(&["androidx.room", "android.arch.persistence.room"]);
        let code = self.folder.code(Spot::at(one.unit as usize, NOWHERE))?;
        self.folder.sources.get(one.literal.site.source).filter(|source| source.has_any(&ROOM))?;
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

    /// Which of these names code calls or hands on, and declares no method by. The text is searched, for most files have no tokens by
    /// now: they hold no SQL.
    fn called(&self, names: &HashSet<&str>) -> HashSet<String> {
        let properties = names.iter().filter_map(|name| Some((property(name)?, *name)));
        let properties: HashMap<String, &str> = properties.collect();
        let code = self.folder.sources.par_iter().filter(|(_, source)| !is_test_code(&source.path));
        let called = |(_, source): (SourceId, &Source)| {
            let is_java = languages::of(&source.path).is_some_and(|language| language.name == "Java");
            source.peek(|text| calls(text, (names, &properties), is_java))
        };
        code.flat_map_iter(called).collect()
    }
}

/// What Kotlin calls a getter of Java: `getAll()` is `all`.
fn property(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("get")?.chars();
    let first = rest.next().filter(|first| first.is_uppercase())?;
    Some(first.to_lowercase().chain(rest).collect())
}

/// The names that a text calls, of those that are asked for, some of them by properties.
fn calls(
    text: &str,
    (names, properties): (&HashSet<&str>, &HashMap<String, &str>),
    is_java: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let word = rest.get(start..).unwrap_or("");
        let end = word.find(|one| !is_word(one)).unwrap_or(word.len());
        let (word, behind) = word.split_at(end);
        let before = text.get(..text.len() - behind.len() - end).unwrap_or("");
        if let Some(name) = properties.get(word).filter(|_| before.ends_with('.')) {
            found.push((*name).to_owned());
        }
        let is_call = || behind.trim_start_matches(' ').starts_with('(') || before.ends_with("::");
        if names.contains(word) && is_call() && !is_declared(before, is_java) {
            found.push(word.to_owned());
        }
        rest = behind;
    }
    found
}

/// Whether what stands in front of a name and its parentheses declares a method: `fun`, or in Java a type that begins its line.
fn is_declared(before: &str, is_java: bool) -> bool {
    let end = before.trim_end();
    let last = end.len() - end.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    if !is_java {
        return end.get(last..) == Some("fun") && end.len() < before.len();
    }
    let start = before.bytes().rev().take(LONGEST_LINE).take_while(|byte| *byte != b'\n').count();
    let line = before.get(before.len() - start..).unwrap_or("").trim();
    let is_of_type = |one: char| is_word(one) || " \t<>[],.?@".contains(one);
    let count = |sign| line.matches(sign).count();
    let first = line.split(|one| !is_word(one)).next().unwrap_or("");
    !line.is_empty()
        && !line.ends_with('.')
        && line.chars().all(is_of_type)
        && count('<') == count('>')
        && !first.starts_with(|one: char| one.is_ascii_digit())
        && !BEFORE_CALLS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_is_declared_is_not_called() {
        let names = ["all", "none", "getDue"].into_iter().collect();
        let properties = HashMap::from_iter([("due".to_owned(), "getDue")]);
        let count = |text: &str, is_java| calls(text, (&names, &properties), is_java).len();
        for text in ["fun all(): Int", "override suspend fun none()", "small()", "val due = 1"] {
            assert_eq!(count(text, false), 0, "{text}");
        }
        for text in [
            "dao.all()",
            "x to all()",
            "max > all()",
            "map(Dao::all)",
            "val a = b\n    all()",
            "dao.due",
            "dao.all ()",
        ] {
            assert_eq!(count(text, false), 1, "{text}");
        }
        for text in ["abstract List<Row> all();", "  int[] all();", "public @Nullable Row none()"] {
            assert_eq!(count(text, true), 0, "{text}");
        }
        for text in ["return all();", "a < all()", "x = none(1);", "    all();", "rows().all();"] {
            assert_eq!(count(text, true), 1, "{text}");
        }
    }
}

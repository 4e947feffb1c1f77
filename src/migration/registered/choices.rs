//! Lists of functions that are no history, as one of them only reads, or only drops tables: commands that a user chooses from. Knows
//! names and texts; a list that calls itself a history is one whatever it has.

use super::search::{Handed, Search};
use crate::{
    extract::{Role, text::HOLE},
    migration::{lines, mentions, runs},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, HashSet};

/// What the texts of a function do.
#[derive(Clone, Copy, Default)]
struct Deeds {
    reads: bool,
    drops: bool,
    makes: bool,
}

/// Whether what is handed in by its turn in a list may be a choice.
pub(super) fn is_choice(search: &Search<'_>, sources: &Sources, handed: &[Handed]) -> bool {
    let Some((file, open)) = handed.iter().find_map(|one| Some((one.file, one.entry.list?))) else {
        return false;
    };
    let Some((head, list)) = sources.get(file).and_then(|source| source.text().split_at_checked(open)) else {
        return false;
    };
    if is_said(head) {
        return false;
    }
    let code = inside(list);
    let functions = named(search, sources, file, &names(&code));
    let is_other = |(function, deeds): (u32, Deeds)| {
        let only_drops = deeds.drops && !deeds.makes && !search.calls_steps(function);
        only_drops || (deeds.reads && !deeds.drops && !deeds.makes && !search.has_steps(function))
    };
    deeds(search, &functions).into_iter().any(is_other)
}

/// Whether the line that a list begins on says that it is a history.
fn is_said(head: &str) -> bool {
    let head = head.trim_end();
    let line = head.get(head.rfind(['\n', ';']).map_or(0, |end| end + 1)..).unwrap_or("");
    let lower = line.to_ascii_lowercase();
    runs::is_history(&lower) || ["version", "step"].iter().any(|word| lower.contains(word))
}

/// What stands in the bracket that a text begins with, with a space for each text in it.
fn inside(list: &str) -> String {
    let (mut code, mut depth, mut next) = (String::new(), 0_usize, 0);
    for (at, one) in lines::outside(list) {
        match one {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        code.extend((at > next).then_some(' '));
        code.push(one);
        next = at + one.len_utf8();
    }
    code
}

/// The names in code, those of what is called there aside.
fn names(code: &str) -> HashSet<&str> {
    let is_name = |one: char| one.is_alphanumeric() || one == '_';
    let mut names = HashSet::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_name) {
        let word = rest.get(start..).unwrap_or("");
        let (name, behind) =
            word.split_at_checked(word.find(|one| !is_name(one)).unwrap_or(word.len())).unwrap_or_default();
        names.extend(Some(name).filter(|_| !behind.trim_start().starts_with('(')));
        rest = behind;
    }
    names
}

/// The functions that a file means by some names: its own, else those of its folder.
fn named(search: &Search<'_>, sources: &Sources, file: SourceId, names: &HashSet<&str>) -> HashSet<u32> {
    let folder = folder_of(sources.path(file));
    let mut own: BTreeMap<&str, Vec<(bool, u32)>> = BTreeMap::new();
    for (number, function) in (0..).zip(&search.extraction.functions) {
        let home = function.site.source;
        let is_near = home == file || folder_of(sources.path(home)) == folder;
        if names.contains(function.name.as_str()) && function.role != Role::Test && is_near {
            own.entry(&function.name).or_default().push((home == file, number));
        }
    }
    let meant = |all: Vec<(bool, u32)>| {
        let has_own = all.iter().any(|(is_own, _)| *is_own);
        all.into_iter().filter(move |(is_own, _)| *is_own || !has_own).map(|(_, number)| number)
    };
    own.into_values().flat_map(meant).collect()
}

/// What each of some functions does that has texts.
fn deeds(search: &Search<'_>, functions: &HashSet<u32>) -> BTreeMap<u32, Deeds> {
    let mut all: BTreeMap<u32, Deeds> = BTreeMap::new();
    for literal in &search.extraction.literals {
        let Some(function) = literal.function.filter(|function| functions.contains(function)) else {
            continue;
        };
        let Some(text) = literal.variants.first() else { continue };
        let found = mentions(text.as_str());
        let only_drops = found.drops_table && !found.makes() && !found.alters && found.indexes.is_empty();
        let own = all.entry(function).or_default();
        own.drops |= only_drops;
        own.makes |= (found.has_ddl && !only_drops) || fills(text.as_str());
        own.reads |= !found.has_ddl && !text.as_str().trim_start().to_ascii_lowercase().starts_with("pragma");
    }
    all
}

/// Whether a text writes rows that it has itself, as a step may.
fn fills(text: &str) -> bool {
    let lower = text.trim_start().to_ascii_lowercase();
    let is_write = ["insert", "replace", "update", "delete"].iter().any(|word| lower.starts_with(word));
    is_write && !text.contains(['?', ':', '@', '$', HOLE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_names_and_a_head() {
        let code = inside("[(\"init\", init), Do(\"find\", find)] + other");
        assert_eq!(names(&code), HashSet::from(["init", "find"]));
        assert!(is_said("a = 1\nMIGRATIONS = ") && is_said("x;\nvar all = []step"));
        assert!(!is_said("# migrations\nCOMMANDS = "));
    }

    #[test]
    fn what_takes_values_from_elsewhere_is_no_step() {
        assert!(fills("INSERT INTO a VALUES(1)") && fills("update a set b = 1"));
        assert!(!fills("INSERT INTO a VALUES(?)") && !fills("SELECT 1"));
    }
}

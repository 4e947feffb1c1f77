//! Which functions called `main` start the program. Knows paths; what such a function calls is not asked.

use super::{Node, Role};
use crate::extract::{fold::Unit, sketch::NOWHERE};
use crate::source::{Sources, folder_of};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Where the programs of a tree start. A library has none: each `main` beside it belongs to a build script, an example, a
/// benchmark or a fuzz target.
#[derive(Default)]
pub(super) struct Programs {
    /// The functions, as indexes of the nodes.
    pub mains: Vec<u32>,
    /// The name of what each package of Go runs first.
    pub init: Option<u32>,
    /// Their languages by name. What none of them reaches is dead, where it is in one of these.
    pub languages: Vec<&'static str>,
    /// The functions that other programs may call: those with a name for all, of packages that start none and are not kept for
    /// the tree.
    pub importable: HashSet<u32>,
}

impl Programs {
    pub fn new(
        sources: &Sources,
        units: &[Unit],
        nodes: &[Node],
        names: &HashMap<&str, u32>,
        main: u32,
    ) -> Self {
        let mut found = Self { init: names.get("init").copied(), ..Self::default() };
        for (index, node) in (0..).zip(nodes).filter(|(_, node)| node.name == main && node.role != Role::Test)
        {
            let unit = units.get(node.unit as usize);
            let Some(unit) = unit.filter(|unit| unit.language.closed) else { continue };
            let is_left_out = || sources.get(unit.source).is_some_and(|source| source.peek(is_left_out));
            if starts_program(sources.path(unit.source)) && !(unit.language.receivers && is_left_out()) {
                found.mains.push(index);
                found.languages.push(unit.language.name);
            }
        }
        found.languages.dedup();
        let unit_of = |one: &u32| units.get(nodes.get(*one as usize)?.unit as usize);
        let folder = |unit: &Unit| folder_of(sources.path(unit.source));
        let starting: Vec<&str> = found.mains.iter().filter_map(unit_of).map(folder).collect();
        let is_importable = |unit: &Unit| {
            let own = folder(unit);
            unit.language.packages
                && !starting.contains(&own)
                && !own.split('/').any(|part| part == "internal")
        };
        let packages: Vec<bool> = units.iter().map(is_importable).collect();
        if !packages.contains(&true) {
            return found;
        }
        let capitals = names.iter().filter(|(name, _)| name.starts_with(char::is_uppercase));
        let for_all: HashSet<u32> = capitals.map(|(_, &name)| name).collect();
        let is_one = |node: &Node| {
            node.role != Role::Test
                && packages.get(node.unit as usize) == Some(&true)
                && for_all.contains(&node.name)
        };
        let importable = (0..).zip(nodes).filter(|(_, node)| is_one(node));
        found.importable = importable.map(|(index, _)| index).collect();
        found
    }
}

/// Whether a `main` in a file of this path starts what the tree is about.
fn starts_program(path: &str) -> bool {
    path.rsplit('/').next() != Some("build.rs") && !shows(path)
}

/// Whether a file of this path shows what the tree is about, or tries it.
pub(super) fn shows(path: &str) -> bool {
    const BESIDE: [&str; 7] =
        ["example", "examples", "bench", "benches", "benchmarks", "fuzz", "fuzz_targets"];
    folder_of(path).split('/').any(|folder| BESIDE.contains(&folder))
}

/// Whether a file of Go says that it is no part of what is built, in front of its package: it makes other files.
fn is_left_out(text: &str) -> bool {
    let head = text.lines().take_while(|line| !line.starts_with("package "));
    head.filter_map(|line| line.strip_prefix("//go:build ").or_else(|| line.strip_prefix("// +build ")))
        .any(|constraint| constraint.split_whitespace().next() == Some("ignore"))
}

/// Whether any function that lives holds SQL: a `main` that reaches none starts a tool, and says nothing of the library
/// beside it.
pub(super) fn reach_sql(units: &[Unit], offsets: &[usize], live: &[bool]) -> bool {
    units.iter().zip(offsets).any(|(unit, offset)| {
        let mut candidates = unit.sketch.candidates.iter().filter(|one| one.function != NOWHERE);
        candidates.any(|one| live.get(offset + one.function as usize) == Some(&true))
    })
}

/// The functions that hold what is likely to be SQL, as indexes of the nodes.
pub(super) fn holders(units: &[Unit], offsets: &[usize]) -> Vec<u32> {
    let of_unit = |(unit, &offset): (&Unit, &usize)| {
        let likely = unit.sketch.holders().filter(|(_, is_likely)| *is_likely);
        likely.map(|(function, _)| offset as u32 + function).collect::<Vec<u32>>()
    };
    units.iter().zip(offsets).flat_map(of_unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_builds_shows_and_measures_is_no_program() {
        assert!(starts_program("main.go") && starts_program("crates/a/src/bin/b.rs"));
        assert!(!starts_program("build.rs") && !starts_program("a/build.rs"));
        assert!(!starts_program("a/examples/show.rs") && !starts_program("fuzz/fuzz_targets/read.rs"));
    }

    #[test]
    fn what_is_told_not_to_be_built_is_no_program() {
        assert!(is_left_out("// Makes tables.\n\n//go:build ignore\n\npackage main\n"));
        assert!(is_left_out("// +build ignore\n\npackage main\n"));
        assert!(!is_left_out("//go:build linux\n\npackage main\n\n//go:build ignore\n"));
    }
}

//! Which files of a large tree are meant to use a name that many have: those near the files that declare it. Knows paths, and
//! not what a name stands for.

use super::fold::Unit;
use crate::source::{Sources, folders_above};
use rustc_hash::FxHashSet as HashSet;
use std::cmp::Reverse;

/// The most files that are read again for one name. What hundreds of files call is mostly a method of something else, and what
/// does mean the name stands near it.
const MOST: usize = 48;

/// A name, and the file that has it.
pub(super) type Named<K> = (K, usize);

/// Of the files that use names those that may mean them: all that use one which few do, else the nearest to who declares it.
pub(super) fn nearest<K: Ord + Copy>(
    sources: &Sources,
    units: &[Unit],
    mut uses: Vec<Named<K>>,
    mut declared: Vec<Named<K>>,
) -> Vec<usize> {
    uses.sort_unstable();
    declared.sort_unstable();
    let path = |at: usize| units.get(at).map_or("", |unit| sources.path(unit.source));
    let mut near: Vec<usize> = Vec::new();
    for of_name in uses.chunk_by(|one, next| one.0 == next.0) {
        let mut files: Vec<usize> = of_name.iter().map(|(_, at)| *at).collect();
        if let Some((name, _)) = of_name.first().filter(|_| files.len() > MOST) {
            let first = declared.partition_point(|(other, _)| other < name);
            let declaring = declared.iter().skip(first).take_while(|(other, _)| other == name);
            let folders: HashSet<&str> =
                declaring.flat_map(|(_, other)| folders_above(path(*other))).collect();
            let common = |at: usize| {
                let shared = folders_above(path(at)).find(|folder| folders.contains(folder));
                shared.map_or(0, |folder| folder.split_terminator('/').count())
            };
            files.sort_by_cached_key(|&at| Reverse(common(at)));
            files.truncate(MOST);
        }
        near.append(&mut files);
    }
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        extract::{languages, sketch::Sketch},
        source::Source,
    };

    #[test]
    fn of_many_files_that_use_a_name_those_in_the_folders_of_who_declares_it_are_meant() {
        let far = (0..MOST).map(|at| format!("a/far/{at:03}.rs"));
        let near = (0..3).map(|at| format!("node/store/{at}.rs"));
        let paths: Vec<String> = far.chain(near).chain(["node/store/z.rs".to_owned()]).collect();
        let sources = Sources::of(paths.iter().map(|path| Source::new(path.as_str(), "")).collect());
        let units: Vec<Unit> = sources
            .iter()
            .map(|(source, one)| Unit {
                source,
                language: languages::of(&one.path).unwrap(),
                tokens: Vec::new(),
                sketch: Sketch::default(),
                outline: None,
                is_test: false,
            })
            .collect();
        let declaring = units.len() - 1;
        let uses: Vec<Named<&str>> = (0..declaring).map(|at| ("last", at)).collect();
        let few: Vec<Named<&str>> = (0..5).map(|at| ("stake", at)).collect();
        let found = nearest(&sources, &units, uses.clone(), vec![("last", declaring)]);
        assert_eq!(found.len(), MOST);
        assert!((MOST..declaring).all(|at| found.contains(&at)), "the files beside it are among them");
        assert_eq!(nearest(&sources, &units, few, vec![("stake", declaring)]), [0, 1, 2, 3, 4]);
        let all = [uses, vec![("other", MOST - 1)]].concat();
        assert!(
            nearest(&sources, &units, all, vec![("last", declaring)]).contains(&(MOST - 1)),
            "by its other name"
        );
    }
}

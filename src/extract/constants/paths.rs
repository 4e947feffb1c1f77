//! Names that are called by where they stand: `table::ships::ALL`, `ships.ALL`. Which name that is of several is told by the paths of
//! files; what a module is called elsewhere is not known.

use super::{Constant, Element};
use crate::{
    extract::{
        fold::{Folder, Spot},
        lexer::Kind,
    },
    source::{Site, SourceId, Sources},
};
use std::{cmp::Reverse, collections::BTreeMap};

/// The longest path that is read.
const LONGEST: usize = 8;

/// Words that stand for the place itself.
const HERE: [&str; 6] = ["crate", "self", "super", "this", "Self", "cls"];

/// The words of a path that starts at a token: all of a name's, the name last. Of one that is called, those in front of it.
pub(super) fn path(folder: &Folder<'_>, spot: Spot, start: usize) -> Vec<String> {
    let is_word = |at: usize| folder.kind(spot, at) == Some(Kind::Word);
    let mut words = vec![folder.word(spot, start).to_owned()];
    let mut at = start;
    let mut by_dot = false;
    while words.len() < LONGEST {
        let dot = folder.is(spot, at + 1, b'.') && is_word(at + 2);
        let colons =
            folder.is(spot, at + 1, b':') && folder.is(spot, at + 2, b':') && is_word(at + 3) && !by_dot;
        if !dot && !colons {
            break;
        }
        at += if dot { 2 } else { 3 };
        by_dot |= dot;
        words.push(folder.word(spot, at).to_owned());
    }
    if folder.is(spot, at + 1, b'(') {
        words.pop();
        if !by_dot {
            words.clear();
        }
    }
    words
}

/// The most constants of one name of which one is looked for.
const MOST_ALIKE: usize = 128;

/// Puts the constants that paths mean in the place of their names: `paths` holds them by the constant and the element.
pub(super) fn resolve(
    sources: &Sources,
    all: &mut [Constant],
    paths: &BTreeMap<(usize, usize), Vec<String>>,
) {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for name in paths.values().filter_map(|words| words.last()) {
        by_name.entry(name).or_default();
    }
    for (index, constant) in all.iter().enumerate() {
        if let Some(same) = by_name.get_mut(constant.name.as_str()) {
            same.push(index);
        }
    }
    let mut meant = Vec::new();
    for (&(constant, element), words) in paths {
        let Some((name, modules)) = words.split_last() else { continue };
        let Some(home) = all.get(constant).map(|one| one.site.source) else { continue };
        // Of a name that everybody has, no path tells which is meant.
        let same = by_name.get(name.as_str()).filter(|same| same.len() <= MOST_ALIKE);
        let same = same.into_iter().flatten().filter_map(|&one| all.get(one));
        let is_meant = |site: &Site| modules.is_empty() || is_in(sources, home, site.source, modules);
        let sites: Vec<Site> = same.map(|one| one.site).filter(is_meant).collect();
        // A bare name is that of the file itself, if that has one.
        if modules.is_empty() && (sites.len() < 2 || sites.iter().any(|site| site.source == home)) {
            continue;
        }
        let near = |file: SourceId| nearness(sources.path(home), sources.path(file));
        let mut sites: Vec<_> = sites.into_iter().map(|site| (near(site.source), site)).collect();
        sites.sort_unstable();
        let nearest = sites.last().copied();
        let is_alone = |near: Nearness| sites.iter().filter(|(other, _)| *other == near).count() == 1;
        meant.extend(nearest.filter(|(near, _)| is_alone(*near)).map(|(_, site)| (constant, element, site)));
    }
    for (constant, element, site) in meant {
        if let Some(one) = all.get_mut(constant).and_then(|one| one.elements.get_mut(element)) {
            *one = Element::Constant(site);
        }
    }
}

/// Whether a file is one of these modules, for code in another file.
fn is_in(sources: &Sources, home: SourceId, file: SourceId, modules: &[String]) -> bool {
    // The module above is another file.
    let is_outer = modules.iter().any(|word| matches!(word.as_str(), "super" | "crate"));
    let mut modules = modules.iter().rev().map(String::as_str).filter(|word| !HERE.contains(word)).peekable();
    let Some(last) = modules.peek().copied() else { return file == home && !is_outer };
    let path = sources.path(file);
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_file = stem == last;
    let mut parts = folders.rsplit('/');
    modules.skip(usize::from(is_file)).all(|module| parts.next() == Some(module))
}

/// How many folders two paths share from the root, and how few the second has besides.
type Nearness = (usize, Reverse<usize>);

fn nearness(home: &str, path: &str) -> Nearness {
    let shared = home.split('/').zip(path.split('/')).take_while(|(one, other)| one == other).count();
    (shared, Reverse(path.split('/').count()))
}

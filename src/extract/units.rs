//! Files taken apart, and what is kept of each: of most neither tokens nor walk, for they make no text and call nothing that
//! does.

use super::{
    counted::{asked_by, asked_by_loops},
    fold::{Folder, Known, Unit, is_of_folder, names::common_folders},
    languages::{ImportForm, Language},
    lexer::Table,
    methods,
    near::{Named, nearest},
    outline::{Listed, Names, Outline},
    roles::{Graph, token_text},
    sketch::{self, Candidate, NOWHERE, Sketch},
};
use crate::source::{Source, SourceId, Sources};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Takes a file apart. Of one of a large tree that makes no SQL only an outline is kept.
pub(super) fn outlined(
    (id, source): (SourceId, &Source),
    is_large: bool,
    language: &'static Language,
    table: &Table,
    names: &Names,
) -> Unit {
    if !is_large {
        return take_apart(id, &source.path, source.text(), language, table);
    }
    source.peek(|text| {
        let unit = take_apart(id, &source.path, text, language, table);
        let includes = !unit.sketch.includes.is_empty();
        if language.is_sql || includes || unit.sketch.candidates.iter().any(|one| one.is_likely) {
            return unit;
        }
        let outline = Some(Box::new(Outline::new(&unit, text, names)));
        Unit { outline, tokens: Vec::new(), sketch: Sketch::default(), ..unit }
    })
}

/// Takes a file apart.
pub(super) fn take_apart(
    source: SourceId,
    path: &str,
    text: &str,
    language: &'static Language,
    table: &Table,
) -> Unit {
    let is_test = language.is_test_path(path);
    let empty =
        Unit { source, language, tokens: Vec::new(), sketch: Sketch::default(), outline: None, is_test };
    if language.is_sql {
        return empty;
    }
    let (mut tokens, mut sketch) = sketch::sketch(text, language, table, is_test);
    if table.has_methods {
        methods::add(text, language, &tokens, &mut sketch);
    }
    tokens.shrink_to_fit();
    // Tokens are the largest thing in memory, and most test files hold nothing that is asked for later.
    let has_names = sketch.has_names();
    let is_bare = sketch.candidates.is_empty() && sketch.calls.is_empty() && sketch.test_modules.is_empty();
    if is_bare && !has_names && is_test {
        return empty;
    }
    Unit { tokens, sketch, ..empty }
}

/// `#[cfg(test)] mod name;` makes another file test code.
pub(super) fn mark_test_modules(sources: &Sources, units: &mut [Unit]) {
    let mut folders = Vec::new();
    for unit in units.iter() {
        let Some(source) = sources.get(unit.source) else { continue };
        let (folder, file) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let inside = if matches!(stem, "mod" | "lib" | "main") {
            folder.to_owned()
        } else {
            format!("{folder}/{stem}")
        };
        let of_tokens = unit.sketch.test_modules.iter().map(|&name| token_text(unit, source.text(), name));
        let of_outline = unit.outline.iter().flat_map(|one| &one.test_modules).map(|name| &**name);
        for name in of_tokens.chain(of_outline) {
            folders.push(format!("{inside}/{name}").trim_start_matches('/').to_owned());
        }
    }
    for unit in units {
        let path = sources.path(unit.source);
        if folders
            .iter()
            .any(|module| path.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with(['.', '/'])))
        {
            mark_test(unit);
        }
    }
}

fn mark_test(unit: &mut Unit) {
    unit.is_test = true;
    unit.sketch.functions.iter_mut().for_each(|function| function.is_test = true);
    unit.sketch.candidates.iter_mut().for_each(|candidate| candidate.is_test = true);
}

/// Lets go what nothing is asked of later.
pub(super) fn drop_tokens(units: &mut [Unit], graph: &Graph) {
    units.par_iter_mut().enumerate().for_each(|(index, unit)| {
        if !unit.sketch.candidates.is_empty() || graph.calls_sql(index) {
            return;
        }
        if let Some(outline) = &mut unit.outline {
            let Outline { numbers, variants, .. } = std::mem::take(&mut **outline);
            **outline = Outline { numbers, variants, ..Outline::default() };
        }
        let has_names = unit.sketch.has_names();
        if has_names {
            unit.sketch.calls = Vec::new();
        } else {
            unit.tokens = Vec::new();
            let numbers = std::mem::take(&mut unit.sketch.numbers);
            unit.sketch = Sketch { numbers, ..Sketch::default() };
        }
    });
}

/// The names at the level of a file that stand for texts which may be SQL.
pub(super) fn names_of_sql<'a>(unit: &Unit, text: &'a str) -> Vec<&'a str> {
    let bound = unit.sketch.bindings.iter().filter(|binding| binding.function == NOWHERE);
    let bound: Vec<(u32, u32)> = bound.map(|binding| (binding.value, binding.name)).collect();
    let is_sql = |candidate: &&Candidate| candidate.function == NOWHERE && candidate.is_likely;
    let loose = unit.sketch.candidates.iter().filter(is_sql);
    let mut names: Vec<&str> = loose
        .filter_map(|candidate| {
            let behind = bound.partition_point(|(value, _)| *value <= candidate.start);
            let (_, name) = bound.get(behind.checked_sub(1)?)?;
            Some(token_text(unit, text, *name))
        })
        .collect();
    names.dedup();
    names
}

/// The longest value of a name that is looked through, in bytes.
const LONGEST: u32 = 8192;

/// The most files that are read again for one name.
const MOST_ALIKE: usize = 64;

/// A file, and a name that it declares.
type Asked<'a> = (usize, &'a str);

/// Files that were outlined, and turn out to matter.
pub(super) struct Restorer<'a> {
    pub(super) sources: &'a Sources,
    pub(super) tables: &'a [Table],
    pub(super) names: &'a Listed,
    /// The numbers of names in the graph.
    pub(super) numbers: &'a HashMap<&'a str, u32>,
}

impl Restorer<'_> {
    /// Reads again what calls what makes SQL, and what declares names which that asks for.
    pub(super) fn restore(&self, units: &mut [Unit], graph: &mut Graph) {
        let listing = self.listing(units);
        let whole: Vec<usize> = (0..units.len())
            .filter(|&index| {
                units.get(index).is_some_and(Unit::is_outlined)
                    && (graph.calls_sql(index) || listing.binary_search(&index).is_ok())
            })
            .collect();
        self.read(units, graph, &whole);
        self.read_makers(units, graph);
        let globals = self.globals(units);
        let makes = |unit: &Unit| !unit.tokens.is_empty();
        let asking = units.par_iter().enumerate().filter(|(_, unit)| makes(unit));
        let mut asked: HashSet<Asked<'_>> = asking
            .flat_map_iter(|(at, unit)| {
                let text = self.sources.get(unit.source).map_or("", Source::text);
                self.asked(units, at, text, &globals)
            })
            .collect();
        self.read_counts(units, graph);
        let is_imported =
            |(at, name): &Asked<'_>| units.get(*at).is_some_and(|unit| !unit.language.shows(name));
        if asked.iter().any(is_imported) {
            let hands_on = |unit: &Unit| {
                let is_package = || is_of_folder(self.sources.path(unit.source));
                let may = unit.outline.as_ref().is_some_and(|outline| outline.hands_on);
                may && (unit.language.imports != ImportForm::Modules || is_package())
            };
            let handing: Vec<usize> =
                units.iter().enumerate().filter(|(_, unit)| hands_on(unit)).map(|(at, _)| at).collect();
            self.read(units, graph, &handing);
        }
        let mut seen = asked.clone();
        while !asked.is_empty() {
            let files: HashSet<usize> = asked.iter().map(|(at, _)| *at).collect();
            let is_outlined = |at: &usize| units.get(*at).is_some_and(Unit::is_outlined);
            let files: Vec<usize> = files.into_iter().filter(is_outlined).collect();
            self.read(units, graph, &files);
            for &at in &files {
                if let Some(unit) = units.get_mut(at) {
                    keep_names(unit);
                }
            }
            let further: HashSet<Asked<'_>> = asked
                .par_iter()
                .flat_map_iter(|(at, name)| {
                    let values = units.get(*at).map_or(Vec::new(), |unit| self.values(unit, name));
                    values.into_iter().flat_map(|value| self.asked(units, *at, value, &globals))
                })
                .collect();
            asked = further.into_iter().filter(|one| seen.insert(*one)).collect();
        }
    }

    /// Reads again what tells how many turns loops have.
    fn read_counts(&self, units: &mut [Unit], graph: &mut Graph) {
        /// The most functions that are followed in one another.
        const DEEPEST: usize = 4;
        let mut asked = asked_by_loops(&self.folder(units));
        for _ in 0..=DEEPEST {
            let tells = |&at: &usize| {
                let outline = units.get(at).and_then(|unit| unit.outline.as_ref());
                outline.is_some_and(|outline| {
                    let mut functions = (0_u32..).zip(&outline.functions);
                    let is_asked = |name: u32| asked.contains(self.names.name(name));
                    outline.owners.iter().any(|&owner| is_asked(owner))
                        || (outline.may_list
                            && functions.any(|(index, function)| {
                                is_asked(function.name) && graph.is_only(at as u32, index)
                            }))
                })
            };
            let files: Vec<usize> = (0..units.len()).into_par_iter().filter(tells).collect();
            self.read(units, graph, &files);
            asked = asked_by(&self.folder(units), &asked);
            if asked.is_empty() {
                return;
            }
        }
    }

    fn folder<'u>(&'u self, units: &'u [Unit]) -> Folder<'u> {
        Folder::new(self.sources, units, self.tables, Known::default())
    }

    /// What a name at the level of a file stands for, as text.
    fn values(&self, unit: &Unit, name: &str) -> Vec<&str> {
        let Some(source) = self.sources.get(unit.source) else { return Vec::new() };
        let start = |token: u32| unit.tokens.get(token as usize).map(|token| token.start);
        let bound: Vec<_> =
            unit.sketch.bindings.iter().filter(|binding| binding.function == NOWHERE).collect();
        let ends = bound.iter().skip(1).map(|next| start(next.name)).chain([None]);
        let own = bound
            .iter()
            .zip(ends)
            .filter(|(one, _)| token_text(unit, source.text(), one.name) == name)
            .filter_map(|(one, end)| {
                let from = start(one.value)?;
                let end = end.unwrap_or(u32::MAX).min(from.saturating_add(LONGEST));
                Some((from as usize, source.text().floor_char_boundary(end as usize)))
            });
        own.filter_map(|(from, end)| source.text().get(from..end)).collect()
    }

    /// The files with names at their level that name what stands for SQL elsewhere: lists of it, perhaps.
    fn listing(&self, units: &[Unit]) -> Vec<usize> {
        let text = |unit: &Unit| self.sources.get(unit.source).map_or("", Source::text);
        let makes = units.iter().enumerate().filter(|(_, unit)| !unit.sketch.candidates.is_empty());
        let of_sql = |(at, unit): (usize, _)| {
            let names = names_of_sql(unit, text(unit)).into_iter();
            names.filter(|name| unit.language.may_show(name)).map(move |name| (name, at))
        };
        let declared: Vec<Named<&str>> = makes.flat_map(of_sql).collect();
        let names: HashSet<&str> = declared.iter().map(|(name, _)| *name).collect();
        let uses = |(at, unit): (usize, &Unit)| -> Vec<Named<&str>> {
            let may_list = unit.outline.as_ref().is_some_and(|outline| outline.may_list);
            let source = self.sources.get(unit.source).filter(|_| may_list);
            let known = |text: &str| words(text).filter_map(|word| names.get(word).copied()).collect();
            let found: HashSet<&str> = source.map_or_else(HashSet::default, |source| source.peek(known));
            found.into_iter().map(|name| (name, at)).collect()
        };
        if names.is_empty() {
            return Vec::new();
        }
        let uses = units.par_iter().enumerate().flat_map_iter(uses).collect();
        nearest(self.sources, units, uses, declared)
    }

    /// The outlined files that declare each name.
    fn globals(&self, units: &[Unit]) -> HashMap<&str, Vec<usize>> {
        let mut globals: HashMap<&str, Vec<usize>> = HashMap::default();
        for (index, unit) in units.iter().enumerate() {
            for &name in unit.outline.iter().flat_map(|outline| &outline.globals) {
                globals.entry(self.names.name(name)).or_default().push(index);
            }
        }
        globals
    }

    /// The nearest files that declare what a text of a file names.
    fn asked<'g>(
        &self,
        units: &[Unit],
        at: usize,
        text: &str,
        globals: &HashMap<&'g str, Vec<usize>>,
    ) -> Vec<Asked<'g>> {
        let Some(unit) = units.get(at) else { return Vec::new() };
        let path = self.sources.path(unit.source);
        let mut seen: HashSet<&str> = HashSet::default();
        let named = words(text).filter(|word| unit.language.may_show(word) && seen.insert(word));
        let nearest = |name: &str| -> Vec<Asked<'g>> {
            let Some((&name, own)) = globals.get_key_value(name) else { return Vec::new() };
            let is_alike = |other: &usize| {
                units.get(*other).is_some_and(|other| other.language.name == unit.language.name)
            };
            let near = |&other: &usize| {
                let other_path = units.get(other).map_or("", |other| self.sources.path(other.source));
                (common_folders(path, other_path), std::cmp::Reverse(other))
            };
            let alike = own.iter().copied().filter(is_alike);
            // Which of them is meant, an import tells.
            if !unit.language.shows(name) {
                return alike.take(MOST_ALIKE).map(|other| (other, name)).collect();
            }
            alike.max_by_key(near).map(|other| (other, name)).into_iter().collect()
        };
        named.flat_map(nearest).collect()
    }

    /// Reads files again, and whom they call.
    pub(super) fn read(&self, units: &mut [Unit], graph: &mut Graph, which: &[usize]) {
        let again = |&at: &usize| {
            let old = units.get(at)?;
            let source = self.sources.get(old.source)?;
            let number = super::languages::of_path(&source.path)?;
            let mut unit =
                take_apart(old.source, &source.path, source.text(), old.language, self.tables.get(number)?);
            if old.is_test {
                mark_test(&mut unit);
            }
            unit.sketch.shrink();
            let number = |word: &str| self.numbers.get(word).copied().unwrap_or(NOWHERE);
            let calls = unit.sketch.calls.iter();
            let called = calls.map(|call| number(token_text(&unit, source.text(), call.name))).collect();
            Some((at, unit, called))
        };
        let read: Vec<(usize, Unit, Vec<u32>)> = which.par_iter().filter_map(again).collect();
        for (at, unit, called) in read {
            if let Some(place) = units.get_mut(at) {
                *place = unit;
                graph.set_called(at, called);
            }
        }
    }
}

/// Keeps of a file that is asked for names alone the tokens up to the last of their values. Nothing is asked of what it calls.
fn keep_names(unit: &mut Unit) {
    unit.sketch.calls = Vec::new();
    let names = unit.sketch.bindings.iter().filter(|binding| binding.function == NOWHERE);
    let last = names.map(|binding| binding.value).max();
    let start = last.and_then(|last| unit.tokens.get(last as usize)).map_or(0, |token| token.start);
    let end = unit.tokens.partition_point(|token| token.start < start.saturating_add(LONGEST));
    unit.tokens.truncate(end);
    unit.tokens.shrink_to_fit();
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_')).filter(|word| !word.is_empty())
}

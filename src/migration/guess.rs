//! What databases a tree declares, where nobody says: folders of migrations, lists and constants of DDL, `CREATE …`
//! in functions. Declarations that belong together become one database; the report says that it is a guess.

use super::{
    Declaration, Mentions, Step, alone,
    among::Among,
    bases, between,
    configured::constant_steps,
    copies,
    engines::is_of_another,
    files, folders,
    groups::{Groups, Member},
    handed,
    helped::Helped,
    incomplete::is_computed,
    joined, lists, memory, mentions, names, numbers,
    order::makers_first,
    rebuilds::Rebuilds,
    registered::Registered,
    repeated,
    resets::{is_no_step, only_drops},
    reversals::{self, Reversals, is_backward},
    rewrites, rungs,
    servers::Servers,
    tables::provision_end,
    temporary, unlisted, uses, version,
};
use crate::{
    extract::{Constant, Element, Extraction, Literal, Role, languages::SinkKind},
    source::{Site, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The databases of a tree, as far as its sources show them.
pub(super) fn guess(sources: &Sources, extraction: &Extraction, taken: &HashSet<usize>) -> Vec<Declaration> {
    let series = numbers::of_code(sources, extraction);
    let servers = Servers::find(sources, extraction);
    let mut declared = files::declarations(sources, extraction, &servers);
    // A folder of numbered files, some of them code, is one history: it is put together below.
    declared.retain(|one| !one.homes.iter().any(|home| series.contains_key(home)));
    folders::join(sources, &mut declared);
    between::add(sources, extraction, &mut declared);
    let mut taken = taken.clone();
    taken.extend(declared.iter().flat_map(|one| one.steps.iter().map(|step| step.literal)));
    let guess = Guess::new(sources, extraction, &servers, &taken, (&series, &declared));
    let mut guessed = guess.declarations();
    lists::part(sources, extraction, &mut guessed);
    memory::part(extraction, &mut guessed);
    declared.extend(guessed);
    repeated::join(sources, extraction, &mut declared);
    bases::join(sources, extraction, &mut declared);
    // What changes tables, and makes none, is nothing without them.
    declared.retain(|one| !bases::lacks_all(extraction, one));
    rewrites::join(sources, extraction, &series, &mut declared);
    copies::join(sources, extraction, &mut declared);
    alone::settle(sources, extraction, &mut declared);
    names::name_apart(sources, &mut declared);
    declared
}

/// What code declares, by file.
struct Guess<'a> {
    sources: &'a Sources,
    extraction: &'a Extraction,
    /// What each literal that declares something says of tables.
    ddl: BTreeMap<usize, Mentions>,
    /// What undoes others.
    reversals: Reversals,
    /// The parts of which texts are put together, by what has them.
    joined: BTreeMap<usize, BTreeSet<usize>>,
    /// The functions that make tables anew.
    rebuilds: Rebuilds,
    /// The literals that lists hold, by the name of the list.
    lists: Vec<(&'a Constant, Vec<Step>)>,
    /// The steps that code hands in by number.
    registered: Registered,
    /// What numbered functions call.
    helped: Helped,
    /// The numbers of files that are migrations.
    series: &'a BTreeMap<SourceId, u64>,
    /// The tables of folders of numbered files without code.
    folders: BTreeMap<&'a str, BTreeSet<String>>,
}

impl<'a> Guess<'a> {
    fn new(
        sources: &'a Sources,
        extraction: &'a Extraction,
        servers: &Servers<'_>,
        taken: &HashSet<usize>,
        (series, files): (&'a BTreeMap<SourceId, u64>, &[Declaration]),
    ) -> Self {
        let declares = |literal: &Literal| {
            let is_file = literal.language.is_sql && !series.contains_key(&literal.site.source);
            let is_backward =
                || literal.language.is_sql && files::leads_back(sources.path(literal.site.source));
            // What a virtual table says of its columns makes no table.
            let is_shape = || {
                let sink = literal.sink.as_ref();
                sink.is_some_and(|sink| ["sqlite3_declare_vtab", "DeclareVTab"].contains(&sink.name.as_str()))
            };
            let is_foreign = || files::is_foreign(sources.path(literal.site.source)) || servers.run(literal);
            literal.role != Role::Test && !is_file && !is_backward() && !is_shape() && !is_foreign()
        };
        let (rebuilds, among) = (Rebuilds::new(extraction), Among::new(extraction));
        let mentioned = |(index, literal): (usize, &Literal)| {
            let text = literal.variants.first().filter(|_| declares(literal) && !taken.contains(&index))?;
            let found = mentions(text.as_str());
            let is_one = found.has_ddl || rebuilds.fills(literal) || among.has(literal);
            (is_one && !is_computed(extraction, literal, text) && !is_of_another(text.as_str()))
                .then_some((index, found))
        };
        let all: Vec<_> = extraction.literals.par_iter().enumerate().filter_map(mentioned).collect();
        let mut ddl = BTreeMap::from_iter(all);
        temporary::leave_out(extraction, !taken.is_empty(), &mut ddl);
        let reversals = Reversals::among(sources, extraction, ddl.keys().copied());
        ddl.retain(|index, _| !reversals.has(*index));
        let registered = Registered::find(sources, extraction, &ddl, series);
        ddl.retain(|index, _| !registered.leads_back(*index));
        let copies = copies::of_code((sources, extraction), taken, series, &ddl);
        ddl.retain(|index, _| registered.version(*index).is_some() || !copies.contains(index));
        let joined = joined::parts(extraction, &ddl);
        let parts: BTreeSet<usize> = joined.values().flatten().copied().collect();
        ddl.retain(|index, _| !parts.contains(index));
        let folders = rewrites::folders(sources, files);
        let mut guess = Self {
            sources,
            extraction,
            ddl,
            reversals,
            joined,
            rebuilds,
            lists: Vec::new(),
            registered,
            helped: Helped::find(extraction),
            series,
            folders,
        };
        guess.lists = guess.lists();
        unlisted::leave_out((sources, extraction), &mut guess.lists, &mut guess.ddl);
        guess
    }

    /// The lists that hold declarations and are no part of another list.
    fn lists(&self) -> Vec<(&'a Constant, Vec<Step>)> {
        let lists = self.extraction.constants.iter().filter(|constant| constant.is_list);
        let elements = || lists.clone().flat_map(|list| &list.elements);
        let inner: HashSet<&str> = elements()
            .filter_map(|element| if let Element::Name(name) = element { Some(name.as_str()) } else { None })
            .collect();
        let places: HashSet<Site> = elements()
            .filter_map(|element| if let Element::Constant(place) = element { Some(*place) } else { None })
            .collect();
        let is_step = |step: &Step| self.registered.has(step.literal) || !self.resets(step.literal);
        let is_told = |list: &Constant| {
            self.series.contains_key(&list.site.source) || !is_no_step(self.extraction, list)
        };
        lists
            .filter(|list| !inner.contains(list.name.as_str()) && !places.contains(&list.site))
            .map(|list| {
                let steps = constant_steps(&list.name, &list.elements, list.site.source, self.extraction, 0);
                let is_forward = |step: &Step| !self.reversals.has(step.literal);
                (list, steps.into_iter().filter(is_forward).collect::<Vec<Step>>())
            })
            .filter(|(_, steps)| steps.iter().any(|step| self.ddl.contains_key(&step.literal)))
            .filter(|(list, steps)| steps.iter().any(is_step) || is_told(list))
            .collect()
    }

    /// Whether what a text drops is only reset there: run here, it would take the tables away.
    fn resets(&self, index: usize) -> bool {
        let is_kept = |one: &Literal| one.role == Role::Migration || self.rebuilds.has(one);
        self.ddl.get(&index).is_some_and(only_drops) && !self.literal(index).is_some_and(is_kept)
    }

    fn literal(&self, index: usize) -> Option<&'a Literal> {
        self.extraction.literals.get(index)
    }

    fn source(&self, index: usize) -> Option<SourceId> {
        self.literal(index).map(|literal| literal.site.source)
    }

    fn declarations(&self) -> Vec<Declaration> {
        let mut steps = self.steps();
        let mut files: Vec<SourceId> = steps.keys().copied().collect();
        files.sort_unstable();
        let number: HashMap<SourceId, usize> =
            files.iter().enumerate().map(|(index, &file)| (file, index)).collect();
        let groups = self.groups(&files, &number, &steps);
        let mut declared = Vec::new();
        for mut members in groups.roots().into_values() {
            // The file that creates most comes first: the others build on it.
            let number = |member: usize| {
                let file = files.get(member)?;
                let handed = || {
                    let steps = steps.get(file).into_iter().flatten();
                    steps.filter_map(|step| self.registered.version(step.literal)).min()
                };
                self.series.get(file).copied().or_else(handed)
            };
            let numbers: HashMap<_, _> = members.iter().map(|&one| (one, number(one))).collect();
            let number = |member: &usize| numbers.get(member).copied().flatten();
            members.sort_by_key(|&member| {
                let created = groups.members.get(member).map_or(0, |one| one.created.len());
                (number(&member), std::cmp::Reverse(created))
            });
            let homes: Vec<SourceId> =
                members.iter().filter_map(|&member| files.get(member).copied()).collect();
            let altering = groups.altering(&members);
            let mut order = members.clone();
            let phase = |&at: &usize| numbers::phase(self.sources, files.get(at));
            order.sort_by_key(|member| (number(member), phase(member), altering.contains(member)));
            let mut all: Vec<Step> =
                order.iter().filter_map(|&member| steps.remove(files.get(member)?)).flatten().collect();
            self.registered.sort(&mut all);
            let has_objects =
                |member: &usize| groups.members.get(*member).is_some_and(|one| !one.created.is_empty());
            let extends = || alone::extend(self.sources, self.extraction, &all);
            let is_one = || extends() || bases::is_ladder(&all);
            if all.is_empty() || !(members.iter().any(has_objects) || is_one()) {
                continue;
            }
            let aside =
                all.iter().filter_map(|step| self.joined.get(&step.literal)).flatten().copied().collect();
            let makes_table = |step: &&Step| self.ddl.get(&step.literal).is_some_and(|one| one.makes_table);
            let first = all.iter().filter(makes_table).filter_map(|step| self.source(step.literal));
            let makers: BTreeSet<SourceId> = first.collect();
            let home = homes.iter().find(|home| makers.contains(home)).or(homes.first());
            let name = home.map_or("main", |home| {
                names::file_name(self.sources.path(*home), self.series.contains_key(home))
            });
            let one = Declaration::of(
                name.to_owned(),
                names::places(self.sources, self.extraction, &all),
                homes,
                all,
            );
            declared.push(Declaration { aside, ..one });
        }
        declared
    }

    /// The steps of each file, in the order in which they are thought to run.
    fn steps(&self) -> BTreeMap<SourceId, Vec<Step>> {
        let mut by_file: BTreeMap<SourceId, Vec<(u64, u32, Vec<Step>)>> = BTreeMap::new();
        let mut listed: HashSet<usize> = HashSet::new();
        let lone = numbers::lone(self.extraction, &self.ddl);
        for (list, steps) in &self.lists {
            // What a function runs in its turn is a step of the function.
            let own = |step: &Step| {
                let is_run = self.ddl.contains_key(&step.literal);
                let (.., own) = self.single(step.literal, lone.contains(&step.literal), true)?;
                is_run.then_some(own)
            };
            let steps = steps.iter().filter(|step| listed.insert(step.literal) || !step.is_loose);
            let mut steps: Vec<Step> =
                steps.filter_map(|step| if step.is_loose { own(step) } else { Some(step.clone()) }).collect();
            for step in &mut steps {
                step.list = Some(list.site);
            }
            // A file of a series is a migration, whatever it calls the list of its texts.
            if let Some(&own) = self.series.get(&list.site.source) {
                for step in &mut steps {
                    (step.version, step.is_upgrade) = (Some(own), true);
                }
            }
            let number = version(&list.name).unwrap_or(0);
            by_file.entry(list.site.source).or_default().push((number, list.site.start, steps));
        }
        for &index in self.ddl.keys().filter(|index| !listed.contains(index)) {
            if let Some((source, number, start, step)) = self.single(index, lone.contains(&index), false) {
                // In a migration, the numbers of functions order nothing.
                let number = if self.series.contains_key(&source) { 0 } else { number };
                by_file.entry(source).or_default().push((number, start, vec![step]));
            }
        }
        let sorted = by_file.into_iter().map(|(source, mut items)| {
            items.sort_by_key(|(number, start, _)| (*number, *start));
            (source, makers_first(items))
        });
        sorted.collect()
    }

    /// A declaration that stands alone, in a constant or in a function; `is_listed`: in a function that a list of steps names.
    fn single(&self, index: usize, is_lone: bool, is_listed: bool) -> Option<(SourceId, u64, u32, Step)> {
        let literal = self.literal(index)?;
        let function = literal.function.and_then(|function| self.extraction.functions.get(function as usize));
        // A constant that a numbered file runs is of that file.
        let user = self.user(index).filter(|user| self.series.contains_key(user));
        let home = user.unwrap_or(literal.site.source);
        let in_series = self.series.get(&home);
        let helped = self.helped.place((self.sources, self.extraction), literal, home);
        let is_step = is_listed || in_series.is_some() || helped.is_some() || self.registered.has(index);
        let owner = literal.constant.as_deref().or_else(|| function.map(|function| function.name.as_str()));
        let is_backward = match literal.constant.as_deref() {
            Some(constant) => reversals::leads_back(self.extraction, constant, literal.site.source),
            None => owner.is_some_and(is_backward),
        };
        if (!is_step && self.resets(index)) || is_backward {
            return None;
        }
        if literal.language.is_sql {
            let path = self.sources.path(literal.site.source);
            let step = files::step(index, path, literal.variants.first()?, true);
            return Some((literal.site.source, 0, 0, step));
        }
        let name = owner.unwrap_or("");
        let number = version(name).filter(|_| !is_lone);
        let (number, start) = match (number, helped) {
            (None, Some(place)) => place,
            _ => (number.unwrap_or(0), uses::place(self.sources, self.extraction, literal)),
        };
        let whole = literal.variants.first()?;
        // What the program does with tables that it sees to before is no part of that, where it is run at all.
        let is_whole = matches!(
            literal.sink.as_ref().map(|sink| sink.kind),
            Some(SinkKind::RunsOne | SinkKind::RefusesMore)
        );
        let end = provision_end(whole.as_str()).filter(|_| !is_step && !is_whole);
        let text = end.map_or_else(|| whole.clone(), |end| whole.part(0, end));
        let registered = self.registered.version(index);
        let version = in_series.copied().or(registered).or(Some(number));
        let is_upgrade = number > 0 || in_series.is_some() || registered.is_some();
        let step = Step {
            is_ordered: false,
            is_upgrade,
            is_part: end.is_some(),
            ..Step::new(index, text, name, version)
        };
        Some((home, number, start, step))
    }

    fn groups(
        &self,
        files: &[SourceId],
        number: &HashMap<SourceId, usize>,
        steps: &BTreeMap<SourceId, Vec<Step>>,
    ) -> Groups {
        let mut members: Vec<Member> = files.iter().map(|&file| Member::of(self.sources, file)).collect();
        let mut links = Vec::new();
        for (file, steps) in steps {
            let Some(&index) = number.get(file) else { continue };
            for step in steps {
                if let Some(member) = members.get_mut(index) {
                    member.add(step);
                }
                let literal_home = self.source(step.literal).and_then(|source| number.get(&source));
                links.extend(literal_home.map(|&home| (index, home)));
                links.extend(
                    self.user(step.literal).and_then(|user| number.get(&user)).map(|&user| (index, user)),
                );
            }
        }
        rewrites::mark_series(self.sources, self.series, &self.folders, files, &mut members);
        let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
        let folder_of = |file: SourceId| rewrites::folder(self.sources, file);
        for (file, &index) in number.iter().filter(|(file, _)| self.series.contains_key(file)) {
            links.push((*folders.entry(folder_of(*file)).or_insert(index), index));
        }
        // What stands beside a series without a number is what it starts from.
        links.extend(
            number.iter().filter_map(|(file, &index)| Some((*folders.get(folder_of(*file))?, index))),
        );
        for steps in self.registered.histories() {
            let homes = steps.iter().filter_map(|&step| number.get(&self.source(step)?).copied());
            let homes: Vec<usize> = homes.collect();
            links.extend(homes.iter().zip(homes.iter().skip(1)).map(|(&one, &other)| (one, other)));
        }
        links.extend(rungs::links(self.extraction, number, &members));
        links.extend(handed::links(self.sources, self.extraction, number, &members));
        let mut groups = Groups::new(members);
        for (a, b) in links {
            groups.join(a, b);
        }
        groups.join_by_declarations();
        groups.join_by_alterations();
        if groups.roots().len() < 2 {
            return groups;
        }
        for literal in self.extraction.literals.iter().filter(|literal| literal.role != Role::Test) {
            let Some(text) = literal.variants.first() else { continue };
            let found = mentions(text.as_str());
            let used: BTreeSet<&str> = found.used.iter().map(String::as_str).collect();
            groups.join_by_statement(self.sources.path(literal.site.source), &used);
        }
        groups.join_siblings();
        groups
    }

    /// The file whose code runs a constant, where it is another than the constant's own.
    fn user(&self, index: usize) -> Option<SourceId> {
        let literal = self.literal(index)?;
        literal.constant.as_ref()?;
        let function = self.extraction.functions.get(literal.function? as usize)?;
        (function.site.source != literal.site.source && function.role != Role::Test)
            .then_some(function.site.source)
    }
}

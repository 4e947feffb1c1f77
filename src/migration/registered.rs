//! Steps that code hands in one by one, by number or in their turn, wherever in a folder each stands: all that is handed in at one
//! door is one history. Knows names and numbers; whether a step works is for SQLite to say.

mod calls;
mod choices;
mod entries;
mod pairs;
mod search;

use self::{
    entries::{Door, Entry},
    search::{Handed, Search, Thing},
};
use super::{Mentions, Step, uses};
use crate::{
    extract::{Element, Extraction},
    source::{SourceId, Sources, folder_of},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The place of a step in the history that it is handed in to.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The history, by a number.
    series: usize,
    /// By which it runs.
    number: u64,
    /// Whether that is written in code.
    is_version: bool,
}

/// The steps that are handed in.
#[derive(Default)]
pub(super) struct Registered {
    /// The place of each literal, and where it runs in its step, as bytes.
    places: BTreeMap<usize, (Place, (u32, u32))>,
    /// The literals that undo steps.
    back: BTreeSet<usize>,
}

impl Registered {
    /// Finds those among these literals, files of a series and lists of texts alone aside.
    pub fn find(
        sources: &Sources,
        extraction: &Extraction,
        ddl: &BTreeMap<usize, Mentions>,
        series: &BTreeMap<SourceId, u64>,
    ) -> Self {
        let is_one = |index: &&usize| {
            let literal = extraction.literals.get(**index);
            literal.is_some_and(|one| !one.language.is_sql && !series.contains_key(&one.site.source))
        };
        let texts: Vec<usize> = ddl.keys().filter(is_one).copied().collect();
        if texts.len() < 2 {
            return Self::default();
        }
        let search = Search::new(sources, extraction, &texts);
        let (numbers, back) = settle(known(&search, sources, ddl, &texts));
        let mut found = Self::default();
        for &index in &texts {
            let Some((thing, at)) =
                search.handed(index, &|thing| numbers.contains_key(&thing) || back.contains(&thing))
            else {
                continue;
            };
            if back.contains(&thing) {
                found.back.insert(index);
            } else if let (Some(place), Some(literal)) = (numbers.get(&thing), extraction.literals.get(index))
            {
                let own = uses::place(sources, extraction, literal);
                found.places.insert(index, (*place, (at.unwrap_or(own), own)));
            }
        }
        found
    }

    /// Whether a text undoes a step.
    pub fn leads_back(&self, literal: usize) -> bool {
        self.back.contains(&literal)
    }

    /// Whether a text is a step that is handed in.
    pub fn has(&self, literal: usize) -> bool {
        self.places.contains_key(&literal)
    }

    /// The number that code gives to a step.
    pub fn version(&self, literal: usize) -> Option<u64> {
        self.places.get(&literal).filter(|(place, _)| place.is_version).map(|(place, _)| place.number)
    }

    /// The steps of each history.
    pub fn histories(&self) -> impl Iterator<Item = Vec<usize>> {
        let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (literal, (place, _)) in &self.places {
            all.entry(place.series).or_default().push(*literal);
        }
        all.into_values()
    }

    /// Puts the steps of each history in their order, in the places that they have among all.
    pub fn sort(&self, steps: &mut [Step]) {
        let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, step) in steps.iter().enumerate() {
            if let Some((place, _)) = self.places.get(&step.literal) {
                places.entry(place.series).or_default().push(at);
            }
        }
        for places in places.into_values() {
            let mut own: Vec<Step> = places.iter().filter_map(|&at| steps.get(at)).cloned().collect();
            own.sort_by_key(|step| self.places.get(&step.literal).map(|(place, at)| (place.number, *at)));
            for (at, step) in places.into_iter().zip(own) {
                if let Some(old) = steps.get_mut(at) {
                    *old = step;
                }
            }
        }
    }
}

/// The histories that some texts are handed in to, with what undoes steps marked.
fn known(
    search: &Search<'_>,
    sources: &Sources,
    ddl: &BTreeMap<usize, Mentions>,
    texts: &[usize],
) -> Vec<Vec<Handed>> {
    let extraction = search.extraction;
    let things = |is_one: fn(&Mentions) -> bool| -> HashSet<Thing> {
        let its = texts.iter().filter(|text| ddl.get(text).is_some_and(is_one));
        its.flat_map(|text| search.things_of(*text)).collect()
    };
    let (changing, altering) = (things(|one| one.alters || one.drops), things(|one| one.alters));
    let listed = listed(extraction, texts);
    let is_listed = |thing: &Thing| matches!(thing, Thing::Text(text) if listed.contains(text));
    let mut histories = histories(sources, search.all(), &changing);
    histories.retain(|handed| keeps_order(search, handed));
    // Lists of texts alone are for who reads lists.
    histories.retain(|handed| {
        let is_function = |one: &Handed| matches!(one.thing, Thing::Function(_));
        let is_in_turn = handed.iter().any(|one| !one.entry.is_version);
        !handed.iter().all(|one| is_listed(&one.thing))
            && (!is_in_turn
                || (handed.iter().any(is_function) && !choices::is_choice(search, sources, handed)))
    });
    // A list that changes tables is gone through once, so that a turn in it is as good as a number.
    let is_ladder = |history: &Vec<Handed>| {
        history.iter().any(|one| altering.contains(&one.thing))
            && !history.iter().any(|one| is_listed(&one.thing))
    };
    for history in histories.iter_mut().filter(|history| is_ladder(history)) {
        for one in history {
            one.entry.is_version = true;
        }
    }
    mark_undoing(search, texts, &mut histories);
    histories
}

/// Whether calls that may run steps there and then have their numbers in the order in which they stand: else these are none of
/// versions.
fn keeps_order(search: &Search<'_>, handed: &[Handed]) -> bool {
    let mut bodies: BTreeMap<Body, BTreeSet<(usize, u64)>> = BTreeMap::new();
    for one in handed.iter().filter(|one| one.entry.runs_there) {
        let body = (one.file, search.around(one.file, one.entry.row));
        bodies.entry(body).or_default().insert((one.entry.row, one.entry.number));
    }
    bodies.values().all(|rows| rows.iter().map(|(_, number)| number).is_sorted())
}

/// Marks what undoes what it is handed in with.
fn mark_undoing(search: &Search<'_>, texts: &[usize], histories: &mut [Vec<Handed>]) {
    let mut its: BTreeMap<Thing, Vec<usize>> = BTreeMap::new();
    for &text in texts {
        search.things_of(text).for_each(|thing| its.entry(thing).or_default().push(text));
    }
    let text_of = |thing: Thing| -> String {
        let literals =
            its.get(&thing).into_iter().flatten().filter_map(|&text| search.extraction.literals.get(text));
        literals.filter_map(|one| one.variants.first()).flat_map(|text| [text.as_str(), ";\n"]).collect()
    };
    let undoing: BTreeSet<Thing> =
        histories.iter().flat_map(|history| pairs::undoing(history, text_of)).collect();
    for one in histories.iter_mut().flatten() {
        one.entry.leads_back |= undoing.contains(&one.thing);
    }
}

/// Those of some texts that lists of texts have.
fn listed(extraction: &Extraction, texts: &[usize]) -> HashSet<usize> {
    let lists = extraction.constants.iter().filter(|constant| constant.is_list);
    let (mut found, mut names): (HashSet<usize>, HashSet<&str>) = (HashSet::new(), HashSet::new());
    for element in lists.flat_map(|list| &list.elements) {
        match element {
            Element::Literal(literal) => drop(found.insert(*literal)),
            Element::Name(name) => drop(names.insert(name)),
            Element::Constant(_) | Element::Function(_) => {}
        }
    }
    let is_named = |text: &&usize| {
        let literal = extraction.literals.get(**text);
        literal.and_then(|one| one.constant.as_deref()).is_some_and(|name| names.contains(name))
    };
    found.extend(texts.iter().filter(is_named));
    found
}

/// A file, and a function of it.
type Body = (SourceId, Option<u32>);

/// What is handed in at one door.
type Doors<'a> = BTreeMap<(&'a str, Door, Option<SourceId>), Vec<Handed>>;

/// The histories that things are handed in to, those with written numbers first.
fn histories(sources: &Sources, all: Vec<Handed>, changing: &HashSet<Thing>) -> Vec<Vec<Handed>> {
    let mut doors: Doors<'_> = BTreeMap::new();
    for one in all {
        let file = matches!(one.entry.door, Door::List(_)).then_some(one.file);
        let folder = folder_of(sources.path(one.file));
        doors.entry((folder, one.entry.door.clone(), file)).or_default().push(one);
    }
    let changes = |handed: &[Handed]| handed.iter().any(|one| changing.contains(&one.thing));
    let mut histories: Vec<Vec<Handed>> = Vec::new();
    let mut of_folder: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut lone: Vec<(&str, Vec<Handed>)> = Vec::new();
    for ((folder, door, _), handed) in doors {
        let is_named = door != Door::Named(String::new());
        if is_history(&handed) {
            // What has numbers and no name for them is a history only if something changes.
            if is_named || changes(&handed) {
                of_folder.entry(folder).or_default().push(histories.len());
                histories.push(handed);
            }
            continue;
        }
        if let [Handed { entry: Entry { is_version: true, list: None, .. }, .. }] = handed.as_slice()
            && is_named
            && changes(&handed)
        {
            lone.push((folder, handed));
            continue;
        }
        // Several lists of what is called alike.
        let mut lists: BTreeMap<(SourceId, usize), Vec<Handed>> = BTreeMap::new();
        for one in handed {
            if let Some(list) = one.entry.list {
                lists.entry((one.file, list)).or_default().push(one);
            }
        }
        histories.extend(lists.into_values().filter(|handed| is_history(handed)));
    }
    // What is handed in once at a door of its own goes the way of the only others of its folder, if it has a number that they lack.
    for (folder, handed) in lone {
        let Some([history]) = of_folder.get(folder).map(Vec::as_slice) else { continue };
        if let Some(history) = histories.get_mut(*history) {
            let has = |number| history.iter().any(|one| one.entry.number == number || !one.entry.is_version);
            let is_free = handed.iter().all(|one| !has(one.entry.number));
            history.extend(handed.into_iter().filter(|_| is_free));
        }
    }
    // Numbers that are written count more than turns.
    histories.sort_by_key(|handed| handed.iter().any(|one| !one.entry.is_version));
    histories
}

/// The places of what is handed in, and what undoes that.
fn settle(histories: Vec<Vec<Handed>>) -> (BTreeMap<Thing, Place>, BTreeSet<Thing>) {
    let (mut numbers, mut back) = (BTreeMap::new(), BTreeSet::new());
    for (series, handed) in histories.into_iter().enumerate() {
        for Handed { thing, entry: Entry { number, is_version, leads_back, .. }, .. } in handed {
            if leads_back {
                back.insert(thing);
            } else {
                numbers.entry(thing).or_insert(Place { series, number, is_version });
            }
        }
    }
    back.retain(|thing| !numbers.contains_key(thing));
    (numbers, back)
}

/// Whether what is handed in at one door is a history: more than one step, each with a number of its own, or all in turn.
fn is_history(handed: &[Handed]) -> bool {
    let mut rows: BTreeMap<u64, (SourceId, usize)> = BTreeMap::new();
    let is_alone = |one: &Handed| {
        *rows.entry(one.entry.number).or_insert((one.file, one.entry.row)) == (one.file, one.entry.row)
    };
    let is_one = handed.iter().all(is_alone);
    let is_version = |one: &Handed| one.entry.is_version;
    let things: BTreeSet<Thing> = handed.iter().map(|one| one.thing).collect();
    is_one
        && rows.len() >= 2
        && things.len() >= 2
        && handed.iter().map(is_version).collect::<BTreeSet<bool>>().len() == 1
}

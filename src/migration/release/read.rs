//! The texts of releases, and what is done with them: git gives one after the other, and what needs no more of them is done
//! meanwhile. Knows nothing of what is done.

use super::State;
use crate::source::{
    GitError,
    history::{Content, History},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};

/// How many states git is asked for at once: enough that it seldom waits, and few enough that others do not.
const AT_ONCE: usize = 12;

/// The states of the files of a database, each with the releases that had it.
pub(super) type States = BTreeMap<State, Vec<usize>>;

/// The paths and the texts of a state; `None` for a text that is not in this clone.
pub(super) type Files = Vec<(String, Option<Arc<String>>)>;

/// What came of a state, with its database and its releases.
pub(super) type Done<T> = (usize, Vec<usize>, T);

/// What states of a database that say the same have in common: their paths, and a number for the text of each.
type Key = (usize, Vec<(String, Option<u64>)>);

/// Does something with each state of each database once its texts are read, on all cores, and once for states that `number` says
/// are equal; gives back what came of it, in their order.
pub(super) fn each<T: Send>(
    history: &dyn History,
    databases: impl IntoIterator<Item = (usize, States)>,
    number: impl Fn(&str, &str) -> u64 + Sync,
    work: impl Fn(usize, &Files) -> T + Sync,
) -> Result<Vec<Done<T>>, GitError> {
    let known: Mutex<HashMap<Key, Known<T>>> = Mutex::default();
    let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |place: usize, database: usize, own: Vec<usize>, files: &Files| {
        let numbered =
            files.iter().map(|(path, text)| (path.clone(), text.as_ref().map(|text| number(path, text))));
        let key = (database, numbered.collect());
        // Who comes second does not wait: what comes of the first is for both.
        let is_first = match known().entry(key.clone()) {
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.place = known.place.min(place);
                known.own.extend(own);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(Known { place, own, result: None });
                true
            }
        };
        if is_first {
            let result = work(database, files);
            if let Some(known) = known().get_mut(&key) {
                known.result = Some(result);
            }
        }
    };
    let mut texts = Texts { history, known: HashMap::new() };
    let mut count = 0;
    rayon::in_place_scope(|scope| {
        for (database, states) in databases {
            let places = count..;
            count += states.len();
            let mut states: Vec<(usize, (State, Vec<usize>))> = places.zip(states).collect();
            // git keeps what is newest as it is, and older texts as what differs: it is fastest in this order.
            states.sort_by_key(|(_, (_, own))| Reverse(own.iter().max().copied()));
            while !states.is_empty() {
                let some: Vec<_> = states.drain(..states.len().min(AT_ONCE)).collect();
                texts
                    .read(some.iter().flat_map(|(_, (state, _))| state.iter().map(|(_, content)| content)))?;
                for (place, (state, own)) in some {
                    let (one, files) = (&one, texts.files(state));
                    scope.spawn(move |_| one(place, database, own, &files));
                }
            }
        }
        Ok::<(), GitError>(())
    })?;
    let mut done: Vec<(usize, Done<T>)> = known()
        .drain()
        .filter_map(|((database, _), known)| Some((known.place, (database, known.own, known.result?))))
        .collect();
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// States that say the same.
struct Known<T> {
    /// The place of the first.
    place: usize,
    /// The releases that had one of them.
    own: Vec<usize>,
    /// What came of it.
    result: Option<T>,
}

/// The texts that were read so far.
struct Texts<'a> {
    history: &'a dyn History,
    known: HashMap<Content, Option<Arc<String>>>,
}

impl Texts<'_> {
    /// Reads those of these contents that were not read.
    fn read<'c>(&mut self, contents: impl Iterator<Item = &'c Content>) -> Result<(), GitError> {
        let mut seen: HashSet<&Content> = HashSet::new();
        let fresh = contents.filter(|content| !self.known.contains_key(*content) && seen.insert(content));
        let fresh: Vec<Content> = fresh.cloned().collect();
        if fresh.is_empty() {
            return Ok(());
        }
        let read = self.history.read(&fresh)?;
        // What is no UTF-8 is no source, as in a folder.
        let text = |bytes| Arc::new(String::from_utf8(bytes).unwrap_or_default());
        self.known.extend(fresh.into_iter().zip(read.into_iter().map(|bytes| bytes.map(text))));
        Ok(())
    }

    fn files(&self, state: State) -> Files {
        let text = |content: &Content| self.known.get(content).cloned().flatten();
        state.into_iter().map(|(path, content)| (path, text(&content))).collect()
    }
}

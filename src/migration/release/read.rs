//! The texts of releases, and what is done with them: git gives one after the other, and what needs no more of them is done
//! meanwhile. Knows nothing of what is done.

use super::State;
use crate::source::{
    GitError,
    history::{Content, History},
};
use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, OnceLock, PoisonError},
};

/// How many contents git is asked for at once: enough that it seldom waits, and few enough that others do not.
const AT_ONCE: usize = 12;

/// The texts of contents, as far as they were read.
pub(super) struct Texts<'a>(HashMap<&'a Content, OnceLock<Option<String>>>);

impl Texts<'_> {
    /// The text of a content; `None` where it is not in this clone.
    pub fn get(&self, content: &Content) -> Option<&str> {
        self.0.get(content)?.get()?.as_deref()
    }
}

/// Does something with each of these states once its texts are read, on all cores; gives back what came of it, in their order.
pub(super) fn each<T: Send>(
    history: &dyn History,
    states: &[&State],
    work: impl Fn(usize, &Texts<'_>) -> T + Sync,
) -> Result<Vec<T>, GitError> {
    let mut seen: HashSet<&Content> = HashSet::new();
    let contents = states.iter().flat_map(|state| state.iter().map(|(_, content)| content));
    let contents: Vec<&Content> = contents.filter(|content| seen.insert(content)).collect();
    let texts = Texts(contents.iter().map(|content| (*content, OnceLock::new())).collect());
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let mut waiting = states.iter().enumerate().peekable();
    rayon::in_place_scope(|scope| {
        let mut chunks = contents.chunks(AT_ONCE);
        loop {
            let is_read = |(_, content): &(String, Content)| {
                texts.0.get(content).is_none_or(|text| text.get().is_some())
            };
            // They wait in the order in which their texts come.
            while let Some((index, _)) = waiting.next_if(|(_, state)| state.iter().all(is_read)) {
                let (texts, work, done) = (&texts, &work, &done);
                scope.spawn(move |_| {
                    let result = work(index, texts);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                });
            }
            let Some(chunk) = chunks.next() else { break Ok::<(), GitError>(()) };
            let names: Vec<Content> = chunk.iter().map(|content| (*content).clone()).collect();
            for (content, bytes) in chunk.iter().zip(history.read(&names)?) {
                // What is no UTF-8 is no source, as in a folder.
                let text = bytes.map(|bytes| String::from_utf8(bytes).unwrap_or_default());
                if let Some(slot) = texts.0.get(content) {
                    let _ = slot.set(text);
                }
            }
        }
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

//! Steps of functions that numbered ones call, which run where they are called, and of those whose number stands in front of them.
//! Knows calls and numbers.

use super::order::version;
use crate::{
    extract::{Call, Extraction, Function, Literal, Role},
    source::{SourceId, Sources},
};
use std::collections::{HashMap, HashSet};

/// By the function: where numbered migrations call it. The file, the number of the migration, and the place of the call.
#[derive(Default)]
pub(super) struct Helped(HashMap<u32, Vec<(SourceId, u64, u32)>>);

impl Helped {
    pub fn find(extraction: &Extraction) -> Self {
        let mut found: HashMap<u32, Vec<(SourceId, u64, u32)>> = HashMap::new();
        let mut others: HashSet<u32> = HashSet::new();
        for call in &extraction.calls {
            let Some(callee) = call.callee else { continue };
            let role = call.caller.and_then(|one| extraction.functions.get(one as usize)).map(|one| one.role);
            if let Some(caller) = numbered(extraction, call) {
                found.entry(callee).or_default().push(caller);
            } else if role != Some(Role::Test) {
                // What others call as well may run before all of them.
                others.insert(callee);
            }
        }
        found.retain(|callee, _| !others.contains(callee));
        Self(found)
    }

    /// The number and the place at which a step of such a function runs in its file: what makes views and triggers is made anew by
    /// each caller, and stays as the last made it; all else is made by the first.
    pub fn place(
        &self,
        (sources, extraction): (&Sources, &Extraction),
        literal: &Literal,
        file: SourceId,
    ) -> Option<(u64, u32)> {
        let function = literal.function?;
        if let Some(version) = version_in_front(sources, extraction.functions.get(function as usize)?) {
            return Some((version, literal.site.start));
        }
        let own = self.0.get(&function)?.iter().filter(|(source, ..)| *source == file);
        let own = own.map(|&(_, number, start)| (number, start));
        let words = literal.variants.first()?.as_str().to_ascii_lowercase();
        let is_made_anew = ["view", "trigger"].iter().any(|kind| words.contains(&format!("create {kind}")));
        if is_made_anew { own.max() } else { own.min() }
    }
}

/// Where a numbered migration calls something: its file, its number, and the place.
fn numbered(extraction: &Extraction, call: &Call) -> Option<(SourceId, u64, u32)> {
    let caller = extraction.functions.get(call.caller? as usize)?;
    let number = version(&caller.name).filter(|&number| number > 0 && caller.role == Role::Migration)?;
    Some((call.site.source, number, call.site.start))
}

/// The version to which a method of a class that is made in its place leads: `object : Migration(3, 4) { fun migrate(`. See
/// <https://developer.android.com/training/data-storage/room/migrating-db-versions>.
fn version_in_front(sources: &Sources, function: &Function) -> Option<u64> {
    const NEAR: usize = 160;
    if function.name != "migrate" {
        return None;
    }
    let text = sources.get(function.site.source)?.text();
    let before = text.get(..function.site.start as usize)?;
    let near = before.char_indices().rev().nth(NEAR).map_or(0, |(at, _)| at);
    let (_, versions) = before.get(near..)?.rsplit_once("Migration(")?;
    let (from, to) = versions.split_once(')')?.0.split_once(',')?;
    let number = |text: &str| text.trim().trim_start_matches(|one: char| !one.is_ascii_digit()).parse().ok();
    number(from).and_then(|from: u64| number(to).filter(|to| *to > from))
}

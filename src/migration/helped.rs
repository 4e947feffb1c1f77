//! Steps of functions that numbered ones call: they run where they are called. Knows calls and numbers in names.

use super::{Step, order::version};
use crate::{
    extract::{Call, Extraction, Role},
    source::SourceId,
};
use std::collections::{BTreeMap, HashMap};

/// Gives the steps of such functions the numbers and the places of their callers in the file: what makes views and triggers is
/// made anew by each, and stays as the last made it; all else is made by the first.
pub(super) fn place(extraction: &Extraction, by_file: &mut BTreeMap<SourceId, Vec<(u64, u32, Vec<Step>)>>) {
    let mut callers: HashMap<u32, Vec<(SourceId, u64, u32)>> = HashMap::new();
    for call in &extraction.calls {
        if let Some((callee, caller)) = call.callee.zip(numbered(extraction, call)) {
            callers.entry(callee).or_default().push(caller);
        }
    }
    for (file, items) in by_file.iter_mut().filter(|_| !callers.is_empty()) {
        for (number, start, steps) in items {
            let ([step], 0) = (steps.as_mut_slice(), *number) else { continue };
            let function = extraction.literals.get(step.literal).and_then(|literal| literal.function);
            let own = function.and_then(|function| callers.get(&function)).into_iter().flatten();
            let own = own.filter(|(source, ..)| source == file).map(|&(_, number, start)| (number, start));
            let words = step.text.as_str().to_ascii_lowercase();
            let is_made_anew = ["view", "trigger"].iter().any(|kind| words.contains(&format!("create {kind}")));
            let found = if is_made_anew { own.max() } else { own.min() };
            if let Some(found) = found {
                (*number, *start) = found;
                (step.version, step.is_upgrade) = (Some(found.0), true);
            }
        }
    }
}

/// Where a numbered migration calls something: its file, its number, and the place.
fn numbered(extraction: &Extraction, call: &Call) -> Option<(SourceId, u64, u32)> {
    let caller = extraction.functions.get(call.caller? as usize)?;
    let number = version(&caller.name).filter(|&number| number > 0 && caller.role == Role::Migration)?;
    Some((call.site.source, number, call.site.start))
}

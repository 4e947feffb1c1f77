//! Files of SQL whose text the code puts in its place when it is built: their statements belong to the function that does.

use crate::extract::{
    fold::{Folder, Spot, Unit, embedded::beside},
    sketch::{CallSketch, NOWHERE},
};
use rustc_hash::FxHashMap as HashMap;

/// By the file of SQL, the file that includes it first, and where.
pub(super) type Included = HashMap<u32, (u32, CallSketch)>;

/// The files of SQL that functions of other files include.
pub(super) fn included(folder: &Folder<'_>) -> Included {
    let mut found = Included::default();
    let includes = (0_u32..)
        .zip(folder.units)
        .flat_map(|(unit, one)| one.sketch.includes.iter().map(move |call| (unit, call)));
    let mut includes = includes.filter(|(_, call)| call.function != NOWHERE).peekable();
    if includes.peek().is_none() {
        return found;
    }
    let path_of = |unit: &Unit| folder.sources.path(unit.source);
    let files = (0_u32..).zip(folder.units).filter(|(_, unit)| unit.language.is_sql);
    let files: HashMap<&str, u32> = files.map(|(index, unit)| (path_of(unit), index)).collect();
    for (unit, call) in includes {
        let spot = Spot::at(unit as usize, NOWHERE);
        let named = folder.word(spot, call.name as usize + 3).trim_matches(['"', '#', 'r']);
        let Some(own) = folder.units.get(unit as usize).map(path_of) else { continue };
        if let Some(&file) = files.get(beside(own, named).as_str()) {
            found.entry(file).or_insert((unit, *call));
        }
    }
    found
}

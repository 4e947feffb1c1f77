//! The functions of a tree as their names flow, each read once, when it is first asked for: many calls ask for the same.

use super::Flow;
use crate::extract::fold::{Folder, Spot};
use std::sync::OnceLock;

/// What is known of the functions of all files.
pub struct Flows<'a> {
    folder: &'a Folder<'a>,
    /// By file, and by the place there.
    units: Vec<OnceLock<Vec<One<'a>>>>,
}

/// A function; most are never asked for.
type One<'a> = OnceLock<Option<Box<Flow<'a>>>>;

impl<'a> Flows<'a> {
    /// Nothing is known yet.
    pub fn new(folder: &'a Folder<'a>) -> Self {
        Self { folder, units: folder.units.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The function of a spot.
    pub fn of(&self, spot: Spot) -> Option<&Flow<'a>> {
        let unit = self.folder.units.get(spot.unit)?;
        let none_yet = || unit.sketch.functions.iter().map(|_| OnceLock::new()).collect();
        let functions = self.units.get(spot.unit)?.get_or_init(none_yet);
        let function = functions.get(spot.function as usize)?;
        function.get_or_init(|| Flow::new(self.folder, spot).map(Box::new)).as_deref()
    }
}

//! Lists that only drop tables, whatever the version of a database is: they reset it. Run with what opens it, they would take its
//! tables away. Knows what code runs, and no order.

use super::{Mentions, is_history, version};
use crate::extract::{Constant, Extraction, Setup, What};

/// Whether a text drops tables, and makes none anew.
pub(super) fn only_drops(found: &Mentions) -> bool {
    found.drops_table && found.created.is_empty()
}

/// Whether a list of such texts is no step by its name, and is run whatever the version is.
pub(super) fn is_no_step(extraction: &Extraction, list: &Constant) -> bool {
    let is_own = |setup: &&Setup| matches!(&setup.what, What::Constant(name) if *name == list.name);
    let mut places = extraction.setups.iter().filter(is_own);
    let is_named = is_history(&list.name) || version(&list.name).is_some();
    !is_named && places.all(|place| place.version.is_none() && !place.is_below)
}

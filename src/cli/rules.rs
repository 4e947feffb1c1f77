//! `planlint rules`: the list of them, or what became of the pages that test them. Knows which is asked for; knows
//! nothing of how pages are run.

use super::{Exit, request};
use crate::{
    report::{Failure, lists, pages},
    run,
};
use std::path::{Path, PathBuf};

/// The text for standard output. `test` is the folder of the pages, `only` the rules whose pages are run; empty means
/// all.
pub(super) fn rules(
    test: Option<&PathBuf>,
    only: &[String],
    config: Option<&Path>,
) -> Result<(String, Exit), Failure> {
    let request = request(test.map_or(&[], std::slice::from_ref), config)?;
    let Some(folder) = test else {
        let rules = run::list_rules(&request).map_err(|error| Failure::from(&error))?;
        return Ok((lists::render(&rules), Exit::Clean));
    };
    let tested = run::test_rules(&request, (folder, &folder.display().to_string()), only);
    let tested = tested.map_err(|error| Failure::from(&error))?;
    Ok((pages::render(&tested), if tested.passes() { Exit::Clean } else { Exit::Findings }))
}

//! Code within a series of .sql files that makes tables of the series anew: its lists of DDL stand in another file, and
//! look like a second database with the same tables. Knows names and numbers; knows no schema.

use super::{Declaration, Step, file_number, groups::common_parts, mentions};
use crate::{
    extract::Extraction,
    source::{SourceId, Sources},
};
use std::collections::BTreeSet;

/// A database of fewer tables is not taken for another one's second half.
const FEWEST: usize = 4;

/// Makes one database of a series of files and the lists by which code in the series makes its tables anew.
pub(super) fn join(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    for index in (0..declared.len()).rev() {
        let Some(one) = declared.get(index).filter(|one| one.homes.iter().all(|&home| !is_sql(sources, home)))
        else {
            continue;
        };
        let own = created(&one.steps);
        let found = declared.iter().enumerate().find_map(|(at, series)| {
            let both = created(&series.steps).intersection(&own).count();
            let is_same = at != index && own.len() >= FEWEST && both * 2 >= own.len();
            Some((at, is_same.then(|| code(sources, series, one)).flatten()?))
        });
        if let Some((at, code)) = found {
            let one = declared.remove(index);
            if let Some(series) = declared.get_mut(if at > index { at - 1 } else { at }) {
                add(sources, extraction, series, one, &code);
            }
        }
    }
}

fn is_sql(sources: &Sources, file: SourceId) -> bool {
    sources.path(file).ends_with(".sql")
}

fn created(steps: &[Step]) -> BTreeSet<String> {
    steps.iter().flat_map(|step| mentions(step.text.as_str()).created).collect()
}

/// Code in the folder of a series, with its number.
struct Code {
    folder: String,
    number: u64,
}

impl Code {
    /// Whether a file stands in the folder, or in one beside it.
    fn is_near(&self, path: &str) -> bool {
        common_parts(path, &self.folder) + 1 >= self.folder.split('/').count()
    }
}

/// The code in the folder of a series beside which the lists stand.
fn code(sources: &Sources, series: &Declaration, lists: &Declaration) -> Option<Code> {
    let folder = |file: SourceId| sources.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
    let numbered = |home: &&SourceId| is_sql(sources, **home) && stem_number(sources.path(**home)).is_some();
    let home = series.homes.iter().find(numbered).map(|&home| folder(home))?;
    let beside = sources.iter().filter(|(file, _)| !is_sql(sources, *file) && folder(*file) == home);
    let number = beside.filter_map(|(_, source)| stem_number(&source.path)).max()?;
    let code = Code { folder: home.to_owned(), number };
    lists.homes.first().is_some_and(|&home| code.is_near(sources.path(home))).then_some(code)
}

fn stem_number(path: &str) -> Option<u64> {
    file_number(path.rsplit_once('/').map_or(path, |(_, file)| file))
}

/// Puts the steps of the lists in the place of the code that runs them.
fn add(
    sources: &Sources,
    extraction: &Extraction,
    series: &mut Declaration,
    lists: Declaration,
    code: &Code,
) {
    let is_later = |step: &Step| step.version.is_some_and(|version| version > code.number);
    let at = series.steps.iter().position(is_later).unwrap_or(series.steps.len());
    let is_near = |step: &Step| {
        let literal = extraction.literals.get(step.literal);
        literal.is_some_and(|literal| code.is_near(sources.path(literal.site.source)))
    };
    let (near, far): (Vec<Step>, Vec<Step>) = lists.steps.into_iter().partition(is_near);
    series.steps.splice(at..at, near.into_iter().map(|step| Step { replaces: true, ..step }));
    series.steps.extend(far);
    series.homes.extend(lists.homes);
    series.places.extend(lists.places);
}

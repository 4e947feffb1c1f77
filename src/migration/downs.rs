//! The files that undo a step: such as stand beside the file of the step, under the names that the usual tools give them.
//! Knows names; knows no schema.

use super::{Declaration, files};
use crate::{
    extract::{Extraction, sql::skip_leading, text::Text},
    source::{Sources, folder_of},
};
use std::collections::{BTreeMap, HashMap};

/// Gives steps of files the text that undoes them, where another file has it.
pub(super) fn attach(sources: &Sources, extraction: &Extraction, declared: &mut [Declaration]) {
    let mut texts: HashMap<&str, &Text> = HashMap::new();
    let mut undoing: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for literal in extraction.literals.iter().filter(|literal| literal.language.is_sql) {
        let path = sources.path(literal.site.source);
        if let Some(text) = literal.variants.first() {
            texts.insert(path, text);
        }
        if let Some(version) = files::prefixed(path, 'U') {
            undoing.insert((folder_of(path), version), path);
        }
    }
    for step in declared.iter_mut().flat_map(|one| one.steps.iter_mut().chain(&mut one.create)) {
        let literal = extraction.literals.get(step.literal).filter(|literal| literal.language.is_sql);
        let Some(literal) = literal.filter(|_| step.down.is_none()) else { continue };
        let path = sources.path(literal.site.source);
        let version = files::prefixed(path, 'V');
        let by_version = version.and_then(|version| undoing.get(&(folder_of(path), version)).copied());
        let beside = by_version.and_then(|path| texts.get(path).copied());
        let down = beside.or_else(|| names(path).iter().find_map(|name| texts.get(name.as_str()).copied()));
        // A file of comments alone undoes nothing.
        step.down = down.filter(|down| !skip_leading(down.as_str()).is_empty()).cloned();
    }
}

/// The paths at which the file that undoes this one may be.
fn names(path: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let at = |folder: &str, file: &str| {
        if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
    };
    let stem = file.strip_suffix(".sql").unwrap_or(file);
    let bare =
        [".up", "_up", ".upgrade", "_upgrade"].iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
    let above = folder.strip_suffix("/up").or_else(|| (folder == "up").then_some(""));
    let mut names = Vec::new();
    for word in files::BACKWARD {
        if matches!(stem, "up" | "migration") {
            names.push(at(folder, &format!("{word}.sql")));
        } else {
            names.push(at(folder, &format!("{bare}.{word}.sql")));
            names.push(at(folder, &format!("{bare}_{word}.sql")));
        }
        names.push(at(&at(above.unwrap_or(folder), word), file));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_undoes_another_has_its_name() {
        for (up, down) in [
            ("m/1_x.up.sql", "m/1_x.down.sql"),
            ("m/1_x.sql", "m/1_x_down.sql"),
            ("m/1_x.sql", "m/1_x.undo.sql"),
            ("m/1_x/up.sql", "m/1_x/down.sql"),
            ("1_x/migration.sql", "1_x/down.sql"),
            ("m/up/1_x.sql", "m/down/1_x.sql"),
            ("up/1_x.sql", "down/1_x.sql"),
            ("1_x.sql", "1_x.rollback.sql"),
        ] {
            assert!(names(up).iter().any(|name| name == down), "{up}: {:?}", names(up));
        }
    }
}

//! SQL in files that are neither SQL nor code, or that say what a schema is in words of their own: the conventions that know such
//! files give their texts, and here they become literals like all others.

use super::conventions::ALL;
use crate::{
    extract::{Extraction, Literal, languages, text::Text},
    source::{Site, Source, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The paths, of those that nobody asked for, of which a convention reads the files.
pub(super) fn wanted(others: &[String]) -> BTreeSet<String> {
    ALL.iter().flat_map(|one| (one.reads)(others)).map(str::to_owned).collect()
}

/// Adds the texts of such files to what was found in code.
pub fn read(sources: &Sources, extraction: &mut Extraction) {
    let Some(language) = languages::ALL.iter().copied().find(|language| language.is_sql) else { return };
    let mut found: Vec<(SourceId, &str, Text)> = Vec::new();
    let mut with_schema: BTreeSet<&str> = BTreeSet::new();
    let mut later: Vec<(SourceId, &str, Text)> = Vec::new();
    let texts =
        |(id, source): (SourceId, &Source)| Some((id, ALL.iter().find_map(|one| (one.texts)(id, source))?));
    let read: Vec<_> = sources.par_iter().filter_map(texts).collect();
    for (id, one) in read {
        let folder = super::files::series(sources.path(id));
        if one.is_history {
            later.push((id, folder, one.schema));
            continue;
        }
        if !one.schema.as_str().trim().is_empty() {
            with_schema.insert(folder);
            found.push((id, folder, one.schema));
        }
        found.extend(one.statements.into_iter().map(|text| (id, folder, text)));
    }
    // What leads to a schema that stands there already is not run.
    found.extend(later.into_iter().filter(|(_, folder, _)| !with_schema.contains(folder)));
    for declared in ALL.iter().map(|one| (one.declares)(sources)) {
        let schemas = declared.schemas.into_iter().map(|(site, name, text)| Literal {
            constant: Some(name),
            ..Literal::bare(site, text, language)
        });
        extraction.literals.extend(schemas);
        let statements = declared.statements.into_iter().filter_map(|(site, text)| {
            Some(Literal::bare(site, text, languages::of(sources.path(site.source))?))
        });
        extraction.literals.extend(statements);
    }
    for (source, _, text) in found {
        let Some((_, start)) = text.locate(0) else { continue };
        let end = text.locate(text.as_str().len().saturating_sub(1) as u32).map_or(start, |(_, end)| end + 1);
        let site = Site { source, start, end: end.max(start + 1) };
        extraction.literals.push(Literal::bare(site, text, language));
    }
}
